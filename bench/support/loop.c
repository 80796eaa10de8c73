/* SPDX-License-Identifier: BSD-3-Clause */
/* What a person writes who needs nothing but this: rk4 in a loop, n known to the compiler where it
 * is small. */
#include "bench.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Unrolled, so that small systems are not computed as vectors, which wait for the single stores of
 * f. */
#define EACH(i, n) _Pragma("GCC unroll 8") for (size_t i = 0; i < n; i++)

typedef struct loop {
    bench_task *task;
    double *work; /* five vectors for an n that is not small */
} loop;

static inline __attribute__((always_inline)) void rk4(const bench_task *task, size_t n,
                                                      double *restrict x, double *restrict y,
                                                      double *restrict k1, double *restrict k2,
                                                      double *restrict k3, double *restrict k4)
{
    gt_rhs_fn *f = task->problem->gt.rhs;
    void *ctx = task->problem->gt.ctx;
    double h = task->h, t0 = task->problem->gt.t0, t = t0;
    long count = lround((task->t1 - t0) / h);
    memcpy(x, task->problem->gt.x0, n * sizeof *x);
    for (long step = 0; step < count; step++) {
        if (f(t, x, k1, ctx)) return;
        EACH(i, n) y[i] = x[i] + h / 2 * k1[i];
        if (f(t + h / 2, y, k2, ctx)) return;
        EACH(i, n) y[i] = x[i] + h / 2 * k2[i];
        if (f(t + h / 2, y, k3, ctx)) return;
        EACH(i, n) y[i] = x[i] + h * k3[i];
        if (f(t + h, y, k4, ctx)) return;
        EACH(i, n) x[i] += h / 6 * (k1[i] + 2 * (k2[i] + k3[i]) + k4[i]);
        t = t0 + (double)(step + 1) * h;
    }
}

#define SMALL(N)                                                                                   \
    static void rk4_##N(const bench_task *task)                                                    \
    {                                                                                              \
        double x[N], y[N], k1[N], k2[N], k3[N], k4[N];                                             \
        rk4(task, N, x, y, k1, k2, k3, k4);                                                        \
        memcpy(task->x, x, sizeof x);                                                              \
    }
SMALL(2)
SMALL(3)
SMALL(8)
SMALL(64)

static void *loop_open(const bench_solver *self, bench_task *task)
{
    (void)self;
    loop *l = malloc(sizeof *l);
    size_t n = gt_problem_size(&task->problem->gt);
    bench_require(l != NULL, "out of memory for a solver");
    *l = (loop){task, malloc(5 * n * sizeof(double))};
    bench_require(l->work != NULL, "out of memory for a solver");
    return l;
}

static void loop_run(void *handle)
{
    loop *l = handle;
    size_t n = gt_problem_size(&l->task->problem->gt);
    l->task->steps = lround((l->task->t1 - l->task->problem->gt.t0) / l->task->h);
    switch (n) {
    case 2:
        rk4_2(l->task);
        break;
    case 3:
        rk4_3(l->task);
        break;
    case 8:
        rk4_8(l->task);
        break;
    case 64:
        rk4_64(l->task);
        break;
    default:
        rk4(l->task, n, l->task->x, l->work, l->work + n, l->work + 2 * n, l->work + 3 * n,
            l->work + 4 * n);
    }
}

static void loop_close(void *handle)
{
    loop *l = handle;
    free(l->work);
    free(l);
}

const bench_solver bench_loop_rk4 = {
    "C loop", "rk4",     "hand-written, n a constant, same function pointer", NULL, loop_open,
    loop_run, loop_close};
