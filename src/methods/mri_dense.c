/* SPDX-License-Identifier: BSD-3-Clause */
/* Dense output of multirate methods, see mri_inner.h. A polynomial through the ends of a slow step would miss what the
 * fast block does in between. */
#include "methods/mri_inner.h"
#include <math.h>
#include <string.h>

void gt_mri_dense_layout(mri_dense *d, gt_stepper *s, gt_arena *arena)
{
    d->at = gt_arena_doubles(arena, s->n);
    for (int j = 0; j < MRI_MOST_TERMS; j++) d->p[j] = gt_arena_doubles(arena, s->problem->n_slow);
}

/* The Hermite polynomial x + a1 theta + a2 theta^2 + a3 theta^3 over the part [from, from + part] of the step. */
static void polynomial(const mri_dense *d, const gt_stepper *s, const double *f, const double *f_end, double h,
                       double from, double part)
{
    for (size_t r = 0; r < s->problem->n_slow; r++) {
        double rise = s->x_new[r] - s->x[r];
        double a1 = h * f[r], a2 = 3 * rise - h * (2 * f[r] + f_end[r]), a3 = h * (f[r] + f_end[r]) - 2 * rise;
        d->p[0][r] = part * (a1 + from * (2 * a2 + 3 * from * a3));
        d->p[1][r] = part * part * (a2 + 3 * from * a3);
        d->p[2][r] = part * part * part * a3;
    }
}

gt_status gt_mri_dense_at(mri_dense *d, mri_inner *w, gt_stepper *s, const double *f, const double *f_end, double h,
                          int count, double theta, double *x)
{
    if (theta == 1) {
        memcpy(x, s->x_new, s->n * sizeof *x);
        return GT_OK;
    }
    if (!(d->reached >= 0 && d->reached <= theta)) {
        memcpy(d->at, s->x, s->n * sizeof *x);
        d->reached = 0;
    }
    double part = theta - d->reached, kept = w->h;
    if (part > 0) {
        polynomial(d, s, f, f_end, h, d->reached, part);
        mri_stage of = {.t = s->t + d->reached * h,
                        .length = part * h,
                        .from = d->at,
                        .terms = MRI_MOST_TERMS,
                        .p = {d->p[0], d->p[1], d->p[2]}};
        w->slope_known = false;
        gt_status status = gt_mri_inner_run(w, s, &of, (int)ceil(part * count), d->at);
        w->h = kept;
        d->reached = status ? -1 : theta;
        if (status) return status;
    }
    memcpy(x, d->at, s->n * sizeof *x);
    return GT_OK;
}
