/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_COMPARE_PARTS_H
#define GEARTRAIN_COMPARE_PARTS_H

#include "run_parts.h"

/* What was given for the flags that `compare` alone has. */
typedef struct compare_flags {
    cli_value drift, in_words, markdown, methods, repeat, trajectories, with_work;
} compare_flags;

static inline const compare_flags *compare_own(const cli_args *args)
{
    return gt_cli_own(args, sizeof(compare_flags));
}

/* The parts of `compare`: rows (compare_rows.c), their table and JSON (cmd_compare.c), the figures
 * (compare_plot.c, compare_drift.c). */

/* An entry of --methods: a method with options and perhaps its own step or tolerance. */
typedef struct compare_entry {
    const gt_method *method;
    char *label;   /* "taylor order=12" */
    char *options; /* "order=12" */
    size_t room;   /* of both */
    gt_values values;
    double h, rtol; /* 0: from the lists */
    bool switches;  /* `auto`, which begins with `method` */
} compare_entry;

/* How far an invariant has moved from its value at the start, or at the last break: the largest
 * relative change so far, where it grows. */
typedef struct compare_drift {
    gt_sink sink;
    const gt_problem *problem;
    size_t which; /* invariant */
    double *work; /* all invariants */
    double base, largest, final;
    double *t, *change;
    size_t count, room;
} compare_drift;

typedef struct compare_row {
    const struct comparison *all; /* that it is one of */
    const compare_entry *entry;
    double h, rtol; /* one of them is 0 */
    gt_report report;
    double wall;
    run_series points;    /* all states where the error is measured */
    cli_error error;      /* of a row that succeeded */
    figure_series series; /* for --trajectories */
    compare_drift drift;  /* for --drift */
} compare_row;

typedef struct comparison {
    const cli_args *args;
    cli_problem p;
    gt_plan plan; /* what all rows have in common */
    compare_entry *entries;
    compare_row *rows;
    size_t n_entries, n_rows;
    const size_t *columns; /* all states */
    double every; /* distance of the points at which all are compared; 0: each at its own steps */
    long repeat;  /* 0: until it has taken long enough to be timed */
    bool trajectories;
    bool with_work; /* the figure of trajectories has the error over the work beside it */
    bool in_words;
    gt_message words;  /* who is ahead; empty: not asked for, or not two rows to compare */
    const char *drift; /* invariant that is looked at instead of the error; NULL: none */
    size_t invariant;  /* its number */
    run_figure figure;
    cli_reference reference;
    bool stopped; /* by Ctrl-C, before all rows were done */
    bool serial;  /* one row at a time, so that each may have a progress bar */
} comparison;

/* From --methods, --h and --rtol. */
int gt_compare_rows(comparison *c);

/* Runs row i; what goes wrong is in its report. */
void gt_compare_run_row(size_t i, void *comparison);

/* The errors of the rows that succeeded. */
int gt_compare_errors(comparison *c);

/* "h=0.01" or "rtol=1e-06" */
const char *gt_compare_step(const compare_row *row, char buffer[40]);

/* Calls of f, those of a block counted by its share of the states, and Taylor expansions, each as
 * one. */
double gt_compare_evaluations(const gt_problem *problem, const gt_stats *stats);

/* compare_words.c: who is ahead and by how much, for `words`. */
void gt_compare_in_words(comparison *c);

extern const report_field gt_compare_fields[]; /* of a comparison */
int gt_compare_draw(const comparison *c);

/* --drift (compare_drift.c): the name is that of an invariant; the sink of a row; the figure. */
int gt_compare_drift_flag(comparison *c);
gt_status gt_compare_drift_init(const comparison *c, compare_drift *drift);
void gt_compare_drift_free(compare_drift *drift);
int gt_compare_draw_drift(const comparison *c, const char *title);

#endif
