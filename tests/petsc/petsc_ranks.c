/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A chain of cells over the ranks of an MPI job, in shares that -shares gives (a share may be 0),
 * by each method of -methods: prints "NAME u_0 u_1 ..", or "NAME refused". The first half of the
 * cells is the slow block, the rest the fast one. With -factor M the equations are M U' + U^3 = ..
 * and there are no blocks; with -noise E f is never twice the same. Knows nothing of Geartrain.
 */
#include <petscts.h>
#include <stdlib.h>

enum { CELLS = 24, MOST_RANKS = 8 };

typedef struct chain {
    Vec all;
    VecScatter to_all;
    PetscInt first, count;
    PetscReal factor, noise; /* factor 0: no implicit part */
} chain;

static PetscErrorCode derivative(chain *c, PetscReal t, Vec U, const PetscInt *rows, PetscInt count,
                                 PetscScalar *f)
{
    const PetscScalar *u;
    PetscFunctionBegin;
    PetscCall(VecScatterBegin(c->to_all, U, c->all, INSERT_VALUES, SCATTER_FORWARD));
    PetscCall(VecScatterEnd(c->to_all, U, c->all, INSERT_VALUES, SCATTER_FORWARD));
    PetscCall(VecGetArrayRead(c->all, &u));
    for (PetscInt k = 0; k < count; k++) {
        PetscInt i = rows ? rows[k] : c->first + k;
        PetscReal left = u[(i + CELLS - 1) % CELLS], right = u[(i + 1) % CELLS];
        f[k] = 2 * (left - 2 * u[i] + right) - u[i] * u[i] * u[i] + PetscSinReal(t + i);
        if (i >= CELLS / 2) f[k] *= 5;
    }
    PetscCall(VecRestoreArrayRead(c->all, &u));
    PetscFunctionReturn(0);
}

static PetscErrorCode whole(TS ts, PetscReal t, Vec U, Vec F, void *ctx)
{
    chain *c = ctx;
    PetscScalar *f;
    PetscFunctionBegin;
    (void)ts;
    PetscCall(VecGetArrayWrite(F, &f));
    PetscCall(derivative(c, t, U, NULL, c->count, f));
    for (PetscInt k = 0; k < c->count; k++) f[k] += c->noise * rand() / RAND_MAX;
    PetscCall(VecRestoreArrayWrite(F, &f));
    PetscFunctionReturn(0);
}

/* G = the whole and U^3, F = M U' + U^3 */
static PetscErrorCode explicit_part(TS ts, PetscReal t, Vec U, Vec F, void *ctx)
{
    chain *c = ctx;
    const PetscScalar *u;
    PetscScalar *f;
    PetscFunctionBegin;
    PetscCall(whole(ts, t, U, F, ctx));
    PetscCall(VecGetArrayRead(U, &u));
    PetscCall(VecGetArray(F, &f));
    for (PetscInt k = 0; k < c->count; k++) f[k] += u[k] * u[k] * u[k];
    PetscCall(VecRestoreArray(F, &f));
    PetscCall(VecRestoreArrayRead(U, &u));
    PetscFunctionReturn(0);
}

static PetscErrorCode implicit_part(TS ts, PetscReal t, Vec U, Vec Udot, Vec F, void *ctx)
{
    chain *c = ctx;
    const PetscScalar *u, *v;
    PetscScalar *f;
    PetscFunctionBegin;
    (void)ts, (void)t;
    PetscCall(VecGetArrayRead(U, &u));
    PetscCall(VecGetArrayRead(Udot, &v));
    PetscCall(VecGetArrayWrite(F, &f));
    for (PetscInt k = 0; k < c->count; k++) f[k] = c->factor * v[k] + u[k] * u[k] * u[k];
    PetscCall(VecRestoreArrayWrite(F, &f));
    PetscCall(VecRestoreArrayRead(Udot, &v));
    PetscCall(VecRestoreArrayRead(U, &u));
    PetscFunctionReturn(0);
}

static PetscErrorCode block(TS ts, PetscReal t, Vec U, Vec F, void *ctx)
{
    chain *c = ctx;
    PetscScalar *f;
    PetscInt rows[CELLS], count = 0;
    const char *prefix;
    PetscBool fast;
    PetscFunctionBegin;
    PetscCall(PetscObjectGetName((PetscObject)ts, &prefix));
    PetscCall(PetscStrcmp(prefix, "fast", &fast));
    for (PetscInt i = c->first; i < c->first + c->count; i++)
        if ((i >= CELLS / 2) == (fast == PETSC_TRUE)) rows[count++] = i;
    PetscCall(VecGetArrayWrite(F, &f));
    PetscCall(derivative(c, t, U, rows, count, f));
    PetscCall(VecRestoreArrayWrite(F, &f));
    PetscFunctionReturn(0);
}

/* Index set of the cells of this rank in one half. */
static PetscErrorCode add_split(TS ts, chain *c, const char *name, PetscBool fast)
{
    PetscInt rows[CELLS], count = 0;
    IS is;
    TS sub;
    PetscFunctionBegin;
    for (PetscInt i = c->first; i < c->first + c->count; i++)
        if ((i >= CELLS / 2) == (fast == PETSC_TRUE)) rows[count++] = i;
    PetscCall(ISCreateGeneral(PETSC_COMM_WORLD, count, rows, PETSC_COPY_VALUES, &is));
    PetscCall(TSRHSSplitSetIS(ts, name, is));
    PetscCall(TSRHSSplitSetRHSFunction(ts, name, NULL, block, c));
    PetscCall(TSRHSSplitGetSubTS(ts, name, &sub));
    PetscCall(PetscObjectSetName((PetscObject)sub, name));
    PetscCall(ISDestroy(&is));
    PetscFunctionReturn(0);
}

static PetscErrorCode run(const char *method, Vec U, chain *c, PetscInt *failed)
{
    TS ts;
    PetscScalar *u;
    PetscFunctionBegin;
    PetscCall(PetscOptionsSetValue(NULL, "-ts_geartrain_method", method));
    PetscCall(VecGetArrayWrite(U, &u));
    for (PetscInt k = 0; k < c->count; k++) u[k] = PetscCosReal(1.0 * (c->first + k));
    PetscCall(VecRestoreArrayWrite(U, &u));
    PetscCall(TSCreate(PETSC_COMM_WORLD, &ts));
    PetscCall(TSSetRHSFunction(ts, NULL, c->factor != 0 ? explicit_part : whole, c));
    if (c->factor != 0) {
        PetscCall(TSSetIFunction(ts, NULL, implicit_part, c));
    } else {
        PetscCall(add_split(ts, c, "slow", PETSC_FALSE));
        PetscCall(add_split(ts, c, "fast", PETSC_TRUE));
    }
    PetscCall(TSSetMaxTime(ts, 0.5));
    PetscCall(TSSetTimeStep(ts, 0.005));
    PetscCall(TSSetExactFinalTime(ts, TS_EXACTFINALTIME_MATCHSTEP));
    PetscCall(TSSetFromOptions(ts));
    *failed = TSSolve(ts, U) ? 1 : 0;
    PetscCall(TSDestroy(&ts));
    PetscFunctionReturn(0);
}

static PetscErrorCode print(const char *method, Vec U, chain *c, PetscInt failed)
{
    const PetscScalar *u;
    PetscFunctionBegin;
    PetscCall(VecScatterBegin(c->to_all, U, c->all, INSERT_VALUES, SCATTER_FORWARD));
    PetscCall(VecScatterEnd(c->to_all, U, c->all, INSERT_VALUES, SCATTER_FORWARD));
    PetscCall(VecGetArrayRead(c->all, &u));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%s", method));
    if (failed) PetscCall(PetscPrintf(PETSC_COMM_WORLD, " refused"));
    for (int i = 0; !failed && i < CELLS; i++)
        PetscCall(PetscPrintf(PETSC_COMM_WORLD, " %.17g", (double)u[i]));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "\n"));
    PetscCall(VecRestoreArrayRead(c->all, &u));
    PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
    PetscMPIInt rank;
    PetscInt shares[MOST_RANKS] = {CELLS}, n_shares = MOST_RANKS, n_methods = 200, failed = 0;
    char *methods[200];
    chain c = {0};
    Vec U;
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
    PetscCall(PetscOptionsGetIntArray(NULL, NULL, "-shares", shares, &n_shares, NULL));
    PetscCall(PetscOptionsGetReal(NULL, NULL, "-factor", &c.factor, NULL));
    PetscCall(PetscOptionsGetReal(NULL, NULL, "-noise", &c.noise, NULL));
    PetscCall(PetscOptionsGetStringArray(NULL, NULL, "-methods", methods, &n_methods, NULL));
    c.count = shares[rank];
    PetscCall(VecCreateMPI(PETSC_COMM_WORLD, c.count, CELLS, &U));
    PetscCall(VecGetOwnershipRange(U, &c.first, NULL));
    PetscCall(VecScatterCreateToAll(U, &c.to_all, &c.all));
    PetscCall(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
    for (PetscInt k = 0; k < n_methods; k++) {
        PetscCall(run(methods[k], U, &c, &failed));
        PetscCall(print(methods[k], U, &c, failed));
        PetscCall(PetscFree(methods[k]));
    }
    PetscCall(PetscPopErrorHandler());
    PetscCall(VecScatterDestroy(&c.to_all));
    PetscCall(VecDestroy(&c.all));
    PetscCall(VecDestroy(&U));
    PetscCall(PetscFinalize());
    return 0;
}
