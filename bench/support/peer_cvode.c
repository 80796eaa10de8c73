/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/sundials_kit.h"
#include <cvode/cvode.h>
#include <cvode/cvode_diag.h>
#include <cvode/cvode_ls.h>
#include <string.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

static void require(int flag) { bench_sundials_check(flag, "CVODE: a call failed"); }

/* How the equations of a step are solved; NULL: with the model's Jacobian. */
static const char krylov[] = "krylov", diagonal[] = "diagonal";

static void set_linear_solver(bench_sundials *p, const void *how)
{
    if (how == diagonal) {
        require(CVDiag(p->memory));
    } else if (how == krylov) {
        SUNLinSolFree(p->linear);
        p->linear = SUNLinSol_SPGMR(p->x, SUN_PREC_NONE, 0, p->context);
        bench_require(p->linear != NULL, "CVODE: no memory");
        require(CVodeSetLinearSolver(p->memory, p->linear, NULL));
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
    require(CVodeInit(p->memory, bench_sundials_rhs, p->problem->t0, p->x));
    require(CVodeSStolerances(p->memory, task->tol, bench_atol(task)));
    require(CVodeSetUserData(p->memory, p->problem));
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
    if (CVodeGetNumJacEvals(p->memory, &task->jacobians)) task->jacobians = 0; /* CVDiag has none to tell of */
    if (!p->nonlinear) require(CVodeGetNumLinSolvSetups(p->memory, &task->factorizations));
    memcpy(task->x, NV_DATA_S(p->x), gt_problem_size(p->problem) * sizeof(double));
}

static void peer_close(void *handle)
{
    bench_sundials *p = handle;
    CVodeFree(&p->memory);
    if (p->nonlinear) SUNNonlinSolFree(p->nonlinear);
    bench_sundials_close(p);
}

const bench_solver bench_cvode_bdf = {
    "CVODE",  "bdf",     "BDF, Newton, analytic Jacobian, dense or KLU, everything else as it comes", NULL, peer_open,
    peer_run, peer_close};
const bench_solver bench_cvode_krylov = {
    "CVODE",  "krylov",  "BDF, Newton, SPGMR without preconditioner, J v by differences", krylov, peer_open,
    peer_run, peer_close};
const bench_solver bench_cvode_diagonal = {
    "CVODE",  "diagonal", "BDF, Newton, CVDiag: the diagonal of the Jacobian by differences", diagonal, peer_open,
    peer_run, peer_close};
const bench_solver bench_cvode_adams = {
    "CVODE",  "adams",   "Adams, functional iteration, everything else as it comes", adams_variant, peer_open,
    peer_run, peer_close};
