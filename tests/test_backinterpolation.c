/* SPDX-License-Identifier: BSD-3-Clause */
/* Backinterpolation methods against the corrected values of xie, found with independent programs.
 */
#include "../papers/xie_program.h"
#include "kit/half_step.h"
#include "methods_kit.h"
#include "xie_matrices.h"

/* ---- the halves ---- */

static void halves_meet_the_order_conditions(void **state)
{
    (void)state;
    static const gt_half_row *const rows[] = {&gt_half_1,      &gt_half_2, &gt_half_3,
                                              &gt_half_4,      &gt_half_5, &gt_half_fehlberg,
                                              &gt_half_hurwitz};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gt_conditions found;
        gt_conditions_of_tableau(&rows[i]->tableau, rows[i]->tableau.b, 6, &found);
        assert_int_equal(found.order, rows[i]->order);
        /* Weights of the comparison, with the slope at the end as one more stage. */
        gt_tableau longer = rows[i]->tableau;
        int last = longer.stages++;
        memcpy(longer.a[last], longer.b, sizeof longer.b);
        longer.c[last] = (gt_ratio){1, 1};
        gt_conditions_of_tableau(&longer, longer.b_hat, 6, &found);
        assert_int_equal(found.order + 1, rows[i]->error_power);
    }
    gt_half half;
    gt_half_open(&half, &gt_half_5);
    assert_int_equal(half.degree, 5); /* Nystrom's six stages have the polynomial T_5 */
    gt_half_open(&half, &gt_half_fehlberg);
    assert_within(half.P[6], 1.0 / 2080, 1e-17, "Fehlberg's polynomial");
}

/* ---- the half made for it ---- */

static void only_the_right_polynomials_are_hurwitz(void **state)
{
    (void)state;
    static const struct {
        gt_ratio c, d;
        int degree;
        bool hurwitz;
    } cases[] = {{{1, 1120}, {1, 8064}, 7, true},  {{1, 1121}, {1, 8165}, 7, true},
                 {{1, 1120}, {1, 7000}, 7, false}, {{1, 720}, {1, 5040}, 7, false},
                 {{1, 2080}, {0, 1}, 6, false},    {{1, 1000}, {0, 1}, 6, false},
                 {{1, 10000}, {0, 1}, 6, false},   {{0, 1}, {0, 1}, 5, false},
                 {{0, 1}, {0, 1}, 4, true},        {{0, 1}, {0, 1}, 3, true}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        gt_ratio p[] = {{1, 1}, {1, 1}, {1, 2}, {1, 6}, {1, 24}, {1, 120}, cases[k].c, cases[k].d};
        bool hurwitz;
        assert_true(gt_is_hurwitz(p, cases[k].degree, &hurwitz));
        assert_int_equal(hurwitz, cases[k].hurwitz);
    }
    gt_ratio long_ones[] = {{1, 1},
                            {1, 1},
                            {1, 2},
                            {1, 6},
                            {1, 24},
                            {1, 120},
                            {892857142857143, 1000000000000000000},
                            {124007936507937, 1000000000000000000}};
    bool hurwitz;
    assert_false(gt_is_hurwitz(long_ones, 7, &hurwitz)); /* no verdict, rather than a wrong one */
}

/* The search leads to the tableau that is in use, whose polynomial is the one that was asked for.
 */
static void the_half_is_found_again(void **state)
{
    (void)state;
    gt_half_task task = {.c = {1, 1120}, .d = {1, 8064}, .seed = 1, .sweeps = 20};
    gt_half_design found;
    gt_half half;
    int good = 0;
    for (int start = 33; start < 37; start++) {
        if (!gt_design_half(&task, start, &found)) continue;
        gt_conditions conditions;
        gt_conditions_of_tableau(&found.tableau, found.tableau.b, 5, &conditions);
        assert_int_equal(conditions.order, 5);
        assert_true(found.residual < 1e-15);
        good++;
    }
    assert_true(good >= 2);
    gt_half_open(&half, &gt_half_hurwitz);
    assert_int_equal(half.degree, 7);
    assert_within(half.P[6], 1.0 / 1120, 1e-17, "coefficient of z^6");
    assert_within(half.P[7], 1.0 / 8064, 1e-17, "coefficient of z^7");
}

/* ---- linear problems ---- */

typedef struct linear {
    size_t n;
    double A[3][3];
} linear;

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    const linear *p = ctx;
    (void)t;
    for (size_t i = 0; i < p->n; i++) {
        dx[i] = 0;
        for (size_t j = 0; j < p->n; j++) dx[i] += p->A[i][j] * x[j];
    }
    return GT_OK;
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    const linear *p = ctx;
    (void)t, (void)x;
    for (size_t j = 0; j < p->n; j++)
        for (size_t i = 0; i < p->n; i++) J->values[j * p->n + i] = p->A[i][j];
    return GT_OK;
}

static void check_matrix(size_t row, linear *p, double h, const double *F, bool declared)
{
    const gt_method *method = gt_method_find(f_matrices[row].method);
    double size = 0;
    for (size_t i = 0; i < p->n * p->n; i++) size = fmax(size, fabs(F[i]));
    for (size_t j = 0; j < p->n; j++) {
        double x0[3] = {j == 0, j == 1, j == 2}, x[3];
        gt_problem problem = {.n_slow = p->n,
                              .rhs = rhs,
                              .jac = jac,
                              .linear = declared,
                              .autonomous = true,
                              .x0 = x0,
                              .t1 = h,
                              .ctx = p};
        gt_report report;
        gt_plan plan = {.h = h, .options = f_matrices[row].options, .x_end = x};
        if (gt_solve(&problem, method, &plan, &report))
            fail_msg("%s: %s", method->name, report.message.text);
        for (size_t i = 0; i < p->n; i++)
            assert_within(x[i], F[i * p->n + j], 1e-12 * size, method->name);
    }
}

/* By partial fractions, and by the halves with Newton's or Broyden's iteration. */
static void steps_are_the_printed_matrices(void **state)
{
    (void)state;
    linear two = {2, {{0, 1}, {-1, -0.4}}},
           three = {3, {{0, 1, 0}, {0, 0, 1}, {-125, -201.25, -102}}};
    for (size_t k = 0; k < sizeof f_matrices / sizeof *f_matrices; k++)
        for (int declared = 0; declared <= 1; declared++) {
            check_matrix(k, &two, 0.7, f_matrices[k].F2, declared);
            if (strcmp(f_matrices[k].method, "birkf"))
                check_matrix(k, &three, 0.05, f_matrices[k].F3, declared);
        }
}

/* A x + g(t): the declared problem and the undeclared one take the same steps, with and without
 * error estimate. */
static void declared_problems_take_the_same_steps(void **state)
{
    (void)state;
    static const char *const methods[][2] = {
        {"bi11", ""}, {"bi22", "alpha=0.3"}, {"bi33", ""},          {"bi", ""},
        {"bi55", ""}, {"bi45", ""},          {"bi44", "alpha=0.4"}, {"bi12", "alpha=0.2"}};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        double x[2][2], err[2][2];
        for (int declared = 0; declared <= 1; declared++) {
            bench_top b;
            build(&b, "crow_p2", "");
            b.problem.linear = declared;
            bind_method(&b, gt_method_find(methods[k][0]), methods[k][1]);
            for (int i = 0; i < 10; i++) assert_int_equal(gt_stepper_step(&b.s, 0.3), GT_OK);
            assert_int_equal(gt_stepper_try(&b.s, 0.3, true), GT_OK);
            memcpy(x[declared], b.s.x_new, sizeof x[0]);
            memcpy(err[declared], b.s.err, sizeof err[0]);
            dismantle(&b);
        }
        for (int i = 0; i < 2; i++) {
            assert_within(x[1][i], x[0][i], 3e-12, methods[k][0]);
            assert_within(err[1][i], err[0][i], 1e-9 * fabs(err[0][i]) + 3e-12, methods[k][0]);
        }
    }
}

/* ---- implicit methods and a wrong Jacobian ---- */

static gt_status wrong_jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    gt_status status = jac(t, x, J, ctx);
    for (int i = 0; i < 4; i++) J->values[i] *= 1.3;
    return status;
}

/* Newton goes on while a Jacobian that is off still makes the corrections shrink. */
static void a_wrong_jacobian_is_no_rounding(void **state)
{
    (void)state;
    linear two = {2, {{0, 1}, {-100, -0.4}}};
    double x0[] = {1, 0}, x[2][2];
    for (int wrong = 0; wrong <= 1; wrong++) {
        gt_problem problem = {.n_slow = 2,
                              .rhs = rhs,
                              .jac = wrong ? wrong_jac : jac,
                              .linear = true,
                              .autonomous = true,
                              .x0 = x0,
                              .t1 = 5,
                              .ctx = &two};
        gt_report report;
        gt_plan plan = {.h = 0.05, .x_end = x[wrong]};
        assert_int_equal(gt_solve(&problem, gt_method_find("trapezoidal"), &plan, &report), GT_OK);
    }
    for (int i = 0; i < 2; i++) assert_within(x[1][i], x[0][i], 1e-6, "with a wrong Jacobian");
}

/* Half of the right Jacobian in a component that is small beside another: it was taken for solved
 * when its correction was small beside the other component. */
static gt_status half_jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    (void)t, (void)x, (void)ctx;
    *gt_matrix_at(J, 1, 1) = -50;
    return GT_OK;
}

static void a_wrong_jacobian_of_a_small_component_is_no_rounding(void **state)
{
    (void)state;
    linear two = {2, {{0, 0}, {0, -100}}};
    double x0[] = {1e6, 1}, x[2];
    gt_problem problem = {.n_slow = 2,
                          .rhs = rhs,
                          .jac = half_jac,
                          .linear = true,
                          .autonomous = true,
                          .x0 = x0,
                          .t1 = 0.25,
                          .ctx = &two};
    gt_report report;
    gt_status status =
        gt_solve(&problem, gt_method_find("beuler"), &(gt_plan){.h = 0.05, .x_end = x}, &report);
    if (status == GT_OK) assert_within(x[1], pow(6, -5), 1e-8, "beuler with half of the Jacobian");
}

/* ---- stability ---- */

static void crossings_are_where_they_should_be(void **state)
{
    (void)state;
    gt_amplifier a;
    gt_stability facts;
    gt_line line;
    assert_int_equal(gt_amplifier_open(&a, gt_method_find("bi45"), "alpha=0.4", NULL), GT_OK);
    gt_stability_line(&a, 0, 1, &line);
    assert_within(line.at[line.cuts - 1], 10.0572722776, 1e-10, "bi45 on the positive real axis");
    gt_damping damping = gt_damping_at(&a, 45, 2);
    assert_within(damping.damping, 1.41684629411, 1e-11, "damping");
    assert_within(damping.frequency, 1.41989872948, 1e-11, "frequency");
    static const struct {
        const char *method, *options;
        bool a_stable;
        double sector;
        int gaps;
        double low, high;
    } cases[] = {{"bi11", "alpha=0", true, 90, 0, 0, 0},
                 {"bi22", "alpha=0.3", true, 90, 0, 0, 0},
                 {"bi22", "alpha=0.51", false, 0, 1, 0, INFINITY},
                 {"bi33", "alpha=0.5", true, 90, 0, 0, 0},
                 {"bi33", "alpha=0.4", false, 89.198281, 1, NAN, NAN},
                 {"bi44", "alpha=0.49", false, 89.34137, 1, NAN, NAN},
                 {"bi45", "alpha=0.436220022", false, NAN, 0, 0, 0},
                 {"bi45", "alpha=0.43622", false, NAN, 1, NAN, NAN},
                 {"bi45", "alpha=0.4486146", false, NAN, 0, 0, 0},
                 {"bi45", "alpha=0.44862", false, NAN, 1, NAN, NAN},
                 {"bi45", "alpha=0.47", false, 81.49129, 1, 5.5331270853, 7.5380569250},
                 {"birkf", "alpha=0.47", false, 79.62899, 1, 3.4782369540, 6.4863480649},
                 {"bi55", "alpha=0.5", false, 77.71184, 0, 0, 0},
                 {"birkf", "alpha=0.5", false, 77.85856, 0, 0, 0},
                 {"bi12", "alpha=0", true, 90, 0, 0, 0},
                 {"bi77h", "", true, 90, 0, 0, 0},
                 {"bi34", "alpha=0.4", false, 86.404955, 1, NAN, NAN}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_int_equal(
            gt_amplifier_open(&a, gt_method_find(cases[k].method), cases[k].options, NULL), GT_OK);
        assert_int_equal(gt_stability_facts(&a, &facts), GT_OK);
        if (facts.a_stable != cases[k].a_stable || facts.n_gaps != cases[k].gaps)
            fail_msg("%s %s: A-stable %d, %d gaps", cases[k].method, cases[k].options,
                     facts.a_stable, facts.n_gaps);
        if (!isnan(cases[k].sector))
            assert_within(facts.sector_deg, cases[k].sector, 2e-5, cases[k].method);
        if (cases[k].gaps && isfinite(cases[k].high)) {
            assert_within(facts.gaps[0][0], cases[k].low, 1e-9, cases[k].method);
            assert_within(facts.gaps[0][1], cases[k].high, 1e-9, cases[k].method);
        }
    }
}

/* |R| = 1 on the axis, but poles beside it: xie has these methods F-stable. */
static void lightly_damped_modes_grow_in_a_band(void **state)
{
    (void)state;
    static const struct {
        const char *method, *options;
        int bands;
        double low, high;
    } cases[] = {{"bi33", "", 0, 0, 0},
                 {"bi44", "", 0, 0, 0},
                 {"bi55", "", 1, 5.2102626062809, 7.7912810589034},
                 {"birkf", "alpha=0.5", 1, 5.6041986404719, 8.2156466398455},
                 {"bi77h", "", 0, 0, 0},
                 {"bipade8", "", 0, 0, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        gt_amplifier a;
        gt_stability facts;
        assert_int_equal(
            gt_amplifier_open(&a, gt_method_find(cases[k].method), cases[k].options, NULL), GT_OK);
        assert_int_equal(gt_stability_facts(&a, &facts), GT_OK);
        if (facts.n_light != cases[k].bands)
            fail_msg("%s: %d bands", cases[k].method, facts.n_light);
        if (!cases[k].bands) continue;
        assert_within(facts.light[0][0], cases[k].low, 1e-11, cases[k].method);
        assert_within(facts.light[0][1], cases[k].high, 1e-11, cases[k].method);
        double middle = (cases[k].low + cases[k].high) / 2;
        assert_true(gt_amplifier_largest(&a, -1e-3 + middle * I) > 1);
        assert_true(gt_amplifier_largest(&a, -1e-3 + (cases[k].low - 0.1) * I) < 1);
    }
}

/* ---- the thesis' algorithm ---- */

typedef struct watch {
    gt_sink sink;
    long points;
    double worst[2], before[2]; /* errors so far, and without the last point */
} watch;

static gt_status look(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    watch *w = (watch *)self;
    (void)message;
    memcpy(w->before, w->worst, sizeof w->before);
    w->worst[0] = fmax(w->worst[0], fabs(sample->x[0] - 2 * sin(2 * sample->t)));
    w->worst[1] = fmax(w->worst[1], fabs(sample->x[1] - cos(sample->t)));
    w->points++;
    return GT_OK;
}

/* The program stops at the last point before the end, and counts the start. */
static void the_c_program_is_met_step_by_step(void **state)
{
    (void)state;
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 17; j++) {
            bench_top b;
            gt_report report;
            char options[64];
            watch w = {.sink = {.wants = GT_AT_STEP, .write = look}};
            gt_sink *sinks[] = {&w.sink};
            build(&b, "marginal4", "");
            snprintf(options, sizeof options, "alpha=%.3f, rule=program", 0.1 + 0.025 * j);
            gt_plan plan = {
                .rtol = pow(10, -(i + 2)), .options = options, .sinks = sinks, .n_sinks = 1};
            assert_int_equal(gt_solve(&b.problem, gt_method_find("birkf"), &plan, &report), GT_OK);
            assert_int_equal(w.points - 1, program_output[i][j].steps);
            assert_within(w.before[0], program_output[i][j].error1,
                          1e-4 * program_output[i][j].error1 + 1e-14, "error of x1");
            assert_within(w.before[1], program_output[i][j].error2,
                          1e-4 * program_output[i][j].error2 + 1e-14, "error of x2");
            gt_arena_free(&b.arena);
        }
}

static void steps_of_the_rules_are_the_printed_ones(void **state)
{
    (void)state;
    static const struct {
        const char *model, *params, *method, *options;
        long points;
    } cases[] = {
        {"marginal4", "", "birkf", "alpha=0.4, rule=315", 62},
        {"marginal4", "", "birkf", "alpha=0.4, rule=316", 100},
        {"marginal4", "", "birkf", "alpha=0.5, rule=315", 48},
        {"marginal4", "", "rkf45", "", 103},
        {"arm_eb", "form=plain, assembly=thesis, input=pulse", "rkf45", "", 358},
        {"arm_eb", "form=plain, assembly=thesis, input=step", "rkf45", "", 338},
        {"arm_eb", "form=plain, assembly=thesis, input=ramp", "rkf45", "", 125},
        {"arm_timoshenko", "n=20, form=plain, assembly=thesis, input=step", "rkf45", "", 313}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bench_top b;
        gt_report report;
        gt_control control;
        build(&b, cases[k].model, cases[k].params);
        b.problem.n_breaks = 0; /* its programs step over the end of the pulse */
        gt_plan plan = {.rtol = 1e-6, .options = cases[k].options};
        if (!strcmp(cases[k].method, "rkf45")) {
            assert_int_equal(gt_control_parse("ode45", &control, NULL), GT_OK);
            plan.control = control;
        }
        assert_int_equal(gt_solve(&b.problem, gt_method_find(cases[k].method), &plan, &report),
                         GT_OK);
        if (report.stats.steps + 1 != cases[k].points)
            fail_msg("%s on %s %s: %ld points, not %ld", cases[k].method, cases[k].model,
                     cases[k].params, report.stats.steps + 1, cases[k].points);
        gt_arena_free(&b.arena);
    }
}

static void lotka_volterra_at_20(void **state)
{
    (void)state;
    bench_top b;
    gt_report report;
    double x[2];
    build(&b, "lotka_volterra", "");
    gt_plan plan = {.h = 0.0025, .options = "newton_tol=1e-14", .x_end = x};
    assert_int_equal(gt_solve(&b.problem, gt_method_find("bi55"), &plan, &report), GT_OK);
    assert_within(x[0], 0.028514283572330409, 1e-12, "predators");
    assert_within(x[1], 0.060633847244838409, 1e-12, "prey");
    gt_arena_free(&b.arena);
}

/* ---- the error estimate ---- */

/* Largest and smallest ratio of the estimate to the true local error along the orbit. */
static void ratios(const char *method, const char *options, const char *model, double h,
                   double *low, double *high)
{
    bench_top b;
    double truth[4];
    build(&b, model, "");
    bind_method(&b, gt_method_find(method), options);
    *low = INFINITY, *high = 0;
    for (int k = 0; k < 40; k++) {
        gt_report report;
        assert_int_equal(gt_stepper_try(&b.s, h, true), GT_OK);
        gt_problem piece = b.problem;
        double start[4], error = 0, estimate = 0;
        memcpy(start, b.s.x, b.s.n * sizeof *start);
        piece.t0 = b.s.t, piece.t1 = b.s.t + h, piece.x0 = start;
        gt_plan plan = {.rtol = 1e-13, .atol = 1e-15, .x_end = truth};
        assert_int_equal(gt_solve(&piece, gt_method_find("dopri5"), &plan, &report), GT_OK);
        for (size_t i = 0; i < b.s.n; i++) {
            error = fmax(error, fabs(b.s.x_new[i] - truth[i]) / (1 + fabs(truth[i])));
            estimate = fmax(estimate, fabs(b.s.err[i]) / (1 + fabs(truth[i])));
        }
        *low = fmin(*low, estimate / error);
        *high = fmax(*high, estimate / error);
        gt_stepper_accept(&b.s);
    }
    dismantle(&b);
}

static void estimates_are_honest(void **state)
{
    (void)state;
    static const struct {
        const char *method, *options, *model;
        double h, low, high;
    } cases[] = {{"bi", "", "lotka_volterra", 0.1, 0.2, 10},
                 {"bi", "", "marginal4", 0.2, 0.7, 1.5},
                 {"bi22", "", "lotka_volterra", 0.05, 0.2, 10},
                 {"bi22", "alpha=0.3", "marginal4", 0.05, 0.8, 1.2},
                 {"bi11", "", "lotka_volterra", 0.02, 0.2, 10},
                 {"bi11", "", "marginal4", 0.05, 1, 1e9},
                 {"bi33", "", "lotka_volterra", 0.2, 1, 1e9},
                 {"bi33", "estimate=difference", "lotka_volterra", 0.2, 0.2, 1e9},
                 {"bi55", "", "lotka_volterra", 0.2, 1, 1e9}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double low, high;
        ratios(cases[k].method, cases[k].options, cases[k].model, cases[k].h, &low, &high);
        if (getenv("SHOW"))
            print_message("%s %s on %s, h = %g: %.3g .. %.3g\n", cases[k].method, cases[k].options,
                          cases[k].model, cases[k].h, low, high);
        if (!(low >= cases[k].low && high <= cases[k].high))
            fail_msg("%s %s on %s: estimate / error from %g to %g", cases[k].method,
                     cases[k].options, cases[k].model, low, high);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halves_meet_the_order_conditions),
        cmocka_unit_test(only_the_right_polynomials_are_hurwitz),
        cmocka_unit_test(the_half_is_found_again),
        cmocka_unit_test(lightly_damped_modes_grow_in_a_band),
        cmocka_unit_test(steps_are_the_printed_matrices),
        cmocka_unit_test(declared_problems_take_the_same_steps),
        cmocka_unit_test(a_wrong_jacobian_is_no_rounding),
        cmocka_unit_test(a_wrong_jacobian_of_a_small_component_is_no_rounding),
        cmocka_unit_test(crossings_are_where_they_should_be),
        cmocka_unit_test(the_c_program_is_met_step_by_step),
        cmocka_unit_test(steps_of_the_rules_are_the_printed_ones),
        cmocka_unit_test(lotka_volterra_at_20),
        cmocka_unit_test(estimates_are_honest),
    };
    return cmocka_run_group_tests_name("backinterpolation", tests, NULL, NULL);
}
