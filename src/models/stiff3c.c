/* SPDX-License-Identifier: BSD-3-Clause */
/* crow Example 5.9: eigenvalues -0.9788 and -42.5106 +- 67.0420i. */
#include "models/model_kit.h"

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = -x[0] + x[1] + x[2];
    dx[1] = x[0] - 25 * x[1] + 98 * x[2];
    dx[2] = x[0] - 49 * x[1] - 60 * x[2];
    return GT_OK;
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    static const double A[3][3] = {{-1, 1, 1}, {1, -25, 98}, {1, -49, -60}};
    (void)t, (void)x, (void)ctx;
    return model_dense(J, A[0]);
}

static gt_status taylor(double t, int order, double *c, void *ctx)
{
    return model_taylor_linear(rhs, t, 3, order, c, ctx);
}

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[] = {"x1", "x2", "x3"};
    static const double x0[] = {1, 0, -1};
    (void)v, (void)arena;
    *problem = (gt_problem){.n_slow = 3,
                            .rhs = rhs,
                            .jac = jac,
                            .taylor = taylor,
                            .linear = true,
                            .autonomous = true,
                            .t1 = 10,
                            .x0 = x0,
                            .names = names};
    return GT_OK;
}

const gt_model gt_model_stiff3c = {.abi = GT_MODEL_ABI,
                                   .name = "stiff3c",
                                   .title = "stiff linear system with a damped fast oscillation",
                                   .reference = "Crow, Computational Methods for Electric Power Systems, Example 5.9",
                                   .equations = "x1' = -x1 + x2 + x3\n"
                                                "x2' = x1 - 25 x2 + 98 x3\n"
                                                "x3' = x1 - 49 x2 - 60 x3\n"
                                                "x1(0) = 1, x2(0) = 0, x3(0) = -1",
                                   .build = build};
