/* SPDX-License-Identifier: BSD-3-Clause */
/* crow Problem 4: a fast decay onto a slow sine. */
#include "models/model_kit.h"

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    (void)ctx;
    dx[0] = 100 * (sin(t) - x[0]);
    return GT_OK;
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    (void)t, (void)x, (void)ctx;
    J->values[0] = -100;
    return GT_OK;
}

static gt_status taylor(double t, int order, double *c, void *ctx)
{
    double sine = sin(t), cosine = cos(t);
    (void)ctx;
    for (int k = 0; k < order; k++) {
        c[k + 1] = 100 * (sine - c[k]) / (k + 1);
        model_next_sincos(k, 1, &sine, &cosine);
    }
    return GT_OK;
}

static void exact(double t, double *x, void *ctx)
{
    (void)ctx;
    x[0] = (sin(t) - 0.01 * cos(t) + 0.01 * exp(-100 * t)) / 1.0001;
}

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[] = {"x"};
    static const double x0[] = {0};
    (void)v, (void)arena;
    *problem = (gt_problem){.n_slow = 1,
                            .rhs = rhs,
                            .jac = jac,
                            .taylor = taylor,
                            .linear = true,
                            .t1 = 3,
                            .x0 = x0,
                            .names = names,
                            .exact = exact};
    return GT_OK;
}

const gt_model gt_model_crow_p4 = {.abi = GT_MODEL_ABI,
                                   .name = "crow_p4",
                                   .title = "fast decay onto a slow sine",
                                   .reference = "Crow, Computational Methods for Electric Power Systems, 5.9 Problem 4",
                                   .equations = "x' = 100 (sin t - x)\n"
                                                "x(0) = 0",
                                   .build = build};
