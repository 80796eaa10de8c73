/* SPDX-License-Identifier: BSD-3-Clause */
/* Several solvers on one problem over a range of tolerances or steps: points, ratios at equal
 * error, figure, rows. */
#include "bench.h"
#include <math.h>
#include <stdio.h>

enum { MOST = 16 };

static int points_of(const bench_contest *c)
{
    int points = c->points && c->points < BENCH_POINTS ? c->points : BENCH_POINTS;
    return bench_quick() && points > 3 ? 3 : points;
}

static double setting_of(const bench_entry *e, int k) { return e->first * pow(e->factor, k); }

static bench_task task_of(const bench_contest *c, const bench_entry *e, int k)
{
    bench_task task = {
        .problem = c->problem, .t1 = c->t1, .most_steps = c->most_steps, .may_fail = 1};
    *(e->fixed ? &task.h : &task.tol) = setting_of(e, k);
    if (!e->fixed && c->atol > 0) task.atol = c->atol * setting_of(e, k);
    return task;
}

static double error_of(const bench_contest *c, const double *x)
{
    size_t n = gt_problem_size(&c->problem->gt);
    double error = c->error ? c->error(x, c->reference, n) : bench_distance(x, c->reference, n);
    return error < 1e3 ? error : NAN;
}

static void print_point(const bench_entry *e, const bench_case *run, int k, double error)
{
    printf("%-13s %-11s %9.3g %12.1f %12.1f %10.2e %8ld %9ld\n", e->solver.peer, e->solver.method,
           setting_of(e, k), run->best * 1e6, run->median * 1e6, error, run->task.steps,
           run->calls);
}

/* One setting of every solver, timed in turns. */
static void measure_point(const bench_contest *c, int k)
{
    bench_case runs[MOST];
    bench_entry *of[MOST];
    size_t running = 0;
    for (size_t i = 0; i < c->count; i++) {
        bench_entry *e = &c->entries[i];
        e->curve.points = k + 1;
        e->curve.error[k] = e->curve.time[k] = e->curve.calls[k] = NAN;
        if (e->points && k >= e->points) continue;
        bench_case run = {.solver = &e->solver, .task = task_of(c, e, k)};
        runs[running] = run;
        of[running] = e;
        bench_first_run(&runs[running]);
        if (runs[running].task.failed || isnan(error_of(c, runs[running].task.x))) {
            printf("%-13s %-11s %9.3g gave up after %ld steps, %.3g s\n", e->solver.peer,
                   e->solver.method, setting_of(e, k), runs[running].task.steps,
                   runs[running].best);
            bench_end(&runs[running]);
        } else {
            running++;
        }
    }
    bench_time(runs, running, c->repeats);
    for (size_t j = 0; j < running; j++) {
        bench_curve *to = &of[j]->curve;
        to->error[k] = error_of(c, runs[j].task.x);
        to->time[k] = runs[j].best;
        to->calls[k] = runs[j].calls ? (double)runs[j].calls
                                     : NAN; /* peers with an f of their own are not counted */
        print_point(of[j], &runs[j], k, to->error[k]);
        bench_end(&runs[j]);
    }
}

/* Peer over ours at the error wanted; 0: on average over the errors that both reached. */
static bench_ratio ratio(double wanted, const bench_curve *ours, const bench_curve *peer)
{
    if (!(wanted > 0)) return bench_at_equal_error(ours, peer);
    return (bench_ratio){
        .time = bench_work_at(peer, peer->time, wanted) / bench_work_at(ours, ours->time, wanted),
        .calls =
            bench_work_at(peer, peer->calls, wanted) / bench_work_at(ours, ours->calls, wanted),
        .error = wanted};
}

static const bench_entry *fastest_of_ours(const bench_contest *c, double wanted)
{
    const bench_entry *ours = &c->entries[0];
    for (size_t i = 1; wanted > 0 && i < c->count; i++) {
        const bench_entry *e = &c->entries[i];
        double best = bench_work_at(&ours->curve, ours->curve.time, wanted);
        double work = bench_work_at(&e->curve, e->curve.time, wanted);
        if (e->ours && (work < best || (isnan(best) && !isnan(work)))) ours = e;
    }
    return ours;
}

static void print_ratios(const bench_contest *c, double wanted)
{
    const bench_entry *ours = fastest_of_ours(c, wanted);
    char problem[64];
    snprintf(problem, sizeof problem, c->wanted[1] > 0 ? "%s, error %g" : "%s", c->title, wanted);
    printf("peer over %s %s", ours->solver.peer, ours->solver.method);
    wanted > 0 ? printf(" at error %g\n", wanted) : printf(" at equal error\n");
    for (size_t i = 0; i < c->count; i++) {
        const bench_entry *e = &c->entries[i];
        if (e == ours) continue;
        bench_ratio r = ratio(wanted, &ours->curve, &e->curve);
        char peer[64];
        snprintf(peer, sizeof peer, "%s %s", e->solver.peer, e->solver.method);
        if (isnan(r.time))
            printf("    %-25s does not reach it            %s\n", peer, e->solver.settings);
        else
            printf("    %-25s time %8.2f  calls %8.2f   %s%s\n", peer, r.time, r.calls,
                   e->solver.settings, r.time < 1 && !e->ours ? " (wins)" : "");
        bench_result(c->area, problem, ours->solver.method, peer, r.error, r.time, r.calls,
                     e->solver.settings);
    }
}

size_t bench_entries_complete(bench_entry *entries, size_t most)
{
    size_t count = 0;
    for (; count < most && entries[count].first > 0; count++) {
        bench_solver *s = &entries[count].solver;
        if (entries[count].ours)
            s->open = bench_own_gear.open, s->run = bench_own_gear.run,
            s->close = bench_own_gear.close;
        else
            *s = *(const bench_solver *)s->variant;
    }
    return count;
}

void bench_contest_run(const bench_contest *c)
{
    bench_require(c->count <= MOST, "too many solvers for a contest");
    char labels[MOST][48];
    bench_curve drawn[MOST];
    for (size_t i = 0; i < c->count; i++) {
        const bench_entry *e = &c->entries[i];
        snprintf(labels[i], sizeof labels[i], "%s %s%s", e->solver.peer, e->solver.method,
                 e->fixed ? ", fixed" : "");
        c->entries[i].curve = (bench_curve){.label = labels[i]};
    }
    printf("\n%s\n%-13s %-11s %9s %12s %12s %10s %8s %9s\n", c->title, "", "", "setting", "best us",
           "median us", "error", "steps", "calls");
    for (int k = 0; k < points_of(c); k++) measure_point(c, k);
    print_ratios(c, c->wanted[0]);
    if (c->wanted[1] > 0) print_ratios(c, c->wanted[1]);
    for (size_t i = 0; i < c->count; i++) drawn[i] = c->entries[i].curve;
    bench_figure(c->area, c->title, drawn, c->count);
    for (size_t i = 0; i < c->count; i++) c->entries[i].curve.label = NULL;
}
