/* SPDX-License-Identifier: BSD-3-Clause */
/* crow Example 5.1, (5.25)-(5.29). */
#include "models/model_kit.h"

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = x[1];
    dx[1] = -x[0];
    return GT_OK;
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    (void)t, (void)x, (void)ctx;
    return model_dense(J, (const double[]){0, 1, -1, 0});
}

static gt_status taylor(double t, int order, double *c, void *ctx)
{
    return model_taylor_linear(rhs, t, 2, order, c, ctx);
}

static void exact(double t, double *x, void *ctx)
{
    (void)ctx;
    x[0] = cos(t);
    x[1] = -sin(t);
}

static void energy(double t, const double *x, double *out, void *ctx)
{
    (void)t, (void)ctx;
    out[0] = (x[0] * x[0] + x[1] * x[1]) / 2;
}

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[] = {"x1", "x2"}, *const invariants[] = {"energy"};
    static const double x0[] = {1, 0};
    (void)v, (void)arena;
    *problem = (gt_problem){.n_slow = 2,
                            .rhs = rhs,
                            .jac = jac,
                            .taylor = taylor,
                            .linear = true,
                            .autonomous = true,
                            .t1 = 10,
                            .x0 = x0,
                            .names = names,
                            .exact = exact,
                            .n_invariants = 1,
                            .invariant_names = invariants,
                            .invariants = energy};
    return GT_OK;
}

const gt_model gt_model_harmonic = {.abi = GT_MODEL_ABI,
                                    .name = "harmonic",
                                    .title = "harmonic oscillator x'' = -x",
                                    .reference = "Crow, Computational Methods for Electric Power Systems, Example 5.1",
                                    .equations = "x1' = x2\n"
                                                 "x2' = -x1\n"
                                                 "x1(0) = 1, x2(0) = 0",
                                    .build = build};
