/* SPDX-License-Identifier: BSD-3-Clause */
/* Algebraic equations of index 1 by all methods that claim them: order, tolerance, consistent ends,
 * trials without trace; mass matrices that depend on the state, and their energy. */
#include "methods_kit.h"

/* x1' = x2 y, x2' = -x1 y with 0 = y^3 + y - 2 + (x1^2 + x2^2 - 1)(1 + sin t): a rotation with y =
 * 1, whose y answers to every error of x. */
static gt_status turning(double t, const double *x, double *dx, void *ctx)
{
    (void)ctx;
    dx[0] = x[1] * x[2];
    dx[1] = -x[0] * x[2];
    dx[2] = x[2] * x[2] * x[2] + x[2] - 2 + (x[0] * x[0] + x[1] * x[1] - 1) * (1 + sin(t));
    return GT_OK;
}

/* x' = -y, 0 = y^3 + y - x^3 - x: y = x = exp(-t). */
static gt_status decaying(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = -x[1];
    dx[1] = x[1] * x[1] * x[1] + x[1] - x[0] * x[0] * x[0] - x[0];
    return GT_OK;
}

static const double start[] = {1, 0, 1}, ones[] = {1, 1};
static const gt_problem rotation = {.n_slow = 2, .n_alg = 1, .rhs = turning, .x0 = start, .t1 = 2};
static const gt_problem decay = {.n_slow = 1, .n_alg = 1, .rhs = decaying, .x0 = ones, .t1 = 2};

/* The acid in a stirred tank, with inflows of two salts: 0 = b + y - 1e-6/y - 0.0018 a/(0.0018 + y)
 * has one positive root, the concentration of hydrogen, and a negative one next to it. It falls to
 * a 25th. */
static gt_status titrated(double t, const double *x, double *dx, void *ctx)
{
    (void)ctx;
    dx[0] = 0.1 * (0.02 * (1 + 0.5 * sin(t)) - x[0]);
    dx[1] = 0.05 * (0.03 - x[1]);
    dx[2] = x[1] + x[2] - 1e-6 / x[2] - 0.0018 * x[0] / (x[2] + 0.0018);
    return GT_OK;
}

static const double salts[] = {0.01, 0.002, 0.0025};
static const gt_problem titration = {
    .n_slow = 2, .n_alg = 1, .rhs = titrated, .x0 = salts, .t1 = 50};

/* As it is with vinegar, soda and water: the root falls from 9.4e-4 to 1.2e-5 while nothing limits
 * the steps of litres and soda, and behind poles at 0 and -1.8e-5 there is one at -0.02. */
static gt_status vinegar(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    double litres = x[0], y = x[3];
    dx[0] = 0.01;
    dx[1] = 0;
    dx[2] = 0.001;
    dx[3] = y + x[2] / litres - 1e-14 / y - x[1] / litres * 1.8e-5 / (1.8e-5 + y);
    return GT_OK;
}

static const double no_soda[] = {1, 0.05, 0, 1e-3};
static const gt_problem soda = {.n_slow = 3, .n_alg = 1, .rhs = vinegar, .x0 = no_soda, .t1 = 30};

static bool claims(const gt_method *m, gt_facts *facts)
{
    *facts = gt_method_facts(m, gt_params_default(m->options).v);
    return facts->flags & GT_TREATS_ALGEBRAIC && !(facts->flags & GT_NEEDS_PARTITION);
}

static void orders_hold(void **state)
{
    (void)state;
    enum { SIZES = 5 };
    int count = 0;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        gt_facts facts;
        if (!claims(*m, &facts) || facts.flags & GT_VARIABLE_FORMULA || facts.order_problem)
            continue;
        double h[SIZES], error[SIZES], steps = facts.order > 4 ? 12 : 40;
        for (int k = 0; k < SIZES; k++, steps = round(steps * (facts.order > 4 ? 1.3 : 1.5))) {
            double x[2];
            gt_report r;
            h[k] = 2 / steps;
            gt_status status = gt_solve(&decay, *m, &(gt_plan){.h = h[k], .x_end = x}, &r);
            if (status) fail_msg("%s: %s", (*m)->name, r.message.text);
            error[k] = fabs(x[0] - exp(-2)) + fabs(x[1] - exp(-2));
        }
        double slope = slope_of(h, error, SIZES, 3e-13);
        if (!(slope > facts.order - 0.4 || error[SIZES - 1] < 1e-11))
            fail_msg("%s: order %.2f (errors %g .. %g)", (*m)->name, slope, error[0],
                     error[SIZES - 1]);
        count++;
    }
    assert_true(count > 33);
}

static void ends_are_consistent_and_accurate(void **state)
{
    (void)state;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        gt_facts facts;
        if (!claims(*m, &facts)) continue;
        for (int controlled = 0; controlled < 2; controlled++) {
            if (controlled ? !facts.error_order : (facts.flags & GT_VARIABLE_FORMULA) != 0)
                continue;
            double x[3], g[3];
            gt_report r;
            gt_plan plan = {.h = controlled ? 0 : 0.01,
                            .rtol = controlled ? 1e-5 : 0,
                            .atol = 1e-5,
                            .x_end = x};
            if (gt_solve(&rotation, *m, &plan, &r)) fail_msg("%s: %s", (*m)->name, r.message.text);
            (void)turning(2, x, g, NULL);
            double error = hypot(x[0] - cos(2), x[1] + sin(2));
            if (!(fabs(g[2]) < (controlled ? 2e-5 : 1e-10)))
                fail_msg("%s leaves a residual of %g", (*m)->name, g[2]);
            double allowed = facts.order == 1 ? 0.05 : controlled ? 2e-3 : 1e-3;
            if (!(error < allowed))
                fail_msg("%s, %s steps: error %g", (*m)->name, controlled ? "controlled" : "fixed",
                         error);
        }
    }
}

static void trials_leave_no_trace(void **state)
{
    (void)state;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        gt_facts facts;
        if (!claims(*m, &facts)) continue;
        double end[2][3];
        for (int k = 0; k < 2; k++) {
            gt_stepper s;
            size_t bytes;
            assert_int_equal(gt_stepper_measure(*m, "", &rotation, &bytes, NULL), GT_OK);
            void *memory = malloc(bytes);
            assert_int_equal(gt_stepper_init(&s, *m, "", &rotation, memory, bytes), GT_OK);
            s.rtol = s.atol = 1e-6;
            gt_stepper_start(&s, 0, start);
            for (int j = 0; j < 12; j++) {
                if (k) (void)!gt_stepper_try(&s, 0.7, true);
                if (gt_stepper_try(&s, 0.02, true)) fail_msg("%s: %s", (*m)->name, s.message.text);
                gt_stepper_accept(&s);
            }
            memcpy(end[k], s.x, sizeof end[k]);
            gt_stepper_free(&s);
            free(memory);
        }
        if (memcmp(end[0], end[1], sizeof end[0])) fail_msg("%s remembers a trial", (*m)->name);
    }
}

/* A pendulum of two equal links without friction: M(q) a = f(q, v), M(q) = (2, cos; cos, 1), a = v'
 * algebraic. States q1, q2, v1, v2, a1, a2. */
static gt_status two_links(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    double c = cos(x[0] - x[1]), s = sin(x[0] - x[1]);
    dx[0] = x[2], dx[1] = x[3];
    dx[2] = x[4], dx[3] = x[5];
    dx[4] = 2 * x[4] + c * x[5] + s * x[3] * x[3] + 2 * 9.81 * sin(x[0]);
    dx[5] = c * x[4] + x[5] - s * x[2] * x[2] + 9.81 * sin(x[1]);
    return GT_OK;
}

static double energy_of(const double *x)
{
    return x[2] * x[2] + x[3] * x[3] / 2 + cos(x[0] - x[1]) * x[2] * x[3] -
           9.81 * (2 * cos(x[0]) + cos(x[1]));
}

/* Halves that meet in the middle are symmetric in time: the energy of a small swing does not drift
 * over a thousand periods, where formulas that damp lose it. */
static void mass_matrices_of_the_state_keep_energy(void **state)
{
    (void)state;
    static const double x0[] = {0.2, 0.1, 0, 0, 0, 0};
    const gt_problem p = {.n_slow = 4, .n_alg = 2, .rhs = two_links, .x0 = x0, .t1 = 200};
    static const struct {
        const char *name;
        double most, least;
    } cases[] = {{"bi", 2e-5, 0}, {"bi33", 2e-5, 0}, {"gear2", 1, 1e-2}};
    double bottom = -9.81 * 3, swing = energy_of(x0) - bottom;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double x[6];
        gt_report r;
        if (gt_solve(&p, gt_method_find(cases[i].name), &(gt_plan){.h = 0.05, .x_end = x}, &r))
            fail_msg("%s: %s", cases[i].name, r.message.text);
        double lost = fabs(energy_of(x) - bottom - swing) / swing;
        if (!(lost <= cases[i].most && lost >= cases[i].least))
            fail_msg("%s: %g of the energy", cases[i].name, lost);
    }
}

/* Linear equations with an input in the algebraic row, by partial fractions: x' = -x + y, 0 = 2 y -
 * x - sin t. */
static gt_status driven(double t, const double *x, double *dx, void *ctx)
{
    (void)ctx;
    dx[0] = -x[0] + x[1];
    dx[1] = 2 * x[1] - x[0] - sin(t);
    return GT_OK;
}

static void linear_ones_need_no_iteration(void **state)
{
    (void)state;
    static const double x0[] = {1, 0.5};
    gt_problem p = {.n_slow = 1, .n_alg = 1, .rhs = driven, .x0 = x0, .t1 = 2, .linear = true};
    /* x' = -x/2 + sin(t)/2: x = c e^(-t/2) + (sin t - 2 cos t)/5 */
    double exact = 1.4 * exp(-1) + (sin(2) - 2 * cos(2)) / 5, error[2];
    for (int k = 0; k < 2; k++) {
        double x[2];
        gt_report r;
        if (gt_solve(&p, gt_method_find("bi"), &(gt_plan){.h = 0.2 / (1 + k), .x_end = x}, &r))
            fail_msg("%s", r.message.text);
        error[k] = fabs(x[0] - exact);
        assert_true(fabs(2 * x[1] - x[0] - sin(2)) < 1e-12);
    }
    assert_true(fabs(log2(error[0] / error[1]) - 4) < 0.3);
}

/* A step that ends on another root has no error that a method could see. */
static void the_root_is_followed(void **state)
{
    (void)state;
    const double end = 1.0145536e-4; /* radau, gear and dop853 at 1e-10 */
    int count = 0;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        gt_facts facts;
        if (!claims(*m, &facts)) continue;
        for (int fixed = facts.error_order ? 0 : 1; fixed < 2; fixed++, count++) {
            double x[3];
            gt_plan plan = {.x_end = x, .atol = 1e-9};
            if (fixed)
                plan.h = 1;
            else
                plan.rtol = 1e-6;
            gt_report r;
            gt_status status = gt_solve(&titration, *m, &plan, &r);
            if (status && fixed) continue; /* steps too long for it, and it says so */
            if (status) fail_msg("%s: %s", (*m)->name, r.message.text);
            if (!(fabs(x[2] - end) < 0.05 * end))
                fail_msg("%s, %s step: %.6g", (*m)->name, fixed ? "fixed" : "controlled", x[2]);
        }
    }
    assert_true(count > 60);
}

static void the_root_is_followed_over_long_steps(void **state)
{
    (void)state;
    const double end = 1.198442941e-5; /* by bisection */
    int count = 0;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        gt_facts facts;
        if (!claims(*m, &facts) || !facts.error_order) continue;
        for (double tolerance = 1e-6; tolerance > 1e-10; tolerance /= 10, count++) {
            double x[4];
            gt_report r;
            gt_plan plan = {.x_end = x, .rtol = tolerance, .atol = tolerance};
            gt_status status = gt_solve(&soda, *m, &plan, &r);
            /* it may say that it cannot, not end elsewhere */
            if (!status && !(fabs(x[3] - end) < 10 * tolerance))
                fail_msg("%s at %g: %.6g", (*m)->name, tolerance, x[3]);
        }
    }
    assert_true(count > 120);
}

/* t' = 1, 0 = (t - 1) y - 1: y = 1/(t - 1) ends in a pole; beyond it there is a root as well. */
static gt_status to_a_pole(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = 1;
    dx[1] = (x[0] - 1) * x[1] - 1;
    return GT_OK;
}

static void no_step_passes_a_pole(void **state)
{
    (void)state;
    static const double x0[] = {0, -1};
    const gt_problem pole = {.n_slow = 1, .n_alg = 1, .rhs = to_a_pole, .x0 = x0, .t1 = 2};
    int count = 0;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        gt_facts facts;
        if (!claims(*m, &facts) || !facts.error_order) continue;
        double x[2];
        gt_report r;
        gt_status status = gt_solve(&pole, *m, &(gt_plan){.rtol = 1e-6, .x_end = x}, &r);
        if (status == GT_OK || fabs(r.t - 1) > 1e-6)
            fail_msg("%s: y(%g) = %g, %s", (*m)->name, r.t, x[1], r.message.text);
        count++;
    }
    assert_true(count > 25);
}

/* x' = 1 from -1, and 0 = (y - x)(y + x), or 0 = x y - x sin t: at x = 0 branches cross. ctx: which
 * one. The third has none, but the equation is written with another sign behind t = 1. */
static gt_status crossing(double t, const double *x, double *dx, void *ctx)
{
    int which = *(const int *)ctx;
    dx[0] = 1;
    if (which == 0) dx[1] = (x[1] - x[0]) * (x[1] + x[0]);
    if (which == 1) dx[1] = x[0] * (x[1] - sin(t));
    if (which == 2) dx[1] = t < 1 ? x[1] - x[0] : x[0] - x[1];
    return GT_OK;
}

static void branches_that_cross_are_said(void **state)
{
    (void)state;
    static const char *const methods[] = {"gear",   "radau",       "rodas4",
                                          "rodas5", "trapezoidal", "dop853"};
    static const double y0[3] = {1, 0, -1}, breaks[] = {1};
    for (size_t k = 0; k < 3 * sizeof methods / sizeof *methods; k++)
        for (double rtol = 1e-3; rtol > 1e-7; rtol *= 1e-3) {
            int which = (int)(k % 3);
            if (which == 0 && k / 3 == 5)
                continue; /* turns to the other branch, which has the same sign */
            double x0[2] = {-1, y0[which]}, t1 = which == 1 ? 3 : 2;
            gt_problem p = {
                .n_slow = 1, .n_alg = 1, .rhs = crossing, .ctx = &which, .x0 = x0, .t1 = t1};
            if (which == 2) p.breaks = breaks, p.n_breaks = 1;
            gt_report r;
            gt_plan plan = {.rtol = rtol};
            gt_status status = gt_solve(&p, gt_method_find(methods[k / 3]), &plan, &r);
            bool said = r.warnings.count && strstr(r.warnings.list[0].text, "branches");
            if (status ? which == 2 : said != (which < 2))
                fail_msg("%s, %d, rtol %g: %d warnings, %s", methods[k / 3], which, rtol,
                         r.warnings.count, r.message.text);
        }
}

/* 0 = y^2 + 1 and 0 = exp(y) + 1 have no solution, which is no matter of the index. */
static gt_status without_solution(double t, const double *x, double *dx, void *ctx)
{
    (void)t;
    dx[0] = x[1];
    dx[1] = *(const int *)ctx ? exp(x[1]) + 1 : x[1] * x[1] + 1;
    return GT_OK;
}

static void equations_without_a_solution_are_none_of_higher_index(void **state)
{
    (void)state;
    for (int which = 0; which < 2; which++) {
        const double x0[2] = {0, 1};
        gt_problem p = {
            .n_slow = 1, .n_alg = 1, .rhs = without_solution, .ctx = &which, .x0 = x0, .t1 = 1};
        gt_report r;
        gt_plan plan = {.rtol = 1e-6};
        assert_int_equal(gt_solve(&p, gt_method_find("gear"), &plan, &r), GT_INCONSISTENT);
        if (!strstr(r.message.text, "no solution") || strstr(r.message.text, "index"))
            fail_msg("%s", r.message.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_hold),
        cmocka_unit_test(ends_are_consistent_and_accurate),
        cmocka_unit_test(the_root_is_followed),
        cmocka_unit_test(the_root_is_followed_over_long_steps),
        cmocka_unit_test(no_step_passes_a_pole),
        cmocka_unit_test(trials_leave_no_trace),
        cmocka_unit_test(mass_matrices_of_the_state_keep_energy),
        cmocka_unit_test(linear_ones_need_no_iteration),
        cmocka_unit_test(branches_that_cross_are_said),
        cmocka_unit_test(equations_without_a_solution_are_none_of_higher_index),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
