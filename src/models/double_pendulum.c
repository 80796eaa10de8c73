/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * crow Problem 11, x = (theta1, theta1', theta2, theta2'). With d = theta1 - theta2 and M = m1 + m2 the two equations,
 * divided by r1 and by m2 r2, are
 *
 *     M r1 theta1'' + m2 r2 cos(d) theta2'' = b1 = -M g sin(theta1) - m2 r2 theta2'^2 sin(d)
 *     r1 cos(d) theta1'' + r2 theta2''      = b2 = -g sin(theta2) + r1 theta1'^2 sin(d)
 *
 * and so theta1'' = (b1 - m2 cos(d) b2) / (r1 D), theta2'' = (M b2 - cos(d) b1) / (r2 D), D = M - m2 cos(d)^2.
 */
#include "models/model_kit.h"

typedef struct {
    double m2, r1, r2, g, M, x0[4];
} pendulum;

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    const pendulum *p = ctx;
    double s = sin(x[0] - x[2]), c = cos(x[0] - x[2]), D = p->M - p->m2 * c * c;
    double b1 = -p->M * p->g * sin(x[0]) - p->m2 * p->r2 * x[3] * x[3] * s;
    double b2 = -p->g * sin(x[2]) + p->r1 * x[1] * x[1] * s;
    (void)t;
    dx[0] = x[1];
    dx[1] = (b1 - p->m2 * c * b2) / (p->r1 * D);
    dx[2] = x[3];
    dx[3] = (p->M * b2 - c * b1) / (p->r2 * D);
    return GT_OK;
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    const pendulum *p = ctx;
    double s = sin(x[0] - x[2]), c = cos(x[0] - x[2]), D = p->M - p->m2 * c * c;
    double pull1 = p->r1 * x[1] * x[1], pull2 = p->m2 * p->r2 * x[3] * x[3];
    double b1 = -p->M * p->g * sin(x[0]) - pull2 * s, b2 = -p->g * sin(x[2]) + pull1 * s;
    double a1 = (b1 - p->m2 * c * b2) / (p->r1 * D), a2 = (p->M * b2 - c * b1) / (p->r2 * D);
    const double dc[4] = {-s, 0, s, 0}; /* derivatives by x[j] */
    const double db1[4] = {-p->M * p->g * cos(x[0]) - pull2 * c, 0, pull2 * c, -2 * p->m2 * p->r2 * x[3] * s};
    const double db2[4] = {pull1 * c, 2 * p->r1 * x[1] * s, -p->g * cos(x[2]) - pull1 * c, 0};
    double rows[4][4] = {{0, 1, 0, 0}, {0}, {0, 0, 0, 1}, {0}};
    (void)t;
    for (int j = 0; j < 4; j++) {
        double dD = -2 * p->m2 * c * dc[j];
        rows[1][j] = (db1[j] - p->m2 * (dc[j] * b2 + c * db2[j]) - a1 * p->r1 * dD) / (p->r1 * D);
        rows[3][j] = (p->M * db2[j] - dc[j] * b1 - c * db1[j] - a2 * p->r2 * dD) / (p->r2 * D);
    }
    return model_dense(J, rows[0]);
}

typedef double series[MODEL_MAX_ORDER + 1];

static gt_status taylor(double t, int order, double *coefficients, void *ctx)
{
    const pendulum *p = ctx;
    series x[4], d, s, c, s1, c1, s2, c2, square1, square2, b1, b2, D, top1, top2, a1, a2;
    (void)t;
    if (order > MODEL_MAX_ORDER) return GT_UNSUPPORTED;
    for (int i = 0; i < 4; i++) x[i][0] = coefficients[i];
    for (int k = 0; k < order; k++) {
        d[k] = x[0][k] - x[2][k];
        gt_series_sincos(k, d, s, c, 1);
        gt_series_sincos(k, x[0], s1, c1, 1);
        gt_series_sincos(k, x[2], s2, c2, 1);
        square1[k] = gt_series_mul(k, x[1], x[1], 1);
        square2[k] = gt_series_mul(k, x[3], x[3], 1);
        b1[k] = -p->M * p->g * s1[k] - p->m2 * p->r2 * gt_series_mul(k, square2, s, 1);
        b2[k] = -p->g * s2[k] + p->r1 * gt_series_mul(k, square1, s, 1);
        D[k] = (k == 0 ? p->M : 0) - p->m2 * gt_series_mul(k, c, c, 1);
        top1[k] = (b1[k] - p->m2 * gt_series_mul(k, c, b2, 1)) / p->r1;
        top2[k] = (p->M * b2[k] - gt_series_mul(k, c, b1, 1)) / p->r2;
        a1[k] = gt_series_div(k, top1, D, a1, 1);
        a2[k] = gt_series_div(k, top2, D, a2, 1);
        const double rates[4] = {x[1][k], a1[k], x[3][k], a2[k]};
        for (int i = 0; i < 4; i++) coefficients[4 * (k + 1) + i] = x[i][k + 1] = rates[i] / (k + 1);
    }
    return GT_OK;
}

static void energy(double t, const double *x, double *out, void *ctx)
{
    const pendulum *p = ctx;
    double v1 = p->r1 * x[1], v2 = p->r2 * x[3];
    (void)t;
    out[0] = (p->M * v1 * v1 + p->m2 * v2 * v2) / 2 + p->m2 * v1 * v2 * cos(x[0] - x[2]) -
             p->g * (p->M * p->r1 * cos(x[0]) + p->m2 * p->r2 * cos(x[2]));
}

static const gt_param params[] = {REAL_PARAM("m1", "upper mass", "kg", 10, GT_POSITIVE, 1e6),
                                  REAL_PARAM("m2", "lower mass", "kg", 10, GT_POSITIVE, 1e6),
                                  REAL_PARAM("r1", "length of the upper rod", "m", 1, 1e-6, 1e6),
                                  REAL_PARAM("r2", "length of the lower rod", "m", 0.5, 1e-6, 1e6),
                                  REAL_PARAM("g", "acceleration of gravity", "m/s^2", 10, 0, 1e6),
                                  REAL_PARAM("theta1_0", "first angle at the start, at rest", "deg", 25, -180, 180),
                                  REAL_PARAM("theta2_0", "second angle at the start, at rest", "deg", 10, -180, 180),
                                  {0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[] = {"x1", "x2", "x3", "x4"}, *const units[] = {"rad", "rad/s", "rad", "rad/s"};
    static const char *const invariants[] = {"energy"};
    const double degree = acos(-1) / 180;
    pendulum *p = gt_arena_take(arena, 1, sizeof *p);
    if (!p) return GT_NO_MEMORY;
    *p = (pendulum){.M = v[0] + v[1], .m2 = v[1], .r1 = v[2], .r2 = v[3], .g = v[4]};
    p->x0[0] = v[5] * degree;
    p->x0[2] = v[6] * degree;
    *problem = (gt_problem){.n_slow = 4,
                            .rhs = rhs,
                            .jac = jac,
                            .taylor = taylor,
                            .t1 = 10,
                            .x0 = p->x0,
                            .ctx = p,
                            .names = names,
                            .units = units,
                            .n_invariants = 1,
                            .invariant_names = invariants,
                            .invariants = energy};
    return GT_OK;
}

const gt_model gt_model_double_pendulum = {
    .abi = GT_MODEL_ABI,
    .name = "double_pendulum",
    .title = "two masses on two rods",
    .reference = "Crow, Computational Methods for Electric Power Systems, 5.9 Problem 11",
    .equations = "x1 = theta1, x2 = theta1', x3 = theta2, x4 = theta2', d = theta1 - theta2\n"
                 "(m1 + m2) r1 theta1'' + m2 r2 theta2'' cos d = -(m1 + m2) g sin theta1 - m2 r2 theta2'^2 sin d\n"
                 "r1 theta1'' cos d + r2 theta2'' = -g sin theta2 + r1 theta1'^2 sin d",
    .params = params,
    .build = build};
