/* SPDX-License-Identifier: BSD-3-Clause */
/* Kaps' problem: with any eps the solution is x = e^-t, z = e^-2t, on the manifold z = x^2/(1 + 2 eps) but for O(eps).
 */
#include "models/model_kit.h"

typedef struct {
    double eps;
} kaps;

static gt_status rhs_slow(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = x[1] - x[0] - x[0] * x[0];
    return GT_OK;
}

static gt_status rhs_fast(double t, const double *x, double *dx, void *ctx)
{
    const kaps *p = ctx;
    (void)t;
    dx[0] = -2 * x[1] + (x[0] * x[0] - x[1]) / p->eps;
    return GT_OK;
}

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    rhs_slow(t, x, dx, ctx);
    return rhs_fast(t, x, dx + 1, ctx);
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    const kaps *p = ctx;
    const double rows[2][2] = {{-1 - 2 * x[0], 1}, {2 * x[0] / p->eps, -2 - 1 / p->eps}};
    (void)t;
    return model_dense(J, rows[0]);
}

static gt_status taylor(double t, int order, double *c, void *ctx)
{
    const kaps *p = ctx;
    (void)t;
    for (int k = 0; k < order; k++) {
        double square = 0;
        for (int j = 0; j <= k; j++) square += c[2 * j] * c[2 * (k - j)];
        c[2 * k + 2] = (c[2 * k + 1] - c[2 * k] - square) / (k + 1);
        c[2 * k + 3] = (-2 * c[2 * k + 1] + (square - c[2 * k + 1]) / p->eps) / (k + 1);
    }
    return GT_OK;
}

static void exact(double t, double *x, void *ctx)
{
    (void)ctx;
    x[0] = exp(-t);
    x[1] = exp(-2 * t);
}

static const gt_param params[] = {REAL_PARAM("eps", "1 over the rate of z", NULL, 1e-3, 1e-15, 1e3), {0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[] = {"x", "z"};
    static const double start[] = {1, 1};
    kaps *p = gt_arena_take(arena, 1, sizeof *p);
    if (!p) return GT_NO_MEMORY;
    *p = (kaps){v[0]};
    *problem = (gt_problem){.n_slow = 1,
                            .n_fast = 1,
                            .rhs = rhs,
                            .rhs_slow = rhs_slow,
                            .rhs_fast = rhs_fast,
                            .jac = jac,
                            .taylor = taylor,
                            .autonomous = true,
                            .t1 = 1,
                            .x0 = start,
                            .ctx = p,
                            .names = names,
                            .exact = exact};
    return GT_OK;
}

const gt_model gt_model_kaps = {.abi = GT_MODEL_ABI,
                                .name = "kaps",
                                .title = "Kaps' problem, a slow and a fast variable, the same solution for every eps",
                                .reference = "Dekker, Verwer, Stability of Runge-Kutta Methods for Stiff Nonlinear "
                                             "Differential Equations (1984)",
                                .equations = "x' = z - x - x^2                 slow\n"
                                             "z' = -(2 + 1/eps) z + x^2/eps    fast\n"
                                             "x(0) = 1, z(0) = 1",
                                .params = params,
                                .build = build};
