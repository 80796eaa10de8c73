/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LINALG_BALANCE_H
#define GEARTRAIN_LINALG_BALANCE_H

#include <geartrain/matrix.h>
#include <stddef.h>

/* The 1-norm of an n x n matrix, by columns. */
double gt_dense_norm(size_t n, const double *a);

/* a := D^-1 a D with powers of two in d that bring rows and columns to the same size (Parlett,
 * Reinsch 1969). */
void gt_balance(size_t n, double *a, double *d);

/* Roughly the same for any storage, with A left as it is: the value is the 1-norm of D^-1 A D. work
 * has 2 n numbers. */
double gt_balance_units(const gt_matrix *A, double *d, double *work);

#endif
