/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Eigenvalues and eigenvectors of a real dense matrix by LAPACK's dgeev, with the work space taken in one piece;
 * small ones need none.
 */
#include "linalg/lu_internal.h"
#include <lapacke.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

gt_status gt_eigen(size_t n, double *a, double *values, double *left, double *right)
{
    GT_ARMOR(NULL, a && values);
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

gt_status gt_small_eigen(int n, double *a, int rows, double *re, double *im, double *last)
{
    GT_ARMOR(NULL, a && re && im && last);
    enum { MOST = GT_SMALL_EIGEN };
    double right[MOST * MOST], work[8 * MOST];
    if (n < 0 || n > MOST) return GT_BAD_ARGUMENT;
    for (int j = 0; j < n; j++)
        if (!gt_all_finite(a + j * rows, (size_t)n)) return GT_TRY_NOT_FINITE;
    int info = LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'N', 'V', n, a, rows, re, im, NULL, 1, right, MOST, work, 8 * MOST);
    for (int j = 0; j < n && info == 0; j++) {
        int first = im[j] < 0 ? j - 1 : j; /* a pair shares two columns: real and imaginary part */
        double real = right[first * MOST + n - 1], imag = im[j] != 0 ? right[(first + 1) * MOST + n - 1] : 0;
        last[j] = hypot(real, imag);
    }
    return info == 0 ? GT_OK : GT_TRY_SINGULAR;
}
