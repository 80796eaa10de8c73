/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_IMPLICIT_INDEX_H
#define GEARTRAIN_IMPLICIT_INDEX_H

#include <geartrain/author/stepper.h>

/* consistent.c: factors of [I 0; g_x g_y] at the point, the Jacobian in s->algebraic->J[0]. */
gt_status gt_closing_factor(gt_stepper *s, double t, const double *x) GT_MUST_CHECK;
/* s->algebraic->delta := that matrix^-1 s->algebraic->delta, near the same point. */
gt_status gt_closing_solve(gt_stepper *s, double t, const double *x) GT_MUST_CHECK;

/* For methods whose stages are points on 0 = g. At the beginning of a trial: factors of the
 * accepted point. Then the algebraic variables of x are solved for with them, to round-off;
 * GT_TRY_NEWTON where that fails, which a smaller step may cure, with an error message. Without
 * algebraic rows both do nothing. */
gt_status gt_closing_begin(gt_stepper *s) GT_MUST_CHECK;
gt_status gt_closing_stage(gt_stepper *s, double t, double *x) GT_MUST_CHECK;

/* The residuals of the algebraic equations, the largest of them and its row, and the message that
 * they do not close. */
gt_status gt_closing_residual(gt_stepper *s, double t, const double *x, double *g) GT_MUST_CHECK;
double gt_closing_largest(const double *g, size_t count, size_t *where);
/* Whether they are no more than what the sums lose that they are: with the Jacobian in
 * s->algebraic->J[0], and s->closing for scratch. */
bool gt_closing_is_round_off(const gt_stepper *s, const double *x, const double *g);
gt_status gt_does_not_close(gt_stepper *s, double t, size_t row, double value, const char *why);

/* constrained.c: the same for an index above 1. */
gt_status gt_constrained_factor(gt_stepper *s, double t, const double *x) GT_MUST_CHECK;
gt_status gt_close_constrained(gt_stepper *s, double t, double *x) GT_MUST_CHECK;
gt_status gt_check_constrained(gt_stepper *s) GT_MUST_CHECK;
/* The error message where s->algebraic->W is singular there: GT_SINGULAR. */
gt_status gt_say_constrained(gt_stepper *s, double t);

/* same_root.c: GT_TRY_NEWTON where the algebraic variables at the end of a controlled trial do not
 * seem to be the root that those at its beginning lead to. */
gt_status gt_check_same_root(gt_stepper *s) GT_MUST_CHECK;
/* The sign of det(dg/dy) at the accepted point; 0: it is singular, or not known. */
gt_status gt_closing_sign(gt_stepper *s, int *sign) GT_MUST_CHECK;

/* Whether the algebraic equations determine the algebraic variables at the accepted point, for one
 * Jacobian and one factorization; if not, s->message says which of them do not. */
gt_status gt_check_index(gt_stepper *s) GT_MUST_CHECK;

/* fold.c: says that the algebraic equations seem to have no solution beyond the accepted point;
 * false: nothing speaks for it. For a run that cannot go on. */
bool gt_blame_fold(gt_stepper *s, gt_message *why);

/* The error message of that, where it is known already that dg/dy is singular in
 * s->algebraic->J[0]: GT_SINGULAR. */
gt_status gt_say_index(gt_stepper *s, double t);

/* pencil_index.c: the index of M x' = J x, dense and destroyed, where `tol` decides what is zero;
 * 0: not found, or the pencil is singular. */
int gt_pencil_index(size_t n, double *M, double *J, double tol, gt_arena *arena);

/* For their messages: which components the null vectors have, as names of states or "1 (the row of
 * y)"; and what to do about an index above 1, which is 0 where it is not known. */
void gt_say_names(const gt_problem *p, const double *vectors, size_t n, size_t count, size_t first,
                  bool rows, gt_message *m);
void gt_say_remedy(gt_message *m, int index);
#define GT_NULL_TOL 1e-12

/* mass_index.c: the same question for M x' = f with a singular M, at the start; of up to
 * GT_MASS_INDEX_MAX states. Allocates. */
enum { GT_MASS_INDEX_MAX = 200 };
gt_status gt_check_mass_index(const gt_problem *problem, gt_message *message) GT_MUST_CHECK;
/* Moves a start to one that meets it, with M x as it was; GT_INCONSISTENT: there is none. */
gt_status gt_meet_mass(gt_stepper *s) GT_MUST_CHECK;

#endif
