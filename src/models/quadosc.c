/* SPDX-License-Identifier: BSD-3-Clause */
/* quadfast with a fast part that oscillates and does not decay: the mean of z1^2 over an oscillation moves x. */
#include "models/model_kit.h"

typedef struct {
    double w;
} quadosc;

static gt_status rhs_slow(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = -x[0] + x[1] * x[1];
    return GT_OK;
}

static gt_status rhs_fast(double t, const double *x, double *dx, void *ctx)
{
    const quadosc *p = ctx;
    (void)t;
    dx[0] = p->w * x[2];
    dx[1] = -p->w * (x[1] - 0.5 * sin(x[0]));
    return GT_OK;
}

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    rhs_slow(t, x, dx, ctx);
    return rhs_fast(t, x, dx + 1, ctx);
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    const quadosc *p = ctx;
    const double rows[3][3] = {{-1, 2 * x[1], 0}, {0, 0, p->w}, {0.5 * p->w * cos(x[0]), -p->w, 0}};
    (void)t;
    return model_dense(J, rows[0]);
}

static const gt_param params[] = {REAL_PARAM("w", "frequency of the fast part", "rad/s", 50, 1e-3, 1e12), {0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[] = {"x", "z1", "z2"};
    static const double start[] = {1, 1, 0};
    quadosc *p = gt_arena_take(arena, 1, sizeof *p);
    if (!p) return GT_NO_MEMORY;
    *p = (quadosc){v[0]};
    *problem = (gt_problem){.n_slow = 1,
                            .n_fast = 2,
                            .rhs = rhs,
                            .rhs_slow = rhs_slow,
                            .rhs_fast = rhs_fast,
                            .jac = jac,
                            .autonomous = true,
                            .t1 = 1,
                            .x0 = start,
                            .ctx = p,
                            .names = names};
    return GT_OK;
}

const gt_model gt_model_quadosc = {.abi = GT_MODEL_ABI,
                                   .name = "quadosc",
                                   .title = "a slow variable driven by the square of a fast one that oscillates",
                                   .reference = "made to show where gil's method is not consistent",
                                   .equations = "x' = -x + z1^2                     slow\n"
                                                "z1' = w z2                         fast\n"
                                                "z2' = -w (z1 - sin(x)/2)           fast\n"
                                                "x(0) = 1, z1(0) = 1, z2(0) = 0",
                                   .params = params,
                                   .build = build};
