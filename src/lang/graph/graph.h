/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LANG_GRAPH_H
#define GEARTRAIN_LANG_GRAPH_H

#include "lang/ode.h"

/* Each gives the number of the node, an existing one where there is one. */
int32_t gt_lang_number(gt_ode *o, double value);
int32_t gt_lang_leaf(gt_ode *o, ode_op op, int64_t a, int64_t b, int64_t c);
int32_t gt_lang_negative(gt_ode *o, int32_t a);
int32_t gt_lang_unary(gt_ode *o, ode_op op, int32_t a);
int32_t gt_lang_binary(gt_ode *o, ode_op op, int32_t a, int32_t b);
/* In derivatives: 0 where the first (or, in a product, either) operand is 0, whatever the other one is. */
int32_t gt_lang_times(gt_ode *o, int32_t a, int32_t b);
int32_t gt_lang_per(gt_ode *o, int32_t a, int32_t b);
int32_t gt_lang_if(gt_ode *o, int32_t condition, int32_t yes, int32_t no);
int32_t gt_lang_table_node(gt_ode *o, ode_op op, int32_t argument, int32_t table);
int32_t gt_lang_held_node(gt_ode *o, ode_op op, int32_t relation, int64_t first, int64_t step, int64_t inner);
int32_t gt_lang_sum_node(gt_ode *o, int32_t body, int64_t lo, int64_t hi);
int32_t gt_lang_call_node(gt_ode *o, int32_t function, const int32_t *args, int32_t count, uint8_t flags);

/* operation_rules.c: the derivative of an operation, from those of its operands; by one operand, times `seed`; and by
 * one operand for the series of the operation, which has to be lost where the derivative does not exist. */
int32_t gt_lang_derivative(gt_ode *o, int32_t node, const int32_t d[3]);
int32_t gt_lang_partial(gt_ode *o, int32_t node, int operand, int32_t seed);
int32_t gt_lang_slope(gt_ode *o, int32_t node, int operand);
/* What changes its sign where an operation switches; -1: it does not switch. */
int32_t gt_lang_surface(gt_ode *o, int32_t node);
/* Of an operation that switches: the relation that is true where the surface is positive, and its value where `holds`
 * stands for that relation. */
int32_t gt_lang_truth(gt_ode *o, int32_t node);
int32_t gt_lang_sided(gt_ode *o, int32_t node, int32_t holds);

/* lower.c: an expression of the file at an index, as a node. */
typedef struct ode_place {
    /* The index j of the statement is j0 + j1 J + i1 I, where J is the index of the loop and I that of a sum. */
    bool has_j;
    int64_t j0, j1, i1;
    int64_t lo, hi; /* of J */
    bool in_sum, sum_known;
    bool outer_sum;     /* j moves with I */
    int64_t i_lo, i_hi; /* of I; the value of i' when sum_known */
    const int32_t *args;
    int32_t n_args;
    bool fix_params;   /* parameters count with their values, and may not be changed afterwards */
    bool start_values; /* states stand for their initial values */
    int32_t time;      /* node that stands for t, -1 */
} ode_place;

/* Instead of a node: the expression differs between values of j (or i), so the range must be cut. */
enum { CUT_J = -2, CUT_I = -3 };

int32_t gt_lang_lower(gt_ode *o, int32_t syntax, const ode_place *place);

/* The value of a named expression, or of one element of an array of them. */
int32_t gt_lang_named(gt_ode *o, int32_t definition, int64_t element, const ode_place *place);

/* Where a state, given by definition and element e0 + e1 J + ei I, lies: an N_STATE node, or CUT_*. */
int32_t gt_lang_state_node(gt_ode *o, int32_t definition, int64_t e0, int64_t e1, int64_t ei, const ode_place *place);

/* What an assignment may change: an N_STATE or N_PARAM node, or CUT_J. */
int32_t gt_lang_target(gt_ode *o, int32_t syntax, const ode_place *place);

/* The value of an expression that is a number. */
double gt_lang_constant(gt_ode *o, int32_t syntax, bool has_j, int64_t j);

/* A recursive function as a graph. */
int32_t gt_lang_function(gt_ode *o, int32_t definition);

/* cut_ranges.c: the stretches of lo..hi on which `count` nodes are the same expressions of J. */
typedef struct ode_piece {
    int32_t lo, hi;
    bool loop;      /* else lo = hi and the nodes are free of J */
    int32_t *nodes; /* `count` */
} ode_piece;
typedef int32_t ode_root_fn(gt_ode *o, const void *what, int32_t k, const ode_place *place);
int32_t gt_lang_cut_range(gt_ode *o, ode_root_fn *root, const void *what, int32_t count, bool ranged, int32_t lo,
                          int32_t hi, const ode_place *base, ode_piece **pieces);

/* declare.c: what the statements define; states and parameters get their places. */
void gt_lang_declare(gt_ode *o);

/* Does an array statement give the initial value of a definition that has another name than the array? */
bool gt_lang_starts_alone(const gt_ode *o, int32_t definition, int32_t statement);

/* derive.c: derivatives of `node` by all states in it. */
typedef struct ode_partial {
    int32_t leaf, node; /* N_STATE node, derivative */
    bool inner;         /* the leaf moves with i in i_lo..i_hi */
    int32_t i_lo, i_hi;
} ode_partial;
int32_t gt_lang_partials(gt_ode *o, int32_t node, ode_partial **partials);

/* derive_call.c: recursive functions. The function that is the derivative of `function` by an N_ARG or N_STATE node,
 * and the N_STATE nodes that a function reads. */
int32_t gt_lang_derived_function(gt_ode *o, int32_t function, int32_t by);
int32_t gt_lang_function_states(gt_ode *o, int32_t function, int32_t **leaves);

/* equations.c: all programs from the statements. */
void gt_lang_make_programs(gt_ode *o);
void gt_lang_output(gt_ode *o, ode_program *p, ode_output output);
/* The output of a piece: target[first + step j]. */
ode_output gt_lang_at_piece(const ode_piece *piece, int32_t node, int32_t first, int32_t step);
/* make_jacobian.c: bands and their program; whether f is linear and autonomous. */
void gt_lang_make_jacobian(gt_ode *o);
void gt_lang_find_nature(gt_ode *o);
/* make_events.c */
void gt_lang_make_events(gt_ode *o);
/* make_breaks.c: relations between t and parameters become times at which steps end. */
void gt_lang_make_breaks(gt_ode *o);
/* For each parameter whether an event sets it; NULL: none does. */
const unsigned char *gt_lang_set_by_events(gt_ode *o);
/* make_switches.c: relations that the solution decides, and the rows in which they can be held. */
void gt_lang_make_switches(gt_ode *o);
void gt_lang_name_switches(gt_ode *o);
/* schedule.c */
/* `hoist`: 0 computes everything, 1 takes single constants from p, 2 also those that differ only with j. */
void gt_lang_schedule(gt_ode *o, ode_program *p, int hoist);
/* Makes chunks of a program that is long. */
void gt_lang_make_chunks(gt_ode *o, ode_program *p, int hoist);
bool gt_lang_is_hoistable(const gt_ode *o, int32_t node);

#endif
