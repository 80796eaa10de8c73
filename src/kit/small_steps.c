/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chebyshev-spaced small steps; see small_steps.h. Their order matters: taken as they come, a part
 * of the product would be huge before the rest makes it small. The order of Lebedev and Finogenov
 * (1971) keeps all parts of it bounded: with odd numbers theta_i, 1/tau_i = (high + low)/2 - (high
 * - low)/2 cos(pi theta_i/(2 K)), and
 *
 *     K -> 2 K:     theta_i -> theta_i, 4 K - theta_i
 *     2 K -> 2 K + 1:   theta_i -> theta_i, or theta_i + 2 from 2 K + 1 on;   the last is 2 K + 1
 */
#include "kit/small_steps.h"
#include "base/elementary.h"
#include <assert.h>
#include <geartrain/author/number.h>
#include <math.h>

static const double ODD_ENOUGH =
    0.9; /* a contraction above this takes too many steps to be of use */

/* How far off an eigenvalue may be, relative to its size: differences give six digits, and no more
 * than the residual says. */
static double doubt(const gt_fast_modes *m, int i, double width)
{
    return fmax(fmax(1e-6, width), 3 * m->residual[i] / gt_mode_size(m, i));
}

/* Values with a large residual need not be near any eigenvalue: they also fall into gaps. */
static bool counts(const gt_fast_modes *m, int i)
{
    return m->residual[i] < 0.5 * gt_mode_size(m, i);
}

gt_fast_part gt_fast_part_of(const gt_fast_modes *m, double above, double width)
{
    assert(m);
    assert(above >= 0 && width >= 0);
    gt_fast_part part = {.kind = GT_FAST_NONE};
    double swing = 0;
    int count = 0;
    above = fmax(above, m->noise);
    while (count < m->count && gt_mode_size(m, count) > above) count++;
    for (int i = 0; i < count; i++) {
        if (!counts(m, i)) continue;
        double size = gt_mode_size(m, i), slant = m->re[i] > 0 ? INFINITY : fabs(m->im[i]) / size;
        part.high = fmax(part.high, size * (1 + fmin(fmax(0.05, width), doubt(m, i, width))));
        part.low = size * (1 - fmin(0.5, doubt(m, i, width)));
        swing = fmax(swing, slant);
    }
    if (part.high == 0) return part;
    part.kind = GT_FAST_REAL;
    if (swing < 0.05) return part;
    for (int i = 0; i < count; i++)
        if (counts(m, i))
            part.contraction =
                fmax(part.contraction, hypot(1 + m->re[i] / part.high, m->im[i] / part.high));
    part.kind = part.contraction < ODD_ENOUGH ? GT_FAST_DAMPED : GT_FAST_OSCILLATING;
    return part;
}

static void set_order(int K, int *theta)
{
    int bits = 0, now = 1;
    while (K >> (bits + 1)) bits++;
    theta[0] = 1;
    for (int b = bits - 1; b >= 0; b--) {
        for (int i = now - 1; i >= 0; i--) {
            int first = theta[i];
            theta[2 * i] = first;
            theta[2 * i + 1] = 4 * now - first;
        }
        now *= 2;
        if (K >> b & 1) {
            for (int i = 0; i < now; i++)
                if (theta[i] > now) theta[i] += 2;
            theta[now] = now + 1;
            now++;
        }
    }
}

static void set_steps(gt_small_steps *d)
{
    int theta[GT_MOST_SMALL_STEPS];
    double middle = (d->high + d->low) / 2, half = (d->high - d->low) / 2;
    if (!d->even) set_order(d->count, theta);
    d->total = 0;
    for (int i = 0; i < d->count; i++) {
        d->tau[i] =
            d->even ? 1 / d->high : 1 / (middle - half * cos(GT_PI * theta[i] / (2 * d->count)));
        d->total += d->tau[i];
    }
    double left = d->total;
    d->moment = 0;
    for (int i = 0; i < d->count; left -= d->tau[i], i++) d->moment += d->tau[i] * left;
}

bool gt_small_steps_make(gt_small_steps *d, const gt_fast_part *part, double factor)
{
    assert(d && part);
    assert(d->tau);
    bool even = part->kind == GT_FAST_DAMPED;
    double steps = even ? gt_log(factor) / gt_log(part->contraction)
                        : acosh(fmax(1, 1 / factor)) /
                              acosh((part->high + part->low) / (part->high - part->low));
    if (!(steps <= GT_MOST_SMALL_STEPS)) return false;
    int count = steps > 1 ? (int)ceil(steps) : 1;
    if (d->count == count && d->low == part->low && d->high == part->high && d->even == even)
        return true;
    d->count = count;
    d->low = part->low;
    d->high = part->high;
    d->even = even;
    set_steps(d);
    return true;
}
