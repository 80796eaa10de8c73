/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values of Crow, chapter 5: Example 5.1 and Problems 1, 2, 4, 5, 6, 7, computed independently of
 * this library (closed forms in exact arithmetic, fixed-step runs with Newton to 1e-13).
 * Tolerances: 1e-12 relative for linear problems, 1e-9 for nonlinear fixed-step runs, and for the
 * chaotic Problem 7 1e-9 to t = 5 and 1e-6 at t = 10.
 */
#include "methods_kit.h"

static void run_fixed(const char *model, const char *method, const char *options, double h,
                      double t1, double *x)
{
    bench_top b;
    gt_report report;
    build(&b, model, "");
    b.problem.t1 = t1;
    gt_status status = gt_solve(&b.problem, gt_method_find(method),
                                &(gt_plan){.h = h, .options = options, .x_end = x}, &report);
    if (status) fail_msg("%s with %s: %s", model, method, report.message.text);
    assert_true(report.t == t1);
    gt_arena_free(&b.arena);
}

static void meets(const char *what, double computed, double expected, double relative)
{
    if (!(fabs(computed - expected) <= relative * fmax(1, fabs(expected))))
        fail_msg("%s: %.17g instead of %.17g", what, computed, expected);
}

static void example_5_1(void **state)
{
    (void)state;
    static const struct {
        const char *method;
        double h, t, x1, x2;
    } rows[] = {
        {"euler", 0.1, 1, 0.5707904499, -0.88250801},
        {"beuler", 0.1, 1, 0.51672914815780885, -0.79892298886506484},
        {"trapezoidal", 0.1, 1, 0.54100229460035897, -0.8410211158093157},
        {"rk4", 0.1, 1, 0.54030296711688416, -0.84147047780027439},
        {"euler", 0.1, 10, -1.4088469829160181, 0.84850692875777922},
        {"beuler", 0.1, 10, -0.52086652604010303, 0.31370252530069618},
        {"trapezoidal", 0.1, 10, -0.84356915087578985, 0.53702056542622173},
        {"rk4", 0.1, 10, -0.83907546441306473, 0.54401376624877283},
        {"euler", 0.05, 5, 0.31685843156079048, 1.0877617492297215},
        {"beuler", 0.05, 5, 0.24684659384580445, 0.84741403721048263},
        {"trapezoidal", 0.05, 5, 0.28266352682232249, 0.95921912543712668},
        {"rk4", 0.05, 5, 0.28366193288931436, 0.95892433806577834},
        {"euler", 0.01, 10, -0.88228001820404414, 0.57161819607243456},
        {"beuler", 0.01, 10, -0.79832396500022597, 0.51722411857828793},
        {"trapezoidal", 0.01, 10, -0.83911686057560445, 0.54395118742194286},
        {"rk4", 0.01, 10, -0.83907152952396037, 0.54402111018639063},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double x[2];
        run_fixed("harmonic", rows[i].method, NULL, rows[i].h, rows[i].t, x);
        meets(rows[i].method, x[0], rows[i].x1, 1e-12);
        meets(rows[i].method, x[1], rows[i].x2, 1e-12);
    }
}

/* One step of the Taylor method from 0 is the partial sum of the series 1 + t + t^2 + ..., also
 * outside its radius. */
static void problem_1(void **state)
{
    (void)state;
    static const struct {
        const char *options;
        double at_02, at_12;
    } rows[] = {{"order=1", 1.2, 2.2},
                {"order=2", 1.24, 3.64},
                {"order=3", 1.248, 5.368},
                {"order=4", 1.2496, 7.4416},
                {"order=5", 1.24992, 9.92992},
                {"order=6", 1.249984, 12.915904},
                {"order=8", 1.24999936, 20.79890176},
                {"order=20", 1.2499999999999973, 225.0255995468485}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double x[1];
        run_fixed("crow_p1", "taylor", rows[i].options, 0.2, 0.2, x);
        meets(rows[i].options, x[0], rows[i].at_02, 1e-13);
        run_fixed("crow_p1", "taylor", rows[i].options, 1.2, 1.2, x);
        meets(rows[i].options, x[0], rows[i].at_12, 1e-13);
    }
}

static void problem_2(void **state)
{
    (void)state;
    static const struct {
        const char *method;
        double t, x1, x2;
    } rows[] = {{"beuler", 5, -0.8552294267282083, 25.937768015310223},
                {"beuler", 1, -2.2271823852683754, -0.2873409082745656},
                {"euler", 5, -1.035437626084331, 29.05339250328325},
                {"euler", 1, -2.330078125, -1.109375},
                {"trapezoidal", 5, -1.03532027944136, 26.931845744293362},
                {"trapezoidal", 1, -2.1785484821960015, -0.6773436224221842},
                {"rk4", 5, -1.1338594630202485, 26.917806523031558},
                {"rk4", 1, -2.1614474078615022, -0.6829249054636032}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double x[2];
        run_fixed("crow_p2", rows[i].method, NULL, 0.25, rows[i].t, x);
        meets(rows[i].method, x[0], rows[i].x1, 1e-12);
        meets(rows[i].method, x[1], rows[i].x2, 1e-12);
    }
}

static void problem_4(void **state)
{
    (void)state;
    static const struct {
        const char *method;
        double h, x;
    } rows[] = {{"beuler", 0.02, 0.15098808965744948},      {"euler", 0.02, 0.16102059638323946},
                {"trapezoidal", 0.02, 0.1510051615136615},  {"rk4", 0.02, 0.1509961328011431},
                {"beuler", 0.03, 0.15097922735590533},      {"euler", 0.03, 1.2677139849765065e+28},
                {"trapezoidal", 0.03, 0.15100557276442622}, {"rk4", 0.03, 672890582787.5095}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double x[1];
        run_fixed("crow_p4", rows[i].method, NULL, rows[i].h, 3, x);
        meets(rows[i].method, x[0], rows[i].x,
              1e-12); /* the unstable rows grow round-off no faster than themselves */
    }
}

typedef struct reference_row {
    double t, x[3];
} reference_row;

static void check_trapezoidal(const char *model, size_t n, double h, const reference_row *rows,
                              size_t count, double relative)
{
    for (size_t i = 0; i < count; i++) {
        double x[3];
        run_fixed(model, "trapezoidal", NULL, h, rows[i].t, x);
        for (size_t k = 0; k < n; k++)
            meets(model, x[k], rows[i].x[k], rows[i].t > 5 && n == 3 ? 1e-6 : relative);
    }
}

static void problem_5(void **state)
{
    (void)state;
    static const reference_row rows[] = {{10, {38.656380711085774, 139.29427540110538}},
                                         {20, {11.083866859511863, 124.06889453530475}},
                                         {30, {11.244566778199301, 78.51638208530484}},
                                         {40, {29.79792438820742, 64.21082269149365}},
                                         {50, {49.86323996478309, 117.06085241735137}}};
    check_trapezoidal("predator_prey", 2, 0.1, rows, 5, 1e-9);
}

static void problem_6(void **state)
{
    (void)state;
    static const reference_row rows[] = {{10, {-1.3151348421097895, -0.09261905157332932}},
                                         {20, {0.08527225414156571, 0.4364527203864894}},
                                         {50, {-0.3328604267918498, -0.12925772424091794}},
                                         {100, {0.3919097521259352, -0.035032701748099644}},
                                         {200, {0.34318562232101385, -0.03654110148404618}}};
    check_trapezoidal("duffing", 2, 0.01, rows, 5, 1e-9);
}

static void problem_7(void **state)
{
    (void)state;
    static const reference_row rows[] = {
        {0.5, {0.8791181593371696, 1.5637523694487645, 8.397130253485573}},
        {1, {6.265408940696523, -3.685217585840724, 30.510378595095908}},
        {2, {-5.669725668471641, -10.496929049764166, 10.055397789881585}},
        {5, {-15.461647095663768, -23.317760666928837, 26.386655000774226}},
        {10, {-0.2164108537980175, -0.44199380013733913, 4.414845298190432}}};
    check_trapezoidal("lorenz", 3, 0.005, rows, 5, 1e-9);
    /* Controlled runs against 30-digit Taylor values: chaos costs about e^(0.9 t) of the tolerance.
     */
    bench_top b;
    double x[3];
    gt_report report;
    build(&b, "lorenz", "");
    b.problem.t1 = 5;
    for (int k = 0; k < 2; k++) {
        const char *method = k ? "taylor" : "dopri5", *options = k ? "order=20" : NULL;
        assert_int_equal(
            gt_solve(&b.problem, gt_method_find(method),
                     &(gt_plan){.rtol = 1e-13, .atol = 1e-13, .options = options, .x_end = x},
                     &report),
            GT_OK);
        meets(method, x[0], 9.5153107306950215, 1e-8);
        meets(method, x[1], 17.583424677123847, 1e-8);
        meets(method, x[2], 12.718207216749739, 1e-8);
    }
    gt_arena_free(&b.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(example_5_1), cmocka_unit_test(problem_1), cmocka_unit_test(problem_2),
        cmocka_unit_test(problem_4),   cmocka_unit_test(problem_5), cmocka_unit_test(problem_6),
        cmocka_unit_test(problem_7),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
