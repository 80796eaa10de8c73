/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Area "multirate": the problem of Kvaerno, Prothero and Robinson (G = -10, e = 0.5, w = 100) on t
 * = 0 .. 5, slow and fast evaluations counted apart, at a total error of 1e-4: the root mean square
 * over both variables at t = 0.5, 1 ..
 * 5. Fixed steps, except where a method controls its own.
 */
#include "bench.h"
#include <geartrain/author/author.h>
#include <geartrain/geartrain.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char area[] = "multirate";
enum { OUTPUTS = 10 };
static const double TARGET = 1e-4;

static const bench_solver *const named[] = {&bench_own_mradams_controlled,
                                            &bench_own_mri4_controlled,
                                            &bench_own_mradams_4,
                                            &bench_own_mri4_2,
                                            &bench_own_mri3_3,
                                            &bench_own_mri4,
                                            &bench_own_prk48,
                                            &bench_own_rk4,
                                            &bench_mristep_kw3_100,
                                            &bench_mristep_erk33,
                                            &bench_mristep_erk45,
                                            &bench_mristep_erk45_2,
                                            &bench_cvode_adams};
static int controlled(const bench_solver *s)
{
    return s == &bench_own_mradams_controlled || s == &bench_own_mri4_controlled ||
           s == &bench_cvode_adams;
}

static bench_task task_of(const bench_solver *s, const bench_problem *p, double setting)
{
    return (bench_task){.problem = p,
                        .t1 = 5,
                        .h = controlled(s) ? 0 : setting,
                        .tol = controlled(s) ? setting : 0,
                        .most_steps = 1000000,
                        .may_fail = 1};
}

static double setting_of(const bench_solver *s, double k)
{
    return controlled(s) ? 1e-2 / k : 0.1 / k;
}

static double error_of(const bench_solver *s, bench_task task)
{
    double x[2], exact[2], sum = 0;
    gt_problem p = task.problem->gt;
    task.x = x;
    for (int k = 1; k <= OUTPUTS; k++) {
        task.t1 = 0.5 * k;
        task.failed = 0;
        void *handle = s->open(s, &task);
        s->run(handle);
        s->close(handle);
        p.exact(task.t1, exact, p.ctx);
        sum += (x[0] - exact[0]) * (x[0] - exact[0]) + (x[1] - exact[1]) * (x[1] - exact[1]);
        if (task.failed || !(sum < 10)) return NAN;
    }
    return sqrt(sum / (2 * OUTPUTS));
}

/* The two settings on either side of the target: steps 0.1/k or tolerances, by doubling k, then by
 * bisection. */
static void find_bracket(bench_row *r, const bench_problem *p)
{
    double bad = 0, bad_error = NAN, good = 0, good_error = NAN;
    for (double k = 1; k < 5000 && !good; k *= 2) {
        double error = error_of(r->solver, task_of(r->solver, p, setting_of(r->solver, k)));
        if (error <= TARGET)
            good = k, good_error = error;
        else
            bad = k, bad_error = error;
    }
    if (!good) return;
    for (int round = 0; round < 3 && floor((bad + good) / 2) > bad; round++) {
        double middle = floor((bad + good) / 2);
        double error = error_of(r->solver, task_of(r->solver, p, setting_of(r->solver, middle)));
        if (error <= TARGET)
            good = middle, good_error = error;
        else
            bad = middle, bad_error = error;
    }
    if (bad_error > TARGET)
        r->setting[0] = setting_of(r->solver, bad), r->curve.error[r->curve.points++] = bad_error;
    r->setting[r->curve.points] = setting_of(r->solver, good);
    r->curve.error[r->curve.points++] = good_error;
}

static double at_target(const bench_row *r, const double *work)
{
    const double *e = r->curve.error;
    if (!r->curve.points) return NAN;
    if (r->curve.points == 1) return work[0];
    return work[1] * pow(TARGET / e[1], log(work[1] / work[0]) / log(e[1] / e[0]));
}

int main(void)
{
    long block_calls[2];
    bench_row rows[BENCH_ROWS];
    size_t count = 0;
    bench_problem p = bench_model("kpr", "");
    p.block_calls = block_calls;
    if (!bench_petsc(0)) printf("built without PETSc: its MPRK is left out\n");
    if (bench_quick()) printf("quick: without PETSc, whose runs take half a second\n");
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        rows[count++] = (bench_row){.solver = named[i]};
    for (size_t i = 0; !bench_quick() && bench_petsc(i) && count < BENCH_ROWS; i++)
        rows[count++] = (bench_row){.solver = bench_petsc(i)};
    for (size_t i = 0; i < count; i++) find_bracket(&rows[i], &p);
    bench_time_rows(rows, count, &p, task_of, 5);
    printf("kpr, total error %g\n%-13s %-9s %10s %10s %10s %10s %10s  %s\n", TARGET, "", "",
           "setting", "slow", "fast", "best us", "median", "settings");
    for (size_t i = 0; i < count; i++) {
        const bench_row *r = &rows[i];
        printf("%-13s %-9s", r->solver->peer, r->solver->method);
        if (!r->curve.points) {
            printf(" not reached\n");
            continue;
        }
        printf(" %10.3g %10.0f %10.0f %10.1f %10.1f  %s\n", r->setting[r->curve.points - 1],
               at_target(r, r->slow), at_target(r, r->fast), 1e6 * at_target(r, r->curve.time),
               1e6 * at_target(r, r->median), r->solver->settings);
    }
    const bench_row *ours = &rows[0]; /* the fastest of ours */
    for (size_t i = 0; i < count && strcmp(rows[i].solver->peer, "geartrain") == 0; i++) {
        double time = at_target(&rows[i], rows[i].curve.time),
               best = at_target(ours, ours->curve.time);
        if (time < best || (isnan(best) && !isnan(time))) ours = &rows[i];
    }
    for (size_t i = 0; i < count; i++) {
        const bench_row *r = &rows[i];
        char peer[64];
        if (r == ours) continue;
        snprintf(peer, sizeof peer, "%s %s", r->solver->peer, r->solver->method);
        bench_result(area, "kpr", ours->solver->method, peer, TARGET,
                     at_target(r, r->curve.time) / at_target(ours, ours->curve.time),
                     (at_target(r, r->slow) + at_target(r, r->fast)) /
                         (at_target(ours, ours->slow) + at_target(ours, ours->fast)),
                     r->solver->settings);
    }

    bench_curve drawn[BENCH_ROWS];
    char labels[BENCH_ROWS][48];
    for (size_t i = 0; i < count; i++) {
        const bench_solver *s = rows[i].solver;
        const char *options = strcmp(s->peer, "geartrain") == 0 && s->variant ? s->variant : "";
        snprintf(labels[i], sizeof labels[i], "%s %s %s", *options ? "" : s->peer, s->method,
                 options);
        drawn[i] = rows[i].curve;
        drawn[i].label = labels[i];
    }
    bench_figure(area, "kpr", drawn, count);

    bench_row known = {.solver = &bench_mristep_kw3_100, .setting = {0.01}, .curve = {.points = 1}};
    known.curve.error[0] = error_of(known.solver, task_of(known.solver, &p, 0.01));
    bench_time_rows(&known, 1, &p, task_of, 5);
    printf("MRIStep KW3 with hs = 0.01 and hf = 1e-4: total error %.2e with %.0f slow and %.0f "
           "fast evaluations\n",
           known.curve.error[0], known.slow[0], known.fast[0]);
    bench_write_results(area);
    bench_problem_free(&p);
    return 0;
}
