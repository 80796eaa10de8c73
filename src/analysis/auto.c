/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The pilot of `auto`, geartrain/pilot.h.
 *
 * What a method takes in a unit of time is counted: the operations of its step (auto_work.h) times
 * its steps, which are GT_AUTO_PER_BEND and the law of the method for each time that the slope of
 * the solution changes by its own size.
 *
 * Explicit phase. The hook `mode` of the method gives |h lambda| and an angle from the stages of a
 * step, and the two slopes at its ends how much the solution itself bends. A step is a hit where
 * |h lambda| is near the limit of stability in that direction; or where the solution bends so
 * little that a stiff method would take less than half of the work: far below the limit too, where
 * forced fast modes, whose errors have an order less, hold the step. After some hits without five
 * misses in between the mode is looked at by a few products with J. A mode that grows is not
 * stiffness. Where a stiff method would take less, the one that takes least goes on, which may be
 * small explicit steps that damp a decaying mode; where not, and the mode swings, the explicit
 * method whose stability reaches furthest along it for an evaluation, or functions of matrices
 * where these are affordable.
 *
 * The order. Where nothing but accuracy limits the steps and they are still too short for what the
 * solution bends, f is not as smooth as a high order wants it (auto_order.h).
 *
 * Other phases. A stiff method that was taken because the steps were short, and takes no less work,
 * is left again. Every few steps the work in a unit of time is counted and compared with what the
 * explicit method would take: its evaluations over the step that its stability, or the accuracy of
 * the steps of today, allows. Where that is less than half of it three times in a row, the run goes
 * back (Petzold, SIAM J. Sci. Stat. Comput. 4 (1983) 136); each time it has to return from there
 * the patience doubles, so that it does not flap.
 */
#include "analysis/advice.h"
#include "analysis/auto_blocks.h"
#include "analysis/auto_mode.h"
#include "analysis/auto_order.h"
#include "analysis/auto_outlook.h"
#include "analysis/auto_revolve.h"
#include <assert.h>
#include <float.h>
#include <geartrain/author/number.h>
#include <geartrain/author/stepper.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HITS = 8, SURE_HITS = 4, FEW_HITS = 3, MISSES = 5, EARLY = 24, PACE = 8, LOOK = 10 };
/* Steps from one look at the mode that was in vain to the next, and then twice as many, up to: */
enum { IN_VAIN = 8, MOST_IN_VAIN = 64 };
enum { SETTLED = 30, SETTLED_PAST = 80 }; /* steps of a stiff method after which it is judged */
enum { SETTLED_REVOLVING = 20 };          /* or of one that passes over revolutions, */
enum { MANY_STEPS = 2000 }; /* which is thought of where so many are to come at least */
enum { PATIENCE = 3, MOST_PATIENCE = 96, WORTH_STEPS = 20 };
enum { MOST_TRIED = 4096 }; /* the same where it takes trials, whose work is to become nothing */
/* Steps after which the mode is looked at without any hit, and then twice as many, up to: */
enum { UNASKED = 100, MOST_UNASKED = 800 };
static const double near_limit = 0.8;  /* of stability: a hit */
static const double below_limit = 0.2; /* of it, where the solution is smooth */
static const double grows = 0.3;       /* cosine beyond which a mode is not to be damped */
static const double swings = 0.5;      /* |re| / |lambda| below which it oscillates */
static const double barely = 0.05;     /* and below which it does not die out by itself */
static const double dies_out = 50;     /* e-foldings in the rest: it is gone for most of it */
static const double clearly = 0.5;     /* of the work: what another method must do with */
static const double less = 0.8;        /* at the limit of stability */
static const double by_far = 0.1;      /* and where few hits are enough, */
static const double aligned = -0.95;   /* as where the stages show one decaying mode */
/* Directions of modes at which limits of stability are kept, as cosines: between neighbours the
 * lower one counts. The first ones differ most. */
static const double rays[] = {0, -0.26, -0.7, -1};
static const double never_below[] = {0.8, 2, 2, 2}; /* what no pair in use has as its limit there */
enum { RAYS = sizeof rays / sizeof *rays };

typedef struct auto_state {
    int hits, misses;
    int cheaper;  /* looks in a row at which the explicit method would have taken less */
    int patience; /* such looks that are wanted */
    bool left;    /* the run has left the explicit method before */
    long due;     /* the next look without a hit, */
    long unasked; /* and how many steps after the one before */
    long again;   /* steps before which hits count for nothing, */
    long vain;    /* and how many there were to be after the last look, which was in vain */
    bool limited; /* that one found the steps at the limit of stability */
    long from;    /* steps when the phase, or the stretch that is measured, began */
    double t_from;
    double before; /* work in a unit of time of the explicit method that was left because its steps
                      were short for a smooth solution; 0: for another reason, or it was not less */
    double limits[RAYS]; /* of stability of the method in use, from the imaginary axis to the
                                negative one; 0: not known yet */
    gt_auto_costs costs;
    double smooth; /* part by which the slope changes in a step, at which a stiff method would take
                      the same work; 0: not known yet */
    double bend;   /* of the last step that was looked at */
    bool sure;     /* a row of hits has led to the look */
    gt_stats past; /* and the counters */
    bool asked;    /* in this phase, whether revolutions can be passed over, */
    bool revolves, revolved; /* they are; they were, or were tried to be */
    gt_auto_order order;
    gt_auto_blocks blocks;
    double v[]; /* direction of the largest mode; the state where a stretch of `blocks` began */
} auto_state;

static size_t state_size(const gt_problem *p)
{
    return sizeof(auto_state) + 2 * gt_problem_size(p) * sizeof(double);
}

static const gt_auto_costs *costs_of(auto_state *w, const gt_problem *p)
{
    if (w->costs.call == 0) gt_auto_costs_of(p, &w->costs);
    return &w->costs;
}

static gt_status begin(void *state, const gt_problem *p, const gt_plan *plan, gt_choice *first,
                       gt_message *message)
{
    (void)message;
    auto_state *w = state;
    w->patience = PATIENCE;
    w->due = w->unasked = UNASKED;
    w->t_from = p->t0;
    bool fixed = plan && plan->h > 0, other = p->n_alg || p->mass;
    first->after = 1;
    if (other) {
        /* The laws hold without algebraic rows: through those of diodes and transistors the long
         * steps of one-step methods take twice and four times what they say. A structure of second
         * order swings. */
        double rate;
        int index = gt_problem_index(p);
        gt_outlook any = {.p = p,
                          .plan = plan,
                          .costs = costs_of(w, p),
                          .bends = 1,
                          .near_axis = p->second_order != NULL};
        if (index > 1)
            first->method = gt_method_for(GT_ROLE_CONSTRAINED);
        else if (fixed)
            first->method = gt_method_for(GT_ROLE_STIFF_FIXED);
        else
            first->method = p->n_alg ? gt_method_for(GT_ROLE_STIFF) : gt_auto_stiff(&any, &rate);
        if (index > 1)
            gt_format(first->because, sizeof first->because, "there are constraints of index %d",
                      index);
        else if (p->n_alg)
            gt_format(first->because, sizeof first->because, "%zu equation%s algebraic", p->n_alg,
                      p->n_alg == 1 ? " is" : "s are");
        else
            gt_format(first->because, sizeof first->because, "there is a mass matrix");
        return GT_OK;
    }
    const gt_method *swinging = gt_method_for(GT_ROLE_SWINGING);
    gt_facts facts = gt_auto_facts(swinging);
    if (!fixed && p->linear && p->autonomous && !p->n_roots && gt_auto_treats(swinging, p, plan) &&
        gt_step_cost(p, swinging, &facts) < 1e3) {
        first->method = swinging;
        gt_format(first->because, sizeof first->because, "the problem is linear");
        return GT_OK;
    }
    first->method = fixed ? gt_method_for(GT_ROLE_NONSTIFF) : gt_auto_explicit(p, plan);
    gt_format(first->because, sizeof first->because, "nothing has shown that it is stiff");
    return GT_OK;
}

static void new_phase(auto_state *w, const gt_view *view)
{
    w->hits = w->misses = w->cheaper = 0;
    memset(w->limits, 0, sizeof w->limits);
    w->smooth = 0;
    w->again = w->vain = 0;
    w->before = 0;
    w->limited = w->revolves = w->asked = false;
    w->unasked = UNASKED;
    w->due = view->s->stats.steps + UNASKED;
    w->from = view->s->stats.steps;
    w->t_from = view->s->t;
    w->past = view->s->stats;
    gt_auto_order_begin(&w->order, view->s);
    gt_auto_blocks_begin(&w->blocks);
}

/* ---- an explicit phase ---- */

/* By stability along the mode, for an evaluation of f. */
static const gt_method *reaches_further(const gt_problem *p, const gt_plan *plan,
                                        const gt_method *now, const gt_largest *mode)
{
    static const unsigned roles[] = {GT_ROLE_NONSTIFF, GT_ROLE_NONSTIFF_TIGHT};
    const gt_method *best = now;
    double most = gt_auto_limit(now, mode) / gt_auto_facts(now).evaluations / clearly * 0.75;
    for (size_t k = 0; k < sizeof roles / sizeof *roles; k++) {
        const gt_method *m = gt_method_for(roles[k]);
        double reach = gt_auto_limit(m, mode) / gt_auto_facts(m).evaluations;
        if (m == now || !gt_auto_treats(m, p, plan) || !(reach > most)) continue;
        most = reach;
        best = m;
    }
    return best;
}

static double work_of_step(auto_state *w, const gt_view *view)
{
    return gt_auto_step_work(costs_of(w, view->problem), view->problem, &view->s->facts, 0);
}

static double weighted_norm(const gt_stepper *s, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < s->n; i++) {
        double d = (a[i] - (b ? b[i] : 0)) / gt_weight(s, i, s->x[i]);
        sum += d * d;
    }
    return sqrt(sum / (double)s->n);
}

/* The part of itself by which the slope has changed in the last step; what a mode of the size of
 * the tolerance adds to slopes is not of the solution. After the step s->f_new is the slope at its
 * start. */
static double bend_of(const gt_view *view)
{
    const gt_stepper *s = view->s;
    if (!s->f_known || !(s->h > 0)) return INFINITY;
    double noise = 2 * view->mode.product / s->h, change = weighted_norm(s, s->f, s->f_new) - noise,
           size = fmax(weighted_norm(s, s->f, NULL), weighted_norm(s, s->f_new, NULL)) - noise;
    if (!(change > 0) || !(size > 0)) return 0;
    return change / size;
}

static gt_outlook outlook_of(auto_state *w, const gt_view *view, double bend,
                             const gt_largest *mode)
{
    const gt_stepper *s = view->s;
    double rest = view->problem->t1 - s->t, size = hypot(mode->re, mode->im);
    return (gt_outlook){.p = view->problem,
                        .plan = view->plan,
                        .costs = costs_of(w, view->problem),
                        .bends = fmax(bend / s->h, rest > 0 ? 1 / rest : 0),
                        .lambda = size,
                        .near_axis = fabs(mode->re) < swings * size,
                        .real = fabs(mode->im) < 0.1 * size};
}

/* A method for the mode; the one in use: there is none better. */
static const gt_method *method_for(auto_state *w, const gt_view *view, const gt_largest *mode,
                                   gt_choice *next)
{
    const gt_problem *p = view->problem;
    const gt_method *now = view->s->method;
    double size = hypot(mode->re, mode->im), product = view->s->h * size, rate,
           rest = p->t1 - view->s->t;
    bool at_limit = product > near_limit * gt_auto_limit(now, mode);
    gt_outlook ahead = outlook_of(w, view, w->bend, mode);
    gt_format(next->because, sizeof next->because, "%s: a mode %s with h |lambda| = %.2g",
              at_limit ? "stability limits the step" : "the steps are short for a smooth solution",
              ahead.near_axis ? "swings" : "decays", product);
    const gt_method *stiff = gt_auto_stiff(&ahead, &rate);
    if (rate < (at_limit ? less : clearly) * work_of_step(w, view) / view->s->h) return stiff;
    if (!ahead.near_axis || !at_limit || !w->sure) return now;
    /* What swings and is damped is soon gone, from the slopes too: then long steps are right. */
    if (-mode->re > barely * size && -mode->re * rest > dies_out) return stiff;
    const gt_method *other = reaches_further(p, view->plan, now, mode);
    if (other != now) return other;
    const gt_method *swinging = gt_method_for(GT_ROLE_SWINGING);
    gt_facts facts = gt_auto_facts(swinging), of_now = view->s->facts;
    bool pays = gt_step_cost(p, swinging, &facts) < 10 * gt_step_cost(p, now, &of_now);
    return pays && gt_auto_treats(swinging, p, view->plan) ? swinging : now;
}

/* Tried once, and judged by what it takes for the work that is `before`. */
static bool passes_over(auto_state *w, const gt_view *view, const gt_largest *mode, gt_choice *next)
{
    double before = work_of_step(w, view) / view->s->h;
    const gt_method *method = gt_auto_revolving(view, costs_of(w, view->problem), mode, before);
    if (w->revolved || !method) return false;
    next->method = method;
    next->options[0] = 0;
    double turn = 2 * GT_PI / fabs(mode->im);
    next->h = turn / 1e4; /* the first steps are to stay below a turn */
    next->after = LOOK;
    gt_format(next->because, sizeof next->because,
              "a fast oscillation with a period of %.2g does not die out", turn);
    new_phase(w, view);
    w->before = before;
    w->revolves = w->revolved = true;
    return true;
}

/* Before other methods are tried, where turns that are followed step by step are many. */
static bool passes_over_early(auto_state *w, const gt_view *view, gt_choice *next)
{
    const gt_stepper *s = view->s;
    gt_largest mode;
    bool many = view->problem->t1 - s->t > MANY_STEPS * s->h;
    if (w->asked || w->revolved || !many || s->stats.steps - w->from < EARLY) return false;
    w->asked = true;
    double *v = calloc(s->n, sizeof *v); /* the direction of later looks is found by them */
    bool known = v && gt_auto_largest(view, v, GT_AUTO_PRODUCTS, &mode);
    free(v);
    return known && passes_over(w, view, &mode, next);
}

static bool suspect(auto_state *w, const gt_view *view, gt_choice *next)
{
    gt_largest mode;
    w->sure = w->hits >= HITS;
    w->hits = w->misses = 0;
    if (!gt_auto_largest(view, w->v, GT_AUTO_PRODUCTS, &mode)) return false;
    if (passes_over(w, view, &mode, next)) return true;
    double size = hypot(mode.re, mode.im), limit = gt_auto_limit(view->s->method, &mode);
    bool may_be = view->s->h * size > below_limit * limit && mode.re < grows * size;
    w->limited = view->s->h * size > near_limit * limit;
    const gt_method *other = may_be ? method_for(w, view, &mode, next) : view->s->method;
    w->unasked = w->unasked < MOST_UNASKED ? 2 * w->unasked : MOST_UNASKED;
    w->due = view->s->stats.steps + w->unasked;
    if (other == view->s->method) {
        w->vain = w->vain == 0 ? IN_VAIN : w->vain < MOST_IN_VAIN ? 2 * w->vain : MOST_IN_VAIN;
        w->again = view->s->stats.steps + w->vain;
        return false;
    }
    next->method = other;
    next->options[0] = 0;
    next->after = LOOK;
    double before = w->limited ? 0 : work_of_step(w, view) / view->s->h;
    if (w->left) w->patience = w->patience < MOST_PATIENCE ? 2 * w->patience : MOST_PATIENCE;
    w->left = true;
    new_phase(w, view);
    w->before = before;
    return true;
}

/* Which rays are about the mode of the last step. */
static int ray_of(const gt_view *view)
{
    int k = 0;
    while (k < RAYS - 2 && view->mode.cosine < rays[k + 1]) k++;
    return k;
}

/* |h lambda| over the limit of stability of the method in use, the least of the rays about it. */
static double part_of_limit(auto_state *w, const gt_view *view)
{
    double least = INFINITY;
    int k = ray_of(view);
    for (int j = k; j <= k + 1; j++) {
        gt_largest ray = {rays[j], sqrt(1 - rays[j] * rays[j])};
        if (w->limits[j] == 0) w->limits[j] = gt_auto_limit(view->s->method, &ray);
        least = fmin(least, w->limits[j]);
    }
    return view->mode.product / least;
}

/* The bend of a step at which a stiff method would take the same work. */
static double smooth_bend(auto_state *w, const gt_view *view)
{
    if (w->smooth > 0) return w->smooth;
    double rate;
    gt_outlook unit = {.p = view->problem,
                       .plan = view->plan,
                       .costs = costs_of(w, view->problem),
                       .bends = 1,
                       .near_axis = true};
    (void)gt_auto_stiff(&unit, &rate);
    return w->smooth = fmax(DBL_MIN, work_of_step(w, view) / rate);
}

static bool consider_explicit(auto_state *w, const gt_view *view, gt_choice *next)
{
    const gt_stepper *s = view->s;
    bool early = s->stats.steps - w->from < EARLY, unasked = s->stats.steps >= w->due;
    next->after = w->hits || early ? 1 : PACE;
    if (!view->mode_known || view->problem->t1 - s->t < WORTH_STEPS * s->h) return false;
    double product = view->mode.cosine < grows ? view->mode.product / never_below[ray_of(view)] : 0;
    double bend = bend_of(view);
    bool smooth = product > below_limit && bend < clearly * smooth_bend(w, view);
    double part = smooth || product > near_limit ? part_of_limit(w, view) : 0;
    smooth = smooth && part > below_limit;
    if (part > near_limit || smooth)
        w->hits++, w->misses = 0;
    else if (w->hits && ++w->misses >= MISSES)
        w->hits = w->misses = 0;
    int wanted = smooth && bend < by_far * smooth_bend(w, view) ? FEW_HITS
                 : smooth && view->mode.cosine < aligned        ? SURE_HITS
                                                                : HITS;
    w->bend = bend;
    bool again = s->stats.steps >= w->again;
    if (((w->hits >= wanted && again) || unasked) && suspect(w, view, next)) return true;
    if (w->limited || !isfinite(bend)) {
        gt_auto_order_begin(&w->order, s);
        return false;
    }
    if ((w->hits && again) || !gt_auto_order_better(&w->order, view, bend, w->v, next))
        return false;
    gt_auto_order order = w->order;
    new_phase(w, view);
    w->order = order;
    return true;
}

/* ---- any other phase ---- */

/* Work in a unit of time since the last look. */
static double work_rate(auto_state *w, const gt_view *view)
{
    const gt_stepper *s = view->s;
    gt_stats d = s->stats;
    d.steps -= w->past.steps, d.rejected -= w->past.rejected, d.rhs -= w->past.rhs;
    d.jacobians -= w->past.jacobians, d.factorizations -= w->past.factorizations,
        d.newton -= w->past.newton;
    d.rhs_slow -= w->past.rhs_slow, d.rhs_fast -= w->past.rhs_fast;
    double way = s->t - w->t_from;
    return way > 0
               ? gt_auto_work_done(costs_of(w, view->problem), view->problem, &s->facts, &d) / way
               : INFINITY;
}

static long settled_after(const auto_state *w, const gt_method *method)
{
    if (w->revolves) return SETTLED_REVOLVING;
    return gt_has_past(method) ? SETTLED_PAST : SETTLED;
}

static bool consider_other(auto_state *w, const gt_view *view, gt_choice *next)
{
    const gt_problem *p = view->problem;
    gt_stepper *s = view->s;
    next->after = LOOK;
    if (p->n_alg || p->mass || s->stats.steps - w->past.steps < LOOK) return false;
    gt_largest mode;
    double rate = work_rate(w, view), tol = gt_auto_tolerance(view->plan),
           step = (s->t - w->t_from) / (double)(s->stats.steps - w->past.steps);
    int products = s->method->jacobian && s->method->jacobian(s) ? GT_AUTO_PRODUCTS : 3;
    const gt_method *plain = gt_auto_order_method(&w->order, p, view->plan);
    gt_facts facts = gt_auto_facts(plain);
    bool known = gt_auto_largest(view, w->v, products, &mode);
    double size = hypot(mode.re, mode.im);
    w->t_from = s->t;
    w->past = s->stats;
    if (!known) return false;
    double stable = size > 0 ? near_limit * gt_auto_limit(plain, &mode) / size : INFINITY;
    double accurate =
        step * gt_auto_steps(s->method, &s->facts, tol) / gt_auto_steps(plain, &facts, tol);
    double there =
        gt_auto_step_work(costs_of(w, p), p, &facts, 0) / fmin(stable, fmin(accurate, 4 * step));
    double ratio = there / rate;
    w->cheaper = ratio < clearly ? w->cheaper + 1 : 0;
    bool settled = s->stats.steps - w->from >= settled_after(w, s->method),
         in_vain = settled && w->before > 0 && rate > w->before;
    if (in_vain) ratio = w->before / rate;
    if (settled) w->before = 0;
    if (w->cheaper < w->patience && !in_vain) return false;
    if (w->blocks.found && !gt_auto_blocks_leave(&w->blocks, w->v + s->n, view, plain, &ratio)) {
        w->cheaper = 0;
        if (w->patience < MOST_TRIED) w->patience *= 2;
        return false;
    }
    next->method = plain;
    next->options[0] = 0;
    next->h = fmin(step, stable);
    next->after = 1;
    gt_format(next->because, sizeof next->because,
              "an explicit method takes %.2g of the work, with h |lambda| = %.2g", ratio,
              next->h * size);
    new_phase(w, view);
    if (in_vain) w->again = s->stats.steps + LOOK * w->patience;
    return true;
}

static bool consider(void *state, const gt_view *view, gt_choice *next)
{
    auto_state *w = state;
    assert(w && view && next);
    const gt_facts *facts = &view->s->facts;
    bool plain = facts->kind == GT_KIND_EXPLICIT && !(facts->flags & GT_NEEDS_PARTITION);
    long calls = view->s->stats.rhs;
    if (plain && passes_over_early(w, view, next)) return true;
    if (gt_auto_blocks_better(&w->blocks, w->v + view->s->n, view, next)) {
        gt_auto_blocks found = w->blocks;
        next->after = LOOK;
        new_phase(w, view);
        w->blocks = found;
        return true;
    }
    if (view->s->stats.rhs > calls) { /* what was tried is not work of the method in use */
        w->t_from = view->s->t;
        w->past = view->s->stats;
    }
    return plain ? consider_explicit(w, view, next) : consider_other(w, view, next);
}

const gt_pilot gt_auto = {.name = "auto",
                          .state_size = state_size,
                          .begin = begin,
                          .consider = consider,
                          .find = gt_method_find};
