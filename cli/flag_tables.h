/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_CLI_FLAG_TABLES_H
#define GEARTRAIN_CLI_FLAG_TABLES_H

/* Flags that several commands have. */
#include "args.h"

/* --set --use-set --init --init-from --t0 --t1 --fast --reduced --no-compile */
extern const cli_flag gt_cli_model_flags[];
extern const cli_flag gt_cli_point_flags[]; /* the same without times */
/* --method --opt --h --rtol --atol --h0 --hmax --control --max-steps */
extern const cli_flag gt_cli_solver_flags[];
extern const cli_flag gt_cli_common_flags[]; /* --json --quiet --threads */
extern const cli_flag gt_cli_report_flags[]; /* --json --quiet */

#endif
