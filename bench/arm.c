/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Area "arm": the flexible arm with n = 400 (802 states) turns freely for 10 after a pulse of 0.5.
 * Time until the tip deflection is right to 1e-6, backinterpolation beside CVODE, ARKODE's DIRK,
 * `gear` and `trapezoidal`, the peers with the same sparse systems of half the size; and time per
 * step of `bi` up to n = 4000. CVODE may take 150,000 steps, fifty times what `bi` needs: its
 * formulas of order 3 to 5 are unstable on undamped modes.
 */
#include "bench.h"
#include <geartrain/author/author.h>
#include <geartrain/geartrain.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char area[] = "arm";
enum { N = 400, MOST = 12 };

static bench_problem free_arm(size_t n)
{
    char params[64];
    gt_report report;
    snprintf(params, sizeof params, "n=%zu, input=step", n);
    bench_problem pushed = bench_model("arm_eb", params);
    snprintf(params, sizeof params, "n=%zu, input=none", n);
    bench_problem p = bench_model("arm_eb", params);
    double *x0 = gt_arena_doubles(&p.arena, gt_problem_size(&p.gt));
    bench_require(x0 != NULL, "out of memory for the arm");
    pushed.gt.t1 = 0.5;
    gt_status status = gt_solve(&pushed.gt, gt_method_find("bipade8"),
                                &(gt_plan){.h = 5e-4, .x_end = x0}, &report);
    bench_require(status == GT_OK, report.message.text);
    bench_problem_free(&pushed);
    p.gt.x0 = x0;
    return p;
}

static double in_tip(const double *x, const double *reference, size_t n)
{
    size_t last = n / 2 - 1; /* of the deflections, the first of which is the angle of the joint */
    return fabs(x[last] - x[0] - (reference[last] - reference[0]));
}

static void time_per_step(void)
{
    static const size_t sizes[] = {250, 500, 1000, 2000, 4000};
    bench_solver bi = bench_own_gear;
    bi.method = "bi";
    printf("\nbi, time per step of h = 0.01\n%8s %12s %16s\n", "n", "us", "us per 1000 n");
    for (size_t k = 0; k < (bench_quick() ? 3 : sizeof sizes / sizeof *sizes); k++) {
        bench_problem p = free_arm(sizes[k]);
        bench_case run = {.solver = &bi, .task = {.problem = &p, .t1 = 2, .h = 0.01}};
        bench_time(&run, 1, 5);
        double us = 1e6 * run.best / (double)run.task.steps;
        printf("%8zu %12.1f %16.1f\n", sizes[k], us, 1000 * us / (double)sizes[k]);
        bench_end(&run);
        bench_problem_free(&p);
    }
}

int main(void)
{
    enum { TRAPEZOIDAL = 5, BDF2 = 7, GEAR, CVODE }; /* of these */
    bench_entry entries[MOST] = {
        BENCH_OWN("bi55", "", 1, 0.02, 0.5),       BENCH_OWN("bipade8", "", 1, 0.04, 0.5),
        BENCH_OWN("bi77h", "", 1, 0.02, 0.5),      BENCH_OWN("bi", "", 1, 0.01, 0.5),
        BENCH_OWN("bi", "", 0, 1e-3, 0.1),         BENCH_OWN("trapezoidal", "", 1, 0.0025, 0.5),
        BENCH_PEER(bench_arkode_structured, 1e-4), BENCH_PEER(bench_cvode_structured_2, 1e-4),
        BENCH_OWN("gear", "", 0, 1e-4, 0.1),       BENCH_PEER(bench_cvode_structured, 1e-6),
    };
    setvbuf(stdout, NULL, _IOLBF, 0);
    bench_problem p = free_arm(N);
    const bench_solver *tight = &entries[1].solver; /* bipade8, order 8 */
    size_t count = bench_entries_complete(entries, MOST);
    if (bench_quick()) count -= 2; /* without gear and CVODE, which take seconds */
    double *reference = bench_reference(tight, &p, 10, bench_quick() ? 1e-3 : 2.5e-4, 0);
    entries[GEAR].points = 2; /* three seconds each */
    if (bench_quick()) entries[TRAPEZOIDAL].points = entries[BDF2].points = 1;
    entries[CVODE].points = 1; /* it does not come to the end, whatever the tolerance */
    bench_contest_run(&(bench_contest){.area = area,
                                       .title = "arm400",
                                       .problem = &p,
                                       .t1 = 10,
                                       .reference = reference,
                                       .error = in_tip,
                                       .points = 4,
                                       .repeats = 3,
                                       .most_steps = 150000,
                                       .wanted = {1e-6},
                                       .entries = entries,
                                       .count = count});
    time_per_step();
    bench_write_results(area);
    free(reference);
    bench_problem_free(&p);
    return 0;
}
