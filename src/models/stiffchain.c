/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A chain of inverters through which a pulse travels. Output i loads a capacitor and is pulled down
 * by a transistor whose gate follows the output before it through a small resistance and
 * capacitance, which is the fast part:
 *
 *     v_i' = U_op - v_i - Gamma g(w_i, v_i)       eps w_i' = v_(i-1) - w_i
 *     g(u, v) = max(u - 1, 0)^2 - max(u - v - 1, 0)^2
 *
 * Without the gates (w_i = v_(i-1)) it is the chain of Bartel, Guenther, Kvaerno (2002). Only where
 * the pulse is does anything move. Slow eigenvalues reach -1 - 2 Gamma (U_op - 1). In C because its
 * size n is a parameter.
 */
#include "models/model_kit.h"
#include <stdio.h>

static const double SUPPLY = 5, THRESHOLD = 1;

typedef struct {
    size_t n;
    double Gamma, eps;
} chain;

/* The pulse at the input. */
static const double corners[] = {5, 10, 15, 17};

static double input(double t)
{
    if (t < corners[0] || t >= corners[3]) return 0;
    if (t < corners[1]) return t - corners[0];
    return t < corners[2] ? 5 : 5 * (corners[3] - t) / 2;
}

static double above(double u) { return u > 0 ? u : 0; }

static gt_status rhs_slow(double t, const double *x, double *dx, void *ctx)
{
    const chain *p = ctx;
    const double *v = x, *w = x + p->n;
    (void)t;
    for (size_t i = 0; i < p->n; i++) {
        double open = above(w[i] - THRESHOLD), back = above(w[i] - v[i] - THRESHOLD);
        dx[i] = SUPPLY - v[i] - p->Gamma * (open * open - back * back);
    }
    return GT_OK;
}

static gt_status rhs_fast(double t, const double *x, double *dx, void *ctx)
{
    const chain *p = ctx;
    const double *v = x, *w = x + p->n;
    for (size_t i = 0; i < p->n; i++) dx[i] = ((i ? v[i - 1] : input(t)) - w[i]) / p->eps;
    return GT_OK;
}

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    const chain *p = ctx;
    rhs_slow(t, x, dx, ctx);
    return rhs_fast(t, x, dx + p->n, ctx);
}

/* Columns v_i: rows v_i, w_(i+1); columns w_i: rows v_i, w_i. */
static void make_pattern(size_t n, int *colptr, int *rowindex)
{
    int *row = rowindex, size = (int)n;
    for (int i = 0; i < size; i++) {
        colptr[i] = (int)(row - rowindex);
        *row++ = i;
        if (i + 1 < size) *row++ = size + i + 1;
    }
    for (int i = 0; i < size; i++) {
        colptr[size + i] = (int)(row - rowindex);
        *row++ = i;
        *row++ = size + i;
    }
    colptr[2 * size] = (int)(row - rowindex);
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    const chain *p = ctx;
    const double *v = x, *w = x + p->n;
    double *value = J->values;
    (void)t;
    for (size_t i = 0; i < p->n; i++) {
        *value++ = -1 - 2 * p->Gamma * above(w[i] - v[i] - THRESHOLD);
        if (i + 1 < p->n) *value++ = 1 / p->eps;
    }
    for (size_t i = 0; i < p->n; i++) {
        *value++ = -2 * p->Gamma * (above(w[i] - THRESHOLD) - above(w[i] - v[i] - THRESHOLD));
        *value++ = -1 / p->eps;
    }
    return GT_OK;
}

static const gt_param params[] = {
    INTEGER_PARAM("n", "inverters; there are 2 n states", 10, 1, 1e6),
    REAL_PARAM("eps", "time constant of a gate", "s", 1e-6, 1e-12, 1),
    REAL_PARAM("Gamma", "strength of a transistor", NULL, 100, 1, 1e6),
    {0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    enum { NAME_SIZE = 24 };
    size_t n = (size_t)v[0];
    chain *p = gt_arena_take(arena, 1, sizeof *p);
    double *x0 = gt_arena_doubles(arena, 2 * n);
    const char **names = gt_arena_take(arena, 2 * n, sizeof *names);
    char *text = gt_arena_take(arena, 2 * n, NAME_SIZE);
    int *colptr = gt_arena_take(arena, 2 * n + 1, sizeof *colptr);
    int *rowindex = gt_arena_take(arena, 4 * n, sizeof *rowindex);
    if (!p || !x0 || !names || !text || !colptr || !rowindex) return GT_NO_MEMORY;
    *p = (chain){.n = n, .eps = v[1], .Gamma = v[2]};
    make_pattern(n, colptr, rowindex);
    /* At rest high and low take turns; low is the root of U_op - v = Gamma ((U_op-1)^2 -
     * (U_op-1-v)^2). */
    double half = SUPPLY - THRESHOLD + 0.5 / p->Gamma,
           low = half - sqrt(half * half - SUPPLY / p->Gamma);
    for (size_t i = 0; i < n; i++) {
        x0[i] = i % 2 ? low : SUPPLY;
        x0[n + i] = i ? x0[i - 1] : 0;
    }
    for (size_t i = 0; i < 2 * n; i++) {
        names[i] = text + i * NAME_SIZE;
        snprintf(text + i * NAME_SIZE, NAME_SIZE, "%c%zu", i < n ? 'v' : 'w', i % n + 1);
    }
    *problem =
        (gt_problem){.n_slow = n,
                     .n_fast = n,
                     .rhs = rhs,
                     .rhs_slow = rhs_slow,
                     .rhs_fast = rhs_fast,
                     .jac = jac,
                     .jac_pattern = {.storage = GT_CSC, .colptr = colptr, .rowindex = rowindex},
                     .n_breaks = 4,
                     .breaks = corners,
                     .t1 = 25,
                     .x0 = x0,
                     .ctx = p,
                     .names = names};
    return GT_OK;
}

const gt_model gt_model_stiffchain = {
    .abi = GT_MODEL_ABI,
    .name = "stiffchain",
    .title = "chain of inverters with fast gates",
    .reference = "after Bartel, Guenther, Kvaerno, Multirate methods in electrical circuit "
                 "simulation (2002)",
    .equations = "v_i' = 5 - v_i - Gamma g(w_i, v_i)                           slow, i = 1..n\n"
                 "eps w_i' = v_(i-1) - w_i                                     fast, i = 1..n\n"
                 "g(u, v) = max(u-1,0)^2 - max(u-v-1,0)^2\n"
                 "v_0(t): 0 to t = 5, rises to 5 at 10, falls from 15 to 0 at 17; starts at rest",
    .params = params,
    .build = build};
