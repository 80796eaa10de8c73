/* SPDX-License-Identifier: BSD-3-Clause */
/* Fields on a square or in a cube of `side` cells, 10 wide, zero flux: two states a cell, u and v
 * one after the other.
 */
#include "bench.h"
#include <math.h>
#include <stdlib.h>

enum { MOST_NEIGHBOURS = 6 };

typedef struct grid {
    bench_field field;
    int dimensions;
    size_t side, cells;
    double spread, flow,
        wave; /* coefficients of differences: of u in u', of u - u_left in u', of u in v' */
} grid;

/* Cells beside cell c, the left one first where there is one; gives how many. */
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

/* u' and v' without differences, and their derivatives by u and v. */
static void react(bench_field field, double u, double v, double f[2], double J[4])
{
    double bump = u * (1 - u) * (u - 0.1),
           slope = (1 - u) * (u - 0.1) + u * (1 - u) - u * (u - 0.1);
    double rate = field == BENCH_NERVE ? 20 : 5;
    f[0] = field == BENCH_WAVE ? v : rate * (bump - v);
    f[1] = field == BENCH_WAVE ? -0.5 * v - u * u * u : 0.5 * u - v;
    J[0] = field == BENCH_WAVE ? 0 : rate * slope;
    J[1] = field == BENCH_WAVE ? 1 : -rate;
    J[2] = field == BENCH_WAVE ? -3 * u * u : 0.5;
    J[3] = field == BENCH_WAVE ? -0.5 : -1;
}

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    (void)t;
    const grid *g = ctx;
    for (size_t c = 0; c < g->cells; c++) {
        double u = x[2 * c], sum = 0, unused[4];
        size_t stride = 1, i = c % g->side;
        for (int d = 0; d < g->dimensions; d++, stride *= g->side) {
            size_t k = d ? c / stride % g->side : i;
            if (k > 0) sum += x[2 * (c - stride)] - u;
            if (k + 1 < g->side) sum += x[2 * (c + stride)] - u;
        }
        react(g->field, u, x[2 * c + 1], dx + 2 * c, unused);
        dx[2 * c] += g->spread * sum - (i > 0 ? g->flow * (u - x[2 * c - 2]) : 0);
        dx[2 * c + 1] += g->wave * sum;
    }
    return GT_OK;
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    (void)t;
    const grid *g = ctx;
    for (size_t c = 0; c < g->cells; c++) {
        size_t list[MOST_NEIGHBOURS], count = beside(g, c, list), u = 2 * c, v = u + 1;
        double unused[2], d[4], flow = c % g->side ? g->flow : 0;
        react(g->field, x[u], x[v], unused, d);
        gt_matrix_add(J, u, u, d[0] - g->spread * (double)count - flow);
        gt_matrix_add(J, u, v, d[1]);
        gt_matrix_add(J, v, u, d[2] - g->wave * (double)count);
        gt_matrix_add(J, v, v, d[3]);
        for (size_t k = 0; k < count; k++) {
            gt_matrix_add(J, u, 2 * list[k], g->spread + (list[k] + 1 == c ? flow : 0));
            gt_matrix_add(J, v, 2 * list[k], g->wave);
        }
    }
    return GT_OK;
}

static int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

/* Column 2c: the cell itself and u, or for waves v, of the cells beside it. */
static gt_pattern pattern(const grid *g, gt_arena *arena)
{
    size_t n = 2 * g->cells;
    int *colptr = gt_arena_take(arena, n + 1, sizeof *colptr);
    int *rows = gt_arena_take(arena, (MOST_NEIGHBOURS + 4) * g->cells, sizeof *rows), at = 0;
    bench_require(colptr && rows, "out of memory for a pattern");
    for (size_t j = 0; j < n; j++) {
        size_t c = j / 2, list[MOST_NEIGHBOURS], count = j % 2 ? 0 : beside(g, c, list);
        int first = at;
        rows[at++] = (int)(2 * c);
        rows[at++] = (int)(2 * c + 1);
        for (size_t k = 0; k < count; k++)
            rows[at++] = (int)(2 * list[k]) + (g->field == BENCH_WAVE);
        qsort(rows + first, (size_t)(at - first), sizeof *rows, ascending);
        colptr[j + 1] = at;
    }
    return (gt_pattern){.storage = GT_CSC, .colptr = colptr, .rowindex = rows};
}

bench_problem bench_grid(bench_field field, int dimensions, size_t side)
{
    static const char *const names[] = {"nerve", "flow", "wave"};
    bench_problem p = {.name = names[field], .arena = gt_arena_growing()};
    grid *g = gt_arena_take(&p.arena, 1, sizeof *g);
    bench_require(g != NULL, "out of memory for a problem");
    double dx = 10 / (double)side, inverse = 1 / (dx * dx);
    *g = (grid){.field = field, .dimensions = dimensions, .side = side, .cells = side * side};
    if (dimensions == 3) g->cells *= side;
    g->spread = field == BENCH_NERVE ? 2 * inverse : field == BENCH_FLOW ? 0.02 * inverse : 0;
    g->flow = field == BENCH_FLOW ? 10 * g->spread : 0; /* 10 is the Peclet number of a cell */
    g->wave = field == BENCH_WAVE ? 100 * inverse : 0;
    double *x0 = gt_arena_doubles(&p.arena, 2 * g->cells);
    bench_require(x0 != NULL, "out of memory for a start");
    for (size_t c = 0; c < g->cells; c++) {
        double square = 0, at = 0;
        size_t stride = 1;
        for (int d = 0; d < dimensions; d++, stride *= side) {
            at = ((double)(c / stride % side) + 0.5) * dx;
            square += at * at;
        }
        x0[2 * c] = exp(-square / 4);
        x0[2 * c + 1] = field == BENCH_WAVE ? 0 : 0.1 * exp(-at / 3);
    }
    p.gt = (gt_problem){.n_slow = 2 * g->cells,
                        .rhs = rhs,
                        .jac = jac,
                        .jac_pattern = pattern(g, &p.arena),
                        .autonomous = true,
                        .t1 = 5,
                        .x0 = x0,
                        .ctx = g};
    return p;
}
