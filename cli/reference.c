/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli.h"
#include <math.h>
#include <string.h>

double gt_cli_distance(size_t n, const double *x, const double *reference)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++) {
        double error = fabs(x[i] - reference[i]) / (1 + fabs(reference[i]));
        if (!(error <= largest)) largest = error;
    }
    return largest;
}

bool gt_cli_same_time(const gt_problem *problem, double t, double wanted)
{
    return fabs(t - wanted) <= 1e-9 * (problem->t1 - problem->t0);
}

gt_status gt_cli_sample(const gt_problem *problem, const gt_method *method, const gt_plan *plan, const double *times,
                        size_t count, double *x, size_t *reached, gt_report *report)
{
    enum { MOST_SINKS = 8 };
    gt_memory_sink memory;
    gt_memory_sink_init(&memory, GT_AT_OUTPUT);
    gt_sink *sinks[MOST_SINKS + 1];
    size_t others = plan->n_sinks < MOST_SINKS ? plan->n_sinks : MOST_SINKS;
    for (size_t i = 0; i < others; i++) sinks[i] = plan->sinks[i];
    sinks[others] = &memory.sink;
    gt_plan own = *plan;
    own.times = times;
    own.n_times = count;
    own.sinks = sinks;
    own.n_sinks = others + 1;
    gt_status status = gt_solve(problem, method, &own, report);
    /* The start, the end and events add points of their own. */
    size_t n = gt_problem_size(problem), k = 0;
    for (size_t j = 0; j < memory.count && k < count; j++)
        if (gt_cli_same_time(problem, memory.t[j], times[k])) memcpy(x + n * k++, memory.x + n * j, n * sizeof *x);
    *reached = k;
    gt_memory_sink_free(&memory);
    return status;
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
    status = gt_cli_sample(problem, method, &plan, times, count, x, reached, &report);
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
