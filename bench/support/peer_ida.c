/* SPDX-License-Identifier: BSD-3-Clause */
/* x' - f in the differential rows, g in the algebraic ones. */
#include "support/sundials_kit.h"
#include <ida/ida.h>
#include <ida/ida_ls.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

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

/* The columns of df/dx with the diagonal of the differential rows added where it is missing. */
static int sparse_jacobian(double t, double cj, N_Vector x, SUNMatrix J, const gt_problem *p)
{
    size_t n = gt_problem_size(p), n_diff = differential(p);
    const int *colptr = p->jac_pattern.colptr, *rowindex = p->jac_pattern.rowindex;
    gt_matrix own = {.n = n, .pattern = p->jac_pattern, .values = calloc((size_t)colptr[n], sizeof(double))};
    bench_require(own.values != NULL, "out of memory for a Jacobian");
    int status = (int)p->jac(t, NV_DATA_S(x), &own, p->ctx), used = 0;
    for (size_t c = 0; c < n; c++) {
        bool due = c < n_diff; /* the diagonal is still to come */
        SM_INDEXPTRS_S(J)[c] = used;
        for (int k = colptr[c]; k <= colptr[c + 1]; k++) {
            bool end = k == colptr[c + 1];
            if (due && (end || rowindex[k] >= (int)c)) {
                SM_INDEXVALS_S(J)[used] = (sunindextype)c;
                SM_DATA_S(J)[used] = cj;
                due = false;
                if (!end && rowindex[k] == (int)c) SM_DATA_S(J)[used] -= own.values[k++];
                used++;
                end = k == colptr[c + 1];
            }
            if (end) break;
            SM_INDEXVALS_S(J)[used] = rowindex[k];
            SM_DATA_S(J)[used++] = rowindex[k] < (int)n_diff ? -own.values[k] : own.values[k];
        }
    }
    SM_INDEXPTRS_S(J)[n] = used;
    free(own.values);
    return status;
}

static int jacobian(double t, double cj, N_Vector x, N_Vector dx, N_Vector r, SUNMatrix J, void *problem, N_Vector a,
                    N_Vector b, N_Vector c)
{
    const gt_problem *p = problem;
    size_t n = gt_problem_size(p), n_diff = differential(p);
    (void)dx;
    if (p->jac_pattern.storage == GT_CSC) return sparse_jacobian(t, cj, x, J, p);
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
    bench_require(p != NULL, "out of memory for a solver");
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

static void run_until(peer *p, double t_end)
{
    bench_sundials *kit = p->kit;
    bench_task *task = kit->task;
    double t;
    long count;
    require(IDASetStopTime(kit->memory, t_end));
    if (IDASolve(kit->memory, t_end, &t, kit->x, p->dx, IDA_NORMAL) < 0) task->failed = 1;
    require(IDAGetNumSteps(kit->memory, &count));
    task->steps += count;
    require(IDAGetNumJacEvals(kit->memory, &count));
    task->jacobians += count;
    require(IDAGetNumLinSolvSetups(kit->memory, &count));
    task->factorizations += count;
}

static void peer_run(void *handle)
{
    peer *p = handle;
    bench_sundials *kit = p->kit;
    bench_task *task = kit->task;
    N_VScale(1, p->x_start, kit->x);
    N_VScale(1, p->dx_start, p->dx);
    require(IDAReInit(kit->memory, kit->problem->t0, kit->x, p->dx));
    task->steps = task->jacobians = task->factorizations = 0;
    task->failed = 0;
    /* Up to each discontinuity from the left, then on from it with consistent values. */
    for (size_t k = 0; k <= kit->problem->n_breaks && !task->failed; k++) {
        bool last = k == kit->problem->n_breaks || kit->problem->breaks[k] >= task->t1;
        run_until(p, last ? task->t1 : nextafter(kit->problem->breaks[k], -INFINITY));
        if (last) break;
        require(IDAReInit(kit->memory, kit->problem->breaks[k], kit->x, p->dx));
        if (IDACalcIC(kit->memory, IDA_YA_YDP_INIT, kit->problem->breaks[k] + 1e-4) < 0) task->failed = 1;
        require(IDAGetConsistentIC(kit->memory, kit->x, p->dx));
    }
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
    "IDA",     "bdf",     "analytic Jacobian, dense or KLU, no error test of algebraic variables, all else as it comes",
    NULL,      peer_open, peer_run,
    peer_close};
