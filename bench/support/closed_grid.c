/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An index-1 DAE on a square or in a cube of `side` cells, 10 wide, zero flux: a field p of its own
 * for a diffusing u,
 *
 *     u' = 0.5 lap u + 5 u (1 - u) - p u,     0 = 0.5 lap p - p + u^2
 *
 * all u, then all p, with p consistent at the start.
 */
#include "bench.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NEIGHBOURS = 6 };

typedef struct grid {
    int dimensions;
    size_t side, cells;
    double spread;
} grid;

static size_t beside(const grid *g, size_t c, size_t list[MOST_NEIGHBOURS])
{
    size_t count = 0, stride = 1;
    for (int d = 0; d < g->dimensions; d++, stride *= g->side) {
        size_t i = c / stride % g->side;
        if (i > 0) list[count++] = c - stride;
        if (i + 1 < g->side) list[count++] = c + stride;
    }
    return count;
}

static double laplacian(const grid *g, const double *x, size_t c)
{
    double sum = 0;
    size_t stride = 1;
    for (int d = 0; d < g->dimensions; d++, stride *= g->side) {
        size_t i = c / stride % g->side;
        if (i > 0) sum += x[c - stride] - x[c];
        if (i + 1 < g->side) sum += x[c + stride] - x[c];
    }
    return g->spread * sum;
}

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    (void)t;
    const grid *g = ctx;
    const double *p = x + g->cells;
    for (size_t c = 0; c < g->cells; c++) {
        dx[c] = laplacian(g, x, c) + 5 * x[c] * (1 - x[c]) - p[c] * x[c];
        dx[g->cells + c] = laplacian(g, p, c) - p[c] + x[c] * x[c];
    }
    return GT_OK;
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    (void)t;
    const grid *g = ctx;
    for (size_t c = 0; c < g->cells; c++) {
        size_t list[MOST_NEIGHBOURS], count = beside(g, c, list), p = g->cells + c;
        double own = g->spread * (double)count;
        gt_matrix_add(J, c, c, 5 - 10 * x[c] - x[p] - own);
        gt_matrix_add(J, c, p, -x[c]);
        gt_matrix_add(J, p, c, 2 * x[c]);
        gt_matrix_add(J, p, p, -1 - own);
        for (size_t k = 0; k < count; k++) {
            gt_matrix_add(J, c, list[k], g->spread);
            gt_matrix_add(J, p, g->cells + list[k], g->spread);
        }
    }
    return GT_OK;
}

static int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static gt_pattern pattern(const grid *g, gt_arena *arena)
{
    size_t n = 2 * g->cells;
    int *colptr = gt_arena_take(arena, n + 1, sizeof *colptr);
    int *rows = gt_arena_take(arena, (MOST_NEIGHBOURS + 2) * n, sizeof *rows), at = 0;
    bench_require(colptr && rows, "out of memory for a pattern");
    for (size_t j = 0; j < n; j++) {
        size_t c = j % g->cells, block = j - c, list[MOST_NEIGHBOURS], count = beside(g, c, list);
        int first = at;
        rows[at++] = (int)c;
        rows[at++] = (int)(g->cells + c);
        for (size_t k = 0; k < count; k++) rows[at++] = (int)(block + list[k]);
        qsort(rows + first, (size_t)(at - first), sizeof *rows, ascending);
        colptr[j + 1] = at;
    }
    return (gt_pattern){.storage = GT_CSC, .colptr = colptr, .rowindex = rows};
}

/* p - 0.5 lap p = u^2 by conjugate gradients. */
static void make_consistent(const grid *g, const double *u, double *p)
{
    size_t n = g->cells;
    double *r = calloc(3 * n, sizeof *r), *d = r + n, *Ad = d + n, size = 0, first;
    bench_require(r != NULL, "out of memory for a start");
    for (size_t c = 0; c < n; c++) {
        r[c] = d[c] = u[c] * u[c];
        p[c] = 0;
        size += r[c] * r[c];
    }
    first = size;
    while (size > 1e-28 * first) {
        double along = 0, before = size;
        for (size_t c = 0; c < n; c++) {
            Ad[c] = d[c] - laplacian(g, d, c);
            along += d[c] * Ad[c];
        }
        size = 0;
        for (size_t c = 0; c < n; c++) {
            p[c] += before / along * d[c];
            r[c] -= before / along * Ad[c];
            size += r[c] * r[c];
        }
        for (size_t c = 0; c < n; c++) d[c] = r[c] + size / before * d[c];
    }
    free(r);
}

bench_problem bench_closed_grid(int dimensions, size_t side)
{
    bench_problem p = {.name = "closed", .arena = gt_arena_growing()};
    grid *g = gt_arena_take(&p.arena, 1, sizeof *g);
    bench_require(g != NULL, "out of memory for a problem");
    double dx = 10 / (double)side;
    *g = (grid){
        .dimensions = dimensions, .side = side, .cells = side * side, .spread = 0.5 / (dx * dx)};
    if (dimensions == 3) g->cells *= side;
    double *x0 = gt_arena_doubles(&p.arena, 2 * g->cells);
    bench_require(x0 != NULL, "out of memory for a start");
    for (size_t c = 0; c < g->cells; c++) {
        double square = 0;
        size_t stride = 1;
        for (int d = 0; d < dimensions; d++, stride *= side) {
            double at = ((double)(c / stride % side) + 0.5) * dx;
            square += at * at;
        }
        x0[c] = exp(-square / 4);
    }
    make_consistent(g, x0, x0 + g->cells);
    p.gt = (gt_problem){.n_slow = g->cells,
                        .n_alg = g->cells,
                        .rhs = rhs,
                        .jac = jac,
                        .jac_pattern = pattern(g, &p.arena),
                        .autonomous = true,
                        .t1 = 1,
                        .x0 = x0,
                        .ctx = g};
    return p;
}
