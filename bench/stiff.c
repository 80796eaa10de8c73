/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Area "stiff": `gear`, `rodas4`, `rodas5` and `radau` beside CVODE, GSL's msbdf, LSODA, RADAU5,
 * ARKODE's DIRK, and IDA, over tolerances from 1e-2 to 1e-10. stiff [PROBLEM...]    only these;
 * results.json is left alone then
 */
#include "../tests/stiff_reference.h"
#include "bench.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 9, MOST = 10 }; /* tolerances 1e-2 .. 1e-10; solvers */

static const char area[] = "stiff";

typedef struct stiff_case {
    const char *title, *model, *params;
    double t1;
    double size; /* errors count as |x - reference| / (size + |reference|), and atol = size rtol */
    int points, repeats;
    long most_steps;
    const bench_solver *solvers[MOST]; /* ours first, then the one of SUNDIALS that is its like */
} stiff_case;

#define ODE_SOLVERS                                                                                \
    {                                                                                              \
        &bench_own_gear, &bench_cvode_bdf, &bench_gsl_msbdf, &bench_own_rodas4, &bench_own_rodas5, \
            &bench_own_radau, &bench_boost_rosenbrock, &bench_lsoda, &bench_radau5,                \
            &bench_arkode_dirk                                                                     \
    }
#define DAE_SOLVERS                                                                                \
    {                                                                                              \
        &bench_own_gear, &bench_ida_bdf, &bench_own_rodas5, &bench_own_radau                       \
    }
/* Oscillations, on which the other peers would take minutes. */
#define OSC_SOLVERS                                                                                \
    {                                                                                              \
        &bench_own_gear, &bench_cvode_bdf                                                          \
    }

static const stiff_case cases[] = {
    {"robertson", "robertson", "", 1e11, 1e-15, POINTS, 7, 0, ODE_SOLVERS},
    {"hires", "hires", "", 321.8122, 1e-4, POINTS, 7, 0, ODE_SOLVERS},
    {"orego", "orego", "", 360, 1, POINTS, 7, 0, ODE_SOLVERS},
    {"vanderpol", "vanderpol", "mu=1000", 2000, 1e-3, POINTS, 7, 0, ODE_SOLVERS},
    {"pollution", "pollution", "", 60, 1e-7, POINTS, 7, 0, ODE_SOLVERS},
    {"e5", "e5", "", 1e5, 1e-14, POINTS, 7, 0, ODE_SOLVERS},
    {"robertson-dae", "robertson", "form=dae", 1e11, 1e-15, POINTS, 7, 0, DAE_SOLVERS},
    {"chemakzo", "chemakzo", "", 180, 1e-4, POINTS, 7, 0, DAE_SOLVERS},
    {"transistor", "transistor", "", 0.2, 1, POINTS, 7, 0, DAE_SOLVERS},
    {"ring", "ring", "", 1e-3, 1, POINTS, 1, 2000000, OSC_SOLVERS},
    {"beam", "beam", "", 5, 1, POINTS, 1, 2000000, OSC_SOLVERS},
    {"pleiades", "pleiades", "", 3, 1, POINTS, 5, 0, ODE_SOLVERS},
};
enum { N_CASES = sizeof cases / sizeof *cases };

/* What one solver did at each tolerance. */
typedef struct curve {
    bench_curve work;
    double median[POINTS];
    long steps[POINTS], jacobians[POINTS], factorizations[POINTS];
    int failures;
    size_t n;
    double around; /* ours only: error over that of its like near 1e-4, 1e-6 and 1e-8, the largest
                      of three means */
} curve;

static const char *name_of(const bench_solver *s)
{
    return s == &bench_own_rodas4   ? "geartrain rodas4"
           : s == &bench_own_rodas5 ? "geartrain rodas5"
           : s == &bench_own_radau  ? "geartrain radau"
                                    : s->peer;
}

static double tolerance(int k) { return pow(10, -2 - k); }

/* A reference that the tests have, or a run of CVODE that is tighter than all others. */
static double *reference_of(const stiff_case *c, const bench_problem *p)
{
    static const double vanderpol[] = {1.706167732170483,
                                       -8.928097010247975e-04}; /* Test Set for IVP Solvers */
    size_t n = gt_problem_size(&p->gt);
    const double *values = strcmp(c->model, "vanderpol") == 0 ? vanderpol : NULL;
    for (int i = 0; i < N_STIFF_REFERENCES; i++) {
        const stiff_reference *r = &stiff_references[i];
        if (strcmp(r->model, c->model) == 0 && strcmp(r->params, c->params) == 0 &&
            r->t_end == c->t1)
            values = r->values;
    }
    double *out = malloc(n * sizeof *out);
    bench_require(out != NULL, "out of memory for a reference");
    if (values) {
        memcpy(out, values, n * sizeof *out);
        return out;
    }
    double tol = 1e-2 * tolerance(c->points - 1);
    bench_task task = {.problem = p, .t1 = c->t1, .tol = tol, .atol = tol * c->size, .x = out};
    void *handle = bench_cvode_bdf.open(&bench_cvode_bdf, &task);
    bench_cvode_bdf.run(handle);
    bench_cvode_bdf.close(handle);
    bench_require(!task.failed, "CVODE: no reference");
    return out;
}

static double error_of(const bench_task *task, const double *reference, double size)
{
    double most = 0;
    for (size_t i = 0; i < gt_problem_size(&task->problem->gt); i++) {
        double e = fabs(task->x[i] - reference[i]) / (size + fabs(reference[i]));
        if (!(e <= most)) most = e;
    }
    return most;
}

/* The error at the end; NaN: the run failed. */
static double error_of_run(const bench_solver *solver, bench_task task, const double *reference,
                           double size)
{
    task.x = malloc(gt_problem_size(&task.problem->gt) * sizeof(double));
    bench_require(task.x != NULL, "out of memory for the end of a run");
    void *handle = solver->open(solver, &task);
    solver->run(handle);
    solver->close(handle);
    double error = task.failed ? NAN : error_of(&task, reference, size);
    free(task.x);
    return error;
}

/* Errors at one end point scatter by a factor of several from one tolerance to the next. So this is
 * the mean of our error over that of its like, in logarithms, at a tolerance and at twice and half
 * of it. */
static double error_ratio_around(const stiff_case *c, const bench_problem *p,
                                 const double *reference, double tol)
{
    double sum = 0;
    int count = 0;
    for (double at = tol / 2; at < 3 * tol; at *= 2) {
        bench_task task = {.problem = p,
                           .t1 = c->t1,
                           .tol = at,
                           .atol = at * c->size,
                           .most_steps = c->most_steps};
        double ours = error_of_run(c->solvers[0], task, reference, c->size);
        double theirs = error_of_run(c->solvers[1], task, reference, c->size);
        if (isnan(ours) || isnan(theirs)) continue;
        sum += log(ours / theirs);
        count++;
    }
    return exp(sum / count);
}

static void keep_run(const bench_case *run, const double *reference, double size, int k, curve *to)
{
    const bench_task *task = &run->task;
    to->work.error[k] = error_of(task, reference, size);
    to->work.time[k] = run->best;
    to->median[k] = run->median;
    to->work.calls[k] = (double)run->calls;
    to->steps[k] = task->steps;
    to->jacobians[k] = task->jacobians;
    to->factorizations[k] = task->factorizations;
}

/* Quick runs leave out the DIRK, which takes most of the time. */
static size_t measure(const stiff_case *c, curve *curves)
{
    bench_problem p = bench_model(c->model, c->params);
    double *reference = reference_of(c, &p);
    size_t count = 0;
    while (count < MOST && c->solvers[count] &&
           !(bench_quick() && c->solvers[count] == &bench_arkode_dirk))
        count++;
    for (size_t i = 0; i < count; i++) {
        curves[i].work.points = c->points;
        curves[i].work.label = name_of(c->solvers[i]);
    }
    for (int k = 0; k < c->points; k++) {
        bench_case runs[MOST];
        size_t solver_of[MOST], running = 0;
        bench_task task = {.problem = &p,
                           .t1 = c->t1,
                           .tol = tolerance(k),
                           .atol = tolerance(k) * c->size,
                           .most_steps = c->most_steps};
        for (size_t i = 0; i < count; i++) {
            curves[i].work.error[k] = NAN;
            runs[running] = (bench_case){.solver = c->solvers[i], .task = task};
            bench_first_run(&runs[running]);
            if (runs[running].task.failed ||
                isnan(error_of(&runs[running].task, reference, c->size))) {
                bench_end(&runs[running]);
                curves[i].failures++;
                continue;
            }
            solver_of[running++] = i;
        }
        bench_time(runs, running, c->repeats);
        for (size_t j = 0; j < running; j++) {
            keep_run(&runs[j], reference, c->size, k, &curves[solver_of[j]]);
            free(runs[j].task.x);
        }
    }
    curves[0].n = gt_problem_size(&p.gt);
    for (int k = 2; k < c->points && k <= 6 && !bench_quick() && c->repeats > 1; k += 2)
        curves[0].around =
            fmax(curves[0].around, error_ratio_around(c, &p, reference, tolerance(k)));
    free(reference);
    bench_problem_free(&p);
    return count;
}

static void print_runs(const stiff_case *c, const curve *curves, size_t count)
{
    printf("\n%s, t = 0 .. %g, atol = %g rtol\n", c->title, c->t1, c->size);
    printf("%-9s %-6s %6s %10s %10s %7s %7s %8s %7s %7s\n", "", "", "rtol", "best us", "median",
           "digits", "steps", "f", "J", "LU");
    for (int k = 0; k < c->points; k += bench_quick() ? 2 : 1) {
        for (size_t i = 0; i < count; i++) {
            const curve *of = &curves[i];
            printf("%-9s %-6s %6.0e ", c->solvers[i]->peer, c->solvers[i]->method, tolerance(k));
            if (isnan(of->work.error[k])) {
                printf("failed\n");
                continue;
            }
            printf("%10.1f %10.1f %7.2f %7ld %8.0f %7ld", of->work.time[k] * 1e6,
                   of->median[k] * 1e6, -log10(of->work.error[k]), of->steps[k], of->work.calls[k],
                   of->jacobians[k]);
            of->factorizations[k] < 0
                ? printf("\n")
                : printf(" %7ld\n", of->factorizations[k]); /* GSL: not known */
        }
    }
}

/* The largest of ours / peer's error at 1e-4, 1e-6 and 1e-8. */
static double error_ratio(const curve *ours, const curve *peer, int points)
{
    double most = 0;
    for (int k = 2; k < points && k <= 6; k += 2)
        most = fmax(most, ours->work.error[k] / peer->work.error[k]);
    return most;
}

typedef struct outcome {
    double time[MOST], calls[MOST], error, around;
    double step; /* microseconds a step of ours, the least over the tolerances */
    int failures;
    size_t n;
} outcome;

static outcome compare(const stiff_case *c, const curve *curves, size_t count)
{
    const curve *ours = &curves[0];
    outcome out = {.error = error_ratio(ours, &curves[1], c->points),
                   .around = ours->around,
                   .step = INFINITY,
                   .failures = ours->failures,
                   .n = ours->n};
    for (int k = 0; k < c->points; k++)
        if (ours->work.error[k] > 0)
            out.step = fmin(out.step, 1e6 * ours->work.time[k] / (double)ours->steps[k]);
    bench_curve drawn[MOST];
    for (size_t i = 0; i < count; i++) drawn[i] = curves[i].work;
    bench_figure(area, c->title, drawn, count);
    printf("at equal error, peer / ours:");
    for (size_t i = 1; i < count; i++) {
        bench_ratio r = bench_at_equal_error(&curves[0].work, &curves[i].work);
        out.time[i] = r.time, out.calls[i] = r.calls;
        printf("  %s time %.2f calls %.2f", name_of(c->solvers[i]), out.time[i], out.calls[i]);
        bench_result(area, c->title, "gear", name_of(c->solvers[i]), r.error, out.time[i],
                     out.calls[i], c->solvers[i]->settings);
    }
    printf("\n");
    return out;
}

/* Prints one number of a row of bars, or that there is none; true: it is within its bounds. */
static int bar(int width, int digits, double measured, double least, double most)
{
    if (isnan(measured)) {
        printf(" %*s", width, "");
        return 1;
    }
    printf(" %*.*f", width, digits, measured);
    return measured >= least && measured <= most;
}

static void print_bars(const stiff_case *c, const outcome *o)
{
    int has_gsl = c->solvers[2] == &bench_gsl_msbdf;
    printf("%-14s %-6s", c->title, c->solvers[1]->peer);
    int met = bar(9, 2, o->time[1], 3, INFINITY);
    met &= bar(8, 2, has_gsl ? o->time[2] : NAN, 1, INFINITY);
    met &= bar(12, 2, 1 / o->calls[1], 0, 1.2);
    met &= bar(10, 2, o->error, 0, 2);
    met &= bar(11, 2, o->around > 0 ? o->around : NAN, 0, 2);
    met &= bar(8, 0, o->failures, 0, 0);
    met &= bar(16, 2, o->n == 3 ? o->step : NAN, 0, 0.4);
    printf("  %s\n", met ? "met" : "missed");
}

static int asked_for(const stiff_case *c, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], c->title) == 0) return 1;
    }
    int takes_long = c->repeats < 5;
    return argc < 2 && !(bench_quick() && takes_long);
}

int main(int argc, char **argv)
{
    outcome outcomes[N_CASES];
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (bench_desolve_missing()) printf("LSODA and RADAU5 fail: %s\n", bench_desolve_missing());
    for (int i = 0; i < N_CASES; i++) {
        if (!asked_for(&cases[i], argc, argv)) continue;
        curve curves[MOST] = {0};
        size_t count = measure(&cases[i], curves);
        print_runs(&cases[i], curves, count);
        outcomes[i] = compare(&cases[i], curves, count);
    }
    printf("\nbars: time of its like and of GSL over ours; our calls and error over those of its "
           "like, the error also as "
           "mean around\n1e-4, 1e-6, 1e-8; failures; us a step where n = 3\n%-14s %-6s %9s %8s "
           "%12s %10s %11s %8s %16s\n",
           "", "like", "time >= 3", "GSL >= 1", "calls <= 1.2", "error <= 2", "around <= 2",
           "failed 0", "us a step <= 0.4");
    for (int i = 0; i < N_CASES; i++) {
        if (asked_for(&cases[i], argc, argv)) print_bars(&cases[i], &outcomes[i]);
    }
    if (argc < 2) bench_write_results(area);
    return 0;
}
