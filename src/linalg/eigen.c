/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Eigenvalues and eigenvectors of a real dense matrix by LAPACK's dgeev, with the work space taken in one piece.
 */
#include "lu_internal.h"
#include <lapacke.h>
#include <limits.h>
#include <stdlib.h>

gt_status gt_eigen(size_t n, double *a, double *values, double *left, double *right)
{
    if (n == 0) return GT_OK;
    if (!a || !values || n > INT_MAX) return GT_BAD_ARGUMENT;
    /* The QR iteration may never end on NaN. */
    if (!gt_all_finite(a, n * n)) return GT_NOT_FINITE;

    const char want_left = left ? 'V' : 'N', want_right = right ? 'V' : 'N';
    const int order = (int)n;
    double best = 0.0;
    int info = LAPACKE_dgeev_work(LAPACK_COL_MAJOR, want_left, want_right, order, a, order, values, values, left, order,
                                  right, order, &best, -1);
    if (info != 0) return GT_BAD_ARGUMENT;
    const size_t work_size = (size_t)best;
    double *re = malloc((2 * n + work_size) * sizeof *re);
    if (!re) return GT_NO_MEMORY;
    double *im = re + n, *work = im + n;
    info = LAPACKE_dgeev_work(LAPACK_COL_MAJOR, want_left, want_right, order, a, order, re, im, left, order, right,
                              order, work, (int)work_size);
    for (size_t i = 0; i < n && info == 0; i++) {
        values[2 * i] = re[i];
        values[2 * i + 1] = im[i];
    }
    free(re);
    /* A positive info says that the iteration found only some of the eigenvalues: of all statuses, this one tells best
     * that the matrix is at fault. */
    return info == 0 ? GT_OK : GT_SINGULAR;
}
