/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_RUN_PARTS_H
#define GEARTRAIN_RUN_PARTS_H

#include "figure_series.h"

/* What was given for the flags that `run` alone has. */
typedef struct run_flags {
    cli_value checkpoint_every, every_step, reference, times;
} run_flags;

static inline const run_flags *run_own(const cli_args *args)
{
    return gt_cli_own(args, sizeof(run_flags));
}

/* The parts of `run`: what is recorded on the way (run_record.c), drawn (run_plot.c), doubted
 * (run_growth.c) and reported (run_report.c). */

/* Passes samples on: of the two at an event only the one after it, as the one before is the end of
 * a step as well, and when the plan names times only those. */
typedef struct run_filter {
    gt_sink sink, *target;
    const gt_problem *problem;
    const gt_plan *plan;
    double from; /* nothing before this time */
    size_t rows;
} run_filter;

void gt_run_filter(run_filter *filter, gt_sink *target, unsigned wants, const gt_problem *problem,
                   const gt_plan *plan);

typedef struct run_event {
    double t;
    size_t root;
} run_event;

/* Events and the drift of invariants. */
typedef struct run_record {
    gt_sink sink;
    const gt_problem *problem;
    run_event *events;
    size_t n_events, room;
    double *start, *end, *drift, *work; /* n_invariants each */
    double *base; /* the values from which the drift counts: at the start, or at a break */
} run_record;

/* The invariants at a sample. Those that depend on t may jump at a break: a step that ends there
 * still has the left limit, as f has. */
void gt_run_invariants(const gt_problem *problem, const gt_sample *sample, double *out);

int gt_run_record_init(run_record *record, const gt_problem *problem, gt_arena *arena);
void gt_run_record_free(run_record *record);
const char *gt_run_event_name(const gt_problem *problem, size_t root, char buffer[24]);

/* Some columns, to compare with a reference: t[count] and values[count * n_columns]. Every other
 * row is dropped when they get too many. */
typedef struct run_series {
    gt_sink sink;
    const gt_problem *problem;
    double *aux; /* its auxiliary quantities, where a column is one */
    double from; /* nothing before this time */
    const size_t *columns;
    size_t n_columns, count, room, every, seen;
    double *t, *values;
    double event;     /* time of the last one */
    bool skip_events; /* where there are two values, and a reference may have the other one */
    double h_largest; /* of the steps seen */
} run_series;

void gt_run_series_init(run_series *series, const gt_problem *problem, const size_t *columns,
                        size_t n_columns);
void gt_run_series_free(run_series *series);

/* Drops rows that are not later in the run than the one before. */
void gt_run_series_advance(run_series *series);

/* 0, 1, .. of all states, from the arena; NULL when out of memory. */
const size_t *gt_run_all_columns(cli_problem *p);

/* The figure: which states, checked before the run; then drawn. */
typedef struct run_figure {
    const char *path;
    size_t *columns, n_columns;
    bool phase;
    bool some;         /* not all states could be drawn */
    bool log_x, log_y; /* --log */
    const cli_args *args;
} run_figure;

int gt_run_figure_flags(const cli_args *args, cli_problem *p, run_figure *figure);
/* The series of the figure for a run of this method. */
int gt_run_figure_series(const run_figure *figure, const gt_problem *problem,
                         const gt_method *method, const gt_values *options, bool fixed_step,
                         figure_series *series);
int gt_run_draw(const run_figure *figure, const cli_problem *p, const gt_method *method,
                const figure_series *series);

/* All that happened, for the report. */
typedef struct run_outcome {
    const cli_problem *p;
    const cli_solver *solver;
    const gt_report *report;
    const double *x;
    const double *aux; /* at the end; NULL: there are none */
    const run_record *record;
    double wall;
    bool has_error;
    cli_error error;
    const cli_reference *reference;
    char sampled[64]; /* where: "at 120 steps" */
} run_outcome;

/* Whether the solution grew out of all proportion because the fixed step is too large for the
 * method (run_growth.c); then `out` says so. */
bool gt_run_blames_step(const run_outcome *outcome, gt_message *out);

/* Warnings about the whole of a run, for its report: the step made it grow, or the errors of steps
 * add up to the solution; the latter is not asked where the error is `measured`. */
void gt_run_doubt(const run_outcome *outcome, bool measured, gt_report *report);

/* Says in `note` how often relations switched inside fixed steps, by which the result seems to be
 * `off`; NAN: that is not known, since a second run would cost much. */
void gt_run_notes_passed(const run_outcome *outcome, double off, gt_message *note);

extern const report_field gt_run_fields[]; /* of a run_outcome */

#endif
