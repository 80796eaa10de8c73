/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Methods whose worth no eigenvalue tells, tried on a stretch of the run itself: those of two
 * rates, where the slow block is most of f, and the one that follows linear motion exactly, where
 * the problem has blocks or its Jacobian a gap between rates. All is counted, no clock is read.
 *
 * - The stretch is one that the method in use has just done at the tolerance of the run
 *   (auto_trial.h). It is so long that a candidate can show its steps, and so short that all trials
 *   together stay below SHARE of what the run will take.
 * - The one of least work goes on. Where the pilot finds by its facts that an explicit method would
 *   take less, that one is tried on what this one has just done, in the same way.
 * - No kind is tried more than TRIALS times, on stretches four times as long each, until the work
 *   in a unit of time has changed by a factor of CHANGED or the run has four times as many steps.
 */
#include "analysis/auto_blocks.h"
#include "analysis/advice.h"
#include "analysis/auto_mode.h"
#include "analysis/auto_outlook.h"
#include "analysis/auto_trial.h"
#include <assert.h>
#include <geartrain/author/number.h>
#include <geartrain/author/stepper.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_STEPS = 20, SETTLED = 20, STEPS_TO_SHOW = 4, TRIALS = 4 };
enum { WINDOW = 256 }; /* steps that are kept in mind of a method that a trial has found */
static const double SHARE = 0.04, EXPENSIVE = 0.6, CHEAP = 0.7, CHANGED = 2;
/* Of the calls of f on the stretch: what a first run of a candidate and a second one may come to.
 */
static const double BOTH = 1.2;
static const double EVEN = 100, UNEVEN = 8;    /* times the work so far that is foreseen */
static const double barely = 0.05, folds = 50; /* -re / |lambda|, and e-foldings in the rest of the
                                                  run, above which a mode is not to be followed */
static const double least_turns = 100;         /* of the fast modes in the rest of the run */

static bool treats(const gt_method *method, const gt_view *view)
{
    return method != view->s->method && gt_auto_treats(method, view->problem, view->plan);
}

/* A stretch can be done again from its start alone. */
static bool repeats(const gt_view *view)
{
    const gt_problem *p = view->problem;
    return !p->n_alg && !p->mass && !p->n_roots && !p->n_switches && !p->on_break &&
           view->s->rtol > 0 && !view->s->rtol_vector && isfinite(p->t1);
}

static bool passes_break(const gt_problem *p, double from, double to)
{
    for (size_t k = 0; k < p->n_breaks; k++)
        if (p->breaks[k] >= from && p->breaks[k] <= to) return true;
    return false;
}

/* Of two rates, where the slow block is most of f: the most order for an evaluation of it. */
static const gt_method *of_two_rates(const gt_view *view)
{
    const gt_problem *p = view->problem;
    const gt_method *best = NULL;
    double most = 0;
    bool expensive = p->n_fast && p->n_slow && p->work.full > 0 && p->work.slow > 0 &&
                     p->work.fast > 0 && gt_slow_share(p) > EXPENSIVE && gt_fast_share(p) < CHEAP;
    for (const gt_method *const *m = gt_method_list(); expensive && *m; m++) {
        gt_facts facts = gt_auto_facts(*m);
        double reach = facts.slow_evaluations ? (double)facts.order / facts.slow_evaluations : 0;
        if (!gt_takes_two_rates(p, *m) || !(reach > most) || !treats(*m, view)) continue;
        most = reach;
        best = *m;
    }
    return best;
}

static const gt_method *candidate_of(const gt_view *view, int kind)
{
    const gt_method *exact = gt_method_for(GT_ROLE_SWINGING);
    if (kind == GT_AUTO_TWO_RATES) return of_two_rates(view);
    return treats(exact, view) ? exact : NULL;
}

/* Blocks that the problem declares are to be used. Else there must be a gap between rates at this
 * point, and the fast ones must turn round often. */
static bool has_gap(gt_auto_blocks *b, const gt_view *view)
{
    const gt_problem *p = view->problem;
    gt_stepper *s = view->s;
    if (p->n_slow && p->n_fast) return true;
    double n = (double)s->n;
    if (!p->jac && n + 1 > 0.5 * gt_auto_calls_left(b, view)) return false;
    gt_arena arena = gt_arena_growing();
    gt_split split = {0};
    gt_status status = gt_split_find(p, s->t, s->x, &split, &arena, NULL);
    if (p->jac)
        s->stats.jacobians++;
    else
        s->stats.rhs += (long)n + 1, b->calls += n + 1;
    gt_arena_free(&arena);
    return !status && split.n_fast && split.fast_rate * (p->t1 - s->t) > least_turns;
}

/* The largest mode, which is the one to be followed. */
static gt_largest mode_now(const gt_view *view)
{
    gt_largest mode = {0};
    double *v = calloc(view->s->n, sizeof *v);
    bool known = v && gt_auto_largest(view, v, GT_AUTO_PRODUCTS, &mode);
    free(v);
    return known ? mode : (gt_largest){0};
}

/* Whether it is damped and soon gone: then long steps that keep it so are right, and to follow it
 * is not. */
static bool dies_out(const gt_view *view, const gt_largest *mode)
{
    double rest = view->problem->t1 - view->s->t;
    return -mode->re > barely * hypot(mode->re, mode->im) && -mode->re * rest > folds;
}

/* The time in which it falls below the tolerance, so that there is nothing left to be followed. */
static double time_to_fade(const gt_view *view, const gt_largest *mode)
{
    return mode->re < 0 ? log(1 / view->s->rtol) / -mode->re : INFINITY;
}

/* ---- when ---- */

static gt_stats since(const gt_stats *now, const gt_stats *then)
{
    gt_stats d = *now;
    d.steps -= then->steps, d.rejected -= then->rejected, d.rhs -= then->rhs;
    d.rhs_slow -= then->rhs_slow, d.rhs_fast -= then->rhs_fast;
    d.jacobians -= then->jacobians, d.factorizations -= then->factorizations;
    d.newton -= then->newton, d.taylor -= then->taylor;
    return d;
}

static void wait_for(gt_auto_blocks *b, const gt_view *view, long steps)
{
    b->open = false;
    b->wait = view->s->stats.steps + steps;
}

void gt_auto_blocks_begin(gt_auto_blocks *b)
{
    b->open = false;
    b->wait = 0;
    b->none = false;
    b->found = false;
    memset(b->tried, 0, sizeof b->tried);
}

static void open_stretch(gt_auto_blocks *b, double *x, const gt_stepper *s)
{
    memcpy(x, s->x, s->n * sizeof *x);
    b->t = s->t;
    b->from = s->stats;
    b->open = true;
}

/* Whether there is a stretch under way that can be tried on; opens one. */
static bool has_stretch(gt_auto_blocks *b, double *x, const gt_view *view)
{
    if (b->found) { /* only to be left, see below */
        if (!b->open || view->s->stats.steps - b->from.steps >= WINDOW) open_stretch(b, x, view->s);
        return false;
    }
    if (b->wait == 0) wait_for(b, view, SETTLED);
    if (b->none || view->s->stats.steps < b->wait) return false;
    b->none = !repeats(view) ||
              (!candidate_of(view, GT_AUTO_TWO_RATES) && !candidate_of(view, GT_AUTO_EXACT_MOTION));
    if (b->none) return false;
    if (!b->open) {
        open_stretch(b, x, view->s);
        return false;
    }
    return view->s->stats.steps - b->from.steps >= LEAST_STEPS;
}

/* The stretch shows enough of a kind that was not tried like this before. */
static bool is_due(const gt_auto_blocks *b, const gt_view *view, const gt_method *method, int kind,
                   double taken, double allowed)
{
    const gt_stepper *s = view->s;
    const gt_auto_tried *tried = &b->tried[kind];
    gt_facts facts = gt_auto_facts(method);
    double longer = pow(4, tried->count), steps = (double)(s->stats.steps - b->from.steps);
    if (tried->count == TRIALS) return false;
    if (kind == GT_AUTO_TWO_RATES) {
        double calls = (double)(s->stats.rhs - b->from.rhs);
        return steps >= LEAST_STEPS * longer && gt_auto_calls_left(b, view) > BOTH * calls;
    }
    double step = gt_step_cost(view->problem, method, &facts);
    return taken >= fmin(allowed / 2, STEPS_TO_SHOW * longer * step);
}

/* Of the kinds of methods those that are due. All were tried: nothing is to be waited for. */
static gt_auto_candidates due_on(gt_auto_blocks *b, const gt_view *view, double taken,
                                 double allowed)
{
    gt_auto_candidates list = {.count = 0};
    double rate = taken / (view->s->t - b->t);
    bool all = true;
    for (int kind = 0; kind < GT_AUTO_KINDS; kind++) {
        gt_auto_tried *tried = &b->tried[kind];
        bool same = rate < CHANGED * tried->rate && tried->rate < CHANGED * rate &&
                    view->s->stats.steps < 4 * tried->at;
        if (!same) tried->count = 0;
        const gt_method *method = candidate_of(view, kind);
        all = all && (!method || tried->count == TRIALS);
        if (!method || !is_due(b, view, method, kind, taken, allowed)) continue;
        tried->count++;
        tried->rate = rate;
        tried->at = view->s->stats.steps;
        list.method[list.count++] = method;
    }
    if (all) wait_for(b, view, LEAST_STEPS);
    return list;
}

/* What trials may take: of the work to the end, by the rate of the stretch or that of the last
 * step, but no more than so many times what was done: the steps of stiff methods may grow for ever.
 */
static double allowed_now(gt_auto_blocks *b, const gt_view *view, double taken, double most_time)
{
    const gt_stepper *s = view->s;
    double rate = taken / (s->t - b->t),
           last = taken / (double)(s->stats.steps - b->from.steps) / view->h;
    double done = gt_work_done(view->problem, s->method, &s->facts, &s->stats),
           most = s->facts.kind == GT_KIND_EXPLICIT ? EVEN : UNEVEN;
    double rest = fmin(view->problem->t1 - s->t, most_time);
    b->total = fmin((double)s->stats.rhs + fmin(rate, last) * rest, most * done);
    return SHARE * b->total - b->spent;
}

bool gt_auto_blocks_better(gt_auto_blocks *b, double *x, const gt_view *view, gt_choice *next)
{
    assert(b && x && view && next);
    if (!has_stretch(b, x, view)) return false;
    gt_stepper *s = view->s;
    gt_stats d = since(&s->stats, &b->from);
    double from = b->t, taken = gt_work_done(view->problem, s->method, &s->facts, &d),
           allowed = allowed_now(b, view, taken, INFINITY);
    if (GT_AUTO_BETTER * taken > allowed || passes_break(view->problem, from, s->t)) {
        wait_for(b, view, 4 * d.steps); /* the rest is too short to try anything */
        return false;
    }
    gt_auto_candidates list = due_on(b, view, taken, allowed);
    bool later =
        of_two_rates(view) && d.steps >= LEAST_STEPS && gt_auto_calls_left(b, view) < BOTH * taken;
    if (!list.count && later) wait_for(b, view, 1); /* then a stretch as short as this one */
    if (!list.count) return false;
    gt_auto_worth found = {0};
    if (list.method[list.count - 1] == candidate_of(view, GT_AUTO_EXACT_MOTION)) {
        gt_largest mode = mode_now(view);
        allowed = allowed_now(b, view, taken, time_to_fade(view, &mode));
        if (dies_out(view, &mode)) list.count--;
    }
    bool worth_it = list.count && GT_AUTO_BETTER * taken <= allowed && has_gap(b, view);
    const gt_method *best =
        worth_it ? gt_auto_try(b, x, view, &list, taken, allowed, &found) : NULL;
    wait_for(b, view, LEAST_STEPS);
    if (!best) return false;
    next->method = best;
    next->options[0] = 0;
    gt_format(next->because, sizeof next->because,
              "tried from t = %.4g to %.4g it takes %.2g of the work of %s", gt_shown_time(s, from),
              gt_shown_time(s, s->t), found.candidate / found.in_use, s->method->name);
    gt_auto_blocks_begin(b);
    b->found = true;
    return true;
}

bool gt_auto_blocks_leave(gt_auto_blocks *b, const double *x, const gt_view *view,
                          const gt_method *plain, double *ratio)
{
    assert(b && b->found && x && view && plain && ratio);
    const gt_stepper *s = view->s;
    if (!b->open || s->t <= b->t || passes_break(view->problem, b->t, s->t)) return false;
    gt_stats d = since(&s->stats, &b->from);
    if (d.steps < WINDOW / 4) return false;
    gt_auto_candidates list = {.method = {plain}, .count = 1};
    double taken = gt_work_done(view->problem, s->method, &s->facts, &d),
           allowed = allowed_now(b, view, taken, INFINITY);
    if (GT_AUTO_BETTER * taken > allowed) return false;
    gt_auto_worth found = {0};
    bool better = gt_auto_try(b, x, view, &list, taken, allowed, &found) != NULL;
    *ratio = found.candidate / found.in_use;
    return better;
}
