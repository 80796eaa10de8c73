/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_DESIGN_PARTS_H
#define GEARTRAIN_DESIGN_PARTS_H

/* The kinds of method that the command design makes. */
#include "coefficients.h"

/* What was given for the flags that `design` alone has. */
typedef struct design_flags {
    cli_value a_steps, aspect, axis, b_steps, c, d, damping, degree, fast, limit, name, order, pick,
        polynomial_order, seed, slow, slow_stages, start, starts, sweeps;
} design_flags;

static inline const design_flags *design_own(const cli_args *args)
{
    return gt_cli_own(args, sizeof(design_flags));
}

int gt_design_multistep_run(const cli_args *args);
int gt_design_polynomial_run(const cli_args *args);
int gt_design_dualrate_run(const cli_args *args);
int gt_design_half_run(const cli_args *args);

extern const cli_report gt_design_multistep_reports[], gt_design_polynomial_reports[];
extern const cli_report gt_design_dualrate_reports[], gt_design_half_reports[];

/* --axis; --order and others that must be there. */
int gt_design_read_axis(const cli_args *args, gt_axis *axis);
int gt_design_read_whole(const cli_value *flag, const char *kind, long min, long max, int *value);

/* Calls work(i, ctx) for the starts *first + i, in pieces that Ctrl-C can end; then *first is how
 * many were made. */
int gt_design_run_starts(const cli_args *args, size_t starts, size_t *first,
                         void (*work)(size_t i, void *ctx), void *ctx);

/* Refuses --out - together with --json, and a file that cannot be written. */
int gt_design_check_out(const cli_args *args);
void gt_design_say_file(const char *out);

#endif
