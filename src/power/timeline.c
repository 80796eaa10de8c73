/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events become stages: at each time when something happens, the network as it is from then on. The
 * equations look up the stage by time and nothing has to be remembered between steps; the times are
 * the breaks of the problem, which steps hit exactly.
 */
#include "power/system.h"
#include <geartrain/author/number.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TEXT = 400 };

static void say(gt_stage *g, const char *format, ...) GT_PRINTF(2, 3);
static void say(gt_stage *g, const char *format, ...)
{
    size_t used = strlen(g->text);
    va_list list;
    if (used) used += (size_t)snprintf(g->text + used, MOST_TEXT - used, "; ");
    if (used >= MOST_TEXT) return;
    va_start(list, format);
    gt_vformat(g->text + used, MOST_TEXT - used, format, list);
    va_end(list);
}

static gt_status take_stage(gt_power_system *s, gt_stage *g, gt_arena *arena)
{
    const gt_power_case *c = s->grid_case;
    size_t entries = (size_t)s->grid.start[c->n_bus];
    g->text = gt_arena_take(arena, MOST_TEXT, 1);
    g->branch_on = gt_arena_take(arena, c->n_branch + 1, sizeof(bool));
    g->unit_on = gt_arena_take(arena, s->n_units + 1, sizeof(bool));
    g->factor = gt_arena_doubles(arena, c->n_bus);
    g->faulted = gt_arena_take(arena, c->n_bus, sizeof(bool));
    g->bolted = gt_arena_take(arena, c->n_bus, sizeof(bool));
    g->fault_g = gt_arena_doubles(arena, c->n_bus);
    g->fault_b = gt_arena_doubles(arena, c->n_bus);
    g->island = gt_arena_take(arena, c->n_bus, sizeof(size_t));
    g->held = gt_arena_take(arena, c->n_bus, sizeof(bool));
    g->g = gt_arena_doubles(arena, entries);
    g->b = gt_arena_doubles(arena, entries);
    return arena->failed ? GT_NO_MEMORY : GT_OK;
}

static void begin_stage(gt_power_system *s, gt_stage *g)
{
    const gt_power_case *c = s->grid_case;
    g->t = -INFINITY;
    for (size_t k = 0; k < c->n_branch; k++) g->branch_on[k] = c->branch[k].on;
    for (size_t k = 0; k < s->n_units; k++) g->unit_on[k] = true;
    for (size_t i = 0; i < c->n_bus; i++) g->factor[i] = 1;
}

static void copy_stage(const gt_power_system *s, const gt_stage *from, gt_stage *to)
{
    const gt_power_case *c = s->grid_case;
    memcpy(to->branch_on, from->branch_on, c->n_branch * sizeof(bool));
    memcpy(to->unit_on, from->unit_on, s->n_units * sizeof(bool));
    memcpy(to->factor, from->factor, c->n_bus * sizeof(double));
    memcpy(to->faulted, from->faulted, c->n_bus * sizeof(bool));
    memcpy(to->bolted, from->bolted, c->n_bus * sizeof(bool));
    memcpy(to->fault_g, from->fault_g, c->n_bus * sizeof(double));
    memcpy(to->fault_b, from->fault_b, c->n_bus * sizeof(double));
}

static gt_status refuse(const gt_power_event *e, const char *what, int from, int to,
                        gt_message *message)
{
    return to ? gt_fail(message, GT_BAD_ARGUMENT, "at t = %g the branch %d-%d %s", e->t, from, to,
                        what)
              : gt_fail(message, GT_BAD_ARGUMENT, "at t = %g %s %d", e->t, what, from);
}

static gt_status fault(const gt_power_system *s, gt_stage *g, const gt_power_event *e,
                       gt_message *message)
{
    int number = s->grid_case->bus[e->bus].number;
    bool off = s->grid_case->bus[e->bus].type == GT_BUS_OFF, begins = e->kind == GT_POWER_FAULT;
    double square = e->r * e->r + e->x * e->x;
    if (off) return refuse(e, "a fault cannot be at a bus that is off:", number, 0, message);
    if (begins && g->faulted[e->bus])
        return refuse(e, "there is already a fault at bus", number, 0, message);
    if (!begins && !g->faulted[e->bus])
        return refuse(e, "there is no fault to clear at bus", number, 0, message);
    g->faulted[e->bus] = begins;
    g->bolted[e->bus] = begins && square == 0;
    g->fault_g[e->bus] = begins && square > 0 ? e->r / square : 0;
    g->fault_b[e->bus] = begins && square > 0 ? -e->x / square : 0;
    if (!begins)
        say(g, "fault at bus %d cleared", number);
    else if (square == 0)
        say(g, "bolted fault at bus %d", number);
    else
        say(g, "fault at bus %d through %g%+gj p.u.", number, e->r, e->x);
    return GT_OK;
}

static gt_status switch_branch(const gt_power_system *s, gt_stage *g, const gt_power_event *e,
                               gt_message *message)
{
    const gt_power_branch *branch = &s->grid_case->branch[e->branch];
    int from = s->grid_case->bus[branch->from].number, to = s->grid_case->bus[branch->to].number;
    bool closes = e->kind == GT_POWER_RECLOSE;
    if (g->branch_on[e->branch] == closes)
        return refuse(e, closes ? "is closed already" : "is open already", from, to, message);
    if (closes && branch->r == 0 && branch->x == 0)
        return refuse(e, "cannot be closed: it has no impedance", from, to, message);
    g->branch_on[e->branch] = closes;
    say(g, "branch %d-%d %s", from, to, closes ? "closed" : "opened");
    return GT_OK;
}

static gt_status trip_unit(const gt_power_system *s, gt_stage *g, const gt_power_event *e,
                           gt_message *message)
{
    int number = s->grid_case->bus[s->grid_case->gen[e->gen].bus].number;
    size_t k = 0;
    while (k < s->n_units && s->unit[k].gen != e->gen) k++;
    if (k == s->n_units || !g->unit_on[k])
        return refuse(e, "there is no machine in service to trip at bus", number, 0, message);
    g->unit_on[k] = false;
    say(g, "machine at bus %d disconnected", number);
    return GT_OK;
}

static gt_status apply(const gt_power_system *s, gt_stage *g, const gt_power_event *e,
                       gt_message *message)
{
    switch (e->kind) {
    case GT_POWER_FAULT:
    case GT_POWER_CLEAR:
        return fault(s, g, e, message);
    case GT_POWER_TRIP:
    case GT_POWER_RECLOSE:
        return switch_branch(s, g, e, message);
    case GT_POWER_LOAD:
        if (s->p_load[e->bus] == 0 && s->q_load[e->bus] == 0)
            return refuse(e, "there is no load to change at bus", s->grid_case->bus[e->bus].number,
                          0, message);
        g->factor[e->bus] = e->factor;
        say(g, "load at bus %d times %g", s->grid_case->bus[e->bus].number, e->factor);
        return GT_OK;
    default:
        return trip_unit(s, g, e, message);
    }
}

/* Which buses belong together, and which no machine feeds. */
static void find_islands(const gt_power_system *s, gt_stage *g, bool *fed)
{
    const gt_power_case *c = s->grid_case;
    gt_islands_of(c, g->branch_on, g->island);
    memset(fed, 0, c->n_bus * sizeof *fed);
    g->islands = g->dead = 0;
    for (size_t k = 0; k < s->n_units; k++)
        if (g->unit_on[k]) fed[g->island[s->unit[k].bus]] = true;
    for (size_t i = 0; i < c->n_bus; i++) {
        bool alive = fed[g->island[i]] && c->bus[i].type != GT_BUS_OFF;
        if (alive && g->island[i] == i) g->islands++;
        if (!alive && c->bus[i].type != GT_BUS_OFF) g->dead++;
        g->held[i] = !alive || g->bolted[i];
    }
}

/* Says so when the network has fallen apart or grown together. */
static void say_islands(gt_stage *g, const gt_stage *before)
{
    if (!g->islands && before->islands)
        say(g, "no machine is left");
    else if (g->islands != before->islands)
        say(g, g->islands == 1 ? "the network is in one piece" : "the network is in %zu islands",
            g->islands);
    if (g->dead != before->dead && g->dead)
        say(g, "%zu bus%s without a source", g->dead, g->dead == 1 ? "" : "es");
    if (g->dead != before->dead && !g->dead) say(g, "all buses have a source again");
}

static void fill_admittance(const gt_power_system *s, gt_stage *g, bool *charged)
{
    const gt_power_case *c = s->grid_case;
    for (size_t k = 0; k < c->n_branch; k++)
        charged[k] = s->setup.keep_charging && s->stage[0].branch_on[k] && !g->branch_on[k];
    gt_grid_admittance(&s->grid, c, g->branch_on, charged, g->g, g->b);
    for (size_t i = 0; i < c->n_bus; i++) {
        double square = s->v_load[i] * s->v_load[i], part = s->setup.z_part * g->factor[i];
        g->g[s->grid.diagonal[i]] +=
            g->fault_g[i] + (square > 0 ? part * s->p_load[i] / square : 0);
        g->b[s->grid.diagonal[i]] +=
            g->fault_b[i] - (square > 0 ? part * s->q_load[i] / square : 0);
    }
}

static int by_time(const void *a, const void *b)
{
    const gt_power_event *const *one = a, *const *other = b;
    if ((*one)->t != (*other)->t) return (*one)->t < (*other)->t ? -1 : 1;
    return *one < *other ? -1 : 1;
}

gt_status gt_timeline_make(gt_power_system *s, gt_arena *arena, gt_message *message)
{
    size_t n_events = s->setup.n_events, n_bus = s->grid_case->n_bus;
    const gt_power_event **sorted = gt_arena_take(arena, n_events + 1, sizeof *sorted);
    bool *scratch = gt_arena_take(arena, n_bus + s->grid_case->n_branch + 1, sizeof *scratch);
    s->stage = gt_arena_take(arena, n_events + 1, sizeof *s->stage);
    s->breaks = gt_arena_doubles(arena, n_events + 1);
    if (arena->failed || take_stage(s, &s->stage[0], arena)) return GT_NO_MEMORY;
    for (size_t k = 0; k < n_events; k++) {
        sorted[k] = &s->setup.events[k];
        if (!(sorted[k]->t >= 0) || !isfinite(sorted[k]->t))
            return gt_fail(message, GT_BAD_ARGUMENT,
                           "an event cannot be at t = %g; a run begins at t = 0", sorted[k]->t);
    }
    qsort(sorted, n_events, sizeof *sorted, by_time);
    begin_stage(s, &s->stage[0]);
    s->n_stages = 1;
    for (size_t k = 0; k < n_events; k++) {
        gt_stage *g = &s->stage[s->n_stages - 1];
        if (sorted[k]->t != g->t) {
            gt_stage *next = g + 1;
            if (take_stage(s, next, arena)) return GT_NO_MEMORY;
            copy_stage(s, g, next);
            next->t = s->breaks[s->n_stages - 1] = sorted[k]->t;
            s->n_stages++;
            g = next;
        }
        gt_status status = apply(s, g, sorted[k], message);
        if (status) return status;
    }
    for (size_t k = 0; k < s->n_stages; k++) {
        find_islands(s, &s->stage[k], scratch);
        fill_admittance(s, &s->stage[k], scratch);
        if (k) say_islands(&s->stage[k], &s->stage[k - 1]);
    }
    return GT_OK;
}
