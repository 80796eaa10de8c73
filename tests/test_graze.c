/* SPDX-License-Identifier: BSD-3-Clause */
/* Events whose root function turns next to zero: found, or a warning says that they are not
 * certain. */
#include "methods_kit.h"

typedef struct threshold {
    double level;
    int count;
} threshold;

static gt_status oscillator(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = x[1], dx[1] = -x[0];
    return GT_OK;
}

static gt_status above(double t, const double *x, double *g, void *ctx)
{
    (void)t;
    g[0] = x[0] - ((threshold *)ctx)->level;
    return GT_OK;
}

static gt_status count(double t, const unsigned char *fired, double *x, unsigned *actions,
                       void *ctx)
{
    (void)t, (void)fired, (void)x, (void)actions;
    ((threshold *)ctx)->count++;
    return GT_OK;
}

/* Runs sin t over three maxima and counts the crossings of the level. */
static gt_status count_crossings(const gt_method *m, double rtol, double level, int *crossings,
                                 gt_report *report)
{
    static const int up[1] = {1};
    const double x0[2] = {0, 1};
    threshold ctx = {.level = level};
    gt_problem p = {.n_slow = 2,
                    .rhs = oscillator,
                    .ctx = &ctx,
                    .x0 = x0,
                    .t1 = 18,
                    .roots = above,
                    .n_roots = 1,
                    .root_direction = up,
                    .on_event = count,
                    .autonomous = true};
    gt_status status = gt_solve(&p, m, &(gt_plan){.rtol = rtol, .max_steps = 20000}, report);
    *crossings = ctx.count;
    return status;
}

static bool controlled(const gt_method *m)
{
    gt_message message;
    gt_problem p = {.n_slow = 2, .rhs = oscillator};
    gt_values v = gt_params_default(m->options);
    return gt_method_facts(m, v.v).error_order > 0 && !gt_method_check(m, v.v, &p, &message);
}

/* The level is below the maxima, or above them, by 1e-8: at rtol 1e-6 nearly all methods counted 0
 * instead of 3. */
static void an_event_that_the_error_decides_is_named(void **state)
{
    (void)state;
    int failures = 0;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        if (!controlled(*m)) continue;
        for (double rtol = 1e-3; rtol > 1e-10; rtol *= 1e-3) {
            for (int over = 0; over < 2; over++) {
                gt_report report;
                int crossings;
                gt_status status =
                    count_crossings(*m, rtol, over ? 1 + 1e-8 : 1 - 1e-8, &crossings, &report);
                if (status || report.warnings.count || crossings == (over ? 0 : 3)) continue;
                print_error("%s at rtol %g: %d crossings%s\n", (*m)->name, rtol, crossings,
                            over ? ", not 0" : "");
                failures++;
            }
        }
    }
    assert_int_equal(failures, 0);
}

static gt_status thrown(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = x[1], dx[1] = 2;
    return GT_OK;
}

/* A parabola that dips below 0, or does not, where both states are zero: the tolerances there are
 * nothing beside the errors of the steps before. gear, beuler and ab1 counted 0 instead of 2, or 2
 * instead of 0. */
static void errors_of_larger_states_count(void **state)
{
    (void)state;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        if (!controlled(*m)) continue;
        for (double rtol = 1e-2; rtol > 5e-5; rtol /= 10)
            for (int k = 0; k < 4; k++) {
                const double depth[4] = {1e-6, 1e-4, -1e-6, -1e-4}, x0[2] = {1 - depth[k], -2};
                threshold ctx = {.level = 0};
                gt_problem p = {.n_slow = 2,
                                .rhs = thrown,
                                .ctx = &ctx,
                                .x0 = x0,
                                .t1 = 2,
                                .roots = above,
                                .n_roots = 1,
                                .on_event = count,
                                .autonomous = true};
                gt_report report;
                if (gt_solve(&p, *m, &(gt_plan){.rtol = rtol, .max_steps = 20000}, &report))
                    continue;
                if (ctx.count != (depth[k] > 0 ? 2 : 0) && !report.warnings.count)
                    fail_msg("%s at rtol %g, %g below: %d crossings", (*m)->name, rtol, depth[k],
                             ctx.count);
            }
    }
}

/* Where the error of the method is below 1e-8, the crossings are found; and where N steps cannot
 * make 1e-8, they are certain. */
static void a_tight_tolerance_finds_it(void **state)
{
    (void)state;
    static const char *const methods[] = {"dopri5", "dop853", "rkf45", "bi44", "bi55", "exprb43"};
    gt_report report;
    int crossings;
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        assert_int_equal(
            count_crossings(gt_method_find(methods[k]), 1e-9, 1 - 1e-8, &crossings, &report),
            GT_OK);
        if (crossings != 3) fail_msg("%s: %d crossings", methods[k], crossings);
    }
    for (int over = 0; over < 2; over++) {
        double level = over ? 1 + 1e-8 : 1 - 1e-8;
        assert_int_equal(
            count_crossings(gt_method_find("dop853"), 1e-12, level, &crossings, &report), GT_OK);
        assert_int_equal(crossings, over ? 0 : 3);
        assert_int_equal(report.warnings.count, 0);
    }
}

/* Crossings and turns that are far from zero for the tolerance have no warning. */
static void an_event_that_is_certain_has_no_warning(void **state)
{
    (void)state;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        if (!controlled(*m)) continue;
        for (int over = 0; over < 2; over++) {
            gt_report report;
            int crossings;
            gt_status status = count_crossings(*m, 1e-6, over ? 1.1 : 0.9, &crossings, &report);
            if (status) continue;
            if (crossings != (over ? 0 : 3) || report.warnings.count)
                fail_msg("%s: %d crossings, %s", (*m)->name, crossings,
                         report.warnings.count ? report.warnings.list[0].text : "no warning");
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_event_that_the_error_decides_is_named),
        cmocka_unit_test(errors_of_larger_states_count),
        cmocka_unit_test(a_tight_tolerance_finds_it),
        cmocka_unit_test(an_event_that_is_certain_has_no_warning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
