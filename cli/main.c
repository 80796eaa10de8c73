/* SPDX-License-Identifier: BSD-3-Clause */
/* The program geartrain: the list of its commands. */
#include "cli.h"

const cli_command *const gt_cli_commands[] = {
    &gt_cmd_run,          &gt_cmd_compare,   &gt_cmd_sweep,    &gt_cmd_advise,  &gt_cmd_equilibrium,
    &gt_cmd_linearize,    &gt_cmd_stability, &gt_cmd_accuracy, &gt_cmd_damping, &gt_cmd_order,
    &gt_cmd_coefficients, &gt_cmd_design,    &gt_cmd_power,    &gt_cmd_papers,  &gt_cmd_lab,
    &gt_cmd_list,         &gt_cmd_show,      &gt_cmd_doc,      &gt_cmd_schema,  NULL};

int main(int argc, char **argv) { return gt_cli_run_any(argc, argv); }
