/* SPDX-License-Identifier: BSD-3-Clause */
/* shome, Figure 2 (A): a quarter of the chassis on one spring, suspension and tyre in series, and one damper. */
#include "models/model_kit.h"

typedef struct {
    double A[2][2], x0[2];
} quarter;

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    const quarter *p = ctx;
    (void)t;
    dx[0] = x[1];
    dx[1] = p->A[1][0] * x[0] + p->A[1][1] * x[1];
    return GT_OK;
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    const quarter *p = ctx;
    (void)t, (void)x;
    return model_dense(J, p->A[0]);
}

static gt_status taylor(double t, int order, double *c, void *ctx)
{
    return model_taylor_linear(rhs, t, 2, order, c, ctx);
}

static void exact(double t, double *x, void *ctx)
{
    const quarter *p = ctx;
    double decay = -p->A[1][1] / 2, square = -p->A[1][0] - decay * decay; /* of the frequency */
    if (square <= 0) {
        model_flow2(p->A, t, p->x0, x);
        return;
    }
    double omega = sqrt(square), c = cos(omega * t), s = sin(omega * t) / omega, size = exp(-decay * t);
    const double *y = p->x0;
    x[0] = size * (y[0] * c + (y[1] + decay * y[0]) * s);
    x[1] = size * (y[1] * c + (p->A[1][0] * y[0] - decay * y[1]) * s);
}

static const gt_param params[] = {REAL_PARAM("M", "mass of half the vehicle", "kg", 1043.26, GT_POSITIVE, 1e9),
                                  REAL_PARAM("Ks", "stiffness of the suspension", "N/m", 40400, GT_POSITIVE, 1e12),
                                  REAL_PARAM("Cs", "damping of the suspension", "N s/m", 14500, 0, 1e9),
                                  REAL_PARAM("kt", "stiffness of the tyre", "N/m", 2e5, GT_POSITIVE, 1e12),
                                  REAL_PARAM("y0", "height at the start, from rest", "m", 0.1, -10, 10),
                                  {0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[] = {"y", "v"}, *const units[] = {"m", "m/s"};
    double m = v[0] / 2, K = v[1] * v[3] / (v[1] + v[3]);
    quarter *p = gt_arena_take(arena, 1, sizeof *p);
    if (!p) return GT_NO_MEMORY;
    *p = (quarter){.A = {{0, 1}, {-K / m, -v[2] / m}}, .x0 = {v[4], 0}};
    *problem = (gt_problem){.n_slow = 2,
                            .rhs = rhs,
                            .jac = jac,
                            .taylor = taylor,
                            .t1 = 50,
                            .x0 = p->x0,
                            .ctx = p,
                            .names = names,
                            .units = units,
                            .exact = exact};
    return GT_OK;
}

const gt_model gt_model_quartercar_a = {.abi = GT_MODEL_ABI,
                                        .name = "quartercar_a",
                                        .title = "quarter car A: chassis on one spring and one damper",
                                        .reference = "Shome, Haug, Jay, Mech. Based Des. Struct. 32 (2004), Figure 2",
                                        .equations = "(M/2) y'' = -K y - Cs y',  K = Ks kt/(Ks + kt)\n"
                                                     "y(0) = y0, v(0) = 0; y counts from equilibrium",
                                        .params = params,
                                        .build = build};
