/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_RUN_CHECKPOINT_H
#define GEARTRAIN_RUN_CHECKPOINT_H

#include "run_parts.h"
#include <geartrain/run.h>

/* A run that is saved on its way and may be resumed: what of it is the program's. */
typedef struct run_checkpoint {
    const char *path;   /* --checkpoint; NULL: none is written */
    const char *resume; /* --resume; NULL: the run begins at its start */
    long steps;         /* between two of them, or 0 */
    double seconds;     /* or this */
    const char *out;    /* the CSV file, or NULL */
    gt_csv_sink *csv;   /* of which */
    run_filter *filter; /* and this counts its rows */
    run_record *record;
    const gt_problem *problem;
    char *about; /* what the run is of, to be freed */
    void *bytes; /* of the file that was read, to be freed */
} run_checkpoint;

/* Reads the flags; `csv` and the rest are set already. */
int gt_run_checkpoint_flags(const cli_args *args, const cli_problem *p, run_checkpoint *c);

/* Opens the run or resumes it, and takes it to its end, saving it on the way. As gt_solve. */
gt_status gt_run_with_checkpoints(run_checkpoint *c, const gt_method *method, const gt_plan *plan,
                                  gt_report *report);
void gt_run_checkpoint_free(run_checkpoint *c);

#endif
