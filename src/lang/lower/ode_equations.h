/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LANG_EQUATIONS_H
#define GEARTRAIN_LANG_EQUATIONS_H

/* The fifth pass: what each function of a problem has to compute, as nodes and where their values
 * go. After it the graph does not change. */
#include "lang/lower/lower.h"
#include <geartrain/author/ode_runtime.h>

typedef enum ode_target { O_DX, O_P, O_X0, O_J, O_PLACE, O_OUT } ode_target;

/* target[first + step j + inner i] (+)= node for lo <= j <= hi, inner_lo <= i <= inner_hi. A single
 * one has lo = hi and a node without j. */
typedef struct ode_output {
    int32_t node;
    int32_t first, step, inner;
    int32_t lo, hi, inner_lo, inner_hi;
    bool loop, inner_loop, add;
} ode_output;

typedef struct ode_outputs {
    ode_target target;
    ode_output *list;
    int32_t count, room;
} ode_outputs;

void gt_lang_output(ode_work *work, ode_outputs *outputs, ode_output output);

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
    P_TIME,   /* df/dt */
    P_BLOCKS, /* of the Jacobian: P_BLOCKS + 3 rows + columns */
    P_RATES =
        P_BLOCKS + 9, /* of blocks of the fast part, where it has several; then the held ones */
    P_HELD_RATES = P_RATES + ODE_MAX_RATES,
    P_COUNT = P_HELD_RATES + ODE_MAX_RATES
} ode_program_kind;

/* Where the held form of P_RHS .. P_ALG and of P_RATES is. */
static inline int ode_held(int kind)
{
    return kind + (kind >= P_RATES ? P_HELD_RATES - P_RATES : P_HELD_RHS - P_RHS);
}

/* Right-hand sides of rows first + step j. */
typedef struct ode_row {
    int32_t node;
    int32_t held; /* the same with relations that can be held */
    int32_t first, step, lo, hi;
    bool loop;
    int32_t block; /* 0 slow, 1 fast, 2 algebraic */
    int32_t rate;  /* from 1: which block of the fast part, where it has several; else 0 */
} ode_row;

/* A relation that switches where `g` passes zero. */
typedef struct ode_relation {
    int32_t node;
    ode_output g;
} ode_relation;

/* An event: root number(s), and what happens, one output for each assignment. */
typedef struct ode_action {
    enum { A_STATE, A_PARAM, A_STOP, A_OUTPUT } what;
    int32_t first, step; /* of the target: first + step j */
    ode_outputs value;   /* one */
} ode_action;

typedef struct ode_event {
    int32_t lo, hi; /* j; lo = hi for one */
    bool loop;
    int32_t root; /* number of the first root */
    int32_t n_actions;
    ode_action *actions;
} ode_event;

/* A constraint on the states that a reduction of the index keeps. */
typedef struct ode_hidden {
    int32_t node;
    int32_t equation; /* number of the algebraic equation that it is, or is a derivative of */
    const char *text; /* of that */
} ode_hidden;

/* The nodes that are the derivatives of a node by its operands. */
typedef struct ode_slopes {
    int32_t by[2];
} ode_slopes;

/* Terms of a Taylor recurrence; what needs more has none. */
enum { ODE_MAX_TERMS = 20000 };

typedef struct ode_equations {
    ode_work *work;
    const ode_parsed *parsed;
    const ode_names *names;
    ode_graph *graph;
    ode_lowering *lower;
    int32_t n_p; /* places in p that are taken */
    ode_row *rows;
    int32_t n_rows, room_rows;
    ode_hidden *hidden; /* each has an unknown behind those of the file */
    int32_t n_hidden, room_hidden;
    const char *hidden_name; /* which are called so, with numbers from 1 */
    int32_t index;           /* of the equations of the file, where it was reduced; else 0 */
    ode_outputs outputs[P_COUNT];
    int32_t *number_of; /* of each column and event statement: its first column or root */
    ode_event *events;
    int32_t n_events, room_events, n_roots, n_aux, n_invariants;
    bool events_set_params;
    ode_relation *relations;
    int32_t n_relations, room_relations, n_switches;
    gt_ode_band *bands;
    int32_t n_bands, room_bands;
    bool dense, has_jac, has_blocks, linear, autonomous;
    int32_t break_place, n_breaks, clock_place, n_clocks, t1_place; /* as in gt_ode_code */
    ode_outputs series; /* P_RHS in a form that has a Taylor recurrence */
    ode_slopes *slopes; /* of each node of it */
} ode_equations;

void gt_lang_make_equations(ode_equations *eq);

static inline int32_t ode_algebraic(const ode_equations *eq)
{
    return eq->names->n_alg + eq->n_hidden;
}
static inline int32_t ode_all_states(const ode_equations *eq)
{
    return eq->names->n_slow + eq->names->n_fast + ode_algebraic(eq);
}

/* The output of a piece: target[first + step j]. */
ode_output gt_lang_at_piece(const ode_piece *piece, int32_t node, int32_t first, int32_t step);
/* reduce_index.c: equations 0= that constrain states are differentiated, and kept. */
void gt_lang_reduce_index(ode_equations *eq);
/* make_start.c: initial values. */
void gt_lang_make_start(ode_equations *eq);
/* make_jacobian.c: bands and their outputs; whether f is linear and autonomous. */
void gt_lang_make_jacobian(ode_equations *eq);
void gt_lang_find_nature(ode_equations *eq);
/* And df/dt, where f depends on t. */
void gt_lang_make_time_derivative(ode_equations *eq);
/* make_events.c */
void gt_lang_make_events(ode_equations *eq);
/* make_breaks.c: relations between t and parameters become times at which steps end. */
void gt_lang_make_breaks(ode_equations *eq);
/* make_switches.c: relations that the solution decides, and the rows in which they can be held. */
void gt_lang_make_switches(ode_equations *eq);
/* make_series.c: the equations for the Taylor recurrence; none when a function calls itself or they
 * are too many. */
void gt_lang_make_series(ode_equations *eq);

#endif
