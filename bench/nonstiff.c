/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Area "nonstiff": smooth problems with controlled steps, from two states to 64. Explicit methods of ours beside
 * Boost.odeint, GSL, ARKODE and CVODE at equal achieved error, loose and tight.
 *   nonstiff [CASE...]    only these; results.json is left alone then
 */
#include "bench.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char area[] = "nonstiff";
enum { MOST = 12, POINTS = 9 };

typedef struct nonstiff_case {
    const char *title;
    bench_problem problem;
    double t1;
} nonstiff_case;

static int asked_for(const char *title, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], title) == 0) return 1;
    return argc < 2;
}

static void run(const nonstiff_case *c, double *reference)
{
    static const double wanted[] = {1e-4, 1e-6, 1e-8, 1e-10};
    bench_entry entries[MOST] = {BENCH_OWN("dopri5", "", 0, 1e-3, 0.1), BENCH_OWN("dop853", "", 0, 1e-3, 0.1),
                                 BENCH_PEER(bench_gsl_rkf45, 1e-3),     BENCH_PEER(bench_gsl_rk8pd, 1e-3),
                                 BENCH_PEER(bench_boost_dopri5, 1e-3),  BENCH_PEER(bench_arkode_dopri5, 1e-3),
                                 BENCH_PEER(bench_cvode_adams, 1e-3)};
    size_t count = bench_entries_complete(entries, MOST);
    bench_contest contest = {.area = area,
                             .title = c->title,
                             .problem = &c->problem,
                             .t1 = c->t1,
                             .reference = reference,
                             .points = POINTS,
                             .repeats = 7,
                             .entries = entries,
                             .count = count};
    bench_contest_run(&contest);
    (void)wanted;
}

int main(int argc, char **argv)
{
    nonstiff_case cases[] = {{"lorenz", bench_lorenz(), 2},
                             {"vanderpol", bench_vanderpol(), 20},
                             {"chain8", bench_chain(8), 20},
                             {"chain64", bench_chain(64), 20},
                             {"predator_prey", bench_model("predator_prey", ""), 20},
                             {"double_pendulum", bench_model("double_pendulum", ""), 5},
                             {"pleiades", bench_model("pleiades", ""), 3}};
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (asked_for(cases[i].title, argc, argv)) {
            double *reference = bench_reference(&bench_gsl_rk8pd, &cases[i].problem, cases[i].t1, 0, 1e-14);
            run(&cases[i], reference);
            free(reference);
        }
        bench_problem_free(&cases[i].problem);
    }
    if (argc < 2) bench_write_results(area);
    return 0;
}
