/* SPDX-License-Identifier: BSD-3-Clause */
/* Multirate infinitesimal methods, and appendix A of shome. */
#include "methods_kit.h"
/* after the kit */
#include "kit/partitioned_rk.h"

static const char *const mri_names[] = {"mri3", "mri4", "mradams"};
static const int slow_stages[] = {3, 5, 1};

/* ---- multirate infinitesimal ---- */

/* However many inner steps there are, and whatever the inner method, the slow block is evaluated at
 * its stages only. */
static void slow_evaluations_do_not_grow(void **state)
{
    (void)state;
    const char *const inner[] = {"euler", "rk2", "heun", "rk4", "rkf45", "dopri5"};
    const int stages[] = {1, 2, 2, 4, 6, 6};
    for (int m = 0; m < 3; m++)
        for (int i = 0; i < 6; i++)
            for (int substeps = 1; substeps <= 64; substeps *= 8) {
                char options[64];
                bench_top b;
                snprintf(options, sizeof options, "inner=%s, substeps=%d", inner[i], substeps);
                build(&b, "kpr", "");
                bind_method(&b, gt_method_find(mri_names[m]), options);
                for (int k = 0; k < 2; k++) assert_int_equal(gt_stepper_step(&b.s, 1e-2), GT_OK);
                b.s.stats = (gt_stats){0}; /* mradams has two single-rate steps at first */
                for (int k = 0; k < 10; k++) assert_int_equal(gt_stepper_step(&b.s, 1e-2), GT_OK);
                assert_int_equal(b.s.stats.rhs, 0);
                assert_int_equal(b.s.stats.rhs_slow, 10 * slow_stages[m]);
                long fast = 10L * slow_stages[m] * substeps * stages[i];
                assert_int_equal(b.s.stats.rhs_fast,
                                 strcmp(inner[i], "dopri5") == 0 ? fast + 10 : fast);
                dismantle(&b);
            }
}

static double end_error(const char *method, const char *options, const char *params, double h,
                        gt_report *report)
{
    bench_top b;
    double x[2], exact[2];
    build(&b, "kpr", params);
    b.problem.t1 = 1;
    gt_plan plan = {.h = h, .options = options, .x_end = x};
    assert_int_equal(gt_solve(&b.problem, gt_method_find(method), &plan, report), GT_OK);
    b.problem.exact(1, exact, b.problem.ctx);
    dismantle(&b);
    return fmax(fabs(x[0] - exact[0]), fabs(x[1] - exact[1]));
}

/* The order is that of the slow method or of the inner one, whichever is less. */
static void order_is_the_lesser_of_both(void **state)
{
    (void)state;
    const struct {
        const char *method, *inner;
        double order;
    } rows[] = {{"mri3", "dopri5", 3},    {"mri3", "rk2", 2},   {"mri3", "euler", 1},
                {"mri4", "rkf45", 4},     {"mri4", "heun", 2},  {"mri4", "euler", 1},
                {"mradams", "dopri5", 4}, {"mradams", "rk2", 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double h[6], error[6];
        char options[64];
        gt_report report;
        snprintf(options, sizeof options, "inner=%s, substeps=3", rows[i].inner);
        for (int k = 0; k < 6; k++) {
            h[k] = 0.05 / (1 << k);
            error[k] = end_error(rows[i].method, options, "w=5, G=-2", h[k], &report);
        }
        double slope = slope_of(h, error, 6, 1e-14);
        if (!(fabs(slope - rows[i].order) < 0.25))
            fail_msg("%s with %s: order %.2f instead of %g", rows[i].method, rows[i].inner, slope,
                     rows[i].order);
    }
}

/* A fast variable ten times as fast costs inner steps, no slow evaluations; errors stay near the
 * tolerance. */
static void inner_steps_follow_the_fast_block(void **state)
{
    (void)state;
    for (int m = 0; m < 3; m++) {
        gt_report report[2];
        for (int k = 0; k < 2; k++) {
            bench_top b;
            double x[2], exact[2];
            build(&b, "kpr", k ? "w=1000" : "w=100");
            gt_plan plan = {.rtol = 1e-5, .atol = 1e-5, .x_end = x};
            assert_int_equal(gt_solve(&b.problem, gt_method_find(mri_names[m]), &plan, &report[k]),
                             GT_OK);
            b.problem.exact(b.problem.t1, exact, b.problem.ctx);
            for (int i = 0; i < 2; i++) assert_true(fabs(x[i] - exact[i]) < 5e-4);
            dismantle(&b);
        }
        assert_true(report[1].stats.rhs_slow < 2 * report[0].stats.rhs_slow);
        assert_true(report[1].stats.rhs_fast > 5 * report[0].stats.rhs_fast);
        assert_true(report[0].stats.rhs_slow <
                    400); /* MIS-KW3 of ARKODE needs 1504 for an error of 5.4e-4 */
    }
}

/* A tighter tolerance gives a smaller error in proportion, over five decades. */
static void errors_follow_the_tolerance(void **state)
{
    (void)state;
    for (int m = 0; m < 3; m++) {
        double error[2];
        for (int k = 0; k < 2; k++) {
            bench_top b;
            double x[2], exact[2], tol = k ? 1e-8 : 1e-4;
            gt_report report;
            build(&b, "kpr", "w=20");
            gt_plan plan = {.rtol = tol, .atol = tol, .x_end = x};
            assert_int_equal(gt_solve(&b.problem, gt_method_find(mri_names[m]), &plan, &report),
                             GT_OK);
            b.problem.exact(b.problem.t1, exact, b.problem.ctx);
            error[k] = fmax(fabs(x[0] - exact[0]), fabs(x[1] - exact[1]));
            assert_true(error[k] < 50 * tol);
            dismantle(&b);
        }
        assert_in_range((int)log10(error[0] / error[1]), 2, 6);
    }
}

/* A loose tolerance lets the slow variable of kpr come near 0, where the fast one is wild: the
 * inner steps give up and the slow step shrinks, or the run fails with an error message, but it
 * ends. */
static void loose_tolerances_end(void **state)
{
    (void)state;
    for (int m = 0; m < 3; m++) {
        bench_top b;
        gt_report report;
        build(&b, "kpr", "");
        gt_plan plan = {.rtol = 1e-2, .atol = 1e-2, .max_steps = 2000};
        gt_status status = gt_solve(&b.problem, gt_method_find(mri_names[m]), &plan, &report);
        assert_true(status == GT_OK || *report.message.text);
        assert_true(report.stats.rhs_fast < 20000000);
        dismantle(&b);
    }
}

/* The fast variable swings many times in a slow step: output points inside it are as good as its
 * end. A polynomial through both ends was wrong by 0.45 here. */
static void output_inside_a_step_follows_the_fast_block(void **state)
{
    (void)state;
    for (int m = 0; m < 3; m++)
        for (int substeps = 0; substeps <= 64; substeps += 64) {
            bench_top b;
            char options[32];
            double exact[2], x[2], worst = 0, tol = 1e-6;
            build(&b, "kpr", "");
            snprintf(options, sizeof options, "substeps=%d", substeps);
            bind_method(&b, gt_method_find(mri_names[m]), options);
            if (!substeps) b.s.rtol = b.s.atol = tol; /* inner steps by their error */
            const double theta[] = {0.3, 0.35, 0.9, 1, 0.1};
            for (int k = 0; k < 40; k++) {
                assert_int_equal(gt_stepper_try(&b.s, 0.02, false), GT_OK);
                for (size_t i = 0; i < sizeof theta / sizeof *theta; i++) {
                    assert_int_equal(gt_stepper_interpolate(&b.s, theta[i], x), GT_OK);
                    b.problem.exact(b.s.t + theta[i] * 0.02, exact, b.problem.ctx);
                    worst = fmax(worst, fmax(fabs(x[0] - exact[0]), fabs(x[1] - exact[1])));
                }
                gt_stepper_accept(&b.s);
            }
            if (!(worst < 20 * tol))
                fail_msg("%s %s: wrong by %g inside a step", mri_names[m], options, worst);
            dismantle(&b);
        }
}

/* The slope at the end that dense output needs is the first one of the next step. */
static void dense_output_costs_no_slow_evaluations(void **state)
{
    (void)state;
    for (int m = 0; m < 3; m++) {
        bench_top b;
        double x[2];
        build(&b, "kpr", "");
        bind_method(&b, gt_method_find(mri_names[m]), "substeps=20");
        for (int k = 0; k < 2; k++) assert_int_equal(gt_stepper_step(&b.s, 1e-2), GT_OK);
        b.s.stats = (gt_stats){0};
        for (int k = 0; k < 10; k++) {
            assert_int_equal(gt_stepper_try(&b.s, 1e-2, false), GT_OK);
            assert_int_equal(gt_stepper_interpolate(&b.s, 0.5, x), GT_OK);
            gt_stepper_accept(&b.s);
        }
        assert_int_equal(b.s.stats.rhs, 0);
        assert_in_range(b.s.stats.rhs_slow, 10 * slow_stages[m], 10 * slow_stages[m] + 1);
        dismantle(&b);
    }
}

/* The estimate is of the stated order in both blocks: with a row that changes the slow weights
 * only, that of the fast block was two orders smaller, and runs of mri4 went 40 times over their
 * tolerance. */
static void the_estimate_sees_both_blocks(void **state)
{
    (void)state;
    for (int m = 0; m < 2; m++) {
        enum { SIZES = 5 };
        double h[SIZES], err[2][SIZES];
        for (int k = 0; k < SIZES; k++) {
            bench_top b;
            h[k] = 0.04 / (1 << k);
            build(&b, "kpr", "w=5, G=-2");
            bind_method(&b, gt_method_find(mri_names[m]), "substeps=20");
            assert_int_equal(gt_stepper_try(&b.s, h[k], true), GT_OK);
            for (int i = 0; i < 2; i++) err[i][k] = fabs(b.s.err[i]);
            dismantle(&b);
        }
        int order = gt_method_facts(gt_method_find(mri_names[m]),
                                    gt_params_default(gt_method_find(mri_names[m])->options).v)
                        .order;
        for (int i = 0; i < 2; i++) {
            double slope = slope_of(h, err[i], SIZES, 1e-15);
            if (!(fabs(slope - order) < 0.3))
                fail_msg("%s: the estimate of the %s block is of order %.2f", mri_names[m],
                         i ? "fast" : "slow", slope);
        }
    }
}

/* ---- appendix A: the slow error limits the fast one ---- */

static const double A[2][2] = {{-0.5, 0.7}, {1.3, -2.0}};

static gt_status slow_row(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = A[0][0] * x[0] + A[0][1] * x[1];
    return GT_OK;
}

static gt_status fast_row(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = A[1][0] * x[0] + A[1][1] * x[1];
    return GT_OK;
}

static gt_status both_rows(double t, const double *x, double *dx, void *ctx)
{
    slow_row(t, x, dx, ctx);
    return fast_row(t, x, dx + 1, ctx);
}

/* e^(A t) x0 by its series, which ends at 60 terms for t <= 1. */
static void flow(double t, const double *x0, double *x)
{
    double term[2] = {x0[0], x0[1]}, next[2];
    x[0] = x0[0], x[1] = x0[1];
    for (int k = 1; k < 60; k++) {
        both_rows(0, term, next, NULL);
        for (int i = 0; i < 2; i++) x[i] += term[i] = next[i] * t / k;
    }
}

/* (A6), (A7): Euler for the slow block, a Taylor step of order 2 for the fast one, which in two
 * stages is Heun's. */
static void pair_of_appendix_A(const gt_method *self, const double *v, gt_partitioned *P)
{
    (void)self, (void)v;
    *P = (gt_partitioned){.slow = {.stages = 2, .a = {{{0, 1}}, {{1, 1}}}, .b = {{1, 1}, {0, 1}}},
                          .fast = {.stages = 2, .a = {{{0, 1}}, {{1, 1}}}, .b = {{1, 2}, {1, 2}}}};
    gt_prk_fill_nodes(P);
}

static gt_facts facts_of_appendix_A(const gt_method *self, const double *v)
{
    return gt_prk_facts(self, v, 1, 0);
}

static void appendix_A(void **state)
{
    (void)state;
    const gt_method pair = {.name = "appendix",
                            .facts = facts_of_appendix_A,
                            .partitioned_of = pair_of_appendix_A,
                            GT_PRK_ENGINE};
    const double x0[] = {1, 0.5};
    gt_problem p = {.n_slow = 1,
                    .n_fast = 1,
                    .rhs = both_rows,
                    .rhs_slow = slow_row,
                    .rhs_fast = fast_row,
                    .x0 = x0};
    enum { SIZES = 6 };
    double h[SIZES], local[2][SIZES], global[2][SIZES], x[2], exact[2];
    for (int k = 0; k < SIZES; k++) {
        gt_report report;
        h[k] = 1.0 / (20 << k);
        for (int one = 0; one < 2; one++) {
            p.t1 = one ? h[k] : 1;
            assert_int_equal(gt_solve(&p, &pair, &(gt_plan){.h = h[k], .x_end = x}, &report),
                             GT_OK);
            assert_int_equal(report.stats.rhs_slow, report.stats.steps);
            assert_int_equal(report.stats.rhs_fast, 2 * report.stats.steps);
            flow(p.t1, x0, exact);
            for (int i = 0; i < 2; i++) (one ? local : global)[i][k] = fabs(x[i] - exact[i]);
        }
    }
    const double local_order[] = {2, 3}, global_order[] = {1, 1};
    for (int i = 0; i < 2; i++) {
        assert_true(fabs(slope_of(h, local[i], SIZES, 1e-15) - local_order[i]) < 0.05);
        assert_true(fabs(slope_of(h, global[i], SIZES, 1e-15) - global_order[i]) < 0.05);
    }
    /* The errors at h = 1/20 from an independent program. */
    assert_true(fabs(global[0][0] - 0.0023234374460565643) < 1e-12);
    assert_true(fabs(global[1][0] - 0.0011767286589242643) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_evaluations_do_not_grow),
        cmocka_unit_test(order_is_the_lesser_of_both),
        cmocka_unit_test(inner_steps_follow_the_fast_block),
        cmocka_unit_test(errors_follow_the_tolerance),
        cmocka_unit_test(loose_tolerances_end),
        cmocka_unit_test(output_inside_a_step_follows_the_fast_block),
        cmocka_unit_test(dense_output_costs_no_slow_evaluations),
        cmocka_unit_test(the_estimate_sees_both_blocks),
        cmocka_unit_test(appendix_A),
    };
    return cmocka_run_group_tests_name("multirate", tests, NULL, NULL);
}
