/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_BASE_ELEMENTARY_H
#define GEARTRAIN_BASE_ELEMENTARY_H

/*
 * Logarithm, exponential and power for step sizes. Every libm rounds them its own way, so that a
 * library for all machines (GEARTRAIN_LIBM_ONLY) has its own, from sums, products and quotients
 * alone, with the same bits everywhere (libm_only/); else they are those of libm (full/).
 */
double gt_log(double x);
double gt_exp(double x);
double gt_power(double x, double y);
double gt_whole_power(double x, int n);

/* Our own: right to two units in the last place, times |y log x| for the power. What is not an
 * ordinary number goes to libm, where all agree. */
double gt_own_log(double x);
double gt_own_exp(double x);
double gt_own_power(double x, double y);
double gt_own_whole_power(double x, int n);

#endif
