/* SPDX-License-Identifier: BSD-3-Clause */
/* gil (50), (51): the test equation of two rates, with mu = beta lambda, lf = alpha lambda, de = beta lf. */
#include "models/model_kit.h"

typedef struct {
    double A[2][2];
} linear2;

static gt_status rhs_slow(double t, const double *x, double *dx, void *ctx)
{
    const linear2 *p = ctx;
    (void)t;
    dx[0] = p->A[0][0] * x[0] + p->A[0][1] * x[1];
    return GT_OK;
}

static gt_status rhs_fast(double t, const double *x, double *dx, void *ctx)
{
    const linear2 *p = ctx;
    (void)t;
    dx[0] = p->A[1][0] * x[0] + p->A[1][1] * x[1];
    return GT_OK;
}

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    rhs_slow(t, x, dx, ctx);
    return rhs_fast(t, x, dx + 1, ctx);
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    const linear2 *p = ctx;
    (void)t, (void)x;
    return model_dense(J, p->A[0]);
}

static gt_status taylor(double t, int order, double *c, void *ctx)
{
    return model_taylor_linear(rhs, t, 2, order, c, ctx);
}

static const double start[] = {1, 1};

static void exact(double t, double *x, void *ctx)
{
    const linear2 *p = ctx;
    model_flow2(p->A, t, start, x);
}

static const gt_param params[] = {
    REAL_PARAM("alpha", "how much faster z is than x: lf / lambda", NULL, 100, 1e-6, 1e9),
    REAL_PARAM("beta", "strength of the coupling: mu / lambda = de / lf", NULL, 0.1, -10, 10),
    REAL_PARAM("lambda", "eigenvalue of x alone", "1/s", -1, -1e9, 1e9),
    {0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[] = {"x", "z"};
    double alpha = v[0], beta = v[1], lambda = v[2];
    linear2 *p = gt_arena_take(arena, 1, sizeof *p);
    if (!p) return GT_NO_MEMORY;
    *p = (linear2){{{lambda, beta * lambda}, {beta * alpha * lambda, alpha * lambda}}};
    *problem = (gt_problem){.n_slow = 1,
                            .n_fast = 1,
                            .rhs = rhs,
                            .rhs_slow = rhs_slow,
                            .rhs_fast = rhs_fast,
                            .jac = jac,
                            .taylor = taylor,
                            .linear = true,
                            .autonomous = true,
                            .t1 = 5,
                            .x0 = start,
                            .ctx = p,
                            .names = names,
                            .exact = exact};
    return GT_OK;
}

const gt_model gt_model_linear2 = {.abi = GT_MODEL_ABI,
                                   .name = "linear2",
                                   .title = "linear test equation of a slow and a fast variable",
                                   .reference = "Gil, Sanfelice, Nikravesh (2013), (50)",
                                   .equations = "x' = lambda x + mu z      slow\n"
                                                "z' = de x + lf z          fast\n"
                                                "mu = beta lambda, lf = alpha lambda, de = beta lf\n"
                                                "x(0) = 1, z(0) = 1",
                                   .params = params,
                                   .build = build};
