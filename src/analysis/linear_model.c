/* SPDX-License-Identifier: BSD-3-Clause */
/* Right-hand side, its blocks, Jacobian and Taylor series of x' = A x. */
#include "analysis/linear_model.h"
#include <assert.h>
#include <string.h>

static size_t size_of(const gt_linear_model *m) { return m->n_slow + m->n_fast; }

static void multiply(const gt_linear_model *m, size_t first, size_t rows, const double *x,
                     double *y)
{
    memset(y, 0, rows * sizeof *y);
    for (size_t j = 0; j < size_of(m); j++) {
        const double *column = m->A + j * m->leading + first;
        for (size_t i = 0; i < rows; i++) y[i] += column[i] * x[j];
    }
}

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    const gt_linear_model *m = ctx;
    (void)t;
    multiply(m, 0, size_of(m), x, dx);
    return GT_OK;
}

static gt_status rhs_slow(double t, const double *x, double *dx, void *ctx)
{
    const gt_linear_model *m = ctx;
    (void)t;
    multiply(m, 0, m->n_slow, x, dx);
    return GT_OK;
}

static gt_status rhs_fast(double t, const double *x, double *dx, void *ctx)
{
    const gt_linear_model *m = ctx;
    (void)t;
    multiply(m, m->n_slow, m->n_fast, x, dx);
    return GT_OK;
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    const gt_linear_model *m = ctx;
    (void)t, (void)x;
    for (size_t j = 0; j < J->n; j++)
        memcpy(J->values + j * J->n, m->A + j * m->leading, J->n * sizeof *J->values);
    return GT_OK;
}

static gt_status taylor(double t, int order, double *c, void *ctx)
{
    const gt_linear_model *m = ctx;
    size_t n = size_of(m);
    (void)t;
    for (int k = 0; k < order; k++) {
        double *next = c + (size_t)(k + 1) * n;
        multiply(m, 0, n, next - n, next);
        for (size_t i = 0; i < n; i++) next[i] /= k + 1;
    }
    return GT_OK;
}

gt_problem gt_linear_problem(gt_linear_model *model, const double *x0, const char *name)
{
    assert(model && model->A && x0 && name);
    assert(model->leading >= size_of(model));
    return (gt_problem){.n_slow = model->n_slow,
                        .n_fast = model->n_fast,
                        .rhs = rhs,
                        .rhs_slow = model->n_fast ? rhs_slow : NULL,
                        .rhs_fast = model->n_fast ? rhs_fast : NULL,
                        .jac = jac,
                        .taylor = taylor,
                        .autonomous = true,
                        .t1 = 1,
                        .x0 = x0,
                        .ctx = model,
                        .name = name};
}
