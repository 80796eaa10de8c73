/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_BENCH_SUNDIALS_KIT_H
#define GEARTRAIN_BENCH_SUNDIALS_KIT_H

/* What the implicit solvers of SUNDIALS share. Their user data is the gt_problem, whose rhs and jac
 * they call. */
#include "bench.h"
#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sundials/sundials_nonlinearsolver.h>

typedef struct bench_sundials {
    bench_task *task;
    gt_problem *problem;
    SUNContext context;
    N_Vector x;
    SUNMatrix J;                  /* dense, or CSC when the problem's is */
    SUNLinearSolver linear;       /* dense, or KLU */
    SUNNonlinearSolver nonlinear; /* functional iteration; NULL: Newton's, with the above */
    void *memory;
    double *values, *blocks; /* of a preconditioner: the Jacobian, and inverses of its 2 x 2 blocks;
                                else NULL */
} bench_sundials;

bench_sundials *bench_sundials_open(bench_task *task);
void bench_sundials_start(bench_sundials *peer); /* x = x0 */
void bench_sundials_close(bench_sundials *peer); /* `memory` has been freed */
void bench_sundials_check(int flag, const char *what);

int bench_sundials_rhs(double t, N_Vector x, N_Vector dx, void *problem);
int bench_sundials_jac(double t, N_Vector x, N_Vector fx, SUNMatrix J, void *problem, N_Vector a,
                       N_Vector b, N_Vector c);

#endif
