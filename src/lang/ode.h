/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LANG_ODE_H
#define GEARTRAIN_LANG_ODE_H

/* What the parts of the model language share: the file as text, as trees of syntax, as names, and as one graph. */
#include "lang/graph/operations.h"
#include "lang/programs/program.h"
#include "lang/syntax/syntax.h"
#include <geartrain/lang.h>
#include <geartrain/ode_runtime.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>

/* Limits: what is beyond them is refused with a sentence. */
enum {
    ODE_MAX_FILE = 16 << 20, /* bytes */
    ODE_MAX_NESTING = 200,   /* parentheses */
    ODE_MAX_DEPTH = 4000,    /* names that refer to names */
    ODE_MAX_STATES = 10000000,
    ODE_MAX_INDEX = 100000000, /* of an array element, in size */
    ODE_MAX_SYNTAX = 8 << 20,  /* nodes of all syntax trees */
    ODE_MAX_NODES = 4 << 20,   /* nodes of the graph */
    ODE_MAX_WORK = 20 << 20,   /* steps of the translation */
    ODE_MAX_PIECES = 20000,    /* of one array statement */
    ODE_MAX_ARGS = 20,         /* of a function */
    ODE_MAX_TABLE = 1000000,   /* samples of a table */
    ODE_MAX_ERRORS = 20
};
#define ODE_MAX_MEMORY ((size_t)1 << 31)
/* Of the Jacobian, entries and expressions for them; what has more is left to differences. */
#define ODE_MAX_ENTRIES 50000000
#define ODE_MAX_BANDS 500000

/* ---- memory: everything of a file is freed with it ---- */

typedef struct ode_block {
    struct ode_block *next;
    size_t used, size;
} ode_block;

/* ---- text ---- */

/* From `start` on, the joined text stands at this place of the file. */
typedef struct ode_stretch {
    int32_t start, line, column;
    int32_t file; /* in `included`, -1: the file itself */
} ode_stretch;

/* A file that #include has brought in, by the line of the file itself that led to it. */
typedef struct ode_included {
    const char *name, *path;
    int32_t line;
} ode_included;

/* ---- names ---- */

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

typedef struct ode_symbol {
    const char *text;    /* lower case */
    const char *display; /* as written where it was defined */
    uint32_t hash;
    int32_t next;                     /* in its bucket */
    int32_t single;                   /* definition of the plain name, -1 */
    int32_t first_family, n_families; /* in `families` */
    int32_t builtin;                  /* function or constant of the language, -1 */
    int32_t argument;                 /* number of the argument while a function is read, -1 */
} ode_symbol;

/* A run of elements lo..hi that lie at slot + step (e - lo) in the state vector. */
typedef struct ode_segment {
    int32_t lo, hi, slot, step;
} ode_segment;

typedef struct ode_definition {
    ode_kind kind;
    int32_t symbol, statement;
    bool family;
    int32_t lo, hi;                    /* elements */
    int32_t position, stride;          /* place in the order of the file, for shift: position + stride (e - lo) */
    int32_t slot;                      /* parameters: in p; tables: first sample in p */
    int32_t first_segment, n_segments; /* states */
    double value;                      /* constants and parameters: default */
    bool fixed;                        /* a parameter that says how long a sum is */
    int32_t nested;                    /* how often it is being translated inside itself */
    bool recursive;                    /* functions */
    int32_t node;                      /* of a name without index, -1 */
    int32_t body;                      /* recursive functions: number in `functions`, -1 */
    const char *unit, *help;
    double min, max;
    bool whole;
    const char **choices; /* of a parameter that is one; ends with NULL */
} ode_definition;

/* Consecutive places in the order of the file: one definition, or the `width` ones of a % block in turns, which begin
 * at `definition` in group_members. */
typedef struct ode_order {
    int32_t first, count, width, definition;
} ode_order;

/* ---- the graph ---- */

/* What a node depends on. */
enum {
    DEP_STATE = 1,
    DEP_TIME = 2,
    DEP_J = 4,
    DEP_I = 8,
    DEP_PARAM = 16,
    DEP_ARG = 32,
    HAS_CALL = 64,
    HAS_TABLE = 128
};

typedef struct ode_node {
    uint8_t op, flags;
    bool wild; /* may be infinite or not a number where its leaves are finite, by other than sums and products */
    int32_t a, b, c;
    double value;
    int32_t next; /* in its bucket */
    int32_t name; /* definition whose value it is, -1 */
} ode_node;

/* A recursive function as a graph over N_ARG nodes. */
typedef struct ode_function {
    int32_t definition; /* -1 for a derivative */
    int32_t of, by;     /* derivative of function `of` by node `by` (an N_ARG or N_STATE node) */
    int32_t n_args, body;
    uint8_t flags; /* DEP_*, of the calls */
} ode_function;

typedef struct ode_table {
    int32_t definition, slot, n;
    double lo, hi;
} ode_table;

/* A diagonal of the Jacobian: rows and columns that move with j (and i). */
typedef struct ode_row {
    int32_t node; /* right-hand side */
    int32_t held; /* the same with relations that can be held */
    int32_t first, step, lo, hi;
    bool loop;
    int32_t block; /* 0 slow, 1 fast, 2 algebraic */
} ode_row;

/* A relation that switches where `g` passes zero. */
typedef struct ode_relation {
    int32_t node;
    ode_output g;
} ode_relation;

typedef struct ode_bytecode ode_bytecode;

struct gt_ode {
    ode_block *blocks;
    size_t memory;
    jmp_buf *escape;
    const char *file;
    const char *model_name;

    char *text; /* lines joined, comments out; statements end with '\n' */
    int32_t length;
    ode_stretch *stretches;
    int32_t n_stretches, room_stretches;
    size_t room_text;
    ode_included *included;
    int32_t n_included, room_included;

    ode_token *tokens; /* of the line being read */
    int32_t n_tokens, room_tokens, next_token;
    int32_t nesting, in_sum;
    int32_t in_function, function_first; /* number and first of the arguments while the body of a function is read */
    bool j_allowed;
    int32_t skip;                   /* characters to leave out of the next name: the d of dx/dt */
    int32_t paren_start, paren_end; /* tokens of the last pair of parentheses */
    ode_statement *range_here;      /* may get its range inside an expression */
    bool no_memory, giving_up, complete;

    ode_syntax *syntax;
    int32_t n_syntax, room_syntax;
    ode_statement *statements;
    int32_t n_statements, room_statements;
    ode_assignment *assignments;
    int32_t n_assignments, room_assignments;
    int32_t *argument_symbols;
    int32_t n_argument_symbols, room_argument_symbols;
    int32_t group, n_groups, group_lo, group_hi;
    bool group_down;
    ode_statement list_range; /* of the list that is being read, when it has one: [j] in it stands for that */
    int32_t group_at;

    ode_symbol *symbols;
    int32_t n_symbols, room_symbols;
    int32_t *buckets, n_buckets;
    ode_definition *definitions;
    int32_t n_definitions, room_definitions;
    ode_segment *segments;
    int32_t n_segments, room_segments;
    int32_t *families; /* definitions of arrays by base and first element */

    int32_t n_slow, n_fast, n_alg, n_params, n_p;
    int32_t n_positions, n_equations; /* t, the states in the order of the file, named expressions, unknowns */
    ode_order *order;
    int32_t n_order, room_order;
    int32_t *group_members; /* definitions of the equations of all % blocks */
    int32_t n_group_members, room_group_members;
    int32_t *start_of; /* for each position the statement of its initial value, -1 */
    int32_t *start_j;  /* and the j that it has there */
    double *defaults;  /* of the parameters */

    ode_node *nodes;
    int32_t n_nodes, room_nodes;
    int32_t *node_buckets, n_node_buckets;
    int32_t *hoisted; /* place in p of a node that depends on parameters only, -1 */
    ode_array *arrays;
    int32_t n_arrays, room_arrays;
    int32_t *mark, *mark_inner, room_mark, stamp, stamp_moving, stamp_inner, last_stamp; /* while programs are made */
    int32_t last_call;                                                                   /* newest N_CALL node, -1 */
    int32_t *arguments;
    int32_t n_arguments, room_arguments;
    int32_t *call_registers; /* of the interpreter */
    int32_t n_call_registers, room_call_registers;
    ode_function *functions;
    int32_t n_functions, room_functions;
    ode_table *tables;
    int32_t n_tables, room_tables;
    int32_t depth;
    int32_t evaluating; /* above 0 while values are read that do not fix the parameters in them */
    int32_t work;
    struct ode_memo *memo;
    int32_t n_memo, room_memo, n_memo_buckets;
    int32_t *memo_buckets;

    ode_row *rows;
    int32_t n_rows, room_rows;
    gt_ode_band *bands;
    int32_t n_bands, room_bands;
    ode_program programs[P_COUNT];
    ode_event *events;
    int32_t n_events, room_events, n_roots, n_aux, n_invariants;
    bool events_set_params;
    bool switches_off; /* #@ switches off: relations are evaluated as they stand, wherever a step ends */
    ode_relation *relations;
    int32_t n_relations, room_relations, n_switches;
    bool dense, has_jac, has_blocks;

    gt_ode_note *notes;
    int32_t n_notes, room_notes, n_errors;
    gt_ode_facts facts;
    gt_ode_set *sets;
    int32_t n_sets, room_sets;
    const char **only;
    int32_t n_only, room_only;

    const char *title, *heading, *reference; /* heading: the first comment */
    gt_ode_code code;
    gt_model model;
    gt_param *params;
    ode_bytecode *bytecode;
};

/* pool.c */
void *gt_lang_take(gt_ode *o, size_t count, size_t size);
void gt_lang_grow(gt_ode *o, void **array, int32_t count, int32_t *room, size_t size, int32_t most, const char *what);
const char *gt_lang_copy(gt_ode *o, const char *text, size_t length);
/* Makes room for one more and counts it; `most` is the limit. */
#define ODE_PUSH(o, array, most, what)                                                                                 \
    (gt_lang_grow((o), (void **)&(o)->array, (o)->n_##array, &(o)->room_##array, sizeof *(o)->array, (most), (what)),  \
     &(o)->array[(o)->n_##array++])

/* diagnostics.c: messages. An error leaves the statement (or the file) by longjmp. */
_Noreturn void gt_lang_error(gt_ode *o, int32_t at, const char *format, ...) GT_PRINTF(3, 4);
void gt_lang_warn(gt_ode *o, int32_t at, const char *format, ...) GT_PRINTF(3, 4);
void gt_lang_place(const gt_ode *o, int32_t at, int *line, int *column);

/* source.c */
void gt_lang_join_lines(gt_ode *o, const char *text, size_t length);

/* token.c: the line that begins at `at`; returns where the next one begins. */
int32_t gt_lang_tokenize(gt_ode *o, int32_t at);
const ode_token *gt_lang_peek(const gt_ode *o);
const char *gt_lang_quote(const gt_ode *o, const ode_token *token, char buffer[48]);
bool gt_lang_is(const gt_ode *o, char c);
bool gt_lang_accept(gt_ode *o, char c);
void gt_lang_expect(gt_ode *o, char c, const char *why);
int32_t gt_lang_whole(gt_ode *o, const char *what);

/* symbols.c; -1 is nothing found */
int32_t gt_lang_intern(gt_ode *o, const char *text, size_t length);
void gt_lang_define_builtins(gt_ode *o);
int32_t gt_lang_define(gt_ode *o, ode_kind kind, int32_t statement);
void gt_lang_hide_builtin(gt_ode *o, int32_t symbol, int32_t at);
void gt_lang_sort_families(gt_ode *o);
int32_t gt_lang_find_family(const gt_ode *o, int32_t base, int64_t lo, int64_t hi);
int32_t gt_lang_find_split(const gt_ode *o, int32_t symbol, int32_t *element);
int32_t gt_lang_find_name(const gt_ode *o, int32_t symbol, int32_t *element);
int32_t gt_lang_find_element(const gt_ode *o, int32_t base, int64_t index, int32_t *element);
const char *gt_lang_suggest(gt_ode *o, int32_t symbol);

/* expression.c */
int32_t gt_lang_expression(gt_ode *o);
int32_t gt_lang_reference(gt_ode *o);
void gt_lang_index(gt_ode *o, int64_t *k, int64_t *m);

/* statement.c */
int32_t gt_lang_statement(gt_ode *o, ode_statement_kind kind, int32_t at);
void gt_lang_left_side(gt_ode *o, int32_t statement);
void gt_lang_range(gt_ode *o, ode_statement *s);
void gt_lang_read_statements(gt_ode *o);

/* lists.c, run_options.c, own_statements.c */
void gt_lang_read_list(gt_ode *o, ode_statement_kind kind);
void gt_lang_read_event(gt_ode *o);
void gt_lang_read_table(gt_ode *o);
void gt_lang_read_options(gt_ode *o, int32_t at, int32_t line_start);
void gt_lang_read_set(gt_ode *o, int32_t at);
void gt_lang_read_only(gt_ode *o, int32_t at);
void gt_lang_read_own(gt_ode *o, int32_t at);

#endif
