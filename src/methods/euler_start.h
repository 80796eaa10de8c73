/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_METHODS_EULER_START_H
#define GEARTRAIN_METHODS_EULER_START_H

/*
 * One step of size h by Euler's method in 1, 2, ..., q parts, extrapolated to order q: a start of any order for
 * multistep formulas. Forward when explicit; backward when implicit, which keeps the damping of stiff components (the
 * extrapolated values go to 0 too for h lambda -> -infinity) and treats algebraic rows and mass matrices.
 */
#include "methods/implicit.h"

typedef struct gt_euler_start {
    int order;             /* q */
    gt_implicit *implicit; /* NULL: forward, and s->f is the slope at the beginning */
    double **table;        /* q arrays; at the end table[l-1] has order l */
    double *base, *y;      /* scratch; base when implicit only */
} gt_euler_start;

gt_status gt_euler_extrapolate(const gt_euler_start *e, gt_stepper *s, double h, const double *x) GT_MUST_CHECK;

#endif
