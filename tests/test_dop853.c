/* SPDX-License-Identifier: BSD-3-Clause */
/* The numbers of dop853 against the order conditions, and its dense output. */
#include "kit/dop853.h"
#include "methods_kit.h"
#include <geartrain/analysis/design.h>

/* Its numbers are decimals, so that the conditions hold to round-off. */
static void numbers_meet_the_order_conditions(void **state)
{
    (void)state;
    static gt_tableau T;
    static gt_conditions found;
    gt_ratio order_5[GT_MAX_STAGES] = {{0}}, order_3[GT_MAX_STAGES] = {{0}};
    T.stages = GT_853_STAGES;
    for (int i = 0; i < GT_853_STAGES; i++) {
        double sum = 0;
        for (int j = 0; j < i; j++) {
            T.a[i][j] = gt_ratio_near(gt_853.a[i][j]);
            sum += gt_853.a[i][j];
        }
        assert_true(fabs(sum - gt_853.c[i]) < 2e-14);
        T.c[i] = gt_ratio_near(gt_853.c[i]);
        T.b[i] = gt_ratio_near(gt_853.b[i]);
        order_5[i] = gt_ratio_near(gt_853.b[i] - gt_853.e5[i]);
        order_3[i] = gt_ratio_near(gt_853.b3[i]);
    }
    gt_conditions_of_tableau(&T, T.b, 8, &found);
    assert_int_equal(found.order, 8);
    assert_int_equal(found.count, 200);
    gt_conditions_of_tableau(&T, order_5, 6, &found);
    assert_int_equal(found.order, 5);
    gt_conditions_of_tableau(&T, order_3, 4, &found);
    assert_int_equal(found.order, 3);
}

/* Inside one step from exact values, dense output of order 7 is off by O(h^8). */
static void dense_output_has_order_7(void **state)
{
    (void)state;
    enum { SIZES = 5 };
    bench_top b;
    double h[SIZES], error[SIZES];
    build(&b, "linear2", "alpha=2, beta=0.4");
    bind_method(&b, gt_method_find("dop853"), "");
    for (int i = 0; i < SIZES; i++) {
        h[i] = i ? h[i - 1] / 1.3 : 0.3;
        error[i] = error_inside_a_step(&b, 0.1, h[i]);
    }
    double slope = slope_of(h, error, SIZES, 1e-15);
    if (!(fabs(slope - 8) < 0.25)) fail_msg("inside a step the error has slope %.2f", slope);
    dismantle(&b);
}

/* Eleven stages after the first slope, then the slope at the end and three more for all points inside together. */
static void points_inside_a_step_cost_four_evaluations_in_all(void **state)
{
    (void)state;
    bench_top b;
    double x[2], start[2];
    build(&b, "linear2", "");
    bind_method(&b, gt_method_find("dop853"), "");
    b.problem.exact(0, start, b.problem.ctx);
    gt_stepper_start(&b.s, 0, start);
    assert_int_equal(gt_stepper_try(&b.s, 0.1, true), GT_OK);
    assert_int_equal(b.s.stats.rhs, 12);
    for (double theta = 0; theta <= 1; theta += 0.125) assert_int_equal(gt_stepper_interpolate(&b.s, theta, x), GT_OK);
    assert_int_equal(b.s.stats.rhs, 16);
    dismantle(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_meet_the_order_conditions),
        cmocka_unit_test(dense_output_has_order_7),
        cmocka_unit_test(points_inside_a_step_cost_four_evaluations_in_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
