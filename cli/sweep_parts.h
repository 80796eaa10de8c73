/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_SWEEP_PARTS_H
#define GEARTRAIN_SWEEP_PARTS_H

#include "cli.h"
#include <stdint.h>

/* What was given for the flags that `sweep` alone has. */
typedef struct sweep_flags {
    cli_value part, sweep, work;
} sweep_flags;

static inline const sweep_flags *sweep_own(const cli_args *args)
{
    return gt_cli_own(args, sizeof(sweep_flags));
}

/* The parts of `sweep`: the grid of values (sweep_grid.c), and what is reported of the runs
 * (sweep_report.c). */

enum { SWEEP_MAX_AXES = 8 };

/* One swept parameter with its values as text that --set reads. */
typedef struct sweep_axis {
    const gt_param *param;
    size_t row, count; /* row of the parameter in the model's table */
    char **texts;
    double *values; /* of a choice its index */
    /* why there is no value, empty when there is one: such a run is a row with a status */
    gt_message *wrong;
} sweep_axis;

/* All combinations; the last axis changes fastest. */
typedef struct sweep_grid {
    sweep_axis axes[SWEEP_MAX_AXES];
    size_t n_axes, count;
} sweep_grid;

/* From --sweep and --log; every value is checked against the model's table. One out of range fails
 * its runs only; what is not a value at all is refused. */
int gt_sweep_grid(const cli_args *args, const gt_model *model, gt_arena *arena, sweep_grid *grid);

/* Which value of an axis the run has. */
size_t gt_sweep_index(const sweep_grid *grid, size_t run, size_t axis);

/* Why a run cannot be made, NULL when it can. */
const gt_message *gt_sweep_wrong(const sweep_grid *grid, size_t run);

/* "mu=5, n=20" for a run, in the arena; NULL when out of memory. */
char *gt_sweep_settings(const sweep_grid *grid, size_t run, gt_arena *arena);

/* The states in the table, by name, since a parameter may change how many there are. */
typedef struct sweep_columns {
    const char **names;
    size_t count;
} sweep_columns;

/* What one run gave. */
typedef struct sweep_result {
    bool done; /* it was run, or tried */
    gt_report report;
    char method[64]; /* its name */
    double *x;       /* the columns; malloc */
    bool *has;       /* false: this run has no state of that name; malloc */
} sweep_result;

/* The file of --checkpoint and --resume, to which runs are added (sweep_journal.c). */
typedef struct sweep_journal {
    const char *path; /* NULL: there is none */
    int descriptor, error;
    size_t columns, known; /* known: runs that were in it */
} sweep_journal;

/* Opens it where the flags ask for it, and takes the runs that are in it. */
int gt_sweep_journal_open(sweep_journal *journal, const cli_args *args, const cli_problem *p,
                          const sweep_columns *columns, sweep_result *results, size_t count);
void gt_sweep_journal_add(sweep_journal *journal, size_t i, const sweep_result *result);
int gt_sweep_journal_close(sweep_journal *journal);

/* What the sweep is of, as a number: model, flags that change results, columns. */
int gt_sweep_identity(const cli_args *args, const cli_problem *p, const sweep_columns *columns,
                      uint64_t *identity);

/* --part I/N: every N-th run from the I-th on, so that neighbours, which often take alike long, are
 * spread over the parts. All of them are part 1 of 1. */
typedef struct sweep_part {
    size_t i, n; /* i from 1 */
} sweep_part;

static inline bool sweep_has(const sweep_part *part, size_t run)
{
    return run % part->n == part->i - 1;
}
/* Of `runs` runs those that the part has. */
static inline size_t sweep_size(const sweep_part *part, size_t runs)
{
    return (runs + part->n - part->i) / part->n;
}

/* The file of a part has a line before its header; sweep_merge.c reads it. */
int gt_sweep_read_part(const cli_args *args, sweep_part *part);
void gt_sweep_head_part(FILE *out, const sweep_part *part, size_t runs, uint64_t identity);
int gt_sweep_merge(const cli_args *args);

typedef struct sweep_table {
    const gt_model *model;
    const sweep_grid *grid;
    const sweep_columns *columns;
    const sweep_result *results;
    sweep_part part;
    uint64_t identity;
} sweep_table;

int gt_sweep_write_csv(const sweep_table *table, const char *path, bool complete);
extern const report_field gt_sweep_fields[]; /* of a sweep_table */

/* One panel a state over the first axis, a curve for each value of the second. */
int gt_sweep_check_plot(const sweep_grid *grid, const char *path, const char *const *inputs);
int gt_sweep_draw(const sweep_table *table, const char *path, const cli_args *args,
                  gt_arena *arena);

#endif
