/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double bench_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Open to all, so that no compiler can say that nobody reads it. */
volatile double bench_sunk;

void bench_sink(double value) { bench_sunk = value; }

void bench_require(int condition, const char *what)
{
    if (condition) return;
    fprintf(stderr, "bench: %s\n", what);
    exit(1);
}

int bench_quick(void) { return getenv("BENCH_QUICK") != NULL; }

void bench_bar(const char *what, double measured, double least, double most)
{
    int met = measured >= least && measured <= most;
    printf("%-62s %7.3f   %s %-5g %s\n", what, measured,
           least > 0 ? ">=" : "<=", least > 0 ? least : most, met ? "met" : "missed");
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double run_often(const bench_case *c, long times)
{
    double start = bench_now();
    for (long i = 0; i < times; i++) c->solver->run(c->handle);
    double took = bench_now() - start;
    bench_sink(c->task.x[0]);
    return took / (double)times;
}

/* Seconds of a run whose calls are counted. */
static double count_calls(bench_case *c)
{
    bench_task task = c->task;
    bench_problem counted = bench_counted(task.problem, &c->calls);
    task.problem = &counted;
    long *block_calls = counted.block_calls;
    c->calls = 0;
    if (block_calls) block_calls[0] = block_calls[1] = 0;
    void *handle = c->solver->open(c->solver, &task);
    double start = bench_now();
    c->solver->run(handle);
    double took = bench_now() - start;
    c->solver->close(handle);
    if (block_calls) memcpy(c->block_calls, block_calls, sizeof c->block_calls);
    free(counted.gt.ctx);
    return took;
}

/* A turn of a case that is shorter is made of several runs. */
static const double turn = 5e-3;

/* How often a case is run after its first run and the one that counts calls. */
static int turns_of(double first, int repeats)
{
    int turns = first > 2 ? 0 : first > 0.1 ? 1 : first > 0.05 ? 3 : repeats;
    return turns < repeats ? turns : repeats;
}

void bench_first_run(bench_case *c)
{
    c->task.x = malloc(gt_problem_size(&c->task.problem->gt) * sizeof(double));
    bench_require(c->task.x != NULL, "out of memory for the end of a run");
    c->handle = c->solver->open(c->solver, &c->task);
    c->best = c->median = run_often(c, 1);
}

void bench_end(bench_case *c)
{
    if (c->handle) c->solver->close(c->handle);
    c->handle = NULL;
    free(c->task.x);
}

static void keep_median(bench_case *c, double *took, size_t count)
{
    qsort(took, count, sizeof *took, ascending);
    c->best = took[0];
    c->median = took[count / 2];
    c->solver->close(c->handle);
    c->handle = NULL;
}

void bench_time(bench_case *cases, size_t count, int repeats)
{
    if (bench_quick() && repeats > 3) repeats = 3;
    size_t room = (size_t)repeats + 2;
    double *took = malloc(count * room * sizeof *took);
    bench_require(took != NULL, "out of memory for the times");
    for (size_t i = 0; i < count; i++) {
        if (!cases[i].handle) bench_first_run(&cases[i]);
        double *last = took + i * room + repeats;
        last[0] = cases[i].best;
        last[1] = count_calls(&cases[i]);
    }
    for (int r = 0; r < repeats; r++)
        for (size_t i = 0; i < count; i++)
            if (r < turns_of(cases[i].best, repeats))
                took[i * room + (size_t)r] =
                    run_often(&cases[i], lround(fmax(1, turn / cases[i].best)));
    for (size_t i = 0; i < count; i++) {
        double *own = took + i * room;
        int turns = turns_of(cases[i].best, repeats);
        if (cases[i].best > 20 * turn) { /* then being cold or counting calls costs nothing */
            memmove(own + turns, own + repeats, 2 * sizeof *own);
            turns += 2;
        }
        keep_median(&cases[i], own, (size_t)turns);
    }
    free(took);
}

double bench_distance(const double *a, const double *b, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

double bench_time_at(const double *errors, const double *times, size_t count, double error)
{
    size_t i = 1;
    while (i + 1 < count && errors[i] > error) i++;
    double slope = log(times[i] / times[i - 1]) / log(errors[i] / errors[i - 1]);
    return times[i] * pow(error / errors[i], slope);
}

/* Rows gathered so far, each a line of JSON without its end. */
static char rows[1024][512];
static size_t n_rows;

static void number(char *text, size_t size, double value)
{
    if (isfinite(value))
        snprintf(text, size, "%.4g", value);
    else
        snprintf(text, size, "null");
}

void bench_result(const char *area, const char *problem, const char *method, const char *peer,
                  double error, double time_ratio, double evaluation_ratio, const char *settings)
{
    char e[32], t[32], v[32];
    bench_require(n_rows < sizeof rows / sizeof *rows, "too many rows of results");
    bench_note_winner(problem, method, peer, settings, time_ratio, evaluation_ratio);
    number(e, sizeof e, error);
    number(t, sizeof t, time_ratio);
    number(v, sizeof v, evaluation_ratio);
    snprintf(rows[n_rows++], sizeof rows[0],
             "{\"area\": \"%s\", \"problem\": \"%s\", \"method\": \"%s\", \"peer\": \"%s\", "
             "\"error\": %s, "
             "\"time_ratio\": %s, \"evaluation_ratio\": %s, \"settings\": \"%s\"}",
             area, problem, method, peer, e, t, v, settings);
}

/* Rows of other areas stay: a row is a line that begins with its area. */
static void keep_others(const char *area)
{
    char line[sizeof rows[0]], own[64];
    FILE *file = fopen(BENCH_RESULTS, "r");
    if (!file) return;
    snprintf(own, sizeof own, "{\"area\": \"%s\"", area);
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        size_t length = strlen(line);
        if (line[0] != '{' || strncmp(line, own, strlen(own)) == 0) continue;
        if (line[length - 1] == ',') line[length - 1] = 0;
        bench_require(n_rows < sizeof rows / sizeof *rows, "too many rows of results");
        memcpy(rows[n_rows++], line, sizeof line);
    }
    fclose(file);
}

void bench_write_results(const char *area)
{
    bench_print_winners();
    keep_others(area);
    FILE *file = fopen(BENCH_RESULTS, "w");
    bench_require(file != NULL, "cannot write " BENCH_RESULTS);
    fputs("[\n", file);
    for (size_t i = 0; i < n_rows; i++) fprintf(file, "%s%s\n", rows[i], i + 1 < n_rows ? "," : "");
    fputs("]\n", file);
    bench_require(fclose(file) == 0, "cannot write " BENCH_RESULTS);
    n_rows = 0;
}
