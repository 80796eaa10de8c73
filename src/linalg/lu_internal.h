/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the ways to factor behind gt_lu_* share; those of large and of sparse matrices are in
 * backend.h. All of them assume that the sizes of matrix and factors agree, and report a zero or
 * non-finite pivot as GT_TRY_SINGULAR.
 */
#ifndef GEARTRAIN_LINALG_LU_INTERNAL_H
#define GEARTRAIN_LINALG_LU_INTERNAL_H

#include "base/finite.h"
#include <geartrain/author/lu.h>

/* Dense, n <= GT_SMALL_LU. `pivots` is the permutation: row i of the factors is row pivots[i] of
 * the matrix; the diagonal holds the reciprocals of the pivots. */
gt_status gt_small_factor(gt_lu *lu, const double *values) GT_MUST_CHECK;
void gt_small_solve(const gt_lu *lu, double *b);

/* The sign of the determinant, 1 or -1, of factors that are there; 0: not known (complex). */
int gt_lu_sign(const gt_lu *lu);

/* Rows that the factors of a dense or banded matrix have, and its values put there. Factors of a
 * band have `lower` more rows on top than the matrix, for the fill-in of row exchanges. */
size_t gt_factor_rows(const gt_lu *lu);
void gt_copy_to_factors(gt_lu *lu, const double *values);

/* What sparse factors are made from, as numbers; 0 for others. gt_klu_recall makes the same ones
 * again, to the last bit, in an LU that has none. */
size_t gt_klu_numbers(const gt_lu *lu);
void gt_klu_keep(const gt_lu *lu, double *numbers);
gt_status gt_klu_recall(gt_lu *lu, const double *numbers) GT_MUST_CHECK;

#endif
