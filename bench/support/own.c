/* SPDX-License-Identifier: BSD-3-Clause */
/* This library, by gt_integrate and one step at a time. */
#include "bench.h"
#include <geartrain/author/author.h>
#include <geartrain/geartrain.h>
#include <math.h>
#include <stdlib.h>

typedef struct own {
    bench_task *task;
    gt_problem problem;
    gt_stepper s;
    void *memory;
    size_t bytes;
    const gt_method *method;
    const char *options;
    gt_arena arena; /* of a method that is made for the task */
} own;

static own *own_new(bench_task *task)
{
    own *o = malloc(sizeof *o);
    bench_require(o != NULL, "out of memory for a solver");
    *o = (own){.task = task, .problem = task->problem->gt, .arena = gt_arena_growing()};
    o->problem.t1 = task->t1;
    return o;
}

static void own_begin(own *o)
{
    gt_status status =
        gt_stepper_init(&o->s, o->method, o->options, &o->problem, o->memory, o->bytes);
    bench_require(status == GT_OK, o->s.message.text);
}

static void own_prepare(own *o, const gt_method *method, const char *options)
{
    bench_require(gt_stepper_measure(method, options, &o->problem, &o->bytes, NULL) == GT_OK,
                  "own: measure");
    o->memory = malloc(o->bytes);
    o->method = method;
    o->options = options;
    own_begin(o);
}

/* SUNDIALS orders a sparse matrix anew in each run; so that both are timed alike, we do too. */
static void order_anew(own *o)
{
    if (o->problem.jac_pattern.storage != GT_CSC || !(o->s.facts.flags & GT_USES_JACOBIAN)) return;
    gt_stepper_free(&o->s);
    own_begin(o);
}

static void *own_open(const bench_solver *self, bench_task *task)
{
    own *o = own_new(task);
    own_prepare(o, gt_method_find(self->method), self->variant);
    return o;
}

/* A partitioned method with the tableau of the method `variant` in both blocks: the same arithmetic
 * as that method, by the engine for pairs. */
static void *own_open_pair(const bench_solver *self, bench_task *task)
{
    own *o = own_new(task);
    const gt_tableau *tableau = gt_method_find(self->variant)->tableau;
    const gt_partitioned twice = {.slow = *tableau, .fast = *tableau};
    const gt_method *pair;
    gt_message message;
    bench_require(!gt_method_from_partitioned(&(gt_method_label){.name = "pair"}, &twice, &o->arena,
                                              &pair, &message),
                  message.text);
    own_prepare(o, pair, "");
    return o;
}

static void own_integrate(void *handle)
{
    own *o = handle;
    gt_plan plan = {.h = o->task->h,
                    .rtol = o->task->tol,
                    .atol = bench_atol(o->task),
                    .x_end = o->task->x,
                    .max_steps =
                        o->task->most_steps}; /* as peers have it; 0: no limit but our own */
    gt_report report;
    order_anew(o);
    o->task->failed = gt_integrate(&o->s, &plan, &report) != GT_OK;
    bench_require(!o->task->failed || o->task->may_fail || (o->s.facts.flags & GT_USES_JACOBIAN),
                  report.message.text);
    o->task->steps = report.stats.steps;
    o->task->jacobians = report.stats.jacobians;
    o->task->factorizations = report.stats.factorizations;
}

static void own_steps(void *handle)
{
    own *o = handle;
    long count = lround((o->task->t1 - o->problem.t0) / o->task->h);
    gt_stepper_start(&o->s, o->problem.t0, o->problem.x0);
    for (long k = 0; k < count; k++)
        bench_require(gt_stepper_step(&o->s, o->task->h) == GT_OK, "own: step");
    for (size_t i = 0; i < o->s.n; i++) o->task->x[i] = o->s.x[i];
    o->task->steps = count;
}

static void own_close(void *handle)
{
    own *o = handle;
    gt_stepper_free(&o->s);
    gt_arena_free(&o->arena);
    free(o->memory);
    free(o);
}

#define OWN(id)                                                                                    \
    const bench_solver bench_own_##id = {"geartrain", #id,           "gt_integrate", NULL,         \
                                         own_open,    own_integrate, own_close};                   \
    const bench_solver bench_own_##id##_steps =                                                    \
        {"geartrain", #id,      "gt_stepper_step, one step a call", NULL, own_open,                \
         own_steps,   own_close};
OWN(rk4)
OWN(rkf45)
OWN(dopri5)
#define OWN_PAIR(id)                                                                               \
    const bench_solver bench_own_pair_##id = {"geartrain",   "pair of " #id, "gt_integrate", #id,  \
                                              own_open_pair, own_integrate,  own_close};
OWN_PAIR(rk4)
OWN_PAIR(rkf45)
const bench_solver bench_own_trapezoidal = {"geartrain", "trapezoidal", "gt_integrate", NULL,
                                            own_open,    own_integrate, own_close};
const bench_solver bench_own_gear = {"geartrain", "gear",        "gt_integrate", NULL,
                                     own_open,    own_integrate, own_close};

/* Single rate and dual rate for areas with blocks; `variant` has the options. */
#define OWN_WITH(id, method, options)                                                              \
    const bench_solver bench_own_##id = {"geartrain", method,   "gt_integrate " options,           \
                                         options,     own_open, own_integrate,                     \
                                         own_close};
OWN_WITH(rk2, "rk2", "")
OWN_WITH(rodas4, "rodas4", "")
OWN_WITH(rodas5, "rodas5", "")
OWN_WITH(radau, "radau", "")
OWN_WITH(prk25, "prk25", "")
OWN_WITH(prk2s, "prk2s", "")
OWN_WITH(prk36, "prk36", "")
OWN_WITH(prk37, "prk37", "")
OWN_WITH(prk46, "prk46", "")
OWN_WITH(prk48, "prk48", "")
OWN_WITH(mri3, "mri3", "inner=rk4, substeps=1")
OWN_WITH(mri4, "mri4", "inner=rk4, substeps=1")
OWN_WITH(mri4_2, "mri4", "inner=dopri5, substeps=2")
OWN_WITH(mri4_controlled, "mri4", "")
OWN_WITH(mri3_3, "mri3", "inner=dopri5, substeps=3")
OWN_WITH(mradams, "mradams", "inner=rk4, substeps=1")
OWN_WITH(mradams_4, "mradams", "inner=dopri5, substeps=4")
OWN_WITH(mradams_controlled, "mradams", "")
