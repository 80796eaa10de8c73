/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The long steps of an explicit method of high order need as many derivatives of f. Where f has
 * kinks that nothing declares, or is known up to some noise only, all orders take short steps, and
 * the one with the fewest evaluations wins.
 *
 * - Steps and slopes show it: the method takes ROUGH times the steps that its law (auto_work.h)
 *   says for what the slope bends. The explicit method of lower order goes on then; its steps are
 *   kept, so that nothing is tried in vain.
 * - After as long a window the two are compared by calls of f for a bend. The one that takes fewer
 *   stays, and the other one is tried again after so many windows, twice as many each time that it
 *   has taken more.
 */
#include "analysis/auto_order.h"
#include "analysis/auto_mode.h"
#include "analysis/auto_outlook.h"
#include <assert.h>
#include <geartrain/author/number.h>
#include <geartrain/author/stepper.h>
#include <math.h>

enum { LOOKS = 6, STEPS = 24, PATIENCE = 4, MOST_PATIENCE = 512 };
static const double ROUGH = 3, CERTAIN = 8; /* times ROUGH: what shortens the patience most */
static const double FAR_BELOW = 0.25;       /* the limit of stability */
static const double CLEARLY = 0.8;          /* of the calls: what the lower order must do with */

void gt_auto_order_begin(gt_auto_order *o, const gt_stepper *s)
{
    assert(o && s);
    o->looks = 0;
    o->bends = 0;
    o->steps = s->stats.steps;
    o->rejected = s->stats.rejected;
    o->calls = s->stats.rhs;
}

/* Trials of a step over those that the law of the method says. */
static double roughness(const gt_auto_order *o, const gt_view *view, double bend)
{
    const gt_stepper *s = view->s;
    double steps = (double)(s->stats.steps - o->steps),
           trials = steps + (double)(s->stats.rejected - o->rejected),
           by_law = GT_AUTO_PER_BEND * bend *
                    gt_auto_steps(s->method, &s->facts, gt_auto_tolerance(view->plan));
    return trials / steps / by_law;
}

const gt_method *gt_auto_order_method(const gt_auto_order *o, const gt_problem *p,
                                      const gt_plan *plan)
{
    assert(o && p);
    return o->low ? gt_method_for(GT_ROLE_NONSTIFF) : gt_auto_explicit(p, plan);
}

static bool go_on_with(gt_auto_order *o, const gt_view *view, const gt_method *to, double calls,
                       gt_choice *next)
{
    next->method = to;
    next->options[0] = 0;
    next->after = 1;
    o->other = calls;
    o->low = to == gt_method_for(GT_ROLE_NONSTIFF);
    o->windows = 0;
    gt_auto_order_begin(o, view->s);
    return true;
}

/* Whether the mode that dominates J leaves the steps to accuracy. */
static bool is_stable(const gt_view *view, double *v)
{
    const gt_stepper *s = view->s;
    gt_largest mode;
    if (!gt_auto_largest(view, v, GT_AUTO_PRODUCTS, &mode)) return false;
    return s->h * hypot(mode.re, mode.im) < FAR_BELOW * gt_auto_limit(s->method, &mode);
}

static void wait_longer(gt_auto_order *o)
{
    o->windows = 0;
    o->patience = o->patience < PATIENCE / 2        ? PATIENCE
                  : o->patience < MOST_PATIENCE / 2 ? 2 * o->patience
                                                    : MOST_PATIENCE;
}

bool gt_auto_order_better(gt_auto_order *o, const gt_view *view, double bend, double *v,
                          gt_choice *next)
{
    assert(o && view && next);
    const gt_stepper *s = view->s;
    o->looks++;
    o->bends += bend;
    if (o->looks < LOOKS || s->stats.steps - o->steps < STEPS) return false;
    const gt_method *low = gt_method_for(GT_ROLE_NONSTIFF),
                    *high = gt_auto_explicit(view->problem, view->plan);
    bool is_low = s->method == low;
    bend = o->bends / o->looks;
    double calls = (double)(s->stats.rhs - o->calls) / (double)(s->stats.steps - o->steps) / bend,
           rough = roughness(o, view, bend);
    gt_auto_order_begin(o, s);
    if (high == low || (!is_low && s->method != high) || !(bend > 0)) return false;
    const gt_method *other = is_low ? high : low;
    if (o->other > 0) {
        bool keeps = is_low ? calls < CLEARLY * o->other : CLEARLY * calls < o->other;
        gt_format(next->because, sizeof next->because, "it takes %.2g of the calls of f of %s",
                  o->other / calls, s->method->name);
        if (!keeps) {
            wait_longer(o);
            return go_on_with(o, view, other, 0, next);
        }
        o->other = 0;
        if (is_low && o->patience < PATIENCE) o->patience = PATIENCE;
        return false;
    }
    o->windows++;
    if (!is_low && rough < ROUGH) return false;
    double evidence = fmax(1 / CERTAIN, fmin(rough / ROUGH, CERTAIN));
    if (is_low) evidence = fmin(1 / evidence, 1);
    if (o->windows * evidence < o->patience) return false;
    if (!is_low && !is_stable(view, v)) {
        wait_longer(o);
        return false;
    }
    if (is_low)
        gt_format(next->because, sizeof next->because, "the solution may have become smooth");
    else
        gt_format(next->because, sizeof next->because,
                  "f is not smooth: %.2g times the steps of a smooth one", rough);
    return go_on_with(o, view, other, calls, next);
}
