/* SPDX-License-Identifier: BSD-3-Clause */
/* PETSc's multirate partitioned Runge-Kutta methods, TSMPRK, at fixed steps; nothing where PETSc is
 * not there. */
#include "bench.h"
#ifdef BENCH_PETSC
#include <math.h>
#include <petscts.h>
#include <stdlib.h>
#include <string.h>

typedef struct peer {
    bench_task *task;
    gt_problem *problem;
    TS ts;
    Vec x;
    IS slow, fast;
} peer;

static void require(PetscErrorCode code) { bench_require(code == 0, "PETSc: a call failed"); }

/* The split functions get the whole state and fill the rows of their block. */
static PetscErrorCode rows(TS ts, double t, Vec x, Vec dx, void *ctx, gt_rhs_fn *f)
{
    const gt_problem *p = ctx;
    const double *from;
    double *to;
    (void)ts;
    PetscCall(VecGetArrayRead(x, &from));
    PetscCall(VecGetArray(dx, &to));
    gt_status status = f(t, from, to, p->ctx);
    PetscCall(VecRestoreArray(dx, &to));
    PetscCall(VecRestoreArrayRead(x, &from));
    return status ? PETSC_ERR_USER : 0;
}

static PetscErrorCode slow_rows(TS ts, double t, Vec x, Vec dx, void *ctx)
{
    return rows(ts, t, x, dx, ctx, ((const gt_problem *)ctx)->rhs_slow);
}

static PetscErrorCode fast_rows(TS ts, double t, Vec x, Vec dx, void *ctx)
{
    return rows(ts, t, x, dx, ctx, ((const gt_problem *)ctx)->rhs_fast);
}

static PetscErrorCode all_rows(TS ts, double t, Vec x, Vec dx, void *ctx)
{
    return rows(ts, t, x, dx, ctx, ((const gt_problem *)ctx)->rhs);
}

static void *peer_open(const bench_solver *self, bench_task *task)
{
    peer *p = calloc(1, sizeof *p);
    PetscBool ready;
    bench_require(p != NULL, "out of memory for a solver");
    p->task = task;
    p->problem = (gt_problem *)&task->problem->gt;
    PetscInt n_slow = (PetscInt)p->problem->n_slow, n_fast = (PetscInt)p->problem->n_fast;
    require(PetscInitialized(&ready));
    if (!ready) require(PetscInitializeNoArguments());
    require(VecCreateSeq(PETSC_COMM_SELF, n_slow + n_fast, &p->x));
    require(ISCreateStride(PETSC_COMM_SELF, n_slow, 0, 1, &p->slow));
    require(ISCreateStride(PETSC_COMM_SELF, n_fast, n_slow, 1, &p->fast));
    require(TSCreate(PETSC_COMM_SELF, &p->ts));
    require(TSSetType(p->ts, TSMPRK));
    require(TSMPRKSetType(p->ts, self->variant));
    require(TSSetRHSFunction(p->ts, NULL, all_rows, p->problem));
    require(TSRHSSplitSetIS(p->ts, "slow", p->slow));
    require(TSRHSSplitSetIS(p->ts, "fast", p->fast));
    require(TSRHSSplitSetRHSFunction(p->ts, "slow", NULL, slow_rows, p->problem));
    require(TSRHSSplitSetRHSFunction(p->ts, "fast", NULL, fast_rows, p->problem));
    require(TSSetExactFinalTime(p->ts, TS_EXACTFINALTIME_STEPOVER));
    TSAdapt adapt;
    require(TSGetAdapt(p->ts, &adapt));
    require(TSAdaptSetType(adapt, TSADAPTNONE));
    require(TSSetSolution(p->ts, p->x));
    return p;
}

static void peer_run(void *handle)
{
    peer *p = handle;
    size_t bytes = gt_problem_size(p->problem) * sizeof(double);
    double *x, span = p->task->t1 - p->problem->t0;
    /* Without control TS does not shorten the last step, and the round-off of its times can make it
     * take one more. */
    PetscInt steps = (PetscInt)ceil(span / p->task->h - 1e-6);
    require(VecGetArray(p->x, &x));
    memcpy(x, p->problem->x0, bytes);
    require(VecRestoreArray(p->x, &x));
    require(TSSetTime(p->ts, p->problem->t0));
    require(TSSetStepNumber(p->ts, 0));
    require(TSSetTimeStep(p->ts, span / (double)steps));
    require(TSSetMaxTime(p->ts, p->task->t1 + span));
    require(TSSetMaxSteps(p->ts, steps));
    p->task->failed = TSSolve(p->ts, NULL) != 0;
    p->task->steps = steps;
    require(VecGetArray(p->x, &x));
    memcpy(p->task->x, x, bytes);
    require(VecRestoreArray(p->x, &x));
}

static void peer_close(void *handle)
{
    peer *p = handle;
    require(TSDestroy(&p->ts));
    require(VecDestroy(&p->x));
    require(ISDestroy(&p->slow));
    require(ISDestroy(&p->fast));
    free(p);
}

static const bench_solver solvers[] = {
    {"PETSc", "2a32", "TSMPRK 2a32: order 2, three fast steps in a slow one, fixed step",
     TSMPRK2A32, peer_open, peer_run, peer_close},
    {"PETSc", "p3", "TSMPRK p3: order 3, two fast steps in a slow one, fixed step", TSMPRKP3,
     peer_open, peer_run, peer_close},
};
const bench_solver *bench_petsc(size_t i)
{
    return i < sizeof solvers / sizeof *solvers ? &solvers[i] : NULL;
}
#else
const bench_solver *bench_petsc(size_t i)
{
    (void)i;
    return NULL;
}
#endif
