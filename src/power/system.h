/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_POWER_SYSTEM_H
#define GEARTRAIN_POWER_SYSTEM_H

#include "power/machine.h"
#include "power/network.h"

/* The network between two changes. */
typedef struct gt_stage {
    double t;   /* begins here */
    char *text; /* what happened, for people */
    bool *branch_on;
    bool *unit_on;
    double *factor;         /* of the load of each bus */
    bool *faulted, *bolted; /* buses */
    double *fault_g, *fault_b;
    size_t *island;
    bool *held; /* buses with V = 0: bolted faults, and those that no machine feeds */
    size_t islands, dead;
    double *g, *b; /* admittances, with loads of constant impedance and faults */
    /* classical model: units x units and buses x units, (re, im), column major */
    double *reduced, *spread;
} gt_stage;

/* A state with limits. */
typedef struct gt_limiter {
    size_t unit;
    bool valve; /* else V_R */
    double min, max;
} gt_limiter;

struct gt_power_system {
    gt_power_setup setup;
    const gt_power_case *grid_case;
    gt_grid grid;
    double omega_s;

    gt_unit *unit;
    size_t n_units;
    gt_stage *stage; /* n_stages; the first holds from the start */
    size_t n_stages;
    double *breaks;

    /* Loads: nominal power, voltage at which it holds, and the voltage below which they are
     * impedances. */
    double *p_load, *q_load, *v_load, *v_break;
    size_t *kink, n_kinks; /* buses of loads that are not impedances at every voltage */
    signed char
        *load_side; /* of each bus: the formula that is held, 1 above v_break; 0: as V says */

    /* DAE */
    size_t n_states, n; /* differential ones; all */
    int first_bus;      /* index of V_re of bus 0; V_im follows it */
    int *colptr, *rowindex;
    int (*network_slot)[4]; /* places in J of the block of each entry of Y, by rows: re re, im re,
                               re im, im im */
    int *unit_slot;         /* places of the entries of all units one after another */
    int *unit_first;        /* n_units + 1 */

    gt_limiter *limiter;
    size_t n_limiters;

    /* classical model */
    double *E, *P; /* |E| and mechanical power of each unit */
    double *rotor; /* scratch: E e^(j delta), (re, im) */
};

/* The stage that holds at t. */
static inline const gt_stage *gt_stage_at(const gt_power_system *s, double t)
{
    size_t k = s->n_stages - 1;
    while (k > 0 && t < s->stage[k].t) k--;
    return &s->stage[k];
}

/* timeline.c: from events to stages. */
gt_status gt_timeline_make(gt_power_system *s, gt_arena *arena, gt_message *message) GT_MUST_CHECK;

/* power_dae.c, power_classical.c */
gt_status gt_dae_make(gt_power_system *s, gt_problem *problem, gt_arena *arena,
                      gt_message *message) GT_MUST_CHECK;
gt_status gt_classical_make(gt_power_system *s, gt_problem *problem, gt_arena *arena,
                            gt_message *message) GT_MUST_CHECK;

/* power_dae.c: whether bus i has a load that is not in Y. */
bool gt_has_load(const gt_power_system *s, size_t i) GT_MUST_CHECK;

/* load_kink.c: adds its switches to the problem. */
gt_status gt_load_kinks_make(gt_power_system *s, gt_problem *problem,
                             gt_arena *arena) GT_MUST_CHECK;

/* limiter.c: adds events for the limits of V_R and valves to the problem. */
gt_status gt_limiter_make(gt_power_system *s, gt_problem *problem, gt_arena *arena) GT_MUST_CHECK;

#endif
