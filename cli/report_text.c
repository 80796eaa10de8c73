/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports as text: lines with labels, and tables whose columns are as wide as they must be. */
#include "report.h"
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { LABEL = 12, INDENT = 4, USUAL_WIDTH = 80, LEAST_WIDTH = 40 };

int gt_report_width(int most)
{
    struct winsize size = {0};
    const char *columns = getenv("COLUMNS");
    long width = columns ? strtol(columns, NULL, 10) : 0;
    if (width <= 0 && isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
        width = size.ws_col;
    if (width <= 0) width = USUAL_WIDTH;
    if (width < LEAST_WIDTH) width = LEAST_WIDTH;
    return width < most ? (int)width : most;
}

/* Prints text from column `at` on, with line breaks between words before the width is passed, and
 * `indent` blanks at the beginning of the lines that follow. */
static void put_wrapped(FILE *out, const char *text, size_t at, size_t indent, size_t width)
{
    for (;;) {
        size_t blanks = strspn(text, " "), word = strcspn(text + blanks, " \n");
        if (word && at > indent && at + blanks + word > width) {
            fprintf(out, "\n%*s", (int)indent, "");
            at = indent;
            text += blanks;
            blanks = 0;
        }
        fprintf(out, "%.*s", (int)(blanks + word), text);
        at += blanks + word;
        text += blanks + word;
        if (*text == '\n' && text[1]) {
            fprintf(out, "\n%*s", (int)indent, "");
            at = indent;
            text++;
        } else if (*text != ' ') {
            break;
        }
    }
    fputc('\n', out);
}

void gt_report_wrapped(FILE *out, const char *text, int at, int indent)
{
    put_wrapped(out, text, (size_t)at, (size_t)indent, (size_t)gt_report_width(100));
}

void gt_report_line(FILE *out, const char *label, const char *text)
{
    size_t width = (size_t)gt_report_width(4096), used = strlen(label);
    for (; *text == '\n'; text++) fputc('\n', out);
    if (!*text) return;
    size_t indent = used < LABEL ? LABEL : used + 1;
    if (*label)
        fprintf(out, "%-*s", (int)indent, label);
    else
        indent = INDENT;
    put_wrapped(out, text, *label ? indent : 0, indent, width);
}

void gt_report_linef(FILE *out, const char *label, const char *format, ...)
{
    report_text line = {.used = 0};
    va_list list;
    va_start(list, format);
    gt_vformat(line.text, sizeof line.text, format, list);
    va_end(list);
    gt_report_line(out, label, line.text);
}

void gt_report_say_value(report_text *out, const report_field *field, const report_value *v)
{
    const char *format = field->format ? field->format : "%.6g";
    const char *unit = v->unit ? v->unit : field->unit;
    switch (v->type) {
    case REPORT_NUMBER:
    case REPORT_LIMIT:
        if (isnan(v->number))
            gt_report_say(out, "-");
        else if (isinf(v->number) && v->type == REPORT_LIMIT)
            gt_report_say(out, "unbounded");
        else
            gt_report_say(out, format, v->number + 0.0);
        break;
    case REPORT_PAIR:
        gt_report_say(out, v->pair[1] == 0 ? "%.6g" : "%.6g%+.6gi", v->pair[0], v->pair[1]);
        break;
    case REPORT_LONG:
        gt_report_say(out, "%ld", v->integer);
        break;
    case REPORT_BOOL:
        gt_report_say(out, "%s", v->flag ? "yes" : "no");
        break;
    case REPORT_STRING:
        gt_report_say(out, "%s", v->text);
        break;
    default:
        gt_report_say(out, "-");
        break;
    }
    if (unit && *unit) gt_report_say(out, " %s", unit);
}

static bool is_right(const report_field *field)
{
    report_type type = field->type == REPORT_MAP ? field->entry : field->type;
    return type >= REPORT_NUMBER && type <= REPORT_SIZE;
}

/* ---- tables ---- */

enum { MOST_COLUMNS = 32 };

typedef struct grid {
    FILE *out; /* NULL: the columns are measured */
    struct {
        char label[64];
        size_t width;
        bool right, hidden, seen; /* seen: a row has something there */
    } column[MOST_COLUMNS];
    size_t n, at, last;            /* last: the last one that is shown */
    size_t indent, between, width; /* before the first column, between two, of the terminal */
    size_t used;                   /* of the line */
    size_t stop;                   /* columns from here on are not printed in this row */
} grid;

static void measure_cell(grid *g, const char *label, const char *text, bool right)
{
    if (g->at == MOST_COLUMNS) return;
    if (g->at == g->n) {
        snprintf(g->column[g->n].label, sizeof g->column[g->n].label, "%s", label);
        g->column[g->n].width = strlen(g->column[g->n].label);
        g->column[g->n].right = right;
        g->n++;
    }
    size_t length = text ? strlen(text) : 0;
    if (length > g->column[g->at].width) g->column[g->at].width = length;
    if (length) g->column[g->at].seen = true;
    g->at++;
}

/* The blanks before a column, and behind its text those that the next one needs. */
static void print_cell(grid *g, size_t column, const char *text)
{
    if (!text || column >= g->n || column >= g->stop || g->column[column].hidden) return;
    size_t start = g->indent, length = strlen(text);
    for (size_t k = 0; k < column; k++)
        if (!g->column[k].hidden) start += g->column[k].width + g->between;
    if (g->column[column].right) start += g->column[column].width - length;
    if (!*text) return;
    fprintf(g->out, "%*s", (int)(start - g->used), "");
    if (column == g->last && !g->column[column].right) {
        put_wrapped(g->out, text, start, start, g->width);
        g->used = 0;
        g->stop = 0; /* the line has ended */
        return;
    }
    fputs(text, g->out);
    g->used = start + length;
}

static void visit_cell(grid *g, const char *label, const char *text, bool right)
{
    if (g->out)
        print_cell(g, g->at++, text);
    else
        measure_cell(g, label, text, right);
}

static void visit_cells(grid *g, const report_field *fields, const void *data)
{
    report_value v;
    for (const report_field *f = fields; f->type; f++) {
        if (f->silent || (!f->label && f->type != REPORT_INLINE)) continue;
        report_text cell = {.used = 0};
        bool there = gt_report_get(f, data, &v);
        if (there && (f->type == REPORT_INLINE || f->type == REPORT_OBJECT) && !f->say) {
            visit_cells(g, f->of, v.data);
        } else if (there && f->type == REPORT_MAP) {
            report_value e;
            for (size_t i = 0; gt_report_entry(f, v.data, i, &e) && (!f->most || i < f->most);
                 i++) {
                cell = (report_text){.used = 0};
                if (!e.absent) gt_report_say_value(&cell, f, &e);
                visit_cell(g, e.name, cell.text, e.type != REPORT_STRING);
            }
        } else {
            if (there && f->say)
                f->say(data, &cell);
            else if (there)
                gt_report_say_value(&cell, f, &v);
            visit_cell(g, f->label, there ? cell.text : NULL, is_right(f));
        }
    }
}

static void end_row(grid *g)
{
    if (g->stop) fputc('\n', g->out);
    g->used = 0;
    g->stop = MOST_COLUMNS;
    g->at = 0;
}

/* What does not fit is left out from the right, but for a last text, which has several lines then,
 * and the first column. */
static bool fit(grid *g)
{
    size_t total = g->indent;
    bool hides = false;
    g->last = 0;
    for (size_t k = 0; k < g->n; k++) {
        g->column[k].hidden = !g->column[k].seen;
        if (g->column[k].hidden) continue;
        total += g->column[k].width + (k ? g->between : 0);
        g->last = k;
    }
    size_t last = g->last;
    bool flows = !g->column[last].right;
    if (flows && g->n > 1 && g->column[last].width > 24) total -= g->column[last].width - 24;
    if (total > g->width && g->between == 2) {
        g->between = 1;
        return fit(g);
    }
    for (size_t k = last; total > g->width && k > 1; k--) {
        if (!g->column[k].right || g->column[k].hidden) continue;
        g->column[k].hidden = hides = true;
        total -= g->column[k].width + g->between;
    }
    return hides;
}

static void print_heads(grid *g)
{
    bool any = false;
    for (size_t k = 0; k < g->n; k++) any = any || *g->column[k].label;
    if (!any) return;
    for (size_t k = 0; k < g->n; k++) print_cell(g, k, g->column[k].label);
    end_row(g);
}

static void print_row(grid *g, const report_field *field, const void *row)
{
    report_text aside = {.used = 0};
    if (field->aside) field->aside(row, &aside);
    if (aside.used) g->stop = field->fixed;
    visit_cells(g, field->of, row);
    if (aside.used) {
        size_t start = g->indent;
        for (size_t k = 0; k < field->fixed; k++) start += g->column[k].width + g->between;
        fprintf(g->out, "%*s", (int)(start - g->used), "");
        put_wrapped(g->out, aside.text, start, start, g->width);
        g->stop = 0;
    }
    end_row(g);
}

static void print_table(FILE *out, const report_field *field, const void *data, bool gap)
{
    grid g = {.between = 2, .width = (size_t)gt_report_width(4096)};
    if (*field->label || field->tight) g.indent = INDENT;
    report_value v;
    size_t rows = 0;
    for (size_t i = 0; gt_report_entry(field, data, i, &v); i++) {
        if (v.absent || (field->most && rows == field->most)) continue;
        g.at = 0;
        visit_cells(&g, field->of, v.data);
        rows++;
    }
    if (!rows) return;
    bool hides = fit(&g);
    g.out = out;
    g.at = g.used = 0;
    g.stop = MOST_COLUMNS;
    fprintf(out, "%s%s%s", gap ? "\n" : "", field->label, *field->label ? "\n" : "");
    print_heads(&g);
    size_t left = 0;
    rows = 0;
    for (size_t i = 0; gt_report_entry(field, data, i, &v); i++) {
        if (v.absent) continue;
        if (field->most && rows == field->most)
            left++;
        else
            print_row(&g, field, v.data), rows++;
    }
    if (left) fprintf(out, "... and %zu more; --json has them all\n", left);
    if (!hides) return;
    report_text text = {.used = 0};
    gt_report_say(&text, "(not shown for lack of room:");
    for (size_t k = 0; k < g.n; k++)
        if (g.column[k].hidden && g.column[k].seen) gt_report_say(&text, " %s", g.column[k].label);
    gt_report_say(&text, "; --json has all)");
    gt_report_line(out, "", text.text);
}

/* ---- lines ---- */

/* Names and values below one another. */
static void print_map(FILE *out, const report_field *field, const void *data)
{
    report_value v;
    size_t widest = 10, shown = 0, left = 0;
    for (size_t i = 0; gt_report_entry(field, data, i, &v); i++)
        if (!v.absent && v.name && strlen(v.name) > widest) widest = strlen(v.name);
    for (size_t i = 0; gt_report_entry(field, data, i, &v); i++) {
        if (v.absent) continue;
        if (field->most && shown == field->most) {
            left++;
            continue;
        }
        report_text text = {.used = 0};
        gt_report_say_value(&text, field, &v);
        fprintf(out, "    %-*s %s\n", (int)widest, v.name, text.text);
        shown++;
    }
    if (left) fprintf(out, "    ... and %zu more; --out FILE.csv or --json has them all\n", left);
}

void gt_report_say_list(report_text *out, const report_field *field, const void *data)
{
    report_value v;
    size_t shown = 0;
    for (size_t i = 0; gt_report_entry(field, data, i, &v); i++) {
        if (v.absent) continue;
        if (field->most && shown == field->most) {
            gt_report_say(out, ", ..");
            return;
        }
        if (shown++) gt_report_say(out, ", ");
        gt_report_say_value(out, field, &v);
    }
}

/* False: there was nothing to say. */
static bool print_line(FILE *out, const report_field *field, const report_value *v,
                       const void *data)
{
    report_text text = {.used = 0};
    if (field->say)
        field->say(data, &text);
    else if (field->type == REPORT_LIST)
        gt_report_say_list(&text, field, v->data);
    else
        gt_report_say_value(&text, field, v);
    if (text.used) gt_report_line(out, field->label, text.text);
    return text.used > 0;
}

/* A table has an empty line before it unless it is the first thing that is printed. */
static void print_fields(FILE *out, const report_field *fields, const void *data, bool *any)
{
    report_value v;
    for (const report_field *f = fields; f->type; f++) {
        if (f->silent || (!f->label && f->type != REPORT_INLINE)) continue;
        if (!gt_report_get(f, data, &v) || (v.type == REPORT_END && !f->say)) continue;
        if (!f->say && (f->type == REPORT_INLINE || f->type == REPORT_OBJECT)) {
            print_fields(out, f->of, v.data, any);
        } else if (!f->say && f->type == REPORT_LIST && f->of) {
            print_table(out, f, v.data, *any && !f->tight);
            *any = true;
        } else if (!f->say && f->type == REPORT_MAP) {
            print_map(out, f, v.data);
            *any = true;
        } else {
            *any = print_line(out, f, &v, data) || *any;
        }
    }
}

void gt_report_print(FILE *out, const report_field *fields, const void *data)
{
    bool any = false;
    print_fields(out, fields, data, &any);
}

void gt_report_print_entries(FILE *out, const report_field *fields, const void *of, size_t count)
{
    for (size_t i = 0; i < count; i++)
        gt_report_print(out, fields, &(report_item){.of = of, .i = i});
}
