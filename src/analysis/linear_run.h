/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_ANALYSIS_LINEAR_RUN_H
#define GEARTRAIN_ANALYSIS_LINEAR_RUN_H

/* A method bound to x' = A x with a few unknowns, A changed from run to run. */
#include "analysis/linear_model.h"
#include <geartrain/author/stepper.h>

enum { GT_LINEAR_MAX = 4 };

typedef struct gt_linear_run {
    const gt_method *method;
    const char *options;
    double A[GT_LINEAR_MAX][GT_LINEAR_MAX]; /* A[column][row] */
    gt_linear_model model;
    double x0[GT_LINEAR_MAX];
    gt_problem problem;
    void *memory;
    size_t bytes;
    gt_stepper kept; /* of gt_linear_steps */
    bool is_kept;
} gt_linear_run;

/* n unknowns, the last n_fast of them the fast block. */
gt_status gt_linear_open(gt_linear_run *run, const gt_method *method, const char *options, size_t n,
                         size_t n_fast, gt_message *message) GT_MUST_CHECK;
void gt_linear_close(gt_linear_run *run);

/* A fresh stepper at x0 for the A that `run` has; to be released. */
gt_status gt_linear_start(gt_linear_run *run, gt_stepper *s) GT_MUST_CHECK;

/* `count` steps of size 1 from x0; x gets the end. */
gt_status gt_linear_steps(gt_linear_run *run, int count, double *x) GT_MUST_CHECK;

#endif
