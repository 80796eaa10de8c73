/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_ANALYSIS_LINEAR_MODEL_H
#define GEARTRAIN_ANALYSIS_LINEAR_MODEL_H

/* x' = A x as a problem, with all functions that a method may ask for. */
#include <geartrain/problem.h>

typedef struct gt_linear_model {
    size_t n_slow, n_fast;
    const double *A; /* column major; what is in it may change from step to step */
    size_t leading;  /* from one column to the next; at least n_slow + n_fast */
} gt_linear_model;

/* The problem from x0 on; the model stays where it is, and A and x0 with it. */
gt_problem gt_linear_problem(gt_linear_model *model, const double *x0, const char *name);

#endif
