/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of the Jacobian: the whole matrix has their entries at `slot`. */
#include "linalg/column.h"
#include <assert.h>
#include <geartrain/author/blocks.h>

size_t gt_part_size(const gt_problem *problem, gt_part part)
{
    if (!problem) return 0;
    const size_t sizes[] = {
        [GT_SLOW] = problem->n_slow, [GT_FAST] = problem->n_fast, [GT_ALG] = problem->n_alg};
    return sizes[part];
}

size_t gt_part_first(const gt_problem *problem, gt_part part)
{
    if (!problem) return 0;
    return part == GT_SLOW   ? 0
           : part == GT_FAST ? problem->n_slow
                             : problem->n_slow + problem->n_fast;
}

size_t gt_pattern_part(const gt_pattern *p, size_t n, gt_range rows, gt_range columns, int *colptr,
                       int *rowindex, int *slot)
{
    assert(p);
    size_t entries = 0;
    if (colptr) colptr[0] = 0;
    for (size_t j = columns.from; j < columns.to; j++) {
        gt_column c = gt_column_of(p, n, j);
        for (size_t k = 0; k < c.count; k++) {
            size_t row = gt_column_row(&c, k);
            if (row < rows.from || row >= rows.to) continue;
            if (rowindex) rowindex[entries] = (int)(row - rows.from);
            if (slot) slot[entries] = (int)(c.index + k);
            entries++;
        }
        if (colptr) colptr[j - columns.from + 1] = (int)entries;
    }
    return entries;
}

static gt_range range_of(const gt_problem *problem, gt_part part)
{
    size_t first = gt_part_first(problem, part);
    return (gt_range){first, first + gt_part_size(problem, part)};
}

void gt_block_layout(gt_block *block, const gt_problem *problem, gt_part rows, gt_part columns,
                     gt_arena *arena)
{
    *block = (gt_block){.part_of_rows = rows,
                        .part_of_columns = columns,
                        .rows = gt_part_size(problem, rows),
                        .columns = gt_part_size(problem, columns)};
    const gt_pattern *whole = &problem->jac_pattern;
    size_t n = gt_problem_size(problem);
    gt_range down = range_of(problem, rows), across = range_of(problem, columns);
    block->entries = gt_pattern_part(whole, n, down, across, NULL, NULL, NULL);
    block->colptr = gt_arena_take(arena, block->columns + 1, sizeof *block->colptr);
    block->rowindex = gt_arena_take(arena, block->entries, sizeof *block->rowindex);
    block->slot = gt_arena_take(arena, block->entries, sizeof *block->slot);
    block->values = gt_arena_doubles(arena, block->entries);
    gt_matrix_layout(&block->J, n, *whole, false, arena);
    if (gt_arena_measuring(arena) || arena->failed) return;
    gt_pattern_part(whole, n, down, across, block->colptr, block->rowindex, block->slot);
}

gt_status gt_block_evaluate(gt_block *block, const gt_problem *problem, double t, const double *x)
{
    gt_status status;
    if (problem->jac_block) {
        for (size_t k = 0; k < block->entries; k++) block->J.values[block->slot[k]] = 0;
        status = problem->jac_block(block->part_of_rows, block->part_of_columns, t, x, &block->J,
                                    problem->ctx);
    } else if (problem->jac) {
        gt_matrix_clear(&block->J);
        status = problem->jac(t, x, &block->J, problem->ctx);
    } else {
        return GT_UNSUPPORTED;
    }
    for (size_t k = 0; k < block->entries; k++) block->values[k] = block->J.values[block->slot[k]];
    return status;
}
