/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_EXACT_KNOWN_POLYNOMIALS_H
#define GEARTRAIN_EXACT_KNOWN_POLYNOMIALS_H

/* Stability polynomials R(z) = 1 + z + .. + beta_s z^s with closed forms, s at most GT_MAX_STAGES.
 */
#include "exact/rational.h"

/* Largest stable interval of the imaginary axis: order 2 for s >= 2 (the best), 3 for s >= 3 (the
 * best for even s), 4 for even s >= 4. False: there is none of this order and degree.
 * *limit_squared: of the interval. */
bool gt_polynomial_imaginary(int s, int order, gt_exact *beta, int *limit_squared);

/* Order 2 on the negative real axis: the shifted Chebyshev polynomial of van der Houwen and
 * Sommeijer, damped by about `damping` / 3 inside the interval. */
void gt_polynomial_real(int s, double damping, double *beta);

#endif
