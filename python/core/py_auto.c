/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `auto` for functions of Python, which cost more than all else: no pilot run that is thrown away, as gt_choose_method
 * makes one, but explicit steps that are kept. Their stages tell of the largest mode (Hairer, Wanner, Solving Ordinary
 * Differential Equations II, IV.2); where it decays and holds the step at the bound of stability for many steps, an
 * implicit method goes on from there. Where the problem has blocks, algebraic equations or a mass matrix,
 * gt_choose_method decides at the start.
 */
#include "py_core.h"
#include <math.h>

/* The tolerance from which on the explicit method of high order needs fewer calls for the same error (lorenz,
 * pleiades); h |lambda| from which on it is taken to be at the bound, for order 5, whose bound is 3.3, and for order
 * 8, 6.1. */
static const double TIGHT = 1e-5, AT_BOUND = 2.4, AT_BOUND_TIGHT = 4.5;
/* Steps at the bound before the method is changed; steps off it after which they are forgotten; and so many steps to
 * go that it is worth while. */
enum { HITS = 10, MISSES = 6, WORTH = 30 };

typedef struct auto_state {
    int hits, misses;
} auto_state;

static bool is_tight(const gt_plan *plan) { return plan->rtol > 0 && plan->rtol <= TIGHT; }

static size_t state_size(const gt_problem *problem)
{
    (void)problem;
    return sizeof(auto_state);
}

static gt_status begin(void *state, const gt_problem *problem, const gt_plan *plan, gt_choice *first,
                       gt_message *message)
{
    (void)state, (void)problem, (void)message;
    first->method = gt_method_for(is_tight(plan) ? GT_ROLE_NONSTIFF_TIGHT : GT_ROLE_NONSTIFF);
    gt_format(first->because, sizeof first->because, "explicit steps, as long as stability does not limit them");
    return GT_OK;
}

static bool consider(void *state, const gt_view *view, gt_choice *next)
{
    auto_state *s = state;
    const gt_method *implicit = gt_method_for(GT_ROLE_STIFF);
    next->after = 1;
    if (next->method == implicit) return false;
    double bound = is_tight(view->plan) ? AT_BOUND_TIGHT : AT_BOUND;
    bool hit = view->mode_known && view->mode.product > bound && view->mode.cosine < -0.5;
    s->hits += hit;
    s->misses = hit ? 0 : s->misses + 1;
    if (s->misses > MISSES) s->hits = 0;
    if (s->hits < HITS || view->problem->t1 - view->s->t < WORTH * view->h) return false;
    next->method = implicit;
    next->h = 0;
    gt_format(next->because, sizeof next->because, "h |lambda| = %.2g: stability limits explicit steps",
              view->mode.product);
    return true;
}

static const gt_pilot pilot = {"python", state_size, begin, consider, gt_method_find};

const gt_pilot *py_auto_pilot(const py_run *r)
{
    const gt_problem *p = &r->problem->problem;
    bool plain = (r->problem->rhs.rows || !isfinite(p->t1)) && !p->n_fast && !p->n_alg && !p->mass && !(r->plan.h > 0);
    return plain ? &pilot : NULL;
}
