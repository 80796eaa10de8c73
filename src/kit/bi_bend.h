/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_KIT_BI_BEND_H
#define GEARTRAIN_KIT_BI_BEND_H

/* How much a step bends: what a backinterpolation step has for an error where its estimate is
 * damped away. */
#include <geartrain/author/stepper.h>

/* The largest component of v in units of its tolerance, for the step from s->x to x_new. */
double gt_bi_in_tolerances(const gt_stepper *s, const double *v, const double *x_new);

/* x_new - x less h f_new, or less h (f + f_new)/2, whichever is larger; and its size. */
double gt_bi_bend(const gt_stepper *s, double h, const double *x, const double *x_new,
                  const double *f_new, double *bend);

#endif
