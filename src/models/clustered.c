/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One slow variable that drives many fast ones and feels their mean. The fast eigenvalues lie at
 * -l_i/eps, all at one place (spread = 1) or log-spaced over a factor `spread`. The Jacobian is an
 * arrow: a row, a column, the diagonal. In C because its size m is a parameter.
 */
#include "models/model_kit.h"
#include <stdio.h>

typedef struct {
    size_t m;
    double *rate, *shift; /* l_i/eps and 0.1 cos i */
} clustered;

static gt_status rhs_slow(double t, const double *x, double *dx, void *ctx)
{
    const clustered *p = ctx;
    double sum = 0;
    (void)t;
    for (size_t i = 0; i < p->m; i++) sum += x[1 + i];
    dx[0] = -x[0] + 0.5 * sum / (double)p->m;
    return GT_OK;
}

static gt_status rhs_fast(double t, const double *x, double *dx, void *ctx)
{
    const clustered *p = ctx;
    (void)t;
    for (size_t i = 0; i < p->m; i++) dx[i] = -p->rate[i] * (x[1 + i] - sin(x[0] + p->shift[i]));
    return GT_OK;
}

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    rhs_slow(t, x, dx, ctx);
    return rhs_fast(t, x, dx + 1, ctx);
}

/* Column 0 is full; column 1 + i has row 0 and its diagonal. */
static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    const clustered *p = ctx;
    double *value = J->values;
    (void)t;
    *value++ = -1;
    for (size_t i = 0; i < p->m; i++) *value++ = p->rate[i] * cos(x[0] + p->shift[i]);
    for (size_t i = 0; i < p->m; i++) {
        *value++ = 0.5 / (double)p->m;
        *value++ = -p->rate[i];
    }
    return GT_OK;
}

static void make_pattern(size_t m, int *colptr, int *rowindex)
{
    int *row = rowindex;
    for (int i = 0; i <= (int)m; i++) *row++ = i;
    for (int i = 1; i <= (int)m; i++) {
        colptr[i] = (int)(row - rowindex);
        *row++ = 0;
        *row++ = i;
    }
    colptr[m + 1] = (int)(row - rowindex);
}

static const gt_param params[] = {
    INTEGER_PARAM("m", "fast variables", 20, 1, 1e6),
    REAL_PARAM("eps", "time constant of the first of them", "s", 1e-6, 1e-12, 1),
    REAL_PARAM("spread", "rate of the last over that of the first", NULL, 1, 1e-6, 1e6),
    {0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    enum { NAME_SIZE = 24 };
    size_t m = (size_t)v[0];
    double eps = v[1], spread = v[2];
    clustered *p = gt_arena_take(arena, 1, sizeof *p);
    double *rate = gt_arena_doubles(arena, m), *shift = gt_arena_doubles(arena, m);
    double *x0 = gt_arena_doubles(arena, m + 1);
    const char **names = gt_arena_take(arena, m + 1, sizeof *names);
    char *text = gt_arena_take(arena, m, NAME_SIZE);
    int *colptr = gt_arena_take(arena, m + 2, sizeof *colptr);
    int *rowindex = gt_arena_take(arena, 3 * m + 1, sizeof *rowindex);
    if (!p || !rate || !shift || !x0 || !names || !text || !colptr || !rowindex)
        return GT_NO_MEMORY;
    *p = (clustered){.m = m, .rate = rate, .shift = shift};
    make_pattern(m, colptr, rowindex);
    names[0] = "x";
    x0[0] = 1;
    for (size_t i = 0; i < m; i++) {
        rate[i] = pow(spread, m > 1 ? (double)i / (double)(m - 1) : 0) / eps;
        shift[i] = 0.1 * cos((double)i);
        names[1 + i] = text + i * NAME_SIZE;
        snprintf(text + i * NAME_SIZE, NAME_SIZE, "z%zu", i);
    }
    *problem =
        (gt_problem){.n_slow = 1,
                     .n_fast = m,
                     .rhs = rhs,
                     .autonomous = true,
                     .rhs_slow = rhs_slow,
                     .rhs_fast = rhs_fast,
                     .jac = jac,
                     .jac_pattern = {.storage = GT_CSC, .colptr = colptr, .rowindex = rowindex},
                     .t1 = 2,
                     .x0 = x0,
                     .ctx = p,
                     .names = names};
    return GT_OK;
}

const gt_model gt_model_clustered = {
    .abi = GT_MODEL_ABI,
    .name = "clustered",
    .title = "one slow variable and a cluster of fast ones",
    .reference = "after Shi, Rojas; Gear, Kevrekidis, SIAM J. Sci. Comput. 24 (2003)",
    .equations = "x' = -x + 0.5 mean(z)                           slow\n"
                 "z_i' = -(l_i/eps) (z_i - sin(x + 0.1 cos i))    fast, i = 0..m-1\n"
                 "l_i = spread^(i/(m-1)), x(0) = 1, z_i(0) = 0",
    .params = params,
    .build = build};
