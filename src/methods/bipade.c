/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pade backinterpolation, xie (2.14)-(2.19): R(z) is the diagonal Pade approximant of exp of degree
 * K/2, of order K on linear problems, and |R| <= 1 exactly in the left half plane (F-stable).
 *
 *     M x' = A x + g(t):  x_new = x + h sum_i (M - h r_i A)^-1 [ sigma_i f(t, x) + sum_j omega_ij
 * (g(t_j) - g(t)) ]
 *
 * by partial fractions, with g taken at Gauss's nodes t_j, which keeps order K for inputs that
 * depend on time. It is what Gauss's collocation method does to a linear problem.
 *
 * The approximants belong to no pair of Runge-Kutta halves: "when exposed to nonlinear systems, the
 * methods may drop several orders". Here nonlinear problems are linearised anew at every step, A =
 * df/dx(t, x), which is of order 2 whatever K is. There is no error estimate, as an honest one
 * would have to see the nonlinear part.
 */
#include "kit/bi_dense.h"
#include "kit/bi_linear.h"
#include "kit/implicit.h"
#include <geartrain/methods.h>

typedef struct pade_options {
    gt_linear_options linear;
} pade_options;
static const gt_param options[] = {GT_LINEAR_OPTIONS(pade_options), {0}};

typedef struct pade_state {
    pade_options options;
    gt_bi_numbers *numbers;
    gt_bi_linear linear;
} pade_state;

static int degree_of(const gt_method *m) { return *(const int *)m->data; }

static gt_facts facts(const gt_method *self, const double *v)
{
    (void)v;
    int degree = degree_of(self);
    return (gt_facts){.kind = GT_KIND_IMPLICIT,
                      .order = 2 * degree,
                      .systems = 2 * degree,
                      .flags = GT_TREATS_MASS | GT_USES_JACOBIAN,
                      .order_problem = degree > 1 ? "oscillator" : NULL};
}

static bool is_linear(const gt_stepper *s)
{
    return s->problem->linear || s->problem->second_order;
}

static gt_status layout(gt_stepper *s, gt_arena *arena)
{
    pade_state *w = s->state;
    gt_bi_numbers numbers;
    gt_params_fill(s->method->options, s->options.v, &w->options);
    gt_bi_open_pade(&numbers, degree_of(s->method));
    w->numbers = gt_arena_take(arena, 1, sizeof numbers);
    if (w->numbers) *w->numbers = numbers;
    w->linear.numbers = w->numbers;
    gt_bi_linear_layout(&w->linear, s->problem, &numbers, &w->options.linear,
                        !s->problem->autonomous, arena);
    return GT_OK;
}

static gt_status prepare(gt_stepper *s)
{
    return gt_bi_linear_prepare(&((pade_state *)s->state)->linear, s);
}

static gt_status step(gt_stepper *s, double h, const double *x, double *x_new, double *err)
{
    bool constant;
    (void)err;
    return gt_bi_linear_step(&((pade_state *)s->state)->linear, s, h, x, x_new, NULL, &constant);
}

/* A Jacobian that changes is that of the point the step starts from. */
static void forget_jacobian(gt_stepper *s)
{
    if (!is_linear(s)) gt_newton_restart(&((pade_state *)s->state)->linear.newton);
}

static void release(gt_stepper *s) { gt_bi_linear_free(&((pade_state *)s->state)->linear); }

static gt_status interpolate(gt_stepper *s, double h, double theta, double *x)
{
    const gt_bi_linear *w = &((pade_state *)s->state)->linear;
    const gt_lu *mass = s->problem->mass ? &w->mass : NULL;
    return gt_bi_interpolate(s, mass, h, theta, w->rest, w->rest + s->n, x);
}

static void rational(const gt_method *self, const double *v, gt_rational *R)
{
    (void)v;
    gt_pade_ratio(degree_of(self), R);
}

#define PADE_METHOD(id, degree, title_text, reference_text)                                        \
    static const int id##_degree = degree;                                                         \
    const gt_method gt_method_##id = {                                                             \
        .name = #id,                                                                               \
        .family = "backinterpolation",                                                             \
        .title = title_text,                                                                       \
        .reference = reference_text,                                                               \
        .memory = "J of the last point and of a trial, and I - r h J for the real and the "        \
                  "complex r; complex "                                                            \
                  "solutions, Newton's guess and correction, what the fractions add",              \
        .options = options,                                                                        \
        .facts = facts,                                                                            \
        .data = &id##_degree,                                                                      \
        .state_size = sizeof(pade_state),                                                          \
        .layout = layout,                                                                          \
        .prepare = prepare,                                                                        \
        .step = step,                                                                              \
        .accept = forget_jacobian,                                                                 \
        .restart = forget_jacobian,                                                                \
        .release = release,                                                                        \
        .interpolate = interpolate,                                                                \
        .rational = rational};

PADE_METHOD(bipade2, 1, "Pade backinterpolation, order 2, F-stable, fixed step",
            "Xie (1995) (2.16)")
PADE_METHOD(bipade4, 2, "Pade backinterpolation, order 4 on linear problems, F-stable, fixed step",
            "Xie (1995) (2.17)")
PADE_METHOD(bipade6, 3, "Pade backinterpolation, order 6 on linear problems, F-stable, fixed step",
            "Xie (1995) (2.18)")
PADE_METHOD(bipade8, 4, "Pade backinterpolation, order 8 on linear problems, F-stable, fixed step",
            "Xie (1995) (2.19)")
