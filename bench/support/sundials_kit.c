/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/sundials_kit.h"
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

void bench_sundials_check(int flag, const char *what) { bench_require(flag >= 0, what); }

bench_sundials *bench_sundials_open(bench_task *task)
{
    bench_sundials *p = calloc(1, sizeof *p);
    bench_require(p != NULL, "out of memory for a solver");
    p->task = task;
    p->problem = (gt_problem *)&task->problem->gt;
    bench_sundials_check(SUNContext_Create(NULL, &p->context), "SUNDIALS: no context");
    sunindextype n = (sunindextype)gt_problem_size(p->problem);
    p->x = N_VNew_Serial(n, p->context);
    const gt_pattern *pattern = &p->problem->jac_pattern;
    if (pattern->storage == GT_CSC) {
        p->J =
            SUNSparseMatrix(n, n, pattern->colptr[n] + n, CSC_MAT, p->context); /* and a diagonal */
        p->linear = SUNLinSol_KLU(p->x, p->J, p->context);
    } else {
        p->J = SUNDenseMatrix(n, n, p->context);
        p->linear = SUNLinSol_Dense(p->x, p->J, p->context);
    }
    bench_require(p->x && p->J && p->linear, "SUNDIALS: no memory");
    bench_sundials_start(p);
    return p;
}

void bench_sundials_start(bench_sundials *p)
{
    memcpy(NV_DATA_S(p->x), p->problem->x0, gt_problem_size(p->problem) * sizeof(double));
}

void bench_sundials_close(bench_sundials *p)
{
    SUNLinSolFree(p->linear);
    SUNMatDestroy(p->J);
    N_VDestroy(p->x);
    SUNContext_Free(&p->context);
    free(p);
}

int bench_sundials_rhs(double t, N_Vector x, N_Vector dx, void *problem)
{
    const gt_problem *p = problem;
    return (int)p->rhs(t, NV_DATA_S(x), NV_DATA_S(dx), p->ctx);
}

/* The solver has cleared J, with its indices when it is sparse. */
int bench_sundials_jac(double t, N_Vector x, N_Vector fx, SUNMatrix J, void *problem, N_Vector a,
                       N_Vector b, N_Vector c)
{
    const gt_problem *p = problem;
    (void)fx, (void)a, (void)b, (void)c;
    gt_matrix own = {.n = gt_problem_size(p), .pattern = p->jac_pattern};
    if (own.pattern.storage == GT_CSC) {
        const int *colptr = own.pattern.colptr, *rowindex = own.pattern.rowindex;
        for (size_t i = 0; i <= own.n; i++) SM_INDEXPTRS_S(J)[i] = colptr[i];
        for (int i = 0; i < colptr[own.n]; i++) SM_INDEXVALS_S(J)[i] = rowindex[i];
        own.values = SM_DATA_S(J);
    } else
        own.values = SM_DATA_D(J);
    return (int)p->jac(t, NV_DATA_S(x), &own, p->ctx);
}
