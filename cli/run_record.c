/* SPDX-License-Identifier: BSD-3-Clause */
#include "run_parts.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static gt_status pass_on(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    run_filter *filter = self->ctx;
    const gt_plan *plan = filter->plan;
    if ((sample->why & GT_AT_EVENT) && sample->before) return GT_OK;
    /* what an event asks for is written also before the transient is over */
    bool asked = (sample->why & GT_AT_EVENT) && (sample->why & GT_AT_OUTPUT);
    if (sample->t < filter->from && !asked) return GT_OK;
    if (plan->n_times) {
        bool wanted = filter->rows < plan->n_times &&
                      gt_cli_same_time(filter->problem, sample->t, plan->times[filter->rows]);
        if (!wanted) return GT_OK;
    }
    filter->rows++;
    return filter->target->write(filter->target, sample, message);
}

void gt_run_filter(run_filter *filter, gt_sink *target, unsigned wants, const gt_problem *problem,
                   const gt_plan *plan)
{
    *filter = (run_filter){.target = target, .problem = problem, .plan = plan, .from = -INFINITY};
    filter->sink = (gt_sink){.wants = wants, .write = pass_on, .ctx = filter};
}

static gt_status note_events(run_record *record, const gt_sample *sample, gt_message *message)
{
    for (size_t i = 0; i < record->problem->n_roots; i++) {
        if (!sample->fired[i]) continue;
        if (record->n_events == record->room) {
            size_t room = record->room ? 2 * record->room : 16;
            run_event *larger = realloc(record->events, room * sizeof *larger);
            if (!larger)
                return gt_fail(message, GT_NO_MEMORY, "out of memory for more than %zu events",
                               record->room);
            record->events = larger;
            record->room = room;
        }
        record->events[record->n_events++] = (run_event){.t = sample->t, .root = i};
    }
    return GT_OK;
}

/* Is there a break at t? There may be many, and this is asked for every sample. */
static bool is_break(const gt_problem *problem, double t)
{
    size_t low = 0, high = problem->n_breaks;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (problem->breaks[middle] < t)
            low = middle + 1;
        else
            high = middle;
    }
    return low < problem->n_breaks && problem->breaks[low] == t;
}

void gt_run_invariants(const gt_problem *problem, const gt_sample *sample, double *out)
{
    double t = sample->t;
    bool begins = sample->why & (GT_AT_START | GT_AT_BREAK), backward = problem->t1 < problem->t0;
    if (begins == backward && is_break(problem, t))
        t = nextafter(t, -INFINITY); /* the left limit */
    problem->invariants(t, sample->x, out, problem->ctx);
}

static void note_invariants(run_record *record, const gt_sample *sample)
{
    const gt_problem *problem = record->problem;
    gt_run_invariants(problem, sample, record->work);
    for (size_t i = 0; i < problem->n_invariants; i++) {
        if (sample->why & GT_AT_START) record->start[i] = record->work[i];
        if (sample->why & (GT_AT_START | GT_AT_BREAK)) record->base[i] = record->work[i];
        record->end[i] = record->work[i];
        double drift = fabs(record->end[i] - record->base[i]);
        if (!(drift <= record->drift[i])) record->drift[i] = drift;
    }
}

static gt_status record_sample(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    run_record *record = self->ctx;
    if (record->problem->n_invariants) note_invariants(record, sample);
    bool fires = (sample->why & GT_AT_EVENT) && sample->before && sample->fired;
    return fires ? note_events(record, sample, message) : GT_OK;
}

int gt_run_record_init(run_record *record, const gt_problem *problem, gt_arena *arena)
{
    *record = (run_record){.problem = problem};
    record->sink = (gt_sink){.wants = GT_AT_EVENT, .write = record_sample, .ctx = record};
    size_t n = problem->n_invariants;
    if (!n) return CLI_OK;
    record->sink.wants |= GT_AT_START | GT_AT_STEP | GT_AT_BREAK | GT_AT_END;
    record->start = gt_arena_doubles(arena, n);
    record->end = gt_arena_doubles(arena, n);
    record->drift = gt_arena_doubles(arena, n);
    record->base = gt_arena_doubles(arena, n);
    record->work = gt_arena_doubles(arena, n);
    return record->work ? CLI_OK : gt_cli_failed("out of memory");
}

void gt_run_record_free(run_record *record) { free(record->events); }

const char *gt_run_event_name(const gt_problem *problem, size_t root, char buffer[24])
{
    if (problem->root_names && problem->root_names[root]) return problem->root_names[root];
    snprintf(buffer, 24, "root%zu", root + 1);
    return buffer;
}

enum { MOST_ROWS = 1 << 18, MOST_NUMBERS = 1 << 20, FEWEST_ROWS = 1000 };

static size_t most_rows(const run_series *series)
{
    size_t rows = MOST_NUMBERS / (series->n_columns ? series->n_columns : 1);
    return rows > MOST_ROWS ? MOST_ROWS : rows < FEWEST_ROWS ? FEWEST_ROWS : rows;
}

/* Keeps rows 0, 2, 4, .. */
static void thin_out(run_series *series)
{
    size_t n = series->n_columns;
    for (size_t k = 0; 2 * k < series->count; k++) {
        series->t[k] = series->t[2 * k];
        memcpy(series->values + n * k, series->values + 2 * n * k, n * sizeof(double));
    }
    series->count = (series->count + 1) / 2;
    series->every *= 2;
}

static gt_status make_room(run_series *series, gt_message *message)
{
    size_t room = series->room ? 2 * series->room : 1024;
    double *t = realloc(series->t, room * sizeof *t);
    if (t) series->t = t;
    for (size_t k = 0; k < series->n_columns && !series->aux; k++)
        if (series->columns[k] >= gt_problem_size(series->problem) &&
            !(series->aux = malloc(series->problem->n_aux * sizeof *series->aux)))
            return gt_fail(message, GT_NO_MEMORY, "out of memory for auxiliary quantities");
    double *values = realloc(series->values, room * series->n_columns * sizeof *values);
    if (values) series->values = values;
    if (!t || !values)
        return gt_fail(message, GT_NO_MEMORY, "out of memory for %zu points of the solution", room);
    series->room = room;
    return GT_OK;
}

static gt_status add_row(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    run_series *series = self->ctx;
    if (sample->t < series->from) return GT_OK;
    double along = gt_cli_along(series->problem, sample->t);
    series->h_largest = fmax(series->h_largest, fabs(sample->h));
    if ((sample->why & GT_AT_EVENT) && series->skip_events) {
        series->event = along;
        while (series->count &&
               gt_cli_along(series->problem, series->t[series->count - 1]) >= along)
            series->count--;
    }
    if ((sample->why & GT_AT_EVENT) && sample->before) return GT_OK;
    if (series->skip_events && along <= series->event) return GT_OK;
    if (series->seen++ % series->every && !(sample->why & (GT_AT_EVENT | GT_AT_END))) return GT_OK;
    if (series->count >= most_rows(series)) thin_out(series);
    if (series->count == series->room) {
        gt_status status = make_room(series, message);
        if (status) return status;
    }
    series->t[series->count] = sample->t;
    double *row = series->values + series->n_columns * series->count++;
    if (series->aux) series->problem->aux(sample->t, sample->x, series->aux, series->problem->ctx);
    for (size_t k = 0; k < series->n_columns; k++) {
        size_t i = series->columns[k];
        row[k] = i < sample->n ? sample->x[i] : series->aux[i - sample->n];
    }
    return GT_OK;
}

void gt_run_series_init(run_series *series, const gt_problem *problem, const size_t *columns,
                        size_t n_columns)
{
    *series = (run_series){.problem = problem,
                           .from = -INFINITY,
                           .columns = columns,
                           .n_columns = n_columns,
                           .every = 1,
                           .event = -INFINITY};
    series->sink = (gt_sink){.write = add_row, .ctx = series};
    series->sink.wants = GT_AT_START | GT_AT_STEP | GT_AT_OUTPUT | GT_AT_EVENT | GT_AT_END;
}

void gt_run_series_advance(run_series *series)
{
    size_t n = series->n_columns, count = 0;
    for (size_t k = 0; k < series->count; k++) {
        if (count && gt_cli_along(series->problem, series->t[k] - series->t[count - 1]) <= 0)
            continue;
        series->t[count] = series->t[k];
        memmove(series->values + n * count++, series->values + n * k, n * sizeof(double));
    }
    series->count = count;
}

void gt_run_series_free(run_series *series)
{
    free(series->aux);
    free(series->t);
    free(series->values);
}

const size_t *gt_run_all_columns(cli_problem *p)
{
    size_t n = gt_problem_size(&p->problem),
           *columns = gt_arena_take(&p->arena, n, sizeof *columns);
    for (size_t i = 0; columns && i < n; i++) columns[i] = i;
    return columns;
}
