/* SPDX-License-Identifier: BSD-3-Clause */
/* What is said about a file: warnings, and errors, which end the statement or the whole reading. */
#include "lang/source/source.h"
#include <geartrain/author/number.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void gt_lang_place(const ode_source *source, int32_t at, int *line, int *column)
{
    *line = *column = 0;
    if (at < 0 || !source || !source->n_stretches) return;
    int32_t low = 0, high = source->n_stretches;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (source->stretches[middle].start <= at)
            low = middle;
        else
            high = middle;
    }
    const ode_stretch *s = &source->stretches[low];
    *line = s->file < 0 ? s->line : source->included[s->file].line;
    *column = s->file < 0 ? s->column + (at - s->start) : 1;
}

/* What stands in an included file is at the line that includes it, and says its own place. */
static void say_included(const ode_source *source, int32_t at, char *text, size_t room)
{
    *text = '\0';
    if (at < 0) return;
    for (int32_t k = source->n_stretches - 1; k >= 0; k--) {
        const ode_stretch *s = &source->stretches[k];
        if (s->start > at) continue;
        if (s->file >= 0)
            snprintf(text, room, "%.200s:%d:%d: ", source->included[s->file].name, (int)s->line,
                     (int)(s->column + (at - s->start)));
        return;
    }
}

static void add_note(ode_work *work, int32_t at, bool is_error, const char *format, va_list args)
{
    enum { MANY = 200 };
    char text[768];
    if (!is_error && work->n_notes >= MANY) return;
    say_included(work->source, at, text, 240);
    size_t used = strlen(text);
    gt_vformat(text + used, 512, format, args);
    gt_ode_note note = {.is_error = is_error};
    gt_lang_place(work->source, at, &note.line, &note.column);
    for (int32_t i = 0; i < work->n_notes; i++) { /* a line that is looked at twice speaks once */
        const gt_ode_note *other = &work->notes[i];
        if (other->line == note.line && other->column == note.column && !strcmp(other->text, text))
            return;
    }
    note.text = gt_lang_copy(work, text, strlen(text));
    gt_lang_grow(work, (void **)&work->notes, work->n_notes, &work->room_notes, sizeof note,
                 MANY + ODE_MAX_ERRORS + 8, "notes");
    work->notes[work->n_notes++] = note;
}

void gt_lang_warn(ode_work *work, int32_t at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_note(work, at, false, format, args);
    va_end(args);
}

void gt_lang_error(ode_work *work, int32_t at, const char *format, ...)
{
    if (!work->no_memory && !work->giving_up) {
        work->giving_up =
            at < 0; /* a limit: nothing after it can be right, nor may saying so fail again */
        va_list args;
        va_start(args, format);
        add_note(work, at, true, format, args);
        va_end(args);
    }
    work->n_errors++;
    longjmp(*work->escape, 1);
}

void gt_lang_refuse(ode_work *work, int32_t at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_note(work, at, true, format, args);
    va_end(args);
    work->giving_up = true;
    work->n_errors++;
    longjmp(*work->escape, 1);
}

void gt_lang_out_of_memory(ode_work *work)
{
    work->no_memory = true;
    work->n_errors++;
    longjmp(*work->escape, 1);
}
