/* SPDX-License-Identifier: BSD-3-Clause */
#include "implicit/product.h"
#include "linalg/column.h"
#include "problem/vectors.h"
#include <assert.h>

enum { LEAST_RANGES = 4 }; /* that are worth two passes */

size_t gt_pattern_reach(const gt_pattern *pattern, size_t n)
{
    size_t most = 0;
    for (size_t j = 0; j < n; j++) {
        gt_column c = gt_column_of(pattern, n, j);
        if (!c.count) continue;
        size_t first = gt_column_row(&c, 0), last = gt_column_row(&c, c.count - 1);
        if (first < j && j - first > most) most = j - first;
        if (last > j && last - j > most) most = last - j;
    }
    return most;
}

typedef struct product {
    const gt_matrix *A;
    const double *x;
    double *y;
    size_t range, odd;
} product;

static void add_columns(const product *p, size_t from, size_t to)
{
    const int *colptr = p->A->pattern.colptr, *rowindex = p->A->pattern.rowindex;
    const double *values = p->A->values;
    for (size_t j = from; j < to; j++)
        for (int k = colptr[j]; k < colptr[j + 1]; k++) p->y[rowindex[k]] += values[k] * p->x[j];
}

static void one_of_two(size_t i, void *work)
{
    const product *p = work;
    size_t n = p->A->n, from = (2 * i + p->odd) * p->range;
    add_columns(p, from, n - from < p->range ? n : from + p->range);
}

void gt_multiply_many(const gt_problem *p, const gt_matrix *A, size_t reach, const double *x,
                      double *y)
{
    assert(p && A && x && y);
    size_t n = A->n, range = 2 * reach > GT_CHUNK ? 2 * reach : GT_CHUNK;
    if (A->pattern.storage != GT_CSC || n / range < LEAST_RANGES) {
        gt_matrix_multiply(A, x, 0, y);
        return;
    }
    size_t ranges = (n + range - 1) / range;
    gt_clear(p, n, y);
    for (size_t odd = 0; odd < 2; odd++) {
        product of = {A, x, y, range, odd};
        gt_share_parts(p, n, (ranges + 1 - odd) / 2, one_of_two, &of);
    }
}
