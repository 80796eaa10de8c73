/* SPDX-License-Identifier: BSD-3-Clause */
/* Area "overhead": what a step costs beside its arithmetic, and how near memory's speed large
 * systems come. */
#include "bench.h"
#include <geartrain/run.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 25, MOST = 8 };

static const char area[] = "overhead";

/* The problem and its size, as rows of results have it. */
static const char *named(const bench_problem *p, char text[48])
{
    snprintf(text, 48, "%s, n = %zu", p->name, gt_problem_size(&p->gt));
    return text;
}

/* Returns the time of the second solver over that of the first. */
static double fixed_step(const bench_problem *p, double h, long steps,
                         const bench_solver *const *solvers)
{
    bench_case cases[MOST];
    size_t count = 0, n = gt_problem_size(&p->gt);
    for (; solvers[count]; count++)
        cases[count] =
            (bench_case){.solver = solvers[count],
                         .task = {.problem = p, .h = h, .t1 = p->gt.t0 + h * (double)steps}};
    bench_time(cases, count, REPEATS);
    char problem[48], method[32];
    snprintf(method, sizeof method, "%s, fixed step", solvers[0]->method);
    printf("\n%s of fixed size, %s, h = %g\n", solvers[0]->method, named(p, problem), h);
    printf("%-13s %9s %9s %7s %7s  %s\n", "", "best ns", "median", "ratio", "f/step", "settings");
    for (size_t i = 0; i < count; i++) {
        const bench_case *c = &cases[i];
        double per = 1e9 / (double)steps, ratio = c->best / cases[0].best;
        printf("%-13s %9.1f %9.1f %7.3f %7.2f  %s\n", c->solver->peer, c->best * per,
               c->median * per, ratio, (double)c->calls / (double)steps, c->solver->settings);
        if (i)
            bench_result(area, problem, method, c->solver->peer,
                         bench_distance(c->task.x, cases[0].task.x, n), ratio,
                         (double)c->calls / (double)cases[0].calls, c->solver->settings);
    }
    for (size_t i = 0; i < count; i++) free(cases[i].task.x);
    return cases[1].best / cases[0].best;
}

/* A pair with one tableau in both blocks beside the method of that tableau, which calls one
 * function for both blocks where a pair calls two. Returns the time of the pair over that of the
 * method. */
static double pair_step(const bench_problem *p, double h, long steps, const bench_solver *plain,
                        const bench_solver *pair)
{
    bench_case cases[2];
    for (int i = 0; i < 2; i++)
        cases[i] = (bench_case){.solver = i ? pair : plain,
                                .task = {.problem = p, .h = h, .t1 = p->gt.t0 + h * (double)steps}};
    bench_time(cases, 2, 2 * REPEATS);
    double ratio = cases[1].best / cases[0].best, per = 1e9 / (double)steps;
    size_t n = gt_problem_size(&p->gt);
    printf("%-10s %3zu + %-3zu %-7s %9.1f %9.1f %9.1f %9.1f %7.3f\n", p->name, p->gt.n_slow,
           p->gt.n_fast, plain->method, cases[0].best * per, cases[0].median * per,
           cases[1].best * per, cases[1].median * per, ratio);
    char name[32];
    snprintf(name, sizeof name, "%s, two blocks", p->name);
    bench_result(area, name, pair->method, "geartrain, as one block",
                 bench_distance(cases[1].task.x, cases[0].task.x, n), 1 / ratio,
                 (double)cases[0].calls / (double)cases[1].calls, plain->settings);
    for (int i = 0; i < 2; i++) free(cases[i].task.x);
    return ratio;
}

/* Returns the worst. */
static double pairs(void)
{
    bench_problem problems[] = {bench_model("vehicle", "coordinates=relative"),
                                bench_model("truck", "coordinates=relative")};
    double worst = 0;
    printf("\none tableau in both blocks (two calls a stage) beside the same as one block (one "
           "call): ns a step\n");
    printf("%-10s %-9s %-7s %9s %9s %9s %9s %7s\n", "", "slow+fast", "", "one best", "median",
           "two best", "median", "ratio");
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
        worst =
            fmax(worst, pair_step(&problems[i], 1e-4, 2000, &bench_own_rk4, &bench_own_pair_rk4));
        worst = fmax(worst,
                     pair_step(&problems[i], 1e-4, 2000, &bench_own_rkf45, &bench_own_pair_rkf45));
        bench_problem_free(&problems[i]);
    }
    return worst;
}

/* The vectors that rk4 works on, and a triad that walks over all of them as rk4 does, so that both
 * find the same part of them in the cache. */
enum { VECTORS = 6 };
typedef struct triad {
    bench_task *task;
    double *v[VECTORS];
} triad;

static void *triad_open(const bench_solver *self, bench_task *task)
{
    (void)self;
    triad *d = malloc(sizeof *d);
    size_t n = gt_problem_size(&task->problem->gt);
    bench_require(d != NULL, "out of memory for the triad");
    d->task = task;
    for (size_t j = 0; j < VECTORS; j++) {
        d->v[j] = malloc(n * sizeof(double));
        bench_require(d->v[j] != NULL, "out of memory for the triad");
        for (size_t i = 0; i < n; i++) d->v[j][i] = 1;
    }
    return d;
}

static void pass(double *restrict a, const double *restrict b, const double *restrict c, double s,
                 size_t n)
{
    for (size_t i = 0; i < n; i++) a[i] = b[i] + s * c[i];
}

/* Two triads: six vectors, each touched once. */
static void triad_run(void *handle)
{
    triad *d = handle;
    size_t n = gt_problem_size(&d->task->problem->gt);
    pass(d->v[0], d->v[1], d->v[2], 1e-9, n);
    pass(d->v[3], d->v[4], d->v[5], 1e-9, n);
    d->task->x[0] = d->v[0][n / 2] + d->v[3][n / 2];
    d->task->steps = 2;
}

static void triad_close(void *handle)
{
    triad *d = handle;
    for (size_t j = 0; j < VECTORS; j++) free(d->v[j]);
    free(d);
}

/* Returns the time of our rk4 over what memory allows. */
static double large(size_t n)
{
    static const bench_solver triad_solver = {
        "triad", "", "a = b + s c over six vectors", NULL, triad_open, triad_run, triad_close};
    static const bench_solver *const solvers[] = {&bench_own_rk4,    &bench_loop_rk4,
                                                  &bench_gsl_rk4,    &bench_boost_rk4,
                                                  &bench_arkode_rk4, &triad_solver};
    enum { COUNT = sizeof solvers / sizeof *solvers, STEPS = 8, TRIAD = COUNT - 1 };
    bench_problem p = bench_heat(n);
    bench_case cases[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        cases[i] = (bench_case){.solver = solvers[i],
                                .task = {.problem = &p, .h = 0.25, .t1 = 0.25 * STEPS}};
    bench_time(cases, COUNT, 25);
    /* Reads and writes of a vector: four calls of f at 1 + 1, three stage points at 2 + 1, the new
     * point at 5 + 1 in the place of the old. A write to memory that is not in the cache, which is
     * all but the last, reads it first. */
    double reads = 15, writes = 7, in_place = 1, triads = (reads + 2 * writes + in_place) / 4;
    double pass_time = cases[TRIAD].best / 2, bound = triads * pass_time;
    printf("\nrk4 of fixed size, heat, n = %zu; triad %.3f ms, %.1f GB/s with the reads that "
           "writes cause; "
           "bound %g triads = %.2f ms\n",
           n, pass_time * 1e3, 32e-9 * (double)n / pass_time, triads, bound * 1e3);
    printf("%-13s %9s %9s %7s %8s\n", "", "best ms", "median", "ratio", "/bound");
    for (size_t i = 0; i < TRIAD; i++) {
        const bench_case *c = &cases[i];
        printf("%-13s %9.2f %9.2f %7.3f %8.3f  %s\n", c->solver->peer, c->best * 1e3 / STEPS,
               c->median * 1e3 / STEPS, c->best / cases[0].best, c->best / STEPS / bound,
               c->solver->settings);
        if (i)
            bench_result(area, "heat, n = 1000000", "rk4, fixed step", c->solver->peer,
                         bench_distance(c->task.x, cases[0].task.x, n), c->best / cases[0].best,
                         (double)c->calls / (double)cases[0].calls, c->solver->settings);
    }
    bench_result(area, "heat, n = 1000000", "rk4, fixed step", "memory", NAN,
                 STEPS * bound / cases[0].best, NAN, "7.5 triads of the same size");
    for (size_t i = 0; i < COUNT; i++) free(cases[i].task.x);
    bench_problem_free(&p);
    return cases[0].best / STEPS / bound;
}

/* A controlled run with x at points some 10 steps apart: in one call whose sink gets them, and by a
 * handle that is advanced from one to the next. */
enum { POINTS = 100 };
typedef struct pieces {
    bench_task *task;
    const gt_method *method;
    gt_problem problem;
    void *memory;
    size_t bytes;
    double sum;
} pieces;

static gt_status add_up(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    (void)message;
    *(double *)self->ctx += sample->x[0];
    return GT_OK;
}

static void *pieces_open(const bench_solver *self, bench_task *task)
{
    pieces *d = malloc(sizeof *d);
    bench_require(d != NULL, "out of memory for a run in pieces");
    *d = (pieces){
        .task = task, .method = gt_method_find(self->method), .problem = task->problem->gt};
    d->problem.t1 = task->t1;
    gt_plan plan = {.rtol = task->tol};
    bench_require(!gt_run_measure(&d->problem, d->method, &plan, &d->bytes, NULL),
                  "a run is not measured");
    d->memory = malloc(d->bytes);
    bench_require(d->memory != NULL, "out of memory for a run in pieces");
    return d;
}

static void pieces_close(void *handle)
{
    free(((pieces *)handle)->memory);
    free(handle);
}

static void in_one_call(void *handle)
{
    pieces *d = handle;
    gt_sink sink = {.wants = GT_AT_OUTPUT, .write = add_up, .ctx = &d->sum};
    gt_plan plan = {.rtol = d->task->tol,
                    .every = (d->task->t1 - d->problem.t0) / POINTS,
                    .sinks = (gt_sink *[]){&sink},
                    .n_sinks = 1,
                    .x_end = d->task->x};
    gt_report report;
    bench_require(!gt_solve(&d->problem, d->method, &plan, &report), report.message.text);
    d->task->steps = report.stats.steps;
}

static void by_handle(void *handle)
{
    pieces *d = handle;
    gt_plan plan = {.rtol = d->task->tol};
    gt_run *run;
    double t0 = d->problem.t0, span = d->task->t1 - t0;
    bench_require(!gt_run_open_in(&run, &d->problem, d->method, &plan, d->memory, d->bytes, NULL),
                  "a run is not opened");
    for (int k = 1; k <= POINTS; k++) {
        double t = k < POINTS ? t0 + span * k / POINTS : d->task->t1;
        bench_require(!gt_run_advance(run, t, 0, NULL), gt_run_message(run));
        d->sum += gt_run_x(run)[0];
    }
    memcpy(d->task->x, gt_run_x(run), gt_problem_size(&d->problem) * sizeof(double));
    d->task->steps = gt_run_stats(run)->steps;
    gt_run_close(run);
}

/* Returns the time of the handle over that of one call. */
static double handle_beside_call(const bench_problem *p, const char *method, double t1, double tol)
{
    bench_solver solvers[] = {
        {"one call", method, "gt_solve with a sink", NULL, pieces_open, in_one_call, pieces_close},
        {"handle", method, "gt_run_open_in, gt_run_advance to each point", NULL, pieces_open,
         by_handle, pieces_close}};
    bench_case cases[2];
    for (int i = 0; i < 2; i++)
        cases[i] =
            (bench_case){.solver = &solvers[i], .task = {.problem = p, .t1 = t1, .tol = tol}};
    bench_time(cases, 2, REPEATS);
    char problem[48], row[64];
    double ratio = cases[1].best / cases[0].best;
    snprintf(row, sizeof row, "%s, output at %d points", method, POINTS);
    printf("%-16s %-8s %7ld %9.1f %9.1f %7.3f\n", named(p, problem), method, cases[1].task.steps,
           cases[0].best * 1e9 / (double)cases[0].task.steps,
           cases[1].best * 1e9 / (double)cases[1].task.steps, ratio);
    bench_result(area, problem, row, "geartrain, by a handle",
                 bench_distance(cases[1].task.x, cases[0].task.x, gt_problem_size(&p->gt)), ratio,
                 (double)cases[1].calls / (double)cases[0].calls, solvers[1].settings);
    for (int i = 0; i < 2; i++) free(cases[i].task.x);
    return ratio;
}

static double handles(void)
{
    bench_problem lorenz = bench_lorenz();
    printf("\na run in %d pieces by a handle beside one call with output there: ns a step\n",
           POINTS);
    printf("%-16s %-8s %7s %9s %9s %7s\n", "", "", "steps", "one call", "handle", "ratio");
    double worst = fmax(handle_beside_call(&lorenz, "dopri5", 15, 1e-8),
                        handle_beside_call(&lorenz, "gear", 15, 1e-6));
    bench_problem_free(&lorenz);
    return worst;
}

/* Bytes that the process has from the heap. */
static size_t heap(void)
{
    struct mallinfo2 now = mallinfo2();
    return now.uordblks + now.hblkhd;
}

/* What a run is as bytes over the memory that it has, after 40 steps: its workspace and the sparse
 * factors, which lie on the heap beside it. A copy has the same memory as the run itself. */
static double saved_bytes(const bench_problem *p, const char *method)
{
    gt_run *run;
    gt_problem endless = p->gt;
    endless.t1 = INFINITY;
    gt_plan plan = {.rtol = 1e-6};
    void *bytes;
    size_t workspace, saved;
    bench_require(!gt_run_measure(&endless, gt_method_find(method), &plan, &workspace, NULL),
                  "a run is not measured");
    void *memory = malloc(workspace);
    size_t before = heap();
    bench_require(memory && !gt_run_open_in(&run, &endless, gt_method_find(method), &plan, memory,
                                            workspace, NULL),
                  "a run is not opened");
    for (int k = 0; k < 40; k++) bench_require(!gt_run_step(run, NULL), "a step of a run failed");
    size_t factors = heap() - before;
    bench_require(!gt_run_save(run, NULL, &bytes, &saved, NULL), "a run is not saved");
    char problem[48];
    double ratio = (double)saved / (double)(workspace + factors);
    printf("%-22s %-8s %10zu %10zu %10zu %7.3f\n", named(p, problem), method, workspace, factors,
           saved, ratio);
    free(bytes);
    gt_run_close(run);
    free(memory);
    return ratio;
}

static double checkpoints(void)
{
    static const char *const methods[] = {"dopri5", "gear", "rodas4", "bi"};
    bench_problem problems[] = {bench_lorenz(), bench_chain(64),
                                bench_model("brusselator", "n=500"),
                                bench_model("heat", "n=1000,storage=banded")};
    double most = 0;
    printf("\n%-22s %-8s %10s %10s %10s %7s\n", "checkpoints, bytes", "", "workspace", "factors",
           "saved", "ratio");
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
        for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
            most = fmax(most, saved_bytes(&problems[i], methods[k]));
        bench_problem_free(&problems[i]);
    }
    return most;
}

int main(void)
{
    static const bench_solver *const rk4[] = {
        &bench_own_rk4,          &bench_loop_rk4, &bench_own_rk4_steps, &bench_boost_rk4,
        &bench_boost_rk4_inline, &bench_gsl_rk4,  &bench_arkode_rk4,    NULL};
    static const bench_solver *const rkf45[] = {&bench_own_rkf45, &bench_own_rkf45_steps,
                                                &bench_gsl_rkf45, &bench_arkode_rkf45, NULL};
    static const bench_solver *const dopri5[] = {&bench_own_dopri5,    &bench_own_dopri5_steps,
                                                 &bench_boost_dopri5,  &bench_boost_dopri5_inline,
                                                 &bench_arkode_dopri5, NULL};
    bench_problem lorenz = bench_lorenz();
    bench_problem others[] = {bench_vanderpol(), bench_chain(8), bench_chain(64)};
    double loop = 1 / fixed_step(&lorenz, 1e-3, 20000, rk4);
    fixed_step(&lorenz, 1e-3, 20000, rkf45);
    fixed_step(&lorenz, 1e-3, 20000, dopri5);
    for (size_t i = 0; i < 3; i++) {
        fixed_step(&others[i], 1e-2, 10000, rk4);
        bench_problem_free(&others[i]);
    }
    bench_problem_free(&lorenz);
    double two_blocks = pairs();
    double memory = large(1000000);
    double handle = handles(), saved = checkpoints();
    printf("\n%-62s %7s   %s\n", "bars", "ratio", "bar");
    bench_bar("rk4, Lorenz: our time / hand-written loop", loop, 0, 1.15);
    bench_bar("vehicle, truck: a pair / the same tableau for one block", two_blocks, 0, 1.15);
    bench_bar("rk4, heat, n = 10^6: our time / bound of memory", memory, 0, 1.3);
    bench_bar("n = 3: a run in 100 pieces by a handle / one call with output", handle, 0, 1.05);
    bench_bar("a run as bytes / its memory with sparse factors", saved, 0, 1.1);
    bench_write_results(area);
    return 0;
}
