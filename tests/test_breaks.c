/* SPDX-License-Identifier: BSD-3-Clause */
/* Known discontinuities: the hook there, the sample of the right limit, and algebraic variables on
 * both sides. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <geartrain/author/author.h>
#include <geartrain/geartrain.h>
#include <math.h>

/* x' = rate of the piece, y = x + (t < 1 ? 0 : 10); at t = 1 the hook sees the new y, and x
 * becomes 5. */
typedef struct jump {
    int calls;
    double y_seen, x_seen;
} jump;

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    (void)ctx;
    dx[0] = t < 1 ? 1 : 2;
    dx[1] = x[1] - x[0] - (t < 1 ? 0 : 10);
    return GT_OK;
}

static gt_status on_break(double t, double *x, void *ctx)
{
    jump *j = ctx;
    assert_true(t == 1);
    j->calls++;
    j->x_seen = x[0];
    j->y_seen = x[1];
    x[0] = 5;
    return GT_OK;
}

/* The samples at t = 1: first the left limit, then the right one. */
typedef struct witness {
    gt_sink sink;
    int rights;
    double left[2], right[2];
} witness;

static gt_status see(gt_sink *sink, const gt_sample *sample, gt_message *message)
{
    witness *w = sink->ctx;
    (void)message;
    if (sample->t != 1) return GT_OK;
    if (sample->why & GT_AT_BREAK) w->rights++;
    double *to = sample->why & GT_AT_BREAK ? w->right : w->left;
    to[0] = sample->x[0];
    to[1] = sample->x[1];
    return GT_OK;
}

static void hook_and_sample(void **state)
{
    static const char *const methods[] = {"trapezoidal", "beuler",
                                          "gear"}; /* the last has no fixed step */
    (void)state;
    for (size_t m = 0; m < 3; m++)
        for (int fixed = 0; fixed < (m < 2 ? 2 : 1); fixed++) {
            jump j = {0};
            gt_problem p = {.n_slow = 1,
                            .n_alg = 1,
                            .rhs = rhs,
                            .t1 = 2,
                            .x0 = (const double[]){0, 0},
                            .n_breaks = 1,
                            .breaks = (const double[]){1},
                            .on_break = on_break,
                            .ctx = &j};
            witness w = {.sink = {.wants = GT_AT_STEP | GT_AT_BREAK, .write = see}};
            w.sink.ctx = &w;
            gt_sink *sinks[] = {&w.sink};
            double x[2];
            gt_plan plan = {.h = fixed ? 0.3 : 0, .sinks = sinks, .n_sinks = 1, .x_end = x};
            gt_report r;
            assert_int_equal(gt_solve(&p, gt_method_find(methods[m]), &plan, &r), GT_OK);
            assert_int_equal(j.calls, 1);
            assert_int_equal(w.rights, 1);
            assert_true(fabs(j.x_seen - 1) < 1e-9 && fabs(j.y_seen - 11) < 1e-9);
            assert_true(fabs(w.left[0] - 1) < 1e-9 && fabs(w.left[1] - 1) < 1e-9);
            assert_true(fabs(w.right[0] - 5) < 1e-9 && fabs(w.right[1] - 15) < 1e-9);
            assert_true(fabs(x[0] - 7) < 1e-9 && fabs(x[1] - 17) < 1e-9);
        }
}

/* x' = -y, y = x: an event on the interpolated state, of a problem whose algebraic rows cannot be
 * evaluated alone. */
static gt_status decay(double t, const double *x, double *dx, void *ctx)
{
    (void)t;
    (void)ctx;
    dx[0] = -x[1];
    dx[1] = x[1] - x[0];
    return GT_OK;
}

static gt_status half(double t, const double *x, double *g, void *ctx)
{
    (void)t;
    (void)ctx;
    g[0] = x[1] - 0.5;
    return GT_OK;
}

static gt_status stop(double t, const unsigned char *fired, double *x, unsigned *actions, void *ctx)
{
    (void)t;
    (void)fired;
    (void)x;
    (void)ctx;
    *actions = GT_EVENT_STOP;
    return GT_OK;
}

static void algebraic_event(void **state)
{
    (void)state;
    gt_problem p = {.n_slow = 1,
                    .n_alg = 1,
                    .rhs = decay,
                    .t1 = 5,
                    .x0 = (const double[]){1, 1},
                    .n_roots = 1,
                    .roots = half,
                    .on_event = stop};
    gt_report r;
    assert_int_equal(gt_solve(&p, gt_method_find("gear"), &(gt_plan){.rtol = 1e-8}, &r), GT_OK);
    assert_true(r.stopped);
    assert_true(fabs(r.t - log(2)) < 1e-6);
}

/* x' = -500 (x - |t - 1|) + sign(t - 1), x = |t - 1|: at the break x is next to 0, and the first
 * step after it, which is to change x by little, was lost in the round-off of t. Implicit methods
 * ended with "the step size fell below its minimum". */
static gt_status past_zero(double t, const double *x, double *dx, void *ctx)
{
    (void)ctx;
    dx[0] = -500 * (x[0] - fabs(t - 1)) + (t < 1 ? -1 : 1);
    return GT_OK;
}
static void a_state_next_to_zero_at_a_break(void **state)
{
    (void)state;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        gt_facts facts = gt_method_facts(*m, gt_params_default((*m)->options).v);
        if (!facts.error_order || facts.functions || facts.flags & GT_NEEDS_PARTITION) continue;
        double x[1] = {1}, breaks[1] = {1};
        const double x0[1] = {1};
        gt_problem p = {
            .n_slow = 1, .rhs = past_zero, .x0 = x0, .t1 = 2, .breaks = breaks, .n_breaks = 1};
        gt_report r;
        gt_status status = gt_solve(&p, *m, &(gt_plan){.rtol = 1e-9, .x_end = x}, &r);
        if (status == GT_UNSUPPORTED) continue;
        if (status) fail_msg("%s: %s", (*m)->name, r.message.text);
        if (!(fabs(x[0] - 1) <= 1e-7)) fail_msg("%s: %.17g instead of 1", (*m)->name, x[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(hook_and_sample),
                                       cmocka_unit_test(algebraic_event),
                                       cmocka_unit_test(a_state_next_to_zero_at_a_break)};
    return cmocka_run_group_tests_name("breaks", tests, NULL, NULL);
}
