/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events that are a matter of the error. Where a root function turns next to zero, an error of the
 * states decides whether it crosses: the local errors of N steps, each below the tolerance, add up
 * to N times that. A turn nearer to zero than this, on either side, is named in a warning, once a
 * run. Where the dense output is less accurate than the steps, a turn that it does not place is
 * looked at by a step that ends there.
 */
#include "core/events.h"
#include <assert.h>
#include <math.h>
#include <stdio.h>

/* Patterns of signs in which the states are changed by their tolerances; and how many steps count.
 */
enum { PATTERNS = 8, FEWEST = 10, MOST = 1000, LOW_ORDER = 2 };
enum { LOOKS = 8 }; /* between two looks, for the turn between two crossings */

/* Rows of a Hadamard matrix: no two states cancel each other in all of them. */
static double sign_of(size_t state, unsigned pattern)
{
    unsigned odd = 0;
    for (size_t bits = state & pattern; bits; bits &= bits - 1) odd ^= 1;
    return odd ? -1 : 1;
}

double gt_root_tolerance(gt_run *r, size_t i, double t, const double *at, double *x)
{
    gt_stepper *s = r->s;
    double most = 0;
    if (gt_run_roots(r, t, at, s->root_values)) return NAN;
    double g = s->root_values[i];
    for (unsigned pattern = 0; pattern < PATTERNS; pattern++) {
        for (size_t j = 0; j < s->n; j++)
            x[j] = at[j] + sign_of(j, pattern) * gt_weight(s, j, at[j]);
        if (gt_run_roots(r, t, x, s->root_values)) return NAN;
        most = fmax(most, fabs(s->root_values[i] - g));
    }
    return most;
}

/* The same at theta of the trial. */
static double reach_of_tolerance(gt_run *r, size_t i, double theta)
{
    gt_stepper *s = r->s;
    if (gt_stepper_interpolate(s, theta, s->scratch)) return NAN;
    return gt_root_tolerance(r, i, s->t + theta * s->h, s->scratch, s->event_x);
}

bool gt_run_stands_still(gt_run *r)
{
    gt_stepper *s = r->s;
    if (!(s->rtol > 0)) return false;
    for (size_t i = 0; i < r->problem->n_roots; i++) {
        double away = gt_root_away(r)[i];
        if (!s->fired[i]) continue;
        if (away > 0.01 * gt_root_scale(r)[i] ||
            !(away <= gt_root_tolerance(r, i, s->t, s->x, s->scratch)))
            return false;
    }
    return true;
}

/* What the error of the dense output at theta may make of root i: f there beside the slope of the
 * dense output is what it would have moved by in the step. 0: not known. */
static double reach_of_interpolation(gt_run *r, size_t i, double theta)
{
    gt_stepper *s = r->s;
    const gt_problem *p = r->problem;
    const double d = 1e-4;
    double *slope = s->event_x, *f = slope + s->n, *x = s->scratch, t = s->t + theta * s->h;
    if (p->mass || gt_stepper_interpolate(s, theta + d, slope) ||
        gt_stepper_interpolate(s, theta - d, x))
        return 0;
    for (size_t j = 0; j < s->n; j++) slope[j] = (slope[j] - x[j]) / (2 * d * s->h);
    if (gt_roots_at(r, theta) || gt_rhs(s, t, s->scratch, f)) return 0;
    double g = s->root_values[i];
    for (size_t j = 0; j < p->n_slow + p->n_fast; j++) x[j] += s->h * (f[j] - slope[j]);
    return gt_run_roots(r, t, x, s->root_values) ? 0 : fabs(s->root_values[i] - g);
}

static bool matters(const gt_run *r, size_t i, double g)
{
    return i < r->problem->n_roots && r->s->rtol > 0 && fabs(g) <= 0.1 * gt_root_scale(r)[i];
}

void gt_run_warn_graze(gt_run *r, size_t i, double theta, double g)
{
    assert(r);
    assert(i < r->n_roots);
    const gt_stepper *s = r->s;
    if (r->grazed || !matters(r, i, g)) return;
    double steps = fmax((double)s->stats.steps, FEWEST);
    if (s->order > LOW_ORDER)
        steps = fmin(steps, MOST); /* the errors of one sign are small there */
    /* The errors were made where the states were larger than they are at the turn. */
    double reach = fmax(reach_of_tolerance(r, i, theta), s->rtol * gt_root_scale(r)[i]);
    if (!(fabs(g) <= steps * reach)) return;
    r->grazed = true;
    char number[GT_NAME_ROOM];
    const char *name = r->problem->root_names ? r->problem->root_names[i] : NULL;
    if (!name) snprintf(number, sizeof number, "%zu", i + 1);
    gt_warn(s->warnings,
            "event %s turns so near to zero at t = %.6g (%.2g) that the errors of the steps decide "
            "whether it fires: a "
            "tighter --rtol may find more events or fewer",
            name ? name : number, gt_shown_time(s, s->t + theta * s->h), g);
}

gt_status gt_run_watch_turn(gt_run *r, size_t i, double theta, double g)
{
    assert(r);
    assert(i < r->n_roots);
    if (!matters(r, i, g)) return GT_OK;
    if (theta > 0.05 && theta < 0.95 && fabs(g) <= reach_of_interpolation(r, i, theta)) {
        r->h = theta * r->s->h;
        r->approaching = true;
        return GT_TRY_RHS;
    }
    gt_run_warn_graze(r, i, theta, g);
    return GT_OK;
}

void gt_run_watch_start(gt_run *r)
{
    const double *start = gt_root_start(r), *next = gt_root_look(r, 0);
    if (r->after_event || r->s->stats.steps == 0) return;
    for (size_t i = 0; i < r->problem->n_roots; i++) {
        int side = gt_root_sides(r)[i];
        bool leaves = side * start[i] > 0 && side * start[i] < side * next[i];
        if (leaves && gt_root_closing(r)[i] != 0 && !gt_root_leaving(r)[i])
            gt_run_warn_graze(r, i, 0, start[i]);
    }
}

void gt_run_watch_end(gt_run *r)
{
    const double *before = gt_root_look(r, GT_ROOT_LOOKS - 2),
                 *end = gt_root_look(r, GT_ROOT_LOOKS - 1);
    for (size_t i = 0; i < r->problem->n_roots; i++)
        gt_root_closing(r)[i] = fabs(end[i]) < fabs(before[i]);
}

void gt_run_watch_return(gt_run *r, size_t i, int side, double low, double high)
{
    assert(r);
    assert(i < r->n_roots);
    assert(low <= high);
    double most = gt_root_beyond(r)[i], at = low;
    gt_root_beyond(r)[i] = -1;
    if (most < 0 || !matters(r, i, most)) return;
    for (int k = 1; k < LOOKS; k++) {
        double theta = low + (high - low) * k / LOOKS;
        if (gt_roots_at(r, theta)) return;
        if (side * r->s->root_values[i] > most) most = side * r->s->root_values[i], at = theta;
    }
    gt_run_warn_graze(r, i, at, side * most);
}

void gt_run_watch_lost(gt_run *r, size_t i)
{
    assert(r);
    assert(i < r->n_roots);
    double least = INFINITY, at = 1;
    for (int k = 1; k <= 4 * LOOKS; k++) {
        double theta = k / (4.0 * LOOKS);
        if (gt_roots_at(r, theta)) return;
        if (fabs(r->s->root_values[i]) < fabs(least)) least = r->s->root_values[i], at = theta;
    }
    gt_run_warn_graze(r, i, at, least);
}
