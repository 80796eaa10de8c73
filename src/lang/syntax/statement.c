/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Statements. The first word of a line is a keyword when a blank follows it and then no '='; its first letters decide.
 * Everything else is an equation, a named expression, a function, an initial value or the like, told by its left side.
 * After an error in one statement reading goes on with the next, so that several can be reported at once.
 */
#include "lang/ode.h"
#include <string.h>

int32_t gt_lang_statement(gt_ode *o, ode_statement_kind kind, int32_t at)
{
    ode_statement *s = ODE_PUSH(o, statements, ODE_MAX_SYNTAX, "statements");
    *s = (ode_statement){.kind = kind,
                         .at = at,
                         .symbol = -1,
                         .group = -1,
                         .value = -1,
                         .first_syntax = o->n_syntax,
                         .first_assignment = -1};
    const char *end = memchr(o->text + at, '\n', (size_t)(o->length - at));
    s->end = end ? (int32_t)(end - o->text) : o->length;
    return o->n_statements - 1;
}

/* lo..hi and the closing bracket. */
void gt_lang_range(gt_ode *o, ode_statement *s)
{
    int32_t at = gt_lang_peek(o)->at;
    if (s->ranged) gt_lang_error(o, at, "a statement has one range only");
    int32_t lo = gt_lang_whole(o, "the begin of a range");
    if (gt_lang_peek(o)->kind != T_DOTS) gt_lang_error(o, gt_lang_peek(o)->at, "a range looks like [1..20]");
    o->next_token++;
    int32_t hi = gt_lang_whole(o, "the end of a range");
    gt_lang_expect(o, ']', "after a range");
    s->ranged = true;
    s->down = hi < lo;
    s->lo = s->down ? hi : lo;
    s->hi = s->down ? lo : hi;
    if (s->hi - s->lo >= ODE_MAX_STATES) gt_lang_error(o, at, "an array has at most %d elements", (int)ODE_MAX_STATES);
    o->j_allowed = true;
}

/* In a % block a statement stands for the range of the block. */
static void range_of_group(gt_ode *o, ode_statement *s)
{
    if (o->group < 0) return;
    s->ranged = true;
    s->lo = o->group_lo;
    s->hi = o->group_hi;
    s->down = o->group_down;
    s->group = o->group;
}

static bool is_definition(ode_statement_kind kind)
{
    return kind == ST_PARAMETER || kind == ST_CONSTANT || kind == ST_UNKNOWN || kind == ST_TABLE;
}

void gt_lang_left_side(gt_ode *o, int32_t statement)
{
    char buffer[48];
    ode_statement s = o->statements[statement];
    const ode_token *t = gt_lang_peek(o);
    if (t->kind != T_NAME) gt_lang_error(o, t->at, "a name is needed here, not %s", gt_lang_quote(o, t, buffer));
    s.at = t->at;
    s.symbol = gt_lang_intern(o, o->text + t->at + o->skip, (size_t)(t->length - o->skip));
    o->skip = 0;
    o->next_token++;
    while (gt_lang_is(o, '[')) {
        const ode_token *dots = gt_lang_peek(o) + 2;
        if (dots->kind == T_NUMBER) dots++; /* after a minus sign */
        if (dots->kind == T_DOTS) {
            if (o->group >= 0) gt_lang_error(o, t->at, "inside a %% block the index is j, not a range of its own");
            o->next_token++;
            gt_lang_range(o, &s);
            continue;
        }
        int64_t k, m;
        bool in_list = o->group < 0 && o->list_range.ranged;
        if (in_list) o->j_allowed = true;
        gt_lang_index(o, &k, &m);
        if (m) {
            if (m != 1 || (o->group < 0 && !in_list) || s.ranged)
                gt_lang_error(o, t->at, "the left side of a statement has [j], [j+n] or [j-n], inside a %% block");
            range_of_group(o, &s);
            if (in_list) {
                s.ranged = true;
                s.lo = o->list_range.lo;
                s.hi = o->list_range.hi;
                s.down = o->list_range.down;
            }
            s.shift = (int32_t)k;
        } else {
            char name[160];
            int length = snprintf(name, sizeof name, "%s%d", o->symbols[s.symbol].display, (int)k);
            if (length >= (int)sizeof name) gt_lang_error(o, t->at, "this name is too long");
            s.symbol = gt_lang_intern(o, name, (size_t)length);
        }
    }
    if (is_definition(s.kind) && !s.ranged) gt_lang_hide_builtin(o, s.symbol, s.at);
    if (o->group >= 0 && !s.ranged)
        gt_lang_error(o, t->at, "inside a %% block the left side needs [j], or it would be defined several times");
    if (o->symbols[s.symbol].text[0] == 'i' && !o->symbols[s.symbol].text[1] && gt_lang_is(o, '\'') && s.ranged)
        gt_lang_warn(o, t->at, "i' is also the index of sum");
    o->statements[statement] = s;
    o->symbols[s.symbol].display = gt_lang_copy(o, o->symbols[s.symbol].display, strlen(o->symbols[s.symbol].display));
}

static void expect_end(gt_ode *o)
{
    char buffer[48];
    const ode_token *t = gt_lang_peek(o);
    if (t->kind == T_END) return;
    bool side_by_side = t->kind == T_NAME || t->kind == T_NUMBER || gt_lang_is(o, '(');
    gt_lang_error(o, t->at, "%s is not expected here%s", gt_lang_quote(o, t, buffer),
                  side_by_side ? "; is an operator missing? There is no product without *" : "");
}

static void right_side(gt_ode *o, int32_t statement)
{
    gt_lang_expect(o, '=', "after the left side");
    int32_t value = gt_lang_expression(o);
    o->statements[statement].value = value;
    expect_end(o);
}

static void read_aux(gt_ode *o)
{
    int32_t s = gt_lang_statement(o, ST_AUX, gt_lang_peek(o)->at);
    gt_lang_left_side(o, s);
    right_side(o, s);
}

static void read_unknown(gt_ode *o)
{
    int32_t s = gt_lang_statement(o, ST_UNKNOWN, gt_lang_peek(o)->at);
    gt_lang_left_side(o, s);
    if (gt_lang_accept(o, '=')) o->statements[s].value = gt_lang_expression(o);
    expect_end(o);
}

/* x(0)=value */
static void read_start(gt_ode *o, int32_t s)
{
    o->next_token += 3;
    o->statements[s].kind = ST_START;
    if (o->statements[s].ranged) o->statements[s].rank = RANK_FORMULAS;
    if (!o->statements[s].ranged && o->n_tokens > 1 && o->tokens[1].kind == T_OTHER && o->tokens[1].c == '[')
        gt_lang_warn(o, o->statements[s].at, "XPPAUT does not see an initial value of one element with brackets");
    right_side(o, s);
    const ode_syntax *x = &o->syntax[o->statements[s].value];
    if (x->kind == S_UNARY && x->op == N_NEG) x = &o->syntax[x->a];
    if (!o->statements[s].ranged && x->kind != S_NUMBER)
        gt_lang_warn(o, o->statements[s].at, "this initial value is a formula; XPPAUT reads only a leading number");
}

/* f(a,b)=expr; the arguments hide other names. */
static void read_function(gt_ode *o, int32_t s)
{
    int32_t at = o->statements[s].at;
    if (o->statements[s].ranged) gt_lang_error(o, at, "a function cannot have an index");
    for (int32_t k = o->next_token; k < o->n_tokens; k++)
        if (o->tokens[k].kind == T_NAME && !strncmp(o->text + o->tokens[k].at, "int", 3) && o->tokens[k].length == 3 &&
            o->tokens[k + 1].kind == T_OTHER && strchr("{[", o->tokens[k + 1].c))
            gt_lang_error(o, at, "Volterra integral equations are not supported");
    o->next_token++;
    int32_t first = o->n_argument_symbols, count = 0;
    do {
        const ode_token *t = gt_lang_peek(o);
        if (t->kind == T_NAME && t[1].kind == T_OTHER && t[1].c == '+')
            gt_lang_error(o, at, "x(t+1)= is a map; maps are not supported");
        if (t->kind != T_NAME) gt_lang_error(o, t->at, "an argument of a function must be a name");
        int32_t symbol = gt_lang_intern(o, o->text + t->at, (size_t)t->length);
        for (int32_t k = first; k < o->n_argument_symbols; k++)
            if (o->argument_symbols[k] == symbol)
                gt_lang_error(o, t->at, "the argument %s is there twice", o->symbols[symbol].text);
        *ODE_PUSH(o, argument_symbols, ODE_MAX_SYNTAX, "arguments") = symbol;
        if (++count > ODE_MAX_ARGS) gt_lang_error(o, at, "a function has at most %d arguments", (int)ODE_MAX_ARGS);
        o->next_token++;
    } while (gt_lang_accept(o, ','));
    gt_lang_expect(o, ')', "after the arguments");
    for (int32_t k = 0; k < count; k++) o->symbols[o->argument_symbols[first + k]].argument = k;
    o->statements[s].kind = ST_FUNCTION;
    o->statements[s].n_args = count;
    o->in_function = count;
    o->function_first = first;
    right_side(o, s);
}

static void leave_function(gt_ode *o)
{
    for (int32_t k = 0; k < o->in_function; k++) o->symbols[o->argument_symbols[o->function_first + k]].argument = -1;
    o->in_function = 0;
}

/* dx/dt= : the name that follows the d. */
static bool is_leibniz(const gt_ode *o)
{
    const ode_token *t = o->tokens;
    if (t->kind != T_NAME || (o->text[t->at] | 32) != 'd' || t->length < 2) return false;
    int32_t k = 1;
    while (k < o->n_tokens && t[k].kind == T_OTHER && t[k].c == '[') {
        while (k < o->n_tokens && !(t[k].kind == T_OTHER && t[k].c == ']')) k++;
        k++;
    }
    return k + 1 < o->n_tokens && t[k].kind == T_OTHER && t[k].c == '/' && t[k + 1].kind == T_NAME;
}

static void read_leibniz(gt_ode *o)
{
    int32_t s = gt_lang_statement(o, ST_EQUATION, o->tokens->at);
    o->skip = 1;
    gt_lang_left_side(o, s);
    o->next_token++;
    const ode_token *t = gt_lang_peek(o);
    if (t->length != 2 || (o->text[t->at] | 32) != 'd' || (o->text[t->at + 1] | 32) != 't')
        gt_lang_error(o, t->at, "an equation begins with x'= or dx/dt=; the variable is t");
    o->next_token++;
    right_side(o, s);
}

static void read_algebraic(gt_ode *o)
{
    if (gt_lang_peek(o)[1].blank_before || gt_lang_peek(o)->blank_before)
        gt_lang_warn(o, gt_lang_peek(o)->at, "read as the algebraic equation 0=; XPPAUT wants no blanks there");
    int32_t s = gt_lang_statement(o, ST_ALGEBRAIC, gt_lang_peek(o)->at);
    if (o->group >= 0) {
        ode_statement made = o->statements[s];
        range_of_group(o, &made);
        o->statements[s] = made;
    }
    o->next_token++;
    right_side(o, s);
}

static void read_block(gt_ode *o)
{
    o->next_token++;
    int32_t at = o->tokens->at;
    if (gt_lang_peek(o)->kind == T_END) {
        if (o->group < 0) gt_lang_error(o, at, "this %% ends a block that has not begun");
        o->group = -1;
        return;
    }
    if (o->group >= 0) gt_lang_error(o, at, "a %% block cannot begin inside another");
    gt_lang_expect(o, '[', "after % at the begin of a block");
    ode_statement range = {0};
    gt_lang_range(o, &range);
    expect_end(o);
    o->group = o->n_groups++;
    o->group_lo = range.lo;
    o->group_hi = range.hi;
    o->group_down = range.down;
    o->group_at = at;
}

static void read_by_left_side(gt_ode *o)
{
    const ode_token *t = o->tokens;
    o->j_allowed = o->group >= 0;
    if (t->kind == T_NUMBER && t->value == 0 && t->length == 1 && t[1].kind == T_OTHER && t[1].c == '=') {
        read_algebraic(o);
        return;
    }
    if (t->kind == T_NUMBER)
        gt_lang_error(o, t->at,
                      "a line that begins with a number: files in the old style of PHASEPLANE are not supported");
    if (t->kind == T_OTHER && t->c == '%') {
        read_block(o);
        return;
    }
    if (is_leibniz(o)) {
        read_leibniz(o);
        return;
    }
    int32_t s = gt_lang_statement(o, ST_NAMED, t->at);
    if (gt_lang_accept(o, '!')) o->statements[s].kind = ST_DERIVED;
    gt_lang_left_side(o, s);
    const ode_token *next = gt_lang_peek(o);
    if (o->statements[s].kind != ST_DERIVED && gt_lang_accept(o, '\'')) {
        o->statements[s].kind = ST_EQUATION;
        right_side(o, s);
    } else if (gt_lang_is(o, '(') && next[1].kind == T_NUMBER && next[1].value == 0 && next[2].kind == T_OTHER &&
               next[2].c == ')') {
        read_start(o, s);
    } else if (gt_lang_is(o, '(')) {
        read_function(o, s);
    } else if (gt_lang_is(o, '=')) {
        right_side(o, s);
    } else {
        char buffer[48];
        gt_lang_error(o, t->at, "%s does not begin a statement that is known", gt_lang_quote(o, t, buffer));
    }
}

/* ---- keywords ---- */

typedef enum keyword {
    W_NONE,
    W_LIST,
    W_AUX,
    W_UNKNOWN,
    W_EVENT,
    W_TABLE,
    W_RAW,
    W_SKIPPED,
    W_REFUSED,
    W_STRANGE
} keyword;

typedef struct word {
    const char *letters;
    keyword kind;
    ode_statement_kind statement;
    const char *text; /* why it is refused */
} word;

/* The longest fit comes first. */
static const word words[] = {{"gr", W_REFUSED, 0, "group is"},
                             {"g", W_EVENT, 0, NULL},
                             {"p", W_LIST, ST_PARAMETER, NULL},
                             {"i", W_LIST, ST_START, NULL},
                             {"n", W_LIST, ST_CONSTANT, NULL},
                             {"w", W_REFUSED, 0, "wiener: noise is"},
                             {"b", W_SKIPPED, 0, "boundary conditions"},
                             {"au", W_AUX, 0, NULL},
                             {"so", W_UNKNOWN, 0, NULL},
                             {"se", W_RAW, 0, NULL},
                             {"on", W_RAW, 0, NULL},
                             {"o", W_SKIPPED, 0, "option files"},
                             {"ex", W_REFUSED, 0, "export: external code is"},
                             {"ta", W_TABLE, 0, NULL},
                             {"ma", W_REFUSED, 0, "markov: Markov variables are"},
                             {"sp", W_REFUSED, 0, "special: networks by special are"},
                             {"vec", W_REFUSED, 0, "vector: vectors are"},
                             {"v", W_REFUSED, 0, "volterra: Volterra integral equations are"},
                             {NULL, W_STRANGE, 0, NULL}};

/* The keyword that begins the line, and where what follows it begins. */
static const word *find_keyword(const gt_ode *o, int32_t at, int32_t *rest)
{
    const char *s = o->text;
    int32_t k = at;
    while (s[k] >= '!' && s[k] <= '~' && s[k] != '=') k++;
    int32_t end = k;
    while (s[k] == ' ') k++;
    *rest = k;
    char first = (char)(s[at] | 32);
    if (s[k] == '=' || first < 'a' || first > 'z') return NULL;
    for (int32_t i = at; i < end; i++)
        if (strchr("'([/", s[i])) return NULL;
    for (const word *w = words;; w++) {
        if (!w->letters) return w;
        size_t length = strlen(w->letters), same = 0;
        while (same < length && (int32_t)same < end - at && (s[at + (int32_t)same] | 32) == w->letters[same]) same++;
        if (same == length) return w;
    }
}

static void read_keyword(gt_ode *o, const word *w, int32_t at, int32_t rest)
{
    int32_t length = rest - at;
    while (length > 0 && o->text[at + length - 1] == ' ') length--;
    if (length > 40) length = 40;
    o->j_allowed = o->group >= 0;
    switch (w->kind) {
    case W_SKIPPED:
        gt_lang_warn(o, at, "%s are skipped", w->text);
        return;
    case W_REFUSED:
        gt_lang_error(o, at, "%s not supported", w->text);
    case W_STRANGE:
        gt_lang_error(o, at, "'%.*s' does not begin a statement that is known", (int)length, o->text + at);
    case W_RAW:
        if ((o->text[at] | 32) == 's')
            gt_lang_read_set(o, rest);
        else
            gt_lang_read_only(o, rest);
        return;
    default:
        break;
    }
    gt_lang_tokenize(o, rest);
    switch (w->kind) {
    case W_LIST:
        gt_lang_read_list(o, w->statement);
        break;
    case W_AUX:
        read_aux(o);
        break;
    case W_UNKNOWN:
        read_unknown(o);
        break;
    case W_EVENT:
        gt_lang_read_event(o);
        break;
    case W_TABLE:
        gt_lang_read_table(o);
        break;
    default:
        break;
    }
}

static void read_line(gt_ode *o, int32_t start)
{
    int32_t at = start, rest;
    while (o->text[at] == ' ') at++;
    if (o->text[at] == '\n') return;
    if (o->text[at] == '@') {
        gt_lang_read_options(o, at, start);
        return;
    }
    if (o->text[at] == '#') {
        gt_lang_read_own(o, at + 2);
        return;
    }
    const word *w = find_keyword(o, at, &rest);
    if (w) {
        read_keyword(o, w, at, rest);
        return;
    }
    gt_lang_tokenize(o, at);
    read_by_left_side(o);
}

/* Whether the line was read without an error. */
static bool try_line(gt_ode *o, int32_t at)
{
    jmp_buf *outer = o->escape, here;
    o->escape = &here;
    bool failed = setjmp(here);
    if (!failed) read_line(o, at);
    o->escape = outer;
    return !failed;
}

/* name= and name(..)= at the begin of a line: definitions are known before they are used. */
static void hide_defined(gt_ode *o, int32_t at)
{
    const char *s = o->text;
    while (s[at] == ' ' || s[at] == '!') at++;
    int32_t end = at;
    while ((s[end] >= '0' && s[end] <= '9') || ((s[end] | 32) >= 'a' && (s[end] | 32) <= 'z') || s[end] == '_') end++;
    int32_t next = end;
    if (s[next] == '(') {
        while (s[next] != '\n' && s[next] != ')') next++;
        if (s[next] == ')') next++;
    }
    while (s[next] == ' ') next++;
    if (end == at || s[next] != '=' || s[next + 1] == '=') return;
    gt_lang_hide_builtin(o, gt_lang_intern(o, s + at, (size_t)(end - at)), at);
}

void gt_lang_read_statements(gt_ode *o)
{
    o->group = -1;
    for (int32_t at = 0; at < o->length;) {
        const char *end = memchr(o->text + at, '\n', (size_t)(o->length - at));
        hide_defined(o, at);
        at = end ? (int32_t)(end - o->text) + 1 : o->length;
    }
    for (int32_t at = 0; at < o->length;) {
        const char *end = memchr(o->text + at, '\n', (size_t)(o->length - at));
        int32_t next = end ? (int32_t)(end - o->text) + 1 : o->length, statements = o->n_statements;
        o->nesting = o->in_sum = o->skip = 0;
        o->range_here = NULL;
        o->list_range.ranged = false;
        o->paren_start = o->paren_end = -1;
        if (!try_line(o, at)) o->n_statements = statements; /* a broken statement is no statement */
        leave_function(o);
        if (o->giving_up || o->no_memory || o->n_errors >= ODE_MAX_ERRORS) longjmp(*o->escape, 1);
        at = next;
    }
    if (o->group >= 0) gt_lang_error(o, o->group_at, "this %% block is not closed by a line with %%");
}
