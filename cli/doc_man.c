/* SPDX-License-Identifier: BSD-3-Clause */
/* Manual pages, one for the program and one a command, from the tables that print --help. */
#include "doc_parts.h"
#include "help.h"
#include <string.h>

/* Text as roff: a dash is one that can be copied, and no line begins with a request. */
static void put_escaped(const char *text, size_t length, FILE *out)
{
    bool at_start = true;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (at_start && (c == '.' || c == '\'')) fputs("\\&", out);
        if (c == '\\')
            fputs("\\e", out);
        else if (c == '-')
            fputs("\\-", out);
        else
            fputc(c, out);
        at_start = c == '\n';
    }
}

static void put(const char *text, FILE *out) { put_escaped(text, strlen(text), out); }

/* Paragraphs: lines that begin with a blank stay as they are, others are filled. */
static void put_about(const char *text, FILE *out)
{
    bool fixed = false;
    while (*text) {
        size_t length = strcspn(text, "\n");
        bool now = *text == ' ';
        if (now != fixed) fputs(now ? ".nf\n" : ".fi\n", out);
        fixed = now;
        if (length)
            put_escaped(text, length, out);
        else
            fputs(".PP", out);
        fputc('\n', out);
        text += length;
        text += *text == '\n';
    }
    if (fixed) fputs(".fi\n", out);
}

static void put_examples(const char *text, FILE *out)
{
    fputs(".nf\n", out);
    while (*text) {
        size_t length = strcspn(text, "\n"), blanks = strspn(text, " ");
        if (blanks > length) blanks = length;
        put_escaped(text + blanks, length - blanks, out);
        fputc('\n', out);
        text += length;
        text += *text == '\n';
    }
    fputs(".fi\n", out);
}

static void put_flags(const cli_command *command, FILE *out)
{
    char help[512];
    for (const cli_flag *const *table = command->flags; *table; table++)
        for (const cli_flag *f = *table; f->name; f++) {
            if (!f->help) continue;
            fputs(".TP\n\\fB\\-\\-", out);
            put(f->name, out);
            fputs("\\fR", out);
            if (f->value) {
                fputs(f->optional ? " [\\fI" : " \\fI", out);
                put(f->value, out);
                fputs(f->optional ? "\\fR]" : "\\fR", out);
            }
            fputc('\n', out);
            gt_cli_flag_text(f, help, sizeof help);
            put(help, out);
            fputc('\n', out);
        }
}

static void put_heading(const char *name, FILE *out)
{
    fputs(".TH ", out);
    for (const char *c = name; *c; c++) fputc(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c, out);
    fprintf(out, " 1 \"\" \"geartrain %s\" \"User Commands\"\n.SH NAME\n", GT_VERSION);
    put(name, out);
}

static void put_ending(const char *see, FILE *out)
{
    fputs(".SH EXIT STATUS\n0: all went well. 1: the numerics failed; the message says where, why "
          "and what to try. 2: wrong usage or bad input.\n.SH SEE ALSO\n",
          out);
    fputs(see, out);
}

static void name_of(const cli_command *command, char name[80])
{
    snprintf(name, 80, "geartrain-%s", command->name);
    for (char *c = name; *c; c++)
        if (*c == ' ') *c = '-';
}

void gt_doc_man_command(const cli_command *command, FILE *out)
{
    char name[80], other[80];
    name_of(command, name);
    put_heading(name, out);
    fputs(" \\- ", out);
    put(command->title, out);
    fputs("\n.SH SYNOPSIS\n\\fBgeartrain ", out);
    put(command->name, out);
    fputs("\\fR ", out);
    put(command->operands, out);
    fputs(" [flags]\n", out);
    if (command->about) {
        fputs(".SH DESCRIPTION\n", out);
        put_about(command->about, out);
    }
    if (command->subs) {
        fputs(".SH COMMANDS\n", out);
        for (const cli_command *const *c = command->subs; *c; c++) {
            name_of(*c, other);
            fputs(".TP\n\\fB", out);
            put(other, out);
            fputs("\\fR(1)\n", out);
            put((*c)->title, out);
            fputc('\n', out);
        }
    } else {
        fputs(".SH OPTIONS\nA value may follow after a blank or after \"=\".\n", out);
        put_flags(command, out);
        fputs(".SH EXAMPLES\n", out);
        put_examples(command->examples, out);
    }
    put_ending("\\fBgeartrain\\fR(1)\n", out);
}

void gt_doc_man_program(FILE *out)
{
    put_heading("geartrain", out);
    fputs(" \\- simulates systems whose parts move at different speeds\n.SH SYNOPSIS\n"
          "\\fBgeartrain\\fR COMMAND [operands] [flags]\n.SH DESCRIPTION\n"
          "Integrates stiff, oscillatory and fast/slow differential equations, and such equations "
          "with algebraic ones beside them: built\\-in models, and models from .ode files in the "
          "language of XPPAUT. Without \\fB\\-\\-method\\fR the method is chosen by what the "
          "problem is like.\n.SH COMMANDS\n",
          out);
    for (const cli_command *const *c = gt_cli_commands; *c; c++) {
        fputs(".TP\n\\fBgeartrain\\-", out);
        put((*c)->name, out);
        fputs("\\fR(1)\n", out);
        put((*c)->title, out);
        fputc('\n', out);
    }
    fputs(".SH ENVIRONMENT\n.TP\n\\fBCOLUMNS\\fR\nthe width that text and tables are fitted into\n"
          ".TP\n\\fBGEARTRAIN_COMPILE_SECONDS\\fR\nhow long the C compiler may take for a model "
          "file before it is interpreted instead\n",
          out);
    fputs(".TP\n\\fBCC\\fR, \\fBPATH\\fR, \\fBTMPDIR\\fR, \\fBXDG_CACHE_HOME\\fR\nthe compiler "
          "for model files, where it and gnuplot are looked for, and where compiled models are "
          "kept\n",
          out);
    put_ending("\\fBgeartrain\\-run\\fR(1), \\fBgnuplot\\fR(1)\n", out);
}
