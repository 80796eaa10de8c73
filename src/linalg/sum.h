/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LINALG_SUM_H
#define GEARTRAIN_LINALG_SUM_H

/*
 * W = s_0 A_0 + s_1 A_1 + ..: a weighted sum of real matrices, with real or complex weights, over
 * the union of their patterns. W is dense when a term is, banded when all are, else CSC.
 */
#include <complex.h>
#include <geartrain/matrix.h>

enum { GT_SUM_TERMS = 3, GT_NARROW_BAND = 16 };

typedef struct gt_sum {
    size_t n;
    int terms;
    gt_pattern of[GT_SUM_TERMS], of_W;
    int *slot[GT_SUM_TERMS]; /* CSC: places in W of the entries of a term */
} gt_sum;

/* The identity as a term: one diagonal of ones. */
extern const gt_pattern gt_sum_diagonal;

void gt_sum_layout(gt_sum *sum, size_t n, int terms, const gt_pattern *of, gt_arena *arena);
/* The same for a W that is to be factored: a band as well where all entries of CSC matrices lie
 * close to the diagonal, up to GT_NARROW_BAND rows apart. */
void gt_sum_layout_to_factor(gt_sum *sum, size_t n, int terms, const gt_pattern *of,
                             gt_arena *arena);
void gt_sum_prepare(gt_sum *sum);

/* term[k] NULL is the identity. A real W takes the real parts of the weights. */
void gt_sum_fill(const gt_sum *sum, const gt_matrix *const *term, const double complex *weight,
                 gt_matrix *W);

#endif
