/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LINALG_OWN_EIGEN_H
#define GEARTRAIN_LINALG_OWN_EIGEN_H

/*
 * Eigenvalues and eigenvectors of small real matrices without LAPACK: balancing, reduction to
 * Hessenberg form by reflections, Francis' QR iteration with double shifts, vectors by substitution
 * in the quasi-triangular form. Matrices are n x n, column major.
 */
#include <stdbool.h>
#include <stddef.h>

enum { GT_OWN_EIGEN_MOST = 100 };

/* Doubles of work space. */
static inline size_t gt_own_eigen_room(size_t n, bool vectors)
{
    return vectors ? 2 * n * n + n : n;
}

/* Values, complex pairs together with the positive imaginary part first; vectors as LAPACK's dgeev
 * gives them: length 1, largest component of a complex one real, real and imaginary part in two
 * columns; left and right may be NULL. a is destroyed and must be finite, n at most
 * GT_OWN_EIGEN_MOST. False: the iteration did not converge. */
bool gt_own_eigen(size_t n, double *a, double *re, double *im, double *left, double *right,
                  double *work);

/* Its parts. A = Z T Z' for the rows and columns from..to-1 of a Hessenberg matrix T, the others
 * being triangular already; Z NULL: the values alone are wanted. */
bool gt_own_schur(size_t n, double *T, double *Z, size_t from, size_t to, double *re, double *im);

/* Right eigenvectors of a quasi-triangular T with these values, back in the basis Z (whose columns
 * are overwritten by the vectors); `work` has n numbers. */
void gt_own_vectors(size_t n, const double *T, const double *re, const double *im, double *Z,
                    double *work);

#endif
