/* SPDX-License-Identifier: BSD-3-Clause */
/* More than two rates: the statements of the language, blocks one by one, nested multirate methods.
 */
#include "lang_kit.h"

/* Three rates, with a relation that switches in two of them; states of one array have all three. */
static const char three[] = "par w=50\n"
                            "#@ rate 1 p,q\n"
                            "#@ rate 2 u,z[3..4]\n"
                            "#@ rate 1 z2\n"
                            "x'=-0.3*x+0.02*p+0.2*sin(t)\n"
                            "u'=w*v+heav(p-.2)\n"
                            "p'=10*q\n"
                            "q'=-10*p-4*q+10*x+0.5*u\n"
                            "v'=-w*u-0.1*w*v+w*(p-0.1*p^2)\n"
                            "z[1..4]'=-[j]*z[j]+x*u+if(q>.1)then(1)else(2)\n"
                            "#@ rate 2 v\n"
                            "init x=1, p=0.5, q=0.3, u=1, v=0.5\n"
                            "done\n";

static void check_rates(const gt_problem *p)
{
    double x[9], full[9], part[9];
    const size_t sizes[] = {3, 4};
    for (size_t i = 0; i < 9; i++) x[i] = 0.2 + 0.1 * (double)i;
    assert_int_equal(p->n_slow, 2);
    assert_int_equal(p->n_fast, 7);
    assert_int_equal(p->n_rates, 2);
    assert_int_equal(p->rhs(0.5, x, full, p->ctx), GT_OK);
    size_t first = p->n_slow;
    for (size_t k = 0; k < 2; k++) {
        assert_int_equal(p->rate_sizes[k], sizes[k]);
        memset(part, 0x7f, sizeof part);
        assert_int_equal(p->rhs_rates[k](0.5, x, part, p->ctx), GT_OK);
        assert_memory_equal(part, full + first, sizes[k] * sizeof *part);
        first += sizes[k];
    }
}

static void blocks_of_rates(void **state)
{
    (void)state;
    lang_model m = lang_read(three);
    const char *const names[] = {"x", "z1", "p", "q", "z2", "u", "v", "z3", "z4"};
    for (size_t i = 0; i < 9; i++) assert_string_equal(m.problem.names[i], names[i]);
    lang_check_blocks(&m);
    check_rates(&m.problem);
    char *code = NULL;
    size_t length;
    gt_message message = {""};
    gt_library library;
    const gt_model *model;
    gt_problem compiled;
    assert_int_equal(gt_ode_c_code(m.ode, "geartrain_model", &code, &length, &message), GT_OK);
    gt_toolchain tools = {.path = getenv("PATH"), .include = TEST_SOURCE_DIR "/include"};
    gt_status status = gt_library_compile_text(&library, code, &tools, &message);
    if (status) fail_msg("%s", message.text);
    assert_int_equal(gt_library_model(&library, "m", &model, &message), GT_OK);
    assert_int_equal(gt_model_build(model, "", &compiled, &m.arena, &message), GT_OK);
    check_rates(&compiled);
    free(code);
    lang_free(&m);
    gt_library_close(&library);
}

/* #@ fast is rate 1, and two rates are two blocks as ever; --fast stands for both. */
static void two_rates(void **state)
{
    (void)state;
    const char *const texts[] = {"x'=-x\ny'=-y\n#@ rate 1 y\n",
                                 "x'=-x\ny'=-y\n#@ fast y\n#@ rate 0 x\n"};
    for (int k = 0; k < 2; k++) {
        lang_model m = lang_read(texts[k]);
        assert_int_equal(m.problem.n_slow, 1);
        assert_int_equal(m.problem.n_fast, 1);
        assert_int_equal(m.problem.n_rates, 0);
        lang_free(&m);
    }
    lang_model m = {.arena = gt_arena_growing()};
    gt_message message = {""};
    assert_int_equal(gt_ode_parse_split(three, strlen(three), "m.ode", "u,v", &m.ode, &message),
                     GT_OK);
    assert_int_equal(gt_model_build(gt_ode_model(m.ode), "", &m.problem, &m.arena, &message),
                     GT_OK);
    assert_int_equal(m.problem.n_fast, 2);
    assert_int_equal(m.problem.n_rates, 0);
    lang_free(&m);
}

static void refused_rates(void **state)
{
    (void)state;
    static const struct {
        const char *text, *where, *what;
    } cases[] = {
        {"x'=1\ny'=1\n#@ rate 1 y\n#@ rate 2 y\n", "m.ode:4:11", "y already has a rate"},
        {"x'=1\ny'=1\n#@ fast y\n#@ rate 1 y\n", "m.ode:4:11", "y already has a rate"},
        {"x'=1\ny'=1\n#@ fast y,y\n", "m.ode:3:11", "y already has a rate"},
        {"x'=1\nz[1..3]'=1\n#@ rate 1 z\n#@ rate 0 z2\n", "m.ode:4:11", "z2 already has a rate"},
        {"x'=1\n#@ rate 1 y\n", "m.ode:2:11", "no state y"},
        {"x'=1\npar k=1\n#@ rate 1 k\n", "m.ode:3:11", "not a state"},
        {"x'=1\n#@ rate 1\n", "m.ode:2", "names of its states"},
        {"x'=1\n#@ rate x\n", "m.ode:2:9", "whole number"},
        {"x'=1\n#@ rate\n", "m.ode:2", "whole number"},
        {"x'=1\n#@ rate -1 x\n", "m.ode:2:9", "whole number"},
        {"x'=1\n#@ rate 1.5 x\n", "m.ode:2:9", "whole number"},
        {"x'=1\n#@ rate 1e9 x\n", "m.ode:2:9", "whole number"},
        {"x'=1\ny'=1\n#@ rate 2 y\n", "m.ode:3:11", "rate 1 has no states"},
        {"x'=1\ny'=1\n#@ rate 1 x\n#@ rate 2 y\n", "m.ode:4:11", "rate 0 has no states"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        gt_ode *ode;
        gt_message message = {""};
        assert_int_not_equal(
            gt_ode_parse(cases[k].text, strlen(cases[k].text), "m.ode", &ode, &message), GT_OK);
        if (!strstr(message.text, cases[k].where) || !strstr(message.text, cases[k].what))
            fail_msg("%zu: %s", k, message.text);
        gt_ode_free(ode);
    }
    lang_model m = lang_read("x'=-x\ny'=-y\nz'=-z\n#@ rate 1 y\n#@ rate 2 z\n");
    const size_t wrong[] = {1, 2};
    gt_problem p = m.problem;
    gt_report report;
    p.rate_sizes = wrong;
    assert_int_equal(gt_solve(&p, gt_method_find("gear"), &(gt_plan){0}, &report), GT_BAD_ARGUMENT);
    /* A block without states, and sizes whose sum wraps to the right one. */
    static const size_t others[][3] = {
        {2, 0, 0}, {0, 2, 0}, {SIZE_MAX, 3, 0}, {SIZE_MAX / 2 + 1, SIZE_MAX / 2 + 1, 2}};
    for (size_t k = 0; k < 4; k++) {
        p.rate_sizes = others[k], p.n_rates = k < 3 ? 2 : 3;
        assert_int_equal(gt_problem_check(&p, &report.message), GT_BAD_ARGUMENT);
        assert_non_null(strstr(report.message.text, "rate_sizes"));
    }
    p = m.problem;
    p.n_rates = 0;
    gt_plan plan = {.options = "inner=mri4"};
    assert_int_equal(gt_solve(&p, gt_method_find("mri4"), &plan, &report), GT_UNSUPPORTED);
    assert_non_null(strstr(report.message.text, "#@ rate 2"));
    lang_free(&m);
}

/* ---- nested methods ---- */

static const char smooth[] = "x'=-0.5*x+0.3*p+0.2*sin(t)\n"
                             "p'=-2*p+u*x+cos(3*t)\n"
                             "u'=8*v+0.5*x\n"
                             "v'=-8*u+p\n"
                             "#@ rate 1 p\n"
                             "#@ rate 2 u,v\n"
                             "init x=1,p=0.5,u=1,v=0\n"
                             "@ total=2\n";

/* The same with a fourth rate. */
static const char smooth_four[] = "x'=-0.5*x+0.3*p+0.2*sin(t)\n"
                                  "p'=-2*p+u*x+cos(3*t)+0.2*r\n"
                                  "u'=8*v+0.5*x\n"
                                  "v'=-8*u+p\n"
                                  "r'=40*s+x\n"
                                  "s'=-40*r+5*u\n"
                                  "#@ rate 1 p\n"
                                  "#@ rate 2 u,v\n"
                                  "#@ rate 3 r,s\n"
                                  "init x=1,p=0.5,u=1,v=0,r=0.3\n"
                                  "@ total=2\n";

static double error_of(const gt_problem *p, const char *method, const gt_plan *how,
                       const double *exact, gt_stats *work)
{
    double x[100], most = 0;
    gt_report report;
    gt_plan plan = *how;
    plan.x_end = x;
    gt_status status = gt_solve(p, gt_method_find(method), &plan, &report);
    if (status)
        fail_msg("%s, %s: %s", method, how->options ? how->options : "", report.message.text);
    for (size_t i = 0; i < gt_problem_size(p); i++)
        most = fmax(most, fabs(x[i] - exact[i]) / (1 + fabs(exact[i])));
    if (work) *work = report.stats;
    return most;
}

static void solve_tightly(const gt_problem *p, double *exact)
{
    gt_report report;
    gt_plan fine = {.rtol = 1e-11, .atol = 1e-12, .x_end = exact};
    assert_int_equal(gt_solve(p, gt_method_find("dop853"), &fine, &report), GT_OK);
}

/* The order is that of the method of lowest order; with functions of the blocks, and without. */
static void check_order(const gt_problem *p, const double *exact, const char *method,
                        const char *options, double order)
{
    double error[3];
    gt_plan plan = {.options = options};
    for (int i = 0; i < 3; i++) {
        plan.h = 0.05 / (1 << i);
        error[i] = error_of(p, method, &plan, exact, NULL);
    }
    double slope = log2(error[0] / error[2]) / 2;
    if (!(fabs(slope - order) < 0.4))
        fail_msg("%s, %s: order %.2f (%g, %g, %g)", method, options, slope, error[0], error[1],
                 error[2]);
    gt_problem whole = *p;
    whole.rhs_rates = NULL;
    assert_true(error_of(&whole, method, &plan, exact, NULL) == error[2]);
}

static void nested_orders(void **state)
{
    (void)state;
    static const struct {
        const char *method, *options;
        double order;
    } cases[] = {{"mri4", "inner=mri4, substeps=1", 4},
                 {"mri4", "inner=mri3, substeps=1", 3},
                 {"mri3", "inner=mri4, substeps=1", 3},
                 {"mri4i", "inner=mri4, innermost=rodas5, substeps=1", 4},
                 {"mri4", "inner=prk48, substeps=1", 4},
                 {"mri3", "inner=prk37, substeps=1", 3}},
      of_four[] = {{"mri4", "inner=mri4, innermost=mri4, substeps=1", 4},
                   {"mri4", "inner=mri4, innermost=prk48, substeps=1", 4},
                   {"mri4", "inner=mri3, innermost=prk37, substeps=1", 3}};
    lang_model m = lang_read(smooth), four = lang_read(smooth_four);
    double exact[6];
    solve_tightly(&m.problem, exact);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        check_order(&m.problem, exact, cases[k].method, cases[k].options, cases[k].order);
    solve_tightly(&four.problem, exact);
    for (size_t k = 0; k < sizeof of_four / sizeof *of_four; k++)
        check_order(&four.problem, exact, of_four[k].method, of_four[k].options, of_four[k].order);
    lang_free(&m);
    lang_free(&four);
}

/* Calls of each block in a fixed step: S, S^2 m, and S m (S m 6 + 1) with dopri5, in every step. */
static void bounded_calls(void **state)
{
    (void)state;
    lang_model m = lang_read(smooth);
    double exact[4];
    solve_tightly(&m.problem, exact);
    for (int substeps = 1; substeps <= 3; substeps++)
        for (int steps = 10; steps <= 1000; steps *= 10) {
            char options[40];
            snprintf(options, sizeof options, "inner=mri4, substeps=%d", substeps);
            gt_plan plan = {.h = 2.0 / steps, .options = options};
            gt_stats work;
            error_of(&m.problem, "mri4", &plan, exact, &work);
            assert_int_equal(work.rhs_slow, 5L * steps);
            assert_int_equal(work.rhs_middle, 25L * substeps * steps);
            assert_int_equal(work.rhs_fast, 5L * substeps * (5 * substeps * 6 + 1) * steps);
        }
    lang_free(&m);
}

/* Of three and four rates with dual-rate pairs of p / q stages inside, S stages outside: S, S m p,
 * S m q; and one level more, S, S S' m + S S' m^2 p, S S' m^2 q. A problem with a rate less is
 * refused. */
static void bounded_calls_of_pairs(void **state)
{
    (void)state;
    static const struct {
        const char *method, *options;
        bool four;
        long slow, between, fast;
    } cases[] = {{"mri4", "inner=prk48, substeps=1", false, 5, 20, 40},
                 {"mri3", "inner=prk37, substeps=2", false, 3, 18, 42},
                 {"mri4", "inner=mri4, innermost=prk48, substeps=1", true, 5, 25 + 100, 200},
                 {"mri3", "inner=mri3, innermost=prk36, substeps=2", true, 3, 18 + 108, 216}};
    lang_model three_rates = lang_read(smooth), four_rates = lang_read(smooth_four);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const gt_problem *p = cases[k].four ? &four_rates.problem : &three_rates.problem;
        double exact[6] = {0};
        for (int steps = 10; steps <= 1000; steps *= 10) {
            gt_stats work;
            gt_plan plan = {.h = 2.0 / steps, .options = cases[k].options};
            error_of(p, cases[k].method, &plan, exact, &work);
            assert_int_equal(work.rhs_slow, cases[k].slow * steps);
            assert_int_equal(work.rhs_middle, cases[k].between * steps);
            assert_int_equal(work.rhs_fast, cases[k].fast * steps);
        }
    }
    gt_report report;
    gt_plan plan = {.h = 0.1, .options = cases[2].options};
    assert_int_equal(gt_solve(&three_rates.problem, gt_method_find("mri4"), &plan, &report),
                     GT_UNSUPPORTED);
    assert_non_null(strstr(report.message.text, "#@ rate 3"));
    lang_free(&three_rates);
    lang_free(&four_rates);
}

/* The engine of vehicle3d is expensive. As a third rate it is called at most 40 % as often as
 * beside the chassis, and the error is not larger. Blocks are the rows of the whole. */
static void an_expensive_third_part(void **state)
{
    (void)state;
    const char *const params[] = {"powertrain=slow", "powertrain=third"}, *const options[] = {
                                                                              "", "inner=mri3"};
    const double rtol[] = {1e-4, 2e-6}; /* for the same error */
    gt_stats work[2];
    double error[2], exact[100];
    for (int k = 0; k < 2; k++) {
        gt_arena arena = gt_arena_growing();
        gt_message message = {""};
        gt_problem p;
        assert_int_equal(
            gt_model_build(gt_model_find("vehicle3d"), params[k], &p, &arena, &message), GT_OK);
        p.t1 = 2;
        if (!k) solve_tightly(&p, exact);
        gt_plan plan = {.rtol = rtol[k], .options = options[k]};
        error[k] = error_of(&p, "mri4", &plan, exact, &work[k]);
        for (size_t r = 0, first = p.n_slow; r < p.n_rates; first += p.rate_sizes[r++]) {
            double full[100], part[100];
            assert_int_equal(p.rhs(1, exact, full, p.ctx), GT_OK);
            assert_int_equal(p.rhs_rates[r](1, exact, part, p.ctx), GT_OK);
            assert_memory_equal(part, full + first, p.rate_sizes[r] * sizeof *part);
        }
        gt_arena_free(&arena);
    }
    if (!(10 * work[1].rhs_slow < 4 * work[0].rhs_slow) || !(error[1] <= error[0]))
        fail_msg("%ld slow calls and error %g; with two rates %ld and %g", work[1].rhs_slow,
                 error[1], work[0].rhs_slow, error[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_of_rates),        cmocka_unit_test(two_rates),
        cmocka_unit_test(refused_rates),          cmocka_unit_test(nested_orders),
        cmocka_unit_test(bounded_calls),          cmocka_unit_test(an_expensive_third_part),
        cmocka_unit_test(bounded_calls_of_pairs),
    };
    return cmocka_run_group_tests_name("rates", tests, NULL, NULL);
}
