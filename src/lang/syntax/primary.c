/* SPDX-License-Identifier: BSD-3-Clause */
/* The smallest parts of an expression: numbers, names, calls, indices, parentheses, if, sum and
 * shift. */
#include "lang/operations/builtin.h"
#include "lang/syntax/parser.h"
#include <string.h>

int32_t gt_lang_new_syntax(ode_parser *parser, ode_syntax_op kind, int32_t at)
{
    ode_syntax *s = ODE_PUSH(parser->out, syntax, ODE_MAX_SYNTAX, "parts of expressions");
    *s = (ode_syntax){
        .kind = (uint8_t)kind, .at = at, .symbol = -1, .a = -1, .b = -1, .c = -1, .next = -1};
    return parser->out->n_syntax - 1;
}

void gt_lang_nest(ode_parser *parser)
{
    if (++parser->nesting > ODE_MAX_NESTING)
        gt_lang_error(parser->work, gt_lang_peek(parser)->at,
                      "expressions are nested deeper than %d here", (int)ODE_MAX_NESTING);
}

bool gt_lang_is_word(const ode_parser *parser, const char *word)
{
    const ode_token *t = gt_lang_peek(parser);
    if (t->kind != T_NAME || (size_t)t->length != strlen(word)) return false;
    for (int32_t k = 0; k < t->length; k++)
        if ((parser->source->text[t->at + k] | 32) != word[k]) return false;
    return true;
}

static void expect_word(ode_parser *parser, const char *word, const char *why)
{
    char buffer[48];
    if (!gt_lang_is_word(parser, word))
        gt_lang_error(parser->work, gt_lang_peek(parser)->at, "'%s' is needed %s, but here is %s",
                      word, why, gt_lang_quote(parser, gt_lang_peek(parser), buffer));
    parser->next_token++;
}

static int32_t parenthesised(ode_parser *parser, const char *why)
{
    gt_lang_expect(parser, '(', why);
    gt_lang_nest(parser);
    int32_t s = gt_lang_expression(parser);
    parser->nesting--;
    gt_lang_expect(parser, ')', "to close the parenthesis");
    return s;
}

static int32_t read_if(ode_parser *parser, int32_t at)
{
    int32_t c = parenthesised(parser, "after if");
    expect_word(parser, "then", "after if(..)");
    int32_t a = parenthesised(parser, "after then");
    expect_word(parser, "else", "after then(..)");
    int32_t b = parenthesised(parser, "after else");
    int32_t s = gt_lang_new_syntax(parser, S_IF, at);
    parser->out->syntax[s].a = c;
    parser->out->syntax[s].b = a;
    parser->out->syntax[s].c = b;
    return s;
}

/* (first,second) */
static int32_t pair(ode_parser *parser, int32_t (*read_first)(ode_parser *parser), int32_t *second,
                    const char *before, const char *between, const char *after)
{
    gt_lang_expect(parser, '(', before);
    gt_lang_nest(parser);
    int32_t first = read_first(parser);
    gt_lang_expect(parser, ',', between);
    *second = gt_lang_expression(parser);
    parser->nesting--;
    gt_lang_expect(parser, ')', after);
    return first;
}

static int32_t read_sum(ode_parser *parser, int32_t at)
{
    int32_t hi;
    int32_t lo = pair(parser, gt_lang_expression, &hi, "after sum", "between the limits of sum",
                      "after the limits of sum");
    expect_word(parser, "of", "after sum(a,b)");
    parser->in_sum++;
    int32_t body = parenthesised(parser, "after of");
    parser->in_sum--;
    int32_t s = gt_lang_new_syntax(parser, S_SUM, at);
    parser->out->syntax[s].a = lo;
    parser->out->syntax[s].b = hi;
    parser->out->syntax[s].c = body;
    return s;
}

static int32_t read_shift(ode_parser *parser, int32_t at)
{
    int32_t by;
    int32_t base = pair(parser, gt_lang_reference, &by, "after shift",
                        "between the arguments of shift", "after the arguments of shift");
    int32_t s = gt_lang_new_syntax(parser, S_SHIFT, at);
    parser->out->syntax[s].a = base;
    parser->out->syntax[s].b = by;
    return s;
}

static int32_t read_call(ode_parser *parser, int32_t symbol, int32_t at)
{
    int32_t first = -1, last = -1, count = 0;
    gt_lang_expect(parser, '(', "after a function");
    gt_lang_nest(parser);
    do {
        int32_t a = gt_lang_expression(parser);
        /* An argument may be a node that is chained elsewhere already, never so in a fresh tree. */
        if (last >= 0)
            parser->out->syntax[last].next = a;
        else
            first = a;
        last = a;
        if (++count > ODE_MAX_ARGS)
            gt_lang_error(parser->work, at, "a function has at most %d arguments",
                          (int)ODE_MAX_ARGS);
    } while (gt_lang_accept(parser, ','));
    parser->nesting--;
    gt_lang_expect(parser, ')', "after the arguments");
    int32_t s = gt_lang_new_syntax(parser, S_CALL, at);
    parser->out->syntax[s].symbol = symbol;
    parser->out->syntax[s].a = first;
    parser->out->syntax[s].b = count;
    return s;
}

/* One term of an index: a whole number, j, j*n or n*j. Whether XPPAUT reads it so. */
static void index_term(ode_parser *parser, int64_t sign, int64_t *k, int64_t *m, bool *odd)
{
    const ode_token *t = gt_lang_peek(parser);
    int64_t factor = sign, times_j = 0;
    for (bool first = true; first || gt_lang_accept(parser, '*'); first = false) {
        t = gt_lang_peek(parser);
        if (t->kind == T_NAME && t->length == 1 && (parser->source->text[t->at] | 32) == 'j') {
            if (!parser->j_allowed)
                gt_lang_error(
                    parser->work, t->at,
                    "[j] has a meaning only in a statement with a range such as x[1..3]'=");
            if (times_j++)
                gt_lang_error(parser->work, t->at, "an index cannot have j twice in a product");
            if (!first || parser->source->text[t->at] == 'J') *odd = true;
            parser->next_token++;
        } else if (t->kind == T_NUMBER) {
            if (first && t + 1 < parser->tokens + parser->n_tokens && t[1].kind == T_OTHER &&
                t[1].c == '*')
                *odd = true;
            factor *= gt_lang_whole(parser, "an index");
            if (factor > ODE_MAX_INDEX || factor < -ODE_MAX_INDEX)
                gt_lang_error(parser->work, t->at, "this index is too large");
        } else {
            gt_lang_error(parser->work, t->at, "an index is j, j+n, j-n, j*n or a whole number");
        }
    }
    *(times_j ? m : k) += factor;
}

/* What stands in brackets: k + m j; or lo..hi where a range may stand. */
void gt_lang_index(ode_parser *parser, int64_t *k, int64_t *m)
{
    int32_t at = gt_lang_peek(parser)->at;
    bool odd = false;
    gt_lang_expect(parser, '[', "before an index");
    *k = *m = 0;
    if (parser->range_here &&
        parser->tokens[parser->next_token + 1 + gt_lang_is(parser, '-')].kind == T_DOTS) {
        gt_lang_range(parser, parser->range_here);
        *m = 1;
        return;
    }
    int64_t sign = gt_lang_accept(parser, '-') ? -1 : 1;
    index_term(parser, sign, k, m, &odd);
    while (gt_lang_is(parser, '+') || gt_lang_is(parser, '-')) {
        sign = gt_lang_accept(parser, '+') ? 1 : -1;
        if (sign < 0) parser->next_token++;
        index_term(parser, sign, k, m, &odd);
    }
    gt_lang_expect(parser, ']', "after an index");
    if (*k > ODE_MAX_INDEX || *k < -ODE_MAX_INDEX || *m > ODE_MAX_INDEX || *m < -ODE_MAX_INDEX)
        gt_lang_error(parser->work, at, "this index is too large");
    if (odd)
        gt_lang_warn(
            parser->work, at,
            "XPPAUT reads this index in another way; it knows j, j+n, j-n, j*n and numbers");
}

/* A name, a name with index, or the plain name that a name with a number in brackets is. */
int32_t gt_lang_reference(ode_parser *parser)
{
    char buffer[48];
    const ode_token *t = gt_lang_peek(parser);
    if (t->kind != T_NAME)
        gt_lang_error(parser->work, t->at, "a name is needed here, not %s",
                      gt_lang_quote(parser, t, buffer));
    int32_t at = t->at;
    int32_t symbol = gt_lang_intern(parser->out, parser->source->text + t->at, (size_t)t->length);
    parser->next_token++;
    while (gt_lang_is(parser, '[')) {
        int64_t k, m;
        gt_lang_index(parser, &k, &m);
        if (m) {
            if (gt_lang_is(parser, '[') ||
                (gt_lang_peek(parser)->kind == T_NAME && !gt_lang_peek(parser)->blank_before))
                gt_lang_error(parser->work, gt_lang_peek(parser)->at,
                              "text after [j] in a name is not supported");
            int32_t s = gt_lang_new_syntax(parser, S_ELEMENT, at);
            parser->out->syntax[s].symbol = symbol;
            parser->out->syntax[s].k = (int32_t)k;
            parser->out->syntax[s].m = (int32_t)m;
            return s;
        }
        char name[160];
        int length =
            snprintf(name, sizeof name, "%s%d", parser->out->symbols[symbol].display, (int)k);
        if (length >= (int)sizeof name) gt_lang_error(parser->work, at, "this name is too long");
        symbol = gt_lang_intern(parser->out, name, (size_t)length);
    }
    int32_t s = gt_lang_new_syntax(parser, S_NAME, at);
    parser->out->syntax[s].symbol = symbol;
    return s;
}

/* arg1 .. arg20 and the names of the arguments, in the body of a function. */
static int32_t argument_of(const ode_parser *parser, int32_t symbol)
{
    if (!parser->in_function) return -1;
    const char *text = parser->out->symbols[symbol].text;
    if (parser->out->symbols[symbol].argument >= 0) return parser->out->symbols[symbol].argument;
    if (!strncmp(text, "arg", 3) && text[3] >= '1' && text[3] <= '9') {
        int number = text[4] == '\0' ? text[3] - '0'
                     : text[4] >= '0' && text[4] <= '9' && !text[5]
                         ? 10 * (text[3] - '0') + text[4] - '0'
                         : 0;
        if (number >= 1 && number <= parser->in_function) return number - 1;
    }
    return -1;
}

static int32_t read_name(ode_parser *parser)
{
    const ode_token *t = gt_lang_peek(parser);
    const ode_token *after = t + 1;
    int32_t at = t->at;
    int32_t symbol = gt_lang_intern(parser->out, parser->source->text + at, (size_t)t->length);
    const char *text = parser->out->symbols[symbol].text;
    bool primed = after->kind == T_OTHER && after->c == '\'';
    if (primed && parser->in_sum && !strcmp(text, "i")) {
        parser->next_token += 2;
        return gt_lang_new_syntax(parser, S_SUM_INDEX, at);
    }
    if (!strcmp(text, "int") && after->kind == T_OTHER && (after->c == '{' || after->c == '['))
        gt_lang_error(parser->work, at, "int%c: Volterra integral equations are not supported",
                      after->c);
    int32_t argument = argument_of(parser, symbol);
    int32_t builtin = parser->out->symbols[symbol].builtin;
    if (primed && (argument >= 0 || builtin >= 0))
        gt_lang_error(parser->work, at, "%s' is not known: only states have derivatives", text);
    if (argument >= 0) {
        parser->next_token++;
        int32_t s = gt_lang_new_syntax(parser, S_ARGUMENT, at);
        parser->out->syntax[s].k = argument;
        return s;
    }
    if (builtin >= 0) {
        const ode_builtin *b = &gt_lang_builtins[builtin];
        if (b->kind == B_REFUSED)
            gt_lang_error(parser->work, at, "%s: %s are not supported", b->name, b->why);
        if (b->kind == B_WORD) {
            parser->next_token++;
            if (!strcmp(text, "if")) return read_if(parser, at);
            if (!strcmp(text, "sum")) return read_sum(parser, at);
            if (!strcmp(text, "shift")) return read_shift(parser, at);
            gt_lang_error(parser->work, at, "'%s' does not belong here", text);
        }
        if (b->kind == B_FUNCTION) {
            parser->next_token++;
            int32_t s = read_call(parser, symbol, at);
            if (parser->out->syntax[s].b != b->operands)
                gt_lang_error(parser->work, at, "%s takes %d argument%s, not %d", text, b->operands,
                              b->operands > 1 ? "s" : "", (int)parser->out->syntax[s].b);
            return s;
        }
    }
    if (after->kind == T_OTHER && after->c == '(') {
        if (builtin >= 0) gt_lang_error(parser->work, at, "%s is not a function", text);
        parser->next_token++;
        return read_call(parser, symbol, at);
    }
    int32_t s = gt_lang_reference(parser);
    gt_lang_accept_prime(parser, s);
    return s;
}

int32_t gt_lang_primary(ode_parser *parser)
{
    char buffer[48];
    const ode_token *t = gt_lang_peek(parser);
    if (t->kind == T_NUMBER) {
        int32_t s = gt_lang_new_syntax(parser, S_NUMBER, t->at);
        parser->out->syntax[s].value = t->value;
        parser->next_token++;
        return s;
    }
    if (t->kind == T_NAME) return read_name(parser);
    if (gt_lang_is(parser, '(')) {
        int32_t start = parser->next_token;
        int32_t s = parenthesised(parser, "");
        parser->paren_start = start;
        parser->paren_end = parser->next_token;
        return s;
    }
    if (gt_lang_is(parser, '[')) {
        int64_t k, m;
        int32_t at = t->at;
        gt_lang_index(parser, &k, &m);
        int32_t s = gt_lang_new_syntax(parser, S_INDEX, at);
        parser->out->syntax[s].k = (int32_t)k;
        parser->out->syntax[s].m = (int32_t)m;
        return s;
    }
    gt_lang_error(parser->work, t->at, "an expression is needed here, not %s",
                  gt_lang_quote(parser, t, buffer));
}
