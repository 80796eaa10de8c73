/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two reacting and diffusing substances on 0 < s < 1 with n inner grid points s_i = i/(n+1),
 * boundary values u = A, v = B/A. States are interleaved, u1 v1 u2 v2 .., so that the Jacobian has
 * two diagonals on each side. In C because its size n is a parameter.
 */
#include "models/model_kit.h"
#include <geartrain/author/number.h>
#include <stdio.h>

typedef struct {
    size_t n;
    double A, B, k; /* k = alpha (n+1)^2 */
    int *colptr, *rowindex;
} brusselator;

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    const brusselator *p = ctx;
    double u_left = p->A, v_left = p->B / p->A;
    (void)t;
    for (size_t i = 0; i < p->n; i++) {
        double u = x[2 * i], v = x[2 * i + 1], uuv = u * u * v;
        double u_right = i + 1 < p->n ? x[2 * i + 2] : p->A,
               v_right = i + 1 < p->n ? x[2 * i + 3] : p->B / p->A;
        dx[2 * i] = p->A + uuv - (p->B + 1) * u + p->k * (u_left - 2 * u + u_right);
        dx[2 * i + 1] = p->B * u - uuv + p->k * (v_left - 2 * v + v_right);
        u_left = u;
        v_left = v;
    }
    return GT_OK;
}

/* Columns u_i: rows u_(i-1) u_i v_i u_(i+1); columns v_i: rows v_(i-1) u_i v_i v_(i+1). */
static void make_pattern(brusselator *p)
{
    int last = (int)p->n - 1, *row = p->rowindex;
    for (int i = 0; i <= last; i++) {
        int u = 2 * i, v = u + 1;
        p->colptr[u] = (int)(row - p->rowindex);
        if (i > 0) *row++ = u - 2;
        *row++ = u;
        *row++ = v;
        if (i < last) *row++ = u + 2;
        p->colptr[v] = (int)(row - p->rowindex);
        if (i > 0) *row++ = v - 2;
        *row++ = u;
        *row++ = v;
        if (i < last) *row++ = v + 2;
    }
    p->colptr[2 * p->n] = (int)(row - p->rowindex);
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    const brusselator *p = ctx;
    double *value = J->values;
    (void)t;
    for (size_t i = 0; i < p->n; i++) {
        double u = x[2 * i], v = x[2 * i + 1];
        if (i > 0) *value++ = p->k;
        *value++ = 2 * u * v - (p->B + 1) - 2 * p->k;
        *value++ = p->B - 2 * u * v;
        if (i + 1 < p->n) *value++ = p->k;
        if (i > 0) *value++ = p->k;
        *value++ = u * u;
        *value++ = -u * u - 2 * p->k;
        if (i + 1 < p->n) *value++ = p->k;
    }
    return GT_OK;
}

static const gt_param params[] = {
    INTEGER_PARAM("n", "inner grid points; there are 2 n states", 50, 1, 1e6),
    REAL_PARAM("A", "feed", NULL, 1, 1e-6, 1e6),
    REAL_PARAM("B", "feed; B > 1 + A^2 oscillates", NULL, 3, 0, 1e6),
    REAL_PARAM("alpha", "diffusion", NULL, 0.02, 0, 1e6),
    {0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    enum { NAME_SIZE = 24 };
    size_t n = (size_t)v[0], intervals = n + 1;
    brusselator *p = gt_arena_take(arena, 1, sizeof *p);
    double *x0 = gt_arena_doubles(arena, 2 * n);
    const char **names = gt_arena_take(arena, 2 * n, sizeof *names);
    char *text = gt_arena_take(arena, 2 * n, NAME_SIZE);
    int *colptr = gt_arena_take(arena, 2 * n + 1, sizeof *colptr);
    int *rowindex = gt_arena_take(arena, 8 * n - 4, sizeof *rowindex);
    if (!p || !x0 || !names || !text || !colptr || !rowindex) return GT_NO_MEMORY;
    *p = (brusselator){.n = n, .A = v[1], .B = v[2], .colptr = colptr, .rowindex = rowindex};
    p->k = v[3] * (double)intervals * (double)intervals;
    make_pattern(p);
    for (size_t i = 0; i < 2 * n; i++) {
        size_t place = i / 2 + 1;
        x0[i] = i % 2 ? p->B / p->A : p->A + sin(2 * GT_PI * (double)place / (double)intervals);
        names[i] = text + i * NAME_SIZE;
        snprintf(text + i * NAME_SIZE, NAME_SIZE, "%c%zu", i % 2 ? 'v' : 'u', place);
    }
    *problem =
        (gt_problem){.n_slow = 2 * n,
                     .rhs = rhs,
                     .autonomous = true,
                     .jac = jac,
                     .jac_pattern = {.storage = GT_CSC, .colptr = colptr, .rowindex = rowindex},
                     .t1 = 10,
                     .x0 = x0,
                     .ctx = p,
                     .names = names};
    return GT_OK;
}

const gt_model gt_model_brusselator = {
    .abi = GT_MODEL_ABI,
    .name = "brusselator",
    .title = "Brusselator reaction with diffusion in one dimension",
    .reference = "Hairer, Wanner, Solving Ordinary Differential Equations II, IV.10 (BRUSS)",
    .equations = "u_i' = A + u_i^2 v_i - (B + 1) u_i + alpha (n+1)^2 (u_(i-1) - 2 u_i + u_(i+1))\n"
                 "v_i' = B u_i - u_i^2 v_i + alpha (n+1)^2 (v_(i-1) - 2 v_i + v_(i+1))\n"
                 "u_0 = u_(n+1) = A, v_0 = v_(n+1) = B/A\n"
                 "u_i(0) = A + sin(2 pi i/(n+1)), v_i(0) = B/A",
    .params = params,
    .build = build};
