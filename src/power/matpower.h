/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_POWER_MATPOWER_H
#define GEARTRAIN_POWER_MATPOWER_H

/* The text of a case file as tables of numbers, with the lines they came from; shared by the two
 * halves of the reader.
 */
#include <geartrain/power.h>

typedef struct gt_table {
    const char *name; /* "mpc.bus" */
    int line;         /* of its beginning; 0: not there */
    double *number;
    int *row_line;
    size_t rows, columns, room;
} gt_table;

enum { GT_MATPOWER_UNITS = 16 };

typedef struct gt_matpower {
    const char *at, *file;
    int line;
    char owner[64]; /* "mpc" */
    const char *name;
    double mva;
    bool has_mva;
    gt_table bus, gen, branch, dcline;
    struct {
        char name[32];
        double value;
    } units[GT_MATPOWER_UNITS]; /* numbers that the file computes */
    size_t n_units;
    gt_arena *arena;
    gt_message *message;
} gt_matpower;

/* Reads the statements from `at` on into the tables, which are to be freed in any case. */
gt_status gt_matpower_read(gt_matpower *r) GT_MUST_CHECK;
void gt_matpower_free(gt_matpower *r);

/* Blanks, comments and continued lines from `at` on; ends of lines too when `lines`. Letters of the
 * word that begins at `at`. */
void gt_matpower_skip(gt_matpower *r, bool lines);
size_t gt_matpower_word(const char *at);

/* matpower_units.c: a statement that converts units, from `at` on. */
gt_status gt_matpower_convert(gt_matpower *r) GT_MUST_CHECK;
/* The value of a formula without blanks, as 50/3; false: it is none. */
bool gt_matpower_formula(const gt_matpower *r, const char *text, size_t length, double *value);

/* "file:line: what" */
gt_status gt_matpower_wrong(const gt_matpower *r, int line, const char *what);

#endif
