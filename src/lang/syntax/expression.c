/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Expressions, by recursive descent. From loosest to tightest:
 *
 *     |     &     < <= > >= == !=     + -     * /     unary - and not     ^ (left to right)
 *
 * XPPAUT lets comparisons bind tighter than arithmetic; where that would change the meaning, a
 * warning says so.
 */
#include "lang/syntax/parser.h"

static int32_t binary(ode_parser *parser, ode_op op, int32_t at, int32_t a, int32_t b)
{
    int32_t s = gt_lang_new_syntax(parser, S_BINARY, at);
    parser->out->syntax[s].op = (uint8_t)op;
    parser->out->syntax[s].a = a;
    parser->out->syntax[s].b = b;
    return s;
}

static int32_t unary(ode_parser *parser, ode_op op, int32_t at, int32_t a)
{
    int32_t s = gt_lang_new_syntax(parser, S_UNARY, at);
    parser->out->syntax[s].op = (uint8_t)op;
    parser->out->syntax[s].a = a;
    return s;
}

static int32_t power(ode_parser *parser);

static int32_t signed_part(ode_parser *parser)
{
    int32_t at = gt_lang_peek(parser)->at;
    bool is_not = gt_lang_is_word(parser, "not");
    if (gt_lang_is(parser, '-') || gt_lang_is(parser, '+') || is_not) {
        bool plus = gt_lang_is(parser, '+');
        parser->next_token++;
        gt_lang_nest(parser);
        int32_t a = signed_part(parser);
        parser->nesting--;
        return plus ? a : unary(parser, is_not ? N_NOT : N_NEG, at, a);
    }
    return power(parser);
}

static int32_t exponent(ode_parser *parser)
{
    int32_t at = gt_lang_peek(parser)->at;
    if (!gt_lang_accept(parser, '-')) return gt_lang_primary(parser);
    gt_lang_nest(parser);
    int32_t a = exponent(parser);
    parser->nesting--;
    return unary(parser, N_NEG, at, a);
}

static int32_t power(ode_parser *parser)
{
    int32_t s = gt_lang_primary(parser);
    for (int count = 0; gt_lang_peek(parser)->kind == T_POWER; count++) {
        int32_t at = gt_lang_peek(parser)->at;
        if (count == 1)
            gt_lang_warn(
                parser->work, at,
                "a^b^c is read from left to right, (a^b)^c, as XPPAUT does; write parentheses");
        parser->next_token++;
        s = binary(parser, N_POW, at, s, exponent(parser));
    }
    return s;
}

/* part op part op .. from left to right, with one of two operations that are one character each. */
static int32_t left_to_right(ode_parser *parser, int32_t (*part)(ode_parser *parser),
                             const char signs[2], const ode_op ops[2])
{
    int32_t s = part(parser);
    for (;;) {
        int which = gt_lang_is(parser, signs[0]) ? 0 : gt_lang_is(parser, signs[1]) ? 1 : -1;
        if (which < 0) return s;
        int32_t at = gt_lang_peek(parser)->at;
        parser->next_token++;
        bool may_be_double = signs[0] == signs[1]; /* && and || */
        if (may_be_double) gt_lang_accept(parser, signs[0]);
        s = binary(parser, ops[which], at, s, part(parser));
    }
}

static int32_t product(ode_parser *parser)
{
    return left_to_right(parser, signed_part, "*/", (const ode_op[]){N_MUL, N_DIV});
}

static int32_t sum(ode_parser *parser)
{
    return left_to_right(parser, product, "+-", (const ode_op[]){N_ADD, N_SUB});
}

/* Whether XPPAUT would take only a part of this operand of a comparison. */
static bool is_bare(const ode_parser *parser, int32_t s, int32_t start, bool right)
{
    if (parser->paren_start == start && parser->paren_end == parser->next_token) return false;
    const ode_syntax *x = &parser->out->syntax[s];
    if (x->kind == S_BINARY) return x->op != N_POW || right;
    return x->kind == S_UNARY && x->op == N_NEG && !right;
}

static int comparison_of(const ode_token *t)
{
    switch (t->kind) {
    case T_LE:
        return N_LE;
    case T_GE:
        return N_GE;
    case T_EQ:
        return N_EQ;
    case T_NE:
        return N_NE;
    case T_OTHER:
        return t->c == '<' ? N_LT : t->c == '>' ? N_GT : -1;
    default:
        return -1;
    }
}

static int32_t comparison(ode_parser *parser)
{
    int32_t start = parser->next_token;
    int32_t s = sum(parser);
    for (;;) {
        const ode_token *t = gt_lang_peek(parser);
        int op = comparison_of(t);
        if (op < 0) return s;
        int32_t at = t->at;
        bool bare = is_bare(parser, s, start, false);
        start = ++parser->next_token;
        int32_t right = sum(parser);
        if (bare || is_bare(parser, right, start, true))
            gt_lang_warn(parser->work, at,
                         "arithmetic is done before this comparison; XPPAUT compares first: write "
                         "parentheses");
        s = binary(parser, (ode_op)op, at, s, right);
    }
}

static int32_t both(ode_parser *parser)
{
    return left_to_right(parser, comparison, "&&", (const ode_op[]){N_AND, N_AND});
}

int32_t gt_lang_expression(ode_parser *parser)
{
    gt_lang_nest(parser);
    int32_t s = left_to_right(parser, both, "||", (const ode_op[]){N_OR, N_OR});
    parser->nesting--;
    return s;
}
