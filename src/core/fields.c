/* SPDX-License-Identifier: BSD-3-Clause */
/* f on both sides of several surfaces at once; see fields.h. */
#include "core/fields.h"
#include "core/switches.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double smallest_rest = 1e-8; /* of the sum of jumps, against their size */

size_t gt_fields_numbers(size_t n, size_t count)
{
    return (count + 2) * n + 2 * count * count + 2 * count;
}

void gt_fields_carve(gt_fields *fields, size_t n, size_t count, double *numbers)
{
    fields->n = n;
    fields->count = count;
    fields->f = numbers;
    fields->sum = fields->f + (count + 1) * n;
    fields->W = fields->sum + n;
    fields->factors = fields->W + count * count;
    fields->w = fields->factors + count * count;
    fields->a = fields->w + count;
}

gt_status gt_surface_put(gt_run *r, const gt_surfaces *on, size_t i, int side, double t,
                         const double *x, signed char *sides)
{
    assert(r && on && sides);
    assert(i < on->count);
    signed char to[GT_MOST_WATCHED];
    memcpy(to, sides, r->n_switches);
    for (size_t k = 0; k < r->n_switches; k++)
        if (abs(on->of[k]) == (int)i + 1) to[k] = (signed char)(on->of[k] > 0 ? side : -side);
    if (!memcmp(to, sides, r->n_switches)) return GT_OK;
    gt_status status = gt_switch_carry(r, t, x, sides, to, on->of);
    memcpy(sides, to, r->n_switches);
    return status;
}

/* f with these sides. */
static gt_status f_with(gt_run *r, const signed char *sides, double t, const double *x, double *f)
{
    gt_stepper *s = r->base;
    signed char kept[GT_MOST_WATCHED];
    memcpy(kept, s->switch_sides, r->n_switches);
    memcpy(s->switch_sides, sides, r->n_switches);
    gt_switch_freeze(r);
    gt_status status = gt_rhs(s, t, x, f);
    memcpy(s->switch_sides, kept, r->n_switches);
    gt_switch_freeze(r);
    return status;
}

gt_status gt_fields_look(gt_run *r, const gt_surfaces *on, double t, const double *x,
                         gt_fields *fields)
{
    assert(r && on && fields);
    assert(on->count == fields->count);
    size_t n = fields->n, m = fields->count;
    signed char base[GT_MOST_WATCHED], sides[GT_MOST_WATCHED];
    gt_status status = GT_OK;
    memcpy(base, r->base->switch_sides, r->n_switches);
    for (size_t i = 0; i < m && !status; i++) status = gt_surface_put(r, on, i, -1, t, x, base);
    if (!status) status = f_with(r, base, t, x, fields->f);
    if (!status) status = gt_switch_rates(r, on->lead, m, t, x, fields->f, fields->w);
    for (size_t i = 0; i < m && !status; i++) {
        double *d = fields->f + (i + 1) * n, *W = fields->W + i * m;
        memcpy(sides, base, r->n_switches);
        status = gt_surface_put(r, on, i, 1, t, x, sides);
        if (!status) status = f_with(r, sides, t, x, d);
        if (!status) status = gt_switch_rates(r, on->lead, m, t, x, d, W);
        for (size_t k = 0; k < n; k++) d[k] -= fields->f[k];
        for (size_t k = 0; k < m; k++) W[k] -= fields->w[k];
    }
    return status;
}

gt_status gt_fields_superpose(gt_run *r, const gt_surfaces *on, double t, const double *x,
                              gt_fields *fields, bool *superpose)
{
    assert(r && on && fields && superpose);
    size_t n = fields->n, m = fields->count;
    signed char sides[GT_MOST_WATCHED];
    gt_status status = GT_OK;
    *superpose = true;
    if (m < 2) return GT_OK;
    memcpy(sides, r->base->switch_sides, r->n_switches);
    for (size_t i = 0; i < m && !status; i++) status = gt_surface_put(r, on, i, 1, t, x, sides);
    if (!status) status = f_with(r, sides, t, x, fields->sum);
    for (size_t k = 0; k < n && !status; k++) {
        double rest = fields->sum[k] - fields->f[k], size = 0;
        for (size_t i = 1; i <= m; i++) {
            rest -= fields->f[i * n + k];
            size += fabs(fields->f[i * n + k]);
        }
        size += 1e-3 * fabs(fields->f[k]);
        if (!(fabs(rest) <= smallest_rest * size)) *superpose = false;
    }
    return status;
}

void gt_fields_mix(const gt_fields *fields, const double *a, double *f)
{
    size_t n = fields->n;
    memcpy(f, fields->f, n * sizeof *f);
    for (size_t i = 0; i < fields->count; i++)
        for (size_t k = 0; k < n; k++) f[k] += a[i] * fields->f[(i + 1) * n + k];
}
