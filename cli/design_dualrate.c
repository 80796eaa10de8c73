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
    const char *out;
} search;

static int read_task(const cli_args *args, gt_arena *arena, search *s)
{
    gt_dualrate_task *task = &s->task;
    double *stages = NULL;
    size_t count = 0;
    long starts = 400, seed = 1, polynomial_order = 0;
    int code =
        gt_design_read_whole(&design_own(args)->slow, "dualrate", 2, GT_MAX_STAGES, &task->slow);
    if (!code)
        code = gt_design_read_whole(&design_own(args)->fast, "dualrate", 2, GT_MAX_STAGES,
                                    &task->fast);
    if (!code)
        code = gt_design_read_whole(&design_own(args)->order, "dualrate", 2, 4, &task->order);
    if (!code) code = gt_design_read_axis(args, &task->axis);
    if (!code)
        code = gt_cli_whole(&design_own(args)->polynomial_order, task->order, task->fast,
                            &polynomial_order);
    if (!code) code = gt_cli_positive(&design_own(args)->limit, &s->limit);
    if (!code) code = gt_cli_whole(&design_own(args)->starts, 1, 1000000, &starts);
    s->only = -1;
    if (!code) code = gt_cli_whole(&design_own(args)->start, 0, 1000000, &s->only);
    if (!code) code = gt_cli_whole(&design_own(args)->seed, 0, 1000000000, &seed);
    if (!code) code = gt_cli_numbers(&design_own(args)->slow_stages, arena, &stages, &count);
    if (!code) code = gt_design_check_out(args);
    if (code) return code;
    if (stages && count != (size_t)task->slow)
        return gt_cli_usage("--slow-stages names %zu stages, and --slow says %d", count,
                            task->slow);
    for (size_t i = 0; stages && i < count; i++) {
        if (stages[i] != rint(stages[i]) || stages[i] < 1 || stages[i] > task->fast)
            return gt_cli_usage("--slow-stages takes numbers from 1 to %d, not %g", task->fast,
                                stages[i]);
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
        return gt_cli_failed("no polynomial of degree %d and order %d is stable on this axis",
                             t->fast, s->polynomial_order);
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
    return fabs(a->score - b->score) < 1e-4 * b->score &&
           fabs(a->error_constant - b->error_constant) < 1e-6;
}

/* By score, best first, the number of the start deciding between equals. */
static int rank(search *s)
{
    for (size_t i = 0; i < s->starts; i++) {
        if (!s->found[i]) continue;
        if (isnan(s->design[i].score))
            return gt_cli_failed("out of memory for start %d", number_of(s, i));
        size_t at = s->n_found;
        while (at > 0 && s->design[s->order[at - 1]].score < s->design[i].score) at--;
        bool known = (at > 0 && is_same(&s->design[s->order[at - 1]], &s->design[i])) ||
                     (at < s->n_found && is_same(&s->design[s->order[at]], &s->design[i]));
        if (known) continue;
        memmove(s->order + at + 1, s->order + at, (s->n_found - at) * sizeof *s->order);
        s->order[at] = i;
        s->n_found++;
    }
    return CLI_OK;
}

/* ---- the report: place i of the ranking ---- */

static const search *search_of(const void *data) { return ((const report_item *)data)->of; }

static const gt_dualrate_design *design_of(const void *data)
{
    const report_item *item = data;
    return &search_of(data)->design[search_of(data)->order[item->i]];
}

static void get_design(const void *data, report_value *out) { out->data = design_of(data); }

static void get_pair(const void *data, report_value *out) { out->data = &design_of(data)->pair; }

static void get_start(const void *data, report_value *out)
{
    const report_item *item = data;
    out->integer = number_of(search_of(data), search_of(data)->order[item->i]);
}

static void get_seed(const void *data, report_value *out)
{
    out->integer = (long)search_of(data)->task.seed;
}

static void say_rank(const void *data, report_text *out)
{
    gt_report_say(out, "%zu", ((const report_item *)data)->i + 1);
}

static void say_slow_stages(const void *data, report_text *out)
{
    int list[GT_MAX_STAGES], count = gt_tableau_stages(&design_of(data)->pair.slow, list);
    for (int k = 0; k < count; k++) gt_report_say(out, k ? " %d" : "%d", list[k] + 1);
}

static const report_field design_fields[] = {
    REPORT_KEY("limit", "of the fast block alone", REPORT_AT(gt_dualrate_design, limit)),
    REPORT_KEY("residual", "of the conditions", REPORT_AT(gt_dualrate_design, residual),
               .label = "residual", .format = "%.1e"),
    REPORT_KEY("error_constant", "of the conditions of the next order",
               REPORT_AT(gt_dualrate_design, error_constant), .label = "error", .format = "%.5f"),
    REPORT_KEY("largest_entry", "of the tableaux", REPORT_AT(gt_dualrate_design, largest_entry),
               .label = "entries", .format = "%.3g"),
    REPORT_KEY("coupled_worst", "stable step on coupled systems over the limit, the worst",
               REPORT_AT(gt_dualrate_design, coupled_worst), .label = "worst", .format = "%.4f"),
    REPORT_KEY("coupled_mean", "and the mean", REPORT_AT(gt_dualrate_design, coupled_mean),
               .label = "mean", .format = "%.4f"),
    REPORT_KEY("score", "by which they are ranked", REPORT_AT(gt_dualrate_design, score),
               .label = "score", .format = "%.4f"),
    {.type = REPORT_END},
};

static const report_field merit_fields[] = {
    {.type = REPORT_SIZE, .label = "rank", .say = say_rank},
    REPORT_KEY("start", "of the search", .type = REPORT_INT, .get = get_start, .label = "start"),
    {.type = REPORT_STRING, .label = "slow stages", .say = say_slow_stages},
    REPORT_KEY("seed", "seed of the random starts", .type = REPORT_LONG, .get = get_seed),
    REPORT_PART(design_fields, .get = get_design),
    {.type = REPORT_END},
};

static const report_field row_fields[] = {
    REPORT_PART(merit_fields, .offset = 0),
    REPORT_PART(gt_partitioned_fields, .get = get_pair),
    {.type = REPORT_END},
};

static bool each_place(const void *data, size_t i, report_value *out)
{
    (void)out;
    return i < SHOWN && i < ((const search *)data)->n_found;
}

static bool each_beta(const void *data, size_t i, report_value *out)
{
    const search *s = data;
    return gt_report_number_entry(s->polynomial.beta, (size_t)s->task.fast + 1, i, out);
}

static void say_heading(const void *data, report_text *out)
{
    const search *s = data;
    gt_report_say(out, "%d slow and %d fast stages, order %d; fast block alone stable up to %.10g",
                  s->task.slow, s->task.fast, s->task.order, s->polynomial.limit);
}

static void say_starts(const void *data, report_text *out)
{
    const search *s = data;
    gt_report_say(out,
                  "%zu starts, %zu different pairs; coupled: stable h w over that limit, worst and "
                  "mean of ten systems",
                  s->first, s->n_found);
}

static void say_more(const void *data, report_text *out)
{
    const search *s = data;
    if (s->n_found > SHOWN) gt_report_say(out, "%zu more", s->n_found - SHOWN);
}

static bool has_file(const void *data) { return ((const search *)data)->out != NULL; }

static const report_field fields[] = {
    REPORT_TEXT("", say_heading),
    REPORT_TEXT("", say_starts),
    REPORT_KEY("slow", "slow stages", REPORT_AT(search, task.slow)),
    REPORT_KEY("fast", "fast stages", REPORT_AT(search, task.fast)),
    REPORT_KEY("order", "of the pair", REPORT_AT(search, task.order)),
    REPORT_KEY("starts", "that were made", REPORT_AT(search, first)),
    REPORT_KEY("beta", "coefficients of the fast polynomial", .type = REPORT_LIST,
               .each = each_beta, .entry = REPORT_NUMBER),
    REPORT_KEY("limit", "of the fast block alone", REPORT_AT(search, polynomial.limit)),
    REPORT_KEY("ranking", "the best first", .type = REPORT_LIST, .each = each_place,
               .of = row_fields),
    {.type = REPORT_LIST, .each = each_place, .of = merit_fields, .label = ""},
    REPORT_TEXT("", say_more),
    REPORT_KEY("file", "that was written", REPORT_AT(search, out), .when = has_file),
    {.type = REPORT_END},
};

const cli_report gt_design_dualrate_reports[] = {{.fields = fields}, {.fields = NULL}};

static void get_same(const void *data, report_value *out) { out->data = data; }

static const report_field file_fields[] = {
    REPORT_PART(gt_partitioned_fields, .get = get_pair),
    REPORT_KEY("merits", "why it was chosen", .type = REPORT_OBJECT, .get = get_same,
               .of = merit_fields),
    {.type = REPORT_END},
};

static int write_pair(const cli_args *args, const search *s, const char *out)
{
    long place = 1;
    char title[120];
    const char *name = gt_cli_text(&design_own(args)->name);
    int code = gt_cli_whole(&design_own(args)->pick, 1, 1000000, &place);
    if (code) return code;
    if ((size_t)place > s->n_found)
        return gt_cli_usage("--pick %ld: there are only %zu pairs", place, s->n_found);
    snprintf(title, sizeof title, "%d slow and %d fast stages, order %d, equal nodes and weights",
             s->task.slow, s->task.fast, s->task.order);
    gt_method_label label = {
        .name = name ? name : "designed", .title = title, .order = s->task.order};
    return gt_cli_write_method(out, "partitioned", &label, file_fields,
                               &(report_item){.of = s, .i = (size_t)place - 1});
}

int gt_design_dualrate_run(const cli_args *args)
{
    gt_arena arena = gt_arena_growing();
    search s = {.out = gt_cli_text(&args->flags.out)};
    const char *out = s.out;
    int code = read_task(args, &arena, &s);
    if (!code) code = find_polynomial(&s);
    if (!code) {
        s.design = gt_arena_take(&arena, s.starts, sizeof *s.design);
        s.found = gt_arena_take(&arena, s.starts, sizeof *s.found);
        s.order = gt_arena_take(&arena, s.starts, sizeof *s.order);
        if (!s.design || !s.found || !s.order)
            code = gt_cli_failed("out of memory for %zu starts", s.starts);
    }
    if (!code) code = gt_design_run_starts(args, s.starts, &s.first, try_start, &s);
    if (!code) code = rank(&s);
    if (!code && !s.n_found)
        code = gt_cli_failed(
            "none of the %zu starts led to a pair; try more --starts, or other stages", s.first);
    if (!code && out) code = write_pair(args, &s, out);
    if (!code && gt_cli_has(&args->flags.json)) {
        code = gt_report_print_json(fields, &s);
    } else if (!code && !(out && !strcmp(out, "-"))) {
        gt_report_print(stdout, fields, &s);
        gt_design_say_file(out);
    }
    gt_arena_free(&arena);
    return code;
}
