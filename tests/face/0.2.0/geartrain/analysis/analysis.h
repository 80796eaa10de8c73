/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_ANALYSIS_H
#define GEARTRAIN_ANALYSIS_H

#include <geartrain/api.h>
#include <geartrain/author/arena.h>
#include <geartrain/method.h>
#include <geartrain/problem.h>

GT_C_BEGIN

/* Steady states: 0 = f(t, x) at a fixed time. Zero in the options means default. */
typedef struct gt_equilibrium_options {
    double tol;         /* on the last correction, max_i |dx_i| / max(|x_i|, 1); default 1e-10 */
    int max_iterations; /* of Newton, and again of the steps in pseudo-time; default 200 */
} gt_equilibrium_options;

typedef struct gt_equilibrium_report {
    gt_status status;
    gt_message message;  /* why it failed; empty when ok */
    double residual;     /* max_i |f_i| */
    size_t worst;        /* the row that has it */
    int iterations;      /* of damped Newton */
    int transient_steps; /* in pseudo-time; 0: Newton sufficed */
    bool singular;   /* df/dx is singular there: the steady state is not isolated or not simple */
    gt_message note; /* when singular: which states are involved */
    gt_stats stats;
} gt_equilibrium_report;

GT_API gt_status gt_equilibrium_sized(const gt_problem *problem, size_t problem_size, double t,
                                      double *x, const gt_equilibrium_options *options,
                                      size_t options_size, gt_equilibrium_report *report,
                                      size_t report_size) GT_MUST_CHECK;
/*
 * x: the guess, then the steady state. Damped Newton; where that stalls or df/dx is singular (a
 * conserved quantity), implicit Euler steps of growing size from the guess, which keep linear
 * invariants. options may be NULL. Allocates.
 */
static inline GT_MUST_CHECK gt_status gt_equilibrium(const gt_problem *problem, double t, double *x,
                                                     const gt_equilibrium_options *options,
                                                     gt_equilibrium_report *report)
{
    return gt_equilibrium_sized(problem, sizeof *problem, t, x, options, sizeof *options, report,
                                sizeof *report);
}

/* One eigenvalue re + i im of the linear model. */
typedef struct gt_mode {
    double re, im;
    double frequency;     /* |im|, rad per unit of time */
    double frequency_hz;  /* |im| / (2 pi) */
    double damping_ratio; /* -re / |lambda|; 0 when lambda is 0 */
    double time_constant; /* -1 / re: negative when it grows, infinite when re is 0 */
    void *reserved[4];    /* 0; room for more */
} gt_mode;

/*
 * x' = A x about a point, with the algebraic variables eliminated: with differential rows and
 * columns d and algebraic ones a, A = M_dd^-1 (f_dd - f_da f_aa^-1 f_ad). Rows and columns that are
 * zero in the mass matrix count as algebraic.
 */
typedef struct gt_linearization {
    size_t n;            /* differential states */
    const size_t *state; /* row i of A is state state[i] of the problem */
    double *A;           /* n x n, column major */
    gt_mode *modes; /* n, largest real part first; of a complex pair the one with im > 0 first */
    double *participation; /* [k * n + i]: of row i in mode k; each mode's sum to 1 */
} gt_linearization;

enum { GT_LINEARIZE_MAX = 2000 };

GT_API gt_status gt_linearize_sized(const gt_problem *problem, size_t problem_size, double t,
                                    const double *x, gt_linearization *out, size_t out_size,
                                    gt_arena *arena, gt_message *message) GT_MUST_CHECK;
/* `out` lives in the arena, which must be growing. */
static inline GT_MUST_CHECK gt_status gt_linearize(const gt_problem *problem, double t,
                                                   const double *x, gt_linearization *out,
                                                   gt_arena *arena, gt_message *message)
{
    return gt_linearize_sized(problem, sizeof *problem, t, x, out, sizeof *out, arena, message);
}

/* Writes the rows of the `count` largest participations of mode k, largest first; returns how many
 * (at most n). */
GT_API size_t gt_linearization_top(const gt_linearization *linear, size_t k, size_t count,
                                   size_t *rows);

GT_C_END

#endif
