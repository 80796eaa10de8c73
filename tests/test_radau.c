/* SPDX-License-Identifier: BSD-3-Clause */
/* What is special about radau: its numbers, dense output, stiff order, damping, algebraic
 * equations, mass matrices. */
#include "kit/radau.h"
#include "methods_kit.h"

enum { MOST = GT_RADAU_STAGES };

/* L_j'(x) of the Lagrange polynomials on 0, c_1, .., c_s; j = 1..s. */
static double lagrange_slope(const gt_radau_numbers *p, int j, double x)
{
    double node[MOST + 1] = {0}, sum = 0;
    for (int i = 0; i < p->stages; i++) node[i + 1] = p->c[i];
    for (int k = 0; k <= p->stages; k++) {
        if (k == j) continue;
        double product = 1 / (node[j] - node[k]);
        for (int m = 0; m <= p->stages; m++)
            if (m != j && m != k) product *= (x - node[m]) / (node[j] - node[m]);
        sum += product;
    }
    return sum;
}

/* A = (T Lambda T^-1)^-1 = T Lambda^-1 T^-1, with the blocks of r = 1/lambda. */
static void matrix_of(const gt_radau_numbers *p, bool inverse, double A[MOST][MOST])
{
    int s = p->stages;
    double product[MOST][MOST];
    for (int j = 0; j < s; j++)
        for (int m = 0; m < s; m++) {
            int pair = (m + 1) / 2;
            double complex r = p->r_re[pair] + p->r_im[pair] * I;
            if (inverse) r = 1 / r;
            if (m == 0) {
                product[0][j] = creal(r) * p->T_inverse[0][j];
            } else {
                int first = 2 * pair - 1;
                double complex w = r * (p->T_inverse[first][j] + p->T_inverse[first + 1][j] * I);
                product[m][j] = m == first ? creal(w) : cimag(w);
            }
        }
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++) {
            A[i][j] = 0;
            for (int m = 0; m < s; m++) A[i][j] += p->T[i][m] * product[m][j];
        }
}

/* The nodes are zeros of the Radau polynomial P_s - P_(s-1) on [0, 1], by the recurrence of
 * Legendre's. */
static void nodes_are_those_of_radau(void **state)
{
    (void)state;
    for (int f = 0; f < GT_RADAU_FORMULAS; f++) {
        const gt_radau_numbers *p = &gt_radau_table[f];
        for (int i = 0; i < p->stages; i++) {
            double x = 2 * p->c[i] - 1, before = 1, now = x;
            for (int k = 1; k < p->stages; k++) {
                double next = ((2 * k + 1) * x * now - k * before) / (k + 1);
                before = now;
                now = next;
            }
            assert_within(now - before, 0, 2e-14, "P_s - P_(s-1)");
        }
        assert_true(p->c[p->stages - 1] == 1);
    }
}

/* T diagonalises A^-1 = (L_j'(c_i)), T_inverse is its inverse, and start_slope is (L_j'(0)). */
static void numbers_follow_from_the_nodes(void **state)
{
    (void)state;
    for (int f = 0; f < GT_RADAU_FORMULAS; f++) {
        const gt_radau_numbers *p = &gt_radau_table[f];
        double A_inverse[MOST][MOST];
        matrix_of(p, true, A_inverse);
        for (int i = 0; i < p->stages; i++) {
            for (int j = 0; j < p->stages; j++) {
                double identity = 0;
                for (int m = 0; m < p->stages; m++) identity += p->T[i][m] * p->T_inverse[m][j];
                assert_within(identity, i == j, 2e-13, "T T^-1");
                assert_within(A_inverse[i][j], lagrange_slope(p, j + 1, p->c[i]), 1e-11, "A^-1");
            }
            assert_within(p->start_slope[i], lagrange_slope(p, i + 1, 0), 1e-12, "L_j'(0)");
            assert_true(p->T[p->stages - 1][i] == (i == 0 || i % 2));
        }
    }
}

/* B(2s-1): sum b_i c_i^(k-1) = 1/k. C(s): sum a_ij c_j^(k-1) = c_i^k/k. D(s-1): sum b_i c_i^(k-1)
 * a_ij = b_j (1 - c_j^k)/k. With b_i = a_si they make the order 2s - 1 (Butcher; Hairer, Wanner II,
 * IV.5.1). */
static void order_conditions_hold(void **state)
{
    (void)state;
    for (int f = 0; f < GT_RADAU_FORMULAS; f++) {
        const gt_radau_numbers *p = &gt_radau_table[f];
        int s = p->stages;
        double A[MOST][MOST];
        matrix_of(p, false, A);
        const double *b = A[s - 1];
        for (int k = 1; k <= 2 * s - 1; k++) {
            double sum = 0;
            for (int i = 0; i < s; i++) sum += b[i] * pow(p->c[i], k - 1);
            assert_within(sum, 1.0 / k, 1e-14, "B");
            for (int i = 0; i < s && k <= s; i++) {
                sum = 0;
                for (int j = 0; j < s; j++) sum += A[i][j] * pow(p->c[j], k - 1);
                assert_within(sum, pow(p->c[i], k) / k, 1e-14, "C");
            }
            for (int j = 0; j < s && k <= s - 1; j++) {
                sum = 0;
                for (int i = 0; i < s; i++) sum += b[i] * pow(p->c[i], k - 1) * A[i][j];
                assert_within(sum, b[j] * (1 - pow(p->c[j], k)) / k, 1e-14, "D");
            }
        }
    }
}

/* The polynomial has degree s: inside one step from exact values it is off by O(h^(s+1)). */
static void dense_output_has_the_order_of_the_stages(void **state)
{
    (void)state;
    enum { SIZES = 6 };
    static const struct {
        const char *options;
        int stages;
        double h;
    } cases[] = {{"order=1, newton_tol=1e-14", 1, 0.2},
                 {"order=5, newton_tol=1e-14", 3, 0.4},
                 {"order=9, newton_tol=1e-14", 5, 0.6},
                 {"order=13, newton_tol=1e-14", 7, 0.8}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        bench_top b;
        double h[SIZES], error[SIZES];
        build(&b, "kaps", "eps=1");
        bind_method(&b, gt_method_find("radau"), cases[c].options);
        for (int i = 0; i < SIZES; i++) {
            h[i] = cases[c].h / pow(1.2, i);
            error[i] = error_inside_a_step(&b, 0.1, h[i]);
        }
        double slope = slope_of(h, error, SIZES, 2e-14);
        if (!(fabs(slope - (cases[c].stages + 1)) < 0.75))
            fail_msg("%s: inside a step the error has slope %.2f", cases[c].options, slope);
        dismantle(&b);
    }
}

/* Errors at the end over shrinking steps, on a nonlinear problem. */
static void order_holds_beyond_linear_problems(void **state)
{
    (void)state;
    enum { SIZES = 5 };
    static const struct {
        const char *options;
        int order, steps;
    } cases[] = {{"order=1", 1, 40}, {"order=5", 5, 8}, {"order=9", 9, 2}, {"", 5, 8}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        bench_top b;
        double h[SIZES], error[SIZES], exact[2], x[2];
        build(&b, "kaps", "eps=0.3");
        b.problem.t1 = 3;
        b.problem.exact(3, exact, b.problem.ctx);
        for (int i = 0; i < SIZES; i++) {
            gt_report report;
            char options[64];
            snprintf(options, sizeof options, "%s%snewton_tol=1e-14", cases[c].options,
                     *cases[c].options ? ", " : "");
            h[i] = 3.0 / (cases[c].steps + i * (cases[c].order < 9 ? cases[c].steps : 1));
            gt_plan plan = {.h = h[i], .x_end = x, .options = options};
            assert_int_equal(gt_solve(&b.problem, gt_method_find("radau"), &plan, &report), GT_OK);
            error[i] = fmax(fabs(x[0] - exact[0]), fabs(x[1] - exact[1]));
        }
        double slope = slope_of(h, error, SIZES, 1e-13);
        if (!(fabs(slope - cases[c].order) < 0.5))
            fail_msg("%s: order %.2f", cases[c].options, slope);
        gt_arena_free(&b.arena);
    }
}

/* L-stable at every order, and |R| <= 1 on the imaginary axis. */
static void it_damps_what_is_stiff(void **state)
{
    (void)state;
    const gt_method *m = gt_method_find("radau");
    for (int order = RADAU_VARIABLE; order <= RADAU_13; order++) {
        double complex R;
        gt_values v = gt_params_default(m->options);
        v.v[0] = order;
        for (double y = 0.01; y < 1e4; y *= 1.3) {
            assert_int_equal(gt_amplification(m, v.v, y * I, &R), GT_OK);
            assert_true(cabs(R) <= 1 + 1e-12);
        }
        assert_int_equal(gt_amplification(m, v.v, -1e10, &R), GT_OK);
        assert_true(cabs(R) < 1e-8);
    }
}

/* A mass on a belt with friction that is smoothed, t = 30. */
static int stick_slip(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    double w = 0.1 - x[1];
    dx[0] = x[1];
    dx[1] = -x[0] + (0.3 + 0.2 * exp(-100 * w * w)) * tanh(1e4 * w);
    return 0;
}

static int stick_slip_jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    (void)t, (void)ctx;
    double w = 0.1 - x[1], bump = 0.2 * exp(-100 * w * w), side = tanh(1e4 * w);
    *gt_matrix_at(J, 0, 1) = 1;
    *gt_matrix_at(J, 1, 0) = -1;
    *gt_matrix_at(J, 1, 1) = 200 * w * bump * side - (0.3 + bump) * 1e4 * (1 - side * side);
    return 0;
}

/* Where Newton's iteration fails the trial after it is as long as the rate allows, and later steps
 * grow from there: RADAU5 takes 2,003 and 2,893 calls of f here for errors of 9e-7 and 7e-8. A
 * quarter of the step, and order 13 kept, took 3,046 and 6,032. */
static void failures_of_newton_cost_little(void **state)
{
    (void)state;
    gt_problem p = {
        .n_fast = 2, .t1 = 30, .x0 = (double[]){0, 0}, .rhs = stick_slip, .jac = stick_slip_jac};
    const double tol[] = {1e-6, 1e-8}, most[] = {2600, 4800}, error[] = {1e-5, 1e-7};
    double exact[2], x[2];
    gt_report report;
    gt_plan tight = {.rtol = 1e-12, .atol = 1e-12, .x_end = exact}, plan = {.x_end = x};
    assert_int_equal(gt_solve(&p, gt_method_find("rodas5"), &tight, &report), GT_OK);
    for (int k = 0; k < 2; k++) {
        plan.rtol = plan.atol = tol[k];
        assert_int_equal(gt_solve(&p, gt_method_find("radau"), &plan, &report), GT_OK);
        if ((double)report.stats.rhs > most[k])
            fail_msg("%ld calls at %g", report.stats.rhs, tol[k]);
        for (int i = 0; i < 2; i++) assert_within(x[i], exact[i], error[k], "stick-slip");
    }
}

/* u' = -l u + cos t, l = 1000/(1 + t)^2, falls by a part in each step: J at its beginning is off by
 * all of that part at its end. Where it is taken in the middle, a fifth of the 245 iterations is
 * saved. */
static int fading(double t, const double *x, double *dx, void *ctx)
{
    (void)ctx;
    double l = 1000 / ((1 + t) * (1 + t));
    dx[0] = -l * x[0] + cos(t) - x[0] * x[0];
    return 0;
}

static int fading_jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    (void)ctx;
    *gt_matrix_at(J, 0, 0) = -1000 / ((1 + t) * (1 + t)) - 2 * x[0];
    return 0;
}

static void jacobians_are_of_the_middle_of_the_step(void **state)
{
    (void)state;
    gt_problem p = {.n_fast = 1, .t1 = 20, .x0 = (double[]){1}, .rhs = fading, .jac = fading_jac};
    gt_report report;
    gt_plan plan = {.rtol = 1e-6, .atol = 1e-6};
    assert_int_equal(gt_solve(&p, gt_method_find("radau"), &plan, &report), GT_OK);
    if (report.stats.newton > 215) fail_msg("%ld iterations", report.stats.newton);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_are_those_of_radau),
        cmocka_unit_test(numbers_follow_from_the_nodes),
        cmocka_unit_test(order_conditions_hold),
        cmocka_unit_test(dense_output_has_the_order_of_the_stages),
        cmocka_unit_test(order_holds_beyond_linear_problems),
        cmocka_unit_test(it_damps_what_is_stiff),
        cmocka_unit_test(failures_of_newton_cost_little),
        cmocka_unit_test(jacobians_are_of_the_middle_of_the_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
