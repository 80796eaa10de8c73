/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_CORE_RUN_H
#define GEARTRAIN_CORE_RUN_H

/* What gt_integrate knows while it runs; shared by integrate.c, events.c and output.c only. */
#include <geartrain/integrate.h>

enum { GT_MOST_SMALL = 16 }; /* that are watched; a warning names the first */

typedef struct gt_run {
    gt_stepper *s;
    const gt_plan *plan;
    const gt_problem *problem;
    gt_message *message;
    gt_control control;
    gt_control_memory memory;
    double h;       /* of the next trial */
    double error;   /* of the last trial, as the controller measured it */
    int rejections; /* in a row */
    double grid;    /* fixed step: t_k = grid + k h since the last restart */
    size_t k;
    size_t next_break; /* index of the first discontinuity ahead */
    size_t next_output;
    unsigned wanted;   /* union of what the sinks want */
    double last_event; /* when */
    int crowded;       /* events in a row with next to no time between them */
    bool after_event;  /* no step has been accepted since the last event */
    gt_stepper *probe; /* fixed step: a second stepper, for the error of some steps; NULL: none */
    long probe_next, probe_every, probes;
    double probe_sum, probe_most; /* of their errors */
    double size;                  /* of the states, where the default of atol follows it; 0: it does not */
    int n_small;                  /* states that have not been above their atol yet: */
    size_t small[GT_MOST_SMALL];
    double seen[GT_MOST_SMALL]; /* the largest value of each */
} gt_run;

/* integrate.c */
gt_status gt_run_restart(gt_run *r) GT_MUST_CHECK;

/* plan.c */
gt_status gt_run_check_plan(const gt_run *r) GT_MUST_CHECK;
gt_status gt_run_choose_control(gt_run *r) GT_MUST_CHECK;

/* measure.c */
/* The error of the finished trial as the controller wants it; NaN when the trial is not finite. */
double gt_run_measure_error(const gt_run *r);
gt_status gt_run_initial_step(gt_run *r, double span, double *h) GT_MUST_CHECK;
/* 0, or NaN once a component is not finite. */
double gt_not_finite(const double *x, size_t n);

/* size.c: absolute tolerances and the size of the states */
void gt_run_begin_size(gt_run *r);
/* After an accepted step: the default of atol grows with the states. */
void gt_run_follow_size(gt_run *r);
/* Forgets the states that are above their atol now. */
void gt_run_watch_small(gt_run *r);
/* At the end: warns of states that matter and were below their atol all the time. */
void gt_run_warn_small(gt_run *r);

/* probe.c: local errors of fixed steps */
void gt_run_begin_probes(gt_run *r);
bool gt_run_probe_due(const gt_run *r);
/* After a trial of size h, before it is accepted. */
void gt_run_probe(gt_run *r, double h);
void gt_run_end_probes(gt_run *r);

/* output.c */
gt_status gt_run_check_outputs(gt_run *r) GT_MUST_CHECK;
gt_status gt_run_emit(gt_run *r, unsigned why, double t, const double *x) GT_MUST_CHECK;
/* Output points strictly inside the finished trial. */
gt_status gt_run_emit_inside(gt_run *r) GT_MUST_CHECK;
/* Whether t is an output point; moves on to the next one. */
bool gt_run_output_due(gt_run *r, double t);
/* The next output point ahead; INFINITY: none. */
double gt_run_next_output(const gt_run *r);
/* The same with the points that sinks have asked for by their spacing. */
double gt_run_next_sample(const gt_run *r);
/* What the sinks want, from the start. */
void gt_run_begin_sinks(gt_run *r);

/* events.c */
gt_status gt_run_start_roots(gt_run *r) GT_MUST_CHECK;
/* Looks for roots in the finished trial and, when there is one, repeats the trial so that it ends at the first. */
gt_status gt_run_find_event(gt_run *r, bool *found) GT_MUST_CHECK;
/* The trial that gt_run_find_event looked at is rejected: as if it had not looked. */
void gt_run_forget_roots(gt_run *r);
/* After the step to the event was accepted: calls on_event; `stop` when the run is to end. */
gt_status gt_run_fire_event(gt_run *r, bool *stop) GT_MUST_CHECK;

/* limits.c: the sentences for runs that cannot go on */
gt_status gt_run_trial_failed(gt_run *r, gt_status status) GT_MUST_CHECK;
gt_status gt_run_limit(gt_run *r, gt_status status) GT_MUST_CHECK;

#endif
