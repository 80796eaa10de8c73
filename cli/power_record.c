/* SPDX-License-Identifier: BSD-3-Clause */
/* What a run of `power` shows over time: a CSV file as it goes, rows in memory for a figure, the largest angle. */
#include "power_parts.h"
#include <stdlib.h>
#include <string.h>

static const double DEGREES = 57.29577951308232;

void gt_power_column_name(const power_record *r, size_t column, char buffer[48])
{
    char machine[24];
    size_t m = r->machines, n = r->buses;
    if (column < 2 * m)
        snprintf(buffer, 48, "%s_%s", column < m ? "delta" : "omega",
                 gt_power_machine_name(r->job, column % m, machine));
    else
        snprintf(buffer, 48, "%s_%d", column < 2 * m + n ? "V" : "theta", r->job->c.bus[(column - 2 * m) % n].number);
}

static gt_status keep_row(power_record *r)
{
    size_t width = 1 + r->columns;
    if (r->count == r->room) {
        size_t room = r->room ? 2 * r->room : 1024;
        double *larger = realloc(r->rows, room * width * sizeof *larger);
        if (!larger) return GT_NO_MEMORY;
        r->rows = larger;
        r->room = room;
    }
    memcpy(r->rows + r->count++ * width, r->row, width * sizeof *r->row);
    return GT_OK;
}

static void write_row(const power_record *r)
{
    gt_fprintf(r->csv.stream, "%.17g", r->row[0]);
    for (size_t k = 0; k < r->columns; k++)
        if (!r->wanted || r->wanted[k]) gt_fprintf(r->csv.stream, ",%.17g", r->row[k + 1]);
    fputc('\n', r->csv.stream);
}

static gt_status record(gt_sink *sink, const gt_sample *sample, gt_message *message)
{
    power_record *r = sink->ctx;
    const gt_power_system *s = r->job->system;
    if ((sample->why & GT_AT_EVENT) && sample->before) return GT_OK; /* it was the end of a step as well */
    double *delta = r->row + 1, *omega = delta + r->machines, *v = omega + r->machines, *angle = v + r->buses;
    double t = gt_power_sample_time(sample);
    bool network = r->keep || r->writes;
    r->row[0] = sample->t;
    gt_power_view(s, t, sample->x, delta, omega, network ? v : NULL, network ? angle : NULL);
    double apart = gt_power_spread(s, t, delta);
    if (apart > r->most_apart) r->most_apart = apart, r->t_apart = sample->t;
    if (!network) return GT_OK;
    for (size_t k = 0; k < r->machines; k++) delta[k] *= DEGREES;
    for (size_t i = 0; i < r->buses; i++) angle[i] *= DEGREES;
    if (r->writes) write_row(r);
    if (r->keep && keep_row(r)) return gt_fail(message, GT_NO_MEMORY, "there is no memory for the figure");
    return GT_OK;
}

int gt_power_record_init(power_record *r, power_job *job, unsigned wants, bool keep)
{
    *r = (power_record){.job = job, .machines = gt_power_machines(job->system), .buses = job->c.n_bus, .keep = keep};
    r->columns = 2 * (r->machines + r->buses);
    r->row = gt_arena_doubles(&job->p.arena, 1 + r->columns);
    r->sink = (gt_sink){.wants = wants, .write = record, .ctx = r};
    return r->row ? CLI_OK : gt_cli_failed("out of memory");
}

void gt_power_record_free(power_record *r) { free(r->rows); }

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
            return gt_cli_usage("--vars: there is no column '%s'; columns are delta_M and omega_M of machines, V_B and "
                                "theta_B of buses, or delta, omega, V, theta for all",
                                words[w]);
    }
    r->wanted = wanted;
    return CLI_OK;
}

int gt_power_record_csv(power_record *r, const char *path, const char *vars)
{
    char name[48];
    int code = vars ? choose_columns(r, vars) : CLI_OK;
    if (!code) code = gt_cli_file_open(&r->csv, path);
    if (code) return code;
    r->writes = true;
    fputc('t', r->csv.stream);
    for (size_t k = 0; k < r->columns; k++) {
        if (r->wanted && !r->wanted[k]) continue;
        gt_power_column_name(r, k, name);
        fprintf(r->csv.stream, ",%s", name);
    }
    fputc('\n', r->csv.stream);
    return CLI_OK;
}
