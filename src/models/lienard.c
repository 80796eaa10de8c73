/* SPDX-License-Identifier: BSD-3-Clause */
/* van der Pol's oscillator in the plane of Lienard: slow along z^3/3 - z = x until it folds at z = +-1, then a jump. */
#include "models/model_kit.h"

typedef struct {
    double eps;
} lienard;

static gt_status rhs_slow(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = -x[1];
    return GT_OK;
}

static gt_status rhs_fast(double t, const double *x, double *dx, void *ctx)
{
    const lienard *p = ctx;
    double z = x[1];
    (void)t;
    dx[0] = (x[0] + z - z * z * z / 3) / p->eps;
    return GT_OK;
}

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    rhs_slow(t, x, dx, ctx);
    return rhs_fast(t, x, dx + 1, ctx);
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    const lienard *p = ctx;
    const double rows[2][2] = {{0, -1}, {1 / p->eps, (1 - x[1] * x[1]) / p->eps}};
    (void)t;
    return model_dense(J, rows[0]);
}

static gt_status taylor(double t, int order, double *c, void *ctx)
{
    const lienard *p = ctx;
    double square[MODEL_MAX_ORDER + 1];
    (void)t;
    if (order > MODEL_MAX_ORDER) return GT_UNSUPPORTED;
    for (int k = 0; k < order; k++) {
        double cube = 0;
        square[k] = 0;
        for (int j = 0; j <= k; j++) square[k] += c[2 * j + 1] * c[2 * (k - j) + 1];
        for (int j = 0; j <= k; j++) cube += square[j] * c[2 * (k - j) + 1];
        c[2 * k + 2] = -c[2 * k + 1] / (k + 1);
        c[2 * k + 3] = (c[2 * k] + c[2 * k + 1] - cube / 3) / p->eps / (k + 1);
    }
    return GT_OK;
}

static const gt_param params[] = {REAL_PARAM("eps", "1 over the rate of z", NULL, 0.01, 1e-12, 1e3), {0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[] = {"x", "z"};
    static const double start[] = {2.0 / 3, 2};
    lienard *p = gt_arena_take(arena, 1, sizeof *p);
    if (!p) return GT_NO_MEMORY;
    *p = (lienard){v[0]};
    *problem = (gt_problem){.n_slow = 1,
                            .n_fast = 1,
                            .rhs = rhs,
                            .rhs_slow = rhs_slow,
                            .rhs_fast = rhs_fast,
                            .jac = jac,
                            .taylor = taylor,
                            .autonomous = true,
                            .t1 = 2,
                            .x0 = start,
                            .ctx = p,
                            .names = names};
    return GT_OK;
}

const gt_model gt_model_lienard = {.abi = GT_MODEL_ABI,
                                   .name = "lienard",
                                   .title = "van der Pol's oscillator as a slow and a fast variable, with folds",
                                   .reference = "van der Pol, Phil. Mag. 2 (1926) 978; Lienard (1928)",
                                   .equations = "x' = -z                    slow\n"
                                                "eps z' = x + z - z^3/3     fast\n"
                                                "x(0) = 2/3, z(0) = 2",
                                   .params = params,
                                   .build = build};
