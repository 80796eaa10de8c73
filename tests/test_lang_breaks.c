/* SPDX-License-Identifier: BSD-3-Clause */
/* Times that the text of a model names: they are breaks, and every method with step control ends a
 * step there. */
#include "lang_kit.h"

static size_t breaks_inside(const gt_problem *p)
{
    size_t count = 0;
    for (size_t k = 0; k < p->n_breaks; k++)
        count += p->breaks[k] > p->t0 + DBL_MIN && p->breaks[k] < p->t1;
    return count;
}

static const char *const needs_more[] = {"prk", "dr", "sm", "mr",
                                         "spm"}; /* two rates: not for a single state */

static bool takes_one_rate(const gt_method *method)
{
    for (size_t k = 0; k < sizeof needs_more / sizeof *needs_more; k++)
        if (!strncmp(method->name, needs_more[k], strlen(needs_more[k]))) return false;
    return true;
}

/* The end of a run with each method that has step control; the number of methods. */
static int with_all_methods(const char *text, double rtol, double end)
{
    int count = 0;
    for (const gt_method *const *method = gt_method_list(); *method; method++) {
        if (!takes_one_rate(*method)) continue;
        lang_model m = lang_read(text);
        double x[4] = {0};
        gt_plan plan = {.rtol = rtol, .atol = rtol, .x_end = x};
        gt_report report;
        gt_status status = gt_solve(&m.problem, *method, &plan, &report);
        if (status != GT_UNSUPPORTED && status != GT_BAD_ARGUMENT) {
            if (status) fail_msg("%s with %s: %s", text, (*method)->name, report.message.text);
            if (!(fabs(x[0] - end) <= 10 * rtol))
                fail_msg("%s with %s: %.17g", text, (*method)->name, x[0]);
            count++;
        }
        lang_free(&m);
    }
    return count;
}

/* A pulse of .1 in 100 was stepped over, a jump of f was met by chance. */
static void test_pulse_and_jump(void **state)
{
    (void)state;
    assert_true(with_all_methods("x'=heav(t-50)*heav(50.1-t)\n@ total=100\n", 1e-6, 0.1) >= 30);
    assert_true(with_all_methods("x'=if(t<1.2345678)then(1)else(-1)\n@ total=3\n", 1e-6,
                                 2 * 1.2345678 - 3) >= 30);
    assert_true(
        with_all_methods("x'=sign(t-1)+((t>2)&(t<2.5))-2*(t>=2.5)\n@ total=3\n", 1e-6, 0.5) >= 30);
}

static void test_which_times(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t count;
        double first;
    } cases[] = {
        {"x'=heav(t-2)-heav(t-3)\n", 2, 2},
        {"x'=if(t>4)then(x)else(-x)\n", 1, 4},
        {"par a=2,b=6\nx'=heav(a*t-b)\n", 1, 3},
        {"par a=2,b=6\n!c=b/a\npulse(s,w)=heav(s)*heav(w-s)\nk=pulse(t-c,.5)\nx'=k*x\n", 2, 3},
        {"x'=max(t-7,0)+min(t,8)+abs(9-t)\n", 3, 7},
        {"x'=(t>1)&(t<2)\ny'=(t>=2)&(t<=3)\n", 3, 1},
        {"x[1..5]'=heav(t-[j])*x[j]\n", 5, 1},
        {"x'=sum(1,4)of(heav(t-i'/2))\n", 4, 0.5},
        {"x'=flr(t)\n", 19, 1},
        {"x'=ceil(t/2)\n", 9, 2},
        {"x'=mod(t,5)\n", 3, 5},
        {"x'=heav(mod(t,5)-4)\n", 7, 4},
        {"x'=mod(3-t,5)<1\n", 8, 2},
        {"x'=abs(mod(t+1,4)-2)\n", 10, 1},
        {"x'=heav(x-2)\n", 0, 0},
        {"x'=heav(t-x)\n", 0, 0},
        {"x'=heav(sin(t))\n", 0, 0},
        {"x'=heav(t*t-4)\n", 0, 0},
        {"#@ switches off\nx'=heav(t-2)\n", 0, 0},
        {"#@ switches on\nx'=heav(t-2)\n", 1, 2},
        /* a parameter that an event sets has no value that lasts */
        {"par c=2,d=3\nx'=heav(t-c)+heav(t-d)\nglobal 1 x-1 {c=8}\n", 1, 3},
        {"x'=heav(t-100)\n", 0, 100},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        lang_model m = lang_read(cases[k].text);
        size_t found = breaks_inside(&m.problem);
        if (found != cases[k].count)
            fail_msg("%s: %zu breaks, not %zu", cases[k].text, found, cases[k].count);
        for (size_t i = 0; cases[k].count && i < m.problem.n_breaks; i++) {
            if (m.problem.breaks[i] <= DBL_MIN) continue;
            lang_near(m.problem.breaks[i], cases[k].first, 1e-14);
            break;
        }
        lang_free(&m);
    }
}

/* Parameters count with the values that the problem is built with. */
static void test_parameters(void **state)
{
    (void)state;
    lang_model m = lang_read("par c=2,w=1\nx'=heav(t-c)+(mod(t,w)<w/2)\n@ total=10\n");
    gt_message message = {""};
    gt_problem p;
    assert_int_equal(gt_model_build(gt_ode_model(m.ode), "c=7.25,w=5", &p, &m.arena, &message),
                     GT_OK);
    bool found = false;
    for (size_t k = 0; k < p.n_breaks; k++) found = found || p.breaks[k] == 7.25;
    assert_true(found);
    assert_int_equal(breaks_inside(&p), 4); /* 2.5, 5, 7.25, 7.5 */
    lang_free(&m);
}

/* At a break f is what it is afterwards, just before it what it was: also where 3 periods of .1 are
 * not .3. */
static void test_both_limits(void **state)
{
    (void)state;
    static const char *const files[] = {
        "x'=mod(t,.1)\n",  "x'=mod(t,.1)<.03\n", "x'=flr(t/.1)\n", "x'=(t>.7)\n",
        "x'=heav(.7-t)\n", "x'=sign(.3-.1*t)\n", "x'=(7*t<=3)\n"};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        lang_model m = lang_read(files[k]);
        const gt_problem *p = &m.problem;
        for (size_t i = 0; i < p->n_breaks; i++) {
            double t = p->breaks[i], x[1] = {0}, at[1], before[1], soon[1], earlier[1];
            if (t <= 0 || t >= p->t1) continue;
            p->rhs(t, x, at, p->ctx);
            p->rhs(nextafter(t, -INFINITY), x, before, p->ctx);
            p->rhs(t + 1e-9, x, soon, p->ctx);
            p->rhs(t - 1e-9, x, earlier, p->ctx);
            if (!(fabs(at[0] - soon[0]) < 1e-8 && fabs(before[0] - earlier[0]) < 1e-8))
                fail_msg("%s at %.17g: %g, not %g; before it %g, not %g", files[k], t, at[0],
                         soon[0], before[0], earlier[0]);
        }
        assert_true(p->n_breaks > 0);
        lang_free(&m);
    }
}

/* The last step ends where f jumps: its end belongs to the left. */
static void test_break_at_the_end(void **state)
{
    (void)state;
    assert_true(with_all_methods("x'=if(t<3)then(1)else(-100)\n@ total=3\n", 1e-6, 3) >= 30);
}

static void test_periods_are_bounded(void **state)
{
    (void)state;
    lang_model m = lang_read("x'=mod(t,1e-6)\n@ total=20\n");
    assert_true(m.problem.n_breaks <= 110000);
    assert_true(m.problem.breaks_until > 0.09 && m.problem.breaks_until < 0.11);
    lang_free(&m);
    m = lang_read("x'=mod(t,1)\n@ total=20\n");
    assert_true(m.problem.breaks_until == 0);
    assert_true(m.problem.n_breaks > 100); /* for a longer run */
    lang_free(&m);
}

/* A table of t that a formula makes: a pulse in it, far thinner than a step, is not passed over; a
 * smooth one has no breaks. */
static void test_pulse_in_a_table(void **state)
{
    (void)state;
    assert_true(
        with_all_methods("x'=p(t)\ntable p % 10001 0 100 8*heav(.035-abs(t-61.3))\n@ total=100\n",
                         1e-4, 8 * .07) >= 30);
    assert_true(
        with_all_methods("x'=p(t)\ntable p % 100001 0 100 exp(-((t-33.3)/.02)^2)*20\n@ total=100\n",
                         1e-4, .02 * 20 * sqrt(3.14159265358979)) >= 30);
    lang_model m = lang_read("x'=p(t)\ntable p % 10001 0 100 sin(t)\n@ total=100\n");
    assert_int_equal(m.problem.n_breaks, 0);
    lang_free(&m);
    m = lang_read("x'=p(t-c)\npar c=2\ntable p % 101 0 100 if(t<50)then(t)else(50)\n@ total=200\n");
    assert_int_equal(m.problem.n_breaks, 1);
    assert_true(fabs(m.problem.breaks[0] - 52) < 1e-12);
    lang_free(&m);
}

/* Steps of a fixed length and of a controlled one meet every jump of f = 1: none is rejected, and
 * the error is one of round-off. */
static void is_exact(const char *text, double end)
{
    for (int fixed = 0; fixed < 2; fixed++) {
        lang_model m = lang_read(text);
        double x[1];
        gt_plan plan = {.rtol = fixed ? 0 : 1e-6, .h = fixed ? 0.01 : 0, .x_end = x};
        gt_report report;
        gt_status status =
            gt_solve(&m.problem, gt_method_find(fixed ? "rk4" : "dopri5"), &plan, &report);
        if (status) fail_msg("%s: %s", text, report.message.text);
        if (!(fabs(x[0] - end) <= 1e-11)) fail_msg("%s: %.17g", text, x[0]);
        assert_int_equal(report.stats.rejected, 0);
        assert_int_equal(report.warnings.count, 0);
        lang_free(&m);
    }
}

/* At t0 = 0, ceil(t) and mod(-t,1) have the value of before 0: the run began with it. And the jumps
 * of two relations at one time are found some units in the last place apart: the left limit of one
 * was the right one of the other. */
static void test_jumps_next_to_each_other(void **state)
{
    (void)state;
    is_exact("x'=mod(-t,1)\n@ total=3.5\n", 1.875);
    is_exact("x'=ceil(t)\n@ total=3.5\n", 8);
    is_exact("x'=mod(1-t,1)\n@ t0=1,total=3.5\n", 1.875);
    is_exact("x'=flr(-t)+sign(1-t)+heav(2-t)\n@ total=3.5\n", -7.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pulse_and_jump),   cmocka_unit_test(test_which_times),
        cmocka_unit_test(test_parameters),       cmocka_unit_test(test_both_limits),
        cmocka_unit_test(test_break_at_the_end), cmocka_unit_test(test_periods_are_bounded),
        cmocka_unit_test(test_pulse_in_a_table), cmocka_unit_test(test_jumps_next_to_each_other),
    };
    return cmocka_run_group_tests_name("lang_breaks", tests, NULL, NULL);
}
