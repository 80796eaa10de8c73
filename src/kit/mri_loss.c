/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the inner steps of a slow step lose, see mri_inner.h. Each step of an implicit inner method
 * may have a share of the tolerance, not in proportion to its length: where the fast block decays,
 * only the last of these errors are left at the end. Where it swings all of them are. So
 *
 * 1. lost = left S, with S the sum of the errors of the inner steps and left the part of it that
 *    was there at the end of the slow step when this was looked at last;
 * 2. where that is beyond `inner_fraction` of the tolerance, or left is old, the fast block is
 *    integrated once more along the same slow path with a share LOOSER times as large. What comes
 *    out differs by LOOSER - 1 times what is lost, since errors go with the tolerance; left is the
 *    ratio to S, but at least half of what it was, since errors that swing may cancel by chance;
 * 3. where it is lost beyond that fraction, the trial is begun anew with a smaller share; S <=
 *    inner_fraction is always enough, so that a block that swings comes to rest there and costs no
 *    second integration any more.
 *
 * Inner steps of equal size in a controlled run (the option, or an inner method without an
 * estimate): half or twice as many steps, and the difference by the order of the inner method is
 * added to the error of the trial.
 */
#include "kit/mri_inner.h"
#include "problem/norm.h"
#include <assert.h>
#include <math.h>

enum { LOOSER = 8, MOST_BEGINNINGS = 6, MOST_AGE = 8 };
static const double aim = 0.6;

void gt_mri_inner_restart(mri_inner *w)
{
    assert(w);
    w->now = w->accepted = (mri_pace){.share = w->fraction, .left = 1, .age = MOST_AGE};
}

void gt_mri_inner_begin(mri_inner *w, double H)
{
    assert(w);
    w->now = w->accepted;
    w->slope_known = false;
    w->span = H;
    w->lost = 0;
    w->beginnings = 0;
}

void gt_mri_inner_accept(mri_inner *w)
{
    assert(w);
    double lost = w->now.left * w->lost;
    if (w->stepper && lost < aim * w->fraction)
        w->now.share = fmin(w->fraction, w->now.share * fmin(2, aim * w->fraction / lost));
    w->now.age++;
    w->accepted = w->now;
}

static gt_status run_again(mri_inner *w, gt_stepper *s, const mri_trial *of, int count)
{
    mri_pace kept = w->now;
    double lost = w->lost;
    w->slope_known = false;
    w->now.share *= LOOSER;
    gt_status status = of->again(s, of->H, count, of->beside);
    w->slope_known = false;
    w->now = kept;
    w->lost = lost;
    return status;
}

/* The difference of the two in units of the tolerance. */
static double difference(const gt_stepper *s, const mri_trial *of)
{
    size_t first = s->problem->n_slow, n = s->problem->n_fast;
    double sum = 0;
    for (size_t r = first; r < first + n; r++) {
        double a = of->x_new[r], d = (of->beside[r] - a) / gt_weight(s, r, a);
        sum += d * d;
    }
    return sqrt(gt_mean(s->problem, sum, n));
}

/* Into `beside` of the fast block. */
static gt_status of_equal_steps(mri_inner *w, gt_stepper *s, const mri_trial *of)
{
    int other = of->count > 1 ? of->count / 2 : 2;
    gt_status status = run_again(w, s, of, other);
    double factor = fabs(pow((double)of->count / other, w->order) - 1);
    if (other > of->count) factor = 1 - pow(0.5, w->order);
    for (size_t r = s->problem->n_slow; r < s->n && !status; r++)
        of->beside[r] = (of->x_new[r] - of->beside[r]) / factor;
    return status;
}

gt_status gt_mri_loss(mri_inner *w, gt_stepper *s, const mri_trial *of, bool *enough)
{
    assert(w && s && of && enough);
    *enough = true;
    if (of->count) return of_equal_steps(w, s, of);
    if (!w->stepper || w->lost <= w->fraction) return GT_OK;
    if (w->now.left * w->lost <= w->fraction && w->now.age < MOST_AGE) return GT_OK;
    gt_status status = run_again(w, s, of, 0);
    if (status) return status;
    double lost = difference(s, of) / (LOOSER - 1);
    if (!isfinite(lost)) return GT_TRY_NOT_FINITE;
    w->now.left = fmin(1, fmax(lost / w->lost, w->now.left / 2));
    w->now.age = 0;
    if (lost <= w->fraction) return GT_OK;
    if (++w->beginnings == MOST_BEGINNINGS || w->now.share < w->least) return GT_TRY_RHS;
    w->now.share *= fmax(aim * w->fraction / lost, 0.01);
    w->now.h = 0;
    w->lost = 0;
    *enough = false;
    return GT_OK;
}

void gt_mri_loss_add(const gt_stepper *s, const mri_trial *of, double *err)
{
    assert(s && of && err);
    for (size_t r = s->problem->n_slow; r < s->n && of->count; r++)
        err[r] = fabs(err[r]) + fabs(of->beside[r]);
}
