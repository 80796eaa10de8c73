/* SPDX-License-Identifier: BSD-3-Clause */
/* High irradiance response: eight forms of phytochrome. y7 and y8 exchange one substance, so y7 + y8 stays 0.0057. */
#include "models/model_kit.h"

enum { N = 8 };

static gt_status rhs(double t, const double *y, double *dy, void *ctx)
{
    double binding = 280 * y[5] * y[7];
    (void)t, (void)ctx;
    dy[0] = -1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007;
    dy[1] = 1.71 * y[0] - 8.75 * y[1];
    dy[2] = -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4];
    dy[3] = 8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3];
    dy[4] = -1.745 * y[4] + 0.43 * y[5] + 0.43 * y[6];
    dy[5] = -binding + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] + 0.69 * y[6];
    dy[6] = binding - 1.81 * y[6];
    dy[7] = -dy[6];
    return GT_OK;
}

static gt_status jac(double t, const double *y, gt_matrix *J, void *ctx)
{
    double by6 = 280 * y[7], by8 = 280 * y[5];
    (void)t, (void)ctx;
    const double rows[N][N] = {{-1.71, 0.43, 8.32, 0, 0, 0, 0, 0},   {1.71, -8.75, 0, 0, 0, 0, 0, 0},
                               {0, 0, -10.03, 0.43, 0.035, 0, 0, 0}, {0, 8.32, 1.71, -1.12, 0, 0, 0, 0},
                               {0, 0, 0, 0, -1.745, 0.43, 0.43, 0},  {0, 0, 0, 0.69, 1.71, -0.43 - by6, 0.69, -by8},
                               {0, 0, 0, 0, 0, by6, -1.81, by8},     {0, 0, 0, 0, 0, -by6, 1.81, -by8}};
    return model_dense(J, rows[0]);
}

static void exchanged(double t, const double *y, double *out, void *ctx)
{
    (void)t, (void)ctx;
    out[0] = y[6] + y[7];
}

static const gt_param params[] = {{0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[N] = {"y1", "y2", "y3", "y4", "y5", "y6", "y7", "y8"};
    static const char *const invariants[] = {"y7 + y8"};
    static const double x0[N] = {1, 0, 0, 0, 0, 0, 0, 0.0057};
    (void)v, (void)arena;
    *problem = (gt_problem){.n_slow = N,
                            .rhs = rhs,
                            .jac = jac,
                            .t1 = 321.8122,
                            .x0 = x0,
                            .names = names,
                            .n_invariants = 1,
                            .invariant_names = invariants,
                            .invariants = exchanged};
    return GT_OK;
}

const gt_model gt_model_hires = {
    .abi = GT_MODEL_ABI,
    .name = "hires",
    .title = "high irradiance response of a plant, eight substances",
    .reference = "Schaefer, J. Math. Biol. 2 (1975) 41; Hairer, Wanner, Solving Ordinary Differential Equations II, "
                 "IV.10 (HIRES)",
    .equations = "y1' = -1.71 y1 + 0.43 y2 + 8.32 y3 + 0.0007\n"
                 "y2' = 1.71 y1 - 8.75 y2\n"
                 "y3' = -10.03 y3 + 0.43 y4 + 0.035 y5\n"
                 "y4' = 8.32 y2 + 1.71 y3 - 1.12 y4\n"
                 "y5' = -1.745 y5 + 0.43 y6 + 0.43 y7\n"
                 "y6' = -280 y6 y8 + 0.69 y4 + 1.71 y5 - 0.43 y6 + 0.69 y7\n"
                 "y7' = 280 y6 y8 - 1.81 y7\n"
                 "y8' = -y7'\n"
                 "y1(0) = 1, y8(0) = 0.0057, the others 0",
    .params = params,
    .build = build};
