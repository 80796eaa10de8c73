/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * - A candidate repeats the stretch at the same tolerance. Where it takes clearly less work, and
 *   both ends agree within AS_GOOD tolerances, it is better.
 * - Else it repeats the stretch once more at a tenth of the tolerance. From there the errors of
 *   both are known, and with them the work that each would take for the same error, which grows
 *   like error^(1/q) for a method of order q. A candidate that is far off there has shown nothing,
 *   and what it ends with is no measure for others.
 */
#include "analysis/auto_trial.h"
#include "analysis/advice.h"
#include "analysis/auto_outlook.h"
#include <assert.h>
#include <geartrain/author/stepper.h>
#include <math.h>

static const double AS_GOOD = 5;
static const double GIVEN_UP = 1.5; /* times the work of the method in use: what a run may take, */
/* and the second one, of what its order says from the first */
static const double CONFIRMATION = 2;
static const double CALLS = 0.05, SHORT_RUN = 2000; /* the part of the calls of f that trials may
    take: of those expected, or of a short run; */
static const double EVEN = 8, UNEVEN = 3; /* times those so far, at most, are expected: the steps of
                                             stiff methods may grow for ever */
static const double WORTH = 0.2;          /* of the work of the method in use: less shows nothing */
static const double WELL = 0.1;           /* tolerances: smaller errors are not told apart, */
static const double LOST = 50; /* and larger ones follow no law: a fast motion out of phase, or one
                                  that the steps have damped, is the same at any tolerance */

/* The largest difference in tolerances, of the size of each state on the stretch. */
static double distance(const gt_trials *t, const double *a, const double *b)
{
    double most = 0;
    for (size_t i = 0; i < t->n; i++) most = fmax(most, fabs(a[i] - b[i]) / (t->rtol * t->size[i]));
    return most;
}

static void see_sizes(gt_trials *t, const double *end)
{
    for (size_t i = 0; i < t->n; i++) {
        t->size[i] = t->floor[i] + fmax(fabs(end[i]), fabs(t->stretch[0].x0[i]));
        for (size_t k = 0; k < GT_TRIAL_TIMES; k++)
            t->size[i] = fmax(t->size[i], t->floor[i] + fabs(t->found[k * t->n + i]));
    }
}

/* Calls of f, of both blocks by their shares. */
static double calls_in(const gt_problem *p, const gt_stats *s)
{
    return (double)s->rhs + gt_slow_share(p) * (double)s->rhs_slow +
           gt_fast_share(p) * (double)s->rhs_fast;
}

double gt_auto_calls_left(const gt_auto_blocks *b, const gt_view *view)
{
    double times = view->s->facts.kind == GT_KIND_EXPLICIT ? EVEN : UNEVEN,
           expected = fmin(b->total, times * calls_in(view->problem, &view->s->stats));
    return CALLS * fmax(SHORT_RUN, expected) - b->calls;
}

/* The work that a candidate may take, which of methods without systems is in their calls. One that
 * is to take the place of a method that a trial has found is bounded by its work alone: that one
 * hardly calls f. */
static double affordable(const gt_auto_blocks *b, const gt_view *view, const gt_trials *t,
                         const gt_method *method)
{
    const gt_problem *p = view->problem;
    gt_facts facts = gt_auto_facts(method);
    if (b->found) return INFINITY;
    double left = gt_auto_calls_left(b, view) - calls_in(p, &t->spent);
    if (!facts.functions) return left;
    double each = (facts.evaluations > 0 ? facts.evaluations : 3) + (p->jac ? 0 : (double)t->n);
    return left / each * gt_step_cost(p, method, &facts);
}

/* From one at an error of E tolerances. */
static double at_tolerance(double work, double E, const gt_facts *facts)
{
    return work * pow(fmax(WELL, E), 1.0 / facts->order);
}

static gt_auto_worth compare(const gt_auto_blocks *b, gt_trials *t, const gt_method *method,
                             const gt_view *view, const gt_trial *first, double taken)
{
    const double *found = t->found + (GT_TRIAL_TIMES - 1) * t->n,
                 *exact = t->exact + (GT_TRIAL_TIMES - 1) * t->n, *end = view->s->x;
    const gt_auto_worth as_they_are = {first->work, taken}, no = {INFINITY, taken};
    gt_facts facts = gt_auto_facts(method);
    gt_trial again;
    double work = first->work;
    see_sizes(t, end);
    double apart = distance(t, found, end);
    if (apart <= AS_GOOD && work < GT_AUTO_BETTER * taken) return as_they_are;
    if (b->found && apart > LOST) return no; /* the one in use has shown that it is right */
    double tenth = work * pow(10, 1.0 / facts.order),
           most = fmin(CONFIRMATION * tenth, affordable(b, view, t, method));
    t->h0 /= 2;
    if (!(most > work) || gt_trial_run(t, method, 0.1 * t->rtol, most, t->exact, &again)) return no;
    if (again.steps <= first->steps) return no; /* the same steps show nothing */
    double own = distance(t, found, exact);
    if (own > LOST) return no;
    return (gt_auto_worth){at_tolerance(work, own, &facts),
                           at_tolerance(taken, distance(t, end, exact), &view->s->facts)};
}

static const gt_method *best_of(const gt_auto_blocks *b, const gt_auto_candidates *list,
                                gt_trials *t, const gt_view *view, double taken,
                                gt_auto_worth *found)
{
    const gt_method *best = NULL;
    double least = GT_AUTO_BETTER; /* of the work of the method in use */
    for (size_t k = 0; k < list->count; k++) {
        gt_trial trial;
        const gt_method *method = list->method[k];
        /* What follows linear motion exactly has no use for the small steps of a start. */
        t->h0 = gt_auto_facts(method).functions ? (t->stretch[0].t1 - t->stretch[0].t0) / 4 : 0;
        double most = fmin(GIVEN_UP * taken, affordable(b, view, t, method));
        if (!(most > WORTH * taken)) continue;
        if (gt_trial_run(t, method, t->rtol, most, t->found, &trial)) continue;
        gt_auto_worth w = compare(b, t, method, view, &trial, taken);
        if (!(w.candidate < least * w.in_use)) continue;
        least = w.candidate / w.in_use;
        *found = w;
        best = method;
    }
    return best;
}

static void count_in_run(const gt_stats *spent, gt_stats *run)
{
    run->rhs += spent->rhs, run->rhs_slow += spent->rhs_slow, run->rhs_fast += spent->rhs_fast;
    run->jacobians += spent->jacobians, run->factorizations += spent->factorizations;
    run->newton += spent->newton;
}

const gt_method *gt_auto_try(gt_auto_blocks *b, const double *x, const gt_view *view,
                             const gt_auto_candidates *list, double taken, double allowed,
                             gt_auto_worth *found)
{
    gt_stepper *s = view->s;
    gt_arena arena = gt_arena_growing();
    gt_problem p = *view->problem;
    p.begin = NULL;
    p.kept_bytes = 0;
    gt_stretch stretch = {.t0 = b->t, .t1 = s->t, .x0 = x};
    gt_trials t;
    const gt_method *best = NULL;
    if (!gt_trials_lay(&t, &p, &stretch, 1, view->plan, allowed, &arena)) {
        for (size_t i = 0; i < s->n; i++)
            t.floor[i] = (s->atol_vector ? s->atol_vector[i] : s->atol) / s->rtol;
        t.rtol = s->rtol;
        best = best_of(b, list, &t, view, taken, found);
        b->spent += t.work;
        if (!b->found) b->calls += calls_in(&p, &t.spent);
        count_in_run(&t.spent, &s->stats);
        *view->trials += t.spent.steps;
    }
    gt_arena_free(&arena);
    return best;
}
