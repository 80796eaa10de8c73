/* SPDX-License-Identifier: BSD-3-Clause */
/* Sinks that have the dense output sampled by a wish of their own, as figures do: points spread in
 * time however long the steps are, both sides of a jump, and nothing changed for the other sinks or
 * in the counters. */
#include "methods_kit.h"

static gt_status run(const gt_problem *p, const gt_method *method, gt_plan plan,
                     gt_memory_sink **list, size_t count, gt_report *report)
{
    gt_sink *sinks[3];
    for (size_t i = 0; i < count; i++) {
        sinks[i] = &list[i]->sink;
        sinks[i]->ctx = list[i];
    }
    plan.sinks = sinks;
    plan.n_sinks = count;
    return gt_solve(p, method, &plan, report);
}

static void same_counts(const gt_stats *a, const gt_stats *b, const char *name)
{
    if (memcmp(a, b, sizeof *a))
        fail_msg("%s: with a figure %ld steps, %ld rhs, %ld Newton; without %ld, %ld, %ld", name,
                 a->steps, a->rhs, a->newton, b->steps, b->rhs, b->newton);
}

/* Every method on a model it can treat, fixed and controlled: points at most `spacing` apart, the
 * other sink's rows and the counters bit for bit those of a run without. */
static void every_method_gives_points_spread_in_time(void **state)
{
    (void)state;
    const double spacing = 0.01;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        for (int fixed = 0; fixed < 2; fixed++) {
            bench_top b;
            gt_message why;
            gt_report with, without;
            gt_memory_sink csv, alone, figure, *list[2] = {&csv, &figure}, *single[1] = {&alone};
            build(&b, "linear2", "");
            b.problem.t1 = 2;
            gt_values v = gt_params_default((*m)->options);
            gt_plan plan = {.h = fixed ? 0.05 : 0, .every = 0.3};
            bool runs = gt_method_check(*m, v.v, &b.problem, &why) == GT_OK;
            gt_memory_sink_init(&alone, GT_AT_START | GT_AT_OUTPUT | GT_AT_END);
            gt_memory_sink_init(&csv, GT_AT_START | GT_AT_OUTPUT | GT_AT_END);
            gt_memory_sink_init(&figure, GT_AT_START | GT_AT_STEP | GT_AT_DENSE | GT_AT_END);
            figure.sink.spacing = spacing;
            if (runs && run(&b.problem, *m, plan, single, 1, &without) == GT_OK) {
                assert_int_equal(run(&b.problem, *m, plan, list, 2, &with), GT_OK);
                same_counts(&with.stats, &without.stats, (*m)->name);
                assert_int_equal(csv.count, alone.count);
                assert_memory_equal(csv.t, alone.t, csv.count * sizeof *csv.t);
                assert_memory_equal(csv.x, alone.x, csv.count * csv.n * sizeof *csv.x);
                assert_true(figure.count >= 201);
                for (size_t k = 1; k < figure.count; k++) {
                    double gap = figure.t[k] - figure.t[k - 1];
                    if (!(gap >= 0 && gap <= spacing * (1 + 1e-9)))
                        fail_msg("%s: no point for %g after t = %g", (*m)->name, gap,
                                 figure.t[k - 1]);
                }
                assert_true(figure.t[figure.count - 1] == 2);
            }
            gt_memory_sink_free(&alone);
            gt_memory_sink_free(&csv);
            gt_memory_sink_free(&figure);
            gt_arena_free(&b.arena);
        }
    }
}

/* x'' = -400 x: exprb32 takes steps of several periods, which five points a step cannot show. */
static gt_status fast_oscillation(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = x[1];
    dx[1] = -400 * x[0];
    return GT_OK;
}

static void the_points_lie_on_the_motion(void **state)
{
    (void)state;
    double x0[2] = {1, 0};
    gt_problem p = {.n_slow = 2,
                    .rhs = fast_oscillation,
                    .x0 = x0,
                    .t1 = 6,
                    .linear = true,
                    .autonomous = true};
    gt_memory_sink figure, *list[1] = {&figure};
    gt_report report;
    gt_memory_sink_init(&figure, GT_AT_START | GT_AT_DENSE | GT_AT_END);
    figure.sink.spacing = 6.0 / 2000;
    assert_int_equal(run(&p, gt_method_find("exprb32"), (gt_plan){.rtol = 1e-6}, list, 1, &report),
                     GT_OK);
    assert_true(report.stats.steps < 50); /* else this test shows nothing */
    assert_int_equal(figure.count, 2001);
    for (size_t k = 0; k < figure.count; k++)
        assert_within(figure.x[2 * k], cos(20 * figure.t[k]), 1e-6, "cos(20 t)");
    gt_memory_sink_free(&figure);
}

static gt_status fall(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = x[1];
    dx[1] = -9.81;
    return GT_OK;
}

static gt_status floor_height(double t, const double *x, double *g, void *ctx)
{
    (void)t, (void)ctx;
    g[0] = x[0];
    return GT_OK;
}

static gt_status bounce(double t, const unsigned char *fired, double *x, unsigned *actions,
                        void *ctx)
{
    (void)t, (void)fired, (void)actions, (void)ctx;
    x[0] = 0;
    x[1] *= -0.8;
    return GT_OK;
}

static void a_jump_is_seen_from_both_sides(void **state)
{
    (void)state;
    double x0[2] = {1, 0};
    int down[1] = {-1};
    gt_problem p = {.n_slow = 2,
                    .rhs = fall,
                    .x0 = x0,
                    .t1 = 1,
                    .n_roots = 1,
                    .roots = floor_height,
                    .root_direction = down,
                    .on_event = bounce};
    gt_memory_sink figure, *list[1] = {&figure};
    gt_report report;
    gt_memory_sink_init(&figure, GT_AT_START | GT_AT_STEP | GT_AT_EVENT | GT_AT_DENSE | GT_AT_END);
    figure.sink.spacing = 0.001;
    figure.sink.inside = 3;
    assert_int_equal(run(&p, gt_method_find("dopri5"), (gt_plan){.rtol = 1e-6}, list, 1, &report),
                     GT_OK);
    double hit = sqrt(2 / 9.81), lowest = 0, highest = -INFINITY;
    for (size_t k = 0; k < figure.count; k++) {
        if (k) assert_true(figure.t[k] >= figure.t[k - 1]);
        if (fabs(figure.t[k] - hit) > 1e-6) continue;
        lowest = fmin(lowest, figure.x[2 * k + 1]);
        highest = fmax(highest, figure.x[2 * k + 1]);
    }
    assert_within(lowest, -9.81 * hit, 1e-5, "speed before");
    assert_within(highest, 0.8 * 9.81 * hit, 1e-5, "speed after");
    gt_memory_sink_free(&figure);
}

static void points_inside_each_step(void **state)
{
    (void)state;
    bench_top b;
    gt_report report;
    gt_memory_sink figure, *list[1] = {&figure};
    build(&b, "harmonic", "");
    gt_memory_sink_init(&figure, GT_AT_DENSE | GT_AT_STEP);
    figure.sink.inside = 4; /* and no spacing */
    assert_int_equal(
        run(&b.problem, gt_method_find("dopri5"), (gt_plan){.rtol = 1e-6}, list, 1, &report),
        GT_OK);
    assert_int_equal(figure.count, 1 + 5 * report.stats.steps);
    for (size_t k = 1; k < figure.count; k++) assert_true(figure.t[k] > figure.t[k - 1]);
    gt_memory_sink_free(&figure);
    gt_arena_free(&b.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_gives_points_spread_in_time),
        cmocka_unit_test(the_points_lie_on_the_motion),
        cmocka_unit_test(a_jump_is_seen_from_both_sides),
        cmocka_unit_test(points_inside_each_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
