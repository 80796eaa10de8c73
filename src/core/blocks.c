/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of the Jacobian: the whole matrix has their entries at `slot`. */
#include "core/column.h"
#include <geartrain/blocks.h>
#include <string.h>

size_t gt_part_size(const gt_problem *problem, gt_part part)
{
    const size_t sizes[] = {[GT_SLOW] = problem->n_slow, [GT_FAST] = problem->n_fast, [GT_ALG] = problem->n_alg};
    return sizes[part];
}

size_t gt_part_first(const gt_problem *problem, gt_part part)
{
    return part == GT_SLOW ? 0 : part == GT_FAST ? problem->n_slow : problem->n_slow + problem->n_fast;
}

/* Fills the pattern where there is memory for it, and counts its entries. */
static size_t walk(const gt_block *block, const gt_problem *p, bool fill)
{
    size_t n = gt_problem_size(p), entries = 0;
    size_t top = gt_part_first(p, block->part_of_rows), left = gt_part_first(p, block->part_of_columns);
    for (size_t j = 0; j < block->columns; j++) {
        gt_column c = gt_column_of(&p->jac_pattern, n, left + j);
        for (size_t k = 0; k < c.count; k++) {
            size_t row = gt_column_row(&c, k);
            if (row < top || row >= top + block->rows) continue;
            if (fill) {
                block->rowindex[entries] = (int)(row - top);
                block->slot[entries] = (int)(c.index + k);
            }
            entries++;
        }
        if (fill) block->colptr[j + 1] = (int)entries;
    }
    return entries;
}

void gt_block_layout(gt_block *block, const gt_problem *problem, gt_part rows, gt_part columns, gt_arena *arena)
{
    *block = (gt_block){.part_of_rows = rows,
                        .part_of_columns = columns,
                        .rows = gt_part_size(problem, rows),
                        .columns = gt_part_size(problem, columns)};
    block->entries = walk(block, problem, false);
    block->colptr = gt_arena_take(arena, block->columns + 1, sizeof *block->colptr);
    block->rowindex = gt_arena_take(arena, block->entries, sizeof *block->rowindex);
    block->slot = gt_arena_take(arena, block->entries, sizeof *block->slot);
    block->values = gt_arena_doubles(arena, block->entries);
    gt_matrix_layout(&block->J, gt_problem_size(problem), problem->jac_pattern, false, arena);
    if (gt_arena_measuring(arena) || arena->failed) return;
    block->colptr[0] = 0;
    walk(block, problem, true);
}

gt_status gt_block_evaluate(gt_block *block, const gt_problem *problem, double t, const double *x)
{
    gt_status status;
    if (problem->jac_block) {
        for (size_t k = 0; k < block->entries; k++) block->J.values[block->slot[k]] = 0;
        status = problem->jac_block(block->part_of_rows, block->part_of_columns, t, x, &block->J, problem->ctx);
    } else if (problem->jac) {
        gt_matrix_clear(&block->J);
        status = problem->jac(t, x, &block->J, problem->ctx);
    } else {
        return GT_UNSUPPORTED;
    }
    for (size_t k = 0; k < block->entries; k++) block->values[k] = block->J.values[block->slot[k]];
    return status;
}
