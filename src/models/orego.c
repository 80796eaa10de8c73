/* SPDX-License-Identifier: BSD-3-Clause */
/* Field and Noyes' model of the Belousov-Zhabotinskii reaction. */
#include "models/model_kit.h"

typedef struct {
    double s, q, w;
} oregonator;

static gt_status rhs(double t, const double *y, double *dy, void *ctx)
{
    const oregonator *p = ctx;
    (void)t;
    dy[0] = p->s * (y[1] + y[0] * (1 - p->q * y[0] - y[1]));
    dy[1] = (y[2] - (1 + y[0]) * y[1]) / p->s;
    dy[2] = p->w * (y[0] - y[2]);
    return GT_OK;
}

static gt_status jac(double t, const double *y, gt_matrix *J, void *ctx)
{
    const oregonator *p = ctx;
    (void)t;
    const double rows[3][3] = {{p->s * (1 - 2 * p->q * y[0] - y[1]), p->s * (1 - y[0]), 0},
                               {-y[1] / p->s, -(1 + y[0]) / p->s, 1 / p->s},
                               {p->w, 0, -p->w}};
    return model_dense(J, rows[0]);
}

static gt_status taylor(double t, int order, double *c, void *ctx)
{
    const oregonator *p = ctx;
    (void)t;
    for (int k = 0; k < order; k++) {
        double *y = c + 3 * k, *next = y + 3;
        double square = gt_series_mul(k, c, c, 3), product = gt_series_mul(k, c, c + 1, 3);
        next[0] = p->s * (y[1] + y[0] - p->q * square - product) / (k + 1);
        next[1] = (y[2] - y[1] - product) / p->s / (k + 1);
        next[2] = p->w * (y[0] - y[2]) / (k + 1);
    }
    return GT_OK;
}

static const gt_param params[] = {REAL_PARAM("s", "ratio of the rates of y1 and y2, squared", NULL, 77.27, 1e-3, 1e6),
                                  REAL_PARAM("q", "self-limitation of y1", NULL, 8.375e-6, 0, 1),
                                  REAL_PARAM("w", "rate of y3", NULL, 0.161, 0, 1e6),
                                  {0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[] = {"y1", "y2", "y3"};
    static const double x0[] = {1, 2, 3};
    oregonator *p = gt_arena_take(arena, 1, sizeof *p);
    if (!p) return GT_NO_MEMORY;
    *p = (oregonator){.s = v[0], .q = v[1], .w = v[2]};
    *problem = (gt_problem){
        .n_slow = 3, .rhs = rhs, .jac = jac, .taylor = taylor, .t1 = 360, .x0 = x0, .ctx = p, .names = names};
    return GT_OK;
}

const gt_model gt_model_orego = {
    .abi = GT_MODEL_ABI,
    .name = "orego",
    .title = "Oregonator, a chemical relaxation oscillation",
    .reference = "Field, Noyes, J. Chem. Phys. 60 (1974) 1877; Hairer, Wanner, Solving Ordinary Differential "
                 "Equations II, IV.10 (OREGO)",
    .equations = "y1' = s (y2 + y1 (1 - q y1 - y2))\n"
                 "y2' = (y3 - (1 + y1) y2)/s\n"
                 "y3' = w (y1 - y3)\n"
                 "y1(0) = 1, y2(0) = 2, y3(0) = 3",
    .params = params,
    .build = build};
