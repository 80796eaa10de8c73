/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LANG_SYNTAX_H
#define GEARTRAIN_LANG_SYNTAX_H

/* The second pass: the lines as statements, trees of syntax, and words that are not yet known to
 * mean anything. */
#include "lang/operations/operations.h"
#include "lang/source/source.h"

typedef enum ode_syntax_op {
    S_NUMBER,
    S_NAME,    /* symbol */
    S_ELEMENT, /* symbol, index = k + m j */
    S_INDEX,   /* k + m j as a number */
    S_SUM_INDEX,
    S_ARGUMENT, /* number k of a function */
    S_UNARY,    /* op, a */
    S_BINARY,   /* op, a, b */
    S_IF,       /* a, b, c */
    S_CALL,     /* symbol, list of arguments from a on, b of them (chained by `next`) */
    S_SUM,      /* a .. b of c */
    S_SHIFT     /* a by b */
} ode_syntax_op;

typedef struct ode_syntax {
    uint8_t kind, op;
    int32_t at;
    int32_t symbol;
    int32_t a, b, c, next;
    int32_t k, m;
    double value;
} ode_syntax;

typedef enum ode_statement_kind {
    ST_EQUATION,
    ST_NAMED,
    ST_DERIVED,
    ST_AUX,
    ST_FUNCTION,
    ST_ALGEBRAIC,
    ST_UNKNOWN,
    ST_START,
    ST_PARAMETER,
    ST_CONSTANT,
    ST_EVENT,
    ST_TABLE,
    ST_EXACT,
    ST_INVARIANT,
    ST_FAST,
    ST_UNIT,
    ST_HELP,
    ST_RANGE,
    ST_END,
    ST_BREAK,
    ST_CHOICE,
    ST_WHOLE /* the last, which sizes tables */
} ode_statement_kind;

/* How strong initial values are: init and x(0)=number, x[a..b](0)=formula, #@ start. */
enum { RANK_PLAIN, RANK_FORMULAS, RANK_OWN };

/* One assignment of an event. */
typedef struct ode_assignment {
    int32_t target; /* syntax: a name or an element */
    int32_t value;
    int32_t next;
} ode_assignment;

/*
 * One statement. With a range it stands for lo <= j <= hi, and defines the elements shift + j of
 * the family `symbol`; without one it defines `symbol` itself.
 */
typedef struct ode_statement {
    ode_statement_kind kind;
    int32_t at, end; /* in the joined text */
    int32_t symbol;
    bool ranged, down; /* down: written from the high end to the low one */
    int32_t rank;      /* of an initial value: a higher one is stronger, wherever it stands */
    int32_t rate;      /* that #@ fast or #@ rate gives */
    int32_t lo, hi, shift;
    int32_t group;        /* number of its % block, -1 */
    int32_t value;        /* syntax */
    int32_t first_syntax; /* all its syntax is from here to value */
    int32_t n_args;
    int32_t direction, first_assignment; /* events */
    double table_lo, table_hi;
    int32_t table_n;
    const double *samples; /* of a table from a file; NULL: a formula makes them */
    const char *text;      /* unit, help, condition of an event */
    const char **choices;
} ode_statement;

typedef struct ode_symbol {
    const char *text;    /* lower case */
    const char *display; /* as written where it was defined */
    uint32_t hash;
    int32_t next;     /* in its bucket */
    int32_t builtin;  /* function or constant of the language, -1 */
    int32_t argument; /* number of the argument while a function is read, -1 */
} ode_symbol;

typedef struct ode_parsed {
    ode_work *work;
    const ode_source *source;
    ode_syntax *syntax;
    int32_t n_syntax, room_syntax;
    ode_statement *statements;
    int32_t n_statements, room_statements;
    ode_assignment *assignments;
    int32_t n_assignments, room_assignments;
    ode_symbol *symbols;
    int32_t n_symbols, room_symbols;
    int32_t *buckets, n_buckets;
    gt_ode_run run;
    gt_ode_set *sets;
    int32_t n_sets, room_sets;
    const char **only;
    int32_t n_only, room_only;
    const char *title, *reference;
    double typical;
    bool switches_off; /* #@ switches off: relations are evaluated as they stand, wherever a step
                          ends */
} ode_parsed;

void gt_lang_parse(ode_parsed *parsed);

/* symbols.c; -1 is nothing found */
int32_t gt_lang_intern(ode_parsed *parsed, const char *text, size_t length);
int32_t gt_lang_find_symbol(const ode_parsed *parsed, const char *text, size_t length);

#endif
