/* SPDX-License-Identifier: BSD-3-Clause */
/* Edges of the core where something once broke, each named by what broke. */
#include "methods_kit.h"

static gt_status fast_follower(double t, const double *x, double *dx, void *ctx)
{
    (void)ctx;
    dx[0] = -1e6 * (x[0] - cos(t));
    return GT_OK;
}

/* Hermite interpolation took the slope of a stiff component for one: values of 25000 between points
 * of size 1. */
static void dense_output_of_stiff_components_stays_between_the_points(void **state)
{
    (void)state;
    static const char *const methods[] = {"beuler", "trapezoidal", "gear3"};
    for (int k = 0; k < 3; k++) {
        double x0[1] = {2};
        gt_problem p = {.n_slow = 1, .rhs = fast_follower, .x0 = x0, .t1 = 3};
        gt_memory_sink m;
        gt_report r;
        gt_memory_sink_init(&m, GT_AT_OUTPUT);
        gt_sink *sinks[] = {&m.sink};
        gt_plan plan = {.h = 0.1, .every = 0.05, .sinks = sinks, .n_sinks = 1};
        assert_int_equal(gt_solve(&p, gt_method_find(methods[k]), &plan, &r), GT_OK);
        for (size_t i = 0; i < m.count; i++) {
            if (!(fabs(m.x[i]) < 5)) fail_msg("%s: %g at t = %g", methods[k], m.x[i], m.t[i]);
        }
        gt_memory_sink_free(&m);
    }
}

/* Histories were spaced by rounded times: at epoch seconds every implicit method failed. */
static void large_times_change_nothing(void **state)
{
    (void)state;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        bench_top b;
        gt_report r;
        double x[2];
        build(&b, "harmonic", "");
        split_for(*m, &b.problem);
        b.problem.t0 = 1.7e9, b.problem.t1 = 1.7e9 + 5;
        gt_values v = gt_params_default((*m)->options);
        gt_plan plan = {.h = gt_method_facts(*m, v.v).error_order ? 0 : 0.001,
                        .rtol = 1e-4,
                        .atol = 1e-4,
                        .x_end = x};
        gt_status status = gt_solve(&b.problem, *m, &plan, &r);
        if (status) fail_msg("%s: %s", (*m)->name, r.message.text);
        if (!(fabs(x[0] - cos(5)) < 0.03))
            fail_msg("%s: error %g", (*m)->name, fabs(x[0] - cos(5)));
        gt_arena_free(&b.arena);
    }
}

static gt_status only_algebra(double t, const double *x, double *dx, void *ctx)
{
    (void)ctx;
    dx[0] = x[0] - cos(t);
    return GT_OK;
}

static void a_problem_of_algebraic_equations_alone_runs(void **state)
{
    (void)state;
    static const char *const methods[] = {"beuler", "trapezoidal", "gear"};
    for (int k = 0; k < 3; k++) {
        double x0[1] = {0}, x[1];
        gt_problem p = {.n_alg = 1, .rhs = only_algebra, .x0 = x0, .t1 = 2};
        gt_report r;
        gt_status status = gt_solve(&p, gt_method_find(methods[k]), &(gt_plan){.x_end = x}, &r);
        if (status) fail_msg("%s: %s", methods[k], r.message.text);
        assert_true(fabs(x[0] - cos(2)) < 1e-9);
    }
}

static void a_stepper_that_could_not_be_made_can_be_released(void **state)
{
    (void)state;
    bench_top b;
    char small[64];
    build(&b, "brusselator", "");
    assert_int_equal(
        gt_stepper_init(&b.s, gt_method_find("gear"), NULL, &b.problem, small, sizeof small),
        GT_WORKSPACE_SMALL);
    gt_stepper_free(&b.s);
    gt_arena_free(&b.arena);
}

/* Zero means default: a controller with only some numbers had a step factor of 0. */
static void zeros_in_a_controller_mean_default(void **state)
{
    (void)state;
    static const gt_control some[] = {
        {.beta = {1}, .safety = 0.8},
        {.kind = GT_BOUNDS, .lower = 1e-7, .upper = 1e-5, .target = 1e-6},
        {.maximum_norm = true}};
    for (int k = 0; k < 3; k++) {
        bench_top b;
        gt_report r;
        double x[2];
        build(&b, "harmonic", "");
        assert_int_equal(gt_solve(&b.problem, gt_method_find("dopri5"),
                                  &(gt_plan){.control = some[k], .x_end = x}, &r),
                         GT_OK);
        assert_true(fabs(x[0] - cos(10)) < 1e-3);
        gt_arena_free(&b.arena);
    }
    bench_top b;
    gt_report r;
    build(&b, "harmonic", "");
    gt_control wrong = {.kind = GT_BOUNDS, .lower = 1, .target = 0.1};
    assert_int_equal(
        gt_solve(&b.problem, gt_method_find("dopri5"), &(gt_plan){.control = wrong}, &r),
        GT_BAD_ARGUMENT);
    assert_int_equal(gt_solve(&b.problem, gt_method_find("gear"),
                              &(gt_plan){.control = *gt_control_find("bounds")}, &r),
                     GT_BAD_ARGUMENT);
    gt_arena_free(&b.arena);
}

static gt_status grows_later(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = -x[0];
    dx[1] = 0;
    return GT_OK;
}

/* A component at 0 with an absolute tolerance of 0 gave 0/0. */
static void a_weight_of_zero_is_survived(void **state)
{
    (void)state;
    double x0[2] = {1, 0}, atol[2] = {1e-9, 0}, x[2];
    gt_problem p = {.n_slow = 2, .rhs = grows_later, .x0 = x0, .t1 = 1};
    gt_report r;
    assert_int_equal(
        gt_solve(&p, gt_method_find("dopri5"), &(gt_plan){.atol_vector = atol, .x_end = x}, &r),
        GT_OK);
    assert_true(fabs(x[0] - exp(-1)) < 1e-5 && x[1] == 0);
}

/* Where times are coarse beside h, the last step missed t1 by round-off and one more was taken. */
static void a_fine_grid_ends_at_t1(void **state)
{
    (void)state;
    bench_top b;
    gt_report r;
    build(&b, "harmonic", "");
    b.problem.t0 = 4e7 / 3;
    b.problem.t1 = b.problem.t0 + 1;
    assert_int_equal(gt_solve(&b.problem, gt_method_find("rk2"), &(gt_plan){.h = 1e-4}, &r), GT_OK);
    assert_true(r.t == b.problem.t1);
    assert_int_equal(r.stats.steps, 10000);
    gt_arena_free(&b.arena);
}

static gt_status step_at_one(double t, const double *x, double *dx, void *ctx)
{
    (void)x, (void)ctx;
    dx[0] = t < 1 ? 0 : 1;
    return GT_OK;
}
static gt_status refuse_at_one(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    (void)self, (void)message;
    return sample->t == 1 ? GT_SINK_REFUSED : GT_OK;
}

/* A run that ended at a discontinuity left f capped there for whoever used the stepper next. */
static void a_stepper_starts_without_a_past(void **state)
{
    (void)state;
    double x0[1] = {0}, breaks[1] = {1};
    bench_top b = {
        .problem = {
            .n_slow = 1, .rhs = step_at_one, .x0 = x0, .t1 = 2, .breaks = breaks, .n_breaks = 1}};
    gt_sink sink = {.wants = GT_AT_STEP, .write = refuse_at_one}, *sinks[] = {&sink};
    gt_report r;
    bind_method(&b, gt_method_find("rk4"), NULL);
    assert_int_equal(gt_integrate(&b.s, &(gt_plan){.h = 0.25, .sinks = sinks, .n_sinks = 1}, &r),
                     GT_SINK_REFUSED);
    gt_stepper_start(&b.s, 1.5, x0);
    for (int k = 0; k < 10; k++) assert_int_equal(gt_stepper_step(&b.s, 0.1), GT_OK);
    assert_true(fabs(b.s.x[0] - 1) < 1e-12);
    dismantle(&b);
}

static void plans_that_cannot_be_meant_are_refused(void **state)
{
    (void)state;
    bench_top b;
    gt_report r;
    gt_memory_sink m;
    gt_memory_sink_init(&m, GT_AT_OUTPUT);
    gt_sink *sinks[] = {&m.sink};
    build(&b, "harmonic", "");
    const gt_method *dopri5 = gt_method_find("dopri5");
    const gt_plan plans[] = {{.every = 1e-30, .sinks = sinks, .n_sinks = 1},
                             {.every = 0.1, .refine = 3, .sinks = sinks, .n_sinks = 1},
                             {.h_min = 1, .h_max = 0.1},
                             {.rtol = 2},
                             {.rtol = 1e-20},
                             {.h_max = 1e-30}};
    for (size_t k = 0; k < sizeof plans / sizeof *plans; k++)
        assert_int_equal(gt_solve(&b.problem, dopri5, &plans[k], &r), GT_BAD_ARGUMENT);
    b.problem.t1 = b.problem.t0;
    assert_int_equal(gt_solve(&b.problem, dopri5, &(gt_plan){0}, &r), GT_BAD_ARGUMENT);
    gt_memory_sink_free(&m);
    gt_arena_free(&b.arena);
}

/* The least step underflowed to 0, and ten million steps of 0 were taken. */
static gt_status explosive(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = x[0] * 1e154;
    dx[1] = x[0] * x[1];
    return GT_OK;
}

static void an_interval_next_to_nothing_ends(void **state)
{
    (void)state;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        double x0[2] = {1e154, 20};
        gt_problem p = {.n_slow = 2, .rhs = explosive, .x0 = x0, .t1 = 1e-300};
        gt_report r;
        split_for(*m, &p);
        gt_values v = gt_params_default((*m)->options);
        gt_message ignored;
        if (!gt_method_facts(*m, v.v).error_order || gt_method_check(*m, v.v, &p, &ignored))
            continue;
        gt_status status = gt_solve(&p, *m, &(gt_plan){.max_steps = 20000}, &r);
        if (status == GT_TOO_MANY_STEPS && !(r.t > 0))
            fail_msg("%s: %s", (*m)->name, r.message.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dense_output_of_stiff_components_stays_between_the_points),
        cmocka_unit_test(large_times_change_nothing),
        cmocka_unit_test(a_problem_of_algebraic_equations_alone_runs),
        cmocka_unit_test(a_stepper_that_could_not_be_made_can_be_released),
        cmocka_unit_test(zeros_in_a_controller_mean_default),
        cmocka_unit_test(a_weight_of_zero_is_survived),
        cmocka_unit_test(a_fine_grid_ends_at_t1),
        cmocka_unit_test(a_stepper_starts_without_a_past),
        cmocka_unit_test(plans_that_cannot_be_meant_are_refused),
        cmocka_unit_test(an_interval_next_to_nothing_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
