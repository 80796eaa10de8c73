/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Square matrices in three storages. Every storage keeps its entries column after column, so that
 * one loop over columns, each with a run of rows, serves all three.
 */
#include <geartrain/matrix.h>
#include <string.h>

size_t gt_matrix_entries(const gt_matrix *matrix)
{
    if (!matrix) return 0;
    const gt_pattern *p = &matrix->pattern;
    switch (p->storage) {
    case GT_BANDED:
        return matrix->n * (size_t)(p->lower + p->upper + 1);
    case GT_CSC:
        return p->entries ? p->entries : (size_t)p->colptr[matrix->n];
    case GT_DENSE:
        break;
    }
    return matrix->n * matrix->n;
}

static size_t doubles_in(const gt_matrix *matrix)
{
    return gt_matrix_entries(matrix) * (matrix->is_complex ? 2 : 1);
}

void gt_matrix_layout(gt_matrix *matrix, size_t n, gt_pattern pattern, bool is_complex,
                      gt_arena *arena)
{
    *matrix = (gt_matrix){.n = n, .pattern = pattern, .is_complex = is_complex};
    matrix->values = gt_arena_doubles(arena, doubles_in(matrix));
}

void gt_matrix_clear(gt_matrix *matrix)
{
    memset(matrix->values, 0, doubles_in(matrix) * sizeof(double));
}

/* Place of (row, column) among the entries of a sparse pattern, -1 when it is not there. */
static ptrdiff_t csc_place(const gt_pattern *pattern, int row, size_t column)
{
    int low = pattern->colptr[column], high = pattern->colptr[column + 1];
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (pattern->rowindex[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low < pattern->colptr[column + 1] && pattern->rowindex[low] == row ? low : -1;
}

static ptrdiff_t band_place(const gt_pattern *pattern, size_t row, size_t column)
{
    const ptrdiff_t below = (ptrdiff_t)row - (ptrdiff_t)column;
    if (below > pattern->lower || -below > pattern->upper) return -1;
    return (ptrdiff_t)column * (pattern->lower + pattern->upper + 1) + pattern->upper + below;
}

double *gt_matrix_at(const gt_matrix *matrix, size_t row, size_t column)
{
    const gt_pattern *pattern = &matrix->pattern;
    ptrdiff_t place = (ptrdiff_t)(row + column * matrix->n);
    if (pattern->storage == GT_BANDED) place = band_place(pattern, row, column);
    if (pattern->storage == GT_CSC) place = csc_place(pattern, (int)row, column);
    return place < 0 ? NULL : matrix->values + (matrix->is_complex ? 2 * place : place);
}

void gt_matrix_add(gt_matrix *matrix, size_t row, size_t column, double value)
{
    double *entry = gt_matrix_at(matrix, row, column);
    if (entry) *entry += value;
}

static void dense_multiply(const gt_matrix *matrix, const double *restrict x, double *restrict y)
{
    const size_t n = matrix->n;
    for (size_t j = 0; j < n; j++) {
        const double *restrict column = matrix->values + j * n;
        for (size_t i = 0; i < n; i++) y[i] += column[i] * x[j];
    }
}

/* Row by row, as the columns would have it to the last bit: a number that is changed in memory by
 * one column after the other makes each wait for the one before. */
static void band_multiply(const gt_matrix *matrix, const double *restrict x, double *restrict y)
{
    const size_t n = matrix->n, lower = (size_t)matrix->pattern.lower,
                 upper = (size_t)matrix->pattern.upper;
    for (size_t i = 0; i < n; i++) {
        const size_t first = i > lower ? i - lower : 0, end = n - i > upper ? i + upper + 1 : n;
        const double *entry = matrix->values + first * (lower + upper) + upper + i;
        double sum = y[i];
        for (size_t j = first; j < end; j++, entry += lower + upper) sum += *entry * x[j];
        y[i] = sum;
    }
}

static void csc_multiply(const gt_matrix *matrix, const double *restrict x, double *restrict y)
{
    const int *colptr = matrix->pattern.colptr, *rowindex = matrix->pattern.rowindex;
    for (size_t j = 0; j < matrix->n; j++)
        for (int k = colptr[j]; k < colptr[j + 1]; k++) y[rowindex[k]] += matrix->values[k] * x[j];
}

void gt_matrix_multiply(const gt_matrix *matrix, const double *x, double beta, double *y)
{
    if (beta == 0.0) memset(y, 0, matrix->n * sizeof *y);
    switch (matrix->pattern.storage) {
    case GT_DENSE:
        dense_multiply(matrix, x, y);
        break;
    case GT_BANDED:
        band_multiply(matrix, x, y);
        break;
    case GT_CSC:
        csc_multiply(matrix, x, y);
        break;
    }
}
