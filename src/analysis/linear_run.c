/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs of a method on x' = A x: the linear test problems that every method can be asked about
 * without knowing it. */
#include "analysis/linear_run.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void multiply(const gt_linear_run *run, size_t first, size_t rows, const double *x,
                     double *y)
{
    size_t n = gt_problem_size(&run->problem);
    for (size_t i = 0; i < rows; i++) {
        y[i] = 0;
        for (size_t j = 0; j < n; j++) y[i] += run->A[first + i][j] * x[j];
    }
}

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    const gt_linear_run *run = ctx;
    (void)t;
    multiply(run, 0, gt_problem_size(&run->problem), x, dx);
    return GT_OK;
}

static gt_status rhs_slow(double t, const double *x, double *dx, void *ctx)
{
    const gt_linear_run *run = ctx;
    (void)t;
    multiply(run, 0, run->problem.n_slow, x, dx);
    return GT_OK;
}

static gt_status rhs_fast(double t, const double *x, double *dx, void *ctx)
{
    const gt_linear_run *run = ctx;
    (void)t;
    multiply(run, run->problem.n_slow, run->problem.n_fast, x, dx);
    return GT_OK;
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    const gt_linear_run *run = ctx;
    (void)t, (void)x;
    for (size_t j = 0; j < J->n; j++)
        for (size_t i = 0; i < J->n; i++) J->values[j * J->n + i] = run->A[i][j];
    return GT_OK;
}

static gt_status taylor(double t, int order, double *c, void *ctx)
{
    const gt_linear_run *run = ctx;
    size_t n = gt_problem_size(&run->problem);
    (void)t;
    for (int k = 0; k < order; k++) {
        double *next = c + (size_t)(k + 1) * n;
        multiply(run, 0, n, next - n, next);
        for (size_t i = 0; i < n; i++) next[i] /= k + 1;
    }
    return GT_OK;
}

gt_status gt_linear_open(gt_linear_run *run, const gt_method *method, const char *options, size_t n,
                         size_t n_fast, gt_message *message)
{
    assert(run && method);
    assert(n >= 1 && n_fast <= n);
    *run = (gt_linear_run){.method = method, .options = options};
    run->problem = (gt_problem){.n_slow = n - n_fast,
                                .n_fast = n_fast,
                                .rhs = rhs,
                                .rhs_slow = rhs_slow,
                                .rhs_fast = n_fast ? rhs_fast : NULL,
                                .jac = jac,
                                .taylor = taylor,
                                .t1 = 1,
                                .x0 = run->x0,
                                .ctx = run,
                                .name = "the linear test equation"};
    gt_status status = gt_stepper_measure(method, options, &run->problem, &run->bytes, message);
    if (status) return status;
    run->memory = malloc(run->bytes);
    return run->memory ? GT_OK : gt_fail(message, GT_NO_MEMORY, "out of memory");
}

void gt_linear_close(gt_linear_run *run)
{
    if (run->is_kept) gt_stepper_free(&run->kept);
    free(run->memory);
}

gt_status gt_linear_start(gt_linear_run *run, gt_stepper *s)
{
    assert(run && s);
    return gt_stepper_init(s, run->method, run->options, &run->problem, run->memory, run->bytes);
}

gt_status gt_linear_steps(gt_linear_run *run, int count, double *x)
{
    assert(run && x);
    assert(count >= 1);
    gt_stepper *s = &run->kept;
    gt_status status = GT_OK;
    if (!run->is_kept) { /* tables of some methods take much longer than a step */
        if ((status = gt_linear_start(run, s))) return status;
        run->is_kept = true;
    }
    gt_stepper_start(s, run->problem.t0, run->problem.x0);
    for (int k = 0; k < count && !status; k++) status = gt_stepper_step(s, 1);
    memcpy(x, s->x, s->n * sizeof *x);
    return status;
}
