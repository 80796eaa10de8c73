/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Statements that are known by their left side: equations, named expressions, functions, initial
 * values and the like.
 */
#include "lang/syntax/parser.h"
#include <string.h>

int32_t gt_lang_statement(ode_parser *parser, ode_statement_kind kind, int32_t at)
{
    ode_statement *s = ODE_PUSH(parser->out, statements, ODE_MAX_SYNTAX, "statements");
    *s = (ode_statement){.kind = kind,
                         .at = at,
                         .symbol = -1,
                         .group = -1,
                         .value = -1,
                         .first_syntax = parser->out->n_syntax,
                         .first_assignment = -1};
    const char *end =
        memchr(parser->source->text + at, '\n', (size_t)(parser->source->length - at));
    s->end = end ? (int32_t)(end - parser->source->text) : parser->source->length;
    return parser->out->n_statements - 1;
}

/* lo..hi and the closing bracket. */
void gt_lang_range(ode_parser *parser, ode_statement *s)
{
    int32_t at = gt_lang_peek(parser)->at;
    if (s->ranged) gt_lang_error(parser->work, at, "a statement has one range only");
    int32_t lo = gt_lang_whole(parser, "the start of a range");
    if (gt_lang_peek(parser)->kind != T_DOTS)
        gt_lang_error(parser->work, gt_lang_peek(parser)->at, "a range looks like [1..20]");
    parser->next_token++;
    int32_t hi = gt_lang_whole(parser, "the end of a range");
    gt_lang_expect(parser, ']', "after a range");
    s->ranged = true;
    s->down = hi < lo;
    s->lo = s->down ? hi : lo;
    s->hi = s->down ? lo : hi;
    if (s->hi - s->lo >= ODE_MAX_STATES)
        gt_lang_error(parser->work, at, "an array has at most %d elements", (int)ODE_MAX_STATES);
    parser->j_allowed = true;
}

/* In a % block a statement stands for the range of the block. */
static void range_of_group(ode_parser *parser, ode_statement *s)
{
    if (parser->group < 0) return;
    s->ranged = true;
    s->lo = parser->group_lo;
    s->hi = parser->group_hi;
    s->down = parser->group_down;
    s->group = parser->group;
}

static bool is_definition(ode_statement_kind kind)
{
    return kind == ST_PARAMETER || kind == ST_CONSTANT || kind == ST_UNKNOWN || kind == ST_TABLE;
}

/* What stands in brackets behind the name: a range, an index with j, or a number that is part of
 * the name. */
static void left_index(ode_parser *parser, ode_statement *s)
{
    const ode_token *dots = gt_lang_peek(parser) + 2;
    if (dots->kind == T_NUMBER) dots++; /* after a minus sign */
    if (dots->kind == T_DOTS) {
        if (parser->group >= 0)
            gt_lang_error(parser->work, s->at,
                          "inside a %% block the index is j, not a range of its own");
        parser->next_token++;
        gt_lang_range(parser, s);
        return;
    }
    int64_t k, m;
    bool in_list = parser->group < 0 && parser->list_range.ranged;
    if (in_list) parser->j_allowed = true;
    gt_lang_index(parser, &k, &m);
    if (!m) {
        char name[160];
        int length =
            snprintf(name, sizeof name, "%s%d", parser->out->symbols[s->symbol].display, (int)k);
        if (length >= (int)sizeof name) gt_lang_error(parser->work, s->at, "this name is too long");
        s->symbol = gt_lang_intern(parser->out, name, (size_t)length);
        return;
    }
    if (m != 1 || (parser->group < 0 && !in_list) || s->ranged)
        gt_lang_error(parser->work, s->at,
                      "the left side of a statement has [j], [j+n] or [j-n], inside a %% block");
    range_of_group(parser, s);
    if (in_list) {
        s->ranged = true;
        s->lo = parser->list_range.lo;
        s->hi = parser->list_range.hi;
        s->down = parser->list_range.down;
    }
    s->shift = (int32_t)k;
}

void gt_lang_left_side(ode_parser *parser, int32_t statement)
{
    char buffer[48];
    ode_statement s = parser->out->statements[statement];
    const ode_token *t = gt_lang_peek(parser);
    if (t->kind != T_NAME)
        gt_lang_error(parser->work, t->at, "a name is needed here, not %s",
                      gt_lang_quote(parser, t, buffer));
    s.at = t->at;
    s.symbol = gt_lang_intern(parser->out, parser->source->text + t->at + parser->skip,
                              (size_t)(t->length - parser->skip));
    parser->skip = 0;
    parser->next_token++;
    while (gt_lang_is(parser, '[')) left_index(parser, &s);
    if (is_definition(s.kind) && !s.ranged) gt_lang_hide_builtin(parser->out, s.symbol, s.at);
    if (parser->group >= 0 && !s.ranged)
        gt_lang_error(
            parser->work, t->at,
            "inside a %% block the left side needs [j], or it would be defined several times");
    if (parser->out->symbols[s.symbol].text[0] == 'i' && !parser->out->symbols[s.symbol].text[1] &&
        gt_lang_is(parser, '\'') && s.ranged)
        gt_lang_warn(parser->work, t->at, "i' is also the index of sum");
    parser->out->statements[statement] = s;
    parser->out->symbols[s.symbol].display =
        gt_lang_copy(parser->work, parser->out->symbols[s.symbol].display,
                     strlen(parser->out->symbols[s.symbol].display));
}

static void expect_end(ode_parser *parser)
{
    char buffer[48];
    const ode_token *t = gt_lang_peek(parser);
    if (t->kind == T_END) return;
    bool side_by_side = t->kind == T_NAME || t->kind == T_NUMBER || gt_lang_is(parser, '(');
    gt_lang_error(parser->work, t->at, "%s is not expected here%s",
                  gt_lang_quote(parser, t, buffer),
                  side_by_side ? "; is an operator missing? There is no product without *" : "");
}

static void right_side(ode_parser *parser, int32_t statement)
{
    gt_lang_expect(parser, '=', "after the left side");
    int32_t value = gt_lang_expression(parser);
    parser->out->statements[statement].value = value;
    expect_end(parser);
}

void gt_lang_read_aux(ode_parser *parser)
{
    int32_t s = gt_lang_statement(parser, ST_AUX, gt_lang_peek(parser)->at);
    gt_lang_left_side(parser, s);
    right_side(parser, s);
}

void gt_lang_read_unknown(ode_parser *parser)
{
    int32_t s = gt_lang_statement(parser, ST_UNKNOWN, gt_lang_peek(parser)->at);
    gt_lang_left_side(parser, s);
    if (gt_lang_accept(parser, '\'')) /* a guess for x' in 0=F(t,x,x') */
        parser->out->statements[s].symbol =
            gt_lang_prime(parser, parser->out->statements[s].symbol, parser->out->statements[s].at);
    if (gt_lang_accept(parser, '=')) parser->out->statements[s].value = gt_lang_expression(parser);
    if (gt_lang_is(parser, ',') || gt_lang_peek(parser)->kind == T_NAME)
        gt_lang_error(parser->work, gt_lang_peek(parser)->at,
                      "each unknown has a line of its own, solv name=guess, as XPPAUT has it");
    expect_end(parser);
}

/* x(0)=value */
static void read_start(ode_parser *parser, int32_t s)
{
    parser->next_token += 3;
    parser->out->statements[s].kind = ST_START;
    if (parser->out->statements[s].ranged) parser->out->statements[s].rank = RANK_FORMULAS;
    if (!parser->out->statements[s].ranged && parser->n_tokens > 1 &&
        parser->tokens[1].kind == T_OTHER && parser->tokens[1].c == '[')
        gt_lang_warn(parser->work, parser->out->statements[s].at,
                     "XPPAUT does not see an initial value of one element with brackets");
    right_side(parser, s);
    const ode_syntax *x = &parser->out->syntax[parser->out->statements[s].value];
    if (x->kind == S_UNARY && x->op == N_NEG) x = &parser->out->syntax[x->a];
    if (!parser->out->statements[s].ranged && x->kind != S_NUMBER)
        gt_lang_warn(parser->work, parser->out->statements[s].at,
                     "this initial value is a formula; XPPAUT reads only a leading number");
}

/* f(a,b)=expr; the arguments hide other names. */
static void read_function(ode_parser *parser, int32_t s)
{
    int32_t at = parser->out->statements[s].at;
    if (parser->out->statements[s].ranged)
        gt_lang_error(parser->work, at, "a function cannot have an index");
    for (int32_t k = parser->next_token; k < parser->n_tokens; k++)
        if (parser->tokens[k].kind == T_NAME &&
            !strncmp(parser->source->text + parser->tokens[k].at, "int", 3) &&
            parser->tokens[k].length == 3 && parser->tokens[k + 1].kind == T_OTHER &&
            strchr("{[", parser->tokens[k + 1].c))
            gt_lang_error(parser->work, at, "Volterra integral equations are not supported");
    parser->next_token++;
    int32_t first = parser->n_argument_symbols, count = 0;
    do {
        const ode_token *t = gt_lang_peek(parser);
        if (t->kind == T_NAME && t[1].kind == T_OTHER && t[1].c == '+')
            gt_lang_error(parser->work, at, "x(t+1)= is a map; maps are not supported");
        if (t->kind != T_NAME)
            gt_lang_error(parser->work, t->at, "an argument of a function must be a name");
        int32_t symbol =
            gt_lang_intern(parser->out, parser->source->text + t->at, (size_t)t->length);
        for (int32_t k = first; k < parser->n_argument_symbols; k++)
            if (parser->argument_symbols[k] == symbol)
                gt_lang_error(parser->work, t->at, "the argument %s appears twice",
                              parser->out->symbols[symbol].text);
        *ODE_PUSH(parser, argument_symbols, ODE_MAX_SYNTAX, "arguments") = symbol;
        if (++count > ODE_MAX_ARGS)
            gt_lang_error(parser->work, at, "a function has at most %d arguments",
                          (int)ODE_MAX_ARGS);
        parser->next_token++;
    } while (gt_lang_accept(parser, ','));
    gt_lang_expect(parser, ')', "after the arguments");
    for (int32_t k = 0; k < count; k++)
        parser->out->symbols[parser->argument_symbols[first + k]].argument = k;
    parser->out->statements[s].kind = ST_FUNCTION;
    parser->out->statements[s].n_args = count;
    parser->in_function = count;
    parser->function_first = first;
    right_side(parser, s);
}

void gt_lang_leave_function(ode_parser *parser)
{
    for (int32_t k = 0; k < parser->in_function; k++)
        parser->out->symbols[parser->argument_symbols[parser->function_first + k]].argument = -1;
    parser->in_function = 0;
}

/* dx/dt= : the name that follows the d. */
static bool is_leibniz(const ode_parser *parser)
{
    const ode_token *t = parser->tokens;
    if (t->kind != T_NAME || (parser->source->text[t->at] | 32) != 'd' || t->length < 2)
        return false;
    int32_t k = 1;
    while (k < parser->n_tokens && t[k].kind == T_OTHER && t[k].c == '[') {
        while (k < parser->n_tokens && !(t[k].kind == T_OTHER && t[k].c == ']')) k++;
        k++;
    }
    return k + 1 < parser->n_tokens && t[k].kind == T_OTHER && t[k].c == '/' &&
           t[k + 1].kind == T_NAME;
}

static void read_leibniz(ode_parser *parser)
{
    int32_t s = gt_lang_statement(parser, ST_EQUATION, parser->tokens->at);
    parser->skip = 1;
    gt_lang_left_side(parser, s);
    parser->next_token++;
    const ode_token *t = gt_lang_peek(parser);
    if (t->length != 2 || (parser->source->text[t->at] | 32) != 'd' ||
        (parser->source->text[t->at + 1] | 32) != 't')
        gt_lang_error(parser->work, t->at,
                      "an equation begins with x'= or dx/dt=; the variable is t");
    parser->next_token++;
    right_side(parser, s);
}

static void read_algebraic(ode_parser *parser)
{
    if (gt_lang_peek(parser)[1].blank_before || gt_lang_peek(parser)->blank_before)
        gt_lang_warn(parser->work, gt_lang_peek(parser)->at,
                     "read as the algebraic equation 0=; XPPAUT allows no blanks there");
    int32_t s = gt_lang_statement(parser, ST_ALGEBRAIC, gt_lang_peek(parser)->at);
    if (parser->group >= 0) {
        ode_statement made = parser->out->statements[s];
        range_of_group(parser, &made);
        parser->out->statements[s] = made;
    }
    parser->next_token++;
    right_side(parser, s);
}

static void read_block(ode_parser *parser)
{
    parser->next_token++;
    int32_t at = parser->tokens->at;
    if (gt_lang_peek(parser)->kind == T_END) {
        parser->group = -1;
        return;
    }
    if (parser->group >= 0)
        gt_lang_error(parser->work, at, "a %% block cannot begin inside another");
    gt_lang_expect(parser, '[', "after % at the start of a block");
    ode_statement range = {0};
    gt_lang_range(parser, &range);
    expect_end(parser);
    parser->group = parser->n_groups++;
    parser->group_lo = range.lo;
    parser->group_hi = range.hi;
    parser->group_down = range.down;
    parser->group_at = at;
}

void gt_lang_read_by_left_side(ode_parser *parser)
{
    const ode_token *t = parser->tokens;
    parser->j_allowed = parser->group >= 0;
    if (t->kind == T_NUMBER && t->value == 0 && t->length == 1 && t[1].kind == T_OTHER &&
        t[1].c == '=') {
        read_algebraic(parser);
        return;
    }
    if (t->kind == T_NUMBER && !parser->out->n_statements)
        gt_lang_refuse(parser->work, t->at,
                       "a file that begins with a number is one in the old style of PHASEPLANE, "
                       "which is not read: write x'=.. for each right-hand side, in the order of "
                       "the v lines, init in place of v, par in place of p, and f(x)=.. for "
                       "functions");
    if (t->kind == T_NUMBER)
        gt_lang_error(parser->work, t->at, "a statement does not begin with a number");
    if (t->kind == T_OTHER && t->c == '%') {
        read_block(parser);
        return;
    }
    if (is_leibniz(parser)) {
        read_leibniz(parser);
        return;
    }
    int32_t s = gt_lang_statement(parser, ST_NAMED, t->at);
    if (gt_lang_accept(parser, '!')) parser->out->statements[s].kind = ST_DERIVED;
    gt_lang_left_side(parser, s);
    const ode_token *next = gt_lang_peek(parser);
    if (parser->out->statements[s].kind != ST_DERIVED && gt_lang_accept(parser, '\'')) {
        parser->out->statements[s].kind = ST_EQUATION;
        right_side(parser, s);
    } else if (gt_lang_is(parser, '(') && next[1].kind == T_NUMBER && next[1].value == 0 &&
               next[2].kind == T_OTHER && next[2].c == ')') {
        read_start(parser, s);
    } else if (gt_lang_is(parser, '(')) {
        read_function(parser, s);
    } else if (gt_lang_is(parser, '=')) {
        right_side(parser, s);
    } else {
        char buffer[48];
        gt_lang_error(parser->work, t->at, "%s does not begin a statement that is known",
                      gt_lang_quote(parser, t, buffer));
    }
}
