/* SPDX-License-Identifier: BSD-3-Clause */
/* Geartrain's own statements, which stand behind #@ where XPPAUT sees a comment. */
#include "lang/syntax/raw.h"
#include <math.h>
#include <string.h>

static void expect_end(ode_parser *parser)
{
    char buffer[48];
    if (gt_lang_peek(parser)->kind != T_END)
        gt_lang_error(parser->work, gt_lang_peek(parser)->at, "%s is not expected here",
                      gt_lang_quote(parser, gt_lang_peek(parser), buffer));
}

/* Name and formula of a statement. */
static int32_t read_formula(ode_parser *parser, ode_statement_kind kind, int32_t at)
{
    int32_t s = gt_lang_statement(parser, kind, at);
    parser->j_allowed = parser->group >= 0;
    gt_lang_left_side(parser, s);
    gt_lang_expect(parser, '=', "after the name");
    int32_t value = gt_lang_expression(parser);
    parser->out->statements[s].value = value;
    return s;
}

/* Formulas with names, separated by commas. */
static void read_formulas(ode_parser *parser, ode_statement_kind kind, int32_t at)
{
    gt_lang_tokenize(parser, at);
    do read_formula(parser, kind, gt_lang_peek(parser)->at);
    while (gt_lang_accept(parser, ','));
    expect_end(parser);
}

/* exact x=expr,y=expr */
static void read_exact(ode_parser *parser, int32_t at) { read_formulas(parser, ST_EXACT, at); }

/* invariant E=expr */
static void read_invariant(ode_parser *parser, int32_t at)
{
    read_formulas(parser, ST_INVARIANT, at);
}

/* start x=expr,y=expr */
static void read_start(ode_parser *parser, int32_t at)
{
    gt_lang_tokenize(parser, at);
    do {
        int32_t s = read_formula(parser, ST_START, gt_lang_peek(parser)->at);
        parser->out->statements[s].rank = RANK_OWN;
        parser->out->statements[s].end = gt_lang_peek(parser)->at;
    } while (gt_lang_accept(parser, ','));
    expect_end(parser);
}

/* The states of a rate: x,y[1..3] */
static void read_states(ode_parser *parser, int32_t rate)
{
    while (gt_lang_peek(parser)->kind != T_END) {
        int32_t s = gt_lang_statement(parser, ST_FAST, gt_lang_peek(parser)->at);
        parser->out->statements[s].rate = rate;
        int32_t group = parser->group;
        parser->group = -1;
        gt_lang_left_side(parser, s);
        parser->group = group;
        while (gt_lang_accept(parser, ',')) continue;
    }
}

/* fast x,y[1..3]; a division from outside stands behind the file and replaces that of the file */
static void read_fast(ode_parser *parser, int32_t at)
{
    if (at < parser->source->split) return;
    gt_lang_tokenize(parser, at);
    if (gt_lang_peek(parser)->kind == T_END)
        gt_lang_error(parser->work, at, "#@ fast needs the names of the fast states");
    read_states(parser, 1);
}

/* rate 2 x,y[1..3] */
static void read_rate(ode_parser *parser, int32_t at)
{
    if (at < parser->source->split) return;
    gt_lang_tokenize(parser, at);
    const ode_token *t = gt_lang_peek(parser);
    if (t->kind != T_NUMBER || !(t->value <= ODE_MAX_RATES) || t->value != floor(t->value))
        gt_lang_error(
            parser->work, t->kind == T_END ? at : t->at,
            "#@ rate needs a whole number from 0 to %d, higher for faster states, and their "
            "names: #@ rate 2 x,y",
            (int)ODE_MAX_RATES);
    int32_t rate = (int32_t)t->value;
    parser->next_token++;
    if (gt_lang_peek(parser)->kind == T_END)
        gt_lang_error(parser->work, t->at, "#@ rate %d needs the names of its states", (int)rate);
    read_states(parser, rate);
}

/* Formulas without a name. */
static void read_values(ode_parser *parser, ode_statement_kind kind, int32_t at)
{
    gt_lang_tokenize(parser, at);
    parser->j_allowed = false;
    do {
        int32_t s = gt_lang_statement(parser, kind, gt_lang_peek(parser)->at);
        int32_t value = gt_lang_expression(parser);
        parser->out->statements[s].value = value;
    } while (kind == ST_BREAK && gt_lang_accept(parser, ','));
    expect_end(parser);
}

/* t1 expr */
static void read_end(ode_parser *parser, int32_t at) { read_values(parser, ST_END, at); }

/* break expr,expr */
static void read_break(ode_parser *parser, int32_t at) { read_values(parser, ST_BREAK, at); }

/* typical 1e-15 */
static void read_typical(ode_parser *parser, int32_t at)
{
    parser->out->typical =
        gt_lang_number_in(parser, gt_lang_next_word(parser, &at, " "), "a typical size");
}

/* switches on, switches off */
static void read_switches(ode_parser *parser, int32_t at)
{
    ode_raw word = gt_lang_next_word(parser, &at, " ");
    bool on = word.length == 2 && !strncmp(parser->source->text + word.at, "on", 2);
    bool off = word.length == 3 && !strncmp(parser->source->text + word.at, "off", 3);
    if (!on && !off) gt_lang_error(parser->work, word.at, "#@ switches is on or off");
    parser->out->switches_off = off;
}

/* ---- about names ---- */

static ode_raw rest_of_line(const ode_parser *parser, int32_t at)
{
    while (parser->source->text[at] == ' ') at++;
    ode_raw p = {.at = at};
    while (!ode_ends_line(parser->source->text[at])) at++;
    while (at > p.at && parser->source->text[at - 1] == ' ') at--;
    p.length = at - p.at;
    return p;
}

static void read_title(ode_parser *parser, int32_t at)
{
    parser->out->title = gt_lang_copy_raw(parser, rest_of_line(parser, at));
}
static void read_reference(ode_parser *parser, int32_t at)
{
    parser->out->reference = gt_lang_copy_raw(parser, rest_of_line(parser, at));
}

/* A statement about the next name of the line; -1 at its end. */
static int32_t about_name(ode_parser *parser, ode_statement_kind kind, int32_t *at,
                          const char *stops)
{
    ode_raw name = gt_lang_next_word(parser, at, stops);
    if (!name.length) return -1;
    int32_t s = gt_lang_statement(parser, kind, name.at);
    parser->out->statements[s].symbol =
        gt_lang_intern(parser->out, parser->source->text + name.at, (size_t)name.length);
    return s;
}

static ode_raw value_of(ode_parser *parser, int32_t *at)
{
    while (parser->source->text[*at] == ' ' || parser->source->text[*at] == '=') ++*at;
    ode_raw value = gt_lang_next_word(parser, at, " ,");
    if (!value.length) gt_lang_error(parser->work, *at, "a value is missing here");
    return value;
}

/* Whether name= follows. */
static bool is_name_next(const ode_parser *parser, int32_t at)
{
    ode_raw name = gt_lang_next_word(parser, &at, " ,=");
    return name.length && parser->source->text[at] == '=';
}

/* unit x=m,y=m/s; a unit may have blanks, as N s/m has */
static void read_unit(ode_parser *parser, int32_t at)
{
    for (int32_t s; (s = about_name(parser, ST_UNIT, &at, " ,=")) >= 0;) {
        ode_raw unit = value_of(parser, &at);
        while (parser->source->text[at] == ' ' && !is_name_next(parser, at)) {
            ode_raw more = gt_lang_next_word(parser, &at, " ,");
            if (more.length) unit.length = more.at + more.length - unit.at;
        }
        parser->out->statements[s].text = gt_lang_copy_raw(parser, unit);
    }
}

/* range a=lo,hi; as lo, >0 is the smallest number above 0 */
static void read_range(ode_parser *parser, int32_t at)
{
    for (int32_t s; (s = about_name(parser, ST_RANGE, &at, " ,=")) >= 0;) {
        ode_raw low = value_of(parser, &at);
        ode_raw high = gt_lang_next_word(parser, &at, " ,");
        bool positive = low.length == 2 && !strncmp(parser->source->text + low.at, ">0", 2);
        double from = positive ? GT_POSITIVE : gt_lang_number_in(parser, low, "a range");
        double to = gt_lang_number_in(parser, high, "a range");
        if (!(from <= to))
            gt_lang_error(parser->work, low.at, "the low end of a range is above its high end");
        parser->out->statements[s].table_lo = from;
        parser->out->statements[s].table_hi = to;
    }
}

/* help a text */
static void read_help(ode_parser *parser, int32_t at)
{
    int32_t s = about_name(parser, ST_HELP, &at, " ");
    if (s < 0) gt_lang_error(parser->work, at, "#@ help needs the name of a parameter and a text");
    parser->out->statements[s].text = gt_lang_copy_raw(parser, rest_of_line(parser, at));
}

/* integer n,m */
static void read_integer(ode_parser *parser, int32_t at)
{
    while (about_name(parser, ST_WHOLE, &at, " ,=") >= 0) continue;
}

/* choice a=first,second,..; the parameter is 0 for the first, 1 for the second, .. */
static void read_choice(ode_parser *parser, int32_t at)
{
    enum { MOST = 64 };
    int32_t s = about_name(parser, ST_CHOICE, &at, " ,=");
    if (s < 0) gt_lang_error(parser->work, at, "a choice looks like: #@ choice name=first,second");
    const char **words = gt_lang_take(parser->work, MOST + 1, sizeof *words);
    int32_t count = 0;
    ode_raw word = value_of(parser, &at);
    for (; word.length; word = gt_lang_next_word(parser, &at, " ,")) {
        if (count == MOST)
            gt_lang_error(parser->work, word.at, "a choice is among %d at most", (int)MOST);
        words[count] = gt_lang_copy_raw(parser, word);
        for (int32_t k = 0; k < count; k++)
            if (!strcmp(words[k], words[count]))
                gt_lang_error(parser->work, word.at, "%s appears twice in a choice", words[k]);
        count++;
    }
    if (count < 2) gt_lang_error(parser->work, at, "a choice needs at least two words");
    parser->out->statements[s].choices = words;
}

/* ---- the list ---- */

void gt_lang_read_own(ode_parser *parser, int32_t at)
{
    static const struct {
        const char *word;
        void (*read)(ode_parser *parser, int32_t at);
    } extras[] = {{"rate", read_rate},           {"fast", read_fast},
                  {"start", read_start},         {"t1", read_end},
                  {"break", read_break},         {"typical", read_typical},
                  {"unit", read_unit},           {"range", read_range},
                  {"integer", read_integer},     {"choice", read_choice},
                  {"help", read_help},           {"exact", read_exact},
                  {"invariant", read_invariant}, {"title", read_title},
                  {"reference", read_reference}, {"switches", read_switches}};
    enum { COUNT = sizeof extras / sizeof *extras };
    ode_raw word = gt_lang_next_word(parser, &at, " ");
    char lower[16] = "", known[200] = "";
    if (word.length < (int32_t)sizeof lower)
        for (int32_t k = 0; k < word.length; k++)
            lower[k] = (char)(parser->source->text[word.at + k] | 32);
    for (int k = 0; k < COUNT; k++) {
        if (!strcmp(lower, extras[k].word)) {
            extras[k].read(parser, at);
            return;
        }
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", k ? ", " : "", extras[k].word);
    }
    const char *behind = parser->source->text + word.at + word.length;
    while (*behind == ' ') behind++;
    if (*behind == '=' || memchr(parser->source->text + word.at, '=', (size_t)word.length)) {
        gt_lang_warn(parser->work, word.at,
                     "an option after #@ is read as a comment, as in XPPAUT");
        return;
    }
    gt_lang_error(parser->work, word.at, "'#@ %.*s' is not known; there are %s",
                  word.length > 40 ? 40 : (int)word.length, parser->source->text + word.at, known);
}
