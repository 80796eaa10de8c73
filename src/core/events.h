/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_CORE_EVENTS_H
#define GEARTRAIN_CORE_EVENTS_H

/* What the files about events share: events.c (sides, what happens), event_scan.c (the first
 * crossing inside a trial), event_step.c (the step that ends there). */
#include "core/run_state.h"

enum { GT_ROOT_LOOKS = 6 }; /* at a trial */

static inline signed char *gt_root_sides(const gt_run *r) { return r->s->root_sides; }
static inline signed char *gt_root_leaving(const gt_run *r)
{
    return r->s->root_sides + r->n_roots;
}
/* Whether the root has fired since events became crowded, or since one of them did twice. */
static inline signed char *gt_root_crowd(const gt_run *r)
{
    return r->s->root_sides + 4 * r->n_roots;
}

static inline double *gt_root_start(const gt_run *r) { return r->s->root_values + r->n_roots; }
static inline double *gt_root_look(const gt_run *r, int k)
{
    return r->s->root_values + (size_t)(2 + k) * r->n_roots;
}

/* The largest |g| seen since the last event: what is far below it is round-off. */
static inline double *gt_root_reach(const gt_run *r)
{
    return r->s->root_values + (size_t)(2 + GT_ROOT_LOOKS) * r->n_roots;
}

/* The same since the start. */
static inline double *gt_root_scale(const gt_run *r) { return gt_root_reach(r) + r->n_roots; }

/* The largest |g| since the root crossed zero and stayed there, as far as it is small; below 0: it
 * is not. */
static inline double *gt_root_beyond(const gt_run *r) { return gt_root_scale(r) + r->n_roots; }

/* Not 0: g was on its way to zero at the end of the last trial. */
static inline double *gt_root_closing(const gt_run *r) { return gt_root_beyond(r) + r->n_roots; }

/* The largest |g| since the root was at zero in an event, of accepted points only. */
static inline double *gt_root_away(const gt_run *r) { return gt_root_closing(r) + r->n_roots; }

static inline int gt_root_direction(const gt_problem *p, size_t i)
{
    return p->root_direction && i < p->n_roots ? p->root_direction[i] : 0;
}

/* The root functions at s->t + theta h of the trial, into s->root_values; theta a little above 1 is
 * beyond its end. */
gt_status gt_roots_at(gt_run *r, double theta) GT_MUST_CHECK;

/* The same at the point reached from s->x in a short time dt along the slope; uses s->x_new. */
gt_status gt_roots_soon(gt_run *r, double dt) GT_MUST_CHECK;

/* Whether a root has passed at the point looked at last; which ones, into s->fired. */
bool gt_root_passed(const gt_run *r);
void gt_roots_fired(gt_run *r);

/* The first point of (low, high] where a root has passed, given that one has at high; to round-off
 * in t. */
gt_status gt_root_enclose(gt_run *r, double low, double *high) GT_MUST_CHECK;
/* A point before the end of the trial where no root has passed. Not its start: a root may have come
 * to its side inside the step only, and the first trial knows when. Where the trials do not agree
 * on that, a shorter step is tried. */
gt_status gt_root_last_on_side(gt_run *r, double *low) GT_MUST_CHECK;

/* The first crossing inside the trial, at *theta. */
gt_status gt_roots_scan(gt_run *r, bool *found, double *theta) GT_MUST_CHECK;
/* Whether other roots are beyond zero inside a trial: GT_TRY_RHS, r->h is to be tried. */
gt_status gt_roots_of_others(gt_run *r) GT_MUST_CHECK;
/* Whether the switches that are watched need not be looked for in the trial. */
gt_status gt_far_from_switches(gt_run *r, bool *far) GT_MUST_CHECK;

/* graze.c; all change s->scratch and s->root_values. Root i turns at theta of the trial with the
 * value g, short of zero: a warning where the tolerance does not say whether it crosses; a status
 * above 0: the trial is to be repeated so that it ends there. */
gt_status gt_run_watch_turn(gt_run *r, size_t i, double theta, double g) GT_MUST_CHECK;
/* The same of a turn at the accepted point, where the values at the start of the trial and at the
 * first look are known; the end of the trial before it has been looked at. */
void gt_run_watch_start(gt_run *r);
void gt_run_watch_end(gt_run *r);
/* Root i, which had crossed to `side`, has come back between low and high. */
void gt_run_watch_return(gt_run *r, size_t i, int side, double low, double high);
/* Root i crossed in a trial, but does not in the one that took its place. */
void gt_run_watch_lost(gt_run *r, size_t i);
/* Whether the roots that fired have not been away from zero since the last event by more than the
 * tolerance. */
bool gt_run_stands_still(gt_run *r);
/* What a change of all states of `at` by their tolerances makes of root i, in the work space x;
 * NAN: not known. */
double gt_root_tolerance(gt_run *r, size_t i, double t, const double *at, double *x);
/* The warning alone: root i has a turn at theta, of value g. */
void gt_run_warn_graze(gt_run *r, size_t i, double theta, double g);

/* Events nearer to each other than this are crowded; and what is said of them. */
double gt_crowd_time(const gt_run *r);
gt_status gt_run_pile_up(gt_run *r) GT_MUST_CHECK;

#endif
