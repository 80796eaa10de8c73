/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LANG_LOWER_H
#define GEARTRAIN_LANG_LOWER_H

/* The fourth pass: expressions of the file become nodes of the graph, at a place. */
#include "lang/graph/graph.h"
#include "lang/names/names.h"

/* What lowering knows of a definition. */
typedef struct ode_lowered {
    int32_t nested; /* how often it is being lowered inside itself */
    int32_t body;   /* recursive functions: number in `functions`, -1 */
    bool fixed;     /* a parameter that says how long a sum is */
} ode_lowered;

typedef struct ode_lowering {
    ode_work *work;
    const ode_parsed *parsed;
    const ode_names *names;
    ode_graph *graph;
    ode_lowered *lowered; /* of each definition */
    double *defaults;     /* of the parameters */
    int32_t depth;
    int32_t evaluating; /* above 0 while values are read that do not fix the parameters in them */
    struct ode_memo *memo;
    int32_t n_memo, room_memo, n_memo_buckets;
    int32_t *memo_buckets;
} ode_lowering;

/* parameters.c: begins, with the values of all parameters. */
void gt_lang_begin_lowering(ode_lowering *lower);

typedef struct ode_place {
    /* The index j of the statement is j0 + j1 J + i1 I, where J is the index of the loop and I that
     * of a sum. */
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

/* Instead of a node: the expression differs between values of j (or i), so the range must be cut.
 */
enum { CUT_J = -2, CUT_I = -3 };

int32_t gt_lang_lower(ode_lowering *lower, int32_t syntax, const ode_place *place);

/* The value of a named expression, or of one element of an array of them. */
int32_t gt_lang_named(ode_lowering *lower, int32_t definition, int64_t element,
                      const ode_place *place);

/* Where a state, given by definition and element e0 + e1 J + ei I, lies: an N_STATE node, or CUT_*.
 */
int32_t gt_lang_state_node(ode_lowering *lower, int32_t definition, int64_t e0, int64_t e1,
                           int64_t ei, const ode_place *place);

/* What an assignment may change: an N_STATE or N_PARAM node, or CUT_J. */
int32_t gt_lang_target(ode_lowering *lower, int32_t syntax, const ode_place *place);

/* The value of an expression that is a number. */
double gt_lang_constant(ode_lowering *lower, int32_t syntax, bool has_j, int64_t j);

/* A recursive function as a graph. */
int32_t gt_lang_function(ode_lowering *lower, int32_t definition);

/* cut_ranges.c: the pieces of lo..hi on which `count` nodes are the same expressions of J. */
typedef struct ode_piece {
    int32_t lo, hi;
    bool loop;      /* else lo = hi and the nodes are free of J */
    int32_t *nodes; /* `count` */
} ode_piece;
typedef int32_t ode_root_fn(ode_lowering *lower, const void *what, int32_t k,
                            const ode_place *place);
int32_t gt_lang_cut_range(ode_lowering *lower, ode_root_fn *root, const void *what, int32_t count,
                          bool ranged, int32_t lo, int32_t hi, const ode_place *base,
                          ode_piece **pieces);

/* ---- what the parts of lowering share ---- */

/* c0 + c1 J + ci I and its extremes over the place. */
typedef struct ode_affine {
    int64_t c0, c1, ci, lo, hi;
} ode_affine;

/* Counts a step of the translation; too many end it. */
void gt_lang_spend(ode_lowering *lower, int32_t at);

/* lower_names.c */
ode_affine gt_lang_affine(const ode_place *p, int64_t c0, int64_t c1, int64_t ci);
/* The index k + m j of a reference, and its value as a node. */
ode_affine gt_lang_index_at(ode_lowering *lower, const ode_place *p, int64_t k, int64_t m,
                            int32_t at);
int32_t gt_lang_index_node(ode_lowering *lower, const ode_affine *a);
/* What to cut so that the index takes fewer values. */
int32_t gt_lang_cut(const ode_affine *a);
const char *gt_lang_name_of(ode_lowering *lower, const ode_definition *d, int64_t element);
/* The definition of a plain name, or that covers an index (-1 with *answer = CUT_* when there is
 * not one for all). */
int32_t gt_lang_find_plain(ode_lowering *lower, int32_t symbol, ode_affine *a, int32_t at);
int32_t gt_lang_find_covering(ode_lowering *lower, int32_t base, ode_affine *a, int32_t at,
                              int32_t *answer);
int32_t gt_lang_value_of(ode_lowering *lower, int32_t definition, const ode_affine *a,
                         const ode_place *place, int32_t at);
int32_t gt_lang_name_value(ode_lowering *lower, const ode_syntax *x, const ode_place *place);

/* lower_shift.c: shift(name, k) */
int32_t gt_lang_shifted(ode_lowering *lower, const ode_syntax *x, const ode_place *place);

#endif
