/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A TS of PETSc as a problem: U' = G(t, U) by its right-hand-side function, or G - F(t, U, 0) where
 * it has an implicit one, F(t, U, U') = U' + .., each rank with the part of the vector that it
 * owns.
 *
 * Every norm that decides something goes through `reduce`, so all ranks decide alike, and each
 * makes the same calls of f, which may be collective. A rank on which f is not defined leaves NaN
 * in its rows: then all ranks repeat the step.
 *
 * Index sets named "slow" and "fast" (TSRHSSplitSetIS) make blocks. Linear systems of implicit
 * methods, (1 - gamma J) y = b, are solved by the KSP of the TS with the user's preconditioner,
 * where the TS has a Jacobian.
 */
#include "ts_geartrain.h"
#include <math.h>
#include <string.h>

/* A call of PETSc inside a function that has a status of ours to return: the error is kept, and
 * returned by the step. */
#define TSG_TRY(d, call)                                                                           \
    do {                                                                                           \
        (d)->error = (call);                                                                       \
        if ((d)->error) return GT_RHS_FAILED;                                                      \
    } while (0)

static void reduce(double *values, size_t sums, size_t maxima, void *ctx)
{
    tsg_data *d = ctx;
    MPI_Comm comm = PetscObjectComm((PetscObject)d->ts);
    d->reductions++;
    d->messages += (sums > 0) + (maxima > 0);
    if (sums) (void)MPI_Allreduce(MPI_IN_PLACE, values, (int)sums, MPI_DOUBLE, MPI_SUM, comm);
    if (maxima)
        (void)MPI_Allreduce(MPI_IN_PLACE, values + sums, (int)maxima, MPI_DOUBLE, MPI_MAX, comm);
}

/* ---- vectors ---- */

PetscErrorCode tsg_get(const tsg_data *d, Vec from, double *x)
{
    const PetscScalar *u;
    PetscFunctionBegin;
    PetscCall(VecGetArrayRead(from, &u));
    for (PetscInt k = 0; k < d->n; k++) x[k] = u[d->place ? d->place[k] : k];
    PetscCall(VecRestoreArrayRead(from, &u));
    PetscFunctionReturn(0);
}

PetscErrorCode tsg_put(const tsg_data *d, const double *x, Vec to)
{
    PetscScalar *u;
    PetscFunctionBegin;
    PetscCall(VecGetArrayWrite(to, &u));
    for (PetscInt k = 0; k < d->n; k++) u[d->place ? d->place[k] : k] = x[k];
    PetscCall(VecRestoreArrayWrite(to, &u));
    PetscFunctionReturn(0);
}

/* The state as a vector: a copy in its order, or the numbers themselves. */
static PetscErrorCode lend(tsg_data *d, const double *x)
{
    PetscFunctionBegin;
    if (d->place) {
        PetscCall(tsg_put(d, x, d->x));
    } else {
        PetscCall(VecPlaceArray(d->x, (const PetscScalar *)x));
        PetscCall(PetscObjectStateIncrease((PetscObject)d->x));
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode take_back(tsg_data *d)
{
    PetscFunctionBegin;
    if (!d->place) PetscCall(VecResetArray(d->x));
    PetscFunctionReturn(0);
}

/* ---- the right-hand side ---- */

/* What is not a state of the problem has no derivative. */
static PetscErrorCode is_defined(tsg_data *d, double t, PetscBool *defined)
{
    PetscFunctionBegin;
    *defined = PETSC_TRUE;
    PetscCall(TSFunctionDomainError(d->ts, t, d->x, defined));
    PetscFunctionReturn(0);
}

/* f := G(t, U) - F(t, U, 0) */
static PetscErrorCode slope(tsg_data *d, double t, Vec U, Vec f)
{
    PetscFunctionBegin;
    if (d->implicit) {
        PetscCall(TSComputeIFunction(d->ts, t, U, d->still, f, PETSC_FALSE));
        PetscCall(VecScale(f, -1));
    } else {
        PetscCall(TSComputeRHSFunction(d->ts, t, U, f));
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode evaluate(tsg_data *d, double t, const double *x, double *dx)
{
    PetscBool defined;
    PetscFunctionBegin;
    PetscCall(lend(d, x));
    PetscCall(is_defined(d, t, &defined));
    if (d->place) {
        PetscCall(slope(d, t, d->x, d->f));
        PetscCall(tsg_get(d, d->f, dx));
    } else {
        PetscCall(VecPlaceArray(d->f, dx));
        PetscCall(slope(d, t, d->x, d->f));
        PetscCall(VecResetArray(d->f));
    }
    PetscCall(take_back(d));
    for (PetscInt k = 0; !defined && k < d->n; k++) dx[k] = NAN;
    PetscFunctionReturn(0);
}

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    tsg_data *d = ctx;
    TSG_TRY(d, evaluate(d, t, x, dx));
    return GT_OK;
}

static PetscErrorCode evaluate_block(tsg_data *d, TS block, Vec f, double t, const double *x,
                                     double *dx)
{
    PetscBool defined;
    PetscInt n;
    PetscFunctionBegin;
    PetscCall(lend(d, x));
    PetscCall(is_defined(d, t, &defined));
    PetscCall(VecPlaceArray(f, dx));
    PetscCall(TSComputeRHSFunction(block, t, d->x, f));
    PetscCall(VecResetArray(f));
    PetscCall(take_back(d));
    PetscCall(VecGetLocalSize(f, &n));
    for (PetscInt k = 0; !defined && k < n; k++) dx[k] = NAN;
    PetscFunctionReturn(0);
}

static gt_status rhs_slow(double t, const double *x, double *dx, void *ctx)
{
    tsg_data *d = ctx;
    TSG_TRY(d, evaluate_block(d, d->slow, d->f_slow, t, x, dx));
    return GT_OK;
}

static gt_status rhs_fast(double t, const double *x, double *dx, void *ctx)
{
    tsg_data *d = ctx;
    TSG_TRY(d, evaluate_block(d, d->fast, d->f_fast, t, x, dx));
    return GT_OK;
}

/* ---- linear systems ---- */

/* 1/gamma + dF/dU - dG/dU: PETSc makes it in one piece. */
static PetscErrorCode shift_implicit(tsg_data *d, const gt_system *system)
{
    Mat A, B;
    PetscFunctionBegin;
    PetscCall(TSGetIJacobian(d->ts, &A, &B, NULL, NULL));
    PetscCall(lend(d, system->x));
    PetscCall(
        TSComputeIJacobian(d->ts, system->t, d->x, d->still, 1 / system->gamma, A, B, PETSC_FALSE));
    PetscCall(take_back(d));
    PetscCall(KSPSetOperators(d->ksp, A, B));
    d->scale = 1 / system->gamma;
    PetscFunctionReturn(0);
}

static PetscErrorCode shift(tsg_data *d, const gt_system *system)
{
    Mat A, B;
    TSRHSJacobian function;
    PetscFunctionBegin;
    PetscCall(TSGetRHSJacobian(d->ts, &A, &B, &function, NULL));
    if (!system->same_point || !d->jacobian) {
        PetscCall(lend(d, system->x));
        PetscCall(TSComputeRHSJacobian(d->ts, system->t, d->x, A, B));
        PetscCall(take_back(d));
        if (!d->jacobian) PetscCall(MatDuplicate(B, MAT_DO_NOT_COPY_VALUES, &d->jacobian));
        PetscCall(MatCopy(B, d->jacobian, SAME_NONZERO_PATTERN));
    }
    if (!d->shifted) PetscCall(MatDuplicate(d->jacobian, MAT_DO_NOT_COPY_VALUES, &d->shifted));
    PetscCall(MatCopy(d->jacobian, d->shifted, SAME_NONZERO_PATTERN));
    PetscCall(MatScale(d->shifted, -system->gamma));
    PetscCall(MatShift(d->shifted, 1));
    PetscCall(KSPSetOperators(d->ksp, d->shifted, d->shifted));
    PetscFunctionReturn(0);
}

static gt_status prepare(const gt_system *system, void *ctx)
{
    tsg_data *d = ctx;
    TSG_TRY(d, d->implicit ? shift_implicit(d, system) : shift(d, system));
    d->prepared = PETSC_TRUE;
    return GT_OK;
}

static PetscErrorCode solve_by_ksp(tsg_data *d, const gt_system *system, const double *b, double *y,
                                   PetscBool *solved)
{
    KSPConvergedReason reason;
    PetscInt its;
    PetscFunctionBegin;
    PetscCall(
        KSPSetTolerances(d->ksp, system->tolerance, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
    if (d->place) {
        PetscCall(tsg_put(d, b, d->f));
        PetscCall(KSPSolve(d->ksp, d->f, d->x));
        PetscCall(tsg_get(d, d->x, y));
    } else {
        PetscCall(VecPlaceArray(d->f, b));
        PetscCall(VecPlaceArray(d->x, y));
        PetscCall(KSPSolve(d->ksp, d->f, d->x));
        PetscCall(VecResetArray(d->x));
        PetscCall(VecResetArray(d->f));
    }
    for (PetscInt k = 0; d->implicit && k < d->n; k++) y[k] *= d->scale;
    PetscCall(KSPGetConvergedReason(d->ksp, &reason));
    PetscCall(KSPGetIterationNumber(d->ksp, &its));
    d->ts->ksp_its += its;
    *solved = reason > 0 ? PETSC_TRUE : PETSC_FALSE;
    PetscFunctionReturn(0);
}

/* The reason is the same on all ranks. */
static gt_status solve(const gt_system *system, const double *b, double *y, void *ctx)
{
    tsg_data *d = ctx;
    PetscBool solved = PETSC_FALSE;
    /* A run that was restored goes on with a Jacobian that this process has not made. */
    gt_status status = d->prepared ? GT_OK : prepare(system, ctx);
    if (status) return status;
    TSG_TRY(d, solve_by_ksp(d, system, b, y, &solved));
    return solved ? GT_OK : GT_TRY_SINGULAR;
}

static PetscErrorCode add_solver(tsg_data *d)
{
    Mat B = NULL;
    SNES snes;
    TSIJacobian function;
    PetscFunctionBegin;
    if (d->implicit) { /* asked for its matrices, PETSc would make some where there is no function
                        */
        PetscCall(TSGetIJacobian(d->ts, NULL, NULL, &function, NULL));
        if (function) PetscCall(TSGetIJacobian(d->ts, NULL, &B, NULL, NULL));
    } else {
        PetscCall(TSGetRHSJacobian(d->ts, NULL, &B, NULL, NULL));
    }
    if (!B) PetscFunctionReturn(0);
    PetscCall(TSGetSNES(d->ts, &snes));
    PetscCall(SNESGetKSP(snes, &d->ksp));
    PetscCall(KSPSetFromOptions(d->ksp));
    d->solver = (gt_solver){.prepare = prepare, .solve = solve, .ctx = d};
    d->problem.solver = &d->solver;
    PetscFunctionReturn(0);
}

/* ---- blocks ---- */

/* The places in this rank's part of the vector that an index set names. */
static PetscErrorCode add_places(IS is, PetscInt first, PetscInt *place, PetscInt *count)
{
    const PetscInt *indices;
    PetscInt n;
    PetscFunctionBegin;
    PetscCall(ISGetLocalSize(is, &n));
    PetscCall(ISGetIndices(is, &indices));
    for (PetscInt k = 0; k < n; k++) place[(*count)++] = indices[k] - first;
    PetscCall(ISRestoreIndices(is, &indices));
    PetscFunctionReturn(0);
}

static PetscErrorCode check_places(const tsg_data *d, PetscInt count)
{
    PetscBool *seen, good;
    PetscFunctionBegin;
    PetscCall(PetscCalloc1((size_t)d->n + 1, &seen));
    good = count == d->n ? PETSC_TRUE : PETSC_FALSE;
    for (PetscInt k = 0; good && k < d->n; k++) {
        PetscInt at = d->place[k];
        good = at >= 0 && at < d->n && !seen[at] ? PETSC_TRUE : PETSC_FALSE;
        if (good) seen[at] = PETSC_TRUE;
    }
    PetscCall(PetscFree(seen));
    PetscCall(MPIU_Allreduce(MPI_IN_PLACE, &good, 1, MPIU_BOOL, MPI_LAND,
                             PetscObjectComm((PetscObject)d->ts)));
    PetscCheck(good, PetscObjectComm((PetscObject)d->ts), PETSC_ERR_ARG_INCOMP,
               "The index sets \"slow\" and \"fast\" must have each entry that a rank owns once, "
               "on that rank");
    PetscFunctionReturn(0);
}

static PetscErrorCode add_blocks(tsg_data *d)
{
    IS slow, fast;
    Vec u = d->ts->vec_sol;
    PetscInt first, count = 0, sizes[2];
    PetscFunctionBegin;
    d->n_slow = d->n;
    if (d->ts->num_rhs_splits != 2) PetscFunctionReturn(0);
    PetscCall(TSRHSSplitGetIS(d->ts, "slow", &slow));
    PetscCall(TSRHSSplitGetIS(d->ts, "fast", &fast));
    if (!slow || !fast) PetscFunctionReturn(0);
    PetscCall(VecGetOwnershipRange(u, &first, NULL));
    PetscCall(ISGetLocalSize(slow, &sizes[0]));
    PetscCall(ISGetLocalSize(fast, &sizes[1]));
    PetscCall(PetscMalloc1((size_t)(sizes[0] + sizes[1]) + 1, &d->place));
    PetscCall(add_places(slow, first, d->place, &count));
    d->n_slow = count;
    PetscCall(add_places(fast, first, d->place, &count));
    PetscCall(check_places(d, count));
    PetscCall(TSRHSSplitGetSubTS(d->ts, "slow", &d->slow));
    PetscCall(TSRHSSplitGetSubTS(d->ts, "fast", &d->fast));
    PetscCall(VecCreateMPIWithArray(PetscObjectComm((PetscObject)u), 1, d->n_slow, PETSC_DECIDE,
                                    NULL, &d->f_slow));
    PetscCall(VecCreateMPIWithArray(PetscObjectComm((PetscObject)u), 1, d->n - d->n_slow,
                                    PETSC_DECIDE, NULL, &d->f_fast));
    PetscFunctionReturn(0);
}

/* ---- the whole ---- */

static PetscErrorCode check_form(TS ts)
{
    TSRHSFunction function;
    TSIFunction implicit;
    PetscBool host;
    MPI_Comm comm = PetscObjectComm((PetscObject)ts);
    PetscFunctionBegin;
    PetscCall(TSGetRHSFunction(ts, NULL, &function, NULL));
    PetscCall(TSGetIFunction(ts, NULL, &implicit, NULL));
    PetscCheck(function || implicit || ts->num_rhs_splits, comm, PETSC_ERR_SUP,
               "-ts_type geartrain takes U' = G(t,U): give the right-hand side by "
               "TSSetRHSFunction(), or U' + .. = G(t,U) by TSSetIFunction()");
    PetscCheck(!implicit || !ts->num_rhs_splits, comm, PETSC_ERR_SUP,
               "-ts_type geartrain takes splits (TSRHSSplitSetIS()) of U' = G(t,U); this TS has an "
               "implicit part (TSSetIFunction()) too, which would be left out");
    PetscCall(PetscObjectTypeCompareAny((PetscObject)ts->vec_sol, &host, VECSEQ, VECMPI,
                                        VECSTANDARD, VECNEST, ""));
    PetscCheck(host, comm, PETSC_ERR_SUP, "-ts_type geartrain needs vectors in main memory");
    PetscFunctionReturn(0);
}

/* The largest number of this rank's part of a vector, and of what a and b + c differ by. */
static PetscErrorCode farthest(Vec a, Vec b, Vec c, double *most, double *apart)
{
    PetscFunctionBegin;
    PetscCall(VecNorm(a, NORM_INFINITY, most));
    PetscCall(VecAXPY(a, -1, b));
    PetscCall(VecAXPY(a, -1, c));
    PetscCall(VecNorm(a, NORM_INFINITY, apart));
    PetscFunctionReturn(0);
}

/* F(t, U, V) - F(t, U, 0) = V is asked for at the start and beside it, with a V that is no multiple
 * of ones: a mass matrix, algebraic equations and a factor before U' are seen so. */
static PetscErrorCode check_implicit(tsg_data *d)
{
    TS ts = d->ts;
    Vec U, V, at_rest, moving;
    PetscInt first, last;
    const double reach = 1e-3, close = 1e-8;
    PetscFunctionBegin;
    PetscCall(VecDuplicate(ts->vec_sol, &d->still));
    PetscCall(VecSet(d->still, 0));
    PetscCall(VecDuplicate(ts->vec_sol, &U));
    PetscCall(VecDuplicate(ts->vec_sol, &V));
    PetscCall(VecDuplicate(ts->vec_sol, &at_rest));
    PetscCall(VecDuplicate(ts->vec_sol, &moving));
    PetscCall(VecGetOwnershipRange(V, &first, &last));
    PetscCall(VecCopy(ts->vec_sol, U));
    for (int beside = 0; beside < 2; beside++) {
        double most, apart;
        PetscCall(TSComputeIFunction(ts, ts->ptime, U, d->still, at_rest, PETSC_FALSE));
        PetscCall(VecNorm(at_rest, NORM_INFINITY, &most));
        if (!isfinite(most)) break; /* the run will see it */
        for (PetscInt k = first; k < last; k++)
            PetscCall(VecSetValue(V, k, (1 + most) * (1 + 0.1 * (double)(k % 7)), INSERT_VALUES));
        PetscCall(VecAssemblyBegin(V));
        PetscCall(VecAssemblyEnd(V));
        PetscCall(TSComputeIFunction(ts, ts->ptime, U, V, moving, PETSC_FALSE));
        PetscCall(farthest(moving, at_rest, V, &most, &apart));
        PetscCheck(
            apart <= close * most, PetscObjectComm((PetscObject)ts), PETSC_ERR_SUP,
            "-ts_type geartrain takes F(t,U,U') = G(t,U) where F is U' + ..; here a change of U' "
            "by V changes F by something else than V (a mass matrix, or algebraic equations)");
        PetscCall(VecAXPY(U, reach / (1 + most), V));
    }
    PetscCall(VecDestroy(&U));
    PetscCall(VecDestroy(&V));
    PetscCall(VecDestroy(&at_rest));
    PetscCall(VecDestroy(&moving));
    PetscFunctionReturn(0);
}

PetscErrorCode tsg_problem_open(tsg_data *d)
{
    TS ts = d->ts;
    Vec u = ts->vec_sol;
    PetscMPIInt size;
    PetscInt first;
    TSIFunction implicit;
    PetscFunctionBegin;
    PetscCall(check_form(ts));
    PetscCall(TSGetIFunction(ts, NULL, &implicit, NULL));
    d->implicit = implicit ? PETSC_TRUE : PETSC_FALSE;
    if (d->implicit) PetscCall(check_implicit(d));
    PetscCall(VecGetLocalSize(u, &d->n));
    PetscCall(VecGetOwnershipRange(u, &first, NULL));
    PetscCall(VecDuplicate(u, &d->x));
    PetscCall(VecDuplicate(u, &d->f));
    PetscCall(PetscMalloc1((size_t)d->n + 1, &d->x0));
    PetscCall(add_blocks(d));
    PetscCall(tsg_get(d, u, d->x0));
    d->problem = (gt_problem){.n_slow = (size_t)d->n_slow,
                              .n_fast = (size_t)(d->n - d->n_slow),
                              .rhs = rhs,
                              .rhs_slow = d->slow ? rhs_slow : NULL,
                              .rhs_fast = d->fast ? rhs_fast : NULL,
                              .t0 = ts->ptime,
                              .t1 = ts->max_time,
                              .x0 = d->x0,
                              .ctx = d};
    PetscCallMPI(MPI_Comm_size(PetscObjectComm((PetscObject)ts), &size));
    d->ranks = (gt_ranks){.reduce = reduce, .before = (size_t)first, .ctx = d};
    if (size > 1) d->problem.ranks = &d->ranks;
    PetscCall(add_solver(d));
    PetscFunctionReturn(0);
}

void tsg_problem_close(tsg_data *d)
{
    (void)VecDestroy(&d->x);
    (void)VecDestroy(&d->f);
    (void)VecDestroy(&d->f_slow);
    (void)VecDestroy(&d->f_fast);
    (void)VecDestroy(&d->still);
    (void)MatDestroy(&d->jacobian);
    (void)MatDestroy(&d->shifted);
    (void)PetscFree(d->place);
    (void)PetscFree(d->x0);
    (void)PetscFree(d->atol);
    (void)PetscFree(d->rtol);
    d->slow = d->fast = NULL;
}
