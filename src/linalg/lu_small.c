/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dense LU with partial pivoting for n <= GT_SMALL_LU, where a call of LAPACK costs more than the
 * arithmetic. The loops are written once and compiled for every n, so that the compiler knows all
 * trip counts. The diagonal keeps reciprocals of the pivots, the permutation is a list: solving
 * neither divides nor exchanges. Complex arithmetic is written out in re and im because C's own
 * must look for NaN in every product. With LAPACK instead, runs of van der Pol's two equations take
 * 1.39 (gear) and 2.1 times (trapezoidal, fixed step) the instructions; the price is 240 kB of
 * code.
 */
#include "linalg/lu_internal.h"
#include <assert.h>
#include <float.h>
#include <math.h>

/* Vectors of two are slower than registers here, so a pragma asks the compiler to unroll to the
 * end. */
#if defined(__OPTIMIZE_SIZE__)
#define UNROLLED
#elif defined(__clang__)
#define UNROLLED _Pragma("clang loop unroll(full)")
#else
#define UNROLLED _Pragma("GCC unroll 16")
#endif

#ifdef __OPTIMIZE_SIZE__
#define INLINED static inline
#else
#define INLINED static inline __attribute__((always_inline))
#endif

/* NaN fails too; below DBL_MIN the reciprocal may overflow. */
INLINED bool usable(double magnitude) { return magnitude >= DBL_MIN && magnitude <= DBL_MAX; }

INLINED gt_status factor_real(size_t n, const double *restrict values, double *restrict a,
                              int *restrict rows)
{
    for (size_t i = 0; i < n * n; i++) a[i] = values[i];
    for (size_t i = 0; i < n; i++) rows[i] = (int)i;
    for (size_t k = 0; k < n; k++) {
        double *restrict l = a + k * n;
        size_t p = k;
        double largest = fabs(l[k]);
        for (size_t i = k + 1; i < n; i++) {
            const double magnitude = fabs(l[i]);
            if (magnitude > largest) {
                largest = magnitude;
                p = i;
            }
        }
        if (!usable(largest)) return GT_TRY_SINGULAR;
        if (p != k) {
            const int row = rows[k];
            rows[k] = rows[p];
            rows[p] = row;
            for (size_t j = 0; j < n; j++) {
                const double kept = a[k + j * n];
                a[k + j * n] = a[p + j * n];
                a[p + j * n] = kept;
            }
        }
        l[k] = 1.0 / l[k];
        for (size_t i = k + 1; i < n; i++) l[i] *= l[k];
        for (size_t j = k + 1; j < n; j++) {
            double *restrict column = a + j * n;
            const double u = column[k];
            for (size_t i = k + 1; i < n; i++) column[i] -= l[i] * u;
        }
    }
    return GT_OK;
}

#ifndef __OPTIMIZE_SIZE__
enum { TINY = 4 };

/* The same for n <= TINY, with the whole matrix in registers: no index depends on the data, since a
 * larger entry is brought to the diagonal as soon as it is met. */
INLINED gt_status factor_real_tiny(size_t n, const double *restrict values, double *restrict out,
                                   int *restrict rows_out)
{
    double a[TINY * TINY];
    int rows[TINY];
    UNROLLED for (size_t i = 0; i < n * n; i++) a[i] = values[i];
    UNROLLED for (size_t i = 0; i < n; i++) rows[i] = (int)i;
    UNROLLED for (size_t k = 0; k < n; k++)
    {
        UNROLLED for (size_t i = k + 1; i < n; i++)
        {
            if (!(fabs(a[i + k * n]) > fabs(a[k + k * n]))) continue;
            const int row = rows[k];
            rows[k] = rows[i];
            rows[i] = row;
            UNROLLED for (size_t j = 0; j < n; j++)
            {
                const double kept = a[k + j * n];
                a[k + j * n] = a[i + j * n];
                a[i + j * n] = kept;
            }
        }
        if (!usable(fabs(a[k + k * n]))) return GT_TRY_SINGULAR;
        a[k + k * n] = 1.0 / a[k + k * n];
        UNROLLED for (size_t i = k + 1; i < n; i++) a[i + k * n] *= a[k + k * n];
        UNROLLED for (size_t j = k + 1; j < n; j++)
        {
            UNROLLED for (size_t i = k + 1; i < n; i++) a[i + j * n] -= a[i + k * n] * a[k + j * n];
        }
    }
    UNROLLED for (size_t i = 0; i < n * n; i++) out[i] = a[i];
    UNROLLED for (size_t i = 0; i < n; i++) rows_out[i] = rows[i];
    return GT_OK;
}

#endif

INLINED void solve_real(size_t n, const double *restrict a, const int *restrict rows,
                        double *restrict b)
{
    double x[GT_SMALL_LU];
    UNROLLED for (size_t i = 0; i < n; i++) x[i] = b[rows[i]];
    UNROLLED for (size_t j = 0; j < n; j++)
    {
        UNROLLED for (size_t i = j + 1; i < n; i++) x[i] -= a[i + j * n] * x[j];
    }
    UNROLLED for (size_t j = n; j-- > 0;)
    {
        x[j] *= a[j + j * n];
        UNROLLED for (size_t i = 0; i < j; i++) x[i] -= a[i + j * n] * x[j];
    }
    UNROLLED for (size_t i = 0; i < n; i++) b[i] = x[i];
}

/* 1 / z by Smith's way: the quotient of the parts first, so that neither square overflows. */
INLINED void invert(double *z)
{
    if (fabs(z[0]) >= fabs(z[1])) {
        const double ratio = z[1] / z[0], denominator = z[0] + z[1] * ratio;
        z[0] = 1.0 / denominator;
        z[1] = -ratio / denominator;
    } else {
        const double ratio = z[0] / z[1], denominator = z[0] * ratio + z[1];
        z[0] = ratio / denominator;
        z[1] = -1.0 / denominator;
    }
}

INLINED void multiply_by(double *z, double re, double im)
{
    const double z_re = z[0] * re - z[1] * im;
    z[1] = z[0] * im + z[1] * re;
    z[0] = z_re;
}

/* z -= w (re + i im) */
INLINED void subtract_product(double *restrict z, const double *restrict w, double re, double im)
{
    z[0] -= w[0] * re - w[1] * im;
    z[1] -= w[1] * re + w[0] * im;
}

INLINED gt_status factor_complex(size_t n, const double *restrict values, double *restrict a,
                                 int *restrict rows)
{
    for (size_t i = 0; i < 2 * n * n; i++) a[i] = values[i];
    for (size_t i = 0; i < n; i++) rows[i] = (int)i;
    for (size_t k = 0; k < n; k++) {
        double *restrict l = a + 2 * k * n;
        size_t p = k;
        double largest = fabs(l[2 * k]) + fabs(l[2 * k + 1]);
        for (size_t i = k + 1; i < n; i++) {
            const double magnitude = fabs(l[2 * i]) + fabs(l[2 * i + 1]);
            if (magnitude > largest) {
                largest = magnitude;
                p = i;
            }
        }
        if (!usable(largest)) return GT_TRY_SINGULAR;
        if (p != k) {
            const int row = rows[k];
            rows[k] = rows[p];
            rows[p] = row;
            for (size_t j = 0; j < n; j++)
                for (size_t part = 0; part < 2; part++) {
                    double *column = a + 2 * j * n + part;
                    const double kept = column[2 * k];
                    column[2 * k] = column[2 * p];
                    column[2 * p] = kept;
                }
        }
        invert(l + 2 * k);
        for (size_t i = k + 1; i < n; i++) multiply_by(l + 2 * i, l[2 * k], l[2 * k + 1]);
        for (size_t j = k + 1; j < n; j++) {
            double *restrict column = a + 2 * j * n;
            const double re = column[2 * k], im = column[2 * k + 1];
            for (size_t i = k + 1; i < n; i++) subtract_product(column + 2 * i, l + 2 * i, re, im);
        }
    }
    return GT_OK;
}

INLINED void solve_complex(size_t n, const double *restrict a, const int *restrict rows,
                           double *restrict b)
{
    double x[2 * GT_SMALL_LU];
    UNROLLED for (size_t i = 0; i < n; i++)
    {
        x[2 * i] = b[2 * rows[i]];
        x[2 * i + 1] = b[2 * rows[i] + 1];
    }
    UNROLLED for (size_t j = 0; j < n; j++)
    {
        UNROLLED for (size_t i = j + 1; i < n; i++)
            subtract_product(x + 2 * i, a + 2 * (i + j * n), x[2 * j], x[2 * j + 1]);
    }
    UNROLLED for (size_t j = n; j-- > 0;)
    {
        multiply_by(x + 2 * j, a[2 * (j + j * n)], a[2 * (j + j * n) + 1]);
        UNROLLED for (size_t i = 0; i < j; i++)
            subtract_product(x + 2 * i, a + 2 * (i + j * n), x[2 * j], x[2 * j + 1]);
    }
    UNROLLED for (size_t i = 0; i < n; i++)
    {
        b[2 * i] = x[2 * i];
        b[2 * i + 1] = x[2 * i + 1];
    }
}

#ifdef __OPTIMIZE_SIZE__ /* -Os: the loops once, with the same bits */

gt_status gt_small_factor(gt_lu *lu, const double *values)
{
    return lu->is_complex ? factor_complex(lu->n, values, lu->factors, lu->pivots)
                          : factor_real(lu->n, values, lu->factors, lu->pivots);
}

void gt_small_solve(const gt_lu *lu, double *b)
{
    if (lu->is_complex)
        solve_complex(lu->n, lu->factors, lu->pivots, b);
    else
        solve_real(lu->n, lu->factors, lu->pivots, b);
}

#else

#define FOR_SIZES(X)                                                                               \
    X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16)

/* One function for each size and kind. */
#define DEFINE(n)                                                                                  \
    static gt_status factor_real_##n(const double *values, double *a, int *rows)                   \
    {                                                                                              \
        return n <= TINY ? factor_real_tiny(n, values, a, rows) : factor_real(n, values, a, rows); \
    }                                                                                              \
    static gt_status factor_complex_##n(const double *values, double *a, int *rows)                \
    {                                                                                              \
        return factor_complex(n, values, a, rows);                                                 \
    }                                                                                              \
    static void solve_real_##n(const double *a, const int *rows, double *b)                        \
    {                                                                                              \
        solve_real(n, a, rows, b);                                                                 \
    }                                                                                              \
    static void solve_complex_##n(const double *a, const int *rows, double *b)                     \
    {                                                                                              \
        solve_complex(n, a, rows, b);                                                              \
    }
FOR_SIZES(DEFINE)

typedef gt_status factor_fn(const double *values, double *a, int *rows);
typedef void solve_fn(const double *a, const int *rows, double *b);

#define FACTOR_REAL(n) factor_real_##n,
#define FACTOR_COMPLEX(n) factor_complex_##n,
#define SOLVE_REAL(n) solve_real_##n,
#define SOLVE_COMPLEX(n) solve_complex_##n,

static factor_fn *const factor_table[2][GT_SMALL_LU] = {{FOR_SIZES(FACTOR_REAL)},
                                                        {FOR_SIZES(FACTOR_COMPLEX)}};
static solve_fn *const solve_table[2][GT_SMALL_LU] = {{FOR_SIZES(SOLVE_REAL)},
                                                      {FOR_SIZES(SOLVE_COMPLEX)}};

gt_status gt_small_factor(gt_lu *lu, const double *values)
{
    assert(lu && lu->factors && values);
    assert(lu->n >= 1);
    if (lu->n == 0) return GT_OK;
    return factor_table[lu->is_complex][lu->n - 1](values, lu->factors, lu->pivots);
}

void gt_small_solve(const gt_lu *lu, double *b)
{
    assert(lu && lu->factors && b);
    if (lu->n > 0) solve_table[lu->is_complex][lu->n - 1](lu->factors, lu->pivots, b);
}

#endif
