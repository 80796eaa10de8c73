/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program of a user, compiled with the headers of an older version and linked with the library of
 * today: one call, a handle, a copy, a checkpoint, sinks, a Jacobian, an event, a model, what there
 * is to know of a solution. It is not to be changed with the library: what it does must go on
 * working.
 */
#include <geartrain/geartrain.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NEEDS(what)                                                                                \
    do {                                                                                           \
        if (!(what)) {                                                                             \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #what);                             \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

static gt_status vanderpol(double t, const double *x, double *dx, void *ctx)
{
    (void)t;
    dx[0] = x[1];
    dx[1] = *(double *)ctx * (1 - x[0] * x[0]) * x[1] - x[0];
    return GT_OK;
}

static gt_status jacobian(double t, const double *x, gt_matrix *J, void *ctx)
{
    double mu = *(double *)ctx;
    (void)t;
    gt_matrix_add(J, 0, 1, 1);
    gt_matrix_add(J, 1, 0, -2 * mu * x[0] * x[1] - 1);
    gt_matrix_add(J, 1, 1, mu * (1 - x[0] * x[0]));
    return GT_OK;
}

static gt_status crossing(double t, const double *x, double *g, void *ctx)
{
    (void)t, (void)ctx;
    g[0] = x[0];
    return GT_OK;
}

/* What lies behind the structs that the library fills: not its business. */
typedef struct guarded {
    gt_report report;
    unsigned char behind[64];
} guarded;

static int is_untouched(const guarded *g)
{
    for (size_t k = 0; k < sizeof g->behind; k++)
        if (g->behind[k] != 0xA5) return 0;
    return 1;
}

static gt_status count_steps(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    (void)message;
    if (!(sample->why & GT_AT_START)) ++*(long *)self->ctx;
    return GT_OK;
}

static int one_call(void)
{
    double mu = 100, start[] = {2, 0}, end[2];
    long steps = 0;
    gt_sink counter = {.wants = GT_AT_STEP, .write = count_steps, .ctx = &steps};
    gt_memory_sink kept;
    gt_memory_sink_init(&kept, GT_AT_OUTPUT);
    gt_problem p = {
        .n_slow = 2, .rhs = vanderpol, .jac = jacobian, .t1 = 50, .x0 = start, .ctx = &mu};
    guarded g;
    memset(&g, 0xA5, sizeof g);
    gt_plan plan = {.rtol = 1e-6,
                    .every = 5,
                    .x_end = end,
                    .sinks = (gt_sink *[]){&counter, &kept.sink},
                    .n_sinks = 2};
    NEEDS(gt_solve(&p, gt_method_find("gear"), &plan, &g.report) == GT_OK);
    NEEDS(fabs(end[0] - 1.5968) < 1e-3);
    NEEDS(is_untouched(&g));
    NEEDS(g.report.t == 50 && g.report.warnings.count == 0);
    NEEDS(g.report.stats.steps == steps);
    NEEDS(kept.count == 11 && kept.t[10] == 50 && kept.x[20] == end[0]);
    gt_memory_sink_free(&kept);
    gt_message message = {""};
    plan = (gt_plan){.rtol = -1, .message = &message};
    NEEDS(gt_solve(&p, &gt_method_dopri5, &plan, NULL) == GT_BAD_ARGUMENT &&
          strstr(message.text, "rtol"));
    return 0;
}

static int in_pieces(void)
{
    double mu = 3, start[] = {2, 0}, x[2];
    gt_problem p = {.n_slow = 2,
                    .rhs = vanderpol,
                    .t1 = 20,
                    .x0 = start,
                    .ctx = &mu,
                    .n_roots = 1,
                    .roots = crossing};
    gt_plan plan = {.rtol = 1e-7};
    gt_run *run, *copy, *again;
    gt_message message;
    gt_reached reached;
    guarded g;
    memset(&g, 0xA5, sizeof g);
    NEEDS(gt_run_open(&run, &p, gt_method_find("dopri5"), &plan, &message) == GT_OK);
    NEEDS(gt_run_advance(run, 10, GT_ADVANCE_TO_EVENTS, &reached) == GT_OK &&
          reached == GT_REACHED_EVENT);
    NEEDS(fabs(gt_run_x(run)[0]) < 1e-6 && gt_run_fired(run)[0]);
    NEEDS(gt_run_advance(run, 10, 0, NULL) == GT_OK && gt_run_time(run) == 10);
    NEEDS(gt_run_copy(&copy, run, NULL, NULL, &message) == GT_OK);
    void *bytes;
    size_t count;
    gt_checkpoint with = {.about = "model: van der Pol\n", .extra = "x", .extra_bytes = 1};
    NEEDS(gt_run_save(run, &with, &bytes, &count, &message) == GT_OK);
    NEEDS(gt_run_restore(&again, &p, gt_method_find("dopri5"), &plan, &with, bytes, count,
                         &message) == GT_OK);
    NEEDS(with.extra_bytes == 1 && *(const char *)with.extra == 'x');
    gt_solution *solution = gt_solution_new(2);
    for (reached = GT_REACHED_STEP; reached != GT_REACHED_END;)
        NEEDS(gt_run_step(run, &reached) == GT_OK && gt_solution_add(solution, run) == GT_OK);
    NEEDS(gt_run_advance(copy, 20, 0, NULL) == GT_OK &&
          gt_run_advance(again, 20, 0, NULL) == GT_OK);
    NEEDS(memcmp(gt_run_x(run), gt_run_x(copy), sizeof x) == 0 &&
          memcmp(gt_run_x(run), gt_run_x(again), sizeof x) == 0);
    NEEDS(gt_solution_at(solution, 15, x) == GT_OK);
    NEEDS(gt_run_finish(run, &g.report) == GT_OK && is_untouched(&g) && g.report.stats.events > 2);
    gt_run_report(copy, &g.report);
    NEEDS(is_untouched(&g) && gt_run_message(copy)[0] == 0);
    gt_solution_free(solution);
    gt_run_close(run);
    gt_run_close(copy);
    gt_run_discard(again);
    free(bytes);
    return 0;
}

#ifndef CORE_ONLY /* the library has no models and no analysis */
static int models_and_analysis(void)
{
    gt_arena arena = gt_arena_growing();
    gt_message message;
    gt_problem p;
    struct {
        gt_linearization linear;
        unsigned char behind[64];
    } l;
    NEEDS(gt_model_build(gt_model_find("lorenz"), "", &p, &arena, &message) == GT_OK);
    double x[] = {0, 0, 0};
    gt_equilibrium_report report;
    NEEDS(gt_equilibrium(&p, 0, x, NULL, &report) == GT_OK && report.residual < 1e-9);
    memset(&l, 0xA5, sizeof l);
    NEEDS(gt_linearize(&p, 0, x, &l.linear, &arena, &message) == GT_OK && l.linear.n == 3 &&
          l.behind[0] == 0xA5);
    const gt_method *method;
    NEEDS(gt_choose_method(&p, NULL, &method, &message) == GT_OK && method->name);
    gt_arena_free(&arena);
    return 0;
}
#else
static int models_and_analysis(void) { return 0; }
#endif

int main(void) { return one_call() || in_pieces() || models_and_analysis(); }
