/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LANG_INTERPRET_H
#define GEARTRAIN_LANG_INTERPRET_H

#include "lang/graph/graph.h"

/* Translates all programs into instructions. */
void gt_lang_make_bytecode(gt_ode *o);

/* Sets the functions of `code` to those that interpret the programs of the file. */
void gt_lang_interpreted(const gt_ode *o, gt_ode_code *code);

#endif
