/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Area "fastslow": a slow part and a fast one that decays, many variables. `smes` beside our `gear`, CVODE with the
 * sparse Jacobian (KLU), with GMRES without preconditioner and with a diagonal Jacobian, and ARKODE, implicit and
 * explicit.
 *   fastslow [CASE...]    only these; results.json is left alone then
 */
#include "bench.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 6, SOLVERS = 6, MOST_STEPS = 3000 }; /* tolerances 1e-3 .. 1e-8 */

static const char area[] = "fastslow";

typedef struct fastslow_case {
    const char *title, *model, *params;
    int repeats;
    double erk_part; /* of the span that the explicit peer runs, its time being scaled up; 0: not at all */
} fastslow_case;

static const fastslow_case cases[] = {
    {"clustered-200", "clustered", "m=200", 9, 1e-3},
    {"clustered-10000", "clustered", "m=10000", 2, 1e-4},
    {"clustered-200-spread3", "clustered", "m=200, spread=3", 3, 0},
    {"clustered-200-spread100", "clustered", "m=200, spread=100", 2, 0},
    {"cattaneo-100", "cattaneo", "n=100, D=0.02", 3, 0},
};
enum { N_CASES = sizeof cases / sizeof *cases };

static const bench_solver *const solvers[SOLVERS] = {&bench_own_smes,     &bench_own_gear,       &bench_cvode_bdf,
                                                     &bench_cvode_krylov, &bench_cvode_diagonal, &bench_arkode_dirk};

typedef struct curve {
    double error[POINTS], time[POINTS], calls[POINTS];
    long steps[POINTS];
    size_t count; /* points that came to the end, the loosest first */
} curve;

static double tolerance(int k) { return pow(10, -3 - k); }

static double *reference_of(const bench_problem *p)
{
    double *x = malloc(gt_problem_size(&p->gt) * sizeof *x);
    bench_require(x != NULL, "there is no memory for a reference");
    bench_task task = {.problem = p, .t1 = p->gt.t1, .tol = 1e-11, .atol = 1e-12, .x = x};
    void *handle = bench_own_gear.open(&bench_own_gear, &task);
    bench_own_gear.run(handle);
    bench_own_gear.close(handle);
    bench_require(!task.failed, "gear: no reference");
    return x;
}

static int runs_through(const bench_solver *solver, bench_task task, double *scratch)
{
    task.x = scratch;
    void *handle = solver->open(solver, &task);
    solver->run(handle);
    solver->close(handle);
    return !task.failed;
}

static void measure(const fastslow_case *c, curve *curves)
{
    bench_problem p = bench_model(c->model, c->params);
    size_t n = gt_problem_size(&p.gt);
    double *reference = reference_of(&p), *scratch = malloc(n * sizeof *scratch);
    bench_require(scratch != NULL, "there is no memory for the end of a run");
    for (int k = 0; k < POINTS; k++) {
        bench_case runs[SOLVERS];
        size_t solver_of[SOLVERS], running = 0;
        bench_task task = {.problem = &p, .t1 = p.gt.t1, .tol = tolerance(k), .most_steps = MOST_STEPS};
        for (size_t i = 0; i < SOLVERS; i++) {
            if (!runs_through(solvers[i], task, scratch)) continue;
            solver_of[running] = i;
            runs[running++] = (bench_case){.solver = solvers[i], .task = task};
        }
        bench_time(runs, running, c->repeats);
        for (size_t j = 0; j < running; j++) {
            curve *to = &curves[solver_of[j]];
            to->error[to->count] = bench_distance(runs[j].task.x, reference, n);
            to->time[to->count] = runs[j].best;
            to->calls[to->count] = (double)runs[j].calls;
            to->steps[to->count++] = runs[j].task.steps;
            printf("%-9s %-9s %6.0e %11.1f us %7.2f digits %6ld steps %8ld calls\n", solvers[solver_of[j]]->peer,
                   solvers[solver_of[j]]->method, tolerance(k), runs[j].best * 1e6, -log10(to->error[to->count - 1]),
                   runs[j].task.steps, runs[j].calls);
            free(runs[j].task.x);
        }
    }
    free(reference);
    free(scratch);
    bench_problem_free(&p);
}

/* Errors falling, work rising: where luck put them otherwise, both are put in order. */
static void put_in_order(curve *c)
{
    for (size_t i = 1; i < c->count; i++) {
        c->error[i] = fmin(c->error[i], c->error[i - 1]);
        c->time[i] = fmax(c->time[i], c->time[i - 1]);
        c->calls[i] = fmax(c->calls[i], c->calls[i - 1]);
    }
}

/* Geometric mean of peer / ours over the errors that both reached; NaN: there are none. */
static double ratio(const curve *ours, const double *our_work, const curve *peer, const double *peer_work)
{
    enum { SAMPLES = 33 };
    if (ours->count < 2 || peer->count < 2) return NAN;
    double high = fmin(ours->error[0], peer->error[0]), sum = 0;
    double low = fmax(ours->error[ours->count - 1], peer->error[peer->count - 1]);
    if (!(high > low)) return NAN;
    for (int i = 0; i < SAMPLES; i++) {
        double error = high * pow(low / high, i / (SAMPLES - 1.0));
        sum += log(bench_time_at(peer->error, peer_work, peer->count, error) /
                   bench_time_at(ours->error, our_work, ours->count, error));
    }
    return exp(sum / SAMPLES);
}

/* Stability holds the explicit method at one step all the way, so that a part of the span tells. */
static void explicit_peer(const fastslow_case *c, const curve *ours)
{
    bench_problem p = bench_model(c->model, c->params);
    const double tol = 1e-4;
    bench_case runs[] = {
        {.solver = &bench_arkode_dopri5, .task = {.problem = &p, .t1 = p.gt.t1 * c->erk_part, .tol = tol}}};
    bench_time(runs, 1, 1);
    double time = runs[0].best / c->erk_part, calls = (double)runs[0].calls / c->erk_part;
    printf("ARKODE    ERK       %6.0e %11.3g s, %.3g calls: %g of the span, times %g; smes took %.3g s\n", tol, time,
           calls, c->erk_part, 1 / c->erk_part, ours->time[1]);
    bench_result(area, c->title, "smes", "ARKODE ERK", NAN, time / ours->time[1], calls / ours->calls[1],
                 "Dormand-Prince at 1e-4, a part of the span scaled up, over smes at 1e-4");
    free(runs[0].task.x);
    bench_problem_free(&p);
}

static void compare(const fastslow_case *c, curve *curves)
{
    for (size_t i = 0; i < SOLVERS; i++) put_in_order(&curves[i]);
    printf("at equal error, peer / smes:\n");
    for (size_t i = 1; i < SOLVERS; i++) {
        double time = ratio(&curves[0], curves[0].time, &curves[i], curves[i].time);
        double calls = ratio(&curves[0], curves[0].calls, &curves[i], curves[i].calls);
        printf("    %-9s %-9s time %7.2f  calls %7.2f\n", solvers[i]->peer, solvers[i]->method, time, calls);
        char peer[40];
        snprintf(peer, sizeof peer, "%s %s", solvers[i]->peer, solvers[i]->method);
        bench_result(area, c->title, "smes", peer, curves[0].error[curves[0].count / 2], time, calls,
                     solvers[i]->settings);
    }
}

static int asked_for(const char *title, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], title) == 0) return 1;
    return argc < 2;
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 0; i < N_CASES; i++) {
        if (!asked_for(cases[i].title, argc, argv)) continue;
        curve curves[SOLVERS] = {0};
        printf("\n%s (%s)\n", cases[i].title, cases[i].params);
        measure(&cases[i], curves);
        compare(&cases[i], curves);
        if (cases[i].erk_part > 0) explicit_peer(&cases[i], &curves[0]);
    }
    if (argc < 2) bench_write_results(area);
    return 0;
}
