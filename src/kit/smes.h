/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_KIT_SMES_H
#define GEARTRAIN_KIT_SMES_H

/* The parts of `smes`: smes_judge.c decides on kind, order and size of steps, smes_step.c makes the
 * plain and the projective ones, smes_dense.c looks inside them. The top comment of smes.c tells
 * all. */
#include "kit/explicit_rk.h"
#include "kit/small_steps.h"

enum { SMES_MOST_STAGES = 7, SMES_TRY_ORDER_EVERY = 10 };

/* The least part of a layer that is skipped which counts as error. */
#define SMES_LAYER 0.1

typedef struct smes_options {
    enum { SMES_ORDER_AUTO, SMES_ORDER_3, SMES_ORDER_5 } order;
    enum { SMES_EVALUATE_ALL, SMES_EVALUATE_FAST } evaluate; /* in small steps */
} smes_options;

typedef enum smes_kind { PLAIN, PROJECTIVE, CHEBYSHEV, TOO_LARGE } smes_kind;

typedef struct smes_state {
    smes_options options;
    const gt_tableau *pair5;  /* of order 5 */
    const gt_erk_row *dense5; /* and its dense output */
    gt_fast_modes modes;
    int age, period;      /* steps since they were looked at, -1: never; and until they are again */
    double floor;         /* the slowest fast eigenvalue that trials have met, 0: none */
    double t_look, drift; /* when that was, and the relative change of the largest in a unit of time
                             before it */
    double width; /* relative width of the fast part that trials have met beyond what was seen */
    bool fresh;   /* they were looked at here */
    int swung;    /* looks in a row that saw a fast part swing, and when the first of them was */
    double t_swing;
    long rejected;        /* as s->stats.rejected was then */
    gt_small_steps small; /* of the kind chosen last */
    gt_fast_part part;    /* what they are for */
    smes_kind kind;       /* of the last trial */
    double clean;    /* modes faster than this are on the slow manifold at the accepted point, which
                        came from a projective step; INFINITY: none */
    int order, wait; /* 3 or 5; accepted steps until the other is tried */
    int made;        /* order of the last trial */
    double h_trial;  /* its size */
    gt_fast_part made_for;       /* the fast modes of the last trial */
    int told;                    /* clusters that the note names */
    double lead;                 /* of the last trial: time of the small steps it began with */
    const double *x_base;        /* where its stages start from, and the slope there */
    double *k[SMES_MOST_STAGES]; /* of its stages: the first and the last are those of the ends */
    double *inner[SMES_MOST_STAGES - 2];
    double *base, *slope,
        *hat; /* x_base and k_0 after leading small steps; the comparison solution */
    double *expected, *change; /* slope foreseen at the end of small steps, and its derivative */
    double *bend, *own_bend;   /* the second derivative at the accepted point, if it is clean; and
                                  where small steps lead from one that is not */
    double span;               /* the time over which `bend` was seen */
    const double *bend_base;   /* the one of the last trial */
    double *between, *between_slope; /* the point inside a pair of small steps; slopes of them */
    double error_last;    /* of the last accepted step, 0: none of this order before it */
    double felt;          /* and that of it and of larger ones before, where a mode rings */
    smes_kind kind_last;  /* of that step */
    double alike, h_last; /* accepted steps so far of about the size of the last, and that */
    int leap;             /* plain steps until a leap over a fast mode is tried */
    int leaps;            /* that failed in a row */
    bool leapt;           /* the next trial is one */
    int settling;         /* steps in a row that ended off the manifold of the next mode */
} smes_state;

/* The kind of a step of size h; sets w->part and w->small where there are fast modes. */
smes_kind gt_smes_choose(gt_stepper *s, double h);

gt_verdict gt_smes_judge(gt_stepper *s, double error, double h, int rejections);

/* The pair of the last trial. */
const gt_tableau *gt_smes_tableau(const smes_state *w);

/* A trial of w->kind PLAIN or PROJECTIVE, with w->small set for the latter. */
gt_status gt_smes_step(gt_stepper *s, double h, const double *x, double *x_new,
                       double *err) GT_MUST_CHECK;

/* The small steps of a projective step, on X, that end at t_end, where the slope `drift` and the
 * second derivative `change` are foreseen (NULL: not known). */
gt_status gt_smes_damp(gt_stepper *s, double t_end, const double *drift, const double *change,
                       double *X) GT_MUST_CHECK;

/* From the point where small steps that cover this time end to where they begin. */
void gt_smes_step_back(const gt_stepper *s, double time, const double *slope, const double *change,
                       double *X);

/* For `accept`: remembers how the slope changes at the end of a projective step. */
void gt_smes_bend(gt_stepper *s);

/* The rate of what the last projective trial, whose error was `error`, left off the manifold. */
double gt_smes_rate_left(gt_stepper *s, double error, double *impure);

/* Dense output of all kinds, smes_dense.c. */
gt_status gt_smes_interpolate(gt_stepper *s, double h, double theta, double *x) GT_MUST_CHECK;
gt_status gt_smes_dense_error(gt_stepper *s, double h, double theta, double *err) GT_MUST_CHECK;

#endif
