/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_ADVISE_PARTS_H
#define GEARTRAIN_ADVISE_PARTS_H

#include "cli.h"
#include <geartrain/advise.h>

/* What an evaluation takes, by the clock, in seconds; 0: not measured or not there. */
typedef struct advise_times {
    double full, slow, fast;
} advise_times;

typedef struct advise_job {
    const cli_args *args;
    cli_problem p;
    const gt_method **methods; /* --methods; ends with NULL; NULL: all */
    gt_advice advice;
    double *max_step; /* --max-step: for each method of the advice; NAN: not tried */
    advise_times times;
    bool blocks;
    const char *plot;
    double h; /* --h, for the figure; 0: the steps of the run */
} advise_job;

/* The division that blocks are taken from: the model's own, or the suggested one; NULL: none. */
const gt_split *gt_advise_division(const advise_job *job);

/* "z, w" in the buffer. */
void gt_advise_fast_names(const advise_job *job, const gt_split *split, char *buffer, size_t size);

void gt_advise_print(const advise_job *job);
json_t *gt_advise_json(const advise_job *job);
int gt_advise_draw(advise_job *job);
int gt_advise_draw_blocks(advise_job *job);

/* As `linearize --manifold` and `advise` tell of it. */
void gt_manifold_print(const gt_problem *problem, const gt_manifold *m);
json_t *gt_manifold_json(const gt_problem *problem, const gt_manifold *m);

#endif
