/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A ball that bounces (TSSetEventHandler), on any number of ranks, the ball on the first one.
 * Prints the times of the bounces, the height at the end, and, with -span, the height at given
 * times; with -push somebody changes the solution after a step. Knows nothing of Geartrain.
 */
#include <petscts.h>

static PetscErrorCode fall(TS ts, PetscReal t, Vec U, Vec F, void *ctx)
{
    const PetscScalar *u;
    PetscScalar *f;
    PetscInt n;
    PetscFunctionBegin;
    (void)ts, (void)t, (void)ctx;
    PetscCall(VecGetLocalSize(U, &n));
    PetscCall(VecGetArrayRead(U, &u));
    PetscCall(VecGetArrayWrite(F, &f));
    if (n) f[0] = u[1];
    if (n) f[1] = -9.81;
    PetscCall(VecRestoreArrayWrite(F, &f));
    PetscCall(VecRestoreArrayRead(U, &u));
    PetscFunctionReturn(0);
}

static PetscErrorCode height(TS ts, PetscReal t, Vec U, PetscScalar *value, void *ctx)
{
    const PetscScalar *u;
    PetscInt n;
    PetscFunctionBegin;
    (void)ts, (void)t, (void)ctx;
    PetscCall(VecGetLocalSize(U, &n));
    PetscCall(VecGetArrayRead(U, &u));
    if (n) value[0] = u[0];
    PetscCall(VecRestoreArrayRead(U, &u));
    PetscFunctionReturn(0);
}

static PetscErrorCode bounce(TS ts, PetscInt n, PetscInt *which, PetscReal t, Vec U,
                             PetscBool forward, void *ctx)
{
    PetscScalar *u;
    PetscFunctionBegin;
    (void)ts, (void)which, (void)forward, (void)ctx;
    if (n) {
        PetscCall(VecGetArray(U, &u));
        u[0] = 0;
        u[1] = -0.9 * u[1];
        PetscCall(VecRestoreArray(U, &u));
        PetscCall(PetscPrintf(PETSC_COMM_SELF, "bounce %.12g\n", (double)t));
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode push(TS ts)
{
    PetscReal t;
    Vec U;
    PetscInt n, *pushed;
    PetscScalar *u;
    PetscFunctionBegin;
    PetscCall(TSGetTime(ts, &t));
    PetscCall(TSGetSolution(ts, &U));
    PetscCall(TSGetApplicationContext(ts, &pushed));
    if (t < 0.1 || *pushed) PetscFunctionReturn(0);
    *pushed = 1;
    PetscCall(VecGetLocalSize(U, &n));
    PetscCall(VecGetArray(U, &u));
    if (n)
        PetscCall(PetscPrintf(PETSC_COMM_SELF, "pushed %.17g %.17g %.17g\n", (double)t,
                              (double)u[0], (double)u[1]));
    if (n) u[1] += 5;
    PetscCall(VecRestoreArray(U, &u));
    PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
    PetscMPIInt rank;
    PetscInt direction = -1, pushed = 0;
    PetscBool stop = PETSC_FALSE, span = PETSC_FALSE, pushes = PETSC_FALSE, events = PETSC_TRUE;
    PetscReal times[] = {0, 0.05, 0.125, 0.3};
    TS ts;
    Vec U;
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
    PetscCall(PetscOptionsGetBool(NULL, NULL, "-span", &span, NULL));
    PetscCall(PetscOptionsGetBool(NULL, NULL, "-push", &pushes, NULL));
    PetscCall(PetscOptionsGetBool(NULL, NULL, "-events", &events, NULL));
    PetscCall(VecCreateMPI(PETSC_COMM_WORLD, rank ? 0 : 2, 2, &U));
    if (!rank) PetscCall(VecSetValue(U, 0, 1, INSERT_VALUES));
    PetscCall(VecAssemblyBegin(U));
    PetscCall(VecAssemblyEnd(U));
    PetscCall(TSCreate(PETSC_COMM_WORLD, &ts));
    PetscCall(TSSetRHSFunction(ts, NULL, fall, NULL));
    PetscCall(TSSetMaxTime(ts, 2));
    PetscCall(TSSetTimeStep(ts, 0.01));
    PetscCall(TSSetExactFinalTime(ts, TS_EXACTFINALTIME_MATCHSTEP));
    PetscCall(TSSetApplicationContext(ts, &pushed));
    if (pushes) PetscCall(TSSetPostStep(ts, push));
    if (events)
        PetscCall(TSSetEventHandler(ts, rank ? 0 : 1, &direction, &stop, height, bounce, NULL));
    if (span) PetscCall(TSSetTimeSpan(ts, 4, times));
    PetscCall(TSSetFromOptions(ts));
    PetscCall(TSSolve(ts, U));
    if (span) {
        PetscInt count;
        Vec *found;
        PetscCall(TSGetTimeSpanSolutions(ts, &count, &found));
        for (PetscInt k = 0; k < count; k++) {
            PetscReal norm;
            PetscCall(VecNorm(found[k], NORM_1, &norm));
            PetscCall(
                PetscPrintf(PETSC_COMM_WORLD, "span %.3g %.12g\n", (double)times[k], (double)norm));
        }
    }
    PetscReal t;
    PetscCall(TSGetSolveTime(ts, &t));
    if (!rank) {
        const PetscScalar *u;
        PetscCall(VecGetArrayRead(U, &u));
        PetscCall(PetscPrintf(PETSC_COMM_SELF, "end %.12g %.12g %.12g\n", (double)t, (double)u[0],
                              (double)u[1]));
        PetscCall(VecRestoreArrayRead(U, &u));
    }
    PetscCall(TSDestroy(&ts));
    PetscCall(VecDestroy(&U));
    PetscCall(PetscFinalize());
    return 0;
}
