/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LANG_PUT_IN_H
#define GEARTRAIN_LANG_PUT_IN_H

#include "lang/lower/ode_equations.h"

/*
 * One element of an expression: j becomes a number, sums over i are written out, and a state may be
 * replaced by an expression. What is too large for that is given up: `failed`.
 */
typedef struct ode_putter {
    ode_graph *graph;
    int32_t n_old, *made, *stamp, now; /* nodes before, what they have become, and when */
    int64_t j, i;
    int32_t slot, value; /* the state that `value` stands for; slot -1: none */
    int32_t terms;
    bool failed;
} ode_putter;

ode_putter gt_lang_putter(ode_graph *graph);
int32_t gt_lang_put_in(ode_putter *p, int32_t node, int64_t j);
/* The expression with `value` in the place of a state, which must not move with j. */
int32_t gt_lang_put_state(ode_graph *graph, int32_t node, int32_t slot, int32_t value,
                          bool *failed);

#endif
