/* SPDX-License-Identifier: BSD-3-Clause */
/* Flexible arms: poles, responses and energy against the corrected values of xie, found with independent programs; what
 * implicit methods make of their structure. */
#include "methods_kit.h"

static void run_arm(const char *model, const char *params, const char *method, double h, double *x)
{
    bench_top b;
    gt_report report;
    build(&b, model, params);
    gt_status status = gt_solve(&b.problem, gt_method_find(method), &(gt_plan){.h = h, .x_end = x}, &report);
    if (status) fail_msg("%s on %s: %s", method, model, report.message.text);
    gt_arena_free(&b.arena);
}

/* Second-order structure with sparse, banded and plain matrices, and the same equations without it. */
static void structure_changes_nothing(void **state)
{
    (void)state;
    static const char *const inputs[] = {"pulse", "step", "ramp"};
    static const char *const forms[] = {"", ", storage=banded", ", form=plain"};
    for (size_t k = 0; k < 3; k++) {
        double x[4][22];
        char params[64];
        for (size_t f = 0; f < 3; f++) {
            snprintf(params, sizeof params, "input=%s%s", inputs[k], forms[f]);
            run_arm("arm_eb", params, "bi33", 0.01, x[f]);
        }
        bench_top b;
        gt_report report;
        snprintf(params, sizeof params, "input=%s", inputs[k]);
        build(&b, "arm_eb", params);
        b.problem.second_order = NULL;
        assert_int_equal(gt_solve(&b.problem, gt_method_find("bi33"), &(gt_plan){.h = 0.01, .x_end = x[3]}, &report),
                         GT_OK);
        gt_arena_free(&b.arena);
        for (int f = 1; f < 4; f++)
            for (int i = 0; i < 22; i++) assert_within(x[f][i], x[0][i], 1e-10, "arm in another form");
    }
}

/* Rounding in the forces of a fine arm is far above Newton's tolerance; no step may fail for it, and a Jacobian that
 * does not change is evaluated once for each start. */
static void fixed_steps_on_linear_problems_do_not_stall(void **state)
{
    (void)state;
    static const char *const methods[] = {"beuler", "trapezoidal", "gear2", "am2"};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        bench_top b;
        gt_report report;
        build(&b, "arm_eb", "n=100");
        gt_status status = gt_solve(&b.problem, gt_method_find(methods[k]), &(gt_plan){.h = 0.01}, &report);
        if (status) fail_msg("%s: %s", methods[k], report.message.text);
        if (report.stats.jacobians > 14) fail_msg("%s: %ld Jacobians", methods[k], report.stats.jacobians);
        gt_arena_free(&b.arena);
    }
}

static bool has_pole(const gt_linearization *l, double re, double im)
{
    for (size_t k = 0; k < l->n; k++)
        if (hypot(l->modes[k].re - re, fabs(l->modes[k].im) - im) <= 1e-8 * (1 + hypot(re, im))) return true;
    return false;
}

static void poles_of_the_arms(void **state)
{
    (void)state;
    static const struct {
        const char *model, *params;
        double pole[4][2];
    } cases[] = {{"arm_eb",
                  "n=20",
                  {{0, 10.13859818735731}, {0, 20.66866521002355}, {0, 35.53065784123588}, {0, 60.9669250600562}}},
                 {"arm_eb",
                  "n=20, assembly=thesis",
                  {{0, 8.300700797079157}, {0, 20.71016802727781}, {0, 33.90839092358521}, {0, 56.42550551429828}}},
                 {"arm_eb",
                  "loop=closed",
                  {{-547.41161008131, 0},
                   {-3.5798961607068, 0},
                   {-0.06692110647894, 3.1829386449293},
                   {-0.13555565695426, 13.236055010872}}},
                 {"arm_eb",
                  "loop=closed, n=20, assembly=thesis",
                  {{-545.78634933995, 0},
                   {-3.6851674935948, 0},
                   {-0.21135495538428, 12.442690493726},
                   {-0.16672617076226, 29.5545877582}}},
                 {"arm_timoshenko", "", {{0, 10.46569219}, {0, 19.84500485}, {0, 30.54134518}, {0, 49.47858394}}},
                 {"arm_timoshenko",
                  "assembly=symmetric",
                  {{0, 10.41684688}, {0, 19.82936314}, {0, 30.56027481}, {0, 49.52857721}}},
                 {"arm_timoshenko",
                  "assembly=thesis, n=20",
                  {{0, 7.136770236764538}, {0, 16.52304275872701}, {0, 25.90320608357819}, {0, 35.0598413580922}}},
                 {"arm_timoshenko",
                  "assembly=thesis, n=20, loop=closed",
                  {{-412.42577459537, 0},
                   {-4.5415165057045, 0},
                   {-0.27829785872692, 10.252987696652},
                   {-0.25865858735784, 21.361470679093}}}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bench_top b;
        gt_linearization l;
        gt_message message = {""};
        build(&b, cases[k].model, cases[k].params);
        assert_int_equal(gt_linearize(&b.problem, 0, b.problem.x0, &l, &b.arena, &message), GT_OK);
        for (int i = 0; i < 4; i++)
            if (!has_pole(&l, cases[k].pole[i][0], cases[k].pole[i][1]))
                fail_msg("%s %s has no pole %.12g%+.12gi", cases[k].model, cases[k].params, cases[k].pole[i][0],
                         cases[k].pole[i][1]);
        gt_arena_free(&b.arena);
    }
}

static void responses_of_the_arms(void **state)
{
    (void)state;
    static const struct {
        const char *model, *params;
        size_t tip;
        double theta, deflection;
    } cases[] = {{"arm_eb", "input=step", 10, 0.6557367834516082, -0.04612862052709186},
                 {"arm_eb", "input=ramp", 10, 0.4635015476096992, -0.06205238596928871},
                 {"arm_eb", "input=pulse", 10, 0.2782702324673891, -0.004878584320198279},
                 {"arm_eb", "input=step, assembly=thesis", 10, 0.04991137121867813, -0.05107738202861232},
                 {"arm_eb", "loop=closed", 10, -0.01040458855754402, -0.7737292869442447},
                 {"arm_timoshenko", "input=step", 19, 0.6590360720267518, -0.04667410869291148},
                 {"arm_timoshenko", "input=ramp", 19, 0.4675410764366175, -0.06337991599516081},
                 {"arm_timoshenko", "loop=closed", 19, -0.006212306696530681, -0.7077110812285413}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double x[42];
        run_arm(cases[k].model, cases[k].params, "bipade8", 0.001, x);
        assert_within(x[0], cases[k].theta, 1e-10, cases[k].params);
        assert_within(x[cases[k].tip] - x[0], cases[k].deflection, 1e-10, cases[k].params);
    }
}

/* After a pulse of 0.5 the arm turns freely for 1000, 100000 steps of 0.01 with h omega up to 1.8: relative drift of
 * the energy. Bounds are 1e-6 and 1e-5; partial fractions leave round-off only. */
static void energy_of_the_free_arm_stays(void **state)
{
    (void)state;
    static const struct {
        const char *method;
        double bound;
    } cases[] = {{"bi55", 1e-6}, {"bi33", 1e-5}, {"bi44", 1e-5}, {"bipade6", 1e-6}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bench_top b;
        double before, after, worst = 0;
        build(&b, "arm_eb", "input=pulse");
        bind_method(&b, gt_method_find(cases[k].method), "");
        assert_int_equal(gt_stepper_run(&b.s, 0, 0.01, 0, 50), GT_OK);
        gt_stepper_restart(&b.s);
        b.problem.invariants(1, b.s.x, &before, b.problem.ctx);
        for (size_t i = 0; i < 1000; i++) {
            assert_int_equal(gt_stepper_run(&b.s, 0, 0.01, 50 + 100 * i, 100), GT_OK);
            b.problem.invariants(1, b.s.x, &after, b.problem.ctx);
            worst = fmax(worst, fabs(after / before - 1));
        }
        if (getenv("SHOW")) print_message("%s drift %g of %g\n", cases[k].method, worst, before);
        if (!(worst < cases[k].bound)) fail_msg("%s: the energy drifts by %g", cases[k].method, worst);
        dismantle(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structure_changes_nothing),
        cmocka_unit_test(fixed_steps_on_linear_problems_do_not_stall),
        cmocka_unit_test(poles_of_the_arms),
        cmocka_unit_test(responses_of_the_arms),
        cmocka_unit_test(energy_of_the_free_arm_stays),
    };
    return cmocka_run_group_tests_name("arms", tests, NULL, NULL);
}
