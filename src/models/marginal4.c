/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * xie Appendix B, fun1: the marginally stable problem of Figures 3.23-3.27, two oscillators of frequencies 2 and 1, the
 * first one driven by a constant u = 1.
 */
#include "models/model_kit.h"

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = 4 * x[2] - 4;
    dx[1] = -4 * x[3];
    dx[2] = -x[0];
    dx[3] = 0.25 * x[1];
    return GT_OK;
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    static const double A[4][4] = {{0, 0, 4, 0}, {0, 0, 0, -4}, {-1, 0, 0, 0}, {0, 0.25, 0, 0}};
    (void)t, (void)x, (void)ctx;
    return model_dense(J, A[0]);
}

static void exact(double t, double *x, void *ctx)
{
    (void)ctx;
    x[0] = 2 * sin(2 * t);
    x[1] = cos(t);
    x[2] = 1 + cos(2 * t);
    x[3] = sin(t) / 4;
}

static void squares(double t, const double *x, double *out, void *ctx)
{
    (void)t, (void)ctx;
    out[0] = x[0] * x[0] + 4 * (x[2] - 1) * (x[2] - 1);
    out[1] = x[1] * x[1] + 16 * x[3] * x[3];
}

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[] = {"x1", "x2", "x3", "x4"}, *const invariants[] = {"E1", "E2"};
    static const double x0[] = {0, 1, 2, 0};
    (void)v, (void)arena;
    *problem = (gt_problem){.n_slow = 4,
                            .rhs = rhs,
                            .jac = jac,
                            .linear = true,
                            .autonomous = true,
                            .t1 = 10,
                            .x0 = x0,
                            .names = names,
                            .exact = exact,
                            .n_invariants = 2,
                            .invariant_names = invariants,
                            .invariants = squares};
    return GT_OK;
}

const gt_model gt_model_marginal4 = {.abi = GT_MODEL_ABI,
                                     .name = "marginal4",
                                     .title = "marginally stable linear system, frequencies 1 and 2",
                                     .reference = "Xie, Backinterpolation Methods (1995), 3.4 and Appendix B (fun1)",
                                     .equations = "x1' = 4 x3 - 4\n"
                                                  "x2' = -4 x4\n"
                                                  "x3' = -x1\n"
                                                  "x4' = x2 / 4\n"
                                                  "x(0) = (0, 1, 2, 0)\n"
                                                  "x1 = 2 sin 2t, x2 = cos t",
                                     .build = build};
