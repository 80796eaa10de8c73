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

typedef struct gt_matpower {
    const char *at, *file;
    int line;
    char owner[64]; /* "mpc" */
    const char *name;
    double mva;
    bool has_mva;
    gt_table bus, gen, branch, dcline;
    gt_arena *arena;
    gt_message *message;
} gt_matpower;

/* Reads the statements from `at` on into the tables, which are to be freed in any case. */
gt_status gt_matpower_read(gt_matpower *r) GT_MUST_CHECK;
void gt_matpower_free(gt_matpower *r);

/* "file:line: what" */
gt_status gt_matpower_wrong(const gt_matpower *r, int line, const char *what);

#endif
