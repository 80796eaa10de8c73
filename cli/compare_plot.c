/* SPDX-License-Identifier: BSD-3-Clause */
/* The figures of a comparison: error over work on log axes, or the trajectories over the reference. */
#include "compare_parts.h"
#include <math.h>

/* The label of an entry and, when not all of its rows are drawn, why. */
static void name_curve(const comparison *c, const compare_entry *entry, size_t drawn, char title[96])
{
    size_t rows = 0, failed = 0;
    bool taylor = false;
    for (size_t i = 0; i < c->n_rows; i++) {
        if (c->rows[i].entry != entry) continue;
        rows++;
        failed += c->rows[i].report.status != GT_OK;
        taylor = taylor || c->rows[i].report.stats.taylor;
    }
    if (failed == rows)
        snprintf(title, 96, "%.60s (failed)", entry->label);
    else if (failed)
        snprintf(title, 96, "%.60s (%zu of %zu failed)", entry->label, failed, rows);
    else if (!drawn)
        snprintf(title, 96, "%.60s (error 0)", entry->label);
    else
        snprintf(title, 96, "%.60s%s", entry->label, taylor ? " (expansions)" : "");
}

/* Work and error of the rows that succeeded, method by method, in arrays of n_rows. */
static int draw_work_precision(const comparison *c, const char *title)
{
    gt_arena arena = gt_arena_growing();
    double *work = gt_arena_doubles(&arena, c->n_rows), *time = gt_arena_doubles(&arena, c->n_rows);
    double *error = gt_arena_doubles(&arena, c->n_rows);
    cli_curve *curves = gt_arena_take(&arena, 2 * c->n_entries, sizeof *curves);
    char(*titles)[96] = gt_arena_take(&arena, c->n_entries, sizeof *titles);
    int code = arena.failed ? gt_cli_failed("out of memory") : CLI_OK;
    size_t used = 0;
    for (size_t e = 0; !code && e < c->n_entries; e++) {
        size_t first = used;
        for (size_t i = 0; i < c->n_rows; i++) {
            const compare_row *row = &c->rows[i];
            if (row->entry != &c->entries[e] || row->report.status || !(row->error.max > 0)) continue;
            work[used] = gt_compare_evaluations(&c->p.problem, &row->report.stats);
            time[used] = row->wall;
            error[used++] = row->error.max;
        }
        curves[e] = (cli_curve){.x = work + first,
                                .y = error + first,
                                .count = used - first,
                                .style = CLI_LINE_POINTS,
                                .colour = (int)e + 1};
        curves[c->n_entries + e] = curves[e];
        curves[c->n_entries + e].x = time + first;
        name_curve(c, &c->entries[e], used - first, titles[e]);
        curves[c->n_entries + e].title = titles[e];
    }
    cli_panel panels[] = {
        {.x_label = "evaluations of f", .y_label = "error", .curves = curves},
        {.x_label = "time [s]", .y_label = "error", .curves = curves + c->n_entries},
    };
    for (int k = 0; k < 2; k++) {
        panels[k].log_x = panels[k].log_y = true;
        panels[k].n_curves = c->n_entries;
    }
    if (!code && !used) code = gt_cli_failed("no row has an error above 0 that could be drawn");
    if (!code)
        code = gt_cli_plot(
            &(cli_plot){.path = c->figure.path, .title = title, .panels = panels, .n_panels = 2, .side_by_side = true});
    gt_arena_free(&arena);
    return code;
}

enum { POINTS = 1000, MOST_STATES = 64 };

/* The range of the reference and seven tenths of it: a method that explodes must not flatten all others. */
static void frame(cli_panel *panel, const double *values, size_t stride, size_t count)
{
    double low = values[0], high = values[0];
    for (size_t k = 0; k < count; k++) {
        low = fmin(low, values[k * stride]);
        high = fmax(high, values[k * stride]);
    }
    double margin = high > low ? 0.35 * (high - low) : 0.5 * fabs(high) + 1e-12;
    panel->y_min = low - margin;
    panel->y_max = high + margin;
}

/* Column k over time; or, in a figure of the plane, column 1 over column 0. */
static void fill_panel(const comparison *c, size_t k, const double *t, const double *x, size_t reached,
                       char (*titles)[96], cli_curve *curves, cli_panel *panel)
{
    size_t n = gt_problem_size(&c->p.problem), state = c->figure.columns[k], used = 0;
    bool phase = c->figure.phase;
    curves[used++] = (cli_curve){.title = "reference",
                                 .x = phase ? x + c->figure.columns[0] : t,
                                 .x_stride = phase ? n : 0,
                                 .y = x + state,
                                 .count = reached,
                                 .stride = n,
                                 .style = CLI_BACKGROUND};
    for (size_t i = 0; i < c->n_rows; i++) {
        const run_series *series = &c->rows[i].series;
        char step[40];
        snprintf(titles[i], sizeof titles[i], "%s %s", c->rows[i].entry->label, gt_compare_step(&c->rows[i], step));
        if (!series->count) continue;
        bool few = c->rows[i].h > 0 && series->count <= 60;
        curves[used++] = (cli_curve){.title = titles[i],
                                     .x = phase ? series->values : series->t,
                                     .x_stride = phase ? series->n_columns : 0,
                                     .y = series->values + k,
                                     .count = series->count,
                                     .stride = series->n_columns,
                                     .style = few ? CLI_LINE_POINTS : CLI_LINE,
                                     .colour = (int)i + 1};
    }
    /* The legend is the same for all panels. */
    for (size_t i = 0; k && !phase && i < used; i++) curves[i].title = NULL;
    panel->curves = curves;
    panel->tight_x = !phase;
    panel->n_curves = used;
    if (reached) frame(panel, x + state, n, reached);
}

static int draw_trajectories(const comparison *c, const char *title)
{
    const gt_problem *problem = &c->p.problem;
    gt_arena arena = gt_arena_growing();
    bool phase = c->figure.phase;
    size_t n_panels = phase ? 1 : c->figure.n_columns, reached = 0;
    double t[POINTS], *x = NULL;
    for (size_t k = 0; k < POINTS; k++)
        t[k] = k + 1 == POINTS ? problem->t1
                               : problem->t0 + (problem->t1 - problem->t0) * (double)k / (double)(POINTS - 1);
    cli_curve *curves = gt_arena_take(&arena, n_panels * (c->n_rows + 1), sizeof *curves);
    char(*titles)[96] = gt_arena_take(&arena, c->n_rows, sizeof *titles);
    cli_panel panels[MOST_STATES] = {{0}};
    char labels[MOST_STATES][80], across[80];
    int code = arena.failed ? gt_cli_failed("out of memory") : CLI_OK;
    if (!code) code = gt_cli_reference(problem, t, POINTS, &arena, &x, &reached);
    for (size_t k = 0; !code && k < n_panels; k++) {
        size_t column = phase ? 1 : k;
        fill_panel(c, column, t, x, reached, titles, curves + k * (c->n_rows + 1), &panels[k]);
        panels[k].y_label = gt_cli_label(problem, c->figure.columns[column], labels[k], sizeof labels[k]);
        if (phase)
            panels[k].x_label = gt_cli_label(problem, c->figure.columns[0], across, sizeof across);
        else if (k + 1 == n_panels)
            panels[k].x_label = "t";
    }
    if (!code)
        code = gt_cli_plot(&(cli_plot){.path = c->figure.path, .title = title, .panels = panels, .n_panels = n_panels});
    gt_arena_free(&arena);
    return code;
}

int gt_compare_draw(const comparison *c)
{
    char title[256];
    snprintf(title, sizeof title, "%s", c->p.model->title ? c->p.model->title : c->p.model->name);
    gt_cli_title_add_set(c->args, title, sizeof title);
    if (c->drift) return gt_compare_draw_drift(c, title);
    return c->trajectories ? draw_trajectories(c, title) : draw_work_precision(c, title);
}
