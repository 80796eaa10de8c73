/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LU_H
#define GEARTRAIN_LU_H

#include <geartrain/api.h>
#include <geartrain/matrix.h>

GT_C_BEGIN

/*
 * LU factors of a matrix of fixed pattern: own unrolled kernels for dense n <= GT_SMALL_LU, LAPACK
 * above and for bands, KLU for CSC. Below gt_lu_analyse nothing allocates, except that a sparse
 * factorisation whose frozen pivots have gone bad is made anew (counted in `repivots`).
 */
enum { GT_SMALL_LU = 16 };

typedef struct gt_lu {
    size_t n;
    gt_pattern pattern;
    bool is_complex;
    bool factored;
    long repivots;
    double *factors; /* dense or band factors */
    int *pivots;
    struct gt_klu *klu; /* sparse factors, owned; NULL otherwise */
} gt_lu;

/* Takes what dense and band factors need from the arena; the LU has the pattern of `matrix`. */
GT_API void gt_lu_layout(gt_lu *lu, const gt_matrix *matrix, gt_arena *arena);

/* Sparse only (does nothing otherwise): finds the ordering and makes the first factors from the
 * values of `matrix`, which should be typical of those to come. Allocates. */
GT_API gt_status gt_lu_analyse(gt_lu *lu, const gt_matrix *matrix) GT_MUST_CHECK;

/* Factors `matrix`, which is not changed; pivots of earlier sparse factors are kept while they are
 * good. GT_TRY_SINGULAR when a pivot is zero or not finite. */
GT_API gt_status gt_lu_factor(gt_lu *lu, const gt_matrix *matrix) GT_MUST_CHECK;

/* b := A^-1 b. */
GT_API void gt_lu_solve(const gt_lu *lu, double *b);

/* Frees sparse factors. */
GT_API void gt_lu_free(gt_lu *lu);

/* Eigenvalues (re, im pairs in `values`, 2n) of a dense real matrix (overwritten); left and right
 * eigenvectors in LAPACK's packed real form (n x n each) when not NULL. Allocates work space. */
GT_API gt_status gt_eigen(size_t n, double *a, double *values, double *left,
                          double *right) GT_MUST_CHECK;

/* The same for n up to GT_SMALL_EIGEN with columns of `rows` numbers, and the size of the last
 * component of each right eigenvector, which has length 1. Allocates nothing, for use inside a
 * step. */
enum { GT_SMALL_EIGEN = 16 };
GT_API gt_status gt_small_eigen(int n, double *a, int rows, double *re, double *im,
                                double *last) GT_MUST_CHECK;

GT_C_END

#endif
