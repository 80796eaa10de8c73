/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LANG_REDUCE_INDEX_H
#define GEARTRAIN_LANG_REDUCE_INDEX_H

#include "lang/lower/put_in.h"

/* The unknowns that an algebraic equation can be solved for, and its derivatives by them. */
typedef struct ode_incidence {
    int32_t count, *unknowns, *slopes;
} ode_incidence;

/* Algebraic equations, each of one element, on their way to index 1. */
typedef struct ode_reduction {
    ode_equations *eq;
    ode_graph *graph;
    int32_t n_diff, m;      /* differential states; algebraic equations and unknowns */
    int32_t *node;          /* of each equation, as it is by now */
    int32_t *times;         /* that it has been differentiated */
    int32_t *statement;     /* that it comes from */
    int32_t *f;             /* of each differential state its right-hand side, -1: not made yet */
    ode_incidence *unknown; /* of each equation */
    int32_t *solves, *solved_by; /* of each equation its unknown, and the other way round; -1 */
    unsigned char *chosen;       /* equations that have fewer unknowns together than they are */
    ode_putter put;
} ode_reduction;

/* find_index.c: the unknowns in an equation; */
void gt_lang_find_unknowns(ode_reduction *r, int32_t equation);
/* whether each equation has an unknown of its own, by the structure, and whether they can be solved
 * for at a point where nothing vanishes by chance. If not, `chosen` are equations that have not,
 * and the answer is one of them; else -1. */
int32_t gt_lang_deficient(ode_reduction *r);
/* Unknowns for the equations that have none yet, where there are some. */
void gt_lang_match_rest(ode_reduction *r);

#endif
