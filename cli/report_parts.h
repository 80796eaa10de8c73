/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_REPORT_PARTS_H
#define GEARTRAIN_REPORT_PARTS_H

#include "cli.h"

/* Fields that the reports of several commands have. */

extern const report_field gt_report_problem[]; /* of a cli_problem: model, parameters */
extern const report_field gt_report_model[];   /* the same, and not in text */
extern const report_field gt_report_solver[];  /* of a cli_solver: method, options */
extern const report_field gt_report_stats[];   /* of a gt_stats: steps, rejected, rhs, .. */
extern const report_field gt_report_remarks[]; /* of a gt_report: warnings, notes */
extern const report_field gt_report_ending[];  /* of a gt_report: status, message and these */

/* For a map: values of parameters or options by name. `get` calls the first, `each` is the second.
 */
void gt_report_params(report_value *out, const gt_param *table, const gt_values *values);
bool gt_report_each_param(const void *data, size_t i, report_value *out);

/* The same for states and their names. */
void gt_report_states(report_value *out, const gt_problem *problem, const double *x);
bool gt_report_each_state(const void *data, size_t i, report_value *out);

/* A number of things: entry i of `count` names or numbers, for `each`. */
bool gt_report_text_entry(const char *const *names, size_t count, size_t i, report_value *out);
bool gt_report_number_entry(const double *numbers, size_t count, size_t i, report_value *out);
bool gt_report_pair_entry(const double *pairs, size_t count, size_t i, report_value *out);

/* "12 steps, 3 rejected, 80 evaluations of f, .." without what is 0. */
void gt_report_say_work(const gt_stats *stats, report_text *out);

#endif
