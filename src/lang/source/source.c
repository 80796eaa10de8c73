/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From the bytes of a file to statements, one a line: a backslash cuts its line and joins the next one, before comments
 * are looked for, as XPPAUT does it. Comments go, except those that begin with "#@", which are Geartrain's own
 * statements. Every character remembers its place in the file.
 */
#include "lang/ode.h"
#include <geartrain/file.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    gt_ode *o;
    const char *text;
    size_t length, at;
    int line;
    int32_t file;               /* in `included`, -1: the file itself */
    const struct reader *outer; /* what has included it */
} reader;

static void put(gt_ode *o, char c)
{
    if ((size_t)o->length + 2 > o->room_text) {
        size_t room = 2 * o->room_text + 4096;
        char *larger = gt_lang_take(o, room, 1);
        if (o->length) memcpy(larger, o->text, (size_t)o->length);
        o->text = larger;
        o->room_text = room;
    }
    o->text[o->length++] = c;
    o->text[o->length] = '\0';
}

static void mark_place(const reader *r, int column)
{
    ode_stretch *s = ODE_PUSH(r->o, stretches, ODE_MAX_FILE, "lines");
    *s = (ode_stretch){.start = r->o->length, .line = r->line, .column = column, .file = r->file};
}

/* One line of the file up to its end or a backslash; whether the next one belongs to it. */
static bool read_line(reader *r)
{
    int column = 1;
    bool joined = false;
    mark_place(r, column);
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

/* Bytes of the printable character that begins here, 0: there is none. */
static int utf8_length(const char *text, int32_t left)
{
    unsigned char c = (unsigned char)text[0];
    int length = c >= 0xf0 && c <= 0xf4 ? 4 : c >= 0xe0 ? 3 : c >= 0xc2 ? 2 : 1;
    if (c < 0x80) return c >= ' ' && c <= '~';
    if (c < 0xc2 || c > 0xf4 || length > left) return 0;
    for (int k = 1; k < length; k++)
        if (((unsigned char)text[k] & 0xc0) != 0x80) return 0;
    return length;
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
    for (int32_t k = start; k < end; k++) { /* a brace: an action of XPPAUT */
        int length = utf8_length(o->text + k, end - k);
        if (!length || o->text[k] == '{') return;
        k += length - 1;
    }
    if (!o->heading && start < end && end - start <= LONGEST)
        o->heading = gt_lang_copy(o, o->text + start, (size_t)(end - start));
}

/* A statement must be text; words for people, behind #@, may be in any language. */
static void check_characters(gt_ode *o, int32_t start, bool own)
{
    for (int32_t k = start; k < o->length; k++) {
        unsigned char c = (unsigned char)o->text[k];
        int length = own ? utf8_length(o->text + k, o->length - k) : 1;
        if (own && length > 1) {
            k += length - 1;
            continue;
        }
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

/* ---- #include ---- */

/* Where the name begins in "#include NAME", 0: this is another line. */
static int32_t include_at(const char *line, int32_t length)
{
    static const char word[] = "#include";
    enum { WORD = sizeof word - 1 };
    int32_t k = 0;
    while (k < length && line[k] == ' ') k++;
    if (length - k <= WORD || strncmp(line + k, word, WORD) || line[k + WORD] != ' ') return 0;
    for (k += WORD; k < length && line[k] == ' ';) k++;
    return k < length ? k : 0;
}

/* Beside the file that names it. */
static const char *path_beside(gt_ode *o, const char *file, const char *name)
{
    const char *slash = strrchr(file, '/');
    size_t folder = name[0] != '/' && slash ? (size_t)(slash - file) + 1 : 0, length = strlen(name);
    char *path = gt_lang_take(o, folder + length + 1, 1);
    memcpy(path, file, folder);
    memcpy(path + folder, name, length + 1);
    return path;
}

/* The text of a file, kept with the model. */
static const char *read_whole(gt_ode *o, const char *path, int32_t at, size_t *length)
{
    char *text = NULL;
    gt_message message = {""};
    if (gt_file_read(path, ODE_MAX_FILE, &text, length, &message))
        gt_lang_error(o, at, "%s, which is to be included, cannot be read: %s", path, message.text);
    const char *kept = gt_lang_copy(o, text, *length);
    free(text);
    return kept;
}

static void read_text(reader *r);

static const char *path_of(const reader *r) { return r->file < 0 ? r->o->file : r->o->included[r->file].path; }

static void include(const reader *outer, int line, int32_t start, int32_t at)
{
    enum { DEEPEST = 20, MANY = 1000 };
    gt_ode *o = outer->o;
    int32_t end = o->length, depth = 0;
    while (end > at && o->text[end - 1] == ' ') end--;
    bool quoted = end - at > 2 &&
                  ((o->text[at] == '"' && o->text[end - 1] == '"') || (o->text[at] == '<' && o->text[end - 1] == '>'));
    const char *name = gt_lang_copy(o, o->text + at + quoted, (size_t)(end - at - 2 * quoted));
    const char *path = path_beside(o, path_of(outer), name);
    for (const reader *r = outer; r; r = r->outer)
        if (++depth > DEEPEST || !strcmp(path_of(r), path)) gt_lang_error(o, start, "%s includes itself", name);
    size_t length;
    const char *text = read_whole(o, path, start, &length);
    int32_t main_line = outer->file < 0 ? line : o->included[outer->file].line;
    *ODE_PUSH(o, included, MANY, "included files") = (ode_included){.name = name, .path = path, .line = main_line};
    reader inner = {.o = o, .text = text, .length = length, .line = 1, .file = o->n_included - 1, .outer = outer};
    o->length = start;
    while (o->n_stretches && o->stretches[o->n_stretches - 1].start >= start) o->n_stretches--;
    read_text(&inner);
}

/* ---- the text ---- */

static void read_text(reader *r)
{
    gt_ode *o = r->o;
    static const char mark[] = "\xef\xbb\xbf"; /* of UTF-8 */
    if (r->length >= 3 && !memcmp(r->text, mark, 3)) r->at = 3;
    while (r->at < r->length) {
        int32_t start = o->length, name;
        int line = r->line;
        bool swallows = false, own;
        while (read_line(r)) swallows = true;
        if ((name = include_at(o->text + start, o->length - start)) > 0) {
            include(r, line, start, start + name);
            continue;
        }
        if (is_comment(o->text + start, o->length - start, &own) && !own) {
            if (swallows)
                gt_lang_warn(o, start, "the backslash in this comment makes the next line part of the comment");
            if (r->file < 0) keep_heading(o, start);
            o->length = start;
            while (o->n_stretches && o->stretches[o->n_stretches - 1].start >= start) o->n_stretches--;
            continue;
        }
        check_characters(o, start, own);
        if (is_end(o, start)) {
            o->length = start;
            break;
        }
        put(o, '\n');
        if (o->length > 2 * ODE_MAX_FILE)
            gt_lang_error(o, -1, "with all included files there are more than %d bytes", 2 * (int)ODE_MAX_FILE);
    }
}

void gt_lang_join_lines(gt_ode *o, const char *text, size_t length)
{
    if (length > ODE_MAX_FILE)
        gt_lang_error(o, -1, "the file has more than %d bytes, which is the limit", (int)ODE_MAX_FILE);
    o->room_text = 2 * length + 4;
    o->text = gt_lang_take(o, o->room_text, 1);
    reader r = {.o = o, .text = text, .length = length, .line = 1, .file = -1};
    read_text(&r);
}
