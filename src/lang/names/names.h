/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LANG_NAMES_H
#define GEARTRAIN_LANG_NAMES_H

/* The third pass: what the statements define, and where states, parameters and tables lie. */
#include "lang/syntax/syntax.h"

typedef enum ode_kind {
    K_NONE,
    K_STATE,   /* by an equation */
    K_UNKNOWN, /* by solv */
    K_NAMED,
    K_DERIVED,
    K_PARAMETER,
    K_CONSTANT,
    K_FUNCTION,
    K_TABLE
} ode_kind;

/* What a symbol names. */
typedef struct ode_binding {
    int32_t single;                   /* definition of the plain name, -1 */
    int32_t first_family, n_families; /* in `families` */
} ode_binding;

/* A run of elements lo..hi that lie at slot + step (e - lo) in the state vector. */
typedef struct ode_segment {
    int32_t lo, hi, slot, step;
} ode_segment;

typedef struct ode_definition {
    ode_kind kind;
    int32_t symbol, statement;
    bool family;
    int32_t lo, hi; /* elements */
    int32_t position,
        stride;   /* place in the order of the file, for shift: position + stride (e - lo) */
    int32_t slot; /* parameters: in p; tables: in `tables` */
    int32_t first_segment, n_segments; /* states */
    bool recursive;                    /* functions */
    const char *unit, *help;
    double min, max;
    bool whole;
    const char **choices; /* of a parameter that is one; ends with NULL */
} ode_definition;

/* Consecutive places in the order of the file: one definition, or the `width` ones of a % block in
 * turns, which begin at `definition` in group_members. */
typedef struct ode_order {
    int32_t first, count, width, definition;
} ode_order;

typedef struct ode_table {
    int32_t definition, slot, n;
    double lo, hi;
    const double *samples; /* NULL: made by a formula */
} ode_table;

typedef struct ode_names {
    ode_work *work;
    const ode_parsed *parsed;
    ode_binding *bindings; /* of each symbol */
    ode_definition *definitions;
    int32_t n_definitions, room_definitions;
    int32_t *definition_of; /* of each statement that defines something */
    int32_t *families;      /* definitions of arrays by base and first element */
    ode_segment *segments;
    int32_t n_segments, room_segments;
    ode_table *tables;
    int32_t n_tables, room_tables;
    int32_t n_slow, n_fast, n_alg, n_params;
    int32_t n_rates; /* blocks of the fast part; 0: it is one block */
    size_t rate_sizes[ODE_MAX_RATES];
    int32_t n_p; /* parameters and samples of tables */
    /* t, the states in the order of the file, named expressions, unknowns */
    int32_t n_positions, n_equations;
    ode_order *order;
    int32_t n_order, room_order;
    int32_t *group_members; /* definitions of the equations of all % blocks */
    int32_t n_group_members, room_group_members;
    int32_t *start_of; /* for each position the statement of its initial value, -1 */
    int32_t *start_j;  /* and the j that it has there */
} ode_names;

void gt_lang_declare(ode_names *names);

/* definitions.c; -1 is nothing found */
int32_t gt_lang_define(ode_names *names, ode_kind kind, int32_t statement);
void gt_lang_sort_families(ode_names *names);
int32_t gt_lang_find_family(const ode_names *names, int32_t base, int64_t lo, int64_t hi);
int32_t gt_lang_find_name(const ode_names *names, int32_t symbol, int32_t *element);
int32_t gt_lang_find_element(const ode_names *names, int32_t base, int64_t index, int32_t *element);
/* "; did you mean ..?", or "" */
const char *gt_lang_suggest(const ode_names *names, int32_t symbol);

/* starts.c */
void gt_lang_find_starts(ode_names *names);
/* Does an array statement give the initial value of a definition that has another name than the
 * array? */
bool gt_lang_starts_alone(const ode_names *names, int32_t definition, int32_t statement);

/* Of a state with an equation: 0 slow, 1 .. the blocks of the fast part. */
static inline int32_t ode_rate_of(const ode_names *names, int32_t slot)
{
    if (slot < names->n_slow) return 0;
    int32_t rate = 1, past = names->n_slow;
    while (rate < names->n_rates && slot >= (past += (int32_t)names->rate_sizes[rate - 1])) rate++;
    return rate;
}

static inline bool ode_is_split(const ode_names *names) { return names->n_fast || names->n_alg; }

#endif
