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

static void widen(gt_pattern *band, int below, int above)
{
    if (below > band->lower) band->lower = below;
    if (above > band->upper) band->upper = above;
}

/* The band that holds the entries of all terms. */
static gt_pattern band_of(const gt_sum *sum)
{
    gt_pattern band = {.storage = GT_BANDED};
    for (int k = 0; k < sum->terms; k++) {
        const gt_pattern *of = &sum->of[k];
        if (of->storage == GT_BANDED) widen(&band, of->lower, of->upper);
        for (size_t j = 0; j < sum->n && of->storage == GT_CSC; j++)
            for (int e = of->colptr[j]; e < of->colptr[j + 1]; e++)
                widen(&band, of->rowindex[e] - (int)j, (int)j - of->rowindex[e]);
    }
    return band;
}

/* Where its factors, with what fills in, have not many more places than W has entries, a band takes
 * less time than sparse factors: half of it, or less where W is complex. */
static bool is_worth_it(const gt_sum *sum, const gt_pattern *band)
{
    const size_t most_places = 3;
    size_t entries = 0, width = (size_t)(band->lower + band->upper);
    for (int k = 0; k < sum->terms; k++) {
        size_t inside = gt_pattern_inside(&sum->of[k], sum->n);
        if (inside > entries) entries = inside;
    }
    return width <= GT_NARROW_BAND &&
           sum->n * (width + 1 + (size_t)band->lower) <= most_places * entries;
}

static void lay_out(gt_sum *sum, size_t n, int terms, const gt_pattern *of, bool bands,
                    gt_arena *arena)
{
    assert(sum && of && arena);
    assert(terms >= 1 && terms <= GT_SUM_TERMS);
    *sum = (gt_sum){.n = n, .terms = terms};
    for (int k = 0; k < terms; k++) sum->of[k] = of[k];
    sum->of_W.storage = storage_of(sum);
    if (sum->of_W.storage == GT_DENSE) return;
    gt_pattern band = band_of(sum);
    bool is_band = sum->of_W.storage == GT_BANDED || (bands && is_worth_it(sum, &band));
    if (is_band)
        sum->of_W = band;
    else
        lay_out_csc(sum, arena);
}

void gt_sum_layout(gt_sum *sum, size_t n, int terms, const gt_pattern *of, gt_arena *arena)
{
    lay_out(sum, n, terms, of, false, arena);
}

void gt_sum_layout_to_factor(gt_sum *sum, size_t n, int terms, const gt_pattern *of,
                             gt_arena *arena)
{
    lay_out(sum, n, terms, of, true, arena);
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

/* What is added: `re + i im` times the entries of one matrix, or times the identity. */
typedef struct addend {
    const gt_pattern *of;
    const double *values; /* NULL: ones */
    double re, im;
} addend;

/* Entry e of a matrix to entry e of W, which has the same pattern. */
static void add_alike(const addend *a, size_t entries, size_t width, double *W)
{
    if (width == 1) {
        for (size_t e = 0; e < entries; e++) W[e] += a->re * a->values[e];
        return;
    }
    for (size_t e = 0; e < entries; e++) {
        W[2 * e] += a->re * a->values[e];
        W[2 * e + 1] += a->im * a->values[e];
    }
}

static inline void add_entry(const addend *a, size_t from, size_t place, size_t width, double *W)
{
    double value = a->values ? a->values[from] : 1;
    W[width * place] += a->re * value;
    if (width == 2) W[2 * place + 1] += a->im * value;
}

static void add_to_band(const gt_sum *sum, const addend *a, size_t width, double *W)
{
    const gt_pattern *band = &sum->of_W;
    const int *colptr = a->of->colptr, *row = a->of->rowindex;
    size_t next = (size_t)(band->lower + band->upper), diagonal = (size_t)band->upper;
    for (size_t j = 0; j < sum->n; j++, diagonal += next)
        for (int e = colptr[j]; e < colptr[j + 1]; e++)
            add_entry(a, (size_t)e, diagonal + (size_t)row[e], width, W);
}

static void add_by_columns(const gt_sum *sum, const addend *a, const int *slot, size_t width,
                           double *W)
{
    size_t e = 0;
    for (size_t j = 0; j < sum->n; j++) {
        gt_column c = gt_column_of(a->of, sum->n, j), of_W = {0};
        if (!slot) of_W = gt_column_of(&sum->of_W, sum->n, j);
        for (size_t i = 0; i < c.count; i++, e++) {
            size_t place = slot ? (size_t)slot[e] : of_W.index + gt_column_row(&c, i) - of_W.first;
            add_entry(a, c.index + i, place, width, W);
        }
    }
}

static void add_term(const gt_sum *sum, int k, const addend *a, gt_matrix *W)
{
    size_t n = sum->n, width = W->is_complex ? 2 : 1;
    gt_storage of_W = sum->of_W.storage, of = a->of->storage;
    if (of_W == GT_DENSE && of == GT_DENSE)
        add_alike(a, n * n, width, W->values);
    else if (of_W == GT_DENSE && !a->values)
        for (size_t j = 0; j < n; j++) add_entry(a, j, j * (n + 1), width, W->values);
    else if (of_W == GT_BANDED && of == GT_CSC)
        add_to_band(sum, a, width, W->values);
    else if (of_W == GT_CSC && of == GT_CSC)
        for (size_t e = 0; e < (size_t)a->of->colptr[n]; e++)
            add_entry(a, e, (size_t)sum->slot[k][e], width, W->values);
    else
        add_by_columns(sum, a, of_W == GT_CSC ? sum->slot[k] : NULL, width, W->values);
}

/* W := a, where both are dense. */
static void set_alike(const addend *a, size_t entries, gt_matrix *W)
{
    const double *from = a->values;
    double *to = W->values;
    if (!W->is_complex)
        for (size_t e = 0; e < entries; e++) to[e] = a->re * from[e];
    else
        for (size_t e = 0; e < entries; e++) {
            to[2 * e] = a->re * from[e];
            to[2 * e + 1] = a->im * from[e];
        }
}

void gt_sum_fill(const gt_sum *sum, const gt_matrix *const *term, const double complex *weight,
                 gt_matrix *W)
{
    assert(sum && term && weight && W);
    assert(W->n == sum->n);
    addend of[GT_SUM_TERMS];
    int set = -1;
    for (int k = 0; k < sum->terms; k++) {
        of[k] = (addend){&sum->of[k], term[k] ? term[k]->values : NULL, creal(weight[k]),
                         cimag(weight[k])};
        if (sum->of[k].storage == GT_DENSE) set = k;
    }
    if (set >= 0)
        set_alike(&of[set], sum->n * sum->n, W);
    else
        gt_matrix_clear(W);
    for (int k = 0; k < sum->terms; k++)
        if (k != set) add_term(sum, k, &of[k], W);
}
