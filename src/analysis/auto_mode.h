/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_ANALYSIS_AUTO_MODE_H
#define GEARTRAIN_ANALYSIS_AUTO_MODE_H

#include <geartrain/pilot.h>

/* The mode that dominates J at the accepted point: lambda = re +- i im, |im|. */
typedef struct gt_largest {
    double re, im;
} gt_largest;

/* By products with J: those of the method in use where it holds a Jacobian, else differences of f,
 * which are counted; at most GT_AUTO_PRODUCTS. `v` has n numbers, a direction that is kept from one
 * look to the next; all zero: none yet. False: not found. */
enum { GT_AUTO_PRODUCTS = 10 };
bool gt_auto_largest(const gt_view *view, double *v, int products, gt_largest *out);

/* |h lambda| up to which the method damps a mode in direction re + i im; of one that grows, what
 * would swing. */
double gt_auto_limit(const gt_method *method, const gt_largest *mode);

#endif
