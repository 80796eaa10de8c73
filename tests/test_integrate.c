/* SPDX-License-Identifier: BSD-3-Clause */
/* The integration loop: grids, discontinuities, output points, limits, controllers, algebraic rows,
 * mass matrices. */
#include "methods_kit.h"

static gt_status saw(double t, const double *x, double *dx, void *ctx)
{
    (void)x, (void)ctx;
    dx[0] = t < 1 ? 1 : -1;
    return GT_OK;
}

static gt_memory_sink watch(unsigned wants)
{
    gt_memory_sink m;
    gt_memory_sink_init(&m, wants);
    return m;
}

static gt_status run(const gt_problem *p, const char *method, gt_plan plan, gt_memory_sink *m,
                     gt_report *report)
{
    gt_sink *sinks[] = {&m->sink};
    m->sink.ctx = m; /* the sink was returned by value */
    plan.sinks = sinks;
    plan.n_sinks = 1;
    return gt_solve(p, gt_method_find(method), &plan, report);
}

static void fixed_grid_is_not_accumulated(void **state)
{
    (void)state;
    bench_top b;
    gt_report report;
    build(&b, "harmonic", "");
    gt_memory_sink m = watch(GT_AT_STEP);
    assert_int_equal(run(&b.problem, "rk4", (gt_plan){.h = 0.1}, &m, &report), GT_OK);
    assert_int_equal(report.stats.steps, 100);
    for (size_t k = 0; k + 1 < m.count; k++) assert_true(m.t[k] == 0.0 + (double)k * 0.1);
    assert_true(m.t[m.count - 1] == 10);
    gt_memory_sink_free(&m);

    m = watch(GT_AT_STEP); /* a last partial step */
    assert_int_equal(run(&b.problem, "rk4", (gt_plan){.h = 0.3}, &m, &report), GT_OK);
    assert_int_equal(report.stats.steps, 34);
    assert_true(m.t[33] == 33 * 0.3 && report.t == 10);
    double exact[2];
    b.problem.exact(10, exact, b.problem.ctx);
    assert_true(fabs(m.x[34 * 2] - exact[0]) < 1e-3);
    gt_memory_sink_free(&m);
    gt_arena_free(&b.arena);
}

static void a_discontinuity_is_hit_and_seen_from_both_sides(void **state)
{
    (void)state;
    static const char *const methods[] = {"euler",  "heun",   "rk4",        "rkf45",
                                          "dopri5", "beuler", "trapezoidal"};
    double x0[1] = {0}, breaks[] = {1};
    gt_problem p = {.n_slow = 1, .rhs = saw, .x0 = x0, .t1 = 2, .breaks = breaks, .n_breaks = 1};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        for (int controlled = 0; controlled < 2; controlled++) {
            if (controlled && i < 3 && i != 1) continue;
            gt_report report;
            gt_memory_sink m = watch(GT_AT_STEP);
            gt_plan plan = {.h = controlled ? 0 : 0.3};
            assert_int_equal(run(&p, methods[i], plan, &m, &report), GT_OK);
            size_t at = 0;
            while (m.t[at] < 1) at++;
            assert_true(m.t[at] == 1);
            if (!controlled) assert_true(m.t[at + 1] == 1 + 0.3); /* the grid begins anew */
            /* Piecewise linear: every method is exact when each piece sees its own slope. */
            assert_true(fabs(m.x[at] - 1) < 1e-12 && fabs(m.x[m.count - 1]) < 1e-12);
            gt_memory_sink_free(&m);
        }
    }
}

static void output_points_come_from_dense_output(void **state)
{
    (void)state;
    bench_top b;
    gt_report report;
    build(&b, "harmonic", "");
    const double times[] = {0, 0.1, 3.3, 7.25, 10};
    for (int fixed = 0; fixed < 2; fixed++) {
        gt_memory_sink m = watch(GT_AT_OUTPUT);
        gt_plan plan = {
            .rtol = fixed ? 0 : 1e-9, .h = fixed ? 0.013 : 0, .times = times, .n_times = 5};
        assert_int_equal(run(&b.problem, "dopri5", plan, &m, &report), GT_OK);
        assert_int_equal(m.count, 5);
        for (size_t k = 0; k < 5; k++) {
            assert_true(m.t[k] == times[k]);
            assert_true(fabs(m.x[2 * k] - cos(times[k])) < 2e-8);
        }
        gt_memory_sink_free(&m);
    }
    gt_memory_sink m = watch(GT_AT_OUTPUT);
    assert_int_equal(run(&b.problem, "rk4", (gt_plan){.h = 0.01, .every = 0.1}, &m, &report),
                     GT_OK);
    assert_int_equal(m.count, 101); /* output points on the grid are given once */
    assert_true(m.t[100] == 10);
    gt_memory_sink_free(&m);

    m = watch(GT_AT_OUTPUT);
    assert_int_equal(run(&b.problem, "dopri5", (gt_plan){.refine = 3}, &m, &report), GT_OK);
    assert_int_equal(m.count, 1 + 4 * report.stats.steps);
    for (size_t k = 1; k < m.count; k++) assert_true(m.t[k] > m.t[k - 1]);
    gt_memory_sink_free(&m);

    const double outside[] = {1, 11}, falling[] = {2, 1};
    m = watch(GT_AT_OUTPUT);
    assert_int_equal(
        run(&b.problem, "rk4", (gt_plan){.h = 0.1, .times = outside, .n_times = 2}, &m, &report),
        GT_BAD_ARGUMENT);
    assert_non_null(strstr(report.message.text, "11"));
    assert_int_equal(
        run(&b.problem, "rk4", (gt_plan){.h = 0.1, .times = falling, .n_times = 2}, &m, &report),
        GT_BAD_ARGUMENT);
    gt_memory_sink_free(&m);
    gt_arena_free(&b.arena);
}

static void each_limit_has_its_status(void **state)
{
    (void)state;
    bench_top b;
    gt_report r;
    build(&b, "crow_p1", ""); /* x' = x^2 is infinite at t = 1 */
    b.problem.t1 = 2;
    const gt_method *dopri5 = gt_method_find("dopri5");
    assert_int_equal(gt_solve(&b.problem, dopri5, &(gt_plan){.max_steps = 5}, &r),
                     GT_TOO_MANY_STEPS);
    assert_int_equal(r.stats.steps, 5);
    assert_int_equal(gt_solve(&b.problem, dopri5, &(gt_plan){.h_min = 1e-3}, &r),
                     GT_STEP_TOO_SMALL);
    assert_non_null(strstr(r.message.text, "t = 0.9"));
    assert_int_equal(
        gt_solve(&b.problem, dopri5, &(gt_plan){.max_rejections = 1, .h0 = 0.5, .rtol = 1e-10}, &r),
        GT_TOO_MANY_REJECTIONS);
    assert_int_equal(gt_solve(&b.problem, gt_method_find("rk4"), &(gt_plan){.h = 0.01}, &r),
                     GT_NOT_FINITE);
    assert_non_null(strstr(r.message.text, "component x"));
    assert_true(r.t > 1 && r.t < 1.2); /* where it broke, not where a block of steps ended */
    assert_int_equal(gt_solve(&b.problem, gt_method_find("rk4"), &(gt_plan){0}, &r),
                     GT_BAD_ARGUMENT);
    assert_non_null(strstr(r.message.text, "error estimate"));
    volatile int stop = 1;
    assert_int_equal(gt_solve(&b.problem, dopri5, &(gt_plan){.interrupted = &stop}, &r),
                     GT_INTERRUPTED);
    assert_int_equal(gt_solve(&b.problem, NULL, &(gt_plan){0}, &r), GT_BAD_ARGUMENT);
    assert_int_equal(gt_solve(&b.problem, dopri5, &(gt_plan){.rtol = -1}, &r), GT_BAD_ARGUMENT);
    assert_int_equal(gt_solve(&b.problem, dopri5, &(gt_plan){.h = NAN}, &r), GT_BAD_ARGUMENT);
    /* These were taken for the default. */
    assert_int_equal(gt_solve(&b.problem, dopri5, &(gt_plan){.max_rejections = -5}, &r),
                     GT_BAD_ARGUMENT);
    assert_int_equal(gt_solve(&b.problem, dopri5, &(gt_plan){.max_steps = -5}, &r),
                     GT_BAD_ARGUMENT);
    const double wrong[] = {-1, NAN, INFINITY};
    for (int k = 0; k < 3; k++) {
        gt_problem of_size = b.problem;
        of_size.typical = wrong[k];
        assert_int_equal(gt_solve(&of_size, dopri5, &(gt_plan){0}, &r), GT_BAD_ARGUMENT);
        assert_non_null(strstr(r.message.text, "typical size"));
    }
    assert_int_equal(gt_solve(&b.problem, dopri5, &(gt_plan){.options = "ordr=3"}, &r),
                     GT_UNKNOWN_NAME);
    assert_int_equal(
        gt_solve(&b.problem, gt_method_find("taylor"), &(gt_plan){.options = "ordr=3"}, &r),
        GT_UNKNOWN_NAME);
    assert_non_null(strstr(r.message.text, "did you mean 'order'"));
    gt_arena_free(&b.arena);
}

/* The achieved error follows the tolerance with every controller. */
static void every_controller_keeps_the_tolerance(void **state)
{
    (void)state;
    bench_top b;
    build(&b, "kpr", "w=10");
    double exact[2], x[2];
    b.problem.exact(b.problem.t1, exact, b.problem.ctx);
    for (const gt_control *const *c = gt_control_list(); *c; c++) {
        gt_report r;
        gt_control control = **c;
        if (control.kind == GT_BOUNDS)
            control.lower = 1e-10, control.target = 1e-9, control.upper = 1e-8;
        assert_int_equal(gt_solve(&b.problem, gt_method_find("dopri5"),
                                  &(gt_plan){.control = control, .rtol = 1e-8, .x_end = x}, &r),
                         GT_OK);
        if (!(fabs(x[1] - exact[1]) < 1e-6))
            fail_msg("%s: error %g", control.name, fabs(x[1] - exact[1]));
        if (r.stats.rejected * 3 > r.stats.steps)
            fail_msg("%s: %ld rejected of %ld", control.name, r.stats.rejected, r.stats.steps);
    }
    gt_message m;
    gt_control c;
    assert_int_equal(gt_control_parse("pid:safety=0.8", &c, &m), GT_OK);
    assert_true(c.safety == 0.8);
    assert_int_equal(gt_control_parse("bounds:lower=1,upper=0.5", &c, &m), GT_BAD_ARGUMENT);
    assert_int_equal(gt_control_parse("nosuch", &c, &m), GT_UNKNOWN_NAME);
    gt_arena_free(&b.arena);
}

/* The two-bound rule on Example 5.9 of crow: after the start h_min is met and every error lies
 * below the upper bound; the steps grow as the fast modes die. */
static gt_status collect_errors(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    double *largest = self->ctx;
    (void)message;
    if (sample->error > largest[0]) largest[0] = sample->error;
    largest[1] = sample->h > largest[1] ? sample->h : largest[1];
    return GT_OK;
}

static void two_bounds_hold_the_local_error(void **state)
{
    (void)state;
    bench_top b;
    gt_report r;
    gt_control c;
    double largest[2] = {0, 0};
    gt_sink sink = {.wants = GT_AT_STEP, .write = collect_errors, .ctx = largest},
            *sinks[] = {&sink};
    build(&b, "stiff3c", "");
    assert_int_equal(gt_control_parse("bounds:lower=1e-6,upper=1e-4,target=1e-5", &c, NULL), GT_OK);
    assert_int_equal(gt_solve(&b.problem, gt_method_find("trapezoidal"),
                              &(gt_plan){.control = c, .h0 = 0.01, .sinks = sinks, .n_sinks = 1},
                              &r),
                     GT_OK);
    assert_true(largest[0] <= 1e-4);
    assert_true(largest[1] > 0.4); /* 0.495 in the reference run */
    assert_in_range(r.stats.steps, 200,
                    270); /* 223 with an unchecked start, 250 with a checked one */
    gt_arena_free(&b.arena);
}

/* x' = -y, 0 = y - x^2 with a bad start for y; and one that cannot be closed. */
static gt_status square_root(double t, const double *x, double *dx, void *ctx)
{
    const double *shift = ctx;
    (void)t;
    dx[0] = -x[1];
    dx[1] = x[1] * x[1] + *shift - x[0];
    return GT_OK;
}

static void algebraic_rows_are_made_consistent(void **state)
{
    (void)state;
    double x0[2] = {1, 3}, shift = 0, x[2];
    gt_problem p = {.n_slow = 1, .n_alg = 1, .rhs = square_root, .x0 = x0, .t1 = 1, .ctx = &shift};
    gt_report r;
    for (int k = 0; k < 2; k++) {
        const char *method = k ? "trapezoidal" : "beuler";
        /* x' = -sqrt(x): x = (1 - t/2)^2 */
        assert_int_equal(
            gt_solve(&p, gt_method_find(method), &(gt_plan){.rtol = 1e-6, .x_end = x}, &r), GT_OK);
        assert_true(fabs(x[0] - 0.25) < (k ? 1e-4 : 2e-3));
        assert_true(fabs(x[1] * x[1] - x[0]) < 1e-6);
    }
    shift = 5; /* y^2 = x - 5 has no solution near x = 1 */
    assert_int_equal(gt_solve(&p, gt_method_find("trapezoidal"), &(gt_plan){0}, &r),
                     GT_INCONSISTENT);
    assert_non_null(strstr(r.message.text, "algebraic equation 1"));
    assert_non_null(strstr(r.message.text, "x2"));
    assert_int_equal(gt_solve(&p, gt_method_find("ab3"), &(gt_plan){.h = 0.01}, &r),
                     GT_UNSUPPORTED);
}

/* Between steps the polynomial of an algebraic variable was off by 3e-2 where its equation holds to
 * round-off. */
static void algebraic_rows_hold_at_output_points(void **state)
{
    (void)state;
    bench_top b;
    gt_report r;
    build(&b, "rc_diode", "");
    for (int k = 0; k < 2; k++) {
        gt_memory_sink m = watch(GT_AT_OUTPUT);
        assert_int_equal(
            run(&b.problem, k ? "trapezoidal" : "gear", (gt_plan){.every = 0.0005}, &m, &r), GT_OK);
        for (size_t i = 0; i < m.count; i++) {
            double f[2];
            assert_int_equal(b.problem.rhs(m.t[i], m.x + 2 * i, f, b.problem.ctx), GT_OK);
            if (!(fabs(f[1]) < 1e-4)) fail_msg("residual %g at t = %g", f[1], m.t[i]);
        }
        gt_memory_sink_free(&m);
    }
    gt_arena_free(&b.arena);
}

static void the_reduced_model_follows_the_slow_manifold(void **state)
{
    (void)state;
    bench_top b;
    gt_report r;
    double full[2], reduced[2];
    build(&b, "linear2", "alpha=1000, beta=0.1");
    gt_problem q = gt_problem_reduced(&b.problem);
    assert_int_equal(q.n_alg, 1);
    assert_int_equal(gt_solve(&b.problem, gt_method_find("trapezoidal"),
                              &(gt_plan){.rtol = 1e-8, .x_end = full}, &r),
                     GT_OK);
    assert_int_equal(
        gt_solve(&q, gt_method_find("trapezoidal"), &(gt_plan){.rtol = 1e-8, .x_end = reduced}, &r),
        GT_OK);
    assert_true(fabs(full[0] - reduced[0]) < 1e-3 * fabs(full[0])); /* O(1/alpha) */
    assert_true(fabs(reduced[1] + 0.1 * reduced[0]) < 1e-8);        /* z = -beta x */
    gt_arena_free(&b.arena);
}

/* M x' = f with M of every storage equals x' = M^-1 f; rows of algebraic variables are ignored. */
static gt_status decay(double t, const double *x, double *dx, void *ctx)
{
    (void)ctx, (void)t;
    dx[0] = -2 * x[0];
    dx[1] = -x[1] - x[0] * 0.5;
    dx[2] = -3 * x[2] + x[1];
    return GT_OK;
}

static void mass_matrices_of_every_storage_agree(void **state)
{
    (void)state;
    const double dense[9] = {2, 1, 0, 0.5, 3, 0, 0, 1, 1}; /* columns */
    double x0[3] = {1, 2, 3}, first[3] = {0};
    const int colptr[4] = {0, 2, 4, 6}, rowindex[6] = {0, 1, 0, 1, 1, 2};
    for (int storage = 0; storage < 3; storage++) {
        gt_arena arena = gt_arena_growing();
        gt_matrix M;
        gt_pattern pattern = {.storage = (gt_storage)storage,
                              .lower = 1,
                              .upper = 1,
                              .colptr = colptr,
                              .rowindex = rowindex};
        gt_matrix_layout(&M, 3, pattern, false, &arena);
        for (size_t k = 0; k < 9; k++) gt_matrix_add(&M, k % 3, k / 3, dense[k]);
        for (int jac = 0; jac < 3; jac++) {
            gt_problem p = {.n_slow = 3, .rhs = decay, .x0 = x0, .t1 = 1, .mass = &M};
            p.jac_pattern =
                (gt_pattern){.storage = jac == 0 ? GT_DENSE : GT_BANDED, .lower = 2, .upper = 2};
            if (jac == 2) p.jac_pattern.lower = 1, p.jac_pattern.upper = 1;
            double x[3];
            gt_report r;
            assert_int_equal(
                gt_solve(&p, gt_method_find("trapezoidal"), &(gt_plan){.h = 0.01, .x_end = x}, &r),
                GT_OK);
            if (!storage && !jac) memcpy(first, x, sizeof x);
            for (int k = 0; k < 3; k++) assert_true(fabs(x[k] - first[k]) < 1e-11);
        }
        gt_arena_free(&arena);
    }
    /* 2 x1' + x2' / 2 = -2 x1 and so on, to second order: the energy-like sum is checked by a tight
     * independent run. */
    assert_true(first[0] < 1 && first[0] > 0);
}

/* Differences in groups of columns give the exact Jacobian of a linear problem, in as few calls as
 * the pattern allows.
 */
static void grouped_differences_are_the_jacobian(void **state)
{
    (void)state;
    static const struct {
        const char *model, *params;
        long groups;
    } rows[] = {{"heat", "n=40", 3},
                {"heat", "n=40, storage=banded", 3},
                {"stiff3c", "", 3},
                {"brusselator", "n=20", 6}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bench_top b;
        build(&b, rows[i].model, rows[i].params);
        gt_problem exact = b.problem;
        b.problem.jac = NULL;
        bind_method(&b, gt_method_find("beuler"), NULL);
        gt_arena arena = gt_arena_growing();
        gt_jacobian jac;
        gt_matrix A, B;
        gt_jacobian_layout(&jac, &b.problem, &arena);
        gt_jacobian_prepare(&jac, &b.problem);
        gt_matrix_layout(&A, b.s.n, exact.jac_pattern, false, &arena);
        gt_matrix_layout(&B, b.s.n, exact.jac_pattern, false, &arena);
        b.s.stats.rhs = 0;
        assert_int_equal(gt_jacobian_evaluate(&jac, &b.s, 0, exact.x0, &A), GT_OK);
        assert_true(b.s.stats.rhs <= rows[i].groups + 1);
        assert_int_equal(exact.jac(0, exact.x0, &B, exact.ctx), GT_OK);
        double scale = 0;
        for (size_t k = 0; k < gt_matrix_entries(&B); k++) scale = fmax(scale, fabs(B.values[k]));
        for (size_t k = 0; k < gt_matrix_entries(&B); k++)
            assert_true(fabs(A.values[k] - B.values[k]) < 2e-6 * scale);
        gt_arena_free(&arena);
        dismantle(&b);
    }
}

static gt_status late_nan(double t, const double *x, double *dx, void *ctx)
{
    (void)ctx;
    dx[0] = t > 0.05 ? NAN : -x[0];
    return GT_OK;
}

/* The one-step user was given GT_OK with NaN; a step shrinking to 0 at t = 0 was never too small.
 */
static void steps_that_cannot_be_taken_are_told(void **state)
{
    (void)state;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        double x0[1] = {1};
        bench_top b = {.problem = {.n_slow = 1, .rhs = late_nan, .x0 = x0, .t1 = 1},
                       .arena = gt_arena_growing()};
        bind_method(&b, *m, NULL);
        if (b.ready) {
            gt_status status = GT_OK;
            for (int k = 0; k < 20 && !status; k++) status = gt_stepper_step(&b.s, 0.01);
            if (!status || !isfinite(b.s.x[0]) || !b.s.message.text[0])
                fail_msg("%s: %s", (*m)->name, gt_status_name(status));
            assert_true(b.s.t < 0.065);
            assert_int_equal(gt_stepper_step(&b.s, NAN), GT_BAD_ARGUMENT);
        }
        dismantle(&b);
    }
    bench_top b;
    gt_report r;
    build(&b, "lorenz", "");
    double far[3] = {1e300, 20, 20};
    b.problem.x0 = far;
    gt_status status = gt_solve(&b.problem, gt_method_find("dopri5"), &(gt_plan){0}, &r);
    assert_true(status == GT_STEP_TOO_SMALL || status == GT_NOT_FINITE);
    assert_true(r.stats.rejected < 100);
    gt_arena_free(&b.arena);
}

static void same_input_same_bits(void **state)
{
    (void)state;
    int refused = 0; /* by methods for z'' = F(t, z) */
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        bench_top b;
        gt_report r[2];
        double x[2][3];
        build(&b, "lorenz", "");
        split_for(*m, &b.problem);
        b.problem.t1 = 1;
        for (int k = 0; k < 2; k++) {
            gt_plan plan = {.h = fixed_step(*m, 1e-3), .x_end = x[k]};
            memset(x[k], 0, sizeof x[k]);
            gt_status status = gt_solve(&b.problem, *m, &plan, &r[k]);
            refused += status == GT_UNSUPPORTED;
            if (status != GT_UNSUPPORTED) assert_int_equal(status, GT_OK);
        }
        assert_memory_equal(x[0], x[1], sizeof x[0]);
        assert_memory_equal(&r[0].stats, &r[1].stats, sizeof r[0].stats);
        gt_arena_free(&b.arena);
    }
    assert_true(refused <= 2); /* one method, twice */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fixed_grid_is_not_accumulated),
        cmocka_unit_test(a_discontinuity_is_hit_and_seen_from_both_sides),
        cmocka_unit_test(output_points_come_from_dense_output),
        cmocka_unit_test(each_limit_has_its_status),
        cmocka_unit_test(every_controller_keeps_the_tolerance),
        cmocka_unit_test(two_bounds_hold_the_local_error),
        cmocka_unit_test(algebraic_rows_are_made_consistent),
        cmocka_unit_test(algebraic_rows_hold_at_output_points),
        cmocka_unit_test(steps_that_cannot_be_taken_are_told),
        cmocka_unit_test(the_reduced_model_follows_the_slow_manifold),
        cmocka_unit_test(mass_matrices_of_every_storage_agree),
        cmocka_unit_test(grouped_differences_are_the_jacobian),
        cmocka_unit_test(same_input_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
