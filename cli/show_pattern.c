/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the Jacobian has entries, as a picture in text: exactly for few states, as densities for
 * many. */
#include "show_parts.h"
#include <geartrain/author/ode_runtime.h>
#include <stdlib.h>

enum { MOST_EXACT = 40, CELLS = 40 };

typedef struct grid {
    size_t n, cells; /* of states, and of rows and columns of the picture */
    size_t *counts;
    size_t entries;
} grid;

static void add_entry(grid *g, size_t row, size_t column)
{
    if (row >= g->n || column >= g->n) return;
    g->counts[row * g->cells / g->n * g->cells + column * g->cells / g->n]++;
    g->entries++;
}

static void add_csc(grid *g, const gt_pattern *pattern)
{
    for (size_t j = 0; j < g->n; j++)
        for (int k = pattern->colptr[j]; k < pattern->colptr[j + 1]; k++)
            add_entry(g, (size_t)pattern->rowindex[k], j);
}

static void add_banded(grid *g, const gt_pattern *pattern)
{
    for (size_t j = 0; j < g->n; j++)
        for (size_t i = j > (size_t)pattern->upper ? j - (size_t)pattern->upper : 0;
             i < g->n && i <= j + (size_t)pattern->lower; i++)
            add_entry(g, i, j);
}

/* The bands of equations that came from a file; several of them may meet in one entry. */
static void add_bands(grid *g, const gt_ode_code *code)
{
    for (int k = 0; k < code->n_bands; k++) {
        const gt_ode_band *b = &code->bands[k];
        for (int j = b->lo; j <= b->hi; j++)
            for (int i = b->i_lo; i <= b->i_hi; i++)
                add_entry(g, (size_t)(b->row + b->row_j * j),
                          (size_t)(b->col + b->col_j * j + b->col_i * i));
    }
}

static bool fill(grid *g, const cli_problem *p)
{
    const gt_pattern *pattern = &p->problem.jac_pattern;
    g->n = gt_problem_size(&p->problem);
    g->cells = g->n < MOST_EXACT ? g->n : CELLS;
    g->counts = calloc(g->cells * g->cells, sizeof *g->counts);
    if (!g->counts) return false;
    bool from_file = p->model->build_self == gt_ode_build;
    if (pattern->storage == GT_CSC)
        add_csc(g, pattern);
    else if (pattern->storage == GT_BANDED)
        add_banded(g, pattern);
    else if (from_file)
        add_bands(g, p->model->data);
    return g->entries > 0;
}

static char shade(const grid *g, size_t row, size_t column)
{
    size_t count = g->counts[row * g->cells + column];
    if (g->n == g->cells) return count ? '*' : '.';
    double size = (double)g->n / (double)g->cells, share = (double)count / (size * size);
    if (!count) return '.';
    if (share < 0.1) return ':';
    return share < 0.5 ? '+' : '#';
}

void gt_show_pattern(const cli_problem *p)
{
    grid g = {0};
    char name[24];
    if (fill(&g, p)) {
        puts(g.n == g.cells ? "\nJacobian pattern: * may be other than 0"
                            : "\nJacobian pattern: . none, : below 10 %, + below 50 %, # above");
        for (size_t row = 0; row < g.cells; row++) {
            printf("    %-10.10s ",
                   g.n == g.cells ? gt_problem_state_name(&p->problem, row, name) : "");
            for (size_t column = 0; column < g.cells; column++) putchar(shade(&g, row, column));
            putchar('\n');
        }
    }
    free(g.counts);
}

static void get_storage(const void *data, report_value *out)
{
    static const char *const storages[] = {
        [GT_DENSE] = "dense", [GT_BANDED] = "banded", [GT_CSC] = "csc"};
    out->text = storages[((const gt_problem *)data)->jac_pattern.storage];
}

static void get_exact(const void *data, report_value *out)
{
    out->flag = ((const gt_problem *)data)->jac != NULL;
}

static void get_n(const void *data, report_value *out)
{
    out->integer = (long)gt_problem_size(data);
}

static void get_entries(const void *data, report_value *out)
{
    gt_matrix shape = {.n = gt_problem_size(data),
                       .pattern = ((const gt_problem *)data)->jac_pattern};
    out->integer = (long)gt_matrix_entries(&shape);
}

const report_field gt_show_pattern_fields[] = {
    REPORT_KEY("storage", "\"dense\", \"banded\" or \"csc\"", .type = REPORT_STRING,
               .get = get_storage),
    REPORT_KEY("exact", "given by the model, not by differences", .type = REPORT_BOOL,
               .get = get_exact),
    REPORT_KEY("n", "rows", .type = REPORT_SIZE, .get = get_n),
    REPORT_KEY("entries", "that are kept", .type = REPORT_SIZE, .get = get_entries),
    {.type = REPORT_END},
};
