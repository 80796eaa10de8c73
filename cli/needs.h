/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_NEEDS_H
#define GEARTRAIN_NEEDS_H

#include "cli.h"

/* "Jacobian, partition", what a method asks of a problem; "-" for nothing. */
void gt_cli_needs(const gt_facts *facts, char *buffer, size_t size);

/* What it can treat beyond x' = f; "-" for nothing. */
void gt_cli_treats(const gt_facts *facts, char *buffer, size_t size);

#endif
