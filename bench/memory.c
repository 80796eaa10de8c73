/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Area "memory": bytes that a stepper takes for each state, for every method in the list, and the peak of a process
 * that runs a Runge-Kutta method on 10^6 states.
 */
#include "bench.h"
#include <geartrain/geartrain.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Workspace of the method on a rod with n points; methods of two rates get it as two halves. 0: none can be said. */
static size_t workspace(const gt_method *m, const char *params)
{
    bench_problem p = bench_model("heat", params);
    size_t bytes = 0, n = p.gt.n_slow;
    gt_message message;
    if (gt_stepper_measure(m, NULL, &p.gt, &bytes, &message) != GT_OK) {
        p.gt.n_slow = n / 2, p.gt.n_fast = n - n / 2;
        if (gt_stepper_measure(m, NULL, &p.gt, &bytes, &message) != GT_OK) bytes = 0;
    }
    bench_problem_free(&p);
    return bytes;
}

/* What the vectors are. */
static void justify(const gt_method *m, char *text, size_t size)
{
    double v[32] = {0};
    size_t k = 0;
    for (const gt_param *o = m->options; o && o->name; o++) v[k++] = o->initial;
    unsigned flags = gt_method_facts(m, v).flags;
    if (m->tableau)
        snprintf(text, size, "%d stages, x, x_new, scratch; at least 5 with err", m->tableau->stages);
    else if (flags & GT_USES_JACOBIAN)
        snprintf(text, size, "two Jacobians and the Newton matrix, 3 entries a row each, and the past points");
    else if (m->partitioned_of)
        snprintf(text, size, "the stages of its block, x, x_new, scratch");
    else
        snprintf(text, size, "past points, slopes or coefficients");
}

static long peak_kilobytes(int with_run)
{
    int ends[2];
    long peak = 0;
    bench_require(pipe(ends) == 0, "there is no pipe");
    pid_t child = fork();
    bench_require(child >= 0, "there is no process for a measurement");
    if (child == 0) {
        bench_problem p = bench_model("heat", "n=1000000");
        if (with_run) {
            gt_report report;
            gt_plan plan = {.h = 1e-13};
            p.gt.t1 = p.gt.t0 + 3e-13;
            bench_require(gt_solve(&p.gt, gt_method_find("rk4"), &plan, &report) == GT_OK, "rk4 on heat failed");
        }
        struct rusage usage;
        getrusage(RUSAGE_SELF, &usage);
        peak = usage.ru_maxrss;
        _exit(write(ends[1], &peak, sizeof peak) == sizeof peak ? 0 : 1);
    }
    bench_require(read(ends[0], &peak, sizeof peak) == sizeof peak, "a measurement was lost");
    waitpid(child, NULL, 0);
    close(ends[0]), close(ends[1]);
    return peak;
}

int main(void)
{
    printf("workspace of a stepper on a rod (heat), for each state\n%-14s %7s %8s  %s\n", "", "bytes", "vectors", "");
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        char why[96];
        size_t small = workspace(*m, "n=1000"), large = workspace(*m, "n=3000"); /* what does not grow falls out */
        double bytes = (double)(large - small) / 2000;
        justify(*m, why, sizeof why);
        if (small && large)
            printf("%-14s %7.1f %8.1f  %s\n", (*m)->name, bytes, bytes / 8, why);
        else
            printf("%-14s %7s %8s  asks for another kind of problem\n", (*m)->name, "", "");
    }
    long before = peak_kilobytes(0), with = peak_kilobytes(1);
    double vectors = (double)(with - before) * 1024 / 8e6;
    size_t bytes = workspace(gt_method_find("rk4"), "n=1000000");
    printf("\nrk4 on heat, n = 10^6: a workspace of %.4f vectors (bar: stages + 3 = 7); the process grows by %.2f\n",
           (double)bytes / 8e6, vectors);
    return 0;
}
