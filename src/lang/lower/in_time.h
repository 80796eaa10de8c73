/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LANG_IN_TIME_H
#define GEARTRAIN_LANG_IN_TIME_H

#include "lang/lower/ode_equations.h"

/*
 * An expression of t alone: a t + b + c k, where k = floor((m_a t + m_b) / m_t) counts the periods
 * of the mod or floor in it. All are nodes whose values are fixed for a run; m_t = -1: there is no
 * k.
 */
typedef struct ode_in_time {
    int32_t a, b, c, m_a, m_b, m_t;
} ode_in_time;

/* For each parameter whether an event sets it; `set` is NULL where none does. */
typedef struct ode_moving {
    const unsigned char *set;
    int32_t n_params;
} ode_moving;
ode_moving gt_lang_set_by_events(const ode_equations *eq);

/* False: it is not such an expression. */
bool gt_lang_in_time(ode_graph *graph, const ode_moving *moving, int32_t node, ode_in_time *line);

#endif
