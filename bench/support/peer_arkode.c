/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/sundials_kit.h"
#include <arkode/arkode_erkstep.h>
#include <stdlib.h>
#include <string.h>

typedef struct peer {
    bench_task *task;
    SUNContext context;
    N_Vector x;
    ARKRhsFn rhs; /* the problem's own, or that of its model */
    void *memory;
} peer;

static void require(int flag) { bench_require(flag >= 0, "ARKODE: a call failed"); }

static void *peer_open(const bench_solver *self, bench_task *task)
{
    peer *a = malloc(sizeof *a);
    bench_require(a != NULL, "out of memory for a solver");
    const bench_problem *p = task->problem;
    a->task = task;
    require(SUNContext_Create(NULL, &a->context));
    a->x = N_VNew_Serial((sunindextype)gt_problem_size(&p->gt), a->context);
    memcpy(NV_DATA_S(a->x), p->gt.x0, gt_problem_size(&p->gt) * sizeof(double));
    a->rhs = p->sundials ? p->sundials : bench_sundials_rhs;
    a->memory = ERKStepCreate(a->rhs, p->gt.t0, a->x, a->context);
    require(ERKStepSetUserData(a->memory, p->sundials ? p->gt.ctx : (void *)&p->gt));
    require(ERKStepSetMaxNumSteps(a->memory, -1));
    require(ERKStepSetTableNum(a->memory, *(const ARKODE_ERKTableID *)self->variant));
    if (task->h > 0)
        require(ERKStepSetFixedStep(a->memory, task->h));
    else
        require(ERKStepSStolerances(a->memory, task->tol, bench_atol(task)));
    return a;
}

static void peer_run(void *handle)
{
    peer *a = handle;
    const bench_problem *p = a->task->problem;
    size_t bytes = gt_problem_size(&p->gt) * sizeof(double);
    double t;
    memcpy(NV_DATA_S(a->x), p->gt.x0, bytes);
    require(ERKStepReInit(a->memory, a->rhs, p->gt.t0, a->x));
    require(ERKStepSetStopTime(a->memory, a->task->t1));
    require(ERKStepEvolve(a->memory, a->task->t1, a->x, &t, ARK_NORMAL));
    require(ERKStepGetNumSteps(a->memory, &a->task->steps));
    memcpy(a->task->x, NV_DATA_S(a->x), bytes);
}

static void peer_close(void *handle)
{
    peer *a = handle;
    ERKStepFree(&a->memory);
    N_VDestroy(a->x);
    SUNContext_Free(&a->context);
    free(a);
}

/* The solution of Zonneveld's table is the classical method; its fifth stage serves the error
 * estimate only. A table with the four stages alone does not work: ERKStep of SUNDIALS 6.4 takes
 * c_4 = 1 for first same as last, makes three calls a step and falls to order 3. */
static const ARKODE_ERKTableID zonneveld = ARKODE_ZONNEVELD_5_3_4, fehlberg = ARKODE_FEHLBERG_6_4_5,
                               dormand_prince = ARKODE_DORMAND_PRINCE_7_4_5;

const bench_solver bench_arkode_rk4 = {
    "ARKODE", "rk4",     "ERKStep, ZONNEVELD_5_3_4: rk4 and a fifth stage", &zonneveld, peer_open,
    peer_run, peer_close};
const bench_solver bench_arkode_rkf45 = {"ARKODE",  "rkf45",   "ERKStep, FEHLBERG_6_4_5, stop time",
                                         &fehlberg, peer_open, peer_run,
                                         peer_close};
const bench_solver bench_arkode_dopri5 = {
    "ARKODE", "dopri5",  "ERKStep, DORMAND_PRINCE_7_4_5, stop time", &dormand_prince, peer_open,
    peer_run, peer_close};
