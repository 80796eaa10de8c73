/* SPDX-License-Identifier: BSD-3-Clause */
/* The figure of a run: states over time, in several panels when their sizes differ much, or against
 * one another. */
#include "run_parts.h"
#include <math.h>
#include <string.h>

enum { MOST_CURVES = 8 /* unless asked for */, MOST_COLUMNS = 64 };

/* Names that differ only in the number at their end, or not at all. */
static bool same_kind(const gt_problem *problem, size_t i, size_t j)
{
    char a[24], b[24];
    const char *one = gt_problem_state_name(problem, i, a),
               *other = gt_problem_state_name(problem, j, b);
    size_t k = 0;
    while (one[k] && one[k] == other[k] && !strchr("0123456789", one[k])) k++;
    return !one[k + strspn(one + k, "0123456789")] && !other[k + strspn(other + k, "0123456789")];
}

/* A few states of each kind, evenly spread: u1 u17 u33 u50 v1 v17 v33 v50. With more kinds than
 * curves they all count as one. */
static void choose_some(const gt_problem *problem, run_figure *figure)
{
    size_t n = gt_problem_shown(problem), kinds = 0, first[MOST_CURVES], members[MOST_CURVES] = {0},
           used = 0;
    for (size_t i = 0, k = 0; i < n && k < MOST_CURVES; i++) {
        for (k = 0; k < kinds && !same_kind(problem, first[k], i); k++) continue;
        if (k == MOST_CURVES) kinds = 0;
        if (k < MOST_CURVES && k == kinds) first[kinds++] = i;
        if (k < MOST_CURVES) members[k]++;
    }
    for (size_t k = 0; k < kinds; k++) {
        size_t share = MOST_CURVES / kinds, seen = 0, taken = 0;
        if (share > members[k]) share = members[k];
        for (size_t i = first[k]; i < n && taken < share; i++) {
            size_t next = share > 1 ? taken * (members[k] - 1) / (share - 1) : 0;
            if (!same_kind(problem, first[k], i) || seen++ != next) continue;
            figure->columns[used++] = i;
            taken++;
        }
    }
    for (size_t k = 0; !kinds && k < MOST_CURVES; k++)
        figure->columns[used++] = k * (n - 1) / (MOST_CURVES - 1);
    figure->n_columns = used;
}

static int read_log(const char *text, run_figure *figure)
{
    if (!text) return CLI_OK;
    figure->log_x = strchr(text, 'x') != NULL;
    figure->log_y = strchr(text, 'y') != NULL;
    if (text[strspn(text, "xy")] || strlen(text) > 2)
        return gt_cli_usage("--log takes x, y or xy, not '%s'", text);
    return CLI_OK;
}

int gt_run_figure_flags(const cli_args *args, cli_problem *p, run_figure *figure)
{
    const char *vars = gt_cli_text(&args->flags.vars), *phase = gt_cli_text(&args->flags.phase);
    const char *log = gt_cli_text(&args->flags.log);
    *figure =
        (run_figure){.path = gt_cli_text(&args->flags.plot), .phase = phase != NULL, .args = args};
    if (!figure->path) {
        if (!vars && !phase && !log) return CLI_OK;
        return gt_cli_usage("--%s is for figures; give --plot FILE.svg too", vars    ? "vars"
                                                                             : phase ? "phase"
                                                                                     : "log");
    }
    if (vars && phase) return gt_cli_usage("--vars and --phase cannot be used together");
    const char *inputs[] = {p->start_file, NULL};
    int code = gt_cli_check_plot(figure->path, inputs);
    if (code || (code = read_log(log, figure))) return code;
    if (phase && log && strchr(phase, ',') != strrchr(phase, ','))
        return gt_cli_usage("--log is for figures in the plane, not for --phase with three states");
    const char *list = vars ? vars : phase;
    if (list) {
        code = gt_cli_columns(&p->problem, vars ? "--vars" : "--phase", list, &p->arena,
                              &figure->columns, &figure->n_columns);
        if (!code && figure->n_columns > MOST_COLUMNS)
            return gt_cli_usage("--vars: a figure has room for %d curves, not %zu", MOST_COLUMNS,
                                figure->n_columns);
        if (!code && phase && (figure->n_columns < 2 || figure->n_columns > 3))
            return gt_cli_usage("--phase takes two or three states, not %zu", figure->n_columns);
        return code;
    }
    if ((code = gt_cli_only(p, &p->arena, &figure->columns, &figure->n_columns))) return code;
    if (figure->n_columns && figure->n_columns <= MOST_COLUMNS) return CLI_OK;
    size_t n = gt_problem_shown(&p->problem);
    figure->some = n > MOST_CURVES;
    figure->n_columns = figure->some ? MOST_CURVES : n;
    figure->columns = gt_arena_take(&p->arena, figure->n_columns, sizeof *figure->columns);
    if (!figure->columns) return gt_cli_failed("out of memory");
    if (figure->some)
        choose_some(&p->problem, figure);
    else
        for (size_t k = 0; k < n; k++) figure->columns[k] = p->shown ? p->shown[k] : k;
    return CLI_OK;
}

/* Largest absolute value of a column. */
static double size_of(const figure_series *series, size_t column)
{
    double largest = 0;
    const figure_rows *both[] = {&series->lines, &series->points};
    for (int i = 0; i < 2; i++)
        for (size_t k = 0; k < both[i]->count; k++) {
            double value = fabs(both[i]->values[k * both[i]->n_columns + column]);
            if (isfinite(value) && value > largest) largest = value;
        }
    return largest;
}

/* Numbers the panels in the order of their first columns. */
static void sort_panels(size_t *panel_of, size_t n, size_t panels)
{
    size_t number[MOST_COLUMNS], next = 0;
    for (size_t p = 0; p < panels; p++) number[p] = panels;
    for (size_t k = 0; k < n; k++) {
        if (number[panel_of[k]] == panels) number[panel_of[k]] = next++;
        panel_of[k] = number[panel_of[k]];
    }
}

/* Panel of each column: columns of a panel differ in size by a factor of at most 50. */
static size_t group_by_size(const figure_series *series, size_t *panel_of)
{
    double sizes[MOST_COLUMNS];
    size_t n = series->lines.n_columns, placed = 0, panels = 0;
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
    sort_panels(panel_of, n, panels);
    return panels;
}

/* "x [m]" for a panel with one curve, "[m]" when all its curves have this unit, else nothing. */
static void name_axis(const gt_problem *problem, const run_figure *figure, const size_t *panel_of,
                      size_t panel, char label[80])
{
    const char *unit = NULL;
    size_t members = 0, last = 0;
    bool same = true;
    for (size_t k = 0; k < figure->n_columns; k++) {
        if (panel_of[k] != panel) continue;
        bool is_state = figure->columns[k] < gt_problem_size(problem);
        const char *own = problem->units && is_state ? problem->units[figure->columns[k]] : NULL;
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

/* One column over time: as a line, and where no line can be drawn as points. */
static cli_curve over_time(const figure_rows *rows, size_t k, bool joined)
{
    return (cli_curve){.x = rows->t,
                       .y = rows->values + k,
                       .count = rows->count,
                       .stride = rows->n_columns,
                       .style = joined ? CLI_LINE : CLI_POINTS,
                       .colour = (int)k + 1};
}

/* Whether any two points of a column are joined. */
static bool joins(const figure_rows *rows, size_t k)
{
    for (size_t i = 1; i < rows->count; i++)
        if (isfinite(rows->values[(i - 1) * rows->n_columns + k]) &&
            isfinite(rows->values[i * rows->n_columns + k]))
            return true;
    return false;
}

static int draw_over_time(const run_figure *figure, const gt_problem *problem, const char *title,
                          const figure_series *series)
{
    cli_curve curves[2 * MOST_COLUMNS];
    cli_panel panels[MOST_COLUMNS];
    char titles[MOST_COLUMNS][80], labels[MOST_COLUMNS][80];
    size_t panel_of[MOST_COLUMNS], used = 0, n = series->lines.n_columns;
    size_t n_panels = group_by_size(series, panel_of);
    for (size_t p = 0; p < n_panels; p++) {
        name_axis(problem, figure, panel_of, p, labels[p]);
        panels[p] = (cli_panel){.y_label = labels[p],
                                .log_x = figure->log_x,
                                .log_y = figure->log_y,
                                .tight_x = true,
                                .curves = &curves[used]};
        if (p + 1 == n_panels) panels[p].x_label = "t";
        size_t first = used;
        for (size_t k = 0; k < n; k++) {
            if (panel_of[k] != p) continue;
            gt_cli_label(problem, figure->columns[k], titles[k], sizeof titles[k]);
            bool as_points = series->points.count && !joins(&series->lines, k);
            curves[used] = over_time(&series->lines, k, true);
            if (!as_points) curves[used].title = titles[k];
            used++;
            if (!series->points.count) continue;
            curves[used] = over_time(&series->points, k, false);
            if (as_points) curves[used].title = titles[k]; /* the legend is as it is drawn */
            used++;
        }
        panels[p].n_curves = used - first;
    }
    return gt_cli_plot(&(cli_plot){.path = figure->path,
                                   .title = title,
                                   .panels = panels,
                                   .n_panels = n_panels,
                                   .args = figure->args});
}

static cli_curve against(const figure_rows *rows, bool joined)
{
    return (cli_curve){.x = rows->values,
                       .y = rows->values + 1,
                       .z = rows->n_columns == 3 ? rows->values + 2 : NULL,
                       .count = rows->count,
                       .x_stride = rows->n_columns,
                       .stride = rows->n_columns,
                       .style = joined ? CLI_LINE : CLI_POINTS,
                       .colour = 1};
}

static int draw_phase(const run_figure *figure, const gt_problem *problem, const char *title,
                      const figure_series *series)
{
    char labels[3][80];
    size_t n = series->lines.n_columns;
    for (size_t k = 0; k < n; k++)
        gt_cli_label(problem, figure->columns[k], labels[k], sizeof labels[k]);
    cli_curve curves[2] = {against(&series->lines, true)};
    if (series->points.count) curves[1] = against(&series->points, false);
    cli_panel panel = {.x_label = labels[0],
                       .y_label = labels[1],
                       .z_label = n == 3 ? labels[2] : NULL,
                       .log_x = figure->log_x,
                       .log_y = figure->log_y,
                       .curves = curves,
                       .n_curves = series->points.count ? 2 : 1};
    return gt_cli_plot(&(cli_plot){.path = figure->path,
                                   .title = title,
                                   .panels = &panel,
                                   .n_panels = 1,
                                   .args = figure->args});
}

int gt_run_figure_series(const run_figure *figure, const gt_problem *problem,
                         const gt_method *method, const gt_values *options, bool fixed_step,
                         figure_series *series)
{
    gt_facts facts = {0};
    if (method) facts = gt_method_facts(method, options->v);
    int code = gt_figure_series_init(series, problem, figure->columns, figure->n_columns, method,
                                     &facts, fixed_step);
    series->as_path = figure->phase;
    series->on_log = figure->log_x && !figure->phase;
    /* On a log axis and against one another what is fast is as large as what is slow. */
    if (series->as_path || series->on_log) series->sink.inside = 4;
    return code;
}

int gt_run_draw(const run_figure *figure, const cli_problem *p, const gt_method *method,
                const figure_series *series)
{
    char title[256];
    snprintf(title, sizeof title, "%s (%s)", p->model->title ? p->model->title : p->model->name,
             method->name);
    gt_cli_title_add_set(figure->args, title, sizeof title);
    if (figure->phase) return draw_phase(figure, &p->problem, title, series);
    return draw_over_time(figure, &p->problem, title, series);
}
