/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_HELP_H
#define GEARTRAIN_HELP_H

#include "cli.h"

/* The first screen, and the help of one command, on standard output. */
void gt_cli_help_all(void);
void gt_cli_help_command(const cli_command *command);

/* "--opt NAME=VALUE", and what it does with its choices and other names. */
void gt_cli_flag_head(const cli_flag *flag, char *buffer, size_t size);
void gt_cli_flag_text(const cli_flag *flag, char *buffer, size_t size);

#endif
