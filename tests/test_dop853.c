/* SPDX-License-Identifier: BSD-3-Clause */
/* The numbers of dop853 against the order conditions, and its dense output. */
#include "kit/dop853.h"
#include "methods_kit.h"
#include <fenv.h>
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

/* Eleven stages after the first slope, then the slope at the end and three more for all points
 * inside together. */
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
    for (double theta = 0; theta <= 1; theta += 0.125)
        assert_int_equal(gt_stepper_interpolate(&b.s, theta, x), GT_OK);
    assert_int_equal(b.s.stats.rhs, 16);
    dismantle(&b);
}

/* Steps of an orbit of eccentricity 0.9 vary by a factor of 30: 31 of 174 trials were rejected. */
static gt_status orbit(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    double r = hypot(x[0], x[1]), r3 = r * r * r;
    dx[0] = x[2], dx[1] = x[3], dx[2] = -x[0] / r3, dx[3] = -x[1] / r3;
    return GT_OK;
}

static void steps_that_vary_are_foreseen(void **state)
{
    (void)state;
    const double x0[] = {0.1, 0, 0, sqrt(19)};
    gt_problem p = {.n_slow = 4, .rhs = orbit, .x0 = x0, .t1 = 20, .name = "orbit"};
    static const struct {
        double rtol;
        long calls;
    } bounds[] = {{1e-6, 1550}, {1e-9, 3200}};
    for (int k = 0; k < 2; k++) {
        gt_report r;
        assert_int_equal(gt_solve(&p, &gt_method_dop853, &(gt_plan){.rtol = bounds[k].rtol}, &r),
                         GT_OK);
        if (r.stats.rhs > bounds[k].calls) fail_msg("%ld calls at %g", r.stats.rhs, bounds[k].rtol);
        assert_true(12 * r.stats.rejected < r.stats.steps);
    }
}

/* Who traps invalid operations must be able to run: the root of -1 was drawn where no step had been
 * kept. */
static void no_operation_is_invalid(void **state)
{
    (void)state;
    static const char *const names[] = {"dopri5", "dop853", "heun"};
    const double x0[] = {0.1, 0, 0, sqrt(19)};
    gt_problem p = {.n_slow = 4, .rhs = orbit, .x0 = x0, .t1 = 20, .name = "orbit"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        feclearexcept(FE_ALL_EXCEPT);
        assert_int_equal(gt_solve(&p, gt_method_find(names[k]), &(gt_plan){.rtol = 1e-5}, NULL),
                         GT_OK);
        if (fetestexcept(FE_INVALID)) fail_msg("%s raises FE_INVALID", names[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_meet_the_order_conditions),
        cmocka_unit_test(no_operation_is_invalid),
        cmocka_unit_test(steps_that_vary_are_foreseen),
        cmocka_unit_test(dense_output_has_order_7),
        cmocka_unit_test(points_inside_a_step_cost_four_evaluations_in_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
