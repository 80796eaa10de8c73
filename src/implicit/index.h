/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_IMPLICIT_INDEX_H
#define GEARTRAIN_IMPLICIT_INDEX_H

#include <geartrain/author/stepper.h>

/* consistent.c: factors of [I 0; g_x g_y] at the point, the Jacobian in s->algebraic->J[0]. */
gt_status gt_closing_factor(gt_stepper *s, double t, const double *x) GT_MUST_CHECK;

/* Whether the algebraic equations determine the algebraic variables at the accepted point, for one
 * Jacobian and one factorization; if not, s->message says which of them do not. */
gt_status gt_check_index(gt_stepper *s) GT_MUST_CHECK;

/* The error message of that, where it is known already that dg/dy is singular in
 * s->algebraic->J[0]: GT_SINGULAR. */
gt_status gt_say_index(gt_stepper *s, double t);

/* The same question for M x' = f with a singular M, at the start; of up to GT_MASS_INDEX_MAX
 * states. Allocates. */
enum { GT_MASS_INDEX_MAX = 200 };
gt_status gt_check_mass_index(const gt_problem *problem, gt_message *message) GT_MUST_CHECK;

#endif
