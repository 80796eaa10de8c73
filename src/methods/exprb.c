/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exponential Rosenbrock methods (Hochbruck, Ostermann, Schweitzer, SIAM J. Numer. Anal. 47 (2009)
 * 786): the linear part of x' = f(t, x) about the accepted point is followed exactly, so that on x'
 * = J x + b + c t nothing is left to err,
 *
 *     U     = x + h phi_1(hJ) f + h^2 phi_2(hJ) f_t                   exprb2, order 2
 *     D     = f(t + h, U) - f - J (U - x) - h f_t                     what is not linear
 *     x_new = U + 2 h phi_3(hJ) D                                     exprb32, order 3
 *
 *     U_2   = x + h/2 phi_1(hJ/2) f + (h/2)^2 phi_2(hJ/2) f_t         D_2 as D at h/2
 *     U_3   = U + h phi_1(hJ) D_2                                     D_3 as D at U_3
 *     x_new = U + h phi_3(hJ) (16 D_2 - 2 D_3)
 *               + h phi_4(hJ) (12 D_3 - 48 D_2)                       exprb43, order 4
 *
 * with J = df/dx and f_t = df/dt at (t, x); t counts as one more variable whose linear part is
 * followed too. R(z) = e^z. The orders also hold for stiff problems when the nonlinear part is
 * smooth beside the stiffness. Fast motion is followed whether it decays or oscillates, at any
 * step; but where f is not linear in it the step must resolve it.
 *
 * Error estimate: the difference of the first two, of order 2 in both; exprb2 carries U on and
 * exprb32 x_new. For exprb2 that is the leading term of its error, for exprb32 that of the solution
 * it is compared with. For exprb43 it is its last term, without which it has order 3.
 *
 * exprb2 and exprb32 look at the end of the step only. Where f is made of linear pieces (abs, min,
 * max of states) the end may be back in the piece where the step began, however long it was: where
 * D is next to nothing and the problem has not said that it is linear, D is looked at inside the
 * step too, and counts as error.
 *
 * Each step takes a Jacobian and, up to `dense` states, functions of a dense matrix: about 70 n^3
 * operations; or products with J in a Krylov space, their number growing with h |J|, always with
 * more states than that, and from 24 on where J is sparse and they take less. Dense output is the
 * method itself at theta h, with what is not linear growing like theta^2, or through both its
 * values.
 */
#include "kit/exponential.h"
#include "linalg/balance.h"
#include <complex.h>
#include <float.h>
#include <geartrain/methods.h>
#include <math.h>
#include <string.h>

typedef struct exprb_options {
    int dense;
} exprb_options;
static const gt_param options[] = {GT_DENSE_OPTION(exprb_options), {0}};

typedef struct exprb_state {
    gt_jacobian jac;
    gt_matrix J;
    gt_krylov krylov; /* of sparse matrices, and beyond `dense` states */
    gt_exprb core;
    double *f_t, *correction;
    bool known; /* J and f_t are those of the accepted point */
} exprb_state;

typedef struct exprb_row {
    int order;
} exprb_row;

static int order_of(const gt_method *method) { return ((const exprb_row *)method->data)->order; }

static gt_facts facts(const gt_method *self, const double *v)
{
    (void)v;
    int order = order_of(self);
    return (gt_facts){.kind = GT_KIND_EXPONENTIAL,
                      .order = order,
                      .error_order = order == 4 ? 3 : 2,
                      .functions = order == 4 ? 2 : 1,
                      .flags = GT_USES_JACOBIAN};
}

static gt_status layout(gt_stepper *s, gt_arena *arena)
{
    exprb_state *w = s->state;
    exprb_options o = {0};
    gt_params_fill(options, s->options.v, &o);
    gt_jacobian_layout(&w->jac, s->problem, arena);
    gt_matrix_layout(&w->J, s->n, s->problem->jac_pattern, false, arena);
    bool dense = s->n <= (size_t)o.dense;
    bool krylov = !dense || (s->n >= GT_KRYLOV_FROM && w->J.pattern.storage != GT_DENSE);
    if (krylov) gt_krylov_layout(&w->krylov, s->n, arena);
    gt_exprb_layout(&w->core, &w->J, order_of(s->method), dense, krylov ? &w->krylov : NULL, arena);
    w->f_t = gt_arena_doubles(arena, s->n);
    w->correction = gt_arena_doubles(arena, s->n);
    return GT_OK;
}

static const gt_matrix *jacobian(const gt_stepper *s)
{
    return &((const exprb_state *)s->state)->J;
}

static gt_status prepare(gt_stepper *s)
{
    gt_jacobian_prepare(&((exprb_state *)s->state)->jac, s->problem);
    return GT_OK;
}

/* Whether err is so small that the step would grow as much as it can. */
static bool nothing_seen(const gt_stepper *s, const double *x, const double *x_new,
                         const double *err)
{
    for (size_t i = 0; i < s->n; i++)
        if (fabs(err[i]) > 1e-3 * gt_weight(s, i, fmax(fabs(x[i]), fabs(x_new[i])))) return false;
    return true;
}

static gt_status look_inside(gt_stepper *s, double h, const double *x, const double *x_new,
                             double *err)
{
    static const double places[] = {0.83, 0.59, 0.37, 0.19};
    exprb_state *w = s->state;
    gt_status status = GT_OK;
    for (size_t k = 0; k < sizeof places / sizeof *places && !status; k++) {
        if (!nothing_seen(s, x, x_new, err)) break;
        status = gt_exprb_look_inside(&w->core, s, h, places[k], x, w->correction, err);
    }
    return status;
}

/* Functions of h J come from those of h J / 2^k by k squarings, each of which doubles the round-off
 * that slow modes have beside fast ones: about eps |h J| / 10 is left of them. It counts as error,
 * or the long steps of a linear problem would be as wrong as they are long. */
static void add_round_off(const gt_stepper *s, double h, const double *x, const double *x_new,
                          double *err)
{
    const exprb_state *w = s->state;
    if (!w->core.sum.dense || !err) return;
    const double *J = w->core.dense_J ? w->core.dense_J : w->J.values;
    double part = 0.1 * DBL_EPSILON * fabs(h) * gt_dense_norm(s->n, J);
    for (size_t i = 0; i < s->n; i++)
        err[i] += copysign(part * fmax(fabs(x[i]), fabs(x_new[i])), err[i]);
}

static gt_status step_by_order(gt_stepper *s, double h, const double *x, double *x_new, double *err)
{
    exprb_state *w = s->state;
    bool third = order_of(s->method) == 3;
    gt_status status = gt_linear_at(s, &w->jac, &w->J, w->f_t, &w->known);
    if (order_of(s->method) == 4)
        return status ? status : gt_exprb_step_of_four(&w->core, s, w->f_t, h, x, x_new, err);
    if (!status)
        status =
            gt_exprb_step(&w->core, s, w->f_t, h, x, x_new, third || err ? w->correction : NULL);
    if (status) return status;
    for (size_t i = 0; i < s->n && third; i++) x_new[i] += w->correction[i];
    if (!err) return GT_OK;
    memcpy(err, w->correction, s->n * sizeof *err);
    bool exact = s->problem->linear && s->problem->autonomous;
    return exact ? GT_OK : look_inside(s, h, x, x_new, err);
}

static gt_status step(gt_stepper *s, double h, const double *x, double *x_new, double *err)
{
    gt_status status = step_by_order(s, h, x, x_new, err);
    if (!status) add_round_off(s, h, x, x_new, err);
    return status;
}

static void accept(gt_stepper *s) { ((exprb_state *)s->state)->known = false; }

static gt_status interpolate(gt_stepper *s, double h, double theta, double *x)
{
    return gt_exprb_interpolate(&((exprb_state *)s->state)->core, s, h, theta, order_of(s->method),
                                x);
}

static double complex amplification(const gt_method *self, const double *v, double complex z)
{
    (void)self, (void)v;
    return cexp(z);
}

static const exprb_row exprb2_row = {2}, exprb32_row = {3}, exprb43_row = {4};

#define EXPRB(id, role, title_text)                                                                \
    const gt_method gt_method_##id = {                                                             \
        .name = #id,                                                                               \
        .family = "exponential Rosenbrock",                                                        \
        .roles = role,                                                                             \
        .title = title_text,                                                                       \
        .reference = "Hochbruck, Ostermann, Schweitzer, SIAM J. Numer. Anal. 47 (2009) 786",       \
        .memory = "J; 73 for a Krylov space (up to `dense` states n x n matrices too, or "         \
                  "instead); what is not linear, f_t, the correction",                             \
        .options = options,                                                                        \
        .facts = facts,                                                                            \
        .data = &id##_row,                                                                         \
        .state_size = sizeof(exprb_state),                                                         \
        .layout = layout,                                                                          \
        .prepare = prepare,                                                                        \
        .step = step,                                                                              \
        .accept = accept,                                                                          \
        .restart = accept,                                                                         \
        .interpolate = interpolate,                                                                \
        .jacobian = jacobian,                                                                      \
        .amplification = amplification,                                                            \
        .law = {.steps = 1.2, .order = 4}};

EXPRB(exprb2, 0, "exponential Rosenbrock-Euler, order 2, exact on linear problems")
EXPRB(exprb32, 0, "exponential Rosenbrock of two stages, order 3 with exprb2 as comparison")
EXPRB(exprb43, GT_ROLE_SWINGING,
      "exponential Rosenbrock of three stages, order 4 with one of order 3 as comparison")
