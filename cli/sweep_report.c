/* SPDX-License-Identifier: BSD-3-Clause */
/* What is reported of the runs of a sweep: as CSV, JSON, a short table, a figure. */
#include "report_parts.h"
#include "sweep_parts.h"
#include <math.h>

/* Run i of the table. */
static const sweep_result *result_of(const void *data)
{
    const report_item *item = data;
    return &((const sweep_table *)item->of)->results[item->i];
}

static bool each_parameter(const void *data, size_t i, report_value *out)
{
    const report_item *item = data;
    const sweep_grid *grid = ((const sweep_table *)item->of)->grid;
    if (i >= grid->n_axes) return false;
    const sweep_axis *axis = &grid->axes[i];
    size_t k = gt_sweep_index(grid, item->i, i);
    out->name = axis->param->name;
    out->text = axis->texts[k];
    out->number = axis->values[k];
    out->integer = (long)axis->values[k];
    out->type = axis->param->type == GT_CHOICE    ? REPORT_STRING
                : axis->param->type == GT_INTEGER ? REPORT_LONG
                                                  : REPORT_NUMBER;
    return true;
}

/* In CSV as it was written: a value that --set reads again. */
static bool each_parameter_text(const void *data, size_t i, report_value *out)
{
    bool there = each_parameter(data, i, out);
    out->type = REPORT_STRING;
    return there;
}

static void get_method(const void *data, report_value *out) { out->text = result_of(data)->method; }

static void get_report(const void *data, report_value *out)
{
    out->data = &result_of(data)->report;
}

static void get_stats(const void *data, report_value *out)
{
    out->data = &result_of(data)->report.stats;
}

static bool each_state(const void *data, size_t i, report_value *out)
{
    const report_item *item = data;
    const sweep_columns *columns = ((const sweep_table *)item->of)->columns;
    const sweep_result *r = result_of(data);
    if (i >= columns->count) return false;
    out->name = columns->names[i];
    out->absent = !r->has || !r->has[i];
    if (!out->absent) out->number = r->x[i];
    return true;
}

enum { MOST_ROWS = 40, MOST_STATES = 4 };

/* In the table a row that is not to be trusted says so where the eye looks. */
static void say_status(const void *data, report_text *out)
{
    const gt_report *report = data;
    int count = report->warnings.count;
    gt_report_say(out, "%s", gt_status_name(report->status));
    if (count) gt_report_say(out, ", %d warning%s", count, count == 1 ? "" : "s");
}

static const report_field ending_fields[] = {
    /* of a gt_report */
    REPORT_KEY("status", "\"ok\", or the name of what went wrong",
               REPORT_AS(STATUS, gt_report, status), .label = "status", .say = say_status),
    REPORT_KEY("message", "what went wrong", REPORT_AT(gt_report, message)),
    REPORT_KEY("warnings", "why the result is not reliable as it is",
               REPORT_OWN_ARRAY(gt_report, warnings.list, warnings.count), .entry = REPORT_CHARS),
    REPORT_KEY("t", "where the run ended", REPORT_AT(gt_report, t), .label = "t", .format = "%.5g"),
    {.type = REPORT_END},
};

static const report_field text_counters[] = {
    {.label = "steps", REPORT_AT(gt_stats, steps)},
    {.label = "rhs", REPORT_AT(gt_stats, rhs)},
    {.type = REPORT_END},
};

static const report_field row_fields[] = {
    REPORT_KEY("parameters", "those that are swept, by name", .type = REPORT_MAP,
               .each = each_parameter, .entry = REPORT_ANY, .label = ""),
    REPORT_KEY("method", "its name", .type = REPORT_STRING, .get = get_method),
    {.type = REPORT_INLINE, .get = get_report, .of = ending_fields},
    REPORT_KEY("x", "the states there, by name", .type = REPORT_MAP, .each = each_state,
               .entry = REPORT_NUMBER, .label = "", .most = MOST_STATES),
    REPORT_KEY("stats", "the work", .type = REPORT_OBJECT, .get = get_stats, .of = gt_report_stats),
    {.type = REPORT_INLINE, .get = get_stats, .of = text_counters},
    {.type = REPORT_END},
};

static bool each_run(const void *data, size_t i, report_value *out)
{
    const sweep_table *table = data;
    if (i >= table->grid->count) return false;
    out->absent = !sweep_has(&table->part, i) || !table->results[i].done;
    return true;
}

const report_field gt_sweep_fields[] = {
    REPORT_KEY("model", "its name", REPORT_VIA(sweep_table, model, gt_model, name)),
    REPORT_KEY("rows", "a run each, in the order of the grid", .type = REPORT_LIST,
               .each = each_run, .of = row_fields, .label = "", .most = MOST_ROWS),
    {.type = REPORT_END},
};

/* ---- CSV ---- */

static const report_field csv_ending[] = {
    {.key = "status", REPORT_AS(STATUS, gt_report, status)},
    {.key = "t", REPORT_AT(gt_report, t)},
    {.type = REPORT_END},
};

static const report_field csv_counters[] = {
    {.key = "steps", REPORT_AT(gt_stats, steps)},
    {.key = "rejected", REPORT_AT(gt_stats, rejected)},
    {.key = "rhs", REPORT_AT(gt_stats, rhs)},
    {.key = "rhs_slow", REPORT_AT(gt_stats, rhs_slow)},
    {.key = "rhs_fast", REPORT_AT(gt_stats, rhs_fast)},
    {.key = "rhs_alg", REPORT_AT(gt_stats, rhs_alg)},
    {.type = REPORT_END},
};

static const report_field csv_warnings[] = {
    {.key = "warnings", REPORT_AT(gt_report, warnings.count)},
    {.type = REPORT_END},
};

static const report_field csv_fields[] = {
    {.type = REPORT_MAP, .each = each_parameter_text, .entry = REPORT_STRING},
    {.type = REPORT_INLINE, .get = get_report, .of = csv_ending},
    {.type = REPORT_MAP, .each = each_state, .entry = REPORT_NUMBER},
    {.type = REPORT_INLINE, .get = get_stats, .of = csv_counters},
    {.key = "method", .type = REPORT_STRING, .get = get_method},
    {.type = REPORT_INLINE, .get = get_report, .of = csv_warnings},
    {.type = REPORT_END},
};

int gt_sweep_write_csv(const sweep_table *table, const char *path, bool complete)
{
    cli_file file;
    int code = gt_cli_file_open(&file, path);
    if (code) return code;
    report_item run = {.of = table};
    if (table->part.n > 1)
        gt_sweep_head_part(file.stream, &table->part, table->grid->count, table->identity);
    gt_report_csv_head(file.stream, csv_fields, &run);
    for (; run.i < table->grid->count; run.i++)
        if (sweep_has(&table->part, run.i) && table->results[run.i].done)
            gt_report_csv_row(file.stream, csv_fields, &run);
    return gt_cli_file_close(&file, complete);
}

/* ---- the figure ---- */

int gt_sweep_check_plot(const sweep_grid *grid, const char *path, const char *const *inputs)
{
    if (grid->n_axes > 2)
        return gt_cli_usage("--plot draws sweeps of one or two parameters, not of %zu",
                            grid->n_axes);
    if (grid->axes[0].param->type == GT_CHOICE)
        return gt_cli_usage(
            "--plot needs numbers on its axis, but %s is a choice; sweep a number first",
            grid->axes[0].param->name);
    return gt_cli_check_plot(path, inputs);
}

/* One curve: column k, or the evaluations of f, over the first axis at value `second` of the second
 * one. Failed runs are gaps: a line across them would say that something is known there. */
static void collect(const sweep_table *table, bool work, size_t k, size_t second, double *x,
                    double *y, size_t *drawn)
{
    const sweep_grid *grid = table->grid;
    size_t of_second = grid->n_axes > 1 ? grid->axes[1].count : 1;
    for (size_t i = 0; i < grid->axes[0].count; i++) {
        const sweep_result *r = &table->results[i * of_second + second];
        bool is_there =
            r->done && !r->report.status && (work || (r->has && r->has[k] && isfinite(r->x[k])));
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
    bool work = gt_cli_has(&sweep_own(args)->work);
    size_t n_panels = work                                  ? 1
                      : table->columns->count < MOST_PANELS ? table->columns->count
                                                            : MOST_PANELS;
    size_t of_second = second ? second->count : 1,
           n_curves = of_second < MOST_CURVES ? of_second : MOST_CURVES;
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
                                .log_x = gt_cli_has(&args->flags.log),
                                .curves = &curves[p * n_curves],
                                .n_curves = n_curves};
        for (size_t c = 0; c < n_curves; c++, data += 2 * first->count) {
            size_t at = n_curves > 1 ? c * (of_second - 1) / (n_curves - 1) : 0;
            collect(table, work, p, at, data, data + first->count, &drawn);
            curves[p * n_curves + c] =
                (cli_curve){.title = second ? titles[c] : NULL,
                            .x = data,
                            .y = data + first->count,
                            .count = first->count,
                            .style = first->count > 60 ? CLI_LINE : CLI_LINE_POINTS};
        }
    }
    if (!drawn) return gt_cli_failed("--plot: no run was successful, so there is nothing to draw");
    char title[256];
    snprintf(title, sizeof title, "%s: %s over %s", table->model->name,
             work ? "work" : "state at the end", first->param->name);
    gt_cli_title_add_set(args, title, sizeof title);
    return gt_cli_plot(&(cli_plot){
        .path = path, .title = title, .panels = panels, .n_panels = n_panels, .args = args});
}
