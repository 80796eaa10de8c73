/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_IMPLICIT_PRODUCT_H
#define GEARTRAIN_IMPLICIT_PRODUCT_H

/*
 * Products with large sparse matrices by the threads that the problem was lent. A range of columns
 * adds to its own rows and to those within the reach of the pattern: so every second range has rows
 * of its own, and the others come after them. As in vectors.h the ranges depend on the matrix
 * alone, and with them the bits of the sums.
 */
#include <geartrain/matrix.h>
#include <geartrain/problem.h>

/* The largest distance of an entry from the diagonal. */
size_t gt_pattern_reach(const gt_pattern *pattern, size_t n);

/* y = A x; `reach` is that of its pattern. */
void gt_multiply_many(const gt_problem *p, const gt_matrix *A, size_t reach, const double *x,
                      double *y);

#endif
