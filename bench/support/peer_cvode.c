/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/sundials_kit.h"
#include <cvode/cvode.h>
#include <cvode/cvode_diag.h>
#include <cvode/cvode_ls.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

static void require(int flag) { bench_sundials_check(flag, "CVODE: a call failed"); }

/* How the equations of a step are solved; NULL: with the model's Jacobian. */
static const char krylov[] = "krylov", diagonal[] = "diagonal", blocks[] = "blocks";

/* SPGMR with the inverse of the 2 x 2 blocks on the diagonal of I - gamma J, from the Jacobian of
 * the problem. */
static int blocks_rhs(double t, N_Vector x, N_Vector dx, void *peer)
{
    return bench_sundials_rhs(t, x, dx, ((bench_sundials *)peer)->problem);
}

static int blocks_setup(double t, N_Vector x, N_Vector fx, int same, int *fresh, double gamma,
                        void *peer)
{
    bench_sundials *p = peer;
    size_t n = gt_problem_size(p->problem);
    (void)fx;
    *fresh = !same;
    gt_matrix J = {.n = n, .pattern = p->problem->jac_pattern, .values = p->values};
    if (!same) {
        gt_matrix_clear(&J);
        if (p->problem->jac(t, NV_DATA_S(x), &J, p->problem->ctx)) return 1;
    }
    for (size_t i = 0; i < n; i += 2) {
        double a = 1 - gamma * *gt_matrix_at(&J, i, i), b = -gamma * *gt_matrix_at(&J, i, i + 1);
        double c = -gamma * *gt_matrix_at(&J, i + 1, i),
               d = 1 - gamma * *gt_matrix_at(&J, i + 1, i + 1);
        double inverse = 1 / (a * d - b * c), *P = p->blocks + 2 * i;
        P[0] = d * inverse, P[1] = -b * inverse, P[2] = -c * inverse, P[3] = a * inverse;
    }
    return 0;
}

static int blocks_solve(double t, N_Vector x, N_Vector fx, N_Vector r, N_Vector z, double gamma,
                        double delta, int side, void *peer)
{
    const bench_sundials *p = peer;
    const double *from = NV_DATA_S(r);
    double *to = NV_DATA_S(z);
    (void)t, (void)x, (void)fx, (void)gamma, (void)delta, (void)side;
    for (size_t i = 0; i < gt_problem_size(p->problem); i += 2) {
        const double *P = p->blocks + 2 * i;
        to[i] = P[0] * from[i] + P[1] * from[i + 1];
        to[i + 1] = P[2] * from[i] + P[3] * from[i + 1];
    }
    return 0;
}

static void set_linear_solver(bench_sundials *p, const void *how)
{
    if (how == diagonal) {
        require(CVDiag(p->memory));
    } else if (how == krylov || how == blocks) {
        SUNLinSolFree(p->linear);
        p->linear =
            SUNLinSol_SPGMR(p->x, how == blocks ? SUN_PREC_LEFT : SUN_PREC_NONE, 0, p->context);
        bench_require(p->linear != NULL, "CVODE: no memory");
        require(CVodeSetLinearSolver(p->memory, p->linear, NULL));
        if (how == blocks) require(CVodeSetPreconditioner(p->memory, blocks_setup, blocks_solve));
    } else {
        require(CVodeSetLinearSolver(p->memory, p->linear, p->J));
        require(CVodeSetJacFn(p->memory, bench_sundials_jac));
    }
}

static const char adams_variant[] = "adams";

static void *peer_open(const bench_solver *self, bench_task *task)
{
    bench_sundials *p = bench_sundials_open(task);
    int adams = self->variant == adams_variant;
    p->memory = CVodeCreate(adams ? CV_ADAMS : CV_BDF, p->context);
    bench_require(p->memory != NULL, "CVODE: no memory");
    int by_blocks = self->variant == blocks;
    if (by_blocks) {
        size_t n = gt_problem_size(p->problem);
        p->values = calloc((size_t)p->problem->jac_pattern.colptr[n] + 2 * n, sizeof *p->values);
        bench_require(p->values != NULL, "CVODE: no memory");
        p->blocks = p->values + p->problem->jac_pattern.colptr[n];
    }
    require(
        CVodeInit(p->memory, by_blocks ? blocks_rhs : bench_sundials_rhs, p->problem->t0, p->x));
    require(CVodeSStolerances(p->memory, task->tol, bench_atol(task)));
    require(CVodeSetUserData(p->memory, by_blocks ? (void *)p : (void *)p->problem));
    if (adams) {
        p->nonlinear = SUNNonlinSol_FixedPoint(p->x, 0, p->context);
        require(CVodeSetNonlinearSolver(p->memory, p->nonlinear));
    } else
        set_linear_solver(p, self->variant);
    require(CVodeSetMaxNumSteps(p->memory, bench_most_steps(task)));
    require(CVodeSetErrFile(p->memory, NULL));
    return p;
}

static void peer_run(void *handle)
{
    bench_sundials *p = handle;
    bench_task *task = p->task;
    double t;
    bench_sundials_start(p);
    require(CVodeReInit(p->memory, p->problem->t0, p->x));
    task->failed = CVode(p->memory, task->t1, p->x, &t, CV_NORMAL) < 0;
    require(CVodeGetNumSteps(p->memory, &task->steps));
    if (CVodeGetNumJacEvals(p->memory, &task->jacobians))
        task->jacobians = 0; /* CVDiag has none to tell of */
    if (!p->nonlinear) require(CVodeGetNumLinSolvSetups(p->memory, &task->factorizations));
    memcpy(task->x, NV_DATA_S(p->x), gt_problem_size(p->problem) * sizeof(double));
}

static void peer_close(void *handle)
{
    bench_sundials *p = handle;
    CVodeFree(&p->memory);
    if (p->nonlinear) SUNNonlinSolFree(p->nonlinear);
    free(p->values);
    bench_sundials_close(p);
}

const bench_solver bench_cvode_bdf = {
    "CVODE",
    "bdf",
    "BDF, Newton, analytic Jacobian, dense or KLU, everything else as it comes",
    NULL,
    peer_open,
    peer_run,
    peer_close};
const bench_solver bench_cvode_krylov = {
    "CVODE",   "krylov",  "BDF, Newton, SPGMR without preconditioner, J v by differences",
    krylov,    peer_open, peer_run,
    peer_close};
const bench_solver bench_cvode_blocks = {
    "CVODE",   "blocks",  "BDF, Newton, SPGMR with 2 x 2 block Jacobi, J v by differences",
    blocks,    peer_open, peer_run,
    peer_close};
const bench_solver bench_cvode_diagonal = {
    "CVODE",   "diagonal", "BDF, Newton, CVDiag: the diagonal of the Jacobian by differences",
    diagonal,  peer_open,  peer_run,
    peer_close};
const bench_solver bench_cvode_adams = {
    "CVODE",       "adams",   "Adams, functional iteration, everything else as it comes",
    adams_variant, peer_open, peer_run,
    peer_close};
