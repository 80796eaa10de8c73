/* SPDX-License-Identifier: BSD-3-Clause */
/* crow Problem 2. */
#include "models/model_kit.h"

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    (void)ctx;
    dx[0] = -2 * x[1] + 2 * t * t;
    dx[1] = x[0] / 2 + 2 * t;
    return GT_OK;
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    (void)t, (void)x, (void)ctx;
    return model_dense(J, (const double[]){0, -2, 0.5, 0});
}

static gt_status taylor(double t, int order, double *c, void *ctx)
{
    const double square[] = {2 * t * t, 4 * t, 2}, line[] = {2 * t, 2}; /* series of 2 t^2 and 2 t */
    (void)ctx;
    for (int k = 0; k < order; k++, c += 2) {
        c[2] = (-2 * c[1] + (k < 3 ? square[k] : 0)) / (k + 1);
        c[3] = (c[0] / 2 + (k < 2 ? line[k] : 0)) / (k + 1);
    }
    return GT_OK;
}

static void exact(double t, double *x, void *ctx)
{
    (void)ctx;
    x[0] = -4 * cos(t);
    x[1] = -2 * sin(t) + t * t;
}

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[] = {"x1", "x2"};
    static const double x0[] = {-4, 0};
    (void)v, (void)arena;
    *problem = (gt_problem){.n_slow = 2,
                            .rhs = rhs,
                            .jac = jac,
                            .taylor = taylor,
                            .linear = true,
                            .t1 = 5,
                            .x0 = x0,
                            .names = names,
                            .exact = exact};
    return GT_OK;
}

const gt_model gt_model_crow_p2 = {.abi = GT_MODEL_ABI,
                                   .name = "crow_p2",
                                   .title = "driven oscillator with exact solution",
                                   .reference = "Crow, Computational Methods for Electric Power Systems, 5.9 Problem 2",
                                   .equations = "x1' = -2 x2 + 2 t^2\n"
                                                "x2' = x1/2 + 2 t\n"
                                                "x1(0) = -4, x2(0) = 0",
                                   .build = build};
