/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The heat equation on a rod, ends at zero, by central differences on n inner points s_i = i/(n+1).
 * sin(m pi s) on the grid is an eigenvector with eigenvalue -4 k sin(m pi/(2(n+1)))^2, k =
 * diffusivity (n+1)^2, so that the semi-discrete system has a closed solution. In C because its
 * size n, and how the Jacobian is stored, are parameters.
 */
#include "models/model_kit.h"
#include <geartrain/author/number.h>

typedef struct {
    size_t n;
    double k;
    double mode, rate1, rate_mode; /* the higher mode, and how fast both decay */
} heat;

/* One pass over x, one over dx: nothing but additions and a product, so that it runs at the speed
 * of memory. */
static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    const heat *p = ctx;
    const double k = p->k;
    const size_t last = p->n - 1;
    (void)t;
    if (last == 0) {
        dx[0] = k * (-2 * x[0]);
        return GT_OK;
    }
    dx[0] = k * (-2 * x[0] + x[1]);
    for (size_t i = 1; i < last; i++) dx[i] = k * (x[i - 1] - 2 * x[i] + x[i + 1]);
    dx[last] = k * (x[last - 1] - 2 * x[last]);
    return GT_OK;
}

/* Column j holds rows j-1, j, j+1; a band stores the two missing corners too. */
static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    const heat *p = ctx;
    double *value = J->values;
    int corners = J->pattern.storage == GT_BANDED && p->n > 1;
    (void)t, (void)x;
    for (size_t j = 0; j < p->n; j++) {
        if (j > 0 || corners) *value++ = j > 0 ? p->k : 0;
        *value++ = -2 * p->k;
        if (j + 1 < p->n || corners) *value++ = j + 1 < p->n ? p->k : 0;
    }
    return GT_OK;
}

static gt_status taylor(double t, int order, double *c, void *ctx)
{
    return model_taylor_linear(rhs, t, ((const heat *)ctx)->n, order, c, ctx);
}

static void exact(double t, double *x, void *ctx)
{
    const heat *p = ctx;
    double step = GT_PI / (double)(p->n + 1), low = exp(-p->rate1 * t),
           high = exp(-p->rate_mode * t) / 2;
    for (size_t i = 0; i < p->n; i++) {
        double angle = (double)(i + 1) * step;
        x[i] = low * sin(angle) + high * sin(p->mode * angle);
    }
}

static gt_status make_pattern(size_t n, gt_pattern *pattern, gt_arena *arena)
{
    int *colptr = gt_arena_take(arena, n + 1, sizeof *colptr),
        *row = gt_arena_take(arena, 3 * n - 2, sizeof *row);
    if (!colptr || !row) return GT_NO_MEMORY;
    *pattern = (gt_pattern){.storage = GT_CSC, .colptr = colptr, .rowindex = row};
    int entries = 0, size = (int)n;
    for (int j = 0; j < size; j++) {
        colptr[j] = entries;
        for (int i = j > 0 ? j - 1 : 0; i <= j + 1 && i < size; i++) row[entries++] = i;
    }
    colptr[n] = entries;
    return GT_OK;
}

static double decay(double k, double mode, size_t n)
{
    double half = sin(mode * GT_PI / (2 * (double)(n + 1)));
    return 4 * k * half * half;
}

enum { CSC, BANDED };
static const char *const storages[] = {[CSC] = "csc", [BANDED] = "banded", NULL};
static const gt_param params[] = {
    INTEGER_PARAM("n", "inner grid points", 50, 1, 1e7),
    REAL_PARAM("diffusivity", "how fast heat spreads", NULL, 1, 0, 1e6),
    INTEGER_PARAM("mode", "half waves of the second sine of the start", 5, 1, 1e6),
    CHOICE_PARAM("storage", "storage of the Jacobian", CSC, storages),
    {0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    size_t n = (size_t)v[0];
    heat *p = gt_arena_take(arena, 1, sizeof *p);
    double *x0 = gt_arena_doubles(arena, n);
    gt_pattern pattern = {.storage = GT_BANDED, .lower = n > 1, .upper = n > 1};
    if (!p || !x0) return GT_NO_MEMORY;
    if ((int)v[3] == CSC && make_pattern(n, &pattern, arena)) return GT_NO_MEMORY;
    *p = (heat){.n = n, .k = v[1] * (double)(n + 1) * (double)(n + 1), .mode = v[2]};
    p->rate1 = decay(p->k, 1, n);
    p->rate_mode = decay(p->k, p->mode, n);
    exact(0, x0, p);
    *problem = (gt_problem){.n_slow = n,
                            .rhs = rhs,
                            .jac = jac,
                            .jac_pattern = pattern,
                            .taylor = taylor,
                            .linear = true,
                            .autonomous = true,
                            .t1 = 0.1,
                            .x0 = x0,
                            .ctx = p,
                            .exact = exact};
    return GT_OK;
}

const gt_model gt_model_heat = {
    .abi = GT_MODEL_ABI,
    .name = "heat",
    .title = "heat equation on a rod by central differences",
    .reference = "method of lines; closed solution of the semi-discrete system",
    .equations = "x_i' = diffusivity (n+1)^2 (x_(i-1) - 2 x_i + x_(i+1)), i = 1..n\n"
                 "x_0 = x_(n+1) = 0\n"
                 "x_i(0) = sin(pi s_i) + sin(mode pi s_i)/2, s_i = i/(n+1)",
    .params = params,
    .build = build};
