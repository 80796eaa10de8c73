/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines that say how to run and show a model: @ options, set, only. */
#include "lang/syntax/raw.h"
#include <geartrain/number.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

ode_raw gt_lang_next_word(const gt_ode *o, int32_t *at, const char *stops)
{
    while (o->text[*at] == ' ' || o->text[*at] == ',') ++*at;
    ode_raw p = {.at = *at};
    while (!ode_ends_line(o->text[*at]) && !strchr(stops, o->text[*at])) ++*at;
    p.length = *at - p.at;
    return p;
}

static bool begins_with(const gt_ode *o, ode_raw p, const char *word)
{
    for (int32_t k = 0; word[k]; k++)
        if (k >= p.length || (o->text[p.at + k] | 32) != word[k]) return false;
    return true;
}

double gt_lang_number_in(gt_ode *o, ode_raw p, const char *what)
{
    const char *text = o->text + p.at, *end = text + p.length;
    double value;
    if (p.length <= 0 || p.length >= 64) gt_lang_error(o, p.at, "%s needs a number", what);
    if (gt_number_read(text, end, &value) != end || !isfinite(value))
        gt_lang_error(o, p.at, "%s needs a number, not '%.*s'", what, (int)p.length, text);
    return value;
}

const char *gt_lang_copy_raw(gt_ode *o, ode_raw p) { return gt_lang_copy(o, o->text + p.at, (size_t)p.length); }

/* The methods of XPPAUT by their letter, and what comes nearest to them here. */
static void read_method(gt_ode *o, ode_raw p)
{
    static const struct {
        char letter;
        const char *method;
    } methods[] = {{'e', "euler"},  {'m', "heun"},  {'r', "rk4"},  {'a', "ab4"},  {'g', "gear"},
                   {'b', "beuler"}, {'q', "rkf45"}, {'s', "gear"}, {'c', "gear"}, {'5', "dopri5"},
                   {'8', "dopri5"}, {'2', "gear"},  {'y', NULL},   {'v', NULL}};
    gt_ode_run *run = &o->facts.run;
    char letter = p.length ? (char)(o->text[p.at] | 32) : ' ';
    if (letter >= 16 && letter <= 25) letter = (char)(letter | 48);
    run->meth = gt_lang_copy_raw(o, p);
    if (p.length && o->text[p.at] >= '0' && o->text[p.at] <= '9') letter = o->text[p.at];
    if (letter == 'd')
        gt_lang_error(o, p.at, "meth=%s: the equations of this file are a map; maps are not supported", run->meth);
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        if (methods[k].letter == letter) {
            run->method = methods[k].method;
            run->given |= GT_ODE_METH;
            return;
        }
    }
    gt_lang_warn(o, p.at, "meth=%s is not known", run->meth);
}

/* Options that are not ours are about windows and plots, unless they nearly are. */
static void warn_of_misspelling(gt_ode *o, ode_raw name)
{
    static const char *const ours[] = {"total", "trans", "bound", "method", NULL};
    const char *given = gt_lang_copy_raw(o, name), *near = gt_nearest_name(given, ours);
    if (near) gt_lang_warn(o, name.at, "there is no option %.40s; did you mean %s?", given, near);
}

static void read_option(gt_ode *o, ode_raw name, ode_raw value)
{
    gt_ode_run *run = &o->facts.run;
    const struct {
        const char *name;
        unsigned bit;
        double *value;
        double least;
    } numbers[] = {{"total", GT_ODE_TOTAL, &run->total, 0}, {"trans", GT_ODE_TRANS, &run->trans, 0},
                   {"bound", GT_ODE_BOUND, &run->bound, 0}, {"atol", GT_ODE_ATOL, &run->atol, 0},
                   {"tol", GT_ODE_TOL, &run->tol, 0},       {"t0", GT_ODE_T0, &run->t0, -HUGE_VAL},
                   {"dt", GT_ODE_DT, &run->dt, 0}};
    if (begins_with(o, name, "meth")) {
        read_method(o, value);
        return;
    }
    if (begins_with(o, name, "nout")) {
        double nout = gt_lang_number_in(o, value, "nout");
        if (nout < 1 || nout > 1e9) gt_lang_error(o, value.at, "nout must be 1 or more");
        run->nout = (int)nout;
        run->given |= GT_ODE_NOUT;
        return;
    }
    if (begins_with(o, name, "dtm") || begins_with(o, name, "dt_")) return; /* dtmin, dtmax */
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        if (!begins_with(o, name, numbers[k].name)) continue;
        double number = gt_lang_number_in(o, value, numbers[k].name);
        bool may_be_zero = numbers[k].bit == GT_ODE_TRANS;
        if (numbers[k].bit == GT_ODE_DT) number = fabs(number);
        if (number < numbers[k].least || (number == 0 && numbers[k].least == 0 && !may_be_zero))
            gt_lang_error(o, value.at, "%s must be above 0", numbers[k].name);
        *numbers[k].value = number;
        run->given |= numbers[k].bit;
        return;
    }
    if (begins_with(o, name, "poimap")) {
        bool off = value.length && (o->text[value.at] == '0' || (o->text[value.at] | 32) == 'n');
        if (!off) gt_lang_warn(o, name.at, "poimap: Poincare maps are ignored, all rows are written");
        return;
    }
    warn_of_misspelling(o, name);
}

void gt_lang_read_options(gt_ode *o, int32_t at, int32_t line_start)
{
    if (at != line_start || o->text[at + 1] != ' ')
        gt_lang_warn(o, at, "XPPAUT ignores options unless @ is the first character of the line and a blank follows");
    at++;
    for (;;) {
        ode_raw name = gt_lang_next_word(o, &at, " ,="), value = {.at = at};
        if (!name.length) {
            if (o->text[at] != '=') break;
            gt_lang_error(o, at, "an option looks like name=value");
        }
        int32_t after = at;
        while (o->text[after] == ' ') after++;
        if (o->text[after] == '=') {
            bool blanks = o->text[at] == ' ' || o->text[after + 1] == ' ';
            if (blanks) gt_lang_warn(o, name.at, "XPPAUT ignores an option that has blanks around =");
            at = after + 1;
            while (o->text[at] == ' ') at++;
            value = (ode_raw){.at = at};
            while (!ode_ends_line(o->text[at]) && o->text[at] != ' ' && o->text[at] != ',') at++;
            value.length = at - value.at;
        }
        read_option(o, name, value);
    }
}

/* set name {a=1,b=2,..} */
void gt_lang_read_set(gt_ode *o, int32_t at)
{
    enum { MANY = 4096 };
    int32_t start = at;
    ode_raw name = gt_lang_next_word(o, &at, " {");
    while (o->text[at] == ' ') at++;
    if (!name.length || o->text[at] != '{') gt_lang_error(o, start, "a set looks like: set name {a=1,b=2}");
    at++;
    const char **names = gt_lang_take(o, 16, sizeof *names);
    double *values = gt_lang_take(o, 16, sizeof *values);
    int32_t count = 0, room = 16, room_values = 16;
    for (;;) {
        ode_raw item = gt_lang_next_word(o, &at, " ,=}");
        while (o->text[at] == ' ') at++;
        if (!item.length && o->text[at] == '}') break;
        if (!item.length || o->text[at] != '=') gt_lang_error(o, at, "a set looks like: set name {a=1,b=2}");
        at++;
        ode_raw value = gt_lang_next_word(o, &at, " ,}");
        gt_lang_grow(o, (void **)&names, count, &room, sizeof *names, MANY, "values in one set");
        gt_lang_grow(o, (void **)&values, count, &room_values, sizeof *values, MANY, "values in one set");
        double number;
        const char *text = o->text + value.at, *end = text + value.length;
        bool is_number = value.length > 0 && gt_number_read(text, end, &number) == end && isfinite(number);
        if (!is_number) continue; /* options of plots and the like may be words */
        names[count] = gt_lang_copy_raw(o, item);
        values[count++] = number;
    }
    gt_ode_set *set = ODE_PUSH(o, sets, MANY, "sets");
    *set = (gt_ode_set){.name = gt_lang_copy_raw(o, name), .count = (size_t)count, .names = names, .values = values};
}

void gt_lang_read_only(gt_ode *o, int32_t at)
{
    for (;;) {
        ode_raw name = gt_lang_next_word(o, &at, " ,");
        if (!name.length) return;
        *ODE_PUSH(o, only, ODE_MAX_FILE, "columns") = gt_lang_copy_raw(o, name);
    }
}
