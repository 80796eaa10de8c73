/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LANG_SOURCE_H
#define GEARTRAIN_LANG_SOURCE_H

/* The first pass: the text of the file and of those it includes, as lines that are statements. */
#include "lang/source/work.h"

/* From `start` on, the joined text stands at this place of the file. */
typedef struct ode_stretch {
    int32_t start, line, column;
    int32_t file; /* in `included`, -1: the file itself */
} ode_stretch;

/* A file that #include has brought in, by the line of the file itself that led to it. */
typedef struct ode_included {
    const char *name, *path;
    int32_t line;
} ode_included;

typedef struct ode_source {
    ode_work *work;
    const char *file;
    char *text; /* lines joined, comments out; statements end with '\n' */
    int32_t length;
    size_t room_text;
    ode_stretch *stretches;
    int32_t n_stretches, room_stretches;
    ode_included *included;
    int32_t n_included, room_included;
    const char *heading; /* the first comment */
    int32_t split; /* where a division from outside begins, which is behind the file; 0: none */
} ode_source;

/* The path of a file that the statement at this place of the joined text names: beside its own. */
const char *gt_lang_beside(const ode_source *source, int32_t at, const char *name);

void gt_lang_read_source(ode_source *source, const char *text, size_t length);

/* Adds the statement `#@ fast` with these names, which stands in no line of the file and replaces
 * what the file says. */
void gt_lang_add_split(ode_source *source, const char *fast);

/* Line and column, from 1, of a place in the joined text; 0: there is none. */
void gt_lang_place(const ode_source *source, int32_t at, int *line, int *column);

#endif
