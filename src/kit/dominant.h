/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_KIT_DOMINANT_H
#define GEARTRAIN_KIT_DOMINANT_H

#include <geartrain/author/stepper.h>

/*
 * The hook `mode` of explicit Runge-Kutta methods. Two points of a step at the same time differ by
 *
 *     d = h sum_j w_j k_j       with f there differing by      later - earlier = J d about
 *
 * and d is made of powers of h J up to that of the step, in which the largest mode has grown most:
 * Hairer, Wanner, Solving Ordinary Differential Equations II (1996), IV.2. False: d or J d is
 * nothing but round-off.
 */
bool gt_dominant_mode(const gt_stepper *s, int terms, const double *weight, const double *const *k,
                      const double *later, const double *earlier, gt_dominant *out);

#endif
