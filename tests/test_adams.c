/* SPDX-License-Identifier: BSD-3-Clause */
/* The Adams method of variable order: its formulas at each fixed order, where they are stable, what
 * a run costs. */
#include "lang_kit.h"
#include "methods_kit.h"

enum { MOST = 12 };

/* Error at t = 2 of x' = exp t by steps of size h with a predictor of order k, exact up to t = 1: a
 * quadrature, of which the corrector is the whole formula. */
static double quadrature_error(int k, double h)
{
    char options[16];
    lang_model m = lang_read("x'=exp(t)\ny'=1\nx(0)=1\n@ total=4\ndone\n");
    bench_top b = {.problem = m.problem};
    snprintf(options, sizeof options, "order=%d", k);
    bind_method(&b, &gt_method_adams, options);
    gt_stepper_start(&b.s, 0, m.problem.x0);
    while (b.s.t < 2 - h / 2) {
        assert_int_equal(gt_stepper_step(&b.s, h), GT_OK);
        if (b.s.t < 1 + h / 2)
            b.s.x[0] = exp(b.s.t); /* the start and its low orders are not what is looked at */
    }
    assert_within(b.s.x[1], b.s.t, 1e-14, "a slope that does not change");
    double error = fabs(b.s.x[0] - exp(b.s.t)) / exp(b.s.t);
    gt_stepper_free(&b.s);
    free(b.memory);
    lang_free(&m);
    return error;
}

/* With a predictor of order k the solution is of order k + 1. */
static void orders_are_as_stated(void **state)
{
    (void)state;
    for (int k = 1; k <= 6; k++) {
        double h[4], error[4];
        for (int i = 0; i < 4; i++) error[i] = quadrature_error(k, h[i] = 2.0 / (24 + 8 * i));
        double slope = slope_of(h, error, 4, 1e-15);
        if (!(fabs(slope - (k + 1)) < 0.3)) fail_msg("order %d: slope %g", k, slope);
    }
}

/* |x| after many steps of x' = -x. */
static double left_after(int k, double h)
{
    char options[16];
    lang_model m = lang_read("x'=-x\nx(0)=1\ndone\n");
    bench_top b = {.problem = m.problem};
    snprintf(options, sizeof options, "order=%d", k);
    bind_method(&b, &gt_method_adams, options);
    gt_stepper_start(&b.s, 0, m.problem.x0);
    double most = 0;
    for (int i = 0; i < 3000; i++) {
        gt_status status = gt_stepper_step(&b.s, h);
        if (status) return INFINITY;
        if (i >= 2950) most = fmax(most, fabs(b.s.x[0]));
    }
    gt_stepper_free(&b.s);
    free(b.memory);
    lang_free(&m);
    return most;
}

/* The limits that the page states: roots of w^k = (1 + z g)(w^(k-1) + z sum w_i w^(k-1-i)) - z g
 * sum v_i w^(k-1-i), computed apart from the library in whole fractions. */
static void limits_on_the_real_axis(void **state)
{
    (void)state;
    static const double limit[MOST] = {2,     2.4,   1.935, 1.411, 1.039, 0.773,
                                       0.580, 0.439, 0.337, 0.263, 0.210, 0.1714};
    for (int k = 1; k <= MOST; k++) {
        double below = left_after(k, 0.99 * limit[k - 1]),
               above = left_after(k, 1.01 * limit[k - 1]);
        if (!(below < 1e-6) || !(above > 1))
            fail_msg("order %d: %g and %g are left below and above h = %g", k, below, above,
                     limit[k - 1]);
    }
}

/* Two calls a step, one for a trial that is repeated, and fewer of them than one-step methods of
 * equal error take. */
static void calls_of_a_run(void **state)
{
    (void)state;
    lang_model m = lang_read(
        "r=(x^2+y^2)^1.5\nx'=u\ny'=v\nu'=-x/r\nv'=-y/r\nx(0)=.5\nv(0)=1.7320508075688772\n"
        "@ total=62.83185307179586\ndone\n");
    double x[4], error[2];
    gt_report r[2];
    const gt_method *methods[] = {&gt_method_adams, &gt_method_dop853};
    for (int i = 0; i < 2; i++) {
        gt_plan plan = {.rtol = i ? 1e-11 : 1e-12, .atol = i ? 1e-11 : 1e-12, .x_end = x};
        assert_int_equal(gt_solve(&m.problem, methods[i], &plan, &r[i]), GT_OK);
        error[i] = hypot(x[0] - 0.5, x[1]);
    }
    assert_true(r[0].stats.rhs <= 2 * r[0].stats.steps + r[0].stats.rejected + 3);
    assert_true(error[0] < error[1]);
    if (!((double)r[0].stats.rhs < 0.75 * (double)r[1].stats.rhs))
        fail_msg("%ld calls, dop853 %ld", r[0].stats.rhs, r[1].stats.rhs);
    lang_free(&m);
}

/* Between points it is as accurate as at them, and continuous. */
static void dense_output(void **state)
{
    (void)state;
    lang_model m = lang_read("x'=y\ny'=-x\nx(0)=1\n@ total=10\ndone\n");
    bench_top b = {.problem = m.problem};
    double at[2], between = 0, points = 0;
    bind_method(&b, &gt_method_adams, "order=7");
    gt_stepper_start(&b.s, 0, m.problem.x0);
    for (int i = 0; i < 60; i++) {
        double h = i < 12 ? 0.01 : i % 5 ? 0.1 : 0.07;
        assert_int_equal(gt_stepper_try(&b.s, h, true), GT_OK);
        for (int j = 0; j <= 4; j++) {
            assert_int_equal(gt_stepper_interpolate(&b.s, j / 4.0, at), GT_OK);
            between = fmax(between, fabs(at[0] - cos(b.s.t + j / 4.0 * h)));
            if (j == 0) assert_within(at[0], b.s.x[0], 1e-15, "the beginning");
            if (j == 4) assert_within(at[0], b.s.x_new[0], 1e-14, "the end");
        }
        gt_stepper_accept(&b.s);
        points = fmax(points, fabs(b.s.x[0] - cos(b.s.t)));
    }
    assert_true(between < 2 * points);
    gt_stepper_free(&b.s);
    free(b.memory);
    lang_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_are_as_stated),
        cmocka_unit_test(limits_on_the_real_axis),
        cmocka_unit_test(calls_of_a_run),
        cmocka_unit_test(dense_output),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
