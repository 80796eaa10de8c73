/* SPDX-License-Identifier: BSD-3-Clause */
/* A slow variable that feels the square of a fast one, which starts away from its manifold z = cos x. */
#include "models/model_kit.h"

typedef struct {
    double eps, x0[2];
} quadfast;

static gt_status rhs_slow(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = -x[0] + x[1] * x[1];
    return GT_OK;
}

static gt_status rhs_fast(double t, const double *x, double *dx, void *ctx)
{
    const quadfast *p = ctx;
    (void)t;
    dx[0] = (cos(x[0]) - x[1]) / p->eps;
    return GT_OK;
}

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    rhs_slow(t, x, dx, ctx);
    return rhs_fast(t, x, dx + 1, ctx);
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    const quadfast *p = ctx;
    const double rows[2][2] = {{-1, 2 * x[1]}, {-sin(x[0]) / p->eps, -1 / p->eps}};
    (void)t;
    return model_dense(J, rows[0]);
}

static const gt_param params[] = {REAL_PARAM("eps", "1 over the rate of z", NULL, 1e-3, 1e-15, 1e3),
                                  REAL_PARAM("z0", "z at the start", NULL, 2, -1e6, 1e6),
                                  {0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[] = {"x", "z"};
    quadfast *p = gt_arena_take(arena, 1, sizeof *p);
    if (!p) return GT_NO_MEMORY;
    *p = (quadfast){v[0], {0.5, v[1]}};
    *problem = (gt_problem){.n_slow = 1,
                            .n_fast = 1,
                            .rhs = rhs,
                            .rhs_slow = rhs_slow,
                            .rhs_fast = rhs_fast,
                            .jac = jac,
                            .autonomous = true,
                            .t1 = 1,
                            .x0 = p->x0,
                            .ctx = p,
                            .names = names};
    return GT_OK;
}

const gt_model gt_model_quadfast = {.abi = GT_MODEL_ABI,
                                    .name = "quadfast",
                                    .title = "a slow variable driven by the square of a fast one that decays",
                                    .reference = "made to show where gil's method is not consistent",
                                    .equations = "x' = -x + z^2            slow\n"
                                                 "eps z' = cos x - z       fast\n"
                                                 "x(0) = 0.5, z(0) = z0",
                                    .params = params,
                                    .build = build};
