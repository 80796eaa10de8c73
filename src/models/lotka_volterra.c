/* SPDX-License-Identifier: BSD-3-Clause */
/* xie (3.17): predators x1 live on the prey x2. The orbits are closed: V below is constant. */
#include "models/model_kit.h"

typedef struct {
    double a, b, c, k;
} rates;

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    const rates *p = ctx;
    (void)t;
    dx[0] = -p->a * x[0] + p->k * p->b * x[0] * x[1];
    dx[1] = p->c * x[1] - p->b * x[0] * x[1];
    return GT_OK;
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    const rates *p = ctx;
    (void)t;
    const double rows[2][2] = {{-p->a + p->k * p->b * x[1], p->k * p->b * x[0]}, {-p->b * x[1], p->c - p->b * x[0]}};
    return model_dense(J, rows[0]);
}

static gt_status taylor(double t, int order, double *c, void *ctx)
{
    const rates *p = ctx;
    const double *x1 = c, *x2 = c + 1;
    (void)t;
    for (int k = 0; k < order; k++) {
        double product = gt_series_mul(k, x1, x2, 2);
        c[2 * k + 2] = (-p->a * x1[2 * k] + p->k * p->b * product) / (k + 1);
        c[2 * k + 3] = (p->c * x2[2 * k] - p->b * product) / (k + 1);
    }
    return GT_OK;
}

static void invariant(double t, const double *x, double *out, void *ctx)
{
    const rates *p = ctx;
    (void)t;
    out[0] = p->c * log(x[0]) - p->b * x[0] + p->a * log(x[1]) - p->k * p->b * x[1];
}

static const gt_param params[] = {REAL_PARAM("a", "death rate of the predators", NULL, 1, GT_POSITIVE, 1e6),
                                  REAL_PARAM("b", "rate of encounters", NULL, 1, GT_POSITIVE, 1e6),
                                  REAL_PARAM("c", "growth rate of the prey", NULL, 1, GT_POSITIVE, 1e6),
                                  REAL_PARAM("k", "predators born per prey eaten", NULL, 0.1, GT_POSITIVE, 1e6),
                                  {0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[] = {"x1", "x2"}, *const invariants[] = {"V"};
    static const double x0[] = {10, 10};
    rates *p = gt_arena_take(arena, 1, sizeof *p);
    if (!p) return GT_NO_MEMORY;
    *p = (rates){.a = v[0], .b = v[1], .c = v[2], .k = v[3]};
    *problem = (gt_problem){.n_slow = 2,
                            .rhs = rhs,
                            .jac = jac,
                            .taylor = taylor,
                            .autonomous = true,
                            .t1 = 20,
                            .x0 = x0,
                            .ctx = p,
                            .names = names,
                            .n_invariants = 1,
                            .invariant_names = invariants,
                            .invariants = invariant};
    return GT_OK;
}

const gt_model gt_model_lotka_volterra = {.abi = GT_MODEL_ABI,
                                          .name = "lotka_volterra",
                                          .title = "Lotka-Volterra equations, two insect populations",
                                          .reference = "Xie, Backinterpolation Methods (1995), (3.17)",
                                          .equations = "x1' = -a x1 + k b x1 x2\n"
                                                       "x2' = c x2 - b x1 x2\n"
                                                       "x1(0) = x2(0) = 10\n"
                                                       "V = c ln x1 - b x1 + a ln x2 - k b x2 is constant",
                                          .params = params,
                                          .build = build};
