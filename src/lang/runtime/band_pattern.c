/* SPDX-License-Identifier: BSD-3-Clause */
/* From bands, which may meet and cross, to one sparse pattern. */
#include "lang/runtime/band_pattern.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct walker {
    const gt_ode_band *bands;
    int n_bands, band, j, i;
} walker;

/* The entries of all bands in the order in which they are stored. */
static bool next_entry(walker *w, int *row, int *col)
{
    while (w->band < w->n_bands) {
        const gt_ode_band *b = &w->bands[w->band];
        if (w->j > b->hi || b->i_lo > b->i_hi) {
            w->band++;
            if (w->band < w->n_bands) {
                w->j = w->bands[w->band].lo;
                w->i = w->bands[w->band].i_lo;
            }
            continue;
        }
        *row = b->row + b->row_j * w->j;
        *col = b->col + b->col_j * w->j + b->col_i * w->i;
        if (++w->i > b->i_hi) {
            w->i = b->i_lo;
            w->j++;
        }
        return true;
    }
    return false;
}

static walker walk_bands(const gt_ode_code *code)
{
    walker w = {.bands = code->bands, .n_bands = code->n_bands};
    if (code->n_bands) {
        w.j = code->bands[0].lo;
        w.i = code->bands[0].i_lo;
    }
    return w;
}

static int ascending(const void *a, const void *b)
{
    int p = *(const int *)a, q = *(const int *)b;
    return (p > q) - (p < q);
}

/* Columns are collected, sorted and freed of doubles; then each entry finds its place in its
 * column. */
gt_status gt_ode_pattern(gt_ode_ctx *c, size_t n, gt_pattern *pattern, gt_arena *arena)
{
    const gt_ode_code *code = c->code;
    size_t entries = 0;
    for (int k = 0; k < code->n_bands; k++) {
        const gt_ode_band *b = &code->bands[k];
        entries += (size_t)(b->hi - b->lo + 1) * (size_t)(b->i_hi - b->i_lo + 1);
    }
    if (entries > INT_MAX) return GT_UNSUPPORTED;
    int *colptr = gt_arena_take(arena, n + 1, sizeof *colptr);
    int *rows = gt_arena_take(arena, entries + 1, sizeof *rows);
    c->place = gt_arena_take(arena, entries + 1, sizeof *c->place);
    int *next = calloc(n + 2, sizeof *next);
    if (!colptr || !rows || !c->place || !next) {
        free(next);
        return GT_NO_MEMORY;
    }
    int row, col;
    for (walker w = walk_bands(code); next_entry(&w, &row, &col);) next[col + 1]++;
    for (size_t k = 0; k < n; k++) next[k + 1] += next[k];
    memcpy(colptr, next, (n + 1) * sizeof *colptr);
    for (walker w = walk_bands(code); next_entry(&w, &row, &col);) rows[next[col]++] = row;
    int used = 0;
    for (size_t k = 0; k < n; k++) {
        int from = colptr[k], to = colptr[k + 1], last = -1;
        if (to > from) qsort(rows + from, (size_t)(to - from), sizeof *rows, ascending);
        next[k] = used;
        for (int e = from; e < to; e++)
            if (rows[e] != last) rows[used++] = last = rows[e];
    }
    memcpy(colptr, next, n * sizeof *colptr);
    colptr[n] = used;
    free(next);
    int index = 0;
    for (walker w = walk_bands(code); next_entry(&w, &row, &col);) {
        int low = colptr[col], high = colptr[col + 1];
        while (high - low > 1) {
            int middle = low + (high - low) / 2;
            if (rows[middle] <= row)
                low = middle;
            else
                high = middle;
        }
        c->place[index++] = low;
    }
    *pattern = (gt_pattern){
        .storage = GT_CSC, .colptr = colptr, .rowindex = rows, .entries = (size_t)used};
    return GT_OK;
}
