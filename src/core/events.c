/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events. A sign change of a root function is looked for on the dense output of a finished trial, the first one is
 * enclosed by bisection, and the step is then repeated so that it ends there: the state at an event has the order of
 * the method, not of its interpolant, and the method's own history is that of an ordinary step.
 */
#include "core/run.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { SCAN = 4, MAX_CORRECTIONS = 4 }; /* pieces of a step that are looked at; repetitions of the step */
enum { MAX_CROWDED = 20 };

static gt_status roots_at(gt_run *r, double theta)
{
    gt_stepper *s = r->s;
    const double *x = s->x_new;
    if (theta != 1) {
        gt_status status = gt_stepper_interpolate(s, theta, s->scratch);
        if (status) return status;
        x = s->scratch;
    }
    double t = theta == 1 ? s->t_new : s->t + theta * s->h; /* a root that belongs to a discontinuity is at it */
    return r->problem->roots(t, x, s->root_values, r->problem->ctx);
}

static int direction_of(const gt_problem *p, size_t i) { return p->root_direction ? p->root_direction[i] : 0; }

/* Has root i passed, coming from the side it was on, in the direction wanted? */
static bool passed(const gt_run *r, size_t i)
{
    int side = r->s->root_sides[i], direction = direction_of(r->problem, i);
    double g = r->s->root_values[i];
    if (!side || direction == side) return false; /* from above only downward crossings are possible */
    return side > 0 ? g <= 0 : g >= 0;
}

static bool any_passed(const gt_run *r)
{
    for (size_t i = 0; i < r->problem->n_roots; i++) {
        if (passed(r, i)) return true;
    }
    return false;
}

static void note_sides(gt_run *r)
{
    for (size_t i = 0; i < r->problem->n_roots; i++) {
        double g = r->s->root_values[i];
        if (g != 0) r->s->root_sides[i] = g > 0 ? 1 : -1;
    }
}

gt_status gt_run_start_roots(gt_run *r)
{
    gt_stepper *s = r->s;
    if (!r->problem->n_roots) return GT_OK;
    memset(s->root_sides, 0, r->problem->n_roots);
    memset(s->fired, 0, r->problem->n_roots);
    gt_status status = r->problem->roots(s->t, s->x, s->root_values, r->problem->ctx);
    if (status) return gt_fail(r->message, GT_RHS_FAILED, "the root functions failed at t = %g", s->t);
    note_sides(r);
    return GT_OK;
}

/* The first point of (low, high] where a root has passed, given that one has at high; to round-off in t. */
static gt_status enclose(gt_run *r, double low, double *high)
{
    double small = 2 * DBL_EPSILON * fmax(1, fabs(r->s->t / r->s->h));
    while (*high - low > small) {
        double middle = low + (*high - low) / 2;
        if (middle <= low || middle >= *high) break;
        gt_status status = roots_at(r, middle);
        if (status) return status;
        if (any_passed(r))
            *high = middle;
        else
            low = middle;
    }
    return roots_at(r, *high);
}

/* Just after an event the roots that fired are zero but for round-off: the way they set out shows their side. */
static gt_status learn_sides(gt_run *r)
{
    gt_stepper *s = r->s;
    const double soon = 1e-6;
    double *start = s->root_values + r->problem->n_roots;
    gt_status status = r->problem->roots(s->t, s->x, s->root_values, r->problem->ctx);
    if (status) return status;
    memcpy(start, s->root_values, r->problem->n_roots * sizeof *start);
    status = roots_at(r, soon);
    if (status) return status;
    for (size_t i = 0; i < r->problem->n_roots; i++) {
        double moved = s->root_values[i] - start[i];
        if (!s->root_sides[i] && moved != 0) s->root_sides[i] = moved > 0 ? 1 : -1;
    }
    return GT_OK;
}

/* Looks at the trial piece by piece. */
static gt_status scan(gt_run *r, bool *found, double *theta)
{
    *found = false;
    double low = 0;
    if (r->after_event) {
        gt_status status = learn_sides(r);
        if (status) return status;
    }
    for (int piece = r->after_event ? 0 : 1; piece <= SCAN; piece++) { /* piece 0: a quick return after an event */
        double high = piece == SCAN ? 1 : piece ? piece / (double)SCAN : 1e-3;
        gt_status status = roots_at(r, high);
        if (status) return status;
        if (any_passed(r)) {
            *found = true;
            *theta = high;
            return enclose(r, low, theta);
        }
        note_sides(r);
        low = high;
    }
    return GT_OK;
}

static gt_status find(gt_run *r, bool *found)
{
    gt_stepper *s = r->s;
    size_t n_roots = r->problem->n_roots;
    double theta = 1;
    gt_status status = scan(r, found, &theta);
    if (status || !*found) return status;
    for (size_t i = 0; i < n_roots; i++) s->fired[i] = passed(r, i);

    double t_end = s->t_new;
    for (int correction = 0; correction < MAX_CORRECTIONS && theta != 1; correction++) {
        double h = theta * s->h;
        status = gt_stepper_try(s, h, false);
        if (!status && gt_not_finite(s->x_new, s->n) != 0) status = GT_TRY_NOT_FINITE;
        if (status) return status;
        /* The repeated step ends next to the root; its interpolant, used a little beyond the end, finds it again. */
        double reach = 1e-3;
        status = roots_at(r, 1 + reach);
        if (status) return status;
        double high = 1 + reach;
        bool beyond = any_passed(r);
        status = roots_at(r, 1 - reach);
        if (status) return status;
        if (!beyond || any_passed(r)) break; /* not bracketed: the interpolants agree to less than `reach` already */
        status = enclose(r, 1 - reach, &high);
        if (status) return status;
        if (fabs(high - 1) <= 4 * DBL_EPSILON * fmax(1, fabs(s->t / s->h)) || s->t + high * s->h > t_end) break;
        theta = high;
        for (size_t i = 0; i < n_roots; i++) s->fired[i] = passed(r, i);
    }
    return GT_OK;
}

gt_status gt_run_find_event(gt_run *r, bool *found)
{
    signed char *sides = r->s->root_sides;
    size_t n_roots = r->problem->n_roots;
    memcpy(sides + n_roots, sides, n_roots);
    gt_status status = find(r, found);
    if (status) gt_run_forget_roots(r);
    return status;
}

void gt_run_forget_roots(gt_run *r)
{
    size_t n_roots = r->problem->n_roots;
    memcpy(r->s->root_sides, r->s->root_sides + n_roots, n_roots);
}

gt_status gt_run_fire_event(gt_run *r, bool *stop)
{
    gt_stepper *s = r->s;
    const gt_problem *p = r->problem;
    unsigned actions = 0;
    bool close = s->stats.events && s->t - r->last_event < 1e-12 * (p->t1 - p->t0) + 64 * DBL_EPSILON * fabs(s->t);
    r->crowded = close ? r->crowded + 1 : 0;
    r->last_event = s->t;
    if (r->crowded >= MAX_CROWDED)
        return gt_fail(r->message, GT_STEP_TOO_SMALL,
                       "events pile up at t = %.10g: %d with next to no time between them; let the event stop the run, "
                       "or move the state away from the root",
                       s->t, r->crowded);
    s->stats.events++;
    r->after_event = false;
    gt_status status = gt_run_emit(r, GT_AT_EVENT, s->t, s->x);
    if (status) return status;
    status = gt_run_restart(r);
    if (!status && p->on_event) {
        status = p->on_event(s->t, s->fired, s->x, &actions, p->ctx);
        if (status) return gt_fail(r->message, GT_RHS_FAILED, "the event at t = %.10g failed", s->t);
        status = gt_run_restart(r);
    }
    if (status) return status;
    r->after_event = true;
    status = gt_run_emit(r, GT_AT_EVENT | (actions & GT_EVENT_OUTPUT ? GT_AT_OUTPUT : 0u), s->t, s->x);
    if (status) return status;

    /* Roots that fired are next to zero: which side they are on shows in the next step only. */
    status = p->roots(s->t, s->x, s->root_values, p->ctx);
    if (status) return gt_fail(r->message, GT_RHS_FAILED, "the root functions failed at t = %g", s->t);
    for (size_t i = 0; i < p->n_roots; i++) {
        double g = s->root_values[i];
        s->root_sides[i] = (signed char)(s->fired[i] || g == 0 ? 0 : g > 0 ? 1 : -1);
    }
    *stop = actions & GT_EVENT_STOP;
    return GT_OK;
}
