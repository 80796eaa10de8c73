/* SPDX-License-Identifier: BSD-3-Clause */
/* crow Problem 1: the solution leaves to infinity at t = 1. */
#include "models/model_kit.h"

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = x[0] * x[0];
    return GT_OK;
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    (void)t, (void)ctx;
    J->values[0] = 2 * x[0];
    return GT_OK;
}

static gt_status taylor(double t, int order, double *c, void *ctx)
{
    (void)t, (void)ctx;
    for (int k = 0; k < order; k++) c[k + 1] = gt_series_mul(k, c, c, 1) / (k + 1);
    return GT_OK;
}

static void exact(double t, double *x, void *ctx)
{
    (void)ctx;
    x[0] = 1 / (1 - t);
}

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[] = {"x"};
    static const double x0[] = {1};
    (void)v, (void)arena;
    *problem = (gt_problem){
        .n_slow = 1, .rhs = rhs, .jac = jac, .taylor = taylor, .t1 = 0.2, .x0 = x0, .names = names, .exact = exact};
    return GT_OK;
}

const gt_model gt_model_crow_p1 = {.abi = GT_MODEL_ABI,
                                   .name = "crow_p1",
                                   .title = "x' = x^2, infinite at t = 1",
                                   .reference = "Crow, Computational Methods for Electric Power Systems, 5.9 Problem 1",
                                   .equations = "x' = x^2\n"
                                                "x(0) = 1",
                                   .build = build};
