/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_MODES_H
#define GEARTRAIN_MODES_H

#include "cli.h"

/* Eigenvalues as `linearize` and `equilibrium` tell of them. */

json_t *gt_modes_json_eigenvalues(const gt_linearization *linear);                /* [[re, im], ..] */
json_t *gt_modes_json(const gt_problem *problem, const gt_linearization *linear); /* modes[{..}] */
void gt_modes_print(const gt_problem *problem, const gt_linearization *linear);   /* a table */

/* The states of mode k that take part most, "x 0.52, y 0.31", in the buffer. */
void gt_modes_top(const gt_problem *problem, const gt_linearization *linear, size_t k, char *buffer, size_t size);

/* "-0.16 +- 12.1i" in the buffer. */
void gt_modes_value(const gt_mode *mode, char *buffer, size_t size);

#endif
