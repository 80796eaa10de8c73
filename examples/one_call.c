/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One call: a fast transient that dies out onto a slow cosine,
 *
 *     x' = -100000 (x - cos t) - sin t,   x(0) = 2,   so x(t) = cos t + exp(-100000 t).
 *
 * Expected: the samples at t = 0, 1, .. 10 lie within 1e-5 of the exact solution, and the implicit
 * method takes fewer steps than an explicit one could, which may not exceed 2.8e-5 in step size for
 * the sake of stability alone.
 */
#include <geartrain/geartrain.h>
#include <math.h>
#include <stdio.h>

static gt_status f(double t, const double *x, double *dx, void *ctx)
{
    const double *rate = ctx;
    dx[0] = -*rate * (x[0] - cos(t)) - sin(t);
    return GT_OK;
}

int main(void)
{
    const double x0 = 2;
    double rate = 1e5;
    gt_problem problem = {.n_slow = 1, .rhs = f, .t1 = 10, .x0 = &x0, .ctx = &rate};

    gt_memory_sink samples;
    gt_memory_sink_init(&samples, GT_AT_OUTPUT);
    gt_sink *const sinks[] = {&samples.sink};
    gt_plan plan = {.rtol = 1e-6, .every = 1, .sinks = sinks, .n_sinks = 1};

    gt_report report;
    if (gt_solve(&problem, gt_method_find("trapezoidal"), &plan, &report) != GT_OK) {
        fprintf(stderr, "one_call: %s\n", report.message.text);
        return 1;
    }
    double worst = 0;
    for (size_t i = 0; i < samples.count; i++) {
        double t = samples.t[i], exact = cos(t) + exp(-rate * t);
        printf("t = %4.1f   x = %12.9f   error %8.1e\n", t, samples.x[i], samples.x[i] - exact);
        worst = fmax(worst, fabs(samples.x[i] - exact));
    }
    size_t count = samples.count;
    gt_memory_sink_free(&samples);

    long explicit_steps = (long)(10 * rate / 2.8);
    printf("%ld steps; for stability alone an explicit method needs %ld\n", report.stats.steps,
           explicit_steps);
    return count == 11 && worst < 1e-5 && report.stats.steps < explicit_steps ? 0 : 1;
}
