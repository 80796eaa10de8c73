/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Area "nonstiff": smooth problems with controlled steps, from two states to 64. `dopri5` and
 * `dop853` beside Boost.odeint, GSL, ARKODE and CVODE, at a loose and at a tight error. nonstiff
 * [CASE...]    only these; results.json is left alone then
 */
#include "bench.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char area[] = "nonstiff";
enum { MOST = 8 };

typedef struct nonstiff_case {
    const char *title;
    bench_problem problem;
    double t1;
    int has_body; /* which Boost.odeint can inline */
} nonstiff_case;

enum {
    DOPRI5,
    DOP853,
    GSL_RKF45,
    GSL_RK8PD,
    BOOST,
    ARKODE,
    CVODE,
    BOOST_INLINED
}; /* the entries of a case */

static void run(const nonstiff_case *c, bench_entry entries[MOST])
{
    bench_entry of[MOST] = {[DOPRI5] = BENCH_OWN("dopri5", "", 0, 1e-3, 0.1),
                            [DOP853] = BENCH_OWN("dop853", "", 0, 1e-3, 0.1),
                            [GSL_RKF45] = BENCH_PEER(bench_gsl_rkf45, 1e-3),
                            [GSL_RK8PD] = BENCH_PEER(bench_gsl_rk8pd, 1e-3),
                            [BOOST] = BENCH_PEER(bench_boost_dopri5, 1e-3),
                            [ARKODE] = BENCH_PEER(bench_arkode_dopri5, 1e-3),
                            [CVODE] = BENCH_PEER(bench_cvode_adams, 1e-3),
                            [BOOST_INLINED] = BENCH_PEER(bench_boost_dopri5_inline, 1e-3)};
    memcpy(entries, of, sizeof of);
    size_t count = bench_entries_complete(entries, c->has_body ? MOST : BOOST_INLINED);
    double *reference = bench_reference(&bench_gsl_rk8pd, &c->problem, c->t1, 0, 1e-14);
    bench_contest_run(&(bench_contest){.area = area,
                                       .title = c->title,
                                       .problem = &c->problem,
                                       .t1 = c->t1,
                                       .reference = reference,
                                       .points = 9,
                                       .repeats = 7,
                                       .wanted = {1e-4, 1e-8},
                                       .entries = entries,
                                       .count = count});
    free(reference);
}

/* Time of a peer over that of our dopri5 at the error that ours has at 1e-9. */
static double over_dopri5(const bench_entry *entries, int peer)
{
    const bench_curve *ours = &entries[DOPRI5].curve, *theirs = &entries[peer].curve;
    double error = ours->error[6];
    return bench_work_at(theirs, theirs->time, error) / bench_work_at(ours, ours->time, error);
}

static int asked_for(const char *title, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], title) == 0) return 1;
    return argc < 2;
}

int main(int argc, char **argv)
{
    nonstiff_case cases[] = {{"lorenz", bench_lorenz(), 2, 1},
                             {"vanderpol", bench_vanderpol(), 20, 1},
                             {"kepler", bench_kepler(), 20, 0},
                             {"chain8", bench_chain(8), 20, 1},
                             {"chain64", bench_chain(64), 20, 1},
                             {"double_pendulum", bench_model("double_pendulum", ""), 5, 0},
                             {"pleiades", bench_model("pleiades", ""), 3, 0}};
    enum { CASES = sizeof cases / sizeof *cases };
    double gsl = NAN, arkode = NAN;
    for (size_t i = 0; i < CASES; i++) {
        bench_entry entries[MOST];
        if (asked_for(cases[i].title, argc, argv)) {
            run(&cases[i], entries);
            if (i == 0)
                gsl = over_dopri5(entries, GSL_RKF45), arkode = over_dopri5(entries, ARKODE);
        }
        bench_problem_free(&cases[i].problem);
    }
    if (argc > 1) return 0;
    if (!bench_quick()) {
        printf("\n%-62s %7s   %s\n", "bars", "ratio", "bar");
        bench_bar("dopri5, Lorenz, its error at 1e-9: GSL rkf45 / our time", gsl, 1, INFINITY);
        bench_bar("dopri5, Lorenz, its error at 1e-9: ARKODE dopri5 / our time", arkode, 20,
                  INFINITY);
    }
    bench_write_results(area);
    return 0;
}
