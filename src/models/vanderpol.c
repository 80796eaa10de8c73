/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/model_kit.h"

typedef struct {
    double mu;
} vanderpol;

static gt_status rhs(double t, const double *s, double *ds, void *ctx)
{
    const vanderpol *p = ctx;
    double x = s[0], y = s[1];
    (void)t;
    ds[0] = y;
    ds[1] = p->mu * (1 - x * x) * y - x;
    return GT_OK;
}

static gt_status jac(double t, const double *s, gt_matrix *J, void *ctx)
{
    const vanderpol *p = ctx;
    double x = s[0], y = s[1];
    (void)t;
    const double rows[2][2] = {{0, 1}, {-2 * p->mu * x * y - 1, p->mu * (1 - x * x)}};
    return model_dense(J, rows[0]);
}

static gt_status taylor(double t, int order, double *c, void *ctx)
{
    const vanderpol *p = ctx;
    const double *x = c, *y = c + 1;
    double w[2 * (MODEL_MAX_ORDER + 1)]; /* 1 - x^2, with the stride of x */
    (void)t;
    if (order > MODEL_MAX_ORDER) return GT_UNSUPPORTED;
    for (int k = 0; k < order; k++) {
        w[2 * k] = (k == 0) - gt_series_mul(k, x, x, 2);
        c[2 * k + 2] = y[2 * k] / (k + 1);
        c[2 * k + 3] = (p->mu * gt_series_mul(k, w, y, 2) - x[2 * k]) / (k + 1);
    }
    return GT_OK;
}

static const gt_param params[] = {REAL_PARAM("mu", "nonlinearity; large is stiff", NULL, 10, 0, 1e7), {0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[] = {"x", "y"};
    static const double x0[] = {2, 0};
    vanderpol *p = gt_arena_take(arena, 1, sizeof *p);
    if (!p) return GT_NO_MEMORY;
    *p = (vanderpol){.mu = v[0]};
    *problem =
        (gt_problem){.n_slow = 2,
                     .rhs = rhs,
                     .jac = jac,
                     .taylor = taylor,
                     .t1 = 2 * fmax(p->mu, 10), /* the period is about 1.6 mu when mu is large, 2 pi when small */
                     .x0 = x0,
                     .ctx = p,
                     .names = names};
    return GT_OK;
}

const gt_model gt_model_vanderpol = {.abi = GT_MODEL_ABI,
                                     .name = "vanderpol",
                                     .title = "van der Pol's relaxation oscillator",
                                     .reference = "B. van der Pol, Philosophical Magazine 2 (1926) 978",
                                     .equations = "x' = y\n"
                                                  "y' = mu (1 - x^2) y - x\n"
                                                  "x(0) = 2, y(0) = 0",
                                     .params = params,
                                     .build = build};
