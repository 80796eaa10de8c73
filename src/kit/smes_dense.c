/* SPDX-License-Identifier: BSD-3-Clause */
/* Dense output of `smes`, and how far it is off the slow manifold. */
#include "kit/explicit_rk.h"
#include "kit/smes.h"
#include "problem/norm.h"
#include <assert.h>
#include <string.h>

/* Cubic Hermite from where the stages start from, plus what dopri5 adds for its order; straight
 * before that. */
gt_status gt_smes_interpolate(gt_stepper *s, double h, double theta, double *x)
{
    assert(s && s->state && x);
    const smes_state *w = s->state;
    double lead = w->kind == CHEBYSHEV ? 0 : w->lead, H = h - lead, u = (theta * h - lead) / H,
           v = 1 - u;
    const double *start = w->kind == CHEBYSHEV ? s->x : w->x_base,
                 *slope = w->kind == CHEBYSHEV ? s->f : w->k[0];
    if (u < 0) {
        for (size_t i = 0; i < s->n; i++) x[i] = s->x[i] + theta * h / lead * (start[i] - s->x[i]);
        return GT_OK;
    }
    double a = v * v * (1 + 2 * u), b = u * u * (3 - 2 * u), c = H * u * v * v, d = -H * u * u * v;
    const double weight[] = {a, b, c, d};
    const double *const terms[] = {start, s->x_new, slope, s->f_new};
    gt_combine(s->problem, 4, weight, terms, NULL, x, s->n);
    if (w->kind == CHEBYSHEV || w->made == 3) return GT_OK;
    const gt_erk_row *row = w->dense5;
    for (int j = 0; j < SMES_MOST_STAGES; j++) {
        double of = gt_ratio_value(j < SMES_MOST_STAGES - 1 ? row->d[j] : row->d_end);
        gt_add(s->problem, s->n, H * u * u * v * v * of, w->k[j], x);
    }
    return GT_OK;
}

/* What small steps make of dense output, which they are to leave as it is: how far it is off the
 * slow manifold. */
gt_status gt_smes_dense_error(gt_stepper *s, double h, double theta, double *err)
{
    assert(s && s->state && err);
    smes_state *w = s->state;
    const double d = 1e-3;
    double *q = w->hat, *ahead = w->expected, *behind = w->change, apart = d * h;
    if (w->kind != PROJECTIVE) {
        memset(err, 0, s->n * sizeof *err);
        return GT_OK;
    }
    gt_status status = gt_smes_interpolate(s, h, theta, q);
    if (!status) status = gt_smes_interpolate(s, h, theta + d, ahead);
    if (!status) status = gt_smes_interpolate(s, h, theta - d, behind);
    for (size_t i = 0; i < s->n && !status; i++) {
        double slope = (ahead[i] - behind[i]) / (2 * apart);
        double change = (ahead[i] - 2 * q[i] + behind[i]) / (apart * apart);
        ahead[i] = slope;
        behind[i] = change;
        err[i] = q[i];
    }
    if (status) return status;
    gt_smes_step_back(s, w->small.total, ahead, behind, err);
    status = gt_smes_damp(s, s->t + theta * h, ahead, behind, err);
    for (size_t i = 0; i < s->n; i++) err[i] -= q[i];
    return status;
}
