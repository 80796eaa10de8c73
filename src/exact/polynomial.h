/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_EXACT_POLYNOMIAL_H
#define GEARTRAIN_EXACT_POLYNOMIAL_H

/* Polynomials with coefficients in ascending powers. */
#include <complex.h>
#include <stdbool.h>

double complex gt_poly_value(const double *p, int degree, double complex z);

/* num(z) / den(z) without overflow for large z. */
double complex gt_poly_ratio(const double *num, int num_degree, const double *den, int den_degree,
                             double complex z);

/* All `degree` roots (the leading coefficient must not be 0). guess: `roots` holds a guess, as for
 * a neighbour. */
void gt_poly_roots(const double complex *p, int degree, double complex *roots, bool guess);

/* Index of the root nearest to a point, by distance on the sphere: a root may pass infinity. */
int gt_poly_nearest(const double complex *roots, int count, double complex point);

/* Coefficients of p(z0 + s d) in powers of s. */
void gt_poly_on_line(const double *p, int degree, double complex z0, double complex d,
                     double complex *q);

/* The s > 0 where the real polynomial changes sign, ascending; at most `degree`. */
int gt_poly_sign_changes(const double *p, int degree, double *roots);

double gt_poly_real(const double *p, int degree, double s);

#endif
