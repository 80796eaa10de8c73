/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LANG_PRINTER_H
#define GEARTRAIN_LANG_PRINTER_H

#include "lang/programs/programs.h"

/* Text that grows. */
typedef struct ode_text {
    char *s;
    size_t length, room;
    bool failed;
} ode_text;

void gt_lang_put(ode_text *t, const char *format, ...) GT_PRINTF(2, 3);
/* A C string literal; whatever is not a plain character is escaped. */
void gt_lang_put_literal(ode_text *t, const char *text);
/* A number that reads back as the same bits. */
void gt_lang_put_number(ode_text *t, double value);

typedef enum ode_style { STYLE_C, STYLE_MODEL } ode_style;

/* A program being printed. */
typedef struct ode_printer {
    const ode_programs *programs;
    const ode_graph *graph;
    const ode_names *names;
    const gt_ode_name *states; /* of the model */
    ode_text *text;
    ode_style style;
    bool as_it_is;  /* relations that can be held are printed as if they could not */
    bool hoist;     /* what depends on parameters only is in p */
    size_t longest; /* names stand for what they mean, cut behind this; 0: all is written */
    int indent, level;
    const int32_t *rows; /* for each slot of the state vector the row of `states` that names it */
    /* For each node: how often it is used, where it is computed, and the number of its variable. */
    int32_t *uses, *scope, *variable, *depth, *size;
    int32_t next_variable;
    int32_t defining; /* the variable whose expression is being printed, -1 */
    int32_t unnamed;  /* a node that is printed as what it is although it has a name, -1 */
    bool in_function; /* inside a recursive function */
    bool too_large;   /* a recursive function */
    bool in_parts;    /* loops over j are those of one part of several */
    int32_t loop;     /* over j, at hand: its first step, -1 */
    int32_t sample_j, sample_i; /* some values inside the loops at hand */
    int32_t *name_owner;        /* for each definition the node that has its name here, -1 */
} ode_printer;

bool gt_lang_printer_init(ode_printer *q, const ode_programs *programs, const gt_ode_name *states,
                          ode_text *text, ode_style style);
void gt_lang_printer_free(ode_printer *q);

/* Decides which nodes of a program become variables; inside a loop over j, which begins at step
 * `from`, when it is reached. */
void gt_lang_plan_variables(ode_printer *q, const ode_program *p);
void gt_lang_forget_variables(ode_printer *q, const ode_program *p);
void gt_lang_plan_loop(ode_printer *q, const ode_program *p, int32_t from);
void gt_lang_forget_loop(ode_printer *q, const ode_program *p, int32_t from);
int32_t gt_lang_end_of_loop(const ode_program *p, int32_t from);

/* An expression; `tight` is the precedence around it: 0 none, 1 in a sum, 2 in a product, 3 in a
 * unary operation. */
void gt_lang_print(ode_printer *q, int32_t node, int tight);
void gt_lang_print_variable(ode_printer *q, int32_t node);
void gt_lang_print_index(ode_printer *q, int64_t first, int64_t step, int64_t inner);
/* Whether a node is printed as what it is: a number, a load, an index. */
bool gt_lang_is_leaf(const ode_printer *q, int32_t node);
/* Name of a parameter or state without its prefix, "" when it cannot be an identifier in C. */
const char *gt_lang_plain_name(const ode_printer *q, const char *base, char buffer[200],
                               bool member, int32_t element);
/* Row and element of a state. */
const gt_ode_name *gt_lang_state_name(const ode_printer *q, int64_t slot, int32_t *element);

#endif
