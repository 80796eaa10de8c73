/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Control keeps the error of each step within the tolerance, not that of the result: errors add up
 * where nothing damps them, and grow where the equations make neighbours part. At a loose tolerance
 * this soon is as large as the solution, and no step tells. So a run whose errors could have come
 * to that is done again, at a tenth of its tolerances, where that costs next to nothing; by so much
 * as the two are apart the looser one is wrong.
 *
 * Fixed steps have no tolerance at all, and their local errors, seen at some steps, tell little of
 * what they come to: half of the step tells. What both leave out or damp, or where both have gone
 * astray, controlled steps show: where those of `auto` end elsewhere, and at a thousandth of the
 * tolerance at the same place, the fixed ones are wrong. Of methods that average over fast motion
 * the slow part is compared.
 */
#include "analysis/auto_work.h"
#include "analysis/poles.h"
#include "base/sized.h"
#include <assert.h>
#include <geartrain/analysis/advise.h>
#include <geartrain/analysis/choose.h>
#include <geartrain/author/number.h>
#include <geartrain/methods.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double doubtful = 0.003; /* of the size of the solution: what errors add up to */
static const double cheap = 2e7;      /* operations of the run, which are hundredths of a second */
/* More of them where so many switches were met: errors of their times may multiply, as of balls
 * that hit one another. */
static const double crowded = 20;
enum { MANY_SWITCHES = 64 };
/* Or where the fastest mode swings so often: where the frequency depends on the size of the swing,
 * the phase is off by more than the errors add up to. */
static const double swinging = 5, many_swings = 50, damped = 0.1;
static const double tighter = 0.1, looser = 10;
static const double parts = 100; /* tolerances between the ends of the run and of a looser one */
/* Fixed steps: of the size of a state; the tolerances of controlled runs beside them, and how many
 * times the work of a cheap run they may take. */
static const double suspect = 0.1, loose_rtol = 1e-5, tight_rtol = 1e-8, controlled = 10;
enum { TIMES = 32, MORE_STEPS = 10, ANY_STEPS = 1000 };

/* Samples at TIMES times. */
typedef struct trace {
    gt_sink sink;
    size_t reached;
    double *x;
} trace;

static gt_status keep(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    (void)message;
    trace *t = self->ctx;
    if (t->reached < TIMES)
        memcpy(t->x + sample->n * t->reached++, sample->x, sample->n * sizeof *sample->x);
    return GT_OK;
}

/* Unevenly spaced, so that they fit to no period. */
static void times_of(const gt_problem *p, double *t)
{
    const double golden = 0.6180339887498949;
    for (int k = 0; k < TIMES; k++) {
        double part = (k + 1 - 0.5 * fmod(k * golden, 1)) / TIMES;
        t[k] = p->t0 + part * (p->t1 - p->t0);
    }
    t[TIMES - 1] = p->t1;
}

static bool swings(const gt_problem *p, const gt_plan *plan, const gt_report *report)
{
    double re, im;
    if (plan->h > 0 || !plan->x_end || !(report->error_sum > doubtful) || p->mass || p->n_alg)
        return false;
    if (gt_spectrum_largest(p, report->t, plan->x_end, &re, &im)) return false;
    return fabs(im * (report->t - p->t0)) > 2 * GT_PI * many_swings && fabs(re) < damped * fabs(im);
}

static bool is_cheap(const gt_problem *p, const gt_method *method, const gt_plan *plan,
                     const gt_report *report)
{
    gt_auto_costs costs;
    const gt_method *main = method ? method : gt_method_find(gt_phases_method(&report->phases));
    if (!main) return false;
    gt_values v = gt_params_default(main->options);
    gt_facts facts = gt_method_facts(main, v.v);
    double most = report->stats.switches > MANY_SWITCHES ? crowded * cheap : cheap;
    double longest = fmax(most, swinging * cheap);
    if ((double)report->stats.rhs * (double)gt_problem_size(p) > longest) return false;
    gt_auto_costs_of(p, &costs);
    double work = gt_auto_work_done(&costs, p, &facts, &report->stats);
    return work <= most || (work <= longest && swings(p, plan, report));
}

static const double *scaled(const double *v, double factor, size_t n, double *out)
{
    for (size_t i = 0; v && i < n; i++) out[i] = factor * v[i];
    return v ? out : NULL;
}

/* The plan at other tolerances; `room` for two vectors. */
static gt_plan at_tolerance(const gt_plan *plan, double factor, size_t n, double *room)
{
    gt_plan other = *plan;
    other.rtol = fmin(factor * (plan->rtol > 0 ? plan->rtol : 1e-6), 0.5);
    if (plan->atol > GT_NO_ATOL) other.atol = factor * plan->atol;
    other.rtol_vector = scaled(plan->rtol_vector, factor, n, room);
    other.atol_vector = scaled(plan->atol_vector, factor, n, room + n);
    return other;
}

static gt_status follow(const gt_problem *p, const gt_method *method, gt_plan plan, trace *t,
                        gt_report *report)
{
    gt_sink *const sinks[] = {&t->sink};
    double times[TIMES];
    times_of(p, times);
    t->sink = (gt_sink){.wants = GT_AT_OUTPUT, .write = keep, .ctx = t};
    plan.times = times;
    plan.n_times = TIMES;
    plan.sinks = sinks;
    plan.n_sinks = 1;
    plan.every = 0;
    plan.refine = 0;
    plan.x_end = NULL;
    plan.progress = NULL;
    plan.message = NULL;
    return gt_solve(p, method, &plan, report);
}

/* Steps that have become next to nothing, of a run that may take ten times as many as the other. */
static bool is_stuck(const gt_problem *p, gt_status status, const gt_report *report)
{
    double mean = fabs(p->t1 - p->t0) / (double)(report->stats.steps + 1);
    return status == GT_TOO_MANY_STEPS && fabs(report->h) < 1e-3 * mean;
}

/* A run that ends early because of the equations, not for what it was allowed. */
static bool cannot_go_on(gt_status status)
{
    return status && status != GT_TOO_MANY_STEPS && status != GT_INTERRUPTED &&
           status != GT_NO_MEMORY;
}

static double size_of(const trace *a, const trace *b, size_t n, size_t i, size_t reached)
{
    double size = 0;
    for (size_t k = 0; k < reached; k++)
        size = fmax(size, fmax(fabs(a->x[k * n + i]), fabs(b->x[k * n + i])));
    return size;
}

/* The largest difference at each time, in the size that the state has in either run. A small state
 * takes part in the errors of the large ones that move it, as in the tail of a wave: it counts
 * where it is off by much. */
static void differences(const gt_problem *p, const trace *a, const trace *b, size_t states,
                        size_t reached, double *off)
{
    const double small = 0.05, much = 0.01;
    size_t n = gt_problem_size(p);
    double least = 1e-3 * gt_typical_size(p), largest = 0;
    for (size_t i = 0; i < states; i++) largest = fmax(largest, size_of(a, b, n, i, reached));
    for (size_t k = 0; k < reached; k++) off[k] = 0;
    for (size_t i = 0; i < states; i++) {
        double size = fmax(least, size_of(a, b, n, i, reached));
        for (size_t k = 0; size > 0 && k < reached; k++) {
            double apart = fabs(a->x[k * n + i] - b->x[k * n + i]) / size;
            if (apart > off[k] && (size >= small * largest || apart >= much)) off[k] = apart;
        }
    }
}

typedef struct difference {
    double off, t; /* NAN: not known */
    bool no_memory;
} difference;

static difference unknown(const gt_problem *p, gt_status why)
{
    return (difference){NAN, p->t1, why == GT_NO_MEMORY};
}

/* The largest of them. */
static difference compare(const gt_problem *p, const trace *a, const trace *b)
{
    size_t reached = a->reached < b->reached ? a->reached : b->reached;
    difference d = {.t = p->t1};
    double apart[TIMES], times[TIMES];
    times_of(p, times);
    differences(p, a, b, gt_problem_size(p), reached, apart);
    for (size_t k = 0; k < reached; k++)
        if (apart[k] > d.off) d = (difference){.off = apart[k], .t = times[k]};
    return d;
}

/* Whether the end of the run, where it is known, is not that of a run with ten times its
 * tolerances, for half of the work: by errors that are amplified the two are apart. */
static bool parts_from_looser(const gt_problem *p, const gt_method *method, const gt_plan *plan,
                              const gt_report *report, double *room)
{
    size_t n = gt_problem_size(p);
    double *end = room + 2 * n, least = 1e-3 * gt_typical_size(p);
    gt_plan loose = at_tolerance(plan, looser, n, room);
    gt_report other;
    if (!plan->x_end) return false;
    loose.sinks = NULL;
    loose.n_sinks = loose.n_times = 0;
    loose.every = 0;
    loose.refine = 0;
    loose.x_end = end;
    loose.progress = NULL;
    loose.message = NULL;
    loose.max_steps = report->stats.steps + ANY_STEPS;
    if (gt_solve(p, method, &loose, &other)) return true;
    double most = parts * loose.rtol / looser;
    for (size_t i = 0; i < n; i++) {
        double size = fmax(least, fmax(fabs(end[i]), fabs(plan->x_end[i])));
        if (size > 0 && !(fabs(end[i] - plan->x_end[i]) <= most * size)) return true;
    }
    return false;
}

static difference beside_tighter(const gt_problem *p, const gt_method *method, const gt_plan *plan,
                                 const gt_report *report, double *room)
{
    size_t n = gt_problem_size(p);
    trace run = {.x = room}, tight = {.x = room + TIMES * n};
    gt_plan second = at_tolerance(plan, tighter, n, room + 2 * TIMES * n);
    second.max_steps = MORE_STEPS * report->stats.steps + ANY_STEPS;
    gt_report again;
    gt_status status = follow(p, method, *plan, &run, &again);
    if (status) return unknown(p, status);
    status = follow(p, method, second, &tight, &again);
    bool ends = cannot_go_on(status) || is_stuck(p, status, &again);
    if (ends) return (difference){.off = INFINITY, .t = again.t};
    difference d = compare(p, &run, &tight);
    /* A run that takes far more steps may be apart before it has to give up; that it is not tells
     * nothing. */
    bool tells = !status || (status == GT_TOO_MANY_STEPS && d.off > parts * second.rtol / tighter);
    return tells ? d : unknown(p, status);
}

/* Fixed steps: one time that stands alone does not count, but for the end. A jump that comes a
 * little later is no wrong result. */
static difference compare_most(const gt_problem *p, const trace *a, const trace *b, size_t states)
{
    size_t reached = a->reached < b->reached ? a->reached : b->reached, alone = TIMES;
    difference d = {.t = p->t1};
    double apart[TIMES], times[TIMES];
    times_of(p, times);
    differences(p, a, b, states, reached, apart);
    for (size_t k = 0; k + 1 < reached; k++)
        if (alone == TIMES || apart[k] > apart[alone]) alone = k;
    for (size_t k = 0; k < reached; k++)
        if (k != alone && apart[k] > d.off) d = (difference){.off = apart[k], .t = times[k]};
    return d;
}

/* Whether it went well; `end` is where it ended, which an event may have done. */
static bool by_control(const gt_problem *p, double rtol, const gt_plan *given,
                       const gt_report *report, trace *t, double *end)
{
    double n = (double)gt_problem_size(p), most = controlled * cheap / (n * n * n + 100 * n);
    gt_report again;
    if (most < 1) return false; /* one step is too much already */
    gt_plan plan = {.pilot = &gt_auto,
                    .rtol = rtol,
                    .interrupted = given->interrupted,
                    .max_steps =
                        (long)fmin(most, (double)(MORE_STEPS * report->stats.steps + ANY_STEPS))};
    t->reached = 0;
    gt_status status = follow(p, NULL, plan, t, &again);
    *end = again.t;
    return !status;
}

/* What controlled steps say, where half of the step says nothing against it. */
static difference beside_controlled(const gt_problem *p, const gt_plan *plan,
                                    const gt_report *report, const trace *run, size_t states,
                                    difference d, double *room)
{
    size_t n = gt_problem_size(p);
    trace loose = {.x = room}, tight = {.x = room + TIMES * n};
    double end, tight_end;
    if (!by_control(p, loose_rtol, plan, report, &loose, &end)) return d;
    if (end != p->t1) {
        bool sure =
            report->t == p->t1 && by_control(p, tight_rtol, plan, report, &tight, &tight_end);
        bool same = sure && fabs(tight_end - end) <= 0.01 * fabs(p->t1 - p->t0);
        return same ? (difference){.off = INFINITY, .t = tight_end} : d;
    }
    difference other = compare_most(p, run, &loose, states);
    if (other.off <= suspect) return isnan(d.off) ? other : d;
    if (!by_control(p, tight_rtol, plan, report, &tight, &tight_end) || tight_end != p->t1)
        return d;
    difference doubt = compare(p, &loose, &tight);
    return doubt.off < suspect / 10 ? compare_most(p, run, &tight, states) : d;
}

static difference beside_half(const gt_problem *p, const gt_method *method, const gt_plan *plan,
                              const gt_report *report, double *room)
{
    size_t n = gt_problem_size(p);
    gt_values v = gt_params_default(method->options);
    bool averages = gt_method_facts(method, v.v).flags & GT_AVERAGES;
    size_t states = averages ? p->n_slow : n;
    trace run = {.x = room}, half = {.x = room + TIMES * n};
    gt_plan second = *plan;
    gt_report again;
    difference d = unknown(p, GT_OK);
    second.h = plan->h / 2;
    second.max_steps = MORE_STEPS * report->stats.steps + ANY_STEPS;
    gt_status status = follow(p, method, *plan, &run, &again);
    if (status) return unknown(p, status);
    if (!averages) status = follow(p, method, second, &half, &again);
    d.no_memory = status == GT_NO_MEMORY;
    if (cannot_go_on(status)) return (difference){.off = INFINITY, .t = again.t};
    /* An event that ends it where the run went on says that one of them is wrong. */
    bool sooner = !averages && !status && again.t != p->t1 && report->t == p->t1;
    if (sooner) return (difference){.off = INFINITY, .t = again.t};
    if (!averages && !status) d = compare_most(p, &run, &half, states);
    if (d.off > suspect) return d;
    return beside_controlled(p, plan, report, &run, states, d, room + TIMES * n);
}

gt_status gt_confirm_sized(const gt_problem *problem, size_t problem_size, const gt_method *method,
                           const gt_plan *plan, size_t plan_size, const gt_report *report,
                           size_t report_size, double *off, double *t, gt_message *message)
{
    GT_WIDEN(message, gt_problem, problem);
    GT_WIDEN(message, gt_plan, plan);
    GT_WIDEN(message, gt_report, report);
    GT_ARMOR(message, problem && plan && report && off && t);
    *off = NAN;
    *t = problem->t1;
    if (report->status || !is_cheap(problem, method, plan, report)) return GT_OK;
    size_t n = gt_problem_size(problem);
    double *room = malloc((3 * TIMES + 2) * n * sizeof *room);
    if (!room) return gt_fail(message, GT_NO_MEMORY, "out of memory for a second run");
    difference d = unknown(problem, GT_OK);
    if (plan->h > 0 && method)
        d = beside_half(problem, method, plan, report, room);
    else if (gt_passes_pole(problem, method, plan, report, &d.t))
        d.off = INFINITY;
    else if (report->error_sum > doubtful || parts_from_looser(problem, method, plan, report, room))
        d = beside_tighter(problem, method, plan, report, room);
    *off = d.off;
    *t = d.t;
    free(room);
    return d.no_memory ? gt_fail(message, GT_NO_MEMORY, "out of memory for a second run") : GT_OK;
}
