/* SPDX-License-Identifier: BSD-3-Clause */
#include "kit/bi_dense.h"
#include "kit/half_step.h"
#include <assert.h>
#include <string.h>

gt_status gt_bi_interpolate(gt_stepper *s, const gt_lu *mass, double h, double theta, double *k,
                            double *k_new, double *x)
{
    assert(s && x);
    gt_status status = gt_slopes(s);
    if (status) return status;
    if (!mass) {
        gt_hermite(s, h, theta, x);
        return GT_OK;
    }
    assert(k && k_new);
    memcpy(k, s->f, s->n * sizeof *k);
    memcpy(k_new, s->f_new, s->n * sizeof *k);
    gt_lu_solve(mass, k);
    gt_lu_solve(mass, k_new);
    double u = 1 - theta, a = u * u * (1 + 2 * theta), b = theta * theta * (3 - 2 * theta);
    double c = h * theta * u * u, d = -h * theta * theta * u;
    for (size_t i = 0; i < s->n; i++)
        x[i] = a * s->x[i] + b * s->x_new[i] + c * k[i] + d * k_new[i];
    return GT_OK;
}

gt_status gt_bi_cubic_defect(gt_stepper *s, double h, double theta, double *q, double *k,
                             double *defect)
{
    assert(s && q && k && defect);
    assert(!s->problem->mass);
    gt_status status = gt_slopes(s);
    if (status) return status;
    gt_hermite(s, h, theta, q);
    status = gt_half_slope(s, NULL, s->t + theta * h, q, k);
    if (status) return status;
    double u = 1 - theta, on_f = u * (u - 2 * theta), on_f_new = theta * (theta - 2 * u);
    for (size_t i = 0; i < s->n; i++) {
        double along = 6 * theta * u * (s->x_new[i] - s->x[i]);
        defect[i] = h * (k[i] - on_f * s->f[i] - on_f_new * s->f_new[i]) - along;
    }
    memset(defect + s->n - s->problem->n_alg, 0, s->problem->n_alg * sizeof *defect);
    return GT_OK;
}
