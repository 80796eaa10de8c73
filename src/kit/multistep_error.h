/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_KIT_MULTISTEP_ERROR_H
#define GEARTRAIN_KIT_MULTISTEP_ERROR_H

/* Estimates of the local error of a trial of a multistep formula; see multistep_error.c. */
#include <geartrain/author/stepper.h>

typedef struct gt_multistep_points {
    int order;
    double h, C, C_equal; /* error constants of the formula, at these steps and at equal ones */
    /* 1 for the new point, 0 for the accepted one, and the past ones, in units of h */
    const double *tau;
    const double *x, *x_new;
    double *const *x_past, *const *f_past; /* newest first */
} gt_multistep_points;

/* From k + 2 points; `alternates`: the formula may be unstable on stiff components. */
void gt_multistep_by_differences(const gt_stepper *s, const gt_multistep_points *points,
                                 bool alternates, double *err);

/* From k + 1 slopes; leaves s->f_new. */
gt_status gt_multistep_by_slopes(gt_stepper *s, const gt_multistep_points *points,
                                 double *err) GT_MUST_CHECK;

/* Makes `err`, from differences, no less than what f at the end shows; leaves s->f_new. */
gt_status gt_multistep_hold_against_slope(gt_stepper *s, const gt_multistep_points *points,
                                          double *err) GT_MUST_CHECK;

#endif
