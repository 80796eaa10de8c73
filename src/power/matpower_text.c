/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MATPOWER case files, version 2, as data: assignments NAME.field = value, with NAME from the
 * `function` line. A value is a number, a string, a matrix or a cell array. Comments (% to the end
 * of the line, %{ .. %} as lines of their own), continuation by "...", commas, tabs, blank lines
 * and rows ended by a semicolon or the end of the line are all taken. Conversions of units are
 * computed (matpower_units.c); other code is refused: it would change the numbers. Fields that are
 * not used (gencost, bus_name, ..) are passed over.
 */
#include "number/ascii.h"
#include "power/matpower.h"
#include <geartrain/author/number.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

gt_status gt_matpower_wrong(const gt_matpower *r, int line, const char *what)
{
    return gt_fail(r->message, GT_BAD_ARGUMENT, "%s:%d: %s", r->file, line, what);
}

static void to_line_end(gt_matpower *r)
{
    while (*r->at && *r->at != '\n') r->at++;
}

/* Whether a line consists of this mark and blanks only: the ends of a block comment. */
static bool line_is(const char *at, const char *mark)
{
    size_t length = strlen(mark);
    if (strncmp(at, mark, length)) return false;
    at += length;
    while (*at == ' ' || *at == '\t' || *at == '\r') at++;
    return !*at || *at == '\n';
}

static void skip_block_comment(gt_matpower *r)
{
    for (int depth = 0; *r->at; r->at++) {
        while (*r->at == ' ' || *r->at == '\t') r->at++;
        if (line_is(r->at, "%{")) depth++;
        if (line_is(r->at, "%}") && --depth == 0) {
            to_line_end(r);
            return;
        }
        to_line_end(r);
        if (!*r->at) return;
        r->line++;
    }
}

void gt_matpower_skip(gt_matpower *r, bool lines)
{
    for (;; r->at++) {
        if (!strncmp(r->at, "...", 3)) {
            to_line_end(r);
            if (!*r->at) return;
            r->line++;
        } else if (lines && line_is(r->at, "%{")) {
            skip_block_comment(r);
            if (!*r->at) return;
            r->line++;
        } else if (*r->at == '%' || *r->at == '#') {
            to_line_end(r);
            r->at--;
        } else if (*r->at == '\n' && lines) {
            r->line++;
        } else if (*r->at != ' ' && *r->at != '\t' && *r->at != '\r') {
            return;
        }
    }
}

size_t gt_matpower_word(const char *at)
{
    size_t n = 0;
    if (!gt_is_letter(*at) && *at != '_') return 0;
    while (gt_is_letter(at[n]) || gt_is_digit(at[n]) || at[n] == '_') n++;
    return n;
}

static gt_status add_number(gt_matpower *r, gt_table *t, size_t used, double value)
{
    if (used == t->room) {
        size_t room = t->room ? 2 * t->room : 256;
        double *larger = realloc(t->number, room * sizeof *larger);
        if (!larger)
            return gt_fail(r->message, GT_NO_MEMORY, "%s: out of memory for %s", r->file, t->name);
        t->number = larger;
        t->room = room;
    }
    t->number[used] = value;
    return GT_OK;
}

/* A finished row of `length` numbers. */
static gt_status end_row(gt_matpower *r, gt_table *t, size_t length, int line)
{
    char text[160];
    if (!length) return GT_OK;
    if (t->rows && length != t->columns) {
        snprintf(text, sizeof text, "this row of %s has %zu numbers, the rows above have %zu",
                 t->name, length, t->columns);
        return gt_matpower_wrong(r, line, text);
    }
    t->columns = length;
    if (t->rows % 256 == 0) {
        int *larger = realloc(t->row_line, (t->rows + 256) * sizeof *larger);
        if (!larger)
            return gt_fail(r->message, GT_NO_MEMORY, "%s: out of memory for %s", r->file, t->name);
        t->row_line = larger;
    }
    t->row_line[t->rows++] = line;
    return GT_OK;
}

static gt_status read_number(gt_matpower *r, double *value)
{
    char text[128];
    size_t length = strcspn(r->at, " \t\r\n,;]%");
    const char *end = r->at + length;
    if (length && (gt_number_read_any(r->at, end, value) == end ||
                   gt_matpower_formula(r, r->at, length, value))) {
        r->at = end;
        return GT_OK;
    }
    snprintf(text, sizeof text, "'%.*s' is not a number", (int)(length < 60 ? length : 60), r->at);
    return gt_matpower_wrong(r, r->line, length ? text : "a number is missing here");
}

static gt_status read_matrix(gt_matpower *r, gt_table *t)
{
    size_t length = 0, used = 0;
    int row_line = r->line;
    t->line = r->line;
    t->rows = 0;
    gt_matpower_skip(r, false);
    if (*r->at != '[') return gt_matpower_wrong(r, r->line, "a matrix [ .. ] is expected here");
    r->at++;
    for (;;) {
        gt_status status = GT_OK;
        double value;
        gt_matpower_skip(r, false);
        if (!*r->at) return gt_matpower_wrong(r, t->line, "this matrix has no closing ']'");
        if (*r->at == ']' || *r->at == ';' || *r->at == '\n') {
            status = end_row(r, t, length, row_line);
            if (status) return status;
            length = 0;
            if (*r->at == '\n') {
                gt_matpower_skip(r, true);
                continue;
            }
            if (*r->at++ == ']') break;
        } else if (*r->at == ',') {
            r->at++;
        } else {
            if (!length) row_line = r->line;
            status = read_number(r, &value);
            if (!status) status = add_number(r, t, used, value);
            if (status) return status;
            length++;
            used++;
        }
    }
    return *r->at == '\'' ? gt_matpower_wrong(r, r->line,
                                              "a transposed matrix is code, which is not evaluated")
                          : GT_OK;
}

/* Passes over a value that is not used. */
static gt_status skip_value(gt_matpower *r)
{
    int depth = 0, line = r->line;
    for (; *r->at; r->at++) {
        gt_matpower_skip(r, depth > 0);
        if (*r->at == '\'' || *r->at == '"') {
            char quote = *r->at;
            for (r->at++; *r->at && *r->at != quote && *r->at != '\n'; r->at++) continue;
            if (*r->at != quote) return gt_matpower_wrong(r, r->line, "this string has no end");
        } else if (*r->at == '[' || *r->at == '{') {
            depth++;
        } else if (*r->at == ']' || *r->at == '}') {
            depth--;
        } else if (depth <= 0 && (*r->at == ';' || *r->at == '\n')) {
            return GT_OK;
        }
        if (!*r->at) break;
    }
    return depth > 0 ? gt_matpower_wrong(r, line, "this value has no closing bracket") : GT_OK;
}

static gt_status read_version(gt_matpower *r)
{
    gt_matpower_skip(r, false);
    char quote = *r->at;
    const char *number = quote == '\'' || quote == '"' ? r->at + 1 : r->at;
    if (*number != '2' || gt_is_letter(number[1]) || gt_is_digit(number[1]))
        return gt_matpower_wrong(r, r->line, "only case format version '2' is read");
    return skip_value(r);
}

static gt_status read_mva(gt_matpower *r)
{
    gt_matpower_skip(r, false);
    gt_status status = read_number(r, &r->mva);
    if (status) return status;
    if (!(r->mva >= 1e-6 && r->mva <= 1e9)) {
        char text[80];
        gt_format(text, sizeof text, "baseMVA must lie between 1e-6 and 1e9, not %g", r->mva);
        return gt_matpower_wrong(r, r->line, text);
    }
    r->has_mva = true;
    return GT_OK;
}

static gt_status read_field(gt_matpower *r, const char *statement)
{
    size_t length = gt_matpower_word(r->at);
    const char *field = r->at;
    gt_table *tables[] = {&r->bus, &r->gen, &r->branch, &r->dcline};
    r->at += length;
    gt_matpower_skip(r, false);
    if (!length || *r->at != '=' || r->at[1] == '=') {
        r->at = statement;
        return gt_matpower_convert(r);
    }
    r->at++;
    if (length == 7 && !strncmp(field, "version", 7)) return read_version(r);
    if (length == 7 && !strncmp(field, "baseMVA", 7)) return read_mva(r);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        const char *name = strchr(tables[i]->name, '.') + 1;
        if (strlen(name) == length && !strncmp(field, name, length))
            return read_matrix(r, tables[i]);
    }
    return skip_value(r);
}

static gt_status read_function(gt_matpower *r)
{
    gt_matpower_skip(r, false);
    if (*r->at == '[')
        return gt_matpower_wrong(r, r->line,
                                 "this is a case of format version 1; MATPOWER's loadcase and "
                                 "savecase make it version 2");
    size_t length = gt_matpower_word(r->at);
    const char *first = r->at;
    r->at += length;
    gt_matpower_skip(r, false);
    if (*r->at == '=' && length && length < sizeof r->owner) {
        memcpy(r->owner, first, length);
        r->owner[length] = '\0';
        r->at++;
        gt_matpower_skip(r, false);
        first = r->at;
        length = gt_matpower_word(r->at);
    }
    char *name = gt_arena_take(r->arena, length + 1, 1);
    if (!name) return gt_fail(r->message, GT_NO_MEMORY, "%s: out of memory", r->file);
    memcpy(name, first, length);
    if (length) r->name = name;
    to_line_end(r);
    return GT_OK;
}

static bool is_word(const char *at, size_t length, const char *word)
{
    return strlen(word) == length && !strncmp(at, word, length);
}

gt_status gt_matpower_read(gt_matpower *r)
{
    for (;;) {
        gt_status status = GT_OK;
        gt_matpower_skip(r, true);
        if (*r->at == ';' || *r->at == ',') {
            r->at++;
            continue;
        }
        if (!*r->at) return GT_OK;
        size_t length = gt_matpower_word(r->at);
        const char *word = r->at;
        r->at += length;
        if (is_word(word, length, "function")) {
            status = read_function(r);
        } else if (is_word(word, length, "return")) {
            return GT_OK;
        } else if (is_word(word, length, "end") || is_word(word, length, "endfunction")) {
            continue;
        } else if (is_word(word, length, r->owner) && *r->at == '.') {
            r->at++;
            status = read_field(r, word);
        } else {
            r->at = word;
            status = gt_matpower_convert(r);
        }
        if (status) return status;
    }
}

void gt_matpower_free(gt_matpower *r)
{
    gt_table *tables[] = {&r->bus, &r->gen, &r->branch, &r->dcline};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        free(tables[i]->number);
        free(tables[i]->row_line);
    }
}
