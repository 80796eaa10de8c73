/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events. A sign change of a root function is looked for on the dense output of a finished trial
 * and the first one is enclosed by bisection. The step is then repeated so that it ends just short
 * of the root, and its own dense output, carried on by that margin, gives the state at the event:
 * no stage needs f on the far side, where it may jump, and the state has the order of the method,
 * not of the interpolant of the long step. What is handed over has a root function that is zero or
 * beyond, in the direction of the crossing.
 *
 * After an event the roots that fired are zero but for round-off. Which side they go to is seen
 * from f: the sign of dg/dt after the event. Until such a root has been seen on its side it is
 * `leaving`, and a trial that finds it on the other one looks back for the short time that it was
 * not: a bounce may be far shorter than the step.
 */
#include "core/events.h"
#include "core/switches.h"
#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_CROWDED = 20, MAX_STILL = 12 };

size_t gt_root_numbers(size_t n_roots) { return (7 + GT_ROOT_LOOKS) * n_roots; }
size_t gt_root_flags(size_t n_roots) { return 5 * n_roots; }

const char *gt_run_root_name(const gt_run *r, char buffer[GT_NAME_ROOM])
{
    const gt_problem *p = r->problem;
    for (size_t i = 0; i < r->n_roots; i++) {
        if (!r->s->fired[i]) continue;
        if (i >= p->n_roots) return gt_switch_name(r, i - p->n_roots, buffer);
        if (p->root_names && p->root_names[i]) return p->root_names[i];
        snprintf(buffer, GT_NAME_ROOM, "%zu", i + 1);
        return buffer;
    }
    return "?";
}

/* Events nearer to each other than this are crowded. */
double gt_crowd_time(const gt_run *r)
{
    return 1e-12 * gt_run_whole(r) + 64 * DBL_EPSILON * fabs(r->s->t);
}

gt_status gt_run_pile_up(gt_run *r)
{
    char buffer[GT_NAME_ROOM];
    return gt_fail(r->message, GT_EVENTS_PILE_UP,
                   "events pile up at t = %.10g: event %s has fired %ld times, the last ones with "
                   "no time between "
                   "them, or no motion above the tolerance; let it end the run (in a model file: "
                   "arret=1), or give the "
                   "model a state of rest",
                   gt_shown_time(r->s, r->s->t), gt_run_root_name(r, buffer), r->s->stats.events);
}

/* ---- which side a root that is next to zero goes to ---- */

/* The point reached from s->x after a short time dt along the slope: linear in dt, whatever the
 * motion. Where the algebraic equations cannot be solved there, their states stand as they are. */
static void along_slope(const gt_stepper *s, double dt, double *x)
{
    size_t n_diff = s->problem->n_slow + s->problem->n_fast;
    memcpy(x, s->x, s->n * sizeof *x);
    for (size_t i = 0; i < n_diff; i++) x[i] += dt * s->f[i];
}

gt_status gt_roots_soon(gt_run *r, double dt)
{
    gt_stepper *s = r->s;
    gt_message kept = s->message;
    along_slope(s, dt, s->x_new);
    gt_status status = gt_stepper_solve_algebraic(s, s->t + dt, s->x_new);
    if (gt_cannot_close(status)) {
        s->message = kept, status = GT_OK;
        along_slope(s, dt, s->x_new);
    }
    return status ? status : gt_run_roots(r, s->t + dt, s->x_new, s->root_values);
}

/* Sign of dg/dt at the accepted point for the roots in `which`, by ever longer times until g moves
 * at all; 0: it does not, or f does not say. `g` is the value there. */
static gt_status slopes_of_roots(gt_run *r, const double *g, const unsigned char *which,
                                 signed char *slope)
{
    gt_stepper *s = r->s;
    size_t n_roots = r->n_roots, open = 0;
    for (size_t i = 0; i < n_roots; i++) {
        slope[i] = 0;
        if (which[i]) open++;
    }
    if (!open || r->problem->mass) return GT_OK; /* with a mass matrix f is not the slope */
    gt_status status = gt_slope(s);
    if (status) return status < 0 ? status : GT_OK;
    double span = gt_run_whole(r);
    for (double part = 1e-12; part < 1e-2 && open; part *= 100) {
        double dt = part * span + 4 * DBL_EPSILON * fabs(s->t);
        status = gt_roots_soon(r, dt);
        if (status) return status < 0 ? status : GT_OK;
        for (size_t i = 0; i < n_roots; i++) {
            double moved = s->root_values[i] - g[i];
            if (!which[i] || slope[i] || moved == 0) continue;
            slope[i] = moved > 0 ? 1 : -1;
            open--;
        }
    }
    return GT_OK;
}

static gt_status roots_failed(gt_run *r)
{
    return gt_fail(r->message, GT_RHS_FAILED, "the root functions failed at t = %g",
                   gt_shown_time(r->s, r->s->t));
}

/* A root that is zero at a start is not an event: it is on the side to which it goes. */
gt_status gt_run_start_roots(gt_run *r)
{
    assert(r && r->s);
    gt_stepper *s = r->s;
    size_t n_roots = r->n_roots;
    if (!n_roots) return GT_OK;
    double *g = gt_root_start(r);
    memset(s->root_sides, 0, gt_root_flags(n_roots));
    memset(gt_root_reach(r), 0, n_roots * sizeof *g);
    for (size_t i = 0; i < n_roots; i++)
        gt_root_beyond(r)[i] = -1, gt_root_closing(r)[i] = gt_root_away(r)[i] = 0;
    if (s->stats.steps == 0) memset(gt_root_scale(r), 0, n_roots * sizeof *g);
    if (gt_run_roots(r, s->t, s->x, g)) return roots_failed(r);
    for (size_t i = 0; i < n_roots; i++) s->fired[i] = g[i] == 0;
    gt_status status = slopes_of_roots(r, g, s->fired, gt_root_sides(r));
    if (status) return status;
    for (size_t i = 0; i < n_roots; i++) {
        gt_root_leaving(r)[i] = s->fired[i] && gt_root_sides(r)[i];
        if (!s->fired[i]) gt_root_sides(r)[i] = g[i] > 0 ? 1 : -1;
        s->fired[i] = false;
    }
    gt_run_sync_sides(r);
    return GT_OK;
}

/* Constraints that are met again move the states by what the steps have left of them: whether root
 * i, which is gt_root_start now, has moved by no more than that since the reset. */
static bool moved_a_little(gt_run *r, size_t i)
{
    const gt_stepper *s = r->s;
    double moved = fabs(gt_root_start(r)[i] - gt_root_look(r, 1)[i]);
    if (moved == 0) return true;
    if (!(s->rtol > 0)) return moved <= 1e-3 * gt_root_scale(r)[i];
    return moved <= gt_root_tolerance(r, i, s->t, s->x, s->scratch);
}

/* After an event: roots that fired are zero but for round-off, as they were before it, or where the
 * reset put them. `backward`: those that the motion before the event was not crossing in truth, as
 * the slope there shows. `goes_on`: no event has moved the state; then a root goes on to its other
 * side also where f, beside a mass matrix, does not say so. */
static gt_status settle_sides(gt_run *r, const signed char *backward, bool goes_on)
{
    gt_stepper *s = r->s;
    size_t n_roots = r->n_roots;
    signed char *slope = s->root_sides + 3 * n_roots;
    double *g = gt_root_start(r), *before = gt_root_look(r, 0), *reach = gt_root_reach(r);
    const double *as_set = gt_root_look(r, 1);
    if (gt_run_roots(r, s->t, s->x, g)) return roots_failed(r);
    unsigned char *near = s->fired;
    for (size_t i = 0; i < n_roots; i++) {
        if (s->fired[i] || g[i] == 0) gt_root_away(r)[i] = 0;
        bool where_it_was = fabs(as_set[i]) <= 16 * fabs(before[i]) && moved_a_little(r, i);
        near[i] = g[i] == 0 ? (s->fired[i] ? 1 : 2) : s->fired[i] && where_it_was;
    }
    gt_status status = slopes_of_roots(r, g, near, slope);
    if (status) return status;
    for (size_t i = 0; i < n_roots; i++) {
        int came_from = gt_root_sides(r)[i], side = g[i] > 0 ? 1 : g[i] < 0 ? -1 : 0;
        /* A root function that jumped through zero and stands still is not next to it. */
        bool jumped = near[i] == 1 && slope[i] == 0 && fabs(before[i]) > 0.1 * reach[i];
        bool far = !near[i] || jumped;
        if (!far) {
            side = slope[i];
            if (near[i] == 1 && goes_on && r->problem->mass) side = -came_from;
            /* A reset that sends it further on, from a motion that was not crossing: below what the
             * tolerance sees. */
            if (near[i] == 1 && (side == 0 || (backward[i] && side == -came_from)))
                side = came_from;
        }
        gt_root_leaving(r)[i] = !far && side != 0;
        if (near[i] == 1) gt_root_beyond(r)[i] = !far && side == -came_from ? 0 : -1;
        gt_root_sides(r)[i] = (signed char)side;
        if (near[i] == 2) s->fired[i] = false;
        reach[i] = 0;
    }
    gt_run_sync_sides(r);
    return GT_OK;
}

void gt_run_forget_roots(gt_run *r)
{
    size_t n_roots = r->n_roots;
    memcpy(r->s->root_sides, r->s->root_sides + 2 * n_roots, 2 * n_roots);
    gt_run_sync_sides(r);
}

void gt_run_move_to_event(gt_run *r)
{
    assert(r && r->n_roots);
    gt_stepper *s = r->s;
    r->event_consistent = r->event_consistent && r->event_beyond;
    if (!r->event_beyond) return;
    memcpy(s->x_new, s->event_x, s->n * sizeof *s->x_new);
    s->f_new_known = false;
    r->event_beyond = false;
}

/* ---- what happens at an event ---- */

/* Roots whose crossing f does not confirm: the interpolant moved through zero, the equations move
 * the other way. */
static gt_status find_backward(gt_run *r, signed char *backward)
{
    gt_stepper *s = r->s;
    size_t n_roots = r->n_roots;
    double *g = gt_root_look(r, 0);
    memset(backward, 0, n_roots);
    if (gt_run_roots(r, s->t, s->x, g)) return roots_failed(r);
    if (!r->problem->on_event) return GT_OK;
    gt_status status = slopes_of_roots(r, g, s->fired, backward);
    if (status) return status;
    for (size_t i = 0; i < n_roots; i++)
        backward[i] = backward[i] != 0 && backward[i] == gt_root_sides(r)[i];
    return GT_OK;
}

/* The right limit, before the problem has changed anything: the state meets the constraints. */
static gt_status stand_at_event(gt_run *r)
{
    gt_stepper *s = r->s;
    size_t bytes = r->n_roots * sizeof(double);
    gt_status status = GT_OK;
    if (r->event_consistent) {
        gt_stepper_restart(s);
        s->t_cap = INFINITY;
    } else {
        status = gt_run_restart(r);
        if (!status && gt_run_roots(r, s->t, s->x, gt_root_look(r, 0))) return roots_failed(r);
    }
    memcpy(gt_root_look(r, 1), gt_root_look(r, 0), bytes);
    return status;
}

/* Counts how often the same events fire with next to no time between them, or without having left
 * zero; others that come close after one another are nothing but close. False: too often. */
static bool count_crowd(gt_run *r)
{
    const gt_stepper *s = r->s;
    signed char *seen = gt_root_crowd(r);
    bool close = s->stats.events && s->t - r->last_event < gt_crowd_time(r), again = false;
    if (!close) {
        memset(seen, 0, r->n_roots);
        r->crowded = 0;
    }
    for (size_t i = 0; i < r->problem->n_roots; i++) again = again || (s->fired[i] && seen[i]);
    if (again) {
        memset(seen, 0, r->n_roots);
        r->crowded++;
    }
    for (size_t i = 0; i < r->problem->n_roots; i++) seen[i] = seen[i] || s->fired[i];
    r->still = s->stats.events && gt_run_stands_still(r) ? r->still + 1 : 0;
    r->last_event = s->t;
    return r->crowded < MAX_CROWDED && r->still < MAX_STILL;
}

/* What the problem does at an event; `goes_on` as for settle_sides. */
static gt_status happen(gt_run *r, bool *stop, bool *goes_on)
{
    gt_stepper *s = r->s;
    const gt_problem *p = r->problem;
    double *before = r->n_switches ? r->base->switch_work + 3 * s->n : NULL;
    unsigned actions = 0;
    if (!count_crowd(r)) return gt_run_pile_up(r);
    s->stats.events++;
    gt_status status = gt_run_emit(r, GT_AT_EVENT, s->t, s->x);
    if (!status) status = find_backward(r, s->root_sides + 2 * r->n_roots);
    if (!status && before) status = gt_switch_values(r, s->t, s->x, before);
    if (!status) status = stand_at_event(r);
    if (!status && p->on_event) {
        gt_run_watch_small(r);
        memcpy(s->event_x, s->x, s->n * sizeof *s->x);
        status = p->on_event(s->t, s->fired, s->x, &actions, p->ctx);
        if (status)
            return gt_fail(r->message, GT_RHS_FAILED, "the event at t = %.10g failed",
                           gt_shown_time(s, s->t));
        gt_run_given_small(r);
        *goes_on = !memcmp(s->event_x, s->x, s->n * sizeof *s->x);
        if (gt_run_roots(r, s->t, s->x, gt_root_look(r, 1))) return roots_failed(r);
        status = gt_run_restart(r);
    }
    if (status) return status;
    r->after_event = true;
    status =
        gt_run_emit(r, GT_AT_EVENT | (actions & GT_EVENT_OUTPUT ? GT_AT_OUTPUT : 0u), s->t, s->x);
    *stop = actions & GT_EVENT_STOP;
    return status ? status : gt_run_resettle_switches(r, before);
}

gt_status gt_run_fire_event(gt_run *r, bool *stop)
{
    assert(r && stop);
    bool events = gt_run_fired_events(r), restart = events, goes_on = true;
    r->after_event = false;
    gt_status status = GT_OK;
    if (events) {
        status = gt_run_watch_event(r);
        if (!status) status = happen(r, stop, &goes_on);
    } else {
        if (gt_run_roots(r, r->s->t, r->s->x, gt_root_look(r, 0))) return roots_failed(r);
        memcpy(gt_root_look(r, 1), gt_root_look(r, 0), r->n_roots * sizeof(double));
        memset(r->s->root_sides + 2 * r->n_roots, 0, r->n_roots);
        status = gt_run_pass_switches(r, &restart);
        if (!status && restart) status = gt_run_restart(r);
    }
    r->history_stands = !restart;
    if (!status) status = settle_sides(r, r->s->root_sides + 2 * r->n_roots, goes_on);
    return status || !events ? status : gt_run_after_event(r);
}
