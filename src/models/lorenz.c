/* SPDX-License-Identifier: BSD-3-Clause */
/* crow Problem 7. With beta = 4 the two equilibria are stable (they lose stability at rho = 34): the chaos is
 * transient. */
#include "models/model_kit.h"

typedef struct {
    double sigma, rho, beta;
} lorenz;

static gt_status rhs(double t, const double *s, double *ds, void *ctx)
{
    const lorenz *p = ctx;
    double x = s[0], y = s[1], z = s[2];
    (void)t;
    ds[0] = p->sigma * (y - x);
    ds[1] = p->rho * x - y - x * z;
    ds[2] = x * y - p->beta * z;
    return GT_OK;
}

static gt_status jac(double t, const double *s, gt_matrix *J, void *ctx)
{
    const lorenz *p = ctx;
    double x = s[0], y = s[1], z = s[2];
    (void)t;
    const double rows[3][3] = {{-p->sigma, p->sigma, 0}, {p->rho - z, -1, -x}, {y, x, -p->beta}};
    return model_dense(J, rows[0]);
}

static gt_status taylor(double t, int order, double *c, void *ctx)
{
    const lorenz *p = ctx;
    const double *x = c, *y = c + 1, *z = c + 2;
    (void)t;
    for (int k = 0; k < order; k++) {
        const double *now = c + 3 * k;
        double *next = c + 3 * (k + 1);
        next[0] = p->sigma * (now[1] - now[0]) / (k + 1);
        next[1] = (p->rho * now[0] - now[1] - gt_series_mul(k, x, z, 3)) / (k + 1);
        next[2] = (gt_series_mul(k, x, y, 3) - p->beta * now[2]) / (k + 1);
    }
    return GT_OK;
}

static const gt_param params[] = {REAL_PARAM("sigma", "Prandtl number", NULL, 10, 0, 1e6),
                                  REAL_PARAM("rho", "Rayleigh number over its critical value", NULL, 28, -1e6, 1e6),
                                  REAL_PARAM("beta", "shape of the convection cell", NULL, 4, 0, 1e6),
                                  {0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[] = {"x", "y", "z"};
    static const double x0[] = {20, 20, 20};
    lorenz *p = gt_arena_take(arena, 1, sizeof *p);
    if (!p) return GT_NO_MEMORY;
    *p = (lorenz){.sigma = v[0], .rho = v[1], .beta = v[2]};
    *problem = (gt_problem){
        .n_slow = 3, .rhs = rhs, .jac = jac, .taylor = taylor, .t1 = 10, .x0 = x0, .ctx = p, .names = names};
    return GT_OK;
}

const gt_model gt_model_lorenz = {.abi = GT_MODEL_ABI,
                                  .name = "lorenz",
                                  .title = "Lorenz equations",
                                  .reference = "Crow, Computational Methods for Electric Power Systems, 5.9 Problem 7; "
                                               "E. N. Lorenz, J. Atmos. Sci. 20 (1963) 130",
                                  .equations = "x' = sigma (y - x)\n"
                                               "y' = rho x - y - x z\n"
                                               "z' = x y - beta z\n"
                                               "x(0) = y(0) = z(0) = 20",
                                  .params = params,
                                  .build = build};
