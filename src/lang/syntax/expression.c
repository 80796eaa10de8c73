/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Expressions, by recursive descent. From loosest to tightest:
 *
 *     |     &     < <= > >= == !=     + -     * /     unary - and not     ^ (left to right)
 *
 * XPPAUT lets comparisons bind tighter than arithmetic; where that would change the meaning, a warning says so.
 */
#include "lang/ode.h"
#include "lang/syntax/builtin.h"
#include <string.h>

static int32_t new_syntax(gt_ode *o, ode_syntax_op kind, int32_t at)
{
    ode_syntax *s = ODE_PUSH(o, syntax, ODE_MAX_SYNTAX, "parts of expressions");
    *s = (ode_syntax){.kind = (uint8_t)kind, .at = at, .symbol = -1, .a = -1, .b = -1, .c = -1, .next = -1};
    return o->n_syntax - 1;
}

static int32_t binary(gt_ode *o, ode_op op, int32_t at, int32_t a, int32_t b)
{
    int32_t s = new_syntax(o, S_BINARY, at);
    o->syntax[s].op = (uint8_t)op;
    o->syntax[s].a = a;
    o->syntax[s].b = b;
    return s;
}

static int32_t unary(gt_ode *o, ode_op op, int32_t at, int32_t a)
{
    int32_t s = new_syntax(o, S_UNARY, at);
    o->syntax[s].op = (uint8_t)op;
    o->syntax[s].a = a;
    return s;
}

static void nest(gt_ode *o)
{
    if (++o->nesting > ODE_MAX_NESTING)
        gt_lang_error(o, gt_lang_peek(o)->at, "expressions are nested deeper than %d here", (int)ODE_MAX_NESTING);
}

static bool is_word(const gt_ode *o, const char *word)
{
    const ode_token *t = gt_lang_peek(o);
    if (t->kind != T_NAME || (size_t)t->length != strlen(word)) return false;
    for (int32_t k = 0; k < t->length; k++)
        if ((o->text[t->at + k] | 32) != word[k]) return false;
    return true;
}

static void expect_word(gt_ode *o, const char *word, const char *why)
{
    char buffer[48];
    if (!is_word(o, word))
        gt_lang_error(o, gt_lang_peek(o)->at, "'%s' is needed %s, but here is %s", word, why,
                      gt_lang_quote(o, gt_lang_peek(o), buffer));
    o->next_token++;
}

static int32_t parenthesised(gt_ode *o, const char *why)
{
    gt_lang_expect(o, '(', why);
    nest(o);
    int32_t s = gt_lang_expression(o);
    o->nesting--;
    gt_lang_expect(o, ')', "to close the parenthesis");
    return s;
}

static int32_t read_if(gt_ode *o, int32_t at)
{
    int32_t c = parenthesised(o, "after if");
    expect_word(o, "then", "after if(..)");
    int32_t a = parenthesised(o, "after then");
    expect_word(o, "else", "after then(..)");
    int32_t b = parenthesised(o, "after else");
    int32_t s = new_syntax(o, S_IF, at);
    o->syntax[s].a = c;
    o->syntax[s].b = a;
    o->syntax[s].c = b;
    return s;
}

/* (first,second) */
static int32_t pair(gt_ode *o, int32_t (*read_first)(gt_ode *o), int32_t *second, const char *before,
                    const char *between, const char *after)
{
    gt_lang_expect(o, '(', before);
    nest(o);
    int32_t first = read_first(o);
    gt_lang_expect(o, ',', between);
    *second = gt_lang_expression(o);
    o->nesting--;
    gt_lang_expect(o, ')', after);
    return first;
}

static int32_t read_sum(gt_ode *o, int32_t at)
{
    int32_t hi,
        lo = pair(o, gt_lang_expression, &hi, "after sum", "between the limits of sum", "after the limits of sum");
    expect_word(o, "of", "after sum(a,b)");
    o->in_sum++;
    int32_t body = parenthesised(o, "after of");
    o->in_sum--;
    int32_t s = new_syntax(o, S_SUM, at);
    o->syntax[s].a = lo;
    o->syntax[s].b = hi;
    o->syntax[s].c = body;
    return s;
}

static int32_t read_shift(gt_ode *o, int32_t at)
{
    int32_t by, base = pair(o, gt_lang_reference, &by, "after shift", "between the arguments of shift",
                            "after the arguments of shift");
    int32_t s = new_syntax(o, S_SHIFT, at);
    o->syntax[s].a = base;
    o->syntax[s].b = by;
    return s;
}

static int32_t read_call(gt_ode *o, int32_t symbol, int32_t at)
{
    int32_t first = -1, last = -1, count = 0;
    gt_lang_expect(o, '(', "after a function");
    nest(o);
    do {
        int32_t a = gt_lang_expression(o);
        /* An argument may be a node that is chained elsewhere already, never so in a fresh tree. */
        if (last >= 0)
            o->syntax[last].next = a;
        else
            first = a;
        last = a;
        if (++count > ODE_MAX_ARGS) gt_lang_error(o, at, "a function has at most %d arguments", (int)ODE_MAX_ARGS);
    } while (gt_lang_accept(o, ','));
    o->nesting--;
    gt_lang_expect(o, ')', "after the arguments");
    int32_t s = new_syntax(o, S_CALL, at);
    o->syntax[s].symbol = symbol;
    o->syntax[s].a = first;
    o->syntax[s].b = count;
    return s;
}

/* One term of an index: a whole number, j, j*n or n*j. Whether XPPAUT reads it so. */
static void index_term(gt_ode *o, int64_t sign, int64_t *k, int64_t *m, bool *odd)
{
    const ode_token *t = gt_lang_peek(o);
    int64_t factor = sign, times_j = 0;
    for (bool first = true; first || gt_lang_accept(o, '*'); first = false) {
        t = gt_lang_peek(o);
        if (t->kind == T_NAME && t->length == 1 && (o->text[t->at] | 32) == 'j') {
            if (!o->j_allowed)
                gt_lang_error(o, t->at, "[j] has a meaning only in a statement with a range such as x[1..3]'=");
            if (times_j++) gt_lang_error(o, t->at, "an index cannot have j twice in a product");
            if (!first || o->text[t->at] == 'J') *odd = true;
            o->next_token++;
        } else if (t->kind == T_NUMBER) {
            if (first && t + 1 < o->tokens + o->n_tokens && t[1].kind == T_OTHER && t[1].c == '*') *odd = true;
            factor *= gt_lang_whole(o, "an index");
            if (factor > ODE_MAX_INDEX || factor < -ODE_MAX_INDEX) gt_lang_error(o, t->at, "this index is too large");
        } else {
            gt_lang_error(o, t->at, "an index is j, j+n, j-n, j*n or a whole number");
        }
    }
    *(times_j ? m : k) += factor;
}

/* What stands in brackets: k + m j; or lo..hi where a range may stand. */
void gt_lang_index(gt_ode *o, int64_t *k, int64_t *m)
{
    int32_t at = gt_lang_peek(o)->at;
    bool odd = false;
    gt_lang_expect(o, '[', "before an index");
    *k = *m = 0;
    if (o->range_here && o->tokens[o->next_token + 1 + gt_lang_is(o, '-')].kind == T_DOTS) {
        gt_lang_range(o, o->range_here);
        *m = 1;
        return;
    }
    int64_t sign = gt_lang_accept(o, '-') ? -1 : 1;
    index_term(o, sign, k, m, &odd);
    while (gt_lang_is(o, '+') || gt_lang_is(o, '-')) {
        sign = gt_lang_accept(o, '+') ? 1 : -1;
        if (sign < 0) o->next_token++;
        index_term(o, sign, k, m, &odd);
    }
    gt_lang_expect(o, ']', "after an index");
    if (*k > ODE_MAX_INDEX || *k < -ODE_MAX_INDEX || *m > ODE_MAX_INDEX || *m < -ODE_MAX_INDEX)
        gt_lang_error(o, at, "this index is too large");
    if (odd) gt_lang_warn(o, at, "XPPAUT reads this index in another way; it knows j, j+n, j-n, j*n and numbers");
}

/* A name, a name with index, or the plain name that a name with a number in brackets is. */
int32_t gt_lang_reference(gt_ode *o)
{
    char buffer[48];
    const ode_token *t = gt_lang_peek(o);
    if (t->kind != T_NAME) gt_lang_error(o, t->at, "a name is needed here, not %s", gt_lang_quote(o, t, buffer));
    int32_t at = t->at, symbol = gt_lang_intern(o, o->text + t->at, (size_t)t->length);
    o->next_token++;
    while (gt_lang_is(o, '[')) {
        int64_t k, m;
        gt_lang_index(o, &k, &m);
        if (m) {
            if (gt_lang_is(o, '[') || (gt_lang_peek(o)->kind == T_NAME && !gt_lang_peek(o)->blank_before))
                gt_lang_error(o, gt_lang_peek(o)->at, "text after [j] in a name is not supported");
            int32_t s = new_syntax(o, S_ELEMENT, at);
            o->syntax[s].symbol = symbol;
            o->syntax[s].k = (int32_t)k;
            o->syntax[s].m = (int32_t)m;
            return s;
        }
        char name[160];
        int length = snprintf(name, sizeof name, "%s%d", o->symbols[symbol].display, (int)k);
        if (length >= (int)sizeof name) gt_lang_error(o, at, "this name is too long");
        symbol = gt_lang_intern(o, name, (size_t)length);
    }
    int32_t s = new_syntax(o, S_NAME, at);
    o->syntax[s].symbol = symbol;
    return s;
}

/* arg1 .. arg20 and the names of the arguments, in the body of a function. */
static int32_t argument_of(const gt_ode *o, int32_t symbol)
{
    if (!o->in_function) return -1;
    const char *text = o->symbols[symbol].text;
    if (o->symbols[symbol].argument >= 0) return o->symbols[symbol].argument;
    if (!strncmp(text, "arg", 3) && text[3] >= '1' && text[3] <= '9') {
        int number = text[4] == '\0'                                ? text[3] - '0'
                     : text[4] >= '0' && text[4] <= '9' && !text[5] ? 10 * (text[3] - '0') + text[4] - '0'
                                                                    : 0;
        if (number >= 1 && number <= o->in_function) return number - 1;
    }
    return -1;
}

static int32_t read_name(gt_ode *o)
{
    const ode_token *t = gt_lang_peek(o), *after = t + 1;
    int32_t at = t->at;
    int32_t symbol = gt_lang_intern(o, o->text + at, (size_t)t->length);
    const char *text = o->symbols[symbol].text;
    if (after->kind == T_OTHER && after->c == '\'') {
        if (strcmp(text, "i"))
            gt_lang_error(o, at, "%s' cannot be used in an expression; only i', the index of sum, can", text);
        if (!o->in_sum) gt_lang_error(o, at, "i' has a meaning only inside sum(a,b)of(..)");
        o->next_token += 2;
        return new_syntax(o, S_SUM_INDEX, at);
    }
    if (!strcmp(text, "int") && after->kind == T_OTHER && (after->c == '{' || after->c == '['))
        gt_lang_error(o, at, "int%c: Volterra integral equations are not supported", after->c);
    int32_t argument = argument_of(o, symbol), builtin = o->symbols[symbol].builtin;
    if (argument >= 0) {
        o->next_token++;
        int32_t s = new_syntax(o, S_ARGUMENT, at);
        o->syntax[s].k = argument;
        return s;
    }
    if (builtin >= 0) {
        const ode_builtin *b = &gt_lang_builtins[builtin];
        if (b->kind == B_REFUSED) gt_lang_error(o, at, "%s: %s are not supported", b->name, b->why);
        if (b->kind == B_WORD) {
            o->next_token++;
            if (!strcmp(text, "if")) return read_if(o, at);
            if (!strcmp(text, "sum")) return read_sum(o, at);
            if (!strcmp(text, "shift")) return read_shift(o, at);
            gt_lang_error(o, at, "'%s' does not belong here", text);
        }
        if (b->kind == B_FUNCTION) {
            o->next_token++;
            int32_t s = read_call(o, symbol, at);
            if (o->syntax[s].b != b->operands)
                gt_lang_error(o, at, "%s takes %d argument%s, not %d", text, b->operands, b->operands > 1 ? "s" : "",
                              (int)o->syntax[s].b);
            return s;
        }
    }
    if (after->kind == T_OTHER && after->c == '(') {
        if (builtin >= 0) gt_lang_error(o, at, "%s is no function", text);
        o->next_token++;
        return read_call(o, symbol, at);
    }
    return gt_lang_reference(o);
}

static int32_t primary(gt_ode *o)
{
    char buffer[48];
    const ode_token *t = gt_lang_peek(o);
    if (t->kind == T_NUMBER) {
        int32_t s = new_syntax(o, S_NUMBER, t->at);
        o->syntax[s].value = t->value;
        o->next_token++;
        return s;
    }
    if (t->kind == T_NAME) return read_name(o);
    if (gt_lang_is(o, '(')) {
        int32_t start = o->next_token, s = parenthesised(o, "");
        o->paren_start = start;
        o->paren_end = o->next_token;
        return s;
    }
    if (gt_lang_is(o, '[')) {
        int64_t k, m;
        int32_t at = t->at;
        gt_lang_index(o, &k, &m);
        int32_t s = new_syntax(o, S_INDEX, at);
        o->syntax[s].k = (int32_t)k;
        o->syntax[s].m = (int32_t)m;
        return s;
    }
    gt_lang_error(o, t->at, "an expression is needed here, not %s", gt_lang_quote(o, t, buffer));
}

static int32_t power(gt_ode *o);

static int32_t signed_part(gt_ode *o)
{
    int32_t at = gt_lang_peek(o)->at;
    bool is_not = is_word(o, "not");
    if (gt_lang_is(o, '-') || gt_lang_is(o, '+') || is_not) {
        bool plus = gt_lang_is(o, '+');
        o->next_token++;
        nest(o);
        int32_t a = signed_part(o);
        o->nesting--;
        return plus ? a : unary(o, is_not ? N_NOT : N_NEG, at, a);
    }
    return power(o);
}

static int32_t exponent(gt_ode *o)
{
    int32_t at = gt_lang_peek(o)->at;
    if (!gt_lang_accept(o, '-')) return primary(o);
    nest(o);
    int32_t a = exponent(o);
    o->nesting--;
    return unary(o, N_NEG, at, a);
}

static int32_t power(gt_ode *o)
{
    int32_t s = primary(o);
    for (int count = 0; gt_lang_peek(o)->kind == T_POWER; count++) {
        int32_t at = gt_lang_peek(o)->at;
        if (count == 1)
            gt_lang_warn(o, at, "a^b^c is read from left to right, (a^b)^c, as XPPAUT does; write parentheses");
        o->next_token++;
        s = binary(o, N_POW, at, s, exponent(o));
    }
    return s;
}

/* part op part op .. from left to right, with one of two operations that are one character each. */
static int32_t left_to_right(gt_ode *o, int32_t (*part)(gt_ode *o), const char signs[2], const ode_op ops[2])
{
    int32_t s = part(o);
    for (;;) {
        int which = gt_lang_is(o, signs[0]) ? 0 : gt_lang_is(o, signs[1]) ? 1 : -1;
        if (which < 0) return s;
        int32_t at = gt_lang_peek(o)->at;
        o->next_token++;
        bool may_be_double = signs[0] == signs[1]; /* && and || */
        if (may_be_double) gt_lang_accept(o, signs[0]);
        s = binary(o, ops[which], at, s, part(o));
    }
}

static int32_t product(gt_ode *o) { return left_to_right(o, signed_part, "*/", (const ode_op[]){N_MUL, N_DIV}); }

static int32_t sum(gt_ode *o) { return left_to_right(o, product, "+-", (const ode_op[]){N_ADD, N_SUB}); }

/* Whether XPPAUT would take only a part of this operand of a comparison. */
static bool is_bare(const gt_ode *o, int32_t s, int32_t start, bool right)
{
    if (o->paren_start == start && o->paren_end == o->next_token) return false;
    const ode_syntax *x = &o->syntax[s];
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

static int32_t comparison(gt_ode *o)
{
    int32_t start = o->next_token, s = sum(o);
    for (;;) {
        const ode_token *t = gt_lang_peek(o);
        int op = comparison_of(t);
        if (op < 0) return s;
        int32_t at = t->at;
        bool bare = is_bare(o, s, start, false);
        start = ++o->next_token;
        int32_t right = sum(o);
        if (bare || is_bare(o, right, start, true))
            gt_lang_warn(o, at, "arithmetic is done before this comparison; XPPAUT compares first: write parentheses");
        s = binary(o, (ode_op)op, at, s, right);
    }
}

static int32_t both(gt_ode *o) { return left_to_right(o, comparison, "&&", (const ode_op[]){N_AND, N_AND}); }

int32_t gt_lang_expression(gt_ode *o)
{
    nest(o);
    int32_t s = left_to_right(o, both, "||", (const ode_op[]){N_OR, N_OR});
    o->nesting--;
    return s;
}
