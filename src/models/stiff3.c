/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * xie 3.4: the stiff problem of Figures 3.28-3.32, (s + 100) ((s + 1)^2 + 1/4) = 0 in companion form, x = (y, y', y'').
 * The thesis gives neither start nor end: y(0) = 1, y'(0) = y''(0) = 0 and 10 are taken here. With lambda = -1 + i/2,
 *
 *     y = Re(C e^(lambda t)) + D e^(-100 t),   Re C = 1 - D,   D = |lambda|^2 / |lambda + 100|^2 = 1.25 / 9801.25
 *     Im C = (-Re C - 100 D) / (1/2)           from y'(0) = 0
 */
#include "models/model_kit.h"
#include <complex.h>

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = x[1];
    dx[1] = x[2];
    dx[2] = -125 * x[0] - 201.25 * x[1] - 102 * x[2];
    return GT_OK;
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    (void)t, (void)x, (void)ctx;
    return model_dense(J, (const double[]){0, 1, 0, 0, 0, 1, -125, -201.25, -102});
}

static gt_status taylor(double t, int order, double *c, void *ctx)
{
    return model_taylor_linear(rhs, t, 3, order, c, ctx);
}

static void exact(double t, double *x, void *ctx)
{
    const double D = 1.25 / 9801.25, re = 1 - D, im = -2 * (re + 100 * D);
    const double complex lambda = -1 + 0.5 * I, C = re + im * I;
    double complex slow = C * cexp(lambda * t);
    double fast = D * exp(-100 * t);
    (void)ctx;
    for (int k = 0; k < 3; k++, slow *= lambda, fast *= -100) x[k] = creal(slow) + fast;
}

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[] = {"x1", "x2", "x3"};
    static const double x0[] = {1, 0, 0};
    (void)v, (void)arena;
    *problem = (gt_problem){.n_slow = 3,
                            .rhs = rhs,
                            .jac = jac,
                            .taylor = taylor,
                            .linear = true,
                            .autonomous = true,
                            .t1 = 10,
                            .x0 = x0,
                            .names = names,
                            .exact = exact};
    return GT_OK;
}

const gt_model gt_model_stiff3 = {.abi = GT_MODEL_ABI,
                                  .name = "stiff3",
                                  .title = "stiff linear system, eigenvalues -100 and -1 +- i/2",
                                  .reference = "Xie, Backinterpolation Methods (1995), 3.4, Figures 3.28-3.32",
                                  .equations = "x1' = x2\n"
                                               "x2' = x3\n"
                                               "x3' = -125 x1 - 201.25 x2 - 102 x3\n"
                                               "x(0) = (1, 0, 0)",
                                  .build = build};
