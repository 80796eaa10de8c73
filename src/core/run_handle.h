/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_CORE_RUN_HANDLE_H
#define GEARTRAIN_CORE_RUN_HANDLE_H

/* A run that belongs to a caller, with all that it needs. */
#include "core/run_state.h"
#include <stdatomic.h>

/* The progress function of a plan, called with the times of the problem. */
typedef struct gt_watcher {
    void (*progress)(double t, const gt_stats *stats, void *ctx);
    void *ctx;
} gt_watcher;

typedef struct run_handle {
    gt_run run; /* the first: a gt_run of a caller is a run_handle */
    gt_stepper stepper;
    gt_problem problem; /* as the caller gave it, or reversed; with breaks and an end of its own */
    gt_plan plan;
    gt_report report;
    double *breaks;
    size_t room;      /* for more of them */
    double t, *shown; /* what the caller sees: inside the last step x is `shown` */
    const double *x;
    double sign;      /* of the caller's time over that of the run */
    gt_status failed; /* the run has come to an end with this */
    atomic_flag busy; /* a call is under way */
    gt_watcher watcher;
    gt_arena arena; /* of a reversed problem */
    void *own_memory;
} run_handle;

static inline run_handle *gt_handle_of(gt_run *run) { return (run_handle *)run; }

/* backward.c: the plan as a reversed run sees it. */
gt_status gt_mirror_plan(const gt_plan *plan, gt_plan *out, gt_watcher *w, gt_arena *arena) GT_MUST_CHECK;

#endif
