/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_KIT_FORCE_H
#define GEARTRAIN_KIT_FORCE_H

#include <geartrain/author/stepper.h>

/*
 * x' = A x + b + g(t, x), where g is all that is not linear or depends on t: does g depend on
 * states that it moves? In z' = v, v' = -K z - C v + F(t, z) it moves v and depends on z, so that
 * x' = g alone is solved by x + h g. Found from six values of f around the start; allocates for as
 * long as it takes. GT_UNSUPPORTED where g depends on what it moves, or f has no values near the
 * start; the message names the state, and the method to take instead.
 */
gt_status gt_force_apart(const gt_method *method, const gt_method *instead, const gt_problem *p,
                         gt_message *message) GT_MUST_CHECK;

/* The same later in a run, at (t, x), without allocating and from six values of f again: the row in
 * which g depends on what it moves; n: none, or f has no values there. */
enum { GT_FORCE_POINTS = 6 };
typedef struct gt_force {
    double *f[GT_FORCE_POINTS], *x;
    bool *in_R;
} gt_force;
void gt_force_layout(gt_force *w, size_t n, gt_arena *arena);
size_t gt_force_entangled(gt_force *w, const gt_problem *p, double t, const double *x);

#endif
