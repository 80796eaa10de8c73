/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_KIT_KEPT_STEPS_H
#define GEARTRAIN_KIT_KEPT_STEPS_H

/* run_kept of one-step methods: controlled steps of one size in one loop, without a detour through
 * the loop of a run.
 */
#include "core/norm.h"
#include "kit/weighted_sum.h"
#include <geartrain/author/stepper.h>
#include <math.h>

/* One trial from s->x to s->x_new with its error in s->err; `numbers` are those of the method. */
typedef gt_status gt_kept_trial(gt_stepper *s, const void *numbers, double h, size_t n);

/* E^2 as the loop measures E, src/core/measure.c, in the same order. */
GT_INLINE double gt_squared_error(const gt_stepper *s, const double *err, size_t n)
{
    if (n > GT_MANY_STATES) return gt_error_square_many(s, err, n);
    double sum = 0;
    _Pragma("GCC unroll 16") for (size_t i = 0; i < n; i++)
    {
        double a = fabs(s->x[i]), b = fabs(s->x_new[i]);
        double scaled = err[i] / gt_weight(s, i, a > b ? a : b);
        sum += scaled * scaled + (b - b);
    }
    return sum * (1.0 / (double)n);
}

/* Squares are compared, a little inside the band: at its edges the loop decides, by the root that
 * is not drawn here. With `last_is_slope` a trial leaves the slope at the end in s->f_new. */
GT_INLINE gt_status gt_kept_steps(gt_stepper *s, gt_kept_trial *trial, const void *numbers,
                                  bool last_is_slope, double h, double end, double low, double high,
                                  long most, double *errors, size_t n)
{
    double from = low * low * (1 + 1e-14), to = high * high * (1 - 1e-14);
    double last = -1, before = -1; /* squares of accepted errors */
    gt_status status;
    for (long count = 0;; count++) {
        status = trial(s, numbers, h, n);
        if (status) break;
        double square = gt_squared_error(s, s->err, n);
        errors[0] = square;
        if (!(square > from && square < to && count < most && s->t + 3 * h < end)) break;
        before = last;
        last = square;
        double *x = s->x, *f = s->f;
        s->x = s->x_new;
        s->x_new = x;
        if (last_is_slope) {
            s->f = s->f_new;
            s->f_new = f;
        }
        s->f_known = last_is_slope;
        s->t += h;
        s->stats.steps++;
    }
    errors[0] = sqrt(errors[0]);
    if (last >= 0) errors[2] = before >= 0 ? sqrt(before) : errors[1];
    if (last >= 0) errors[1] = sqrt(last);
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
