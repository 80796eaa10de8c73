/* SPDX-License-Identifier: BSD-3-Clause */
/* Model E5: rate constants from 7.9e-10 to 1.1e9 and concentrations below 1e-20. y2 - y3 - y4 stays 0. */
#include "models/model_kit.h"

typedef struct {
    double A, B, C, MC;
} pyrolysis;

/* y3' is the difference of the two others, so that no round-off enters y2 - y3 - y4. */
static gt_status rhs(double t, const double *y, double *dy, void *ctx)
{
    const pyrolysis *p = ctx;
    double split = p->A * y[0], attack = p->B * y[0] * y[2], join = p->MC * y[1] * y[2], decay = p->C * y[3];
    (void)t;
    dy[0] = -split - attack;
    dy[1] = split - join;
    dy[3] = attack - decay;
    dy[2] = dy[1] - dy[3];
    return GT_OK;
}

static gt_status jac(double t, const double *y, gt_matrix *J, void *ctx)
{
    const pyrolysis *p = ctx;
    double attack1 = p->B * y[2], attack3 = p->B * y[0], join2 = p->MC * y[2], join3 = p->MC * y[1];
    (void)t;
    const double rows[4][4] = {{-p->A - attack1, 0, -attack3, 0},
                               {p->A, -join2, -join3, 0},
                               {p->A - attack1, -join2, -join3 - attack3, p->C},
                               {attack1, 0, attack3, -p->C}};
    return model_dense(J, rows[0]);
}

static void balance(double t, const double *y, double *out, void *ctx)
{
    (void)t, (void)ctx;
    out[0] = y[1] - y[2] - y[3];
}

static const gt_param params[] = {REAL_PARAM("A", "rate of y1 -> y2 + y3", NULL, 7.89e-10, 0, 1e12),
                                  REAL_PARAM("B", "rate of y1 + y3 -> y4", NULL, 1.1e7, 0, 1e12),
                                  REAL_PARAM("C", "rate of y4 -> y3", NULL, 1.13e3, 0, 1e12),
                                  REAL_PARAM("M", "rate of y2 + y3 -> products, divided by C", NULL, 1e6, 0, 1e12),
                                  {0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[] = {"y1", "y2", "y3", "y4"}, *const invariants[] = {"y2 - y3 - y4"};
    static const double x0[] = {1.76e-3, 0, 0, 0};
    pyrolysis *p = gt_arena_take(arena, 1, sizeof *p);
    if (!p) return GT_NO_MEMORY;
    *p = (pyrolysis){.A = v[0], .B = v[1], .C = v[2], .MC = v[3] * v[2]};
    *problem = (gt_problem){.n_slow = 4,
                            .rhs = rhs,
                            .jac = jac,
                            .t1 = 1e13,
                            .x0 = x0,
                            .typical = 1e-15,
                            .ctx = p,
                            .names = names,
                            .n_invariants = 1,
                            .invariant_names = invariants,
                            .invariants = balance};
    return GT_OK;
}

const gt_model gt_model_e5 = {
    .abi = GT_MODEL_ABI,
    .name = "e5",
    .title = "chemical pyrolysis E5, very stiff, tiny values",
    .reference = "Enright, Hull, in: Lapidus, Schiesser (eds.), Numerical Methods for Differential Systems, 1976, "
                 "p. 45; Hairer, Wanner, Solving Ordinary Differential Equations II, IV.10 (E5)",
    .equations = "y1' = -A y1 - B y1 y3\n"
                 "y2' = A y1 - M C y2 y3\n"
                 "y3' = A y1 - B y1 y3 - M C y2 y3 + C y4\n"
                 "y4' = B y1 y3 - C y4\n"
                 "y1(0) = 0.00176, the others 0",
    .params = params,
    .build = build};
