/* SPDX-License-Identifier: BSD-3-Clause */
#include "kit/bi_bend.h"
#include <assert.h>
#include <math.h>

double gt_bi_in_tolerances(const gt_stepper *s, const double *v, const double *x_new)
{
    assert(s && v && x_new);
    double most = 0;
    for (size_t i = 0; i < s->n - s->problem->n_alg; i++)
        most = fmax(most, fabs(v[i]) / gt_weight(s, i, fmax(fabs(s->x[i]), fabs(x_new[i]))));
    return most;
}

static double bend_beside(const gt_stepper *s, double h, const double *x, const double *x_new,
                          const double *f_new, double weight, double *bend)
{
    size_t n_diff = s->n - s->problem->n_alg;
    for (size_t i = n_diff; i < s->n; i++) bend[i] = 0; /* they follow from the others */
    for (size_t i = 0; i < n_diff; i++)
        bend[i] = x_new[i] - x[i] - h * ((1 - weight) * s->f[i] + weight * f_new[i]);
    return gt_bi_in_tolerances(s, bend, x_new);
}

double gt_bi_bend(const gt_stepper *s, double h, const double *x, const double *x_new,
                  const double *f_new, double *bend)
{
    assert(s && x && x_new && f_new && bend);
    assert(h != 0);
    double beside_mean = bend_beside(s, h, x, x_new, f_new, 0.5, bend);
    double beside_end = bend_beside(s, h, x, x_new, f_new, 1, bend);
    return beside_end >= beside_mean ? beside_end : bend_beside(s, h, x, x_new, f_new, 0.5, bend);
}
