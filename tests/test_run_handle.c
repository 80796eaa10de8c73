/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs step by step: the same bits as in one call, dense output of the last step, changes on the
 * way, wrong calls. */
#include "methods_kit.h"
#include <geartrain/run.h>
#include <pthread.h>

/* Van der Pol with a force that jumps at known times and a counter of crossings of x through 1. */
typedef struct forced {
    double mu, force;
} forced;

static gt_status forced_rhs(double t, const double *x, double *dx, void *ctx)
{
    const forced *w = ctx;
    dx[0] = x[1];
    dx[1] = w->mu * (1 - x[0] * x[0]) * x[1] - x[0] + (t < 2 ? 0.1 : t < 5 ? -0.2 : w->force);
    dx[2] = 0.01 * x[0];
    return GT_OK;
}
static gt_status slow_part(double t, const double *x, double *dx, void *ctx)
{
    double all[3];
    gt_status status = forced_rhs(t, x, all, ctx);
    memcpy(dx, all, 2 * sizeof *dx);
    return status;
}
static gt_status fast_part(double t, const double *x, double *dx, void *ctx)
{
    double all[3];
    gt_status status = forced_rhs(t, x, all, ctx);
    dx[0] = all[2];
    return status;
}
static gt_status through_one(double t, const double *x, double *g, void *ctx)
{
    (void)t, (void)ctx;
    g[0] = x[0] - 1;
    return GT_OK;
}
static gt_status kick(double t, const unsigned char *fired, double *x, unsigned *actions, void *ctx)
{
    (void)t, (void)fired, (void)actions, (void)ctx;
    x[2] += 1;
    return GT_OK;
}

static const double start[3] = {0.5, 0, 0}, jumps[2] = {2, 5};
static forced parameters = {.mu = 1, .force = 0.3};
static const gt_problem model = {.n_slow = 2,
                                 .n_fast = 1,
                                 .rhs = forced_rhs,
                                 .rhs_slow = slow_part,
                                 .rhs_fast = fast_part,
                                 .x0 = start,
                                 .t1 = 8,
                                 .ctx = &parameters,
                                 .breaks = jumps,
                                 .n_breaks = 2,
                                 .roots = through_one,
                                 .on_event = kick,
                                 .n_roots = 1};

/* The plan for a method on the model; false: the method cannot treat it. */
static bool plan_for(const gt_method *m, const gt_problem *p, gt_plan *plan)
{
    gt_values v = gt_params_default(m->options);
    gt_facts facts = gt_method_facts(m, v.v);
    *plan = (gt_plan){.rtol = 1e-5, .every = 0.37, .max_steps = 200000};
    if (!facts.error_order) *plan = (gt_plan){.h = 0.013, .every = 0.37};
    if (facts.flags & GT_NEEDS_TAYLOR) return false;
    return gt_method_check(m, v.v, p, NULL) == GT_OK;
}

static void same_samples(const char *who, const gt_memory_sink *a, const gt_memory_sink *b)
{
    assert_int_equal(a->count, b->count);
    if (memcmp(a->t, b->t, a->count * sizeof *a->t) != 0 ||
        memcmp(a->x, b->x, a->count * a->n * sizeof *a->x) != 0)
        fail_msg("%s: the rows are not the same to the last bit", who);
}

typedef enum cut { BY_STEPS, IN_PIECES } cut;

static gt_status walk(gt_run *run, cut how, double t0, double t1)
{
    enum { PIECES = 1000 };
    gt_reached reached = GT_REACHED_STEP;
    gt_status status = GT_OK;
    if (how == BY_STEPS)
        while (!status && reached != GT_REACHED_END) status = gt_run_step(run, &reached);
    for (int k = 1; how == IN_PIECES && k <= PIECES && !status && reached != GT_REACHED_END; k++)
        status = gt_run_advance(run, k < PIECES ? t0 + (t1 - t0) * k / PIECES : t1, 0, &reached);
    return status ? status : gt_run_settle(run);
}

/* One run by gt_solve and one by a handle: end, rows and counters. */
static void compare(const gt_method *m, const gt_problem *p, gt_plan plan, cut how)
{
    gt_memory_sink whole, cut_up;
    gt_report report, other;
    double x[3];
    gt_run *run = NULL;
    gt_message message = {""};
    gt_memory_sink_init(&whole, GT_AT_OUTPUT | GT_AT_EVENT | GT_AT_BREAK | GT_AT_END);
    gt_memory_sink_init(&cut_up, whole.sink.wants);
    gt_sink *first[] = {&whole.sink}, *second[] = {&cut_up.sink};
    plan.sinks = first;
    plan.n_sinks = 1;
    plan.x_end = x;
    gt_status solved = gt_solve(p, m, &plan, &report);
    plan.sinks = second;
    assert_int_equal(gt_run_open(&run, p, m, &plan, &message), GT_OK);
    gt_status walked = walk(run, how, p->t0, p->t1);
    gt_run_report(run, &other);
    if (walked != solved)
        fail_msg("%s: %s, but in one call %s", m->name, other.message.text, report.message.text);
    if (!solved) {
        assert_memory_equal(x, gt_run_x(run), sizeof x);
        assert_int_equal(report.stats.steps, other.stats.steps);
        assert_int_equal(report.stats.rejected, other.stats.rejected);
        assert_int_equal(report.stats.events, other.stats.events);
        long once = report.stats.rhs + report.stats.rhs_slow + report.stats.rhs_fast;
        long cut_calls = other.stats.rhs + other.stats.rhs_slow + other.stats.rhs_fast;
        if (how == BY_STEPS && once != cut_calls)
            fail_msg("%s: %ld calls, in one call %ld", m->name, cut_calls, once);
        same_samples(m->name, &whole, &cut_up);
    }
    gt_run_close(run);
    gt_memory_sink_free(&whole);
    gt_memory_sink_free(&cut_up);
}

static void steps_one_at_a_time_are_those_of_one_call(void **state)
{
    (void)state;
    int tried = 0;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        gt_plan plan;
        if (!plan_for(*m, &model, &plan)) continue;
        compare(*m, &model, plan, BY_STEPS);
        tried++;
    }
    assert_true(tried > 40);
}

static void pieces_are_those_of_one_call(void **state)
{
    (void)state;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        gt_plan plan;
        if (plan_for(*m, &model, &plan)) compare(*m, &model, plan, IN_PIECES);
    }
}

static gt_status vanderpol(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = x[1];
    dx[1] = 5 * (1 - x[0] * x[0]) * x[1] - x[0];
    return GT_OK;
}
static const double two[2] = {2, 0};
static const gt_problem oscillator = {
    .n_slow = 2, .rhs = vanderpol, .x0 = two, .t1 = 20, .autonomous = true};

/* Beside one piece without output. A method that has to look into its steps looks once a step
 * (bi11: 1.16), dop853 makes three slopes for its dense output, and bi runs once more through steps
 * in which its cubic is too far off. */
static double most_beside_one_piece(const gt_method *m)
{
    gt_values v = gt_params_default(m->options);
    return !m->dense_error && !gt_method_facts(m, v.v).dense_evaluations ? 1.05 : 1.4;
}

/* In 1000 pieces gear took 38 times the evaluations when each piece was a run of its own. */
static void a_thousand_pieces_cost_no_more_evaluations(void **state)
{
    (void)state;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        gt_plan plan;
        gt_report report, without;
        double x[2];
        gt_run *run;
        if (!plan_for(*m, &oscillator, &plan) || plan.h > 0) continue;
        if (gt_solve(&oscillator, *m, &plan, &without)) continue;
        /* Dense output may cost evaluations of its own, three a step in dop853: those of a run with
         * as much output. */
        gt_memory_sink rows;
        gt_memory_sink_init(&rows, GT_AT_OUTPUT);
        plan.every = 20.0 / 1000;
        plan.sinks = (gt_sink *[]){&rows.sink};
        plan.n_sinks = 1;
        plan.x_end = x;
        gt_status status = gt_solve(&oscillator, *m, &plan, &report);
        gt_memory_sink_free(&rows);
        plan.n_sinks = 0;
        if (status) continue;
        assert_int_equal(gt_run_open(&run, &oscillator, *m, &plan, NULL), GT_OK);
        assert_int_equal(walk(run, IN_PIECES, 0, 20), GT_OK);
        assert_memory_equal(x, gt_run_x(run), sizeof x);
        double ratio = (double)gt_run_stats(run)->rhs / (double)report.stats.rhs;
        if (ratio > 1.05) fail_msg("%s: %.3f times the evaluations", (*m)->name, ratio);
        ratio = (double)gt_run_stats(run)->rhs / (double)without.stats.rhs;
        if (ratio > most_beside_one_piece(*m))
            fail_msg("%s: %.3f times the evaluations of one piece without output", (*m)->name,
                     ratio);
        gt_run_close(run);
    }
}

static gt_status decay(double t, const double *x, double *dx, void *ctx)
{
    (void)t;
    dx[0] = *(double *)ctx - x[0];
    return GT_OK;
}

/* x' = u - x with u that the caller changes: exact is x + (u - x)(1 - exp(-dt)) in each piece. */
static void an_input_that_changes_is_followed(void **state)
{
    (void)state;
    static const char *const methods[] = {"dopri5",  "dop853",      "gear", "rodas4",
                                          "exprb32", "trapezoidal", "bi44"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        double u = 0, zero = 0, exact = 0;
        gt_problem p = {.n_slow = 1, .rhs = decay, .x0 = &zero, .t1 = INFINITY, .ctx = &u};
        gt_run *run;
        gt_message message = {""};
        gt_plan plan = {.rtol = 1e-7, .atol = 1e-9};
        if (gt_run_open(&run, &p, gt_method_find(methods[i]), &plan, &message))
            fail_msg("%s", message.text);
        for (int k = 1; k <= 50; k++) {
            u = sin(0.1 * k);
            assert_int_equal(gt_run_changed(run, GT_CHANGED_EQUATIONS, NULL), GT_OK);
            assert_int_equal(gt_run_advance(run, 0.2 * k, GT_ADVANCE_EXACTLY, NULL), GT_OK);
            exact += (u - exact) * (1 - exp(-0.2));
            if (fabs(*gt_run_x(run) - exact) > 1e-5)
                fail_msg("%s: %g at t = %g, exact %g", methods[i], *gt_run_x(run), gt_run_time(run),
                         exact);
        }
        gt_run_close(run);
    }
}

static gt_status pushed(double t, const double *x, double *dx, void *ctx)
{
    (void)ctx;
    dx[0] = x[1];
    dx[1] = sin(.7 * t) - 4 * x[0] - 1.2 * x[1];
    return GT_OK;
}
static gt_status pushed_slow(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = x[1];
    return GT_OK;
}
static gt_status pushed_fast(double t, const double *x, double *dx, void *ctx)
{
    double all[2];
    gt_status status = pushed(t, x, all, ctx);
    dx[0] = all[1];
    return status;
}

/* Without an end, where f depends on t: differences in t had the span for their measure. */
static void the_end_may_be_infinite(void **state)
{
    (void)state;
    int tried = 0;
    const double x0[2] = {1, 0};
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        double x[2];
        gt_plan plan;
        gt_problem p = {.n_slow = 1,
                        .n_fast = 1,
                        .rhs = pushed,
                        .rhs_slow = pushed_slow,
                        .rhs_fast = pushed_fast,
                        .x0 = x0,
                        .t1 = 12};
        if (!plan_for(*m, &p, &plan)) continue;
        for (int endless = 0; endless < 2; endless++) {
            gt_run *run;
            gt_memory_sink rows;
            gt_message message = {""};
            gt_memory_sink_init(&rows, GT_AT_OUTPUT);
            plan.sinks = (gt_sink *[]){&rows.sink};
            plan.n_sinks = 1;
            if (endless) p.t1 = INFINITY;
            if (gt_run_open(&run, &p, *m, &plan, &message))
                fail_msg("%s: %s", (*m)->name, message.text);
            if (gt_run_advance(run, 12, 0, NULL))
                fail_msg("%s: %s", (*m)->name, gt_run_message(run));
            x[endless] = gt_run_x(run)[0];
            gt_run_close(run);
            assert_in_range(rows.count, 1 + 12 / .37, 2 + 12.4 / .37);
            gt_memory_sink_free(&rows);
        }
        if (fabs(x[1] - x[0]) > 1e-3)
            fail_msg("%s: %g, and %g without an end", (*m)->name, x[0], x[1]);
        tried++;
    }
    assert_true(tried > 40);
}

/* A change of f below the tolerance keeps the history of gear; a restart at order 1 would cost many
 * steps. */
static void a_small_change_is_cheap(void **state)
{
    (void)state;
    long steps[2];
    for (int changes = 0; changes < 2; changes++) {
        double u = 1, zero = 0;
        gt_problem p = {.n_slow = 1, .rhs = decay, .x0 = &zero, .t1 = 10, .ctx = &u};
        gt_run *run;
        gt_plan plan = {.rtol = 1e-6, .atol = 1e-8};
        assert_int_equal(gt_run_open(&run, &p, gt_method_find("gear"), &plan, NULL), GT_OK);
        for (gt_reached reached = GT_REACHED_STEP; reached != GT_REACHED_END;) {
            assert_int_equal(gt_run_step(run, &reached), GT_OK);
            if (changes && reached == GT_REACHED_STEP) {
                u += 1e-12;
                assert_int_equal(gt_run_changed(run, GT_CHANGED_EQUATIONS, NULL), GT_OK);
            }
        }
        steps[changes] = gt_run_stats(run)->steps;
        gt_run_close(run);
    }
    assert_true(steps[1] <= steps[0] + 5);
}

static void the_last_step_can_be_looked_into(void **state)
{
    (void)state;
    gt_run *run;
    gt_plan plan = {.rtol = 1e-9, .atol = 1e-12};
    double one = 1, zero = 0, from, to, x;
    gt_problem p = {.n_slow = 1, .rhs = decay, .x0 = &one, .t1 = 3, .ctx = &zero};
    assert_int_equal(gt_run_open(&run, &p, gt_method_find("dop853"), &plan, NULL), GT_OK);
    for (int k = 0; k < 5; k++) assert_int_equal(gt_run_step(run, NULL), GT_OK);
    gt_run_last_step(run, &from, &to);
    assert_true(from < to && to == gt_run_time(run));
    for (int k = 0; k <= 10; k++) {
        double t = from + (to - from) * k / 10;
        assert_int_equal(gt_run_interpolate(run, t, &x), GT_OK);
        assert_true(fabs(x - exp(-t)) < 1e-8);
    }
    assert_int_equal(gt_run_interpolate(run, to + 0.1, &x), GT_BAD_ARGUMENT);
    assert_int_equal(gt_run_interpolate(run, from - 0.1, &x), GT_BAD_ARGUMENT);
    gt_run_close(run);
}

static void events_are_returned(void **state)
{
    (void)state;
    gt_run *run;
    gt_plan plan = {.rtol = 1e-8};
    gt_report report;
    assert_int_equal(gt_solve(&model, gt_method_find("dopri5"), &plan, &report), GT_OK);
    assert_int_equal(gt_run_open(&run, &model, gt_method_find("dopri5"), &plan, NULL), GT_OK);
    long events = 0;
    for (gt_reached reached = GT_REACHED_STEP; reached != GT_REACHED_END;) {
        assert_int_equal(gt_run_advance(run, 8, GT_ADVANCE_TO_EVENTS, &reached), GT_OK);
        if (reached != GT_REACHED_EVENT) continue;
        double before = gt_run_x(run)[2], t = gt_run_time(run);
        assert_true(fabs(gt_run_x(run)[0] - 1) < 1e-10 && gt_run_fired(run)[0]);
        assert_int_equal(gt_run_settle(run), GT_OK);
        assert_true(gt_run_time(run) == t && gt_run_x(run)[2] == before + 1 && !gt_run_fired(run));
        events++;
    }
    assert_int_equal(events, report.stats.events);
    assert_true(events >= 2);
    gt_run_close(run);
}

static gt_status until_two(double t, const double *x, double *g, void *ctx)
{
    (void)x, (void)ctx;
    g[0] = t - 2;
    return GT_OK;
}

/* A loop to the end is told of it once, whether or not it looks at the event behind the kick; then
 * a further step is refused. */
static void an_event_at_the_end_is_followed_by_the_end(void **state)
{
    (void)state;
    gt_problem p = model;
    p.roots = until_two;
    p.t1 = 2;
    gt_plan plan = {.rtol = 1e-6};
    for (int look = 0; look < 2; look++) {
        for (int by_steps = 0; by_steps < 2; by_steps++) {
            gt_run *run;
            int events = 0;
            assert_int_equal(gt_run_open(&run, &p, gt_method_find("dopri5"), &plan, NULL), GT_OK);
            for (gt_reached reached = GT_REACHED_STEP; reached != GT_REACHED_END;) {
                gt_status status = by_steps
                                       ? gt_run_step(run, &reached)
                                       : gt_run_advance(run, 2, GT_ADVANCE_TO_EVENTS, &reached);
                assert_int_equal(status, GT_OK);
                events += reached == GT_REACHED_EVENT;
                if (look) assert_int_equal(gt_run_settle(run), GT_OK);
            }
            assert_int_equal(events, 1);
            assert_true(gt_run_time(run) == 2);
            assert_int_equal(gt_run_step(run, NULL), GT_BAD_ARGUMENT);
            gt_run_close(run);
        }
    }
}

static void the_end_breaks_and_tolerances_can_change(void **state)
{
    (void)state;
    gt_run *run;
    gt_reached reached;
    gt_plan plan = {.rtol = 1e-4};
    double from, to, first[2];
    assert_int_equal(gt_run_open(&run, &oscillator, gt_method_find("dopri5"), &plan, NULL), GT_OK);
    assert_int_equal(gt_run_add_break(run, 1.25), GT_OK);
    assert_int_equal(gt_run_add_break(run, 0.75), GT_OK);
    bool met[2] = {false, false};
    while (gt_run_time(run) < 2) {
        assert_int_equal(gt_run_step(run, &reached), GT_OK);
        met[0] |= gt_run_time(run) == 0.75;
        met[1] |= gt_run_time(run) == 1.25;
    }
    assert_true(met[0] && met[1]);
    assert_int_equal(gt_run_add_break(run, 1), GT_BAD_ARGUMENT);
    assert_int_equal(gt_run_set_end(run, 3), GT_OK);
    assert_int_equal(gt_run_advance(run, 3, 0, &reached), GT_OK);
    assert_int_equal(reached, GT_REACHED_END);
    assert_int_equal(gt_run_step(run, &reached), GT_BAD_ARGUMENT);
    assert_int_equal(gt_run_set_end(run, 1), GT_BAD_ARGUMENT);
    assert_int_equal(gt_run_set_end(run, INFINITY), GT_OK);
    assert_int_equal(gt_run_set_tolerances(run, 1e-10, 1e-12, NULL, NULL), GT_OK);
    assert_int_equal(gt_run_advance(run, 5, 0, NULL), GT_OK);
    memcpy(first, gt_run_x(run), sizeof first);
    gt_run_last_step(run, &from, &to);
    assert_true(to - from < 0.02);
    gt_run_close(run);
}

/* Forward and back to 0 in pieces. */
static void time_can_run_backward(void **state)
{
    (void)state;
    gt_plan plan = {.rtol = 1e-10, .atol = 1e-12};
    double there[2];
    gt_run *run;
    gt_problem p = oscillator;
    p.t1 = 0.6;
    assert_int_equal(gt_run_open(&run, &p, gt_method_find("dop853"), &plan, NULL), GT_OK);
    assert_int_equal(gt_run_advance(run, 0.6, 0, NULL), GT_OK);
    memcpy(there, gt_run_x(run), sizeof there);
    gt_run_close(run);
    p.t0 = 0.6;
    p.t1 = 0;
    p.x0 = there;
    assert_int_equal(gt_run_open(&run, &p, gt_method_find("dop853"), &plan, NULL), GT_OK);
    for (int k = 29; k >= 0; k--) {
        assert_int_equal(gt_run_advance(run, 0.02 * k, 0, NULL), GT_OK);
        assert_true(gt_run_time(run) == 0.02 * k);
    }
    assert_true(fabs(gt_run_x(run)[0] - 2) < 1e-6 && fabs(gt_run_x(run)[1]) < 1e-6);
    gt_run_close(run);
}

/* rtol of 1e-3 for the first and 1e-9 for the second of two decays that do not know of each other.
 */
static gt_status decays(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = -x[0];
    dx[1] = -x[1] + sin(10 * t);
    return GT_OK;
}
static void tolerances_of_components_count(void **state)
{
    (void)state;
    double x0[2] = {1, 1}, loose[2] = {1e-3, 1e-3}, tight[2] = {1e-3, 1e-10};
    gt_problem p = {.n_slow = 2, .rhs = decays, .x0 = x0, .t1 = 3};
    gt_report a, b;
    gt_plan plan = {.rtol = 1e-3, .atol = 1e-12, .rtol_vector = loose};
    assert_int_equal(gt_solve(&p, gt_method_find("dopri5"), &plan, &a), GT_OK);
    plan.rtol_vector = tight;
    assert_int_equal(gt_solve(&p, gt_method_find("dopri5"), &plan, &b), GT_OK);
    assert_true(b.stats.steps > 5 * a.stats.steps);
    plan.rtol_vector = (double[]){1e-3, 2};
    assert_int_equal(gt_solve(&p, gt_method_find("dopri5"), &plan, &b), GT_BAD_ARGUMENT);
}

/* At 1000 times the kept solution is what the run's own dense output gives, for every method. */
static void a_kept_solution_is_the_dense_output(void **state)
{
    (void)state;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        gt_plan plan;
        gt_run *run;
        double x[3];
        if (!plan_for(*m, &model, &plan)) continue;
        gt_memory_sink rows;
        gt_memory_sink_init(&rows, GT_AT_OUTPUT);
        plan.every = 8.0 / 1000;
        plan.sinks = (gt_sink *[]){&rows.sink};
        plan.n_sinks = 1;
        gt_solution *solution = gt_solution_new(3);
        assert_int_equal(gt_run_open(&run, &model, *m, &plan, NULL), GT_OK);
        gt_status status = GT_OK;
        for (gt_reached reached = GT_REACHED_STEP; !status && reached != GT_REACHED_END;) {
            status = gt_run_step(run, &reached);
            if (!status && gt_solution_add(solution, run))
                fail_msg("%s: a step is not added", (*m)->name);
        }
        gt_run_close(run);
        double scale = plan.h > 0 ? 1e-6 : 1e-5;
        for (size_t k = 0; k < rows.count && !status; k++) {
            assert_int_equal(gt_solution_at(solution, rows.t[k], x), GT_OK);
            for (size_t i = 0; i < 2; i++) /* the third jumps at events */
                if (fabs(x[i] - rows.x[3 * k + i]) > 0.2 * scale * (1 + fabs(x[i])))
                    fail_msg("%s: x%zu(%g) is %.12g, in the run %.12g", (*m)->name, i + 1,
                             rows.t[k], x[i], rows.x[3 * k + i]);
        }
        assert_int_equal(gt_solution_at(solution, 8.5, x), GT_BAD_ARGUMENT);
        gt_solution_free(solution);
        gt_memory_sink_free(&rows);
    }
}

static gt_status time_roots(double t, const double *x, double *g, void *ctx)
{
    (void)x, (void)ctx;
    g[0] = t - 0.7;
    return GT_OK;
}
/* No states: time, a discontinuity and an event. */
static void a_run_may_have_no_states(void **state)
{
    (void)state;
    static const double at[] = {0.5};
    gt_problem p = {.t1 = 1, .breaks = at, .n_breaks = 1, .n_roots = 1, .roots = time_roots};
    static const char *const methods[] = {"dopri5", "gear", "rodas4", "dop853"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        gt_run *run;
        gt_message message = {""};
        gt_reached reached = GT_REACHED_STEP;
        gt_plan plan = {.rtol = 1e-6};
        if (gt_run_open(&run, &p, gt_method_find(methods[i]), &plan, &message))
            fail_msg("%s: %s", methods[i], message.text);
        bool at_break = false, at_event = false;
        while (reached != GT_REACHED_END) {
            assert_int_equal(gt_run_step(run, &reached), GT_OK);
            at_break |= gt_run_time(run) == 0.5;
            at_event |= reached == GT_REACHED_EVENT && fabs(gt_run_time(run) - 0.7) < 1e-12;
        }
        assert_true(at_break && at_event && gt_run_time(run) == 1);
        gt_run_close(run);
    }
}

static gt_run *inside;
static gt_status calls_its_own_run(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = -x[0];
    if (inside) assert_int_equal(gt_run_step(inside, NULL), GT_BUSY);
    return GT_OK;
}

static void wrong_calls_are_refused(void **state)
{
    (void)state;
    double one = 1, x;
    gt_problem p = {.n_slow = 1, .rhs = calls_its_own_run, .x0 = &one, .t1 = 1};
    gt_message message = {""};
    gt_plan plan = {.rtol = 1e-6, .message = &message};
    gt_run *run;
    gt_report report;
    assert_int_equal(gt_run_open(&run, &p, gt_method_find("rk4"), &plan, &message),
                     GT_BAD_ARGUMENT);
    assert_non_null(strstr(message.text, "no error estimate"));
    assert_null(run);
    assert_int_equal(gt_run_open(NULL, &p, gt_method_find("gear"), &plan, NULL), GT_BAD_ARGUMENT);
    assert_int_equal(gt_run_open(&run, NULL, gt_method_find("gear"), &plan, NULL), GT_BAD_ARGUMENT);
    assert_int_equal(gt_run_open(&run, &p, NULL, NULL, NULL), GT_BAD_ARGUMENT);
    size_t bytes;
    assert_int_equal(gt_run_measure(&p, gt_method_find("gear"), &plan, &bytes, NULL), GT_OK);
    void *memory = malloc(bytes);
    assert_int_equal(
        gt_run_open_in(&run, &p, gt_method_find("gear"), &plan, memory, bytes - 1, &message),
        GT_WORKSPACE_SMALL);
    assert_int_equal(
        gt_run_open_in(&run, &p, gt_method_find("gear"), &plan, memory, bytes, &message), GT_OK);
    inside = run;
    assert_int_equal(gt_run_advance(run, 0.5, 0, NULL), GT_OK);
    inside = NULL;
    assert_int_equal(gt_run_advance(run, 0.25, 0, NULL), GT_BAD_ARGUMENT);
    gt_run_report(run, &report);
    assert_non_null(strstr(report.message.text, "cannot go back"));
    assert_int_equal(gt_run_advance(run, 2, 0, NULL), GT_BAD_ARGUMENT);
    assert_int_equal(gt_run_advance(run, NAN, 0, NULL), GT_BAD_ARGUMENT);
    p.t1 = INFINITY; /* a whole run has an end */
    assert_int_equal(gt_solve(&p, gt_method_find("gear"), &plan, &report), GT_BAD_ARGUMENT);
    assert_non_null(strstr(report.message.text, "finite"));
    assert_int_equal(gt_run_interpolate(run, 0.9, &x), GT_BAD_ARGUMENT);
    assert_non_null(
        strstr(message.text, "outside the last step")); /* the plan asked for it there */
    assert_string_equal(gt_run_message(run), message.text);
    assert_int_equal(gt_run_advance(run, 1, 0, NULL),
                     GT_OK); /* wrong calls have not ended the run */
    assert_string_equal(gt_run_message(run), "");
    gt_run_report(run, &report);
    assert_int_equal(report.warnings.count, 1); /* of the call from inside f */
    assert_non_null(strstr(report.warnings.list[0].text, "one thread at a time"));
    for (int k = 0; k < 2; k++) { /* whether or not the last step waits to be accepted */
        assert_int_equal(gt_run_step(run, NULL), GT_BAD_ARGUMENT);
        assert_non_null(strstr(gt_run_message(run), "at its end"));
    }
    assert_int_equal(gt_run_finish(run, NULL), GT_OK);
    assert_int_equal(gt_run_step(run, NULL), GT_BAD_ARGUMENT);
    assert_non_null(strstr(gt_run_message(run), "finished"));
    gt_run_close(run);
    assert_int_equal(gt_run_step(run, NULL), GT_BAD_ARGUMENT); /* its memory is still there */
    assert_non_null(strstr(gt_run_message(run), "closed"));
    free(memory);
}

/* A second thread in the same handle: f waits until that has called. */
typedef struct two_threads {
    gt_run *run;
    gt_status second;
    bool called;
} two_threads;

static void *second_thread(void *data)
{
    two_threads *both = data;
    both->second = gt_run_step(both->run, NULL);
    return NULL;
}

static gt_status starts_a_thread(double t, const double *x, double *dx, void *ctx)
{
    (void)t;
    two_threads *both = ctx;
    dx[0] = -x[0];
    if (both->run && !both->called) {
        pthread_t id;
        both->called = true;
        assert_int_equal(pthread_create(&id, NULL, second_thread, both), 0);
        assert_int_equal(pthread_join(id, NULL), 0);
    }
    return GT_OK;
}

static void a_second_thread_is_refused(void **state)
{
    (void)state;
    double one = 1;
    two_threads both = {0};
    gt_problem p = {.n_slow = 1, .rhs = starts_a_thread, .x0 = &one, .t1 = 1, .ctx = &both};
    gt_run *run;
    gt_report report;
    assert_int_equal(gt_run_open(&run, &p, gt_method_find("dopri5"), NULL, NULL), GT_OK);
    both.run = run;
    assert_int_equal(gt_run_advance(run, 0.5, 0, NULL), GT_OK);
    assert_true(both.called);
    assert_int_equal(both.second, GT_BUSY);
    assert_non_null(strstr(gt_status_text(both.second), "another thread"));
    assert_int_equal(gt_run_finish(run, &report), GT_OK);
    assert_int_equal(report.warnings.count, 1);
    gt_run_close(run);
}

/* A change at the end asked for a first step of a span of nothing. */
static void a_change_at_the_end_is_for_what_follows(void **state)
{
    (void)state;
    static const char *const methods[] = {"gear", "dopri5", "rodas4"};
    for (size_t k = 0; k < 3; k++) {
        gt_run *run;
        const double x[3] = {0.25, 0, 0};
        gt_plan plan = {.rtol = 1e-6};
        assert_int_equal(gt_run_open(&run, &model, gt_method_find(methods[k]), &plan, NULL), GT_OK);
        assert_int_equal(gt_run_advance(run, model.t1, 0, NULL), GT_OK);
        assert_int_equal(gt_run_changed(run, GT_CHANGED_STATE, x), GT_OK);
        assert_true(gt_run_time(run) == model.t1 && gt_run_x(run)[0] == x[0]);
        assert_int_equal(gt_run_set_end(run, model.t1 + 1), GT_OK);
        assert_int_equal(gt_run_advance(run, model.t1 + 1, 0, NULL), GT_OK);
        assert_true(gt_run_x(run)[0] != x[0]);
        gt_run_close(run);
    }
}

static gt_status nothing_moves(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)x, (void)ctx;
    dx[0] = 0;
    return GT_OK;
}

/* Steps grew until they were infinite. */
static void where_nothing_moves_time_stays_a_number(void **state)
{
    (void)state;
    const double x0[1] = {1};
    const gt_problem p = {.n_slow = 1, .rhs = nothing_moves, .x0 = x0, .t1 = INFINITY};
    static const char *const methods[] = {"gear", "dopri5", "rodas4"};
    for (size_t k = 0; k < 3; k++) {
        gt_run *run;
        assert_int_equal(
            gt_run_open(&run, &p, gt_method_find(methods[k]), &(gt_plan){.rtol = 1e-6}, NULL),
            GT_OK);
        for (int i = 0; i < 2000; i++) assert_int_equal(gt_run_step(run, NULL), GT_OK);
        assert_true(isfinite(gt_run_time(run)) && gt_run_x(run)[0] == 1);
        gt_run_close(run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_one_at_a_time_are_those_of_one_call),
        cmocka_unit_test(pieces_are_those_of_one_call),
        cmocka_unit_test(a_thousand_pieces_cost_no_more_evaluations),
        cmocka_unit_test(an_input_that_changes_is_followed),
        cmocka_unit_test(the_end_may_be_infinite),
        cmocka_unit_test(a_small_change_is_cheap),
        cmocka_unit_test(the_last_step_can_be_looked_into),
        cmocka_unit_test(events_are_returned),
        cmocka_unit_test(an_event_at_the_end_is_followed_by_the_end),
        cmocka_unit_test(the_end_breaks_and_tolerances_can_change),
        cmocka_unit_test(time_can_run_backward),
        cmocka_unit_test(tolerances_of_components_count),
        cmocka_unit_test(a_kept_solution_is_the_dense_output),
        cmocka_unit_test(a_run_may_have_no_states),
        cmocka_unit_test(a_change_at_the_end_is_for_what_follows),
        cmocka_unit_test(where_nothing_moves_time_stays_a_number),
        cmocka_unit_test(wrong_calls_are_refused),
        cmocka_unit_test(a_second_thread_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
