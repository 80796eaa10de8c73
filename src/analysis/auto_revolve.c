/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One fast oscillation that hardly dies out, and has many turns to come: its revolutions can be
 * passed over (GT_ROLE_REVOLVING), which takes the same work for a thousand of them and for a
 * million. Whether they are alike enough is not seen from the modes: the method goes on from here
 * and is judged by the work that it takes. What it needs to show itself is bounded by SHARE of what
 * the method in use would take for the rest of the run.
 */
#include "analysis/auto_revolve.h"
#include "analysis/advice.h"
#include "analysis/auto_outlook.h"
#include <assert.h>
#include <geartrain/author/number.h>
#include <geartrain/author/stepper.h>
#include <math.h>

static const double SHARE = 0.12, least_turns = 200;
static const double NEAR = 0.1; /* of the fastest rate: as fast */
enum { MOST_STATES = 100 };     /* all of whose modes are looked at */
static const double turn = 2 * GT_PI;
static const double round_axis = 0.01; /* |re| / |lambda|: the swings of a turn are alike */
/* Steps that are followed, and revolutions until steps have grown to many of them; steps of a
 * revolution at a tolerance of 1e-4, and their order. */
enum { FOLLOWED = 8, REVOLUTIONS = 20, FEWEST_STEPS = 4, STEPS = 12, ORDER = 3 };

/* One pair of modes that is faster by far than all others: several oscillations are never round at
 * once. The Jacobian is counted. */
static bool is_one(const gt_view *view)
{
    const gt_problem *p = view->problem;
    gt_stepper *s = view->s;
    gt_arena arena = gt_arena_growing();
    gt_spectrum all = {0};
    gt_message none;
    gt_status status = gt_spectrum_full(p, s->t, s->x, &all, &arena, &none);
    if (p->jac)
        s->stats.jacobians++;
    else
        s->stats.rhs += (long)s->n + 1;
    const double *v = all.values; /* the largest first */
    bool one = !status &&
               (all.count == 2 || (all.count > 2 && hypot(v[4], v[5]) < NEAR * hypot(v[0], v[1])));
    gt_arena_free(&arena);
    return one;
}

const gt_method *gt_auto_revolving(const gt_view *view, const gt_auto_costs *costs,
                                   const gt_largest *mode, double rate)
{
    assert(view && costs && mode);
    const gt_problem *p = view->problem;
    const gt_method *method = gt_method_for(GT_ROLE_REVOLVING);
    double size = hypot(mode->re, mode->im), rest = p->t1 - view->s->t;
    bool smooth = view->s->n <= MOST_STATES && !p->n_roots && !p->n_switches && !p->on_break &&
                  isfinite(rest);
    if (!smooth || fabs(mode->re) > round_axis * size) return NULL;
    if (size * rest < turn * least_turns || !gt_auto_treats(method, p, view->plan)) return NULL;
    gt_facts facts = gt_auto_facts(method);
    double steps = STEPS * pow(gt_auto_tolerance(view->plan) / 1e-4, -1.0 / ORDER),
           step = gt_auto_step_work(costs, p, &facts, turn / STEPS);
    steps = FOLLOWED + REVOLUTIONS * fmax(FEWEST_STEPS, steps);
    double most = SHARE * rate * rest - (double)(p->jac ? 0 : view->s->n) * costs->call;
    return steps * step < most && is_one(view) ? method : NULL;
}
