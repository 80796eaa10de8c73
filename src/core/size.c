/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The default of the absolute tolerance. It is meant for states of size 1; where all are far
 * smaller, amounts of substance in mol say, it would be above them, and any result would pass. So
 * it follows the largest state that the run has met, from the initial values on, until that is 1.
 * All initial values 0: the size that f there leads to over the span. States of ordinary size, and
 * a size that the problem gives, leave it alone.
 *
 * It is one tolerance for all states. A state far smaller than the others may stay below it, which
 * then says nothing of that state's digits: a run warns of those that matter, given that they were
 * not 0 at the start, that an event has set them, or that they keep what they have (a state that
 * relaxes at once follows the others, whatever its error) and f would be another one without them.
 */
#include "base/sized.h"
#include "core/run_state.h"
#include "problem/norm.h"
#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* states of this size and more keep the tolerance for size 1 */
static const double ordinary = 1e-3;
static const double rounded_zero = 1.2 * DBL_EPSILON; /* of states up to 1: sin(2 pi) is 0 */
static const double nothing = 1e-30; /* an f that leads to less than this is taken for round-off */

double gt_typical_size_sized(const gt_problem *p, size_t p_size)
{
    GT_WIDEN_QUIETLY(gt_problem, p);
    if (!p) return NAN;
    if (p->typical > 0) return p->typical;
    double size = gt_most_over_ranks(p, p->x0 ? gt_largest(p->x0, gt_problem_size(p)) : 0);
    return size > 0 && size < ordinary ? size : 1;
}

double gt_default_atol_sized(const gt_problem *p, size_t p_size, double rtol)
{
    return 1e-3 * rtol * gt_typical_size_sized(p, p_size);
}

static double atol_of(const gt_stepper *s, size_t i)
{
    return s->atol_vector ? s->atol_vector[i] : s->atol;
}

/* The size that f at the start leads to, or 1. */
static double size_by_slope(gt_run *r)
{
    gt_stepper *s = r->s;
    if (r->problem->mass || gt_slope(s) != GT_OK) return 1;
    size_t n = r->problem->n_slow + r->problem->n_fast;
    double slope = gt_largest_over_ranks(r->problem, s->f, n);
    if (r->slide) { /* what is held may stand still: also f on one side, which pushes to it */
        if (gt_rhs(r->base, s->t, s->x, s->scratch)) return 1;
        slope = fmax(slope, gt_largest_over_ranks(r->problem, s->scratch, n));
    }
    double size = slope * gt_run_whole(r);
    return size > nothing && size < ordinary ? size : 1;
}

void gt_run_begin_size(gt_run *r)
{
    assert(r && r->s);
    gt_stepper *s = r->s;
    bool own = !(r->plan->atol > 0) && !s->atol_vector && !(r->problem->typical > 0);
    if (own) {
        double size = gt_largest_over_ranks(r->problem, s->x, s->n);
        if (size == 0) size = size_by_slope(r);
        if (size < ordinary) {
            r->size = size;
            s->atol = 1e-3 * s->rtol * size;
        }
    }
    if (r->problem->ranks) return; /* who asks f about one state asks on one rank only */
    double round_off = rounded_zero * fmin(1, gt_largest(s->x, s->n));
    for (size_t i = 0; i < s->n && r->n_small < GT_MOST_SMALL; i++) {
        if (fabs(s->x[i]) > atol_of(s, i)) continue;
        r->seen[r->n_small] = fabs(s->x[i]);
        r->given[r->n_small] = fabs(s->x[i]) > round_off;
        r->small[r->n_small++] = i;
    }
}

void gt_run_follow_size(gt_run *r)
{
    assert(r && r->s);
    gt_stepper *s = r->s;
    double size = fmin(1, gt_largest_over_ranks(r->problem, s->x, s->n));
    if (!(size > r->size)) return;
    r->size = size;
    s->atol = 1e-3 * s->rtol * size;
}

void gt_run_watch_small(gt_run *r)
{
    assert(r && r->n_small >= 0);
    const gt_stepper *s = r->s;
    int kept = 0;
    for (int k = 0; k < r->n_small; k++) {
        size_t i = r->small[k];
        double x = fabs(s->x[i]);
        if (x > atol_of(s, i)) continue;
        r->small[kept] = i;
        r->given[kept] = r->given[k];
        r->seen[kept++] = fmax(r->seen[k], x);
    }
    r->n_small = kept;
}

void gt_run_given_small(gt_run *r)
{
    assert(r && r->n_small >= 0);
    for (int k = 0; k < r->n_small; k++)
        if (fabs(r->s->x[r->small[k]]) > r->seen[k]) r->given[k] = true;
    gt_run_watch_small(r);
}

/* Whether state i does not relax within the run and f at the end is another one without it, by more
 * than the tolerance of its other rows over the run. */
static bool feeds(const gt_run *r, size_t i, double size)
{
    gt_stepper *s = r->s;
    const gt_problem *p = r->problem;
    double *x = s->x_new, *with = s->f_new, *without = s->scratch, span = s->t - p->t0;
    if (s->method->one_slope || !(span > 0)) return false;
    memcpy(x, s->x, s->n * sizeof *x);
    x[i] = size;
    if (p->rhs(s->t, x, with, p->ctx) != GT_OK) return false;
    x[i] = 0;
    if (p->rhs(s->t, x, without, p->ctx) != GT_OK) return false;
    if (fabs(with[i] - without[i]) * span > 100 * size) return false;
    for (size_t j = 0; j < s->n; j++)
        if (j != i &&
            fabs(with[j] - without[j]) > 0.1 * fabs(with[j]) + 10 * gt_weight(s, j, s->x[j]) / span)
            return true;
    return false;
}

void gt_run_warn_small(gt_run *r)
{
    const gt_stepper *s = r->s;
    char buffer[24];
    size_t first = 0;
    int count = 0;
    double seen = 0;
    gt_run_watch_small(r);
    for (int k = 0; k < r->n_small; k++) {
        size_t i = r->small[k];
        if (r->seen[k] == 0 || (!r->given[k] && !feeds(r, i, r->seen[k]))) continue;
        if (!count++) first = i, seen = r->seen[k];
    }
    if (!count) return;
    const char *name = gt_problem_state_name(r->problem, first, buffer);
    char others[48] = "";
    if (count > 1) snprintf(others, sizeof others, ", and so did %d more", count - 1);
    gt_warn(s->warnings,
            "%s stayed below its absolute tolerance (%.3g at most, atol = %.3g)%s: the tolerance "
            "says nothing of its "
            "digits; if they matter give it one of its own, such as --atol %s=%.0e",
            name, seen, atol_of(s, first), others, name, 1e-3 * s->rtol * seen);
}
