/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_KIT_RADAU_H
#define GEARTRAIN_KIT_RADAU_H

/*
 * What the method `radau` (radau.c), its numbers (radau_numbers.c), its guess (radau_guess.c), its
 * Newton iteration (radau_newton.c) and its choice of step and order (radau_judge.c) share.
 */
#include "implicit/shifted.h"
#include <geartrain/author/newton.h>
#include <geartrain/author/stepper.h>
#include <geartrain/method.h>

enum { GT_RADAU_STAGES = 7, GT_RADAU_SYSTEMS = 4 };
/* Places in the table, by order. */
enum { GT_RADAU_1, GT_RADAU_5, GT_RADAU_9, GT_RADAU_13, GT_RADAU_FORMULAS };

typedef struct gt_radau_numbers {
    int stages;
    double c[GT_RADAU_STAGES];
    double r_re[GT_RADAU_SYSTEMS], r_im[GT_RADAU_SYSTEMS]; /* 1/lambda: a real one, then pairs */
    double start_slope[GT_RADAU_STAGES];
    double T[GT_RADAU_STAGES][GT_RADAU_STAGES], T_inverse[GT_RADAU_STAGES][GT_RADAU_STAGES];
} gt_radau_numbers;
extern const gt_radau_numbers gt_radau_table[GT_RADAU_FORMULAS];

typedef enum gt_radau_order { RADAU_VARIABLE, RADAU_1, RADAU_5, RADAU_9, RADAU_13 } gt_radau_order;

typedef struct gt_radau_options {
    gt_radau_order order;
    double newton_tol, newton_fraction;
    gt_linear_options linear;
} gt_radau_options;

/* How the corrections of a trial have shrunk. */
typedef struct gt_radau_rate {
    double theta; /* of the last two */
    double left;  /* what is left after a correction, over it: theta / (1 - theta) */
    double first; /* size of the first one, in tolerances: how far the guess was off */
    double part;  /* of h, to try when the trial is given up */
    int iterations;
} gt_radau_rate;

typedef struct gt_radau_state {
    gt_radau_options options;
    int formula; /* of the next trial, and at most */
    int most;

    gt_jacobian jac;
    gt_matrix J[2]; /* of an accepted step and of the accepted point, which change places */
    int current;
    bool current_known, fresh_known, fresh_used;
    bool stale;       /* the current one made the iteration slow */
    bool fresh_ahead; /* the fresh one is of a guess for a step of size fresh_h */
    double fresh_h;
    gt_shifted shifted;
    int lu_of, lu_formula; /* which of J the factors are of; -1: none */
    double lu_h;

    /* The collocation polynomial of a step from x of size h is x + sum_j L_j Z_j. */
    double *Z[GT_RADAU_STAGES], *Z_past[GT_RADAU_STAGES];
    int Z_formula, past_formula; /* of the trial, and of the last accepted step; -1: none */
    double Z_h, past_h;
    double *F[GT_RADAU_STAGES], *W[GT_RADAU_STAGES]; /* slopes at the stages; T^-1 Z */
    double *R;             /* residuals of the systems, and their solutions */
    double *weight;        /* 1 over the tolerance of each component */
    double stretch;        /* rtol as the estimate is measured, over the rtol that was asked for */
    double allowed;        /* of that tolerance, what the iteration may leave */
    double tolerance_rtol; /* for which they were made */
    int tolerance_formula;
    double *product;
    double transform[GT_RADAU_STAGES][GT_RADAU_STAGES]; /* h Lambda^-1 T^-1 */
    double ahead[GT_RADAU_STAGES][GT_RADAU_STAGES];     /* from Z_past to the guess of Z */
    double transform_h, ahead_h, ahead_past_h;          /* for which they were made */
    int transform_formula, ahead_formula, ahead_past_formula;

    gt_radau_rate rate, rate_past;    /* of the trial, and of the last accepted step */
    bool rejected;                    /* the trial before this one, by its error */
    double failed, failed_h;          /* error and size of the trial rejected last; 0: none */
    double error, error_past, h_past; /* of the predictive controller */
    int calm;                         /* accepted steps since the order was changed */
    double theta_held;
    int formula_next;
} gt_radau_state;

/*
 * A state of index 2 or 3 is h or h^2 times less certain than one of index 1, and counts as much
 * less in what it acts upon: corrections and errors of it are multiplied by that, Hairer, Lubich,
 * Roche, The Numerical Solution of Differential-Algebraic Systems by Runge-Kutta Methods (1989),
 * (7.2), Hairer, Wanner II, VII.3. Steps above 1 count as 1. Hidden states, which hold constraints,
 * do not count: they are 0, so that they have no scale.
 */
#define GT_RADAU_BESIDE                                                                            \
    1e-3 /* of the largest algebraic state: what counts as size of a smaller one */

static inline double gt_radau_index_weight(const gt_problem *p, size_t k, double h)
{
    double part = h < 1 ? h : 1;
    if (p->index[k] == 1) return 1;
    if (k >= gt_problem_shown(p)) return 0;
    return p->index[k] == 2 ? part : part * part;
}

/* What holds constraints is 0, but for what a step errs; kept, it would be noise for the next. */
static inline void gt_radau_hide(const gt_problem *p, double *x)
{
    size_t n = gt_problem_size(p);
    for (size_t k = n - p->n_hidden; k < n; k++) x[k] = 0;
}

static inline const gt_radau_numbers *gt_radau_numbers_of(const gt_radau_state *w)
{
    return &gt_radau_table[w->formula];
}

#define GT_RADAU_INLINED static inline __attribute__((always_inline))
/* One loop over the components for each number of stages, which the compiler then knows. */
#define GT_RADAU_FOR_STAGES(stages, call)                                                          \
    switch (stages) {                                                                              \
    case 1:                                                                                        \
        call(1);                                                                                   \
        break;                                                                                     \
    case 3:                                                                                        \
        call(3);                                                                                   \
        break;                                                                                     \
    case 5:                                                                                        \
        call(5);                                                                                   \
        break;                                                                                     \
    default:                                                                                       \
        call(7);                                                                                   \
    }

/* Z and W := the guess for a step of size h. */
void gt_radau_guess(gt_stepper *s, double h);

/* Most iterations of a formula at controlled step. */
int gt_radau_iterations(int formula);

/* Finds Z for the step of size h from x, and x_new with it. */
gt_status gt_radau_solve(gt_stepper *s, double h, const double *x, double *x_new) GT_MUST_CHECK;

/* Makes ready stretch and allowed. */
void gt_radau_set_tolerance(gt_stepper *s);

gt_verdict gt_radau_judge(gt_stepper *s, double error, double h, int rejections);

#endif
