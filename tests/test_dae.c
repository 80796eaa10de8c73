/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Algebraic rows and mass matrices, (5.137)-(5.138) and (5.141) of Crow: order, both ways to solve
 * the equations of a step, and the alternating one told when it does not contract. Also events and
 * refusals of multistep methods.
 */
#include "methods_kit.h"

static const char *const implicit_methods[] = {"beuler", "trapezoidal", "am1",   "am2",   "am3",
                                               "am4",    "am5",         "am6",   "gear1", "gear2",
                                               "gear3",  "gear4",       "gear5", "gear6"};
enum { IMPLICIT_METHODS = sizeof implicit_methods / sizeof *implicit_methods };

/* x' = -10 y, 0 = y - x. A sweep of the alternating iteration multiplies the error by -10 gamma,
 * gamma = h b_-1. */
static gt_status slow_decay(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = -10 * x[1];
    dx[1] = x[1] - x[0];
    return GT_OK;
}

static void contraction_is_the_known_one(void **state)
{
    (void)state;
    static const struct {
        const char *method;
        double gamma; /* over h */
    } rows[] = {{"beuler", 1}, {"trapezoidal", 0.5}, {"am1", 1}, {"am2", 0.5}, {"gear1", 1}};
    static const double x0[] = {1, 1};
    gt_problem p = {.n_slow = 1, .n_alg = 1, .rhs = slow_decay, .x0 = x0, .t1 = 3};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const gt_method *m = gt_method_find(rows[i].method);
        double together[2], in_turn[2];
        gt_report r;
        for (double factor = 0.1; factor < 0.95; factor += 0.2) {
            double h = factor / (10 * rows[i].gamma);
            assert_int_equal(gt_solve(&p, m, &(gt_plan){.h = h, .x_end = together}, &r), GT_OK);
            gt_status status = gt_solve(
                &p, m, &(gt_plan){.h = h, .x_end = in_turn, .options = "dae=alternating"}, &r);
            if (status) fail_msg("%s: %s", m->name, r.message.text);
            for (int k = 0; k < 2; k++) assert_true(fabs(together[k] - in_turn[k]) < 1e-10);
        }
        double h = 1.5 / (10 * rows[i].gamma);
        assert_int_equal(gt_solve(&p, m, &(gt_plan){.h = h, .x_end = together}, &r), GT_OK);
        assert_int_equal(gt_solve(&p, m, &(gt_plan){.h = h, .options = "dae=alternating"}, &r),
                         GT_NEWTON_FAILED);
        /* am1 and gear1 need no start, so the first step that fails is of size h in all. */
        if (!strstr(r.message.text, "diverges") || !strstr(r.message.text, "about 1.5)") ||
            !strstr(r.message.text, "dae=simultaneous") || !strstr(r.message.text, "smaller h"))
            fail_msg("%s: %s", m->name, r.message.text);
        assert_true(r.stats.newton < 50);
        h = 0.98 / (10 * rows[i].gamma);
        assert_int_equal(gt_solve(&p, m, &(gt_plan){.h = h, .options = "dae=alternating"}, &r),
                         GT_NEWTON_FAILED);
        if (!strstr(r.message.text, "too slowly")) fail_msg("%s: %s", m->name, r.message.text);
        assert_true(r.t == 0);
    }
}

/* Sparse and banded matrices serve both ways as dense ones do. */
static void storage_makes_no_difference(void **state)
{
    (void)state;
    static const double x0[] = {1, 1};
    static const int colptr[] = {0, 2, 4}, rows[] = {0, 1, 0, 1};
    const gt_pattern patterns[] = {
        {.storage = GT_DENSE},
        {.storage = GT_BANDED, .lower = 1, .upper = 1},
        {.storage = GT_CSC, .colptr = colptr, .rowindex = rows, .entries = 4}};
    double x[3][2];
    for (int turn = 0; turn <= 1; turn++) {
        for (int i = 0; i < 3; i++) {
            gt_problem p = {.n_slow = 1,
                            .n_alg = 1,
                            .rhs = slow_decay,
                            .x0 = x0,
                            .t1 = 1,
                            .jac_pattern = patterns[i]};
            gt_plan plan = {.h = 0.02, .x_end = x[i], .options = turn ? "dae=alternating" : ""};
            gt_report r;
            gt_status status = gt_solve(&p, gt_method_find("gear4"), &plan, &r);
            if (status) fail_msg("storage %d: %s", i, r.message.text);
            for (int k = 0; k < 2; k++) assert_true(fabs(x[i][k] - x[0][k]) < 1e-12);
        }
    }
}

/* A controlled step becomes small enough to contract. */
static void controlled_steps_contract(void **state)
{
    (void)state;
    static const double x0[] = {1, 1};
    gt_problem p = {.n_slow = 1, .n_alg = 1, .rhs = slow_decay, .x0 = x0, .t1 = 3};
    for (int i = 0; i < IMPLICIT_METHODS; i++) {
        gt_report r;
        double x[2];
        gt_plan plan = {.rtol = 1e-4, .h0 = 1, .x_end = x, .options = "dae=alternating"};
        gt_status status = gt_solve(&p, gt_method_find(implicit_methods[i]), &plan, &r);
        if (status) fail_msg("%s: %s", implicit_methods[i], r.message.text);
        assert_true(r.stats.rejected > 0);
        if (!(fabs(x[0] - exp(-30)) < 1e-4)) fail_msg("%s ends at %g", implicit_methods[i], x[0]);
    }
}

static void rectifier_in_both_ways(void **state)
{
    (void)state;
    for (int i = 0; i < IMPLICIT_METHODS; i++) {
        bench_top b;
        gt_report r;
        double together[2], in_turn[2];
        const gt_method *m = gt_method_find(implicit_methods[i]);
        build(&b, "rc_diode", "");
        b.problem.t1 = 0.01;
        gt_plan plan = {.h = 2e-5, .x_end = together};
        gt_status status = gt_solve(&b.problem, m, &plan, &r);
        if (status) fail_msg("%s: %s", m->name, r.message.text);
        plan.x_end = in_turn, plan.options = "dae=alternating";
        status = gt_solve(&b.problem, m, &plan, &r);
        if (status) fail_msg("%s: %s", m->name, r.message.text);
        for (int k = 0; k < 2; k++) {
            if (!(fabs(together[k] - in_turn[k]) < 1e-9))
                fail_msg("%s: %.12g together, %.12g in turn", m->name, together[k], in_turn[k]);
        }
        /* While the diode conducts the factor is about h b_-1 / (Rs C), which is h b_-1 / 0.47 ms.
         */
        plan.h = 2e-3;
        status = gt_solve(&b.problem, m, &plan, &r);
        assert_int_equal(status, GT_NEWTON_FAILED);
        if (!strstr(r.message.text, "dae=simultaneous"))
            fail_msg("%s: %s", m->name, r.message.text);
        gt_arena_free(&b.arena);
    }
}

/* x' = -y, 0 = y^3 + y - x^3 - x: y = x = exp(-t), with a Jacobian that changes. */
static gt_status cubic(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = -x[1];
    dx[1] = x[1] * x[1] * x[1] + x[1] - x[0] * x[0] * x[0] - x[0];
    return GT_OK;
}

/* M x' = M A x - M (x - e^At x0)^3 in effect: M x' = f with the rotation x = (cos t, sin t) as
 * solution. */
static gt_status heavy(double t, const double *x, double *dx, void *ctx)
{
    (void)ctx;
    double d0 = x[0] - cos(t), d1 = x[1] - sin(t);
    double v0 = -x[1] - d0 * d0 * d0, v1 = x[0] - d1;
    dx[0] = 2 * v0 + v1;
    dx[1] = v0 + 3 * v1;
    return GT_OK;
}

static void order_with_algebraic_rows_and_mass(void **state)
{
    (void)state;
    enum { SIZES = 6 };
    static double mass_values[] = {2, 1, 1, 3};
    static const double ones[] = {1, 1}, on_axis[] = {1, 0};
    const gt_matrix mass = {.n = 2, .pattern = {.storage = GT_DENSE}, .values = mass_values};
    const gt_problem problems[] = {
        {.n_slow = 1, .n_alg = 1, .rhs = cubic, .x0 = ones, .t1 = 2},
        {.n_slow = 2, .rhs = heavy, .mass = &mass, .x0 = on_axis, .t1 = 2}};
    for (int which = 0; which < 2; which++) {
        for (int i = 0; i < IMPLICIT_METHODS; i++) {
            const gt_method *m = gt_method_find(implicit_methods[i]);
            int order = gt_method_facts(m, gt_params_default(m->options).v).order;
            double h[SIZES], error[SIZES], steps = order > 4 ? 20 : 40;
            for (int k = 0; k < SIZES; k++, steps = round(steps * (order > 4 ? 1.25 : 1.5))) {
                double x[2];
                gt_report r;
                h[k] = 2 / steps;
                gt_status status =
                    gt_solve(&problems[which], m, &(gt_plan){.h = h[k], .x_end = x}, &r);
                if (status) fail_msg("%s: %s", m->name, r.message.text);
                error[k] = which ? hypot(x[0] - cos(2), x[1] - sin(2))
                                 : fabs(x[0] - exp(-2)) + fabs(x[1] - exp(-2));
            }
            double slope = slope_of(h, error, SIZES, 3e-13);
            if (!(fabs(slope - order) < 0.35))
                fail_msg("%s: order %.2f on problem %d (errors %g .. %g)", m->name, slope, which,
                         error[0], error[SIZES - 1]);
        }
    }
}

static void explicit_ones_refuse_with_a_sentence(void **state)
{
    (void)state;
    bench_top b;
    gt_report r;
    build(&b, "rc_diode", "");
    assert_int_equal(gt_solve(&b.problem, gt_method_find("ab3"), NULL, &r), GT_UNSUPPORTED);
    assert_non_null(strstr(r.message.text, "algebraic"));
    gt_plan plan = {.options = "solver=fixedpoint"};
    assert_int_equal(gt_solve(&b.problem, gt_method_find("am3"), &plan, &r), GT_UNSUPPORTED);
    assert_non_null(strstr(r.message.text, "algebraic"));
    gt_arena_free(&b.arena);
}

/* Events end a step early and restart the method; the parabolas of the ball are exact from order 2
 * on. */
static void history_is_forgotten_at_events(void **state)
{
    (void)state;
    static const char *const names[] = {"ab2", "ab3",   "ab6",   "am2",  "am4",
                                        "am6", "gear2", "gear3", "gear6"};
    bench_top b;
    gt_report r;
    double expected[2], x[2];
    build(&b, "bouncing", "");
    b.problem.t1 = 1.7;
    assert_int_equal(gt_solve(&b.problem, gt_method_find("dopri5"),
                              &(gt_plan){.rtol = 1e-12, .x_end = expected}, &r),
                     GT_OK);
    long events = r.stats.events;
    assert_true(events > 1);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        for (int fixed = 0; fixed <= 1; fixed++) {
            gt_plan plan = {.h = fixed ? 0.01 : 0, .rtol = 1e-10, .x_end = x};
            gt_status status = gt_solve(&b.problem, gt_method_find(names[i]), &plan, &r);
            if (status) fail_msg("%s: %s", names[i], r.message.text);
            assert_int_equal(r.stats.events, events);
            for (int k = 0; k < 2; k++) {
                if (!(fabs(x[k] - expected[k]) < 1e-7))
                    fail_msg("%s: %.12g instead of %.12g", names[i], x[k], expected[k]);
            }
        }
    }
    gt_arena_free(&b.arena);
}

/* Controlled steps meet a global error in proportion to the tolerance; stiff ones with implicit
 * methods. */
static void controlled_steps_are_accurate(void **state)
{
    (void)state;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        if (!(*m)->formula) continue;
        for (double rtol = 1e-4; rtol > 1e-9; rtol /= 100) {
            if ((*m)->formula->order < 3 && rtol < 1e-6) continue;
            bench_top b;
            gt_report r;
            double x[2], exact[2];
            build(&b, "kpr", "w=5");
            gt_status status =
                gt_solve(&b.problem, *m, &(gt_plan){.rtol = rtol, .atol = rtol, .x_end = x}, &r);
            if (status) fail_msg("%s: %s", (*m)->name, r.message.text);
            b.problem.exact(b.problem.t1, exact, b.problem.ctx);
            double error = fmax(fabs(x[0] - exact[0]), fabs(x[1] - exact[1]));
            if (error > 2000 * rtol) fail_msg("%s at %g: error %g", (*m)->name, rtol, error);
            gt_arena_free(&b.arena);
        }
    }
}

static void stiff_problems(void **state)
{
    (void)state;
    for (int i = 0; i < IMPLICIT_METHODS; i++) {
        if (strncmp(implicit_methods[i], "am", 2) == 0 && implicit_methods[i][2] > '2')
            continue; /* not A(alpha) */
        bench_top b;
        gt_report r;
        double x[3], y[2];
        const gt_method *m = gt_method_find(implicit_methods[i]);
        build(&b, "robertson", "");
        b.problem.t1 = 40;
        gt_status status =
            gt_solve(&b.problem, m, &(gt_plan){.rtol = 1e-4, .atol = 1e-9, .x_end = x}, &r);
        if (status) fail_msg("%s: %s", m->name, r.message.text);
        /* 0.7158270687, 9.185534e-6, 0.2841637 at t = 40 */
        if (!(fabs(x[0] - 0.7158270687) < 2e-3)) fail_msg("%s on robertson: %.10g", m->name, x[0]);
        gt_arena_free(&b.arena);
        build(&b, "vanderpol", "mu=100");
        b.problem.t1 = 100;
        status = gt_solve(&b.problem, m, &(gt_plan){.rtol = 1e-4, .x_end = y}, &r);
        if (status) fail_msg("%s on vanderpol: %s", m->name, r.message.text);
        gt_arena_free(&b.arena);
    }
}

/* A pendulum of length 1 with the rod's force lambda, held by its constraint on positions (index
 * 3), on speeds (2) or on accelerations (1). */
typedef struct rod {
    int index;
} rod;

static gt_status pendulum(double t, const double *x, double *dx, void *ctx)
{
    const rod *r = ctx;
    (void)t;
    dx[0] = x[2];
    dx[1] = x[3];
    dx[2] = -x[4] * x[0];
    dx[3] = -x[4] * x[1] - 9.81;
    dx[4] = r->index == 3 ? x[0] * x[0] + x[1] * x[1] - 1
            : r->index == 2
                ? x[0] * x[2] + x[1] * x[3]
                : x[2] * x[2] + x[3] * x[3] - x[4] * (x[0] * x[0] + x[1] * x[1]) - 9.81 * x[1];
    return GT_OK;
}

/* An index-2 pendulum ran with lambda(0) = 0, since 0 = g holds at the start for any lambda. */
static void high_index_is_found_at_the_start(void **state)
{
    (void)state;
    static const double x0[] = {1, 0, 0, 0, 0};
    static const char *const names[] = {"x", "y", "u", "v", "lambda"};
    static const char *const methods[] = {"gear", "trapezoidal", "beuler", "rodas4"};
    for (int index = 1; index <= 3; index++)
        for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
            rod r = {index};
            gt_problem p = {.n_slow = 4,
                            .n_alg = 1,
                            .rhs = pendulum,
                            .x0 = x0,
                            .t1 = 0.1,
                            .names = names,
                            .ctx = &r};
            gt_report report;
            gt_status status =
                gt_solve(&p, gt_method_find(methods[k]), &(gt_plan){.rtol = 1e-6}, &report);
            if (status == GT_UNSUPPORTED) continue;
            if (index == 1 && status) fail_msg("%s: %s", methods[k], report.message.text);
            if (index == 1) continue;
            assert_int_equal(status, GT_SINGULAR);
            if (!strstr(report.message.text, "Equation 1 (the row of lambda) leaves open lambda") ||
                !strstr(report.message.text, "t = 0") ||
                !strstr(report.message.text, "differentiate"))
                fail_msg("%s: %s", methods[k], report.message.text);
            assert_true(report.stats.steps == 0);
        }
}

/* w' = v, 0 = v - v^3 - w from v = 1: the branch ends where 3 v^2 = 1, with w = 2/(3 sqrt 3). */
static gt_status folded(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = x[1];
    dx[1] = x[1] * (1 - x[1] * x[1]) - x[0];
    return GT_OK;
}

/* "check the Jacobian" sent users to look at what is right. The time from v' = v / (1 - 3 v^2): ln
 * v - 3/2 (v^2 - 1).
 */
static void a_fold_is_named(void **state)
{
    (void)state;
    static const double x0[] = {0, 1};
    static const char *const names[] = {"w", "v"};
    double end = log(1 / sqrt(3)) + 1;
    gt_problem p = {.n_slow = 1, .n_alg = 1, .rhs = folded, .x0 = x0, .t1 = 20, .names = names};
    size_t tried = 0;
    for (const gt_method *const *all = gt_method_list(); *all; all++) {
        const gt_method *m = *all;
        gt_report r;
        gt_plan plan = {.rtol = 1e-6, .max_steps = 20000};
        gt_status status = gt_solve(&p, m, &plan, &r);
        if (status == GT_UNSUPPORTED || status == GT_BAD_ARGUMENT || status == GT_TOO_MANY_STEPS)
            continue;
        tried++;
        if (!status || !strstr(r.message.text, "no solution beyond t = 0.45") ||
            !strstr(r.message.text, ": v = 0.57"))
            fail_msg("%s: %d, %s", m->name, status, r.message.text);
        if (fabs(r.t - end) > 1e-3) fail_msg("%s ends at %g, not at %g", m->name, r.t, end);
    }
    assert_true(tried >= 8);
}

/* Two of three equations say the same of y1 and y2; y3 is innocent. */
static gt_status dependent(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = -x[0];
    dx[1] = x[1] + x[2] - x[0];
    dx[2] = x[3] - 2 * x[0];
    dx[3] = 3 * x[1] + 3 * x[2] - 3 * x[0];
    return GT_OK;
}

static gt_status dependent_jacobian(double t, const double *x, gt_matrix *J, void *ctx)
{
    static const double A[4][4] = {{-1, 0, 0, 0}, {-1, 1, 1, 0}, {-2, 0, 0, 1}, {-3, 3, 3, 0}};
    (void)t, (void)x, (void)ctx;
    for (size_t j = 0; j < 4; j++)
        for (size_t i = 0; i < 4; i++) J->values[4 * j + i] = A[i][j];
    return GT_OK;
}

static void dependent_equations_are_named(void **state)
{
    (void)state;
    static const char *const names[] = {"x", "y1", "y2", "y3"};
    for (int start = 0; start < 2; start++) { /* consistent or not */
        const double x0[] = {1, 0.5, 0.5, start ? 2.0 : 7.0};
        gt_problem p = {.n_slow = 1,
                        .n_alg = 3,
                        .rhs = dependent,
                        .jac = dependent_jacobian,
                        .x0 = x0,
                        .t1 = 1,
                        .names = names};
        gt_report report;
        assert_int_equal(gt_solve(&p, gt_method_find("gear"), NULL, &report), GT_SINGULAR);
        if (!strstr(report.message.text,
                    "Equation 1 (the row of y1), 3 (the row of y3) leaves open y1, y2;"))
            fail_msg("%s", report.message.text);
    }
}

/* The same pendulum as M x' = f with M = diag(1, 1, 1, 1, 0); and x' + y' = f1, x' + y' = f2, of
 * index 1 where f1 - f2 determines x - y, and not where it does not. */
static gt_status sum_of_rates(double t, const double *x, double *dx, void *ctx)
{
    const rod *r = ctx;
    (void)t;
    dx[0] = -x[0] - x[1];
    dx[1] = r->index == 1 ? -x[0] - 2 * x[1] : dx[0];
    return GT_OK;
}

static void mass_matrices_of_high_index_are_found(void **state)
{
    (void)state;
    double diagonal[] = {1, 1, 1, 1, 0}, ones[] = {1, 1, 1, 1};
    gt_matrix M = {.n = 5, .pattern = {.storage = GT_BANDED}, .values = diagonal};
    gt_matrix full = {.n = 2, .pattern = {.storage = GT_DENSE}, .values = ones};
    static const double x0[] = {1, 0, 0, 0, 0}, two[] = {1, 0};
    static const char *const names[] = {"x", "y", "u", "v", "lambda"};
    for (int index = 1; index <= 3; index++) {
        rod r = {index};
        gt_report report;
        gt_problem p = {.n_slow = 5,
                        .rhs = pendulum,
                        .mass = &M,
                        .x0 = x0,
                        .t1 = 0.1,
                        .names = names,
                        .ctx = &r};
        gt_status status = gt_solve(&p, gt_method_find("gear"), &(gt_plan){.rtol = 1e-6}, &report);
        if (index == 1 ? status != GT_OK : status != GT_SINGULAR)
            fail_msg("index %d: %s", index, report.message.text);
        if (index > 1 &&
            !strstr(report.message.text, "Equation that of lambda leaves open lambda;"))
            fail_msg("%s", report.message.text);
        gt_problem q = {.n_slow = 2,
                        .rhs = sum_of_rates,
                        .mass = &full,
                        .x0 = two,
                        .t1 = 0.1,
                        .names = names,
                        .ctx = &r};
        status = gt_solve(&q, gt_method_find("beuler"), &(gt_plan){.h = 0.01}, &report);
        if (index == 1 ? status != GT_OK : status != GT_SINGULAR)
            fail_msg("sum, %d: %s", index, report.message.text);
    }
}

/* x1' + x2' = -x1, the same = x1 - 2 x2: 0 = x1 - x2, and x1 = x2 = exp(-t/2) from a sum of 2. */
static gt_status tied(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = -x[0];
    dx[1] = x[0] - 2 * x[1];
    return GT_OK;
}

/* 0 = x1^2 + 1: no start meets it. */
static gt_status without_root(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = -x[0];
    dx[1] = x[1] * x[1] + 1;
    return GT_OK;
}

static void starts_meet_singular_mass_matrices(void **state)
{
    (void)state;
    static const char *const names[] = {"gear", "radau", "rodas4", "rodas5", "beuler", "gear3"};
    double ones[] = {1, 1, 1, 1}, one[] = {1, 0, 0, 0};
    const gt_matrix M = {.n = 2, .values = ones}, M1 = {.n = 2, .values = one};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int off = 0; off < 2; off++) {
            const double x0[] = {1 - off * 0.5, 1 + off * 0.5};
            const gt_problem p = {.n_slow = 2, .rhs = tied, .x0 = x0, .t1 = 2, .mass = &M};
            double x[2];
            gt_report r;
            gt_plan plan = {.rtol = 1e-6, .x_end = x};
            if (gt_solve(&p, gt_method_find(names[i]), &plan, &r))
                fail_msg("%s: %s", names[i], r.message.text);
            double allowed = strcmp(names[i], "beuler") == 0 ? 1e-2 : 1e-4;
            if (!(fabs(x[0] - exp(-1)) < allowed && fabs(x[1] - exp(-1)) < allowed))
                fail_msg("%s from %g: %g, %g", names[i], x0[0], x[0], x[1]);
            assert_int_equal(r.warnings.count, off);
            if (off) assert_non_null(strstr(r.warnings.list[0].text, "x1 = 1 (0.5 was given)"));
        }
    const double x0[] = {1, 0.5};
    const gt_problem p = {.n_slow = 2, .rhs = without_root, .x0 = x0, .t1 = 2, .mass = &M1};
    gt_report r;
    assert_int_equal(gt_solve(&p, gt_method_find("gear"), &(gt_plan){.rtol = 1e-6}, &r),
                     GT_INCONSISTENT);
    assert_non_null(strstr(r.message.text, "that of x2"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(high_index_is_found_at_the_start),
        cmocka_unit_test(dependent_equations_are_named),
        cmocka_unit_test(mass_matrices_of_high_index_are_found),
        cmocka_unit_test(starts_meet_singular_mass_matrices),
        cmocka_unit_test(contraction_is_the_known_one),
        cmocka_unit_test(storage_makes_no_difference),
        cmocka_unit_test(controlled_steps_contract),
        cmocka_unit_test(rectifier_in_both_ways),
        cmocka_unit_test(order_with_algebraic_rows_and_mass),
        cmocka_unit_test(explicit_ones_refuse_with_a_sentence),
        cmocka_unit_test(history_is_forgotten_at_events),
        cmocka_unit_test(controlled_steps_are_accurate),
        cmocka_unit_test(stiff_problems),
        cmocka_unit_test(a_fold_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
