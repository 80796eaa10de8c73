/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_SERIES_H
#define GEARTRAIN_SERIES_H

/*
 * Taylor arithmetic: the k-th coefficient of a result from coefficients 0..k of its arguments (and
 * 0..k-1 of itself), so that a model writes its recurrence line by line as its equations. `s` is
 * the distance in memory between coefficients k and k+1 of every series involved. The formulas are
 * the usual convolutions (Moore 1966).
 */
#include <geartrain/api.h>
#include <math.h>
#include <stddef.h>

GT_C_BEGIN

/* c = a b */
static inline double gt_series_mul(int k, const double *a, const double *b, size_t s)
{
    double sum = 0;
    for (int j = 0; j <= k; j++) sum += a[(size_t)j * s] * b[(size_t)(k - j) * s];
    return sum;
}

/* c = a / b */
static inline double gt_series_div(int k, const double *a, const double *b, const double *c,
                                   size_t s)
{
    double sum = a[(size_t)k * s];
    for (int j = 0; j < k; j++) sum -= c[(size_t)j * s] * b[(size_t)(k - j) * s];
    return sum / b[0];
}

/* c = sqrt(a) */
static inline double gt_series_sqrt(int k, const double *a, const double *c, size_t s)
{
    if (k == 0) return sqrt(a[0]);
    double sum = a[(size_t)k * s];
    for (int j = 1; j < k; j++) sum -= c[(size_t)j * s] * c[(size_t)(k - j) * s];
    return sum / (2 * c[0]);
}

/* c = exp(a) */
static inline double gt_series_exp(int k, const double *a, const double *c, size_t s)
{
    if (k == 0) return exp(a[0]);
    double sum = 0;
    for (int j = 1; j <= k; j++) sum += j * a[(size_t)j * s] * c[(size_t)(k - j) * s];
    return sum / k;
}

/* sine = sin(a), cosine = cos(a): both, since each needs the other. */
static inline void gt_series_sincos(int k, const double *a, double *sine, double *cosine, size_t s)
{
    if (k == 0) {
        sine[0] = sin(a[0]);
        cosine[0] = cos(a[0]);
        return;
    }
    double sum_s = 0, sum_c = 0;
    for (int j = 1; j <= k; j++) {
        double ja = j * a[(size_t)j * s];
        sum_s += ja * cosine[(size_t)(k - j) * s];
        sum_c -= ja * sine[(size_t)(k - j) * s];
    }
    sine[(size_t)k * s] = sum_s / k;
    cosine[(size_t)k * s] = sum_c / k;
}

GT_C_END

#endif
