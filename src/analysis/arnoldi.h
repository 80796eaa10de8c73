/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_ANALYSIS_ARNOLDI_H
#define GEARTRAIN_ANALYSIS_ARNOLDI_H

#include <geartrain/author/arena.h>
#include <geartrain/status.h>
#include <stddef.h>

/* y = A x; x and y have n numbers. */
typedef gt_status gt_operator_fn(const double *x, double *y, void *ctx);

typedef struct gt_ritz {
    double re, im;
    double residual; /* of the pair, relative to the largest |value| of this run */
} gt_ritz;

enum { GT_KRYLOV = 40 };

/*
 * Eigenvalues of large size of the operator: Ritz values of a Krylov space of up to GT_KRYLOV
 * vectors, largest first, whose residual is below `tol`; the first one is there in any case. When
 * it has not converged, the space is built anew from its Ritz vector, up to `restarts` times. `out`
 * has room for GT_KRYLOV.
 */
gt_status gt_arnoldi(size_t n, gt_operator_fn *apply, void *ctx, double tol, int restarts,
                     gt_ritz *out, size_t *count, gt_arena *arena) GT_MUST_CHECK;

#endif
