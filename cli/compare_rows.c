/* SPDX-License-Identifier: BSD-3-Clause */
#include "compare_parts.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void append(char *text, size_t room, const char *between, const char *name,
                   const char *value)
{
    size_t used = strlen(text);
    snprintf(text + used, room - used, "%s%s=%s", between, name, value);
}

/* One "key=value" of an entry: the step, the tolerance, or an option of the method. */
static int read_setting(comparison *c, compare_entry *entry, const char *setting)
{
    char *name, *value;
    int code = gt_cli_read_pair("--methods", setting, &c->p.arena, &name, &value);
    if (code) return code;
    double *step = !strcmp(name, "h") ? &entry->h : !strcmp(name, "rtol") ? &entry->rtol : NULL;
    if (step) {
        if ((code = gt_cli_read_number("--methods", value, step))) return code;
        if (*step <= 0) return gt_cli_usage("--methods: %s must be above 0, not %g", name, *step);
        return step == &entry->rtol ? gt_cli_check_rtol("--methods", *step) : CLI_OK;
    }
    gt_message message = {""};
    gt_status status = gt_params_set(entry->method->options, "option", entry->method->name, name,
                                     value, &entry->values, &message);
    if (status) return gt_cli_complain(status, &message);
    append(entry->options, entry->room, *entry->options ? ", " : "", name, value);
    append(entry->label, entry->room, " ", name, value);
    return CLI_OK;
}

/* With a controlled step `auto` is a way of running; with a fixed one it is a choice before the
 * run. */
static int choose(comparison *c, compare_entry *entry)
{
    gt_message why = {""};
    gt_status status = GT_OK;
    if (!gt_cli_has(&c->args->flags.h))
        status = gt_cli_first_of_auto(&c->p.problem, &c->plan, &entry->method, &why);
    entry->switches = entry->method != NULL;
    if (!status && entry->switches) return CLI_OK;
    if (!status) status = gt_choose_method(&c->p.problem, &c->plan, &entry->method, &why);
    if (status) return gt_cli_complain(status, &why);
    if (!gt_cli_has(&c->args->flags.quiet))
        gt_cli_note("auto is %s: %s", entry->method->name, why.text);
    return CLI_OK;
}

/* "taylor:order=12:h=0.1" */
static int read_entry(comparison *c, char *text, compare_entry *entry)
{
    entry->room = 2 * strlen(text) + 64;
    entry->label = gt_arena_take(&c->p.arena, entry->room, 1);
    entry->options = gt_arena_take(&c->p.arena, entry->room, 1);
    if (!entry->label || !entry->options) return gt_cli_failed("out of memory");
    char *colon = strchr(text, ':');
    if (colon) *colon = '\0';
    int code =
        !strcmp(text, "auto") ? choose(c, entry) : gt_cli_method(text, &c->p.arena, &entry->method);
    if (code) return code;
    snprintf(entry->label, entry->room, "%s", entry->switches ? gt_auto.name : entry->method->name);
    entry->values = gt_params_default(entry->method->options);
    for (char *setting = colon; !code && setting; setting = colon) {
        setting++;
        colon = strchr(setting, ':');
        if (colon) *colon = '\0';
        code = read_setting(c, entry, setting);
    }
    if (!code && entry->h > 0 && entry->rtol > 0)
        return gt_cli_usage("--methods: %s has both h and rtol; give only one of them", text);
    return code;
}

static int read_steps(const cli_value *flag, gt_arena *arena, double **list, size_t *count)
{
    int code = gt_cli_numbers(flag, arena, list, count);
    for (size_t i = 0; !code && i < *count; i++)
        if ((*list)[i] <= 0)
            return gt_cli_usage("--%s must be above 0, not %g", flag->flag->name, (*list)[i]);
    return code;
}

int gt_compare_rows(comparison *c)
{
    gt_arena *arena = &c->p.arena;
    const char *list = gt_cli_text(&compare_own(c->args)->methods);
    if (!list) return gt_cli_usage("compare needs --methods, as in --methods rk4:h=0.01,dopri5");
    char **words;
    double *h = NULL, *rtol = NULL, standard = 1e-6;
    size_t n_h = 0, n_rtol = 0;
    int code = gt_cli_read_words("--methods", list, arena, &words, &c->n_entries);
    if (code || (code = read_steps(&c->args->flags.h, arena, &h, &n_h))) return code;
    if ((code = read_steps(&c->args->flags.rtol, arena, &rtol, &n_rtol))) return code;
    for (size_t k = 0; k < n_rtol; k++)
        if ((code = gt_cli_check_rtol("--rtol", rtol[k]))) return code;
    if (n_h && n_rtol)
        return gt_cli_usage("--h means fixed steps and --rtol controlled ones; give only one, and "
                            "the other with the "
                            "method, as in rk4:h=0.01");
    if (!n_h && !n_rtol) rtol = &standard, n_rtol = 1;
    size_t steps = n_h ? n_h : n_rtol;
    c->entries = gt_arena_take(arena, c->n_entries, sizeof *c->entries);
    c->rows = gt_arena_take(arena, c->n_entries * steps, sizeof *c->rows);
    if (!c->entries || !c->rows) return gt_cli_failed("out of memory");
    for (size_t i = 0; i < c->n_entries; i++) {
        compare_entry *entry = &c->entries[i];
        if ((code = read_entry(c, words[i], entry))) return code;
        bool own = entry->h > 0 || entry->rtol > 0;
        for (size_t k = 0; k < (own ? 1 : steps); k++)
            c->rows[c->n_rows++] = (compare_row){.all = c,
                                                 .entry = entry,
                                                 .h = own   ? entry->h
                                                      : n_h ? h[k]
                                                            : 0,
                                                 .rtol = own   ? entry->rtol
                                                         : n_h ? 0
                                                               : rtol[k]};
    }
    return CLI_OK;
}

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* All times of all rows that succeeded, in the order of the run, each once. */
static double *all_times(comparison *c, size_t *count)
{
    size_t total = 0;
    for (size_t i = 0; i < c->n_rows; i++)
        total += c->rows[i].report.status ? 0 : c->rows[i].points.count;
    double *times = gt_arena_doubles(&c->p.arena, total + 1);
    *count = 0;
    if (!times || !total) return times;
    size_t used = 0;
    for (size_t i = 0; i < c->n_rows; i++)
        for (size_t k = 0; !c->rows[i].report.status && k < c->rows[i].points.count; k++)
            times[used++] = c->rows[i].points.t[k];
    qsort(times, total, sizeof *times, compare_times);
    for (size_t k = 0; k < total; k++)
        if (!*count || times[k] > times[*count - 1]) times[(*count)++] = times[k];
    if (c->p.problem.t1 < c->p.problem.t0)
        for (size_t k = 0; k < *count / 2; k++) {
            double later = times[*count - 1 - k];
            times[*count - 1 - k] = times[k];
            times[k] = later;
        }
    return times;
}

/* The errors of the rows that succeeded, against what there is of a reference. */
typedef struct judgement {
    comparison *c;
    const double *times; /* of the reference */
} judgement;

static void judge_rows(const judgement *j, const cli_reference *reference)
{
    const gt_problem *problem = &j->c->p.problem;
    size_t n = gt_problem_size(problem);
    for (size_t i = 0; i < j->c->n_rows; i++) {
        compare_row *row = &j->c->rows[i];
        size_t at = 0;
        row->error = (cli_error){0};
        for (size_t k = 0; !row->report.status && k < row->points.count; k++) {
            while (at < reference->reached &&
                   gt_cli_along(problem, j->times[at] - row->points.t[k]) < 0)
                at++;
            if (at == reference->reached) break;
            gt_cli_error_add(&row->error, n, row->points.t[k], row->points.values + n * k,
                             reference, at);
        }
    }
}

static bool is_enough(const cli_reference *reference, void *ctx)
{
    const judgement *j = ctx;
    judge_rows(j, reference);
    for (size_t i = 0; i < j->c->n_rows; i++) {
        const compare_row *row = &j->c->rows[i];
        if (!row->report.status &&
            !(gt_cli_final_certain(&row->error) && gt_cli_max_certain(&row->error)))
            return false;
    }
    return true;
}

int gt_compare_errors(comparison *c)
{
    if (c->drift) return CLI_OK; /* which takes no reference */
    size_t count;
    double h_largest = INFINITY;
    for (size_t i = 0; i < c->n_rows; i++) {
        gt_run_series_advance(&c->rows[i].points);
        if (!c->rows[i].report.status) h_largest = fmin(h_largest, c->rows[i].points.h_largest);
    }
    double *times = all_times(c, &count);
    if (!times) return gt_cli_failed("out of memory");
    if (!count || c->stopped) return CLI_OK;
    judgement j = {c, times};
    cli_judged judged = {times, count, h_largest};
    int code = gt_cli_reference(c->args, &c->p.problem, &judged, &c->p.arena, is_enough, &j,
                                &c->reference);
    if (!code) judge_rows(&j, &c->reference);
    return code;
}

static const gt_method *method_of(const compare_row *row)
{
    return row->entry->switches ? NULL : row->entry->method;
}

/* The trajectory in a run of its own, so that keeping it costs no time in the table. */
static void keep_trajectory(comparison *c, compare_row *row, gt_plan plan)
{
    gt_sink *sinks[] = {&row->series.sink};
    gt_report report;
    const compare_entry *entry = row->entry;
    if (gt_run_figure_series(&c->figure, &c->p.problem, method_of(row), &entry->values, row->h > 0,
                             &row->series))
        return;
    plan.sinks = sinks;
    plan.n_sinks = 1;
    gt_status status = gt_solve(&c->p.problem, method_of(row), &plan, &report);
    (void)status; /* a run that fails is drawn as far as it came */
}

/* The run whose error is measured; its time counts as well. */
static double keep_points(comparison *c, compare_row *row, gt_plan plan)
{
    gt_sink *sinks[] = {&row->points.sink};
    gt_run_series_init(&row->points, &c->p.problem, c->columns, gt_problem_size(&c->p.problem));
    row->points.skip_events = true;
    row->points.sink.wants =
        GT_AT_START | GT_AT_EVENT | (c->every > 0 ? GT_AT_OUTPUT : GT_AT_STEP) | GT_AT_END;
    plan.every = c->every;
    if (c->drift) {
        row->report.status = gt_compare_drift_init(c, &row->drift);
        if (row->report.status) return 0;
        sinks[0] = &row->drift.sink;
    }
    plan.sinks = sinks;
    plan.n_sinks = 1;
    double started = gt_cli_seconds();
    row->report.status = gt_solve(&c->p.problem, method_of(row), &plan, &row->report);
    return gt_cli_seconds() - started;
}

/* A short run is repeated, as a single one says more about the machine than about the method, and
 * the first one also had its points to keep. */
static void time_again(const comparison *c, compare_row *row, const gt_plan *plan)
{
    enum { MOST_RUNS = 1000 };
    const double long_enough = 0.02, too_long = 1;
    double spent = row->wall < too_long ? 0 : row->wall;
    for (long done = 1; c->repeat ? done < c->repeat : spent < long_enough && done < MOST_RUNS;
         done++) {
        gt_report report;
        double started = gt_cli_seconds();
        gt_status status = gt_solve(&c->p.problem, method_of(row), plan, &report);
        double wall = gt_cli_seconds() - started;
        if (status) return; /* interrupted */
        spent += wall;
        if (wall < row->wall) row->wall = wall;
    }
}

void gt_compare_run_row(size_t i, void *ctx)
{
    comparison *c = ctx;
    compare_row *row = &c->rows[i];
    gt_plan plan = c->plan;
    plan.h = row->h;
    plan.rtol = row->rtol;
    plan.options = row->entry->switches ? NULL : row->entry->options;
    plan.pilot = row->entry->switches ? &gt_auto : NULL;
    cli_progress bar = {0};
    if (c->serial) gt_cli_progress_begin(&bar, c->args, c->p.problem.t0, c->p.problem.t1);
    gt_cli_progress_hook(&bar, &plan);
    row->report.status = gt_method_check(row->entry->method, row->entry->values.v, &c->p.problem,
                                         &row->report.message);
    if (row->report.status == GT_UNSUPPORTED)
        gt_method_suggest(&c->p.problem, &row->report.message);
    if (!row->report.status) row->wall = keep_points(c, row, plan);
    if (!row->report.status) time_again(c, row, &plan);
    if (c->trajectories && c->figure.path) keep_trajectory(c, row, plan);
    gt_cli_progress_end(&bar);
}

const char *gt_compare_step(const compare_row *row, char buffer[40])
{
    if (row->h > 0)
        gt_format(buffer, 40, "h=%g", row->h);
    else
        gt_format(buffer, 40, "rtol=%g", row->rtol);
    return buffer;
}

double gt_compare_evaluations(const gt_problem *p, const gt_stats *stats)
{
    double n = (double)gt_problem_size(p);
    double blocks = (double)p->n_slow * (double)stats->rhs_slow +
                    (double)p->n_fast * (double)stats->rhs_fast +
                    (double)p->n_alg * (double)stats->rhs_alg;
    return (double)stats->rhs + (double)stats->taylor + (n > 0 ? blocks / n : 0);
}
