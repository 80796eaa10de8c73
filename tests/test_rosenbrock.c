/* SPDX-License-Identifier: BSD-3-Clause */
/* What is special about Rosenbrock methods: order on nonlinear, time-dependent, forced stiff and
 * algebraic problems, dense output, damping, cost. */
#include "methods_kit.h"

/* All of the family, from the list. */
static const gt_method *member(size_t i)
{
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        gt_values v = gt_params_default((*m)->options);
        if (gt_method_facts(*m, v.v).kind == GT_KIND_LINEARLY_IMPLICIT && i-- == 0) return *m;
    }
    return NULL;
}

static int order_of(const gt_method *m)
{
    gt_values v = gt_params_default(m->options);
    return gt_method_facts(m, v.v).order;
}

/* From errors at halved steps, up to the last that is above the floor. */
static double measured(const double *error, int count, double floor)
{
    int last = 0;
    while (last + 1 < count && error[last + 1] > floor) last++;
    return last ? log2(error[0] / error[last]) / last : NAN;
}

/* Errors at the end over shrinking steps: nonlinear without t, and with t on the right-hand side.
 */
static void order_holds_beyond_linear_problems_of(const gt_method *method)
{
    static const struct {
        const char *model, *parameters;
        double floor; /* of errors: round-off, or what is wrong with f_t, which is a difference */
    } cases[] = {{"kaps", "eps=1", 1e-12}, {"crow_p2", "", 1e-10}};
    enum { SIZES = 5 };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bench_top b;
        double h[SIZES], error[SIZES], exact[2], x[2];
        build(&b, cases[k].model, cases[k].parameters);
        b.problem.t1 = 2;
        b.problem.exact(2, exact, b.problem.ctx);
        for (int i = 0; i < SIZES; i++) {
            gt_report report;
            h[i] = (order_of(method) > 4 ? 0.4 : 0.1) / (1 << i);
            assert_int_equal(
                gt_solve(&b.problem, method, &(gt_plan){.h = h[i], .x_end = x}, &report), GT_OK);
            error[i] = fmax(fabs(x[0] - exact[0]), fabs(x[1] - exact[1]));
        }
        double order = measured(error, SIZES, cases[k].floor);
        if (!(order > order_of(method) - 0.4))
            fail_msg("%s on %s: order %.2f", method->name, cases[k].model, order);
        gt_arena_free(&b.arena);
    }
}

static void order_holds_beyond_linear_problems(void **state)
{
    (void)state;
    for (size_t i = 0; member(i); i++) order_holds_beyond_linear_problems_of(member(i));
    assert_true(member(2) != NULL);
}

/* x' = z, 0 = z - x + x^3 - (p - p^3 - p'), z = p' for x = p = 1 + sin(t)/2: f_t is not 0 in the
 * algebraic row. */
static gt_status algebraic(double t, const double *x, double *dx, void *ctx)
{
    (void)ctx;
    double p = 1 + sin(t) / 2, slope = cos(t) / 2;
    dx[0] = x[1];
    dx[1] = x[1] + x[0] * x[0] * x[0] - x[0] - (slope + p * p * p - p);
    return GT_OK;
}

/* The same x in 2 x0' + x1' = .., x0' + 3 x1' = .. with x1 = cos t: a mass matrix that is not
 * diagonal. */
static gt_status with_mass(double t, const double *x, double *dx, void *ctx)
{
    (void)ctx;
    double p = 1 + sin(t) / 2, q = cos(t), dp = cos(t) / 2, dq = -sin(t);
    double a = dp + p - x[0] + x[0] * x[1] - p * q, b = dq + 2 * (q - x[1]);
    dx[0] = 2 * a + b;
    dx[1] = a + 3 * b;
    return GT_OK;
}

/* Rosenbrock methods of this family are meant for index 1 and constant mass matrices; both were
 * refused. */
static void order_holds_with_algebraic_rows_and_mass(void **state)
{
    (void)state;
    enum { SIZES = 4 };
    double values[] = {2, 1, 1, 3};
    gt_matrix mass = {.n = 2, .pattern = {.storage = GT_DENSE}, .values = values};
    for (size_t i = 0; member(i); i++)
        for (int kind = 0; kind < 2; kind++) {
            const double starts[2][2] = {{1, 0.5}, {1, 1}};
            gt_problem p = {.n_slow = kind ? 2 : 1,
                            .n_alg = !kind,
                            .rhs = kind ? with_mass : algebraic,
                            .mass = kind ? &mass : NULL,
                            .x0 = starts[kind],
                            .t1 = 2};
            double h[SIZES], error[SIZES], x[2];
            for (int k = 0; k < SIZES; k++) {
                gt_report report;
                h[k] = 0.2 / (1 << k);
                gt_status status =
                    gt_solve(&p, member(i), &(gt_plan){.h = h[k], .x_end = x}, &report);
                if (status) fail_msg("%s: %s", member(i)->name, report.message.text);
                error[k] = fabs(x[0] - (1 + sin(2.) / 2));
            }
            double order = measured(error, SIZES, 1e-10);
            if (!(order > order_of(member(i)) - 0.4))
                fail_msg("%s, %s: order %.2f", member(i)->name,
                         kind ? "mass matrix" : "algebraic row", order);
        }
}

/* Prothero and Robinson: x' = lambda (x - p) + p', z beside it, damped with 1e6. */
static gt_status forced(double t, const double *x, double *dx, void *ctx)
{
    (void)ctx;
    dx[0] = -1e6 * (x[0] - sin(t)) + cos(t);
    dx[1] = -1e5 * (x[1] - cos(t)) - sin(t);
    return GT_OK;
}

/* Where fast modes are forced rodas4 loses its order; those made for it take a tenth of its steps
 * and less. */
static void forced_stiff_modes_keep_the_order(void **state)
{
    (void)state;
    static const double x0[] = {0, 1};
    gt_problem p = {.n_slow = 2, .rhs = forced, .x0 = x0, .t1 = 5};
    long steps[3];
    static const char *const names[] = {"rodas4", "rodas4p", "rodas5"};
    for (int k = 0; k < 3; k++) {
        gt_report report;
        double x[2];
        gt_plan plan = {.rtol = 1e-8, .atol = 1e-8, .x_end = x};
        assert_int_equal(gt_solve(&p, gt_method_find(names[k]), &plan, &report), GT_OK);
        steps[k] = report.stats.steps;
        if (!(fabs(x[0] - sin(5.)) < 1e-6)) fail_msg("%s: error %g", names[k], x[0] - sin(5.));
    }
    if (!(steps[1] < 1500 && steps[2] < 1500))
        fail_msg("%ld, %ld and %ld steps", steps[0], steps[1], steps[2]);
}

/* Inside one step from exact values, dense output of order p - 1 is off by O(h^p). */
static void dense_output_has_its_order_of(const gt_method *method)
{
    enum { SIZES = 5 };
    bench_top b;
    double h[SIZES], error[SIZES];
    build(&b, "kaps", "eps=1");
    bind_method(&b, method, "");
    for (int i = 0; i < SIZES; i++) {
        h[i] = 0.2 / (1 << i);
        error[i] = error_inside_a_step(&b, 0.1, h[i]);
    }
    double slope = slope_of(h, error, SIZES, 1e-15);
    if (!(slope > order_of(method) - 0.3))
        fail_msg("%s: inside a step the error has slope %.2f", method->name, slope);
    dismantle(&b);
}

static void dense_output_has_its_order(void **state)
{
    (void)state;
    for (size_t i = 0; member(i); i++) dense_output_has_its_order_of(member(i));
}

/* L-stable: R vanishes at infinity, and is nowhere above 1 on the imaginary axis. */
static void it_damps_what_is_stiff(void **state)
{
    (void)state;
    double complex R;
    for (size_t i = 0; member(i); i++) {
        for (double y = 0.01; y < 1e4; y *= 1.3) {
            assert_int_equal(gt_amplification(member(i), NULL, y * I, &R), GT_OK);
            if (!(cabs(R) <= 1 + 1e-10))
                fail_msg("%s: |R| = 1 + %g at %g i", member(i)->name, cabs(R) - 1, y);
        }
        assert_int_equal(gt_amplification(member(i), NULL, -1e10, &R), GT_OK);
        assert_true(cabs(R) < 1e-8);
    }
}

/* A Jacobian an accepted point, also when trials are repeated from it; factors and six evaluations
 * a trial. */
static void a_step_costs_one_jacobian_and_one_factorisation(void **state)
{
    (void)state;
    bench_top b;
    gt_report report;
    build(&b, "vanderpol", "mu=100");
    b.problem.t1 = 200;
    assert_int_equal(
        gt_solve(&b.problem, gt_method_find("rodas4"), &(gt_plan){.rtol = 1e-5}, &report), GT_OK);
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
        gt_problem p = {.n_slow = 1,
                        .rhs = watched,
                        .ctx = &w,
                        .x0 = x0,
                        .t0 = starts[k],
                        .t1 = starts[k] + 10};
        gt_report report;
        /* Where x passes zero it is as good as t is. */
        gt_plan plan = {.rtol = 1e-6, .atol = 1e-6 + 16 * DBL_EPSILON * fabs(p.t0)};
        assert_int_equal(gt_solve(&p, gt_method_find("rodas4"), &plan, &report), GT_OK);
        assert_true(w.first >= p.t0 && w.last <= p.t1);
        assert_true(report.stats.steps < 10000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_holds_beyond_linear_problems),
        cmocka_unit_test(order_holds_with_algebraic_rows_and_mass),
        cmocka_unit_test(forced_stiff_modes_keep_the_order),
        cmocka_unit_test(dense_output_has_its_order),
        cmocka_unit_test(it_damps_what_is_stiff),
        cmocka_unit_test(f_is_not_asked_for_outside_the_interval),
        cmocka_unit_test(a_step_costs_one_jacobian_and_one_factorisation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
