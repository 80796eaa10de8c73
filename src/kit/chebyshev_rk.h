/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_KIT_CHEBYSHEV_RK_H
#define GEARTRAIN_KIT_CHEBYSHEV_RK_H

#include <geartrain/author/stepper.h>

/* f at a time `after` the beginning of the step. */
typedef gt_status gt_chebyshev_fn(double after, const double *y, double *f, void *ctx);

/*
 * The stages of one step, as below, of n states from x with slope f to x_new, by the threads of p.
 */
gt_status gt_chebyshev_advance(const gt_problem *p, int stages, double h, size_t n,
                               gt_chebyshev_fn *slope, void *ctx, const double *x, const double *f,
                               double *x_new, double *a, double *b) GT_MUST_CHECK;

/*
 * One step of the second-order Runge-Kutta-Chebyshev method of Sommeijer, Shampine and Verwer (J.
 * Comput. Appl. Math. 88, 1998): s stages make it stable for real eigenvalues up to about 0.653
 * (s^2 - 1)/h, for parts without a gap in the spectrum. s->f is the slope at the beginning; the
 * slope at the end goes to s->f_new, and the local error 0.8 (x - x_new) + 0.4 h (f + f_new) to
 * err. a and b are scratch of n numbers each.
 */
gt_status gt_chebyshev_step(gt_stepper *s, int stages, double h, const double *x, double *x_new,
                            double *err, double *a, double *b) GT_MUST_CHECK;

enum { GT_MOST_CHEBYSHEV = 1000 };

/* The stages that h needs with eigenvalues up to `radius`. */
static inline double gt_chebyshev_stages(double h, double radius)
{
    return 1 + __builtin_ceil(__builtin_sqrt(1 + 1.54 * h * radius));
}

#endif
