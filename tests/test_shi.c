/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers of Shi and Rojas, found again: Table I (from [1, 0, 0], since the printed start cannot
 * give it), conditions (14) and (17), the gap in the spectrum, what the small steps do (VI), and
 * the projective Runge-Kutta methods. Expected values come from independent programs in higher
 * precision.
 */
#include "methods_kit.h"

static void run_adaptive(double eps, const double *x0, double t1, const char *method,
                         const char *options, double h, double x[3], gt_report *report)
{
    bench_top b;
    char params[40];
    snprintf(params, sizeof params, "eps=%.17g", eps);
    build(&b, "adaptive", params);
    b.problem.t1 = t1;
    if (x0) b.problem.x0 = x0;
    gt_plan plan = {.h = h, .options = options, .x_end = x};
    if (gt_solve(&b.problem, gt_method_find(method), &plan, report))
        fail_msg("%s: %s", method, report->message.text);
    gt_arena_free(&b.arena);
}

static void assert_close(const double *x, const double *wanted, double relative, const char *what)
{
    for (int i = 0; i < 3; i++)
        if (!(fabs(x[i] - wanted[i]) <= relative * fabs(wanted[i])))
            fail_msg("%s, component %d: %.15g instead of %.15g", what, i, x[i], wanted[i]);
}

typedef struct column {
    double h;
    int N;
    long evaluations;
    double end[3], mse; /* mean over time of e_y^2 + e_z^2, straight between points */
} column;

static const column table1[] = {
    {0.2,
     70,
     1775,
     {0.00020309442204578685, 0.4833023540618057, -9.815615916764007e-05},
     8.26385645612453e-4},
    {0.2,
     140,
     3525,
     {0.00020315004687931643, 0.48329093539421475, -9.818072324390865e-05},
     8.294027388136103e-4},
    {0.2,
     1120,
     28025,
     {0.00020392965079918922, 0.48313119912644026, -9.852492430171447e-05},
     8.259245712161172e-4},
    {0.1,
     140,
     7050,
     {0.0005017860859972078, 0.44600042952836616, -0.00022379713625140228},
     1.9654628468109938e-4},
    {0.1,
     1120,
     56050,
     {0.0005025248625439621, 0.44593279458363566, -0.00022409264321804757},
     1.9614031267219069e-4},
    {0.01,
     1120,
     560500,
     {0.0009362389426813143, 0.41715947598024816, -0.00039056150029176645},
     1.8944693242276974e-6},
};
enum { COLUMNS = sizeof table1 / sizeof *table1 };

static void table_one(void **state)
{
    (void)state;
    for (int c = 0; c < COLUMNS; c++) {
        char options[40];
        double x[3];
        gt_report r;
        snprintf(options, sizeof options, "eps=1e-6, inner=%d", table1[c].N);
        run_adaptive(1e-6, NULL, 5, "smfe", options, table1[c].h, x, &r);
        assert_int_equal(r.stats.rhs, table1[c].evaluations);
        assert_close(x, table1[c].end, 1e-10, options);
    }
}

/* Squared error against the reduced model (23), which differs from the full one by O(eps) = 1e-6.
 */
static double squared_error(double t, const double *x)
{
    double r = sqrt(2), angle = r * t + atanh(1 / r), y = r / cosh(angle), k = r * tanh(angle) - 1;
    return (x[0] - y) * (x[0] - y) + (x[2] + k * y) * (x[2] + k * y);
}

static void mean_squared_errors_of_table_one(void **state)
{
    (void)state;
    for (int c = 0; c < COLUMNS; c++) {
        enum { PARTS = 40 };
        bench_top b;
        char options[40];
        double sum = 0, x[3], small = 1e-6 * table1[c].N, h = table1[c].h;
        snprintf(options, sizeof options, "eps=1e-6, inner=%d", table1[c].N);
        build(&b, "adaptive", "");
        bind_method(&b, gt_method_find("smfe"), options);
        for (int n = 0; n < (int)round(5 / h); n++) {
            assert_int_equal(gt_stepper_try(&b.s, h, false), GT_OK);
            for (int i = 0; i <= PARTS;
                 i++) { /* Simpson's rule from the end of the small steps on */
                double theta = small + (1 - small) * i / PARTS;
                double weight = i == 0 || i == PARTS ? 1 : i % 2 ? 4 : 2;
                assert_int_equal(gt_stepper_interpolate(&b.s, theta, x), GT_OK);
                sum += h * (1 - small) * weight / (3 * PARTS) * squared_error(b.s.t + theta * h, x);
            }
            gt_stepper_accept(&b.s);
        }
        if (fabs(sum / 5 - table1[c].mse) > 5e-3 * table1[c].mse)
            fail_msg("%s, h = %g: mean squared error %g instead of %g", options, h, sum / 5,
                     table1[c].mse);
        dismantle(&b);
    }
}

static void fewest_small_steps(void **state)
{
    (void)state;
    static const struct {
        double h, eps;
        long N;
        double bound;
    } rows[] = {{0.2, 1e-3, 24, 23.743986},    {0.2, 1e-4, 35, 34.062837},
                {0.2, 1e-5, 45, 44.381688},    {0.2, 1e-6, 55, 54.700540},
                {0.2, 1e-7, 66, 65.019391},    {0.2, 1e-8, 76, 75.338242},
                {0.2, 1e-9, 86, 85.657093},    {0.1, 1e-3, 44, 43.708691},
                {0.1, 1e-6, 110, 109.271727},  {0.1, 1e-9, 175, 174.834763},
                {0.01, 1e-3, 195, 229.105288}, {0.01, 1e-4, 453, 458.210577},
                {0.01, 1e-6, 917, 916.421153}, {0.01, 1e-9, 1604, 1603.737018}};
    long N;
    double bound;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        assert_int_equal(gt_least_inner(rows[k].eps, -rows[k].h / rows[k].eps, &N, &bound, NULL),
                         GT_OK);
        assert_int_equal(N, rows[k].N);
        assert_true(fabs(bound - rows[k].bound) < 1e-5 * rows[k].bound);
    }
    /* lambda = (-1 + b i)/eps at half the largest h, 1/(1 + b^2) */
    static const struct {
        double b;
        long N;
    } complex_rows[] = {{0, 1}, {1, 39}, {3, 241}, {10, 2313}, {30, 18722}};
    for (size_t k = 0; k < 5; k++) {
        double b = complex_rows[k].b;
        assert_int_equal(gt_least_inner(1e-6, (-1 + b * I) / (1 + b * b) * 1e6, &N, &bound, NULL),
                         GT_OK);
        assert_int_equal(N, complex_rows[k].N);
    }
    gt_message message = {""};
    assert_int_equal(gt_least_inner(1e-6, 1e5 * I, &N, &bound, &message), GT_UNSUPPORTED);
    assert_non_null(strstr(message.text, "no number of small steps"));
}

static void gap_in_the_spectrum(void **state)
{
    (void)state;
    static const struct {
        const char *options;
        double h, from, to, largest;
    } rows[] = {{"eps=1e-6, inner=70", 0.2, 10.0018, 785561, 5217.456},
                {"eps=1e-6, inner=140", 0.1, 20.0064, 772399, 2617.629},
                {"eps=1e-6, inner=1120", 0.01, 200.4496, 798963, 327.5817}};
    for (size_t k = 0; k < 3; k++) {
        gt_amplifier a;
        assert_int_equal(gt_amplifier_open(&a, gt_method_find("smfe"), rows[k].options, NULL),
                         GT_OK);
        gt_gap gap = gt_spectral_gap(&a);
        /* the expected ends come from a scan with steps of 1e-4 */
        assert_true(fabs(gap.from / rows[k].h - rows[k].from) < 1e-4 * rows[k].from);
        assert_true(fabs(gap.to / rows[k].h - rows[k].to) < 1e-4 * rows[k].to);
        assert_true(fabs(gap.largest - rows[k].largest) < 1e-3 * rows[k].largest);
        const double ends[] = {gap.from, gap.to, gap.edge};
        for (int i = 0; i < 3; i++)
            assert_true(fabs(gt_amplifier_largest(&a, -ends[i]) - 1) < 1e-8);
        gt_amplifier_close(&a);
    }
    gt_amplifier euler;
    assert_int_equal(gt_amplifier_open(&euler, gt_method_find("euler"), NULL, NULL), GT_OK);
    assert_true(gt_spectral_gap(&euler).to == 0);
    gt_amplifier_close(&euler);
}

/* (14) decides on the nonlinear problem too: one small step less than the fewest and z grows. */
static void too_few_small_steps_diverge(void **state)
{
    (void)state;
    double x[3];
    gt_report r;
    run_adaptive(1e-6, NULL, 5, "smfe", "eps=1e-6, inner=53", 0.2, x, &r);
    assert_true(fabs(x[2] + 247.76565447616426) < 1e-6);
    run_adaptive(1e-6, NULL, 5, "smfe", "eps=1e-6, inner=56", 0.2, x, &r);
    assert_true(fabs(x[2] + 0.00011773731274598794) < 1e-12);
}

/* Small steps of the size of the fast time constant, one or two of them, do nearly what 70 or 1120
 * do. */
static void small_steps_need_not_be_tied_to_h(void **state)
{
    (void)state;
    static const struct {
        const char *options;
        double h;
        long evaluations;
        double end[3];
    } rows[] = {{"eps=5e-6, inner=1",
                 0.2,
                 50,
                 {0.0002030427777142969, 0.48331295817853404, -9.813335220834924e-05}},
                {"eps=5e-6, inner=2",
                 0.2,
                 75,
                 {0.00020304675009899672, 0.48331214244215587, -9.813510679912359e-05}},
                {"eps=1e-4, inner=1",
                 0.01,
                 1000,
                 {0.0009361214253911907, 0.4171655451886254, -0.000390518158335588}}};
    for (size_t k = 0; k < 3; k++) {
        double x[3];
        gt_report r;
        run_adaptive(1e-6, NULL, 5, "smfe", rows[k].options, rows[k].h, x, &r);
        assert_int_equal(r.stats.rhs, rows[k].evaluations);
        assert_close(x, rows[k].end, 1e-9, rows[k].options);
    }
}

/* VI: the large step leaves the manifold z = -k y by O(h^2), the small ones come back to O(eps),
 * (19), and the slow part is that of forward Euler on the reduced model. */
static void small_steps_lead_to_the_manifold(void **state)
{
    (void)state;
    static const struct {
        double h;
        int N;
        double apart, after_large, after_small; /* largest |y - y_reduced|, |z + k y| */
    } rows[] = {{0.2, 70, 7.734643247270245e-06, 0.03999296742605435, 9.999476361799216e-07},
                {0.1, 140, 7.271555467425195e-06, 0.00999626100902748, 9.999475081275406e-07},
                {0.01, 1120, 5.509533295755542e-06, 9.868459686139183e-05, 9.999462657815742e-07}};
    for (size_t k = 0; k < 3; k++) {
        bench_top full, reduced;
        char options[40];
        double x[3], apart = 0, after_large = 0, after_small = 0;
        snprintf(options, sizeof options, "eps=1e-6, inner=%d", rows[k].N);
        build(&full, "adaptive", "");
        build(&reduced, "adaptive_reduced", "");
        bind_method(&full, gt_method_find("smfe"), options);
        bind_method(&reduced, gt_method_find("euler"), NULL);
        for (int n = 0; n < (int)round(5 / rows[k].h); n++) {
            assert_int_equal(gt_stepper_try(&full.s, rows[k].h, false), GT_OK);
            assert_int_equal(gt_stepper_interpolate(&full.s, 1e-6 * rows[k].N, x), GT_OK);
            after_small = fmax(after_small, fabs(x[2] + x[0] * x[1]));
            gt_stepper_accept(&full.s);
            assert_int_equal(gt_stepper_step(&reduced.s, rows[k].h), GT_OK);
            after_large = fmax(after_large, fabs(full.s.x[2] + full.s.x[0] * full.s.x[1]));
            apart = fmax(apart, fabs(full.s.x[0] - reduced.s.x[0]));
        }
        assert_true(fabs(apart - rows[k].apart) < 0.01 * rows[k].apart);
        assert_true(fabs(after_large - rows[k].after_large) < 1e-6 * rows[k].after_large);
        assert_true(fabs(after_small - rows[k].after_small) < 1e-3 * rows[k].after_small);
        dismantle(&full);
        dismantle(&reduced);
    }
}

static void projective_runge_kutta(void **state)
{
    (void)state;
    static const double x0[] = {1, 0, 1};
    static const struct {
        const char *method, *options;
        double eps;
        double ends[3][3]; /* at t = 1 with 5, 20, 80 steps */
    } rows[] = {
        {"smrk4",
         "inner=2, eps=1e-4",
         1e-4,
         {{0.2819843758977617, 0.3859205168590157, -0.1088390776134198},
          {0.281982142772427, 0.385898953692961, -0.10882930163925852},
          {0.281982433339745, 0.38589793063825284, -0.10882923948082522}}},
        {"smrk4",
         "inner=2, eps=1e-6",
         1e-6,
         {{0.2819742546629598, 0.3858361881318492, -0.10879929473580324},
          {0.28196967524018357, 0.38581947225027324, -0.10878952028938861},
          {0.2819696673596698, 0.3858193849199782, -0.10878949158456164}}},
        {"smrk2",
         "inner=2, eps=1e-6",
         1e-6,
         {{0.28458452668632084, 0.38650006902015516, -0.11007856967947414},
          {0.2821116662335192, 0.3858083663320088, -0.10884137803900122},
          {0.28197830499588544, 0.3858179047452587, -0.10879240751147767}}},
        {"smrk2",
         "inner=2, eps=1e-6, base=midpoint",
         1e-6,
         {{0.28368630515110854, 0.378842831613527, -0.10703139976061213},
          {0.28209569583705174, 0.3853767834168661, -0.1087086659973543},
          {0.2819777787970725, 0.3857917660081368, -0.10878476876796894}}},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (int i = 0, steps = 5; i < 3; i++, steps *= 4) {
            double x[3];
            gt_report r;
            run_adaptive(rows[k].eps, x0, 1, rows[k].method, rows[k].options, 1.0 / steps, x, &r);
            assert_int_equal(r.stats.rhs, steps * (strcmp(rows[k].method, "smrk4") ? 6 : 12));
            assert_close(x, rows[k].ends[i], 2e-10, rows[k].method);
        }
}

/* Far below the error, the size of the small steps does not show: the order on the stiff problem
 * itself. */
static void projective_orders(void **state)
{
    (void)state;
    static const double x0[] = {1, 0, 1},
                        end[] = {0.281969534774, 0.385818596978}; /* by gear at 1e-13 */
    static const struct {
        const char *method;
        double order;
    } rows[] = {{"smrk2", 2}, {"smrk4", 4}};
    for (int k = 0; k < 2; k++) {
        double h[5], error[5];
        for (int i = 0, steps = 5; i < 5; i++, steps *= 2) {
            double x[3];
            gt_report r;
            h[i] = 1.0 / steps;
            run_adaptive(1e-9, x0, 1, rows[k].method, "eps=1e-9", h[i], x, &r);
            error[i] = fmax(fabs(x[0] - end[0]), fabs(x[1] - end[1]));
        }
        double slope = slope_of(h, error, 5, 1e-13);
        if (!(fabs(slope - rows[k].order) < 0.2))
            fail_msg("%s: measured %.2f", rows[k].method, slope);
    }
}

/* s' = -s + (s + 1) c, c' = (s - (s + 1.5) c) / 1e-6: the fast eigenvalue moves away from the one
 * at the start. */
static gt_status enzyme(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = -x[0] + (x[0] + 1) * x[1];
    dx[1] = (x[0] - (x[0] + 1.5) * x[1]) * 1e6;
    return GT_OK;
}

/* The advice was a smaller h, with which it diverges all the same. */
static void divergence_names_condition_14(void **state)
{
    (void)state;
    static const char *const methods[] = {"smrk2", "smrk4"};
    for (size_t m = 0; m < 2; m++) {
        double x0[2] = {1, 0}, x[2], right[2];
        gt_problem p = {.n_slow = 2, .rhs = enzyme, .x0 = x0, .t1 = 20};
        gt_report report;
        assert_int_equal(gt_solve(&p, gt_method_find(methods[m]),
                                  &(gt_plan){.h = 0.02, .options = "inner=2, eps=4e-7"}, &report),
                         GT_NOT_FINITE);
        const char *text = report.message.text, *advice = strstr(text, "--opt inner=");
        if (!strstr(text, "condition (14)") || !strstr(text, "N = 3") || !advice ||
            strstr(text, "try a smaller h"))
            fail_msg("%s says: %s", methods[m], text);
        char options[32];
        snprintf(options, sizeof options, "inner=%ld",
                 strtol(advice + strlen("--opt inner="), NULL, 10));
        gt_plan again = {.h = 0.02, .options = options, .x_end = x};
        assert_int_equal(gt_solve(&p, gt_method_find(methods[m]), &again, &report), GT_OK);
        assert_int_equal(
            gt_solve(&p, gt_method_find("gear"), &(gt_plan){.rtol = 1e-8, .x_end = right}, &report),
            GT_OK);
        assert_within(x[0], right[0], 1e-6, methods[m]);
    }
}

/* By default they take as many small steps as the condition asks for, again where the fast rate has
 * changed: the fast rate of the enzyme falls from 2.5e6 to 1.5e6. */
static void small_steps_are_as_many_as_condition_14_asks(void **state)
{
    (void)state;
    static const char *const methods[] = {"smrk2", "smrk4"};
    for (size_t m = 0; m < 2; m++) {
        double x0[2] = {1, 0}, x[2], right[2];
        gt_problem p = {.n_slow = 2, .rhs = enzyme, .x0 = x0, .t1 = 20};
        gt_report report, many;
        gt_status status =
            gt_solve(&p, gt_method_find(methods[m]), &(gt_plan){.h = 0.02, .x_end = x}, &report);
        if (status) fail_msg("%s: %s", methods[m], report.message.text);
        assert_int_equal(
            gt_solve(&p, gt_method_find("gear"), &(gt_plan){.rtol = 1e-8, .x_end = right}, NULL),
            GT_OK);
        assert_within(x[0], right[0], 1e-6, methods[m]);
        gt_plan fixed = {.h = 0.02, .options = "inner=13"}; /* as the message of inner=2 advises */
        assert_int_equal(gt_solve(&p, gt_method_find(methods[m]), &fixed, &many), GT_OK);
        assert_true(2 * report.stats.rhs < many.stats.rhs);
        /* Where nothing is fast for the step there are none. */
        gt_plan short_steps = {.h = 1e-7};
        p.t1 = 1e-4;
        assert_int_equal(gt_solve(&p, gt_method_find(methods[m]), &short_steps, &report), GT_OK);
        assert_true(report.stats.rhs < 1000 * (m ? 4 : 2) + 300);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_one),
        cmocka_unit_test(mean_squared_errors_of_table_one),
        cmocka_unit_test(fewest_small_steps),
        cmocka_unit_test(gap_in_the_spectrum),
        cmocka_unit_test(too_few_small_steps_diverge),
        cmocka_unit_test(small_steps_need_not_be_tied_to_h),
        cmocka_unit_test(small_steps_lead_to_the_manifold),
        cmocka_unit_test(projective_runge_kutta),
        cmocka_unit_test(projective_orders),
        cmocka_unit_test(divergence_names_condition_14),
        cmocka_unit_test(small_steps_are_as_many_as_condition_14_asks),
    };
    return cmocka_run_group_tests_name("shi", tests, NULL, NULL);
}
