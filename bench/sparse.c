/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Area "sparse": the Brusselator with diffusion on a line, 10^3, 10^4 and 10^5 states, whose
 * Jacobian is sparse. `gear` beside CVODE and ARKODE, both with KLU on the same pattern; and how
 * the time of a step grows with n.
 */
#include "bench.h"
#include <stdio.h>
#include <stdlib.h>

static const char area[] = "sparse";
enum { MOST = 4 };

int main(void)
{
    static const int points[] = {500, 5000, 50000}; /* two states each */
    enum { SIZES = sizeof points / sizeof *points };
    double per_step[SIZES], ratios[SIZES];
    size_t sizes = bench_quick() ? 1 : SIZES;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (size_t i = 0; i < sizes; i++) {
        char params[32], title[32];
        snprintf(params, sizeof params, "n=%d", points[i]);
        snprintf(title, sizeof title, "brusselator-%d", 2 * points[i]);
        bench_problem p = bench_model("brusselator", params);
        int large = points[i] == 50000; /* runs of seconds: those of tolerances that tell */
        double from = large ? 1e-3 : 1e-2;
        bench_entry entries[MOST] = {BENCH_OWN("gear", "", 0, from, 0.1),
                                     BENCH_PEER(bench_cvode_bdf, from),
                                     BENCH_PEER(bench_arkode_dirk, from)};
        if (large) entries[2].points = 2;
        size_t count =
            bench_entries_complete(entries, bench_quick() ? 2 : MOST); /* quick: without ARKODE */
        double *reference = bench_reference(&bench_cvode_bdf, &p, 10, 0, large ? 1e-8 : 1e-10);
        bench_contest_run(&(bench_contest){.area = area,
                                           .title = title,
                                           .problem = &p,
                                           .t1 = 10,
                                           .reference = reference,
                                           .points = large ? 3 : 6,
                                           .repeats = 3,
                                           .entries = entries,
                                           .count = count});
        bench_task task = {.problem = &p, .t1 = 10, .tol = 1e-5};
        bench_case run = {.solver = &entries[0].solver, .task = task};
        bench_time(&run, 1, 3);
        per_step[i] = run.best / (double)run.task.steps;
        ratios[i] = bench_at_equal_error(&entries[0].curve, &entries[1].curve).time;
        bench_end(&run);
        free(reference);
        bench_problem_free(&p);
    }
    printf("\ngear at 1e-5\n%8s %14s %18s %14s\n", "n", "us a step", "ns a step and n",
           "CVODE / ours");
    for (size_t i = 0; i < sizes; i++)
        printf("%8d %14.1f %18.1f %14.2f\n", 2 * points[i], per_step[i] * 1e6,
               per_step[i] * 1e9 / (2 * points[i]), ratios[i]);
    bench_write_results(area);
    return 0;
}
