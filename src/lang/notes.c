/* SPDX-License-Identifier: BSD-3-Clause */
/* What is said about a file: warnings, and errors, which end the statement or the whole reading. */
#include "lang/ode.h"
#include <geartrain/number.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void gt_lang_place(const gt_ode *o, int32_t at, int *line, int *column)
{
    *line = *column = 0;
    if (at < 0 || !o->n_stretches) return;
    int32_t low = 0, high = o->n_stretches;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (o->stretches[middle].start <= at)
            low = middle;
        else
            high = middle;
    }
    *line = o->stretches[low].line;
    *column = o->stretches[low].column + (at - o->stretches[low].start);
}

static void add_note(gt_ode *o, int32_t at, bool is_error, const char *format, va_list args)
{
    enum { MANY = 200 };
    char text[512];
    gt_vformat(text, sizeof text, format, args);
    if (!is_error && o->n_notes >= MANY) return;
    gt_ode_note note = {.is_error = is_error};
    gt_lang_place(o, at, &note.line, &note.column);
    for (int32_t i = 0; i < o->n_notes; i++) { /* a line that is looked at twice speaks once */
        const gt_ode_note *other = &o->notes[i];
        if (other->line == note.line && other->column == note.column && !strcmp(other->text, text)) return;
    }
    note.text = gt_lang_copy(o, text, strlen(text));
    *ODE_PUSH(o, notes, MANY + ODE_MAX_ERRORS + 8, "notes") = note;
}

void gt_lang_warn(gt_ode *o, int32_t at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_note(o, at, false, format, args);
    va_end(args);
}

void gt_lang_error(gt_ode *o, int32_t at, const char *format, ...)
{
    if (!o->no_memory && !o->giving_up) {
        o->giving_up = at < 0; /* a limit: nothing after it can be right, nor may saying so fail again */
        va_list args;
        va_start(args, format);
        add_note(o, at, true, format, args);
        va_end(args);
    }
    o->n_errors++;
    longjmp(*o->escape, 1);
}
