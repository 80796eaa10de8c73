/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_KIT_EULER_START_H
#define GEARTRAIN_KIT_EULER_START_H

/*
 * One step of size h by Euler's method in 1, 2, ..., q parts, extrapolated to order q: a start of
 * any order for multistep formulas. Forward when explicit; backward when implicit, which keeps the
 * damping of stiff components (the extrapolated values go to 0 too for h lambda -> -infinity) and
 * treats algebraic rows and mass matrices.
 */
#include "kit/implicit.h"

typedef struct gt_euler_start {
    int order;             /* q */
    gt_implicit *implicit; /* NULL: forward, and s->f is the slope at the beginning */
    double **table;        /* q arrays; at the end table[l-1] has order l */
    double *base, *y;      /* scratch; base when implicit only */
    /* For an estimate, or NULL: the error that a jump of f in the first or the last part of the
     * finest division would make. Such a jump changes the end of j parts by a multiple of 1/j, as
     * the first term of the error does, or not at all, and so is extrapolated away: it shows in the
     * slopes only. From three parts on. `first` is scratch. */
    double *jump, *first;
    const double *x_before; /* backward: the point h_before earlier; NULL: there is none */
    double h_before;
} gt_euler_start;

/* How much of the change of a slope in the last of several parts the largest change before does not
 * explain, halved: where f is smooth changes grow by a factor of a few from part to part. */
static inline double gt_abrupt(double last, double most)
{
    double size = last < 0 ? -last : last;
    return size > 10 * most ? (size - 10 * most) / 2 : 0;
}

gt_status gt_euler_extrapolate(const gt_euler_start *e, gt_stepper *s, double h,
                               const double *x) GT_MUST_CHECK;

#endif
