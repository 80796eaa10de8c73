/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_CORE_KINKS_H
#define GEARTRAIN_CORE_KINKS_H

/*
 * Kinks of f inside a step, which nothing declares. There the error and its estimate are both of
 * size h^2, times functions of where in the step the kink lies. These change their signs, so an
 * estimate within the tolerance may stand for an error of thousands of it. A method may have a
 * second estimate with zeros elsewhere, as large as the error that a kink makes. Where f is smooth
 * it is larger than the error and says nothing by itself. But there it goes on from step to step as
 * h^kink_order says, while a kink makes it grow at once. Where it grows SUDDEN times, and the first
 * estimate does not grow with it, as where the solution turns sharply or steps are at the limit of
 * stability, it counts as the error.
 *
 * All of it in squares, so that no root is drawn in the loop of many steps.
 */
#include "base/elementary.h"
#include <geartrain/author/control.h>
#include <geartrain/author/stepper.h>
#include <math.h>

/* The square of SUDDEN; second estimates of smooth steps differ by less, those of a higher order by
 * more. And the error below which a first estimate may grow as it likes. Measured on 30 smooth
 * models and 2,000 rectified sines: other numbers reject more of the one or miss more of the other.
 */
static inline double gt_sudden(const gt_stepper *s) { return s->kink_order > 4 ? 200 : 64; }
static inline double gt_little(const gt_stepper *s) { return s->kink_order > 4 ? 0.05 : 1; }

/* Squares of the last two steps, as they were at one size of the step, and the one that a step of
 * this size may have where f is smooth. */
typedef struct gt_kinks_past {
    double last, before, smooth, sudden;
} gt_kinks_past;

static inline void gt_keep_kink(gt_kinks_past *past, double kink)
{
    past->before = past->last;
    past->last = kink;
    past->smooth = past->sudden * (kink > past->before ? kink : past->before);
}

/* To another size of the step; `factor` over the one that it was. */
static inline void gt_kinks_to(gt_kinks_past *past, int order, double factor)
{
    double by = gt_whole_power(factor, 2 * order);
    past->last *= by;
    past->before *= by;
    past->smooth *= by;
}

static inline gt_kinks_past gt_kinks_at(const gt_stepper *s, double h)
{
    gt_kinks_past past = {0, 0, INFINITY, gt_sudden(s)};
    if (s->kink_h == 0) return past;
    past.last = s->kink_past[1];
    gt_keep_kink(&past, s->kink_past[0]);
    if (h != s->kink_h) gt_kinks_to(&past, s->kink_order, h / s->kink_h);
    return past;
}

/* What is known at size h goes with the stepper. */
static inline void gt_remember_kinks(gt_stepper *s, const gt_kinks_past *past, double h)
{
    s->kink_past[0] = past->last;
    s->kink_past[1] = past->before;
    s->kink_h = isinf(past->smooth) || past->last < 0 ? 0 : h;
}

/* Of a step of size h that is accepted. */
static inline void gt_remember_kink(gt_stepper *s, double h)
{
    gt_kinks_past past = gt_kinks_at(s, h);
    gt_keep_kink(&past, s->kink);
    gt_remember_kinks(s, &past, h);
}

/* The error of a trial of size h, where the usual estimate is `error`. */
static inline double gt_kink_error(const gt_stepper *s, const gt_control_memory *m, double h,
                                   double error)
{
    if (!(s->kink > 1 && s->kink > error * error)) return error;
    double smooth = gt_kinks_at(s, h).smooth;
    if (s->kink <= smooth) return error;
    double past = m->known ? m->error[0] * gt_whole_power(h / m->h_last, s->kink_order) : 0,
           grown = fmax(1, error / fmax(past, gt_little(s)));
    return s->kink > smooth * grown * grown ? sqrt(s->kink) : error;
}

#endif
