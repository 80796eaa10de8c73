/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Non-windup limits of V_R and of the valve: a state that reaches its limit stays there until its
 * own equation would lead it back. Each limited state has two event functions, both positive while
 * nothing is due: the distance to the nearer limit while it is free, and the rate into the limit
 * while it is at one. So limits are hit and left exactly, whatever the method. A change in the
 * network can turn the rate at once, which is looked at after it.
 */
#include "power/system.h"
#include <math.h>

static int *side_of(const gt_power_system *s, const gt_limiter *l)
{
    return &s->unit[l->unit].side[l->valve];
}

static int index_of(const gt_power_system *s, const gt_limiter *l)
{
    return s->unit[l->unit].at[l->valve ? Q_PSV : Q_VR];
}

/* The rate that the state would have, counted positive into the limit that it is at. */
static double pressure(const gt_power_system *s, const gt_limiter *l, const double *x)
{
    double z[N_QUANTITIES];
    const gt_unit *u = &s->unit[l->unit];
    gt_unit_load(u, x, z);
    return *side_of(s, l) * (l->valve ? gt_unit_valve_rate(u, z) : gt_unit_vr_rate(u, z));
}

static gt_status roots(double t, const double *x, double *g, void *ctx)
{
    const gt_power_system *s = ctx;
    const gt_stage *stage = gt_stage_at(s, t);
    for (size_t k = 0; k < s->n_limiters; k++, g += 2) {
        const gt_limiter *l = &s->limiter[k];
        double value = x[index_of(s, l)];
        g[0] = g[1] = 1;
        if (!stage->unit_on[l->unit]) continue;
        if (*side_of(s, l))
            g[1] = pressure(s, l, x);
        else
            g[0] = fmin(l->max - value, value - l->min);
    }
    return GT_OK;
}

static gt_status on_event(double t, const unsigned char *fired, double *x, unsigned *actions,
                          void *ctx)
{
    gt_power_system *s = ctx;
    (void)t;
    (void)actions;
    for (size_t k = 0; k < s->n_limiters; k++, fired += 2) {
        const gt_limiter *l = &s->limiter[k];
        double *value = &x[index_of(s, l)];
        if (fired[0]) {
            *side_of(s, l) = l->max - *value < *value - l->min ? 1 : -1;
            *value = *side_of(s, l) > 0 ? l->max : l->min;
        } else if (fired[1]) {
            *side_of(s, l) = 0;
        }
    }
    return GT_OK;
}

static gt_status on_break(double t, double *x, void *ctx)
{
    gt_power_system *s = ctx;
    (void)t;
    for (size_t k = 0; k < s->n_limiters; k++) {
        const gt_limiter *l = &s->limiter[k];
        if (*side_of(s, l) && pressure(s, l, x) < 0) *side_of(s, l) = 0;
    }
    return GT_OK;
}

static void begin(void *ctx)
{
    gt_power_system *s = ctx;
    for (size_t k = 0; k < s->n_limiters; k++) *side_of(s, &s->limiter[k]) = 0;
}

static void add(gt_power_system *s, size_t unit, bool valve, double min, double max)
{
    s->limiter[s->n_limiters++] =
        (gt_limiter){.unit = unit, .valve = valve, .min = min, .max = max};
}

gt_status gt_limiter_make(gt_power_system *s, gt_problem *problem, gt_arena *arena)
{
    s->limiter = gt_arena_take(arena, 2 * s->n_units, sizeof *s->limiter);
    int *direction = gt_arena_take(arena, 4 * s->n_units, sizeof *direction);
    int *sides = gt_arena_take(arena, 2 * s->n_units, sizeof *sides);
    if (arena->failed) return GT_NO_MEMORY;
    for (size_t k = 0; k < s->n_units; k++) s->unit[k].side = sides + 2 * k;
    for (size_t k = 0; k < s->n_units; k++) {
        const gt_power_machine *m = &s->unit[k].data;
        if (m->exciter != GT_EXCITER_NONE && m->VR_max > m->VR_min)
            add(s, k, false, m->VR_min, m->VR_max);
        if (m->governor != GT_GOVERNOR_NONE && m->P_max > m->P_min)
            add(s, k, true, m->P_min, m->P_max);
    }
    for (size_t k = 0; k < 2 * s->n_limiters; k++) direction[k] = -1;
    if (!s->n_limiters) return GT_OK;
    problem->n_roots = 2 * s->n_limiters;
    problem->roots = roots;
    problem->root_direction = direction;
    problem->on_event = on_event;
    problem->on_break = on_break;
    problem->begin = begin;
    problem->kept = sides;
    problem->kept_bytes = 2 * s->n_units * sizeof *sides;
    return GT_OK;
}
