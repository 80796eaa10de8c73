/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LINALG_DENSE_H
#define GEARTRAIN_LINALG_DENSE_H

/* Products of small dense matrices, column major; those of the backend where its call is worth it.
 */
#include "linalg/backend.h"
#include <stddef.h>

enum { GT_SMALL_PRODUCT = 20 };

static inline __attribute__((always_inline)) void
gt_dense_product_n(size_t n, const double *restrict a, const double *restrict b, double *restrict c)
{
    for (size_t j = 0; j < n; j++) {
        double *restrict to = c + j * n;
        const double *restrict by = b + j * n;
        for (size_t i = 0; i < n; i++) to[i] = a[i] * by[0];
        for (size_t k = 1; k < n; k++)
            for (size_t i = 0; i < n; i++) to[i] += a[k * n + i] * by[k];
    }
}

/* c = a b, all n x n and apart. */
static inline void gt_dense_product(size_t n, const double *a, const double *b, double *c)
{
#ifndef __OPTIMIZE_SIZE__
    switch (n) {
#define GT_PRODUCT_OF(size)                                                                        \
    case size:                                                                                     \
        gt_dense_product_n(size, a, b, c);                                                         \
        return
        GT_PRODUCT_OF(2);
        GT_PRODUCT_OF(3);
        GT_PRODUCT_OF(4);
        GT_PRODUCT_OF(5);
        GT_PRODUCT_OF(6);
        GT_PRODUCT_OF(7);
        GT_PRODUCT_OF(8);
        GT_PRODUCT_OF(9);
        GT_PRODUCT_OF(10);
        GT_PRODUCT_OF(12);
#undef GT_PRODUCT_OF
    default:
        break;
    }
#endif
    if (n <= GT_SMALL_PRODUCT) {
        gt_dense_product_n(n, a, b, c);
        return;
    }
    gt_large_product(n, a, b, c);
}

/* y += factor A x for an A of n x n. */
static inline void gt_dense_apply(size_t n, const double *restrict a, double factor,
                                  const double *restrict x, double *restrict y)
{
    for (size_t k = 0; k < n; k++) {
        double by = factor * x[k];
        for (size_t i = 0; i < n; i++) y[i] += a[k * n + i] * by;
    }
}

#endif
