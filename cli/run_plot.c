/* SPDX-License-Identifier: BSD-3-Clause */
/* The figure of a run: states over time, in several panels when their sizes differ much, or against one another. */
#include "run_parts.h"
#include <math.h>
#include <string.h>

enum { MOST_CURVES = 8 /* unless asked for */, MOST_COLUMNS = 64 };

int gt_run_figure_flags(const cli_args *args, cli_problem *p, run_figure *figure)
{
    const char *vars = gt_cli_text(args, "vars"), *phase = gt_cli_text(args, "phase");
    *figure = (run_figure){.path = gt_cli_text(args, "plot"), .phase = phase != NULL};
    if (!figure->path) {
        if (!vars && !phase) return CLI_OK;
        return gt_cli_usage("--%s is for figures; give --plot FILE.svg too", vars ? "vars" : "phase");
    }
    if (vars && phase) return gt_cli_usage("--vars and --phase exclude one another");
    const char *inputs[] = {p->start_file, NULL};
    int code = gt_cli_check_plot(figure->path, inputs);
    if (code) return code;
    const char *list = vars ? vars : phase;
    if (list) {
        code = gt_cli_states(&p->problem, vars ? "--vars" : "--phase", list, &p->arena, &figure->columns,
                             &figure->n_columns);
        if (!code && figure->n_columns > MOST_COLUMNS)
            return gt_cli_usage("--vars: a figure has room for %d curves, not %zu", MOST_COLUMNS, figure->n_columns);
        if (!code && phase && (figure->n_columns < 2 || figure->n_columns > 3))
            return gt_cli_usage("--phase wants two or three states, not %zu", figure->n_columns);
        return code;
    }
    size_t n = gt_problem_size(&p->problem);
    figure->some = n > MOST_CURVES;
    figure->n_columns = figure->some ? MOST_CURVES : n;
    figure->columns = gt_arena_take(&p->arena, figure->n_columns, sizeof *figure->columns);
    if (!figure->columns) return gt_cli_failed("out of memory");
    for (size_t k = 0; k < figure->n_columns; k++)
        figure->columns[k] = figure->some ? k * (n - 1) / (MOST_CURVES - 1) : k;
    return CLI_OK;
}

/* Largest absolute value of a column. */
static double size_of(const run_series *series, size_t column)
{
    double largest = 0;
    for (size_t k = 0; k < series->count; k++) {
        double value = fabs(series->values[k * series->n_columns + column]);
        if (isfinite(value) && value > largest) largest = value;
    }
    return largest;
}

/* Panel of each column: columns of a panel differ in size by a factor of at most 50, the largest ones come first. */
static size_t group_by_size(const run_series *series, size_t *panel_of)
{
    double sizes[MOST_COLUMNS];
    size_t n = series->n_columns, placed = 0, panels = 0;
    for (size_t k = 0; k < n; k++) {
        sizes[k] = size_of(series, k);
        panel_of[k] = n;
    }
    while (placed < n) {
        double largest = 0;
        for (size_t k = 0; k < n; k++)
            if (panel_of[k] == n) largest = fmax(largest, sizes[k]);
        for (size_t k = 0; k < n; k++)
            if (panel_of[k] == n && sizes[k] * 50 >= largest) {
                panel_of[k] = panels;
                placed++;
            }
        panels++;
    }
    return panels;
}

/* "x [m]" for a panel with one curve, "[m]" when all its curves have this unit, else nothing. */
static void name_axis(const gt_problem *problem, const run_figure *figure, const size_t *panel_of, size_t panel,
                      char label[80])
{
    const char *unit = NULL;
    size_t members = 0, last = 0;
    bool same = true;
    for (size_t k = 0; k < figure->n_columns; k++) {
        if (panel_of[k] != panel) continue;
        const char *own = problem->units ? problem->units[figure->columns[k]] : NULL;
        if (members && (!own || !unit || strcmp(own, unit))) same = false;
        unit = own;
        last = figure->columns[k];
        members++;
    }
    label[0] = '\0';
    if (members == 1)
        gt_cli_label(problem, last, label, 80);
    else if (same && unit && *unit)
        snprintf(label, 80, "[%s]", unit);
}

static int draw_over_time(const run_figure *figure, const gt_problem *problem, const char *title,
                          const run_series *series)
{
    cli_curve curves[MOST_COLUMNS];
    cli_panel panels[MOST_COLUMNS];
    char titles[MOST_COLUMNS][80], labels[MOST_COLUMNS][80];
    size_t panel_of[MOST_COLUMNS], used = 0, n = series->n_columns;
    size_t n_panels = group_by_size(series, panel_of);
    for (size_t p = 0; p < n_panels; p++) {
        name_axis(problem, figure, panel_of, p, labels[p]);
        panels[p] = (cli_panel){.y_label = labels[p], .tight_x = true, .curves = &curves[used]};
        if (p + 1 == n_panels) panels[p].x_label = "t";
        for (size_t k = 0; k < n; k++) {
            if (panel_of[k] != p) continue;
            gt_cli_label(problem, figure->columns[k], titles[k], sizeof titles[k]);
            curves[used++] = (cli_curve){.title = titles[k],
                                         .x = series->t,
                                         .y = series->values + k,
                                         .count = series->count,
                                         .stride = n,
                                         .colour = (int)k + 1};
            panels[p].n_curves++;
        }
    }
    return gt_cli_plot(&(cli_plot){.path = figure->path, .title = title, .panels = panels, .n_panels = n_panels});
}

static int draw_phase(const run_figure *figure, const gt_problem *problem, const char *title, const run_series *series)
{
    char labels[3][80];
    for (size_t k = 0; k < series->n_columns; k++)
        gt_cli_label(problem, figure->columns[k], labels[k], sizeof labels[k]);
    bool space = series->n_columns == 3;
    cli_curve curve = {.x = series->values,
                       .y = series->values + 1,
                       .z = space ? series->values + 2 : NULL,
                       .count = series->count,
                       .x_stride = series->n_columns,
                       .stride = series->n_columns};
    cli_panel panel = {.x_label = labels[0],
                       .y_label = labels[1],
                       .z_label = space ? labels[2] : NULL,
                       .curves = &curve,
                       .n_curves = 1};
    return gt_cli_plot(&(cli_plot){.path = figure->path, .title = title, .panels = &panel, .n_panels = 1});
}

int gt_run_draw(const run_figure *figure, const cli_problem *p, const gt_method *method, const run_series *series)
{
    char title[256];
    snprintf(title, sizeof title, "%s (%s)", p->model->title ? p->model->title : p->model->name, method->name);
    if (figure->phase) return draw_phase(figure, &p->problem, title, series);
    return draw_over_time(figure, &p->problem, title, series);
}
