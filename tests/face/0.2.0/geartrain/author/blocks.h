/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_BLOCKS_H
#define GEARTRAIN_BLOCKS_H

#include <geartrain/api.h>
#include <geartrain/problem.h>

GT_C_BEGIN

/*
 * The blocks of a Jacobian one by one: with x slow and z fast,
 *
 *     x' = f(t, x, z)      f_x is the block (GT_SLOW, GT_SLOW)      f_z is (GT_SLOW, GT_FAST)
 *     z' = g(t, x, z)      g_x is (GT_FAST, GT_SLOW)                g_z is (GT_FAST, GT_FAST)
 *
 * and the same with GT_ALG for algebraic rows and variables. A block has its own size and its own
 * pattern, CSC with rows ascending. Models from .ode files compute only what the block needs.
 */
typedef struct gt_block {
    gt_part part_of_rows, part_of_columns;
    size_t rows, columns, entries;
    int *colptr, *rowindex; /* columns + 1, entries; row 0 is the first of the block */
    double *values;
    int *slot;   /* of each entry in the whole Jacobian */
    gt_matrix J; /* the whole, in which only the block is filled */
} gt_block;

/* How many states a part has, and which is the first. */
GT_API size_t gt_part_size(const gt_problem *problem, gt_part part);
GT_API size_t gt_part_first(const gt_problem *problem, gt_part part);

/* Sizes, pattern and memory of a block. */
GT_API void gt_block_layout(gt_block *block, const gt_problem *problem, gt_part rows,
                            gt_part columns, gt_arena *arena);

/* Its values at (t, x), from jac_block or jac. GT_UNSUPPORTED: the problem has neither. */
GT_API gt_status gt_block_evaluate(gt_block *block, const gt_problem *problem, double t,
                                   const double *x) GT_MUST_CHECK;

GT_C_END

#endif
