/* SPDX-License-Identifier: BSD-3-Clause */
/* The default of the absolute tolerance and the size of the states: amounts in mol, units of any
 * size, states that start at 0, and warnings of states that no tolerance holds. */
#include "lang_kit.h"
#include "methods_kit.h"

/* a + b -> c with rate k, amounts of size `unit`: k a b with k = 1/unit. a - b is constant. */
typedef struct reaction {
    double unit, k;
} reaction;

static gt_status react(double t, const double *x, double *dx, void *ctx)
{
    const reaction *r = ctx;
    (void)t;
    double rate = r->k * x[0] * x[1];
    dx[0] = dx[1] = -rate;
    dx[2] = rate;
    return GT_OK;
}

/* b(t) = d / (a0/b0 e^(k d t) - 1), d = a0 - b0 */
static void states_of_any_size_are_right(void **state)
{
    (void)state;
    static const char *const methods[] = {"dopri5",      "dop853", "gear", "rodas4",
                                          "trapezoidal", "am4",    "bi",   "exprb32"};
    for (double unit = 1; unit > 1e-28; unit *= 1e-9)
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
            reaction r = {unit, 1 / unit};
            double x0[3] = {unit, unit / 2, 0}, x[3] = {0};
            gt_problem p = {.n_slow = 3, .rhs = react, .x0 = x0, .t1 = 5, .ctx = &r};
            gt_report report;
            gt_status status =
                gt_solve(&p, gt_method_find(methods[m]), &(gt_plan){.x_end = x}, &report);
            if (status) fail_msg("%s, size %g: %s", methods[m], unit, report.message.text);
            double b = unit / 2 / (2 * exp(2.5) - 1), exact[3] = {unit / 2 + b, b, unit / 2 - b};
            for (int i = 0; i < 3; i++)
                if (!(fabs(x[i] - exact[i]) < 1e-4 * unit))
                    fail_msg("%s, size %g: x%d is %g, not %g", methods[m], unit, i + 1, x[i],
                             exact[i]);
            assert_int_equal(report.warnings.count, 0);
        }
}

/* x' = u cos t, y' = u from 0: there is nothing but f to tell their size. And x' = x from u to 1:
 * it grows on the way.
 */
static gt_status swing(double t, const double *x, double *dx, void *ctx)
{
    (void)x;
    dx[0] = *(const double *)ctx * cos(t);
    dx[1] = *(const double *)ctx;
    return GT_OK;
}

static gt_status grow(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = x[0];
    dx[1] = -x[1];
    return GT_OK;
}

static void size_is_found_from_f_and_on_the_way(void **state)
{
    (void)state;
    double unit = 1e-14, zero[2] = {0, 0}, x[2];
    gt_problem p = {.n_slow = 2, .rhs = swing, .x0 = zero, .t1 = 20, .ctx = &unit};
    gt_report report;
    assert_int_equal(gt_solve(&p, gt_method_find("dopri5"), &(gt_plan){.x_end = x}, &report),
                     GT_OK);
    assert_within(x[0] / unit, sin(20), 1e-4, "x");
    double seed[2] = {1e-12, 1e-12};
    gt_problem q = {.n_slow = 2, .rhs = grow, .x0 = seed, .t1 = 27.631021115928548};
    assert_int_equal(gt_solve(&q, gt_method_find("dopri5"), &(gt_plan){.x_end = x}, &report),
                     GT_OK);
    assert_within(x[0], 1, 1e-4, "what grew to size 1");
    assert_int_equal(report.warnings.count, 0);
}

/* Ordinary sizes, and a size or a tolerance that is given, leave the default as it was. */
static void ordinary_states_keep_the_default(void **state)
{
    (void)state;
    double x0[2] = {1e-3, 0};
    gt_problem p = {.n_slow = 2, .rhs = grow, .x0 = x0, .t1 = 1};
    assert_true(gt_default_atol(&p, 1e-6) == 1e-3 * 1e-6);
    x0[0] = -1e-5;
    assert_within(gt_default_atol(&p, 1e-6) / 1e-14, 1, 1e-12, "from x0");
    p.typical = 1e3;
    assert_within(gt_default_atol(&p, 1e-6), 1e-6, 1e-18, "from typical");
    x0[0] = 0;
    p.typical = 0;
    assert_true(gt_default_atol(&p, 1e-6) == 1e-9);
}

/* One size for all: what is far smaller than the rest is warned of, by name, where it matters and
 * only there. */
static void states_below_their_tolerance_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *text, *said; /* NULL: nothing */
    } cases[] = {
        /* it has a size, and no tolerance holds it */
        {"big'=-big\ntiny'=-tiny*tiny*1e14\nbig(0)=300\ntiny(0)=1e-14\n@ total=5\ndone\n",
         "tiny stayed below"},
        /* it starts at 0, keeps what it gets, and feeds another */
        {"a'=-1e-13*a\nb'=1e-13*a\nc'=1e13*b\na(0)=1\n@ total=5\ndone\n", "b stayed below"},
        /* never anything but 0 */
        {"big'=-big\nzero'=-zero\nbig(0)=1\n@ total=5\ndone\n", NULL},
        /* -2.4e-16, which is 0 */
        {"u'=-u\nw'=-w\nu(0)=1\nw(0)=sin(2*pi)\n@ total=5\ndone\n", NULL},
        /* it starts at 0 and is small for ever, of no consequence */
        {"a'=-a\nb'=1e-13*a\na(0)=1\n@ total=5\ndone\n", NULL},
        /* follows the others at once, and grows out of the tolerance */
        {"a'=-a\nb'=1e6*(1e-12*a-b)\nc'=1e12*b\na(0)=1\n@ total=5\ndone\n", NULL},
        {"a'=-a\nb'=a\na(0)=1\n@ total=5\ndone\n", NULL},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        lang_model m = lang_read(cases[k].text);
        gt_report report;
        assert_int_equal(gt_solve(&m.problem, gt_method_find("rodas4"), &(gt_plan){0}, &report),
                         GT_OK);
        const char *said = report.warnings.count ? report.warnings.list[0].text : "";
        if (cases[k].said ? !strstr(said, cases[k].said) : *said)
            fail_msg("%s says '%s'", cases[k].text, said);
        lang_free(&m);
    }
}

/* atol = 0 means the default; none at all could not be said. x = e^-100 with its digits, and starts
 * at 0. */
static gt_status decay_and_drift(double t, const double *x, double *dx, void *ctx)
{
    (void)t;
    (void)ctx;
    dx[0] = -x[0];
    dx[1] = 1;
    return GT_OK;
}
static gt_status plain_swing(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = x[1];
    dx[1] = -x[0];
    return GT_OK;
}

static void errors_may_be_relative_alone(void **state)
{
    (void)state;
    static const char *const methods[] = {"dopri5", "dop853", "gear", "rodas4", "trapezoidal"};
    const double x0[2] = {1, 0};
    gt_problem p = {.n_slow = 2, .rhs = decay_and_drift, .x0 = x0, .t1 = 100};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        double x[2] = {0};
        gt_report report;
        gt_plan plan = {.atol = GT_NO_ATOL, .x_end = x};
        gt_status status = gt_solve(&p, gt_method_find(methods[m]), &plan, &report);
        if (status) fail_msg("%s: %s", methods[m], report.message.text);
        if (!(fabs(x[0] * exp(100) - 1) < 0.05))
            fail_msg("%s: %g is not exp(-100)", methods[m], x[0]);
        if (!(fabs(x[1] - 100) < 1e-3)) fail_msg("%s: %g is not 100", methods[m], x[1]);
        assert_int_equal(report.warnings.count, 0);
    }
}

/* A state that starts at 0 has no relative size there: radau ended at the start with NaN. */
static void a_start_at_zero_has_no_relative_error(void **state)
{
    (void)state;
    const double x0[2] = {0, 1};
    gt_problem p = {.n_slow = 2, .rhs = plain_swing, .x0 = x0, .t1 = 2};
    int ran = 0;
    for (const gt_method *const *method = gt_method_list(); *method; method++) {
        double x[2] = {0};
        gt_report report;
        gt_plan plan = {.rtol = 1e-4, .atol = GT_NO_ATOL, .x_end = x, .max_steps = 1000000};
        gt_status status = gt_solve(&p, *method, &plan, &report);
        if (status == GT_UNSUPPORTED || status == GT_BAD_ARGUMENT) continue;
        if (status) fail_msg("%s: %s", (*method)->name, report.message.text);
        if (!(fabs(x[0] - sin(2)) < 0.02)) fail_msg("%s: %g is not sin 2", (*method)->name, x[0]);
        ran++;
    }
    assert_true(ran > 30);
}

/* A state of 0 that an event sets below its tolerance was wrong by a factor of four, without a
 * word. */
static void what_an_event_sets_counts_as_given(void **state)
{
    (void)state;
    lang_model m =
        lang_read("x'=-3*x\ny'=-.1*y\ninit y=1\nglobal 1 t-1 {x=1e-9}\n@ total=3\ndone\n");
    static const char *const methods[] = {"dopri5", "gear", "rodas4"};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        gt_report report;
        assert_int_equal(
            gt_solve(&m.problem, gt_method_find(methods[k]), &(gt_plan){.rtol = 1e-3}, &report),
            GT_OK);
        assert_int_equal(report.warnings.count, 1);
        assert_non_null(
            strstr(report.warnings.list[0].text, "x stayed below its absolute tolerance"));
        assert_int_equal(
            gt_solve(&m.problem, gt_method_find(methods[k]), &(gt_plan){.rtol = 1e-9}, &report),
            GT_OK);
        assert_int_equal(report.warnings.count, 0);
    }
    lang_free(&m);
}

/* An epidemic that begins below its tolerance, reaches a tenth of all and ends below it again did
 * not stay there, also where many steps are taken in one call. */
static void what_rises_and_falls_is_not_called_small(void **state)
{
    (void)state;
    lang_model m =
        lang_read("s'=-5*s*i\ni'=5*s*i-2.5*i\nr'=2.5*i\ninit s=1,i=1e-10,r=0\n@ total=150\n");
    int ran = 0;
    for (const gt_method *const *method = gt_method_list(); *method; method++) {
        gt_report report;
        double x[3];
        gt_plan plan = {.rtol = 1e-3, .x_end = x, .max_steps = 100000};
        if (gt_solve(&m.problem, *method, &plan, &report))
            continue;             /* no step control, or of low order */
        if (x[2] < 0.1) continue; /* steps so long that it has not risen: the warning is due */
        ran++;
        for (int k = 0; k < report.warnings.count; k++)
            if (strstr(report.warnings.list[k].text, "stayed below"))
                fail_msg("%s: %s", (*method)->name, report.warnings.list[k].text);
    }
    assert_true(ran > 30);
    lang_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_of_any_size_are_right),
        cmocka_unit_test(size_is_found_from_f_and_on_the_way),
        cmocka_unit_test(ordinary_states_keep_the_default),
        cmocka_unit_test(states_below_their_tolerance_are_named),
        cmocka_unit_test(errors_may_be_relative_alone),
        cmocka_unit_test(what_an_event_sets_counts_as_given),
        cmocka_unit_test(what_rises_and_falls_is_not_called_small),
        cmocka_unit_test(a_start_at_zero_has_no_relative_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
