/* SPDX-License-Identifier: BSD-3-Clause */
/* Geartrain's own statements, which stand behind #@ where XPPAUT sees a comment. */
#include "lang/syntax/raw.h"
#include <string.h>

static void expect_end(gt_ode *o)
{
    char buffer[48];
    if (gt_lang_peek(o)->kind != T_END)
        gt_lang_error(o, gt_lang_peek(o)->at, "%s is not expected here", gt_lang_quote(o, gt_lang_peek(o), buffer));
}

/* Name and formula of a statement. */
static int32_t read_formula(gt_ode *o, ode_statement_kind kind, int32_t at)
{
    int32_t s = gt_lang_statement(o, kind, at);
    o->j_allowed = o->group >= 0;
    gt_lang_left_side(o, s);
    gt_lang_expect(o, '=', "after the name");
    int32_t value = gt_lang_expression(o);
    o->statements[s].value = value;
    return s;
}

/* Formulas with names, separated by commas. */
static void read_formulas(gt_ode *o, ode_statement_kind kind, int32_t at)
{
    gt_lang_tokenize(o, at);
    do read_formula(o, kind, gt_lang_peek(o)->at);
    while (gt_lang_accept(o, ','));
    expect_end(o);
}

/* exact x=expr,y=expr */
static void read_exact(gt_ode *o, int32_t at) { read_formulas(o, ST_EXACT, at); }

/* invariant E=expr */
static void read_invariant(gt_ode *o, int32_t at) { read_formulas(o, ST_INVARIANT, at); }

/* start x=expr,y=expr */
static void read_start(gt_ode *o, int32_t at)
{
    gt_lang_tokenize(o, at);
    do {
        int32_t s = read_formula(o, ST_START, gt_lang_peek(o)->at);
        o->statements[s].rank = RANK_OWN;
        o->statements[s].end = gt_lang_peek(o)->at;
    } while (gt_lang_accept(o, ','));
    expect_end(o);
}

/* fast x,y[1..3] */
static void read_fast(gt_ode *o, int32_t at)
{
    gt_lang_tokenize(o, at);
    if (gt_lang_peek(o)->kind == T_END) gt_lang_error(o, at, "#@ fast needs the names of the fast states");
    while (gt_lang_peek(o)->kind != T_END) {
        int32_t s = gt_lang_statement(o, ST_FAST, gt_lang_peek(o)->at), group = o->group;
        o->group = -1;
        gt_lang_left_side(o, s);
        o->group = group;
        while (gt_lang_accept(o, ',')) continue;
    }
}

/* Formulas without a name. */
static void read_values(gt_ode *o, ode_statement_kind kind, int32_t at)
{
    gt_lang_tokenize(o, at);
    o->j_allowed = false;
    do {
        int32_t s = gt_lang_statement(o, kind, gt_lang_peek(o)->at), value = gt_lang_expression(o);
        o->statements[s].value = value;
    } while (kind == ST_BREAK && gt_lang_accept(o, ','));
    expect_end(o);
}

/* t1 expr */
static void read_end(gt_ode *o, int32_t at) { read_values(o, ST_END, at); }

/* break expr,expr */
static void read_break(gt_ode *o, int32_t at) { read_values(o, ST_BREAK, at); }

/* typical 1e-15 */
static void read_typical(gt_ode *o, int32_t at)
{
    o->code.typical = gt_lang_number_in(o, gt_lang_next_word(o, &at, " "), "a typical size");
}

/* switches on, switches off */
static void read_switches(gt_ode *o, int32_t at)
{
    ode_raw word = gt_lang_next_word(o, &at, " ");
    bool on = word.length == 2 && !strncmp(o->text + word.at, "on", 2);
    bool off = word.length == 3 && !strncmp(o->text + word.at, "off", 3);
    if (!on && !off) gt_lang_error(o, word.at, "#@ switches is on or off");
    o->switches_off = off;
}

/* ---- about names ---- */

static ode_raw rest_of_line(const gt_ode *o, int32_t at)
{
    while (o->text[at] == ' ') at++;
    ode_raw p = {.at = at};
    while (!ode_ends_line(o->text[at])) at++;
    while (at > p.at && o->text[at - 1] == ' ') at--;
    p.length = at - p.at;
    return p;
}

static void read_title(gt_ode *o, int32_t at) { o->title = gt_lang_copy_raw(o, rest_of_line(o, at)); }
static void read_reference(gt_ode *o, int32_t at) { o->reference = gt_lang_copy_raw(o, rest_of_line(o, at)); }

/* A statement about the next name of the line; -1 at its end. */
static int32_t about_name(gt_ode *o, ode_statement_kind kind, int32_t *at, const char *stops)
{
    ode_raw name = gt_lang_next_word(o, at, stops);
    if (!name.length) return -1;
    int32_t s = gt_lang_statement(o, kind, name.at);
    o->statements[s].symbol = gt_lang_intern(o, o->text + name.at, (size_t)name.length);
    return s;
}

static ode_raw value_of(gt_ode *o, int32_t *at)
{
    while (o->text[*at] == ' ' || o->text[*at] == '=') ++*at;
    ode_raw value = gt_lang_next_word(o, at, " ,");
    if (!value.length) gt_lang_error(o, *at, "a value is missing here");
    return value;
}

/* Whether name= follows. */
static bool is_name_next(const gt_ode *o, int32_t at)
{
    ode_raw name = gt_lang_next_word(o, &at, " ,=");
    return name.length && o->text[at] == '=';
}

/* unit x=m,y=m/s; a unit may have blanks, as N s/m has */
static void read_unit(gt_ode *o, int32_t at)
{
    for (int32_t s; (s = about_name(o, ST_UNIT, &at, " ,=")) >= 0;) {
        ode_raw unit = value_of(o, &at);
        while (o->text[at] == ' ' && !is_name_next(o, at)) {
            ode_raw more = gt_lang_next_word(o, &at, " ,");
            if (more.length) unit.length = more.at + more.length - unit.at;
        }
        o->statements[s].text = gt_lang_copy_raw(o, unit);
    }
}

/* range a=lo,hi; as lo, >0 is the smallest number above 0 */
static void read_range(gt_ode *o, int32_t at)
{
    for (int32_t s; (s = about_name(o, ST_RANGE, &at, " ,=")) >= 0;) {
        ode_raw low = value_of(o, &at), high = gt_lang_next_word(o, &at, " ,");
        bool positive = low.length == 2 && !strncmp(o->text + low.at, ">0", 2);
        double from = positive ? GT_POSITIVE : gt_lang_number_in(o, low, "a range");
        double to = gt_lang_number_in(o, high, "a range");
        if (!(from <= to)) gt_lang_error(o, low.at, "the low end of a range is above its high end");
        o->statements[s].table_lo = from;
        o->statements[s].table_hi = to;
    }
}

/* help a text */
static void read_help(gt_ode *o, int32_t at)
{
    int32_t s = about_name(o, ST_HELP, &at, " ");
    if (s < 0) gt_lang_error(o, at, "#@ help needs the name of a parameter and a text");
    o->statements[s].text = gt_lang_copy_raw(o, rest_of_line(o, at));
}

/* integer n,m */
static void read_integer(gt_ode *o, int32_t at)
{
    while (about_name(o, ST_WHOLE, &at, " ,=") >= 0) continue;
}

/* choice a=first,second,..; the parameter is 0 for the first, 1 for the second, .. */
static void read_choice(gt_ode *o, int32_t at)
{
    enum { MOST = 64 };
    int32_t s = about_name(o, ST_CHOICE, &at, " ,=");
    if (s < 0) gt_lang_error(o, at, "a choice looks like: #@ choice name=first,second");
    const char **words = gt_lang_take(o, MOST + 1, sizeof *words);
    int32_t count = 0;
    ode_raw word = value_of(o, &at);
    for (; word.length; word = gt_lang_next_word(o, &at, " ,")) {
        if (count == MOST) gt_lang_error(o, word.at, "a choice is among %d at most", (int)MOST);
        words[count] = gt_lang_copy_raw(o, word);
        for (int32_t k = 0; k < count; k++)
            if (!strcmp(words[k], words[count])) gt_lang_error(o, word.at, "%s stands twice in a choice", words[k]);
        count++;
    }
    if (count < 2) gt_lang_error(o, at, "a choice needs at least two words");
    o->statements[s].choices = words;
}

/* ---- the list ---- */

void gt_lang_read_own(gt_ode *o, int32_t at)
{
    static const struct {
        const char *word;
        void (*read)(gt_ode *o, int32_t at);
    } extras[] = {{"fast", read_fast},   {"start", read_start},         {"t1", read_end},
                  {"break", read_break}, {"typical", read_typical},     {"unit", read_unit},
                  {"range", read_range}, {"integer", read_integer},     {"choice", read_choice},
                  {"help", read_help},   {"exact", read_exact},         {"invariant", read_invariant},
                  {"title", read_title}, {"reference", read_reference}, {"switches", read_switches}};
    enum { COUNT = sizeof extras / sizeof *extras };
    ode_raw word = gt_lang_next_word(o, &at, " ");
    char lower[16] = "", known[200] = "";
    if (word.length < (int32_t)sizeof lower)
        for (int32_t k = 0; k < word.length; k++) lower[k] = (char)(o->text[word.at + k] | 32);
    for (int k = 0; k < COUNT; k++) {
        if (!strcmp(lower, extras[k].word)) {
            extras[k].read(o, at);
            return;
        }
        strcat(strcat(known, k ? ", " : ""), extras[k].word);
    }
    gt_lang_error(o, word.at, "'#@ %.*s' is not known; there are %s", word.length > 40 ? 40 : (int)word.length,
                  o->text + word.at, known);
}
