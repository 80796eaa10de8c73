/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/sundials_kit.h"
#include <arkode/arkode_arkstep.h>
#include <string.h>

static void require(int flag) { bench_sundials_check(flag, "ARKODE: a call failed"); }

static void *peer_open(const bench_solver *self, bench_task *task)
{
    bench_sundials *p = bench_sundials_open(task);
    (void)self;
    p->memory = ARKStepCreate(NULL, bench_sundials_rhs, p->problem->t0, p->x, p->context);
    bench_require(p->memory != NULL, "ARKODE: no memory");
    require(ARKStepSStolerances(p->memory, task->tol, bench_atol(task)));
    require(ARKStepSetUserData(p->memory, p->problem));
    require(ARKStepSetLinearSolver(p->memory, p->linear, p->J));
    require(ARKStepSetJacFn(p->memory, bench_sundials_jac));
    require(ARKStepSetTableNum(p->memory, ARKODE_ESDIRK436L2SA_6_3_4, ARKODE_ERK_NONE));
    /* Its guide warns of the default, Hermite's, where f has a large Lipschitz constant. */
    require(ARKStepSetInterpolantType(p->memory, ARK_INTERP_LAGRANGE));
    require(ARKStepSetMaxNumSteps(p->memory, bench_most_steps(task)));
    require(ARKStepSetErrFile(p->memory, NULL));
    return p;
}

static void peer_run(void *handle)
{
    bench_sundials *p = handle;
    bench_task *task = p->task;
    double t;
    bench_sundials_start(p);
    require(ARKStepReInit(p->memory, NULL, bench_sundials_rhs, p->problem->t0, p->x));
    require(ARKStepSetStopTime(p->memory, task->t1));
    task->failed = ARKStepEvolve(p->memory, task->t1, p->x, &t, ARK_NORMAL) < 0;
    require(ARKStepGetNumSteps(p->memory, &task->steps));
    require(ARKStepGetNumJacEvals(p->memory, &task->jacobians));
    require(ARKStepGetNumLinSolvSetups(p->memory, &task->factorizations));
    memcpy(task->x, NV_DATA_S(p->x), gt_problem_size(p->problem) * sizeof(double));
}

static void peer_close(void *handle)
{
    bench_sundials *p = handle;
    ARKStepFree(&p->memory);
    bench_sundials_close(p);
}

const bench_solver bench_arkode_dirk = {"ARKODE",
                                        "dirk",
                                        "ARKStep, ESDIRK436L2SA_6_3_4 (the default table is "
                                        "slower), analytic Jacobian, dense or KLU, stop time",
                                        NULL,
                                        peer_open,
                                        peer_run,
                                        peer_close};
