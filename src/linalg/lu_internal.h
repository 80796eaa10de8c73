/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What stands behind gt_lu_*: one set of functions for each way to factor. All of them assume that the sizes of
 * matrix and factors agree, and report a zero or non-finite pivot as GT_TRY_SINGULAR.
 */
#ifndef GEARTRAIN_LINALG_LU_INTERNAL_H
#define GEARTRAIN_LINALG_LU_INTERNAL_H

#include <geartrain/matrix.h>

/* Dense, n <= GT_SMALL_LU. `pivots` is the permutation: row i of the factors is row pivots[i] of the matrix; the
 * diagonal holds the reciprocals of the pivots. */
gt_status gt_small_factor(gt_lu *lu, const double *values) GT_MUST_CHECK;
void gt_small_solve(const gt_lu *lu, double *b);

/* Dense of any size and bands; `pivots` as LAPACK has them. */
gt_status gt_lapack_factor(gt_lu *lu, const double *values) GT_MUST_CHECK;
void gt_lapack_solve(const gt_lu *lu, double *b);

/* Sparse. gt_klu_factor analyses first when that has not been done. */
gt_status gt_klu_analyse(gt_lu *lu, const double *values) GT_MUST_CHECK;
gt_status gt_klu_factor(gt_lu *lu, const double *values) GT_MUST_CHECK;
void gt_klu_solve(const gt_lu *lu, double *b);
void gt_klu_release(gt_lu *lu);

/* x - x is 0 for finite numbers and NaN for others, so a sum of them tells about all in one pass without branches. */
static inline bool gt_all_finite(const double *x, size_t count)
{
    double even = 0.0, odd = 0.0;
    for (size_t i = 1; i < count; i += 2) {
        even += x[i - 1] - x[i - 1];
        odd += x[i] - x[i];
    }
    if (count % 2) even += x[count - 1] - x[count - 1];
    return even + odd == 0.0;
}

#endif
