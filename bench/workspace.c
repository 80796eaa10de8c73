/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Area "memory": what a stepper takes for each state, for every method in the list, item by item
 * and with the reason; and by how much a process grows that runs an explicit method on 10^6 states.
 */
#include "bench.h"
#include <geartrain/author/author.h>
#include <geartrain/geartrain.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs `work` in a process of its own and gives what it returns. */
typedef double measurement_fn(const gt_method *method, int controlled);
static double apart(measurement_fn *work, const gt_method *method, int controlled)
{
    int ends[2];
    double found = 0;
    bench_require(pipe(ends) == 0, "there is no pipe");
    fflush(stdout);
    pid_t child = fork();
    bench_require(child >= 0, "there is no process for a measurement");
    if (child == 0) {
        found = work(method, controlled);
        _exit(write(ends[1], &found, sizeof found) == sizeof found ? 0 : 1);
    }
    bench_require(read(ends[0], &found, sizeof found) == sizeof found, "a measurement was lost");
    waitpid(child, NULL, 0);
    close(ends[0]), close(ends[1]);
    return found;
}

static bench_problem rod(const gt_method *method, const char *params)
{
    bench_problem p = bench_model("heat", params);
    gt_values options = gt_params_default(method->options);
    size_t n = p.gt.n_slow;
    if (gt_method_facts(method, options.v).flags & GT_NEEDS_PARTITION)
        p.gt.n_slow = n / 2, p.gt.n_fast = n - n / 2;
    return p;
}

/* Bytes a state that the sparse factors take beside the workspace, on a rod. */
static double factors(const gt_method *method, int controlled)
{
    bench_problem p = rod(method, "n=20000");
    size_t bytes, n = gt_problem_size(&p.gt);
    gt_stepper s;
    (void)controlled;
    if (gt_stepper_measure(method, NULL, &p.gt, &bytes, NULL) != GT_OK) return 0;
    void *memory = malloc(bytes);
    struct mallinfo2 before = mallinfo2();
    bench_require(memory && gt_stepper_init(&s, method, NULL, &p.gt, memory, bytes) == GT_OK,
                  "a stepper is not made");
    struct mallinfo2 after = mallinfo2();
    return (double)(after.uordblks + after.hblkhd - before.uordblks - before.hblkhd) / (double)n;
}

static long peak_bytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss * 1024;
}

/* Vectors of 10^6 states by which a process grows when it runs the method for a few steps. */
static double growth(const gt_method *method, int controlled)
{
    bench_problem p = rod(method, "n=1000000");
    gt_report report;
    gt_plan fixed = {.h = 1e-13},
            free_step = {.rtol = 1e-3, .atol = 1e-3, .h0 = 1e-13, .h_max = 1e-13};
    p.gt.t1 = p.gt.t0 + 3e-13;
    long before = peak_bytes();
    bench_require(gt_solve(&p.gt, method, controlled ? &free_step : &fixed, &report) == GT_OK,
                  method->name);
    return (double)(peak_bytes() - before) / 8e6;
}

static void print_account(const gt_method *m)
{
    gt_memory memory;
    gt_message message = {""};
    gt_values options = gt_params_default(m->options);
    if (gt_memory_account(m, NULL, &memory, &message)) bench_require(0, message.text);
    double extra =
        gt_method_facts(m, options.v).flags & GT_USES_JACOBIAN ? apart(factors, m, 0) : 0;
    printf("%-13s %7.1f %8.4g %8.4g %6.4g %7.4g %7.0f  %-9s %s%s\n", m->name,
           gt_memory_per_state(&memory, 3), memory.vectors, memory.matrices, memory.places,
           memory.integers, extra, memory.squares > 0 ? "quadratic" : "linear",
           memory.few_fast ? "16 fast states; " : "", m->memory);
}

/* Stages of a Runge-Kutta method, or of a pair with the slope at its end; 0: it is neither. */
static int stages_of(const gt_method *m)
{
    gt_partitioned pair;
    if (m->tableau) return m->tableau->stages;
    if (!m->partitioned_of) return 0;
    m->partitioned_of(m, gt_params_default(m->options).v, &pair);
    return pair.slow.stages + 1;
}

static void print_growth(const gt_method *m)
{
    int stages = stages_of(m);
    gt_values options = gt_params_default(m->options);
    if (!stages) return;
    double fixed = apart(growth, m, 0), most = fixed;
    printf("%-13s %6d %12d %10.2f", m->name, stages, stages + 3, fixed);
    if (gt_method_facts(m, options.v).error_order) {
        double controlled = apart(growth, m, 1);
        most = controlled > most ? controlled : most;
        printf(" %10.2f", controlled);
    } else {
        printf(" %10s", "none");
    }
    printf("  %s\n", most <= stages + 3.05 ? "kept" : "NOT KEPT");
}

int main(void)
{
    printf("workspace of a stepper for each state; matrices and index sets in units of the entries "
           "of J, bytes on a rod "
           "(3 entries a row);\nsparse factors are KLU's; the reason names what there is beside x, "
           "x_new, their slopes "
           "and scratch\n%-13s %7s %8s %8s %6s %7s %7s  %-9s %s\n",
           "", "bytes", "vectors", "matrices", "sets", "integers", "factors", "growth", "reason");
    for (const gt_method *const *m = gt_method_list(); *m; m++) print_account(*m);
    printf("\n10^6 states (heat): by how many vectors the process grows in gt_solve\n%-13s %6s "
           "%12s %10s %10s\n",
           "", "stages", "stages + 3", "fixed", "controlled");
    for (const gt_method *const *m = gt_method_list(); *m; m++)
        if (!bench_quick() || (*m)->tableau) print_growth(*m);
    return 0;
}
