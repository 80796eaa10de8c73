/* SPDX-License-Identifier: BSD-3-Clause */
/* crow Example 5.7, (5.107)-(5.110): eigenvalues -1 and -50. */
#include "models/model_kit.h"

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = 48 * x[0] + 98 * x[1];
    dx[1] = -49 * x[0] - 99 * x[1];
    return GT_OK;
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    (void)t, (void)x, (void)ctx;
    return model_dense(J, (const double[]){48, 98, -49, -99});
}

static gt_status taylor(double t, int order, double *c, void *ctx)
{
    return model_taylor_linear(rhs, t, 2, order, c, ctx);
}

static void exact(double t, double *x, void *ctx)
{
    (void)ctx;
    x[0] = 2 * exp(-t) - exp(-50 * t);
    x[1] = -exp(-t) + exp(-50 * t);
}

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[] = {"x1", "x2"};
    static const double x0[] = {1, 0};
    (void)v, (void)arena;
    *problem = (gt_problem){.n_slow = 2,
                            .rhs = rhs,
                            .jac = jac,
                            .taylor = taylor,
                            .linear = true,
                            .autonomous = true,
                            .t1 = 2,
                            .x0 = x0,
                            .names = names,
                            .exact = exact};
    return GT_OK;
}

const gt_model gt_model_stiff2 = {.abi = GT_MODEL_ABI,
                                  .name = "stiff2",
                                  .title = "stiff linear system, eigenvalues -1 and -50",
                                  .reference = "Crow, Computational Methods for Electric Power Systems, Example 5.7",
                                  .equations = "x1' = 48 x1 + 98 x2\n"
                                               "x2' = -49 x1 - 99 x2\n"
                                               "x1(0) = 1, x2(0) = 0",
                                  .build = build};
