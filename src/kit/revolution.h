/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_KIT_REVOLUTION_H
#define GEARTRAIN_KIT_REVOLUTION_H

/*
 * One revolution of a fast oscillation, for strobe.c: from a point by small steps of another method
 * to where the motion is as it was. What slow motion and turning directions have done meanwhile is
 * the difference of the two points.
 */
#include <geartrain/author/newton.h>
#include <geartrain/author/stepper.h>

/* A fast oscillation: z = e^(i omega t) u in x, and l z = e^(i omega t). */
typedef struct gt_swing {
    double rate, damping; /* omega, and the ratio of its decay to it */
    double *l_re, *l_im, *u_re, *u_im;
} gt_swing;

typedef struct gt_revolving {
    gt_stepper *inner; /* on all states */
    gt_jacobian jac;
    gt_matrix J;
    gt_swing here, there; /* at the beginning and at the end */
    double *turned, *f;
    double *eigen; /* room for eigenvalues and vectors */
    size_t eigen_room;
} gt_revolving;

typedef struct gt_revolution {
    double period; /* a guess, and then found */
    double *moved; /* from the beginning to the end */
    double *most;  /* the largest sizes of the states on the way */
    double *lost;  /* errors of its steps, each with all that the oscillation makes of it */
} gt_revolution;

/* Nothing is there to be found by eigenvalues beyond so many states. */
size_t gt_revolving_most(void);

gt_status gt_revolving_layout(gt_revolving *w, const gt_method *method, const char *options,
                              gt_stepper *s, gt_arena *arena);
gt_status gt_revolving_prepare(gt_revolving *w, gt_stepper *s);

/* Around calls of the inner stepper: share of the tolerances of s; and its work to that of s. */
void gt_revolving_begin(gt_revolving *w, gt_stepper *s);
void gt_revolving_end(gt_revolving *w, gt_stepper *s, gt_status status);
/* Between the two. */
void gt_revolving_start(gt_revolving *w, double t, const double *x);

/* The period of the fastest mode at the last point where the inner stepper had a Jacobian; 0: that
 * one does not swing freely. */
double gt_revolving_period(gt_revolving *w);

/* From x at t with so many steps. GT_TRY_RHS: the motion does not come back to what it was. */
gt_status gt_revolve(gt_revolving *w, double t, const double *x, int steps, gt_revolution *of);

/* From x at t to `end` with steps of size h and one more; `to` may be x. */
gt_status gt_revolving_follow(gt_revolving *w, double t, const double *x, double h, double end,
                              double *to);

/* What becomes of a small difference e in a revolution of the period, component by component: |e| +
 * |J e| / omega, with J of the last point where the inner stepper had one. `out` may be e. */
void gt_revolving_turned(gt_revolving *w, const double *e, double period, double *out);

#endif
