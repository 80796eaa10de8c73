/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_ANALYSIS_EQUILIBRIUM_NOTE_H
#define GEARTRAIN_ANALYSIS_EQUILIBRIUM_NOTE_H

#include <geartrain/author/newton.h>

/*
 * Is df/dx singular at x? Then says in `note` which states are involved: a combination that no
 * equation determines because it never changes, or, where df/dx is singular at this point only, the
 * direction in which it is. J is overwritten. Looks at up to GT_NULL_SPACE_MAX states.
 */
bool gt_equilibrium_note(const gt_problem *p, const gt_jacobian *jac, gt_stepper *s, double t,
                         const double *x, gt_matrix *J, gt_arena *arena, gt_message *note);

#endif
