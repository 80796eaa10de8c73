/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_IMPLICIT_GMRES_H
#define GEARTRAIN_IMPLICIT_GMRES_H

#include <geartrain/author/newton.h>

enum { GT_MOST_RESTART = 40 };

/* inner.c: y = W v; b := P^-1 b. */
gt_status gt_inner_times(gt_newton *newton, gt_stepper *s, const double *v,
                         double *y) GT_MUST_CHECK;
gt_status gt_inner_precondition(gt_newton *newton, gt_stepper *s, double *b) GT_MUST_CHECK;

/* newton->delta := about W^-1 newton->delta, until the residual of the preconditioned system is
 * below `absolute`, or `relative` of what it was, in the norm of inner.h. GT_TRY_KRYLOV: it did not
 * get there. */
gt_status gt_gmres(gt_newton *newton, gt_stepper *s, double absolute,
                   double relative) GT_MUST_CHECK;

#endif
