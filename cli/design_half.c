/* SPDX-License-Identifier: BSD-3-Clause */
/* design half: halves of A-stable backinterpolation methods of order 6, from many starts, ranked.
 */
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
    const char *out;
} halves;

static int read_ratio(const cli_value *flag, gt_ratio *r)
{
    const char *text = gt_cli_text(flag);
    if (!text || gt_ratio_read(text, r)) return CLI_OK;
    return gt_cli_usage("--%s takes a fraction such as 1/1120, not '%s'", flag->flag->name, text);
}

static int read_task(const cli_args *args, halves *w)
{
    long starts = 20, seed = 1, sweeps = 400;
    w->task = (gt_half_task){.c = {1, 1120}, .d = {1, 8064}};
    w->only = -1;
    int code = read_ratio(&design_own(args)->c, &w->task.c);
    if (!code) code = read_ratio(&design_own(args)->d, &w->task.d);
    if (!code) code = gt_cli_whole(&design_own(args)->sweeps, 0, 100000, &sweeps);
    if (!code) code = gt_cli_whole(&design_own(args)->starts, 1, 1000000, &starts);
    if (!code) code = gt_cli_whole(&design_own(args)->start, 0, 1000000, &w->only);
    if (!code) code = gt_cli_whole(&design_own(args)->seed, 0, 1000000000, &seed);
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
        return gt_cli_usage(
            "Routh's array for c = %s, d = %s does not fit into 128 bits; give simpler fractions",
            c, d);
    if (!hurwitz)
        return gt_cli_failed("T5 + %s z^6 + %s z^7 has zeros outside of the left half plane, so no "
                             "method with it is "
                             "A-stable: number %d of the first column of Routh's array is %.6g; "
                             "try c near 1/1121 and "
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
        for (; at > 0 && w->design[w->order[at - 1]].error_constant > w->design[i].error_constant;
             at--)
            w->order[at] = w->order[at - 1];
        w->order[at] = i;
    }
}

/* ---- the report: place i of the ranking ---- */

static const halves *halves_of(const void *data) { return ((const report_item *)data)->of; }

static const gt_half_design *design_of(const void *data)
{
    const report_item *item = data;
    return &halves_of(data)->design[halves_of(data)->order[item->i]];
}

static void get_design(const void *data, report_value *out) { out->data = design_of(data); }

static void get_tableau(const void *data, report_value *out)
{
    out->data = &design_of(data)->tableau;
}

static void get_start(const void *data, report_value *out)
{
    const report_item *item = data;
    out->integer = number_of(halves_of(data), halves_of(data)->order[item->i]);
}

static void get_seed(const void *data, report_value *out)
{
    out->integer = (long)halves_of(data)->task.seed;
}

static void say_rank(const void *data, report_text *out)
{
    gt_report_say(out, "%zu", ((const report_item *)data)->i + 1);
}

static const report_field design_fields[] = {
    REPORT_KEY("residual", "of the conditions", REPORT_AT(gt_half_design, residual),
               .label = "residual", .format = "%.1e"),
    REPORT_KEY("error_constant", "of the conditions of order 6",
               REPORT_AT(gt_half_design, error_constant), .label = "error", .format = "%.5f"),
    REPORT_KEY("largest_entry", "of the tableau", REPORT_AT(gt_half_design, largest_entry),
               .label = "entries", .format = "%.3g"),
    {.type = REPORT_END},
};

static const report_field merit_fields[] = {
    {.type = REPORT_SIZE, .label = "rank", .say = say_rank},
    REPORT_KEY("start", "of the search", .type = REPORT_INT, .get = get_start, .label = "start"),
    REPORT_KEY("seed", "seed of the random starts", .type = REPORT_LONG, .get = get_seed),
    REPORT_PART(design_fields, .get = get_design),
    {.type = REPORT_END},
};

static const report_field row_fields[] = {
    REPORT_PART(merit_fields, .offset = 0),
    REPORT_PART(gt_tableau_fields, .get = get_tableau),
    {.type = REPORT_END},
};

static bool each_place(const void *data, size_t i, report_value *out)
{
    (void)out;
    return i < SHOWN && i < ((const halves *)data)->n_found;
}

static void get_hurwitz(const void *data, report_value *out)
{
    (void)data; /* others are refused */
    out->flag = true;
}

static void say_proof(const void *data, report_text *out)
{
    const halves *w = data;
    char c[48], d[48];
    gt_ratio_print(w->task.c, c, sizeof c);
    gt_ratio_print(w->task.d, d, sizeof d);
    gt_report_say(out,
                  "T5 + %s z^6 + %s z^7: all zeros in the left half plane, by the first column of "
                  "Routh's array\n",
                  c, d);
    for (int k = 0; k < w->n_routh; k++) gt_report_say(out, "%s%.5g", k ? " " : "", w->routh[k]);
}

static void say_starts(const void *data, report_text *out)
{
    const halves *w = data;
    gt_report_say(out,
                  "%zu starts, %zu halves of order 5 with 7 stages; error: of the conditions of "
                  "order 6",
                  w->first, w->n_found);
}

static void say_more(const void *data, report_text *out)
{
    const halves *w = data;
    if (w->n_found > SHOWN) gt_report_say(out, "%zu more", w->n_found - SHOWN);
}

static bool has_file(const void *data) { return ((const halves *)data)->out != NULL; }

static const report_field fields[] = {
    REPORT_KEY("c", "coefficient of z^6", REPORT_AT(halves, task.c)),
    REPORT_KEY("d", "coefficient of z^7", REPORT_AT(halves, task.d)),
    REPORT_KEY("hurwitz", "all zeros are in the left half plane", .type = REPORT_BOOL,
               .get = get_hurwitz, .label = "", .say = say_proof),
    REPORT_KEY("routh", "first column of Routh's array", REPORT_OWN_ARRAY(halves, routh, n_routh),
               .entry = REPORT_NUMBER),
    REPORT_KEY("starts", "that were made", REPORT_AT(halves, first), .label = "",
               .say = say_starts),
    REPORT_KEY("ranking", "the best first", .type = REPORT_LIST, .each = each_place,
               .of = row_fields),
    {.type = REPORT_LIST, .each = each_place, .of = merit_fields, .label = ""},
    REPORT_TEXT("", say_more),
    REPORT_KEY("file", "that was written", REPORT_AT(halves, out), .when = has_file),
    {.type = REPORT_END},
};

const cli_report gt_design_half_reports[] = {{.fields = fields}, {.fields = NULL}};

static void get_same(const void *data, report_value *out) { out->data = data; }

static const report_field file_fields[] = {
    REPORT_PART(gt_tableau_fields, .get = get_tableau),
    REPORT_KEY("merits", "why it was chosen", .type = REPORT_OBJECT, .get = get_same,
               .of = merit_fields),
    {.type = REPORT_END},
};

static int write_half(const cli_args *args, const halves *w, const char *out)
{
    long place = 1;
    const char *name = gt_cli_text(&design_own(args)->name);
    int code = gt_cli_whole(&design_own(args)->pick, 1, 1000000, &place);
    if (code) return code;
    if ((size_t)place > w->n_found)
        return gt_cli_usage("--pick %ld: there are only %zu halves", place, w->n_found);
    gt_method_label label = {
        .name = name ? name : "designed",
        .title = "backinterpolation with 7-stage halves of order 5, order 6, A-stable",
        .order = 6};
    return gt_cli_write_method(out, "backinterpolation", &label, file_fields,
                               &(report_item){.of = w, .i = (size_t)place - 1});
}

int gt_design_half_run(const cli_args *args)
{
    gt_arena arena = gt_arena_growing();
    halves w = {.out = gt_cli_text(&args->flags.out)};
    const char *out = w.out;
    int code = read_task(args, &w);
    if (!code) code = prove(&w);
    if (!code) {
        w.design = gt_arena_take(&arena, w.starts, sizeof *w.design);
        w.found = gt_arena_take(&arena, w.starts, sizeof *w.found);
        w.order = gt_arena_take(&arena, w.starts, sizeof *w.order);
        if (!w.design || !w.found || !w.order)
            code = gt_cli_failed("out of memory for %zu starts", w.starts);
    }
    if (!code) code = gt_design_run_starts(args, w.starts, &w.first, try_start, &w);
    if (!code) rank(&w);
    if (!code && !w.n_found && w.only >= 0)
        code = gt_cli_failed("start %ld does not lead to a half; try another one", w.only);
    if (!code && !w.n_found)
        code = gt_cli_failed("none of the %zu starts led to a half; try more --starts", w.first);
    if (!code && out) code = write_half(args, &w, out);
    if (!code && gt_cli_has(&args->flags.json)) {
        code = gt_report_print_json(fields, &w);
    } else if (!code && !(out && !strcmp(out, "-"))) {
        gt_report_print(stdout, fields, &w);
        gt_design_say_file(out);
    }
    gt_arena_free(&arena);
    return code;
}
