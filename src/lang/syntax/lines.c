/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The lines of the file. The first word of a line is a keyword when a blank follows it and then no
 * '='; its first letters decide. Everything else is recognised by its left side. After an error in
 * one statement reading goes on with the next, so that several can be reported at once.
 */
#include "lang/syntax/parser.h"
#include "lang/syntax/raw.h"
#include <assert.h>
#include <string.h>

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
static const word *find_keyword(const ode_parser *parser, int32_t at, int32_t *rest)
{
    const char *s = parser->source->text;
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
        size_t length = strlen(w->letters);
        size_t same = 0;
        while (same < length && (int32_t)same < end - at &&
               (s[at + (int32_t)same] | 32) == w->letters[same])
            same++;
        if (same == length) return w;
    }
}

/* For XPPAUT any word that begins with d ends the file. That is a slip of the pen where nothing
 * follows; else what follows would be lost. */
static bool is_last_line(const ode_parser *parser, int32_t at)
{
    const char *s = parser->source->text;
    if ((s[at] | 32) != 'd') return false;
    while (!ode_ends_line(s[at])) at++;
    while (s[at] == ' ' || s[at] == '\n') at++;
    return s[at] == '\0';
}

static void read_keyword(ode_parser *parser, const word *w, int32_t at, int32_t rest)
{
    int32_t length = rest - at;
    while (length > 0 && parser->source->text[at + length - 1] == ' ') length--;
    if (length > 40) length = 40;
    parser->j_allowed = parser->group >= 0;
    switch (w->kind) {
    case W_SKIPPED:
        gt_lang_warn(parser->work, at, "%s are skipped", w->text);
        return;
    case W_REFUSED:
        gt_lang_error(parser->work, at, "%s not supported", w->text);
    case W_STRANGE:
        if (is_last_line(parser, at)) {
            gt_lang_warn(parser->work, at, "'%.*s' ends the file, as it does for XPPAUT",
                         (int)length, parser->source->text + at);
            return;
        }
        gt_lang_error(parser->work, at, "'%.*s' does not begin a statement that is known",
                      (int)length, parser->source->text + at);
    case W_TABLE:
        if (gt_lang_read_table_file(parser, rest)) return;
        break;
    case W_RAW:
        if ((parser->source->text[at] | 32) == 's')
            gt_lang_read_set(parser, rest);
        else
            gt_lang_read_only(parser, rest);
        return;
    default:
        break;
    }
    gt_lang_tokenize(parser, rest);
    switch (w->kind) {
    case W_LIST:
        gt_lang_read_list(parser, w->statement);
        break;
    case W_AUX:
        gt_lang_read_aux(parser);
        break;
    case W_UNKNOWN:
        gt_lang_read_unknown(parser);
        break;
    case W_EVENT:
        gt_lang_read_event(parser);
        break;
    case W_TABLE:
        gt_lang_read_table(parser);
        break;
    default:
        break;
    }
}

/* Whether what follows % begins a block, or ends the one that has begun. */
static bool is_block(const ode_parser *parser, const char *s)
{
    while (*s == ' ') s++;
    return *s == '[' || (parser->group >= 0 && (*s == '\n' || *s == '\0'));
}

/* A line of MATLAB's comments; one warning will do for all of them. */
static void skip_percent(ode_parser *parser, int32_t at)
{
    if (!parser->percent_seen)
        gt_lang_warn(parser->work, at,
                     "neither a block %%[1..9] nor its end: read as a comment, as in XPPAUT");
    parser->percent_seen = true;
}

static void read_line(ode_parser *parser, int32_t start)
{
    int32_t at = start, rest;
    while (parser->source->text[at] == ' ') at++;
    if (parser->source->text[at] == '\n') return;
    if (parser->source->text[at] == '@') {
        gt_lang_read_options(parser, at, start);
        return;
    }
    if (parser->source->text[at] == '#') {
        gt_lang_read_own(parser, at + 2);
        return;
    }
    if (parser->source->text[at] == '%' && !is_block(parser, parser->source->text + at + 1)) {
        skip_percent(parser, at);
        return;
    }
    const word *w = find_keyword(parser, at, &rest);
    if (w) {
        read_keyword(parser, w, at, rest);
        return;
    }
    gt_lang_tokenize(parser, at);
    gt_lang_read_by_left_side(parser);
}

/* Whether the line was read without an error. */
static bool try_line(ode_parser *parser, int32_t at)
{
    jmp_buf *outer = parser->work->escape, here;
    parser->work->escape = &here;
    bool failed = setjmp(here);
    if (!failed) read_line(parser, at);
    parser->work->escape = outer;
    return !failed;
}

/* name= and name(..)= at the start of a line: definitions are known before they are used. */
static void hide_defined(ode_parser *parser, int32_t at)
{
    const char *s = parser->source->text;
    while (s[at] == ' ' || s[at] == '!') at++;
    int32_t end = at;
    while ((s[end] >= '0' && s[end] <= '9') || ((s[end] | 32) >= 'a' && (s[end] | 32) <= 'z') ||
           s[end] == '_')
        end++;
    int32_t next = end;
    if (s[next] == '(') {
        while (s[next] != '\n' && s[next] != ')') next++;
        if (s[next] == ')') next++;
    }
    while (s[next] == ' ') next++;
    if (end == at || s[next] != '=' || s[next + 1] == '=') return;
    gt_lang_hide_builtin(parser->out, gt_lang_intern(parser->out, s + at, (size_t)(end - at)), at);
}

static void read_statements(ode_parser *parser)
{
    parser->group = -1;
    for (int32_t at = 0; at < parser->source->length;) {
        const char *end =
            memchr(parser->source->text + at, '\n', (size_t)(parser->source->length - at));
        hide_defined(parser, at);
        at = end ? (int32_t)(end - parser->source->text) + 1 : parser->source->length;
    }
    for (int32_t at = 0; at < parser->source->length;) {
        const char *end =
            memchr(parser->source->text + at, '\n', (size_t)(parser->source->length - at));
        int32_t next = end ? (int32_t)(end - parser->source->text) + 1 : parser->source->length,
                statements = parser->out->n_statements;
        parser->nesting = parser->in_sum = parser->skip = 0;
        parser->range_here = NULL;
        parser->list_range.ranged = false;
        parser->paren_start = parser->paren_end = -1;
        if (!try_line(parser, at))
            parser->out->n_statements = statements; /* a broken statement is not a statement */
        gt_lang_leave_function(parser);
        if (parser->work->giving_up || parser->work->no_memory ||
            parser->work->n_errors >= ODE_MAX_ERRORS)
            longjmp(*parser->work->escape, 1);
        at = next;
    }
    if (parser->group >= 0)
        gt_lang_error(parser->work, parser->group_at,
                      "this %% block is not closed by a line with %%");
}

void gt_lang_parse(ode_parsed *parsed)
{
    assert(parsed->source && parsed->source->text && !parsed->n_statements);
    ode_parser parser = {.work = parsed->work, .source = parsed->source, .out = parsed};
    gt_lang_define_builtins(parsed);
    read_statements(&parser);
    gt_lang_resolve_primes(&parser);
    if (parsed->work->n_errors) longjmp(*parsed->work->escape, 1);
}
