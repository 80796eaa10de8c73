/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_ADVISE_PARTS_H
#define GEARTRAIN_ADVISE_PARTS_H

#include "report_parts.h"
#include <geartrain/analysis/advise.h>

/* The slow manifold, as `linearize --manifold` and `advise` report it (manifold_report.c). */
typedef struct manifold_view {
    const gt_problem *problem;
    const gt_manifold *manifold;
} manifold_view;

/* What an evaluation takes, by the clock, in seconds; 0: not measured or not there. */
typedef struct advise_times {
    double full, slow, fast;
} advise_times;

/* The eigenvalues of both blocks at a point; NULL: they could not be found. */
typedef struct advise_block {
    double t, *slow, *fast;
    size_t n_slow, n_fast;
} advise_block;

/* A run that is recommended. */
enum { ADVISE_COMMANDS = 3 };
typedef struct advise_command {
    gt_promise promise;
    const char *text; /* the command */
} advise_command;

typedef struct advise_job {
    const cli_args *args;
    cli_problem p;
    const gt_method **methods; /* --methods; ends with NULL; NULL: all */
    gt_advice advice;
    double *max_step; /* --max-step: for each method of the advice; NAN: not tried */
    advise_times times;
    bool blocks;
    advise_block *block; /* with --blocks, at each point of the advice; NULL: there are none */
    const char *plot;
    double h;                                 /* --h, for the figure; 0: the steps of the run */
    manifold_view slow;                       /* of the advice */
    advise_command commands[ADVISE_COMMANDS]; /* the least work first */
    size_t n_commands;
} advise_job;

/* Runs the best methods, and writes their commands (advise_commands.c). */
int gt_advise_promise(advise_job *job);

/* The division that blocks are taken from: the model's own, or the suggested one; NULL: none. */
const gt_split *gt_advise_division(const advise_job *job);

/* "z, w" in the buffer. */
void gt_advise_fast_names(const advise_job *job, const gt_split *split, char *buffer, size_t size);

extern const report_field gt_advise_fields[]; /* of an advise_job */
/* its last part: cost and methods (advise_methods.c) */
extern const report_field gt_advise_method_fields[];
/* "-1, -2 + 3i, .." of eigenvalues. */
void gt_advise_say_values(const double *values, size_t count, report_text *out);
int gt_advise_draw(advise_job *job);
int gt_advise_draw_blocks(advise_job *job);

extern const report_field gt_manifold_fields[]; /* of a manifold_view */

#endif
