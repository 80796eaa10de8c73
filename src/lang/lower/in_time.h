/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LANG_IN_TIME_H
#define GEARTRAIN_LANG_IN_TIME_H

#include "lang/graph/graph.h"

/*
 * An expression of t alone: a t + b + c k, where k = floor((m_a t + m_b) / m_t) counts the periods of the mod or floor
 * in it. All are nodes whose values are fixed for a run; m_t = -1: there is no k.
 */
typedef struct ode_in_time {
    int32_t a, b, c, m_a, m_b, m_t;
} ode_in_time;

/* `moving`: for each parameter whether an event sets it, NULL: none does. False: it is no such expression. */
bool gt_lang_in_time(gt_ode *o, const unsigned char *moving, int32_t node, ode_in_time *line);

#endif
