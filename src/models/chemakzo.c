/* SPDX-License-Identifier: BSD-3-Clause */
/* Chemical Akzo Nobel problem: five concentrations, and the sixth in equilibrium with two of them. */
#include "models/model_kit.h"

enum { N = 6, REACTIONS = 5 };

typedef struct {
    double k1, k2, k3, k4, K, klA, Ks, inflow; /* inflow = pCO2/H */
    double x0[N];
} process;

/* What the reactions r1..r5 make of y1..y5. */
static const double made[N - 1][REACTIONS] = {
    {-2, 1, -1, -1, 0}, {-0.5, 0, 0, -1, -0.5}, {1, -1, 1, 0, 0}, {0, -1, 1, -2, 0}, {0, 1, -1, 0, 1}};

static gt_status rhs_slow(double t, const double *y, double *dy, void *ctx)
{
    const process *p = ctx;
    (void)t;
    if (y[1] < 0) return GT_TRY_RHS; /* sqrt(y2) */
    double root = sqrt(y[1]), square = y[0] * y[0];
    const double r[REACTIONS] = {p->k1 * square * square * root, p->k2 * y[2] * y[3], p->k2 / p->K * y[0] * y[4],
                                 p->k3 * y[0] * y[3] * y[3], p->k4 * y[5] * y[5] * root};
    for (int i = 0; i < N - 1; i++) {
        dy[i] = 0;
        for (int k = 0; k < REACTIONS; k++) dy[i] += made[i][k] * r[k];
    }
    dy[1] += p->klA * (p->inflow - y[1]);
    return GT_OK;
}

static gt_status rhs_alg(double t, const double *y, double *residual, void *ctx)
{
    const process *p = ctx;
    (void)t;
    residual[0] = p->Ks * y[0] * y[3] - y[5];
    return GT_OK;
}

static gt_status rhs(double t, const double *y, double *dy, void *ctx)
{
    rhs_alg(t, y, dy + N - 1, ctx);
    return rhs_slow(t, y, dy, ctx);
}

static gt_status jac(double t, const double *y, gt_matrix *J, void *ctx)
{
    const process *p = ctx;
    (void)t;
    if (y[1] < 0) return GT_TRY_RHS;
    double root = sqrt(y[1]), cube = y[0] * y[0] * y[0], k5 = p->k2 / p->K;
    const double dr[REACTIONS][N] = {{4 * p->k1 * cube * root, p->k1 * cube * y[0] / (2 * root), 0, 0, 0, 0},
                                     {0, 0, p->k2 * y[3], p->k2 * y[2], 0, 0},
                                     {k5 * y[4], 0, 0, 0, k5 * y[0], 0},
                                     {p->k3 * y[3] * y[3], 0, 0, 2 * p->k3 * y[0] * y[3], 0, 0},
                                     {0, p->k4 * y[5] * y[5] / (2 * root), 0, 0, 0, 2 * p->k4 * y[5] * root}};
    double rows[N][N] = {[1] = {0, -p->klA}, [N - 1] = {p->Ks * y[3], 0, 0, p->Ks * y[0], 0, -1}};
    for (int i = 0; i < N - 1; i++)
        for (int k = 0; k < REACTIONS; k++)
            for (int j = 0; j < N; j++) rows[i][j] += made[i][k] * dr[k][j];
    return model_dense(J, rows[0]);
}

static const gt_param params[] = {REAL_PARAM("k1", "rate of r1", NULL, 18.7, 0, 1e6),
                                  REAL_PARAM("k2", "rate of r2; divided by K of r3", NULL, 0.58, 0, 1e6),
                                  REAL_PARAM("k3", "rate of r4", NULL, 0.09, 0, 1e6),
                                  REAL_PARAM("k4", "rate of r5", NULL, 0.42, 0, 1e6),
                                  REAL_PARAM("K", "equilibrium constant of r2 and r3", NULL, 34.4, 1e-6, 1e6),
                                  REAL_PARAM("klA", "mass transfer of carbon dioxide", NULL, 3.3, 0, 1e6),
                                  REAL_PARAM("Ks", "equilibrium constant of y6", NULL, 115.83, 0, 1e6),
                                  REAL_PARAM("pCO2", "partial pressure of carbon dioxide", NULL, 0.9, 0, 1e6),
                                  REAL_PARAM("H", "Henry constant", NULL, 737, 1e-6, 1e6),
                                  {0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[N] = {"y1", "y2", "y3", "y4", "y5", "y6"};
    process *p = gt_arena_take(arena, 1, sizeof *p);
    if (!p) return GT_NO_MEMORY;
    *p = (process){.k1 = v[0],
                   .k2 = v[1],
                   .k3 = v[2],
                   .k4 = v[3],
                   .K = v[4],
                   .klA = v[5],
                   .Ks = v[6],
                   .inflow = v[7] / v[8],
                   .x0 = {0.444, 0.00123, 0, 0.007, 0, v[6] * 0.444 * 0.007}};
    *problem = (gt_problem){.n_slow = N - 1,
                            .n_alg = 1,
                            .rhs = rhs,
                            .rhs_slow = rhs_slow,
                            .rhs_alg = rhs_alg,
                            .jac = jac,
                            .t1 = 180,
                            .x0 = p->x0,
                            .ctx = p,
                            .names = names};
    return GT_OK;
}

const gt_model gt_model_chemakzo = {
    .abi = GT_MODEL_ABI,
    .name = "chemakzo",
    .title = "Chemical Akzo Nobel problem, one algebraic row",
    .reference = "Stortelder, Parameter Estimation in Nonlinear Dynamical Systems, 1998; Test Set for IVP Solvers "
                 "(CHEMAKZO)",
    .equations = "y1' = -2 r1 + r2 - r3 - r4\n"
                 "y2' = -r1/2 - r4 - r5/2 + klA (pCO2/H - y2)\n"
                 "y3' = r1 - r2 + r3\n"
                 "y4' = -r2 + r3 - 2 r4\n"
                 "y5' = r2 - r3 + r5\n"
                 "0 = Ks y1 y4 - y6\n"
                 "r1 = k1 y1^4 sqrt(y2), r2 = k2 y3 y4, r3 = k2/K y1 y5, r4 = k3 y1 y4^2, r5 = k4 y6^2 sqrt(y2)\n"
                 "y(0) = (0.444, 0.00123, 0, 0.007, 0, Ks y1 y4)",
    .params = params,
    .build = build};
