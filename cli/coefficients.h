/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_COEFFICIENTS_H
#define GEARTRAIN_COEFFICIENTS_H

/* Coefficients of methods: in JSON, for people, and in method files. */
#include "cli.h"

/* "18/11", or a number when it is not a fraction that somebody wrote down. */
json_t *gt_coefficients_ratio(gt_ratio r);

/* Sets A, b, c and bhat; or a, b (from b_-1 on) and error_constant. */
void gt_coefficients_set_tableau(json_t *object, const gt_tableau *tableau);
void gt_coefficients_set_formula(json_t *object, const gt_multistep *formula);

/* As in the books: c | A above b, and the weights of the comparison solution below. */
void gt_coefficients_print_tableau(const gt_tableau *tableau, FILE *out);

/* slow and fast, each with A, b, c, bhat and the stages at which it is evaluated; both tableaux. */
void gt_coefficients_set_partitioned(json_t *object, const gt_partitioned *pair);
void gt_coefficients_print_partitioned(const gt_partitioned *pair, FILE *out);

/* c, and the rows of gamma0 and gamma1 with that of the comparison last, in JSON as gamma0_hat and gamma1_hat. */
void gt_coefficients_set_infinitesimal(json_t *object, const gt_infinitesimal *table);
void gt_coefficients_print_infinitesimal(const gt_infinitesimal *table, FILE *out);

/* x_(n+1) = ... in one line, and the local error. */
void gt_coefficients_print_formula(const gt_multistep *formula, FILE *out);

/* Whether a method name is a path: it ends in .json or has a slash. */
bool gt_cli_is_method_file(const char *name);

/* The method of a method file, in the arena. */
int gt_cli_method_file(const char *path, gt_arena *arena, const gt_method **method);

/* The formula as a method file; path "-" is standard output. */
int gt_cli_write_formula(const char *path, const gt_method_label *label, const gt_multistep *formula);

/* Other methods with what else the file is to say in `more`, an object that is taken over. */
int gt_cli_write_tableau(const char *path, const gt_method_label *label, const gt_tableau *tableau, json_t *more);
int gt_cli_write_half(const char *path, const gt_method_label *label, const gt_tableau *half, json_t *more);
int gt_cli_write_partitioned(const char *path, const gt_method_label *label, const gt_partitioned *pair, json_t *more);

#endif
