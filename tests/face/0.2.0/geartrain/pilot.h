/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_PILOT_H
#define GEARTRAIN_PILOT_H

/*
 * A run that changes its method on the way. The plan of such a run has a pilot, and its method is
 * NULL: the pilot names the first method, looks at the run between accepted steps, and may name
 * another one, which goes on at the accepted point. Tolerances, counters, events, switches,
 * discontinuities, output and sinks are those of the one run; what is lost is the history of the
 * method that leaves. gt_auto, below, is such a pilot.
 *
 * At most two methods hold memory at a time, and the second one only while a hand-over is made.
 * Where there is no memory for it, the run goes on with the first, and its note says so.
 */
#include <geartrain/api.h>
#include <geartrain/method.h>

GT_C_BEGIN

enum { GT_OPTIONS_ROOM = 64, GT_REASON_ROOM = 160, GT_MOST_PHASES = 24, GT_MOST_SHARES = 8 };

/* A method with its options, and a clause for people. */
typedef struct gt_choice {
    const gt_method *method;
    char options[GT_OPTIONS_ROOM];
    char because[GT_REASON_ROOM];
    double h; /* the step to begin with; 0: the one that the method before would have taken next */
    long after;        /* accepted steps after which the pilot looks again; 0: one */
    void *reserved[4]; /* 0; room for more */
} gt_choice;

/* What a pilot sees between two steps. */
typedef struct gt_view {
    const gt_problem *problem; /* in reversed time where the run goes backward */
    const struct gt_plan *plan;
    gt_stepper
        *s;   /* at its accepted point; for reading, and for calls of f that are to be counted */
    double h; /* of the next trial */
    double error;    /* of the last one, 1: just acceptable */
    double stop;     /* where the next step must end at the latest: a discontinuity or the end */
    bool mode_known; /* the last step has shown something of the mode that dominates its stages: */
    gt_dominant mode;
} gt_view;

/* A const descriptor. Its state is numbers without any pointer, so that runs can be copied and
 * saved. */
typedef struct gt_pilot {
    const char *name;
    /* Bytes of the state, which begins as zeros, for a problem. */
    size_t (*state_size)(const gt_problem *problem);
    /* The first method. Calls no function of the problem. */
    gt_status (*begin)(void *state, const gt_problem *problem, const struct gt_plan *plan,
                       gt_choice *first, gt_message *message);
    /* After `after` more steps, between two of them: true when `next` is to go on. `next` has the
     * method in use. */
    bool (*consider)(void *state, const gt_view *view, gt_choice *next);
    /* The methods that it may name, by their names. */
    const gt_method *(*find)(const char *name);
    void *reserved[4]; /* 0; room for more */
} gt_pilot;

/* Part of a run: from t on, by one method. */
typedef struct gt_phase {
    double t;
    long steps;
    char method[32];
    char because[GT_REASON_ROOM];
} gt_phase;

/* What a method has done in all of its phases. */
typedef struct gt_share {
    char method[32];
    double span;
    long steps;
} gt_share;

/* All phases of a run; those that find no room are counted, and the last entry is always the last
 * phase. */
typedef struct gt_phases {
    int count; /* entries in the list */
    int left_out;
    gt_phase list[GT_MOST_PHASES];
    int n_shares;
    gt_share shares[GT_MOST_SHARES];
} gt_phases;

/* The name of the method that covered most of the span; "" where there is no phase. */
GT_API const char *gt_phases_method(const gt_phases *phases);

/*
 * The pilot of `--method auto`: gt_solve(&problem, NULL, &(gt_plan){.pilot = &gt_auto}, &report).
 *
 * It begins with an explicit method, at the tolerance of the plan, and keeps its steps. The stages
 * of each step tell whether its stability and not the error limits it; when they do so again and
 * again it looks at the mode that is to blame, decaying or swinging, and hands over to a method for
 * it. On the way back it compares the work in a unit of time. What decides are facts of the methods
 * and counted operations, never a name or a clock.
 */
GT_API extern const gt_pilot gt_auto;

GT_C_END

#endif
