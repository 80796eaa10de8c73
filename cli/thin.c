/* SPDX-License-Identifier: BSD-3-Clause */
/* Fewer points of a curve, and the same picture. */
#include "thin.h"
#include <math.h>

/* The points from .. to-1, which are in one column. */
static void keep_extremes(const double *y, size_t from, size_t to, bool *keep)
{
    size_t low = to, high = to, first = to, last = to, gap = to, last_gap = to;
    for (size_t k = from; k < to; k++) {
        if (!isfinite(y[k])) {
            if (gap == to) gap = k;
            last_gap = k;
            continue;
        }
        if (first == to) first = low = high = k;
        last = k;
        if (y[k] < y[low]) low = k;
        if (y[k] > y[high]) high = k;
    }
    if (first != to) keep[first] = keep[low] = keep[high] = keep[last] = true;
    if (gap != to) keep[gap] = keep[last_gap] = true;
}

void gt_thin_columns(size_t count, const double *x, const double *y, bool *keep)
{
    for (size_t from = 0, to; from < count; from = to) {
        double column = floor(x[from]);
        for (to = from + 1; to < count && floor(x[to]) == column; to++) continue;
        keep_extremes(y, from, to, keep);
    }
}

static bool is_gap(int dimensions, const double *const *p, size_t k)
{
    for (int d = 0; d < dimensions; d++)
        if (!isfinite(p[d][k])) return true;
    return false;
}

/* Distance of point k from the piece of a line from a to b. */
static double distance(int dimensions, const double *const *p, size_t a, size_t b, size_t k)
{
    double along = 0, length = 0, far = 0;
    for (int d = 0; d < dimensions; d++) {
        along += (p[d][k] - p[d][a]) * (p[d][b] - p[d][a]);
        length += (p[d][b] - p[d][a]) * (p[d][b] - p[d][a]);
    }
    double part = length > 0 ? fmin(fmax(along / length, 0), 1) : 0;
    for (int d = 0; d < dimensions; d++) {
        double off = p[d][k] - p[d][a] - part * (p[d][b] - p[d][a]);
        far += off * off;
    }
    return sqrt(far);
}

/* Point by point a longer line is tried; where one in between would be off it, it ends at the point
 * before. */
void gt_thin_straight(size_t count, int dimensions, const double *const *p, double tolerance,
                      bool *keep)
{
    enum { LONGEST = 64 };
    size_t between[LONGEST], used = 0, anchor = count;
    for (size_t k = 0; k < count; k++) {
        if (!keep[k]) continue;
        if (anchor == count || is_gap(dimensions, p, k) || is_gap(dimensions, p, anchor)) {
            anchor = k;
            used = 0;
            continue;
        }
        bool fits = used < LONGEST;
        for (size_t i = 0; fits && i < used; i++)
            fits = distance(dimensions, p, anchor, k, between[i]) <= tolerance;
        if (!fits) { /* the last one tried stays, and the line goes on from it */
            anchor = between[used - 1];
            keep[anchor] = true;
            used = 0;
        }
        between[used++] = k;
        keep[k] = false;
        /* Whether it goes is seen at the next one; the last one of a piece stays. */
        size_t next = k + 1;
        while (next < count && !keep[next]) next++;
        if (next == count || is_gap(dimensions, p, next)) keep[k] = true;
    }
}
