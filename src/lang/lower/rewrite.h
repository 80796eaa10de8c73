/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LANG_REWRITE_H
#define GEARTRAIN_LANG_REWRITE_H

#include "lang/lower/ode_equations.h"

/*
 * An expression is rebuilt from its leaves up, and what replaces a node may depend on where it is
 * computed: in the loop over j of its row, and inside a sum over i.
 */
typedef struct ode_rewriter ode_rewriter;
struct ode_rewriter {
    ode_graph *graph;
    /* What stands for `node`, whose operands have been replaced already. */
    int32_t (*replace)(ode_rewriter *w, int32_t node);
    void *what;
    int32_t lo, hi, i_lo, i_hi; /* of j and i, where a node depends on them */
    int32_t n_old, *made, *stamp, stamp_j, stamp_i, last_stamp;
    int32_t *list, n_list, room_list, *stack, n_stack, room_stack;
};

/* Nodes that a graph has when the rewriter is made can be rewritten. */
ode_rewriter gt_lang_rewriter(ode_graph *graph, int32_t (*replace)(ode_rewriter *w, int32_t node),
                              void *what);

/* The expression of a row. */
int32_t gt_lang_rewrite_row(ode_rewriter *w, const ode_row *row);

/* Where the values of a node lie in a vector that has one for each j and i: first + step j + inner
 * i. */
typedef struct ode_spread {
    int32_t first, step, inner;
    int64_t count;
} ode_spread;
ode_spread gt_lang_spread(const ode_rewriter *w, int32_t node, int32_t first);
/* The output that puts `node` there, where `of` says whether it moves with j and i. */
ode_output gt_lang_spread_output(const ode_rewriter *w, int32_t of, int32_t node,
                                 const ode_spread *spread);

#endif
