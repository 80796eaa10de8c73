/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_PHI_H
#define GEARTRAIN_PHI_H

#include <geartrain/api.h>
#include <geartrain/author/lu.h>
#include <geartrain/matrix.h>

GT_C_BEGIN

/*
 * Functions of matrices that exponential methods are made of:
 *
 *     phi_0(A) = e^A,    phi_k(A) = sum_j A^j / (j + k)!,    phi_(k-1)(A) = I/(k-1)! + A phi_k(A)
 *
 * so that y' = A y + b_1 + b_2 t + b_3 t^2/2 + .., y(0) = b_0 has y(h) = sum_k h^k phi_k(h A) b_k:
 * the integrals of Van Loan (IEEE Trans. Automat. Control 23, 1978) without his block matrix.
 */
enum { GT_PHI_HIGHEST = 4, GT_PHI_WORK = 7, GT_PHI_DEGREE = 8 };

/* All of phi_0 .. phi_highest of h A for one dense A. The values are kept until another h or A is
 * asked for, and are the same bits whether they were kept or not: whoever asks in between leaves no
 * trace. */
typedef struct gt_phi {
    size_t n;
    int highest;                       /* 1 .. GT_PHI_HIGHEST */
    double *value[GT_PHI_HIGHEST + 1]; /* n x n, column major */
    bool known;
    double h, *A; /* what they are of */
    double *work[GT_PHI_WORK], *scale;
    gt_matrix below; /* denominator of the Pade approximant */
    gt_lu lu;
} gt_phi;

GT_API void gt_phi_layout(gt_phi *phi, size_t n, int highest, gt_arena *arena);

/* GT_TRY_NOT_FINITE when h A is not finite; values may still overflow. Allocates nothing. */
GT_API gt_status gt_phi_evaluate(gt_phi *phi, const double *A, double h) GT_MUST_CHECK;

/* out = A v for a matrix that is known by its products only. */
typedef gt_status gt_product_fn(const double *v, double *out, void *ctx);

/* phi_k(h A) b by Arnoldi's method on the block matrix of Van Loan, in as many substeps as the
 * tolerance asks for. */
enum { GT_KRYLOV_DIMENSION = 30 };

typedef struct gt_krylov {
    size_t room; /* rows of A at most; the block matrix has GT_PHI_HIGHEST more */
    double *basis, *w, *v, *hessenberg;
    double *unit;  /* of each row, in which sizes are measured: to be filled by the caller where
                      `scaled` */
    bool scaled;   /* else all units are 1 */
    double enough; /* scaled: an error of this size, in units, will do, however small a part of the
                      sum it is */
    gt_phi small;
    long products; /* so far */
} gt_krylov;

GT_API void gt_krylov_layout(gt_krylov *krylov, size_t room, gt_arena *arena);

/* out = sum_(k <= highest) h^k phi_k(h A) b[k] for A with n <= room rows, where a NULL stands for
 * zero, with an error of about `tolerance` times its size, or of `enough` units. GT_TRY_KRYLOV when
 * that would take too long. Nothing is kept from call to call.
 */
GT_API gt_status gt_krylov_sum(gt_krylov *krylov, size_t n, gt_product_fn *product, void *ctx,
                               double h, int highest, const double *const *b, double tolerance,
                               double *out) GT_MUST_CHECK;

/* The same sum by whichever way suits the size of A. */
typedef struct gt_phi_sum {
    size_t n;
    const double *A;        /* dense */
    gt_product_fn *product; /* otherwise */
    void *ctx;
    double tolerance;
    gt_phi phi;
    gt_krylov *krylov; /* NULL: dense */
} gt_phi_sum;

/* krylov: with room for n, and as many sums as there are may share it; NULL: the functions are
 * dense. */
GT_API void gt_phi_sum_layout(gt_phi_sum *sum, size_t n, int highest, gt_krylov *krylov,
                              gt_arena *arena);
GT_API gt_status gt_phi_sum_evaluate(gt_phi_sum *sum, double h, int highest, const double *const *b,
                                     double *out) GT_MUST_CHECK;

/*
 * Mean and covariance over 0 <= t <= h of y' = A y + b, y(0) = y0: with w = (y, 1) and w' = W w the
 * integral P(t) of w w^T obeys P(2 t) = P(t) + e^(W t) P(t) e^(W t)^T, which is followed from a
 * short t on.
 */
enum { GT_MOMENTS_TERMS = 14 };
typedef struct gt_moments {
    size_t n;
    double *W, *E, *P, *work[4], *series, *row, *unit;
    double *mean, *covariance; /* n, n x n */
} gt_moments;

GT_API void gt_moments_layout(gt_moments *moments, size_t n, gt_arena *arena);
GT_API gt_status gt_moments_evaluate(gt_moments *moments, const double *A, const double *b,
                                     const double *y0, double h) GT_MUST_CHECK;

/* Columns c_i with sum c_i c_i^T the covariance, into `columns` (n x n); returns how many there
 * are. Directions in which y hardly varies beside what it does in others are left out. */
GT_API size_t gt_moments_factor(gt_moments *moments, double *columns);

GT_C_END

#endif
