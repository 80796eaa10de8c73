/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_ANALYSIS_AMPLIFICATION_H
#define GEARTRAIN_ANALYSIS_AMPLIFICATION_H

#include <complex.h>
#include <geartrain/author/tableau.h>

/* R of a one-step method as a ratio of polynomials; false when it has none in closed form. */
bool gt_rational_of(const gt_method *method, const double *v, gt_rational *R);

double complex gt_rational_value(const gt_rational *R, double complex z);

#endif
