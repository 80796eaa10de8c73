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

#endif
