/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows against numbers that were computed by others, kept in a table: paper, item, quantity, value,
 * tolerance, separated by tabs. */
#include "papers.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const paper_row *find_row(const paper_report *reports, size_t count, char *const *cell)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(reports[i].paper->name, cell[0])) continue;
        for (size_t j = 0; j < reports[i].n_sheets; j++) {
            const paper_sheet *s = &reports[i].sheets[j];
            if (strcmp(s->item, cell[1])) continue;
            for (size_t k = 0; k < s->n_rows; k++)
                if (!strcmp(s->rows[k].quantity, cell[2])) return &s->rows[k];
        }
    }
    return NULL;
}

static bool has_paper(const paper_report *reports, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(reports[i].paper->name, name)) return true;
    return false;
}

int paper_check(const char *path, const paper_report *reports, size_t count)
{
    char line[1024];
    int number = 0, code = CLI_OK;
    FILE *file = fopen(path, "r");
    if (!file) return gt_cli_usage("--check %s: the file cannot be read", path);
    while (fgets(line, sizeof line, file)) {
        char *cell[5] = {line};
        int cells = 1;
        number++;
        line[strcspn(line, "\n")] = 0;
        if (!*line || *line == '#') continue;
        for (char *p = line; *p && cells < 5; p++)
            if (*p == '\t') *p = 0, cell[cells++] = p + 1;
        if (cells < 5) {
            code = gt_cli_usage("%s:%d: a row has five columns with tabs between them, not %d",
                                path, number, cells);
            break;
        }
        if (!has_paper(reports, count, cell[0])) continue;
        const paper_row *row = find_row(reports, count, cell);
        double value, tolerance;
        gt_number_read_any(cell[3], NULL, &value);
        gt_number_read_any(cell[4], NULL, &tolerance);
        if (!row)
            code = gt_cli_failed("%s:%d: there is no row %s, %s, %s", path, number, cell[0],
                                 cell[1], cell[2]);
        else if (!(fabs(row->value - value) <= tolerance))
            code = gt_cli_failed("%s:%d: %s, %s, %s is %.12g, and should be %s within %s", path,
                                 number, cell[0], cell[1], cell[2], row->value, cell[3], cell[4]);
    }
    fclose(file);
    return code;
}
