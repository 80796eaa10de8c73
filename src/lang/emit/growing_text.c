/* SPDX-License-Identifier: BSD-3-Clause */
/* Text that grows: pieces, literals and numbers as C reads them. */
#include "lang/emit/printer.h"
#include <geartrain/author/number.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void gt_lang_put(ode_text *t, const char *format, ...)
{
    for (int attempt = 0; attempt < 2 && !t->failed; attempt++) {
        va_list args;
        va_start(args, format);
        size_t left = t->room - t->length;
        int length = gt_vformat(t->s ? t->s + t->length : NULL, t->s ? left : 0, format, args);
        va_end(args);
        if (length < 0) break;
        if (t->s && (size_t)length < left) {
            t->length += (size_t)length;
            return;
        }
        size_t room = 2 * t->room + (size_t)length + 4096;
        char *larger = realloc(t->s, room);
        if (!larger) break;
        t->s = larger;
        t->room = room;
    }
    t->failed = true;
}

void gt_lang_put_literal(ode_text *t, const char *text)
{
    gt_lang_put(t, "\"");
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '\n')
            gt_lang_put(t, "\\n\"\n        \"");
        else if (c < ' ' || c > '~' || strchr("\"\\?", c))
            gt_lang_put(t, "\\%03o", c);
        else
            gt_lang_put(t, "%c", c);
    }
    gt_lang_put(t, "\"");
}

void gt_lang_put_number(ode_text *t, double value)
{
    char text[GT_NUMBER_SIZE];
    if (isnan(value)) {
        gt_lang_put(t, "NAN");
        return;
    }
    if (isinf(value)) {
        gt_lang_put(t, value > 0 ? "INFINITY" : "-INFINITY");
        return;
    }
    gt_number_print_short(text, value);
    gt_lang_put(t, "%s", text);
}
