/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_ANALYSIS_AUTO_TRIAL_H
#define GEARTRAIN_ANALYSIS_AUTO_TRIAL_H

#include "analysis/auto_blocks.h"

/* Methods that repeat a stretch of the run, which the one in use has just done: its work and its
 * end are known. */
typedef struct gt_auto_candidates {
    const gt_method *method[GT_AUTO_KINDS];
    size_t count;
} gt_auto_candidates;

/* Work on the stretch, at the same error. */
typedef struct gt_auto_worth {
    double candidate, in_use;
} gt_auto_worth;

#define GT_AUTO_BETTER 0.7 /* of the work of the method in use: what a candidate must do with */

/* The candidate that is better, NULL: none is. The stretch is that of `b`, with the state at its
 * start in x; the method in use has taken so much work for it, and all that is tried may take so
 * much. */
const gt_method *gt_auto_try(gt_auto_blocks *b, const double *x, const gt_view *view,
                             const gt_auto_candidates *list, double taken, double allowed,
                             gt_auto_worth *found);

/* Calls of f that trials may take yet. */
double gt_auto_calls_left(const gt_auto_blocks *b, const gt_view *view);

#endif
