/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Machine data as a table: lines of cells separated by commas, the first one with the names of the
 * columns, in any order. A line that begins with # is a comment; an empty cell is a number that is
 * not given. Besides the numbers of gt_machine_fields there are the columns bus, unit the generator
 * (unit only where a bus has several) model                 classical, twoaxis, genrou, or load for
 * a negative load exciter, governor     none, dc1a; none, reheat, tgov1 mva                   base
 * of the numbers in the row; without it that of the case SE_a, SE_b            saturation of the
 * exciter a exp(b E), or through two points: E1, SE1, E2, SE2 S10, S12              saturation of
 * genrou at 1.0 and 1.2
 */
#include "number/ascii.h"
#include "power/machine_data.h"
#include <geartrain/author/file.h>
#include <geartrain/author/number.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 80, MOST_CELL = 64 };

/* Columns that are no plain number of a machine; the numbers of gt_machine_fields follow. */
enum {
    BUS,
    UNIT,
    MODEL,
    EXCITER,
    GOVERNOR,
    MVA,
    SE_A,
    SE_B,
    E1,
    SE1,
    E2,
    SE2,
    S10,
    S12,
    FIRST_FIELD
};
static const char *const special[] = {"bus", "unit", "model", "exciter", "governor",
                                      "mva", "SE_a", "SE_b",  "E1",      "SE1",
                                      "E2",  "SE2",  "S10",   "S12",     NULL};

typedef struct sheet {
    const char *file;
    int line;
    int column[MOST_COLUMNS]; /* what each column is */
    size_t columns;
    gt_message *message;
} sheet;

static gt_status wrong(const sheet *s, const char *what, const char *cell)
{
    return gt_fail(s->message, GT_BAD_ARGUMENT, "%s:%d: %s%s%s", s->file, s->line, what,
                   cell ? " " : "", cell ? cell : "");
}

/* The next cell of the line without blanks round it; false at the end of the line. */
static bool next_cell(const char **at, char cell[MOST_CELL])
{
    const char *from = *at;
    if (!from) return false;
    size_t length = strcspn(from, ",\n\r");
    *at = from[length] == ',' ? from + length + 1 : NULL;
    while (length && gt_is_blank(*from)) from++, length--;
    while (length && gt_is_blank(from[length - 1])) length--;
    if (length >= MOST_CELL) length = MOST_CELL - 1;
    memcpy(cell, from, length);
    cell[length] = '\0';
    return true;
}

static int column_named(const char *name)
{
    for (int i = 0; special[i]; i++)
        if (!strcmp(special[i], name)) return i;
    for (int i = 0; gt_machine_fields[i].name; i++) {
        const gt_machine_field *f = &gt_machine_fields[i];
        if (!strcmp(f->name, name) || (f->alias && !strcmp(f->alias, name))) return FIRST_FIELD + i;
    }
    return -1;
}

static gt_status unknown_column(const sheet *s, const char *name)
{
    const char *names[2 * MOST_COLUMNS];
    size_t count = 0;
    for (int i = 0; special[i]; i++) names[count++] = special[i];
    for (int i = 0; gt_machine_fields[i].name; i++) names[count++] = gt_machine_fields[i].name;
    names[count] = NULL;
    const char *nearest = gt_nearest_name(name, names);
    gt_status status = gt_fail(s->message, GT_BAD_ARGUMENT, "%s:%d: there is no column '%s'",
                               s->file, s->line, name);
    if (nearest) gt_say_more(s->message, "; did you mean '%s'?", nearest);
    return status;
}

static gt_status read_header(sheet *s, const char *line)
{
    char cell[MOST_CELL];
    bool seen[MOST_COLUMNS] = {false};
    while (next_cell(&line, cell)) {
        int column = column_named(cell);
        if (column < 0) return unknown_column(s, cell);
        if (seen[column]) return wrong(s, "this column appears twice:", cell);
        seen[column] = true;
        s->column[s->columns++] = column;
    }
    if (!seen[BUS] || !seen[MODEL])
        return wrong(s, "the header must name the columns bus and model", NULL);
    return GT_OK;
}

static int choice_of(const char *cell, const char *const *names)
{
    for (int i = 0; names[i]; i++)
        if (!strcmp(cell, names[i])) return i;
    return -1;
}

static gt_status unknown_choice(const sheet *s, const char *what, const char *cell,
                                const char *const *names)
{
    gt_status status =
        gt_fail(s->message, GT_BAD_ARGUMENT, "%s:%d: the %s '%s' is not known; known are", s->file,
                s->line, what, cell);
    for (int i = 0; names[i]; i++) gt_say_more(s->message, "%s %s", i ? "," : "", names[i]);
    return status;
}

typedef struct row {
    double number[FIRST_FIELD]; /* of the special columns; NaN: not given */
    gt_power_machine m;
} row;

static gt_status read_cell(const sheet *s, int column, const char *cell, row *r)
{
    static const char *const *const choices[] = {gt_machine_kinds, gt_exciter_kinds,
                                                 gt_governor_kinds};
    if (column >= MODEL && column <= GOVERNOR) {
        int choice = choice_of(cell, choices[column - MODEL]);
        if (choice < 0) return unknown_choice(s, special[column], cell, choices[column - MODEL]);
        if (column == MODEL) r->m.kind = (gt_machine_kind)choice;
        if (column == EXCITER) r->m.exciter = (gt_exciter_kind)choice;
        if (column == GOVERNOR) r->m.governor = (gt_governor_kind)choice;
        return GT_OK;
    }
    double value;
    if (*gt_number_read(cell, NULL, &value) || !isfinite(value))
        return wrong(s, "this is not a number:", cell);
    if (column < FIRST_FIELD)
        r->number[column] = value;
    else
        *gt_machine_number(&r->m, &gt_machine_fields[column - FIRST_FIELD]) = value;
    return GT_OK;
}

static bool given(const row *r, int column) { return !isnan(r->number[column]); }

static gt_status take_saturation(const sheet *s, row *r)
{
    const double *v = r->number;
    if (given(r, SE_A) && given(r, SE_B)) r->m.SE = (gt_saturation){.a = v[SE_A], .b = v[SE_B]};
    if (given(r, E1) && given(r, SE1) && given(r, E2) && given(r, SE2) &&
        gt_saturation_through(v[E1], v[SE1], v[E2], v[SE2], &r->m.SE))
        return wrong(s, "saturation must rise from E1 to E2", NULL);
    if (given(r, S10) && given(r, S12) &&
        gt_saturation_through(1, v[S10], 1.2, v[S12], &r->m.saturation))
        return wrong(s, "saturation must rise from S10 to S12", NULL);
    return GT_OK;
}

static gt_status read_row(sheet *s, const char *line, const gt_power_case *c,
                          gt_power_dynamics *out, bool *taken)
{
    char cell[MOST_CELL], where[300];
    row r = {.m = {.kind = GT_MACHINE_NONE}};
    bool has_model = false;
    for (int i = 0; i < FIRST_FIELD; i++) r.number[i] = NAN;
    size_t k = 0;
    for (; next_cell(&line, cell); k++) {
        if (k >= s->columns) return wrong(s, "this row has more cells than the header", NULL);
        if (!*cell) continue;
        if (s->column[k] == MODEL) has_model = true;
        gt_status status = read_cell(s, s->column[k], cell, &r);
        if (status) return status;
    }
    if (k < s->columns) return wrong(s, "this row has fewer cells than the header", NULL);
    if (!given(&r, BUS) || !has_model)
        return wrong(s, "this row does not say its bus and its model", NULL);
    gt_status status = take_saturation(s, &r);
    if (status) return status;
    snprintf(where, sizeof where, "%.250s:%d", s->file, s->line);
    for (int i = BUS; i <= UNIT; i++)
        if (given(&r, i) &&
            !(r.number[i] >= 0 && r.number[i] <= 2e9 && r.number[i] == floor(r.number[i])))
            return wrong(s, "this must be a whole number:", special[i]);
    int bus = (int)r.number[BUS], unit = given(&r, UNIT) ? (int)r.number[UNIT] : 0;
    size_t gen = gt_machine_gen(c, bus, unit, where, s->message);
    if (gen == c->n_gen) return GT_BAD_ARGUMENT;
    if (taken[gen]) return wrong(s, "this generator appears twice", NULL);
    status = gt_machine_check(&r.m, where, bus, s->message);
    if (status) return status;
    if (given(&r, MVA) && !(r.number[MVA] >= 1e-6 && r.number[MVA] <= 1e9))
        return wrong(s, "the base mva of a row must lie between 1e-6 and 1e9", NULL);
    if (given(&r, MVA)) gt_machine_rebase(&r.m, r.number[MVA], c->mva);
    taken[gen] = true;
    out->machine[gen] = r.m;
    return GT_OK;
}

gt_status gt_dynamics_from_table(const char *text, const char *file, const gt_power_case *c,
                                 gt_power_dynamics *out, bool *taken, gt_message *message)
{
    sheet s = {.file = file, .message = message};
    gt_status status = GT_OK;
    for (const char *at = text; *at && !status;) {
        const char *line = at;
        size_t length = strcspn(at, "\n");
        at += length + (at[length] != '\0');
        s.line++;
        if (line[strspn(line, " \t\r")] == '#' || strspn(line, " \t\r,") >= length) continue;
        status = s.columns ? read_row(&s, line, c, out, taken) : read_header(&s, line);
    }
    if (!status && !s.columns)
        return gt_fail(message, GT_BAD_ARGUMENT, "%s: there is no header", file);
    return status;
}

/* Whether a column has to be written: a machine has the number. */
static bool used(const gt_power_dynamics *d, const gt_machine_field *field)
{
    for (size_t k = 0; k < d->n; k++)
        if (*gt_machine_number(&d->machine[k], field) != 0) return true;
    return false;
}

static void write_row(FILE *file, const gt_power_dynamics *d, const gt_power_case *c, size_t k)
{
    gt_power_machine *m = &d->machine[k];
    const gt_power_gen *gen = &c->gen[k];
    gt_fprintf(file, "%d,%d,%s,%s,%s", c->bus[gen->bus].number, gen->unit,
               gt_machine_kinds[m->kind], gt_exciter_kinds[m->exciter],
               gt_governor_kinds[m->governor]);
    if (m->SE.quadratic)
        gt_fprintf(file, ",,,3,%.17g,4,%.17g", gt_saturation_at(&m->SE, 3, NULL),
                   gt_saturation_at(&m->SE, 4, NULL));
    else
        gt_fprintf(file, ",%.17g,%.17g,,,,", m->SE.a, m->SE.b);
    gt_fprintf(file, ",%.17g,%.17g", gt_saturation_at(&m->saturation, 1, NULL),
               gt_saturation_at(&m->saturation, 1.2, NULL));
    for (const gt_machine_field *f = gt_machine_fields; f->name; f++)
        if (used(d, f)) gt_fprintf(file, ",%.17g", *gt_machine_number(m, f));
    fputc('\n', file);
}

gt_status gt_power_dynamics_write(const gt_power_dynamics *d, const gt_power_case *c,
                                  const char *path, gt_message *message)
{
    GT_ARMOR(message, d && c && path);
    gt_file whole;
    gt_status status = gt_file_open(&whole, path, message);
    if (status) return status;
    FILE *file = whole.stream;
    gt_fprintf(file, "# machines of %s, numbers on %g MVA\n", c->name, c->mva);
    fputs("bus,unit,model,exciter,governor,SE_a,SE_b,E1,SE1,E2,SE2,S10,S12", file);
    for (const gt_machine_field *f = gt_machine_fields; f->name; f++)
        if (used(d, f)) gt_fprintf(file, ",%s", f->name);
    fputc('\n', file);
    for (size_t k = 0; k < d->n; k++) write_row(file, d, c, k);
    return gt_file_close(&whole, true, message);
}
