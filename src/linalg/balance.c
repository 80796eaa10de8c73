/* SPDX-License-Identifier: BSD-3-Clause */
#include "linalg/balance.h"
#include <assert.h>
#include <math.h>
#include <stdbool.h>

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
