/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LINALG_NULL_SPACE_H
#define GEARTRAIN_LINALG_NULL_SPACE_H

#include <geartrain/matrix.h>

enum { GT_NULL_SPACE_MAX = 500 };

/* Dense column-major copy, transposed or not. */
void gt_matrix_to_dense(const gt_matrix *matrix, bool transposed, double *dense);

/*
 * Number of columns that are dependent, with `tol` deciding what is zero beside the largest entry
 * of the row and column scaled matrix; for each a vector (n numbers, largest 1) with a v = 0. a
 * (column major) is destroyed. `vectors` has room for n x n.
 */
size_t gt_null_space(size_t n, double *a, double tol, double *vectors, gt_arena *arena);

#endif
