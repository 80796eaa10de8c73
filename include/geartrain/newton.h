/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_NEWTON_H
#define GEARTRAIN_NEWTON_H

#include <geartrain/stepper.h>

/*
 * Jacobians and simplified Newton for implicit methods. With D the differential rows and A the algebraic ones the
 * iteration matrix is
 *
 *     W = [ M - gamma J ]  rows D        (gamma = h b_-1, (5.141) of crow)
 *         [       J     ]  rows A
 *
 * A Jacobian is kept over many steps. Which one a trial uses depends on accepted steps only, never on rejected trials:
 * a trial begins with the Jacobian of the last accepted step and, when that does not converge, takes the one at the
 * accepted point, which is evaluated at most once there. So a rejected trial leaves no trace in the numbers.
 */
typedef struct gt_jacobian {
    gt_pattern pattern; /* of W: that of J, of M and the diagonal together */
    int groups;         /* of columns that share no row, for differences; 0: one at a time */
    int *group_of;      /* n */
    int *jac_slot;      /* for each entry of J its place in W (CSC) */
    int *mass_slot, *diag_slot;
    double *x_moved, *f_moved, *f_base; /* for differences */
} gt_jacobian;

typedef struct gt_newton {
    gt_jacobian jac;
    gt_matrix J[2]; /* [current]: of the last accepted step; the other: at the accepted point, when fresh_known */
    int current;
    bool current_known, fresh_known;
    bool fresh_used;      /* by the trial under way */
    bool slow, slow_next; /* the current one converged badly: take a fresh one */
    long age;             /* accepted steps since `current` was evaluated */
    gt_matrix W;
    gt_lu lu;
    int lu_of;       /* which J the factors are of; -1 none */
    double lu_gamma; /* and with which gamma */
    double *residual, *delta;
} gt_newton;

/* Residual of the implicit equations at x: differential rows of M x - gamma f(x) - ..., algebraic rows g. */
typedef gt_status gt_residual_fn(gt_stepper *s, const double *x, double *residual, void *data);

void gt_newton_layout(gt_newton *newton, const gt_problem *problem, gt_arena *arena);
gt_status gt_newton_prepare(gt_newton *newton, gt_stepper *s) GT_MUST_CHECK; /* tables; first sparse factors */

/* Solves residual(x) = 0 from the guess in x; `t` is where the Jacobian is evaluated when it is not kept. */
gt_status gt_newton_solve(gt_newton *newton, gt_stepper *s, double gamma, double *x, gt_residual_fn *residual,
                          void *data) GT_MUST_CHECK;
void gt_newton_accept(gt_newton *newton); /* the trial that used it was accepted */
void gt_newton_restart(gt_newton *newton);
void gt_newton_release(gt_newton *newton);

/* J = df/dx at (t, x), from the problem or by differences. */
gt_status gt_jacobian_evaluate(const gt_jacobian *jac, gt_stepper *s, double t, const double *x, gt_matrix *J)
    GT_MUST_CHECK;

/* W from J as above. */
void gt_newton_matrix(const gt_jacobian *jac, const gt_problem *problem, const gt_matrix *J, double gamma, gt_matrix *W);

#endif
