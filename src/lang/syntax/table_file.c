/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table NAME FILE: the samples of a table from a file beside the model, as XPPAUT writes and reads
 * it. One number in a line: how many samples, the start, the end, then the samples at equal
 * distances. Or the word xyvals, how many, then a pair x y in each line with x that rises; where
 * all x lie on one grid the straight lines between the pairs are kept as they are.
 */
#include "lang/syntax/raw.h"
#include <geartrain/author/file.h>
#include <geartrain/author/number.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct table_reader {
    ode_parser *parser;
    int32_t at; /* of the statement */
    const char *path, *text, *end;
    int line;
    bool dropped; /* something behind a number in its line */
} table_reader;

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == ','; }

static void skip_blanks(table_reader *r)
{
    while (r->text < r->end && is_blank(*r->text)) r->text++;
}

/* To what stands first in the next line that has something. */
static void next_line(table_reader *r)
{
    for (; r->text < r->end && *r->text != '\n'; r->text++)
        if (!is_blank(*r->text) || *r->text == ',') r->dropped = true;
    for (; r->text < r->end && (*r->text == '\n' || is_blank(*r->text)); r->text++)
        if (*r->text == '\n') r->line++;
}

static double read_number(table_reader *r, const char *what)
{
    double value;
    skip_blanks(r);
    const char *behind = gt_number_read(r->text, r->end, &value);
    if (behind == r->text || !isfinite(value))
        gt_lang_error(r->parser->work, r->at, "%s:%d: %s is not a number here", r->path, r->line,
                      what);
    r->text = behind;
    return value;
}

static int32_t read_count(table_reader *r)
{
    double n = read_number(r, "the number of samples");
    if (!(n >= 2 && n <= ODE_MAX_TABLE) || n != floor(n))
        gt_lang_error(r->parser->work, r->at, "%s:%d: a table has 2 to %d samples", r->path,
                      r->line, (int)ODE_MAX_TABLE);
    next_line(r);
    return (int32_t)n;
}

static void read_even(table_reader *r, ode_statement *s)
{
    s->table_n = read_count(r);
    s->table_lo = read_number(r, "the start of the table");
    next_line(r);
    s->table_hi = read_number(r, "the end of the table");
    next_line(r);
    if (!(s->table_lo < s->table_hi))
        gt_lang_error(r->parser->work, r->at, "%s: the start of a table must be below its end",
                      r->path);
    double *y = gt_lang_take(r->parser->work, (size_t)s->table_n, sizeof *y);
    for (int32_t k = 0; k < s->table_n; k++) {
        y[k] = read_number(r, "a sample");
        next_line(r);
    }
    s->samples = y;
}

/* The largest distance of which both are multiples, to `small`. */
static double common_distance(double a, double b, double small)
{
    while (b > small) {
        double rest = fmod(a, b);
        if (b - rest < small) rest = 0;
        a = b;
        b = rest;
    }
    return a;
}

static void read_pairs(table_reader *r, ode_statement *s)
{
    next_line(r);
    int32_t n = read_count(r);
    double *x = gt_lang_take(r->parser->work, (size_t)n, 2 * sizeof *x), *y = x + n;
    for (int32_t k = 0; k < n; k++) {
        x[k] = read_number(r, "x of a pair");
        y[k] = read_number(r, "y of a pair");
        if (k && !(x[k] > x[k - 1]))
            gt_lang_error(r->parser->work, r->at, "%s:%d: x must rise from pair to pair", r->path,
                          r->line);
        next_line(r);
    }
    double distance = x[1] - x[0], span = x[n - 1] - x[0], small = 1e-9 * span;
    for (int32_t k = 2; k < n; k++) distance = common_distance(distance, x[k] - x[k - 1], small);
    double count = floor(span / distance + .5) + 1, step = span / (count - 1);
    bool on_grid = count <= ODE_MAX_TABLE;
    for (int32_t k = 1; k < n && on_grid; k++) {
        double at = (x[k] - x[0]) / step, before = (x[k - 1] - x[0]) / step;
        on_grid = fabs(at - round(at)) <= 1e-6 && round(at) > round(before);
    }
    if (!on_grid)
        gt_lang_error(r->parser->work, r->at,
                      "%s: the x of these pairs lie on no grid of at most %d points, as a table "
                      "requires; write the samples at equal distances",
                      r->path, (int)ODE_MAX_TABLE);
    s->table_n = (int32_t)count;
    s->table_lo = x[0];
    s->table_hi = x[n - 1];
    double *even = gt_lang_take(r->parser->work, (size_t)s->table_n, sizeof *even);
    for (int32_t i = 0, k = 0; i < s->table_n; i++) {
        double at = x[0] + i * (span / (s->table_n - 1));
        while (k + 2 < n && at > x[k + 1]) k++;
        even[i] = y[k] + (y[k + 1] - y[k]) * ((at - x[k]) / (x[k + 1] - x[k]));
    }
    s->samples = even;
}

static void read_samples(ode_parser *parser, ode_statement *s, ode_raw name)
{
    char *text = NULL;
    size_t length;
    gt_message message = {""};
    const char *path = gt_lang_beside(parser->source, s->at, gt_lang_copy_raw(parser, name));
    if (gt_file_read(path, ODE_MAX_FILE, &text, &length, &message))
        gt_lang_error(parser->work, name.at, "the table %s cannot be read: %s", path, message.text);
    const char *kept = gt_lang_copy(parser->work, text, length);
    free(text);
    table_reader r = {
        .parser = parser, .at = s->at, .path = path, .text = kept, .end = kept + length, .line = 1};
    if (length && (kept[0] == 'i' || kept[0] == 's'))
        gt_lang_error(parser->work, s->at,
                      "%s: tables of steps (i) and of cubics (s) are not supported; without the "
                      "letter before the number of samples straight lines join them",
                      path);
    if (length >= 6 && !strncmp(kept, "xyvals", 6))
        read_pairs(&r, s);
    else
        read_even(&r, s);
    if (r.dropped)
        gt_lang_warn(parser->work, s->at, "%s: text after the numbers of a line is not read", path);
    if (r.text < r.end)
        gt_lang_warn(parser->work, s->at, "%s:%d: what follows the last sample is not read", path,
                     r.line);
}

static bool is_name(const char *s, int32_t length)
{
    for (int32_t k = 0; k < length; k++) {
        char lower = (char)(s[k] | 32);
        bool letter = (lower >= 'a' && lower <= 'z') || s[k] == '_';
        if (!letter && !(k && s[k] >= '0' && s[k] <= '9')) return false;
    }
    return length > 0;
}

bool gt_lang_read_table_file(ode_parser *parser, int32_t at)
{
    const char *text = parser->source->text;
    ode_raw name = gt_lang_next_word(parser, &at, " %@");
    while (text[at] == ' ') at++;
    if (text[at] == '%' || ode_ends_line(text[at]) || !is_name(text + name.at, name.length))
        return false;
    if (text[at] == '@')
        gt_lang_error(parser->work, at, "tables of two arguments are not supported");
    if (parser->group >= 0)
        gt_lang_error(parser->work, name.at, "a table cannot stand inside a %% block");
    ode_raw file = {at, 0};
    while (!ode_ends_line(text[at + file.length])) file.length++;
    while (file.length && text[at + file.length - 1] == ' ') file.length--;
    if (file.length > 2 && text[at] == '"' && text[at + file.length - 1] == '"')
        file = (ode_raw){at + 1, file.length - 2};
    int32_t s = gt_lang_statement(parser, ST_TABLE, name.at);
    ode_statement made = parser->out->statements[s];
    made.symbol = gt_lang_intern(parser->out, text + name.at, (size_t)name.length);
    gt_lang_hide_builtin(parser->out, made.symbol, made.at);
    read_samples(parser, &made, file);
    parser->out->statements[s] = made;
    return true;
}
