/* SPDX-License-Identifier: BSD-3-Clause */
/* Local errors of fixed steps: reported, warned of where they add up to the solution, and nothing
 * else changed. */
#include "lang_kit.h"
#include "methods_kit.h"
#include <geartrain/analysis/choose.h>

/* A fast oscillation whose square drives the slow part: x(2) = 0.620, while spm and spm2 gave 0.17
 * silently. */
static void results_that_mean_nothing_are_warned_of(void **state)
{
    (void)state;
    static const char *const methods[] = {"spm", "spm2", "exprb43"};
    lang_model m = lang_read("x'=-x+5*z^2\nz'=v\nv'=-4e6*(z-.1*cos(x))\nx(0)=1\nz(0)=.5\n#@ fast "
                             "z,v\n@ total=2\ndone\n");
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
        for (double h = 0.1; h > 0.005; h /= 10) {
            gt_report report;
            assert_int_equal(
                gt_solve(&m.problem, gt_method_find(methods[k]), &(gt_plan){.h = h}, &report),
                GT_OK);
            if (!report.warnings.count ||
                !strstr(report.warnings.list[0].text, "not to be trusted"))
                fail_msg("%s with h = %g says nothing, local error %g", methods[k], h,
                         report.local_error);
        }
    /* rk4 damps the oscillation away in the first dozen of 2000 steps, and has no error to speak of
     * after that. */
    gt_report report;
    assert_int_equal(gt_solve(&m.problem, gt_method_find("rk4"), &(gt_plan){.h = 0.001}, &report),
                     GT_OK);
    assert_true(report.warnings.count == 1 && strstr(report.warnings.list[0].text, "at the start"));
    assert_int_equal(gt_solve(&m.problem, gt_method_find("spmc"), &(gt_plan){.h = 0.1}, &report),
                     GT_OK);
    assert_int_equal(report.warnings.count, 0);
    lang_free(&m);
}

/* One step past the sun throws the planet out of its orbit; no other step has an error to speak of.
 */
static void one_error_that_stays_is_warned_of(void **state)
{
    (void)state;
    lang_model m = lang_read("x'=u\ny'=v\nu'=-x/(x*x+y*y)^1.5\nv'=-y/(x*x+y*y)^1.5\n"
                             "init x=.1,v=4.358898943540674\n@ total=20\n");
    for (int k = 0; k < 3; k++) {
        gt_report report;
        const double h[] = {0.1, 0.05, 0.002};
        assert_int_equal(
            gt_solve(&m.problem, gt_method_find("rk4"), &(gt_plan){.h = h[k]}, &report), GT_OK);
        assert_int_equal(report.warnings.count, k < 2);
        if (k < 2) assert_non_null(strstr(report.warnings.list[0].text, "does not die out"));
    }
    lang_free(&m);
}

/* The kinks of its tyres cost the car 0.01 in a step, of which nothing is left soon after: it ends
 * 2e-6 off. */
static void errors_that_die_out_are_left_alone(void **state)
{
    (void)state;
    bench_top b;
    build(&b, "vehicle", "");
    gt_report report;
    gt_plan plan = {.h = (b.problem.t1 - b.problem.t0) / 2000};
    assert_int_equal(gt_solve(&b.problem, gt_method_find("trapezoidal"), &plan, &report), GT_OK);
    assert_true(report.local_error > 1e-3);
    if (report.warnings.count) fail_msg("%s", report.warnings.list[0].text);
    gt_arena_free(&b.arena);
}

/* On a circle the local error of rk4 is h^5/120 in x and y together, and that of euler h^2/2. */
static void ordinary_runs_are_left_alone(void **state)
{
    (void)state;
    static const struct {
        const char *method;
        double h, error;
    } cases[] = {
        {"rk4", 0.1, 1e-5 / 120}, {"euler", 1e-3, 0.5e-6}, {"trapezoidal", 0.05, 1.25e-4 / 12},
        {"dopri5", 0.2, 0},       {"ab4", 0.05, 0},        {"gear3", 0.05, 0}};
    bench_top b;
    build(&b, "harmonic", "");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        gt_report report;
        const gt_method *m = gt_method_find(cases[k].method);
        assert_int_equal(gt_solve(&b.problem, m, &(gt_plan){.h = cases[k].h}, &report), GT_OK);
        if (report.warnings.count)
            fail_msg("%s: %s", cases[k].method, report.warnings.list[0].text);
        assert_true(report.local_error > 0 && report.local_error < 1e-4);
        if (cases[k].error > 0 && !(fabs(log(report.local_error / cases[k].error)) < log(2.5)))
            fail_msg("%s: local error %g, not %g", cases[k].method, report.local_error,
                     cases[k].error);
    }
    gt_arena_free(&b.arena);
}

/* Local errors of some steps tell little of the result: the first two were silent, 4.6 and 2e4 off,
 * the third damps its motion away with any of these steps, and the last two were warned of with
 * ends right to 1e-6. */
static void half_of_the_step_tells(void **state)
{
    (void)state;
    static const struct {
        const char *method;
        double h, least; /* what it is off by; 0: it is right */
        const char *text;
    } cases[] = {
        {"heun", 0.04, 0.3,
         "x'=u\ny'=v\nu'=-x/(x*x+y*y)^1.5\nv'=-y/(x*x+y*y)^1.5\ninit x=.5,v=1.7320508\n@ "
         "total=60\n"},
        {"rk4", 0.1, 0.3,
         "c'=.025-.25*x*c/(c+.02)-.01*c\nm'=3*c/(c+.5)*(1-m)/(.005+1-m)-1.5*m/(.005+m)\n"
         "x'=m*(1-x)/(.005+1-x)-.5*x/(.005+x)\ninit c=.01,m=.01,x=.01\n@ total=90\n"},
        {"beuler", 0.1, 0.3, "x'=y\ny'=-1e6*x\nx(0)=1\n@ total=1\n"},
        {"spm2", 0.001, 0.1,
         "x'=-x+5*z^2\nz'=v\nv'=-4e6*(z-.1*cos(x))\nx(0)=1\nz(0)=.5\n#@ fast z,v\n@ total=2\n"},
        /* An event ends the solution, which a long step damps before; h = 1 is too long for half of
           it to see that. */
        {"beuler", 0.5, 0.3, "x'=v\nv'=-x\ninit x=0,v=1\nglobal 1 x-.74 {arret=1}\n@ total=200\n"},
        {"beuler", 1, 0.3, "x'=v\nv'=-x\ninit x=0,v=1\nglobal 1 x-.74 {arret=1}\n@ total=200\n"},
        {"trapezoidal", 0.01, 0, "x'=y\ny'=30*(1-x^2)*y-x\nx(0)=2\n@ total=20\n"},
        {"spmc", 0.1, 0,
         "x'=-x+5*z^2\nz'=v\nv'=-4e6*(z-.1*cos(x))\nx(0)=1\nz(0)=.5\n#@ fast z,v\n@ total=2\n"},
        {"rk4", 0.02, 0, "x'=if(mod(t,.5)<.2)then(1-x)else(-x)\n@ total=10\n"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        lang_model m = lang_read(cases[k].text);
        gt_report report;
        const gt_method *method = gt_method_find(cases[k].method);
        gt_plan plan = {.h = cases[k].h};
        double off, t;
        assert_int_equal(gt_solve(&m.problem, method, &plan, &report), GT_OK);
        assert_int_equal(gt_confirm(&m.problem, method, &plan, &report, &off, &t, NULL), GT_OK);
        if (cases[k].least > 0 ? !(off > cases[k].least) : !(off < 0.1))
            fail_msg("%s with h = %g: off by %g: %s", cases[k].method, plan.h, off, cases[k].text);
        lang_free(&m);
    }
}

/* gt_integrate has no second stepper: the same points and the same counts. */
static void probes_change_nothing(void **state)
{
    (void)state;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        bench_top b;
        build(&b, "kpr", "");
        b.problem.t1 = b.problem.t0 + 0.5;
        double h = fixed_step(*m, 0.5 / 128), x[2][2];
        if (!(h > 0)) {
            gt_arena_free(&b.arena);
            continue;
        }
        bind_method(&b, *m, "");
        gt_report report[2];
        if (b.ready) {
            gt_status status =
                gt_solve(&b.problem, *m, &(gt_plan){.h = h, .x_end = x[0]}, &report[0]);
            assert_int_equal(gt_integrate(&b.s, &(gt_plan){.h = h, .x_end = x[1]}, &report[1]),
                             status);
            assert_memory_equal(x[0], x[1], sizeof x[0]);
            assert_memory_equal(&report[0].stats, &report[1].stats, sizeof report[0].stats);
            assert_true(report[1].local_error == 0);
        }
        dismantle(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_that_mean_nothing_are_warned_of),
        cmocka_unit_test(one_error_that_stays_is_warned_of),
        cmocka_unit_test(errors_that_die_out_are_left_alone),
        cmocka_unit_test(ordinary_runs_are_left_alone),
        cmocka_unit_test(half_of_the_step_tells),
        cmocka_unit_test(probes_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
