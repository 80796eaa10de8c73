/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_KIT_SLOW_STAGE_H
#define GEARTRAIN_KIT_SLOW_STAGE_H

/*
 * An implicit stage of the slow block at a fixed point z of the fast one,
 *
 *     x = r + gamma f(t, x, z),
 *
 * which is a step gamma of Euler's backward method from r. So it is taken by a stepper of that
 * method, bound to the slow block as a problem of its own in the memory of the outer one, with its
 * Newton iteration; the Jacobian is f_x, a block of the outer problem's, or differences, one for
 * all stages of a trial.
 */
#include <geartrain/author/stepper.h>

typedef struct slow_stage slow_stage;

/* `backward`: Euler's backward method. *out is NULL while the arena measures. */
gt_status gt_slow_stage_layout(slow_stage **out, const gt_method *backward, gt_stepper *s,
                               gt_arena *arena);
gt_status gt_slow_stage_prepare(slow_stage *w, gt_stepper *s);
void gt_slow_stage_free(slow_stage *w);

/* A trial begins: nothing of another one is left. */
void gt_slow_stage_begin(slow_stage *w, gt_stepper *s);

/* r is where x begins; x holds r before, the solution after, and all states: those of the fast
 * block are z. slope = (x - r) / gamma, which is f there but for the error of the iteration, and
 * does not magnify that. */
gt_status gt_slow_stage_solve(slow_stage *w, gt_stepper *s, double t, double gamma, double *x,
                              double *slope);

#endif
