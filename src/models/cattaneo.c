/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A wave of Fisher's equation where the flux w follows the gradient with a delay eps (Cattaneo's
 * law) instead of at once: reaction and diffusion with relaxation, on 0 < s < L = 10 with n cells
 * of width L/n and no flux through the ends,
 *
 *     u_t = -w_s + u (1 - u),    eps w_t = -(w + D u_s)
 *
 * The eigenvalues of a mode with wave number q solve l^2 + l/eps + D q^2/eps = 0: near -D q^2
 * (slow) and near -1/eps (fast, many, one place) as long as 4 eps D q^2 << 1. Without eps it is
 * Fisher's equation with waves of speed 2 sqrt(D). In C because its size n is a parameter.
 */
#include "models/model_kit.h"
#include <stdio.h>

static const double LENGTH = 10;

typedef struct {
    size_t n;           /* cells; n - 1 faces between them */
    double D, eps, rho; /* rho = 1 / width */
} cattaneo;

static gt_status rhs_slow(double t, const double *x, double *dx, void *ctx)
{
    const cattaneo *p = ctx;
    const double *u = x, *w = x + p->n;
    (void)t;
    for (size_t i = 0; i < p->n; i++) {
        double in = i ? w[i - 1] : 0, out = i + 1 < p->n ? w[i] : 0;
        dx[i] = (in - out) * p->rho + u[i] * (1 - u[i]);
    }
    return GT_OK;
}

static gt_status rhs_fast(double t, const double *x, double *dx, void *ctx)
{
    const cattaneo *p = ctx;
    const double *u = x, *w = x + p->n;
    (void)t;
    for (size_t i = 0; i + 1 < p->n; i++)
        dx[i] = -(w[i] + p->D * (u[i + 1] - u[i]) * p->rho) / p->eps;
    return GT_OK;
}

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    const cattaneo *p = ctx;
    rhs_slow(t, x, dx, ctx);
    return rhs_fast(t, x, dx + p->n, ctx);
}

/* Columns u_i: rows u_i, w_(i-1), w_i; columns w_i: rows u_i, u_(i+1), w_i. */
static void make_pattern(size_t n, int *colptr, int *rowindex)
{
    int *row = rowindex, last = (int)n - 1;
    for (int i = 0; i <= last; i++) {
        colptr[i] = (int)(row - rowindex);
        *row++ = i;
        if (i > 0) *row++ = (int)n + i - 1;
        if (i < last) *row++ = (int)n + i;
    }
    for (int i = 0; i < last; i++) {
        colptr[(int)n + i] = (int)(row - rowindex);
        *row++ = i;
        *row++ = i + 1;
        *row++ = (int)n + i;
    }
    colptr[2 * n - 1] = (int)(row - rowindex);
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    const cattaneo *p = ctx;
    double *value = J->values, pull = p->D * p->rho / p->eps;
    (void)t;
    for (size_t i = 0; i < p->n; i++) {
        *value++ = 1 - 2 * x[i];
        if (i > 0) *value++ = -pull;
        if (i + 1 < p->n) *value++ = pull;
    }
    for (size_t i = 0; i + 1 < p->n; i++) {
        *value++ = -p->rho;
        *value++ = p->rho;
        *value++ = -1 / p->eps;
    }
    return GT_OK;
}

static const gt_param params[] = {
    INTEGER_PARAM("n", "cells; there are 2 n - 1 states", 50, 2, 1e6),
    REAL_PARAM("eps", "relaxation time of the flux", "s", 1e-6, 1e-12, 1),
    REAL_PARAM("D", "diffusion", NULL, 0.1, 1e-9, 1e3),
    {0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    enum { NAME_SIZE = 24 };
    size_t n = (size_t)v[0], states = 2 * n - 1;
    cattaneo *p = gt_arena_take(arena, 1, sizeof *p);
    double *x0 = gt_arena_doubles(arena, states);
    const char **names = gt_arena_take(arena, states, sizeof *names);
    char *text = gt_arena_take(arena, states, NAME_SIZE);
    int *colptr = gt_arena_take(arena, states + 1, sizeof *colptr);
    int *rowindex = gt_arena_take(arena, 6 * n, sizeof *rowindex);
    if (!p || !x0 || !names || !text || !colptr || !rowindex) return GT_NO_MEMORY;
    *p = (cattaneo){.n = n, .eps = v[1], .D = v[2], .rho = (double)n / LENGTH};
    make_pattern(n, colptr, rowindex);
    for (size_t i = 0; i < states; i++) {
        double place = ((double)i + 0.5) / p->rho;
        if (i < n) x0[i] = 0.5 * (1 - tanh(2 * (place - 2)));
        names[i] = text + i * NAME_SIZE;
        snprintf(text + i * NAME_SIZE, NAME_SIZE, "%c%zu", i < n ? 'u' : 'w',
                 i < n ? i + 1 : i - n + 1);
    }
    *problem =
        (gt_problem){.n_slow = n,
                     .n_fast = n - 1,
                     .rhs = rhs,
                     .autonomous = true,
                     .rhs_slow = rhs_slow,
                     .rhs_fast = rhs_fast,
                     .jac = jac,
                     .jac_pattern = {.storage = GT_CSC, .colptr = colptr, .rowindex = rowindex},
                     .t1 = 5,
                     .x0 = x0,
                     .ctx = p,
                     .names = names};
    return GT_OK;
}

const gt_model gt_model_cattaneo = {
    .abi = GT_MODEL_ABI,
    .name = "cattaneo",
    .title = "Fisher's wave with a flux that relaxes, reaction and diffusion in one dimension",
    .reference = "Cattaneo, Atti Sem. Mat. Fis. Univ. Modena 3 (1948) 83; Fisher, Ann. Eugenics 7 "
                 "(1937) 355",
    .equations =
        "u_i' = (w_(i-1) - w_i) n/10 + u_i (1 - u_i)              slow, i = 1..n\n"
        "eps w_i' = -w_i - D (u_(i+1) - u_i) n/10                 fast, i = 1..n-1\n"
        "w_0 = w_n = 0, u_i(0) = (1 - tanh(2 s_i - 4))/2, s_i = 10 (i - 1/2)/n, w_i(0) = 0",
    .params = params,
    .build = build};
