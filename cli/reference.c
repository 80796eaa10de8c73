/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Errors against a reference: the exact solution, or two runs by methods of different kind, which
 * must agree. They are made tighter until they differ by less than a tenth of the errors that are
 * to be shown; where that is not possible, the error is not certain.
 */
#include "cli.h"
#include "report_parts.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double norm_of(size_t n, const double *x, const double *reference, size_t *worst)
{
    double largest = 0;
    *worst = 0;
    for (size_t i = 0; i < n; i++) {
        double own = fabs(x[i] - reference[i]) / (1 + fabs(reference[i]));
        if (own <= largest || isnan(largest)) continue; /* NaN is the largest of all */
        largest = own;
        *worst = i;
    }
    return largest;
}

void gt_cli_error_add(cli_error *error, size_t n, double t, const double *x,
                      const cli_reference *reference, size_t k)
{
    size_t worst;
    error->final = norm_of(n, x, reference->x + n * k, &worst);
    error->apart_final = reference->apart ? reference->apart[k] : 0;
    if (!error->points || !(error->apart_final <= error->apart_max))
        error->apart_max = error->apart_final;
    bool largest = !isnan(error->max) && !(error->final <= error->max);
    if (!error->points++ || largest) {
        error->max = error->final;
        error->t_max = t;
        error->component = worst;
    }
}

/* A tenth of the error; where both are below the round-off of numbers of size 1 there is nothing to
 * be doubted. */
static bool is_certain(double error, double apart)
{
    const double round_off = 1e-15;
    return apart <= 0.1 * error || (apart <= round_off && error <= round_off);
}

bool gt_cli_final_certain(const cli_error *e)
{
    return e->points && is_certain(e->final, e->apart_final);
}
bool gt_cli_max_certain(const cli_error *e)
{
    return e->points && is_certain(e->max, e->apart_max);
}

void gt_cli_error_is_known(gt_report *report)
{
    gt_warnings *warnings = &report->warnings;
    int which = abs(report->local_error_warning) - 1;
    if (which < 0) return;
    warnings->count--;
    for (int i = which; i < warnings->count; i++) warnings->list[i] = warnings->list[i + 1];
    report->local_error_warning = 0;
}

bool gt_cli_same_time(const gt_problem *problem, double t, double wanted)
{
    return fabs(t - wanted) <= 1e-9 * fabs(problem->t1 - problem->t0);
}

/* Copies samples to the rows of the times asked for. */
typedef struct collector {
    gt_sink sink;
    const gt_problem *problem;
    const double *times;
    size_t count, reached;
    double *x;
} collector;

/* The integrator gives a sample for every time, in order; one that ends a step may be off by
 * round-off, and may then stand for two times. */
static gt_status collect(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    (void)message;
    collector *c = self->ctx;
    double there = gt_cli_along(c->problem, sample->t) + 1e-9 * fabs(sample->h) +
                   8 * DBL_EPSILON * fabs(sample->t);
    while (c->reached < c->count && gt_cli_along(c->problem, c->times[c->reached]) <= there)
        memcpy(c->x + sample->n * c->reached++, sample->x, sample->n * sizeof *sample->x);
    return GT_OK;
}

/* What all runs of a reference have in common. */
typedef struct search {
    const cli_args *args;
    const gt_problem *problem;
    const double *times;
    size_t count;
    double h_max;
    long max_steps;
    double *x[2], *next; /* the two runs, and the one that is being made */
    size_t reached[2];
} search;

/* Tolerances of the runs, one after the other. */
static const double levels[] = {1e-9, 1e-11, 1e-13};
enum { LEVELS = sizeof levels / sizeof *levels };

static gt_plan plan_of(const search *s, double rtol)
{
    gt_plan plan = {.rtol = rtol, .h_max = s->h_max, .max_steps = s->max_steps};
    gt_cli_catch_interrupt(&plan);
    return plan;
}

/* One run, into x[which]. */
static gt_status run_one(search *s, const gt_method *method, int which, double rtol,
                         gt_message *why)
{
    collector c = {.problem = s->problem, .times = s->times, .count = s->count, .x = s->next};
    c.sink = (gt_sink){.wants = GT_AT_OUTPUT, .write = collect, .ctx = &c};
    gt_sink *sinks[] = {&c.sink};
    gt_plan plan = plan_of(s, rtol);
    plan.times = s->times;
    plan.n_times = s->count;
    plan.sinks = sinks;
    plan.n_sinks = 1;
    gt_report report;
    cli_progress bar;
    gt_cli_progress_begin(&bar, s->args, s->problem->t0, s->problem->t1);
    bar.what = "reference ";
    gt_cli_progress_hook(&bar, &plan);
    gt_status status = gt_solve(s->problem, method, &plan, &report);
    gt_cli_progress_end(&bar);
    if (status) {
        gt_fail(why, status, "%s, rtol %g: %.200s", method->name, rtol,
                *report.message.text ? report.message.text : gt_status_text(status));
        return status;
    }
    double *old = s->x[which];
    s->x[which] = s->next;
    s->next = old;
    s->reached[which] = c.reached;
    return GT_OK;
}

static void compare_runs(const search *s, cli_reference *out)
{
    size_t n = gt_problem_size(s->problem), worst;
    out->reached = s->reached[0] < s->reached[1] ? s->reached[0] : s->reached[1];
    out->spread = 0;
    out->x = s->x[0];
    for (size_t k = 0; k < out->reached; k++) {
        out->apart[k] = norm_of(n, s->x[1] + n * k, s->x[0] + n * k, &worst);
        if (!(out->apart[k] <= out->spread)) out->spread = out->apart[k];
    }
}

/* The first two methods that come to the end with the first tolerance. */
static int first_pair(search *s, const gt_method *const *list, size_t count,
                      const gt_method *pair[2], cli_reference *out)
{
    int found = 0;
    for (size_t i = 0; i < count && found < 2 && !gt_cli_interrupted(); i++) {
        gt_message failure = {""};
        if (!run_one(s, list[i], found, levels[0], &failure))
            pair[found++] = list[i];
        else if (!out->why.text[0])
            out->why = failure;
    }
    if (found == 2) out->why.text[0] = '\0';
    return found;
}

static void note_pair(cli_reference *out, const gt_method *const pair[2], double rtol)
{
    for (int i = 0; i < 2; i++) out->methods[i] = pair[i]->name;
    out->first = pair[0];
    out->rtol = rtol;
    out->found = true;
}

/* Where the two are as tight as can be and that is not enough: whether one of the others agrees
 * better with the first. The least orders are of no use there. */
static void try_others(search *s, const gt_method *const *list, size_t count,
                       const gt_method *pair[2], cli_enough *enough, void *ctx, cli_reference *out)
{
    enum { LEAST_ORDER = 4 };
    for (size_t i = count; i-- > 0 && !enough(out, ctx) && !gt_cli_interrupted();) {
        gt_values v = gt_params_default(list[i]->options);
        bool used = list[i] == pair[0] || list[i] == pair[1];
        if (used || gt_method_facts(list[i], v.v).order < LEAST_ORDER) continue;
        double before = out->spread;
        size_t reached = s->reached[1];
        gt_message ignored;
        if (run_one(s, list[i], 1, levels[LEVELS - 1], &ignored)) continue;
        compare_runs(s, out);
        if (out->spread < before && s->reached[1] >= reached) {
            pair[1] = list[i];
            note_pair(out, pair, levels[LEVELS - 1]);
            continue;
        }
        double *other = s->x[1];
        s->x[1] = s->next;
        s->next = other;
        s->reached[1] = reached;
        compare_runs(s, out);
    }
}

/* Tighter and tighter, until it is enough or tightening does not help. */
static void tighten(search *s, const gt_method *const *list, size_t count, const gt_method *pair[2],
                    cli_enough *enough, void *ctx, cli_reference *out)
{
    note_pair(out, pair, levels[0]);
    compare_runs(s, out);
    for (int level = 1; level < LEVELS && !enough(out, ctx); level++) {
        double before = out->spread;
        gt_message failure = {""};
        /* A run that fails leaves what there was: the second run is only worth a look with the
         * first. */
        gt_status status = run_one(s, pair[0], 0, levels[level], &failure);
        if (!status) status = run_one(s, pair[1], 1, levels[level], &failure);
        compare_runs(s, out);
        if (status) {
            out->why = failure;
            return;
        }
        out->rtol = levels[level];
        if (!(out->spread < 0.3 * before) && out->spread > 1e-3) return; /* as in chaos */
    }
    try_others(s, list, count, pair, enough, ctx, out);
}

static int two_runs(search *s, gt_arena *arena, cli_enough *enough, void *ctx, cli_reference *out)
{
    const gt_method *list[GT_REFERENCE_KINDS], *pair[2];
    size_t n = gt_problem_size(s->problem), count = 0;
    gt_plan plan = plan_of(s, levels[0]);
    for (int i = 0; i < 2; i++) s->x[i] = gt_arena_doubles(arena, n * s->count);
    s->next = gt_arena_doubles(arena, n * s->count);
    out->apart = gt_arena_doubles(arena, s->count);
    if (arena->failed || !s->x[0] || !s->x[1] || !s->next || !out->apart)
        return gt_cli_failed("out of memory for %zu reference points", s->count);
    gt_status status = gt_reference_methods(s->problem, &plan, list, &count, &out->why);
    if (status && status != GT_INTERRUPTED) return gt_cli_complain(status, &out->why);
    out->why.text[0] = '\0';
    if (!status && first_pair(s, list, count, pair, out) == 2)
        tighten(s, list, count, pair, enough, ctx, out);
    if (gt_cli_interrupted())
        gt_fail(&out->why, GT_OK, "interrupted");
    else if (!out->found && !out->why.text[0])
        gt_fail(&out->why, GT_OK, "there are no two methods of different kind for this problem");
    return CLI_OK;
}

/* Says where the exact solution is not a number, against which there is no error. */
static void note_infinite(const gt_problem *problem, const cli_judged *judged, cli_reference *out)
{
    char name[24];
    size_t n = gt_problem_size(problem);
    for (size_t k = 0; k < n * judged->count; k++) {
        if (isfinite(out->x[k])) continue;
        gt_fail(&out->why, GT_OK, "the exact solution of %s is %s at t = %.10g",
                gt_problem_state_name(problem, k % n, name),
                isnan(out->x[k]) ? "not defined" : "infinite", judged->times[k / n]);
        return;
    }
}

int gt_cli_reference(const cli_args *args, const gt_problem *problem, const cli_judged *judged,
                     gt_arena *arena, cli_enough *enough, void *ctx, cli_reference *out)
{
    size_t n = gt_problem_size(problem);
    *out = (cli_reference){.problem = problem, .exact = problem->exact != NULL};
    if (problem->exact) {
        out->x = gt_arena_doubles(arena, n * judged->count);
        if (!out->x) return gt_cli_failed("out of memory for %zu reference points", judged->count);
        for (size_t k = 0; k < judged->count; k++)
            problem->exact(judged->times[k], out->x + n * k, problem->ctx);
        out->reached = judged->count;
        out->found = true;
        note_infinite(problem, judged, out);
        return CLI_OK;
    }
    /* What is to be judged must not have looked more closely than what it is judged by. */
    double span = fabs(problem->t1 - problem->t0), h_max = span / 1000;
    if (judged->h_largest > 0) h_max = fmin(h_max, judged->h_largest);
    search s = {.args = args,
                .problem = problem,
                .times = judged->times,
                .count = judged->count,
                .h_max = h_max};
    s.max_steps = 2000000 + (long)fmin(20 * span / h_max, 1e12);
    return two_runs(&s, arena, enough, ctx, out);
}

static bool is_tight(const cli_reference *reference, void *ctx)
{
    (void)ctx;
    return reference->spread <= 1e-9;
}

int gt_cli_solution(const cli_args *args, const gt_problem *problem, const double *times,
                    size_t count, gt_arena *arena, cli_reference *out)
{
    cli_judged judged = {.times = times, .count = count};
    return gt_cli_reference(args, problem, &judged, arena, is_tight, NULL, out);
}

const char *gt_cli_reference_text(const cli_reference *r, char *buffer, size_t size)
{
    if (r->exact)
        snprintf(buffer, size, "the exact solution");
    else if (r->found)
        gt_format(buffer, size, "tight runs of %s and %s, which differ by %.2g", r->methods[0],
                  r->methods[1], r->spread);
    else
        snprintf(buffer, size, "a tight run, which failed");
    return buffer;
}

const char *gt_cli_doubt_text(const cli_reference *r, char *buffer, size_t size)
{
    int used = 0;
    if (r->exact)
        used = snprintf(buffer, size, "%s", r->why.text[0] ? "" : "the solution is not finite");
    else if (r->found)
        used =
            gt_format(buffer, size, "the tight runs of %s and %s differ by %.2g%s", r->methods[0],
                      r->methods[1], r->spread, r->why.text[0] ? "; tighter: " : "");
    else
        used = snprintf(buffer, size, "there is no reference: ");
    if (used >= 0 && (size_t)used < size)
        snprintf(buffer + used, size - (size_t)used, "%s", r->why.text);
    return buffer;
}

/* ---- the error in a report: `of` a cli_error `with` its reference ---- */

static const cli_error *error_of(const void *data) { return ((const report_item *)data)->of; }

static const cli_reference *reference_of(const void *data)
{
    return ((const report_item *)data)->with;
}

static void get_final(const void *data, report_value *out)
{
    out->number = gt_cli_final_certain(error_of(data)) ? error_of(data)->final : NAN;
}

static bool max_is_certain(const void *data) { return gt_cli_max_certain(error_of(data)); }

static void get_max(const void *data, report_value *out)
{
    out->number = max_is_certain(data) ? error_of(data)->max : NAN;
}

static void get_certain(const void *data, report_value *out)
{
    out->flag = gt_cli_final_certain(error_of(data)) && max_is_certain(data);
}

static void get_t_max(const void *data, report_value *out) { out->number = error_of(data)->t_max; }

static void get_component(const void *data, report_value *out)
{
    const cli_error *error = error_of(data);
    out->text = gt_problem_state_name(reference_of(data)->problem, error->component, out->room);
}

static void get_points(const void *data, report_value *out)
{
    out->integer = (long)error_of(data)->points;
}

static bool each_method(const void *data, size_t i, report_value *out)
{
    static const char *const exact[] = {"exact"};
    const cli_reference *r = reference_of(data);
    if (r->exact) return gt_report_text_entry(exact, 1, i, out);
    return gt_report_text_entry(r->methods, r->found ? 2 : 0, i, out);
}

static void get_spread(const void *data, report_value *out)
{
    out->number = reference_of(data)->found ? reference_of(data)->spread : NAN;
}

const report_field gt_report_error[] = {
    REPORT_KEY("final", "at the last point", .type = REPORT_NUMBER, .get = get_final),
    REPORT_KEY("max", "the largest", .type = REPORT_NUMBER, .get = get_max),
    REPORT_KEY("certain", "the reference is good to a tenth of both", .type = REPORT_BOOL,
               .get = get_certain),
    REPORT_KEY("t_max", "where the largest is", .type = REPORT_NUMBER, .get = get_t_max,
               .when = max_is_certain),
    REPORT_KEY("component", "in which state", .type = REPORT_STRING, .get = get_component,
               .when = max_is_certain),
    REPORT_KEY("points", "how many points were compared", .type = REPORT_SIZE, .get = get_points),
    REPORT_KEY("reference_methods", "what it was compared with", .type = REPORT_LIST,
               .each = each_method, .entry = REPORT_STRING),
    REPORT_KEY("reference_spread", "how far the two reference runs are apart",
               .type = REPORT_NUMBER, .get = get_spread),
    {.type = REPORT_END},
};

void gt_cli_report_error(report_value *out, const cli_error *error, const cli_reference *reference)
{
    out->item = (report_item){.of = error, .with = reference};
    out->data = &out->item;
}
