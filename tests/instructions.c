/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Five small kernels and a plain loop, each a function of its own whose instructions
 * instructions_test.sh counts. The number of steps is the same on every machine, so that the counts
 * are too, but for the compiler.
 */
#include <geartrain/author/author.h>
#include <geartrain/geartrain.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 2000 };

typedef struct kernel {
    gt_arena arena;
    gt_problem problem;
    gt_stepper s;
    void *memory;
    double x[16];
} kernel;

static void require(int condition, const char *what)
{
    if (condition) return;
    fprintf(stderr, "instructions: %s\n", what);
    exit(1);
}

static void make(kernel *k, const char *model, const char *params, const char *method)
{
    size_t bytes;
    gt_message message;
    k->arena = gt_arena_growing();
    require(!gt_model_build(gt_model_find(model), params, &k->problem, &k->arena, &message),
            "a model is not built");
    require(!gt_stepper_measure(gt_method_find(method), NULL, &k->problem, &bytes, NULL),
            "a method is not measured");
    k->memory = malloc(bytes);
    require(k->memory && !gt_stepper_init(&k->s, gt_method_find(method), NULL, &k->problem,
                                          k->memory, bytes),
            "a stepper is not made");
}

static void drop(kernel *k)
{
    gt_stepper_free(&k->s);
    free(k->memory);
    gt_arena_free(&k->arena);
}

/* rk4 as one writes it by hand, on the same right-hand side. */
__attribute__((noinline)) static void kernel_reference(const gt_problem *p, double h)
{
    double x[3] = {p->x0[0], p->x0[1], p->x0[2]}, y[3], k[4][3], t = p->t0;
    for (int n = 0; n < STEPS; n++, t += h) {
        require(!p->rhs(t, x, k[0], p->ctx), "f");
        for (int i = 0; i < 3; i++) y[i] = x[i] + h / 2 * k[0][i];
        require(!p->rhs(t + h / 2, y, k[1], p->ctx), "f");
        for (int i = 0; i < 3; i++) y[i] = x[i] + h / 2 * k[1][i];
        require(!p->rhs(t + h / 2, y, k[2], p->ctx), "f");
        for (int i = 0; i < 3; i++) y[i] = x[i] + h * k[2][i];
        require(!p->rhs(t + h, y, k[3], p->ctx), "f");
        for (int i = 0; i < 3; i++) x[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
    require(x[0] == x[0], "the reference is not finite");
}

static void run(kernel *k, double h, double rtol, double t1)
{
    gt_report report;
    k->problem.t1 = t1;
    require(!gt_integrate(&k->s, &(gt_plan){.h = h, .rtol = rtol, .x_end = k->x}, &report),
            "a run failed");
}

__attribute__((noinline)) static void kernel_rk4(kernel *k) { run(k, 1e-3, 0, 1e-3 * STEPS); }
__attribute__((noinline)) static void kernel_dopri5(kernel *k) { run(k, 0, 1e-8, 10); }
__attribute__((noinline)) static void kernel_gear(kernel *k) { run(k, 0, 1e-6, 1e7); }
__attribute__((noinline)) static void kernel_trapezoidal(kernel *k) { run(k, 5e-3, 0, 5); }
__attribute__((noinline)) static void kernel_prk25(kernel *k) { run(k, 1e-3, 0, 1); }

/* The Lorenz equations with 1, 10 or 100 relations max(x - c, 0) that are never met, as switches
 * and as they are. */
typedef struct relations {
    int count;
    const signed char *side;
} relations;

static double held_sum(const relations *w, double x)
{
    double sum = 0;
    for (int k = 0; k < w->count; k++) {
        double g = x - (1000 + k);
        sum += (w->side[k] ? w->side[k] > 0 : g >= 0) ? g : 0;
    }
    return sum;
}

static gt_status lorenz(double t, const double *x, double *dx, void *ctx)
{
    const relations *w = ctx;
    double sum = 0;
    (void)t;
    if (w->side)
        sum = held_sum(w, x[0]);
    else
        for (int k = 0; k < w->count; k++) {
            double g = x[0] - (1000 + k);
            sum += g >= 0 ? g : 0;
        }
    dx[0] = 10 * (x[1] - x[0]);
    dx[1] = x[0] * (28 - x[2]) - x[1] + sum;
    dx[2] = x[0] * x[1] - 8.0 / 3 * x[2];
    return GT_OK;
}

static gt_status thresholds(double t, const double *x, double *g, void *ctx)
{
    const relations *w = ctx;
    (void)t;
    for (int k = 0; k < w->count; k++) g[k] = x[0] - (1000 + k);
    return GT_OK;
}

static void hold(const signed char *side, void *ctx) { ((relations *)ctx)->side = side; }

static long run_relations(int count, bool switches, const char *method)
{
    static const double x0[3] = {1, 1, 1};
    relations w = {.count = count};
    gt_problem p = {.n_slow = 3, .rhs = lorenz, .x0 = x0, .t1 = 100, .ctx = &w, .autonomous = true};
    gt_report report;
    if (switches) p.n_switches = (size_t)count, p.switches = thresholds, p.set_sides = hold;
    require(!gt_solve(&p, gt_method_find(method), &(gt_plan){.rtol = 1e-6}, &report),
            "a run with relations failed");
    require(report.stats.switches == 0, "a relation was met");
    return report.stats.rhs;
}

#define RELATIONS(count, method)                                                                   \
    __attribute__((noinline)) static long plain_##method##_##count(void)                           \
    {                                                                                              \
        return run_relations(count, false, #method);                                               \
    }                                                                                              \
    __attribute__((noinline)) static long switched_##method##_##count(void)                        \
    {                                                                                              \
        return run_relations(count, true, #method);                                                \
    }
RELATIONS(1, dopri5)
RELATIONS(10, dopri5)
RELATIONS(100, dopri5)
RELATIONS(1, gear)
RELATIONS(100, gear)

static void count_relations(void)
{
    require(plain_dopri5_1() == switched_dopri5_1(), "1 relation costs evaluations of f");
    require(plain_dopri5_10() == switched_dopri5_10(), "10 relations cost evaluations of f");
    require(plain_dopri5_100() == switched_dopri5_100(), "100 relations cost evaluations of f");
    require(plain_gear_1() == switched_gear_1(), "1 relation costs gear evaluations of f");
    require(plain_gear_100() == switched_gear_100(), "100 relations cost gear evaluations of f");
}

/* The same points in time by one call with output and by a handle that is advanced to each: about
 * 10 steps apart. */
static gt_status add_up(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    (void)message;
    *(double *)self->ctx += sample->x[0];
    return GT_OK;
}

enum { POINTS = 60 };

static double whole_run(const gt_problem *p, const char *method)
{
    double sum = 0;
    gt_report report;
    gt_sink sink = {.wants = GT_AT_OUTPUT, .write = add_up, .ctx = &sum}, *sinks[] = {&sink};
    gt_plan plan = {.rtol = 1e-6, .every = p->t1 / POINTS, .sinks = sinks, .n_sinks = 1};
    require(!gt_solve(p, gt_method_find(method), &plan, &report), "a whole run failed");
    return sum - p->x0[0];
}

static double handled_run(const gt_problem *p, const char *method)
{
    double sum = 0;
    gt_run *run;
    gt_plan plan = {.rtol = 1e-6};
    require(!gt_run_open(&run, p, gt_method_find(method), &plan, NULL), "a handle was not opened");
    for (int k = 1; k <= POINTS; k++) {
        require(!gt_run_advance(run, k < POINTS ? p->t1 / POINTS * k : p->t1, 0, NULL),
                "a handle failed");
        sum += gt_run_x(run)[0];
    }
    gt_run_close(run);
    return sum;
}

__attribute__((noinline)) static double whole_dopri5(const gt_problem *p)
{
    return whole_run(p, "dopri5");
}
__attribute__((noinline)) static double handled_dopri5(const gt_problem *p)
{
    return handled_run(p, "dopri5");
}
__attribute__((noinline)) static double whole_gear(const gt_problem *p)
{
    return whole_run(p, "gear");
}
__attribute__((noinline)) static double handled_gear(const gt_problem *p)
{
    return handled_run(p, "gear");
}

static void count_handles(void)
{
    static const double x0[3] = {1, 1, 1};
    relations w = {.count = 0};
    gt_problem p = {.n_slow = 3, .rhs = lorenz, .x0 = x0, .t1 = 15, .ctx = &w, .autonomous = true};
    require(whole_dopri5(&p) == handled_dopri5(&p), "a handle with dopri5 gives other numbers");
    p.t1 = 4;
    require(whole_gear(&p) == handled_gear(&p), "a handle with gear gives other numbers");
}

int main(void)
{
    kernel k;
    count_relations();
    count_handles();
    make(&k, "lorenz", "", "rk4");
    kernel_reference(&k.problem, 1e-3);
    kernel_rk4(&k);
    drop(&k);
    make(&k, "lorenz", "", "dopri5");
    kernel_dopri5(&k);
    drop(&k);
    make(&k, "robertson", "", "gear");
    kernel_gear(&k);
    drop(&k);
    make(&k, "vanderpol", "mu=2", "trapezoidal");
    kernel_trapezoidal(&k);
    drop(&k);
    make(&k, "quartercar_b", "", "prk25");
    kernel_prk25(&k);
    drop(&k);
    return 0;
}
