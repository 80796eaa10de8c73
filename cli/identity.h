/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_CLI_IDENTITY_H
#define GEARTRAIN_CLI_IDENTITY_H

#include "cli.h"
#include <stdint.h>

uint64_t gt_cli_sum(const void *data, size_t bytes);

/* Of what is in the file; false: it cannot be read. */
bool gt_cli_file_sum(const char *path, uint64_t *sum);

/* Of a model from a file, by what it is made of: an .ode file with its tables and all that it
 * includes, also from standard input, by the code that it becomes, where lines of comments below
 * the title do not count. Blocks that were found in it or asked for do not count either. false:
 * built in. */
bool gt_cli_source_sum(const cli_source *source, uint64_t *sum);

#endif
