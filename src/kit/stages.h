/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_KIT_STAGES_H
#define GEARTRAIN_KIT_STAGES_H

/*
 * Stages that all depend on each other, of any tableau: with Z_i = X_i - x
 *
 *     M Z = h A F(x + Z)          algebraic rows: 0 = g(t_i, x + Z_i)
 *
 * stage_numbers.c makes the Schur form A = U S U^H, which every matrix has, stage_newton.c solves.
 */
#include "implicit/shifted.h"
#include <geartrain/author/newton.h>
#include <geartrain/author/stepper.h>

enum { GT_STAGE_SHIFTS = GT_MAX_SHIFTS - 1 };

typedef struct gt_stage_numbers {
    int stages;
    double A[GT_MAX_STAGES][GT_MAX_STAGES], c[GT_MAX_STAGES];
    double complex U[GT_MAX_STAGES][GT_MAX_STAGES], S[GT_MAX_STAGES][GT_MAX_STAGES];
    /* Different s_ii, of conjugate pairs the one with im > 0, and after them `filter`: a real one,
     * for error estimates. */
    int shifts;
    double complex shift[GT_MAX_SHIFTS];
    int shift_of[GT_MAX_STAGES]; /* of s_ii; -1: it is 0 */
    bool conjugate[GT_MAX_STAGES];
    int filter; /* which of the shifts; it may be one of A's own */
    bool regular;
    double inverse[GT_MAX_STAGES][GT_MAX_STAGES]; /* A^-1 where A is regular */
    bool distinct;                                /* nodes */
} gt_stage_numbers;

/* False: more than GT_STAGE_SHIFTS different shifts, or no convergence. A and c are set. */
bool gt_stage_numbers_complete(gt_stage_numbers *p) GT_MUST_CHECK;

typedef struct gt_stages {
    const gt_stage_numbers *p;
    double tolerance, fraction; /* as those of gt_newton */
    gt_jacobian jac;
    gt_matrix J[2]; /* of an accepted step and of the accepted point, which change places */
    int current;
    bool current_known, fresh_known, fresh_used;
    bool stale, slow; /* the current one made the iteration slow; it did in this trial */
    gt_shifted shifted;
    int lu_of; /* which of J the factors are of; -1: none */
    double lu_h;
    double *Z[GT_MAX_STAGES], *F[GT_MAX_STAGES];
    /* h times the slopes of the trial, from Z where A is regular: this does not amplify what the
     * iteration left in stiff components; and those of the last accepted step. */
    double *K[GT_MAX_STAGES], *K_past[GT_MAX_STAGES];
    bool past_known;
    double past_h;
    double *dW;  /* corrections as pairs, stage after stage */
    double *sum; /* pairs: what the stages solved before add */
    double *product;
} gt_stages;

void gt_stages_layout(gt_stages *w, const gt_stage_numbers *p, const gt_problem *problem,
                      gt_arena *arena);
gt_status gt_stages_prepare(gt_stages *w, gt_stepper *s) GT_MUST_CHECK;

/* Z and K of a step of size h from x; x_stage is room for a point. */
gt_status gt_stages_solve(gt_stages *w, gt_stepper *s, double h, const double *x,
                          double *x_stage) GT_MUST_CHECK;

/* y := (M - h r J)^-1 y with the r of the filter. */
gt_status gt_stages_filter(gt_stages *w, gt_stepper *s, double *y) GT_MUST_CHECK;

void gt_stages_accept(gt_stages *w, double h);
void gt_stages_restart(gt_stages *w);
void gt_stages_free(gt_stages *w);

#endif
