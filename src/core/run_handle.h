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
    gt_problem given; /* as the caller gave them when the run was opened */
    gt_plan asked;
    gt_stepper probe;    /* for local errors of fixed steps, where the plan asks for them */
    unsigned char *kept; /* what the problem keeps of this run: other runs may share it */
    void *pilot_state;   /* of the pilot of the plan */
    size_t bytes;        /* of the memory of the run, beginning with this struct */
    gt_report report;
    double *breaks;
    size_t room;      /* for more of them */
    double t, *shown; /* what the caller sees: inside the last step x is `shown` */
    const double *x;
    double sign;         /* of the caller's time over that of the run */
    gt_status failed;    /* the run has come to an end with this */
    bool end_reported;   /* a call has returned GT_REACHED_END */
    bool finished;       /* gt_run_finish has been called */
    bool closed;         /* in memory of the caller's, which may still be looked at */
    atomic_flag busy;    /* a call is under way */
    atomic_uint refused; /* calls from elsewhere meanwhile */
    gt_watcher watcher;
    gt_arena arena; /* of a reversed problem */
    void *own_memory;
} run_handle;

/* The method of a run, or, where it has a pilot, of the phase that it is in; NULL: the pilot
 * chooses the first. */
typedef struct gt_leg_name {
    const gt_method *method;
    const char *options;
} gt_leg_name;

static inline run_handle *gt_handle_of(gt_run *run) { return (run_handle *)run; }

/* run_open.c */
/* Memory and pointers of a run that has not begun; no function of the problem is called. `watch`:
 * its `keep` sees the parts; may be NULL. */
gt_status gt_run_lay(run_handle **handle, const gt_problem *problem, const gt_leg_name *name,
                     const gt_plan *plan, void *memory, size_t bytes, const gt_arena *watch,
                     gt_message *message) GT_MUST_CHECK;
/* The first sample and step of a run that has been laid out. */
gt_status gt_handle_begin(run_handle *w) GT_MUST_CHECK;
/* Ends a run as gt_solve does. */
void gt_handle_finish(run_handle *w);
/* A pilot only chooses the method of a run with a fixed step: plan and method as they are without
 * it. `own` has the plan that *plan points to then. */
void gt_phases_only(gt_phases *phases, const gt_choice *choice, double t);
gt_status gt_pilot_resolve(const gt_problem *problem, const gt_method **method,
                           const gt_plan **plan, gt_plan *own, gt_choice *choice,
                           gt_message *message) GT_MUST_CHECK;
/* The caller sees the accepted point. */
void gt_handle_show_start(run_handle *w);
/* The run has come to its end with this status; its message is completed. */
void gt_handle_fail(run_handle *w, gt_status status);
/* Frees what the run holds, as it is. */
void gt_handle_free(run_handle *w);

/* run_handle.c: one call at a time */
/* GT_BUSY: a call is under way. GT_BAD_ARGUMENT: the run is finished or closed. Or what the run has
 * failed with. */
gt_status gt_handle_enter(run_handle *w) GT_MUST_CHECK;
/* Without looking at what the run is like: false, a call is under way. And out again. */
bool gt_handle_take(run_handle *w);
void gt_handle_leave(run_handle *w);
/* After gt_handle_enter: the problem, which other runs may use in turn, is put into the state of
 * this one. */
void gt_handle_take_turn(run_handle *w);
void gt_handle_end_turn(run_handle *w);

/* backward.c: the plan as a reversed run sees it. */
gt_status gt_mirror_plan(const gt_plan *plan, gt_plan *out, gt_watcher *w,
                         gt_arena *arena) GT_MUST_CHECK;

#endif
