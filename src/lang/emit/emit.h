/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LANG_EMIT_H
#define GEARTRAIN_LANG_EMIT_H

#include "lang/emit/printer.h"

/* C text that defines `const gt_model SYMBOL`, the same as `model`. False: out of memory, or a
 * recursive function is too large for C. */
bool gt_lang_emit(const ode_programs *programs, const gt_model *model, const char *symbol,
                  ode_text *text, bool *too_large);

/* The right-hand side as it is computed, with the names of the model. */
bool gt_lang_expand(const ode_programs *programs, const gt_ode_name *states, ode_text *text);

/* name_switches.c: relations as a reader of the model would write them. */
const gt_ode_name *gt_lang_name_switches(const ode_programs *programs, const gt_ode_name *states);

/* ---- what the parts share ---- */

/* emit_tables.c: the constant tables of a model and its descriptor, named `symbol`. */
void gt_lang_emit_tables(ode_printer *q, const gt_model *model, const char *symbol);

/* emit.c: the function of a block of the Jacobian, 3 rows + columns. */
const char *gt_lang_block_name(int block);

/* emit_functions.c: all recursive functions. */
void gt_lang_emit_functions(ode_printer *q);

/* emit_steps.c: the body of a function; `one_j`: j is known, and its loop has one turn. */
void gt_lang_emit_body(ode_printer *q, const ode_program *p, const char *target, bool one_j);
void gt_lang_emit_indent(ode_printer *q);
void gt_lang_emit_variable(ode_printer *q, int32_t node); /* its definition */

/* emit_parts.c: the function NAME_piece, where threads pay for the loops of a program; false: they
 * do not. */
bool gt_lang_emit_piece(ode_printer *q, const ode_program *p, const char *name);

/* States and parameters that are read one by one. */
typedef struct ode_leaves {
    ode_printer *q;
    int32_t *leaves, count, room;
    unsigned char *seen;
    bool failed;
} ode_leaves;

void gt_lang_note_leaf(ode_leaves *l, int32_t node);
void gt_lang_declare_leaves(ode_printer *q, ode_leaves *l); /* frees the list */

#endif
