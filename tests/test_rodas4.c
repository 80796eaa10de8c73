/* SPDX-License-Identifier: BSD-3-Clause */
/* What is special about rodas4: order on nonlinear and time-dependent problems, dense output, damping, cost. */
#include "methods_kit.h"

/* Errors at the end over shrinking steps: nonlinear without t, and with t on the right-hand side. */
static void order_4_holds_beyond_linear_problems(void **state)
{
    (void)state;
    static const struct {
        const char *model, *parameters;
    } cases[] = {{"kaps", "eps=1"}, {"crow_p2", ""}};
    enum { SIZES = 5 };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bench_top b;
        double h[SIZES], error[SIZES], exact[2], x[2];
        build(&b, cases[k].model, cases[k].parameters);
        b.problem.t1 = 2;
        b.problem.exact(2, exact, b.problem.ctx);
        for (int i = 0; i < SIZES; i++) {
            gt_report report;
            h[i] = 0.1 / (1 << i);
            assert_int_equal(gt_solve(&b.problem, gt_method_find("rodas4"), &(gt_plan){.h = h[i], .x_end = x}, &report),
                             GT_OK);
            error[i] = fmax(fabs(x[0] - exact[0]), fabs(x[1] - exact[1]));
        }
        double slope = slope_of(h, error, SIZES, 1e-11);
        if (!(fabs(slope - 4) < 0.3)) fail_msg("%s: order %.2f", cases[k].model, slope);
        gt_arena_free(&b.arena);
    }
}

/* Inside one step from exact values, dense output of order 3 is off by O(h^4). */
static void dense_output_has_order_3(void **state)
{
    (void)state;
    enum { SIZES = 5 };
    bench_top b;
    double h[SIZES], error[SIZES];
    build(&b, "kaps", "eps=1");
    bind_method(&b, gt_method_find("rodas4"), "");
    for (int i = 0; i < SIZES; i++) {
        h[i] = 0.2 / (1 << i);
        error[i] = error_inside_a_step(&b, 0.1, h[i]);
    }
    double slope = slope_of(h, error, SIZES, 1e-15);
    if (!(slope > 3.7)) fail_msg("inside a step the error has slope %.2f", slope);
    dismantle(&b);
}

/* L-stable: R vanishes at infinity, and is nowhere above 1 on the imaginary axis. */
static void it_damps_what_is_stiff(void **state)
{
    (void)state;
    const gt_method *m = gt_method_find("rodas4");
    double complex R;
    for (double y = 0.01; y < 1e4; y *= 1.3) {
        assert_int_equal(gt_amplification(m, NULL, y * I, &R), GT_OK);
        assert_true(cabs(R) <= 1 + 1e-12);
    }
    assert_int_equal(gt_amplification(m, NULL, -1e10, &R), GT_OK);
    assert_true(cabs(R) < 1e-8);
}

/* A Jacobian an accepted point, also when trials are repeated from it; factors and six evaluations a trial. */
static void a_step_costs_one_jacobian_and_one_factorisation(void **state)
{
    (void)state;
    bench_top b;
    gt_report report;
    build(&b, "vanderpol", "mu=100");
    b.problem.t1 = 200;
    assert_int_equal(gt_solve(&b.problem, gt_method_find("rodas4"), &(gt_plan){.rtol = 1e-5}, &report), GT_OK);
    const gt_stats *s = &report.stats;
    assert_true(s->rejected > 0);
    assert_int_equal(s->jacobians, s->steps);
    assert_int_equal(s->factorizations, s->steps + s->rejected);
    gt_arena_free(&b.arena);
}

typedef struct watch {
    double first, last; /* times at which f was asked for */
} watch;

static gt_status watched(double t, const double *x, double *dx, void *ctx)
{
    watch *w = ctx;
    w->first = fmin(w->first, t);
    w->last = fmax(w->last, t);
    dx[0] = -50 * (x[0] - cos(t)) - sin(t);
    return GT_OK;
}

/* f_t is a difference, whose other point lies in the interval however large t is. */
static void f_is_not_asked_for_outside_the_interval(void **state)
{
    (void)state;
    static const double starts[] = {0, -3, 1e6, 1.6e9};
    const double x0[] = {1};
    for (size_t k = 0; k < sizeof starts / sizeof *starts; k++) {
        watch w = {INFINITY, -INFINITY};
        gt_problem p = {.n_slow = 1, .rhs = watched, .ctx = &w, .x0 = x0, .t0 = starts[k], .t1 = starts[k] + 10};
        gt_report report;
        assert_int_equal(gt_solve(&p, gt_method_find("rodas4"), &(gt_plan){.rtol = 1e-6}, &report), GT_OK);
        assert_true(w.first >= p.t0 && w.last <= p.t1);
        assert_true(report.stats.steps < 10000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_4_holds_beyond_linear_problems),
        cmocka_unit_test(dense_output_has_order_3),
        cmocka_unit_test(it_damps_what_is_stiff),
        cmocka_unit_test(f_is_not_asked_for_outside_the_interval),
        cmocka_unit_test(a_step_costs_one_jacobian_and_one_factorisation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
