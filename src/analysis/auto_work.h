/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_ANALYSIS_AUTO_WORK_H
#define GEARTRAIN_ANALYSIS_AUTO_WORK_H

#include <geartrain/method.h>

/* What the parts of a step take, in operations: a call of f with its vectors, a Jacobian, factors
 * and a solution with them, the same for Newton, which may do without factors, and what any step
 * takes beside. All 0: not found yet. */
typedef struct gt_auto_costs {
    double call, jacobian, factor, solve, newton_factor, newton_solve, step;
} gt_auto_costs;

/* Sparse factors with their true fill, which takes an ordering. Allocates; calls no function of the
 * problem. */
void gt_auto_costs_of(const gt_problem *problem, gt_auto_costs *costs);

/* Operations of a usual step; `reach` is its h |lambda|, which stabilized steps and functions of
 * matrices depend on. */
double gt_auto_step_work(const gt_auto_costs *costs, const gt_problem *problem,
                         const gt_facts *facts, double reach);

/* Of a run, from its counters. */
double gt_auto_work_done(const gt_auto_costs *costs, const gt_problem *problem,
                         const gt_facts *facts, const gt_stats *stats);

/* Steps in a time in which the slope of the solution changes by its own size, by the law of the
 * method. */
double gt_auto_steps(const gt_method *method, const gt_facts *facts, double tol);

#endif
