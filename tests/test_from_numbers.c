/* SPDX-License-Identifier: BSD-3-Clause */
/* Methods made at run time from a formula or a tableau do what the listed ones with the same
 * numbers do. */
#include "kit/half_step.h"
#include "kit/multistep_formulas.h"
#include "methods_kit.h"

static const gt_method *from_formula(const gt_multistep *formula, gt_arena *arena)
{
    const gt_method *m = NULL;
    gt_message message = {""};
    if (gt_method_from_multistep(&(gt_method_label){.name = "made"}, formula, arena, &m, &message))
        fail_msg("%s", message.text);
    return m;
}

static const gt_method *from_tableau(const gt_tableau *tableau, gt_arena *arena)
{
    const gt_method *m = NULL;
    gt_message message = {""};
    if (gt_method_from_tableau(&(gt_method_label){.name = "made"}, tableau, arena, &m, &message))
        fail_msg("%s", message.text);
    return m;
}

/* The half of bi77h by itself makes bi77h, to the last bit. */
static void a_half_makes_its_method(void **state)
{
    (void)state;
    gt_arena arena = gt_arena_growing();
    const gt_method *made = NULL, *known = gt_method_find("bi77h");
    gt_message message = {""};
    static const char *const models[] = {"lotka_volterra", "marginal4"};
    assert_int_equal(gt_method_from_half(&(gt_method_label){.name = "made", .order = 6},
                                         &gt_half_hurwitz.tableau, &arena, &made, &message),
                     GT_OK);
    for (size_t k = 0; k < 2; k++)
        for (int controlled = 0; controlled < 2; controlled++) {
            bench_top b;
            double x[2][4];
            build(&b, models[k], "");
            for (int i = 0; i < 2; i++) {
                gt_report report;
                gt_plan plan = {
                    .h = controlled ? 0 : 0.03, .rtol = controlled ? 1e-6 : 0, .x_end = x[i]};
                assert_int_equal(gt_solve(&b.problem, i ? known : made, &plan, &report), GT_OK);
            }
            assert_memory_equal(x[0], x[1], gt_problem_size(&b.problem) * sizeof(double));
            gt_arena_free(&b.arena);
        }
    gt_tableau longer = gt_half_hurwitz.tableau;
    longer.stages = 8;
    assert_int_equal(
        gt_method_from_half(&(gt_method_label){.name = "made"}, &longer, &arena, &made, &message),
        GT_BAD_ARGUMENT);
    assert_non_null(strstr(message.text, "8"));
    assert_int_equal(gt_method_from_half(&(gt_method_label){.name = "made", .order = 7},
                                         &gt_half_hurwitz.tableau, &arena, &made, &message),
                     GT_BAD_ARGUMENT);
    gt_arena_free(&arena);
}

/* Ends of runs at a fixed step that does not fit the interval, and at controlled steps, where what
 * Newton leaves may move the steps a little when the guesses differ. */
static void assert_same_runs(const gt_method *made, const gt_method *known, const char *model,
                             bool same_guess)
{
    bench_top b;
    build(&b, model, "");
    for (int controlled = 0; controlled < 2; controlled++) {
        double x[2][8];
        gt_report report[2];
        if (controlled && !gt_method_facts(known, gt_params_default(known->options).v).error_order)
            break;
        for (int i = 0; i < 2; i++) {
            gt_plan plan = {
                .h = controlled ? 0 : 0.00013, .rtol = controlled ? 1e-6 : 0, .x_end = x[i]};
            b.problem.t1 = b.problem.t0 + 0.1;
            gt_status status = gt_solve(&b.problem, i ? known : made, &plan, &report[i]);
            if (status) fail_msg("%s on %s: %s", known->name, model, report[i].message.text);
        }
        bool same = same_guess || !controlled;
        double steps = (double)report[1].stats.steps, tolerance = same ? 1e-11 : 1e-5;
        if (!(fabs((double)report[0].stats.steps - steps) <= (same ? 0 : 0.15 * steps)))
            fail_msg("%s on %s: %ld steps, not %g", known->name, model, report[0].stats.steps,
                     steps);
        for (size_t k = 0; k < gt_problem_size(&b.problem); k++)
            if (!(fabs(x[0][k] - x[1][k]) <= tolerance * (1 + fabs(x[1][k]))))
                fail_msg("%s on %s: %.17g is not %.17g", known->name, model, x[0][k], x[1][k]);
    }
    gt_arena_free(&b.arena);
}

static void listed_numbers_give_the_listed_method(void **state)
{
    (void)state;
    int count = 0;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        gt_arena arena = gt_arena_growing();
        gt_facts facts = gt_method_facts(*m, gt_params_default((*m)->options).v);
        if ((*m)->tableau) {
            const gt_method *made = from_tableau((*m)->tableau, &arena);
            assert_same_runs(made, *m, "vanderpol", true);
            gt_facts own = gt_method_facts(made, NULL);
            assert_true(own.order == facts.order && own.error_order == facts.error_order &&
                        own.evaluations == facts.evaluations);
            count++;
        } else if ((*m)->formula && (*m)->formula->steps > 1) {
            const gt_method *made = from_formula((*m)->formula, &arena);
            assert_same_runs(made, *m, "vanderpol", false);
            if (facts.flags & GT_TREATS_ALGEBRAIC) assert_same_runs(made, *m, "rc_diode", false);
            count++;
        }
        gt_arena_free(&arena);
    }
    assert_true(count >= 20);
}

/* (5.52) at the steps 3/10 | 1/5, 1/10, 1/4, 2/5: weights as fractions, computed apart from this
 * program. */
static void weights_for_unequal_steps(void **state)
{
    (void)state;
    const double tau[] = {0, -2 / 3.0, -1, -11 / 6.0, -19 / 6.0, -43 / 12.0};
    gt_multistep_weights w;
    assert_true(gt_multistep_weigh_any(&gt_adams_bashforth[2], tau, &w));
    assert_true(fabs(w.b[1] - 11 / 4.0) < 1e-13 && fabs(w.b[2] + 15 / 4.0) < 1e-13 &&
                fabs(w.b[3] - 2) < 1e-13);
    assert_true(fabs(w.error - 41 / 216.0) < 1e-13);
    assert_true(gt_multistep_weigh_any(&gt_gear_formula[3], tau, &w));
    assert_true(fabs(w.a[0] - 14450 / 4587.0) < 1e-12 && fabs(w.a[3] + 2880 / 10703.0) < 1e-12);
    assert_true(fabs(w.b[0] - 170 / 417.0) < 1e-13 && fabs(w.error + 1445 / 45036.0) < 1e-13);
    assert_true(gt_multistep_weigh_any(&gt_adams_moulton[4], tau, &w));
    assert_true(fabs(w.b[0] - 3161 / 10200.0) < 1e-12 && fabs(w.b[4] + 1944 / 32725.0) < 1e-12);
    assert_true(fabs(w.error + 13 / 2160.0) < 1e-13);
}

/* x_(n+1) = x_(n-1) + 2 h f_n has fewer coefficients than order 2 determines. */
static void leapfrog_runs_at_fixed_step_only(void **state)
{
    (void)state;
    gt_arena arena = gt_arena_growing();
    bench_top b;
    gt_measured_order order;
    gt_report report;
    const gt_method *leapfrog =
        from_formula(&(gt_multistep){.a = {{0, 1}, {1, 1}}, .b = {{0, 1}, {2, 1}}}, &arena);
    build(&b, "harmonic", "");
    b.problem.t1 = 10;
    assert_int_equal(gt_measure_order(leapfrog, "", &b.problem, &order, NULL), GT_OK);
    assert_true(fabs(order.all - 2) < 0.05);
    assert_int_equal(gt_solve(&b.problem, leapfrog, &(gt_plan){.rtol = 1e-6}, &report),
                     GT_BAD_ARGUMENT);
    gt_arena_free(&b.arena);
    gt_arena_free(&arena);
}

static gt_tableau alexander(void)
{
    double g = 1 - sqrt(0.5);
    return (gt_tableau){.stages = 2,
                        .a = {{gt_ratio_near(g)}, {gt_ratio_near(1 - g), gt_ratio_near(g)}},
                        .b = {gt_ratio_near(1 - g), gt_ratio_near(g)},
                        .b_hat = {{1, 1}}};
}

/* Alexander's L-stable pair of stages, whose numbers are not fractions. */
static void diagonally_implicit(void **state)
{
    (void)state;
    gt_arena arena = gt_arena_growing();
    gt_tableau T = alexander(),
               rule = {.stages = 2, .a = {{{0, 1}}, {{1, 2}, {1, 2}}}, .b = {{1, 2}, {1, 2}}};
    const gt_method *m = from_tableau(&T, &arena);
    gt_values v = gt_params_default(m->options);
    gt_facts facts = gt_method_facts(m, v.v);
    assert_int_equal(facts.order, 2);
    assert_int_equal(facts.error_order, 1);
    assert_true(facts.flags & GT_TREATS_ALGEBRAIC);
    assert_true(fabs(gt_ratio_value(m->tableau->c[0]) - (1 - sqrt(0.5))) <
                1e-16); /* which was not given */
    bench_top b;
    gt_measured_order order;
    build(&b, "kpr", "w=3, G=-2");
    b.problem.t1 = 1;
    assert_int_equal(gt_measure_order(m, "", &b.problem, &order, NULL), GT_OK);
    assert_true(fabs(order.slow - 2) < 0.1 && fabs(order.fast - 2) < 0.1);
    gt_arena_free(&b.arena);

    build(&b, "rc_diode", "");
    double x[2][8];
    gt_report report;
    b.problem.t1 = b.problem.t0 + 0.01;
    assert_int_equal(gt_solve(&b.problem, m, &(gt_plan){.h = 1e-6, .x_end = x[0]}, &report), GT_OK);
    assert_int_equal(gt_solve(&b.problem, gt_method_find("gear"),
                              &(gt_plan){.rtol = 1e-10, .x_end = x[1]}, &report),
                     GT_OK);
    for (size_t i = 0; i < gt_problem_size(&b.problem); i++)
        assert_true(fabs(x[0][i] - x[1][i]) < 1e-6 * (1 + fabs(x[1][i])));
    gt_arena_free(&b.arena);

    build(&b, "stiff2", ""); /* the trapezoidal rule as two stages */
    double x0 = 0;
    for (int i = 0; i < 2; i++) {
        const gt_method *used = i ? gt_method_find("trapezoidal") : from_tableau(&rule, &arena);
        assert_int_equal(gt_solve(&b.problem, used, &(gt_plan){.h = 0.05, .x_end = x[i]}, &report),
                         GT_OK);
        x0 = fmax(x0, fabs(x[i][0]));
    }
    assert_true(x0 > 0 && fabs(x[0][0] - x[1][0]) < 1e-11 && fabs(x[0][1] - x[1][1]) < 1e-11);
    gt_arena_free(&b.arena);
    gt_arena_free(&arena);
}

static void numbers_that_make_no_method(void **state)
{
    (void)state;
    gt_arena arena = gt_arena_growing();
    const gt_method *m = NULL;
    const gt_tableau *rk4 = gt_method_find("rk4")->tableau;
    gt_tableau wrong_c = *rk4, wrong_b = *rk4;
    wrong_c.c[1] = (gt_ratio){1, 3};
    wrong_b.b[0] = (gt_ratio){1, 3};
    const struct {
        const gt_tableau *tableau;
        int order;
        const char *says;
    } cases[] = {{&wrong_c, 0, "row 2 of A"},
                 {&wrong_b, 0, "add up to"},
                 {rk4, 5, "hold up to 4"},
                 {&(gt_tableau){.stages = 0}, 0, "1 to 16 stages"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gt_message message = {""};
        gt_method_label label = {.name = "made", .order = cases[i].order};
        assert_int_not_equal(gt_method_from_tableau(&label, cases[i].tableau, &arena, &m, &message),
                             GT_OK);
        if (!strstr(message.text, cases[i].says)) fail_msg("%s", message.text);
    }
    gt_message message = {""};
    gt_method_label label = {.name = "made", .order = 3};
    gt_multistep inconsistent = {.a = {{1, 2}}, .b = {{0, 1}, {1, 1}}};
    assert_int_equal(gt_method_from_multistep(&label, &inconsistent, &arena, &m, &message),
                     GT_BAD_ARGUMENT);
    assert_non_null(strstr(message.text, "not consistent"));
    assert_int_equal(gt_method_from_multistep(&label, &gt_gear_formula[1], &arena, &m, &message),
                     GT_BAD_ARGUMENT);
    assert_non_null(strstr(message.text, "order 3"));
    gt_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(listed_numbers_give_the_listed_method),
        cmocka_unit_test(weights_for_unequal_steps),
        cmocka_unit_test(leapfrog_runs_at_fixed_step_only),
        cmocka_unit_test(diagonally_implicit),
        cmocka_unit_test(a_half_makes_its_method),
        cmocka_unit_test(numbers_that_make_no_method),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
