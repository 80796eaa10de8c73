/* SPDX-License-Identifier: BSD-3-Clause */
/* Statements that are lists: parameters, constants, initial values; events; tables. */
#include "lang/ode.h"
#include <string.h>

/* Whether the value is a number with or without sign, which is all that XPPAUT would read of it. */
static bool is_plain(const gt_ode *o, int32_t s)
{
    const ode_syntax *x = &o->syntax[s];
    if (x->kind == S_UNARY && x->op == N_NEG) x = &o->syntax[x->a];
    return x->kind == S_NUMBER;
}

/* The first range in the line: XPPAUT repeats the whole line for it. */
static ode_statement range_in_line(gt_ode *o)
{
    ode_statement range = {0};
    int32_t first = o->next_token;
    for (int32_t k = first; k + 2 < o->n_tokens && o->group < 0 && !range.ranged; k++) {
        const ode_token *t = &o->tokens[k];
        if (t->kind != T_OTHER || t->c != '[') continue;
        const ode_token *dots = t + (t[1].kind == T_OTHER && t[1].c == '-' ? 3 : 2);
        if (dots >= o->tokens + o->n_tokens || dots->kind != T_DOTS) continue;
        o->next_token = k + 1;
        gt_lang_range(o, &range);
    }
    o->next_token = first;
    return range;
}

void gt_lang_read_list(gt_ode *o, ode_statement_kind kind)
{
    char buffer[48];
    int count = 0;
    o->list_range = range_in_line(o);
    while (gt_lang_accept(o, ',')) continue;
    for (; gt_lang_peek(o)->kind != T_END; count++) {
        int32_t at = gt_lang_peek(o)->at, s = gt_lang_statement(o, kind, at);
        o->j_allowed = o->group >= 0;
        gt_lang_left_side(o, s);
        if (o->group < 0 && o->statements[s].ranged) { /* a second range counts from here on */
            o->list_range = o->statements[s];
            o->j_allowed = true;
        }
        if (gt_lang_is(o, '(') && kind == ST_START) /* init x(0)=1 */
            gt_lang_error(o, at, "write init %s=.. or %s(0)=..", o->symbols[o->statements[s].symbol].text,
                          o->symbols[o->statements[s].symbol].text);
        if (gt_lang_accept(o, '=')) {
            o->statements[s].value = gt_lang_expression(o);
            if (!is_plain(o, o->statements[s].value))
                gt_lang_warn(o, at, "the value of %s is a formula and is computed; XPPAUT reads only a leading number",
                             o->symbols[o->statements[s].symbol].text);
        }
        while (gt_lang_accept(o, ',')) continue;
        const ode_token *t = gt_lang_peek(o);
        if (t->kind != T_END && t->kind != T_NAME)
            gt_lang_error(o, t->at, "%s is not expected in a list like a=1,b=2", gt_lang_quote(o, t, buffer));
    }
    o->list_range.ranged = false;
    if (!count) gt_lang_error(o, o->tokens->at, "a list like a=1,b=2 is missing here");
}

/* ---- events: global dir cond {a=..;b=..} ---- */

static int32_t read_direction(gt_ode *o)
{
    const ode_token *t = gt_lang_peek(o);
    int32_t at = t->at;
    bool minus = gt_lang_accept(o, '-');
    if (!minus) gt_lang_accept(o, '+');
    t = gt_lang_peek(o);
    if (t->kind != T_NUMBER || (t->value != 0 && t->value != 1))
        gt_lang_error(o, at, "the direction of an event is 1, -1 or 0");
    if (t->value == 0)
        gt_lang_warn(o, at, "direction 0 means both directions; XPPAUT fires only where the condition is exactly 0");
    o->next_token++;
    return t->value == 0 ? 0 : minus ? -1 : 1;
}

static int32_t read_assignment(gt_ode *o)
{
    const ode_token *t = gt_lang_peek(o);
    int32_t at = t->at;
    int32_t target = gt_lang_reference(o);
    const char *name = o->symbols[o->syntax[target].symbol].text;
    int32_t value = -1;
    if (gt_lang_accept(o, '='))
        value = gt_lang_expression(o);
    else if (strcmp(name, "no_interp"))
        gt_lang_error(o, at, "an event assigns: name=value");
    ode_assignment *a = ODE_PUSH(o, assignments, ODE_MAX_SYNTAX, "assignments");
    *a = (ode_assignment){.target = target, .value = value, .next = -1};
    return o->n_assignments - 1;
}

void gt_lang_read_event(gt_ode *o)
{
    int32_t s = gt_lang_statement(o, ST_EVENT, o->tokens->at);
    ode_statement made = o->statements[s];
    if (o->group >= 0) {
        made.ranged = true;
        made.lo = o->group_lo;
        made.hi = o->group_hi;
        made.group = o->group;
    }
    o->range_here = o->group < 0 ? &made : NULL;
    made.direction = read_direction(o);
    bool braced = gt_lang_accept(o, '{');
    int32_t from = gt_lang_peek(o)->at;
    made.value = gt_lang_expression(o);
    int32_t to = gt_lang_peek(o)->at;
    if (braced) gt_lang_expect(o, '}', "after the condition");
    gt_lang_expect(o, '{', "before the assignments of an event");
    int32_t last = -1;
    while (!gt_lang_is(o, '}')) {
        int32_t a = read_assignment(o);
        if (last < 0)
            made.first_assignment = a;
        else
            o->assignments[last].next = a;
        last = a;
        if (!gt_lang_accept(o, ';') && !gt_lang_is(o, '}'))
            gt_lang_expect(o, ';', "between the assignments of an event");
    }
    o->next_token++;
    if (gt_lang_peek(o)->kind != T_END)
        gt_lang_error(o, gt_lang_peek(o)->at, "nothing may follow the assignments of an event");
    while (to > from && o->text[to - 1] == ' ') to--;
    made.text = gt_lang_copy(o, o->text + from, (size_t)(to - from));
    o->range_here = NULL;
    o->statements[s] = made;
}

/* ---- table f % n lo hi expr ---- */

static double read_signed(gt_ode *o, const char *what)
{
    bool minus = gt_lang_accept(o, '-');
    const ode_token *t = gt_lang_peek(o);
    if (t->kind != T_NUMBER) gt_lang_error(o, t->at, "%s of a table must be a number", what);
    o->next_token++;
    return minus ? -t->value : t->value;
}

void gt_lang_read_table(gt_ode *o)
{
    int32_t s = gt_lang_statement(o, ST_TABLE, o->tokens->at);
    gt_lang_left_side(o, s);
    if (o->statements[s].ranged) gt_lang_error(o, o->tokens->at, "a table cannot have an index");
    if (!gt_lang_accept(o, '%'))
        gt_lang_error(o, gt_lang_peek(o)->at,
                      "tables that are read from a file are not supported; write table %s %% n lo hi expression",
                      o->symbols[o->statements[s].symbol].text);
    int32_t at = gt_lang_peek(o)->at;
    o->statements[s].table_n = gt_lang_whole(o, "the number of samples");
    if (o->statements[s].table_n < 2 || o->statements[s].table_n > ODE_MAX_TABLE)
        gt_lang_error(o, at, "a table has 2 to %d samples", (int)ODE_MAX_TABLE);
    at = gt_lang_peek(o)->at;
    o->statements[s].table_lo = read_signed(o, "the begin");
    o->statements[s].table_hi = read_signed(o, "the end");
    if (!(o->statements[s].table_lo < o->statements[s].table_hi))
        gt_lang_error(o, at, "the begin of a table must be below its end");
    int32_t value = gt_lang_expression(o);
    o->statements[s].value = value;
    if (gt_lang_peek(o)->kind != T_END)
        gt_lang_error(o, gt_lang_peek(o)->at, "nothing may follow the formula of a table");
}
