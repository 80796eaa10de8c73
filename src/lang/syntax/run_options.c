/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines that say how to run and show a model: @ options, set, only. */
#include "lang/syntax/raw.h"
#include <geartrain/author/number.h>
#include <geartrain/method.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

ode_raw gt_lang_next_word(const ode_parser *parser, int32_t *at, const char *stops)
{
    while (parser->source->text[*at] == ' ' || parser->source->text[*at] == ',') ++*at;
    ode_raw p = {.at = *at};
    while (!ode_ends_line(parser->source->text[*at]) && !strchr(stops, parser->source->text[*at]))
        ++*at;
    p.length = *at - p.at;
    return p;
}

static bool begins_with(const ode_parser *parser, ode_raw p, const char *word)
{
    for (int32_t k = 0; word[k]; k++)
        if (k >= p.length || (parser->source->text[p.at + k] | 32) != word[k]) return false;
    return true;
}

double gt_lang_number_in(ode_parser *parser, ode_raw p, const char *what)
{
    const char *text = parser->source->text + p.at, *end = text + p.length;
    double value;
    if (p.length <= 0 || p.length >= 64)
        gt_lang_error(parser->work, p.at, "%s needs a number", what);
    if (gt_number_read(text, end, &value) != end || !isfinite(value))
        gt_lang_error(parser->work, p.at, "%s needs a number, not '%.*s'", what, (int)p.length,
                      text);
    return value;
}

const char *gt_lang_copy_raw(ode_parser *parser, ode_raw p)
{
    return gt_lang_copy(parser->work, parser->source->text + p.at, (size_t)p.length);
}

/* The methods of XPPAUT by their letter, and what comes nearest to them here. */
static void read_method(ode_parser *parser, ode_raw p)
{
    static const char not_here[] = "yv"; /* a map of delays, and equations of Volterra */
    gt_ode_run *run = &parser->out->run;
    char letter = p.length ? (char)(parser->source->text[p.at] | 32) : ' ';
    if (letter >= 16 && letter <= 25) letter = (char)(letter | 48);
    run->meth = gt_lang_copy_raw(parser, p);
    if (p.length && parser->source->text[p.at] >= '0' && parser->source->text[p.at] <= '9')
        letter = parser->source->text[p.at];
    if (letter == 'd')
        gt_lang_error(parser->work, p.at,
                      "meth=%s: the equations of this file are a map; maps are not supported",
                      run->meth);
    const gt_method *const *m = gt_method_list();
    while (letter && *m && !((*m)->xpp && strchr((*m)->xpp, letter))) m++;
    run->method = *m ? (*m)->name : NULL;
    if (*m || strchr(not_here, letter))
        run->given |= GT_ODE_METH;
    else
        gt_lang_warn(parser->work, p.at, "meth=%s is not known", run->meth);
}

/* Options that are not ours are about windows and plots, unless they nearly are. */
static void warn_of_misspelling(ode_parser *parser, ode_raw name)
{
    static const char *const ours[] = {"total", "trans", "bound", "method", NULL};
    const char *given = gt_lang_copy_raw(parser, name);
    const char *near = gt_nearest_name(given, ours);
    if (near)
        gt_lang_warn(parser->work, name.at, "there is no option %.40s; did you mean %s?", given,
                     near);
}

static void read_option(ode_parser *parser, ode_raw name, ode_raw value)
{
    gt_ode_run *run = &parser->out->run;
    const struct {
        const char *name;
        unsigned bit;
        double *value;
        double least;
    } numbers[] = {{"total", GT_ODE_TOTAL, &run->total, 0}, {"trans", GT_ODE_TRANS, &run->trans, 0},
                   {"bound", GT_ODE_BOUND, &run->bound, 0}, {"atol", GT_ODE_ATOL, &run->atol, 0},
                   {"tol", GT_ODE_TOL, &run->tol, 0},       {"t0", GT_ODE_T0, &run->t0, -HUGE_VAL},
                   {"dt", GT_ODE_DT, &run->dt, 0}};
    if (begins_with(parser, name, "meth")) {
        read_method(parser, value);
        return;
    }
    if (begins_with(parser, name, "nout")) {
        double nout = gt_lang_number_in(parser, value, "nout");
        if (nout < 1 || nout > 1e9) gt_lang_error(parser->work, value.at, "nout must be 1 or more");
        run->nout = (int)nout;
        run->given |= GT_ODE_NOUT;
        return;
    }
    if (begins_with(parser, name, "dtm") || begins_with(parser, name, "dt_"))
        return; /* dtmin, dtmax */
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        if (!begins_with(parser, name, numbers[k].name)) continue;
        double number = gt_lang_number_in(parser, value, numbers[k].name);
        bool may_be_zero = numbers[k].bit == GT_ODE_TRANS;
        bool backward = numbers[k].bit == GT_ODE_DT && number < 0; /* as XPPAUT has it */
        if ((number < numbers[k].least && !backward) ||
            (number == 0 && numbers[k].least == 0 && !may_be_zero))
            gt_lang_error(parser->work, value.at, "%s must be above 0", numbers[k].name);
        *numbers[k].value = number;
        run->given |= numbers[k].bit;
        return;
    }
    if (begins_with(parser, name, "poimap")) {
        bool off = value.length && (parser->source->text[value.at] == '0' ||
                                    (parser->source->text[value.at] | 32) == 'n');
        if (!off)
            gt_lang_warn(parser->work, name.at,
                         "poimap: Poincare maps are ignored, all rows are written");
        return;
    }
    warn_of_misspelling(parser, name);
}

void gt_lang_read_options(ode_parser *parser, int32_t at, int32_t line_start)
{
    if (at != line_start || parser->source->text[at + 1] != ' ')
        gt_lang_warn(parser->work, at,
                     "XPPAUT ignores options unless @ is the first character of the line and a "
                     "blank follows");
    at++;
    for (;;) {
        ode_raw name = gt_lang_next_word(parser, &at, " ,=");
        ode_raw value = {.at = at};
        if (!name.length) {
            if (parser->source->text[at] != '=') break;
            gt_lang_error(parser->work, at, "an option looks like name=value");
        }
        int32_t after = at;
        while (parser->source->text[after] == ' ') after++;
        if (parser->source->text[after] == '=') {
            bool blanks = parser->source->text[at] == ' ' || parser->source->text[after + 1] == ' ';
            if (blanks)
                gt_lang_warn(parser->work, name.at,
                             "XPPAUT ignores an option that has blanks around =");
            at = after + 1;
            while (parser->source->text[at] == ' ') at++;
            value = (ode_raw){.at = at};
            while (!ode_ends_line(parser->source->text[at]) && parser->source->text[at] != ' ' &&
                   parser->source->text[at] != ',')
                at++;
            value.length = at - value.at;
        }
        read_option(parser, name, value);
    }
}

/* set name {a=1,b=2,..}; the name may be of several words. */
void gt_lang_read_set(ode_parser *parser, int32_t at)
{
    enum { MANY = 4096 };
    int32_t start = at;
    ode_raw name = gt_lang_next_word(parser, &at, "{");
    while (name.length > 0 && parser->source->text[name.at + name.length - 1] == ' ') name.length--;
    if (!name.length || parser->source->text[at] != '{')
        gt_lang_error(parser->work, start, "a set looks like: set name {a=1,b=2}");
    at++;
    const char **names = gt_lang_take(parser->work, 16, sizeof *names);
    double *values = gt_lang_take(parser->work, 16, sizeof *values);
    int32_t count = 0, room = 16, room_values = 16;
    for (;;) {
        ode_raw item = gt_lang_next_word(parser, &at, " ,=}");
        while (parser->source->text[at] == ' ') at++;
        if (!item.length && parser->source->text[at] == '}') break;
        if (!item.length || parser->source->text[at] != '=')
            gt_lang_error(parser->work, at, "a set looks like: set name {a=1,b=2}");
        at++;
        ode_raw value = gt_lang_next_word(parser, &at, " ,}");
        gt_lang_grow(parser->work, (void **)&names, count, &room, sizeof *names, MANY,
                     "values in one set");
        gt_lang_grow(parser->work, (void **)&values, count, &room_values, sizeof *values, MANY,
                     "values in one set");
        double number;
        const char *text = parser->source->text + value.at, *end = text + value.length;
        bool is_number =
            value.length > 0 && gt_number_read(text, end, &number) == end && isfinite(number);
        if (!is_number) continue; /* options of plots and the like may be words */
        names[count] = gt_lang_copy_raw(parser, item);
        values[count++] = number;
    }
    gt_ode_set *set = ODE_PUSH(parser->out, sets, MANY, "sets");
    *set = (gt_ode_set){.name = gt_lang_copy_raw(parser, name),
                        .count = (size_t)count,
                        .names = names,
                        .values = values};
}

void gt_lang_read_only(ode_parser *parser, int32_t at)
{
    for (;;) {
        ode_raw name = gt_lang_next_word(parser, &at, " ,");
        if (!name.length) return;
        *ODE_PUSH(parser->out, only, ODE_MAX_FILE, "columns") = gt_lang_copy_raw(parser, name);
    }
}
