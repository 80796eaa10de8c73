/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LANG_PROGRAM_H
#define GEARTRAIN_LANG_PROGRAM_H

/* Programs: what a function of the problem computes; and events, whose actions are programs. */
#include <stdbool.h>
#include <stdint.h>

typedef enum ode_target { O_DX, O_P, O_X0, O_J, O_PLACE, O_OUT } ode_target;

/* target[first + step j + inner i] (+)= node for lo <= j <= hi, inner_lo <= i <= inner_hi. A single one has lo = hi and
 * a node without j. */
typedef struct ode_output {
    int32_t node;
    int32_t first, step, inner;
    int32_t lo, hi, inner_lo, inner_hi;
    bool loop, inner_loop, add;
} ode_output;

typedef enum ode_program_kind {
    P_SETUP,
    P_START,
    P_RHS,
    P_SLOW,
    P_FAST,
    P_ALG,
    P_JAC,
    P_ROOTS,
    P_AUX,
    P_INVARIANTS,
    P_EXACT,
    P_CLOCKS,
    P_SWITCHES,
    P_HELD_RHS, /* these four as P_RHS .. P_ALG, with relations that can be held */
    P_HELD_SLOW,
    P_HELD_FAST,
    P_HELD_ALG,
    P_BLOCKS, /* of the Jacobian: P_BLOCKS + 3 rows + columns */
    P_COUNT = P_BLOCKS + 9
} ode_program_kind;

/* One step of a program: a node to be computed, a value to be stored, or a loop over the steps that follow. */
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
    ode_target target;
    int32_t n_outputs, room_outputs;
    ode_output *outputs;
    int32_t n_steps, room_steps;
    ode_step *steps;
    double work;                /* operations */
    struct ode_program *chunks; /* the same in several programs, for compilers, which do not like long functions */
    int32_t n_chunks;
} ode_program;

/* A node without states that costs more than a load, kept in p for all j of a loop. */
typedef struct ode_array {
    int32_t node, lo, hi, first;
} ode_array;

/* An event: root number(s), and what happens, as one program per assignment. */
typedef struct ode_action {
    enum { A_STATE, A_PARAM, A_STOP, A_OUTPUT } what;
    int32_t first, step; /* of the target: first + step j */
    ode_program program; /* one output */
} ode_action;

typedef struct ode_event {
    int32_t statement;
    int32_t lo, hi; /* j; lo = hi for one */
    bool loop;
    int32_t root; /* number of the first root */
    int32_t n_actions;
    ode_action *actions;
} ode_event;

#endif
