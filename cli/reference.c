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

static int tight_run(const gt_problem *problem, const double *times, size_t count, double *x, size_t *reached)
{
    const gt_method *method;
    gt_plan plan = {0};
    gt_message message = {""};
    gt_status status = gt_choose_reference(problem, &method, &plan, &message);
    if (status) return gt_cli_complain(status, &message);
    gt_memory_sink memory;
    gt_memory_sink_init(&memory, GT_AT_OUTPUT);
    gt_sink *const sinks[] = {&memory.sink};
    plan.times = times;
    plan.n_times = count;
    plan.sinks = sinks;
    plan.n_sinks = 1;
    gt_cli_catch_interrupt(&plan);
    gt_report report;
    status = gt_solve(problem, method, &plan, &report);
    /* An event may add points of its own. */
    size_t n = gt_problem_size(problem), k = 0;
    for (size_t j = 0; j < memory.count && k < count; j++)
        if (memory.t[j] == times[k]) memcpy(x + n * k++, memory.x + n * j, n * sizeof *x);
    *reached = k;
    gt_memory_sink_free(&memory);
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
