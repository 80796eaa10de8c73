/* SPDX-License-Identifier: BSD-3-Clause */
/* x' - f in the differential rows, g in the algebraic ones. */
#include "support/sundials_kit.h"
#include <ida/ida.h>
#include <ida/ida_ls.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

typedef struct peer {
    bench_sundials *kit;
    N_Vector dx, x_start, dx_start;
} peer;

/* How the equations of a step are solved; NULL: with the model's Jacobian. */
static const char blocks[] = "blocks";

static void require(int flag) { bench_sundials_check(flag, "IDA: a call failed"); }

static size_t differential(const gt_problem *p) { return p->n_slow + p->n_fast; }

static int residual(double t, N_Vector x, N_Vector dx, N_Vector r, void *problem)
{
    const gt_problem *p = problem;
    int status = bench_sundials_rhs(t, x, r, problem);
    for (size_t i = 0; i < differential(p); i++)
        NV_DATA_S(r)[i] = NV_DATA_S(dx)[i] - NV_DATA_S(r)[i];
    return status;
}

/* The columns of df/dx with the diagonal of the differential rows added where it is missing. */
static int sparse_jacobian(double t, double cj, N_Vector x, SUNMatrix J, const gt_problem *p)
{
    size_t n = gt_problem_size(p), n_diff = differential(p);
    const int *colptr = p->jac_pattern.colptr, *rowindex = p->jac_pattern.rowindex;
    gt_matrix own = {
        .n = n, .pattern = p->jac_pattern, .values = calloc((size_t)colptr[n], sizeof(double))};
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

static int jacobian(double t, double cj, N_Vector x, N_Vector dx, N_Vector r, SUNMatrix J,
                    void *problem, N_Vector a, N_Vector b, N_Vector c)
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

/* SPGMR with the inverse of the 2 x 2 blocks of a differential state and the algebraic one of the
 * same place, of which there are as many. User data is the peer. */
static int blocks_residual(double t, N_Vector x, N_Vector dx, N_Vector r, void *data)
{
    return residual(t, x, dx, r, ((peer *)data)->kit->problem);
}

static double entry(const gt_matrix *J, size_t i, size_t j)
{
    const double *at = gt_matrix_at(J, i, j);
    return at ? *at : 0;
}

static int blocks_setup(double t, N_Vector x, N_Vector dx, N_Vector r, double cj, void *data)
{
    bench_sundials *kit = ((peer *)data)->kit;
    size_t half = differential(kit->problem);
    (void)dx, (void)r;
    gt_matrix J = {.n = 2 * half, .pattern = kit->problem->jac_pattern, .values = kit->values};
    gt_matrix_clear(&J);
    if (kit->problem->jac(t, NV_DATA_S(x), &J, kit->problem->ctx)) return 1;
    for (size_t i = 0; i < half; i++) {
        size_t k = half + i;
        double a = cj - entry(&J, i, i), b = -entry(&J, i, k), c = entry(&J, k, i),
               d = entry(&J, k, k);
        double inverse = 1 / (a * d - b * c), *P = kit->blocks + 4 * i;
        P[0] = d * inverse, P[1] = -b * inverse, P[2] = -c * inverse, P[3] = a * inverse;
    }
    return 0;
}

static int blocks_solve(double t, N_Vector x, N_Vector dx, N_Vector r, N_Vector from, N_Vector to,
                        double cj, double delta, void *data)
{
    const bench_sundials *kit = ((peer *)data)->kit;
    size_t half = differential(kit->problem);
    const double *b = NV_DATA_S(from);
    double *y = NV_DATA_S(to);
    (void)t, (void)x, (void)dx, (void)r, (void)cj, (void)delta;
    for (size_t i = 0; i < half; i++) {
        const double *P = kit->blocks + 4 * i;
        y[i] = P[0] * b[i] + P[1] * b[half + i];
        y[half + i] = P[2] * b[i] + P[3] * b[half + i];
    }
    return 0;
}

static void use_blocks(peer *p)
{
    bench_sundials *kit = p->kit;
    size_t n = gt_problem_size(kit->problem), entries = (size_t)kit->problem->jac_pattern.colptr[n];
    bench_require(n == 2 * differential(kit->problem),
                  "IDA: as many algebraic as differential states are needed");
    kit->values = calloc(entries + 2 * n, sizeof *kit->values);
    bench_require(kit->values != NULL, "IDA: no memory");
    kit->blocks = kit->values + entries;
    SUNLinSolFree(kit->linear);
    kit->linear = SUNLinSol_SPGMR(kit->x, SUN_PREC_LEFT, 0, kit->context);
    bench_require(kit->linear != NULL, "IDA: no memory");
    require(IDASetUserData(kit->memory, p));
    require(IDASetLinearSolver(kit->memory, kit->linear, NULL));
    require(IDASetPreconditioner(kit->memory, blocks_setup, blocks_solve));
}

static void *peer_open(const bench_solver *self, bench_task *task)
{
    peer *p = malloc(sizeof *p);
    bench_require(p != NULL, "out of memory for a solver");
    bench_sundials *kit = p->kit = bench_sundials_open(task);
    bool by_blocks = self->variant == blocks;
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
    require(IDAInit(kit->memory, by_blocks ? blocks_residual : residual, kit->problem->t0, kit->x,
                    p->dx));
    require(IDASStolerances(kit->memory, task->tol, bench_atol(task)));
    require(IDASetUserData(kit->memory, kit->problem));
    if (by_blocks) {
        use_blocks(p);
    } else {
        require(IDASetLinearSolver(kit->memory, kit->linear, kit->J));
        require(IDASetJacFn(kit->memory, jacobian));
    }
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
        if (IDACalcIC(kit->memory, IDA_YA_YDP_INIT, kit->problem->breaks[k] + 1e-4) < 0)
            task->failed = 1;
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
    free(p->kit->values);
    bench_sundials_close(p->kit);
    free(p);
}

const bench_solver bench_ida_bdf = {
    "IDA",
    "bdf",
    "analytic Jacobian, dense or KLU, no error test of algebraic variables, all else as it comes",
    NULL,
    peer_open,
    peer_run,
    peer_close};
const bench_solver bench_ida_blocks = {
    "IDA",
    "blocks",
    "SPGMR with 2 x 2 block Jacobi, J v by differences, no error test of algebraic variables",
    blocks,
    peer_open,
    peer_run,
    peer_close};
