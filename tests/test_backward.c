/* SPDX-License-Identifier: BSD-3-Clause */
/* Time that runs backward, with every method: there and back again, with events, breaks and output
 * on the way. */
#include "methods_kit.h"

/* x1' = x2, x2' = -x1 + s(t), with s a step at t = 1: s = 0 before, 1 from there on */
static gt_status swing(double t, const double *x, double *dx, void *ctx)
{
    (void)ctx;
    dx[0] = x[1];
    dx[1] = -x[0] + (t >= 1);
    return GT_OK;
}

static gt_status level(double t, const double *x, double *g, void *ctx)
{
    (void)t, (void)ctx;
    g[0] = x[0] - 0.5;
    return GT_OK;
}

typedef struct record {
    gt_sink sink;
    double events[8], last;
    int count, rows, wrong_way;
} record;

static gt_status write_record(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    record *r = self->ctx;
    (void)message;
    if ((sample->why & GT_AT_EVENT) && sample->before && r->count < 8)
        r->events[r->count++] = sample->t;
    if (sample->why & GT_AT_OUTPUT) {
        if (r->rows++ && sample->t > r->last) r->wrong_way++;
        r->last = sample->t;
    }
    return GT_OK;
}

static const double at_one[1] = {1};

static void there_and_back(const gt_method *m, double rtol, double h)
{
    const double x0[2] = {1, 0};
    double there[2] = {0, 0}, back[2] = {0, 0};
    gt_problem p = {.n_slow = 2, .rhs = swing, .x0 = x0, .t1 = 3, .n_roots = 1, .roots = level};
    p.n_breaks = 1, p.breaks = at_one;
    split_for(m, &p);
    gt_report report;
    gt_plan plan = {.rtol = rtol, .h = h, .x_end = there, .max_steps = 400000};
    record rec = {.sink = {.wants = GT_AT_EVENT | GT_AT_OUTPUT, .write = write_record}};
    gt_sink *sinks[] = {&rec.sink};
    rec.sink.ctx = &rec;
    plan.sinks = sinks, plan.n_sinks = 1, plan.every = 0.25;
    gt_status status = gt_solve(&p, m, &plan, &report);
    if (status) fail_msg("%s there: %s", m->name, report.message.text);
    double event = rec.events[0];
    rec = (record){.sink = rec.sink};
    p.t0 = 3, p.t1 = 0, p.x0 = there;
    plan.x_end = back;
    status = gt_solve(&p, m, &plan, &report);
    if (status) fail_msg("%s back: %s", m->name, report.message.text);
    double allowed = h > 0 ? 2 * h : 2e3 * rtol;
    if (gt_method_facts(m, gt_params_default(m->options).v).order == 1) allowed = 0.1;
    assert_within(back[0], 1, allowed, m->name);
    assert_within(back[1], 0, allowed, m->name);
    assert_true(report.t == 0 && report.h < 0);
    assert_int_equal(rec.rows, 13);
    assert_int_equal(rec.wrong_way, 0);
    /* From 3 back to 0 the level is passed as often as on the way there; the last is the first. */
    assert_true(rec.count >= 1);
    assert_within(rec.events[rec.count - 1], event, allowed, m->name);
}

static void every_method_goes_there_and_back(void **state)
{
    (void)state;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        gt_values v = gt_params_default((*m)->options);
        gt_facts facts = gt_method_facts(*m, v.v);
        const double x0[2] = {1, 0};
        gt_problem p = {.n_slow = 2, .rhs = swing, .x0 = x0, .t1 = 3};
        gt_message message;
        split_for(*m, &p);
        if (gt_method_check(*m, v.v, &p, &message)) continue;
        if (facts.kind == GT_KIND_STABILIZED)
            continue; /* for modes that decay; backward they grow */
        if (facts.error_order)
            there_and_back(*m, 1e-6, 0);
        else
            there_and_back(*m, 0, 0.0025);
    }
}

/* A message had the time of the reversed problem. */
static void messages_show_the_time_of_the_problem(void **state)
{
    (void)state;
    const double x0[2] = {1, 0};
    gt_problem p = {.n_slow = 2, .rhs = swing, .x0 = x0, .t0 = 3, .t1 = 0};
    gt_report report;
    gt_plan plan = {.max_steps = 5};
    assert_int_equal(gt_solve(&p, gt_method_find("dopri5"), &plan, &report), GT_TOO_MANY_STEPS);
    assert_true(report.t > 0 && report.t < 3);
    assert_non_null(strstr(report.message.text, "t = 2."));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_goes_there_and_back),
        cmocka_unit_test(messages_show_the_time_of_the_problem),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
