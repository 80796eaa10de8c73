/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LANG_PROGRAMS_H
#define GEARTRAIN_LANG_PROGRAMS_H

/* The sixth pass: in which order everything is computed, in which loops, and what is kept in p. */
#include "lang/lower/ode_equations.h"

/* One step of a program: a node to be computed, a value to be stored, or a loop over the steps that
 * follow. */
typedef enum ode_step_kind {
    STEP_NODE,
    STEP_LOAD,
    STEP_SUM,
    STEP_STORE,
    STEP_LOOP_J,
    STEP_LOOP_I,
    STEP_CLOSE
} ode_step_kind;

typedef struct ode_step {
    ode_step_kind kind;
    int32_t index;  /* node or output */
    int32_t lo, hi; /* loops; lo of STEP_LOAD: the node is p[lo + j] */
} ode_step;

typedef struct ode_program {
    ode_outputs outputs;
    int32_t n_steps, room_steps;
    ode_step *steps;
    double work; /* operations */
    /* the same in several programs, for compilers, which do not like long functions */
    struct ode_program *chunks;
    int32_t n_chunks;
} ode_program;

/* A node without states that costs more than a load, kept in p for all j of a loop. */
typedef struct ode_array {
    int32_t node, lo, hi, first;
} ode_array;

typedef struct ode_programs {
    ode_work *work;
    const ode_graph *graph;
    const ode_equations *eq;
    ode_program programs[P_COUNT];
    ode_program **actions; /* [event][action] */
    int32_t n_p;           /* places in p that are taken */
    int32_t *hoisted;      /* place in p of a node that depends on parameters only, -1 */
    ode_array *arrays;
    int32_t n_arrays, room_arrays;
    int32_t *mark, *mark_inner, stamp, stamp_moving, stamp_inner,
        last_stamp;     /* while programs are made */
    gt_ode_part *parts; /* of the Taylor recurrence */
    gt_ode_term *terms;
    int32_t n_parts, n_terms;
} ode_programs;

void gt_lang_make_programs(ode_programs *programs);

/* `hoist`: 0 computes everything, 1 takes single constants from p, 2 also those that differ only
 * with j. */
void gt_lang_schedule(ode_programs *programs, ode_program *p, int hoist);
/* programs.c: makes chunks of a program that is long. */
void gt_lang_make_chunks(ode_programs *programs, ode_program *p, int hoist);
/* taylor_terms.c: the terms of the Taylor recurrence, where the equations have one. */
void gt_lang_make_terms(ode_programs *programs);

#endif
