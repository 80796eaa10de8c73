/* SPDX-License-Identifier: BSD-3-Clause */
/* Implicit stages of a slow block, see slow_stage.h. */
#include "kit/slow_stage.h"
#include "core/run_state.h"
#include "kit/nested.h"
#include <assert.h>
#include <string.h>

struct slow_stage {
    gt_nested nested; /* x' = f(t, x, z), t and z fixed */
    double t;         /* of the stage */
};

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    slow_stage *w = ctx;
    (void)t;
    memcpy(w->nested.y, x, w->nested.s.n * sizeof *x);
    return gt_rhs_slow(w->nested.outer, w->t, w->nested.y, dx);
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    slow_stage *w = ctx;
    (void)t;
    memcpy(w->nested.y, x, w->nested.s.n * sizeof *x);
    return gt_nested_jacobian(&w->nested, w->t, J);
}

gt_status gt_slow_stage_layout(slow_stage **out, const gt_method *backward, gt_stepper *s,
                               gt_arena *arena)
{
    assert(out && backward && s && arena);
    gt_problem own = {.rhs = rhs, .jac = jac, .autonomous = true, .t1 = 1};
    gt_nested *nested;
    /* At fixed steps slopes get the error of the iteration over gamma. */
    gt_status status = gt_nested_layout(&nested, sizeof **out, &own, GT_SLOW, backward,
                                        "newton_tol=1e-14", s, arena);
    *out = (slow_stage *)nested;
    return status;
}

gt_status gt_slow_stage_prepare(slow_stage *w, gt_stepper *s)
{
    assert(w && s);
    w->t = s->problem->t0;
    return gt_nested_prepare(&w->nested, s);
}

void gt_slow_stage_free(slow_stage *w)
{
    if (w) gt_nested_free(&w->nested);
}

void gt_slow_stage_begin(slow_stage *w, gt_stepper *s)
{
    assert(w && s);
    gt_stepper_start(&w->nested.s, 0, s->x);
}

gt_status gt_slow_stage_solve(slow_stage *w, gt_stepper *s, double t, double gamma, double *x,
                              double *slope)
{
    assert(w && s && x && slope);
    assert(gamma > 0);
    gt_stepper *own = &w->nested.s;
    gt_nested_begin(&w->nested, s, 1);
    w->t = t;
    memcpy(w->nested.y, x, s->n * sizeof *x);
    memcpy(own->x, x, own->n * sizeof *x);
    gt_status status = gt_trial(own, gamma, false);
    for (size_t i = 0; i < own->n; i++) slope[i] = (own->x_new[i] - x[i]) / gamma;
    memcpy(x, own->x_new, own->n * sizeof *x);
    gt_nested_end(&w->nested, status);
    return status;
}
