/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Area "power": a fault and a tripped line, 10 s, in the nine-bus system, the New England system
 * and a made-up network of 2000 buses, all with two-axis machines, exciters and governors.
 *   1. the trapezoidal rule with h = 0.01, as is the custom: milliseconds, and how often J was
 * factored
 *   2. gear beside IDA over tolerances, both through the same f, the same sparse J and KLU, both
 * restarted where the network changes power [CASE...]    only these; results.json is left alone
 * then Cases are looked for in the folder `cases` of the source, BENCH_CASES.
 */
#include "bench.h"
#include <geartrain/author/author.h>
#include <geartrain/geartrain.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char area[] = "power";

enum { FIRST = 3, LAST = 8, POINTS = LAST - FIRST + 1 }; /* tolerances 1e-3 .. 1e-8 */

typedef struct grid {
    const char *title;
    int buses;       /* made-up network of this size; 0: a case file of this title */
    int fault, trip; /* bus numbers: the fault is at the first, cleared by opening the branch
                        between them */
    double bar;      /* seconds for the trapezoidal rule */
    int points, repeats;
} grid;

static const grid grids[] = {{"wscc9", 0, 8, 9, 0.015, POINTS, 7},
                             {"newengland39", 0, 16, 17, 0.1, POINTS, 5},
                             {"synth2000", 2000, 10, 11, 2, 3, 3}};
enum { N_GRIDS = sizeof grids / sizeof *grids };

/* What the problem points to. */
typedef struct grid_data {
    gt_power_case c;
    gt_power_flow_result flow;
    gt_power_dynamics d;
    gt_power_event events[3];
} grid_data;

static void load(const grid *g, grid_data *w, gt_arena *arena)
{
    gt_message message = {""};
    char path[600];
    gt_status status;
    if (g->buses) {
        status = gt_power_synth(&(gt_power_synth_options){.buses = g->buses, .seed = 1}, &w->c,
                                &w->d, arena, &message);
    } else {
        snprintf(path, sizeof path, "%s/%s.m", BENCH_CASES, g->title);
        status = gt_power_case_read(path, &w->c, arena, &message);
        snprintf(path, sizeof path, "%s/%s.csv", BENCH_CASES, g->title);
        if (!status) status = gt_power_dynamics_read(path, &w->c, 0, &w->d, arena, &message);
    }
    if (!status) status = gt_power_flow(&w->c, NULL, &w->flow, arena, &message);
    bench_require(!status, message.text);
}

static size_t branch_between(const gt_power_case *c, int from, int to)
{
    size_t a = gt_power_find_bus(c, from), b = gt_power_find_bus(c, to), k = 0;
    while (k < c->n_branch && !((c->branch[k].from == a && c->branch[k].to == b) ||
                                (c->branch[k].from == b && c->branch[k].to == a)))
        k++;
    bench_require(k < c->n_branch, "the case has no such branch");
    return k;
}

/* A fault at 0.1 s, cleared at 0.18 s. */
static bench_problem make(const grid *g)
{
    bench_problem p = {.name = g->title, .arena = gt_arena_growing()};
    gt_message message = {""};
    const gt_power_system *system;
    grid_data *w = gt_arena_take(&p.arena, 1, sizeof *w);
    bench_require(w != NULL, "out of memory for a case");
    load(g, w, &p.arena);
    size_t bus = gt_power_find_bus(&w->c, g->fault);
    w->events[0] = (gt_power_event){.kind = GT_POWER_FAULT, .t = 0.1, .bus = bus};
    w->events[1] = (gt_power_event){.kind = GT_POWER_CLEAR, .t = 0.18, .bus = bus};
    w->events[2] = (gt_power_event){
        .kind = GT_POWER_TRIP, .t = 0.18, .branch = branch_between(&w->c, g->fault, g->trip)};
    gt_power_setup setup = {.grid = &w->c,
                            .flow = &w->flow,
                            .dynamics = &w->d,
                            .t1 = 10,
                            .events = w->events,
                            .n_events = 3};
    bench_require(gt_power_build(&setup, &p.gt, &system, &p.arena, &message) == GT_OK,
                  message.text);
    return p;
}

static double error_of(const double *x, const double *reference, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) {
        double e = fabs(x[i] - reference[i]) / (1 + fabs(reference[i]));
        if (!(e <= most)) most = e;
    }
    return most;
}

/* The end of a run at 1e-3 of the tightest tolerance that is measured. */
static double *reference_of(const bench_problem *p, double tol)
{
    double *x = malloc(gt_problem_size(&p->gt) * sizeof *x);
    gt_report report;
    bench_require(x != NULL, "out of memory for a reference");
    gt_plan plan = {.rtol = 1e-3 * tol, .atol = 1e-4 * tol, .x_end = x};
    bench_require(gt_solve(&p->gt, gt_method_find("gear"), &plan, &report) == GT_OK,
                  report.message.text);
    return x;
}

static void measure_fixed(const grid *g, const bench_problem *p, const double *reference)
{
    size_t n = gt_problem_size(&p->gt);
    bench_case run = {.solver = &bench_own_trapezoidal,
                      .task = {.problem = p, .t1 = 10, .h = 0.01}};
    bench_time(&run, 1, g->repeats);
    printf("%-14s %6zu unknowns, trapezoidal, h = 0.01: best %.2f ms, median %.2f ms (bar %g ms: "
           "%s)\n",
           g->title, n, run.best * 1e3, run.median * 1e3, g->bar * 1e3,
           run.best <= g->bar ? "met" : "missed");
    printf("%-14s %6ld steps, %ld Jacobians, %ld factorizations, error %.1e at t = 10\n", "",
           run.task.steps, run.task.jacobians, run.task.factorizations,
           error_of(run.task.x, reference, n));
    free(run.task.x);
}

static void measure_controlled(const grid *g, const bench_problem *p, const double *reference)
{
    const bench_solver *solvers[] = {&bench_own_gear, &bench_ida_bdf};
    bench_curve curves[2] = {{.label = "geartrain", .points = g->points},
                             {.label = "IDA", .points = g->points}};
    size_t n = gt_problem_size(&p->gt);
    printf("%-10s %6s %10s %10s %9s %7s %8s %7s %7s\n", "", "rtol", "best ms", "median", "error",
           "steps", "f", "J", "LU");
    for (int k = 0; k < g->points; k++) {
        double tol = pow(10, -FIRST - k);
        bench_case runs[2];
        for (int i = 0; i < 2; i++)
            runs[i] = (bench_case){.solver = solvers[i],
                                   .task = {.problem = p, .t1 = 10, .tol = tol, .atol = 0.1 * tol}};
        bench_time(runs, 2, g->repeats);
        for (int i = 0; i < 2; i++) {
            bool failed = runs[i].task.failed;
            curves[i].error[k] = failed ? NAN : error_of(runs[i].task.x, reference, n);
            curves[i].time[k] = runs[i].best;
            curves[i].calls[k] = (double)runs[i].calls;
            printf("%-10s %6.0e %10.3f %10.3f %9.1e %7ld %8ld %7ld %7ld%s\n", solvers[i]->peer, tol,
                   runs[i].best * 1e3, runs[i].median * 1e3, curves[i].error[k], runs[i].task.steps,
                   runs[i].calls, runs[i].task.jacobians, runs[i].task.factorizations,
                   failed ? "  failed" : "");
            free(runs[i].task.x);
        }
    }
    bench_ratio ratio = bench_at_equal_error(&curves[0], &curves[1]);
    bench_figure(area, g->title, curves, 2);
    printf("at equal error, IDA / ours: time %.2f, calls %.2f\n\n", ratio.time, ratio.calls);
    bench_result(area, g->title, "gear", "IDA", ratio.error, ratio.time, ratio.calls,
                 bench_ida_bdf.settings);
}

static int asked_for(const grid *g, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(g->title, argv[i]) == 0) return 1;
    return argc < 2 && !(bench_quick() && g->buses);
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 0; i < N_GRIDS; i++) {
        if (!asked_for(&grids[i], argc, argv)) continue;
        bench_problem p = make(&grids[i]);
        double *reference = reference_of(&p, pow(10, -FIRST - grids[i].points + 1));
        measure_fixed(&grids[i], &p, reference);
        measure_controlled(&grids[i], &p, reference);
        free(reference);
        bench_problem_free(&p);
    }
    if (argc < 2) bench_write_results(area);
    return 0;
}
