/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli.h"
#include <float.h>
#include <math.h>
#include <string.h>

void gt_cli_error_add(cli_error *error, size_t n, double t, const double *x, const double *reference)
{
    size_t worst = 0;
    error->final = 0;
    for (size_t i = 0; i < n; i++) {
        double own = fabs(x[i] - reference[i]) / (1 + fabs(reference[i]));
        if (own <= error->final || isnan(error->final)) continue; /* NaN is the largest of all */
        error->final = own;
        worst = i;
    }
    bool largest = !isnan(error->max) && !(error->final <= error->max);
    if (!error->points++ || largest) {
        error->max = error->final;
        error->t_max = t;
        error->component = worst;
    }
}

bool gt_cli_same_time(const gt_problem *problem, double t, double wanted)
{
    return fabs(t - wanted) <= 1e-9 * (problem->t1 - problem->t0);
}

/* Copies samples to the rows of the times asked for. */
typedef struct collector {
    gt_sink sink;
    const double *times;
    size_t count, reached;
    double *x;
} collector;

/* The integrator gives a sample for every time, in order; one that ends a step may be off by round-off, and may then
 * stand for two times. */
static gt_status collect(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    (void)message;
    collector *c = self->ctx;
    double there = sample->t + 1e-9 * fabs(sample->h) + 8 * DBL_EPSILON * fabs(sample->t);
    while (c->reached < c->count && c->times[c->reached] <= there)
        memcpy(c->x + sample->n * c->reached++, sample->x, sample->n * sizeof *sample->x);
    return GT_OK;
}

static gt_status sample_at(const gt_problem *problem, const gt_method *method, gt_plan *plan, collector *c,
                           gt_report *report)
{
    gt_sink *sinks[] = {&c->sink};
    c->sink = (gt_sink){.wants = GT_AT_OUTPUT, .write = collect, .ctx = c};
    plan->times = c->times;
    plan->n_times = c->count;
    plan->sinks = sinks;
    plan->n_sinks = 1;
    return gt_solve(problem, method, plan, report);
}

static int tight_run(const gt_problem *problem, const double *times, size_t count, double *x, size_t *reached)
{
    const gt_method *method;
    gt_plan plan = {0};
    gt_message message = {""};
    gt_report report;
    gt_status status = gt_choose_reference(problem, &method, &plan, &message);
    if (status) return gt_cli_complain(status, &message);
    gt_cli_catch_interrupt(&plan);
    collector c = {.times = times, .count = count, .x = x};
    status = sample_at(problem, method, &plan, &c, &report);
    *reached = c.reached;
    if (!status) return CLI_OK;
    gt_cli_note("the tight run (%s) that was to be the reference failed", method->name);
    return gt_cli_complain(status, &report.message);
}

int gt_cli_reference(const gt_problem *problem, const double *times, size_t count, gt_arena *arena, double **x,
                     size_t *reached)
{
    size_t n = gt_problem_size(problem);
    *x = gt_arena_doubles(arena, n * count);
    if (!*x) return gt_cli_failed("out of memory for %zu reference points", count);
    if (!problem->exact) return tight_run(problem, times, count, *x, reached);
    for (size_t k = 0; k < count; k++) problem->exact(times[k], *x + n * k, problem->ctx);
    *reached = count;
    return CLI_OK;
}
