/* SPDX-License-Identifier: BSD-3-Clause */
/* Trees, order conditions, rational arithmetic, design of multistep formulas, measured orders. */
#include "exact/rational.h"
#include "exact/trees.h"
#include "methods_kit.h"

static gt_conditions found; /* too large for every stack */

static void assert_ratio(gt_ratio r, const char *expected)
{
    char text[48];
    gt_ratio_print(r, text, sizeof text);
    assert_string_equal(text, expected);
}

static void trees_are_all_there(void **state)
{
    (void)state;
    static gt_forest f;
    static const int known[2][GT_TREE_ORDER] = {{1, 1, 2, 4, 9, 20, 48, 115}, {2, 4, 14, 52}};
    for (int colours = 1; colours <= 2; colours++) {
        int highest = colours == 1 ? GT_TREE_ORDER : GT_TREE_ORDER_PARTITIONED;
        gt_forest_plant(&f, colours, highest);
        for (int order = 1; order <= highest; order++) {
            int count = 0;
            for (int i = 0; i < f.count; i++) count += f.list[i].order == order;
            assert_int_equal(count, known[colours - 1][order - 1]);
        }
    }
    for (int i = 0; i < f.count; i++) { /* and all different */
        char text[GT_TREE_TEXT], other[GT_TREE_TEXT];
        gt_tree_print(&f, i, "sf", text);
        for (int k = 0; k < i; k++) {
            gt_tree_print(&f, k, "sf", other);
            assert_string_not_equal(text, other);
        }
    }
}

static const gt_condition *condition(const char *tree)
{
    for (int i = 0; i < found.count; i++)
        if (!strcmp(found.list[i].tree, tree)) return &found.list[i];
    fail_msg("there is no tree %s", tree);
    return NULL;
}

/* Residuals of the classical method at the two extreme trees of order 5, by hand. */
static void residuals_are_exact(void **state)
{
    (void)state;
    gt_tableau T = *gt_method_find("rk4")->tableau;
    gt_conditions_of_tableau(&T, T.b, 6, &found);
    assert_int_equal(found.count, 37);
    assert_int_equal(found.order, 4);
    assert_ratio(condition("t[t,t,t,t]")->ratio, "1/120"); /* sum b c^4 = 5/24, less 1/5 */
    assert_ratio(condition("t[t[t[t[t]]]]")->ratio,
                 "-1/120"); /* four stages cannot make such a chain */
    assert_ratio(condition("t[t,t,t]")->ratio, "0");
    T.b[0] = (gt_ratio){1000001, 6000000};
    gt_conditions_of_tableau(&T, T.b, 6, &found);
    assert_int_equal(found.order, 0);
    assert_ratio(condition("t")->ratio, "1/6000000");
}

static const gt_tableau lobatto_a = {
    .stages = 3,
    .a = {{{0, 1}}, {{5, 24}, {1, 3}, {-1, 24}}, {{1, 6}, {2, 3}, {1, 6}}},
    .b = {{1, 6}, {2, 3}, {1, 6}}};
static const gt_tableau lobatto_b = {.stages = 3,
                                     .a = {{{1, 6}, {-1, 6}}, {{1, 6}, {1, 3}}, {{1, 6}, {5, 6}}},
                                     .b = {{1, 6}, {2, 3}, {1, 6}}};

/* Pairs of known order: Lobatto IIIA-IIIB of 2 stages (Stoermer-Verlet) has 2, of 3 stages 4;
 * symplectic Euler 1. */
static void partitioned_conditions(void **state)
{
    (void)state;
    const gt_tableau verlet_a = {
        .stages = 2, .a = {{{0, 1}}, {{1, 2}, {1, 2}}}, .b = {{1, 2}, {1, 2}}};
    const gt_tableau verlet_b = {.stages = 2, .a = {{{1, 2}}, {{1, 2}}}, .b = {{1, 2}, {1, 2}}};
    const gt_tableau forward = {.stages = 1, .b = {{1, 1}}},
                     backward = {.stages = 1, .a = {{{1, 1}}}, .b = {{1, 1}}};
    gt_conditions_of_partitioned(&lobatto_a, &lobatto_b, 4, &found);
    assert_int_equal(found.count, 2 + 4 + 14 + 52);
    assert_int_equal(found.order, 4);
    gt_conditions_of_partitioned(&verlet_a, &verlet_b, 4, &found);
    assert_int_equal(found.order, 2);
    gt_conditions_of_partitioned(&forward, &backward, 4, &found);
    assert_int_equal(found.order, 1);
    assert_ratio(condition("s[s]")->ratio, "-1/2");
    assert_ratio(condition("s[f]")->ratio, "1/2");
    /* Each has order 2 alone, and together 1: only the trees of both colours tell. */
    gt_conditions_of_partitioned(gt_method_find("heun")->tableau, gt_method_find("rk2")->tableau, 4,
                                 &found);
    assert_int_equal(found.order, 1);
    assert_true(condition("s[s]")->holds && condition("f[f]")->holds);
    assert_ratio(condition("s[f]")->ratio, "-1/4");
}

static void fractions_that_do_not_fit_are_void(void **state)
{
    (void)state;
    gt_exact large = gt_exact_power(gt_exact_whole(1LL << 62), 2),
             third = gt_exact_of((gt_ratio){1, 3});
    gt_ratio r;
    assert_true(gt_exact_known(large));
    assert_false(gt_exact_to_ratio(large, &r));
    assert_false(gt_exact_known(gt_exact_multiply(large, large)));
    assert_false(gt_exact_known(gt_exact_add(gt_exact_multiply(large, large), third)));
    assert_true(gt_exact_to_ratio(gt_exact_divide(gt_exact_multiply(large, third), large), &r));
    assert_ratio(r, "1/3");
    assert_false(gt_exact_known(gt_exact_divide(third, gt_exact_whole(0))));
}

static void fractions_as_text(void **state)
{
    (void)state;
    const char *const cases[][2] = {{"18/11", "18/11"}, {"-4/6", "-2/3"},   {"3", "3"},
                                    {"0.25", "1/4"},    {"-0.125", "-1/8"}, {"7/-14", "-1/2"},
                                    {"0/5", "0"},       {".5", "1/2"}};
    const char *const wrong[] = {"",     "a",   "1/0", "1/2/3",
                                 "1/2x", "nan", "inf", "99999999999999999999/3"};
    gt_ratio r;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_true(gt_ratio_read(cases[i][0], &r));
        assert_ratio(r, cases[i][1]);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (gt_ratio_read(wrong[i], &r)) fail_msg("'%s' was taken for a number", wrong[i]);
    const double numbers[] = {1 / 3.0, 0.1, -2.718281828459045, 1e-6, 123456.789, 0.75, -1};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        assert_true(fabs(gt_ratio_value(gt_ratio_near(numbers[i])) - numbers[i]) <= 0x1p-63);
    assert_true(gt_ratio_is_rounded(gt_ratio_near(0.1)) &&
                !gt_ratio_is_rounded(gt_ratio_near(0.75)));
}

/* The constraints lead back to the formulas of Adams and Gear, which are stored as fractions in the
 * methods. */
static void design_leads_to_the_known_formulas(void **state)
{
    (void)state;
    static const int all[] = {-1, 0, 1, 2, 3, 4, 5};
    for (int order = 1; order <= 6; order++) {
        const struct {
            const char *family;
            gt_steps steps;
        } cases[] = {{"ab", {.a = all + 1, .b = all + 1, .n_a = 1, .n_b = order}},
                     {"am", {.a = all + 1, .b = all, .n_a = 1, .n_b = order}},
                     {"gear", {.a = all + 1, .b = all, .n_a = order, .n_b = 1}}};
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            char name[8];
            gt_multistep made;
            gt_message message = {""};
            snprintf(name, sizeof name, "%s%d", cases[i].family, order);
            if (gt_design_multistep(&cases[i].steps, order, &made, &message))
                fail_msg("%s: %s", name, message.text);
            const gt_multistep *known = gt_method_find(name)->formula;
            assert_int_equal(made.order, order);
            assert_int_equal(made.steps, known->steps);
            for (int k = 0; k < GT_MAX_PAST; k++)
                assert_true(gt_ratio_value(made.a[k]) == gt_ratio_value(known->a[k]));
            for (int k = 0; k <= GT_MAX_PAST; k++)
                assert_true(gt_ratio_value(made.b[k]) == gt_ratio_value(known->b[k]));
            assert_true(made.error.num == known->error.num && made.error.den == known->error.den);
            gt_zero_stability zero;
            assert_int_equal(gt_zero_stability_of(&made, &zero), GT_OK);
            assert_true(zero.stable);
        }
    }
}

/* Problem 9 of crow: x_(n+2) - x_(n-2) + alpha (x_(n+1) - x_(n-1)) = h (beta (f_(n+1) + f_(n-1)) +
 * gamma f_n). */
static void problem_9(void **state)
{
    (void)state;
    const int a[] = {0, 2, 3}, b[] = {0, 1, 2};
    const gt_steps steps = {.a = a, .b = b, .n_a = 3, .n_b = 3};
    gt_multistep f;
    gt_zero_stability zero;
    assert_int_equal(gt_design_multistep(&steps, 6, &f, NULL), GT_OK);
    assert_ratio(f.a[0], "-28"), assert_ratio(f.a[2], "28"), assert_ratio(f.a[3], "1");
    assert_ratio(f.b[1], "12"), assert_ratio(f.b[2], "36"), assert_ratio(f.b[3], "12");
    assert_ratio(f.error, "1/35");
    assert_int_equal(gt_zero_stability_of(&f, &zero), GT_OK);
    assert_false(zero.stable);
    assert_int_equal(zero.count, 4);
    assert_true(fabs(zero.root[0][0] + 27.964240043768941170) < 1e-12 && zero.root[0][1] == 0);
    /* Order 5 takes six equations for the six coefficients, and gives the same formula. */
    assert_int_equal(gt_design_multistep(&steps, 5, &f, NULL), GT_OK);
    assert_int_equal(f.order, 6);
}

static void designs_that_do_not_exist(void **state)
{
    (void)state;
    const int first[] = {0}, twice[] = {0, 0}, far[] = {6}, slopes[] = {0, 1, 2};
    const struct {
        gt_steps steps;
        int order;
        const char *says;
    } cases[] = {{{.a = first, .b = slopes, .n_a = 1, .n_b = 3}, 4, "ask for order 3"},
                 {{.a = first, .b = slopes, .n_a = 1, .n_b = 3}, 2, "leaves 1"},
                 {{.a = twice, .b = slopes, .n_a = 2, .n_b = 1}, 2, "twice"},
                 {{.a = far, .b = slopes, .n_a = 1, .n_b = 1}, 1, "from 0 to 5"},
                 {{.a = first, .b = slopes, .n_a = 1, .n_b = 1}, 0, "between 1 and"},
                 {{.a = slopes + 1, .b = slopes, .n_a = 1}, 1, "no choice"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gt_multistep f;
        gt_message message = {""};
        assert_int_equal(gt_design_multistep(&cases[i].steps, cases[i].order, &f, &message),
                         GT_BAD_ARGUMENT);
        if (!strstr(message.text, cases[i].says)) fail_msg("%s", message.text);
    }
}

static void zero_stability_looks_at_multiple_roots(void **state)
{
    (void)state;
    gt_multistep leapfrog = {.steps = 2, .a = {{0, 1}, {1, 1}}, .b = {{0, 1}, {2, 1}}};
    gt_multistep twice = {.steps = 2, .a = {{2, 1}, {-1, 1}}, .b = {{1, 1}, {-1, 1}}};
    /* rho = (w - 1) (w^2 + 1)^2: i and -i twice */
    gt_multistep circle = {.steps = 5, .a = {{1, 1}, {-2, 1}, {2, 1}, {-1, 1}, {1, 1}}};
    gt_zero_stability zero;
    assert_int_equal(gt_multistep_complete(&leapfrog, NULL), GT_OK);
    assert_int_equal(leapfrog.order, 2);
    assert_ratio(leapfrog.error, "1/3");
    assert_int_equal(gt_zero_stability_of(&leapfrog, &zero), GT_OK);
    assert_true(zero.stable && zero.count == 2);
    assert_int_equal(gt_zero_stability_of(&twice, &zero), GT_OK);
    assert_false(zero.stable);
    assert_non_null(strstr(zero.why.text, "2-fold"));
    assert_int_equal(gt_zero_stability_of(&circle, &zero), GT_OK);
    assert_false(zero.stable);
}

static void measured_orders_are_the_stated_ones(void **state)
{
    (void)state;
    static const char *const taylor[] = {"order=1",  "order=4",  "order=7",
                                         "order=10", "order=12", NULL};
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        bool series = !strcmp((*m)->name, "taylor");
        for (int i = 0; i == 0 || (series && taylor[i]); i++) {
            const char *options = series ? taylor[i] : "";
            gt_values v = gt_params_default((*m)->options);
            gt_arena arena = gt_arena_growing();
            gt_problem problem;
            gt_measured_order order;
            gt_message message = {""};
            assert_int_equal(
                gt_params_parse((*m)->options, "option", (*m)->name, options, &v, NULL), GT_OK);
            gt_facts facts = gt_method_facts(*m, v.v);
            assert_int_equal(gt_order_problem(*m, v.v, &problem, &arena, &message), GT_OK);
            gt_status status = gt_measure_order(*m, options, &problem, &order, &message);
            if (facts.flags & GT_VARIABLE_FORMULA) {
                assert_int_equal(status, GT_UNSUPPORTED);
            } else if (status || !(fabs(order.all - facts.order) < 0.3) ||
                       !(fabs(order.slow - facts.order) < 0.3) ||
                       (problem.n_fast && !(fabs(order.fast - facts.order) < 0.3))) {
                fail_msg("%s %s: stated %d, measured %.2f, %.2f, %.2f %s", (*m)->name, options,
                         facts.order, order.all, order.slow, order.fast, message.text);
            }
            gt_arena_free(&arena);
        }
    }
}

/* Against a tight run, where there is no exact solution. */
static void order_without_an_exact_solution(void **state)
{
    (void)state;
    bench_top b;
    gt_measured_order order;
    gt_message message = {""};
    build(&b, "vanderpol", "mu=1");
    b.problem.t1 = 2;
    assert_null(b.problem.exact);
    assert_int_equal(gt_measure_order(gt_method_find("rk4"), "", &b.problem, &order, &message),
                     GT_OK);
    assert_true(fabs(order.all - 4) < 0.2);
    gt_arena_free(&b.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_are_all_there),
        cmocka_unit_test(residuals_are_exact),
        cmocka_unit_test(partitioned_conditions),
        cmocka_unit_test(fractions_that_do_not_fit_are_void),
        cmocka_unit_test(fractions_as_text),
        cmocka_unit_test(design_leads_to_the_known_formulas),
        cmocka_unit_test(problem_9),
        cmocka_unit_test(designs_that_do_not_exist),
        cmocka_unit_test(zero_stability_looks_at_multiple_roots),
        cmocka_unit_test(measured_orders_are_the_stated_ones),
        cmocka_unit_test(order_without_an_exact_solution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
