/* SPDX-License-Identifier: BSD-3-Clause */
/* Equations that are not solved for x', F(t, x, x') = 0 (crow 5.128), in model files and in C. */
#include "lang_kit.h"

/* x^3 + .. in x' with the solution sin t, by every method that treats algebraic equations. */
#define CUBIC "0=x'^3+x'+x-cos(t)^3-cos(t)-sin(t)\n@ total=3\ndone\n"

static bool claims(const gt_method *m, const gt_problem *p)
{
    gt_values v = gt_params_default(m->options);
    gt_message why;
    return gt_method_facts(m, v.v).error_order && gt_method_check(m, v.v, p, &why) == GT_OK;
}

static void every_method_that_claims_it(void **state)
{
    (void)state;
    lang_model m = lang_read(CUBIC);
    assert_int_equal(m.problem.n_slow, 1);
    assert_int_equal(m.problem.n_alg, 1);
    int count = 0;
    for (const gt_method *const *k = gt_method_list(); *k; k++) {
        if (!claims(*k, &m.problem)) continue;
        double x[2];
        gt_report r;
        gt_plan plan = {.rtol = 1e-6, .x_end = x};
        if (gt_solve(&m.problem, *k, &plan, &r)) fail_msg("%s: %s", (*k)->name, r.message.text);
        bool first_order = gt_method_facts(*k, gt_params_default((*k)->options).v).order ==
                           1; /* N errors add up */
        double most = (first_order ? 1000 : 50) * plan.rtol;
        if (!(fabs(x[0] - sin(3)) < most) || !(fabs(x[1] - cos(3)) < most))
            fail_msg("%s: %.9g, %.9g", (*k)->name, x[0] - sin(3), x[1] - cos(3));
        count++;
    }
    assert_true(count > 10);
    lang_free(&m);
}

static double at_end(const char *text, size_t state)
{
    lang_model m = lang_read(text);
    double x[16];
    gt_report r;
    assert_true(gt_problem_size(&m.problem) <= 16);
    gt_plan plan = {.rtol = 1e-9, .x_end = x, .pilot = &gt_auto};
    if (gt_solve(&m.problem, NULL, &plan, &r)) fail_msg("%s\n%s", r.message.text, text);
    lang_free(&m);
    return x[state];
}

/* A mass matrix of the states, M(q) q'' = .., beside the same solved for q''. */
static void mass_of_the_state(void **state)
{
    (void)state;
    double implicit =
        at_end("0=(2+cos(q))*u'+.2*u'*q-sin(q)*u^2/2+sin(q)\nq'=u\ninit q=1\n@ total=8\ndone\n", 0);
    double plain =
        at_end("q'=u\nu'=(sin(q)*u^2/2-sin(q))/(2+cos(q)+.2*q)\ninit q=1\n@ total=8\ndone\n", 0);
    lang_near(implicit, plain, 1e-7);
}

/* x'(t0) is solved for; of several solutions the one that the guess leads to. */
static void the_start(void **state)
{
    (void)state;
    lang_near(at_end("0=x'^2-4\nsolv x'=1\n@ total=3\ndone\n", 0), 6, 1e-9);
    lang_near(at_end("0=x'^2-4\nsolv x'=-1\n@ total=3\ndone\n", 0), -6, 1e-9);
    lang_near(at_end("0=2*x'+x\nsolv x'=9\nx(0)=1\n@ total=2\ndone\n", 0), exp(-1), 1e-8);
}

/* Ranges of an array with equations of their own: x5' was refused where x was made of two. */
static void the_right_sides_of_ranges(void **state)
{
    (void)state;
    lang_model m =
        lang_read("x[1..4]'=-x[j]\nx[5..8]'=-2*x[j]\nx9'=x5'+x8'\naux a=x2'+10*x7'\naux b=x9'\n"
                  "init x[1..8]=[j]\ndone\n");
    double out[2];
    assert_int_equal(gt_problem_size(&m.problem), 9);
    m.problem.aux(0, m.problem.x0, out, m.problem.ctx);
    lang_near(out[0], -2 - 10 * 14, 0);
    lang_near(out[1], -10 - 16, 0);
    lang_free(&m);
    m = lang_read("%[1..3]\n0=x[j]'+x[j]\n%\ninit x[1..3]=1\ndone\n");
    char buffer[24];
    assert_string_equal(gt_problem_state_name(&m.problem, 4, buffer), "x2'"); /* it was x'2 */
    lang_free(&m);
}

/* Where x'=.. is an equation x' stands for its right side, before or behind it. */
static void the_right_side_of_an_equation(void **state)
{
    (void)state;
    lang_near(at_end("w'=2*x'-v\nx'=-x\nv'=x'+w'\ninit x=1\n@ total=1\ndone\n", 0),
              at_end("w'=-2*x-v\nx'=-x\nv'=-x+(-2*x-v)\ninit x=1\n@ total=1\ndone\n", 0), 1e-12);
    lang_model m = lang_read("p=x'*x\nx'=-2*x\naux a=x'\naux b=p\nx(0)=3\ndone\n");
    double x = 3, out[2];
    assert_int_equal(m.problem.n_alg, 0);
    assert_int_equal(gt_problem_size(&m.problem), 1);
    m.problem.aux(0, &x, out, m.problem.ctx);
    lang_near(out[0], -6, 0);
    lang_near(out[1], -18, 0);
    lang_free(&m);
}

static void arrays(void **state)
{
    (void)state;
    static const char *const text =
        "%[1..3]\n0=2*x[j]'+x[j]\n%\ninit x1=1,x2=2,x3=3\nw'=x2'+x[3]'\n@ total=2\ndone\n";
    double e = exp(-1);
    lang_near(at_end(text, 0), 5 * (e - 1), 1e-7); /* w comes first, being written */
    lang_near(at_end(text, 3), 3 * e, 1e-7);
    /* Coupled over the ends of a range: the implicit heat equation with a mass matrix of hat
     * functions. */
    lang_model m =
        lang_read("%[1..5]\n0=(u[j-1]'+4*u[j]'+u[j+1]')/6-(u[j-1]-2*u[j]+u[j+1])\n%\n0=u0'\n0=u6'\n"
                  "init u3=1\n@ total=1\ndone\n");
    assert_int_equal(m.problem.n_slow, 7);
    assert_int_equal(m.problem.n_alg, 7);
    lang_free(&m);
}

/* dF/dx' is singular: the index is found and the equations differentiated as in any other file. */
static void higher_index(void **state)
{
    (void)state;
    lang_near(at_end("0=x'+y'-1\n0=x-y\ninit x=1,y=1\n@ total=5\ndone\n", 0), 3.5, 1e-9);
    lang_near(at_end("0=x'-u\n0=u'+lam*x\n0=y'-v\n0=v'+lam*y+9.81\n0=x^2+y^2-1\nsolv lam=0\ninit "
                     "x=.6,y=-.8,u=1.6,v=1.2\n"
                     "@ total=.5\ndone\n",
                     0),
              at_end("x'=u\nu'=-lam*x\ny'=v\nv'=-lam*y-9.81\n0=x^2+y^2-1\nsolv lam=0\ninit "
                     "x=.6,y=-.8,u=1.6,v=1.2\n"
                     "@ total=.5\ndone\n",
                     0),
              1e-6);
}

static void refused(const char *text, const char *wanted)
{
    gt_ode *ode = NULL;
    gt_message message = {""};
    if (!gt_ode_parse(text, strlen(text), "m.ode", &ode, &message)) fail_msg("read: %s", text);
    if (!strstr(message.text, wanted)) fail_msg("%s\nnot: %s", message.text, wanted);
    gt_ode_free(ode);
}

static void what_is_refused(void **state)
{
    (void)state;
    refused("x'=-x\ny'=-z'\n", "m.ode:2:5: there is no equation z'=, and none 0= in which z' is");
    refused("par k=1\nx'=k'\n", "m.ode:2:4: k' is not known: k is a parameter");
    refused("q=3*t\n0=q'+x'\n", "m.ode:2:3: q' is not known: q is a named expression");
    refused("0=y'-1\nsolv y=1\n", "m.ode:1:3: y' is not known: y is an unknown of solv");
    refused("0=x''+x\n", "m.ode:1:3: second derivatives cannot be written");
    refused(
        "x'=x'+1\n",
        "m.ode:1:1: x' depends on itself; an equation that is not solved for x' is written 0=F");
    refused("f(a)=a'\nx'=f(x)\n", "m.ode:1:6: a' is not known: only states have derivatives");
    refused("x'=sin(t')\n", "m.ode:1:8: t' is not known");
    refused("0=x'+x\n0=x-1\n",
            "2 equations 0= but 1 unknowns of solv and x' without an equation x'=");
    refused("0=x'+y'\n", "1 equations 0= but 2 unknowns");
    refused("0=x'+y'-1\n0=x'+y'-2\n", "structurally singular");
    refused("%[1..3]\n0=x[2*j]'+x[2*j]\n%\n", "has the index j, j+n or j-n");
}

/* F in C: x'^3 + x' + x = .. as above. */
static gt_status cubic(double t, const double *x, const double *dx, double *r, void *ctx)
{
    double c = cos(t), *calls = ctx;
    ++*calls;
    r[0] = dx[0] * dx[0] * dx[0] + dx[0] + x[0] - c * c * c - c - sin(t);
    r[1] = x[1] * dx[1] - dx[0];
    return GT_OK;
}

static void in_c(void **state)
{
    (void)state;
    static const char *const names[] = {"x", "y"};
    const double x0[2] = {0, 1};
    double calls = 0, x[4];
    char buffer[24];
    gt_arena arena = gt_arena_growing();
    gt_message message = {""};
    gt_problem p;
    gt_report r;
    gt_residual given = {
        .n = 2, .residual = cubic, .t1 = 1, .x0 = x0, .ctx = &calls, .names = names};
    assert_int_equal(gt_problem_from_residual(&given, &p, &arena, &message), GT_OK);
    assert_string_equal(gt_problem_state_name(&p, 3, buffer), "y'");
    gt_plan plan = {.rtol = 1e-8, .x_end = x, .pilot = &gt_auto};
    assert_int_equal(gt_solve(&p, NULL, &plan, &r), GT_OK);
    lang_near(x[0], sin(1), 1e-6);
    lang_near(x[1], sqrt(1 + 2 * sin(1)), 1e-6); /* y y' = x' */
    lang_near(x[2], cos(1), 1e-6);
    assert_true(calls > 0);
    given.residual = NULL;
    assert_int_equal(gt_problem_from_residual(&given, &p, &arena, &message), GT_BAD_ARGUMENT);
    assert_non_null(strstr(message.text, "residual"));
    gt_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_that_claims_it),
        cmocka_unit_test(mass_of_the_state),
        cmocka_unit_test(the_start),
        cmocka_unit_test(the_right_side_of_an_equation),
        cmocka_unit_test(the_right_sides_of_ranges),
        cmocka_unit_test(arrays),
        cmocka_unit_test(higher_index),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(in_c),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
