/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_COEFFICIENTS_H
#define GEARTRAIN_COEFFICIENTS_H

/* Coefficients of methods: in JSON, for people, and in method files. */
#include "report_parts.h"

/* In JSON and in method files: A b c bhat; a b error_constant; slow{..} fast{..} with stages; c
 * gamma0 gamma1 .. */
extern const report_field gt_tableau_fields[];       /* of a gt_tableau */
extern const report_field gt_formula_fields[];       /* of a gt_multistep */
extern const report_field gt_partitioned_fields[];   /* of a gt_partitioned */
extern const report_field gt_infinitesimal_fields[]; /* of a gt_infinitesimal */

/* As in the books: c | A above b, and the weights of the comparison solution below. */
void gt_coefficients_print_tableau(const gt_tableau *tableau, FILE *out);

void gt_coefficients_print_partitioned(const gt_partitioned *pair, FILE *out);

void gt_coefficients_print_infinitesimal(const gt_infinitesimal *table, FILE *out);

/* x_(n+1) = ... in one line, and the local error. */
void gt_coefficients_print_formula(const gt_multistep *formula, FILE *out);

/* Whether a method name is a path: it ends in .json or has a slash. */
bool gt_cli_is_method_file(const char *name);

/* The method of a method file, in the arena. */
int gt_cli_method_file(const char *path, gt_arena *arena, const gt_method **method);

/* A method file of this kind with these numbers; path "-" is standard output. */
int gt_cli_write_method(const char *path, const char *kind, const gt_method_label *label,
                        const report_field *numbers, const void *data);

#endif
