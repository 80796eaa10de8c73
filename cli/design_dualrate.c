/* SPDX-License-Identifier: BSD-3-Clause */
/* design dualrate: pairs of tableaux from many starts, ranked. */
#include "design_parts.h"
#include <math.h>
#include <string.h>

enum { SHOWN = 10 };

typedef struct search {
    gt_dualrate_task task;
    gt_polynomial_design polynomial;
    int polynomial_order;
    double limit;
    long only;            /* the one start to look at; -1: all */
    size_t starts, first; /* all, and the first of the piece at work */
    gt_dualrate_design *design;
    bool *found;
    size_t *order, n_found; /* the ranking, without those that were found before */
} search;

static int read_task(const cli_args *args, gt_arena *arena, search *s)
{
    gt_dualrate_task *task = &s->task;
    double *stages = NULL;
    size_t count = 0;
    long starts = 400, seed = 1, polynomial_order = 0;
    int code = gt_design_read_whole(args, "dualrate", "slow", 2, GT_MAX_STAGES, &task->slow);
    if (!code) code = gt_design_read_whole(args, "dualrate", "fast", 2, GT_MAX_STAGES, &task->fast);
    if (!code) code = gt_design_read_whole(args, "dualrate", "order", 2, 4, &task->order);
    if (!code) code = gt_design_read_axis(args, &task->axis);
    if (!code) code = gt_cli_whole(args, "polynomial-order", task->order, task->fast, &polynomial_order);
    if (!code) code = gt_cli_positive(args, "limit", &s->limit);
    if (!code) code = gt_cli_whole(args, "starts", 1, 1000000, &starts);
    s->only = -1;
    if (!code) code = gt_cli_whole(args, "start", 0, 1000000, &s->only);
    if (!code) code = gt_cli_whole(args, "seed", 0, 1000000000, &seed);
    if (!code) code = gt_cli_numbers(args, "slow-stages", arena, &stages, &count);
    if (!code) code = gt_design_check_out(args);
    if (code) return code;
    if (stages && count != (size_t)task->slow)
        return gt_cli_usage("--slow-stages names %zu stages, and --slow says %d", count, task->slow);
    for (size_t i = 0; i < count; i++) {
        if (stages[i] != rint(stages[i]) || stages[i] < 1 || stages[i] > task->fast)
            return gt_cli_usage("--slow-stages takes numbers from 1 to %d, not %g", task->fast, stages[i]);
        task->slow_stage[i] = (int)stages[i];
    }
    s->polynomial_order = polynomial_order ? (int)polynomial_order : task->order;
    s->starts = s->only < 0 ? (size_t)starts : 1;
    task->seed = (uint64_t)seed;
    gt_message message;
    gt_status status = gt_dualrate_check(task, &message);
    return status ? gt_cli_complain(status, &message) : CLI_OK;
}

static int find_polynomial(search *s)
{
    gt_message message;
    const gt_dualrate_task *t = &s->task;
    gt_polynomial_task wanted = {.degree = t->fast,
                                 .order = s->polynomial_order,
                                 .axis = t->axis,
                                 .limit = s->limit,
                                 .damping = t->axis == GT_REAL_AXIS ? 0.05 : 0};
    gt_status status = gt_design_polynomial(&wanted, &s->polynomial, &message);
    if (status) return gt_cli_complain(status, &message);
    if (s->polynomial.limit == 0)
        return gt_cli_failed("no polynomial of degree %d and order %d is stable on this axis", t->fast,
                             s->polynomial_order);
    return CLI_OK;
}

static int number_of(const search *s, size_t k) { return s->only < 0 ? (int)k : (int)s->only; }

static void try_start(size_t i, void *ctx)
{
    search *s = ctx;
    size_t k = s->first + i;
    s->found[k] = gt_dualrate_search(&s->task, &s->polynomial, number_of(s, k), &s->design[k]);
}

static bool is_same(const gt_dualrate_design *a, const gt_dualrate_design *b)
{
    return fabs(a->score - b->score) < 1e-4 * b->score && fabs(a->error_constant - b->error_constant) < 1e-6;
}

/* By score, best first, the number of the start deciding between equals. */
static void rank(search *s)
{
    for (size_t i = 0; i < s->starts; i++) {
        if (!s->found[i]) continue;
        size_t at = s->n_found;
        while (at > 0 && s->design[s->order[at - 1]].score < s->design[i].score) at--;
        bool known = (at > 0 && is_same(&s->design[s->order[at - 1]], &s->design[i])) ||
                     (at < s->n_found && is_same(&s->design[s->order[at]], &s->design[i]));
        if (known) continue;
        memmove(s->order + at + 1, s->order + at, (s->n_found - at) * sizeof *s->order);
        s->order[at] = i;
        s->n_found++;
    }
}

static void slow_stages_text(const gt_dualrate_design *d, char *text, size_t size)
{
    int list[GT_MAX_STAGES], count = gt_tableau_stages(&d->pair.slow, list), used = 0;
    for (int k = 0; k < count; k++) used += snprintf(text + used, size - (size_t)used, k ? " %d" : "%d", list[k] + 1);
}

static json_t *merits(const search *s, size_t place)
{
    const gt_dualrate_design *d = &s->design[s->order[place]];
    json_t *object = json_object();
    json_object_set_new(object, "start", json_integer(number_of(s, s->order[place])));
    json_object_set_new(object, "seed", json_integer((json_int_t)s->task.seed));
    json_object_set_new(object, "limit", json_real(d->limit));
    json_object_set_new(object, "residual", json_real(d->residual));
    json_object_set_new(object, "error_constant", json_real(d->error_constant));
    json_object_set_new(object, "largest_entry", json_real(d->largest_entry));
    json_object_set_new(object, "coupled_worst", json_real(d->coupled_worst));
    json_object_set_new(object, "coupled_mean", json_real(d->coupled_mean));
    json_object_set_new(object, "score", json_real(d->score));
    return object;
}

static int print_json(const search *s, const char *out)
{
    json_t *object = json_object(), *ranking = json_array();
    json_object_set_new(object, "slow", json_integer(s->task.slow));
    json_object_set_new(object, "fast", json_integer(s->task.fast));
    json_object_set_new(object, "order", json_integer(s->task.order));
    json_object_set_new(object, "starts", json_integer((json_int_t)s->first));
    json_object_set_new(object, "beta", gt_cli_json_numbers(s->polynomial.beta, (size_t)s->task.fast + 1));
    json_object_set_new(object, "limit", gt_cli_json_number(s->polynomial.limit));
    for (size_t i = 0; i < s->n_found && i < SHOWN; i++) {
        json_t *row = merits(s, i);
        gt_coefficients_set_partitioned(row, &s->design[s->order[i]].pair);
        json_array_append_new(ranking, row);
    }
    json_object_set_new(object, "ranking", ranking);
    if (out) json_object_set_new(object, "file", json_string(out));
    return gt_cli_json_print(object);
}

static void print_text(const search *s)
{
    char stages[64];
    gt_fprintf(stdout, "%d slow and %d fast stages, order %d; fast block alone stable up to %.10g\n", s->task.slow,
               s->task.fast, s->task.order, s->polynomial.limit);
    printf("%zu starts, %zu different pairs; coupled: stable h w over that limit, worst and mean of five systems\n\n",
           s->first, s->n_found);
    printf("%5s  %5s  %-16s %10s %10s %9s %8s %8s %8s\n", "rank", "start", "slow stages", "residual", "error",
           "entries", "worst", "mean", "score");
    for (size_t i = 0; i < s->n_found && i < SHOWN; i++) {
        const gt_dualrate_design *d = &s->design[s->order[i]];
        slow_stages_text(d, stages, sizeof stages);
        gt_fprintf(stdout, "%5zu  %5d  %-16s %10.1e %10.5f %9.3g %8.4f %8.4f %8.4f\n", i + 1, number_of(s, s->order[i]),
                   stages, d->residual, d->error_constant, d->largest_entry, d->coupled_worst, d->coupled_mean,
                   d->score);
    }
    if (s->n_found > SHOWN) printf("%zu more\n", s->n_found - SHOWN);
}

static int write_pair(const cli_args *args, const search *s, const char *out)
{
    long place = 1;
    char title[120];
    const char *name = gt_cli_text(args, "name");
    int code = gt_cli_whole(args, "pick", 1, 1000000, &place);
    if (code) return code;
    if ((size_t)place > s->n_found) return gt_cli_usage("--pick %ld: there are only %zu pairs", place, s->n_found);
    snprintf(title, sizeof title, "%d slow and %d fast stages, order %d, equal nodes and weights", s->task.slow,
             s->task.fast, s->task.order);
    gt_method_label label = {.name = name ? name : "designed", .title = title, .order = s->task.order};
    json_t *more = json_object();
    json_object_set_new(more, "merits", merits(s, (size_t)place - 1));
    return gt_cli_write_partitioned(out, &label, &s->design[s->order[place - 1]].pair, more);
}

int gt_design_dualrate_run(const cli_args *args)
{
    gt_arena arena = gt_arena_growing();
    search s = {.starts = 0};
    const char *out = gt_cli_text(args, "out");
    int code = read_task(args, &arena, &s);
    if (!code) code = find_polynomial(&s);
    if (!code) {
        s.design = gt_arena_take(&arena, s.starts, sizeof *s.design);
        s.found = gt_arena_take(&arena, s.starts, sizeof *s.found);
        s.order = gt_arena_take(&arena, s.starts, sizeof *s.order);
        if (!s.design || !s.found || !s.order) code = gt_cli_failed("out of memory for %zu starts", s.starts);
    }
    if (!code) code = gt_design_run_starts(args, s.starts, &s.first, try_start, &s);
    if (!code) rank(&s);
    if (!code && !s.n_found)
        code = gt_cli_failed("none of the %zu starts led to a pair; try more --starts, or other stages", s.first);
    if (!code && out) code = write_pair(args, &s, out);
    if (!code && gt_cli_has(args, "json")) {
        code = print_json(&s, out);
    } else if (!code && !(out && !strcmp(out, "-"))) {
        print_text(&s);
        gt_design_say_file(out);
    }
    gt_arena_free(&arena);
    return code;
}
