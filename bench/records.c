/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Area "records": `auto` and the best of our methods beside the codes that hold the records: LSODA
 * and RADAU5 by time, in one process and in turns, DOPRI5 and DOP853 by calls of f
 * (support/peer_desolve.c, support/peer_scipy.c). records [PROBLEM...]    only these; results.json
 * is left alone then
 */
#include "bench.h"
#include <geartrain/author/author.h>
#include <geartrain/geartrain.h>
#include <geartrain/lang.h>
#include <geartrain/load.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char area[] = "records";
enum { POINTS = 4, OURS = 10, MOST = OURS + 4 }; /* tolerances 1e-4 .. 1e-10; solvers */

typedef struct record_case {
    const char *title,
        *params;  /* title: a built-in model, or a file of bench/auto/models where there is none */
    double t1;    /* 0: the model's */
    double size;  /* atol = size rtol; errors count as |e| / (size + |x|) */
    double calls; /* of DOPRI5 and DOP853 too: not stiff */
} record_case;

static const record_case cases[] = {
    {"lorenz", "", 3, 1, 1},
    {"kepler", "", 0, 1, 1},
    {"pleiades", "", 0, 1, 1},
    {"duffing_forced", "", 0, 1, 1},
    {"brusselator0", "", 0, 1, 1},
    {"dimer_genes", "", 0, 1, 1},
    {"vanderpol", "mu=1000", 2000, 1, 0},
    {"hires", "", 0, 1e-4, 0},
    {"orego", "", 0, 1, 0},
    {"pollution", "", 0, 1e-3, 0},
    {"stick_slip", "", 0, 1, 0},
    {"late_stiffness", "", 0, 1, 0},
    {"hodgkin_huxley", "", 0, 1, 0},
    {"cell_cycle", "", 0, 1e-2, 0},
    {"emep_like", "", 0, 1e-3, 0},
    {"cusp", "", 0, 1, 0},
    {"allen_cahn", "", 0, 1, 0},
    {"cahn_hilliard", "", 0, 1, 0},
    {"medical_akzo", "", 0, 1e-3, 0},
};
enum { N_CASES = sizeof cases / sizeof *cases };

/* ---- auto as a solver ---- */

static void *auto_open(const bench_solver *self, bench_task *task)
{
    (void)self;
    return task;
}

/* Choosing is part of it: nobody who calls it can leave that out. */
static void auto_run(void *handle)
{
    bench_task *task = handle;
    gt_problem p = task->problem->gt;
    gt_plan plan = {.rtol = task->tol,
                    .atol = bench_atol(task),
                    .x_end = task->x,
                    .max_steps = task->most_steps};
    gt_report report = {0};
    plan.pilot = &gt_auto;
    p.t1 = task->t1;
    task->failed = gt_solve(&p, NULL, &plan, &report) != GT_OK;
    task->steps = report.stats.steps;
    task->jacobians = report.stats.jacobians;
    task->factorizations = report.stats.factorizations;
}

static void auto_close(void *handle) { (void)handle; }

static const bench_solver automatic = {"geartrain", "auto",   "choosing included", NULL,
                                       auto_open,   auto_run, auto_close};

/* ---- problems ---- */

static gt_status build_file(const char *name, bench_problem *out, gt_message *message)
{
    char path[256], *code = NULL, *text = calloc(1, 1 << 16);
    size_t length;
    gt_ode *ode;
    gt_library library; /* stays loaded to the end, as does the file that was read */
    const gt_model *model;
    gt_toolchain tools = {
        .compiler = getenv("CC"), .path = getenv("PATH"), .include = BENCH_SOURCE_DIR "/include"};
    snprintf(path, sizeof path, "%s/bench/auto/models/%s.ode", BENCH_SOURCE_DIR, name);
    FILE *in = fopen(path, "r");
    bench_require(in && text, "records: no such model");
    length = fread(text, 1, 1 << 16, in);
    fclose(in);
    gt_status status = gt_ode_parse(text, length, path, &ode, message);
    if (!status) status = gt_ode_c_code(ode, "geartrain_model", &code, &length, message);
    if (!status) status = gt_library_compile_text(&library, code, &tools, message);
    if (!status) status = gt_library_model(&library, path, &model, message);
    if (!status) status = gt_model_build(model, "", &out->gt, &out->arena, message);
    free(code);
    free(text);
    return status;
}

static bench_problem problem_of(const record_case *c)
{
    if (gt_model_find(c->title)) return bench_model(c->title, c->params);
    bench_problem p = {.name = c->title, .arena = gt_arena_growing()};
    gt_message message;
    bench_require(!build_file(c->title, &p, &message), message.text);
    return p;
}

static double *reference_of(const gt_problem *p)
{
    const gt_method *method;
    gt_message why;
    double *x = malloc(gt_problem_size(p) * sizeof *x);
    gt_plan plan = {.x_end = x};
    bench_require(x && !gt_choose_reference(p, &method, &plan, &why), "records: no reference");
    gt_report report;
    bench_require(!gt_solve(p, method, &plan, &report), report.message.text);
    return x;
}

static double error_of(const double *x, const double *reference, size_t n, double size)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) {
        double e = fabs(x[i] - reference[i]) / (size + fabs(reference[i]));
        if (!(e <= most)) most = e;
    }
    return most < 1e3 ? most : NAN;
}

/* Ours: what the library takes for its usual tasks, and what auto weighs against that. */
static size_t our_methods(const gt_problem *p, bench_solver *out)
{
    const unsigned roles = GT_ROLE_NONSTIFF | GT_ROLE_NONSTIFF_TIGHT | GT_ROLE_STIFF |
                           GT_ROLE_STIFF_RIVAL | GT_ROLE_DAMPED;
    size_t count = 0;
    gt_message none;
    for (const gt_method *const *m = gt_method_list(); *m && count < OURS; m++) {
        gt_values v = gt_params_default((*m)->options);
        gt_facts f = gt_method_facts(*m, v.v);
        bool plain = f.kind == GT_KIND_LINEARLY_IMPLICIT ||
                     (f.kind == GT_KIND_EXPONENTIAL && f.error_order >= 3);
        if (!((*m)->roles & roles) && !plain) continue;
        if (gt_method_check(*m, v.v, p, &none)) continue;
        out[count] = bench_own_gear;
        out[count++].method = (*m)->name;
    }
    return count;
}

/* ---- measuring ---- */

typedef struct solvers {
    bench_solver of[MOST];
    size_t ours, count;
    bench_curve curve[MOST];
    double calls[2][POINTS], calls_error[2][POINTS]; /* of DOPRI5 and DOP853 */
} solvers;

static double tolerance(int k) { return pow(10, -4 - 2 * k); }

static void measure_point(const record_case *c, const bench_problem *p, const double *reference,
                          solvers *s, int k)
{
    bench_case runs[MOST];
    size_t which[MOST], running = 0, n = gt_problem_size(&p->gt);
    for (size_t i = 0; i < s->count; i++) {
        bench_case run = {.solver = &s->of[i],
                          .task = {.problem = p,
                                   .t1 = c->t1 > 0 ? c->t1 : p->gt.t1,
                                   .tol = tolerance(k),
                                   .atol = tolerance(k) * c->size,
                                   .most_steps = i ? 300000 : 20000000,
                                   .may_fail = 1}};
        s->curve[i].points = k + 1;
        s->curve[i].error[k] = s->curve[i].time[k] = s->curve[i].calls[k] = NAN;
        runs[running] = run;
        which[running] = i;
        bench_first_run(&runs[running]);
        if (runs[running].task.failed ||
            isnan(error_of(runs[running].task.x, reference, n, c->size)))
            bench_end(&runs[running]);
        else
            running++;
    }
    bench_time(runs, running, 3);
    for (size_t j = 0; j < running; j++) {
        bench_curve *to = &s->curve[which[j]];
        to->error[k] = error_of(runs[j].task.x, reference, n, c->size);
        to->time[k] = runs[j].best;
        to->calls[k] = (double)runs[j].calls;
        printf("%-10s %-8s %6.0e %11.1f us %9.2e %8ld steps %9ld f\n", s->of[which[j]].peer,
               s->of[which[j]].method, tolerance(k), runs[j].best * 1e6, to->error[k],
               runs[j].task.steps, runs[j].calls);
        bench_end(&runs[j]);
    }
}

static const bench_solver *const counted[] = {&bench_scipy_dopri5, &bench_scipy_dop853};

static void count_calls(const record_case *c, const bench_problem *p, const double *reference)
{
    size_t n = gt_problem_size(&p->gt);
    double *x = malloc(n * sizeof *x);
    bench_require(x != NULL, "out of memory for a run");
    for (int k = 0; k < POINTS; k++)
        for (int m = 0; m < 2; m++) {
            bench_task task = {
                .problem = p, .t1 = c->t1 > 0 ? c->t1 : p->gt.t1, .tol = tolerance(k), .x = x};
            task.atol = tolerance(k) * c->size;
            long calls = bench_scipy_calls(counted[m], &task);
            if (calls)
                printf("%-10s %-8s %6.0e %14s %9.2e %14s %9ld f\n", counted[m]->peer,
                       counted[m]->method, tolerance(k), "", error_of(x, reference, n, c->size), "",
                       calls);
        }
    free(x);
}

/* Over the errors that auto came to: the least time of some solvers, from..end. */
static double least(const solvers *s, size_t from, size_t end, double error)
{
    double best = NAN;
    for (size_t i = from; i < end; i++) {
        double time = bench_work_at(&s->curve[i], s->curve[i].time, error);
        if (!isnan(time) && !(time >= best)) best = time;
    }
    return best;
}

typedef struct tally {
    double of_ours, of_peer, worst; /* logarithms summed; the worst of auto over the peers */
    double best_of_peer;
    int count, peers;
} tally;

static void judge(const record_case *c, const solvers *s, tally *all)
{
    for (int k = 0; k < s->curve[0].points; k++) {
        double error = s->curve[0].error[k], time = s->curve[0].time[k];
        if (isnan(error)) continue;
        double ours = least(s, 0, s->ours, error), peer = least(s, s->ours, s->count, error);
        printf("  %s at error %.1e: auto %.2f of our best", c->title, error, ours / time);
        all->of_ours += log(ours / time);
        all->count++;
        if (!isnan(peer)) {
            printf(", %.2f of the faster of LSODA and RADAU5; our best %.2f of it", peer / time,
                   peer / ours);
            all->of_peer += log(peer / time);
            all->best_of_peer += log(peer / ours);
            all->worst = fmin(all->worst, peer / time);
            all->peers++;
            bench_result(area, c->title, "auto", "LSODA or RADAU5", error, peer / time, NAN,
                         "the faster one");
        }
        printf("\n");
    }
}

static int asked_for(const record_case *c, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], c->title) == 0) return 1;
    return argc < 2;
}

static void run(const record_case *c, bool peers, bool scipy, tally *all)
{
    static solvers s;
    bench_problem p = problem_of(c);
    if (c->t1 > 0) p.gt.t1 = c->t1;
    double *reference = reference_of(&p.gt);
    s = (solvers){.of = {automatic}};
    s.ours = s.count = 1 + our_methods(&p.gt, s.of + 1);
    if (peers) s.of[s.count++] = bench_lsoda, s.of[s.count++] = bench_radau5;
    printf("\n%s, %zu states\n", c->title, gt_problem_size(&p.gt));
    for (int k = 0; k < (bench_quick() ? 2 : POINTS); k++) measure_point(c, &p, reference, &s, k);
    if (c->calls > 0 && scipy) count_calls(c, &p, reference);
    judge(c, &s, all);
    free(reference);
    bench_problem_free(&p);
}

int main(int argc, char **argv)
{
    const char *no_fortran = bench_desolve_missing(), *no_scipy = bench_scipy_missing();
    tally all = {.worst = INFINITY};
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (no_fortran) printf("LSODA and RADAU5 are left out: %s\n", no_fortran);
    if (no_scipy) printf("DOPRI5 and DOP853 are left out: %s\n", no_scipy);
    for (int i = 0; i < N_CASES; i++)
        if (asked_for(&cases[i], argc, argv)) run(&cases[i], !no_fortran, !no_scipy, &all);
    printf("\nbars, geometric means over %d points\n", all.count);
    bench_bar("time of our best method / auto", exp(all.of_ours / all.count), 0.85, INFINITY);
    if (all.peers) {
        bench_bar("time of the faster of LSODA and RADAU5 / auto", exp(all.of_peer / all.peers), 1,
                  INFINITY);
        bench_bar("the same at the worst point", all.worst, 1.0 / 3, INFINITY);
        bench_bar("time of the faster of LSODA and RADAU5 / our best",
                  exp(all.best_of_peer / all.peers), 1, INFINITY);
    }
    if (argc < 2) bench_write_results(area);
    return 0;
}
