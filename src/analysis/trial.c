/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Methods tried on stretches of the problem itself, for those whose steps no eigenvalue tells: what
 * error a run at the tolerance makes, another run with the tolerance at which the error should be
 * the one wanted, and the work read off the line between them in logarithms. Work is counted in
 * evaluations of f, from the counters of the runs; no clock is read.
 */
#include "analysis/advice.h"
#include <assert.h>
#include <math.h>
#include <string.h>

enum { MOST_STEPS = 1000000 };
static const double LOOSEST = 0.03, TIGHTEST = 1e-11;

typedef struct recorder {
    gt_sink sink;
    size_t n, room, count;
    double *x;
} recorder;

static gt_status record(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    recorder *r = self->ctx;
    (void)message;
    if (r->count < r->room) memcpy(r->x + r->count++ * r->n, sample->x, r->n * sizeof *r->x);
    return GT_OK;
}

/* A problem that may be evaluated so often and no more: a step of a method of two rates may take
 * any number of evaluations of the fast block, one with small steps any number of f. */
typedef struct limited {
    const gt_problem *p;
    double left, both, slow,
        fast; /* in evaluations of f: what may be spent yet, and what each call takes */
} limited;

static gt_status limited_slow(double t, const double *x, double *dx, void *ctx)
{
    limited *l = ctx;
    l->left -= l->slow;
    return l->left > 0 ? l->p->rhs_slow(t, x, dx, l->p->ctx) : GT_RHS_FAILED;
}

static gt_status limited_fast(double t, const double *x, double *dx, void *ctx)
{
    limited *l = ctx;
    l->left -= l->fast;
    return l->left > 0 ? l->p->rhs_fast(t, x, dx, l->p->ctx) : GT_RHS_FAILED;
}

static gt_status limited_both(double t, const double *x, double *dx, void *ctx)
{
    limited *l = ctx;
    l->left -= l->both;
    return l->left > 0 ? l->p->rhs(t, x, dx, l->p->ctx) : GT_RHS_FAILED;
}

static gt_problem limit_calls(limited *l)
{
    gt_problem p = {.n_slow = l->p->n_slow,
                    .n_fast = l->p->n_fast,
                    .rhs = limited_both,
                    .rhs_slow = l->p->rhs_slow ? limited_slow : NULL,
                    .rhs_fast = l->p->rhs_fast ? limited_fast : NULL,
                    .ctx = l};
    return p;
}

/* As many steps as the work is enough for, if each takes one evaluation of f and what is beside it.
 */
static long steps_for(const gt_trials *t, const gt_method *method, double work)
{
    gt_values v = gt_params_default(method->options);
    gt_facts facts = gt_method_facts(method, v.v);
    gt_stats one = {.steps = 1, .rhs = 1};
    return (long)fmin(MOST_STEPS, fmax(0, fmin(work, t->budget) /
                                              gt_work_done(t->problem, method, &facts, &one)));
}

/* Runs over all stretches, with the states at their times. Absolute tolerances go along with the
 * relative one. */
gt_status gt_trial_run(gt_trials *t, const gt_method *method, double rtol, double most, double *x,
                       gt_trial *out)
{
    assert(t && method && x && out);
    long max_steps = steps_for(t, method, most);
    gt_values v = gt_params_default(method->options);
    gt_facts facts = gt_method_facts(method, v.v);
    limited calls = {
        .p = t->problem, .slow = gt_slow_share(t->problem), .fast = gt_fast_share(t->problem)};
    calls.both = gt_work_done(t->problem, method, &facts, &(gt_stats){.rhs = 1});
    calls.left = fmin(most, t->budget);
    bool any_number = gt_takes_two_rates(t->problem, method) || facts.kind == GT_KIND_STABILIZED;
    gt_status status = GT_OK;
    *out = (gt_trial){.rtol = rtol};
    for (size_t i = 0; i < t->n; i++) t->atol[i] = rtol * t->floor[i];
    for (size_t k = 0; k < t->n_stretches && !status; k++) {
        recorder r = {.n = t->n, .room = GT_TRIAL_TIMES, .x = x + k * GT_TRIAL_TIMES * t->n};
        r.sink = (gt_sink){.wants = GT_AT_OUTPUT, .write = record, .ctx = &r};
        gt_sink *sinks[] = {&r.sink};
        gt_problem p = any_number ? limit_calls(&calls) : *t->problem;
        p.t0 = t->stretch[k].t0, p.t1 = t->stretch[k].t1, p.x0 = t->stretch[k].x0;
        gt_plan plan = {.rtol = rtol,
                        .h0 = t->h0,
                        .atol_vector = t->atol,
                        .times = t->times + k * GT_TRIAL_TIMES,
                        .n_times = GT_TRIAL_TIMES,
                        .sinks = sinks,
                        .n_sinks = 1,
                        .max_steps = max_steps - out->steps,
                        .no_pulses = true, /* those the run itself has looked for here */
                        .interrupted = t->interrupted};
        gt_report report;
        if (plan.max_steps < 1) return GT_TOO_MANY_STEPS;
        status = gt_solve(&p, method, &plan, &report);
        if (status && any_number && calls.left <= 0) status = GT_TOO_MANY_STEPS;
        if (!status && r.count < GT_TRIAL_TIMES) status = GT_BAD_ARGUMENT;
        out->steps += report.stats.steps;
        out->work += gt_work_done(t->problem, method, &facts, &report.stats);
        t->spent.rhs += report.stats.rhs, t->spent.rhs_slow += report.stats.rhs_slow;
        t->spent.rhs_fast += report.stats.rhs_fast, t->spent.jacobians += report.stats.jacobians;
        t->spent.factorizations += report.stats.factorizations;
        t->spent.newton += report.stats.newton, t->spent.steps += report.stats.steps;
    }
    t->budget -= out->work;
    t->work += out->work;
    return status;
}

gt_status gt_trials_lay(gt_trials *t, const gt_problem *problem, const gt_stretch *stretch,
                        size_t count, const gt_plan *plan, double budget, gt_arena *arena)
{
    assert(t && problem && stretch && arena);
    assert(count >= 1);
    size_t n = gt_problem_size(problem), times = count * GT_TRIAL_TIMES;
    double rtol = plan && plan->rtol > 0 ? plan->rtol : 1e-6;
    *t = (gt_trials){
        .problem = problem, .n = n, .rtol = rtol, .n_stretches = count, .budget = budget};
    t->interrupted = plan ? plan->interrupted : NULL;
    t->times = gt_arena_doubles(arena, times);
    t->exact = gt_arena_doubles(arena, times * n);
    t->found = gt_arena_doubles(arena, times * n);
    t->size = gt_arena_doubles(arena, n);
    t->floor = gt_arena_doubles(arena, n);
    t->atol = gt_arena_doubles(arena, n);
    if (arena->failed) return GT_NO_MEMORY;
    for (size_t k = 0; k < times; k++) {
        const gt_stretch *s = &stretch[k / GT_TRIAL_TIMES];
        size_t part = k % GT_TRIAL_TIMES + 1;
        t->stretch[k / GT_TRIAL_TIMES] = *s;
        t->times[k] = part == GT_TRIAL_TIMES
                          ? s->t1
                          : s->t0 + (s->t1 - s->t0) * (double)part / GT_TRIAL_TIMES;
    }
    for (size_t i = 0; i < n; i++) {
        double atol = plan && plan->atol_vector ? plan->atol_vector[i] : plan ? plan->atol : 0;
        t->floor[i] = atol > 0 ? atol / rtol : gt_default_atol(problem, 1);
        t->size[i] = t->floor[i] + fabs(problem->x0[i]);
    }
    return GT_OK;
}

gt_status gt_trials_open(gt_trials *t, const gt_problem *problem, const gt_method *tight,
                         double tight_rtol, const gt_stretch *stretch, size_t count,
                         const gt_plan *plan, double budget, gt_arena *arena)
{
    assert(tight && tight_rtol > 0);
    gt_status laid = gt_trials_lay(t, problem, stretch, count, plan, budget, arena);
    if (laid) return laid;
    size_t n = t->n, times = count * GT_TRIAL_TIMES;
    gt_trial trial;
    gt_status status = gt_trial_run(t, tight, tight_rtol, INFINITY, t->exact, &trial);
    for (size_t k = 0; k < times * n && !status; k++)
        t->size[k % n] = fmax(t->size[k % n], t->floor[k % n] + fabs(t->exact[k]));
    return status;
}

static double error_of(const gt_trials *t)
{
    double most = 0;
    for (size_t k = 0; k < t->n_stretches * GT_TRIAL_TIMES * t->n; k++)
        most = fmax(most, fabs(t->found[k] - t->exact[k]) / t->size[k % t->n]);
    return most;
}

/* What the line through two runs, in logarithms, says of the work for the error wanted; no less
 * than half of what the nearer one took, since steps do not grow for ever. */
static double work_for(double wanted, const gt_trial *runs, int order, const gt_trial *nearest)
{
    double apart = log(runs[0].error / runs[1].error),
           slope = log(runs[1].work / runs[0].work) / apart;
    if (fabs(apart) < 1 || !(slope > 0.05 && slope < 1)) slope = 1.0 / (order + 1);
    return nearest->work * fmax(0.5, pow(nearest->error / wanted, slope));
}

gt_status gt_try_once(gt_trials *t, const gt_method *method, double most, gt_trial *out)
{
    assert(method && out);
    assert(most > 0);
    gt_status status = gt_trial_run(t, method, t->rtol, most, t->found, out);
    out->error = status ? INFINITY : error_of(t);
    out->status = status;
    if (status) out->work = INFINITY;
    return status == GT_INTERRUPTED || status == GT_NO_MEMORY ? status : GT_OK;
}

gt_status gt_try_method(gt_trials *t, const gt_method *method, double most, gt_trial *out)
{
    assert(method && out);
    assert(most > 0);
    gt_values v = gt_params_default(method->options);
    gt_facts facts = gt_method_facts(method, v.v);
    double rtol = t->rtol, wanted = t->rtol;
    gt_trial runs[2];
    for (int k = 0; k < 2; k++) {
        gt_status status = gt_trial_run(t, method, rtol, most, t->found, &runs[k]);
        if (status == GT_INTERRUPTED || status == GT_NO_MEMORY) return status;
        if (status && k == 1 && out->error < 3 * wanted)
            return GT_OK; /* looser does not do, but this does */
        if (status) *out = (gt_trial){.work = INFINITY, .status = status};
        if (status) return GT_OK;
        runs[k].error = fmax(error_of(t), 1e-16);
        if (k == 0 || fabs(log(runs[k].error / wanted)) < fabs(log(out->error / wanted)))
            *out = runs[k];
        rtol = fmin(LOOSEST, fmax(TIGHTEST, rtol * wanted / runs[k].error));
    }
    out->work = work_for(wanted, runs, facts.order, out);
    return GT_OK;
}

bool gt_takes_two_rates(const gt_problem *p, const gt_method *method)
{
    gt_values v = gt_params_default(method->options);
    gt_facts facts = gt_method_facts(method, v.v);
    return p->rhs_slow && p->rhs_fast && facts.slow_evaluations > 0 && facts.error_order &&
           !facts.functions;
}

bool gt_to_be_tried(const gt_problem *p, const gt_method *method)
{
    gt_values v = gt_params_default(method->options);
    gt_facts facts = gt_method_facts(method, v.v);
    gt_message none;
    /* What chooses among formulas as it goes on shows in a short stretch only which one it began
     * with. */
    bool steady = facts.functions && !(facts.flags & GT_VARIABLE_FORMULA);
    return facts.error_order && (steady || facts.kind == GT_KIND_STABILIZED) &&
           gt_method_check(method, v.v, p, &none) == GT_OK;
}
