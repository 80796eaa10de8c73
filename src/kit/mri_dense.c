/* SPDX-License-Identifier: BSD-3-Clause */
/* Dense output of multirate methods, see mri_inner.h. A polynomial through the ends of a slow step
 * would miss what the fast block does in between. */
#include "kit/mri_inner.h"
#include <assert.h>
#include <math.h>
#include <string.h>

void gt_mri_dense_layout(mri_dense *d, gt_stepper *s, gt_arena *arena)
{
    assert(d && s && arena);
    d->gap = gt_arena_doubles(arena, s->n);
    d->at = gt_arena_doubles(arena, s->n);
    for (int j = 0; j < MRI_MOST_TERMS; j++) d->p[j] = gt_arena_doubles(arena, s->problem->n_slow);
}

/* The Hermite polynomial x + a1 theta + a2 theta^2 + a3 theta^3 over the part [0, theta] of the
 * step. */
static void polynomial(const mri_dense *d, const gt_stepper *s, const double *f,
                       const double *f_end, double h, double theta)
{
    for (size_t r = 0; r < s->problem->n_slow; r++) {
        double rise = s->x_new[r] - s->x[r];
        d->p[0][r] = theta * h * f[r];
        d->p[1][r] = theta * theta * (3 * rise - h * (2 * f[r] + f_end[r]));
        d->p[2][r] = theta * theta * theta * (h * (f[r] + f_end[r]) - 2 * rise);
    }
}

static gt_status run_to(const mri_dense *d, mri_inner *w, gt_stepper *s, const double *f,
                        const double *f_end, double h, int count, double theta, double *x)
{
    double kept = w->now.h;
    polynomial(d, s, f, f_end, h, theta);
    mri_stage of = {.t = s->t,
                    .length = theta * h,
                    .from = x,
                    .terms = MRI_MOST_TERMS,
                    .p = {d->p[0], d->p[1], d->p[2]}};
    memcpy(x, s->x, s->n * sizeof *x);
    w->slope_known = false;
    gt_status status = gt_mri_inner_run(w, s, &of, (int)ceil(theta * count), x);
    w->now.h = kept;
    return status;
}

gt_status gt_mri_dense_at(mri_dense *d, mri_inner *w, gt_stepper *s, const double *f,
                          const double *f_end, double h, int count, double theta, double *x)
{
    assert(d && w && s && f && f_end && x);
    assert(theta >= 0 && theta < 2); /* an event may lie a little beyond the end */
    gt_status status = GT_OK;
    if (!d->gap_known) {
        status = run_to(d, w, s, f, f_end, h, count, 1, d->gap);
        if (status) return status;
        for (size_t i = 0; i < s->n; i++) d->gap[i] = s->x_new[i] - d->gap[i];
        d->gap_known = true;
    }
    if (theta == 0 || theta == 1) {
        memcpy(x, theta == 0 ? s->x : s->x_new, s->n * sizeof *x);
        return GT_OK;
    }
    /* x may be the scratch through which blocks are evaluated that are parts of full calls. */
    status = run_to(d, w, s, f, f_end, h, count, theta, d->at);
    for (size_t i = 0; i < s->n && !status; i++) x[i] = d->at[i] + theta * d->gap[i];
    return status;
}
