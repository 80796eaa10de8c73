/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Eigenvalues and eigenvectors of a real dense matrix by the backend, with the work space taken in
 * one piece; small ones need none.
 */
#include "linalg/backend.h"
#include "linalg/lu_internal.h"
#include <math.h>
#include <stdlib.h>

gt_status gt_eigen(size_t n, double *a, double *values, double *left, double *right)
{
    GT_ARMOR(NULL, a && values);
    if (n == 0) return GT_OK;
    if (n > gt_eigen_most()) return GT_UNSUPPORTED;
    /* The QR iteration may never end on NaN. */
    if (!gt_all_finite(a, n * n)) return GT_NOT_FINITE;
    const size_t room = gt_eigen_room(n, left, right);
    double *re = malloc((2 * n + room) * sizeof *re);
    if (!re) return GT_NO_MEMORY;
    double *im = re + n, *work = im + n;
    const bool done = gt_eigen_in(n, a, n, re, im, left, right, n, work, room);
    for (size_t i = 0; i < n && done; i++) {
        values[2 * i] = re[i];
        values[2 * i + 1] = im[i];
    }
    free(re);
    /* The iteration found only some of the eigenvalues: of all statuses, this one tells best that
     * the matrix is at fault. */
    return done ? GT_OK : GT_SINGULAR;
}

gt_status gt_eigen_failed(gt_message *message, gt_status status, size_t n)
{
    if (status == GT_UNSUPPORTED)
        return gt_fail(
            message, status,
            "the eigenvalues of %zu x %zu numbers are wanted, and this library was built without "
            "LAPACK, for "
            "up to %zu; try a smaller size of the model, or the library that is built with "
            "GEARTRAIN_LIBM_ONLY=OFF",
            n, n, gt_eigen_most());
    return gt_fail(message, status, "the eigenvalues of the %zu x %zu matrix could not be found", n,
                   n);
}

gt_status gt_small_eigen(int n, double *a, int rows, double *re, double *im, double *last)
{
    GT_ARMOR(NULL, a && re && im && last);
    enum { MOST = GT_SMALL_EIGEN };
    double right[MOST * MOST], work[GT_SMALL_EIGEN_ROOM];
    if (n < 0 || n > MOST) return GT_BAD_ARGUMENT;
    for (int j = 0; j < n; j++)
        if (!gt_all_finite(a + j * rows, (size_t)n)) return GT_TRY_NOT_FINITE;
    const bool done = gt_eigen_in((size_t)n, a, (size_t)rows, re, im, NULL, right, MOST, work,
                                  gt_small_eigen_room((size_t)n));
    for (int j = 0; j < n && done; j++) {
        int first = im[j] < 0 ? j - 1 : j; /* a pair shares two columns: real and imaginary part */
        double real = right[first * MOST + n - 1],
               imag = im[j] != 0 ? right[(first + 1) * MOST + n - 1] : 0;
        last[j] = hypot(real, imag);
    }
    return done ? GT_OK : GT_TRY_SINGULAR;
}
