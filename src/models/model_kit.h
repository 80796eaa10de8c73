/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_MODEL_KIT_H
#define GEARTRAIN_MODEL_KIT_H

/* What several model files need. */
#include <geartrain/model.h>
#include <geartrain/series.h>
#include <math.h>

/* Rows of a parameter table. */
#define REAL_PARAM(name_, help_, unit_, initial_, min_, max_)                                                          \
    {                                                                                                                  \
        .name = name_, .help = help_, .unit = unit_, .type = GT_REAL, .initial = initial_, .min = min_, .max = max_    \
    }
#define INTEGER_PARAM(name_, help_, initial_, min_, max_)                                                              \
    {                                                                                                                  \
        .name = name_, .help = help_, .type = GT_INTEGER, .initial = initial_, .min = min_, .max = max_                \
    }
#define CHOICE_PARAM(name_, help_, initial_, choices_)                                                                 \
    {                                                                                                                  \
        .name = name_, .help = help_, .type = GT_CHOICE, .initial = initial_, .choices = choices_                      \
    }

/* Highest Taylor order of the models that keep intermediate series on the stack. */
enum { MODEL_MAX_ORDER = 64 };

/* A dense Jacobian written as it looks, row by row. */
static inline gt_status model_dense(gt_matrix *J, const double *rows)
{
    for (size_t i = 0; i < J->n; i++)
        for (size_t j = 0; j < J->n; j++) J->values[j * J->n + i] = rows[i * J->n + j];
    return GT_OK;
}

/* x' = A x: each coefficient is A times the one before. */
static inline gt_status model_taylor_linear(gt_rhs_fn *rhs, double t, size_t n, int order, double *c, void *ctx)
{
    for (int k = 0; k < order; k++, c += n) {
        gt_status status = rhs(t, c, c + n, ctx);
        if (status) return status;
        for (size_t i = 0; i < n; i++) c[n + i] /= k + 1;
    }
    return GT_OK;
}

/* From coefficient k of sin(omega t) and cos(omega t) to coefficient k + 1. */
static inline void model_next_sincos(int k, double omega, double *sine, double *cosine)
{
    double s = *sine;
    *sine = omega * *cosine / (k + 1);
    *cosine = -omega * s / (k + 1);
}

/* x = e^(A t) x0 for a 2x2 matrix with real eigenvalues p >= q, in Newton's form
 * e^(A t) = e^(p t) I + (e^(p t) - e^(q t)) / (p - q) (A - p I). */
static inline void model_flow2(const double A[2][2], double t, const double *x0, double *x)
{
    double half_trace = (A[0][0] + A[1][1]) / 2, half_difference = (A[0][0] - A[1][1]) / 2;
    double radius = sqrt(half_difference * half_difference + A[0][1] * A[1][0]);
    double large = half_trace < 0 ? half_trace - radius : half_trace + radius;
    double small = large != 0 ? (A[0][0] * A[1][1] - A[0][1] * A[1][0]) / large : 0;
    double p = fmax(large, small), gap = 2 * radius;
    double slope = gap > 0 ? -expm1(-gap * t) / gap : t;
    double y0 = (A[0][0] - p) * x0[0] + A[0][1] * x0[1], y1 = A[1][0] * x0[0] + (A[1][1] - p) * x0[1];
    x[0] = exp(p * t) * (x0[0] + slope * y0);
    x[1] = exp(p * t) * (x0[1] + slope * y1);
}

/* Made-up work of `rounds` dependent operations, which changes no value: what a costlier slow part would take. */
static inline void model_burn(double start, int rounds)
{
    double y = start;
    for (int i = 0; i < rounds; i++) y = 0.5 * y + 1;
    volatile double sink = y;
    (void)sink;
}

#endif
