/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * LU by LAPACK for larger dense matrices and for bands. The column-major _work variants of LAPACKE work in the memory
 * they are given. Band factors have `lower` more rows on top than the matrix, for the fill-in of row exchanges.
 */
#include "linalg/lu_internal.h"
#include <lapacke.h>
#include <string.h>

typedef lapack_complex_double pair;

static size_t factor_rows(const gt_lu *lu)
{
    return lu->pattern.storage == GT_BANDED ? (size_t)(2 * lu->pattern.lower + lu->pattern.upper + 1) : lu->n;
}

static void copy_values(const gt_lu *lu, const double *values)
{
    const size_t width = lu->is_complex ? 2 : 1;
    if (lu->pattern.storage == GT_DENSE) {
        memcpy(lu->factors, values, lu->n * lu->n * width * sizeof(double));
        return;
    }
    const size_t fill = width * (size_t)lu->pattern.lower;
    const size_t kept = width * (size_t)(lu->pattern.lower + lu->pattern.upper + 1);
    for (size_t j = 0; j < lu->n; j++) {
        double *column = lu->factors + j * (fill + kept);
        memset(column, 0, fill * sizeof(double));
        memcpy(column + fill, values + j * kept, kept * sizeof(double));
    }
}

gt_status gt_lapack_factor(gt_lu *lu, const double *values)
{
    const int n = (int)lu->n, rows = (int)factor_rows(lu), lower = lu->pattern.lower, upper = lu->pattern.upper;
    double *a = lu->factors;
    int info;
    copy_values(lu, values);
    if (lu->pattern.storage == GT_BANDED)
        info = lu->is_complex ? LAPACKE_zgbtrf_work(LAPACK_COL_MAJOR, n, n, lower, upper, (pair *)a, rows, lu->pivots)
                              : LAPACKE_dgbtrf_work(LAPACK_COL_MAJOR, n, n, lower, upper, a, rows, lu->pivots);
    else
        info = lu->is_complex ? LAPACKE_zgetrf_work(LAPACK_COL_MAJOR, n, n, (pair *)a, rows, lu->pivots)
                              : LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, a, rows, lu->pivots);
    /* LAPACK tells about zero pivots only. */
    if (info != 0 || !gt_all_finite(a, lu->n * (size_t)rows * (lu->is_complex ? 2 : 1))) return GT_TRY_SINGULAR;
    return GT_OK;
}

void gt_lapack_solve(const gt_lu *lu, double *b)
{
    const int n = (int)lu->n, rows = (int)factor_rows(lu), lower = lu->pattern.lower, upper = lu->pattern.upper;
    const double *a = lu->factors;
    if (lu->pattern.storage == GT_BANDED && lu->is_complex)
        LAPACKE_zgbtrs_work(LAPACK_COL_MAJOR, 'N', n, lower, upper, 1, (const pair *)a, rows, lu->pivots, (pair *)b, n);
    else if (lu->pattern.storage == GT_BANDED)
        LAPACKE_dgbtrs_work(LAPACK_COL_MAJOR, 'N', n, lower, upper, 1, a, rows, lu->pivots, b, n);
    else if (lu->is_complex)
        LAPACKE_zgetrs_work(LAPACK_COL_MAJOR, 'N', n, 1, (const pair *)a, rows, lu->pivots, (pair *)b, n);
    else
        LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', n, 1, a, rows, lu->pivots, b, n);
}
