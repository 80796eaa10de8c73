/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows as Markdown, HTML, CSV, JSON and as a list of errata. */
#include "papers.h"
#include <stdlib.h>
#include <string.h>

static const char *verdict_name(paper_verdict verdict)
{
    static const char *const names[] = {"matches", "differs", "erratum", "computed", "missing"};
    return names[verdict];
}

static size_t count_of(const paper_report *r, paper_verdict verdict)
{
    size_t count = 0;
    for (size_t i = 0; i < r->n_sheets; i++)
        for (size_t k = 0; k < r->sheets[i].n_rows; k++)
            count += r->sheets[i].rows[k].verdict == verdict;
    return count;
}

/* A bar would end the cell of a table. */
static void print_cell(FILE *f, const char *text)
{
    for (; *text; text++) {
        if (*text == '|') fputc('\\', f);
        fputc(*text == '\n' ? ' ' : *text, f);
    }
}

static void print_escaped(FILE *f, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '<':
            fputs("&lt;", f);
            break;
        case '>':
            fputs("&gt;", f);
            break;
        case '&':
            fputs("&amp;", f);
            break;
        case '"':
            fputs("&quot;", f);
            break;
        default:
            fputc(*text, f);
        }
    }
}

static const char about_verdicts[] = "*matches*: to the printed digits. *differs*: for the reason "
                                     "given. *erratum*: the paper is wrong; the reason says "
                                     "what is right and how we know. *computed*: the paper shows a "
                                     "curve or a formula but prints no number. *missing*: "
                                     "the paper lacks the data.";

int paper_write_markdown(const char *path, const paper_report *reports, size_t count)
{
    cli_file file;
    int code = gt_cli_file_open(&file, path);
    if (code) return code;
    FILE *f = file.stream;
    fprintf(f, "# Five papers, computed again\n\n%s\n\n", about_verdicts);
    fprintf(f, "| paper | matches | differs | erratum | computed | missing "
               "|\n|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < count; i++) {
        fprintf(f, "| %s |", reports[i].paper->name);
        for (paper_verdict v = PAPER_MATCHES; v <= PAPER_MISSING; v++)
            fprintf(f, " %zu |", count_of(&reports[i], v));
        fputc('\n', f);
    }
    for (size_t i = 0; i < count; i++) {
        const paper_report *r = &reports[i];
        fprintf(f, "\n## %s\n\n%s\n", r->paper->title, r->paper->citation);
        for (size_t j = 0; j < r->n_sheets; j++) {
            const paper_sheet *s = &r->sheets[j];
            fprintf(f, "\n### %s: %s\n\n", s->item, s->about);
            if (s->n_rows)
                fprintf(f, "| quantity | printed | computed | verdict | reason "
                           "|\n|---|---|---|---|---|\n");
            for (size_t k = 0; k < s->n_rows; k++) {
                const paper_row *row = &s->rows[k];
                const char *const cells[] = {row->quantity, row->printed, row->computed,
                                             verdict_name(row->verdict), row->reason};
                for (size_t c = 0; c < 5; c++)
                    fputs("| ", f), print_cell(f, cells[c]), fputc(' ', f);
                fputs("|\n", f);
            }
            for (size_t k = 0; k < s->n_figures; k++)
                fprintf(f, "\n![%s](%s)\n", s->figures[k].caption, s->figures[k].file);
        }
    }
    return gt_cli_file_close(&file, true);
}

/* The drawing inside an SVG file, without what stands before it. Names inside it get the number as
 * a prefix, since all figures of the page share one space of names. */
static int print_figure(FILE *f, const char *folder, const paper_figure *figure, size_t number)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, figure->file);
    FILE *svg = fopen(path, "r");
    if (!svg) return gt_cli_failed("%s is not there", path);
    fseek(svg, 0, SEEK_END);
    long size = ftell(svg);
    rewind(svg);
    char *text = malloc((size_t)size + 1);
    size_t got = text ? fread(text, 1, (size_t)size, svg) : 0;
    fclose(svg);
    if (!text) return gt_cli_failed("out of memory for %s", path);
    text[got] = 0;
    char *from = strstr(text, "<svg");
    fputs("<figure>", f);
    for (char *p = from ? from : text; *p; p++) {
        static const char *const marks[] = {"id=\"", "id='", "href='#", "href=\"#", "url(#"};
        fputc(*p, f);
        for (size_t m = 0; m < sizeof marks / sizeof *marks; m++) {
            size_t length = strlen(marks[m]);
            if ((size_t)(p - text) + 1 < length || strncmp(p + 1 - length, marks[m], length))
                continue;
            bool whole = m > 1 || p + 1 - length == text || p[-(long)length] == ' ';
            if (whole) fprintf(f, "f%zu_", number);
        }
    }
    free(text);
    fputs("<figcaption>", f);
    print_escaped(f, figure->caption);
    fputs("</figcaption></figure>\n", f);
    return CLI_OK;
}

static const char html_head[] =
    "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Five papers, computed "
    "again</title>\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<style>\n"
    "body{font:15px/1.45 system-ui,sans-serif;max-width:70em;margin:2em auto;padding:0 "
    "1em;color:#222}\n"
    "table{border-collapse:collapse;margin:.6em 0 1.4em}td,th{border:1px solid #ccc;padding:.25em "
    ".6em;text-align:left;"
    "vertical-align:top}\nth{background:#f3f3f3}td.n{font-family:ui-monospace,monospace;white-"
    "space:nowrap}\n"
    ".matches{color:#006b3c}.differs{color:#8a5a00}.erratum{color:#b00020}.missing,.computed{color:"
    "#555}\n"
    "figure{margin:1em 0}figure svg{max-width:100%;height:auto}figcaption{color:#555}\n"
    "</style></head><body>\n<h1>Five papers, computed again</h1>\n";

static void print_html_rows(FILE *f, const paper_sheet *s)
{
    if (!s->n_rows) return;
    fputs("<table><tr><th>quantity<th>printed<th>computed<th>verdict<th>reason</tr>\n", f);
    for (size_t k = 0; k < s->n_rows; k++) {
        const paper_row *row = &s->rows[k];
        const char *verdict = verdict_name(row->verdict);
        fputs("<tr><td>", f), print_escaped(f, row->quantity);
        fputs("<td class=n>", f), print_escaped(f, row->printed);
        fputs("<td class=n>", f), print_escaped(f, row->computed);
        fprintf(f, "<td class=%s>%s<td>", verdict, verdict), print_escaped(f, row->reason);
        fputs("</tr>\n", f);
    }
    fputs("</table>\n", f);
}

int paper_write_html(const char *path, const char *folder, const paper_report *reports,
                     size_t count)
{
    cli_file file;
    int code = gt_cli_file_open(&file, path);
    if (code) return code;
    FILE *f = file.stream;
    size_t number = 0;
    fprintf(f, "%s<p>", html_head);
    for (const char *p = about_verdicts, *open = "<em>"; *p; p++) { /* *words* are emphasised */
        if (*p != '*') {
            fputc(*p, f);
            continue;
        }
        fputs(open, f);
        open = open[1] == 'e' ? "</em>" : "<em>";
    }
    fputs(
        "</p>\n<table><tr><th>paper<th>matches<th>differs<th>erratum<th>computed<th>missing</tr>\n",
        f);
    for (size_t i = 0; i < count; i++) {
        fprintf(f, "<tr><td><a href=\"#%s\">%s</a>", reports[i].paper->name,
                reports[i].paper->name);
        for (paper_verdict v = PAPER_MATCHES; v <= PAPER_MISSING; v++)
            fprintf(f, "<td>%zu", count_of(&reports[i], v));
        fputs("</tr>\n", f);
    }
    fputs("</table>\n", f);
    for (size_t i = 0; i < count && !code; i++) {
        const paper_report *r = &reports[i];
        fprintf(f, "<h2 id=\"%s\">", r->paper->name), print_escaped(f, r->paper->title),
            fputs("</h2>\n<p>", f);
        print_escaped(f, r->paper->citation), fputs("</p>\n", f);
        for (size_t j = 0; j < r->n_sheets && !code; j++) {
            const paper_sheet *s = &r->sheets[j];
            fputs("<h3>", f), print_escaped(f, s->item), fputs(": ", f);
            print_escaped(f, s->about), fputs("</h3>\n", f);
            print_html_rows(f, s);
            for (size_t k = 0; k < s->n_figures && !code; k++)
                code = print_figure(f, folder, &s->figures[k], number++);
        }
    }
    fputs("</body></html>\n", f);
    int closed = gt_cli_file_close(&file, !code);
    return code ? code : closed;
}

static void print_csv(FILE *f, const char *text, const char *end)
{
    if (!strpbrk(text, ",\"\n")) {
        fprintf(f, "%s%s", text, end);
        return;
    }
    fputc('"', f);
    for (; *text; text++) {
        if (*text == '"') fputc('"', f);
        fputc(*text, f);
    }
    fprintf(f, "\"%s", end);
}

int paper_write_csv(const char *path, const paper_report *reports, size_t count)
{
    cli_file file;
    int code = gt_cli_file_open(&file, path);
    if (code) return code;
    fputs("paper,item,quantity,printed,computed,verdict,reason\n", file.stream);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < reports[i].n_sheets; j++) {
            const paper_sheet *s = &reports[i].sheets[j];
            for (size_t k = 0; k < s->n_rows; k++) {
                const paper_row *row = &s->rows[k];
                const char *const cells[] = {s->paper,      s->item,
                                             row->quantity, row->printed,
                                             row->computed, verdict_name(row->verdict),
                                             row->reason};
                for (size_t c = 0; c < 7; c++) print_csv(file.stream, cells[c], c < 6 ? "," : "\n");
            }
        }
    return gt_cli_file_close(&file, true);
}

int paper_write_errata(const char *path, const paper_report *reports, size_t count)
{
    cli_file file;
    int code = gt_cli_file_open(&file, path);
    if (code) return code;
    FILE *f = file.stream;
    fputs("# Errata of the five papers\n\nWhat is wrong in them, what is right, and how we know. "
          "Made by\n"
          "`geartrain papers --errata docs/errata.md`; every row is computed, none is stored.\n",
          f);
    for (size_t i = 0; i < count; i++) {
        const paper_report *r = &reports[i];
        fprintf(f,
                "\n## %s\n\n%s\n\n| where | what | printed | right | how we know "
                "|\n|---|---|---|---|---|\n",
                r->paper->title, r->paper->citation);
        for (size_t j = 0; j < r->n_sheets; j++)
            for (size_t k = 0; k < r->sheets[j].n_rows; k++) {
                const paper_row *row = &r->sheets[j].rows[k];
                if (row->verdict != PAPER_ERRATUM) continue;
                const char *const cells[] = {r->sheets[j].item, row->quantity, row->printed,
                                             row->computed, row->reason};
                for (size_t c = 0; c < 5; c++)
                    fputs("| ", f), print_cell(f, cells[c]), fputc(' ', f);
                fputs("|\n", f);
            }
    }
    return gt_cli_file_close(&file, true);
}

json_t *paper_json(const paper_report *reports, size_t count)
{
    json_t *rows = json_array(), *figures = json_array(), *summary = json_object();
    for (size_t i = 0; i < count; i++) {
        const paper_report *r = &reports[i];
        json_t *verdicts = json_object();
        for (paper_verdict v = PAPER_MATCHES; v <= PAPER_MISSING; v++)
            json_object_set_new(verdicts, verdict_name(v),
                                json_integer((json_int_t)count_of(r, v)));
        json_object_set_new(summary, r->paper->name, verdicts);
        for (size_t j = 0; j < r->n_sheets; j++) {
            const paper_sheet *s = &r->sheets[j];
            for (size_t k = 0; k < s->n_rows; k++) {
                const paper_row *row = &s->rows[k];
                json_array_append_new(
                    rows, json_pack("{ss ss ss ss ss so ss ss}", "paper", s->paper, "item", s->item,
                                    "quantity", row->quantity, "printed", row->printed, "computed",
                                    row->computed, "value", gt_cli_json_number(row->value),
                                    "verdict", verdict_name(row->verdict), "reason", row->reason));
            }
            for (size_t k = 0; k < s->n_figures; k++)
                json_array_append_new(figures, json_pack("{ss ss ss ss}", "paper", s->paper, "item",
                                                         s->item, "file", s->figures[k].file,
                                                         "caption", s->figures[k].caption));
        }
    }
    return json_pack("{so so so}", "summary", summary, "rows", rows, "figures", figures);
}
