/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of a table: solvers at the settings that give errors of interest, timed in turns, blocks
 * counted apart. */
#include "bench.h"
#include <stdlib.h>

void bench_time_rows(bench_row *rows, size_t count, const bench_problem *problem,
                     bench_task_fn *task_of, int repeats)
{
    for (int k = 0; k < BENCH_POINTS; k++) {
        bench_case cases[BENCH_ROWS];
        bench_row *of[BENCH_ROWS];
        size_t used = 0;
        for (size_t i = 0; i < count; i++) {
            if (k >= rows[i].curve.points) continue;
            of[used] = &rows[i];
            cases[used++] =
                (bench_case){.solver = rows[i].solver,
                             .task = task_of(rows[i].solver, problem, rows[i].setting[k])};
        }
        if (!used) break;
        bench_time(cases, used, repeats);
        for (size_t j = 0; j < used; j++) {
            of[j]->curve.time[k] = cases[j].best;
            of[j]->median[k] = cases[j].median;
            of[j]->slow[k] = (double)(cases[j].calls + cases[j].block_calls[0]);
            of[j]->fast[k] = (double)(cases[j].calls + cases[j].block_calls[1]);
            free(cases[j].task.x);
        }
    }
}
