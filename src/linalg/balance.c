/* SPDX-License-Identifier: BSD-3-Clause */
#include "linalg/balance.h"
#include "linalg/column.h"
#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

double gt_dense_norm(size_t n, const double *a)
{
    assert(a || n == 0);
    double most = 0;
    for (size_t j = 0; j < n; j++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++) sum += fabs(a[j * n + i]);
        if (sum > most) most = sum;
    }
    return most;
}

void gt_balance(size_t n, double *a, double *d)
{
    assert(n == 0 || (a && d));
    bool again = true;
    for (size_t i = 0; i < n; i++) d[i] = 1;
    for (int sweep = 0; again && sweep < 20; sweep++) {
        again = false;
        for (size_t i = 0; i < n; i++) {
            double column = 0, row = 0;
            for (size_t k = 0; k < n; k++) {
                if (k == i) continue;
                column += fabs(a[i * n + k]);
                row += fabs(a[k * n + i]);
            }
            if (!(column > 0 && row > 0 && isfinite(row / column)))
                continue; /* 0, or not a number */
            if (column <= 2 * row && row <= 2 * column) continue;
            int exponent;
            frexp(sqrt(row / column), &exponent);
            double f = ldexp(1, exponent - 1), limit = 0.95 * (row + column);
            if (column * f + row / f >= limit) f *= 2;
            if (column * f + row / f >= limit || !isfinite(d[i] * f)) continue;
            again = true;
            d[i] *= f;
            for (size_t k = 0; k < n; k++) a[i * n + k] *= f;
            for (size_t k = 0; k < n; k++) a[k * n + i] /= f;
        }
    }
}

/* Sums over the columns and rows of D^-1 A D, without its diagonal; the value is its 1-norm. */
static double scaled_sums(const gt_matrix *A, const double *d, double *columns, double *rows)
{
    double norm = 0;
    memset(rows, 0, A->n * sizeof *rows);
    for (size_t j = 0; j < A->n; j++) {
        gt_column column = gt_column_of(&A->pattern, A->n, j);
        double sum = 0, on = 0;
        for (size_t k = 0; k < column.count; k++) {
            size_t i = gt_column_row(&column, k);
            double entry = fabs(A->values[column.index + k]) * d[j] / d[i];
            *(i == j ? &on : &sum) += entry;
            if (i != j) rows[i] += entry;
        }
        columns[j] = sum;
        norm = fmax(norm, sum + on);
    }
    return norm;
}

double gt_balance_units(const gt_matrix *A, double *d, double *work)
{
    assert(A && d && work);
    enum { SWEEPS = 4 };
    double *columns = work, *rows = work + A->n;
    for (size_t i = 0; i < A->n; i++) d[i] = 1;
    /* All at once, and so by the fourth root: the neighbours move as far the other way. */
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        scaled_sums(A, d, columns, rows);
        for (size_t i = 0; i < A->n; i++) {
            double factor = sqrt(sqrt(rows[i] / columns[i]));
            if (columns[i] > 0 && rows[i] > 0 && isfinite(factor) && d[i] * factor > 1e-100 &&
                d[i] * factor < 1e100)
                d[i] *= factor;
        }
    }
    for (size_t i = 0; i < A->n; i++) { /* powers of two: exact */
        int exponent;
        frexp(d[i], &exponent);
        d[i] = ldexp(1, exponent);
    }
    return scaled_sums(A, d, columns, rows);
}
