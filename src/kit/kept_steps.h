/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_KIT_KEPT_STEPS_H
#define GEARTRAIN_KIT_KEPT_STEPS_H

/* run_kept of one-step methods: controlled steps of one size in one loop, without a detour through
 * the loop of a run.
 */
#include "base/weighted_sum.h"
#include "core/kinks.h"
#include "problem/norm.h"
#include <float.h>
#include <geartrain/author/stepper.h>
#include <math.h>

/* One trial from s->x to s->x_new with its error in s->err; `numbers` are those of the method. */
typedef gt_status gt_kept_trial(gt_stepper *s, const void *numbers, double h, size_t n);

/* Component i of the second estimate of that trial, core/kinks.h, over h. */
typedef double gt_kept_kink(const gt_stepper *s, const void *numbers, size_t i);

/* E^2 as the loop measures E, src/core/measure.c, in the same order; with `kinks` s->kink by the
 * way, unless the trial has left it. */
GT_INLINE double gt_squared_error(gt_stepper *s, gt_kept_kink *kinks, const void *numbers, double h,
                                  size_t n)
{
    const double *err = s->err;
    double strict = s->strictness * s->strictness;
    if (n > GT_MANY_STATES) return gt_error_square_many(s, err, n) * strict;
    double sum = 0, kink = 0;
    GT_UNROLL for (size_t i = 0; i < n; i++)
    {
        double a = fabs(s->x[i]), b = fabs(s->x_new[i]);
        double weight = gt_weight(s, i, a > b ? a : b), scaled = err[i] / weight;
        sum += scaled * scaled + (b - b);
        if (kinks) {
            double second = kinks(s, numbers, i) / weight;
            kink += second * second;
        }
    }
    if (kinks) s->kink = h * h * (kink * (1.0 / (double)n) * strict);
    return sum * (1.0 / (double)n) * strict;
}

/* Steps of one size h that the controller keeps; squares of the last two errors, -1: none. */
typedef struct gt_stretch {
    double last, before;
    long count;
} gt_stretch;

static inline void gt_remember_stretch(gt_stretch *w, const gt_pace *pace, double h)
{
    if (!w->count) return; /* nor is the root of -1 drawn, which raises FE_INVALID */
    double errors[2] = {sqrt(w->last), w->count > 1 ? sqrt(w->before) : pace->memory->error[0]};
    gt_control_kept(pace->memory, errors, h, w->count);
    *w = (gt_stretch){-1, -1, 0};
}

/* The step after one of size h with an error that does not keep it; 0: the loop of the run has to
 * see to it. */
static __attribute__((noinline)) double gt_next_pace(const gt_pace *p, gt_stretch *w, double square,
                                                     double t, double h)
{
    double error = sqrt(square);
    gt_remember_stretch(w, p, h);
    if (!p->adapts || !(error <= 1)) return 0;
    gt_verdict v = gt_control_judge(p->control, p->memory, error, p->q, h, 0);
    bool ours = v.h_next <= p->h_most && v.h_next >= p->h_least && v.h_next >= 1e-8 * fabs(t + h) &&
                t + h + 3 * v.h_next < p->end;
    if (!v.accept || !ours) return 0;
    gt_control_remember(p->memory, h);
    return v.h_next;
}

/* Squares are compared, a little inside the band: at its edges the controller decides, by the root
 * that is not drawn here. With `last_is_slope` a trial leaves the slope at the end in s->f_new. */
GT_INLINE gt_status gt_kept_steps(gt_stepper *s, gt_kept_trial *trial, gt_kept_kink *kinks,
                                  const void *numbers, bool last_is_slope, gt_pace *p, size_t n)
{
    double low = p->memory->keep_from, high = p->memory->keep_to;
    double from = low * low * (1 + 1e-14), to = high * high * (1 - 1e-14);
    double h = p->h, square = 0;
    gt_kinks_past kinks_past = gt_kinks_at(s, h);
    gt_stretch kept = {-1, -1, 0};
    gt_status status;
    for (long count = 0;; count++) {
        status = trial(s, numbers, h, n);
        if (status) break;
        square = gt_squared_error(s, kinks, numbers, h, n);
        if (s->kink > kinks_past.smooth && s->kink > square && s->kink > 1) break;
        if (count >= p->most || !(s->t + 3 * h < p->end)) break;
        double h_next = h;
        if (square > from && square < to) {
            kept.before = kept.last;
            kept.last = square;
            kept.count++;
        } else {
            h_next = gt_next_pace(p, &kept, square, s->t, h);
            if (h_next == 0) break;
        }
        double *x = s->x, *f = s->f;
        s->x = s->x_new;
        s->x_new = x;
        if (last_is_slope) {
            s->f = s->f_new;
            s->f_new = f;
        }
        s->f_known = last_is_slope;
        gt_keep_kink(&kinks_past, s->kink);
        if (h_next != h) gt_kinks_to(&kinks_past, s->kink_order, h_next / h);
        s->t += h;
        s->stats.steps++;
        h = h_next;
    }
    gt_remember_stretch(&kept, p, h);
    gt_remember_kinks(s, &kinks_past, h);
    p->h = s->h = h;
    p->error = sqrt(square);
    return status;
}

/* A step is compiled once for each small n, and once for all others; only so where size is what
 * matters (-Os), with the same bits. */
#ifdef __OPTIMIZE_SIZE__
#define GT_FOR_SMALL_N(FUNCTION, ...) return FUNCTION(__VA_ARGS__, s->n);
#else
#define GT_FOR_SMALL_N(FUNCTION, ...)                                                              \
    switch (s->n) {                                                                                \
    case 1:                                                                                        \
        return FUNCTION(__VA_ARGS__, 1);                                                           \
    case 2:                                                                                        \
        return FUNCTION(__VA_ARGS__, 2);                                                           \
    case 3:                                                                                        \
        return FUNCTION(__VA_ARGS__, 3);                                                           \
    case 4:                                                                                        \
        return FUNCTION(__VA_ARGS__, 4);                                                           \
    case 5:                                                                                        \
        return FUNCTION(__VA_ARGS__, 5);                                                           \
    case 6:                                                                                        \
        return FUNCTION(__VA_ARGS__, 6);                                                           \
    case 7:                                                                                        \
        return FUNCTION(__VA_ARGS__, 7);                                                           \
    case 8:                                                                                        \
        return FUNCTION(__VA_ARGS__, 8);                                                           \
    default:                                                                                       \
        return FUNCTION(__VA_ARGS__, s->n);                                                        \
    }
#endif

#endif
