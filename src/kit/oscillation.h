/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_KIT_OSCILLATION_H
#define GEARTRAIN_KIT_OSCILLATION_H

#include <geartrain/author/stepper.h>

/*
 * Is a sequence of vectors, one a step of constant size, a single oscillation that does not decay?
 * Then e_n = 2 rho cos(phi) e_(n-1) - rho^2 e_(n-2), and the fit of the two numbers tells rho and
 * phi.
 */
typedef struct gt_oscillation {
    double *past[2]; /* newest first */
    int known;
    double angle; /* of the last vector looked at; 0: it continued no oscillation */
    int turns;    /* vectors in a row that turned by about the same angle */
} gt_oscillation;

void gt_oscillation_layout(gt_oscillation *o, size_t n, gt_arena *arena);
void gt_oscillation_forget(gt_oscillation *o);

/* Takes the next vector. */
void gt_oscillation_push(gt_oscillation *o, const gt_problem *p, const double *e, size_t n);

/* Looks at `e` as the next vector: for how many vectors in a row an undamped oscillation has gone
 * on that turns by the same angle from step to step, and by enough to be seen, little enough not to
 * be noise that flips its sign. Components are measured by the weights of the stepper at x. */
int gt_oscillation_turns(gt_oscillation *o, const gt_stepper *s, const double *x, const double *e,
                         size_t n);

#endif
