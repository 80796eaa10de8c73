/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_BASE_FINITE_H
#define GEARTRAIN_BASE_FINITE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* 0, or NaN once a component is not finite. */
double gt_not_finite(const double *x, size_t n);

static inline bool gt_all_finite(const double *x, size_t n) { return gt_not_finite(x, n) == 0; }

/* The maximum norm; NaN once a component is NaN. */
static inline double gt_largest(const double *x, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) {
        double size = fabs(x[i]);
        if (isnan(size)) return size;
        if (size > most) most = size;
    }
    return most;
}

#endif
