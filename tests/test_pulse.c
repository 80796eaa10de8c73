/* SPDX-License-Identifier: BSD-3-Clause */
/* Pulses in time that are much shorter than the steps: found, at a cost that is bounded, and free
 * where f has no t. */
#include "methods_kit.h"

static gt_status pulse(double t, const double *x, double *dx, void *ctx)
{
    double decay = *(double *)ctx, u = 10 * (t - 50);
    dx[0] = 1000 * exp(-u * u) - decay * x[0];
    return GT_OK;
}

static gt_status box(double t, const double *x, double *dx, void *ctx)
{
    (void)x, (void)ctx;
    dx[0] = t >= 50 && t < 50.1;
    return GT_OK;
}

static gt_status stiff(double t, const double *x, double *dx, void *ctx)
{
    (void)ctx;
    dx[0] = -1e6 * (x[0] - cos(t));
    return GT_OK;
}

static bool takes(const gt_method *m, const gt_problem *p)
{
    gt_message message;
    gt_values v = gt_params_default(m->options);
    return gt_method_facts(m, v.v).error_order > 0 && !gt_method_check(m, v.v, p, &message);
}

/* Every controlled method stepped over it at every tolerance, with status ok. */
static void a_pulse_inside_a_long_step_is_found(void **state)
{
    (void)state;
    double decay = 0;
    const double x0[1] = {0}, area = 100 * sqrt(acos(-1));
    int failures = 0;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        for (double rtol = 1e-3; rtol > 1e-10; rtol *= 1e-3) {
            gt_problem p = {.n_slow = 1, .rhs = pulse, .ctx = &decay, .x0 = x0, .t1 = 100};
            if (!takes(*m, &p)) continue;
            double x = 0;
            gt_report report;
            gt_plan plan = {.rtol = rtol, .x_end = &x, .max_steps = 200000};
            gt_status status = gt_solve(&p, *m, &plan, &report);
            /* Errors of low order add up over the many steps through the pulse. */
            double allowed =
                gt_method_facts(*m, gt_params_default((*m)->options).v).order < 3 ? 1000 : 100;
            if (status || fabs(x - area) <= allowed * rtol * area) continue;
            print_error("%s %g: %.10g, not %.10g\n", (*m)->name, rtol, x, area);
            failures++;
        }
    }
    assert_int_equal(failures, 0);
}

static void a_box_between_two_steps_is_found(void **state)
{
    (void)state;
    const double x0[1] = {0};
    static const char *const methods[] = {"dopri5", "dop853", "gear",
                                          "rodas4", "rkf45",  "trapezoidal"};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        gt_problem p = {.n_slow = 1, .rhs = box, .x0 = x0, .t1 = 100};
        double x = 0;
        gt_plan plan = {.rtol = 1e-6, .x_end = &x};
        assert_int_equal(gt_solve(&p, gt_method_find(methods[k]), &plan, NULL), GT_OK);
        if (fabs(x - 0.1) > 1e-4) fail_msg("%s: %g", methods[k], x);
    }
}

static gt_status square_wave(double t, const double *x, double *dx, void *ctx)
{
    (void)x, (void)ctx;
    dx[0] = fmod(t, 2 * acos(-1)) < acos(-1) ? 1 : -1;
    return GT_OK;
}

/* A wide pulse: f was the same constant at all stages of a step that passed over two jumps, and so
 * its estimate was 0, and the error 1 and more. A jump can also fall where the estimate of a step
 * is zero: of one run in twenty, by the last bits, and then the step is short. */
static void two_jumps_inside_a_step_are_found(void **state)
{
    (void)state;
    const double x0[1] = {0}, end = 20 - 6 * acos(-1);
    int runs = 0, chances = 0;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        for (double rtol = 1e-3; rtol > 1e-10; rtol *= 1e-3) {
            gt_problem p = {.n_slow = 1, .rhs = square_wave, .x0 = x0, .t1 = 20};
            if (!takes(*m, &p)) continue;
            runs++;
            double x = 0;
            gt_plan plan = {.rtol = rtol, .x_end = &x, .max_steps = 20000};
            if (gt_solve(&p, *m, &plan, NULL) || fabs(x - end) <= 300 * rtol) continue;
            print_error("%s %g: %.10g, not %.10g\n", (*m)->name, rtol, x, end);
            assert_true(fabs(x - end) < 0.01);
            chances++;
        }
    }
    assert_true(20 * chances <= runs);
}

static gt_status stiff_jump(double t, const double *x, double *dx, void *ctx)
{
    (void)ctx;
    dx[0] = -1e4 * (x[0] - (t >= 1));
    return GT_OK;
}

static gt_status watch_jump(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    (void)message;
    double exact = sample->t < 1 ? 0 : -expm1(-1e4 * (sample->t - 1)), *worst = self->ctx;
    *worst = fmax(*worst, fabs(sample->x[0] - exact));
    return GT_OK;
}

/* The estimate of backinterpolation, damped as z^-Q, let steps of h lambda = 100 end beyond the
 * jump before it was. */
static void a_stiff_jump_is_seen_by_backinterpolation(void **state)
{
    (void)state;
    const double x0[1] = {0};
    static const char *const methods[] = {"bi11", "bi12", "bi22", "bi23", "bi33",
                                          "bi34", "bi44", "bi45", "bi77h"};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        for (double rtol = 1e-3; rtol > 1e-7; rtol *= 1e-3) {
            gt_problem p = {.n_slow = 1, .rhs = stiff_jump, .x0 = x0, .t1 = 2};
            double worst = 0;
            gt_sink sink = {.wants = GT_AT_STEP, .write = watch_jump, .ctx = &worst};
            gt_plan plan = {.rtol = rtol,
                            .sinks = (gt_sink *const[]){&sink},
                            .n_sinks = 1,
                            .max_steps = 100000};
            if (gt_solve(&p, gt_method_find(methods[k]), &plan, NULL)) continue;
            if (worst > 100 * rtol) fail_msg("%s at rtol %g: off by %g", methods[k], rtol, worst);
        }
    }
}

/* f without t costs nothing; f with t at most a hundred evaluations, and a stiff one hardly a step.
 */
static void looking_for_pulses_is_cheap(void **state)
{
    (void)state;
    const double x0[1] = {1};
    static const char *const methods[] = {"gear", "rodas4"};
    for (size_t k = 0; k < 2; k++) {
        long steps[2], calls[2];
        for (int autonomous = 0; autonomous < 2; autonomous++) {
            gt_problem p = {.n_slow = 1, .rhs = stiff, .x0 = x0, .t1 = 10};
            gt_report report;
            p.autonomous =
                autonomous && k == 0; /* gear does not use it: only the probes are left out */
            assert_int_equal(
                gt_solve(&p, gt_method_find(methods[k]), &(gt_plan){.rtol = 1e-3}, &report), GT_OK);
            steps[autonomous] = report.stats.steps;
            calls[autonomous] = report.stats.rhs;
        }
        if (k == 1) continue;
        if (steps[0] > steps[1] + 10 || calls[0] > calls[1] + 100 + 10 * 20)
            fail_msg("%s: %ld steps, %ld calls; without probes %ld, %ld", methods[k], steps[0],
                     calls[0], steps[1], calls[1]);
    }
}

/* A caller to whom each evaluation is expensive can do without: as many as where f has no t. */
static gt_status slow_and_fast(double t, const double *x, double *dx, void *ctx)
{
    double u = (t - 3.3) / 0.003;
    (void)ctx;
    dx[0] = 1000 * exp(-u * u) + 1e-9 * x[1];
    dx[1] = -1e3 * (x[1] - cos(x[0]));
    return GT_OK;
}

/* A point inside their steps costs as much as the step, so that they did not look: x was off by all
 * of the pulse. */
static void methods_of_two_rates_look_too(void **state)
{
    (void)state;
    static const char *const methods[] = {"mri3", "mri4", "mradams", "mrkc", "mri3i", "mri4i"};
    const double x0[2] = {0, 1}, area = 3 * sqrt(acos(-1));
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
        for (double rtol = 1e-2; rtol > 1e-5; rtol *= 0.1) {
            gt_problem p = {.n_slow = 1, .n_fast = 1, .rhs = slow_and_fast, .x0 = x0, .t1 = 6};
            double x[2];
            gt_report report;
            gt_plan plan = {.rtol = rtol, .x_end = x, .max_steps = 200000};
            if (gt_solve(&p, gt_method_find(methods[k]), &plan, &report))
                fail_msg("%s: %s", methods[k], report.message.text);
            if (!(fabs(x[0] - area) < 20 * rtol * area))
                fail_msg("%s, rtol %g: %g", methods[k], rtol, x[0]);
        }
}

static void a_plan_can_leave_them_out(void **state)
{
    (void)state;
    const double x0[1] = {1};
    long calls[3];
    for (int k = 0; k < 3; k++) {
        gt_problem p = {.n_slow = 1, .rhs = stiff, .x0 = x0, .t1 = 10, .autonomous = k == 2};
        gt_plan plan = {.rtol = 1e-3, .no_pulses = k == 1};
        gt_report report;
        assert_int_equal(gt_solve(&p, gt_method_find("gear"), &plan, &report), GT_OK);
        calls[k] = report.stats.rhs;
    }
    assert_true(calls[0] > calls[1]);
    assert_int_equal(calls[1], calls[2]);
}

/* (x1 + x2)' = -x1, 0 = x1 - x2: f is not x', and no step ends because of that. */
static gt_status tied(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = -x[0];
    dx[1] = -2 * x[1] + x[0];
    return GT_OK;
}

static gt_status three_pulses(double t, const double *x, double *dx, void *ctx)
{
    gt_status status = pulse(t, x, dx, ctx);
    dx[0] *= 3;
    return status;
}

static void a_mass_matrix_is_no_pulse(void **state)
{
    (void)state;
    double ones[] = {1, 1, 1, 1}, three = 3, decay = 0;
    const double x0[] = {2, 2}, rest[] = {0}, area = 100 * sqrt(acos(-1));
    const gt_matrix M = {.n = 2, .values = ones}, M3 = {.n = 1, .values = &three};
    const gt_problem p = {.n_slow = 2, .rhs = tied, .x0 = x0, .t1 = 1, .mass = &M};
    const gt_problem heavy = {
        .n_slow = 1, .rhs = three_pulses, .ctx = &decay, .x0 = rest, .t1 = 100, .mass = &M3};
    int count = 0;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        double x[2];
        gt_report looked, not ;
        gt_plan plan = {.rtol = 1e-4, .x_end = x};
        if (takes(*m, &p)) {
            /* some cannot where M is singular, and am3 to am6 are unstable there */
            if (gt_solve(&p, *m, &plan, &looked)) continue;
            plan.no_pulses = true;
            if (gt_solve(&p, *m, &plan, &not )) fail_msg("%s: %s", (*m)->name, not .message.text);
            if (looked.stats.steps != not .stats.steps)
                fail_msg("%s: %ld steps, not %ld", (*m)->name, looked.stats.steps,
                         not .stats.steps);
            plan.no_pulses = false;
            count++;
        }
        if (takes(*m, &heavy) && (gt_solve(&heavy, *m, &plan, &looked) || fabs(x[0] - area) > 2))
            fail_msg("%s: %g, %s", (*m)->name, x[0], looked.message.text);
    }
    assert_true(count > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pulse_inside_a_long_step_is_found),
        cmocka_unit_test(a_box_between_two_steps_is_found),
        cmocka_unit_test(two_jumps_inside_a_step_are_found),
        cmocka_unit_test(a_stiff_jump_is_seen_by_backinterpolation),
        cmocka_unit_test(looking_for_pulses_is_cheap),
        cmocka_unit_test(methods_of_two_rates_look_too),
        cmocka_unit_test(a_plan_can_leave_them_out),
        cmocka_unit_test(a_mass_matrix_is_no_pulse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
