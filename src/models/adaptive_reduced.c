/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The reduced model of `adaptive`, shi (23), with z = -k y put in. With w = k - a it is y' = -w y, w' = y^2, so that
 * r^2 = y^2 + w^2 stays, and
 *
 *     y = r / cosh(r t + c),   k = a + r tanh(r t + c),   tanh(c) = w(0) / r
 */
#include "models/model_kit.h"

typedef struct {
    double a;
} reduced;

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    const reduced *p = ctx;
    double y = x[0], k = x[1];
    (void)t;
    dx[0] = (p->a - k) * y;
    dx[1] = y * y;
    return GT_OK;
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    const reduced *p = ctx;
    double y = x[0], k = x[1];
    const double rows[2][2] = {{p->a - k, -y}, {2 * y, 0}};
    (void)t;
    return model_dense(J, rows[0]);
}

static gt_status taylor(double t, int order, double *c, void *ctx)
{
    const reduced *p = ctx;
    (void)t;
    for (int i = 0; i < order; i++) {
        double yy = 0, ky = 0;
        for (int j = 0; j <= i; j++) {
            yy += c[2 * j] * c[2 * (i - j)];
            ky += c[2 * j + 1] * c[2 * (i - j)];
        }
        c[2 * i + 2] = (p->a * c[2 * i] - ky) / (i + 1);
        c[2 * i + 3] = yy / (i + 1);
    }
    return GT_OK;
}

static void exact(double t, double *x, void *ctx)
{
    const reduced *p = ctx;
    double w = -p->a, r = hypot(1, w), angle = r * t + asinh(w); /* sinh(c) = w(0) / y(0) */
    x[0] = r / cosh(angle);
    x[1] = p->a + r * tanh(angle);
}

static void invariants(double t, const double *x, double *out, void *ctx)
{
    const reduced *p = ctx;
    (void)t;
    out[0] = x[0] * x[0] + (x[1] - p->a) * (x[1] - p->a);
}

static const gt_param params[] = {REAL_PARAM("a", "plant", NULL, -1, -100, 100), {0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[] = {"y", "k"}, *const invariant_names[] = {"radius2"};
    static const double x0[] = {1, 0};
    reduced *p = gt_arena_take(arena, 1, sizeof *p);
    if (!p) return GT_NO_MEMORY;
    *p = (reduced){.a = v[0]};
    *problem = (gt_problem){.n_slow = 2,
                            .rhs = rhs,
                            .jac = jac,
                            .taylor = taylor,
                            .t1 = 5,
                            .x0 = x0,
                            .ctx = p,
                            .names = names,
                            .exact = exact,
                            .n_invariants = 1,
                            .invariant_names = invariant_names,
                            .invariants = invariants};
    return GT_OK;
}

const gt_model gt_model_adaptive_reduced = {.abi = GT_MODEL_ABI,
                                            .name = "adaptive_reduced",
                                            .title = "adaptive controller without its parasitic part",
                                            .reference = "Shi, Rojas, stabilized multirate explicit scheme, (23)",
                                            .equations = "y' = a y - k y      (z = -k y)\n"
                                                         "k' = y^2\n"
                                                         "y(0) = 1, k(0) = 0",
                                            .params = params,
                                            .build = build};
