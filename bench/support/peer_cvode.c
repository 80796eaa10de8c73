/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/sundials_kit.h"
#include <cvode/cvode.h>
#include <cvode/cvode_ls.h>
#include <string.h>

static void require(int flag) { bench_sundials_check(flag, "CVODE: a call failed"); }

static void *peer_open(const bench_solver *self, bench_task *task)
{
    bench_sundials *p = bench_sundials_open(task);
    (void)self;
    p->memory = CVodeCreate(CV_BDF, p->context);
    bench_require(p->memory != NULL, "CVODE: no memory");
    require(CVodeInit(p->memory, bench_sundials_rhs, p->problem->t0, p->x));
    require(CVodeSStolerances(p->memory, task->tol, bench_atol(task)));
    require(CVodeSetUserData(p->memory, p->problem));
    require(CVodeSetLinearSolver(p->memory, p->linear, p->J));
    require(CVodeSetJacFn(p->memory, bench_sundials_jac));
    require(CVodeSetMaxNumSteps(p->memory, bench_most_steps(task)));
    require(CVodeSetErrFile(p->memory, NULL));
    return p;
}

static void peer_run(void *handle)
{
    bench_sundials *p = handle;
    bench_task *task = p->task;
    double t;
    bench_sundials_start(p);
    require(CVodeReInit(p->memory, p->problem->t0, p->x));
    task->failed = CVode(p->memory, task->t1, p->x, &t, CV_NORMAL) < 0;
    require(CVodeGetNumSteps(p->memory, &task->steps));
    require(CVodeGetNumJacEvals(p->memory, &task->jacobians));
    require(CVodeGetNumLinSolvSetups(p->memory, &task->factorizations));
    memcpy(task->x, NV_DATA_S(p->x), gt_problem_size(p->problem) * sizeof(double));
}

static void peer_close(void *handle)
{
    bench_sundials *p = handle;
    CVodeFree(&p->memory);
    bench_sundials_close(p);
}

const bench_solver bench_cvode_bdf = {
    "CVODE",  "bdf",     "BDF, Newton, analytic Jacobian, dense or KLU, everything else as it comes", NULL, peer_open,
    peer_run, peer_close};
