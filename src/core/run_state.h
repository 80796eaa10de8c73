/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_CORE_RUN_STATE_H
#define GEARTRAIN_CORE_RUN_STATE_H

/* What a run knows; shared by the files of src/core only. The public side of it is geartrain/run.h.
 */
#include <geartrain/author/stepper.h>
#include <geartrain/integrate.h>
#include <geartrain/run.h>
#include <stdint.h>

enum { GT_MOST_SMALL = 16 }; /* that are watched; a warning names the first */
enum {
    GT_WATCH_SMALL = 16
};                             /* steps between looks at them: no state grows from below its
                                  tolerance to where it matters and back in so few */
enum { GT_MOST_WATCHED = 64 }; /* switches at a time */
enum {
    GT_MOST_BUSY_SPANS = 3,
    GT_MOST_PASSED_OVER = 1000
};                          /* before switches are looked at no more */
enum { GT_NAME_ROOM = 96 }; /* for the name of an event or a switch in a message */

/* What is known of switches that are far from their surfaces: see lookout.c. */
typedef struct gt_lookout {
    double room; /* how far the states may move, in units of how they moved before, until the next
                    look */
    long steps;  /* accepted before the last look, to which the run can return */
    long pace;   /* steps between the last two looks */
    long quiet_until; /* steps before which no look can be due */
    double t, h, looked_to, moves_t;
    gt_control_memory memory;
    bool in_time;      /* relations change with t alone */
    bool returned;     /* this look went back */
    bool wide;         /* none was anywhere near its surface at the last look */
    bool leaves;       /* the trial is far from all that are watched */
    bool endless;      /* one switches again and again with no time in between */
    bool crowded;      /* too many are near their surfaces at once: none is watched */
    long passed_over;  /* switches that were not located because of that */
    double first_over; /* when */
    size_t which_over;
    uint64_t busy; /* of the switches met in the last steps, by a hash */
    long busy_from;
    int busy_spans; /* in a row in which more than a few dozen were met */
    int failures; /* trials with a formula held that could not be finished, one soon after the other
                   */
    long failed_at; /* the last of them, in steps */
    bool released;  /* because of that none is watched until all are away from their surfaces */
} gt_lookout;

struct gt_run {
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
    bool moved;        /* a state that constraints have moved has been reported */
    bool grazed;       /* an event that was not certain has been reported */
    int crowded;       /* times that events fired again with next to no time between them */
    int still;         /* with no motion between them that the tolerance sees */
    bool after_event;  /* no step has been accepted since the last event */
    gt_stepper *probe; /* fixed step: a second stepper, for the error of some steps; NULL: none */
    long probe_next, probe_every, probes, even_probes; /* all, and those spread over the run */
    double probe_sum, early_sum, probe_most;           /* of their errors, of those at the start */
    double probe_stays; /* the largest of what is left of one, some steps later */
    int probe_warning;  /* its number, from 1; below 0: of the start only */
    double error_sum;   /* of controlled steps, in sizes of the solution, .. */
    long summed_steps;  /* .. up to this step */
    double size;        /* of the states, where the default of atol follows it; 0: it does not */
    int n_small;        /* states that have not been above their atol yet: */
    size_t small[GT_MOST_SMALL];
    double seen[GT_MOST_SMALL]; /* the largest value of each */
    bool given[GT_MOST_SMALL];  /* an initial value or an event has set it, not to 0 */
    bool approaching; /* the step was cut so that it ends before a root at which a longer one failed
                       */
    int looks;        /* evaluations of f that looked for pulses */
    double looked_to; /* number of the last point of the grid that was looked at */
    double pulse_at;  /* where the last pulse was found: no step goes beyond it before one has ended
                         there */
    double sides_from;   /* of roots: when the one that has passed was last seen on its side */
    double inside_limit; /* inside.c: what the last look into a step says of the next one .. */
    double inside_error; /* .. and of itself, over what is allowed */
    double inside_of;    /* the start of the step that was looked into for rows */
    int inside_rejections;
    bool inside_warned;
    gt_run *second; /* through a step whose dense output is too far off; NULL: none */
    gt_stats second_counted;
    bool second_failed, is_second;
    gt_stepper *base; /* of the method; s is another one while the run slides on a surface */
    struct gt_slide *slide;
    size_t n_relations;         /* switches of the problem that are looked at */
    size_t n_roots, n_switches; /* roots of the problem and of the switches that are watched; the
                                   number of those */
    gt_lookout lookout;         /* for switches that are not watched */
    long slides;
    double slide_began, last_switch;
    bool chatters;     /* a jump of f that is not a switch is crossed without end */
    long chatter_from; /* steps, rejections and time when that was looked for last */
    long chatter_rejected;
    int chatter_looks;                      /* for rejections */
    long chatter_due, chatter_due_rejected; /* steps and rejections at which the next look comes */
    double chatter_from_t;
    int chatter_jumps;   /* that were crossed, or poles */
    double chatter_jump; /* beyond it a jump is another than the last; -INFINITY: none was seen */
    int branch_sign;     /* branches.c: that of det(dg/dy) when it was looked at last, .. */
    long branch_due, branch_changes; /* .. switches, events and discontinuities before that, .. */
    double branch_t;                 /* .. and its time */
    int chatter;                     /* switches in a row with next to no time between them */
    bool kink;           /* the trial ends at a switch at which f does not jump: history is kept */
    bool history_stands; /* the event that was passed last was of that kind */
    bool event_beyond;   /* the event lies a little beyond the end of the trial: s->event_x at
                            s->t_new */
    bool event_consistent; /* and meets the constraints */

    /* A step that has been found good waits here until it is accepted, so that its dense output can
     * be asked for: gt_integrate accepts at once, a handle when the next step is wanted. */
    bool waits;
    bool waits_at_event; /* it ends at an event */
    bool waits_at_stop;  /* or at a discontinuity or the end */
    bool one_by_one;     /* the owner is a handle, which looks at each step */
    bool stopped;        /* by an event */
    long turns;          /* of the loop, rejected trials included */
    double target;       /* a handle is on its way to this time: steps up to it need not be shown */
    double limit;        /* and, unless INFINITY, no step goes beyond it */

    /* A run with a pilot, handover.c; elsewhere all NULL. */
    const gt_pilot *pilot;
    void *pilot_state;
    struct gt_leg *leg; /* with the stepper `base` */
    gt_phases *phases;
    double phase_t; /* where the phase under way began, and the steps before it */
    long phase_steps;
    long pilot_due; /* steps at which the pilot looks again */
    bool mode_known;
    gt_dominant mode;

    /* stiff_note.c; of a run without a pilot */
    long stiff_due, stiff_apart; /* steps at which the next look comes, and between rows of looks */
    int stiff_hits, stiff_misses;
};

/* run_step.c: the accept/reject loop */
/* Checks the plan, starts at t0, gives out the first sample. */
gt_status gt_run_begin(gt_run *r) GT_MUST_CHECK;
/* Turns of the loop until a step waits (one_by_one) or the run is over. */
gt_status gt_run_turn(gt_run *r) GT_MUST_CHECK;
/* Accepts the step that waits, with all that follows from it: output, events, discontinuities, a
 * new start. */
gt_status gt_run_accept(gt_run *r) GT_MUST_CHECK;
/* Warnings that are known only now. */
void gt_run_end(gt_run *r);
bool gt_run_is_over(const gt_run *r);
/* The first step of a new piece. */
gt_status gt_run_new_piece(gt_run *r) GT_MUST_CHECK;
/* t1 - t0, or a time that stands for it where t1 is infinite. */
double gt_run_whole(const gt_run *r);
gt_status gt_run_restart(gt_run *r) GT_MUST_CHECK;
/* Shorter steps are lost in round-off. */
double gt_run_least_step(const gt_run *r);
/* The next discontinuity, or the end. */
double gt_run_next_stop(const gt_run *r);
/* A trial of a fixed step, which must be finite. */
gt_status gt_run_try_fixed(gt_stepper *s, double h) GT_MUST_CHECK;

/* stiff_note.c: of a finished trial that is to be accepted */
void gt_run_begin_stiff_looks(gt_run *r);
void gt_run_look_for_stiffness(gt_run *r);

/* run_many.c */
/* Where nothing moves and there is no end, steps grow until time is not a number. */
#define GT_LONGEST_STEP 1e300
/* Number of full fixed steps from the grid that end before `t` or on it, but for the round-off of
 * times. */
size_t gt_run_steps_until(const gt_run *r, double t);
/* Many fixed steps, when nothing is wanted in between; `done`: there were any. */
gt_status gt_run_many_fixed(gt_run *r, bool *done) GT_MUST_CHECK;
/* Many controlled ones; h is that of the trial that is left. */
gt_status gt_run_try_many(gt_run *r, double *h, double t_stop) GT_MUST_CHECK;

/* handover.c */
/* Between two steps: the pilot looks at the run, which then may have another method. */
gt_status gt_run_consider(gt_run *r) GT_MUST_CHECK;
/* Before the step that the pilot will see is accepted. */
void gt_run_watch_mode(gt_run *r);
void gt_run_open_phase(gt_run *r, const gt_choice *choice);
void gt_run_close_phase(gt_run *r);
/* What belongs to the run goes from one stepper to another of as many states: tolerances, counts,
 * notes, the point, and what is known of `roots` roots there. */
void gt_run_pass_on(const gt_stepper *from, gt_stepper *to, size_t roots);
/* Options of the method in use. */
const char *gt_run_options(const gt_run *r);
/* A stepper in memory of its own, which has not been prepared; and that memory. `keeps`: its `keep`
 * sees the parts; may be NULL. */
gt_status gt_leg_lay(const gt_problem *problem, const gt_method *method, const char *options,
                     const gt_arena *keeps, struct gt_leg **leg, gt_message *why) GT_MUST_CHECK;
void gt_leg_memory(const struct gt_leg *leg, void **base, size_t *bytes);
gt_stepper *gt_leg_stepper(struct gt_leg *leg);
void gt_leg_discard(struct gt_leg *leg);

/* backward.c */
gt_status gt_integrate_backward(gt_stepper *s, const gt_plan *plan,
                                gt_report *report) GT_MUST_CHECK;

/* plan.c */
/* Algebraic equations without a solution at a point that is only looked at are no end of a run.
 * What else is below 0 is: the caller's function wants no more calls. */
static inline bool gt_cannot_close(gt_status status)
{
    return status > 0 || status == GT_INCONSISTENT || status == GT_SINGULAR ||
           status == GT_NOT_FINITE;
}

/* gt_stepper_try and gt_stepper_accept for callers that know what they do: nothing is checked
 * inside a run. */
gt_status gt_trial(gt_stepper *s, double h, bool want_error) GT_MUST_CHECK;
void gt_take_trial(gt_stepper *s);

/* The two halves of gt_stepper_init: memory and pointers, which calls no function of the problem;
 * then the rest. */
gt_status gt_stepper_lay(gt_stepper *s, const gt_method *method, const char *options,
                         const gt_problem *problem, gt_arena *arena) GT_MUST_CHECK;
gt_status gt_stepper_prepare(gt_stepper *s) GT_MUST_CHECK;

gt_status gt_run_check_plan(const gt_run *r) GT_MUST_CHECK;
gt_status gt_run_choose_control(gt_run *r) GT_MUST_CHECK;
/* Tolerances of the stepper, and whether it looks for pulses. */
void gt_run_begin_tolerances(gt_run *r);

/* measure.c */
/* The error of the finished trial as the controller wants it; NaN when the trial is not finite. */
double gt_run_measure_error(const gt_run *r);
gt_status gt_run_initial_step(gt_run *r, double span, double *h) GT_MUST_CHECK;

/* size.c: absolute tolerances and the size of the states */
void gt_run_begin_size(gt_run *r);
/* After an accepted step: the default of atol grows with the states. */
void gt_run_follow_size(gt_run *r);
/* Forgets the states that are above their atol now. */
void gt_run_watch_small(gt_run *r);
/* At the end: warns of states that matter and were below their atol all the time. */
void gt_run_given_small(gt_run *r); /* an event has changed the state since the last watch */
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
/* Output points up to here have been given out, or were wanted by nobody. */
void gt_run_skip_outputs(gt_run *r);
/* What the sinks want, from the start. */
void gt_run_begin_sinks(gt_run *r);

/* inside.c */
/* The next step, h, or a shorter one where h would have to be rejected for what lies inside. */
double gt_run_trusted_step(const gt_run *r, double h);
/* Of a finished trial that is to be accepted: *h_next below its size where events or relations are
 * to be looked for in it and its dense output is too far off. */
gt_status gt_run_trust_inside(gt_run *r, double *h_next) GT_MUST_CHECK;
/* The state at t inside the step that is about to be accepted. */
gt_status gt_run_inside(gt_run *r, double t, bool in_figure, double *x) GT_MUST_CHECK;
/* A run from the start of this step, where its dense output is too far off; else NULL. It ends with
 * the step, or when something in it changes; what it did is to be counted. */
gt_status gt_run_second(gt_run *r, gt_run **second) GT_MUST_CHECK;
void gt_run_count_second(gt_run *r);
void gt_run_end_second(gt_run *r);

/* events.c */
/* How many doubles and flags a stepper keeps for the roots. */
size_t gt_root_numbers(size_t n_roots);
size_t gt_root_flags(size_t n_roots);
gt_status gt_run_start_roots(gt_run *r) GT_MUST_CHECK;
/* Looks for roots in the finished trial and, when there is one, repeats the trial so that it ends
 * at the first. */
gt_status gt_run_find_event(gt_run *r, bool *found) GT_MUST_CHECK;
/* The trial that gt_run_find_event looked at is rejected: as if it had not looked. */
void gt_run_forget_roots(gt_run *r);
/* When the points inside the trial have been given out: its end becomes the event. */
void gt_run_move_to_event(gt_run *r);
/* After a trial of size h that is to be repeated: a better *h_next where it seems to have met a
 * jump of f at a root. */
gt_status gt_run_shorten_to_root(gt_run *r, double h, bool finished, double *h_next) GT_MUST_CHECK;
/* Name or number of the event that fired last. */
const char *gt_run_root_name(const gt_run *r, char buffer[GT_NAME_ROOM]);
/* After the step to the event was accepted: calls on_event; `stop` when the run is to end. */
gt_status gt_run_fire_event(gt_run *r, bool *stop) GT_MUST_CHECK;

/* switches.c */
/* All root functions: those of events, and behind them those of switches. */
gt_status gt_run_roots(gt_run *r, double t, const double *x, double *g) GT_MUST_CHECK;
gt_status gt_run_start_switches(gt_run *r) GT_MUST_CHECK;
gt_status gt_run_pass_switches(gt_run *r, bool *restart) GT_MUST_CHECK;
gt_status gt_run_resettle_switches(gt_run *r, const double *before) GT_MUST_CHECK;
gt_status gt_run_is_kink(gt_run *r, double t, const double *x, bool *kink) GT_MUST_CHECK;
bool gt_run_fired_events(const gt_run *r);
void gt_run_sync_sides(gt_run *r);
gt_status gt_run_flip_back(gt_run *r, size_t k) GT_MUST_CHECK;
void gt_run_end_slide(gt_run *r);
/* slide.c: whether the surfaces of a slide still hold the solution in one way. */
gt_status gt_run_check_slide(gt_run *r) GT_MUST_CHECK;
/* slide.c, for copies of a run: a slide that has not begun, in memory of its own; and that memory.
 */
gt_status gt_slide_lay(gt_run *r, size_t surfaces, const gt_arena *watch, struct gt_slide **slide,
                       gt_message *why) GT_MUST_CHECK;
void gt_slide_memory(const struct gt_slide *slide, void **base, size_t *bytes);
gt_stepper *gt_slide_stepper(struct gt_slide *slide);
void gt_slide_discard(struct gt_slide *slide);

/* lookout.c */
/* How many switches of the problem are watched at a time, at most; 0: it has none that can be. */
size_t gt_run_most_watched(const gt_problem *p);
/* At the accepted point of a new start: which ones are watched, those in `held` at any rate. */
gt_status gt_run_begin_watch(gt_run *r, const size_t *held, size_t n_held) GT_MUST_CHECK;
/* Steps that may be taken in one go before the next look. */
long gt_run_steps_ahead(const gt_run *r);
/* After a trial that is good: looks at switches that are not watched. `again`: the run has gone
 * back, or the trial is to be made again. */
gt_status gt_run_look_out(gt_run *r, bool must, bool *again) GT_MUST_CHECK;
/* Before a trial: the one that was looked at may not have been taken, or not to its end. */
gt_status gt_run_look_behind(gt_run *r) GT_MUST_CHECK;
/* After a trial that is not: whether it has met a switch that is watched from now on, so that it is
 * to be repeated. */
gt_status gt_run_look_rejected(gt_run *r, bool finished, bool *again) GT_MUST_CHECK;
/* After a trial with a formula held that is not defined where it was tried (`failed`), or was
 * rejected for the last time: whether those that are watched are to be released, so that f is as it
 * stands; and their release. */
bool gt_run_must_release(gt_run *r, bool failed, bool last);
gt_status gt_run_release(gt_run *r) GT_MUST_CHECK;
/* After a step was accepted. */
gt_status gt_run_leave_watch(gt_run *r) GT_MUST_CHECK;
/* Before an event changes the state, and after it. */
gt_status gt_run_watch_event(gt_run *r) GT_MUST_CHECK;
gt_status gt_run_after_event(gt_run *r) GT_MUST_CHECK;
/* moved_state.c: says so where the start was not consistent. */
void gt_run_warn_moved_start(gt_run *r);
/* Algebraic states at the accepted point; says so where constraints have moved the others. */
gt_status gt_run_meet_constraints(gt_run *r) GT_MUST_CHECK;

/* passed_over.c */
/* Relation `number` has switched. */
void gt_run_note_switch(gt_run *r, size_t number);
/* Too many are near their surfaces: those that have passed count as passed over. */
void gt_run_pass_over(gt_run *r);
void gt_run_warn_passed_over(gt_run *r);

/* branches.c */
void gt_run_begin_branch_looks(gt_run *r);
/* Warns where dg/dy was singular on the way. */
gt_status gt_run_look_at_branch(gt_run *r) GT_MUST_CHECK;
gt_status gt_run_end_branch_looks(gt_run *r) GT_MUST_CHECK;

/* chatter.c */
/* Between steps of a controlled run: warns where the solution goes back and forth across a jump of
 * f, and ends where it does so across a pole. */
gt_status gt_run_look_for_chatter(gt_run *r) GT_MUST_CHECK;
void gt_run_begin_chatter_looks(gt_run *r);
const char *gt_run_chatter_advice(const gt_run *r);

/* pulse.c */
/* Whether a controlled step of size h is to be looked into for pulses that it passed over; and the
 * look. */
bool gt_run_must_look(const gt_run *r, double h);
/* The longest step that is not. */
double gt_run_longest_unseen(const gt_run *r);
gt_status gt_run_find_pulse(gt_run *r, bool *found) GT_MUST_CHECK;

/* limits.c: the error messages of runs that cannot continue */
gt_status gt_run_trial_failed(gt_run *r, gt_status status) GT_MUST_CHECK;
gt_status gt_run_limit(gt_run *r, gt_status status) GT_MUST_CHECK;

#endif
