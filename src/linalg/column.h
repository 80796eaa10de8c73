/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LINALG_COLUMN_H
#define GEARTRAIN_LINALG_COLUMN_H

#include <geartrain/matrix.h>

/* The stored entries of one column, the same for every storage: entry k is in row gt_column_row(&c,
 * k) and has its number in values[c.index + k]. */
typedef struct gt_column {
    size_t count, index, first;
    const int *rows; /* GT_CSC; otherwise the rows are first, first + 1, .. */
} gt_column;

static inline gt_column gt_column_of(const gt_pattern *p, size_t n, size_t j)
{
    if (p->storage == GT_CSC) {
        size_t begin = (size_t)p->colptr[j];
        return (gt_column){
            .count = (size_t)p->colptr[j + 1] - begin, .index = begin, .rows = p->rowindex + begin};
    }
    if (p->storage == GT_DENSE) return (gt_column){.count = n, .index = j * n};
    size_t lower = (size_t)p->lower, upper = (size_t)p->upper;
    size_t first = j > upper ? j - upper : 0;
    size_t end = j + lower + 1 < n ? j + lower + 1 : n;
    return (gt_column){
        .count = end - first, .index = j * (lower + upper + 1) + upper + first - j, .first = first};
}

static inline size_t gt_column_row(const gt_column *c, size_t k)
{
    return c->rows ? (size_t)c->rows[k] : c->first + k;
}

/* Number of entries that lie inside the matrix (a band also stores corners that do not). */
static inline size_t gt_pattern_inside(const gt_pattern *p, size_t n)
{
    size_t sum = 0;
    for (size_t j = 0; j < n; j++) sum += gt_column_of(p, n, j).count;
    return sum;
}

/* The part of a matrix that has these rows and columns, by columns: fills colptr, rowindex (from 0)
 * and where the entries lie in the whole (slot) as far as these are not NULL. Returns the number of
 * entries. */
typedef struct gt_range {
    size_t from, to;
} gt_range;
size_t gt_pattern_part(const gt_pattern *p, size_t n, gt_range rows, gt_range columns, int *colptr,
                       int *rowindex, int *slot);

#endif
