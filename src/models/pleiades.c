/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Seven stars in a plane with masses 1 to 7; near encounters make the step change a lot. x = (x, y,
 * x', y'). In C because the pull of each pair is computed once and used with both signs: a sum over
 * j as text computes it twice.
 */
#include "models/model_kit.h"

enum { STARS = 7, N = 4 * STARS };

static double mass_of(int star) { return star + 1; }

static gt_status rhs(double t, const double *z, double *dz, void *ctx)
{
    const double *x = z, *y = z + STARS;
    double *ax = dz + 2 * STARS, *ay = dz + 3 * STARS;
    (void)t, (void)ctx;
    for (int i = 0; i < 2 * STARS; i++) dz[i] = z[2 * STARS + i];
    for (int i = 0; i < STARS; i++) ax[i] = ay[i] = 0;
    for (int i = 0; i < STARS; i++)
        for (int j = 0; j < i; j++) {
            double dx = x[j] - x[i], dy = y[j] - y[i], square = dx * dx + dy * dy;
            double pull = 1 / (square * sqrt(square));
            ax[i] += mass_of(j) * pull * dx;
            ay[i] += mass_of(j) * pull * dy;
            ax[j] -= mass_of(i) * pull * dx;
            ay[j] -= mass_of(i) * pull * dy;
        }
    return GT_OK;
}

/* The gradient of d/|d|^3 is I/|d|^3 - 3 d d^T/|d|^5. */
static gt_status jac(double t, const double *z, gt_matrix *J, void *ctx)
{
    const double *x = z, *y = z + STARS;
    double rows[N][N] = {{0}};
    (void)t, (void)ctx;
    for (int i = 0; i < 2 * STARS; i++) rows[i][2 * STARS + i] = 1;
    for (int i = 0; i < STARS; i++)
        for (int j = 0; j < STARS; j++) {
            if (i == j) continue;
            double dx = x[j] - x[i], dy = y[j] - y[i], square = dx * dx + dy * dy;
            double pull = mass_of(j) / (square * sqrt(square)), *row_x = rows[2 * STARS + i],
                   *row_y = rows[3 * STARS + i];
            double xx = pull * (1 - 3 * dx * dx / square), xy = -3 * pull * dx * dy / square;
            double yy = pull * (1 - 3 * dy * dy / square);
            row_x[j] += xx;
            row_x[i] -= xx;
            row_x[STARS + j] += xy;
            row_x[STARS + i] -= xy;
            row_y[j] += xy;
            row_y[i] -= xy;
            row_y[STARS + j] += yy;
            row_y[STARS + i] -= yy;
        }
    return model_dense(J, rows[0]);
}

static void conserved(double t, const double *z, double *out, void *ctx)
{
    const double *x = z, *y = z + STARS, *u = z + 2 * STARS, *v = z + 3 * STARS;
    (void)t, (void)ctx;
    for (int k = 0; k < 4; k++) out[k] = 0;
    for (int i = 0; i < STARS; i++) {
        double m = mass_of(i);
        out[0] += m * (u[i] * u[i] + v[i] * v[i]) / 2;
        for (int j = 0; j < i; j++) out[0] -= m * mass_of(j) / hypot(x[i] - x[j], y[i] - y[j]);
        out[1] += m * u[i];
        out[2] += m * v[i];
        out[3] += m * (x[i] * v[i] - y[i] * u[i]);
    }
}

static const gt_param params[] = {{0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[N] = {"x1", "x2", "x3", "x4", "x5", "x6", "x7", "y1", "y2", "y3",
                                         "y4", "y5", "y6", "y7", "u1", "u2", "u3", "u4", "u5", "u6",
                                         "u7", "v1", "v2", "v3", "v4", "v5", "v6", "v7"};
    static const char *const invariants[] = {"energy", "momentum x", "momentum y",
                                             "angular momentum"};
    static const double x0[N] = {3, 3, -1, -3, 2, -2,   2,    3, -3, 2, 0,     0, -4, 4,
                                 0, 0, 0,  0,  0, 1.75, -1.5, 0, 0,  0, -1.25, 1, 0,  0};
    (void)v, (void)arena;
    *problem = (gt_problem){.n_slow = N,
                            .rhs = rhs,
                            .autonomous = true,
                            .jac = jac,
                            .t1 = 3,
                            .x0 = x0,
                            .names = names,
                            .n_invariants = 4,
                            .invariant_names = invariants,
                            .invariants = conserved};
    return GT_OK;
}

const gt_model gt_model_pleiades = {
    .abi = GT_MODEL_ABI,
    .name = "pleiades",
    .title = "seven stars in a plane with near encounters, not stiff",
    .reference = "Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.10 (PLEI)",
    .equations = "x_i' = u_i,  y_i' = v_i,  i = 1..7\n"
                 "u_i' = sum over j != i of j (x_j - x_i)/r_ij^3\n"
                 "v_i' = sum over j != i of j (y_j - y_i)/r_ij^3\n"
                 "r_ij^2 = (x_i - x_j)^2 + (y_i - y_j)^2\n"
                 "x = (3, 3, -1, -3, 2, -2, 2), y = (3, -3, 2, 0, 0, -4, 4)\n"
                 "u = (0, 0, 0, 0, 0, 1.75, -1.5), v = (0, 0, 0, -1.25, 1, 0, 0) at the start",
    .params = params,
    .build = build};
