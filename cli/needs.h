/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_NEEDS_H
#define GEARTRAIN_NEEDS_H

#include "cli.h"

/* "Jacobian, partition", what a method asks of a problem; "-" for nothing. */
void gt_cli_needs(const gt_facts *facts, char *buffer, size_t size);

/* What it can treat beyond x' = f; "-" for nothing. */
void gt_cli_treats(const gt_facts *facts, char *buffer, size_t size);

/* What the workspace of a stepper grows with: "18 vectors, 3 matrices as sparse as J". */
void gt_cli_memory(const gt_memory *memory, char *buffer, size_t size);

#endif
