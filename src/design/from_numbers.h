/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_DESIGN_FROM_NUMBERS_H
#define GEARTRAIN_DESIGN_FROM_NUMBERS_H

/* Methods made at run time: from_formula.c, from_tableau.c, from_coupled.c. */
#include <geartrain/analysis/design.h>

/* A descriptor in the arena with nothing but copies of the strings; `title` when the label has
 * none. NULL: no memory.
 */
gt_method *gt_method_labelled(const gt_method_label *label, const char *title, gt_arena *arena);

typedef struct gt_tableau_orders {
    int order, error_order;
} gt_tableau_orders;

/* All of a labelled method but its name, for a tableau with entries above the diagonal. */
gt_status gt_fill_coupled(gt_method *m, const gt_tableau *T, const gt_tableau_orders *orders,
                          gt_arena *arena, gt_message *message) GT_MUST_CHECK;

#endif
