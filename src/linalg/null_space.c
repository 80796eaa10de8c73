/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The null space of a small dense matrix by Gaussian elimination with complete pivoting, which
 * reveals the rank in practice and, unlike the singular value decomposition, tends to give vectors
 * with whole-number ratios where the matrix has such dependences ("y1 + y2 + y3").
 */
#include "linalg/null_space.h"
#include "linalg/column.h"
#include <assert.h>
#include <math.h>
#include <string.h>

void gt_matrix_to_dense(const gt_matrix *matrix, bool transposed, double *dense)
{
    assert(matrix && dense);
    size_t n = matrix->n;
    memset(dense, 0, n * n * sizeof *dense);
    for (size_t j = 0; j < n; j++) {
        gt_column c = gt_column_of(&matrix->pattern, n, j);
        for (size_t k = 0; k < c.count; k++) {
            size_t i = gt_column_row(&c, k);
            dense[transposed ? i * n + j : j * n + i] = matrix->values[c.index + k];
        }
    }
}

/* Scales rows, then columns, to a largest entry of 1; the column scales are kept. */
static void equilibrate(size_t n, double *a, double *column_scale)
{
    for (size_t i = 0; i < n; i++) {
        double most = 0;
        for (size_t j = 0; j < n; j++) most = fmax(most, fabs(a[j * n + i]));
        for (size_t j = 0; j < n && most > 0; j++) a[j * n + i] /= most;
    }
    for (size_t j = 0; j < n; j++) {
        double most = 0;
        for (size_t i = 0; i < n; i++) most = fmax(most, fabs(a[j * n + i]));
        column_scale[j] = most > 0 ? 1 / most : 1;
        for (size_t i = 0; i < n; i++) a[j * n + i] *= column_scale[j];
    }
}

/* Brings the largest entry of the remaining part to (k, k); gives its size. */
static double pivot(size_t n, double *a, size_t *column, size_t k)
{
    size_t row = k, col = k;
    double most = 0;
    for (size_t j = k; j < n; j++)
        for (size_t i = k; i < n; i++)
            if (fabs(a[j * n + i]) > most) most = fabs(a[j * n + i]), row = i, col = j;
    for (size_t j = 0; j < n; j++) {
        double swap = a[j * n + k];
        a[j * n + k] = a[j * n + row];
        a[j * n + row] = swap;
    }
    for (size_t i = 0; i < n; i++) {
        double swap = a[k * n + i];
        a[k * n + i] = a[col * n + i];
        a[col * n + i] = swap;
    }
    size_t swap = column[k];
    column[k] = column[col];
    column[col] = swap;
    return most;
}

static size_t eliminate(size_t n, double *a, double tol, size_t *column)
{
    for (size_t k = 0; k < n; k++) {
        if (!(pivot(n, a, column, k) > tol)) return k;
        for (size_t j = k + 1; j < n; j++) {
            double factor = a[j * n + k] / a[k * n + k];
            for (size_t i = k + 1; i < n; i++) a[j * n + i] -= factor * a[k * n + i];
        }
    }
    return n;
}

size_t gt_null_space(size_t n, double *a, double tol, double *vectors, gt_arena *arena)
{
    assert(a && vectors && arena);
    assert(tol > 0);
    double *scale = gt_arena_doubles(arena, n), *y = gt_arena_doubles(arena, n);
    size_t *column = gt_arena_take(arena, n, sizeof *column);
    if (!scale || !y || !column) return 0;
    for (size_t j = 0; j < n; j++) column[j] = j;
    equilibrate(n, a, scale);
    size_t rank = eliminate(n, a, tol, column);
    for (size_t free_column = rank; free_column < n; free_column++) {
        double *v = vectors + (free_column - rank) * n, most = 0;
        memset(y, 0, n * sizeof *y);
        y[free_column] = 1;
        for (size_t i = rank; i-- > 0;) {
            double sum = a[free_column * n + i];
            for (size_t j = i + 1; j < rank; j++) sum += a[j * n + i] * y[j];
            y[i] = -sum / a[i * n + i];
        }
        for (size_t j = 0; j < n; j++) v[column[j]] = scale[column[j]] * y[j];
        size_t largest = 0;
        for (size_t j = 0; j < n; j++)
            if (fabs(v[j]) > most * (1 + 1e-6)) most = fabs(v[j]), largest = j;
        double by = v[largest];
        for (size_t j = 0; j < n; j++) v[j] /= by;
    }
    return n - rank;
}
