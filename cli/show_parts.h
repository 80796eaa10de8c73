/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_SHOW_PARTS_H
#define GEARTRAIN_SHOW_PARTS_H

#include "report_parts.h"
#include "stability_parts.h"

/* What was given for the flags that `show` alone has. */
typedef struct show_flags {
    cli_value emit_c;
} show_flags;

static inline const show_flags *show_own(const cli_args *args)
{
    return gt_cli_own(args, sizeof(show_flags));
}

int gt_show_method(const cli_args *args, const gt_method *method);
int gt_show_model(const cli_args *args);

/* Where a method is stable and accurate, and what it damps, as a figure (portrait.c). */
int gt_show_portrait(const cli_entry *entry, const char *path);

/* Where the Jacobian has entries, where that is known. */
void gt_show_pattern(const cli_problem *p);
extern const report_field gt_show_pattern_fields[]; /* of a gt_problem */

/* "above 0", "1 to 20", "a | b" */
void gt_show_range(const gt_param *row, char *buffer, size_t size);

/* Rows of parameters or options: a list whose `get` calls gt_report_params. */
extern const report_field gt_show_param_fields[];
bool gt_show_each_param(const void *data, size_t i, report_value *out);

extern const report_field gt_show_method_fields[], gt_show_model_fields[];

#endif
