/* SPDX-License-Identifier: BSD-3-Clause */
/* Fast oscillations of which only a few swings are followed: what a run costs, how right it is
 * between and at the ends of steps, and what is not such an oscillation. */
#include "lang_kit.h"

/* A mass on a stiff spring that hangs from a point, stretched by 1e-4: 1,600 swings in a second, in
 * a direction that turns. Where the stiffness depends on x the frequency does, and the swings push
 * on what is slow. */
static const char turning[] =
    "par k=1e8, c=0\nr=sqrt(x^2+y^2)\nx'=vx\ny'=vy\n"
    "vx'=-k*(1+c*x)*(r-1)*x/r-c*k/2*(r-1)^2\nvy'=-k*(1+c*x)*(r-1)*y/r-9.81\n"
    "init x=0.8415551319063773, y=-0.5403563360987266\n@ total=10\ndone\n";

static lang_model turning_with(const char *values, double t1)
{
    lang_model m = {.arena = gt_arena_growing()};
    gt_message message = {""};
    assert_int_equal(gt_ode_parse(turning, strlen(turning), "m.ode", &m.ode, &message), GT_OK);
    assert_int_equal(gt_model_build(gt_ode_model(m.ode), values, &m.problem, &m.arena, &message),
                     GT_OK);
    m.problem.t1 = t1;
    return m;
}

static long solve(const gt_problem *p, const char *method, double rtol, double *x,
                  gt_report *report)
{
    gt_plan plan = {.rtol = rtol, .max_steps = 2000000, .x_end = x};
    gt_status status = gt_solve(p, gt_method_find(method), &plan, report);
    if (status) fail_msg("%s at %g: %s", method, rtol, report->message.text);
    return report->stats.rhs;
}

/* In tolerances, of all states by the sizes that they swing to. */
static double error_of(const double *x, const double *y, const double *size, size_t n, double rtol)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += pow((x[i] - y[i]) / (rtol * size[i]), 2);
    return sqrt(sum / (double)n);
}

static const double turning_sizes[] = {1, 1, 3, 3};

/* 16,000 swings. With a stiffness that does not change nothing pushes on what is slow, which is a
 * rigid pendulum. */
static void a_direction_that_turns(void **state)
{
    (void)state;
    double x[4], y[2];
    gt_report report;
    lang_model m = turning_with("", 10),
               rigid = lang_read("a'=w\nw'=-9.81*sin(a)\ninit a=1\n@ total=10\ndone\n");
    long calls = solve(&m.problem, "strobe", 1e-2, x, &report);
    solve(&rigid.problem, "dop853", 1e-10, y, &report);
    lang_near(x[0], sin(y[0]), 1e-2);
    lang_near(x[1], -cos(y[0]), 1e-2);
    if (calls > 30000) fail_msg("%ld calls", calls);
    lang_free(&m);
    lang_free(&rigid);
}

/* All states, phases too, by tolerance; and what is saved. */
static void errors_are_as_wanted(void **state)
{
    (void)state;
    static const char *const stiffening[] = {"c=0", "c=0.3"};
    for (int k = 0; k < 2; k++) {
        double x[4], y[4];
        gt_report report;
        lang_model m = turning_with(stiffening[k], 1);
        solve(&m.problem, "dop853", 1e-10, y, &report);
        for (double rtol = 1e-2; rtol > 5e-7; rtol /= 10) {
            long calls = solve(&m.problem, "strobe", rtol, x, &report);
            double error = error_of(x, y, turning_sizes, 4, rtol);
            if (!(error < 20))
                fail_msg("%s, rtol %g: %g tolerances off", stiffening[k], rtol, error);
            if (rtol < 5e-4) continue;
            double z[4];
            long followed = solve(&m.problem, "exprb43", rtol / 10, z, &report);
            if (!(3 * calls < followed))
                fail_msg("%s, rtol %g: %ld calls, %ld", stiffening[k], rtol, calls, followed);
        }
        lang_free(&m);
    }
}

/* A swing that dies out, driven by what is slow and driving it: exprb43, which follows every swing,
 * is 18 tolerances off at the end. */
static void damped_and_driven(void **state)
{
    (void)state;
    lang_model m = lang_read("z'=v\nv'=-1e6*(1+.2*q)*(z-sin(q))-2*v\nq'=p\np'=-q^3+.1*cos(t)-z\n"
                             "init z=1.2, q=1\n@ total=3\ndone\n");
    double x[4], y[4];
    gt_report report;
    solve(&m.problem, "dop853", 1e-10, y, &report);
    for (double rtol = 1e-2; rtol > 5e-7; rtol /= 10) {
        solve(&m.problem, "strobe", rtol, x, &report);
        double error = error_of(x, y, (const double[]){1, 20, 1, 1}, 4, rtol);
        if (!(error < 50)) fail_msg("rtol %g: %g tolerances off", rtol, error);
    }
    lang_free(&m);
}

/* Not one frequency: the run says that it follows all swings, and does. */
static void two_frequencies_are_followed(void **state)
{
    (void)state;
    lang_model m =
        lang_read("q'=p\np'=-sin(q)-.5*(z1^2+z2^2)*q\nz1'=v1\nv1'=-1e6*(1+.2*q)*z1\nz2'=v2\n"
                  "v2'=-2617924*z2*(1+.1*q^2)\ninit q=1,z1=.001,z2=.001\n@ total=1\ndone\n");
    double x[6], y[6];
    gt_report report;
    solve(&m.problem, "dop853", 1e-10, y, &report);
    long followed = solve(&m.problem, "exprb43", 1e-5, x, &report);
    long calls = solve(&m.problem, "strobe", 1e-5, x, &report);
    double error = error_of(x, y, (const double[]){1, 1, 1, 1, 1, 1}, 6, 1e-5);
    if (!(error < 100)) fail_msg("%g tolerances off", error);
    if (!(calls < 2 * followed)) fail_msg("%ld calls, exprb43 %ld", calls, followed);
    assert_int_equal(report.warnings.count > 0, 1);
    assert_non_null(strstr(report.warnings.list[0].text, "exprb43"));
    lang_free(&m);
}

typedef struct rows {
    gt_sink sink;
    double x[64][4];
    int count;
} rows;

static gt_status keep(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    rows *r = self->ctx;
    (void)message;
    if (r->count < 64) memcpy(r->x[r->count++], sample->x, sizeof r->x[0]);
    return GT_OK;
}

/* Rows inside steps of hundreds of swings are on the solution, with its phase. */
static void rows_are_on_the_solution(void **state)
{
    (void)state;
    lang_model m = turning_with("c=0.3", 1);
    rows of[2];
    static const char *const methods[] = {"dop853", "strobe"};
    for (int k = 0; k < 2; k++) {
        of[k] = (rows){.sink = {.wants = GT_AT_OUTPUT, .write = keep, .ctx = &of[k]}};
        gt_sink *sinks[] = {&of[k].sink};
        gt_plan plan = {.rtol = k ? 1e-4 : 1e-10,
                        .max_steps = 2000000,
                        .every = 0.0217,
                        .sinks = sinks,
                        .n_sinks = 1};
        gt_report report;
        assert_int_equal(gt_solve(&m.problem, gt_method_find(methods[k]), &plan, &report), GT_OK);
    }
    assert_int_equal(of[0].count, of[1].count);
    assert_true(of[0].count > 40);
    for (int i = 0; i < of[0].count; i++) {
        double error = error_of(of[1].x[i], of[0].x[i], turning_sizes, 4, 1e-4);
        if (!(error < 20)) fail_msg("row %d: %g tolerances off", i, error);
    }
    lang_free(&m);
}

/* An event of the fast motion: each crossing is found, since no swing is passed over. */
static void events_keep_to_every_swing(void **state)
{
    (void)state;
    char text[sizeof turning + 100];
    snprintf(text, sizeof text, "%.*s\nn'=0\nglobal 1 (r-1) {n=n+1}\ndone\n",
             (int)(strstr(turning, "\ndone") - turning), turning);
    lang_model m = lang_read(text);
    m.problem.t1 = 0.1;
    double x[5];
    gt_report report;
    solve(&m.problem, "strobe", 1e-4, x, &report);
    lang_near(x[4], 159, 1);
    lang_free(&m);
}

/* A push of .2 in the middle of 950 swings, of the length of one of them up to that of twenty:
 * steps pass over none. */
static void pulses_are_not_passed_over(void **state)
{
    (void)state;
    static const char text[] =
        "par "
        "w=.005,c=3,a=.2\nr=sqrt(x^2+y^2)\nx'=vx\ny'=vy\nvx'=-1e6*(r-1)*x/r+a/w*exp(-((t-c)/w)^2)\n"
        "vy'=-1e6*(r-1)*y/r-9.81\ninit x=.8415551319063773,y=-.5403563360987266\n@ total=6\ndone\n";
    for (int k = 0; k < 12; k++) {
        static const double widths[] = {.003, .005, .01, .03};
        char values[80];
        lang_model m = {.arena = gt_arena_growing()};
        gt_message message = {""};
        gt_report report;
        double x[4], y[4];
        snprintf(values, sizeof values, "w=%g,c=%.17g", widths[k % 4], 2.1 + 0.3217 * k);
        assert_int_equal(gt_ode_parse(text, strlen(text), "m.ode", &m.ode, &message), GT_OK);
        assert_int_equal(
            gt_model_build(gt_ode_model(m.ode), values, &m.problem, &m.arena, &message), GT_OK);
        solve(&m.problem, "dop853", 1e-10, y, &report);
        for (double rtol = 1e-2; rtol > 5e-5; rtol /= 10) {
            solve(&m.problem, "strobe", rtol, x, &report);
            double error = error_of(x, y, turning_sizes, 2, rtol);
            if (!(error < 20)) fail_msg("%s, rtol %g: %g tolerances off", values, rtol, error);
        }
        lang_free(&m);
    }
}

/* At the times where a push begins and ends f has the value from before. */
static void jumps_at_known_times_are_met(void **state)
{
    (void)state;
    lang_model m = lang_read("x'=v\nv'=-1e4*x-.1*y\ny'=-.1*y+.01*x+100*heav(t-3.3)*heav(3.4-t)\n"
                             "init x=1\n@ total=6\ndone\n");
    double x[3], y[3];
    gt_report report;
    solve(&m.problem, "dop853", 1e-10, y, &report);
    for (double rtol = 1e-3; rtol > 5e-8; rtol /= 1e3) {
        solve(&m.problem, "strobe", rtol, x, &report);
        if (!(fabs(x[2] - y[2]) < rtol * y[2])) fail_msg("rtol %g: %g, not %g", rtol, x[2], y[2]);
    }
    lang_free(&m);
}

/* A third more calls at most, and none where nobody wants them. */
static void looks_for_pulses_are_cheap(void **state)
{
    (void)state;
    lang_model m = turning_with("", 3);
    m.problem.autonomous = false;
    for (double rtol = 1e-2; rtol > 5e-5; rtol /= 10) {
        long calls[2];
        for (int without = 0; without < 2; without++) {
            gt_plan plan = {.rtol = rtol, .no_pulses = without};
            gt_report report;
            assert_int_equal(gt_solve(&m.problem, gt_method_find("strobe"), &plan, &report), GT_OK);
            calls[without] = report.stats.rhs;
        }
        if (calls[0] == calls[1] || 3 * calls[0] > 4 * calls[1])
            fail_msg("%g: %ld, %ld", rtol, calls[0], calls[1]);
    }
    lang_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_direction_that_turns),
        cmocka_unit_test(errors_are_as_wanted),
        cmocka_unit_test(damped_and_driven),
        cmocka_unit_test(two_frequencies_are_followed),
        cmocka_unit_test(rows_are_on_the_solution),
        cmocka_unit_test(events_keep_to_every_swing),
        cmocka_unit_test(pulses_are_not_passed_over),
        cmocka_unit_test(looks_for_pulses_are_cheap),
        cmocka_unit_test(jumps_at_known_times_are_met),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
