/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_IMPLICIT_NOT_FINITE_H
#define GEARTRAIN_IMPLICIT_NOT_FINITE_H

#include <geartrain/author/stepper.h>

/* Entries of J that are not finite become differences of f, whose calls are counted; those for
 * which f does not exist nearby stay as they are. Nothing is allocated unless there are some. */
gt_status gt_jacobian_repair(gt_stepper *s, double t, const double *x, gt_matrix *J) GT_MUST_CHECK;

/* Says which component of f, or which entry of the Jacobian, is not finite at the accepted point;
 * false: none is. */
bool gt_blame_not_finite(gt_stepper *s, bool only_f, gt_message *why);

#endif
