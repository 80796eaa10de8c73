/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rates that differ by nine powers of ten; y1 + y2 + y3 stays 1, which is the third equation of the
 * form `dae`. In C because `form` changes whether a row is differential or algebraic.
 */
#include "models/model_kit.h"

typedef struct {
    double k1, k2, k3;
} reactions;

static gt_status rhs(double t, const double *y, double *dy, void *ctx)
{
    const reactions *p = ctx;
    double slow = p->k1 * y[0], fast = p->k2 * y[1] * y[1], back = p->k3 * y[1] * y[2];
    (void)t;
    dy[0] = back - slow;
    dy[1] = slow - back - fast;
    dy[2] = fast;
    return GT_OK;
}

static gt_status jac(double t, const double *y, gt_matrix *J, void *ctx)
{
    const reactions *p = ctx;
    double fast = 2 * p->k2 * y[1];
    (void)t;
    const double rows[3][3] = {{-p->k1, p->k3 * y[2], p->k3 * y[1]},
                               {p->k1, -p->k3 * y[2] - fast, -p->k3 * y[1]},
                               {0, fast, 0}};
    return model_dense(J, rows[0]);
}

static gt_status rhs_slow(double t, const double *y, double *dy, void *ctx)
{
    const reactions *p = ctx;
    double slow = p->k1 * y[0], fast = p->k2 * y[1] * y[1], back = p->k3 * y[1] * y[2];
    (void)t;
    dy[0] = back - slow;
    dy[1] = slow - back - fast;
    return GT_OK;
}

static gt_status rhs_alg(double t, const double *y, double *residual, void *ctx)
{
    (void)t, (void)ctx;
    residual[0] = y[0] + y[1] + y[2] - 1;
    return GT_OK;
}

static gt_status rhs_dae(double t, const double *y, double *dy, void *ctx)
{
    rhs_slow(t, y, dy, ctx);
    return rhs_alg(t, y, dy + 2, ctx);
}

static gt_status jac_dae(double t, const double *y, gt_matrix *J, void *ctx)
{
    gt_status status = jac(t, y, J, ctx);
    for (size_t j = 0; j < 3; j++) J->values[3 * j + 2] = 1;
    return status;
}

static gt_status taylor(double t, int order, double *c, void *ctx)
{
    const reactions *p = ctx;
    const double *y1 = c, *y2 = c + 1, *y3 = c + 2;
    (void)t;
    for (int k = 0; k < order; k++) {
        double *next = c + 3 * (k + 1);
        double slow = p->k1 * y1[3 * k], fast = p->k2 * gt_series_mul(k, y2, y2, 3);
        double back = p->k3 * gt_series_mul(k, y2, y3, 3);
        next[0] = (back - slow) / (k + 1);
        next[1] = (slow - back - fast) / (k + 1);
        next[2] = fast / (k + 1);
    }
    return GT_OK;
}

static void mass(double t, const double *y, double *out, void *ctx)
{
    (void)t, (void)ctx;
    out[0] = y[0] + y[1] + y[2];
}

static const char *const forms[] = {"ode", "dae", NULL};

static const gt_param params[] = {
    REAL_PARAM("k1", "rate of A -> B", NULL, 0.04, 0, 1e12),
    REAL_PARAM("k2", "rate of B + B -> C + B", NULL, 3e7, 0, 1e12),
    REAL_PARAM("k3", "rate of B + C -> A + C", NULL, 1e4, 0, 1e12),
    CHOICE_PARAM("form", "third equation: rate or mass balance", 0, forms),
    {0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[] = {"y1", "y2", "y3"}, *const invariants[] = {"mass"};
    static const double x0[] = {1, 0, 0};
    reactions *p = gt_arena_take(arena, 1, sizeof *p);
    if (!p) return GT_NO_MEMORY;
    *p = (reactions){.k1 = v[0], .k2 = v[1], .k3 = v[2]};
    if (v[3] == 1) {
        *problem = (gt_problem){.n_slow = 2,
                                .n_alg = 1,
                                .rhs = rhs_dae,
                                .autonomous = true,
                                .rhs_slow = rhs_slow,
                                .rhs_alg = rhs_alg,
                                .jac = jac_dae,
                                .t1 = 40,
                                .x0 = x0,
                                .ctx = p,
                                .names = names};
        return GT_OK;
    }
    *problem = (gt_problem){.n_slow = 3,
                            .rhs = rhs,
                            .autonomous = true,
                            .jac = jac,
                            .taylor = taylor,
                            .t1 = 40,
                            .x0 = x0,
                            .ctx = p,
                            .names = names,
                            .n_invariants = 1,
                            .invariant_names = invariants,
                            .invariants = mass};
    return GT_OK;
}

const gt_model gt_model_robertson = {
    .abi = GT_MODEL_ABI,
    .name = "robertson",
    .title = "Robertson's autocatalytic reaction, very stiff",
    .reference = "H. H. Robertson, in: J. Walsh (ed.), Numerical Analysis: An "
                 "Introduction, Academic Press 1966, p. 178",
    .equations = "y1' = -k1 y1 + k3 y2 y3\n"
                 "y2' = k1 y1 - k3 y2 y3 - k2 y2^2\n"
                 "y3' = k2 y2^2, or 0 = y1 + y2 + y3 - 1 (form=dae)\n"
                 "y1(0) = 1, y2(0) = 0, y3(0) = 0",
    .params = params,
    .build = build};
