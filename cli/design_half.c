/* SPDX-License-Identifier: BSD-3-Clause */
/* design half: halves of A-stable backinterpolation methods of order 6, from many starts, ranked. */
#include "design_parts.h"
#include <string.h>

enum { SHOWN = 10, DEGREE = 7 };

typedef struct halves {
    gt_half_task task;
    double routh[DEGREE + 1];
    int n_routh;
    long only;            /* the one start to look at; -1: all */
    size_t starts, first; /* all, and the first of the piece at work */
    gt_half_design *design;
    bool *found;
    size_t *order, n_found; /* the ranking */
} halves;

static int read_ratio(const cli_args *args, const char *flag, gt_ratio *r)
{
    const char *text = gt_cli_text(args, flag);
    if (!text || gt_ratio_read(text, r)) return CLI_OK;
    return gt_cli_usage("--%s takes a fraction such as 1/1120, not '%s'", flag, text);
}

static int read_task(const cli_args *args, halves *w)
{
    long starts = 20, seed = 1, sweeps = 400;
    w->task = (gt_half_task){.c = {1, 1120}, .d = {1, 8064}};
    w->only = -1;
    int code = read_ratio(args, "c", &w->task.c);
    if (!code) code = read_ratio(args, "d", &w->task.d);
    if (!code) code = gt_cli_whole(args, "sweeps", 0, 100000, &sweeps);
    if (!code) code = gt_cli_whole(args, "starts", 1, 1000000, &starts);
    if (!code) code = gt_cli_whole(args, "start", 0, 1000000, &w->only);
    if (!code) code = gt_cli_whole(args, "seed", 0, 1000000000, &seed);
    if (!code) code = gt_design_check_out(args);
    w->starts = w->only < 0 ? (size_t)starts : 1;
    w->task.seed = (uint64_t)seed;
    w->task.sweeps = (int)sweeps;
    return code;
}

/* The proof, before any search: a half with another polynomial is of no use. */
static int prove(halves *w)
{
    gt_ratio p[] = {{1, 1}, {1, 1}, {1, 2}, {1, 6}, {1, 24}, {1, 120}, w->task.c, w->task.d};
    char c[48], d[48];
    bool hurwitz;
    int degree = w->task.d.num ? 7 : w->task.c.num ? 6 : 5;
    gt_ratio_print(w->task.c, c, sizeof c);
    gt_ratio_print(w->task.d, d, sizeof d);
    w->n_routh = gt_routh(p, degree, w->routh, &hurwitz);
    if (!w->n_routh)
        return gt_cli_usage("Routh's array for c = %s, d = %s does not fit into 128 bits; give simpler fractions", c,
                            d);
    if (!hurwitz)
        return gt_cli_failed("T5 + %s z^6 + %s z^7 has zeros outside of the left half plane, so no method with it is "
                             "A-stable: number %d of the first column of Routh's array is %.6g; try c near 1/1121 and "
                             "d near 1/8165",
                             c, d, w->n_routh, w->routh[w->n_routh - 1]);
    return CLI_OK;
}

static int number_of(const halves *w, size_t k) { return w->only < 0 ? (int)k : (int)w->only; }

static void try_start(size_t i, void *ctx)
{
    halves *w = ctx;
    size_t k = w->first + i;
    w->found[k] = gt_design_half(&w->task, number_of(w, k), &w->design[k]);
}

/* By the error constant, smallest first. */
static void rank(halves *w)
{
    for (size_t i = 0; i < w->first; i++) {
        if (!w->found[i]) continue;
        size_t at = w->n_found++;
        for (; at > 0 && w->design[w->order[at - 1]].error_constant > w->design[i].error_constant; at--)
            w->order[at] = w->order[at - 1];
        w->order[at] = i;
    }
}

static json_t *merits(const halves *w, size_t place)
{
    const gt_half_design *d = &w->design[w->order[place]];
    return json_pack("{s:i, s:I, s:f, s:f, s:f}", "start", number_of(w, w->order[place]), "seed",
                     (json_int_t)w->task.seed, "residual", d->residual, "error_constant", d->error_constant,
                     "largest_entry", d->largest_entry);
}

static int print_json(const halves *w, const char *out)
{
    json_t *object = json_object(), *ranking = json_array();
    json_object_set_new(object, "c", gt_coefficients_ratio(w->task.c));
    json_object_set_new(object, "d", gt_coefficients_ratio(w->task.d));
    json_object_set_new(object, "hurwitz", json_true());
    json_object_set_new(object, "routh", gt_cli_json_numbers(w->routh, (size_t)w->n_routh));
    json_object_set_new(object, "starts", json_integer((json_int_t)w->first));
    for (size_t i = 0; i < w->n_found && i < SHOWN; i++) {
        json_t *row = merits(w, i);
        gt_coefficients_set_tableau(row, &w->design[w->order[i]].tableau);
        json_array_append_new(ranking, row);
    }
    json_object_set_new(object, "ranking", ranking);
    if (out) json_object_set_new(object, "file", json_string(out));
    return gt_cli_json_print(object);
}

static void print_text(const halves *w)
{
    char c[48], d[48];
    gt_ratio_print(w->task.c, c, sizeof c);
    gt_ratio_print(w->task.d, d, sizeof d);
    printf("T5 + %s z^6 + %s z^7: all zeros in the left half plane, by the first column of Routh's array\n   ", c, d);
    for (int k = 0; k < w->n_routh; k++) gt_fprintf(stdout, " %.5g", w->routh[k]);
    printf("\n%zu starts, %zu halves of order 5 with 7 stages; error: of the conditions of order 6\n\n", w->first,
           w->n_found);
    printf("%5s  %5s %10s %10s %9s\n", "rank", "start", "residual", "error", "entries");
    for (size_t i = 0; i < w->n_found && i < SHOWN; i++) {
        const gt_half_design *h = &w->design[w->order[i]];
        gt_fprintf(stdout, "%5zu  %5d %10.1e %10.5f %9.3g\n", i + 1, number_of(w, w->order[i]), h->residual,
                   h->error_constant, h->largest_entry);
    }
    if (w->n_found > SHOWN) printf("%zu more\n", w->n_found - SHOWN);
}

static int write_half(const cli_args *args, const halves *w, const char *out)
{
    long place = 1;
    const char *name = gt_cli_text(args, "name");
    int code = gt_cli_whole(args, "pick", 1, 1000000, &place);
    if (code) return code;
    if ((size_t)place > w->n_found) return gt_cli_usage("--pick %ld: there are only %zu halves", place, w->n_found);
    gt_method_label label = {.name = name ? name : "designed",
                             .title = "backinterpolation with 7-stage halves of order 5, order 6, A-stable",
                             .order = 6};
    return gt_cli_write_half(out, &label, &w->design[w->order[place - 1]].tableau,
                             json_pack("{s:o}", "merits", merits(w, (size_t)place - 1)));
}

int gt_design_half_run(const cli_args *args)
{
    gt_arena arena = gt_arena_growing();
    halves w = {.starts = 0};
    const char *out = gt_cli_text(args, "out");
    int code = read_task(args, &w);
    if (!code) code = prove(&w);
    if (!code) {
        w.design = gt_arena_take(&arena, w.starts, sizeof *w.design);
        w.found = gt_arena_take(&arena, w.starts, sizeof *w.found);
        w.order = gt_arena_take(&arena, w.starts, sizeof *w.order);
        if (!w.design || !w.found || !w.order) code = gt_cli_failed("out of memory for %zu starts", w.starts);
    }
    if (!code) code = gt_design_run_starts(args, w.starts, &w.first, try_start, &w);
    if (!code) rank(&w);
    if (!code && !w.n_found && w.only >= 0)
        code = gt_cli_failed("start %ld does not lead to a half; try another one", w.only);
    if (!code && !w.n_found) code = gt_cli_failed("none of the %zu starts led to a half; try more --starts", w.first);
    if (!code && out) code = write_half(args, &w, out);
    if (!code && gt_cli_has(args, "json")) {
        code = print_json(&w, out);
    } else if (!code && !(out && !strcmp(out, "-"))) {
        print_text(&w);
        gt_design_say_file(out);
    }
    gt_arena_free(&arena);
    return code;
}
