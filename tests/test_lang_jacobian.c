/* SPDX-License-Identifier: BSD-3-Clause */
/* Where f is finite its Jacobian is, or is replaced by differences, and a run goes on; where not,
 * the message says which of them failed. */
#include "lang_kit.h"

/* d/dx of each form is finite at the point and has this value. */
static void test_finite_derivatives(void **state)
{
    (void)state;
    static const struct {
        const char *form;
        double x, y, value;
    } cases[] = {
        {"1/(1+exp(-x))", -800, 0, 0},
        {"1/(1+exp(-x))", 800, 0, 0},
        {"1/(1+exp(-x))", 0.5, 0, 0.23500371220159449},
        {"y/(1+exp((x-5)/.001))", 9, 2, 0},
        {"sqrt(x^2+y^2)", 0, 0, 0},
        {"sqrt(x^2+y^2)", 3, 4, 0.6},
        {"tanh(x)", 1000, 0, 0},
        {"1/(1+(y/x)^4)", 0, 2, 0}, /* a Hill function */
        {"x^4/(x^4+y^4)", 0, 2, 0},
        {"1/(1+(y/x)^2.5)", 0, 2, 0},
        {"if(x>0)then(sqrt(x))else(2*x)", -1, 0, 2},
        {"if(x>0)then(x*ln(x))else(x)", -1, 0, 1},
        {"heav(x)*sqrt(abs(x))+x", 0, 0, NAN}, /* infinite: left to differences */
        {"1/cosh(x)", 800, 0, 0},
        {"exp(-x^2)", 100, 0, 0},
        {"1/(1+exp(exp(-x)))", -10, 0, 0},
        {"abs(x)*sqrt(abs(y))", 0, 0, 0},
        {"x*sqrt(y)", 2, 0, 0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[200];
        snprintf(text, sizeof text, "x'=%s\ny'=0\n", cases[k].form);
        lang_model m = lang_read(text);
        double values[4] = {0}, x[] = {cases[k].x, cases[k].y}, dx[2];
        gt_matrix J = {.n = 2, .values = values};
        m.problem.rhs(0, x, dx, m.problem.ctx);
        assert_true(isfinite(dx[0]));
        assert_int_equal(m.problem.jac(0, x, &J, m.problem.ctx), GT_OK);
        bool near = fabs(values[0] - cases[k].value) <= 1e-12;
        if (!isnan(cases[k].value) && !near)
            fail_msg("%s at %g: %g", cases[k].form, cases[k].x, values[0]);
        lang_free(&m);
    }
}

/* Every method with step control passes a point where an exact derivative is not finite. */
static void test_runs_go_on(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double end, tolerance;
    } cases[] = {
        {"x'=1/(1+exp(-x))+1\nx(0)=-800\n@ total=2\n", -798, 1e-3},
        {"x'=-x+sqrt(x^2+y^2)\ny'=-y\n@ total=2\n", 0, 1e-6},
        {"x'=1+sqrt(x)\n@ total=1\n", 1.84328595, 0.01}, /* an infinite slope at the start */
        /* As models of neurons have them: sigmoids far out, powers and Hill functions at 0. */
        {"f(u)=1/"
         "(1+exp(-u))\nx'=-x+f(40*x-60*y-1500)\ny'=-y+f(50*x-30*y-2000)\nx(0)=30\ny(0)=-40\n@ "
         "total=2\n",
         4.252747, 0.05},
        {"x'=.1-x^.5\n@ total=2\n", 0.00999967, 1e-4},
        {"x'=y^2.5/(.05+y^2.5)-x\ny'=1-y\n@ total=2\n", 0.723383, 0.01},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        static const char *const methods[] = {"gear",    "rodas4",  "trapezoidal", "beuler",
                                              "bi",      "birkf",   "am3",         "gear3",
                                              "exprb43", "exprb32", "taylor"};
        for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
            if (!strcmp(methods[i], "taylor") && (k == 2 || k > 3))
                continue; /* no expansion at the start */
            lang_model m = lang_read(cases[k].text);
            double x[2];
            gt_plan plan = {.rtol = 1e-4, .atol = 1e-4, .x_end = x};
            gt_report report;
            gt_status status = gt_solve(&m.problem, gt_method_find(methods[i]), &plan, &report);
            if (status) fail_msg("%s with %s: %s", cases[k].text, methods[i], report.message.text);
            if (!(fabs(x[0] - cases[k].end) <= cases[k].tolerance))
                fail_msg("%s with %s: %g", cases[k].text, methods[i], x[0]);
            lang_free(&m);
        }
    }
}

/* The slope at x = 0 is infinite, differences make it 1e5: with such a Jacobian, kept, corrections
 * are small whatever is left, and beuler had 0.0298 at the end instead of 0.01, gear1 0.0637, with
 * status ok. */
static void test_a_jacobian_that_is_too_steep_is_not_kept(void **state)
{
    (void)state;
    static const char *const methods[] = {"beuler",      "gear1", "gear2", "gear",
                                          "trapezoidal", "am1",   "bi11",  "rodas4"};
    lang_model m = lang_read("x'=.1-sqrt(x)\n@ total=2\n");
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        for (double rtol = 1e-3; rtol > 1e-7; rtol /= 10) {
            double x;
            gt_plan plan = {.rtol = rtol, .atol = rtol, .x_end = &x};
            assert_int_equal(gt_solve(&m.problem, gt_method_find(methods[k]), &plan, NULL), GT_OK);
            if (fabs(x - 0.0099996660) > 10 * rtol)
                fail_msg("%s at rtol %g: %g", methods[k], rtol, x);
        }
    }
    lang_free(&m);
}

static gt_status no_slope(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = x[0] == 0 ? 1 : NAN; /* exists at one point */
    return GT_OK;
}

static gt_status bad_jacobian(double t, const double *x, gt_matrix *J, void *ctx)
{
    (void)t, (void)x, (void)ctx;
    J->values[0] = INFINITY;
    return GT_OK;
}

static void test_messages(void **state)
{
    (void)state;
    static const double x0[] = {0};
    static const char *const names[] = {"speed"};
    gt_problem p = {
        .n_slow = 1, .rhs = no_slope, .jac = bad_jacobian, .x0 = x0, .t1 = 1, .names = names};
    gt_report report;
    assert_int_not_equal(gt_solve(&p, gt_method_find("rodas4"), &(gt_plan){.rtol = 1e-4}, &report),
                         GT_OK);
    assert_non_null(strstr(report.message.text, "f is finite"));
    assert_non_null(strstr(report.message.text, "speed by speed"));
    lang_model m = lang_read("x'=ln(x)\n@ total=1\n");
    assert_int_not_equal(
        gt_solve(&m.problem, gt_method_find("gear"), &(gt_plan){.rtol = 1e-4}, &report), GT_OK);
    if (!strstr(report.message.text, "right-hand side of x")) fail_msg("%s", report.message.text);
    lang_free(&m);
    /* f has an edge that even explicit methods run over; dopri5, which has no Jacobian, was told of
     * one. */
    m = lang_read("x'=y-x^.5+.1\ny'=abs(x)^1.5-sqrt(y)\n@ total=2\n");
    assert_int_not_equal(
        gt_solve(&m.problem, gt_method_find("dopri5"), &(gt_plan){.rtol = 1e-4}, &report), GT_OK);
    if (strstr(report.message.text, "Jacobian")) fail_msg("%s", report.message.text);
    assert_int_not_equal(
        gt_solve(&m.problem, gt_method_find("rodas4"), &(gt_plan){.rtol = 1e-4}, &report), GT_OK);
    if (strstr(report.message.text, "not finite either"))
        fail_msg("%s", report.message.text); /* they are */
    lang_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_finite_derivatives),
        cmocka_unit_test(test_runs_go_on),
        cmocka_unit_test(test_a_jacobian_that_is_too_steep_is_not_kept),
        cmocka_unit_test(test_messages),
    };
    return cmocka_run_group_tests_name("lang_jacobian", tests, NULL, NULL);
}
