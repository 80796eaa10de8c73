/* SPDX-License-Identifier: BSD-3-Clause */
/* Statements that are lists: parameters, constants, initial values; events; tables. */
#include "lang/syntax/parser.h"
#include <string.h>

/* Whether the value is a number with or without sign, which is all that XPPAUT would read of it. */
static bool is_plain(const ode_parser *parser, int32_t s)
{
    const ode_syntax *x = &parser->out->syntax[s];
    if (x->kind == S_UNARY && x->op == N_NEG) x = &parser->out->syntax[x->a];
    return x->kind == S_NUMBER || x->kind == S_INDEX; /* [j] is put in as a number */
}

/* The first range in the line: XPPAUT repeats the whole line for it. */
static ode_statement range_in_line(ode_parser *parser)
{
    ode_statement range = {0};
    int32_t first = parser->next_token;
    for (int32_t k = first; k + 2 < parser->n_tokens && parser->group < 0 && !range.ranged; k++) {
        const ode_token *t = &parser->tokens[k];
        if (t->kind != T_OTHER || t->c != '[') continue;
        const ode_token *dots = t + (t[1].kind == T_OTHER && t[1].c == '-' ? 3 : 2);
        if (dots >= parser->tokens + parser->n_tokens || dots->kind != T_DOTS) continue;
        parser->next_token = k + 1;
        gt_lang_range(parser, &range);
    }
    parser->next_token = first;
    return range;
}

/* a=inf, for a time that never comes: XPPAUT reads an infinity, here it is a number that formulas
 * can go on with. -1: the value is another. */
static int32_t read_never(ode_parser *parser)
{
    static const double never = 1e300;
    const ode_token *t = gt_lang_peek(parser);
    bool minus = t->kind == T_OTHER && t->c == '-';
    if (minus) t++;
    if (t->kind != T_NAME || t->length != 3) return -1;
    const char *s = parser->source->text + t->at;
    if ((s[0] | 32) != 'i' || (s[1] | 32) != 'n' || (s[2] | 32) != 'f') return -1;
    if (gt_lang_find_symbol(parser->out, s, 3) >= 0) return -1;
    gt_lang_warn(parser->work, t->at, "inf is read as %s", minus ? "-1e300" : "1e300");
    parser->next_token += 1 + minus;
    int32_t value = gt_lang_new_syntax(parser, S_NUMBER, t->at);
    parser->out->syntax[value].value = minus ? -never : never;
    return value;
}

void gt_lang_read_list(ode_parser *parser, ode_statement_kind kind)
{
    char buffer[48];
    int count = 0;
    parser->list_range = range_in_line(parser);
    while (gt_lang_accept(parser, ',')) continue;
    for (; gt_lang_peek(parser)->kind != T_END; count++) {
        int32_t at = gt_lang_peek(parser)->at;
        int32_t s = gt_lang_statement(parser, kind, at);
        parser->j_allowed = parser->group >= 0;
        gt_lang_left_side(parser, s);
        if (parser->group < 0 &&
            parser->out->statements[s].ranged) { /* a second range counts from here on */
            parser->list_range = parser->out->statements[s];
            parser->j_allowed = true;
        }
        if (gt_lang_is(parser, '(') && kind == ST_START) /* init x(0)=1 */
            gt_lang_error(parser->work, at, "write init %s=.. or %s(0)=..",
                          parser->out->symbols[parser->out->statements[s].symbol].text,
                          parser->out->symbols[parser->out->statements[s].symbol].text);
        if (gt_lang_accept(parser, '=')) {
            int32_t never = read_never(parser);
            parser->out->statements[s].value = never >= 0 ? never : gt_lang_expression(parser);
            if (!is_plain(parser, parser->out->statements[s].value))
                gt_lang_warn(parser->work, at,
                             "the value of %s is a formula and is computed; XPPAUT reads only a "
                             "leading number",
                             parser->out->symbols[parser->out->statements[s].symbol].text);
        }
        while (gt_lang_accept(parser, ',')) continue;
        const ode_token *t = gt_lang_peek(parser);
        if (t->kind != T_END && t->kind != T_NAME)
            gt_lang_error(parser->work, t->at, "%s is not expected in a list like a=1,b=2",
                          gt_lang_quote(parser, t, buffer));
    }
    parser->list_range.ranged = false;
    if (!count)
        gt_lang_warn(parser->work, parser->tokens->at,
                     "a list like a=1,b=2 is missing here; the line does nothing");
}

/* ---- events: global dir cond {a=..;b=..} ---- */

static int32_t read_direction(ode_parser *parser)
{
    const ode_token *t = gt_lang_peek(parser);
    int32_t at = t->at;
    bool minus = gt_lang_accept(parser, '-');
    if (!minus) gt_lang_accept(parser, '+');
    t = gt_lang_peek(parser);
    if (t->kind != T_NUMBER || (t->value != 0 && t->value != 1))
        gt_lang_error(parser->work, at, "the direction of an event is 1, -1 or 0");
    if (t->value == 0)
        gt_lang_warn(parser->work, at,
                     "direction 0 means both directions; XPPAUT fires only where the condition is "
                     "exactly 0");
    parser->next_token++;
    return t->value == 0 ? 0 : minus ? -1 : 1;
}

static int32_t read_assignment(ode_parser *parser)
{
    const ode_token *t = gt_lang_peek(parser);
    int32_t at = t->at;
    int32_t target = gt_lang_reference(parser);
    const char *name = parser->out->symbols[parser->out->syntax[target].symbol].text;
    int32_t value = -1;
    if (gt_lang_accept(parser, '='))
        value = gt_lang_expression(parser);
    else if (strcmp(name, "no_interp"))
        gt_lang_error(parser->work, at, "an event assigns: name=value");
    ode_assignment *a = ODE_PUSH(parser->out, assignments, ODE_MAX_SYNTAX, "assignments");
    *a = (ode_assignment){.target = target, .value = value, .next = -1};
    return parser->out->n_assignments - 1;
}

void gt_lang_read_event(ode_parser *parser)
{
    int32_t s = gt_lang_statement(parser, ST_EVENT, parser->tokens->at);
    ode_statement made = parser->out->statements[s];
    if (parser->group >= 0) {
        made.ranged = true;
        made.lo = parser->group_lo;
        made.hi = parser->group_hi;
        made.group = parser->group;
    }
    parser->range_here = parser->group < 0 ? &made : NULL;
    made.direction = read_direction(parser);
    bool braced = gt_lang_accept(parser, '{');
    int32_t from = gt_lang_peek(parser)->at;
    made.value = gt_lang_expression(parser);
    int32_t to = gt_lang_peek(parser)->at;
    if (braced) gt_lang_expect(parser, '}', "after the condition");
    gt_lang_expect(parser, '{', "before the assignments of an event");
    int32_t last = -1;
    while (!gt_lang_is(parser, '}')) {
        int32_t a = read_assignment(parser);
        if (last < 0)
            made.first_assignment = a;
        else
            parser->out->assignments[last].next = a;
        last = a;
        if (!gt_lang_accept(parser, ';') && !gt_lang_is(parser, '}'))
            gt_lang_expect(parser, ';', "between the assignments of an event");
    }
    parser->next_token++;
    if (gt_lang_peek(parser)->kind != T_END)
        gt_lang_error(parser->work, gt_lang_peek(parser)->at,
                      "nothing may follow the assignments of an event");
    while (to > from && parser->source->text[to - 1] == ' ') to--;
    made.text = gt_lang_copy(parser->work, parser->source->text + from, (size_t)(to - from));
    parser->range_here = NULL;
    parser->out->statements[s] = made;
}

/* ---- table f % n lo hi expr ---- */

static double read_signed(ode_parser *parser, const char *what)
{
    bool minus = gt_lang_accept(parser, '-');
    const ode_token *t = gt_lang_peek(parser);
    if (t->kind != T_NUMBER)
        gt_lang_error(parser->work, t->at, "%s of a table must be a number", what);
    parser->next_token++;
    return minus ? -t->value : t->value;
}

void gt_lang_read_table(ode_parser *parser)
{
    int32_t s = gt_lang_statement(parser, ST_TABLE, parser->tokens->at);
    gt_lang_left_side(parser, s);
    if (parser->out->statements[s].ranged)
        gt_lang_error(parser->work, parser->tokens->at, "a table cannot have an index");
    if (!gt_lang_accept(parser, '%'))
        gt_lang_error(parser->work, gt_lang_peek(parser)->at,
                      "write table %s %% n lo hi expression, or table %s FILE",
                      parser->out->symbols[parser->out->statements[s].symbol].text,
                      parser->out->symbols[parser->out->statements[s].symbol].text);
    int32_t at = gt_lang_peek(parser)->at;
    parser->out->statements[s].table_n = gt_lang_whole(parser, "the number of samples");
    if (parser->out->statements[s].table_n < 2 ||
        parser->out->statements[s].table_n > ODE_MAX_TABLE)
        gt_lang_error(parser->work, at, "a table has 2 to %d samples", (int)ODE_MAX_TABLE);
    at = gt_lang_peek(parser)->at;
    parser->out->statements[s].table_lo = read_signed(parser, "the start");
    parser->out->statements[s].table_hi = read_signed(parser, "the end");
    if (!(parser->out->statements[s].table_lo < parser->out->statements[s].table_hi))
        gt_lang_error(parser->work, at, "the start of a table must be below its end");
    int32_t value = gt_lang_expression(parser);
    parser->out->statements[s].value = value;
    if (gt_lang_peek(parser)->kind != T_END)
        gt_lang_error(parser->work, gt_lang_peek(parser)->at,
                      "nothing may follow the formula of a table");
}
