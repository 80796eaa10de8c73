/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_KIT_FRACTIONS_H
#define GEARTRAIN_KIT_FRACTIONS_H

/*
 * Partial fractions over den(z) = prod_i (1 - r_i z), den(0) = 1: for every polynomial q of smaller
 * degree
 *
 *     q(z) / den(z) = sum_i w_i / (1 - r_i z),    w_i = q(1/r_i) / prod_(j != i) (1 - r_j/r_i)
 *
 * Of a conjugate pair only the root with im r > 0 is kept.
 */
#include <complex.h>
#include <stdbool.h>

enum { GT_MAX_FRACTIONS = 4 };

typedef struct gt_fractions {
    int count;
    double complex r[GT_MAX_FRACTIONS];
    double complex inverse[GT_MAX_FRACTIONS]; /* the w_i of q = 1 */
    /* The same to more digits: the w_i of high degrees are large and cancel. */
    long double complex r_long[GT_MAX_FRACTIONS], inverse_long[GT_MAX_FRACTIONS];
} gt_fractions;

/* False when den has a double root or too many of them. */
bool gt_fractions_open(gt_fractions *f, const double *den, int degree);

/* w_i of q */
double complex gt_fraction_weight(const gt_fractions *f, int i, const double *q, int degree);

#endif
