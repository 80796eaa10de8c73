/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LANG_EMIT_H
#define GEARTRAIN_LANG_EMIT_H

#include "lang/emit/printer.h"

/* emit_tables.c: the constant tables of a model and its descriptor, named `symbol`. */
void gt_lang_emit_tables(ode_printer *q, const char *symbol);

/* emit.c: the function of a block of the Jacobian, 3 rows + columns. */
const char *gt_lang_block_name(int block);

#endif
