/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_ANALYSIS_RATIONAL_FIT_H
#define GEARTRAIN_ANALYSIS_RATIONAL_FIT_H

#include <complex.h>
#include <geartrain/author/tableau.h>

/* The ratio of polynomials that a function is, from its values; false when it is none of low
 * degree. */
typedef double complex gt_complex_fn(double complex z, const void *ctx);
bool gt_rational_fit(gt_complex_fn *f, const void *ctx, gt_rational *R);

#endif
