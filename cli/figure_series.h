/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_FIGURE_SERIES_H
#define GEARTRAIN_FIGURE_SERIES_H

#include "cli.h"

/* Rows of a figure: t[count] and values[count * n_columns]; values that are NaN part the curves. */
typedef struct figure_rows {
    double *t, *values;
    size_t n_columns, count, room;
} figure_rows;

gt_status gt_figure_rows_add(figure_rows *rows, double t, const double *values) GT_MUST_CHECK;
void gt_figure_rows_free(figure_rows *rows);

/* Fewer rows over the time from `from` to `to` and the same picture. on_log: its axis is of log t;
 * as_path: the columns are drawn against one another. */
gt_status gt_figure_rows_thin(figure_rows *rows, double from, double to, bool on_log,
                              bool as_path) GT_MUST_CHECK;

/* More than these are thinned. */
size_t gt_figure_rows_most(const figure_rows *rows);

/*
 * What a figure over time, or of states against one another, is drawn from: the dense output at
 * FIGURE_POINTS points spread in time and at the ends of all steps, both sides of events and
 * breaks, whatever the output points of the run. Where a method has nothing but the cubic over a
 * step, and that cannot follow the motion, as f in its middle shows, the ends of the step are
 * points that no line joins.
 */
enum { FIGURE_POINTS = 2000 };

typedef struct figure_series {
    gt_sink sink;
    const gt_problem *problem;
    const size_t *columns; /* states, and behind them auxiliary quantities */
    double from;           /* nothing before this time */
    bool on_log, as_path;
    figure_rows lines, points;
    double *row, *aux;
    size_t begins; /* of lines: first row inside the step that is under way */
    double t_last; /* end of the step before; */
    bool loose;    /* no line joins it to the next */
    bool checks;   /* the cubic of each step */
    bool slope_known;
    int steps;    /* that were checked, up to a few */
    double *work; /* in parts of n numbers, see figure_series.c */
} figure_series;

/* `method`, with its facts, is that of the run; NULL: one that is to be trusted between its points.
 */
int gt_figure_series_init(figure_series *series, const gt_problem *problem, const size_t *columns,
                          size_t n_columns, const gt_method *method, const gt_facts *facts,
                          bool fixed_step);
void gt_figure_series_free(figure_series *series);

#endif
