/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_BASE_WEIGHTED_SUM_H
#define GEARTRAIN_BASE_WEIGHTED_SUM_H

/* y = x + sum_j weight_j k_j in one pass over n components, for methods whose number of terms is
 * not known to the compiler: one loop for each number up to eight, with the terms unrolled. y may
 * be x. */
#include <stddef.h>

#ifdef __clang__
#define GT_INDEPENDENT
#else
#define GT_INDEPENDENT _Pragma("GCC ivdep")
#endif

/* Compiled anew wherever numbers are known to the compiler, with loops unrolled; where size is what
 * matters (-Os) once for all, with the same bits. */
#ifdef __OPTIMIZE_SIZE__
#define GT_INLINE static inline
#define GT_UNROLL
#else
#define GT_INLINE static inline __attribute__((always_inline))
#define GT_UNROLL _Pragma("GCC unroll 16")
#endif

GT_INLINE double gt_add_at(size_t i, int terms, const double *weight, const double *const *k,
                           const double *x)
{
    double sum = x[i];
    GT_UNROLL for (int j = 0; j < terms; j++) sum += weight[j] * k[j][i];
    return sum;
}

/* Weights and places of the terms are kept here, as the compiler must take each y[i] for one of
 * them. A few components one by one: as vectors they would wait for the stores of f, which are
 * single. */
GT_INLINE void gt_add_terms(int terms, const double *weight, const double *const *k,
                            const double *x, double *y, size_t n)
{
    double w[8];
    const double *s[8];
    GT_UNROLL for (int j = 0; j < terms; j++)
    {
        w[j] = weight[j];
        s[j] = k[j];
    }
    if (n < 4) {
        if (n > 0) y[0] = gt_add_at(0, terms, w, s, x);
        if (n > 1) y[1] = gt_add_at(1, terms, w, s, x);
        if (n > 2) y[2] = gt_add_at(2, terms, w, s, x);
        return;
    }
    GT_INDEPENDENT
    for (size_t i = 0; i < n; i++) y[i] = gt_add_at(i, terms, w, s, x);
}

GT_INLINE void gt_weighted_sum(int terms, const double *weight, const double *const *k,
                               const double *x, double *y, size_t n)
{
    for (; terms > 8; terms -= 8, weight += 8, k += 8, x = y) gt_add_terms(8, weight, k, x, y, n);
    switch (terms) {
#define GT_TERMS(count)                                                                            \
    case count:                                                                                    \
        gt_add_terms(count, weight, k, x, y, n);                                                   \
        break
        GT_TERMS(0);
        GT_TERMS(1);
        GT_TERMS(2);
        GT_TERMS(3);
        GT_TERMS(4);
        GT_TERMS(5);
        GT_TERMS(6);
        GT_TERMS(7);
        GT_TERMS(8);
#undef GT_TERMS
    }
}

#endif
