/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_IMPLICIT_EVALUATOR_H
#define GEARTRAIN_IMPLICIT_EVALUATOR_H

/* Where f and its Jacobian are wanted without a method: gt_rhs, gt_jacobian_evaluate and what
 * counts and explains their failures take a stepper that is bound to nothing else. It has no memory
 * and is not to be stepped or released. */
#include <geartrain/author/stepper.h>
#include <math.h>

static inline gt_stepper gt_evaluator(const gt_problem *problem)
{
    return (gt_stepper){.problem = problem, .n = gt_problem_size(problem), .t_cap = INFINITY};
}

/* J of f at (t, x) as n x n numbers, by columns. GT_NO_MEMORY, or what f or J says; entries that
 * are not finite are no failure. */
gt_status gt_jacobian_dense(const gt_problem *problem, double t, const double *x, double *dense,
                            gt_arena *arena) GT_MUST_CHECK;

#endif
