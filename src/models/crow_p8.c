/* SPDX-License-Identifier: BSD-3-Clause */
/* crow Problem 8: eigenvalues -0.9999 and -10001. */
#include "models/model_kit.h"

static const double A[2][2] = {{-2, 1}, {1e4, -1e4}};

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = -2 * x[0] + x[1] + 100;
    dx[1] = 1e4 * x[0] - 1e4 * x[1] + 50;
    return GT_OK;
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    (void)t, (void)x, (void)ctx;
    return model_dense(J, A[0]);
}

static gt_status taylor(double t, int order, double *c, void *ctx)
{
    (void)t, (void)ctx;
    for (int k = 0; k < order; k++, c += 2) {
        c[2] = (A[0][0] * c[0] + A[0][1] * c[1] + (k == 0 ? 100 : 0)) / (k + 1);
        c[3] = (A[1][0] * c[0] + A[1][1] * c[1] + (k == 0 ? 50 : 0)) / (k + 1);
    }
    return GT_OK;
}

static void exact(double t, double *x, void *ctx)
{
    static const double rest[] = {100.005, 100.01}, from_rest[] = {-100.005, -100.01};
    (void)ctx;
    model_flow2(A, t, from_rest, x);
    for (int i = 0; i < 2; i++) x[i] += rest[i];
}

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[] = {"x1", "x2"};
    static const double x0[] = {0, 0};
    (void)v, (void)arena;
    *problem = (gt_problem){.n_slow = 2,
                            .rhs = rhs,
                            .jac = jac,
                            .taylor = taylor,
                            .linear = true,
                            .autonomous = true,
                            .t1 = 5,
                            .x0 = x0,
                            .names = names,
                            .exact = exact};
    return GT_OK;
}

const gt_model gt_model_crow_p8 = {.abi = GT_MODEL_ABI,
                                   .name = "crow_p8",
                                   .title = "stiff affine system, eigenvalues -1 and -10^4",
                                   .reference = "Crow, Computational Methods for Electric Power Systems, 5.9 Problem 8",
                                   .equations = "x1' = -2 x1 + x2 + 100\n"
                                                "x2' = 10^4 x1 - 10^4 x2 + 50\n"
                                                "x1(0) = 0, x2(0) = 0",
                                   .build = build};
