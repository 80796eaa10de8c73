/* SPDX-License-Identifier: BSD-3-Clause */
/* Flexible arms: poles, responses and energy against the corrected values of xie, found with
 * independent programs; what implicit methods make of their structure. */
#include "methods_kit.h"

static void run_arm(const char *model, const char *params, const char *method, double h, double *x)
{
    bench_top b;
    gt_report report;
    build(&b, model, params);
    gt_status status =
        gt_solve(&b.problem, gt_method_find(method), &(gt_plan){.h = h, .x_end = x}, &report);
    if (status) fail_msg("%s on %s: %s", method, model, report.message.text);
    gt_arena_free(&b.arena);
}

/* Second-order structure with sparse, banded and plain matrices, and the same equations without it.
 */
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
        assert_int_equal(gt_solve(&b.problem, gt_method_find("bi33"),
                                  &(gt_plan){.h = 0.01, .x_end = x[3]}, &report),
                         GT_OK);
        gt_arena_free(&b.arena);
        for (int f = 1; f < 4; f++)
            for (int i = 0; i < 22; i++)
                assert_within(x[f][i], x[0][i], 1e-10, "arm in another form");
    }
}

/* Rounding in the forces of a fine arm is far above Newton's tolerance; no step may fail for it,
 * and a Jacobian that does not change is evaluated once for each start. */
static void fixed_steps_on_linear_problems_do_not_stall(void **state)
{
    (void)state;
    static const char *const methods[] = {"beuler", "trapezoidal", "gear2", "am2"};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        bench_top b;
        gt_report report;
        build(&b, "arm_eb", "n=100");
        gt_status status =
            gt_solve(&b.problem, gt_method_find(methods[k]), &(gt_plan){.h = 0.01}, &report);
        if (status) fail_msg("%s: %s", methods[k], report.message.text);
        if (report.stats.jacobians > 14)
            fail_msg("%s: %ld Jacobians", methods[k], report.stats.jacobians);
        gt_arena_free(&b.arena);
    }
}

static bool has_pole(const gt_linearization *l, double re, double im)
{
    for (size_t k = 0; k < l->n; k++)
        if (hypot(l->modes[k].re - re, fabs(l->modes[k].im) - im) <= 1e-8 * (1 + hypot(re, im)))
            return true;
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
                  {{0, 10.13859818735731},
                   {0, 20.66866521002355},
                   {0, 35.53065784123588},
                   {0, 60.9669250600562}}},
                 {"arm_eb",
                  "n=20, assembly=thesis",
                  {{0, 8.300700797079157},
                   {0, 20.71016802727781},
                   {0, 33.90839092358521},
                   {0, 56.42550551429828}}},
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
                 {"arm_timoshenko",
                  "",
                  {{0, 10.46569219}, {0, 19.84500485}, {0, 30.54134518}, {0, 49.47858394}}},
                 {"arm_timoshenko",
                  "assembly=symmetric",
                  {{0, 10.41684688}, {0, 19.82936314}, {0, 30.56027481}, {0, 49.52857721}}},
                 {"arm_timoshenko",
                  "assembly=thesis, n=20",
                  {{0, 7.136770236764538},
                   {0, 16.52304275872701},
                   {0, 25.90320608357819},
                   {0, 35.0598413580922}}},
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
                fail_msg("%s %s has no pole %.12g%+.12gi", cases[k].model, cases[k].params,
                         cases[k].pole[i][0], cases[k].pole[i][1]);
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
    } cases[] = {
        {"arm_eb", "input=step", 10, 0.6557367834516082, -0.04612862052709186},
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

/* After a pulse of 0.5 the arm turns freely for 1000, 100000 steps of 0.01 with h omega up to 1.8:
 * relative drift of the energy. Bounds are 1e-6 and 1e-5; partial fractions leave round-off only.
 */
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
        if (!(worst < cases[k].bound))
            fail_msg("%s: the energy drifts by %g", cases[k].method, worst);
        dismantle(&b);
    }
}

/* The frequency number k (0: the first above 0) of the free arm. */
static double frequency(const char *model, const char *params, int k)
{
    bench_top b;
    gt_linearization l;
    double below = 1, found = 0;
    build(&b, model, params);
    assert_int_equal(gt_linearize(&b.problem, 0, b.problem.x0, &l, &b.arena, NULL), GT_OK);
    for (; k >= 0; k--, below = found * (1 + 1e-9)) {
        found = INFINITY;
        for (size_t i = 0; i < l.n; i++)
            if (l.modes[i].im > below) found = fmin(found, l.modes[i].im);
    }
    gt_arena_free(&b.arena);
    return found;
}

/* Those of the link itself, n to infinity; and the order in 1/n, of the second frequency. */
static void finite_elements_have_order_4(void **state)
{
    (void)state;
    static const double link[] = {9.93437, 20.77074, 36.54855};
    for (int k = 0; k < 3; k++)
        assert_within(frequency("arm_eb", "n=40, assembly=hermite", k) / link[k], 1, 1e-6,
                      "hermite, n = 40");
    double end = frequency("arm_eb", "n=32, assembly=hermite", 1);
    double coarse = frequency("arm_eb", "n=4, assembly=hermite", 1) - end,
           fine = frequency("arm_eb", "n=8, assembly=hermite", 1) - end;
    assert_true(fabs(log2(coarse / fine) - 4) < 0.3);
    const char *taper = "alpha_tip=0.5, beta_tip=0.2, delta_tip=0.4, n=";
    char few[96], many[96];
    snprintf(few, sizeof few, "%s%s", taper, "20, assembly=hermite");
    snprintf(many, sizeof many, "%s%s", taper, "150");
    for (int k = 0; k < 3; k++) /* differences err as 1/n */
        assert_within(frequency("arm_eb", many, k) / frequency("arm_eb", few, k), 1, 0.01,
                      "a link that is no rod");
}

/* From 0 to 30 degrees is from -30 to 0, turned by 30. */
static void the_desired_angle_is_a_turn(void **state)
{
    (void)state;
    static const char *const models[][3] = {{"arm_eb", "right", "10"},
                                            {"arm_eb", "hermite", "19"},
                                            {"arm_timoshenko", "symmetric", "19"}};
    for (size_t k = 0; k < 3; k++) {
        double there[42], back[42], turn = 30 * acos(-1) / 180;
        char text[80];
        snprintf(text, sizeof text, "loop=closed, theta0=0, theta_d=30, assembly=%s", models[k][1]);
        run_arm(models[k][0], text, "bipade8", 0.01, there);
        snprintf(text, sizeof text, "loop=closed, theta0=-30, assembly=%s", models[k][1]);
        run_arm(models[k][0], text, "bipade8", 0.01, back);
        assert_within(there[0], back[0] + turn, 1e-10, models[k][1]);
        size_t tip = (size_t)atoi(models[k][2]);
        assert_within(there[tip], back[tip] + turn, 1e-10, models[k][1]);
    }
}

/* (4.12): lengths in L, time in sqrt(M0 L^3/D0), torques in D0/L; and energy is kept with
 * dimensions and taper. */
static void dimensions_scale_what_they_should(void **state)
{
    (void)state;
    const double L = 2, M0 = 3, D0 = 5, c = sqrt(M0 * L * L * L / D0);
    static const char *const assemblies[][2] = {
        {"arm_eb", "right"}, {"arm_eb", "hermite"}, {"arm_timoshenko", "symmetric"}};
    for (size_t k = 0; k < 3; k++) {
        char plain[96], scaled[256];
        snprintf(plain, sizeof plain, "assembly=%s, beta_tip=0.3", assemblies[k][1]);
        snprintf(scaled, sizeof scaled, "%s, length=2, mass=3, rigidity=5, input=none, bend=0.1",
                 plain);
        assert_within(frequency(assemblies[k][0], scaled, 1) * c /
                          frequency(assemblies[k][0], plain, 1),
                      1, 1e-9, assemblies[k][1]);
        snprintf(plain, sizeof plain, "assembly=%s, beta_tip=0.3, input=none, bend=0.05",
                 assemblies[k][1]);
        bench_top b;
        double x[2][42], energy[2];
        for (int i = 0; i < 2; i++) {
            gt_report r;
            build(&b, assemblies[k][0], i ? scaled : plain);
            b.problem.t1 = i ? 2 * c : 2;
            gt_plan plan = {.h = b.problem.t1 / 400, .x_end = x[i]};
            assert_int_equal(gt_solve(&b.problem, gt_method_find("bipade8"), &plan, &r), GT_OK);
            b.problem.invariants(0, b.problem.x0, &energy[0], b.problem.ctx);
            b.problem.invariants(b.problem.t1, x[i], &energy[1], b.problem.ctx);
            assert_within(energy[1] / energy[0], 1, 1e-10, assemblies[k][1]);
            gt_arena_free(&b.arena);
        }
        assert_within(x[1][0], x[0][0], 1e-10, "the hub");
        assert_within(x[1][1], L * x[0][1], 1e-10, "the first deflection");
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
        cmocka_unit_test(finite_elements_have_order_4),
        cmocka_unit_test(the_desired_angle_is_a_turn),
        cmocka_unit_test(dimensions_scale_what_they_should),
    };
    return cmocka_run_group_tests_name("arms", tests, NULL, NULL);
}
