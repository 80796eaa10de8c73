/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The multistep formulas as numbers: exactness constraints (5.51)-(5.52) of Crow, chapter 5, in
 * rational arithmetic, weights for unequal steps, stability at z = -1, and Problem 9. Then what the
 * methods make of them: the order of the start, dense output, agreement of the two solvers.
 */
#include "kit/multistep_formulas.h"
#include "methods_kit.h"

static const gt_multistep *const tables[] = {gt_adams_bashforth, gt_adams_moulton, gt_gear_formula};
static const char *const prefixes[] = {"ab", "am", "gear"};

static const gt_method *method_of(int family, int order)
{
    char name[8];
    snprintf(name, sizeof name, "%s%d", prefixes[family], order);
    return gt_method_find(name);
}

static gt_ratio reduced(long long num, long long den)
{
    long long a = num < 0 ? -num : num, b = den < 0 ? -den : den;
    while (b) {
        long long rest = a % b;
        a = b, b = rest;
    }
    if (den < 0) a = -a;
    return a ? (gt_ratio){num / a, den / a} : (gt_ratio){0, 1};
}
static gt_ratio plus(gt_ratio a, gt_ratio b)
{
    return reduced(a.num * b.den + b.num * a.den, a.den * b.den);
}
static gt_ratio times(gt_ratio a, gt_ratio b)
{
    gt_ratio c = reduced(a.num, b.den), d = reduced(b.num, a.den);
    return reduced(c.num * d.num, c.den * d.den);
}
static gt_ratio whole(long long n) { return (gt_ratio){n, 1}; }
static gt_ratio entry(gt_ratio r) { return r.den ? r : whole(0); }
static bool same(gt_ratio a, gt_ratio b) { return a.num * b.den == b.num * a.den; }

static long long power(long long base, int exponent)
{
    long long p = 1;
    while (exponent-- > 0) p *= base;
    return p;
}

/* 1 - sum (-i)^j a_i - j sum (-i)^(j-1) b_i: what is missing in the j-th constraint. */
static gt_ratio defect(const gt_multistep *f, int j)
{
    gt_ratio sum = whole(1);
    for (int i = 0; i < GT_MAX_PAST; i++)
        sum = plus(sum, times(whole(-power(-i, j)), entry(f->a[i])));
    for (int i = -1; i < GT_MAX_PAST && j > 0; i++)
        sum = plus(sum, times(whole(-j * power(-i, j - 1)), entry(f->b[i + 1])));
    return sum;
}

static void assert_order(const gt_multistep *f)
{
    long long factorial = 1;
    for (int j = 0; j <= f->order; j++) {
        assert_true(same(defect(f, j), whole(0)));
        factorial *= j + 1;
    }
    assert_true(same(times(defect(f, f->order + 1), reduced(1, factorial)), f->error));
}

static void exactness_constraints_hold(void **state)
{
    (void)state;
    for (int family = 0; family < 3; family++) {
        for (int order = 1; order <= GT_MULTISTEP_ORDERS; order++) {
            const gt_multistep *f = &tables[family][order - 1];
            assert_int_equal(f->order, order);
            assert_order(f);
            assert_ptr_equal(method_of(family, order)->formula, f);
            for (int i = f->steps; i < GT_MAX_PAST; i++)
                assert_true(!entry(f->a[i]).num && !entry(f->b[i + 1]).num);
        }
    }
}

/* Solves A x = b by elimination; false: singular. */
static bool solve(int n, gt_ratio A[][4], gt_ratio *b)
{
    for (int k = 0; k < n; k++) {
        int pivot = k;
        while (pivot < n && !A[pivot][k].num) pivot++;
        if (pivot == n) return false;
        for (int j = 0; j < n; j++) {
            gt_ratio swap = A[k][j];
            A[k][j] = A[pivot][j], A[pivot][j] = swap;
        }
        gt_ratio swap = b[k], inverse = reduced(A[k][k].den, A[k][k].num);
        b[k] = b[pivot], b[pivot] = swap;
        for (int i = 0; i < n; i++) {
            gt_ratio factor = times(whole(-1), times(A[i][k], inverse));
            if (i == k) continue;
            for (int j = 0; j < n; j++) A[i][j] = plus(A[i][j], times(factor, A[k][j]));
            b[i] = plus(b[i], times(factor, b[k]));
        }
    }
    for (int k = 0; k < n; k++) b[k] = times(b[k], reduced(A[k][k].den, A[k][k].num));
    return true;
}

/* Examples 5.2 to 5.4, and what (5.55) and (5.59) give as they are printed. */
static void examples_5_2_to_5_4(void **state)
{
    (void)state;
    gt_ratio A[4][4], b[4];
    for (int printed = 0; printed <= 1; printed++) {
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) A[i][j] = whole(power(-j, i));
            if (printed)
                A[i][2] =
                    whole(i ? -power(2, i) : 1); /* the signs of the last column do not alternate */
            b[i] = reduced(1, i + 1);
        }
        assert_true(solve(3, A, b));
        static const gt_ratio wrong[] = {{49, 36}, {-2, 9}, {-5, 36}};
        for (int i = 0; i < 3; i++)
            assert_true(same(b[i], printed ? wrong[i] : gt_adams_bashforth[2].b[i + 1]));
        gt_multistep formula = {
            .order = 3, .steps = 3, .a = {{1, 1}}, .b = {{0, 1}, b[0], b[1], b[2]}};
        assert_true(same(defect(&formula, 1), whole(0)));
        assert_true(same(defect(&formula, 3), whole(0)) == !printed);

        for (int i = 0; i < 3; i++) {
            int exponent =
                printed && i == 2 ? 1 : i; /* the last row has exponent k - 1, not k - 2 */
            for (int j = 0; j < 3; j++) A[i][j] = whole(power(1 - j, exponent));
            b[i] = reduced(1, i + 1);
        }
        assert_true(solve(3, A, b) == !printed);
        for (int i = 0; i < 3 && !printed; i++) assert_true(same(b[i], gt_adams_moulton[2].b[i]));
    }
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 3; j++) A[i][j] = whole(power(-j, i));
        A[i][3] = whole(i);
        b[i] = whole(1);
    }
    assert_true(solve(4, A, b));
    for (int i = 0; i < 3; i++) assert_true(same(b[i], gt_gear_formula[2].a[i]));
    assert_true(same(b[3], gt_gear_formula[2].b[0]));
}

/* h lambda = rho(z)/sigma(z) at z = -1, Example 5.6: where the boundary of the region meets the
 * real axis. */
static void real_limits(void **state)
{
    (void)state;
    static const gt_ratio limit[3][6] = {
        {{-2, 1}, {-1, 1}, {-6, 11}, {-3, 10}, {-90, 551}, {-5, 57}},
        {{2, 1}, {0, 0}, {-6, 1}, {-3, 1}, {-90, 49}, {-45, 38}},
        {{2, 1}, {4, 1}, {20, 3}, {32, 3}, {256, 15}, {416, 15}}};
    for (int family = 0; family < 3; family++) {
        for (int k = 0; k < 6; k++) {
            const gt_multistep *f = &tables[family][k];
            gt_ratio rho = whole(-1), sigma = times(whole(-1), entry(f->b[0]));
            for (int i = 0; i < GT_MAX_PAST; i++) {
                gt_ratio sign = whole(i % 2 ? 1 : -1);
                rho = plus(rho, times(sign, entry(f->a[i])));
                sigma = plus(sigma, times(whole(i % 2 ? -1 : 1), entry(f->b[i + 1])));
            }
            if (limit[family][k].den)
                assert_true(same(rho, times(limit[family][k], sigma)));
            else
                assert_true(sigma.num == 0); /* the trapezoidal rule: at infinity */
        }
    }
}

/* Steps 3/10 (the new one), 1/5, 1/10, 1/4, 2/5, 1/8. */
static void weights_for_unequal_steps(void **state)
{
    (void)state;
    static const double tau[6] = {0, -2. / 3, -1, -11. / 6, -19. / 6, -43. / 12};
    static const struct {
        gt_ratio weight[5], error;
    } ab[5] = {{{{1, 1}}, {1, 2}},
               {{{7, 4}, {-3, 4}}, {1, 3}},
               {{{11, 4}, {-15, 4}, {2, 1}}, {41, 216}},
               {{{81, 22}, {-57, 7}, {61, 10}, {-246, 385}}, {3161, 25920}},
               {{{18551, 4180}, {-8861, 700}, {3563, 325}, {-14403, 7700}, {3161, 24700}},
                {14869, 155520}}},
      am[5] = {{{{1, 1}}, {-1, 2}},
               {{{1, 2}, {1, 2}}, {-1, 12}},
               {{{2, 5}, {3, 4}, {-3, 20}}, {-7, 216}},
               {{{41, 120}, {25, 24}, {-27, 40}, {7, 24}}, {-1, 80}},
               {{{3161, 10200}, {1699, 1320}, {-1917, 1400}, {499, 600}, {-1944, 32725}},
                {-13, 2160}}},
      gear[5] = {
          {{{1, 1}}, {-1, 2}},
          {{{25, 16}, {-9, 16}}, {-25, 144}},
          {{{50, 21}, {-18, 7}, {25, 21}}, {-25, 378}},
          {{{14450, 4587}, {-5202, 973}, {1445, 417}, {-2880, 10703}}, {-1445, 45036}},
          {{{1806250, 478401}, {-43350, 5341}, {180625, 29757}, {-45000, 58751}, {6936, 188461}},
           {-180625, 8899632}}};
    static const gt_ratio gear_b[5] = {{1, 1}, {5, 8}, {10, 21}, {170, 417}, {850, 2289}};
    for (int k = 1; k <= 5; k++) {
        gt_multistep_weights w[3];
        for (int family = 0; family < 3; family++)
            gt_multistep_weigh((gt_multistep_family)family, k, tau, &w[family]);
        for (int i = 0; i < k; i++) {
            double b = gt_ratio_value(ab[k - 1].weight[i]),
                   a = gt_ratio_value(gear[k - 1].weight[i]);
            assert_true(fabs(w[0].b[i + 1] - b) < 1e-14 * fmax(1, fabs(b)));
            assert_true(fabs(w[1].b[i] - gt_ratio_value(am[k - 1].weight[i])) < 1e-14);
            assert_true(fabs(w[2].a[i] - a) < 1e-14 * fmax(1, fabs(a)));
        }
        assert_true(fabs(w[2].b[0] - gt_ratio_value(gear_b[k - 1])) < 1e-14);
        assert_true(fabs(w[0].error - gt_ratio_value(ab[k - 1].error)) < 1e-14);
        assert_true(fabs(w[1].error - gt_ratio_value(am[k - 1].error)) < 1e-14);
        assert_true(fabs(w[2].error - gt_ratio_value(gear[k - 1].error)) < 1e-14);
    }
    /* Equal steps give the exact ones. */
    static const double equal[6] = {0, -1, -2, -3, -4, -5};
    for (int family = 0; family < 3; family++) {
        for (int k = 1; k <= 6; k++) {
            const gt_multistep *f = &tables[family][k - 1];
            gt_multistep_weights w;
            gt_multistep_weigh((gt_multistep_family)family, k, equal, &w);
            for (int i = 0; i < 6; i++) assert_true(fabs(w.a[i] - gt_ratio_value(f->a[i])) < 1e-13);
            for (int i = 0; i < 7; i++) assert_true(fabs(w.b[i] - gt_ratio_value(f->b[i])) < 1e-13);
            assert_true(fabs(w.error - gt_ratio_value(f->error)) < 1e-14);
        }
    }
}

/* Problem 9: order 6 with one choice of alpha, beta, gamma, and a root of rho at -(14 + sqrt(195)).
 */
static void problem_9(void **state)
{
    (void)state;
    gt_multistep f = {.order = 6,
                      .steps = 4,
                      .a = {{-28, 1}, {0, 1}, {28, 1}, {1, 1}},
                      .b = {{0, 1}, {12, 1}, {36, 1}, {12, 1}},
                      .error = {1, 35}};
    assert_order(&f);
    double companion[16] = {0}, roots[8], largest = 0;
    for (int i = 0; i < 4; i++)
        companion[4 * i] = gt_ratio_value(f.a[i]); /* first row, column major */
    for (int i = 0; i < 3; i++) companion[4 * i + i + 1] = 1;
    assert_int_equal(gt_eigen(4, companion, roots, NULL, NULL), GT_OK);
    for (int i = 0; i < 4; i++) largest = fmax(largest, hypot(roots[2 * i], roots[2 * i + 1]));
    assert_true(fabs(largest - 27.964240043768941) < 1e-10);
    /* All listed formulas are zero-stable: no root outside the unit circle, 1 the only one on it.
     */
    for (int order = 1; order <= 6; order++) {
        double c[36] = {0}, r[12];
        int on = 0;
        for (int i = 0; i < order; i++)
            c[order * i] = gt_ratio_value(gt_gear_formula[order - 1].a[i]);
        for (int i = 0; i < order - 1; i++) c[order * i + i + 1] = 1;
        assert_int_equal(gt_eigen((size_t)order, c, r, NULL, NULL), GT_OK);
        for (int i = 0; i < order; i++) {
            double magnitude = hypot(r[2 * i], r[2 * i + 1]);
            assert_true(magnitude < 1 + 1e-12);
            if (magnitude > 1 - 1e-9) on++;
        }
        assert_int_equal(on, 1);
    }
}

/* The first step from an exact value: its local error has at least the order k + 1, and so has its
 * estimate. */
static void the_start_has_the_order(void **state)
{
    (void)state;
    enum { SIZES = 6 };
    for (int family = 0; family < 3; family++) {
        for (int order = 1; order <= 6; order++) {
            bench_top b;
            double h = 0.1, size[SIZES], error[SIZES], estimate[SIZES], exact[2];
            if (order < 5)
                build(&b, "kpr", "w=3, G=-2");
            else
                build(&b, "linear2", "alpha=2, beta=0.4");
            bind_method(&b, method_of(family, order), NULL);
            for (int i = 0; i < SIZES; i++, h /= order < 4 ? 1.6 : 1.25) {
                gt_stepper_start(&b.s, 0, b.problem.x0);
                assert_int_equal(gt_stepper_try(&b.s, h, true), GT_OK);
                b.problem.exact(h, exact, b.problem.ctx);
                size[i] = h;
                error[i] = fmax(fabs(b.s.x_new[0] - exact[0]), fabs(b.s.x_new[1] - exact[1]));
                estimate[i] = fmax(fabs(b.s.err[0]), fabs(b.s.err[1]));
            }
            double slope = slope_of(size, error, SIZES, 5e-14),
                   of_estimate = slope_of(size, estimate, SIZES, 1e-12);
            if (!(slope > order + 0.65) || !(of_estimate > order + 0.3))
                fail_msg("%s: the first step has slope %.2f, its estimate %.2f", b.s.method->name,
                         slope, of_estimate);
            dismantle(&b);
        }
    }
}

/* Between the points of a running method the dense output has the order of the step. */
static void dense_output_has_the_order(void **state)
{
    (void)state;
    enum { SIZES = 5 };
    for (int family = 0; family < 3; family++) {
        for (int order = 1; order <= 6; order++) {
            bench_top b;
            double h = 0.06, size[SIZES], error[SIZES], exact[2], y[2];
            build(&b, "kpr", "w=3, G=-2");
            bind_method(&b, method_of(family, order), NULL);
            for (int i = 0; i < SIZES; i++, h /= 1.5) {
                b.problem.exact(0.3 - 7 * h, y, b.problem.ctx);
                gt_stepper_start(&b.s, 0.3 - 7 * h, y);
                for (int k = 0; k < 8; k++) { /* exact values as history */
                    assert_int_equal(gt_stepper_try(&b.s, h, false), GT_OK);
                    if (k < 7) b.problem.exact(b.s.t_new, b.s.x_new, b.problem.ctx);
                    if (k < 7) gt_stepper_accept(&b.s);
                }
                assert_int_equal(gt_stepper_interpolate(&b.s, 0.6, y), GT_OK);
                b.problem.exact(b.s.t + 0.6 * h, exact, b.problem.ctx);
                size[i] = h;
                error[i] = fmax(fabs(y[0] - exact[0]), fabs(y[1] - exact[1]));
                for (int end = 0; end <= 1; end++) {
                    const double *x = end ? b.s.x_new : b.s.x;
                    assert_int_equal(gt_stepper_interpolate(&b.s, end, y), GT_OK);
                    for (int c = 0; c < 2; c++)
                        assert_true(fabs(y[c] - x[c]) <= 8 * DBL_EPSILON * fabs(x[c]));
                }
            }
            double slope = slope_of(size, error, SIZES, 1e-14);
            if (!(slope > order + 0.6))
                fail_msg("%s: dense output has slope %.2f", b.s.method->name, slope);
            dismantle(&b);
        }
    }
}

static void both_solvers_agree(void **state)
{
    (void)state;
    for (int order = 1; order <= 6; order++) {
        bench_top b;
        gt_report r;
        double newton[3], fixed[3];
        build(&b, "lorenz", "");
        b.problem.t1 = 1;
        const gt_method *m = method_of(GT_ADAMS_MOULTON, order);
        assert_int_equal(gt_solve(&b.problem, m, &(gt_plan){.h = 0.002, .x_end = newton}, &r),
                         GT_OK);
        gt_status status =
            gt_solve(&b.problem, m,
                     &(gt_plan){.h = 0.002, .x_end = fixed, .options = "solver=fixedpoint"}, &r);
        if (status) fail_msg("am%d: %s", order, r.message.text);
        assert_int_equal(r.stats.jacobians, 0);
        /* The starts differ, backward and forward, by the local error of order k + 1. */
        for (int i = 0; i < 3; i++)
            assert_true(fabs(newton[i] - fixed[i]) < (order < 3 ? 2e-2 : 2e-6));
        gt_arena_free(&b.arena);
        build(&b, "stiff2", "");
        status = gt_solve(&b.problem, m, &(gt_plan){.h = 0.1, .options = "solver=fixedpoint"}, &r);
        assert_int_equal(status, GT_NEWTON_FAILED);
        assert_non_null(strstr(r.message.text, "diverges"));
        assert_non_null(strstr(r.message.text, "solver=newton"));
        gt_arena_free(&b.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exactness_constraints_hold),
        cmocka_unit_test(examples_5_2_to_5_4),
        cmocka_unit_test(real_limits),
        cmocka_unit_test(weights_for_unequal_steps),
        cmocka_unit_test(problem_9),
        cmocka_unit_test(the_start_has_the_order),
        cmocka_unit_test(dense_output_has_the_order),
        cmocka_unit_test(both_solvers_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
