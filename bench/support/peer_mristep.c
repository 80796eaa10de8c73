/* SPDX-License-Identifier: BSD-3-Clause */
/* ARKODE's MRIStep: fixed slow steps, inner ARKStep with fixed steps of a whole part of each slow
 * stage. */
#include "bench.h"
#include <arkode/arkode_arkstep.h>
#include <arkode/arkode_mristep.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <string.h>

typedef struct mri_variant {
    ARKODE_MRITableID outer;
    ARKODE_ERKTableID inner;
    int parts; /* inner steps in a slow step */
} mri_variant;

typedef struct peer {
    bench_task *task;
    gt_problem *problem;
    SUNContext context;
    N_Vector x;
    void *slow, *fast;
    MRIStepInnerStepper stepper;
} peer;

static void require(int flag) { bench_require(flag >= 0, "MRIStep: a call failed"); }

/* f = [slow; 0] + [0; fast]. */
static int slow_rows(double t, N_Vector x, N_Vector dx, void *problem)
{
    const gt_problem *p = problem;
    double *out = NV_DATA_S(dx);
    memset(out + p->n_slow, 0, p->n_fast * sizeof *out);
    return (int)p->rhs_slow(t, NV_DATA_S(x), out, p->ctx);
}

static int fast_rows(double t, N_Vector x, N_Vector dx, void *problem)
{
    const gt_problem *p = problem;
    double *out = NV_DATA_S(dx);
    memset(out, 0, p->n_slow * sizeof *out);
    return (int)p->rhs_fast(t, NV_DATA_S(x), out + p->n_slow, p->ctx);
}

static void *peer_open(const bench_solver *self, bench_task *task)
{
    const mri_variant *v = self->variant;
    peer *p = calloc(1, sizeof *p);
    bench_require(p != NULL, "out of memory for a solver");
    p->task = task;
    p->problem = (gt_problem *)&task->problem->gt;
    require(SUNContext_Create(NULL, &p->context));
    p->x = N_VNew_Serial((sunindextype)gt_problem_size(p->problem), p->context);
    memcpy(NV_DATA_S(p->x), p->problem->x0, gt_problem_size(p->problem) * sizeof(double));
    p->fast = ARKStepCreate(fast_rows, NULL, p->problem->t0, p->x, p->context);
    require(ARKStepSetUserData(p->fast, p->problem));
    require(ARKStepSetTableNum(p->fast, ARKODE_DIRK_NONE, v->inner));
    /* Hermite's dense output, the default, would cost one more call of f in each step, and nobody
     * asks for it. */
    require(ARKStepSetInterpolantType(p->fast, ARK_INTERP_LAGRANGE));
    require(ARKStepSetInterpolantDegree(p->fast, 0));
    require(ARKStepSetFixedStep(p->fast, task->h / v->parts));
    require(ARKStepSetMaxNumSteps(p->fast, -1));
    require(ARKStepCreateMRIStepInnerStepper(p->fast, &p->stepper));
    p->slow = MRIStepCreate(slow_rows, NULL, p->problem->t0, p->x, p->stepper, p->context);
    require(MRIStepSetUserData(p->slow, p->problem));
    MRIStepCoupling table = MRIStepCoupling_LoadTable(v->outer);
    require(MRIStepSetCoupling(p->slow, table));
    MRIStepCoupling_Free(table);
    require(MRIStepSetInterpolantType(p->slow, ARK_INTERP_LAGRANGE));
    require(MRIStepSetInterpolantDegree(p->slow, 0));
    require(MRIStepSetFixedStep(p->slow, task->h));
    require(MRIStepSetMaxNumSteps(p->slow, -1));
    return p;
}

static void peer_run(void *handle)
{
    peer *p = handle;
    size_t bytes = gt_problem_size(p->problem) * sizeof(double);
    double t;
    memcpy(NV_DATA_S(p->x), p->problem->x0, bytes);
    require(ARKStepReInit(p->fast, fast_rows, NULL, p->problem->t0, p->x));
    require(MRIStepReInit(p->slow, slow_rows, NULL, p->problem->t0, p->x));
    require(MRIStepSetStopTime(p->slow, p->task->t1));
    p->task->failed = MRIStepEvolve(p->slow, p->task->t1, p->x, &t, ARK_NORMAL) < 0;
    require(MRIStepGetNumSteps(p->slow, &p->task->steps));
    memcpy(p->task->x, NV_DATA_S(p->x), bytes);
}

static void peer_close(void *handle)
{
    peer *p = handle;
    MRIStepFree(&p->slow);
    MRIStepInnerStepper_Free(&p->stepper);
    ARKStepFree(&p->fast);
    N_VDestroy(p->x);
    SUNContext_Free(&p->context);
    free(p);
}

#define MRISTEP(id, name, outer_table, inner_table, parts, text)                                   \
    static const mri_variant id##_variant = {outer_table, inner_table, parts};                     \
    const bench_solver bench_mristep_##id = {"MRIStep",     name,      text ", no dense output",   \
                                             &id##_variant, peer_open, peer_run,                   \
                                             peer_close};

MRISTEP(kw3, "KW3", ARKODE_MIS_KW3, ARKODE_KNOTH_WOLKE_3_3, 3,
        "MIS-KW3, inner Knoth-Wolke, 3 steps in a slow one")
MRISTEP(kw3_100, "KW3/100", ARKODE_MIS_KW3, ARKODE_KNOTH_WOLKE_3_3, 100,
        "MIS-KW3, inner Knoth-Wolke, 100 steps in a slow one")
MRISTEP(erk33, "ERK33a", ARKODE_MRI_GARK_ERK33a, ARKODE_KNOTH_WOLKE_3_3, 3,
        "MRI-GARK-ERK33a, inner Knoth-Wolke, 1 step a stage")
MRISTEP(erk45, "ERK45a", ARKODE_MRI_GARK_ERK45a, ARKODE_ZONNEVELD_5_3_4, 5,
        "MRI-GARK-ERK45a, inner Zonneveld of order 4, 1 step a stage")
MRISTEP(erk45_2, "ERK45a/2", ARKODE_MRI_GARK_ERK45a, ARKODE_ZONNEVELD_5_3_4, 10,
        "MRI-GARK-ERK45a, inner Zonneveld of order 4, 2 steps a stage")
