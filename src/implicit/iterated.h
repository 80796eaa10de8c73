/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_IMPLICIT_ITERATED_H
#define GEARTRAIN_IMPLICIT_ITERATED_H

/*
 * Systems (M - gamma J) y = b of one-step methods by GMRES: J is that at one point, gamma real or
 * complex. J is a matrix where the problem has a pattern; else J v is the caller's, or a difference
 * of f beside that point.
 *
 * The preconditioner P is real, made for one gamma_P > 0 near all |gamma|, and serves real and
 * imaginary parts alike. With mu an eigenvalue of J left of the axis and gamma = gamma_P e^(i phi),
 * those of P^-1 W are (1 - gamma mu)/(1 - gamma_P mu): for real mu on an arc from 1 to e^(i phi),
 * for imaginary ones no nearer to 0 than cos phi. So a complex system takes few iterations more,
 * and no factors of its own.
 */
#include "implicit/ilu.h"
#include <complex.h>
#include <geartrain/author/newton.h>

enum { GT_ITERATED_POINTS = 2 };

typedef struct gt_iterated {
    gt_preconditioner precondition;
    bool matrix;        /* J is one */
    bool shifted_rows;  /* algebraic rows are those of -gamma J, not of J */
    int restart, most;  /* vectors of the space; iterations for a system */
    double *V, *z;      /* restart + 1 vectors, a vector; of pairs where gamma is complex */
    double *unit;       /* weights of the norm */
    double *half, *out; /* real or imaginary part of a vector, and what becomes of it */
    gt_ilu ilu;
    double *diagonal;   /* 1 / W_ii */
    const gt_matrix *J; /* J[which] are the owner's, from its layout on: what points elsewhere later
                           would be lost in copies and saved runs */
    double *at[GT_ITERATED_POINTS];  /* without a matrix: where J is taken */
    double at_t[GT_ITERATED_POINTS]; /* .. and when */
    double *f, *moved;               /* for differences: f there, a point beside it */
    int which;                       /* of the points */
    double complex gamma;            /* of the system under way */
    double gamma_P;                  /* that P was made with */
    int sign_P;                      /* that of its determinant; 0: not known (growth.h) */
} gt_iterated;

/* Whether methods that could have it are to have it. */
bool gt_iterated_pays(const gt_problem *problem, const gt_linear_options *options);

/* `with_complex`: room for complex gamma. */
void gt_iterated_layout(gt_iterated *w, const gt_problem *problem, const gt_linear_options *options,
                        bool with_complex, gt_arena *arena);
void gt_iterated_prepare(gt_iterated *w, const gt_problem *problem);

/* Without a matrix: J[which] is to be that at (t, x). */
void gt_iterated_place(gt_iterated *w, const gt_stepper *s, int which, double t, const double *x);
/* Systems with J, or without a matrix J[which], and gammas of about this size. */
gt_status gt_iterated_factor(gt_iterated *w, gt_stepper *s, int which, const gt_matrix *J,
                             double gamma_P) GT_MUST_CHECK;

/* y := (M - gamma J)^-1 y: n numbers, or pairs where `pairs`. What is left is to be below
 * `absolute` tolerances, or, which holds alone at fixed step, below `relative` of what there was.
 */
gt_status gt_iterated_solve(gt_iterated *w, gt_stepper *s, double complex gamma, bool pairs,
                            double absolute, double relative, double *y) GT_MUST_CHECK;

#endif
