/* SPDX-License-Identifier: BSD-3-Clause */
/* The singular perturbation and exponential Rosenbrock methods: steps beside reference values, the
 * test equation beside the closed form, forcing, folds, honest error estimates, large blocks. */
#include "methods_kit.h"
#include "spm_reference.h"
#include <geartrain/analysis/stability.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const gt_method *method(const char *name)
{
    const gt_method *m = gt_method_find(name);
    assert_non_null(m);
    return m;
}

static void run_fixed(bench_top *b, const char *name, const char *options, double h, double *x,
                      gt_report *report)
{
    gt_status status = gt_solve(&b->problem, method(name),
                                &(gt_plan){.h = h, .options = options, .x_end = x}, report);
    if (status) fail_msg("%s %s on %s: %s", name, options, b->problem.name, report->message.text);
}

static void steps_are_the_reference(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(spm_steps); i++) {
        const spm_step *r = &spm_steps[i];
        bench_top b;
        gt_report report;
        double x[3];
        build(&b, r->model, r->parameters);
        b.problem.t1 = r->steps * r->h;
        run_fixed(&b, r->method, r->options, r->h, x, &report);
        assert_int_equal(report.stats.steps, r->steps);
        for (size_t k = 0; k < gt_problem_size(&b.problem); k++)
            if (!(fabs(x[k] - r->x[k]) < 1e-12))
                fail_msg("%s %s on %s %s, %d steps, x%zu: %.17g, not %.17g", r->method, r->options,
                         r->model, r->parameters, r->steps, k, x[k], r->x[k]);
        gt_arena_free(&b.arena);
    }
}

/* gil (55), (56) with the first term of M12 put right, and (57) for y=linear. */
static void closed_form(double alpha, double beta, double complex xi, bool linear,
                        double complex M[2][2])
{
    double complex e = cexp(alpha * xi), s = (1 - beta * beta) * xi, square = alpha * xi - e + 1;
    double complex R = 1 + s + s * s / 2 + s * s * s / 6 + s * s * s * s / 24;
    double b2 = beta * beta, a = alpha + b2;
    M[0][0] = R + b2 / alpha * (e - 1) - b2 / (alpha * alpha) * square;
    M[0][1] = beta / alpha * (e - 1) - beta * b2 / (alpha * alpha) * square;
    if (linear) {
        M[1][0] = -beta * M[0][0] + beta * e + beta / alpha * (e - 1);
        M[1][1] = -beta * M[0][1] + e + b2 / alpha * (e - 1);
        return;
    }
    double complex E = cexp(a * xi), c = beta * (b2 - 1) / a, late = (E - 1) / (a * xi);
    M[1][0] = -beta * M[0][0] + beta * E + c * (M[0][0] - E) - c * late * (M[0][0] - 1);
    M[1][1] = -beta * M[0][1] + E + c * M[0][1] - c * late * M[0][1];
}

static double matrix_error(const gt_test2 *test, double complex xi, double complex M[2][2])
{
    double complex found[2][2];
    double worst = 0;
    assert_int_equal(gt_test2_matrix(test, xi, found), GT_OK);
    for (int i = 0; i < 4; i++) {
        double complex wanted = M[i / 2][i % 2];
        worst = fmax(worst, cabs(found[i / 2][i % 2] - wanted) / (1 + cabs(wanted)));
    }
    return worst;
}

static void the_test_equation_has_the_closed_form(void **state)
{
    (void)state;
    static const double alphas[] = {10, 100, 1000}, betas[] = {0, 0.1, 0.3, 0.5, 0.9};
    for (int linear = 0; linear <= 1; linear++)
        for (int k = 0; k < 200; k++) {
            double alpha = alphas[k % 3], beta = betas[k / 3 % 5],
                   radius = 4 * fabs(sin(1.7 * k)) + 1e-3;
            double angle = acos(-1) * (0.5 + 0.5 * fabs(cos(0.9 * k)));
            double complex xi = radius * cexp(I * angle), M[2][2];
            gt_test2 test;
            gt_message message;
            assert_int_equal(gt_test2_open(&test, method("spm"), linear ? "y=linear" : "", alpha,
                                           beta, &message),
                             GT_OK);
            closed_form(alpha, beta, xi, linear, M);
            double error = matrix_error(&test, xi, M);
            if (!(error < 1e-12))
                fail_msg("alpha %g, beta %g, xi %g%+gi: M is off by %g", alpha, beta, creal(xi),
                         cimag(xi), error);
            gt_test2_close(&test);
        }
    for (size_t k = 0; k < COUNT(spm_matrices); k++) {
        const spm_matrix *r = &spm_matrices[k];
        gt_test2 test;
        gt_message message;
        double complex M[2][2], xi = r->xi[0] + I * r->xi[1];
        for (int i = 0; i < 4; i++)
            M[i / 2][i % 2] = r->M[i / 2][i % 2][0] + I * r->M[i / 2][i % 2][1];
        assert_int_equal(gt_test2_open(&test, method("spm"), "", r->alpha, r->beta, &message),
                         GT_OK);
        assert_true(matrix_error(&test, xi, M) < 1e-13);
        assert_true(fabs(gt_test2_radius(&test, xi) - r->radius) < 1e-13);
        gt_test2_close(&test);
    }
}

static void the_region_ends_where_it_should(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(spm_exits); k++) {
        const spm_exit *r = &spm_exits[k];
        gt_test2 test;
        gt_message message;
        double complex ray = cexp(I * acos(-1) * r->degrees / 180);
        assert_int_equal(gt_test2_open(&test, method("spm"), "", r->alpha, r->beta, &message),
                         GT_OK);
        assert_true(gt_test2_radius(&test, (r->radius - 2e-3) * ray) < 1);
        assert_true(gt_test2_radius(&test, (r->radius + 2e-3) * ray) > 1);
        gt_test2_close(&test);
    }
}

/* e^A of the test equation from its eigenvalues. */
static void exact2(double alpha, double beta, double complex xi, double complex E[2][2])
{
    double complex a = xi, b = beta * xi, c = alpha * beta * xi, d = alpha * xi;
    double complex mean = (a + d) / 2, root = csqrt((a - d) * (a - d) / 4 + b * c);
    double complex grow = cexp(mean) * ccosh(root), mix = cexp(mean) * csinh(root) / root;
    E[0][0] = grow + mix * (a - mean), E[0][1] = mix * b;
    E[1][0] = mix * c, E[1][1] = grow + mix * (d - mean);
}

static void local_errors_of_figures_4_and_5(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(spm_locals); k++) {
        const spm_local *r = &spm_locals[k];
        gt_test2 test;
        gt_message message;
        double complex M[2][2], E[2][2], xi = r->h * (-1 + I);
        assert_int_equal(gt_test2_open(&test, method("spm"), "", r->alpha, r->beta, &message),
                         GT_OK);
        assert_int_equal(gt_test2_matrix(&test, xi, M), GT_OK);
        exact2(r->alpha, r->beta, xi, E);
        double l_x = cabs(M[0][0] + M[0][1] - E[0][0] - E[0][1]),
               l_z = cabs(M[1][0] + M[1][1] - E[1][0] - E[1][1]);
        if (!(fabs(l_x - r->l_x) < 1e-14 + 2e-7 * r->l_x &&
              fabs(l_z - r->l_z) < 1e-14 + 2e-7 * r->l_z))
            fail_msg("alpha %g, beta %g, h %g: %.10g, %.10g", r->alpha, r->beta, r->h, l_x, l_z);
        gt_test2_close(&test);
    }
}

typedef struct {
    gt_sink sink;
    const gt_problem *p;
    double start, drift;
} watch;

static gt_status look_at_energy(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    watch *w = (watch *)self;
    double values[3];
    (void)message;
    w->p->invariants(sample->t, sample->x, values, w->p->ctx);
    if (sample->t == 0) w->start = values[0];
    w->drift = fmax(w->drift, fabs(values[0] - w->start));
    return GT_OK;
}

/* Energy has 346 J of gravity in it: differences of 1e-5 J are known to 1e-11 at best. */
static void the_pendulum_swings(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(spm_swings); k++) {
        const spm_swing *r = &spm_swings[k];
        bench_top b;
        gt_report report;
        double x[10];
        build(&b, "pendulum", "");
        b.problem.t1 = 5;
        watch w = {.sink = {.wants = GT_AT_STEP, .write = look_at_energy}, .p = &b.problem};
        gt_sink *sinks[] = {&w.sink};
        gt_plan plan = {.h = r->h, .options = r->options, .x_end = x, .sinks = sinks, .n_sinks = 1};
        assert_int_equal(gt_solve(&b.problem, method(r->method), &plan, &report), GT_OK);
        assert_true(fabs(w.start - -346.81094554013924) < 1e-11);
        if (!(fabs(x[2] - r->theta) < 1e-10 && fabs(x[6] - r->r2x) < 1e-8 &&
              fabs(x[7] - r->r2y) < 1e-8 && fabs(w.drift - r->drift) < 1e-9))
            fail_msg("%s %s, h %g: theta %.16g, r2 %.16g %.16g, drift %.10g", r->method, r->options,
                     r->h, x[2], x[6], x[7], w.drift);
        gt_arena_free(&b.arena);
    }
}

/* z follows cos t in a time of 1e-4, and x feels it: without g_t the error is ten times as large.
 */
static gt_status forced_slow(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = -x[0] + x[1];
    return GT_OK;
}

static gt_status forced_fast(double t, const double *x, double *dx, void *ctx)
{
    (void)ctx;
    dx[0] = -1e4 * (x[1] - cos(3 * t) - 0.1 * x[0]);
    return GT_OK;
}

static gt_status forced(double t, const double *x, double *dx, void *ctx)
{
    (void)!forced_slow(t, x, dx, ctx);
    return forced_fast(t, x, dx + 1, ctx);
}

static void forcing_of_the_fast_block_is_not_lost(void **state)
{
    (void)state;
    static const char *const names[] = {"spm", "spm2", "spmc", "exprb2", "exprb32", "exprb43"};
    static const double x0[] = {1, 1.1};
    gt_problem p = {.n_slow = 1,
                    .n_fast = 1,
                    .rhs = forced,
                    .rhs_slow = forced_slow,
                    .rhs_fast = forced_fast,
                    .x0 = x0,
                    .t1 = 2};
    double exact[2], x[2];
    gt_report report;
    gt_plan tight = {.rtol = 1e-11, .atol = 1e-13, .x_end = exact};
    assert_int_equal(gt_solve(&p, method("dopri5"), &tight, &report), GT_OK);
    for (size_t k = 0; k < COUNT(names); k++) {
        gt_plan plan = {.h = 0.025, .x_end = x};
        assert_int_equal(gt_solve(&p, method(names[k]), &plan, &report), GT_OK);
        /* The manifold is followed along its tangent: (3 h)^2/2 is missing at the end of each step.
         */
        bool bends = k == 2 || k >= 4;
        double error = fmax(fabs(x[0] - exact[0]), fabs(x[1] - exact[1]));
        if (!(error < (bends ? 1e-4 : 4e-3))) fail_msg("%s: error %g", names[k], error);
        p.autonomous = true; /* which is not true: the error that is avoided */
        assert_int_equal(gt_solve(&p, method(names[k]), &plan, &report), GT_OK);
        double without = fmax(fabs(x[0] - exact[0]), fabs(x[1] - exact[1]));
        if (!(without > 8 * error))
            fail_msg("%s: error %g, without g_t %g", names[k], error, without);
        p.autonomous = false;
    }
}

/* At the fold of the manifold the members converge all the same, exprb32 helping, and say so. */
static void the_fold_is_passed(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int steps;
        double error;
    } cases[] = {{"spm", 3200, 2e-4},
                 {"spm2", 3200, 1e-5},
                 {"spmc", 3200, 1e-5},
                 {"exprb32", 3200, 1e-6},
                 {"exprb43", 3200, 1e-7}};
    for (size_t k = 0; k < COUNT(cases); k++) {
        bench_top b;
        gt_report report;
        double x[2];
        build(&b, "lienard", "eps=0.01");
        run_fixed(&b, cases[k].name, "", b.problem.t1 / cases[k].steps, x, &report);
        if (!(fabs(x[0] - 0.4850145554750667) < cases[k].error))
            fail_msg("%s: error %g", cases[k].name, fabs(x[0] - 0.4850145554750667));
        bool says = strstr(report.note.text, "exprb32 took") && strstr(report.note.text, "in z");
        assert_true(says == (k < 3));
        assert_string_equal(report.message.text, "");
        gt_plan plan = {.h = 1e-3, .options = "singular=stop"};
        if (k < 3) {
            assert_int_equal(gt_solve(&b.problem, method(cases[k].name), &plan, &report),
                             GT_SINGULAR);
            assert_non_null(strstr(report.message.text, "g_z"));
            assert_non_null(strstr(report.message.text, "in z"));
        }
        gt_arena_free(&b.arena);
    }
}

/* The true error of one step from a point of the solution, beside the estimate, for steps from a
 * tenth of the span down to where the error is lost: an estimate may be too careful, where a
 * solution of lower order is compared with, but never promise more than five times too much. Errors
 * above 0.1 tell nothing. */
static void check_estimate(const char *model, const char *parameters, const char *name,
                           double reach)
{
    bench_top b;
    build(&b, model, parameters);
    bind_method(&b, method(name), "");
    b.s.rtol = b.s.atol = 1e-6;
    double span = b.problem.t1;
    int looked_at = 0;
    for (int part = 0; part < 2; part++) {
        double x0[10], x1[10], t0 = 0.3 * part * span;
        gt_problem p = b.problem;
        gt_plan tight = {.rtol = 1e-13, .atol = 1e-15, .x_end = x0};
        memcpy(x0, p.x0, b.s.n * sizeof *x0);
        p.t1 = t0;
        if (part) assert_int_equal(gt_solve(&p, method("dopri5"), &tight, NULL), GT_OK);
        tight.x_end = x1;
        for (double h = reach * span; h > 1e-5 * span; h /= 4) {
            double estimate = 0, error = 0;
            p.t0 = t0, p.t1 = t0 + h, p.x0 = x0;
            assert_int_equal(gt_solve(&p, method("dopri5"), &tight, NULL), GT_OK);
            gt_stepper_start(&b.s, t0, x0);
            assert_int_equal(gt_stepper_try(&b.s, h, true), GT_OK);
            for (size_t i = 0; i < b.s.n; i++) {
                estimate = fmax(estimate, fabs(b.s.err[i]) / (1 + fabs(x1[i])));
                error = fmax(error, fabs(b.s.x_new[i] - x1[i]) / (1 + fabs(x1[i])));
            }
            if (error < 1e-9) break;
            if (error > 0.1) continue;
            looked_at++;
            if (!(estimate > 0.2 * error && estimate < 1e4 * error))
                fail_msg("%s on %s %s, t = %g, h = %g: error %g, estimated %g", name, model,
                         parameters, t0, h, error, estimate);
        }
    }
    if (looked_at < 2)
        fail_msg("%s on %s %s: only %d errors seen", name, model, parameters, looked_at);
    dismantle(&b);
}

static void estimates_are_honest(void **state)
{
    (void)state;
    static const char *const names[] = {"spm", "spm2", "spmc", "exprb2", "exprb32", "exprb43"};
    static const struct {
        const char *model, *parameters;
        double reach, of_exprb, of_exprb43; /* exprb looks at f at the end only: f that is not
                                   linear in a fast oscillation, or in a decay, must be resolved */
    } cases[] = {{"kaps", "eps=0.1", 0.1, 0.1, 0.1},      {"kaps", "eps=1e-3", 0.1, 0.1, 0.1},
                 {"quadfast", "eps=0.1", 0.1, 0.1, 0.1},  {"quadfast", "eps=1e-3", 0.1, 0.1, 0.1},
                 {"quadosc", "w=50", 0.1, 7e-3, 0.02},    {"quadosc", "w=500", 0.1, 7e-4, 2e-3},
                 {"lienard", "eps=0.01", 0.1, 0.1, 0.02}, {"pendulum", "", 0.1, 0.1, 0.1},
                 {"flexjoint", "", 0.1, 0.1, 0.1}};
    for (size_t c = 0; c < COUNT(cases); c++)
        for (size_t k = 0; k < COUNT(names); k++)
            check_estimate(cases[c].model, cases[c].parameters, names[k],
                           k < 3   ? cases[c].reach
                           : k < 5 ? cases[c].of_exprb
                                   : cases[c].of_exprb43);
}

/* Controlled runs: errors of single steps, each below the tolerance, add up to no more than so many
 * times it. */
static void controlled_runs_keep_the_tolerance(void **state)
{
    (void)state;
    static const char *const models[][2] = {{"kaps", "eps=1e-3"}, {"quadfast", "eps=1e-3"},
                                            {"quadosc", "w=50"},  {"lienard", "eps=0.1"},
                                            {"pendulum", ""},     {"flexjoint", ""}};
    static const char *const names[] = {"spm2", "spmc", "exprb2", "exprb32", "exprb43"};
    for (size_t c = 0; c < COUNT(models) * COUNT(names); c++) {
        const char *model = models[c / COUNT(names)][0], *name = names[c % COUNT(names)];
        bench_top b;
        gt_report report;
        double x[10], exact[10], first = 0;
        build(&b, model, models[c / COUNT(names)][1]);
        if (b.problem.t1 > 1) b.problem.t1 = 1;
        gt_plan tight = {.rtol = 1e-11, .atol = 1e-12, .x_end = exact};
        assert_int_equal(gt_solve(&b.problem, method("dopri5"), &tight, &report), GT_OK);
        for (int digits = 3; digits <= 5; digits++) {
            double tol = pow(10, -digits), error = 0;
            gt_plan plan = {.rtol = tol, .atol = tol, .x_end = x};
            gt_status status = gt_solve(&b.problem, method(name), &plan, &report);
            if (status) fail_msg("%s on %s: %s", name, model, report.message.text);
            for (size_t i = 0; i < gt_problem_size(&b.problem); i++)
                error = fmax(error, fabs(x[i] - exact[i]) / (1 + fabs(exact[i])));
            if (!(error < tol * (double)(2 + report.stats.steps)))
                fail_msg("%s on %s, tolerance %g: error %g after %ld steps", name, model, tol,
                         error, report.stats.steps);
            if (digits == 3) first = error;
            if (digits == 5 && !(error < fmax(0.3 * first, 3 * tol)))
                fail_msg("%s on %s: the error does not follow the tolerance", name, model);
        }
        gt_arena_free(&b.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_the_reference),
        cmocka_unit_test(the_test_equation_has_the_closed_form),
        cmocka_unit_test(the_region_ends_where_it_should),
        cmocka_unit_test(local_errors_of_figures_4_and_5),
        cmocka_unit_test(the_pendulum_swings),
        cmocka_unit_test(forcing_of_the_fast_block_is_not_lost),
        cmocka_unit_test(the_fold_is_passed),
        cmocka_unit_test(estimates_are_honest),
        cmocka_unit_test(controlled_runs_keep_the_tolerance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
