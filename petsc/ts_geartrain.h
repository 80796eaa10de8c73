/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_PETSC_TS_GEARTRAIN_H
#define GEARTRAIN_PETSC_TS_GEARTRAIN_H

/* A TS as a gt_problem (ts_problem.c), and the TS type that runs it (ts_geartrain.c). */
#include <geartrain/geartrain.h>
#include <petsc/private/tsimpl.h>

#if defined(PETSC_USE_COMPLEX) || !defined(PETSC_USE_REAL_DOUBLE)
#error "the methods need a PETSc whose scalars are double"
#endif

/* What one TS of this type has. The state of the problem is the part of the vector that this rank
 * owns, in the order slow, fast where there are index sets for both. */
typedef struct tsg_data {
    TS ts;
    char name[64], options[256]; /* of the method, as asked for */
    char checkpoint[PETSC_MAX_PATH_LEN], resume[PETSC_MAX_PATH_LEN]; /* files; empty: none */
    PetscInt every;                                                  /* steps between checkpoints */
    const gt_method *method;

    gt_problem problem;
    gt_ranks ranks;
    gt_solver solver;
    gt_plan plan;
    double *x0, *atol, *rtol; /* n each; tolerances where they are vectors */
    PetscInt *place;          /* where state k is in the vector; NULL: at k */
    PetscInt n, n_slow;
    TS slow, fast;         /* of the splits; NULL: there are none */
    Vec x, f;              /* like the solution, without memory of their own where place is NULL */
    Vec f_slow, f_fast;    /* the same of the splits */
    PetscBool prepared;    /* the KSP has its operators */
    Mat jacobian, shifted; /* J at the point of the last `prepare`, and 1 - gamma J */
    PetscBool implicit;    /* the TS has F(t,U,U'), with U' in it as it is */
    Vec still;             /* then: U' = 0 */
    double scale;          /* then: of right-hand sides, as the KSP has 1/gamma - J */
    KSP ksp;
    PetscErrorCode error; /* of PETSc inside f, where it cannot be returned */
    long reductions,
        messages; /* times that ranks waited for each other so far, and MPI calls for it */

    gt_run *run,
        *before; /* before: as it was at the start of the last step, where events may ask for it */
    gt_message message;
    double h_next;            /* what ts->time_step was set to: another value is somebody's wish */
    PetscObjectState left_at; /* of the solution when the last step was done */
    PetscBool rolled_back;
} tsg_data;

/* Makes d->problem from the TS: sizes, functions, blocks, ranks, linear systems. */
PetscErrorCode tsg_problem_open(tsg_data *d);
void tsg_problem_close(tsg_data *d);

/* Writes d->checkpoint; opens d->run from d->resume. In ts_checkpoint.c. */
PetscErrorCode tsg_save(tsg_data *d);
PetscErrorCode tsg_resume(tsg_data *d);

/* Between the vector and the order of the problem. */
PetscErrorCode tsg_get(const tsg_data *d, Vec from, double *x);
PetscErrorCode tsg_put(const tsg_data *d, const double *x, Vec to);

#endif
