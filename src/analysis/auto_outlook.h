/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_ANALYSIS_AUTO_OUTLOOK_H
#define GEARTRAIN_ANALYSIS_AUTO_OUTLOOK_H

#include "analysis/auto_work.h"
#include <geartrain/integrate.h>

/* What a method takes in a unit of time, and which one takes least. */

/* Steps, in units of the law of a method, for each time that the slope of the solution changes by
 * its own size. */
#define GT_AUTO_PER_BEND 2.0

gt_facts gt_auto_facts(const gt_method *method); /* with its usual options */
bool gt_auto_treats(const gt_method *method, const gt_problem *problem, const gt_plan *plan);
double gt_auto_tolerance(const gt_plan *plan);

/* The explicit method of least work at the tolerance. */
const gt_method *gt_auto_explicit(const gt_problem *problem, const gt_plan *plan);

/* A solution and the modes about it, and what the methods would take for it. */
typedef struct gt_outlook {
    const gt_problem *p;
    const gt_plan *plan;
    const gt_auto_costs *costs;
    double bends;  /* times that the slope changes by its size, in a unit of time */
    double lambda; /* size of the largest mode */
    bool near_axis, real;
} gt_outlook;

/* The stiff method of least work, and its work in a unit of time. */
const gt_method *gt_auto_stiff(const gt_outlook *outlook, double *rate);

#endif
