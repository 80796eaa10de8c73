/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Area "grids": fields on squares and in cubes up to 10^6 states, where factors are too expensive.
 * `gear` by Krylov iterations, as it chooses by itself, beside CVODE (IDA with algebraic states)
 * with SPGMR and 2 x 2 block Jacobi; `smes` where it can go; and how the time of a step grows with
 * n.
 */
#include "bench.h"
#include <stdio.h>
#include <stdlib.h>

static const char area[] = "grids";
enum { MOST = 3 };

typedef struct row {
    const char *title;
    bench_field field;
    int dimensions;
    size_t side;
    double t1;
    int points, large;
} row;

static const row rows[] = {
    {"flow-10082", BENCH_FLOW, 2, 71, 1, 4, 0},
    {"wave-10082", BENCH_WAVE, 2, 71, 1, 4, 0},
    {"closed-10082", BENCH_CLOSED, 2, 71, 1, 4, 0},
    {"nerve-square-10082", BENCH_NERVE, 2, 71, 5, 4, 0},
    {"nerve-cube-21296", BENCH_NERVE, 3, 22, 5, 3, 0},
    {"flow-100352", BENCH_FLOW, 2, 224, 1, 2, 1},
    {"wave-100352", BENCH_WAVE, 2, 224, 1, 2, 1},
    {"closed-199712", BENCH_CLOSED, 2, 316, 1, 2, 1},
    {"nerve-square-100352", BENCH_NERVE, 2, 224, 5, 2, 1},
    {"nerve-cube-986078", BENCH_NERVE, 3, 79, 5, 1, 1},
};
enum { ROWS = sizeof rows / sizeof *rows };

int main(void)
{
    double per_step[ROWS];
    size_t states[ROWS], count = bench_quick() ? 1 : ROWS;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (size_t i = 0; i < count; i++) {
        const row *r = &rows[i];
        bool closed = r->field == BENCH_CLOSED;
        bench_problem p = closed ? bench_closed_grid(r->dimensions, r->side)
                                 : bench_grid(r->field, r->dimensions, r->side);
        double from = r->points > 2 ? 1e-3 : 1e-4;
        bench_entry entries[MOST] = {BENCH_OWN("gear", "", 0, from, 0.1),
                                     BENCH_PEER(bench_cvode_blocks, from),
                                     BENCH_OWN("smes", "", 0, from, 0.1)};
        if (closed) entries[1] = (bench_entry)BENCH_PEER(bench_ida_blocks, from);
        size_t n_entries = bench_entries_complete(
            entries, r->field == BENCH_NERVE ? MOST : 2); /* smes cannot else */
        double *reference = bench_reference(&bench_own_gear, &p, r->t1, 0, r->large ? 1e-6 : 1e-8);
        bench_contest_run(&(bench_contest){.area = area,
                                           .title = r->title,
                                           .problem = &p,
                                           .t1 = r->t1,
                                           .reference = reference,
                                           .points = r->points,
                                           .repeats = r->large ? 1 : 3,
                                           .entries = entries,
                                           .count = n_entries});
        bench_case run = {.solver = &entries[0].solver,
                          .task = {.problem = &p, .t1 = r->t1, .tol = 1e-4}};
        bench_time(&run, 1, 1);
        per_step[i] = run.best / (double)run.task.steps;
        states[i] = gt_problem_size(&p.gt);
        bench_end(&run);
        free(reference);
        bench_problem_free(&p);
    }
    printf("\ngear at 1e-4\n%22s %8s %14s %18s\n", "", "n", "us a step", "ns a step and n");
    for (size_t i = 0; i < count; i++)
        printf("%22s %8zu %14.1f %18.1f\n", rows[i].title, states[i], per_step[i] * 1e6,
               per_step[i] * 1e9 / (double)states[i]);
    bench_write_results(area);
    return 0;
}
