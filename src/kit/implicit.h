/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_KIT_IMPLICIT_H
#define GEARTRAIN_KIT_IMPLICIT_H

/*
 * The equations of one implicit step, (5.137)-(5.138) of crow,
 *
 *     M (x - base) = rest + gamma f(t_end, x)     differential rows
 *                0 = g(t_end, x)                  algebraic rows
 *
 * and the ways to solve them: Newton on all of them at once (5.141); the differential and the
 * algebraic ones in turn, each with the variables of the other held; or fixed-point iteration, for
 * problems without mass and algebraic rows.
 */
#include <geartrain/author/newton.h>

typedef enum gt_implicit_way { GT_SIMULTANEOUS, GT_ALTERNATING, GT_FIXED_POINT } gt_implicit_way;

typedef struct gt_implicit {
    gt_implicit_way way;
    gt_newton newton;
    double t_end, gamma;
    const double *base;
    double *rest;
    double *moved, *product;        /* x - base and M times it, when there is a mass matrix */
    double *change, *change_before; /* of one sweep and of the one before, unless simultaneous */
    gt_lu of_y;                     /* dg/dy, when alternating; newton.lu has the block of x then */
} gt_implicit;

/* Row "dae" of an option table, for a field `dae` of the option struct. */
extern const char *const gt_dae_choices[];
#define GT_DAE_OPTION(options)                                                                     \
    {                                                                                              \
        .name = "dae",                                                                             \
        .help = "differential and algebraic equations solved together, or in turn (which may "     \
                "diverge at large h)",                                                             \
        .type = GT_CHOICE, .choices = gt_dae_choices, .field = GT_OPTION_FIELD(options, dae)       \
    }

/* Rows about the accuracy of the iteration, for fields of their names. */
#define GT_NEWTON_TOL_OPTION(options)                                                              \
    {                                                                                              \
        .name = "newton_tol",                                                                      \
        .help = "at fixed step: the Newton iteration ends when its correction is this small "      \
                "relative to x",                                                                   \
        .initial = 1e-12, .min = 1e-15, .max = 0.1, .field = GT_OPTION_FIELD(options, newton_tol)  \
    }
#define GT_NEWTON_OPTIONS(options)                                                                 \
    GT_NEWTON_TOL_OPTION(options),                                                                 \
    {                                                                                              \
        .name = "newton_fraction",                                                                 \
        .help = "at controlled step: it ends when what is left is this fraction of the error "     \
                "tolerance",                                                                       \
        .initial = 0.05, .min = 1e-6, .max = 1, .field = GT_OPTION_FIELD(options, newton_fraction) \
    }

/* Rows about its linear systems, for fields of their names. */
extern const char *const gt_linear_choices[], *const gt_precondition_choices[];
#define GT_LINEAR_OPTIONS(options)                                                                 \
    {.name = "linear",                                                                             \
     .help = "linear systems by factors or by Krylov iterations; auto: what the pattern of the "   \
             "Jacobian makes cheaper",                                                             \
     .type = GT_CHOICE,                                                                            \
     .choices = gt_linear_choices,                                                                 \
     .field = GT_OPTION_FIELD(options, linear.way)},                                               \
        {.name = "preconditioner",                                                                 \
         .help = "of Krylov iterations: incomplete factors, the diagonal, none; auto: the best "   \
                 "that there is",                                                                  \
         .type = GT_CHOICE,                                                                        \
         .choices = gt_precondition_choices,                                                       \
         .field = GT_OPTION_FIELD(options, linear.precondition)},                                  \
        {.name = "fill",                                                                           \
         .help = "of incomplete factors: entries that elimination adds, of this level",            \
         .type = GT_INTEGER,                                                                       \
         .min = 0,                                                                                 \
         .max = 1,                                                                                 \
         .field = GT_OPTION_FIELD(options, linear.fill)},                                          \
    {                                                                                              \
        .name = "restart",                                                                         \
        .help = "vectors of a Krylov space before it begins again; 0: 20, and 5 for many states",  \
        .type = GT_INTEGER, .min = 0, .max = 40, .field = GT_OPTION_FIELD(options, linear.restart) \
    }

/* Without algebraic rows there is nothing to alternate with: GT_ALTERNATING becomes
 * GT_SIMULTANEOUS. */
void gt_implicit_layout(gt_implicit *w, gt_implicit_way way, const gt_linear_options *linear,
                        const gt_problem *problem, gt_arena *arena);
gt_status gt_implicit_prepare(gt_implicit *w, gt_stepper *s, double tolerance,
                              double fraction) GT_MUST_CHECK;

/* t_end, gamma, base and rest are set; the guess is in x. */
gt_status gt_implicit_solve(gt_implicit *w, gt_stepper *s, double *x) GT_MUST_CHECK;

void gt_implicit_accept(gt_implicit *w);
void gt_implicit_restart(gt_implicit *w);
void gt_implicit_free(gt_implicit *w);

#endif
