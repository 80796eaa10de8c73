/* SPDX-License-Identifier: BSD-3-Clause */
/* crow Problem 6, with y = x' (the text leaves y undefined). */
#include "models/model_kit.h"

typedef struct {
    double alpha, beta, gamma, delta, omega;
} oscillator;

static gt_status rhs(double t, const double *s, double *ds, void *ctx)
{
    const oscillator *p = ctx;
    double x = s[0], y = s[1];
    ds[0] = y;
    ds[1] = p->gamma * cos(p->omega * t) - p->delta * y - p->alpha * x - p->beta * x * x * x;
    return GT_OK;
}

static gt_status jac(double t, const double *s, gt_matrix *J, void *ctx)
{
    const oscillator *p = ctx;
    double x = s[0];
    (void)t;
    const double rows[2][2] = {{0, 1}, {-p->alpha - 3 * p->beta * x * x, -p->delta}};
    return model_dense(J, rows[0]);
}

static gt_status taylor(double t, int order, double *c, void *ctx)
{
    const oscillator *p = ctx;
    const double *x = c, *y = c + 1;
    double square[2 * (MODEL_MAX_ORDER + 1)]; /* x^2, with the stride of x */
    double sine = sin(p->omega * t), cosine = cos(p->omega * t);
    if (order > MODEL_MAX_ORDER) return GT_UNSUPPORTED;
    for (int k = 0; k < order; k++) {
        square[2 * k] = gt_series_mul(k, x, x, 2);
        double cube = gt_series_mul(k, x, square, 2);
        c[2 * k + 2] = y[2 * k] / (k + 1);
        c[2 * k + 3] = (p->gamma * cosine - p->delta * y[2 * k] - p->alpha * x[2 * k] - p->beta * cube) / (k + 1);
        model_next_sincos(k, p->omega, &sine, &cosine);
    }
    return GT_OK;
}

static const gt_param params[] = {REAL_PARAM("alpha", "linear stiffness", NULL, 0.1, -1e6, 1e6),
                                  REAL_PARAM("beta", "cubic stiffness", NULL, 0.5, -1e6, 1e6),
                                  REAL_PARAM("gamma", "amplitude of the force", NULL, -0.8, -1e6, 1e6),
                                  REAL_PARAM("delta", "damping", NULL, 0.1, -1e6, 1e6),
                                  REAL_PARAM("omega", "frequency of the force", "rad/s", 1.5707963267948966, 0, 1e6),
                                  {0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[] = {"x", "y"};
    static const double x0[] = {1, -1};
    oscillator *p = gt_arena_take(arena, 1, sizeof *p);
    if (!p) return GT_NO_MEMORY;
    *p = (oscillator){.alpha = v[0], .beta = v[1], .gamma = v[2], .delta = v[3], .omega = v[4]};
    *problem = (gt_problem){
        .n_slow = 2, .rhs = rhs, .jac = jac, .taylor = taylor, .t1 = 200, .x0 = x0, .ctx = p, .names = names};
    return GT_OK;
}

const gt_model gt_model_duffing = {.abi = GT_MODEL_ABI,
                                   .name = "duffing",
                                   .title = "Duffing's driven oscillator with a cubic spring",
                                   .reference = "Crow, Computational Methods for Electric Power Systems, 5.9 Problem 6",
                                   .equations = "x' = y\n"
                                                "y' = gamma cos(omega t) - delta y - alpha x - beta x^3\n"
                                                "x(0) = 1, y(0) = -1",
                                   .params = params,
                                   .build = build};
