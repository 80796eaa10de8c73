/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_KIT_BI_DENSE_H
#define GEARTRAIN_KIT_BI_DENSE_H

/* Dense output of backinterpolation: the cubic through both ends of the step and their slopes,
 * which are M^-1 f. */
#include <geartrain/author/lu.h>
#include <geartrain/author/stepper.h>

/* `mass` has the factors of M, NULL: the identity; k and k_new are work then. */
gt_status gt_bi_interpolate(gt_stepper *s, const gt_lu *mass, double h, double theta, double *k,
                            double *k_new, double *x) GT_MUST_CHECK;

/* h f - q' at theta of this cubic q where there is no M, 0 in algebraic rows; q and k are work. */
gt_status gt_bi_cubic_defect(gt_stepper *s, double h, double theta, double *q, double *k,
                             double *defect) GT_MUST_CHECK;

#endif
