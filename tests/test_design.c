/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Designed methods: polynomials against closed forms, published values and equal ripples; pairs
 * against all conditions, the same pair from the same seed.
 */
#include "methods_kit.h"

static gt_polynomial_design polynomial(int degree, int order, gt_axis axis, double aspect,
                                       bool search)
{
    gt_polynomial_task task = {
        .degree = degree, .order = order, .axis = axis, .aspect = aspect, .search = search};
    gt_polynomial_design d;
    gt_message m = {""};
    if (gt_design_polynomial(&task, &d, &m))
        fail_msg("degree %d, order %d: %s", degree, order, m.text);
    return d;
}

/* shome Table 5. */
static void table_5_is_in_fractions(void **state)
{
    (void)state;
    static const struct {
        int degree;
        gt_ratio beta[5];
    } rows[] = {{3, {{1, 4}}},
                {5, {{3, 16}, {1, 32}, {1, 128}}},
                {7, {{19, 108}, {1, 27}, {2, 243}, {1, 1458}, {1, 8748}}}};
    for (int i = 0; i < 3; i++) {
        gt_polynomial_design d = polynomial(rows[i].degree, 2, GT_IMAGINARY_AXIS, 0, false);
        assert_true(d.limit == rows[i].degree - 1);
        assert_int_equal(d.limit_squared, (rows[i].degree - 1) * (rows[i].degree - 1));
        for (int k = 3; k <= rows[i].degree; k++) {
            assert_int_equal(d.ratio[k].num, rows[i].beta[k - 3].num);
            assert_int_equal(d.ratio[k].den, rows[i].beta[k - 3].den);
        }
    }
}

/* The search does not know the closed forms, and finds them. Degree 4 and order 2 touches at 0 too.
 */
static void the_search_finds_the_closed_forms(void **state)
{
    (void)state;
    static const int cases[][2] = {{3, 2}, {4, 2}, {5, 2}, {4, 3}, {6, 4}, {6, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gt_polynomial_design known =
            polynomial(cases[i][0], cases[i][1], GT_IMAGINARY_AXIS, 0, false);
        gt_polynomial_design found =
            polynomial(cases[i][0], cases[i][1], GT_IMAGINARY_AXIS, 0, true);
        assert_true(known.limit_squared > 0 && found.limit_squared == 0);
        if (!(fabs(found.limit - known.limit) < 1e-12))
            fail_msg("degree %d, order %d: limit %.15g", cases[i][0], cases[i][1], found.limit);
        for (int k = 0; k <= cases[i][0]; k++)
            assert_true(fabs(found.beta[k] - known.beta[k]) < 1e-12);
    }
}

/* Computed independently with 30 digits: better than Kinnmark and Gray's sqrt(15). */
static void the_best_of_degree_5_and_order_3(void **state)
{
    (void)state;
    gt_polynomial_design d = polynomial(5, 3, GT_IMAGINARY_AXIS, 0, false);
    assert_true(fabs(d.limit - 3.9132824863781531302) < 1e-12);
    assert_true(fabs(d.beta[4] - 0.03226364264881637231976887) < 1e-13);
    assert_true(fabs(d.beta[5] - 0.006165851484920499698056691) < 1e-13);
}

static double value(const gt_polynomial_design *d, double x)
{
    double sum = 0;
    for (int k = d->task.degree; k >= 0; k--) sum = sum * x + d->beta[k];
    return sum;
}

/* Order 1: T_s(1 + z/s^2), stable up to 2 s^2. Order 2 and more: |R| is 1 at degree - order + 1
 * points with signs that alternate, and nowhere larger, which makes it the only best one. */
static void real_axis(void **state)
{
    (void)state;
    for (int s = 2; s <= 5; s++)
        assert_true(fabs(polynomial(s, 1, GT_REAL_AXIS, 0, false).limit - 2 * s * s) < 1e-11);
    for (int order = 2; order <= 3; order++) {
        gt_polynomial_design d = polynomial(6, order, GT_REAL_AXIS, 0, false);
        assert_int_equal(d.touches, d.task.degree - order + 1);
        int signs = 0;
        for (int k = 0; k < d.touches; k++) {
            double R = value(&d, -d.touch[k]);
            assert_true(fabs(fabs(R) - 1) < 1e-10);
            signs += R > 0 ? 1 : -1;
        }
        assert_in_range(signs + 1, 0, 2);
        for (int k = 0; k <= 2000; k++)
            assert_true(fabs(value(&d, -d.limit * k / 2000)) < 1 + 1e-10);
    }
}

/* The best of order 1 in a disk that touches 0 is (1 + z/s)^s, with radius s. */
static void disk(void **state)
{
    (void)state;
    gt_polynomial_design d = polynomial(4, 1, GT_ELLIPSE, 1, false);
    assert_true(fabs(d.limit - 4) < 1e-9);
    static const double binomial[] = {1, 1, 6.0 / 16, 4.0 / 64, 1.0 / 256};
    for (int k = 0; k <= 4; k++) assert_true(fabs(d.beta[k] - binomial[k]) < 1e-6);
}

/* Up to a limit below the farthest: it is stable there, has the error that is stated, and reaching
 * less far costs nothing. */
static void accuracy_up_to_a_limit(void **state)
{
    (void)state;
    double before = INFINITY;
    for (double limit = 4.8; limit > 3.5; limit -= 0.4) {
        gt_polynomial_task task = {.degree = 6, .order = 4, .limit = limit};
        gt_polynomial_design d;
        gt_message m = {""};
        double largest = 0, error = 0;
        assert_int_equal(gt_design_polynomial(&task, &d, &m), GT_OK);
        for (int k = 1; k <= 2000; k++) {
            double complex z = I * limit * k / 2000, R = 0;
            for (int j = 6; j >= 0; j--) R = R * z + d.beta[j];
            largest = fmax(largest, cabs(R));
            if (k > 20) error = fmax(error, cabs(R - cexp(z)) / pow(cabs(z), 5));
        }
        assert_true(largest < 1 + 1e-10);
        assert_true(fabs(error - d.error) < 1e-3 * d.error);
        assert_true(d.error < before);
        before = d.error;
    }
}

static void impossible_polynomials_are_told(void **state)
{
    (void)state;
    gt_polynomial_design d;
    gt_message m = {""};
    assert_true(polynomial(2, 2, GT_IMAGINARY_AXIS, 0, false).limit == 0);
    assert_true(polynomial(1, 1, GT_IMAGINARY_AXIS, 0, false).limit == 0);
    gt_polynomial_task wrong = {.degree = 3, .order = 4};
    assert_int_equal(gt_design_polynomial(&wrong, &d, &m), GT_BAD_ARGUMENT);
    assert_non_null(strstr(m.text, "order"));
    wrong = (gt_polynomial_task){.degree = 30, .order = 4};
    assert_int_equal(gt_design_polynomial(&wrong, &d, &m), GT_BAD_ARGUMENT);
}

/* ---- pairs ---- */

static void pairs_fulfil_all_conditions(void **state)
{
    (void)state;
    static const gt_dualrate_task tasks[] = {
        {.slow = 2, .fast = 4, .order = 2, .seed = 1},
        {.slow = 3, .fast = 6, .order = 3, .seed = 1, .slow_stage = {1, 4, 6}},
        {.slow = 4, .fast = 6, .order = 4, .seed = 1},
        {.slow = 3, .fast = 5, .order = 3, .axis = GT_REAL_AXIS, .seed = 1},
    };
    for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++) {
        const gt_dualrate_task *t = &tasks[i];
        static gt_dualrate_design d, again;
        static gt_conditions found;
        gt_polynomial_design R = polynomial(t->fast, t->order, t->axis, 0, false);
        gt_message m = {""};
        int start = 0, list[GT_MAX_STAGES];
        assert_int_equal(gt_dualrate_check(t, &m), GT_OK);
        while (start < 20 && !gt_dualrate_search(t, &R, start, &d)) start++;
        assert_in_range(start, 0, 19);
        assert_true(gt_dualrate_search(t, &R, start, &again));
        assert_memory_equal(&d, &again, sizeof d);
        assert_true(d.residual < 2e-15 * fmax(1, d.largest_entry));
        gt_conditions_of_partitioned(&d.pair.slow, &d.pair.fast, 4, &found);
        assert_int_equal(found.order, t->order);
        assert_int_equal(gt_tableau_stages(&d.pair.slow, list), t->slow);
        for (int k = 0; k < t->slow && t->slow_stage[0]; k++)
            assert_int_equal(list[k] + 1, t->slow_stage[k]);
        assert_memory_equal(d.pair.slow.b, d.pair.fast.b, sizeof d.pair.slow.b);
        assert_true(d.coupled_worst <= d.coupled_mean && d.coupled_mean < 1.5);
    }
}

/* A free mass 1 with a mass m on a spring, w = 100. */
static gt_status two_free_masses(double t, const double *x, double *dx, void *ctx)
{
    double m = *(const double *)ctx, pull = m * 1e4 * (x[2] - x[0]);
    (void)t;
    dx[0] = x[1];
    dx[1] = pull;
    dx[2] = x[3];
    dx[3] = -pull / m;
    return GT_OK;
}

/* What pairs are ranked by has free masses in it, of ratios up to .3: by the matrix of a whole step
 * of the method. */
static void the_worst_coupling_limits(const gt_method *m, const gt_dualrate_design *d)
{
    double x0[4] = {1, 0, 0, 0}, worst = INFINITY, ratios[] = {0.001, 0.01, 0.03, 0.1, 0.3};
    for (int k = 0; k < 5; k++) {
        gt_arena arena = gt_arena_growing();
        gt_spectrum s;
        gt_message message = {""};
        gt_problem p = {.n_slow = 2,
                        .n_fast = 2,
                        .rhs = two_free_masses,
                        .x0 = x0,
                        .t1 = 10,
                        .ctx = &ratios[k],
                        .linear = true,
                        .autonomous = true};
        if (gt_spectrum_at(&p, 0, x0, p.t1, &s, &arena, &message)) fail_msg("%s", message.text);
        worst = fmin(worst, 100 * gt_coupled_step(&p, &s, 1, m, NULL, p.t1));
        gt_arena_free(&arena);
    }
    if (!(d->coupled_worst * d->limit < 1.02 * worst && d->coupled_worst * d->limit > 0.5 * worst))
        fail_msg("ranked by %g, free masses allow %g", d->coupled_worst * d->limit, worst);
}

static void a_found_pair_is_a_method(void **state)
{
    (void)state;
    gt_dualrate_task task = {.slow = 3, .fast = 6, .order = 3, .seed = 1};
    gt_polynomial_design R = polynomial(6, 3, GT_IMAGINARY_AXIS, 0, false);
    static gt_dualrate_design d;
    int start = 0;
    while (!gt_dualrate_search(&task, &R, start, &d)) start++;
    gt_arena arena = gt_arena_growing();
    gt_method_label label = {.name = "mine", .order = 3};
    const gt_method *m;
    gt_message message = {""};
    assert_int_equal(gt_method_from_partitioned(&label, &d.pair, &arena, &m, &message), GT_OK);
    gt_facts facts = gt_method_facts(m, NULL);
    assert_int_equal(facts.order, 3);
    assert_int_equal(facts.error_order, 2);
    assert_int_equal(facts.slow_evaluations, 3);
    the_worst_coupling_limits(m, &d);
    bench_top b;
    double x[2], exact[2], error[2];
    build(&b, "kpr", "w=3, G=-2");
    b.problem.t1 = 1;
    b.problem.exact(1, exact, b.problem.ctx);
    for (int k = 0; k < 2; k++) {
        gt_report r;
        assert_int_equal(gt_solve(&b.problem, m, &(gt_plan){.h = k ? 0.005 : 0.01, .x_end = x}, &r),
                         GT_OK);
        error[k] = fmax(fabs(x[0] - exact[0]), fabs(x[1] - exact[1]));
    }
    assert_true(fabs(log2(error[0] / error[1]) - 3) < 0.2);
    label.order = 4;
    assert_int_equal(gt_method_from_partitioned(&label, &d.pair, &arena, &m, &message),
                     GT_BAD_ARGUMENT);
    assert_non_null(strstr(message.text, "order 4"));
    d.pair.fast.b[0].num *= 2;
    assert_int_equal(gt_method_from_partitioned(&label, &d.pair, &arena, &m, &message),
                     GT_BAD_ARGUMENT);
    assert_non_null(strstr(message.text, "fast weights"));
    d.pair.fast.a[1][3] = (gt_ratio){1, 2};
    assert_int_equal(gt_method_from_partitioned(&label, &d.pair, &arena, &m, &message),
                     GT_UNSUPPORTED);
    gt_arena_free(&b.arena);
    gt_arena_free(&arena);
}

static void wrong_tasks_are_told(void **state)
{
    (void)state;
    static const struct {
        gt_dualrate_task task;
        const char *word;
    } rows[] = {{{.slow = 3, .fast = 6, .order = 5}, "order"},
                {{.slow = 2, .fast = 6, .order = 3}, "slow stages"},
                {{.slow = 3, .fast = 3, .order = 3}, "fast"},
                {{.slow = 3, .fast = 17, .order = 3}, "fast"},
                {{.slow = 3, .fast = 6, .order = 3, .slow_stage = {2, 3, 4}}, "stage 1"},
                {{.slow = 3, .fast = 6, .order = 3, .slow_stage = {1, 4, 4}}, "ascend"},
                {{.slow = 3, .fast = 6, .order = 3, .axis = GT_ELLIPSE}, "axis"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gt_message m = {""};
        assert_true(gt_dualrate_check(&rows[i].task, &m) < 0);
        if (!strstr(m.text, rows[i].word)) fail_msg("no '%s' in: %s", rows[i].word, m.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_5_is_in_fractions),
        cmocka_unit_test(the_search_finds_the_closed_forms),
        cmocka_unit_test(the_best_of_degree_5_and_order_3),
        cmocka_unit_test(real_axis),
        cmocka_unit_test(disk),
        cmocka_unit_test(accuracy_up_to_a_limit),
        cmocka_unit_test(impossible_polynomials_are_told),
        cmocka_unit_test(pairs_fulfil_all_conditions),
        cmocka_unit_test(a_found_pair_is_a_method),
        cmocka_unit_test(wrong_tasks_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
