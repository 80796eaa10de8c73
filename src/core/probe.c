/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The local error of fixed steps. Nothing is rejected, but a result that means nothing is to say
 * so. Up to 24 steps, spread over the run, are made again as two half steps by a second stepper,
 * which starts anew at the same point; the difference times 2^p / (2^p - 1) is the local error of a
 * step of order p. More of them are at the start, after 0, 1, 3, 7 .. steps, where a motion that
 * the steps do not follow may be gone after a few of them. A multistep formula is compared with its
 * start, which is of a higher order. Methods that average over fast motion (GT_AVERAGES) are also
 * asked for their own estimate, since both steps leave out the same. The calls of f are not part of
 * the statistics of the run.
 *
 * An error that nothing damps stays, and so all of them add up; in a system that settles, only
 * those of the last steps. How many that are is seen from the ends of the step and of its halves,
 * both followed for some steps more. The mean of the errors times that number, and those at the
 * start each for the steps up to the next, is what they may add up to. Above a third of the size of
 * the solution the run warns; so it does where one error alone is that large and stays.
 */
#include "base/elementary.h"
#include "core/run_state.h"
#include "problem/norm.h"
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

enum { MOST_PROBES = 24, STEPS_A_PROBE = 16, FOLLOWED = 8, FOLLOWED_FAR = 40 };
static const double too_much = 0.2, too_much_early = 3; /* which may well die out */

void gt_run_begin_probes(gt_run *r)
{
    assert(r && r->plan);
    double steps = floor(gt_run_whole(r) / r->plan->h);
    double count = fmin(MOST_PROBES, 1 + floor(steps / STEPS_A_PROBE)),
           every = floor(steps / count);
    r->probe_every =
        every < 0.5 * (double)LONG_MAX ? (long)every : LONG_MAX / 2; /* `next` is up to 1.5 of it */
    r->probe_next = 0;
}

bool gt_run_probe_due(const gt_run *r) { return r->probe && r->s->stats.steps >= r->probe_next; }

/* max |a_i - b_i| / (1 + |x_i|) over differential states; b may be NULL: 0. */
static double distance(const gt_run *r, const double *a, const double *b)
{
    double most = 0;
    for (size_t i = 0; i < r->problem->n_slow + r->problem->n_fast; i++)
        most = fmax(most, fabs(a[i] - (b ? b[i] : 0)) / (1 + fabs(r->s->x_new[i])));
    return gt_most_over_ranks(r->problem, most);
}

static gt_status again(gt_run *r, double h, int steps, bool want_error)
{
    gt_stepper *q = r->probe;
    gt_stepper_start(q, r->s->t, r->s->x);
    q->t_cap = r->s->t_cap;
    gt_status status = GT_OK;
    for (int k = 0; k < steps && !status; k++) {
        status = gt_stepper_try(q, h / steps, want_error);
        if (!status && !want_error) gt_stepper_accept(q);
    }
    return status;
}

static gt_status go_on(gt_stepper *q, double h, int steps)
{
    gt_status status = GT_OK;
    for (int k = 0; k < steps && !status; k++) {
        status = gt_stepper_try(q, h, false);
        if (!status) gt_stepper_accept(q);
    }
    return status;
}

/* What is left of the error of a step some steps later: of the way from its end, and that from the
 * end of its halves. INFINITY: not known. */
static double what_stays(gt_run *r, double h, int steps)
{
    gt_stepper *s = r->s, *q = r->probe;
    double room = floor((fmin(s->t_cap, gt_run_next_stop(r)) - s->t) / h - 1.001);
    if (room < steps || again(r, h, 2, false) != GT_OK || go_on(q, h, steps) != GT_OK)
        return INFINITY;
    memcpy(s->scratch, q->x, s->n * sizeof *q->x);
    gt_stepper_start(q, s->t + h, s->x_new);
    q->t_cap = s->t_cap;
    if (go_on(q, h, steps) != GT_OK) return INFINITY;
    double left = distance(r, s->scratch, q->x);
    return isfinite(left) ? left : INFINITY;
}

/* For how many steps, of `all`, an error is felt that was `first` at its step. */
static double how_long(gt_run *r, double h, double first, double all)
{
    double left = what_stays(r, h, FOLLOWED), part = left / first;
    if (first > 0.5 * too_much) {
        double later = what_stays(r, h, FOLLOWED_FAR);
        if (isfinite(later)) r->probe_stays = fmax(r->probe_stays, later);
        if (isfinite(left)) r->probe_stays = fmax(r->probe_stays, left);
    }
    if (!(part < 1)) return all;
    return fmin(all, 1 / (1 - gt_power(part, 1.0 / FOLLOWED)));
}

/* After 0, 1, 3, 7 .. steps, and from half of `probe_every` on evenly. */
static long steps_to_next(const gt_run *r)
{
    long done = r->s->stats.steps, first = r->probe_every / 2,
         next = done < first ? (done + 1 < first - done ? done + 1 : first - done) : r->probe_every;
    return next > 0 ? next : 1;
}

void gt_run_probe(gt_run *r, double h)
{
    assert(r && r->probe);
    assert(h != 0);
    const gt_stepper *s = r->s;
    long stands_for = steps_to_next(r);
    r->probe_next = s->stats.steps + stands_for;
    if (again(r, h, 2, false) != GT_OK) return;
    double power = gt_whole_power(2, s->order), first = distance(r, r->probe->x, s->x_new),
           error = first * power / (power - 1), felt = floor(gt_run_whole(r) / r->plan->h);
    /* Without an end: for as many steps more as have been taken. */
    if (!isfinite(r->problem->t1)) felt = fmax(felt, (double)(s->stats.steps + stands_for));
    if (s->facts.flags & GT_AVERAGES && again(r, h, 1, true) == GT_OK)
        error = fmax(error, distance(r, r->probe->err, NULL));
    if (!isfinite(error)) return;
    if (first * felt > 0.1 * too_much) felt = how_long(r, h, first, felt);
    r->probes++;
    bool early = stands_for < r->probe_every;
    if (!early) r->even_probes++;
    *(early ? &r->early_sum : &r->probe_sum) += error * (early ? (double)stands_for : felt);
    r->probe_most = fmax(r->probe_most, error);
}

/* Over many swings phases are lost by any method; a symmetric one keeps amplitudes. */
static void warn_of_all(const gt_run *r, double sum)
{
    bool keeps = r->s->facts.flags & GT_SYMMETRIC && r->probe_most < too_much;
    gt_warn(r->s->warnings,
            "the local errors of the steps with h = %g, estimated at %ld of %ld, are up to %.2g of "
            "the size of the "
            "solution and may add up to %.2g of it: %s",
            r->plan->h, r->probes, r->s->stats.steps, r->probe_most, sum,
            keeps
                ? "the state at the end is not to be trusted, only what depends on amplitudes and "
                  "not on phases, as energies do; for phases try a smaller h"
                : "the result is not to be trusted; try a smaller h, or controlled steps");
}

static void warn_of_one(const gt_run *r)
{
    gt_warn(
        r->s->warnings,
        "the local error of a step with h = %g is %.2g of the size of the solution and does not "
        "die out (%.2g of it some steps later): the result is not to be trusted; try a smaller "
        "h, or controlled steps",
        r->plan->h, r->probe_most, r->probe_stays);
}

static void warn_of_start(const gt_run *r)
{
    gt_warn(r->s->warnings,
            "the steps with h = %g do not follow a fast motion at the start, with local errors up "
            "to %.2g of the size of the solution: what follows is to be trusted only if that "
            "motion dies out by itself; try a smaller h, or controlled steps",
            r->plan->h, r->probe_most);
}

void gt_run_end_probes(gt_run *r)
{
    const gt_stepper *s = r->s;
    double even = r->even_probes ? r->probe_sum / (double)r->even_probes : 0;
    if (even > 0.5 * too_much && even + r->early_sum > too_much)
        warn_of_all(r, even + r->early_sum);
    else if (r->probe_stays > too_much)
        warn_of_one(r);
    else if (r->early_sum > too_much_early)
        warn_of_start(r);
    else
        return;
    bool only_start =
        !(even > 0.5 * too_much && even + r->early_sum > too_much) && !(r->probe_stays > too_much);
    if (s->warnings && !s->warnings->left_out)
        r->probe_warning = only_start ? -s->warnings->count : s->warnings->count;
}
