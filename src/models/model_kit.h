/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_MODELS_MODEL_KIT_H
#define GEARTRAIN_MODELS_MODEL_KIT_H

/* What several model files need. */
#include <geartrain/author/series.h>
#include <geartrain/model.h>
#include <math.h>

/* Rows of a parameter table. */
#define REAL_PARAM(name_, help_, unit_, initial_, min_, max_)                                      \
    {                                                                                              \
        .name = name_, .help = help_, .unit = unit_, .type = GT_REAL, .initial = initial_,         \
        .min = min_, .max = max_                                                                   \
    }
#define INTEGER_PARAM(name_, help_, initial_, min_, max_)                                          \
    {                                                                                              \
        .name = name_, .help = help_, .type = GT_INTEGER, .initial = initial_, .min = min_,        \
        .max = max_                                                                                \
    }
#define CHOICE_PARAM(name_, help_, initial_, choices_)                                             \
    {                                                                                              \
        .name = name_, .help = help_, .type = GT_CHOICE, .initial = initial_, .choices = choices_  \
    }

/* A dense Jacobian written as it looks, row by row. */
static inline gt_status model_dense(gt_matrix *J, const double *rows)
{
    for (size_t i = 0; i < J->n; i++)
        for (size_t j = 0; j < J->n; j++) J->values[j * J->n + i] = rows[i * J->n + j];
    return GT_OK;
}

/* x' = A x: each coefficient is A times the one before. */
static inline gt_status model_taylor_linear(gt_rhs_fn *rhs, double t, size_t n, int order,
                                            double *c, void *ctx)
{
    for (int k = 0; k < order; k++, c += n) {
        gt_status status = rhs(t, c, c + n, ctx);
        if (status) return status;
        for (size_t i = 0; i < n; i++) c[n + i] /= k + 1;
    }
    return GT_OK;
}

/* Made-up work of `rounds` dependent operations, which changes no value: what a costlier slow part
 * would take. */
enum {
    MODEL_BURN_WORK = 8
}; /* operations that a round counts as: both of it wait for the one before */
static inline void model_burn(double start, int rounds)
{
    double y = start;
    for (int i = 0; i < rounds; i++) y = 0.5 * y + 1;
    volatile double sink = y;
    (void)sink;
}

#endif
