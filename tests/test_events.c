/* SPDX-License-Identifier: BSD-3-Clause */
/* Events: located to round-off, in the direction wanted, all that happen together, with the order
 * of the method. */
#include "methods_kit.h"

typedef struct recorder {
    gt_sink sink;
    double t[64], x[64], v[64];
    unsigned char fired[64][3];
    bool before[64];
    int count;
    size_t n_roots;
} recorder;

static gt_status record(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    recorder *r = self->ctx;
    (void)message;
    if (r->count == 64) return GT_SINK_REFUSED;
    r->t[r->count] = sample->t;
    r->x[r->count] = sample->x[0];
    r->v[r->count] = sample->x[1];
    r->before[r->count] = sample->before;
    memcpy(r->fired[r->count], sample->fired, r->n_roots);
    r->count++;
    return GT_OK;
}

static gt_status run(const gt_problem *p, const char *method, gt_plan plan, recorder *rec,
                     gt_report *report)
{
    *rec = (recorder){.sink = {.wants = GT_AT_EVENT, .write = record, .ctx = rec},
                      .n_roots = p->n_roots};
    gt_sink *sinks[] = {&rec->sink};
    plan.sinks = sinks;
    plan.n_sinks = 1;
    return gt_solve(p, gt_method_find(method), &plan, report);
}

static gt_status swing(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = x[1];
    dx[1] = -x[0];
    return GT_OK;
}

/* cos t through 0 (both components together), and sin t through 0. */
static gt_status zeros(double t, const double *x, double *g, void *ctx)
{
    (void)t, (void)ctx;
    g[0] = x[0];
    g[1] = 2 * x[0];
    g[2] = x[1];
    return GT_OK;
}

static const double one_zero[2] = {1, 0};
static const gt_problem pendulum = {
    .n_slow = 2, .rhs = swing, .x0 = one_zero, .t1 = 10, .n_roots = 3, .roots = zeros};

static void roots_are_found_to_round_off(void **state)
{
    (void)state;
    recorder rec;
    gt_report report;
    assert_int_equal(
        run(&pendulum, "dopri5", (gt_plan){.rtol = 1e-12, .atol = 1e-13}, &rec, &report), GT_OK);
    /* k pi/2, k = 1..6: cos at odd k (two roots together), sin at even k; the zero of sin at t = 0
     * is not an event */
    assert_int_equal(report.stats.events, 6);
    for (int k = 0; k < 6; k++) {
        assert_true(rec.before[2 * k] && !rec.before[2 * k + 1]);
        assert_true(fabs(rec.t[2 * k] - (k + 1) * acos(-1) / 2) < 2e-11);
        bool cosine = k % 2 == 0;
        assert_int_equal(rec.fired[2 * k][0], cosine);
        assert_int_equal(rec.fired[2 * k][1], cosine);
        assert_int_equal(rec.fired[2 * k][2], !cosine);
    }
}

/* M x' = M f has the same motion; with a mass matrix f does not say where a root goes. */
static gt_status heavy_swing(double t, const double *x, double *dx, void *ctx)
{
    const double *m = ctx;
    double slope[2];
    (void)swing(t, x, slope, NULL);
    dx[0] = m[0] * slope[0] + m[2] * slope[1];
    dx[1] = m[1] * slope[0] + m[3] * slope[1];
    return GT_OK;
}

static gt_status one_zero_of_it(double t, const double *x, double *g, void *ctx)
{
    (void)t, (void)ctx;
    g[0] = x[0];
    return GT_OK;
}

static gt_status leave_it(double t, const unsigned char *fired, double *x, unsigned *actions,
                          void *ctx)
{
    (void)t, (void)fired, (void)x, (void)ctx;
    *actions = 0;
    return GT_OK;
}

static gt_status hit_it_back(double t, const unsigned char *fired, double *x, unsigned *actions,
                             void *ctx)
{
    (void)t, (void)fired, (void)actions, (void)ctx;
    x[1] = -x[1];
    return GT_OK;
}

static void roots_beside_a_mass_matrix(void **state)
{
    (void)state;
    static double entries[4] = {2, 0.25, 0.5, 1};
    static const gt_matrix mass = {.n = 2, .pattern = {.storage = GT_DENSE}, .values = entries};
    const char *const methods[] = {"gear", "radau", "rodas4", "trapezoidal"};
    gt_problem p = {.n_slow = 2,
                    .rhs = heavy_swing,
                    .ctx = entries,
                    .mass = &mass,
                    .x0 = one_zero,
                    .t1 = 10,
                    .n_roots = 1,
                    .roots = one_zero_of_it};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
        for (int back = 0; back < 2; back++) {
            recorder rec;
            gt_report report;
            p.on_event = back ? hit_it_back : leave_it;
            gt_status status =
                run(&p, methods[k], (gt_plan){.rtol = 1e-9, .atol = 1e-12}, &rec, &report);
            if (status) fail_msg("%s: %s", methods[k], report.message.text);
            assert_int_equal(rec.count, 6); /* each event is seen from both sides */
            for (int i = 0; i < rec.count; i++)
                assert_true(fabs(rec.t[i] - (i / 2 + 0.5) * acos(-1.0)) < 1e-6);
        }
}

static void directions_are_kept_apart(void **state)
{
    (void)state;
    const int up_down[3] = {1, -1, 0};
    recorder rec;
    gt_report report;
    gt_problem p = pendulum;
    p.root_direction = up_down;
    assert_int_equal(run(&p, "rkf45", (gt_plan){.rtol = 1e-9}, &rec, &report), GT_OK);
    for (int k = 0; k < 6; k++) {
        assert_int_equal(rec.fired[2 * k][0], k == 2);           /* cos rises at 3 pi/2 */
        assert_int_equal(rec.fired[2 * k][1], k == 0 || k == 4); /* and falls at pi/2, 5 pi/2 */
        assert_int_equal(rec.fired[2 * k][2], k % 2 == 1);
    }
}

/* The time of an event has the order of the method at fixed step, although Hermite interpolation
 * has order 3. */
static void event_times_have_the_order_of_the_method(void **state)
{
    (void)state;
    double size[5], error[5], h = 0.2;
    for (int k = 0; k < 5; k++, h /= 2) {
        recorder rec;
        gt_report report;
        assert_int_equal(run(&pendulum, "dopri5", (gt_plan){.h = h}, &rec, &report), GT_OK);
        size[k] = h;
        error[k] = fabs(rec.t[8] - 2.5 * acos(-1));
    }
    double slope = slope_of(size, error, 5, 2e-14);
    if (!(slope > 4.5)) fail_msg("slope %.2f", slope);
}

static void a_bouncing_ball_bounces_at_the_right_times(void **state)
{
    (void)state;
    static const char *const methods[] = {"rk4", "dopri5", "trapezoidal"};
    for (int k = 0; k < 3; k++) {
        bench_top b;
        recorder rec;
        gt_report report;
        build(&b, "bouncing", "");
        const double height = b.problem.x0[0];
        assert_int_equal(
            run(&b.problem, methods[k], (gt_plan){.h = k ? 0 : 0.05, .rtol = 1e-9}, &rec, &report),
            GT_OK);
        assert_true(report.stopped && report.t < b.problem.t1);
        /* Flight is a parabola, which all three integrate exactly: from rest, then with speed
         * shrinking by e. */
        double g = (rec.v[0] * rec.v[0]) / (2 * height), e = -rec.v[1] / rec.v[0],
               t = sqrt(2 * height / g), speed = g * t * e;
        for (int i = 0; i < 8; i++) {
            assert_true(fabs(rec.t[2 * i] - t) < 1e-8);
            assert_true(fabs(rec.x[2 * i]) < 1e-9);
            t += 2 * speed / g;
            speed *= e;
        }
        gt_arena_free(&b.arena);
    }
}

/* A relay: x' = u, u flips at |x| = 1. u is kept in the context, so that f itself changes at the
 * event. */
static gt_status relay(double t, const double *x, double *dx, void *ctx)
{
    const double *u = ctx;
    (void)t, (void)x;
    dx[0] = *u;
    dx[1] = 0;
    return GT_OK;
}
static gt_status limits(double t, const double *x, double *g, void *ctx)
{
    (void)t, (void)ctx;
    g[0] = x[0] - 1;
    g[1] = x[0] + 1;
    return GT_OK;
}
static gt_status flip(double t, const unsigned char *fired, double *x, unsigned *actions, void *ctx)
{
    double *u = ctx;
    (void)t, (void)actions;
    *u = fired[0] ? -1 : 1;
    x[1] += 1;
    return GT_OK;
}

static void the_right_limit_is_used_after_an_event(void **state)
{
    (void)state;
    static const char *const methods[] = {"euler", "rk4", "dopri5", "beuler", "trapezoidal"};
    for (int k = 0; k < 5; k++) {
        double x0[2] = {0, 0}, u = 1, x[2];
        gt_problem p = {.n_slow = 2,
                        .rhs = relay,
                        .x0 = x0,
                        .t1 = 10.5,
                        .ctx = &u,
                        .n_roots = 2,
                        .roots = limits,
                        .on_event = flip};
        recorder rec;
        gt_report report;
        gt_plan plan = {.h = k == 2 ? 0 : 0.17, .x_end = x};
        assert_int_equal(run(&p, methods[k], plan, &rec, &report), GT_OK);
        assert_int_equal(report.stats.events, 5); /* at 1, 3, 5, 7, 9 */
        for (int i = 0; i < 5; i++) assert_true(fabs(rec.t[2 * i] - (2 * i + 1)) < 1e-12);
        assert_true(fabs(x[0] + 0.5) < 1e-12 && x[1] == 5);
    }
}

/* Roots at given times; what happens between them does not matter. */
static gt_status clock_roots(double t, const double *x, double *g, void *ctx)
{
    const double *times = ctx;
    (void)x;
    g[0] = t - times[0];
    g[1] = t - times[1];
    return GT_OK;
}

/* The second of two events a thousandth of a step apart was found late; one at a discontinuity came
 * a step later. */
static void events_close_together_or_at_a_discontinuity(void **state)
{
    (void)state;
    static const char *const methods[] = {"dopri5", "trapezoidal", "gear"};
    const double at_one[1] = {1};
    double times[2] = {1, 1.00001};
    for (int k = 0; k < 6; k++) {
        gt_problem p = pendulum;
        recorder rec;
        gt_report report;
        p.n_roots = 2, p.roots = clock_roots, p.ctx = times;
        if (k >= 3) p.breaks = at_one, p.n_breaks = 1;
        gt_plan plan = {.rtol = 1e-6, .h = k % 3 == 1 ? 0.3 : 0};
        assert_int_equal(run(&p, methods[k % 3], plan, &rec, &report), GT_OK);
        assert_int_equal(report.stats.events, 2);
        assert_true(fabs(rec.t[0] - 1) < 1e-12 && fabs(rec.t[2] - times[1]) < 1e-12);
        if (k >= 3) assert_true(rec.t[0] == 1);
    }
}

/* Many neurons that fire nearly at once: each is another event, and nothing piles up. */
enum { NEURONS = 25 };
static gt_status neuron_rates(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)x;
    for (int j = 0; j < NEURONS; j++) dx[j] = 1 + j * *(const double *)ctx;
    return GT_OK;
}
static gt_status neuron_thresholds(double t, const double *x, double *g, void *ctx)
{
    (void)t, (void)ctx;
    for (int j = 0; j < NEURONS; j++) g[j] = x[j] - 1;
    return GT_OK;
}
static gt_status neurons_fire(double t, const unsigned char *fired, double *x, unsigned *actions,
                              void *ctx)
{
    (void)t, (void)actions, (void)ctx;
    for (int j = 0; j < NEURONS; j++)
        if (fired[j]) x[j] = 0;
    return GT_OK;
}
static void distinct_events_may_come_close(void **state)
{
    (void)state;
    static const char *const methods[] = {"dopri5", "gear", "rodas4"};
    static const double apart[] = {1e-6, 1e-12, 1e-13};
    double x0[NEURONS] = {0}, end[NEURONS];
    for (size_t k = 0; k < 9; k++) {
        double by = apart[k / 3];
        gt_problem p = {.n_slow = NEURONS,
                        .rhs = neuron_rates,
                        .n_roots = NEURONS,
                        .roots = neuron_thresholds,
                        .on_event = neurons_fire,
                        .t1 = 3.5,
                        .x0 = x0,
                        .ctx = &by};
        gt_report report;
        gt_status status = gt_solve(&p, gt_method_find(methods[k % 3]),
                                    &(gt_plan){.rtol = 1e-8, .x_end = end}, &report);
        if (status) fail_msg("%s, %g: %s", methods[k % 3], by, report.message.text);
        for (int j = 0; j < NEURONS; j++)
            if (!(fabs(end[j] - fmod(3.5 * (1 + j * by), 1)) < 3e-7))
                fail_msg("%s, %g: %d ends at %.17g", methods[k % 3], by, j, end[j]);
    }
}

/* Infinitely many bounces: the ball fell through the floor, or the run crawled for ever. */
static void events_that_pile_up_are_reported(void **state)
{
    (void)state;
    bench_top b;
    gt_report report;
    build(&b, "bouncing", "v_stop=0");
    gt_status status =
        gt_solve(&b.problem, gt_method_find("dopri5"), &(gt_plan){.rtol = 1e-6}, &report);
    assert_int_equal(status, GT_EVENTS_PILE_UP);
    assert_non_null(strstr(report.message.text, "events pile up"));
    gt_arena_free(&b.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roots_are_found_to_round_off),
        cmocka_unit_test(roots_beside_a_mass_matrix),
        cmocka_unit_test(directions_are_kept_apart),
        cmocka_unit_test(event_times_have_the_order_of_the_method),
        cmocka_unit_test(a_bouncing_ball_bounces_at_the_right_times),
        cmocka_unit_test(the_right_limit_is_used_after_an_event),
        cmocka_unit_test(events_close_together_or_at_a_discontinuity),
        cmocka_unit_test(distinct_events_may_come_close),
        cmocka_unit_test(events_that_pile_up_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
