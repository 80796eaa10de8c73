/* SPDX-License-Identifier: BSD-3-Clause */
/* What is told of the runs of a sweep: CSV, JSON, a short table, a figure. */
#include "sweep_parts.h"
#include <math.h>

static const char *axis_text(const sweep_table *table, size_t run, size_t axis)
{
    return table->grid->axes[axis].texts[gt_sweep_index(table->grid, run, axis)];
}

static void write_row(FILE *stream, const sweep_table *table, size_t run)
{
    const sweep_result *r = &table->results[run];
    const gt_stats *stats = &r->report.stats;
    for (size_t a = 0; a < table->grid->n_axes; a++) fprintf(stream, "%s,", axis_text(table, run, a));
    gt_fprintf(stream, "%s,%.17g", gt_status_name(r->report.status), r->report.t);
    for (size_t k = 0; k < table->columns->count; k++) {
        if (r->has && r->has[k])
            gt_fprintf(stream, ",%.17g", r->x[k]);
        else
            fputc(',', stream);
    }
    fprintf(stream, ",%ld,%ld,%ld,%ld,%ld,%ld,%s\n", stats->steps, stats->rejected, stats->rhs, stats->rhs_slow,
            stats->rhs_fast, stats->rhs_alg, r->method);
}

int gt_sweep_write_csv(const sweep_table *table, const char *path, bool complete)
{
    cli_file file;
    int code = gt_cli_file_open(&file, path);
    if (code) return code;
    for (size_t a = 0; a < table->grid->n_axes; a++) fprintf(file.stream, "%s,", table->grid->axes[a].param->name);
    fputs("status,t", file.stream);
    for (size_t k = 0; k < table->columns->count; k++) fprintf(file.stream, ",%s", table->columns->names[k]);
    fputs(",steps,rejected,rhs,rhs_slow,rhs_fast,rhs_alg,method\n", file.stream);
    for (size_t i = 0; i < table->grid->count; i++)
        if (table->results[i].done) write_row(file.stream, table, i);
    return gt_cli_file_close(&file, complete);
}

static json_t *json_value(const sweep_axis *axis, size_t k)
{
    if (axis->param->type == GT_CHOICE) return json_string(axis->texts[k]);
    if (axis->param->type == GT_INTEGER) return json_integer((json_int_t)axis->values[k]);
    return gt_cli_json_number(axis->values[k]);
}

static json_t *json_row(const sweep_table *table, size_t run)
{
    const sweep_result *r = &table->results[run];
    json_t *row = json_object(), *parameters = json_object(), *x = json_object();
    for (size_t a = 0; a < table->grid->n_axes; a++) {
        const sweep_axis *axis = &table->grid->axes[a];
        json_object_set_new(parameters, axis->param->name, json_value(axis, gt_sweep_index(table->grid, run, a)));
    }
    for (size_t k = 0; r->has && k < table->columns->count; k++)
        if (r->has[k]) json_object_set_new(x, table->columns->names[k], gt_cli_json_number(r->x[k]));
    json_object_set_new(row, "parameters", parameters);
    json_object_set_new(row, "method", json_string(r->method));
    json_object_set_new(row, "status", json_string(gt_status_name(r->report.status)));
    json_object_set_new(row, "warnings", gt_cli_json_warnings(&r->report.warnings));
    json_object_set_new(row, "message", json_string(r->report.message.text));
    json_object_set_new(row, "t", gt_cli_json_number(r->report.t));
    json_object_set_new(row, "x", x);
    json_object_set_new(row, "stats", gt_cli_json_stats(&r->report.stats));
    return row;
}

int gt_sweep_print_json(const sweep_table *table)
{
    json_t *object = json_object(), *rows = json_array();
    for (size_t i = 0; i < table->grid->count; i++)
        if (table->results[i].done) json_array_append_new(rows, json_row(table, i));
    json_object_set_new(object, "model", json_string(table->model->name));
    json_object_set_new(object, "rows", rows);
    return gt_cli_json_print(object);
}

void gt_sweep_print(const sweep_table *table)
{
    enum { MOST_ROWS = 40, MOST_STATES = 4 };
    size_t states = table->columns->count < MOST_STATES ? table->columns->count : MOST_STATES, rows = 0;
    for (size_t a = 0; a < table->grid->n_axes; a++) printf("%-12s ", table->grid->axes[a].param->name);
    printf("%-12s %10s", "status", "t");
    for (size_t k = 0; k < states; k++) printf(" %12s", table->columns->names[k]);
    printf(" %8s %8s\n", "steps", "rhs");
    for (size_t i = 0; i < table->grid->count; i++) {
        const sweep_result *r = &table->results[i];
        if (!r->done) continue;
        if (rows++ == MOST_ROWS) {
            puts("... --out FILE.csv or --json has all rows");
            return;
        }
        for (size_t a = 0; a < table->grid->n_axes; a++) {
            const sweep_axis *axis = &table->grid->axes[a];
            if (axis->param->type == GT_CHOICE)
                printf("%-12s ", axis_text(table, i, a));
            else
                gt_fprintf(stdout, "%-12.6g ", axis->values[gt_sweep_index(table->grid, i, a)]);
        }
        gt_fprintf(stdout, "%-12s %10.5g", gt_status_name(r->report.status), r->report.t);
        for (size_t k = 0; k < states; k++) {
            if (r->has && r->has[k])
                gt_fprintf(stdout, " %12.6g", r->x[k]);
            else
                printf(" %12s", "");
        }
        printf(" %8ld %8ld\n", r->report.stats.steps, r->report.stats.rhs);
    }
}

int gt_sweep_check_plot(const sweep_grid *grid, const char *path, const char *const *inputs)
{
    if (grid->n_axes > 2) return gt_cli_usage("--plot draws sweeps of one or two parameters, not of %zu", grid->n_axes);
    if (grid->axes[0].param->type == GT_CHOICE)
        return gt_cli_usage("--plot needs numbers on its axis, but %s is a choice; sweep a number first",
                            grid->axes[0].param->name);
    return gt_cli_check_plot(path, inputs);
}

/* One curve: column k, or the evaluations of f, over the first axis at value `second` of the second one. Failed runs
 * are gaps: a line across them would say that something is known there. */
static void collect(const sweep_table *table, bool work, size_t k, size_t second, double *x, double *y, size_t *drawn)
{
    const sweep_grid *grid = table->grid;
    size_t of_second = grid->n_axes > 1 ? grid->axes[1].count : 1;
    for (size_t i = 0; i < grid->axes[0].count; i++) {
        const sweep_result *r = &table->results[i * of_second + second];
        bool is_there = r->done && !r->report.status && (work || (r->has && r->has[k] && isfinite(r->x[k])));
        x[i] = grid->axes[0].values[i];
        y[i] = !is_there ? NAN : work ? (double)r->report.stats.rhs : r->x[k];
        *drawn += is_there;
    }
}

int gt_sweep_draw(const sweep_table *table, const char *path, const cli_args *args, gt_arena *arena)
{
    enum { MOST_PANELS = 4, MOST_CURVES = 12, TITLE = 64 };
    const sweep_grid *grid = table->grid;
    const sweep_axis *first = &grid->axes[0], *second = grid->n_axes > 1 ? &grid->axes[1] : NULL;
    bool work = gt_cli_has(args, "work");
    size_t n_panels = work ? 1 : table->columns->count < MOST_PANELS ? table->columns->count : MOST_PANELS;
    size_t of_second = second ? second->count : 1, n_curves = of_second < MOST_CURVES ? of_second : MOST_CURVES;
    double *data = gt_arena_doubles(arena, n_panels * n_curves * 2 * first->count);
    char(*titles)[TITLE] = gt_arena_take(arena, n_curves, sizeof *titles);
    cli_curve *curves = gt_arena_take(arena, n_panels * n_curves, sizeof *curves);
    if (!data || !titles || !curves) return gt_cli_failed("out of memory");
    cli_panel panels[MOST_PANELS];
    size_t drawn = 0;
    for (size_t c = 0; c < n_curves && second; c++) {
        size_t at = n_curves > 1 ? c * (of_second - 1) / (n_curves - 1) : 0;
        if (second->param->type == GT_CHOICE)
            snprintf(titles[c], TITLE, "%s = %s", second->param->name, second->texts[at]);
        else
            gt_format(titles[c], TITLE, "%s = %.4g", second->param->name, second->values[at]);
    }
    for (size_t p = 0; p < n_panels; p++) {
        panels[p] = (cli_panel){.y_label = work ? "evaluations of f" : table->columns->names[p],
                                .x_label = p + 1 == n_panels ? first->param->name : NULL,
                                .log_x = gt_cli_has(args, "log"),
                                .curves = &curves[p * n_curves],
                                .n_curves = n_curves};
        for (size_t c = 0; c < n_curves; c++, data += 2 * first->count) {
            size_t at = n_curves > 1 ? c * (of_second - 1) / (n_curves - 1) : 0;
            collect(table, work, p, at, data, data + first->count, &drawn);
            curves[p * n_curves + c] = (cli_curve){.title = second ? titles[c] : NULL,
                                                   .x = data,
                                                   .y = data + first->count,
                                                   .count = first->count,
                                                   .style = first->count > 60 ? CLI_LINE : CLI_LINE_POINTS};
        }
    }
    if (!drawn) return gt_cli_failed("--plot: no run was successful, so there is nothing to draw");
    char title[256];
    snprintf(title, sizeof title, "%s: %s over %s", table->model->name, work ? "work" : "state at the end",
             first->param->name);
    gt_cli_title_add_set(args, title, sizeof title);
    return gt_cli_plot(&(cli_plot){.path = path, .title = title, .panels = panels, .n_panels = n_panels, .args = args});
}
