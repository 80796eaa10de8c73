/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * crow Problem 5. With the printed signs (alpha < 0 < gamma) the quantity r lives on f: r is the predator although the
 * text calls it rabbits. The equations and values are kept as printed; the equilibrium is r = -gamma/delta,
 * f = -alpha/beta.
 */
#include "models/model_kit.h"

typedef struct {
    double alpha, beta, gamma, delta;
} rates;

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    const rates *p = ctx;
    double r = x[0], f = x[1];
    (void)t;
    dx[0] = p->alpha * r + p->beta * r * f;
    dx[1] = p->gamma * f + p->delta * r * f;
    return GT_OK;
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    const rates *p = ctx;
    double r = x[0], f = x[1];
    (void)t;
    const double rows[2][2] = {{p->alpha + p->beta * f, p->beta * r}, {p->delta * f, p->gamma + p->delta * r}};
    return model_dense(J, rows[0]);
}

static gt_status taylor(double t, int order, double *c, void *ctx)
{
    const rates *p = ctx;
    const double *r = c, *f = c + 1;
    (void)t;
    for (int k = 0; k < order; k++) {
        double rf = gt_series_mul(k, r, f, 2);
        c[2 * k + 2] = (p->alpha * r[2 * k] + p->beta * rf) / (k + 1);
        c[2 * k + 3] = (p->gamma * f[2 * k] + p->delta * rf) / (k + 1);
    }
    return GT_OK;
}

static void invariant(double t, const double *x, double *out, void *ctx)
{
    const rates *p = ctx;
    double r = x[0], f = x[1];
    (void)t;
    out[0] = p->gamma * log(r) + p->delta * r - p->alpha * log(f) - p->beta * f;
}

static const gt_param params[] = {REAL_PARAM("alpha", "growth of r alone", NULL, -1, -1e6, 1e6),
                                  REAL_PARAM("beta", "effect of f on r", NULL, 0.01, -1e6, 1e6),
                                  REAL_PARAM("gamma", "growth of f alone", NULL, 0.25, -1e6, 1e6),
                                  REAL_PARAM("delta", "effect of r on f", NULL, -0.01, -1e6, 1e6),
                                  {0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[] = {"r", "f"}, *const invariants[] = {"I"};
    static const double x0[] = {40, 70};
    rates *p = gt_arena_take(arena, 1, sizeof *p);
    if (!p) return GT_NO_MEMORY;
    *p = (rates){.alpha = v[0], .beta = v[1], .gamma = v[2], .delta = v[3]};
    *problem = (gt_problem){.n_slow = 2,
                            .rhs = rhs,
                            .jac = jac,
                            .taylor = taylor,
                            .t1 = 50,
                            .x0 = x0,
                            .ctx = p,
                            .names = names,
                            .n_invariants = 1,
                            .invariant_names = invariants,
                            .invariants = invariant};
    return GT_OK;
}

const gt_model gt_model_predator_prey = {.abi = GT_MODEL_ABI,
                                         .name = "predator_prey",
                                         .title = "Volterra's two populations, closed orbits",
                                         .reference =
                                             "Crow, Computational Methods for Electric Power Systems, 5.9 Problem 5",
                                         .equations = "r' = alpha r + beta r f\n"
                                                      "f' = gamma f + delta r f\n"
                                                      "r(0) = 40, f(0) = 70\n"
                                                      "I = gamma ln r + delta r - alpha ln f - beta f is constant",
                                         .params = params,
                                         .build = build};
