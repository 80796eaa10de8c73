/* SPDX-License-Identifier: BSD-3-Clause */
/* Steady states and linear models against values known from elsewhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <geartrain/author/author.h>
#include <geartrain/geartrain.h>
#include <math.h>
#include <string.h>

static void near(double value, double expected, double relative)
{
    if (!(fabs(value - expected) <= relative * fmax(fabs(expected), 1e-300)))
        fail_msg("%.17g is not %.17g to %g", value, expected, relative);
}

static gt_problem build(const char *model, const char *parameters, gt_arena *arena)
{
    gt_problem p;
    gt_message m = {{0}};
    if (gt_model_build(gt_model_find(model), parameters, &p, arena, &m))
        fail_msg("%s: %s", model, m.text);
    return p;
}

static gt_equilibrium_report settle(const gt_problem *p, double *x)
{
    gt_equilibrium_report report;
    if (gt_equilibrium(p, p->t0, x, NULL, &report)) fail_msg("%s", report.message.text);
    return report;
}

static gt_linearization linear_at(const gt_problem *p, const double *x, gt_arena *arena)
{
    gt_linearization l;
    gt_message m = {{0}};
    if (gt_linearize(p, p->t0, x, &l, arena, &m)) fail_msg("%s", m.text);
    return l;
}

static void test_lorenz(void **state)
{
    (void)state;
    gt_arena arena = gt_arena_growing();
    gt_problem p = build("lorenz", "", &arena);
    double c = sqrt(4.0 * 27.0), x[3] = {9, 11, 25};
    for (int by_differences = 0; by_differences < 2; by_differences++) {
        if (by_differences) p.jac = NULL;
        memcpy(x, (const double[]){9, 11, 25}, sizeof x);
        gt_equilibrium_report report = settle(&p, x);
        near(x[0], c, 1e-12), near(x[1], c, 1e-12), near(x[2], 27, 1e-12);
        assert_true(report.residual < 1e-11 && report.iterations < 12 && !report.transient_steps &&
                    !report.singular);
        gt_linearization l = linear_at(&p, x, &arena);
        double tol = by_differences ? 1e-6 : 1e-12;
        near(l.modes[0].re, -0.1633517011507606, by_differences ? 1e-5 : 1e-12);
        near(l.modes[0].im, 12.131755862210703, tol);
        near(l.modes[1].im, -12.131755862210703, tol);
        near(l.modes[2].re, -14.673296597698474, tol);
        near(l.modes[0].frequency_hz, 12.131755862210703 / (2 * acos(-1.0)), tol);
        near(l.modes[0].damping_ratio,
             0.1633517011507606 / hypot(0.1633517011507606, 12.131755862210703), 1e-5);
        near(l.modes[2].time_constant, 1 / 14.673296597698474, tol);
    }
    double negative[3] = {-9, -11, 25};
    settle(&p, negative);
    near(negative[0], -c, 1e-12);
    gt_arena_free(&arena);
}

static void test_predator_prey(void **state)
{
    (void)state;
    gt_arena arena = gt_arena_growing();
    gt_problem p = build("predator_prey", "", &arena);
    double x[2] = {p.x0[0], p.x0[1]};
    settle(&p, x);
    near(x[0], 25, 1e-12), near(x[1], 100, 1e-12);
    gt_linearization l = linear_at(&p, x, &arena);
    assert_true(fabs(l.modes[0].re) < 1e-14 && l.modes[0].im > 0); /* a centre */
    gt_arena_free(&arena);
}

static void test_crow_p8(void **state)
{
    (void)state;
    gt_arena arena = gt_arena_growing();
    gt_problem p = build("crow_p8", "", &arena);
    double x[2] = {p.x0[0], p.x0[1]};
    settle(&p, x);
    near(x[0], 100.005, 1e-9), near(x[1], 100.01, 1e-9);
    gt_linearization l = linear_at(&p, x, &arena);
    near(l.modes[0].re, -0.99990000000099999998, 1e-11);
    near(l.modes[1].re, -10001.000099999999, 1e-12);
    gt_arena_free(&arena);
}

static void test_stiff3c(void **state)
{
    (void)state;
    gt_arena arena = gt_arena_growing();
    gt_problem p = build("stiff3c", "", &arena);
    gt_linearization l = linear_at(&p, p.x0, &arena);
    near(l.modes[0].re, -0.9787704982276123, 1e-11);
    near(l.modes[1].re, -42.510614750886194, 1e-11);
    near(l.modes[1].im, 67.0420119204545, 1e-11);
    assert_true(l.modes[2].im == -l.modes[1].im);
    gt_arena_free(&arena);
}

/* Robertson's reactions keep y1 + y2 + y3; what the start has, the steady state must have. */
static void test_conserved(void **state)
{
    (void)state;
    gt_arena arena = gt_arena_growing();
    gt_problem p = build("robertson", "", &arena);
    double x[3] = {p.x0[0], p.x0[1], p.x0[2]};
    gt_equilibrium_report report = settle(&p, x);
    assert_true(report.singular && report.transient_steps > 0);
    assert_true(fabs(x[0] + x[1] + x[2] - 1) < 1e-6 && fabs(x[2] - 1) < 1e-6);
    if (!strstr(report.note.text, "y1 + y2 + y3")) fail_msg("%s", report.note.text);
    gt_arena_free(&arena);
}

/* a <-> b at rates 1 and 3: a + b stays, a = 3/4, b = 1/4 of it. */
static gt_status exchange(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = -x[0] + 3 * x[1];
    dx[1] = x[0] - 3 * x[1];
    return GT_OK;
}

static void test_exchange(void **state)
{
    (void)state;
    double x[2] = {2, 6};
    const gt_problem p = {.n_slow = 2, .rhs = exchange, .t1 = 1, .x0 = x};
    gt_equilibrium_report report = settle(&p, x);
    assert_true(report.singular);
    near(x[0], 6, 1e-7), near(x[1], 2, 1e-7);
    assert_non_null(strstr(report.note.text, "x1 + x2"));
}

/* atan(4 x) = 0 from x = 3: undamped Newton runs away. */
static gt_status arctangent(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = -atan(4 * x[0]);
    return GT_OK;
}

static void test_damping(void **state)
{
    (void)state;
    double x[1] = {3};
    const gt_problem p = {.n_slow = 1, .rhs = arctangent, .t1 = 1, .x0 = x};
    settle(&p, x);
    assert_true(fabs(x[0]) < 1e-12);
}

/* x^2 + 1 has no root; NaN at the guess is another thing. */
static gt_status rootless(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = x[0] * x[0] + 1;
    dx[1] = 1 - sqrt(x[1]);
    return GT_OK;
}

static void test_failures(void **state)
{
    (void)state;
    const char *const names[2] = {"run", "level"};
    double x[2] = {2, 4};
    gt_problem p = {.n_slow = 2, .rhs = rootless, .t1 = 1, .x0 = x, .names = names};
    gt_equilibrium_report report;
    gt_status status = gt_equilibrium(&p, 0, x, NULL, &report);
    assert_true(status == GT_NEWTON_FAILED || status == GT_SINGULAR);
    if (!strstr(report.message.text, "equation of run")) fail_msg("%s", report.message.text);
    x[1] = -1;
    assert_int_equal(gt_equilibrium(&p, 0, x, NULL, &report), GT_NOT_FINITE);
    if (!strstr(report.message.text, "equation of level")) fail_msg("%s", report.message.text);
    p.rhs = NULL;
    assert_int_equal(gt_equilibrium(&p, 0, x, NULL, &report), GT_BAD_ARGUMENT);
}

/*
 * x1' = -x1 + 2 y, x2' = 3 x1 - 4 x2 + y, 0 = x1 + 5 x2 - 2 y: y = (x1 + 5 x2)/2,
 * so A = [-1+1, 5; 3+1/2, -4+5/2] = [0, 5; 3.5, -1.5].
 */
static gt_status with_algebraic(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = -x[0] + 2 * x[2];
    dx[1] = 3 * x[0] - 4 * x[1] + x[2];
    dx[2] = x[0] + 5 * x[1] - 2 * x[2];
    return GT_OK;
}

static void test_elimination(void **state)
{
    (void)state;
    gt_arena arena = gt_arena_growing();
    double x[3] = {0}, M[3] = {1, 2, 0};
    gt_matrix mass = {.n = 3, .pattern = {.storage = GT_BANDED}, .values = M};
    const double A[4] = {0, 3.5, 5, -1.5};
    gt_problem p = {.n_slow = 2, .n_alg = 1, .rhs = with_algebraic, .t1 = 1, .x0 = x};
    gt_linearization l = linear_at(&p, x, &arena);
    assert_int_equal(l.n, 2);
    for (size_t k = 0; k < 4; k++) assert_true(fabs(l.A[k] - A[k]) < 1e-6);
    /* The same row told algebraic by a zero in the mass matrix, and the second one divided by 2. */
    p.n_slow = 3, p.n_alg = 0, p.mass = &mass;
    l = linear_at(&p, x, &arena);
    assert_int_equal(l.n, 2);
    for (size_t k = 0; k < 4; k++) assert_true(fabs(l.A[k] - A[k] / (k % 2 ? 2 : 1)) < 1e-6);
    double y[3] = {1, 2, 3};
    gt_equilibrium_report report = settle(&p, y);
    assert_true(fabs(y[0]) + fabs(y[1]) + fabs(y[2]) < 1e-9 && report.residual < 1e-9);
    gt_arena_free(&arena);
}

static gt_status index_two(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = x[1];
    dx[1] = x[0] - 1;
    return GT_OK;
}

static void test_linearize_refuses(void **state)
{
    (void)state;
    gt_arena arena = gt_arena_growing();
    gt_linearization l;
    gt_message m = {{0}};
    static const double x[GT_LINEARIZE_MAX + 1] = {1};
    gt_problem p = {.n_slow = 1, .n_alg = 1, .rhs = index_two, .t1 = 1, .x0 = x};
    assert_int_equal(gt_linearize(&p, 0, x, &l, &arena, &m), GT_SINGULAR);
    assert_non_null(strstr(m.text, "index"));
    p.n_slow = GT_LINEARIZE_MAX + 1, p.n_alg = 0;
    assert_int_equal(gt_linearize(&p, 0, x, &l, &arena, &m), GT_UNSUPPORTED);
    assert_non_null(strstr(m.text, "2000"));
    gt_arena_free(&arena);
}

/* Every shipped model at its start: participations sum to 1, the trace is the sum of the
 * eigenvalues, order kept. */
static void test_all_models(void **state)
{
    (void)state;
    for (const gt_model *const *model = gt_model_list(); *model; model++) {
        gt_arena arena = gt_arena_growing();
        gt_problem p = build((*model)->name, "", &arena);
        if (gt_problem_size(&p) > 300 ||
            gt_problem_index(&p) > 1) { /* no A where constraints are hidden */
            gt_arena_free(&arena);
            continue;
        }
        gt_linearization l = linear_at(&p, p.x0, &arena);
        double trace = 0, sum = 0, size = 0;
        for (size_t k = 0; k < l.n; k++) {
            double parts = 0;
            for (size_t i = 0; i < l.n; i++) {
                assert_true(l.participation[k * l.n + i] >= 0);
                parts += l.participation[k * l.n + i];
            }
            near(parts, 1, 1e-12);
            trace += l.A[k * l.n + k];
            sum += l.modes[k].re;
            size = fmax(size, hypot(l.modes[k].re, l.modes[k].im));
            if (k) assert_true(l.modes[k].re <= l.modes[k - 1].re);
            size_t top[2];
            if (gt_linearization_top(&l, k, 2, top) == 2)
                assert_true(l.participation[k * l.n + top[0]] >= l.participation[k * l.n + top[1]]);
        }
        assert_true(fabs(trace - sum) <= 1e-10 * size * (double)l.n);
        gt_arena_free(&arena);
    }
}

/* A sparse Jacobian through the same paths. */
static void test_sparse(void **state)
{
    (void)state;
    gt_arena arena = gt_arena_growing();
    gt_problem p = build("heat", "", &arena);
    size_t n = gt_problem_size(&p);
    double *x = gt_arena_doubles(&arena, n);
    memcpy(x, p.x0, n * sizeof *x);
    gt_equilibrium_report report = settle(&p, x);
    assert_true(report.residual < 1e-6);
    gt_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lorenz),      cmocka_unit_test(test_predator_prey),
        cmocka_unit_test(test_crow_p8),     cmocka_unit_test(test_stiff3c),
        cmocka_unit_test(test_conserved),   cmocka_unit_test(test_exchange),
        cmocka_unit_test(test_damping),     cmocka_unit_test(test_failures),
        cmocka_unit_test(test_elimination), cmocka_unit_test(test_linearize_refuses),
        cmocka_unit_test(test_all_models),  cmocka_unit_test(test_sparse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
