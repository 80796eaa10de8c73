/* SPDX-License-Identifier: BSD-3-Clause */
#include "linalg/sum.h"
#include "linalg/column.h"
#include <assert.h>
#include <stdint.h>

const gt_pattern gt_sum_diagonal = {.storage = GT_BANDED};

static gt_storage storage_of(const gt_sum *sum)
{
    gt_storage storage = GT_BANDED;
    for (int k = 0; k < sum->terms; k++) {
        if (sum->of[k].storage == GT_DENSE) return GT_DENSE;
        if (sum->of[k].storage == GT_CSC) storage = GT_CSC;
    }
    return storage;
}

/* Rows of the union in one column, ascending; `rows` may be NULL to count only. */
static size_t merge_column(const gt_sum *sum, size_t j, int *rows)
{
    gt_column c[GT_SUM_TERMS];
    size_t at[GT_SUM_TERMS] = {0}, count = 0;
    for (int k = 0; k < sum->terms; k++) c[k] = gt_column_of(&sum->of[k], sum->n, j);
    for (;;) {
        size_t row = SIZE_MAX;
        for (int k = 0; k < sum->terms; k++)
            if (at[k] < c[k].count && gt_column_row(&c[k], at[k]) < row)
                row = gt_column_row(&c[k], at[k]);
        if (row == SIZE_MAX) return count;
        for (int k = 0; k < sum->terms; k++)
            at[k] += at[k] < c[k].count && gt_column_row(&c[k], at[k]) == row;
        if (rows) rows[count] = (int)row;
        count++;
    }
}

static void lay_out_csc(gt_sum *sum, gt_arena *arena)
{
    size_t entries = 0;
    for (size_t j = 0; j < sum->n; j++) entries += merge_column(sum, j, NULL);
    int *colptr = gt_arena_take(arena, sum->n + 1, sizeof *colptr);
    int *rowindex = gt_arena_take(arena, entries, sizeof *rowindex);
    for (int k = 0; k < sum->terms; k++)
        sum->slot[k] = gt_arena_take(arena, gt_pattern_inside(&sum->of[k], sum->n), sizeof(int));
    sum->of_W.entries = entries;
    sum->of_W.colptr = colptr;
    sum->of_W.rowindex = rowindex;
    if (gt_arena_measuring(arena) || arena->failed) return;
    for (size_t j = 0; j < sum->n; j++)
        colptr[j + 1] = colptr[j] + (int)merge_column(sum, j, rowindex + colptr[j]);
}

void gt_sum_layout(gt_sum *sum, size_t n, int terms, const gt_pattern *of, gt_arena *arena)
{
    assert(sum && of && arena);
    assert(terms >= 1 && terms <= GT_SUM_TERMS);
    *sum = (gt_sum){.n = n, .terms = terms};
    for (int k = 0; k < terms; k++) sum->of[k] = of[k];
    sum->of_W.storage = storage_of(sum);
    for (int k = 0; k < terms && sum->of_W.storage == GT_BANDED; k++) {
        if (of[k].lower > sum->of_W.lower) sum->of_W.lower = of[k].lower;
        if (of[k].upper > sum->of_W.upper) sum->of_W.upper = of[k].upper;
    }
    if (sum->of_W.storage == GT_CSC) lay_out_csc(sum, arena);
}

void gt_sum_prepare(gt_sum *sum)
{
    assert(sum && sum->terms >= 1);
    if (sum->of_W.storage != GT_CSC) return;
    for (int k = 0; k < sum->terms; k++) {
        size_t e = 0;
        for (size_t j = 0; j < sum->n; j++) {
            gt_column c = gt_column_of(&sum->of[k], sum->n, j);
            int place = sum->of_W.colptr[j];
            for (size_t i = 0; i < c.count; i++) {
                while (sum->of_W.rowindex[place] != (int)gt_column_row(&c, i)) place++;
                sum->slot[k][e++] = place;
            }
        }
    }
}

void gt_sum_fill(const gt_sum *sum, const gt_matrix *const *term, const double complex *weight,
                 gt_matrix *W)
{
    assert(sum && term && weight && W);
    assert(W->n == sum->n);
    size_t width = W->is_complex ? 2 : 1;
    bool sparse = sum->of_W.storage == GT_CSC;
    gt_matrix_clear(W);
    for (int k = 0; k < sum->terms; k++) {
        double re = creal(weight[k]), im = cimag(weight[k]);
        const double *values = term[k] ? term[k]->values : NULL;
        size_t e = 0;
        for (size_t j = 0; j < sum->n; j++) {
            gt_column c = gt_column_of(&sum->of[k], sum->n, j), of_W = {0};
            if (!sparse) of_W = gt_column_of(&sum->of_W, sum->n, j);
            for (size_t i = 0; i < c.count; i++, e++) {
                size_t place = sparse ? (size_t)sum->slot[k][e]
                                      : of_W.index + gt_column_row(&c, i) - of_W.first;
                double a = values ? values[c.index + i] : 1;
                W->values[width * place] += re * a;
                if (width == 2) W->values[2 * place + 1] += im * a;
            }
        }
    }
}
