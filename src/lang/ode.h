/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_ODE_H
#define GEARTRAIN_ODE_H

/* What the parts of the model language share: the file as text, as trees of syntax, as names, and as one graph. */
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
} ode_stretch;

typedef enum ode_token_kind {
    T_END,
    T_NUMBER,
    T_NAME,
    T_LE,    /* <= */
    T_GE,    /* >= */
    T_EQ,    /* == */
    T_NE,    /* != */
    T_POWER, /* ** or ^ */
    T_DOTS,  /* .. */
    T_OTHER  /* one character, in `c` */
} ode_token_kind;

typedef struct ode_token {
    ode_token_kind kind;
    char c;
    bool blank_before;
    int32_t at, length; /* in the joined text */
    double value;
} ode_token;

/* ---- syntax ---- */

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
 * One statement. With a range it stands for lo <= j <= hi, and defines the elements shift + j of the family `symbol`;
 * without one it defines `symbol` itself.
 */
typedef struct ode_statement {
    ode_statement_kind kind;
    int32_t at, end; /* in the joined text */
    int32_t symbol;
    bool ranged, down; /* down: written from the high end to the low one */
    int32_t rank;      /* of an initial value: a higher one is stronger, wherever it stands */
    int32_t lo, hi, shift;
    int32_t group;        /* number of its % block, -1 */
    int32_t value;        /* syntax */
    int32_t first_syntax; /* all its syntax is from here to value */
    int32_t definition;   /* what it defines */
    int32_t number;       /* of its first column, or root */
    int32_t first_arg, n_args;
    int32_t direction, first_assignment; /* events */
    double table_lo, table_hi;
    int32_t table_n;
    const char *text; /* unit, help, condition of an event */
    const char **choices;
} ode_statement;

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
    int32_t start_node;                /* the same for a state's initial value */
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

/* X(symbol, number of operands, text, cost in operations) */
#define ODE_OPERATIONS(X)                                                                                              \
    X(N_CONST, 0, "", 0)                                                                                               \
    X(N_TIME, 0, "t", 0)                                                                                               \
    X(N_J, 0, "j", 0)                                                                                                  \
    X(N_I, 0, "i", 0)                                                                                                  \
    X(N_STATE, 0, "x", 0) /* x[a + b j + c i] */                                                                       \
    X(N_PARAM, 0, "p", 0) /* p[a + b j + c i] */                                                                       \
    X(N_ARG, 0, "arg", 0)                                                                                              \
    X(N_NEG, 1, "-", 1)                                                                                                \
    X(N_ADD, 2, "+", 1)                                                                                                \
    X(N_SUB, 2, "-", 1)                                                                                                \
    X(N_MUL, 2, "*", 1)                                                                                                \
    X(N_DIV, 2, "/", 4)                                                                                                \
    X(N_POW, 2, "pow", 20)                                                                                             \
    X(N_LT, 2, "<", 1)                                                                                                 \
    X(N_LE, 2, "<=", 1)                                                                                                \
    X(N_GT, 2, ">", 1)                                                                                                 \
    X(N_GE, 2, ">=", 1)                                                                                                \
    X(N_EQ, 2, "==", 1)                                                                                                \
    X(N_NE, 2, "!=", 1)                                                                                                \
    X(N_AND, 2, "&", 1)                                                                                                \
    X(N_OR, 2, "|", 1)                                                                                                 \
    X(N_NOT, 1, "not", 1)                                                                                              \
    X(N_IF, 3, "if", 1)                                                                                                \
    X(N_SIN, 1, "sin", 20)                                                                                             \
    X(N_COS, 1, "cos", 20)                                                                                             \
    X(N_TAN, 1, "tan", 20)                                                                                             \
    X(N_ASIN, 1, "asin", 20)                                                                                           \
    X(N_ACOS, 1, "acos", 20)                                                                                           \
    X(N_ATAN, 1, "atan", 20)                                                                                           \
    X(N_ATAN2, 2, "atan2", 20)                                                                                         \
    X(N_SINH, 1, "sinh", 20)                                                                                           \
    X(N_COSH, 1, "cosh", 20)                                                                                           \
    X(N_TANH, 1, "tanh", 20)                                                                                           \
    X(N_EXP, 1, "exp", 20)                                                                                             \
    X(N_LN, 1, "ln", 20)                                                                                               \
    X(N_LOG10, 1, "log10", 20)                                                                                         \
    X(N_SQRT, 1, "sqrt", 4)                                                                                            \
    X(N_ABS, 1, "abs", 1)                                                                                              \
    X(N_SIGN, 1, "sign", 1)                                                                                            \
    X(N_HEAV, 1, "heav", 1)                                                                                            \
    X(N_MIN, 2, "min", 1)                                                                                              \
    X(N_MAX, 2, "max", 1)                                                                                              \
    X(N_MOD, 2, "mod", 20)                                                                                             \
    X(N_FLR, 1, "flr", 4)                                                                                              \
    X(N_CEIL, 1, "ceil", 4)                                                                                            \
    X(N_ERF, 1, "erf", 20)                                                                                             \
    X(N_ERFC, 1, "erfc", 20)                                                                                           \
    X(N_TABLE, 1, "table", 4) /* of the table b, linear between samples */                                             \
    X(N_SLOPE, 1, "slope", 4) /* its slope */                                                                          \
    X(N_SUM, 1, "sum", 1)     /* of a for i from b to c */                                                             \
    X(N_CALL, 0, "call", 100) /* of recursive function a; b: first of its arguments in `arguments` */

typedef enum ode_op {
#define ODE_OP(symbol, operands, text, cost) symbol,
    ODE_OPERATIONS(ODE_OP)
#undef ODE_OP
        N_COUNT
} ode_op;

/* Functions of one argument whose series follow from that of their slope by the chain rule. */
static inline bool ode_has_slope(ode_op op)
{
    switch (op) {
    case N_SIN:
    case N_COS:
    case N_TAN:
    case N_ASIN:
    case N_ACOS:
    case N_ATAN:
    case N_SINH:
    case N_COSH:
    case N_TANH:
    case N_EXP:
    case N_LN:
    case N_LOG10:
    case N_ERF:
    case N_ERFC:
        return true;
    default:
        return false;
    }
}

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

/* ---- programs: what a function of the problem computes ---- */

typedef enum ode_target { O_DX, O_P, O_X0, O_J, O_PLACE, O_OUT } ode_target;

/* target[first + step j + inner i] (+)= node for lo <= j <= hi, inner_lo <= i <= inner_hi. A single one has lo = hi and
 * a node without j. */
typedef struct ode_output {
    int32_t node;
    int32_t first, step, inner;
    int32_t lo, hi, inner_lo, inner_hi;
    bool loop, inner_loop, add;
} ode_output;

typedef enum ode_program_kind {
    P_SETUP,
    P_START,
    P_RHS,
    P_SLOW,
    P_FAST,
    P_ALG,
    P_JAC,
    P_ROOTS,
    P_AUX,
    P_INVARIANTS,
    P_EXACT,
    P_BLOCKS, /* of the Jacobian: P_BLOCKS + 3 rows + columns */
    P_COUNT = P_BLOCKS + 9
} ode_program_kind;

/* One step of a program: a node to be computed, a value to be stored, or a loop over the steps that follow. */
typedef enum ode_step_kind {
    STEP_NODE,
    STEP_LOAD,
    STEP_SUM,
    STEP_STORE,
    STEP_LOOP_J,
    STEP_LOOP_I,
    STEP_CLOSE
} ode_step_kind;

typedef struct ode_step {
    ode_step_kind kind;
    int32_t index;  /* node or output */
    int32_t lo, hi; /* loops; lo of STEP_LOAD: the node is p[lo + j] */
} ode_step;

typedef struct ode_program {
    ode_target target;
    int32_t n_outputs, room_outputs;
    ode_output *outputs;
    int32_t n_steps, room_steps;
    ode_step *steps;
    double work;                /* operations */
    struct ode_program *chunks; /* the same in several programs, for compilers, which do not like long functions */
    int32_t n_chunks;
} ode_program;

/* A node without states that costs more than a load, kept in p for all j of a loop. */
typedef struct ode_array {
    int32_t node, lo, hi, first;
} ode_array;

/* An event: root number(s), and what happens, as one program per assignment. */
typedef struct ode_action {
    enum { A_STATE, A_PARAM, A_STOP, A_OUTPUT } what;
    int32_t first, step; /* of the target: first + step j */
    ode_program program; /* one output */
} ode_action;

typedef struct ode_event {
    int32_t statement;
    int32_t lo, hi; /* j; lo = hi for one */
    bool loop;
    int32_t root; /* number of the first root */
    int32_t n_actions;
    ode_action *actions;
} ode_event;

/* A diagonal of the Jacobian: rows and columns that move with j (and i). */
typedef struct ode_row {
    int32_t node; /* right-hand side */
    int32_t first, step, lo, hi;
    bool loop;
    int32_t block; /* 0 slow, 1 fast, 2 algebraic */
} ode_row;

typedef struct ode_machine ode_machine;

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
    ode_machine *machines;
};

/* memory.c */
void *gt_lang_take(gt_ode *o, size_t count, size_t size);
void gt_lang_grow(gt_ode *o, void **array, int32_t count, int32_t *room, size_t size, int32_t most, const char *what);
const char *gt_lang_copy(gt_ode *o, const char *text, size_t length);
/* Makes room for one more and counts it; `most` is the limit. */
#define ODE_PUSH(o, array, most, what)                                                                                 \
    (gt_lang_grow((o), (void **)&(o)->array, (o)->n_##array, &(o)->room_##array, sizeof *(o)->array, (most), (what)),  \
     &(o)->array[(o)->n_##array++])

/* notes.c: messages. An error leaves the statement (or the file) by longjmp. */
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
int32_t gt_lang_lookup(const gt_ode *o, const char *text, size_t length);
void gt_lang_define_builtins(gt_ode *o);
int32_t gt_lang_define(gt_ode *o, ode_kind kind, int32_t statement);
void gt_lang_sort_families(gt_ode *o);
int32_t gt_lang_find_family(const gt_ode *o, int32_t base, int64_t lo, int64_t hi);
int32_t gt_lang_find_split(const gt_ode *o, int32_t symbol, int32_t *element);
int32_t gt_lang_find_name(const gt_ode *o, int32_t symbol, int32_t *element);
int32_t gt_lang_find_element(const gt_ode *o, int32_t base, int64_t index, int32_t *element);
const char *gt_lang_suggest(gt_ode *o, int32_t symbol);

/* expression.c */
int32_t gt_lang_syntax(gt_ode *o, ode_syntax_op kind, int32_t at);
int32_t gt_lang_expression(gt_ode *o);
int32_t gt_lang_reference(gt_ode *o);
void gt_lang_index(gt_ode *o, int64_t *k, int64_t *m);

/* statement.c */
int32_t gt_lang_statement(gt_ode *o, ode_statement_kind kind, int32_t at);
void gt_lang_left_side(gt_ode *o, int32_t statement);
void gt_lang_range(gt_ode *o, ode_statement *s);
void gt_lang_leave_function(gt_ode *o);
void gt_lang_read_statements(gt_ode *o);

/* lists.c, options.c, additions.c */
void gt_lang_read_list(gt_ode *o, ode_statement_kind kind);
void gt_lang_read_event(gt_ode *o);
void gt_lang_read_table(gt_ode *o);
void gt_lang_read_options(gt_ode *o, int32_t at, int32_t line_start);
void gt_lang_read_set(gt_ode *o, int32_t at);
void gt_lang_read_only(gt_ode *o, int32_t at);
void gt_lang_read_extra(gt_ode *o, int32_t at);

#endif
