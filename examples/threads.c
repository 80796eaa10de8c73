/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs in several threads: the library has no state of its own, so two runs share nothing but what
 * the caller shares. Each thread has a problem of its own; models in files and methods may be
 * shared.
 *
 * Expected: 32 runs of van der Pol's oscillator with different stiffness by four threads end in the
 * same bits as one after the other.
 */
#include <geartrain/geartrain.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { RUNS = 32, THREADS = 4 };

static gt_status vanderpol(double t, const double *x, double *dx, void *ctx)
{
    const double mu = *(const double *)ctx;
    (void)t;
    dx[0] = x[1];
    dx[1] = mu * (1 - x[0] * x[0]) * x[1] - x[0];
    return GT_OK;
}

static gt_status run(int k, double *end)
{
    double mu = 1 + k, start[] = {2, 0};
    gt_problem problem = {.n_slow = 2, .rhs = vanderpol, .t1 = 50, .x0 = start, .ctx = &mu};
    return gt_solve(&problem, gt_method_find("gear"), &(gt_plan){.rtol = 1e-6, .x_end = end}, NULL);
}

typedef struct worker {
    pthread_t id;
    int first;
    double (*end)[2];
    gt_status status;
} worker;

static void *work(void *data)
{
    worker *w = data;
    for (int k = w->first; k < RUNS && !w->status; k += THREADS) w->status = run(k, w->end[k]);
    return NULL;
}

int main(void)
{
    static double together[RUNS][2], alone[RUNS][2];
    worker workers[THREADS];
    for (int k = 0; k < THREADS; k++) {
        workers[k] = (worker){.first = k, .end = together};
        if (pthread_create(&workers[k].id, NULL, work, &workers[k])) return 1;
    }
    int failed = 0;
    for (int k = 0; k < THREADS; k++)
        failed |= pthread_join(workers[k].id, NULL) || workers[k].status;
    for (int k = 0; k < RUNS; k++) failed |= run(k, alone[k]) != GT_OK;
    printf("x(50) with mu = 1: %.6f, with mu = %d: %.6f\n", together[0][0], RUNS,
           together[RUNS - 1][0]);
    return failed || memcmp(together, alone, sizeof alone) ? 1 : 0;
}
