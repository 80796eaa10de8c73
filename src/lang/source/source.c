/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From the bytes of a file to statements, one a line: a backslash cuts its line and joins the next
 * one, before comments are looked for, as XPPAUT does it. Comments go, except those that begin with
 * "#@", which are Geartrain's own statements. Every character remembers its place in the file.
 */
#include "lang/source/source.h"
#include <geartrain/author/file.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    ode_source *source;
    const char *text;
    size_t length, at;
    int line;
    int32_t file;               /* in `included`, -1: the file itself */
    const struct reader *outer; /* what has included it */
} reader;

static void put(ode_source *source, char c)
{
    if ((size_t)source->length + 2 > source->room_text) {
        size_t room = 2 * source->room_text + 4096;
        char *larger = gt_lang_take(source->work, room, 1);
        if (source->length) memcpy(larger, source->text, (size_t)source->length);
        source->text = larger;
        source->room_text = room;
    }
    source->text[source->length++] = c;
    source->text[source->length] = '\0';
}

static void mark_place(const reader *r, int column)
{
    ode_stretch *s = ODE_PUSH(r->source, stretches, ODE_MAX_FILE, "lines");
    *s = (ode_stretch){
        .start = r->source->length, .line = r->line, .column = column, .file = r->file};
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
            put(r->source, c == '\t' || c == '\f' || c == '\v' ? ' ' : c);
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
    if (c < 0x80) return c >= ' ' && c <= '~';
    int length = 2;
    if (c >= 0xe0) length = 3;
    if (c >= 0xf0) length = 4;
    if (c < 0xc2 || c > 0xf4 || length > left) return 0;
    for (int k = 1; k < length; k++)
        if (((unsigned char)text[k] & 0xc0) != 0x80) return 0;
    return length;
}

/* What a file says of itself in its first comment, above all statements: the title of a model that
 * has no other. */
static void keep_heading(ode_source *source, int32_t start)
{
    enum { LONGEST = 120 };
    static const char frame[] = " #\"%*=-";
    int32_t end = source->length;
    for (int32_t k = 0; k < start; k++)
        if (source->text[k] != ' ' && source->text[k] != '\n') return;
    while (start < end && strchr(frame, source->text[start])) start++;
    while (start < end && strchr(frame, source->text[end - 1])) end--;
    for (int32_t k = start; k < end; k++) { /* a brace: an action of XPPAUT */
        int length = utf8_length(source->text + k, end - k);
        if (!length || source->text[k] == '{') return;
        k += length - 1;
    }
    if (!source->heading && start < end && end - start <= LONGEST)
        source->heading = gt_lang_copy(source->work, source->text + start, (size_t)(end - start));
}

/* % and then words: the reader of lines takes it for a comment. */
static bool is_percent_comment(const char *line, int32_t length)
{
    int32_t k = 0;
    while (k < length && line[k] == ' ') k++;
    if (k == length || line[k] != '%') return false;
    for (k++; k < length && line[k] == ' ';) k++;
    return k < length && line[k] != '[';
}

/* A character that a text from elsewhere brings along, and what to write in its place. */
static void refuse_character(const ode_source *source, int32_t at, int length)
{
    static const struct {
        const char *character, *write;
    } known[] = {{"\xe2\x88\x92", "-"}, {"\xe2\x80\x93", "-"},  {"\xe2\x80\x94", "-"},
                 {"\xe2\x80\x99", "'"}, {"\xe2\x80\x98", "'"},  {"\xe2\x80\xb2", "'"},
                 {"\xc2\xb4", "'"},     {"\xc2\xb7", "*"},      {"\xc3\x97", "*"},
                 {"\xe2\x8b\x85", "*"}, {"\xc2\xa0", "a blank"}};
    const char *text = source->text + at;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (!strncmp(text, known[k].character, strlen(known[k].character)))
            gt_lang_error(source->work, at, "'%s' is not known here; write %s", known[k].character,
                          known[k].write);
    if (length > 1)
        gt_lang_error(source->work, at,
                      "'%.*s' does not belong here; a name has letters without accents, digits, _, "
                      ". and $",
                      length, text);
    gt_lang_error(source->work, at,
                  "the byte 0x%02x does not belong in a model file; is this a text file?",
                  (unsigned char)*text);
}

/* A statement must be text; words for people, behind #@, may be in any language. */
static void check_characters(ode_source *source, int32_t start, bool own)
{
    for (int32_t k = start; k < source->length; k++) {
        unsigned char c = (unsigned char)source->text[k];
        int length = utf8_length(source->text + k, source->length - k);
        if (own && length > 1) {
            k += length - 1;
            continue;
        }
        if (c < ' ' || c > '~') refuse_character(source, k, length);
    }
}

/* "done" or "d" alone, or followed by a blank, ends the file. */
static bool is_end(const ode_source *source, int32_t start)
{
    const char *s = source->text + start;
    int32_t length = source->length - start, k = 0, word = 0;
    while (k < length && s[k] == ' ') k++;
    while (k + word < length && s[k + word] != ' ') word++;
    bool is_word = (word == 1 && (s[k] == 'd' || s[k] == 'D')) ||
                   (word == 4 && (s[k] | 32) == 'd' && (s[k + 1] | 32) == 'o' &&
                    (s[k + 2] | 32) == 'n' && (s[k + 3] | 32) == 'e');
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
static const char *path_beside(const ode_source *source, const char *file, const char *name)
{
    const char *slash = strrchr(file, '/');
    size_t folder = name[0] != '/' && slash ? (size_t)(slash - file) + 1 : 0;
    size_t length = strlen(name);
    char *path = gt_lang_take(source->work, folder + length + 1, 1);
    memcpy(path, file, folder);
    memcpy(path + folder, name, length + 1);
    return path;
}

/* The text of a file, kept with the model. */
static const char *read_whole(ode_source *source, const char *path, int32_t at, size_t *length)
{
    char *text = NULL;
    gt_message message = {""};
    if (gt_file_read(path, ODE_MAX_FILE, &text, length, &message))
        gt_lang_error(source->work, at, "%s, which is to be included, cannot be read: %s", path,
                      message.text);
    const char *kept = gt_lang_copy(source->work, text, *length);
    free(text);
    return kept;
}

static void read_text(reader *r);

static const char *path_of(const reader *r)
{
    return r->file < 0 ? r->source->file : r->source->included[r->file].path;
}

const char *gt_lang_beside(const ode_source *source, int32_t at, const char *name)
{
    const char *file = source->file;
    for (int32_t k = 0; k < source->n_stretches && source->stretches[k].start <= at; k++)
        file = source->stretches[k].file < 0 ? source->file
                                             : source->included[source->stretches[k].file].path;
    return path_beside(source, file, name);
}

static void include(const reader *outer, int line, int32_t start, int32_t at)
{
    enum { DEEPEST = 20, MANY = 1000 };
    ode_source *source = outer->source;
    int32_t end = source->length, depth = 0;
    while (end > at && source->text[end - 1] == ' ') end--;
    bool quoted = end - at > 2 && ((source->text[at] == '"' && source->text[end - 1] == '"') ||
                                   (source->text[at] == '<' && source->text[end - 1] == '>'));
    const char *name =
        gt_lang_copy(source->work, source->text + at + quoted, (size_t)(end - at - 2 * quoted));
    const char *path = path_beside(source, path_of(outer), name);
    for (const reader *r = outer; r; r = r->outer)
        if (++depth > DEEPEST || !strcmp(path_of(r), path))
            gt_lang_error(source->work, start, "%s includes itself", name);
    size_t length;
    const char *text = read_whole(source, path, start, &length);
    int32_t main_line = outer->file < 0 ? line : source->included[outer->file].line;
    *ODE_PUSH(source, included, MANY, "included files") =
        (ode_included){.name = name, .path = path, .line = main_line};
    reader inner = {.source = source,
                    .text = text,
                    .length = length,
                    .line = 1,
                    .file = source->n_included - 1,
                    .outer = outer};
    source->length = start;
    while (source->n_stretches && source->stretches[source->n_stretches - 1].start >= start)
        source->n_stretches--;
    read_text(&inner);
}

/* ---- the text ---- */

static void read_text(reader *r)
{
    ode_source *source = r->source;
    static const char mark[] = "\xef\xbb\xbf"; /* of UTF-8 */
    if (r->length >= 3 && !memcmp(r->text, mark, 3)) r->at = 3;
    while (r->at < r->length) {
        int32_t start = source->length, name;
        int line = r->line;
        bool swallows = false, own;
        while (read_line(r)) swallows = true;
        if ((name = include_at(source->text + start, source->length - start)) > 0) {
            include(r, line, start, start + name);
            continue;
        }
        if (is_comment(source->text + start, source->length - start, &own) && !own) {
            if (swallows)
                gt_lang_warn(
                    source->work, start,
                    "the backslash in this comment makes the next line part of the comment");
            if (r->file < 0) keep_heading(source, start);
            source->length = start;
            while (source->n_stretches && source->stretches[source->n_stretches - 1].start >= start)
                source->n_stretches--;
            continue;
        }
        if (is_end(source, start)) {
            source->length = start;
            break;
        }
        if (!is_percent_comment(source->text + start, source->length - start))
            check_characters(source, start, own);
        put(source, '\n');
        if (source->length > 2 * ODE_MAX_FILE)
            gt_lang_error(source->work, -1, "with all included files there are more than %d bytes",
                          2 * (int)ODE_MAX_FILE);
    }
}

static void put_text(ode_source *source, const char *text)
{
    for (; *text; text++) put(source, *text == '\n' || *text == '\r' ? ' ' : *text);
}

void gt_lang_add_split(ode_source *source, const char *fast)
{
    reader nowhere = {.source = source, .line = 0, .file = -1};
    put(source, '\n');
    mark_place(&nowhere, 0);
    source->split = source->length;
    if (!*fast) return;
    put_text(source, "#@ fast ");
    put_text(source, fast);
    check_characters(source, source->split, false);
    put(source, '\n');
}

void gt_lang_read_source(ode_source *source, const char *text, size_t length)
{
    if (length > ODE_MAX_FILE)
        gt_lang_error(source->work, -1, "the file has more than %d bytes, which is the limit",
                      (int)ODE_MAX_FILE);
    source->room_text = 2 * length + 4;
    source->text = gt_lang_take(source->work, source->room_text, 1);
    if (!memchr(text, '\n', length) &&
        memchr(text, '\r', length)) { /* lines as of an old Macintosh */
        char *lines = gt_lang_take(source->work, length + 1, 1);
        for (size_t k = 0; k < length; k++) lines[k] = text[k] == '\r' ? '\n' : text[k];
        lines[length] = '\0';
        text = lines;
    }
    reader r = {.source = source, .text = text, .length = length, .line = 1, .file = -1};
    read_text(&r);
}
