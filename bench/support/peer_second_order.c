/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CVODE and ARKODE on M z'' + K z = 0, x = [z, v], with the same linear algebra that we use: f
 * solves with factors of M, and Newton's systems (I - gamma A) y = b are solved at half their size,
 *
 *     (M + gamma^2 K) y_v = M b_v - gamma K b_z,     y_z = b_z + gamma y_v
 *
 * by sparse factors that are kept while gamma is the same, through SUNDIALS' interface for embedded
 * solvers.
 */
#include "support/sundials_kit.h"
#include <arkode/arkode_arkstep.h>
#include <cvode/cvode.h>
#include <cvode/cvode_ls.h>
#include <geartrain/author/author.h>
#include <geartrain/geartrain.h>
#include <stdlib.h>
#include <string.h>

typedef struct structured {
    bench_task *task;
    const gt_matrix *M, *K;
    size_t m;
    gt_arena arena;
    gt_matrix S;
    size_t *slot; /* places in S of the entries of M */
    gt_lu lu_M, lu_S;
    double gamma; /* of the factors */
    double *work;
    long factored;
    SUNContext context;
    N_Vector x;
    SUNLinearSolver linear;
    void *memory;
    int (*gamma_of)(void *memory, double *gamma);
} structured;

static void require(int flag) { bench_sundials_check(flag, "a call of SUNDIALS failed"); }

static int slope(double t, N_Vector nx, N_Vector ndx, void *user)
{
    structured *p = user;
    const double *x = NV_DATA_S(nx);
    double *dx = NV_DATA_S(ndx);
    (void)t;
    memcpy(dx, x + p->m, p->m * sizeof *dx);
    gt_matrix_multiply(p->K, x, 0, dx + p->m);
    for (size_t i = p->m; i < 2 * p->m; i++) dx[i] = -dx[i];
    gt_lu_solve(&p->lu_M, dx + p->m);
    return 0;
}

static SUNLinearSolver_Type kind(SUNLinearSolver self)
{
    (void)self;
    return SUNLINEARSOLVER_MATRIX_EMBEDDED;
}

static int solve(SUNLinearSolver self, SUNMatrix none, N_Vector nx, N_Vector nb, double tolerance)
{
    structured *p = self->content;
    const double *b = NV_DATA_S(nb);
    double *y = NV_DATA_S(nx), gamma, *right = p->work, *Kb = p->work + p->m;
    (void)none, (void)tolerance;
    if (p->gamma_of(p->memory, &gamma)) return -1;
    if (gamma != p->gamma) {
        for (size_t i = 0; i < gt_matrix_entries(&p->S); i++)
            p->S.values[i] = gamma * gamma * p->K->values[i];
        for (size_t i = 0; i < gt_matrix_entries(p->M); i++)
            p->S.values[p->slot[i]] += p->M->values[i];
        if (gt_lu_factor(&p->lu_S, &p->S)) return 1;
        p->gamma = gamma;
        p->factored++;
    }
    gt_matrix_multiply(p->M, b + p->m, 0, right);
    gt_matrix_multiply(p->K, b, 0, Kb);
    for (size_t i = 0; i < p->m; i++) right[i] -= gamma * Kb[i];
    gt_lu_solve(&p->lu_S, right);
    for (size_t i = 0; i < p->m; i++) {
        y[i] = b[i] + gamma * right[i];
        y[p->m + i] = right[i];
    }
    return 0;
}

static structured *open_structured(bench_task *task)
{
    structured *p = calloc(1, sizeof *p);
    bench_require(p != NULL, "out of memory for a peer");
    const gt_second_order *so = task->problem->gt.second_order;
    p->task = task;
    p->M = so->mass;
    p->K = so->stiffness;
    p->m = p->M->n;
    p->arena = gt_arena_growing();
    gt_matrix_layout(&p->S, p->m, p->K->pattern, false, &p->arena);
    p->slot = gt_arena_take(&p->arena, gt_matrix_entries(p->M), sizeof *p->slot);
    p->work = gt_arena_doubles(&p->arena, 2 * p->m);
    const int *colptr = p->M->pattern.colptr, *rows = p->M->pattern.rowindex;
    for (size_t j = 0; j < p->m; j++)
        for (int k = colptr[j]; k < colptr[j + 1]; k++)
            p->slot[k] = (size_t)(gt_matrix_at(&p->S, (size_t)rows[k], j) - p->S.values);
    gt_lu_layout(&p->lu_M, p->M, &p->arena);
    gt_lu_layout(&p->lu_S, &p->S, &p->arena);
    bench_require(!gt_lu_factor(&p->lu_M, p->M), "M is singular");
    require(SUNContext_Create(NULL, &p->context));
    p->x = N_VNew_Serial((long)(2 * p->m), p->context);
    p->linear = SUNLinSolNewEmpty(p->context);
    bench_require(p->x && p->linear, "out of memory for a peer");
    p->linear->content = p;
    p->linear->ops->gettype = kind;
    p->linear->ops->solve = solve;
    memcpy(NV_DATA_S(p->x), task->problem->gt.x0, 2 * p->m * sizeof(double));
    return p;
}

static void close_structured(structured *p)
{
    SUNLinSolFreeEmpty(p->linear);
    N_VDestroy(p->x);
    SUNContext_Free(&p->context);
    gt_lu_free(&p->lu_M);
    gt_lu_free(&p->lu_S);
    gt_arena_free(&p->arena);
    free(p);
}

static void keep_end(structured *p)
{
    memcpy(p->task->x, NV_DATA_S(p->x), 2 * p->m * sizeof(double));
    p->task->jacobians = 0;
    p->task->factorizations = p->factored;
}

static void restart(structured *p)
{
    memcpy(NV_DATA_S(p->x), p->task->problem->gt.x0, 2 * p->m * sizeof(double));
    p->gamma = 0;
    p->factored = 0;
}

static void *cvode_open(const bench_solver *self, bench_task *task)
{
    structured *p = open_structured(task);
    p->memory = CVodeCreate(CV_BDF, p->context);
    bench_require(p->memory != NULL, "CVODE: no memory");
    p->gamma_of = CVodeGetCurrentGamma;
    require(CVodeInit(p->memory, slope, 0, p->x));
    require(CVodeSStolerances(p->memory, task->tol, bench_atol(task)));
    require(CVodeSetUserData(p->memory, p));
    require(CVodeSetLinearSolver(p->memory, p->linear, NULL));
    require(CVodeSetMaxNumSteps(p->memory, bench_most_steps(task)));
    require(CVodeSetErrFile(p->memory, NULL));
    if (self->variant) require(CVodeSetMaxOrd(p->memory, *(const int *)self->variant));
    return p;
}

static void cvode_run(void *handle)
{
    structured *p = handle;
    double t;
    restart(p);
    require(CVodeReInit(p->memory, 0, p->x));
    p->task->failed = CVode(p->memory, p->task->t1, p->x, &t, CV_NORMAL) < 0;
    require(CVodeGetNumSteps(p->memory, &p->task->steps));
    keep_end(p);
}

static void cvode_close(void *handle)
{
    structured *p = handle;
    CVodeFree(&p->memory);
    close_structured(p);
}

static void *arkode_open(const bench_solver *self, bench_task *task)
{
    structured *p = open_structured(task);
    (void)self;
    p->memory = ARKStepCreate(NULL, slope, 0, p->x, p->context);
    bench_require(p->memory != NULL, "ARKODE: no memory");
    p->gamma_of = ARKStepGetCurrentGamma;
    require(ARKStepSStolerances(p->memory, task->tol, bench_atol(task)));
    require(ARKStepSetUserData(p->memory, p));
    require(ARKStepSetLinearSolver(p->memory, p->linear, NULL));
    require(ARKStepSetLinear(p->memory, 0));
    require(ARKStepSetInterpolantType(p->memory, ARK_INTERP_LAGRANGE));
    require(ARKStepSetTableNum(p->memory, ARKODE_ESDIRK436L2SA_6_3_4, ARKODE_ERK_NONE));
    require(ARKStepSetMaxNumSteps(p->memory, bench_most_steps(task)));
    require(ARKStepSetErrFile(p->memory, NULL));
    return p;
}

static void arkode_run(void *handle)
{
    structured *p = handle;
    double t;
    restart(p);
    require(ARKStepReInit(p->memory, NULL, slope, 0, p->x));
    require(ARKStepSetStopTime(p->memory, p->task->t1));
    p->task->failed = ARKStepEvolve(p->memory, p->task->t1, p->x, &t, ARK_NORMAL) < 0;
    require(ARKStepGetNumSteps(p->memory, &p->task->steps));
    keep_end(p);
}

static void arkode_close(void *handle)
{
    structured *p = handle;
    ARKStepFree(&p->memory);
    close_structured(p);
}

const bench_solver bench_cvode_structured = {
    "CVODE",   "bdf",      "BDF, systems of half the size by KLU", NULL, cvode_open,
    cvode_run, cvode_close};
static const int two = 2;
const bench_solver bench_cvode_structured_2 = {
    "CVODE",    "bdf2",     "BDF up to order 2, which is A-stable; systems of half the size by KLU",
    &two,       cvode_open, cvode_run,
    cvode_close};
const bench_solver bench_arkode_structured = {
    "ARKODE",
    "dirk",
    "ESDIRK436L2SA_6_3_4, linear, systems of half the size by KLU, stop time",
    NULL,
    arkode_open,
    arkode_run,
    arkode_close};
