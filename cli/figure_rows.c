/* SPDX-License-Identifier: BSD-3-Clause */
#include "figure_series.h"
#include "thin.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    COLUMNS = 2500,
    FEWER_COLUMNS = 1250,
    MANY_CURVES = 16
}; /* of a figure, in which each curve has its extremes */
enum { PATH_ROWS = 1 << 18, PATH_PIXELS = 4000, MOST_NUMBERS = 1 << 25 };

gt_status gt_figure_rows_add(figure_rows *rows, double t, const double *values)
{
    size_t n = rows->n_columns;
    if (rows->count == rows->room) {
        size_t room = rows->room ? 2 * rows->room : 1024;
        double *times = realloc(rows->t, room * sizeof *times);
        if (times) rows->t = times;
        double *larger = times ? realloc(rows->values, room * n * sizeof *larger) : NULL;
        if (!larger) return GT_NO_MEMORY;
        rows->values = larger;
        rows->room = room;
    }
    rows->t[rows->count] = t;
    memcpy(rows->values + n * rows->count++, values, n * sizeof *values);
    return GT_OK;
}

void gt_figure_rows_free(figure_rows *rows)
{
    free(rows->t);
    free(rows->values);
    *rows = (figure_rows){0};
}

static size_t pixel_columns(const figure_rows *rows)
{
    return rows->n_columns > MANY_CURVES ? FEWER_COLUMNS : COLUMNS;
}

size_t gt_figure_rows_most(const figure_rows *rows)
{
    assert(rows->n_columns > 0);
    size_t pixels = pixel_columns(rows), room = MOST_NUMBERS / rows->n_columns;
    size_t needed = 2 * pixels * (4 * rows->n_columns + 2);
    if (needed < PATH_ROWS) needed = PATH_ROWS;
    return needed < room ? needed : room > 8 * pixels ? room : 8 * pixels;
}

static void drop_rows(figure_rows *rows, const bool *keep)
{
    size_t n = rows->n_columns, count = 0;
    for (size_t k = 0; k < rows->count; k++) {
        if (!keep[k]) continue;
        rows->t[count] = rows->t[k];
        memmove(rows->values + n * count++, rows->values + n * k, n * sizeof(double));
    }
    rows->count = count;
}

/* The pixel of each time. On a log axis times up to 0 are not seen, and share one. */
static void place_times(const figure_rows *rows, double from, double to, bool on_log, double *x)
{
    double pixels = (double)pixel_columns(rows), first = from;
    for (size_t k = 0; on_log && !(first > 0) && k < rows->count; k++) first = rows->t[k];
    on_log = on_log && first > 0 && to > first;
    for (size_t k = 0; k < rows->count; k++)
        x[k] = on_log
                   ? (rows->t[k] > 0 ? 1 + pixels * log(rows->t[k] / first) / log(to / first) : 0)
                   : pixels * (rows->t[k] - from) / (to - from);
}

/* The extremes of every curve; of so many curves that these are all rows, the first and last rows
 * of each column. */
static void thin_over_time(const figure_rows *rows, double *work, bool *keep)
{
    double *y = work + rows->count;
    size_t left = 0;
    for (size_t c = 0; c < rows->n_columns; c++) {
        for (size_t k = 0; k < rows->count; k++) y[k] = rows->values[rows->n_columns * k + c];
        gt_thin_columns(rows->count, work, y, keep);
    }
    for (size_t k = 0; k < rows->count; k++) left += keep[k];
    if (left <= gt_figure_rows_most(rows) / 2) return;
    for (size_t k = 0; k < rows->count; k++) y[k] = 0, keep[k] = false;
    gt_thin_columns(rows->count, work, y, keep);
}

/* Columns against one another: what lies on a line goes; when that is too little, what lies nearly
 * on one. */
static void thin_path(figure_rows *rows, double *work, bool *keep)
{
    const double *p[3];
    int dimensions = rows->n_columns < 3 ? (int)rows->n_columns : 3;
    for (int d = 0; d < dimensions; d++) {
        double *own = work + (size_t)d * rows->count, low = INFINITY, high = -INFINITY;
        for (size_t k = 0; k < rows->count; k++) {
            own[k] = rows->values[rows->n_columns * k + (size_t)d];
            low = fmin(low, own[k]);
            high = fmax(high, own[k]);
        }
        for (size_t k = 0; k < rows->count && high > low; k++)
            own[k] = PATH_PIXELS * (own[k] - low) / (high - low);
        p[d] = own;
    }
    size_t left = rows->count;
    for (double tolerance = 0.1; left > rows->count / 2; tolerance *= 2) {
        for (size_t k = 0; k < rows->count; k++) keep[k] = true;
        gt_thin_straight(rows->count, dimensions, p, tolerance, keep);
        left = 0;
        for (size_t k = 0; k < rows->count; k++) left += keep[k];
        if (tolerance > PATH_PIXELS) break; /* gaps everywhere: nothing can go */
    }
}

gt_status gt_figure_rows_thin(figure_rows *rows, double from, double to, bool on_log, bool as_path)
{
    double *work = malloc(3 * (rows->count + 1) * sizeof *work);
    bool *keep = calloc(rows->count + 1, sizeof *keep);
    if (work && keep) {
        if (!as_path) place_times(rows, from, to, on_log, work);
        if (as_path)
            thin_path(rows, work, keep);
        else
            thin_over_time(rows, work, keep);
        drop_rows(rows, keep);
    }
    gt_status status = work && keep ? GT_OK : GT_NO_MEMORY;
    free(work);
    free(keep);
    return status;
}
