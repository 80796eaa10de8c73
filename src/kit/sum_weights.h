/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_KIT_SUM_WEIGHTS_H
#define GEARTRAIN_KIT_SUM_WEIGHTS_H

enum { GT_MOST_SUMMED = 9 }; /* values */

/* Weights of the values at the nodes in (1/M) sum_(i=0)^(N-1) P(i/M), P the polynomial through all
 * of them: Adams' formulas for sums in place of integrals. */
void gt_sum_weights(int count, const double *node, double M, double N, double *weight);

#endif
