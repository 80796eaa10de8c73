/* SPDX-License-Identifier: BSD-3-Clause */
/* Switches of f: located, passed with the other formula, followed where both sides push to the surface. */
#include "methods_kit.h"

/* What a model with switches keeps: the sides that are held. */
typedef struct relations {
    const signed char *side;
} relations;

static void set_sides(const signed char *side, void *ctx) { ((relations *)ctx)->side = side; }

/* Sign of g by the side that is held, or by its value. */
static double sign_by(const relations *w, size_t k, double g)
{
    int side = w->side ? w->side[k] : 0;
    return side ? side : g > 0 ? 1 : g < 0 ? -1 : 0;
}

/* A block on a belt: x' = v, v' = -x - sign(v - 1)/(1 + 3 |v - 1|) */
static gt_status belt(double t, const double *x, double *dx, void *ctx)
{
    (void)t;
    double w = x[1] - 1;
    dx[0] = x[1];
    dx[1] = -x[0] - sign_by(ctx, 0, w) / (1 + 3 * sign_by(ctx, 1, w) * w);
    return GT_OK;
}
static gt_status belt_switches(double t, const double *x, double *g, void *ctx)
{
    (void)t, (void)ctx;
    g[0] = g[1] = x[1] - 1;
    return GT_OK;
}

typedef struct watch {
    gt_sink sink;
    double from[8];
    double since;
    int sticks, stuck; /* times; samples in a row */
} watch;

static gt_status look(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    watch *w = self->ctx;
    (void)message;
    /* A crossing is there for one sample, a sticking block for more. */
    bool stuck = fabs(sample->x[1] - 1) < 1e-6;
    if (stuck && w->stuck == 1 && w->sticks < 8) w->from[w->sticks++] = w->since;
    if (!w->stuck) w->since = sample->t;
    w->stuck = stuck ? w->stuck + 1 : 0;
    return GT_OK;
}

static void a_block_on_a_belt_sticks_and_slips(void **state)
{
    (void)state;
    static const char *const methods[] = {"dopri5", "gear", "rodas4", "dop853", "rkf45", "trapezoidal", "bi"};
    static const double from[3] = {13.73, 20.30, 27.35};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        relations w = {0};
        const double x0[2] = {0, 0};
        gt_problem p = {.n_slow = 2,
                        .rhs = belt,
                        .x0 = x0,
                        .t1 = 30,
                        .ctx = &w,
                        .autonomous = true,
                        .n_switches = 2,
                        .switches = belt_switches,
                        .set_sides = set_sides};
        watch see = {.sink = {.wants = GT_AT_STEP, .write = look}};
        see.sink.ctx = &see;
        gt_sink *sinks[] = {&see.sink};
        gt_report report;
        gt_plan plan = {.rtol = 1e-6, .sinks = sinks, .n_sinks = 1, .max_steps = 50000};
        gt_status status = gt_solve(&p, gt_method_find(methods[k]), &plan, &report);
        if (status) fail_msg("%s: %s", methods[k], report.message.text);
        if (see.sticks != 3) fail_msg("%s sticks %d times", methods[k], see.sticks);
        for (int i = 0; i < 3; i++) assert_within(see.from[i], from[i], 0.02, methods[k]);
        bool high = gt_method_facts(gt_method_find(methods[k]), gt_params_default(NULL).v).order > 2;
        if (high && report.stats.steps >= 2000) fail_msg("%s: %ld steps", methods[k], report.stats.steps);
        assert_null(w.side);
    }
}

/* x' = y, y' = -x - sign(x): crossings of a jump; x' = y, y' = -|x|-like kinks keep the history. */
static gt_status dry(double t, const double *x, double *dx, void *ctx)
{
    (void)t;
    dx[0] = x[1];
    dx[1] = -sign_by(ctx, 0, x[0]);
    return GT_OK;
}
static gt_status first(double t, const double *x, double *g, void *ctx)
{
    (void)t, (void)ctx;
    g[0] = x[0];
    return GT_OK;
}

/* x'' = -sign x from 1 at rest: parabolas, a quarter period is sqrt 2. */
static void a_jump_is_crossed_at_its_time(void **state)
{
    (void)state;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        gt_values v = gt_params_default((*m)->options);
        gt_facts facts = gt_method_facts(*m, v.v);
        relations w = {0};
        const double x0[2] = {1, 0};
        gt_problem p = {.n_slow = 2, .rhs = dry, .x0 = x0, .t1 = 20 * sqrt(2), .ctx = &w, .autonomous = true};
        p.n_switches = 1, p.switches = first, p.set_sides = set_sides;
        gt_message message;
        if (!facts.error_order || facts.order < 3 || gt_method_check(*m, v.v, &p, &message)) continue;
        double x[2] = {0, 0};
        gt_report report;
        gt_plan plan = {.rtol = 1e-8, .x_end = x, .max_steps = 100000};
        gt_status status = gt_solve(&p, *m, &plan, &report);
        if (status) fail_msg("%s: %s", (*m)->name, report.message.text);
        if (report.stats.switches != 10) fail_msg("%s: %ld switches", (*m)->name, report.stats.switches);
        assert_within(x[0], 1, 1e-5, (*m)->name);
        assert_within(x[1], 0, 1e-5, (*m)->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_on_a_belt_sticks_and_slips),
        cmocka_unit_test(a_jump_is_crossed_at_its_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
