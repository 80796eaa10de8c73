/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_ANALYSIS_AUTO_ORDER_H
#define GEARTRAIN_ANALYSIS_AUTO_ORDER_H

#include <geartrain/pilot.h>

/* Which order of the explicit methods goes on, by numbers alone. Begins as zeros. */
typedef struct gt_auto_order {
    bool low;                    /* the lower order was in use last */
    int looks;                   /* at the bend of a step, in the window under way, */
    double bends;                /* their sum, */
    long steps, rejected, calls; /* and the counters where it began */
    double other; /* calls for a bend that the other order took in the window before; 0: this one
                     has shown itself */
    int windows;  /* since then, */
    int patience; /* and how many are wanted before the other one is tried */
} gt_auto_order;

/* The window begins anew: the run has another method, or stability limits its steps. */
void gt_auto_order_begin(gt_auto_order *o, const gt_stepper *s);

/* The explicit method to go on with. */
const gt_method *gt_auto_order_method(const gt_auto_order *o, const gt_problem *problem,
                                      const struct gt_plan *plan);

/* After a step in which the slope changed by the part `bend` of itself: whether the explicit method
 * of another order is to go on, as `next` then says. `v` as in gt_auto_largest. */
bool gt_auto_order_better(gt_auto_order *o, const gt_view *view, double bend, double *v,
                          gt_choice *next);

#endif
