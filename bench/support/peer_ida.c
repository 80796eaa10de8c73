/* SPDX-License-Identifier: BSD-3-Clause */
/* x' - f in the differential rows, g in the algebraic ones. */
#include "support/sundials_kit.h"
#include <ida/ida.h>
#include <ida/ida_ls.h>
#include <stdlib.h>
#include <string.h>
#include <sunmatrix/sunmatrix_dense.h>

typedef struct peer {
    bench_sundials *kit;
    N_Vector dx, x_start, dx_start;
} peer;

static void require(int flag) { bench_sundials_check(flag, "IDA: a call failed"); }

static size_t differential(const gt_problem *p) { return p->n_slow + p->n_fast; }

static int residual(double t, N_Vector x, N_Vector dx, N_Vector r, void *problem)
{
    const gt_problem *p = problem;
    int status = bench_sundials_rhs(t, x, r, problem);
    for (size_t i = 0; i < differential(p); i++) NV_DATA_S(r)[i] = NV_DATA_S(dx)[i] - NV_DATA_S(r)[i];
    return status;
}

/* Dense only. */
static int jacobian(double t, double cj, N_Vector x, N_Vector dx, N_Vector r, SUNMatrix J, void *problem, N_Vector a,
                    N_Vector b, N_Vector c)
{
    const gt_problem *p = problem;
    size_t n = gt_problem_size(p), n_diff = differential(p);
    (void)dx;
    int status = bench_sundials_jac(t, x, r, J, problem, a, b, c);
    double *values = SUNDenseMatrix_Data(J);
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < n_diff; i++) values[j * n + i] *= -1;
        if (j < n_diff) values[j * n + j] += cj;
    }
    return status;
}

static void *peer_open(const bench_solver *self, bench_task *task)
{
    peer *p = malloc(sizeof *p);
    bench_require(p != NULL, "there is no memory for a solver");
    bench_sundials *kit = p->kit = bench_sundials_open(task);
    (void)self;
    p->dx = N_VClone(kit->x);
    p->x_start = N_VClone(kit->x);
    p->dx_start = N_VClone(kit->x);
    N_Vector id = N_VClone(kit->x);
    size_t n = gt_problem_size(kit->problem), n_diff = differential(kit->problem);
    require(bench_sundials_rhs(kit->problem->t0, kit->x, p->dx, kit->problem));
    for (size_t i = 0; i < n; i++) {
        NV_DATA_S(id)[i] = i < n_diff;
        if (i >= n_diff) NV_DATA_S(p->dx)[i] = 0;
    }
    kit->memory = IDACreate(kit->context);
    bench_require(kit->memory != NULL, "IDA: no memory");
    require(IDAInit(kit->memory, residual, kit->problem->t0, kit->x, p->dx));
    require(IDASStolerances(kit->memory, task->tol, bench_atol(task)));
    require(IDASetUserData(kit->memory, kit->problem));
    require(IDASetLinearSolver(kit->memory, kit->linear, kit->J));
    require(IDASetJacFn(kit->memory, jacobian));
    require(IDASetMaxNumSteps(kit->memory, bench_most_steps(task)));
    require(IDASetErrFile(kit->memory, NULL));
    N_VScale(1, kit->x, p->x_start);
    N_VScale(1, p->dx, p->dx_start);
    require(IDASetId(kit->memory, id));
    require(IDASetSuppressAlg(kit->memory, SUNTRUE));
    N_VDestroy(id);
    return p;
}

static void peer_run(void *handle)
{
    peer *p = handle;
    bench_sundials *kit = p->kit;
    bench_task *task = kit->task;
    double t;
    N_VScale(1, p->x_start, kit->x);
    N_VScale(1, p->dx_start, p->dx);
    require(IDAReInit(kit->memory, kit->problem->t0, kit->x, p->dx));
    task->failed = IDASolve(kit->memory, task->t1, &t, kit->x, p->dx, IDA_NORMAL) < 0;
    require(IDAGetNumSteps(kit->memory, &task->steps));
    require(IDAGetNumJacEvals(kit->memory, &task->jacobians));
    require(IDAGetNumLinSolvSetups(kit->memory, &task->factorizations));
    memcpy(task->x, NV_DATA_S(kit->x), gt_problem_size(kit->problem) * sizeof(double));
}

static void peer_close(void *handle)
{
    peer *p = handle;
    IDAFree(&p->kit->memory);
    N_VDestroy(p->dx);
    N_VDestroy(p->x_start);
    N_VDestroy(p->dx_start);
    bench_sundials_close(p->kit);
    free(p);
}

const bench_solver bench_ida_bdf = {
    "IDA",     "bdf",     "analytic Jacobian, dense, no error test of algebraic variables, all else as it comes",
    NULL,      peer_open, peer_run,
    peer_close};
