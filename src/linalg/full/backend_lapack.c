/* SPDX-License-Identifier: BSD-3-Clause */
/* LAPACK and BLAS. The column-major _work variants of LAPACKE work in the memory they are given. */
#include "linalg/backend.h"
#include "linalg/lu_internal.h"
#include <cblas.h>
#include <lapacke.h>
#include <limits.h>
#include <stdlib.h>

typedef lapack_complex_double pair;

gt_status gt_large_factor(gt_lu *lu, const double *values)
{
    const int n = (int)lu->n, rows = (int)gt_factor_rows(lu), lower = lu->pattern.lower,
              upper = lu->pattern.upper;
    double *a = lu->factors;
    int info;
    gt_copy_to_factors(lu, values);
    if (lu->pattern.storage == GT_BANDED)
        info = lu->is_complex
                   ? LAPACKE_zgbtrf_work(LAPACK_COL_MAJOR, n, n, lower, upper, (pair *)a, rows,
                                         lu->pivots)
                   : LAPACKE_dgbtrf_work(LAPACK_COL_MAJOR, n, n, lower, upper, a, rows, lu->pivots);
    else
        info = lu->is_complex
                   ? LAPACKE_zgetrf_work(LAPACK_COL_MAJOR, n, n, (pair *)a, rows, lu->pivots)
                   : LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, a, rows, lu->pivots);
    /* LAPACK tells about zero pivots only. */
    if (info != 0 || !gt_all_finite(a, lu->n * (size_t)rows * (lu->is_complex ? 2 : 1)))
        return GT_TRY_SINGULAR;
    return GT_OK;
}

size_t gt_large_first(void) { return 1; }

void gt_large_solve(const gt_lu *lu, double *b)
{
    const int n = (int)lu->n, rows = (int)gt_factor_rows(lu), lower = lu->pattern.lower,
              upper = lu->pattern.upper;
    const double *a = lu->factors;
    if (lu->pattern.storage == GT_BANDED && lu->is_complex)
        LAPACKE_zgbtrs_work(LAPACK_COL_MAJOR, 'N', n, lower, upper, 1, (const pair *)a, rows,
                            lu->pivots, (pair *)b, n);
    else if (lu->pattern.storage == GT_BANDED)
        LAPACKE_dgbtrs_work(LAPACK_COL_MAJOR, 'N', n, lower, upper, 1, a, rows, lu->pivots, b, n);
    else if (lu->is_complex)
        LAPACKE_zgetrs_work(LAPACK_COL_MAJOR, 'N', n, 1, (const pair *)a, rows, lu->pivots,
                            (pair *)b, n);
    else
        LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', n, 1, a, rows, lu->pivots, b, n);
}

void gt_large_product(size_t n, const double *a, const double *b, double *c)
{
    int size = (int)n;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, size, size, size, 1, a, size, b, size, 0,
                c, size);
}

size_t gt_eigen_most(void) { return INT_MAX; }

size_t gt_eigen_room(size_t n, bool left, bool right)
{
    const char want_left = left ? 'V' : 'N', want_right = right ? 'V' : 'N';
    const int order = (int)n;
    double best = 0, none = 0;
    int info = LAPACKE_dgeev_work(LAPACK_COL_MAJOR, want_left, want_right, order, &none, order,
                                  &none, &none, &none, order, &none, order, &best, -1);
    return info == 0 ? (size_t)best : 0;
}

size_t gt_small_eigen_room(size_t n)
{
    (void)n;
    return 8 * GT_SMALL_EIGEN; /* little enough that vectors are turned back one by one, whatever n
                                  is */
}

bool gt_eigen_in(size_t n, double *a, size_t rows, double *re, double *im, double *left,
                 double *right, size_t rows_out, double *work, size_t room)
{
    return LAPACKE_dgeev_work(LAPACK_COL_MAJOR, left ? 'V' : 'N', right ? 'V' : 'N', (int)n, a,
                              (int)rows, re, im, left, (int)rows_out, right, (int)rows_out, work,
                              (int)room) == 0;
}

bool gt_least_squares(int rows, int columns, double *a, double *b)
{
    return LAPACKE_dgels(LAPACK_COL_MAJOR, 'N', rows, columns, 1, a, rows, b, rows) == 0;
}

bool gt_least_norm(int rows, int columns, double *a, double *b, double rcond)
{
    int most = rows > columns ? rows : columns, rank, least = rows < columns ? rows : columns;
    double *singular = malloc((size_t)(least > 0 ? least : 1) * sizeof *singular);
    bool done = singular && LAPACKE_dgelsd(LAPACK_COL_MAJOR, rows, columns, 1, a, rows, b, most,
                                           singular, rcond, &rank) == 0;
    free(singular);
    return done;
}

const char *gt_backend_name(void) { return "lapack"; }
