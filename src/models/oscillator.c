/* SPDX-License-Identifier: BSD-3-Clause */
/* xie 2.3: the oscillator y'' + omega^2 y = 0 of Figures 2.5 and 2.6, omega = 10. */
#include "models/model_kit.h"

typedef struct {
    double omega;
} oscillator;

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    const oscillator *p = ctx;
    (void)t;
    dx[0] = x[1];
    dx[1] = -p->omega * p->omega * x[0];
    return GT_OK;
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    const oscillator *p = ctx;
    (void)t, (void)x;
    return model_dense(J, (const double[]){0, 1, -p->omega * p->omega, 0});
}

static gt_status taylor(double t, int order, double *c, void *ctx)
{
    return model_taylor_linear(rhs, t, 2, order, c, ctx);
}

static void exact(double t, double *x, void *ctx)
{
    const oscillator *p = ctx;
    x[0] = cos(p->omega * t);
    x[1] = -p->omega * sin(p->omega * t);
}

static void energy(double t, const double *x, double *out, void *ctx)
{
    const oscillator *p = ctx;
    (void)t;
    out[0] = (x[1] * x[1] + p->omega * p->omega * x[0] * x[0]) / 2;
}

static const gt_param params[] = {REAL_PARAM("omega", "angular frequency", "rad/s", 10, GT_POSITIVE, 1e6), {0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[] = {"x1", "x2"}, *const invariants[] = {"energy"};
    static const double x0[] = {1, 0};
    oscillator *p = gt_arena_take(arena, 1, sizeof *p);
    if (!p) return GT_NO_MEMORY;
    p->omega = v[0];
    *problem = (gt_problem){.n_slow = 2,
                            .rhs = rhs,
                            .jac = jac,
                            .taylor = taylor,
                            .linear = true,
                            .autonomous = true,
                            .t1 = 5,
                            .x0 = x0,
                            .ctx = p,
                            .names = names,
                            .exact = exact,
                            .n_invariants = 1,
                            .invariant_names = invariants,
                            .invariants = energy};
    return GT_OK;
}

const gt_model gt_model_oscillator = {.abi = GT_MODEL_ABI,
                                      .name = "oscillator",
                                      .title = "undamped oscillator y'' = -omega^2 y",
                                      .reference = "Xie, Backinterpolation Methods (1995), 2.3, Figures 2.5 and 2.6",
                                      .equations = "x1' = x2\n"
                                                   "x2' = -omega^2 x1\n"
                                                   "x1(0) = 1, x2(0) = 0",
                                      .params = params,
                                      .build = build};
