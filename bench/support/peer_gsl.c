/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench.h"
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct peer {
    bench_task *task;
    gsl_odeiv2_system system;
    gsl_odeiv2_step *step;     /* fixed step */
    gsl_odeiv2_driver *driver; /* controlled */
    double *err;
} peer;

static const double first_step = 1e-3;

static int model_rhs(double t, const double *x, double *dx, void *problem)
{
    const gt_problem *p = problem;
    return p->rhs(t, x, dx, p->ctx) ? GSL_EBADFUNC : GSL_SUCCESS;
}

static void *peer_open(const bench_solver *self, bench_task *task)
{
    peer *g = malloc(sizeof *g);
    bench_require(g != NULL, "out of memory for a solver");
    const bench_problem *p = task->problem;
    size_t n = gt_problem_size(&p->gt);
    const gsl_odeiv2_step_type *type = *(const gsl_odeiv2_step_type *const *)self->variant;
    *g = (peer){
        .task = task, .system = {p->gsl, NULL, n, p->gt.ctx}, .err = malloc(n * sizeof(double))};
    if (!p->gsl) g->system.function = model_rhs, g->system.params = (void *)&p->gt;
    if (task->h > 0)
        g->step = gsl_odeiv2_step_alloc(type, n);
    else
        g->driver =
            gsl_odeiv2_driver_alloc_y_new(&g->system, type, first_step, task->tol, task->tol);
    bench_require(g->err && (g->step || g->driver), "GSL: no memory");
    return g;
}

static void peer_run(void *handle)
{
    peer *g = handle;
    bench_task *task = g->task;
    double t0 = task->problem->gt.t0, t = t0;
    memcpy(task->x, task->problem->gt.x0, g->system.dimension * sizeof(double));
    if (g->driver) {
        gsl_odeiv2_driver_reset_hstart(g->driver, first_step);
        bench_require(gsl_odeiv2_driver_apply(g->driver, &t, task->t1, task->x) == GSL_SUCCESS,
                      "GSL: driver");
        task->steps = (long)g->driver->e->count;
        return;
    }
    gsl_odeiv2_step_reset(g->step);
    task->steps = lround((task->t1 - t0) / task->h);
    for (long k = 0; k < task->steps; k++) {
        int status =
            gsl_odeiv2_step_apply(g->step, t, task->h, task->x, g->err, NULL, NULL, &g->system);
        bench_require(status == GSL_SUCCESS, "GSL: step");
        t = t0 + (double)(k + 1) * task->h;
    }
}

static void peer_close(void *handle)
{
    peer *g = handle;
    if (g->driver) gsl_odeiv2_driver_free(g->driver);
    if (g->step) gsl_odeiv2_step_free(g->step);
    free(g->err);
    free(g);
}

const bench_solver bench_gsl_rk4 = {"GSL",
                                    "rk4",
                                    "step_apply; estimates its error by halving the step",
                                    &gsl_odeiv2_step_rk4,
                                    peer_open,
                                    peer_run,
                                    peer_close};
const bench_solver bench_gsl_rkf45 = {"GSL",
                                      "rkf45",
                                      "step_apply, or driver with the standard control",
                                      &gsl_odeiv2_step_rkf45,
                                      peer_open,
                                      peer_run,
                                      peer_close};
const bench_solver bench_gsl_rk8pd = {
    "GSL",    "rk8pd",   "driver with the standard control", &gsl_odeiv2_step_rk8pd, peer_open,
    peer_run, peer_close};
