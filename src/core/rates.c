/* SPDX-License-Identifier: BSD-3-Clause */
/* dg/dt of switches along f, by differences of g alone. */
#include "core/fields.h"
#include "core/switches.h"
#include <assert.h>
#include <math.h>
#include <string.h>

/* Differences of order 4, 12 dt dg/dt: about the point, and, next to a break, to one side of it. */
enum { POINTS = 4 };
typedef struct difference {
    int at[POINTS];
    double weight[POINTS];
    bool one_sided;
} difference;
static const difference about = {{1, -1, 2, -2}, {8, -8, -1, 1}, false};
static const difference ahead = {{1, 2, 3, 4}, {48, -36, 16, -3}, true};
static const difference behind = {{-1, -2, -3, -4}, {-48, 36, -16, 3}, true};

static const difference *difference_within(const gt_run *r, double t, double *dt)
{
    const gt_problem *p = r->problem;
    size_t next = r->next_break;
    while (next < p->n_breaks && p->breaks[next] <= t) next++;
    double before = next > 0 ? t - p->breaks[next - 1] : INFINITY;
    double after = next < p->n_breaks ? p->breaks[next] - t : INFINITY;
    if (fmin(before, after) > 2 * *dt) return &about;
    *dt = fmin(*dt, 0.24 * fmax(before, after));
    return before < after ? &ahead : &behind;
}

/* By points far enough apart that round-off is 1e-12 of the rate, since the motion on a surface and
 * its Jacobian are made of it, also where all states pass 0 and say nothing of the time in which g
 * changes: a part of the step, in which what the round-off of g adds to the state is then below
 * 1e-13 of g, however short the step. None of them beyond a break, where g may jump. */
gt_status gt_switch_rates(gt_run *r, const size_t *list, size_t count, double t, const double *x,
                          const double *f, double *rate)
{
    assert(r && x && f && rate);
    assert(list || !count);
    const gt_problem *p = r->problem;
    size_t n = r->base->n, n_diff = p->n_slow + p->n_fast;
    double *moved = r->base->switch_work + 2 * n, *g = r->base->switch_values, size = 0, speed = 0;
    double here[GT_MOST_WATCHED] = {0}; /* subtracted, so that what stands still is 0 */
    for (size_t i = 0; i < n_diff; i++) {
        size = fmax(size, fabs(x[i]));
        speed = fmax(speed, fabs(f[i]));
    }
    double dt = 1e-2 * gt_run_whole(r);
    if (size > 0 && speed > 0) dt = fmin(dt, size / speed);
    dt = fmax(5e-4 * dt, 3e-3 * fabs(r->s->h));
    memcpy(moved, x, n * sizeof *x);
    const difference *points = difference_within(r, t, &dt);
    gt_status status = GT_OK;
    for (size_t k = 0; k < count; k++) rate[k] = 0;
    if (points->one_sided) {
        status = p->switches(t, x, g, p->ctx);
        for (size_t k = 0; k < count; k++) here[k] = g[r->base->switch_numbers[list[k]]];
    }
    for (int j = 0; j < POINTS && !status; j++) {
        double away = points->at[j] * dt;
        for (size_t i = 0; i < n_diff; i++) moved[i] = x[i] + away * f[i];
        status = p->switches(t + away, moved, g, p->ctx);
        for (size_t k = 0; k < count; k++)
            rate[k] += points->weight[j] * (g[r->base->switch_numbers[list[k]]] - here[k]);
    }
    for (size_t k = 0; k < count; k++) rate[k] /= 12 * dt;
    return status;
}
