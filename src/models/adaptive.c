/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An adaptive controller with parasitic dynamics, shi (22). The fast eigenvalue is about -1/eps, the slow manifold
 * z = -k y. The paper starts at [0, 0, 1], from which its table cannot come; [1, 0, 0] gives it.
 */
#include "models/model_kit.h"

typedef struct {
    double a, eps;
} adaptive;

static gt_status rhs_slow(double t, const double *x, double *dx, void *ctx)
{
    const adaptive *p = ctx;
    double y = x[0], z = x[2];
    (void)t;
    dx[0] = p->a * y + z;
    dx[1] = y * y;
    return GT_OK;
}

static gt_status rhs_fast(double t, const double *x, double *dx, void *ctx)
{
    const adaptive *p = ctx;
    double y = x[0], k = x[1], z = x[2];
    (void)t;
    dx[0] = (-z - k * y) / p->eps;
    return GT_OK;
}

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    rhs_slow(t, x, dx, ctx);
    return rhs_fast(t, x, dx + 2, ctx);
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    const adaptive *p = ctx;
    double y = x[0], k = x[1];
    const double rows[3][3] = {{p->a, 0, 1}, {2 * y, 0, 0}, {-k / p->eps, -y / p->eps, -1 / p->eps}};
    (void)t;
    return model_dense(J, rows[0]);
}

static gt_status taylor(double t, int order, double *c, void *ctx)
{
    const adaptive *p = ctx;
    (void)t;
    for (int i = 0; i < order; i++) {
        const double *now = c + 3 * i;
        double *next = c + 3 * i + 3, yy = 0, ky = 0;
        for (int j = 0; j <= i; j++) {
            yy += c[3 * j] * c[3 * (i - j)];
            ky += c[3 * j + 1] * c[3 * (i - j)];
        }
        next[0] = (p->a * now[0] + now[2]) / (i + 1);
        next[1] = yy / (i + 1);
        next[2] = (-now[2] - ky) / p->eps / (i + 1);
    }
    return GT_OK;
}

static const gt_param params[] = {REAL_PARAM("a", "plant", NULL, -1, -100, 100),
                                  REAL_PARAM("eps", "parasitic time constant", "s", 1e-6, 1e-12, 1),
                                  {0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[] = {"y", "k", "z"};
    static const double x0[] = {1, 0, 0};
    adaptive *p = gt_arena_take(arena, 1, sizeof *p);
    if (!p) return GT_NO_MEMORY;
    *p = (adaptive){.a = v[0], .eps = v[1]};
    *problem = (gt_problem){.n_slow = 2,
                            .n_fast = 1,
                            .rhs = rhs,
                            .rhs_slow = rhs_slow,
                            .rhs_fast = rhs_fast,
                            .jac = jac,
                            .taylor = taylor,
                            .t1 = 5,
                            .x0 = x0,
                            .ctx = p,
                            .names = names};
    return GT_OK;
}

const gt_model gt_model_adaptive = {.abi = GT_MODEL_ABI,
                                    .name = "adaptive",
                                    .title = "adaptive controller with a fast parasitic part",
                                    .reference = "Shi, Rojas, stabilized multirate explicit scheme, (22)",
                                    .equations = "y' = a y + z                 slow\n"
                                                 "k' = y^2                     slow\n"
                                                 "eps z' = -z - k y            fast\n"
                                                 "y(0) = 1, k(0) = z(0) = 0",
                                    .params = params,
                                    .build = build};
