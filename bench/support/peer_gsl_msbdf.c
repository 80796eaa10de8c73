/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench.h"
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <stdlib.h>
#include <string.h>

typedef struct peer {
    bench_task *task;
    const gt_problem *problem;
    gsl_odeiv2_system system;
    gsl_odeiv2_driver *driver;
    double *columns; /* the Jacobian column by column, as the problem writes it */
} peer;

static const double first_step = 1e-6; /* it must be given */

static int rhs(double t, const double *x, double *dx, void *handle)
{
    const gt_problem *p = ((peer *)handle)->problem;
    return p->rhs(t, x, dx, p->ctx) == GT_OK ? GSL_SUCCESS : GSL_FAILURE;
}

static int jac(double t, const double *x, double *rows, double *by_t, void *handle)
{
    peer *g = handle;
    size_t n = g->system.dimension;
    gt_matrix J = {.n = n, .values = g->columns};
    g->task->jacobians++;
    memset(g->columns, 0, n * n * sizeof *g->columns);
    gt_status status = g->problem->jac(t, x, &J, g->problem->ctx);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) rows[i * n + j] = g->columns[j * n + i];
    memset(by_t, 0, n * sizeof *by_t);
    return status == GT_OK ? GSL_SUCCESS : GSL_FAILURE;
}

static void *peer_open(const bench_solver *self, bench_task *task)
{
    peer *g = malloc(sizeof *g);
    bench_require(g != NULL, "out of memory for a solver");
    (void)self;
    const gt_problem *p = &task->problem->gt;
    size_t n = gt_problem_size(p);
    *g = (peer){.task = task, .problem = p, .columns = malloc(n * n * sizeof(double))};
    g->system = (gsl_odeiv2_system){rhs, jac, n, g};
    g->driver = gsl_odeiv2_driver_alloc_y_new(&g->system, gsl_odeiv2_step_msbdf, first_step,
                                              bench_atol(task), task->tol);
    bench_require(g->columns && g->driver, "GSL: no memory");
    gsl_odeiv2_driver_set_nmax(g->driver, (unsigned long)bench_most_steps(task));
    gsl_set_error_handler_off();
    return g;
}

static void peer_run(void *handle)
{
    peer *g = handle;
    bench_task *task = g->task;
    double t = g->problem->t0;
    task->jacobians = 0;
    task->factorizations = -1;
    memcpy(task->x, g->problem->x0, g->system.dimension * sizeof(double));
    gsl_odeiv2_driver_reset_hstart(g->driver, first_step);
    task->failed = gsl_odeiv2_driver_apply(g->driver, &t, task->t1, task->x) != GSL_SUCCESS;
    task->steps = (long)g->driver->e->count;
}

static void peer_close(void *handle)
{
    peer *g = handle;
    gsl_odeiv2_driver_free(g->driver);
    free(g->columns);
    free(g);
}

const bench_solver bench_gsl_msbdf = {
    "GSL",     "msbdf",   "driver with the standard control, analytic Jacobian, first step 1e-6",
    NULL,      peer_open, peer_run,
    peer_close};
