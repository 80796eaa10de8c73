/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is taken from a library of linear algebra, and the only place where it is. Behind it stand
 * either
 *
 *     full/         LAPACK and BLAS (backend_lapack.c), KLU (lu_klu.c)
 *     libm_only/    kernels of our own, own_*.c (backend_libm.c), and sparse matrices as dense ones
 *                   (lu_scattered.c): -DGEARTRAIN_LIBM_ONLY=ON
 *
 * Small dense systems have kernels of their own with both (lu_small.c), and with them the same
 * bits.
 */
#ifndef GEARTRAIN_LINALG_BACKEND_H
#define GEARTRAIN_LINALG_BACKEND_H

#include <geartrain/author/lu.h>

/* Dense factors of any size and bands, in memory that gt_lu_layout took; GT_TRY_SINGULAR as in
 * gt_lu_factor. */
gt_status gt_large_factor(gt_lu *lu, const double *values) GT_MUST_CHECK;
void gt_large_solve(const gt_lu *lu, double *b);
/* What stands in `pivots` for row 0. */
size_t gt_large_first(void);

/* Sparse factors. gt_sparse_factor analyses first when that has not been done. GT_UNSUPPORTED:
 * the matrix is too large for this backend, see gt_sparse_most. */
gt_status gt_sparse_analyse(gt_lu *lu, const double *values) GT_MUST_CHECK;
gt_status gt_sparse_factor(gt_lu *lu, const double *values) GT_MUST_CHECK;
void gt_sparse_solve(const gt_lu *lu, double *b);
void gt_sparse_free(gt_lu *lu);
/* As gt_lu_sign. */
int gt_sparse_sign(const gt_lu *lu);
/* The largest n of a sparse matrix that can be factored. */
size_t gt_sparse_most(void);
/* Entries of the factors of a sparse matrix with this pattern, and operations that they take, from
 * its ordering alone; false: not known. Allocates. */
bool gt_sparse_fill(size_t n, const gt_pattern *pattern, double *entries, double *operations);

/* c = a b, n x n, column major. */
void gt_large_product(size_t n, const double *a, const double *b, double *c);

/* Doubles of work space for gt_eigen_in; 0: this backend has nothing for matrices of that size, see
 * gt_eigen_most. */
size_t gt_eigen_room(size_t n, bool left, bool right);
/* The same for gt_small_eigen, which wants right vectors; at most GT_SMALL_EIGEN_ROOM. */
enum { GT_SMALL_EIGEN_ROOM = 2 * GT_SMALL_EIGEN * GT_SMALL_EIGEN + GT_SMALL_EIGEN };
size_t gt_small_eigen_room(size_t n);
/* As dgeev; columns of a are `rows` apart, those of left and right `rows_out`. False: it did not
 * converge. */
bool gt_eigen_in(size_t n, double *a, size_t rows, double *re, double *im, double *left,
                 double *right, size_t rows_out, double *work, size_t room);
/* The largest n that gt_eigen takes. */
size_t gt_eigen_most(void);
/* The error message of a gt_eigen that failed, and what to try. */
gt_status gt_eigen_failed(gt_message *message, gt_status status, size_t n);

/* min |a x - b| for more rows than columns, full rank: x comes in the first numbers of b, what is
 * left over in the others, turned. a is destroyed. False: not of full rank. */
bool gt_least_squares(int rows, int columns, double *a, double *b);
/* The x of least norm among those that make |a x - b| least, with singular values below rcond times
 * the largest taken for zero. b has max(rows, columns) numbers. Allocates. */
bool gt_least_norm(int rows, int columns, double *a, double *b, double rcond);

/* "lapack" or "libm". */
const char *gt_backend_name(void);

/* What gt_lu_analyse, or the first gt_lu_factor, means for a run that is about to begin: a matrix
 * that is singular now may be regular later; else an error message, which for sparse ones that
 * nobody can factor says what to do. */
gt_status gt_lu_ready(gt_status status, gt_message *message);
/* The error message alone, where this LU is sparse and nobody can factor it. */
gt_status gt_lu_possible(const gt_lu *lu, gt_message *message) GT_MUST_CHECK;

#endif
