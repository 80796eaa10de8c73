/* SPDX-License-Identifier: BSD-3-Clause */
/* What a run of `power` shows over time: a CSV file as it goes, rows in memory for a figure, the
 * largest angle. */
#include "power_parts.h"
#include <assert.h>
#include <string.h>

static const double DEGREES = 180 / GT_PI;

void gt_power_column_name(const power_record *r, size_t column, char buffer[48])
{
    char machine[24];
    size_t m = r->machines, n = r->buses;
    assert(m > 0 && n > 0);
    if (column < 2 * m)
        snprintf(buffer, 48, "%s_%s", column < m ? "delta" : "omega",
                 gt_power_machine_name(r->job, column % m, machine));
    else
        snprintf(buffer, 48, "%s_%d", column < 2 * m + n ? "V" : "theta",
                 r->job->c.bus[(column - 2 * m) % n].number);
}

static void write_row(const power_record *r)
{
    gt_fprintf(r->csv.stream, "%.17g", r->row[0]);
    for (size_t k = 0; k < r->columns; k++)
        if (!r->wanted || r->wanted[k]) gt_fprintf(r->csv.stream, ",%.17g", r->row[k + 1]);
    fputc('\n', r->csv.stream);
}

/* The row of a sample; false: it was the end of a step as well. */
static bool fill_row(power_record *r, const gt_sample *sample)
{
    if ((sample->why & GT_AT_EVENT) && sample->before) return false;
    double *delta = r->row + 1, *omega = delta + r->machines, *v = omega + r->machines,
           *angle = v + r->buses;
    r->row[0] = sample->t;
    gt_power_view(r->job->system, gt_power_sample_time(sample), sample->x, delta, omega, v, angle);
    for (size_t k = 0; k < r->machines; k++) delta[k] *= DEGREES;
    for (size_t i = 0; i < r->buses; i++) angle[i] *= DEGREES;
    return true;
}

static gt_status to_file(gt_sink *sink, const gt_sample *sample, gt_message *message)
{
    (void)message;
    if (fill_row(sink->ctx, sample)) write_row(sink->ctx);
    return GT_OK;
}

static gt_status to_figure(gt_sink *sink, const gt_sample *sample, gt_message *message)
{
    power_record *r = sink->ctx;
    gt_status status = GT_OK;
    if (fill_row(r, sample)) status = gt_figure_rows_add(&r->rows, r->row[0], r->row + 1);
    if (!status && r->rows.count > gt_figure_rows_most(&r->rows))
        status = gt_figure_rows_thin(&r->rows, 0, r->job->setup.t1, false, false);
    return status ? gt_fail(message, status, "out of memory for the figure") : GT_OK;
}

/* Every step and the dense output inside: whether machines stay together must not hang on the rows
 * that are written. */
static gt_status watch_angles(gt_sink *sink, const gt_sample *sample, gt_message *message)
{
    (void)message;
    power_record *r = sink->ctx;
    double t = gt_power_sample_time(sample), *delta = r->row + 1;
    gt_power_view(r->job->system, t, sample->x, delta, delta + r->machines, NULL, NULL);
    double apart = gt_power_spread(r->job->system, t, delta);
    if (apart > r->most_apart) r->most_apart = apart, r->t_apart = sample->t;
    return GT_OK;
}

static gt_sink *add_sink(power_record *r,
                         gt_status (*write)(gt_sink *, const gt_sample *, gt_message *),
                         double points)
{
    gt_sink *sink = &r->sinks[r->n_sinks++];
    *sink = (gt_sink){.write = write, .ctx = r};
    sink->wants = GT_AT_START | GT_AT_STEP | GT_AT_DENSE | GT_AT_EVENT | GT_AT_BREAK | GT_AT_END;
    sink->spacing = r->job->p.problem.t1 / points;
    return sink;
}

int gt_power_record_init(power_record *r, power_job *job)
{
    enum { LOOKS = 500 }; /* at the angles, besides the steps */
    *r = (power_record){
        .job = job, .machines = gt_power_machines(job->system), .buses = job->c.n_bus};
    r->columns = r->rows.n_columns = 2 * (r->machines + r->buses);
    r->row = gt_arena_doubles(&job->p.arena, 1 + r->columns);
    add_sink(r, watch_angles, LOOKS);
    return r->row ? CLI_OK : gt_cli_failed("out of memory");
}

void gt_power_record_figure(power_record *r) { add_sink(r, to_figure, FIGURE_POINTS); }

void gt_power_record_free(power_record *r) { gt_figure_rows_free(&r->rows); }

/* Columns that `words` name: V_5 is one, V is all that begin with V_. */
static int choose_columns(power_record *r, const char *vars)
{
    char **words, name[48];
    size_t count;
    gt_arena *arena = &((power_job *)r->job)->p.arena;
    bool *wanted = gt_arena_take(arena, r->columns, sizeof *wanted);
    int code = gt_cli_read_words("--vars", vars, arena, &words, &count);
    if (code) return code;
    if (!wanted) return gt_cli_failed("out of memory");
    for (size_t w = 0; w < count; w++) {
        bool any = false;
        size_t length = strlen(words[w]);
        for (size_t k = 0; k < r->columns; k++) {
            gt_power_column_name(r, k, name);
            if (strncmp(name, words[w], length) || (name[length] && name[length] != '_')) continue;
            wanted[k] = any = true;
        }
        if (!any)
            return gt_cli_usage("--vars: there is no column '%s'; columns are delta_M and omega_M "
                                "of machines, V_B and "
                                "theta_B of buses, or delta, omega, V, theta for all",
                                words[w]);
    }
    r->wanted = wanted;
    return CLI_OK;
}

int gt_power_record_csv(power_record *r, const char *path, const char *vars, unsigned wants)
{
    char name[48];
    int code = vars ? choose_columns(r, vars) : CLI_OK;
    if (!code) code = gt_cli_file_open(&r->csv, path);
    if (code) return code;
    r->writes = true;
    *add_sink(r, to_file, 1) = (gt_sink){.wants = wants, .write = to_file, .ctx = r};
    fputc('t', r->csv.stream);
    for (size_t k = 0; k < r->columns; k++) {
        if (r->wanted && !r->wanted[k]) continue;
        gt_power_column_name(r, k, name);
        fprintf(r->csv.stream, ",%s", name);
    }
    fputc('\n', r->csv.stream);
    return CLI_OK;
}
