/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_NEWTON_H
#define GEARTRAIN_NEWTON_H

#include <geartrain/api.h>
#include <geartrain/author/lu.h>
#include <geartrain/author/stepper.h>

GT_C_BEGIN

/*
 * Jacobians and simplified Newton for implicit methods. With D the differential rows and A the
 * algebraic ones the iteration matrix is
 *
 *     W = [ M - gamma J ]  rows D        (gamma = h b_-1, (5.141) of crow)
 *         [       J     ]  rows A
 *
 * A Jacobian is kept over many steps. Which one a trial uses depends on accepted steps only, never
 * on rejected trials: a trial begins with the Jacobian of the last accepted step and, when that
 * does not converge, takes the one at the accepted point, which is evaluated at most once there,
 * or, with `at_guess`, the one at its own guess. So a rejected trial leaves no trace in the
 * numbers, but for sparse factors whose frozen pivots went bad in it.
 */
typedef struct gt_jacobian {
    size_t n, n_diff;
    gt_pattern of_J, of_W; /* W has the entries of J, of M and the diagonal */
    int groups;            /* of columns that share no row, moved together for differences */
    int *group_of;
    int *jac_slot, *mass_slot,
        *diag_slot; /* CSC: places in W of the entries of J and M, and of the diagonal */
    double *x_moved, *f_moved, *f_base;
} gt_jacobian;

typedef struct gt_newton {
    gt_jacobian jac;
    gt_matrix J[2],
        W; /* J[current] is that of the last accepted step, the other one the fresh one */
    gt_lu lu;
    int current;
    bool current_known, fresh_known;
    bool rough[2]; /* J[i] has differences where f has no derivative: too steep, and of this point
                      only */
    bool fresh_used, slow_used; /* by the trial under way */
    double rate_used, rate_gamma_used;
    bool slow;         /* the current one converged badly: begin with a fresh one */
    double rate;       /* of convergence at the last accepted step */
    double rate_gamma; /* and the gamma at which it was measured */
    int lu_of;         /* which J the factors are of; -1: none */
    double lu_gamma;   /* and with which gamma */
    double keep;   /* factors serve gammas within this fraction of theirs (0: only their own), with
                      corrections scaled */
    bool at_guess; /* fresh Jacobians are those at the guess, better where the guess is good; each
                      trial has its own */
    double gamma_used, gamma_kept; /* of the factors in this trial and in the last accepted step */
    double tolerance, fraction;    /* |correction| relative to x at fixed step; in units of the
                                      tolerance when controlled */
    double slow_rate; /* above this rate of convergence a new Jacobian is evaluated; 0: as suits
                         cheap residuals */
    double *guess, *delta;
    /* Not NULL: the iteration matrix is a polynomial in gamma M^-1 J, whose inverse is a sum over
     * shifted systems with the weights `inverse` (core/shifted.h); W and lu are not used. */
    struct gt_shifted *shifted;
    const gt_complex *inverse;
    double *product; /* M times a residual */
} gt_newton;

/* Residual of the implicit equations at x: in differential rows M x - gamma f(x) - ..., in
 * algebraic rows g(x). */
typedef gt_status gt_residual_fn(gt_stepper *s, const double *x, double *residual, void *data);

GT_API void gt_newton_layout(gt_newton *newton, const gt_problem *problem, gt_arena *arena);

/* The same with shifted systems, which have been laid out; gamma is then the h of shifted.h and the
 * residual has the dimension of x. */
GT_API void gt_newton_layout_shifted(gt_newton *newton, const gt_problem *problem,
                                     struct gt_shifted *shifted, const gt_complex *inverse,
                                     gt_arena *arena);

/* Fills the tables and, for sparse matrices, makes the first factors at x0. */
GT_API gt_status gt_newton_prepare(gt_newton *newton, gt_stepper *s) GT_MUST_CHECK;

/* Prepares the factors that gt_newton_solve will begin with, for those who want them for a guess.
 */
GT_API gt_status gt_newton_begin(gt_newton *newton, gt_stepper *s, double gamma) GT_MUST_CHECK;

/* Solves residual(x) = 0, the equations at time t, from the guess in x. */
GT_API gt_status gt_newton_solve(gt_newton *newton, gt_stepper *s, double t, double gamma,
                                 double *x, gt_residual_fn *residual, void *data) GT_MUST_CHECK;

GT_API void gt_newton_accept(gt_newton *newton); /* the trial that used it was accepted */
GT_API void gt_newton_restart(gt_newton *newton);
GT_API void gt_newton_free(gt_newton *newton);

GT_API void gt_jacobian_layout(gt_jacobian *jac, const gt_problem *problem, gt_arena *arena);
/* Then, where gt_jacobian_shift is to make W. */
GT_API void gt_jacobian_layout_shift(gt_jacobian *jac, const gt_problem *problem, gt_matrix *W,
                                     gt_arena *arena);
GT_API void gt_jacobian_prepare(gt_jacobian *jac, const gt_problem *problem);

/* J = df/dx at (t, x), from the problem or by differences; counted. */
GT_API gt_status gt_jacobian_evaluate(const gt_jacobian *jac, gt_stepper *s, double t,
                                      const double *x, gt_matrix *J) GT_MUST_CHECK;

/* W from J as above; with gamma = 0 the differential rows are the identity, whatever M is. */
GT_API void gt_jacobian_shift(const gt_jacobian *jac, const gt_problem *problem, const gt_matrix *J,
                              double gamma, gt_matrix *W);

GT_C_END

#endif
