/* SPDX-License-Identifier: BSD-3-Clause */
/* One run of a method or of auto, counted and compared. */
#include "battery.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of each family those with a role in which auto asks for them, else the first with the highest
 * error order of at least 3; linearly implicit ones all; averaging ones from 2 on, since their
 * error is not that of a formula. Formulas of one order on past points are not robust enough to be
 * chosen. */
static bool is_known(const gt_method *m, const gt_facts *f)
{
    const unsigned roles =
        GT_ROLE_NONSTIFF | GT_ROLE_NONSTIFF_TIGHT | GT_ROLE_STIFF | GT_ROLE_DAMPED;
    if (m->roles & roles) return true;
    bool past = m->formula_of || (m->formula && m->formula->steps > 1);
    if (past && !(f->flags & GT_VARIABLE_FORMULA)) return false;
    if (m->roles & GT_ROLE_SERIES) return false;
    return f->error_order >= (f->flags & GT_AVERAGES ? 2 : 3);
}

static gt_facts facts_of(const gt_method *m)
{
    gt_values v = gt_params_default(m->options);
    return gt_method_facts(m, v.v);
}

static bool family_has_better(const gt_method *m, const gt_facts *f)
{
    if (f->kind == GT_KIND_LINEARLY_IMPLICIT) return false;
    bool before = true;
    for (const gt_method *const *o = gt_method_list(); *o; o++) {
        gt_facts other = facts_of(*o);
        if (*o == m) before = false;
        if (*o == m || strcmp((*o)->family, m->family) != 0 || !is_known(*o, &other)) continue;
        if ((*o)->roles || other.error_order > f->error_order ||
            (before && other.error_order == f->error_order))
            return true;
    }
    return false;
}

size_t battery_methods(const gt_problem *p, const gt_method *list[BATTERY_METHODS])
{
    size_t count = 0;
    gt_message none;
    for (const gt_method *const *m = gt_method_list(); *m && count < BATTERY_METHODS; m++) {
        gt_values v = gt_params_default((*m)->options);
        gt_facts f = gt_method_facts(*m, v.v);
        if (!is_known(*m, &f) || (!(*m)->roles && family_has_better(*m, &f))) continue;
        if (gt_method_check(*m, v.v, p, &none) == GT_OK) list[count++] = *m;
    }
    return count;
}

/* Keeps the outputs, and a sample of the errors of steps: every 2^k-th once there are many. */
enum { MOST_ERRORS = 4096 };
typedef struct watcher {
    gt_sink sink;
    double *x;
    size_t times;
    long every, seen;
    size_t kept;
    double errors[MOST_ERRORS];
} watcher;

static gt_status watch(gt_sink *self, const gt_sample *s, gt_message *message)
{
    (void)message;
    watcher *w = self->ctx;
    if ((s->why & GT_AT_OUTPUT) && w->times < BATTERY_TIMES)
        memcpy(w->x + w->times++ * s->n, s->x, s->n * sizeof *s->x);
    if (!(s->why & GT_AT_STEP) || !(s->error > 0) || w->seen++ % w->every) return GT_OK;
    if (w->kept == MOST_ERRORS) {
        for (size_t i = 0; i < MOST_ERRORS / 2; i++) w->errors[i] = w->errors[2 * i];
        w->kept /= 2;
        w->every *= 2;
    }
    w->errors[w->kept++] = s->error;
    return GT_OK;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* auto, the only place that knows how it is run. */
static gt_status run_auto(const gt_problem *p, const gt_plan *plan, battery_run *run,
                          gt_report *report)
{
    gt_plan piloted = *plan;
    piloted.pilot = &gt_auto;
    gt_status status = gt_solve(p, NULL, &piloted, report);
    run->method = gt_method_find(gt_phases_method(&report->phases));
    return status;
}

/* What the program says of a run of which the errors add up or grow; its own work is not that of
 * the run. */
static bool is_confirmed_wrong(const gt_problem *p, const gt_plan *plan, const gt_report *report)
{
    const double far_off = 50;
    double off, t;
    gt_message message;
    gt_plan piloted = *plan;
    piloted.pilot = &gt_auto;
    piloted.interrupted = NULL;
    return !gt_confirm(p, NULL, &piloted, report, &off, &t, &message) && off > far_off * plan->rtol;
}

static gt_status solve(const battery_problem *p, const char *control, double cap, const double *t,
                       watcher *w, battery_run *run)
{
    battery_count count;
    gt_report report = {0};
    gt_message message;
    gt_sink *const sinks[] = {&w->sink};
    gt_plan plan = {
        .rtol = run->rtol, .times = t, .n_times = BATTERY_TIMES, .sinks = sinks, .n_sinks = 1};
    plan.max_steps = 100000000;
    battery_require(!control || !gt_control_parse(control, &plan.control, &message),
                    "there is no such controller");
    battery_count_begin(&count, &p->problem, cap);
    plan.interrupted = &count.stop;
    bool piloted = !run->method;
    gt_status status = run->method ? gt_solve(&count.counted, run->method, &plan, &report)
                                   : run_auto(&count.counted, &plan, run, &report);
    battery_count_end(&count);
    battery_count_steps(&count, report.stats.steps + report.stats.rejected);
    run->work = battery_operations(&count);
    run->calls = count.full + count.slow + count.fast + count.alg;
    run->stats = report.stats;
    run->capped = count.stop != 0;
    run->noted = report.warnings.count > 0 || report.note.text[0] ||
                 (piloted && !status && is_confirmed_wrong(&p->problem, &plan, &report));
    run->t = report.t;
    return status;
}

battery_run battery_solve(const battery_problem *p, const gt_method *method, const char *control,
                          double rtol, double cap, const battery_truth *truth)
{
    battery_run run = {.method = method, .rtol = rtol, .error = NAN};
    watcher *w = calloc(1, sizeof *w);
    battery_require(w != NULL, "out of memory for a run");
    w->sink = (gt_sink){.wants = GT_AT_OUTPUT | GT_AT_STEP, .write = watch, .ctx = w};
    w->every = 1;
    w->x = calloc(BATTERY_TIMES * gt_problem_size(&p->problem), sizeof *w->x);
    battery_require(w->x != NULL, "out of memory for a run");
    double t[BATTERY_TIMES];
    battery_times(&p->problem, t);
    run.status = solve(p, control, cap, t, w, &run);
    if (!run.status && truth) run.error = battery_error(truth, w->x, w->times);
    qsort(w->errors, w->kept, sizeof *w->errors, ascending);
    if (w->kept) run.error_of_tol = w->errors[w->kept / 2];
    free(w->x);
    free(w);
    return run;
}

size_t battery_tight(const battery_problem *p, const gt_method *method, double rtol, double cap,
                     const double *t, double *x)
{
    battery_run run = {.method = method, .rtol = rtol};
    watcher *w = calloc(1, sizeof *w);
    battery_require(w != NULL, "out of memory for a run");
    w->sink = (gt_sink){.wants = GT_AT_OUTPUT, .write = watch, .ctx = w};
    w->every = 1;
    w->x = x;
    gt_status status = solve(p, NULL, cap, t, w, &run);
    size_t times = w->times;
    free(w);
    return status ? 0 : times;
}
