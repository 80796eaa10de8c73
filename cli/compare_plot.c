/* SPDX-License-Identifier: BSD-3-Clause */
/* The figures of a comparison: error over work on log axes, or the trajectories over the reference.
 */
#include "compare_parts.h"
#include <math.h>
#include <stdlib.h>

/* The label of an entry and, when not all of its rows are drawn, why. */
static void name_curve(const comparison *c, const compare_entry *entry, size_t drawn,
                       char title[96])
{
    size_t rows = 0, failed = 0, doubtful = 0;
    bool taylor = false;
    for (size_t i = 0; i < c->n_rows; i++) {
        if (c->rows[i].entry != entry) continue;
        rows++;
        failed += c->rows[i].report.status != GT_OK;
        doubtful += !c->rows[i].report.status && !gt_cli_max_certain(&c->rows[i].error);
        taylor = taylor || c->rows[i].report.stats.taylor;
    }
    if (failed == rows)
        snprintf(title, 96, "%.60s (failed)", entry->label);
    else if (failed)
        snprintf(title, 96, "%.60s (%zu of %zu failed)", entry->label, failed, rows);
    else if (doubtful)
        snprintf(title, 96, "%.40s (%zu of %zu not certain)", entry->label, doubtful, rows);
    else if (!drawn)
        snprintf(title, 96, "%.60s (error 0)", entry->label);
    else
        snprintf(title, 96, "%.60s%s", entry->label, taylor ? " (expansions)" : "");
}

/* Error over evaluations, and error over time, of the rows that succeeded: a curve each method. */
typedef struct work_curves {
    cli_curve *by_calls, *by_time; /* n_entries each; those by time have the titles */
    size_t points;                 /* of all */
} work_curves;

static int make_work_curves(const comparison *c, gt_arena *arena, work_curves *w)
{
    double *work = gt_arena_doubles(arena, c->n_rows), *time = gt_arena_doubles(arena, c->n_rows);
    double *error = gt_arena_doubles(arena, c->n_rows);
    cli_curve *curves = gt_arena_take(arena, 2 * c->n_entries, sizeof *curves);
    char(*titles)[96] = gt_arena_take(arena, c->n_entries, sizeof *titles);
    if (arena->failed) return gt_cli_failed("out of memory");
    size_t used = 0;
    for (size_t e = 0; e < c->n_entries; e++) {
        size_t first = used;
        for (size_t i = 0; i < c->n_rows; i++) {
            const compare_row *row = &c->rows[i];
            if (row->entry != &c->entries[e] || row->report.status || !(row->error.max > 0))
                continue;
            if (!gt_cli_max_certain(&row->error)) continue;
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
    *w = (work_curves){curves, curves + c->n_entries, used};
    return used ? CLI_OK : gt_cli_failed("no row has an error above 0 that could be drawn");
}

static cli_panel work_panel(const comparison *c, const char *x_label, const cli_curve *curves)
{
    return (cli_panel){.x_label = x_label,
                       .y_label = "error",
                       .log_x = true,
                       .log_y = true,
                       .curves = curves,
                       .n_curves = c->n_entries};
}

static int draw_work_precision(const comparison *c, const char *title)
{
    gt_arena arena = gt_arena_growing();
    work_curves w = {0};
    int code = make_work_curves(c, &arena, &w);
    cli_panel panels[2];
    if (!code) {
        panels[0] = work_panel(c, "evaluations of f", w.by_calls);
        panels[1] = work_panel(c, "time [s]", w.by_time);
    }
    if (!code)
        code = gt_cli_plot(&(cli_plot){.path = c->figure.path,
                                       .title = title,
                                       .panels = panels,
                                       .n_panels = 2,
                                       .side_by_side = true,
                                       .args = c->args});
    gt_arena_free(&arena);
    return code;
}

enum { MOST_STATES = 64 };

/* The range of the reference and seven tenths of it: a method that explodes must not flatten all
 * others. */
static void frame(cli_panel *panel, const figure_rows *rows, size_t k)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < rows->count; i++) {
        low = fmin(low, rows->values[i * rows->n_columns + k]);
        high = fmax(high, rows->values[i * rows->n_columns + k]);
    }
    if (low > high) return;
    double margin = high > low ? 0.35 * (high - low) : 0.5 * fabs(high) + 1e-12;
    panel->y_min = low - margin;
    panel->y_max = high + margin;
}

/* Column k over time; or, in a figure of the plane, column 1 over column 0. */
static cli_curve curve_of(const figure_rows *rows, bool phase, size_t k, const char *title,
                          cli_style style, int colour)
{
    return (cli_curve){.title = title,
                       .x = phase ? rows->values : rows->t,
                       .x_stride = phase ? rows->n_columns : 0,
                       .y = rows->values + k,
                       .count = rows->count,
                       .stride = rows->n_columns,
                       .style = style,
                       .colour = colour};
}

static void fill_panel(const comparison *c, size_t k, const figure_rows *reference,
                       char (*titles)[96], cli_curve *curves, cli_panel *panel)
{
    size_t used = 0;
    bool phase = c->figure.phase;
    if (reference->count)
        curves[used++] = curve_of(reference, phase, k, "reference", CLI_BACKGROUND, 0);
    for (size_t i = 0; i < c->n_rows; i++) {
        const figure_series *series = &c->rows[i].series;
        char step[40];
        snprintf(titles[i], sizeof titles[i], "%s %s", c->rows[i].entry->label,
                 gt_compare_step(&c->rows[i], step));
        if (!series->lines.count) continue;
        /* Beside the work there is room for one motion: that of the first method. */
        if (c->with_work && used > (reference->count > 0)) break;
        curves[used++] = curve_of(&series->lines, phase, k, titles[i], CLI_LINE, (int)i + 1);
        if (series->points.count)
            curves[used++] = curve_of(&series->points, phase, k, NULL, CLI_POINTS, (int)i + 1);
    }
    /* The legend is the same for all panels. */
    for (size_t i = 0; k && !phase && i < used; i++) curves[i].title = NULL;
    panel->curves = curves;
    panel->tight_x = !phase;
    panel->n_curves = used;
    frame(panel, reference, k);
}

/* The reference as a figure needs it: the exact solution at many points, or the first of the two
 * runs once more. */
static int draw_reference(const comparison *c, figure_series *series)
{
    enum { MANY = 20000 };
    const gt_problem *p = &c->p.problem;
    int code = gt_run_figure_series(&c->figure, p, NULL, NULL, false, series);
    if (code || !c->reference.found) return code;
    if (!p->exact) {
        gt_sink *sinks[] = {&series->sink};
        gt_plan plan = {.rtol = c->reference.rtol,
                        .h_max = fabs(p->t1 - p->t0) / 1000,
                        .sinks = sinks,
                        .n_sinks = 1};
        gt_report report;
        gt_cli_catch_interrupt(&plan);
        return gt_solve(p, c->reference.first, &plan, &report) == GT_NO_MEMORY
                   ? gt_cli_failed("out of memory")
                   : CLI_OK;
    }
    double *x = malloc((gt_problem_size(p) + 1) * sizeof *x);
    gt_message message;
    for (size_t k = 0; x && k <= MANY; k++) {
        double t = k == MANY ? p->t1 : p->t0 + (p->t1 - p->t0) * (double)k / MANY;
        p->exact(t, x, p->ctx);
        gt_sample sample = {.why = GT_AT_DENSE, .t = t, .x = x, .n = gt_problem_size(p)};
        if (series->sink.write(&series->sink, &sample, &message))
            code = gt_cli_failed("%s", message.text);
    }
    if (!x) code = gt_cli_failed("out of memory");
    free(x);
    return code;
}

static int draw_trajectories(const comparison *c, const char *title)
{
    const gt_problem *problem = &c->p.problem;
    gt_arena arena = gt_arena_growing();
    bool phase = c->figure.phase;
    size_t n_panels = phase ? 1 : c->figure.n_columns, curves_each = 2 * c->n_rows + 1;
    cli_curve *curves = gt_arena_take(&arena, n_panels * curves_each, sizeof *curves);
    char(*titles)[96] = gt_arena_take(&arena, c->n_rows, sizeof *titles);
    cli_panel panels[MOST_STATES + 1] = {{0}};
    char labels[MOST_STATES][80], across[80];
    figure_series reference = {0};
    int code = arena.failed ? gt_cli_failed("out of memory") : draw_reference(c, &reference);
    for (size_t k = 0; !code && k < n_panels; k++) {
        size_t column = phase ? 1 : k;
        fill_panel(c, column, &reference.lines, titles, curves + k * curves_each, &panels[k]);
        panels[k].y_label =
            gt_cli_label(problem, c->figure.columns[column], labels[k], sizeof labels[k]);
        if (phase)
            panels[k].x_label = gt_cli_label(problem, c->figure.columns[0], across, sizeof across);
        else if (k + 1 == n_panels)
            panels[k].x_label = "t";
    }
    work_curves w = {0};
    if (!code && c->with_work && !(code = make_work_curves(c, &arena, &w))) {
        /* The colours of a trajectory and of its point are the same: one row an entry. */
        for (size_t i = 0; i < panels[0].n_curves; i++) curves[i].title = NULL;
        panels[n_panels++] = work_panel(c, "evaluations of f", w.by_time);
        for (size_t e = 0; e < c->n_entries; e++) w.by_time[e].x = w.by_calls[e].x;
    }
    if (!code)
        code = gt_cli_plot(&(cli_plot){.path = c->figure.path,
                                       .title = title,
                                       .panels = panels,
                                       .n_panels = n_panels,
                                       .side_by_side = c->with_work,
                                       .args = c->args});
    gt_figure_series_free(&reference);
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
