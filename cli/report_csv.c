/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports as CSV: a row for each struct. */
#include "report.h"
#include <math.h>
#include <string.h>

/* A text with a comma or a quote in quotes, of which each is doubled. */
static void put_text(FILE *out, const char *text)
{
    if (!strpbrk(text, ",\"\n")) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"') fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void put_value(FILE *out, const report_value *v)
{
    if (v->absent) return;
    if (v->type == REPORT_NUMBER || v->type == REPORT_LIMIT)
        gt_fprintf(out, "%.17g", v->number);
    else if (v->type == REPORT_PAIR)
        gt_fprintf(out, "%.17g,%.17g", v->pair[0], v->pair[1]);
    else if (v->type == REPORT_LONG)
        fprintf(out, "%ld", v->integer);
    else if (v->type == REPORT_BOOL)
        fputs(v->flag ? "true" : "false", out);
    else if (v->type == REPORT_STRING)
        put_text(out, v->text);
}

static void put_name(FILE *out, const report_field *field, const report_value *v)
{
    put_text(out, v->name ? v->name : field->key);
    if (v->type != REPORT_PAIR) return;
    fputs("_re,", out);
    put_text(out, v->name ? v->name : field->key);
    fputs("_im", out);
}

static void put_cell(FILE *out, const report_field *field, const report_value *v, bool head)
{
    if (head)
        put_name(out, field, v);
    else
        put_value(out, v);
}

/* Cells of one struct; `first` is false as soon as there is one. */
static void put_cells(FILE *out, const report_field *fields, const void *data, bool head,
                      bool *first)
{
    report_value v;
    for (const report_field *f = fields; f->type; f++) {
        if (f->type == REPORT_LIST || f->type == REPORT_LINE) continue;
        bool there = gt_report_get(f, data, &v);
        if (there && (f->type == REPORT_OBJECT || f->type == REPORT_INLINE)) {
            put_cells(out, f->of, v.data, head, first);
            continue;
        }
        if (f->type == REPORT_MAP) {
            report_value entry;
            for (size_t i = 0; there && gt_report_entry(f, v.data, i, &entry); i++) {
                if (!*first) fputc(',', out);
                *first = false;
                put_cell(out, f, &entry, head);
            }
            continue;
        }
        if (!*first) fputc(',', out);
        *first = false;
        if (there || head) put_cell(out, f, &v, head);
    }
}

void gt_report_csv_head(FILE *out, const report_field *fields, const void *data)
{
    bool first = true;
    put_cells(out, fields, data, true, &first);
    fputc('\n', out);
}

void gt_report_csv_row(FILE *out, const report_field *fields, const void *data)
{
    bool first = true;
    put_cells(out, fields, data, false, &first);
    fputc('\n', out);
}
