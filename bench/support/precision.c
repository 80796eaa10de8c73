/* SPDX-License-Identifier: BSD-3-Clause */
/* Work-precision curves: ratios at equal error, and a figure for each problem. */
#include "bench.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One string of letters, digits and signs that gnuplot's enhanced text leaves alone. */
static void plain(const char *text, char *out, size_t size)
{
    size_t k = 0;
    for (; *text && k + 1 < size; text++)
        out[k++] = *text == '"' || *text == '\\' || *text == '_' || *text == '^' || *text == '@'
                       ? ' '
                       : *text;
    out[k] = 0;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Work over error as a monotone curve: where a tighter tolerance gave a larger error, by luck of
 * the looser one, both are put in order. Returns how many points it has. */
static size_t put_in_order(const bench_curve *of, const double *work, double *errors, double *works)
{
    size_t count = 0;
    for (int k = 0; k < of->points; k++) {
        if (!(of->error[k] > 0)) continue; /* failed, or nothing to compare */
        errors[count] = -of->error[k];
        works[count++] = work[k];
    }
    qsort(errors, count, sizeof *errors, ascending);
    qsort(works, count, sizeof *works, ascending);
    for (size_t i = 0; i < count; i++) errors[i] = -errors[i];
    return count;
}

static double mean_ratio(const bench_curve *ours, const double *our_work, const bench_curve *peer,
                         const double *peer_work, double *middle)
{
    enum { SAMPLES = 33 };
    double e[2][BENCH_POINTS], w[2][BENCH_POINTS], sum = 0;
    size_t a = put_in_order(ours, our_work, e[0], w[0]),
           b = put_in_order(peer, peer_work, e[1], w[1]);
    *middle = NAN;
    if (a < 2 || b < 2) return NAN;
    double high = fmin(e[0][0], e[1][0]), low = fmax(e[0][a - 1], e[1][b - 1]);
    if (!(high > low)) return NAN;
    *middle = sqrt(high * low);
    for (int i = 0; i < SAMPLES; i++) {
        double error = high * pow(low / high, i / (SAMPLES - 1.0));
        sum += log(bench_time_at(e[1], w[1], b, error) / bench_time_at(e[0], w[0], a, error));
    }
    return exp(sum / SAMPLES);
}

bench_ratio bench_at_equal_error(const bench_curve *ours, const bench_curve *peer)
{
    bench_ratio r;
    r.calls = mean_ratio(ours, ours->calls, peer, peer->calls, &r.error);
    r.time = mean_ratio(ours, ours->time, peer, peer->time, &r.error);
    return r;
}

double bench_work_at(const bench_curve *curve, const double *work, double error)
{
    double e[BENCH_POINTS], w[BENCH_POINTS];
    size_t count = put_in_order(curve, work, e, w);
    if (count < 2 || e[count - 1] > error) return NAN;
    return e[0] <= error ? w[0] : bench_time_at(e, w, count, error);
}

double *bench_reference(const bench_solver *solver, const bench_problem *problem, double t1,
                        double h, double tol)
{
    double *x = malloc(gt_problem_size(&problem->gt) * sizeof *x);
    bench_require(x != NULL, "out of memory for a reference");
    bench_task task = {.problem = problem,
                       .t1 = t1,
                       .h = h,
                       .tol = tol,
                       .atol = tol * 0.1,
                       .x = x,
                       .most_steps = 100000000};
    void *handle = solver->open(solver, &task);
    solver->run(handle);
    solver->close(handle);
    bench_require(!task.failed, "there is no reference");
    return x;
}

void bench_figure(const char *area, const char *problem, const bench_curve *curves, size_t count)
{
    char path[512], text[128];
    size_t longest = 0;
    for (size_t i = 0; i < count; i++)
        longest = strlen(curves[i].label) > longest ? strlen(curves[i].label) : longest;
    snprintf(path, sizeof path, "%s/%s-%s.svg", BENCH_FIGURES, area, problem);
    FILE *gnuplot = popen("gnuplot", "w");
    if (!gnuplot) return;
    plain(problem, text, sizeof text);
    fprintf(
        gnuplot,
        "load '%s'\nset terminal svg size %zu,%zu font 'DejaVu Sans,13' background '#ffffff'\nset "
        "output '%s'\n"
        "set logscale xy\nset format x '10^{%%L}'\nset format y '10^{%%L}'\nset xlabel 'error'\n"
        "set ylabel 'time, s'\nset title \"%s\"\nset rmargin %zu\nset key maxrows %zu\nset xrange "
        "[*:*] reverse\n",
        BENCH_STYLE, 590 + 9 * longest, count > 11 ? 140 + 31 * count : 480, path, text,
        longest + 6, count);
    for (size_t i = 0; i < count; i++) {
        fprintf(gnuplot, "$c%zu << E\n", i);
        for (int k = 0; k < curves[i].points; k++)
            if (curves[i].error[k] > 0)
                fprintf(gnuplot, "%.6e %.6e\n", curves[i].error[k], curves[i].time[k]);
        fprintf(gnuplot, "E\n");
    }
    fprintf(gnuplot, "plot ");
    const char *between = "";
    for (size_t i = 0; i < count; i++) {
        int some = 0;
        for (int k = 0; k < curves[i].points; k++) some |= curves[i].error[k] > 0;
        if (!some) continue;
        plain(curves[i].label, text, sizeof text);
        fprintf(gnuplot, "%s$c%zu using 1:2 with linespoints linetype %zu title \"%s\"", between, i,
                i + 1, text);
        between = ", ";
    }
    fprintf(gnuplot, "\n");
    if (pclose(gnuplot) != 0) fprintf(stderr, "bench: gnuplot did not draw %s\n", path);
}
