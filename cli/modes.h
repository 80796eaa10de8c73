/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_MODES_H
#define GEARTRAIN_MODES_H

#include "report_parts.h"

/* Eigenvalues and modes of a linear model, as `linearize`, `equilibrium` and `power modes` report
 * them. */
typedef struct modes_view {
    const gt_problem *problem;
    const gt_linearization *linear;
} modes_view;

extern const report_field gt_modes_fields[]; /* of a modes_view: modes[{..}], and a table */

/* For the key `eigenvalues`. */
bool gt_modes_each_eigenvalue(const modes_view *view, size_t i, report_value *out);

/* The states of mode k that take part most, "x 0.52, y 0.31". */
void gt_modes_top(const modes_view *view, size_t k, report_text *out);

/* "-0.16 +- 12.1i" */
void gt_modes_value(const gt_mode *mode, report_text *out);

#endif
