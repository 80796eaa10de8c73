/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Area "arm": the flexible arm with n = 400 (802 states) turns freely for 10 after a pulse of 0.5. Time until the tip
 * deflection is right to 1e-6, backinterpolation beside CVODE, ARKODE's DIRK and `gear`, all with sparse systems of
 * half the size (`gear`: of full size); and time per step of `bi` up to n = 4000. Peers give up after 20000 steps,
 * which is 10 times what `bi` needs; CVODE does so at every tolerance, since its formulas of order 3 to 5 are unstable
 * on undamped modes.
 */
#include "bench.h"
#include <geartrain/geartrain.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char area[] = "arm";
enum { POINTS = 4, N = 400 };
static const double wanted = 1e-6;

typedef struct contender {
    const char *label;
    const bench_solver *like; /* of this kind, with the method below when it is ours */
    const char *method;
    bool fixed;
    double first, factor; /* step or tolerance of the first run, and from run to run */
    bench_solver solver;
    bench_curve curve;
    double at_wanted;
} contender;

static contender contenders[] = {
    {.label = "bipade8 h", .like = &bench_own_gear, .method = "bipade8", .fixed = true, .first = 0.04, .factor = 0.5},
    {.label = "bi55 h", .like = &bench_own_gear, .method = "bi55", .fixed = true, .first = 0.02, .factor = 0.5},
    {.label = "bi77h h", .like = &bench_own_gear, .method = "bi77h", .fixed = true, .first = 0.02, .factor = 0.5},
    {.label = "bi h", .like = &bench_own_gear, .method = "bi", .fixed = true, .first = 0.01, .factor = 0.5},
    {.label = "bi", .like = &bench_own_gear, .method = "bi", .first = 1e-3, .factor = 0.1},
    {.label = "gear", .like = &bench_own_gear, .method = "gear", .first = 1e-4, .factor = 0.1},
    {.label = "CVODE", .like = &bench_cvode_structured, .first = 1e-4, .factor = 0.1},
    {.label = "ARKODE", .like = &bench_arkode_structured, .first = 1e-4, .factor = 0.1},
};
enum { COUNT = sizeof contenders / sizeof *contenders };

static bench_problem free_arm(size_t n)
{
    char params[64];
    gt_report report;
    snprintf(params, sizeof params, "n=%zu, input=step", n);
    bench_problem pushed = bench_model("arm_eb", params);
    snprintf(params, sizeof params, "n=%zu, input=none", n);
    bench_problem p = bench_model("arm_eb", params);
    double *x0 = gt_arena_doubles(&p.arena, gt_problem_size(&p.gt));
    bench_require(x0 != NULL, "there is no memory for the arm");
    pushed.gt.t1 = 0.5;
    gt_status status = gt_solve(&pushed.gt, gt_method_find("bipade8"), &(gt_plan){.h = 5e-4, .x_end = x0}, &report);
    bench_require(status == GT_OK, report.message.text);
    bench_problem_free(&pushed);
    p.gt.x0 = x0;
    return p;
}

static double tip(const double *x, size_t n) { return x[n] - x[0]; }

/* One run, or the faster of two when it is short; the whole area is one run of one program. */
static double run(const bench_solver *solver, bench_task *task)
{
    void *handle = solver->open(solver, task);
    double took = INFINITY;
    for (int k = 0; k < 3 && (k == 0 || took < 1); k++) {
        double start = bench_now();
        solver->run(handle);
        took = fmin(took, bench_now() - start);
    }
    solver->close(handle);
    return took;
}

static void time_per_step(void)
{
    static const size_t sizes[] = {250, 500, 1000, 2000, 4000};
    bench_solver bi = bench_own_gear;
    bi.method = "bi";
    printf("\nbi, time per step of h = 0.01\n%8s %12s %16s\n", "n", "us", "us per 1000 n");
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        bench_problem p = free_arm(sizes[k]);
        bench_task task = {.problem = &p, .t1 = 2, .h = 0.01, .x = malloc(gt_problem_size(&p.gt) * sizeof(double))};
        bench_require(task.x != NULL, "there is no memory for the end of a run");
        double us = 1e6 * run(&bi, &task) / (double)task.steps;
        printf("%8zu %12.1f %16.1f\n", sizes[k], us, 1000 * us / (double)sizes[k]);
        free(task.x);
        bench_problem_free(&p);
    }
}

static void run_all(const bench_problem *p, const double *reference, double *end)
{
    for (int k = 0; k < POINTS; k++)
        for (int i = 0; i < COUNT; i++) {
            contender *c = &contenders[i];
            double size = c->first * pow(c->factor, k);
            bench_task task = {.problem = p, .t1 = 10, .most_steps = 20000, .x = end};
            *(c->fixed ? &task.h : &task.tol) = size;
            c->curve.time[k] = run(&c->solver, &task);
            double error = fabs(tip(end, N) - tip(reference, N));
            c->curve.error[k] = task.failed ? NAN : error;
            c->curve.calls[k] = NAN;
            c->curve.points = k + 1;
            printf("%-10s %10.3g %8ld steps %10.4f s   tip error %9.2e%s\n", c->label, size, task.steps,
                   c->curve.time[k], error, task.failed ? " (gave up)" : "");
            fflush(stdout);
        }
}

int main(void)
{
    bench_problem p = free_arm(N);
    size_t n = gt_problem_size(&p.gt);
    double *reference = malloc(n * sizeof *reference), *end = malloc(n * sizeof *end);
    bench_require(reference && end, "there is no memory for the ends of runs");
    p.gt.t1 = 10;
    gt_report report;
    gt_status status = gt_solve(&p.gt, gt_method_find("bipade8"), &(gt_plan){.h = 2.5e-4, .x_end = reference}, &report);
    bench_require(status == GT_OK, report.message.text);
    for (int i = 0; i < COUNT; i++) {
        contender *c = &contenders[i];
        c->solver = *c->like;
        if (c->method) c->solver.method = c->method;
        c->curve = (bench_curve){.label = c->label};
    }
    run_all(&p, reference, end);
    printf("\ntip error %g at t = 10, n = %d\n%-10s %12s %14s\n", wanted, N, "", "s", "times bi55");
    for (int i = 0; i < COUNT; i++) {
        const bench_curve *c = &contenders[i].curve;
        contenders[i].at_wanted = bench_time_at(c->error, c->time, POINTS, wanted);
    }
    for (int i = 0; i < COUNT; i++)
        printf("%-10s %12.4f %14.2f\n", contenders[i].label, contenders[i].at_wanted,
               contenders[i].at_wanted / contenders[1].at_wanted);
    bench_curve drawn[COUNT];
    for (int i = 0; i < COUNT; i++) drawn[i] = contenders[i].curve;
    bench_figure(area, "arm400", drawn, COUNT);
    for (int i = 5; i < COUNT; i++)
        bench_result(area, "arm400", "bi55", contenders[i].solver.peer, wanted,
                     contenders[i].at_wanted / contenders[1].at_wanted, NAN, contenders[i].solver.settings);
    time_per_step();
    bench_write_results(area);
    free(reference);
    free(end);
    bench_problem_free(&p);
    return 0;
}
