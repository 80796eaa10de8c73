/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Area "vehicle": a cheap fast part (tyres) that forces small steps on a costly slow one (the
 * vehicle). Dual-rate and multirate methods beside single-rate ones, at scaled errors of 1e-3 and
 * 1e-4, with a slow function that costs 1, 10 and 100 times the fast one. Also: worst-case time of
 * a step in a real-time loop.
 */
#include "bench.h"
#include <geartrain/author/author.h>
#include <geartrain/geartrain.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

static const char area[] = "vehicle";

enum { N = 28, SLOW = 14, TIMES = 4 };
static const double times[TIMES] = {0.1, 0.25, 0.5, 1};

typedef struct manoeuvre {
    const char *name, *params;
} manoeuvre;
static const manoeuvre manoeuvres[] = {
    {"road", "speed=20, road=0.01"},
    {"braking", "speed=30, torque=350, torque_swing=150, torque_frequency=3"}};
enum { N_MANOEUVRES = sizeof manoeuvres / sizeof *manoeuvres };

static const bench_solver *const named[] = {
    &bench_own_rk2,     &bench_own_rk4,     &bench_own_prk25,     &bench_own_prk2s,
    &bench_own_prk36,   &bench_own_prk37,   &bench_own_prk46,     &bench_own_prk48,
    &bench_own_mri3,    &bench_own_mri4,    &bench_own_mradams,   &bench_boost_rk2,
    &bench_boost_rk4,   &bench_mristep_kw3, &bench_mristep_erk33, &bench_mristep_erk45,
    &bench_cvode_adams, &bench_cvode_bdf};
static int controlled(const bench_solver *s)
{
    return s == &bench_cvode_adams || s == &bench_cvode_bdf;
}
static int single_rate(const char *method)
{
    return strncmp(method, "rk", 2) == 0 || strcmp(method, "adams") == 0 ||
           strcmp(method, "bdf") == 0;
}

static bench_problem model_of(const manoeuvre *m, long cost, long *block_calls)
{
    char params[160];
    snprintf(params, sizeof params, "%s, cost=%ld, coordinates=relative", m->params, cost);
    bench_problem p = bench_model("vehicle", params);
    p.block_calls = block_calls;
    return p;
}

static double seconds_of(const bench_problem *p, gt_rhs_fn *f)
{
    double dx[N], best = INFINITY;
    for (int r = 0; r < 20; r++) {
        double began = bench_now();
        for (int k = 0; k < 2000; k++) bench_sink((double)f(0, p->gt.x0, dx, p->gt.ctx));
        best = fmin(best, (bench_now() - began) / 2000);
    }
    return best;
}

/* Rounds of made-up work with which the slow function takes `ratio` times the fast one. */
static long calibrate(int ratio, double *got)
{
    bench_problem cheap = model_of(&manoeuvres[0], 0, NULL),
                  costly = model_of(&manoeuvres[0], 1000, NULL);
    double fast = seconds_of(&cheap, cheap.gt.rhs_fast),
           slow = seconds_of(&cheap, cheap.gt.rhs_slow);
    double round = (seconds_of(&costly, costly.gt.rhs_slow) - slow) / 1000;
    long cost = lround(fmax(0, (ratio * fast - slow) / round));
    bench_problem set = model_of(&manoeuvres[0], cost, NULL);
    *got = seconds_of(&set, set.gt.rhs_slow) / fast;
    bench_problem_free(&cheap);
    bench_problem_free(&costly);
    bench_problem_free(&set);
    return cost;
}

/* States at the four times, and their largest change, by which errors are scaled. */
typedef struct truth {
    double x[TIMES][N], scale[N];
} truth;

static truth reference(const bench_problem *p)
{
    truth T = {.scale = {0}};
    for (int k = 0; k < TIMES; k++) {
        gt_problem until = p->gt;
        gt_report report;
        until.t1 = times[k];
        gt_plan plan = {.rtol = 1e-12, .atol = 1e-13, .x_end = T.x[k]};
        bench_require(gt_solve(&until, gt_method_find("dopri5"), &plan, &report) == GT_OK,
                      "vehicle: no reference");
        for (int i = 0; i < N; i++) T.scale[i] = fmax(T.scale[i], fabs(T.x[k][i] - p->gt.x0[i]));
    }
    return T;
}

/* Largest scaled error of a slow state at the four times; NaN: the run failed. */
static double error_of(const bench_solver *solver, bench_task task, const truth *T)
{
    double x[N], most = 0;
    task.x = x;
    for (int k = 0; k < TIMES; k++) {
        task.t1 = times[k];
        task.failed = 0;
        void *handle = solver->open(solver, &task);
        solver->run(handle);
        solver->close(handle);
        if (task.failed) return NAN;
        for (int i = 0; i < SLOW; i++) {
            double e = fabs(x[i] - T->x[k][i]) / T->scale[i];
            if (!(e < 1)) return NAN;
            most = fmax(most, e);
        }
    }
    return most;
}

static bench_task task_of(const bench_solver *solver, const bench_problem *p, double setting)
{
    return (bench_task){.problem = p,
                        .t1 = 1,
                        .h = controlled(solver) ? 0 : setting,
                        .tol = controlled(solver) ? setting : 0,
                        .atol = controlled(solver) ? 1e-2 * setting : 0,
                        .most_steps = 1000000,
                        .may_fail = 1};
}

/* Steps from the coarsest that works on, or tolerances, until the error is below 3e-5. */
static void find_settings(bench_row *r, const bench_problem *p, const truth *T)
{
    static const int parts[] = {5,  6,  8,  10, 12, 14, 16,  18,  20,  22,  25,
                                28, 32, 40, 50, 64, 80, 100, 128, 160, 200, 256};
    r->curve.points = 0;
    for (size_t k = 0; k < sizeof parts / sizeof *parts && r->curve.points < BENCH_POINTS; k++) {
        double setting = controlled(r->solver) ? pow(10, -2 - 0.5 * (double)k) : 0.05 / parts[k];
        if (controlled(r->solver) && k > 12) break;
        double error = error_of(r->solver, task_of(r->solver, p, setting), T);
        if (!(error < 0.03)) continue;
        r->setting[r->curve.points] = setting;
        r->curve.error[r->curve.points++] = error;
        if (error < 3e-5) break;
    }
}

/* Of all points those on either side of an error that is asked for. */
static void keep_brackets(bench_row *r)
{
    static const double wanted[] = {1e-3, 1e-4};
    unsigned char keep[BENCH_POINTS] = {0};
    int used = 0;
    for (int w = 0; w < 2; w++)
        for (int k = 0; k < r->curve.points; k++) {
            if (r->curve.error[k] > wanted[w]) continue;
            keep[k] = 1;
            if (k) keep[k - 1] = 1;
            break;
        }
    for (int k = 0; k < r->curve.points; k++) {
        if (!keep[k]) continue;
        r->curve.error[used] = r->curve.error[k];
        r->setting[used++] = r->setting[k];
    }
    r->curve.points = used;
}

/* Straight between the points in logarithms; larger errors than that of the coarsest stable step
 * cost as much as it. */
static double at_error(const bench_row *r, const double *work, double error)
{
    const bench_curve *c = &r->curve;
    for (int k = 0; k < c->points; k++) {
        if (c->error[k] <= error) {
            if (k == 0) return work[0];
            double slope = log(work[k] / work[k - 1]) / log(c->error[k] / c->error[k - 1]);
            double between = work[k] * pow(error / c->error[k], slope);
            return c->error[k - 1] > error
                       ? fmin(fmax(between, fmin(work[k - 1], work[k])), work[k])
                       : work[k];
        }
    }
    return NAN;
}

typedef struct verdict {
    double rk2, single, dual; /* best times at 1e-4 */
    const char *single_name, *dual_name;
} verdict;

static verdict print_rows(const bench_row *rows, size_t count, int ratio, const manoeuvre *m)
{
    verdict v = {INFINITY, INFINITY, INFINITY, "", ""};
    printf("\n%s, slow function %d times the fast one: ms, slow and fast evaluations at error 1e-3 "
           "and 1e-4\n",
           m->name, ratio);
    printf("%-13s %-9s %9s %9s %8s %8s %9s %9s %8s %8s\n", "", "", "1e-3 best", "median", "slow",
           "fast", "1e-4 best", "median", "slow", "fast");
    for (size_t i = 0; i < count; i++) {
        const bench_row *r = &rows[i];
        const bench_solver *s = r->solver;
        printf("%-13s %-9s", s->peer, s->method);
        for (int k = 0; k < 2; k++) {
            double error = k ? 1e-4 : 1e-3, time = at_error(r, r->curve.time, error);
            if (isnan(time))
                printf(" %9s %9s %8s %8s", "-", "", "", "");
            else
                printf(" %9.3f %9.3f %8.0f %8.0f", 1e3 * time, 1e3 * at_error(r, r->median, error),
                       at_error(r, r->slow, error), at_error(r, r->fast, error));
        }
        putchar('\n');
        double time = at_error(r, r->curve.time, 1e-4);
        if (isnan(time)) continue;
        if (strcmp(s->method, "rk2") == 0) v.rk2 = fmin(v.rk2, time);
        if (single_rate(s->method) && time < v.single) v.single = time, v.single_name = s->method;
        if (!single_rate(s->method) && strcmp(s->peer, "geartrain") == 0 && time < v.dual)
            v.dual = time, v.dual_name = s->method;
    }
    printf("best dual rate of ours at 1e-4: %s; RK2 takes %.2f times its time, the best single "
           "rate (%s) %.2f times\n",
           v.dual_name, v.rk2 / v.dual, v.single_name, v.single / v.dual);
    return v;
}

static void keep_results(const bench_row *rows, size_t count, int ratio, const manoeuvre *m,
                         const verdict *v)
{
    char problem[64];
    snprintf(problem, sizeof problem, "%s, slow cost %dx", m->name, ratio);
    const bench_row *ours = NULL;
    for (size_t i = 0; i < count; i++)
        if (strcmp(rows[i].solver->peer, "geartrain") == 0 &&
            strcmp(rows[i].solver->method, v->dual_name) == 0)
            ours = &rows[i];
    if (!ours) return;
    double work[BENCH_ROWS];
    for (size_t i = 0; i < count; i++) {
        const bench_row *r = &rows[i];
        work[i] = ratio * at_error(r, r->slow, 1e-4) + at_error(r, r->fast, 1e-4);
    }
    for (size_t i = 0; i < count; i++) {
        const bench_row *r = &rows[i];
        char peer[64];
        if (r == ours) continue;
        snprintf(peer, sizeof peer, "%s %s", r->solver->peer, r->solver->method);
        bench_result(area, problem, ours->solver->method, peer, 1e-4,
                     at_error(r, r->curve.time, 1e-4) / v->dual, work[i] / work[ours - rows],
                     r->solver->settings);
    }
}

static void run_manoeuvre(const manoeuvre *m, const int *ratios, const long *costs, int n_ratios,
                          verdict *verdicts)
{
    bench_row rows[BENCH_ROWS];
    char labels[BENCH_ROWS][40];
    size_t count = 0;
    long block_calls[2];
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        rows[count++] = (bench_row){.solver = named[i]};
    for (size_t i = 0; bench_petsc(i) && count < BENCH_ROWS; i++)
        rows[count++] = (bench_row){.solver = bench_petsc(i)};
    bench_problem cheap = model_of(m, 0, NULL);
    truth T = reference(&cheap);
    for (size_t i = 0; i < count; i++) {
        snprintf(labels[i], sizeof labels[i], "%s %s", rows[i].solver->peer,
                 rows[i].solver->method);
        rows[i].curve.label = labels[i];
        find_settings(&rows[i], &cheap, &T);
        keep_brackets(&rows[i]);
    }
    bench_problem_free(&cheap);
    for (int k = 0; k < n_ratios; k++) {
        bench_problem p = model_of(m, costs[k], block_calls);
        bench_time_rows(rows, count, &p, task_of, 7);
        verdicts[k] = print_rows(rows, count, ratios[k], m);
        keep_results(rows, count, ratios[k], m, &verdicts[k]);
        if (ratios[k] == 10) {
            bench_curve curves[BENCH_ROWS];
            for (size_t i = 0; i < count; i++) curves[i] = rows[i].curve;
            bench_figure(area, m->name, curves, count);
        }
        bench_problem_free(&p);
    }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Asks that nothing but the kernel comes between two steps, as a program in real time does. It
 * takes rights. */
static int enter_real_time(void)
{
    struct sched_param first = {.sched_priority = 50};
    return sched_setscheduler(0, SCHED_FIFO, &first) == 0 &&
           mlockall(MCL_CURRENT | MCL_FUTURE) == 0;
}

static void leave_real_time(void)
{
    struct sched_param none = {.sched_priority = 0};
    sched_setscheduler(0, SCHED_OTHER, &none);
    munlockall();
}

/* A loop in real time: the time of each of many steps. It starts anew every 10 s of its own time.
 */
static void worst_case(const char *method, const char *options, double h, long steps, long cost)
{
    bench_problem p = model_of(&manoeuvres[0], cost, NULL);
    gt_stepper s;
    size_t bytes;
    bench_require(!gt_stepper_measure(gt_method_find(method), options, &p.gt, &bytes, NULL),
                  "vehicle: measure");
    void *memory = malloc(bytes);
    double *took = malloc((size_t)steps * sizeof *took);
    bench_require(memory && took, "out of memory for the times of steps");
    memset(took, 0, (size_t)steps * sizeof *took);
    bench_require(!gt_stepper_init(&s, gt_method_find(method), options, &p.gt, memory, bytes),
                  "vehicle: init");
    long again = lround(10 / h);
    const struct timespec pause = {.tv_nsec = 1000000};
    for (long k = 0; k < steps; k++) {
        if (k % again == 0) gt_stepper_start(&s, p.gt.t0, p.gt.x0);
        if (k % 1000 == 0)
            nanosleep(&pause, NULL); /* the kernel stops a program that never does, once a second */
        double began = bench_now();
        bench_require(!gt_stepper_step(&s, h), "vehicle: step");
        took[k] = bench_now() - began;
    }
    qsort(took, (size_t)steps, sizeof *took, ascending);
    printf("%-8s %8g %10.2f %10.2f %10.2f %10.2f %12.1f\n", method, h, 1e6 * took[steps / 2],
           1e6 * took[(size_t)(0.999 * (double)steps)],
           1e6 * took[(size_t)(0.99999 * (double)steps)], 1e6 * took[steps - 1],
           h / took[steps - 1]);
    gt_stepper_free(&s);
    free(memory);
    free(took);
    bench_problem_free(&p);
}

static void real_time(long cost)
{
    long steps = bench_quick() ? 100000 : 1000000;
    int first = enter_real_time();
    printf("\nreal time, %ld steps one at a time, slow function 10 times the fast one, %s: us a "
           "step\n",
           steps,
           first ? "before all other programs (SCHED_FIFO)"
                 : "beside all other programs (no right to be first)");
    printf("%-8s %8s %10s %10s %10s %10s %12s\n", "", "h", "median", "99.9 %", "99.999 %", "worst",
           "h / worst");
    worst_case("rk2", "", 0.0005, steps, cost);
    worst_case("rk4", "", 0.0016, steps, cost);
    worst_case("prk36", "", 0.0024, steps, cost);
    worst_case("prk48", "", 0.0028, steps, cost);
    worst_case("mri4", "inner=rk4, substeps=1", 0.005, steps, cost);
    worst_case("mradams", "inner=rk4, substeps=1", 0.00125, steps, cost);
    leave_real_time();
}

/* With the argument "realtime" the loop in real time only. */
int main(int argc, char **argv)
{
    const int all_ratios[] = {1, 10, 100}, quick_ratios[] = {10};
    int only_real_time = argc > 1 && strcmp(argv[1], "realtime") == 0,
        few = bench_quick() || only_real_time;
    const int *ratios = few ? quick_ratios : all_ratios, n_ratios = few ? 1 : 3;
    long costs[3];
    verdict verdicts[N_MANOEUVRES][3];
    if (!bench_petsc(0)) printf("built without PETSc: its MPRK is left out\n");
    for (int k = 0; k < n_ratios; k++) {
        double got;
        costs[k] = calibrate(ratios[k], &got);
        printf("slow function %.3g times the fast one: cost=%ld\n", got, costs[k]);
    }
    for (int m = 0; m < (only_real_time ? 0 : bench_quick() ? 1 : N_MANOEUVRES); m++)
        run_manoeuvre(&manoeuvres[m], ratios, costs, n_ratios, verdicts[m]);
    real_time(costs[few ? 0 : 1]);
    if (!only_real_time) bench_write_results(area);
    return 0;
}
