/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The pilot of `auto`, geartrain/auto.h.
 *
 * Explicit phase. The hook `mode` of the method gives |h lambda| and an angle from the stages of a
 * step. A step whose |h lambda| is near the limit of stability in that direction is a hit; eight
 * hits without five misses in between, and the mode is looked at by a few products with J. A mode
 * that grows is not stiffness. One that decays goes to the stiff method that takes least work, or,
 * where its systems are expensive, to small explicit steps that damp it; one that swings to the
 * explicit method whose stability reaches furthest along it for an evaluation, or to functions of
 * matrices where these are affordable.
 *
 * Other phases. Every few steps the work in a unit of time is counted and compared with what the
 * explicit method would take: its evaluations over the step that its stability, or twice the step
 * of today, allows. Where that is less than half of it three times in a row, the run goes back
 * (Petzold, SIAM J. Sci. Stat. Comput. 4 (1983) 136); each time it has to return from there the
 * patience doubles, so that it does not flap.
 */
#include "analysis/advice.h"
#include "analysis/auto_mode.h"
#include <assert.h>
#include <geartrain/author/number.h>
#include <geartrain/author/stepper.h>
#include <geartrain/auto.h>
#include <math.h>
#include <string.h>

enum { HITS = 8, MISSES = 5, EARLY = 24, PACE = 8, LOOK = 10, PATIENCE = 3, MOST_PATIENCE = 96 };
static const double near_limit = 0.8; /* of stability: a hit */
static const double grows = 0.3;      /* cosine beyond which a mode is not to be damped */
static const double swings = 0.5;     /* |re| / |lambda| below which it oscillates */
static const double barely = 0.05;    /* and below which it does not die out by itself */
static const double dies_out =
    50; /* e-foldings in the rest of the run: it is gone for most of it */
static const double clearly = 0.5; /* of the work: what another method must do with */
static const double formulas_of_past =
    2.5; /* steps of a multistep formula for each of a one-step method */
static const double expensive =
    12; /* evaluations that the systems of an implicit step take, above which small steps are worth
           it: some 23 where an implicit method takes three or four steps */
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
    bool stays;   /* nothing better was found: looks are rare */
    long from;    /* steps when the phase, or the stretch that is measured, began */
    double t_from;
    double limits[RAYS]; /* of stability of the method in use, from the imaginary axis to the
                                negative one; 0: not known yet */
    double systems;      /* gt_systems_cost; 0: not asked for yet */
    gt_stats past;       /* and the counters */
    double v[];          /* direction of the largest mode */
} auto_state;

static size_t state_size(const gt_problem *p)
{
    return sizeof(auto_state) + gt_problem_size(p) * sizeof(double);
}

static gt_facts facts_of(const gt_method *method)
{
    gt_values v = gt_params_default(method->options);
    return gt_method_facts(method, v.v);
}

static bool treats(const gt_method *method, const gt_problem *p, const gt_plan *plan)
{
    gt_values v = gt_params_default(method->options);
    gt_facts facts = gt_method_facts(method, v.v);
    if (!facts.error_order || (method->judge && plan && plan->control.name)) return false;
    return gt_method_check(method, v.v, p, NULL) == GT_OK;
}

static double tolerance_of(const gt_plan *plan)
{
    return plan && plan->rtol > 0 ? plan->rtol : 1e-6;
}

/* Work to a tolerance, but for a factor that all methods share: steps grow like tol^(-1/q), q the
 * order in which the steps are controlled. */
static double work_of(const gt_problem *p, const gt_method *method, double tol)
{
    gt_facts facts = facts_of(method);
    bool is_explicit = facts.kind == GT_KIND_EXPLICIT;
    double q = is_explicit ? facts.order : facts.error_order + 1;
    /* Events are looked for in the dense output of each step, and in that of the one that ends
     * there. */
    int dense = p->n_roots ? 2 * facts.dense_evaluations : 0;
    double step = is_explicit ? facts.evaluations + dense : gt_step_cost(p, method, &facts);
    return step * pow(tol, -1 / q) * (facts.flags & GT_VARIABLE_FORMULA ? formulas_of_past : 1);
}

/* The explicit method of least work at the tolerance. */
static const gt_method *explicit_for(const gt_problem *p, const gt_plan *plan)
{
    const gt_method *a = gt_method_for(GT_ROLE_NONSTIFF),
                    *b = gt_method_for(GT_ROLE_NONSTIFF_TIGHT);
    double tol = tolerance_of(plan);
    return work_of(p, b, tol) <= 1.001 * work_of(p, a, tol) ? b : a;
}

/* The stiff method of least work; near the imaginary axis formulas that change their order have
 * their high ones outside of stability. */
static const gt_method *stiff_for(const gt_problem *p, const gt_plan *plan, bool near_axis)
{
    const gt_method *best = gt_method_for(GT_ROLE_STIFF);
    bool bears = !near_axis || !(facts_of(best).flags & GT_VARIABLE_FORMULA);
    double tol = tolerance_of(plan),
           least = bears && treats(best, p, plan) ? work_of(p, best, tol) : INFINITY;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        if (!((*m)->roles & GT_ROLE_STIFF_RIVAL) || !treats(*m, p, plan) ||
            !(work_of(p, *m, tol) < least))
            continue;
        least = work_of(p, *m, tol);
        best = *m;
    }
    return best;
}

static gt_status begin(void *state, const gt_problem *p, const gt_plan *plan, gt_choice *first,
                       gt_message *message)
{
    (void)message;
    auto_state *w = state;
    w->patience = PATIENCE;
    w->t_from = p->t0;
    bool fixed = plan && plan->h > 0, other = p->n_alg || p->mass;
    first->after = 1;
    if (other) {
        first->method = fixed ? gt_method_for(GT_ROLE_STIFF_FIXED) : gt_method_for(GT_ROLE_STIFF);
        if (p->n_alg)
            gt_format(first->because, sizeof first->because, "%zu equation%s algebraic", p->n_alg,
                      p->n_alg == 1 ? " is" : "s are");
        else
            gt_format(first->because, sizeof first->because, "there is a mass matrix");
        return GT_OK;
    }
    const gt_method *swinging = gt_method_for(GT_ROLE_SWINGING);
    gt_facts facts = facts_of(swinging);
    if (!fixed && p->linear && p->autonomous && !p->n_roots && treats(swinging, p, plan) &&
        gt_step_cost(p, swinging, &facts) < 1e3) {
        first->method = swinging;
        gt_format(first->because, sizeof first->because, "the problem is linear");
        return GT_OK;
    }
    first->method = fixed ? gt_method_for(GT_ROLE_NONSTIFF) : explicit_for(p, plan);
    gt_format(first->because, sizeof first->because, "nothing has shown that it is stiff");
    return GT_OK;
}

static void new_phase(auto_state *w, const gt_view *view)
{
    w->hits = w->misses = w->cheaper = 0;
    memset(w->limits, 0, sizeof w->limits);
    w->stays = false;
    w->from = view->s->stats.steps;
    w->t_from = view->s->t;
    w->past = view->s->stats;
}

/* ---- an explicit phase ---- */

/* By stability along the mode, for an evaluation of f. */
static const gt_method *reaches_further(const gt_problem *p, const gt_plan *plan,
                                        const gt_method *now, const gt_largest *mode)
{
    static const unsigned roles[] = {GT_ROLE_NONSTIFF, GT_ROLE_NONSTIFF_TIGHT};
    const gt_method *best = now;
    double most = gt_auto_limit(now, mode) / facts_of(now).evaluations / clearly * 0.75;
    for (size_t k = 0; k < sizeof roles / sizeof *roles; k++) {
        const gt_method *m = gt_method_for(roles[k]);
        double reach = gt_auto_limit(m, mode) / facts_of(m).evaluations;
        if (m == now || !treats(m, p, plan) || !(reach > most)) continue;
        most = reach;
        best = m;
    }
    return best;
}

/* A method for the mode; the one in use: there is none better. */
static const gt_method *method_for(auto_state *w, const gt_view *view, const gt_largest *mode,
                                   gt_choice *next)
{
    const gt_problem *p = view->problem;
    const gt_method *now = view->s->method;
    double size = hypot(mode->re, mode->im), product = view->h * size;
    const char *kind = fabs(mode->re) < swings * size ? "swings" : "decays";
    gt_format(next->because, sizeof next->because,
              "stability limits the step: a mode %s with h |lambda| = %.2g", kind, product);
    /* What swings and is damped is soon gone: then long steps that keep it so are right. */
    double rest = p->t1 - view->s->t;
    bool dies = -mode->re > barely * size && -mode->re * rest > dies_out;
    if (fabs(mode->re) < swings * size && dies) return stiff_for(p, view->plan, true);
    if (fabs(mode->re) < swings * size) {
        const gt_method *other = reaches_further(p, view->plan, now, mode);
        if (other != now) return other;
        const gt_method *swinging = gt_method_for(GT_ROLE_SWINGING);
        gt_facts facts = facts_of(swinging), of_now = view->s->facts;
        bool pays = gt_step_cost(p, swinging, &facts) < 10 * gt_step_cost(p, now, &of_now);
        return pays && treats(swinging, p, view->plan) ? swinging : now;
    }
    const gt_method *stiff = stiff_for(p, view->plan, false),
                    *damped = gt_method_for(GT_ROLE_DAMPED);
    if (w->systems == 0) w->systems = gt_systems_cost(p);
    bool small_steps = w->systems > expensive && fabs(mode->im) < 0.1 * size;
    return small_steps && treats(damped, p, view->plan) ? damped : stiff;
}

static bool suspect(auto_state *w, const gt_view *view, gt_choice *next)
{
    gt_largest mode;
    w->hits = w->misses = 0;
    if (!gt_auto_largest(view, w->v, GT_AUTO_PRODUCTS, &mode)) return false;
    double size = hypot(mode.re, mode.im), limit = gt_auto_limit(view->s->method, &mode);
    bool at_limit = view->h * size > 0.5 * limit && mode.re < grows * size;
    const gt_method *other = at_limit ? method_for(w, view, &mode, next) : view->s->method;
    w->stays = other == view->s->method;
    if (w->stays) return false;
    next->method = other;
    next->options[0] = 0;
    next->after = LOOK;
    if (w->left) w->patience = w->patience < MOST_PATIENCE ? 2 * w->patience : MOST_PATIENCE;
    w->left = true;
    new_phase(w, view);
    return true;
}

/* Whether |h lambda| is near the limit of stability of the method in use: the least of the rays
 * about it. */
static bool is_hit(auto_state *w, const gt_view *view)
{
    double cosine = fmax(-1, view->mode.cosine), product = view->mode.product, least = INFINITY;
    if (!(cosine < grows)) return false;
    int k = 0;
    while (k < RAYS - 2 && cosine < rays[k + 1]) k++;
    if (product < near_limit * never_below[k]) return false;
    for (int j = k; j <= k + 1; j++) {
        gt_largest ray = {rays[j], sqrt(1 - rays[j] * rays[j])};
        if (w->limits[j] == 0) w->limits[j] = gt_auto_limit(view->s->method, &ray);
        least = fmin(least, w->limits[j]);
    }
    return product > near_limit * least;
}

static bool consider_explicit(auto_state *w, const gt_view *view, gt_choice *next)
{
    bool early = view->s->stats.steps - w->from < EARLY;
    next->after = w->hits || early ? 1 : w->stays ? 10 * PACE : PACE;
    if (!view->mode_known) return false;
    if (is_hit(w, view))
        w->hits++, w->misses = 0;
    else if (w->hits && ++w->misses >= MISSES)
        w->hits = w->misses = 0;
    return w->hits >= HITS && suspect(w, view, next);
}

/* ---- any other phase ---- */

/* Work in a unit of time since the last look. */
static double work_rate(const auto_state *w, const gt_view *view)
{
    const gt_stepper *s = view->s;
    gt_stats d = s->stats;
    d.steps -= w->past.steps, d.rejected -= w->past.rejected, d.rhs -= w->past.rhs;
    d.jacobians -= w->past.jacobians, d.factorizations -= w->past.factorizations,
        d.newton -= w->past.newton;
    d.rhs_slow = d.rhs_fast = d.taylor = 0;
    double way = s->t - w->t_from;
    return way > 0 ? gt_work_done(view->problem, s->method, &s->facts, &d) / way : INFINITY;
}

static bool consider_other(auto_state *w, const gt_view *view, gt_choice *next)
{
    const gt_problem *p = view->problem;
    gt_stepper *s = view->s;
    next->after = LOOK;
    if (p->n_alg || p->mass || s->stats.steps - w->past.steps < LOOK) return false;
    gt_largest mode;
    double rate = work_rate(w, view),
           step = (s->t - w->t_from) / (double)(s->stats.steps - w->past.steps);
    int products = s->method->jacobian && s->method->jacobian(s) ? GT_AUTO_PRODUCTS : 3;
    const gt_method *plain = explicit_for(p, view->plan);
    gt_facts facts = facts_of(plain);
    bool known = gt_auto_largest(view, w->v, products, &mode);
    double size = hypot(mode.re, mode.im);
    w->t_from = s->t;
    w->past = s->stats;
    if (!known) return false;
    double stable = size > 0 ? near_limit * gt_auto_limit(plain, &mode) / size : INFINITY;
    double there = gt_step_cost(p, plain, &facts) / fmin(stable, 2 * step);
    w->cheaper = there < clearly * rate ? w->cheaper + 1 : 0;
    if (w->cheaper < w->patience) return false;
    next->method = plain;
    next->options[0] = 0;
    next->h = fmin(step, stable);
    next->after = 1;
    gt_format(next->because, sizeof next->because,
              "an explicit method takes %.2g of the work, with h |lambda| = %.2g", there / rate,
              next->h * size);
    new_phase(w, view);
    return true;
}

static bool consider(void *state, const gt_view *view, gt_choice *next)
{
    auto_state *w = state;
    assert(w && view && next);
    bool is_explicit = view->s->facts.kind == GT_KIND_EXPLICIT;
    return is_explicit ? consider_explicit(w, view, next) : consider_other(w, view, next);
}

const gt_pilot gt_auto = {.name = "auto",
                          .state_size = state_size,
                          .begin = begin,
                          .consider = consider,
                          .find = gt_method_find};
