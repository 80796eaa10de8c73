/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LINALG_OWN_LINALG_H
#define GEARTRAIN_LINALG_OWN_LINALG_H

/* What stands in for LAPACK where there is none; see backend.h for what each of them does. Matrices
 * are column major.
 */
#include <geartrain/author/lu.h>

/* Dense of any size and bands, real and complex; row pivots[j] >= j became row j. */
gt_status gt_own_factor(gt_lu *lu, const double *values) GT_MUST_CHECK;
void gt_own_solve(const gt_lu *lu, double *b);

bool gt_own_least_squares(size_t rows, size_t columns, double *a, double *b);
size_t gt_own_least_norm_room(size_t rows, size_t columns); /* doubles */
bool gt_own_least_norm(size_t rows, size_t columns, double *a, double *b, double rcond,
                       double *work);

#endif
