/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events with every method of the list: a ball that bounces ever lower, f that jumps at the event,
 * crossings that lie between two looks. Each failure is printed with its method, and the test fails
 * on their number.
 */
#include "methods_kit.h"

typedef struct record {
    gt_sink sink;
    double t[4096], lowest;
    int count;
} record;

static gt_status write_record(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    record *r = self->ctx;
    (void)message;
    r->lowest = fmin(r->lowest, sample->x[0]);
    if ((sample->why & GT_AT_EVENT) && sample->before && r->count < 4096)
        r->t[r->count++] = sample->t;
    return GT_OK;
}

static gt_status run(const gt_problem *p, const gt_method *method, gt_plan plan, record *rec,
                     gt_report *report)
{
    *rec = (record){.sink = {.wants = GT_AT_EVENT | GT_AT_STEP, .write = write_record, .ctx = rec}};
    gt_sink *sinks[] = {&rec->sink};
    plan.sinks = sinks;
    plan.n_sinks = 1;
    plan.max_steps = 200000;
    return gt_solve(p, method, &plan, report);
}

static gt_facts facts_of(const gt_method *m)
{
    return gt_method_facts(m, gt_params_default(m->options).v);
}

/* Methods that control their step and can treat the problem. */
static bool controlled(const gt_method *m, const gt_problem *p)
{
    gt_message message;
    return facts_of(m).error_order > 0 &&
           !gt_method_check(m, gt_params_default(m->options).v, p, &message);
}

static int failures;

#define EXPECT(condition, ...)                                                                     \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            failures++;                                                                            \
            print_error(__VA_ARGS__);                                                              \
            print_error("\n");                                                                     \
        }                                                                                          \
    } while (0)

/* ---- a ball, [height, speed], that loses speed at each bounce ---- */

typedef struct ball {
    double restitution;
    bool put_on_floor; /* the reset says h = 0 */
    bool look_at_side; /* the reset is done only where h <= 0, as a careful C program does */
} ball;

static gt_status fall(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = x[1];
    dx[1] = -9.81;
    return GT_OK;
}

static gt_status height(double t, const double *x, double *g, void *ctx)
{
    (void)t, (void)ctx;
    g[0] = x[0];
    return GT_OK;
}

static gt_status bounce(double t, const unsigned char *fired, double *x, unsigned *actions,
                        void *ctx)
{
    const ball *b = ctx;
    (void)t, (void)actions, (void)fired;
    if (b->look_at_side && x[0] > 0) return GT_OK;
    x[1] *= -b->restitution;
    if (b->put_on_floor) x[0] = 0;
    return GT_OK;
}

static const int falling[1] = {-1};

static gt_problem ball_problem(ball *b, const double *x0, double t1)
{
    return (gt_problem){.n_slow = 2,
                        .rhs = fall,
                        .x0 = x0,
                        .t1 = t1,
                        .ctx = b,
                        .n_roots = 1,
                        .roots = height,
                        .root_direction = falling,
                        .on_event = bounce};
}

static void a_ball_never_falls_through_the_floor(void **state)
{
    (void)state;
    failures = 0;
    const double x0[2] = {1, 0}, first = sqrt(2 / 9.81);
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        for (int form = 0; form < 2; form++) {
            for (double rtol = 1e-3; rtol > 1e-10; rtol *= 1e-3) {
                ball b = {.restitution = 0.5, .put_on_floor = form};
                gt_problem p = ball_problem(&b, x0, 5);
                if (!controlled(*m, &p)) continue;
                record rec;
                gt_report report;
                gt_status status = run(&p, *m, (gt_plan){.rtol = rtol}, &rec, &report);
                const char *name = (*m)->name;
                EXPECT(rec.lowest >= -1e-2 * rtol, "%s %g form %d: lowest %g", name, rtol, form,
                       rec.lowest);
                /* gear, at order 1 after each bounce, kept on bouncing below the tolerance. */
                EXPECT(status, "%s %g form %d: ok, at %g", name, rtol, form, report.t);
                if (facts_of(*m).order < 3) continue;
                EXPECT(status == GT_EVENTS_PILE_UP && strstr(report.message.text, "events pile up"),
                       "%s %g form %d: %s %s", name, rtol, form, gt_status_name(status),
                       report.message.text);
                EXPECT(rec.count >= 11, "%s %g form %d: %d bounces", name, rtol, form, rec.count);
                EXPECT(fabs(rec.t[0] - first) <= 10 * rtol, "%s %g: first at %.12g", name, rtol,
                       rec.t[0]);
                EXPECT(fabs(report.t - 3 * first) <= 1e-3, "%s %g: ends at %g", name, rtol,
                       report.t);
            }
        }
    }
    assert_int_equal(failures, 0);
}

/* on_event was given a state still above the floor, and a program that looks there missed the
 * bounce. */
static void what_is_handed_over_is_on_the_far_side(void **state)
{
    (void)state;
    failures = 0;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        for (double x_start = 1; x_start < 1.25; x_start += 0.1) {
            const double x0[2] = {x_start, 0};
            double x[2] = {0, 0};
            ball b = {.restitution = 0.7, .look_at_side = true};
            gt_problem p = ball_problem(&b, x0, 2.2);
            if (!controlled(*m, &p)) continue;
            record rec;
            gt_report report;
            gt_plan plan = {.rtol = 1e-8, .atol = 1e-10, .x_end = x};
            if (facts_of(*m).order < 3) plan.rtol = plan.atol = 1e-5;
            gt_status status = run(&p, *m, plan, &rec, &report);
            EXPECT(!status && x[0] > -1e-7 - plan.atol, "%s from %g: %s, h = %g", (*m)->name,
                   x_start, status ? report.message.text : "ok", x[0]);
        }
    }
    assert_int_equal(failures, 0);
}

/* ---- f jumps at the event ---- */

static double sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

/* v' = -5 - 2 sign v: v is 0 at 3/7 and goes on downward, slower */
static gt_status friction(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = x[1];
    dx[1] = -5 - 2 * sign_of(x[1]);
    return GT_OK;
}
static gt_status speed(double t, const double *x, double *g, void *ctx)
{
    (void)t, (void)ctx;
    g[0] = x[1];
    return GT_OK;
}

/* x' = 1 below 1 and y - 1/2 above: x is 1 at t = 1 */
static gt_status bend(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = x[0] < 1 ? 1 : x[1] - 0.5;
    dx[1] = 2 - x[1];
    return GT_OK;
}
static gt_status one(double t, const double *x, double *g, void *ctx)
{
    (void)t, (void)ctx;
    g[0] = x[0] - 1;
    return GT_OK;
}

/* The same with the branch in a mode variable that the event sets: f is smooth on both sides of it.
 */
static gt_status friction_mode(double t, const double *x, double *dx, void *ctx)
{
    (void)t;
    dx[0] = x[1];
    dx[1] = -5 - 2 * *(double *)ctx;
    return GT_OK;
}
static gt_status bend_mode(double t, const double *x, double *dx, void *ctx)
{
    (void)t;
    dx[0] = *(double *)ctx > 0 ? 1 : x[1] - 0.5;
    dx[1] = 2 - x[1];
    return GT_OK;
}
static gt_status set_mode(double t, const unsigned char *fired, double *x, unsigned *actions,
                          void *ctx)
{
    (void)t, (void)fired, (void)x, (void)actions;
    *(double *)ctx = -1;
    return GT_OK;
}

static const double friction_x0[2] = {0, 3}, bend_x0[2] = {0, 0};
static const gt_problem jumps[2] = {
    {.n_slow = 2, .rhs = friction, .x0 = friction_x0, .t1 = 1, .n_roots = 1, .roots = speed},
    {.n_slow = 2, .rhs = bend, .x0 = bend_x0, .t1 = 3, .n_roots = 1, .roots = one},
};
static gt_rhs_fn *const with_mode[2] = {friction_mode, bend_mode};
static const double jump_at[2] = {3.0 / 7, 1};

static void one_event_where_f_jumps(void **state)
{
    (void)state;
    failures = 0;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        int order = facts_of(*m).order;
        for (int k = 0; k < 2; k++) {
            if (!controlled(*m, &jumps[k])) continue;
            for (double rtol = 1e-4; rtol > 1e-13; rtol *= 1e-2) {
                if (order < 4 && rtol < 1e-6) break;
                record rec;
                gt_report report, moded;
                gt_plan plan = {.rtol = rtol, .atol = rtol};
                gt_status status = run(&jumps[k], *m, plan, &rec, &report);
                double allowed = order < 4 ? 1e-6 + 30 * rtol : 10 * rtol + 4e-15;
                EXPECT(!status && rec.count == 1, "%s %g problem %d: %d events, %s", (*m)->name,
                       rtol, k, rec.count, report.message.text);
                EXPECT(fabs(rec.t[0] - jump_at[k]) <= allowed,
                       "%s %g problem %d: event off by %.3g", (*m)->name, rtol, k,
                       rec.t[0] - jump_at[k]);
                double mode = 1;
                gt_problem p = jumps[k];
                p.rhs = with_mode[k], p.on_event = set_mode, p.ctx = &mode;
                status = run(&p, *m, plan, &rec, &moded);
                /* gear6 hardly has steps that change, and both runs are full of rejections. */
                long most = (order == 6 ? 3 : 2) * moded.stats.steps;
                EXPECT(!status && report.stats.steps <= most, "%s %g problem %d: %ld steps, %ld",
                       (*m)->name, rtol, k, report.stats.steps, moded.stats.steps);
            }
        }
    }
    assert_int_equal(failures, 0);
}

static void one_event_at_fixed_step_where_f_jumps(void **state)
{
    (void)state;
    failures = 0;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        gt_facts facts = facts_of(*m);
        if (facts.flags & GT_VARIABLE_FORMULA) continue;
        gt_message message;
        if (gt_method_check(*m, gt_params_default((*m)->options).v, &jumps[0], &message)) continue;
        for (int k = 0; k < 2; k++) {
            double size[5], error[5], h = 0.04;
            for (int i = 0; i < 5; i++, h /= 2) {
                record rec;
                gt_report report;
                gt_status status = run(&jumps[k], *m, (gt_plan){.h = h}, &rec, &report);
                EXPECT(!status && rec.count == 1, "%s h = %g problem %d: %d events, %s", (*m)->name,
                       h, k, rec.count, report.message.text);
                size[i] = h;
                error[i] = fabs(rec.t[0] - jump_at[k]);
            }
            double slope = slope_of(size, error, 5, 1e-12), wanted = facts.order < 2 ? 1 : 2;
            EXPECT(!(slope < wanted - 0.3),
                   "%s problem %d: slope %.2f, errors %.3g %.3g %.3g %.3g %.3g", (*m)->name, k,
                   slope, error[0], error[1], error[2], error[3], error[4]);
        }
    }
    assert_int_equal(failures, 0);
}

/* ---- two crossings between two looks ---- */

static gt_status swing(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = x[1];
    dx[1] = -x[0];
    return GT_OK;
}
static gt_status near_the_top(double t, const double *x, double *g, void *ctx)
{
    (void)t, (void)ctx;
    g[0] = x[0] - (1 - 1e-6);
    return GT_OK;
}

/* The top is above the level for 2.8e-3 of a time, three times. */
static void a_thin_crossing_is_seen(void **state)
{
    (void)state;
    failures = 0;
    const double x0[2] = {1, 0};
    const int rising[1] = {1};
    gt_problem p = {
        .n_slow = 2, .rhs = swing, .x0 = x0, .t1 = 20, .n_roots = 1, .roots = near_the_top};
    p.root_direction = rising;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        if (!controlled(*m, &p) || facts_of(*m).order < 4) continue;
        record rec;
        gt_report report;
        gt_status status = run(&p, *m, (gt_plan){.rtol = 1e-9, .atol = 1e-9}, &rec, &report);
        EXPECT(!status && rec.count == 3, "%s: %d events, %s", (*m)->name, rec.count,
               report.message.text);
        for (int k = 0; k < rec.count && k < 3; k++)
            EXPECT(fabs(rec.t[k] - (2 * (k + 1) * acos(-1) - acos(1 - 1e-6))) < 1e-3,
                   "%s: event %d at %.8g", (*m)->name, k, rec.t[k]);
    }
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_never_falls_through_the_floor),
        cmocka_unit_test(what_is_handed_over_is_on_the_far_side),
        cmocka_unit_test(one_event_where_f_jumps),
        cmocka_unit_test(one_event_at_fixed_step_where_f_jumps),
        cmocka_unit_test(a_thin_crossing_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
