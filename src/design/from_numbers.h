/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_DESIGN_FROM_NUMBERS_H
#define GEARTRAIN_DESIGN_FROM_NUMBERS_H

/* Methods made at run time: from_formula.c, from_tableau.c. */
#include <geartrain/analysis/design.h>

/* A descriptor in the arena with nothing but copies of the strings; `title` when the label has
 * none. NULL: no memory.
 */
gt_method *gt_method_labelled(const gt_method_label *label, const char *title, gt_arena *arena);

#endif
