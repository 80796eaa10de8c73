/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_SOLUTION_H
#define GEARTRAIN_SOLUTION_H

/*
 * The solution as a function of time that outlives its run, for every method.
 *
 *     gt_solution *x = gt_solution_new(n);
 *     for (gt_reached reached = GT_REACHED_STEP; reached != GT_REACHED_END;)
 *         if (gt_run_step(run, &reached) || gt_solution_add(x, run)) ...
 *     gt_solution_at(x, 0.5, values);
 *
 * A step is kept as the polynomial through its dense output at Chebyshev points: as many as the order of the method
 * asks for, so that polynomials come back to round-off; where the dense output is none, as that of exponential methods,
 * the step is cut until the polynomials are right to a hundredth of the tolerance. Memory: 8 (n (k + 1) + 3) bytes a
 * step of order k, and for cut steps as much for each part.
 */
#include <geartrain/api.h>
#include <geartrain/run.h>

GT_C_BEGIN

typedef struct gt_solution gt_solution;

/* Of n states; NULL: out of memory. */
GT_API gt_solution *gt_solution_new(size_t n);

/* Adds the last step of the run, which must follow the one added before and must not have been accepted yet. */
GT_API gt_status gt_solution_add(gt_solution *solution, gt_run *run) GT_MUST_CHECK;

/* x(t), n numbers; right-continuous where the solution jumps. GT_BAD_ARGUMENT outside what was added. */
GT_API gt_status gt_solution_at(const gt_solution *solution, double t, double *x) GT_MUST_CHECK;

/* From where to where it reaches, how many polynomials it has, what it takes. */
GT_API void gt_solution_range(const gt_solution *solution, double *from, double *to);
GT_API size_t gt_solution_pieces(const gt_solution *solution);
GT_API size_t gt_solution_bytes(const gt_solution *solution);

GT_API void gt_solution_free(gt_solution *solution);

GT_C_END

#endif
