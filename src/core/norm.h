/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_CORE_NORM_H
#define GEARTRAIN_CORE_NORM_H

/*
 * The error of a trial in units of the tolerance: the root mean square over the components, but at
 * least a tenth of the largest. The mean alone would let a single component among n be wrong by
 * sqrt(n) times the tolerance in every step; up to n = 100 the two are the same.
 */
#include <geartrain/author/stepper.h>
#include <math.h>

enum { GT_MANY_STATES = 100 };

/* The square of that; NaN when err or x_new is not finite. */
static inline double gt_error_square_many(const gt_stepper *s, const double *err, size_t n)
{
    double sum = 0, worst = 0;
    for (size_t i = 0; i < n; i++) {
        double a = fabs(s->x[i]), b = fabs(s->x_new[i]);
        double scaled = err[i] / gt_weight(s, i, a > b ? a : b), square = scaled * scaled;
        sum += square + (b - b);
        worst = square > worst ? square : worst;
    }
    double mean = sum * (1.0 / (double)n), least = worst * (1.0 / GT_MANY_STATES);
    return mean < least ? least : mean;
}

#endif
