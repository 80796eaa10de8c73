/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Derivatives in expressions. x' is a name of its own, whose symbol is the text x'. Where the file
 * has an equation x'=expr, x' is a named expression and stands for its right side. Where it has
 * none and x' is in an equation 0=F(t,x,x'), crow (5.128), the file is read as if it said
 *
 *     x'=z      with      solv z      where z is the name x'
 *
 * a semi-explicit system, of index 1 where F can be solved for x', and else of the index that is
 * found as for any other.
 */
#include "lang/syntax/parser.h"
#include <assert.h>
#include <string.h>

int32_t gt_lang_prime(ode_parser *parser, int32_t symbol, int32_t at)
{
    char name[160];
    int length = snprintf(name, sizeof name, "%s'", parser->out->symbols[symbol].display);
    if (length >= (int)sizeof name) gt_lang_error(parser->work, at, "this name is too long");
    return gt_lang_intern(parser->out, name, (size_t)length);
}

void gt_lang_accept_prime(ode_parser *parser, int32_t reference)
{
    ode_syntax x = parser->out->syntax[reference];
    if (!gt_lang_accept(parser, '\'')) return;
    if (gt_lang_is(parser, '\''))
        gt_lang_error(
            parser->work, x.at,
            "second derivatives cannot be written; make the first one a state: v with x'=v");
    x.b = x.symbol; /* of what it is the derivative */
    x.symbol = gt_lang_prime(parser, x.symbol, x.at);
    parser->out->syntax[reference] = x;
}

static bool is_prime(const ode_syntax *x)
{
    return (x->kind == S_NAME || x->kind == S_ELEMENT) && x->b >= 0;
}

/* The statement of this kind that defines the symbol; -1: there is none. */
static int32_t defined_by(const ode_parsed *p, ode_statement_kind kind, int32_t symbol)
{
    for (int32_t s = 0; s < p->n_statements; s++)
        if (p->statements[s].kind == kind && p->statements[s].symbol == symbol) return s;
    return -1;
}

/* A reference to the elements that a statement defines, in that statement. */
static int32_t refer(ode_parser *parser, const ode_statement *s, int32_t symbol)
{
    int32_t value = gt_lang_new_syntax(parser, s->ranged ? S_ELEMENT : S_NAME, s->at);
    ode_syntax *x = &parser->out->syntax[value];
    x->symbol = symbol;
    x->k = s->shift;
    x->m = s->ranged;
    return value;
}

/* The same statement with another meaning: a copy at the end. */
static void add_like(ode_parser *parser, const ode_statement *like, ode_statement_kind kind,
                     int32_t symbol, int32_t value, int32_t first_syntax)
{
    ode_statement copy = *like;
    copy.kind = kind;
    copy.symbol = symbol;
    copy.value = value;
    copy.first_syntax = first_syntax;
    *ODE_PUSH(parser->out, statements, ODE_MAX_SYNTAX, "statements") = copy;
}

/* x'=expr, and x' is used: z=expr, x'=z; also where ranges of x have equations of their own. */
static void name_right_sides(ode_parser *parser, int32_t n_statements, int32_t symbol,
                             int32_t prime)
{
    for (int32_t k = 0; k < n_statements; k++) {
        ode_statement s = parser->out->statements[k];
        if (s.kind != ST_EQUATION || s.symbol != symbol) continue;
        add_like(parser, &s, ST_NAMED, prime, s.value, s.first_syntax);
        int32_t value = refer(parser, &s, prime);
        parser->out->statements[k].value = parser->out->statements[k].first_syntax = value;
    }
}

/* The elements that x' in a 0= with a range stands for are states, beside those that are so
 * already. */
static void widen(ode_statement *s, int32_t lo, int32_t hi)
{
    s->lo = s->lo < lo ? s->lo : lo;
    s->hi = s->hi > hi ? s->hi : hi;
}

/* x' in the equation 0= of statement s, without an equation of its own. */
static void make_implicit(ode_parser *parser, int32_t s, int32_t node)
{
    ode_parsed *p = parser->out;
    ode_syntax x = p->syntax[node];
    ode_statement of = p->statements[s];
    of.at = x.at;
    of.shift = 0;
    of.group = -1;
    of.ranged = x.kind == S_ELEMENT;
    of.lo += x.k;
    of.hi += x.k;
    if (of.ranged && x.m != 1) /* x[2*j]' */
        gt_lang_error(parser->work, x.at,
                      "%s' in an equation 0= has the index j, j+n or j-n: it makes the states",
                      p->symbols[x.b].text);
    int32_t equation = defined_by(p, ST_EQUATION, x.b), guess = defined_by(p, ST_UNKNOWN, x.symbol);
    if (equation >= 0) { /* made here before */
        if (p->statements[equation].ranged != of.ranged)
            gt_lang_error(parser->work, x.at, "%s is an array in one equation 0=, not in another",
                          p->symbols[x.b].text);
        if (!of.ranged) return;
        widen(&p->statements[equation], of.lo, of.hi);
        widen(&p->statements[guess], of.lo, of.hi);
        return;
    }
    int32_t value = refer(parser, &of, x.symbol);
    add_like(parser, &of, ST_EQUATION, x.b, value, value);
    if (guess < 0) add_like(parser, &of, ST_UNKNOWN, x.symbol, -1, p->n_syntax);
}

/* Whether an equation x[lo..hi]'= has this element. */
static bool has_element(const ode_parsed *p, int32_t family, int64_t number)
{
    for (int32_t k = 0; k < p->n_statements; k++) {
        const ode_statement *s = &p->statements[k];
        if (s->kind == ST_EQUATION && s->symbol == family && s->ranged &&
            number >= s->lo + s->shift && number <= s->hi + s->shift)
            return true;
    }
    return false;
}

/* x3' where x is an array of states: the element 3 of x'. */
static void find_array(ode_parser *parser, int32_t node)
{
    ode_parsed *p = parser->out;
    ode_syntax x = p->syntax[node];
    const char *text = p->symbols[x.b].text;
    size_t length = strlen(text), stem = length;
    int64_t number = 0;
    while (stem > 0 && text[stem - 1] >= '0' && text[stem - 1] <= '9') stem--;
    if (x.kind != S_NAME || !stem || stem == length || length - stem > 8) return;
    for (size_t k = stem; k < length; k++) number = 10 * number + (text[k] - '0');
    int32_t family = gt_lang_find_symbol(p, text, stem);
    if (family < 0 || !has_element(p, family, number)) return;
    x.kind = S_ELEMENT;
    x.b = family;
    x.symbol = gt_lang_prime(parser, family, x.at);
    x.k = (int32_t)number;
    x.m = 0;
    p->syntax[node] = x;
}

static const char *what_else(const ode_parsed *p, int32_t symbol)
{
    static const struct {
        ode_statement_kind kind;
        const char *text;
    } kinds[] = {{ST_PARAMETER, "a parameter"},
                 {ST_CONSTANT, "a number"},
                 {ST_NAMED, "a named expression"},
                 {ST_DERIVED, "a derived parameter"},
                 {ST_FUNCTION, "a function"},
                 {ST_TABLE, "a table"},
                 {ST_UNKNOWN, "an unknown of solv, which has no derivative; without its solv it is "
                              "a state with one"}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (defined_by(p, kinds[k].kind, symbol) >= 0) return kinds[k].text;
    return NULL;
}

static void refuse_others(ode_parser *parser, const ode_syntax *x)
{
    const ode_parsed *p = parser->out;
    const char *name = p->symbols[x->b].text, *other = what_else(p, x->b);
    if (other) gt_lang_error(parser->work, x->at, "%s' is not known: %s is %s", name, name, other);
}

/* Arrays before single names, which may be their elements. */
static void make_all_implicit(ode_parser *parser, int32_t n_statements, ode_syntax_op kind)
{
    ode_parsed *p = parser->out;
    for (int32_t s = 0; s < n_statements; s++) {
        ode_statement at = p->statements[s];
        for (int32_t k = at.first_syntax; k <= at.value && at.kind == ST_ALGEBRAIC; k++) {
            if (!is_prime(&p->syntax[k])) continue;
            if (kind == S_NAME) find_array(parser, k);
            const ode_syntax *x = &p->syntax[k];
            if (x->kind == kind && defined_by(p, ST_NAMED, x->symbol) < 0)
                make_implicit(parser, s, k);
        }
    }
}

void gt_lang_resolve_primes(ode_parser *parser)
{
    ode_parsed *p = parser->out;
    int32_t written = p->n_statements, n_syntax = p->n_syntax;
    for (int32_t k = 0; k < n_syntax; k++) {
        if (!is_prime(&p->syntax[k])) continue;
        find_array(parser, k);
        const ode_syntax *x = &p->syntax[k];
        refuse_others(parser, x);
        if (defined_by(p, ST_NAMED, x->symbol) < 0)
            name_right_sides(parser, written, x->b, x->symbol);
    }
    make_all_implicit(parser, written, S_ELEMENT);
    make_all_implicit(parser, written, S_NAME);
    for (int32_t k = 0; k < n_syntax; k++) {
        if (is_prime(&p->syntax[k])) find_array(parser, k);
        const ode_syntax *x = &p->syntax[k];
        if (is_prime(x) && defined_by(p, ST_EQUATION, x->b) < 0)
            gt_lang_error(parser->work, x->at,
                          "there is no equation %s'=, and none 0= in which %s' is",
                          p->symbols[x->b].text, p->symbols[x->b].text);
        p->syntax[k].b = is_prime(x) ? -1 : x->b;
    }
}
