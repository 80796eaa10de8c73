/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_REPORT_H
#define GEARTRAIN_REPORT_H

#include <geartrain/author/author.h>
#include <geartrain/geartrain.h>
#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

/*
 * Reports as data. What a command has found is a struct; a table of fields says what of it is
 * reported: under which key, what that is, and how it reads in text. The same table is printed as
 * text (report_text.c), Markdown (report_markdown.c), JSON (report_json.c), CSV (report_csv.c), and
 * as the JSON schema of the command (report_schema.c). A new format is one more such file, made
 * from gt_report_get and gt_report_entry.
 */

typedef enum report_type {
    REPORT_END,    /* ends a table; of a value: null */
    REPORT_NUMBER, /* double; null where it is not finite */
    REPORT_LIMIT,  /* double; "unbounded" where it is infinite */
    REPORT_INT,    /* integers, by their type in C */
    REPORT_LONG,
    REPORT_SIZE,
    REPORT_BOOL,
    REPORT_STRING, /* const char *; NULL is null */
    REPORT_CHARS,  /* char[]; also a gt_message */
    REPORT_STATUS, /* gt_status: its name */
    REPORT_RATIO, /* gt_ratio: "18/11", or a number when it is not a fraction that somebody wrote */
    REPORT_PAIR,  /* double[2]: [re, im] */
    REPORT_ANY,   /* a number or a text, as its getter says */
    REPORT_OBJECT, /* the fields `of` what is at the offset */
    REPORT_INLINE, /* the same, but in the object that has this field */
    REPORT_LIST,   /* entries */
    REPORT_MAP,    /* entries with names */
    REPORT_LINE    /* only a line of text */
} report_type;

/* Entry i of something: what the fields of an entry are taken from unless `each` says otherwise. */
typedef struct report_item {
    const void *of, *with; /* `with` is free for getters of maps that need two things */
    size_t i;
} report_item;

/* Getters fill the member of their field's type; the rest is there for them. */
typedef struct report_value {
    report_type type; /* as in the field; REPORT_END: null */
    bool absent;      /* the key is left out */
    double number, pair[2];
    long integer; /* of all types of integers */
    bool flag;
    gt_ratio ratio;
    const char *text; /* of all types of text */
    const void *data; /* of an object or a list */
    const char *name; /* of an entry of a map */
    const char *unit; /* of this one, in text; NULL: that of the field */
    report_item item;
    char room[200], name_room[64];
} report_value;

/* Text that is put together piece by piece. */
typedef struct report_text {
    char text[4096];
    size_t used;
} report_text;

void gt_report_say(report_text *out, const char *format, ...) GT_PRINTF(2, 3);

typedef struct report_field report_field;
struct report_field {
    const char *key;   /* in JSON, CSV and schema; NULL: only in text */
    const char *about; /* what it is, for the schema and the manual */
    report_type type;
    bool nullable; /* may be null, of a text when it is empty; numbers may be in any case */
    bool optional; /* `get` may leave it out; one with `when` may be left out in any case */
    size_t via[3]; /* pointers on the way to the struct that has it: their offsets plus 1 */
    size_t offset;
    bool pointer;                   /* at the offset is a pointer to it */
    bool column;                    /* of an entry: it is element i of an array there */
    double factor;                  /* of a number; 0 is 1 */
    bool (*when)(const void *data); /* NULL: always there */
    void (*get)(const void *data, report_value *out); /* in place of the offset */

    const report_field *of;   /* of an object, or of entries that are objects; else NULL */
    const report_field *list; /* of entries that are lists: the field of each of them */
    bool plain;               /* an entry that is a pair may also be a number */
    report_type entry;        /* of other entries */
    /* Entries: either an array at the offset, with its count elsewhere in the struct (without a
     * stride, the count alone), or one by one; `each` returns false after the last one. */
    size_t count, stride;
    bool count_is_int;
    bool (*each)(const void *data, size_t i, report_value *out);

    bool silent;                                     /* of a part: not in text */
    const char *label;                               /* in text; NULL: not there */
    const char *format;                              /* of a number; NULL: %.6g */
    const char *unit;                                /* behind it */
    void (*say)(const void *data, report_text *out); /* in place of the value */
    bool tight;                                      /* a table without an empty line before it */
    size_t most;                                     /* entries in text; 0: all */
    /* A row of a table that `aside` says something of has that in place of all columns but the
     * first `fixed` ones. */
    void (*aside)(const void *data, report_text *out);
    size_t fixed;
};

/* Rows of a table: a key with what it is; the fields of a part of the struct; a line of text. */
#define REPORT_KEY(name, meaning, ...)                                                             \
    {                                                                                              \
        .key = (name), .about = (meaning), __VA_ARGS__                                             \
    }
#define REPORT_PART(fields, ...)                                                                   \
    {                                                                                              \
        .type = REPORT_INLINE, .of = (fields), __VA_ARGS__                                         \
    }
#define REPORT_TEXT(heading, sentence)                                                             \
    {                                                                                              \
        .type = REPORT_LINE, .label = (heading), .say = (sentence)                                 \
    }

/* Where a field lies, and of what type it is: .key = "t", REPORT_AT(gt_report, t). */
#define REPORT_TYPE(struct_type, member)                                                           \
    _Generic(((struct_type *)0)->member,                                                           \
        double: REPORT_NUMBER,                                                                     \
        double *: REPORT_NUMBER,                                                                   \
        const double *: REPORT_NUMBER,                                                             \
        int: REPORT_INT,                                                                           \
        long: REPORT_LONG,                                                                         \
        size_t: REPORT_SIZE,                                                                       \
        bool: REPORT_BOOL,                                                                         \
        char *: REPORT_STRING,                                                                     \
        const char *: REPORT_STRING,                                                               \
        gt_message: REPORT_CHARS,                                                                  \
        gt_ratio: REPORT_RATIO)
#define REPORT_AT(struct_type, member)                                                             \
    .type = REPORT_TYPE(struct_type, member), .offset = offsetof(struct_type, member)

/* The same where the type in C does not say it: REPORT_AS(LIMIT, answer, limit). */
#define REPORT_AS(kind, struct_type, member)                                                       \
    .type = REPORT_##kind, .offset = offsetof(struct_type, member)

/* Behind one pointer, or two: data->p->t, data->p->q->t. */
#define REPORT_VIA(struct_type, p, of_p, member)                                                   \
    .via = {offsetof(struct_type, p) + 1}, REPORT_AT(of_p, member)
#define REPORT_VIA2(struct_type, p, of_p, q, of_q, member)                                         \
    .via = {offsetof(struct_type, p) + 1, offsetof(of_p, q) + 1}, REPORT_AT(of_q, member)

/* Of entry i, element i of an array that the struct points to, or has itself. */
#define REPORT_COLUMN(struct_type, member)                                                         \
    REPORT_AT(struct_type, member), .column = true, .pointer = true
#define REPORT_OWN_COLUMN(kind, struct_type, member)                                               \
    REPORT_AS(kind, struct_type, member), .column = true

/* Entries: the elements of an array, or without one as many as the count says. */
#define REPORT_COUNT(struct_type, n)                                                               \
    .type = REPORT_LIST, .count = offsetof(struct_type, n),                                        \
    .count_is_int = _Generic(((struct_type *)0)->n, int                                            \
                             : true, default                                                       \
                             : false)
#define REPORT_ARRAY(struct_type, member, n)                                                       \
    REPORT_COUNT(struct_type, n), .offset = offsetof(struct_type, member), .pointer = true,        \
                                  .stride = sizeof(*((struct_type *)0)->member)
#define REPORT_PAIRS(struct_type, member, n) /* (re, im), (re, im), .. */                          \
    REPORT_COUNT(struct_type, n), .offset = offsetof(struct_type, member), .pointer = true,        \
                                  .stride = 2 * sizeof(double), .entry = REPORT_PAIR
#define REPORT_OWN_ARRAY(struct_type, member, n)                                                   \
    REPORT_COUNT(struct_type, n), .offset = offsetof(struct_type, member),                         \
                                  .stride = sizeof(*((struct_type *)0)->member)

/* The object of a command: its fields, and whether more of the kind may follow in a list `also`. */
typedef struct cli_report {
    const char *title; /* when it is this one, where a command has several: "with --at" */
    const report_field *fields;
    bool also;
} cli_report;

/* The value of a field, or of entry i of a list or a map; false: it is not there. An entry may be
 * `absent` with others behind it. */
bool gt_report_get(const report_field *field, const void *data, report_value *out);
bool gt_report_entry(const report_field *field, const void *data, size_t i, report_value *out);

/* As text, in lines of the width of the terminal. */
void gt_report_print(FILE *out, const report_field *fields, const void *data);

/* A value, and the entries of a list in one line, as they read in text. */
void gt_report_say_value(report_text *out, const report_field *field, const report_value *value);
void gt_report_say_list(report_text *out, const report_field *field, const void *data);

/* "label       text" with as many lines as it takes; label "" begins at the left. */
void gt_report_line(FILE *out, const char *label, const char *text);
void gt_report_linef(FILE *out, const char *label, const char *format, ...) GT_PRINTF(3, 4);

/* Text from column `at` on, later lines after `indent` blanks; for help, which is not wider than
 * 100. */
void gt_report_wrapped(FILE *out, const char *text, int at, int indent);

/* Columns of the terminal, 80 where that is not known; at most `most`. */
int gt_report_width(int most);

/* As JSON. */
json_t *gt_report_json(const report_field *fields, const void *data);
json_t *gt_report_value_json(const report_value *value);
int gt_report_print_json(const report_field *fields, const void *data);

/* The same of entries 0 .. count-1 of something, as report_item: in JSON the first one with the
 * others in its list `also`. */
void gt_report_print_entries(FILE *out, const report_field *fields, const void *of, size_t count);
int gt_report_print_json_entries(const report_field *fields, const void *of, size_t count);

/* As CSV: the names of the columns, and one row. Objects and maps are columns for each of their
 * fields; lists are not in CSV. */
void gt_report_csv_head(FILE *out, const report_field *fields, const void *data);
void gt_report_csv_row(FILE *out, const report_field *fields, const void *data);

/* As Markdown, with every row and column whatever the width of the terminal. */
void gt_report_markdown(FILE *out, const report_field *fields, const void *data);

/* The JSON schema of what a command prints; reports end with one without fields. */
json_t *gt_report_schema(const char *command, const cli_report *reports);
/* The keys as a table in Markdown. */
void gt_report_keys(FILE *out, const cli_report *reports);

#endif
