/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LANG_BUILTIN_H
#define GEARTRAIN_LANG_BUILTIN_H

/* What the language defines itself, and what it knows but refuses. */
typedef struct ode_builtin {
    const char *name;
    enum { B_NONE, B_FUNCTION, B_TIME, B_PI, B_WORD, B_REFUSED } kind;
    int op, operands;
    const char *why; /* refused: what it is */
} ode_builtin;

extern const ode_builtin gt_lang_builtins[]; /* ends with a row without a name */

#endif
