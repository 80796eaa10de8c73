/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LANG_GRAPH_H
#define GEARTRAIN_LANG_GRAPH_H

/* The expression graph and its derivatives. It knows nothing of the file that it was made from. */
#include "lang/operations/operations.h"
#include "lang/source/work.h"

/* What a node depends on. */
enum {
    DEP_STATE = 1,
    DEP_TIME = 2,
    DEP_J = 4,
    DEP_I = 8,
    DEP_PARAM = 16,
    DEP_ARG = 32,
    HAS_CALL = 64,
    HAS_TABLE = 128
};

typedef struct ode_node {
    uint8_t op, flags;
    bool wild; /* may be infinite or not a number where its leaves are finite, by other than sums
                  and products */
    int32_t a, b, c;
    double value;
    int32_t next; /* in its bucket */
    int32_t name; /* definition whose value it is, -1 */
} ode_node;

/* A recursive function as a graph over N_ARG nodes. */
typedef struct ode_function {
    int32_t of, by; /* derivative of function `of` by node `by` (an N_ARG or N_STATE node); -1: it
                       is none */
    int32_t n_args, body;
    uint8_t flags; /* DEP_*, of the calls */
} ode_function;

typedef struct ode_graph {
    ode_work *work;
    ode_node *nodes;
    int32_t n_nodes, room_nodes;
    int32_t *node_buckets, n_node_buckets;
    int32_t zero, one; /* nodes of these numbers, -1: not yet made */
    int32_t last_call; /* newest N_CALL node, -1 */
    int32_t *arguments;
    int32_t n_arguments, room_arguments;
    ode_function *functions;
    int32_t n_functions, room_functions;
    int32_t effort, depth; /* steps of the translation so far; derivatives that are being made */
} ode_graph;

void gt_lang_begin_graph(ode_graph *graph);

/* Each gives the number of the node, an existing one where there is one. */
int32_t gt_lang_number(ode_graph *graph, double value);
int32_t gt_lang_zero(ode_graph *graph);
int32_t gt_lang_one(ode_graph *graph);
int32_t gt_lang_leaf(ode_graph *graph, ode_op op, int64_t a, int64_t b, int64_t c);
int32_t gt_lang_negative(ode_graph *graph, int32_t a);
int32_t gt_lang_unary(ode_graph *graph, ode_op op, int32_t a);
int32_t gt_lang_binary(ode_graph *graph, ode_op op, int32_t a, int32_t b);
/* In derivatives: 0 where the first (or, in a product, either) operand is 0, whatever the other one
 * is. */
int32_t gt_lang_times(ode_graph *graph, int32_t a, int32_t b);
int32_t gt_lang_per(ode_graph *graph, int32_t a, int32_t b);
int32_t gt_lang_if(ode_graph *graph, int32_t condition, int32_t yes, int32_t no);
int32_t gt_lang_table_node(ode_graph *graph, ode_op op, int32_t argument, int32_t table);
int32_t gt_lang_held_node(ode_graph *graph, ode_op op, int32_t relation, int64_t first,
                          int64_t step, int64_t inner);
int32_t gt_lang_sum_node(ode_graph *graph, int32_t body, int64_t lo, int64_t hi);
int32_t gt_lang_call_node(ode_graph *graph, int32_t function, const int32_t *args, int32_t count,
                          uint8_t flags);

/* Depends on parameters only, and costs more than a load. */
bool gt_lang_is_hoistable(const ode_graph *graph, int32_t node);

/* operation_rules.c: the derivative of an operation, from those of its operands; by one operand,
 * times `seed`; and by one operand for the series of the operation, which has to be lost where the
 * derivative does not exist. */
int32_t gt_lang_derivative(ode_graph *graph, int32_t node, const int32_t d[3]);
int32_t gt_lang_partial(ode_graph *graph, int32_t node, int operand, int32_t seed);
int32_t gt_lang_slope(ode_graph *graph, int32_t node, int operand);
/* What changes its sign where an operation switches; -1: it does not switch. */
int32_t gt_lang_surface(ode_graph *graph, int32_t node);
/* Of an operation that switches: the relation that is true where the surface is positive, and its
 * value where `holds` stands for that relation. */
int32_t gt_lang_truth(ode_graph *graph, int32_t node);
int32_t gt_lang_sided(ode_graph *graph, int32_t node, int32_t holds);

/* derive.c: derivatives of `node` by all states in it. */
typedef struct ode_partial {
    int32_t leaf, node; /* N_STATE node, derivative */
    bool inner;         /* the leaf moves with i in i_lo..i_hi */
    int32_t i_lo, i_hi;
} ode_partial;
int32_t gt_lang_partials(ode_graph *graph, int32_t node, ode_partial **partials);
/* By t, with the states held. */
int32_t gt_lang_partial_in_time(ode_graph *graph, int32_t node);

/* derive_call.c: recursive functions. The function that is the derivative of `function` by an
 * N_ARG, N_STATE or N_TIME node, and the nodes N_STATE or N_TIME that a function reads. */
int32_t gt_lang_derived_function(ode_graph *graph, int32_t function, int32_t by);
int32_t gt_lang_function_leaves(const ode_graph *graph, int32_t function, ode_op leaf,
                                int32_t **leaves);

#endif
