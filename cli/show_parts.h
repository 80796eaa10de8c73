/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_SHOW_PARTS_H
#define GEARTRAIN_SHOW_PARTS_H

#include "cli.h"
#include "stability_parts.h"

int gt_show_method(const cli_args *args, const gt_method *method);
int gt_show_model(const cli_args *args);

/* Where a method is stable and accurate, and what it damps, as a figure (portrait.c). */
int gt_show_portrait(const cli_entry *entry, const char *path);

/* Where the Jacobian has entries, where that is known. */
void gt_show_pattern(const cli_problem *p);
json_t *gt_show_pattern_json(const gt_problem *problem);

/* "above 0", "1 to 20", "a | b" */
void gt_show_range(const gt_param *row, char *buffer, size_t size);
void gt_show_params(const char *heading, const gt_param *table, const gt_values *values);
json_t *gt_show_params_json(const gt_param *table, const gt_values *values);

#endif
