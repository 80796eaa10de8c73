/* SPDX-License-Identifier: BSD-3-Clause */
/* Air pollution: 25 reactions of 20 species, kept as a table from which both the rates and the Jacobian follow. */
#include "models/model_kit.h"

enum { N = 20, REACTIONS = 25, NONE = 0 };

/* The rate is k y_a, or k y_a y_b; species count from 1 as in the source. What a reaction uses up and sets free may
 * include the reactants or not (some species are held constant and have no equation). */
typedef struct {
    double k;
    int a, b;
    int used[2], made[4]; /* end with NONE or the array's end; twice for two */
} reaction;

static const reaction reactions[REACTIONS] = {
    {0.35, 1, NONE, {1}, {2, 3}},          /* r1 */
    {26.6, 2, 4, {2, 4}, {1}},             /* r2 */
    {1.23e4, 5, 2, {5, 2}, {6, 1}},        /* r3 */
    {8.6e-4, 7, NONE, {7}, {5, 5, 8}},     /* r4 */
    {8.2e-4, 7, NONE, {7}, {8}},           /* r5 */
    {1.5e4, 7, 6, {7, 6}, {5, 8}},         /* r6 */
    {1.3e-4, 9, NONE, {9}, {5, 8, 10}},    /* r7 */
    {2.4e4, 9, 6, {9, 6}, {11}},           /* r8 */
    {1.65e4, 11, 2, {11, 2}, {10, 1, 12}}, /* r9 */
    {9e3, 11, 1, {11, 1}, {13}},           /* r10 */
    {0.022, 13, NONE, {13}, {11, 1}},      /* r11 */
    {1.2e4, 10, 2, {10, 2}, {14, 1}},      /* r12 */
    {1.88, 14, NONE, {14}, {7, 5}},        /* r13 */
    {1.63e4, 1, 6, {1, 6}, {15}},          /* r14 */
    {4.8e6, 3, NONE, {3}, {4}},            /* r15 */
    {3.5e-4, 4, NONE, {4}, {16}},          /* r16 */
    {0.0175, 4, NONE, {4}, {3}},           /* r17 */
    {1e8, 16, NONE, {16}, {6, 6}},         /* r18 */
    {4.44e11, 16, NONE, {16}, {3}},        /* r19 */
    {1.24e3, 17, 6, {17, 6}, {5, 18}},     /* r20 */
    {2.1, 19, NONE, {19}, {2}},            /* r21 */
    {5.78, 19, NONE, {19}, {1, 3}},        /* r22 */
    {0.0474, 1, 4, {1, 4}, {19}},          /* r23 */
    {1.78e3, 19, 1, {19, 1}, {20}},        /* r24 */
    {3.12, 20, NONE, {20}, {19, 1}},       /* r25 */
};

/* Adds the reaction's effect at the given rate to the N numbers of `change`. */
static void react(const reaction *r, double rate, double *change)
{
    for (int k = 0; k < 2 && r->used[k]; k++) change[r->used[k] - 1] -= rate;
    for (int k = 0; k < 4 && r->made[k]; k++) change[r->made[k] - 1] += rate;
}

static gt_status rhs(double t, const double *y, double *dy, void *ctx)
{
    (void)t, (void)ctx;
    for (int i = 0; i < N; i++) dy[i] = 0;
    for (const reaction *r = reactions; r < reactions + REACTIONS; r++)
        react(r, r->k * y[r->a - 1] * (r->b ? y[r->b - 1] : 1), dy);
    return GT_OK;
}

/* Columns of J are contiguous. */
static gt_status jac(double t, const double *y, gt_matrix *J, void *ctx)
{
    (void)t, (void)ctx;
    for (const reaction *r = reactions; r < reactions + REACTIONS; r++) {
        react(r, r->k * (r->b ? y[r->b - 1] : 1), J->values + N * (r->a - 1));
        if (r->b) react(r, r->k * y[r->a - 1], J->values + N * (r->b - 1));
    }
    return GT_OK;
}

/* Atoms of nitrogen and of sulphur. */
static void atoms(double t, const double *y, double *out, void *ctx)
{
    (void)t, (void)ctx;
    out[0] = y[0] + y[1] + y[12] + y[14] + y[18] + 2 * y[19];
    out[1] = y[16] + y[17];
}

static const gt_param params[] = {{0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[N] = {"y1",  "y2",  "y3",  "y4",  "y5",  "y6",  "y7",  "y8",  "y9",  "y10",
                                         "y11", "y12", "y13", "y14", "y15", "y16", "y17", "y18", "y19", "y20"};
    static const char *const invariants[] = {"nitrogen", "sulphur"};
    static const double x0[N] = {[1] = 0.2, [3] = 0.04, [6] = 0.1, [7] = 0.3, [8] = 0.01, [16] = 0.007};
    (void)v, (void)arena;
    *problem = (gt_problem){.n_slow = N,
                            .rhs = rhs,
                            .jac = jac,
                            .t1 = 60,
                            .x0 = x0,
                            .names = names,
                            .n_invariants = 2,
                            .invariant_names = invariants,
                            .invariants = atoms};
    return GT_OK;
}

const gt_model gt_model_pollution = {
    .abi = GT_MODEL_ABI,
    .name = "pollution",
    .title = "air pollution, 20 species in 25 reactions",
    .reference = "Verwer, SIAM J. Sci. Comput. 15 (1994) 1243; Test Set for IVP Solvers (POLLU)",
    .equations = "y1' = -r1 - r10 - r14 - r23 - r24 + r2 + r3 + r9 + r11 + r12 + r22 + r25\n"
                 "y2' = -r2 - r3 - r9 - r12 + r1 + r21\n"
                 "y3' = -r15 + r1 + r17 + r19 + r22,  y4' = -r2 - r16 - r17 - r23 + r15\n"
                 "y5' = -r3 + 2 r4 + r6 + r7 + r13 + r20,  y6' = -r6 - r8 - r14 - r20 + r3 + 2 r18\n"
                 "y7' = -r4 - r5 - r6 + r13,  y8' = r4 + r5 + r6 + r7,  y9' = -r7 - r8\n"
                 "y10' = -r12 + r7 + r9,  y11' = -r9 - r10 + r8 + r11,  y12' = r9,  y13' = -r11 + r10\n"
                 "y14' = -r13 + r12,  y15' = r14,  y16' = -r18 - r19 + r16,  y17' = -r20,  y18' = r20\n"
                 "y19' = -r21 - r22 - r24 + r23 + r25,  y20' = -r25 + r24\n"
                 "r1 = 0.35 y1, r2 = 26.6 y2 y4, .. r25 = 3.12 y20: the table is on the model's page\n"
                 "y2 = 0.2, y4 = 0.04, y7 = 0.1, y8 = 0.3, y9 = 0.01, y17 = 0.007 at the start, the others 0",
    .params = params,
    .build = build};
