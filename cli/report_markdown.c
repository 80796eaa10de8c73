/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports as Markdown: lines as items of a list, tables as tables, to paste into notes and issues.
 */
#include "report.h"
#include <string.h>

enum { MOST_COLUMNS = 32 };

/* The rows of a table are visited three times: to see which columns have something, for their
 * names, and for what is in them. */
typedef struct pass {
    FILE *out; /* NULL: to see */
    bool head;
    bool seen[MOST_COLUMNS];
    bool right[MOST_COLUMNS];
    size_t at; /* column */
    /* A row that something is said of in place of its columns has that in column `stop`, and
     * nothing behind it. */
    size_t stop;
    const char *aside;
} pass;

/* A bar would end the cell, and a line the table. */
static void put_cell(FILE *out, const char *text)
{
    fputc(' ', out);
    for (; *text; text++) {
        if (*text == '|') fputc('\\', out);
        fputc(*text == '\n' ? ' ' : *text, out);
    }
    fputs(" |", out);
}

static void visit_cell(pass *p, const char *label, const char *text, bool right)
{
    size_t column = p->at++;
    if (column >= MOST_COLUMNS) return;
    if (!p->out) {
        p->seen[column] = p->seen[column] || *text;
        p->right[column] = right;
    } else if (p->seen[column]) {
        if (column >= p->stop) {
            text = p->aside;
            p->aside = "";
        }
        put_cell(p->out, p->head ? label : text);
    }
}

static bool is_number(report_type type) { return type >= REPORT_NUMBER && type <= REPORT_SIZE; }

static void visit_cells(pass *p, const report_field *fields, const void *data)
{
    report_value v;
    for (const report_field *f = fields; f->type; f++) {
        if (f->silent || (!f->label && f->type != REPORT_INLINE)) continue;
        report_text cell = {.used = 0};
        bool there = gt_report_get(f, data, &v);
        if (there && (f->type == REPORT_INLINE || f->type == REPORT_OBJECT) && !f->say) {
            visit_cells(p, f->of, v.data);
        } else if (there && f->type == REPORT_MAP) {
            report_value e;
            for (size_t i = 0; gt_report_entry(f, v.data, i, &e); i++) {
                cell = (report_text){.used = 0};
                if (!e.absent) gt_report_say_value(&cell, f, &e);
                visit_cell(p, e.name, cell.text, e.type != REPORT_STRING);
            }
        } else {
            if (there && f->say)
                f->say(data, &cell);
            else if (there)
                gt_report_say_value(&cell, f, &v);
            visit_cell(p, f->label, cell.text, is_number(f->type));
        }
    }
}

static void visit_row(pass *p, const report_field *field, const void *row)
{
    report_text aside = {.used = 0};
    p->at = 0;
    p->stop = MOST_COLUMNS;
    if (p->out && !p->head && field->aside) field->aside(row, &aside);
    if (aside.used) p->stop = field->fixed;
    p->aside = aside.text;
    if (p->out) fputc('|', p->out);
    visit_cells(p, field->of, row);
    if (p->out) fputc('\n', p->out);
}

static void visit_rows(pass *p, const report_field *field, const void *data)
{
    report_value v;
    for (size_t i = 0; gt_report_entry(field, data, i, &v); i++) {
        if (v.absent) continue;
        visit_row(p, field, v.data);
        if (p->head) return;
    }
}

static void put_table(FILE *out, const report_field *field, const void *data)
{
    pass p = {.out = NULL};
    visit_rows(&p, field, data);
    size_t columns = p.at < MOST_COLUMNS ? p.at : MOST_COLUMNS;
    if (!columns) return;
    p.out = out;
    p.head = true;
    fprintf(out, "\n%s%s", field->label, *field->label ? "\n\n" : "");
    visit_rows(&p, field, data);
    fputc('|', out);
    for (size_t k = 0; k < columns; k++)
        if (p.seen[k]) fputs(p.right[k] ? " ---: |" : " --- |", out);
    fputc('\n', out);
    p.head = false;
    visit_rows(&p, field, data);
    fputc('\n', out);
}

static void put_line(FILE *out, const char *label, const char *text)
{
    text += strspn(text, "\n");
    if (!*text) return;
    if (*label) fprintf(out, "- %s: ", label);
    fprintf(out, "%s\n", text);
}

static void put_map(FILE *out, const report_field *field, const void *data)
{
    report_value v;
    for (size_t i = 0; gt_report_entry(field, data, i, &v); i++) {
        report_text text = {.used = 0};
        if (v.absent) continue;
        gt_report_say_value(&text, field, &v);
        put_line(out, v.name, text.text);
    }
}

void gt_report_markdown(FILE *out, const report_field *fields, const void *data)
{
    report_value v;
    for (const report_field *f = fields; f->type; f++) {
        report_text text = {.used = 0};
        if (f->silent || (!f->label && f->type != REPORT_INLINE)) continue;
        if (!gt_report_get(f, data, &v) || (v.type == REPORT_END && !f->say)) continue;
        if (f->say)
            f->say(data, &text);
        else if (f->type == REPORT_INLINE || f->type == REPORT_OBJECT)
            gt_report_markdown(out, f->of, v.data);
        else if (f->type == REPORT_LIST && f->of)
            put_table(out, f, v.data);
        else if (f->type == REPORT_MAP)
            put_map(out, f, v.data);
        else if (f->type == REPORT_LIST)
            gt_report_say_list(&text, f, v.data);
        else
            gt_report_say_value(&text, f, &v);
        put_line(out, f->label ? f->label : "", text.text);
    }
}
