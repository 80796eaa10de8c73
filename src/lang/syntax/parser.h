/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LANG_PARSER_H
#define GEARTRAIN_LANG_PARSER_H

/* What the parts of the parser share: the line being read, as tokens, and what surrounds it. */
#include "lang/syntax/syntax.h"

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

typedef struct ode_parser {
    ode_work *work;
    const ode_source *source;
    ode_parsed *out;
    ode_token *tokens; /* of the line being read */
    int32_t n_tokens, room_tokens, next_token;
    int32_t nesting, in_sum;
    /* number and first of the arguments while the body of a function is read */
    int32_t in_function, function_first;
    int32_t *argument_symbols;
    int32_t n_argument_symbols, room_argument_symbols;
    bool j_allowed;
    int32_t skip;                   /* characters to leave out of the next name: the d of dx/dt */
    int32_t paren_start, paren_end; /* tokens of the last pair of parentheses */
    ode_statement *range_here;      /* may get its range inside an expression */
    /* of the list that is being read, when it has one: [j] in it stands for that */
    ode_statement list_range;
    int32_t group, n_groups; /* the % block at hand, -1 */
    int32_t group_lo, group_hi, group_at;
    bool group_down;
    bool percent_seen; /* a comment that begins with % was warned of */
} ode_parser;

/* token.c: the line that begins at `at`; returns where the next one begins. */
int32_t gt_lang_tokenize(ode_parser *parser, int32_t at);
const ode_token *gt_lang_peek(const ode_parser *parser);
const char *gt_lang_quote(const ode_parser *parser, const ode_token *token, char buffer[48]);
bool gt_lang_is(const ode_parser *parser, char c);
bool gt_lang_accept(ode_parser *parser, char c);
void gt_lang_expect(ode_parser *parser, char c, const char *why);
int32_t gt_lang_whole(ode_parser *parser, const char *what);

/* symbols.c */
void gt_lang_define_builtins(ode_parsed *parsed);
void gt_lang_hide_builtin(ode_parsed *parsed, int32_t symbol, int32_t at);

/* primary.c: the smallest parts of an expression. */
int32_t gt_lang_primary(ode_parser *parser);
int32_t gt_lang_new_syntax(ode_parser *parser, ode_syntax_op kind, int32_t at);
void gt_lang_nest(ode_parser *parser);
bool gt_lang_is_word(const ode_parser *parser, const char *word);

/* expression.c */
int32_t gt_lang_expression(ode_parser *parser);
int32_t gt_lang_reference(ode_parser *parser);
void gt_lang_index(ode_parser *parser, int64_t *k, int64_t *m);

/* primes.c: the symbol of the derivative; one behind a reference that was read; what they stand
 * for. */
int32_t gt_lang_prime(ode_parser *parser, int32_t symbol, int32_t at);
void gt_lang_accept_prime(ode_parser *parser, int32_t reference);
void gt_lang_resolve_primes(ode_parser *parser);

/* statement.c */
int32_t gt_lang_statement(ode_parser *parser, ode_statement_kind kind, int32_t at);
void gt_lang_left_side(ode_parser *parser, int32_t statement);
void gt_lang_range(ode_parser *parser, ode_statement *s);
void gt_lang_read_aux(ode_parser *parser);
void gt_lang_read_unknown(ode_parser *parser);
void gt_lang_read_by_left_side(ode_parser *parser);
void gt_lang_leave_function(ode_parser *parser);

/* lists.c, run_options.c, own_statements.c */
void gt_lang_read_list(ode_parser *parser, ode_statement_kind kind);
void gt_lang_read_event(ode_parser *parser);
void gt_lang_read_table(ode_parser *parser);
void gt_lang_read_options(ode_parser *parser, int32_t at, int32_t line_start);
void gt_lang_read_set(ode_parser *parser, int32_t at);
void gt_lang_read_only(ode_parser *parser, int32_t at);
void gt_lang_read_own(ode_parser *parser, int32_t at);

/* table_file.c: table NAME FILE; false: it is another kind of table. */
bool gt_lang_read_table_file(ode_parser *parser, int32_t at);

#endif
