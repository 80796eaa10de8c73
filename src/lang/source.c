/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From the bytes of a file to statements, one a line: a backslash cuts its line and joins the next one, before comments
 * are looked for, as XPPAUT does it. Comments go, except those that begin with "#@", which are Geartrain's own
 * statements. Every character remembers its place in the file.
 */
#include "lang/ode.h"
#include <string.h>

typedef struct reader {
    gt_ode *o;
    const char *text;
    size_t length, at;
    int line;
} reader;

static void put(gt_ode *o, char c) { o->text[o->length++] = c; }

static void mark_place(gt_ode *o, int line, int column)
{
    ode_stretch *s = ODE_PUSH(o, stretches, ODE_MAX_FILE, "lines");
    *s = (ode_stretch){.start = o->length, .line = line, .column = column};
}

/* One line of the file up to its end or a backslash; whether the next one belongs to it. */
static bool read_line(reader *r)
{
    int column = 1;
    bool joined = false;
    mark_place(r->o, r->line, column);
    for (; r->at < r->length && r->text[r->at] != '\n'; r->at++, column++) {
        char c = r->text[r->at];
        if (joined || c == '\r') continue;
        if (c == '\\')
            joined = true;
        else
            put(r->o, c == '\t' || c == '\f' || c == '\v' ? ' ' : c);
    }
    if (r->at < r->length) r->at++;
    r->line++;
    return joined && r->at < r->length;
}

static bool is_comment(const char *line, int32_t length, bool *own)
{
    int32_t k = 0;
    while (k < length && line[k] == ' ') k++;
    *own = k + 1 < length && line[k] == '#' && line[k + 1] == '@';
    return k < length && (line[k] == '#' || line[0] == '"');
}

/* What a file says of itself in its first comment, above all statements: the title of a model that has no other. */
static void keep_heading(gt_ode *o, int32_t start)
{
    enum { LONGEST = 120 };
    static const char frame[] = " #\"%*=-";
    int32_t end = o->length;
    for (int32_t k = 0; k < start; k++)
        if (o->text[k] != ' ' && o->text[k] != '\n') return;
    while (start < end && strchr(frame, o->text[start])) start++;
    while (start < end && strchr(frame, o->text[end - 1])) end--;
    for (int32_t k = start; k < end; k++) /* a brace: an action of XPPAUT */
        if (o->text[k] < ' ' || o->text[k] > '~' || o->text[k] == '{') return;
    if (!o->heading && start < end && end - start <= LONGEST)
        o->heading = gt_lang_copy(o, o->text + start, (size_t)(end - start));
}

/* A statement must be text. */
static void check_characters(gt_ode *o, int32_t start)
{
    for (int32_t k = start; k < o->length; k++) {
        unsigned char c = (unsigned char)o->text[k];
        if (c < ' ' || c > '~')
            gt_lang_error(o, k, "the byte 0x%02x does not belong into a model file; is this a text file?", c);
    }
}

/* "done" or "d" alone, or followed by a blank, ends the file. */
static bool is_end(const gt_ode *o, int32_t start)
{
    const char *s = o->text + start;
    int32_t length = o->length - start, k = 0, word = 0;
    while (k < length && s[k] == ' ') k++;
    while (k + word < length && s[k + word] != ' ') word++;
    bool is_word =
        (word == 1 && (s[k] == 'd' || s[k] == 'D')) ||
        (word == 4 && (s[k] | 32) == 'd' && (s[k + 1] | 32) == 'o' && (s[k + 2] | 32) == 'n' && (s[k + 3] | 32) == 'e');
    if (!is_word) return false;
    for (k += word; k < length && s[k] == ' ';) k++;
    return k == length || s[k] != '=';
}

void gt_lang_join_lines(gt_ode *o, const char *text, size_t length)
{
    if (length > ODE_MAX_FILE)
        gt_lang_error(o, -1, "the file has more than %d bytes, which is the limit", (int)ODE_MAX_FILE);
    o->text = gt_lang_take(o, 2 * length + 2, 1);
    reader r = {.o = o, .text = text, .length = length, .line = 1};
    while (r.at < length) {
        int32_t start = o->length;
        bool swallows = false, own;
        while (read_line(&r)) swallows = true;
        if (is_comment(o->text + start, o->length - start, &own) && !own) {
            if (swallows)
                gt_lang_warn(o, start, "the backslash in this comment makes the next line part of the comment");
            keep_heading(o, start);
            o->length = start;
            while (o->n_stretches && o->stretches[o->n_stretches - 1].start >= start) o->n_stretches--;
            continue;
        }
        check_characters(o, start);
        if (is_end(o, start)) {
            o->length = start;
            break;
        }
        put(o, '\n');
    }
}
