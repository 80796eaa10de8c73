/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LANG_RAW_H
#define GEARTRAIN_LANG_RAW_H

#include "lang/syntax/parser.h"

/* Lines that are not expressions are read as pieces of raw text. */
typedef struct ode_raw {
    int32_t at, length;
} ode_raw;

static inline bool ode_ends_line(char c) { return c == '\n' || c == '\0'; }

/* Up to one of `stops` or the end of the line; blanks and commas before it are skipped. */
ode_raw gt_lang_next_word(const ode_parser *parser, int32_t *at, const char *stops);
/* The number that a piece is; `what` needs it. */
double gt_lang_number_in(ode_parser *parser, ode_raw piece, const char *what);
const char *gt_lang_copy_raw(ode_parser *parser, ode_raw piece);

#endif
