/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_MATRIX_H
#define GEARTRAIN_MATRIX_H

#include <geartrain/api.h>
#include <geartrain/author/arena.h>
#include <geartrain/status.h>
#include <stdbool.h>
#include <stddef.h>

GT_C_BEGIN

/*
 * Square matrices: dense (column major), banded (LAPACK general band, rows -ku..kl of each column,
 * no room for fill-in) or CSC with a fixed pattern (rows ascending in each column). Complex values
 * are pairs (re, im).
 */
typedef enum gt_storage { GT_DENSE, GT_BANDED, GT_CSC } gt_storage;

/* Where the entries may be; the numbers live elsewhere. For GT_DENSE everything else is ignored. */
typedef struct gt_pattern {
    gt_storage storage;
    int lower, upper;    /* GT_BANDED: number of sub- and superdiagonals */
    const int *colptr;   /* GT_CSC: n + 1 */
    const int *rowindex; /* GT_CSC: colptr[n] */
    size_t
        entries; /* GT_CSC: colptr[n], or 0; needed only while there is no memory for colptr yet */
} gt_pattern;

typedef struct gt_matrix {
    size_t n;
    gt_pattern pattern;
    bool is_complex;
    double *values;
} gt_matrix;

/* Number of stored entries (pairs count once). */
GT_API size_t gt_matrix_entries(const gt_matrix *matrix);

/* Takes `values` from the arena. */
GT_API void gt_matrix_layout(gt_matrix *matrix, size_t n, gt_pattern pattern, bool is_complex,
                             gt_arena *arena);

/* Sets all stored entries to zero. */
GT_API void gt_matrix_clear(gt_matrix *matrix);

/* Address of entry (row, column), NULL when the pattern has no such entry. For model Jacobians and
 * tests: in CSC it searches the column; code that fills large matrices writes `values` in pattern
 * order. */
GT_API double *gt_matrix_at(const gt_matrix *matrix, size_t row, size_t column);

/* Adds `value` to a real entry that the pattern has; ignored when it has none. */
GT_API void gt_matrix_add(gt_matrix *matrix, size_t row, size_t column, double value);

/* y = A x + beta y (beta is 0 or 1); real. */
GT_API void gt_matrix_multiply(const gt_matrix *matrix, const double *x, double beta, double *y);

GT_C_END

#endif
