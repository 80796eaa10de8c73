/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs whose method changes on the way: the hand-over loses nothing of the run, whatever the two
 * methods are. */
#include "lang_kit.h"
#include "methods_kit.h"
#include <geartrain/run.h>

enum { EVERY = 4 };

/* The pilot of these tests goes to and fro between two methods, every few steps. */
static const gt_method *pair[2];
static const char *pair_options[2];

typedef struct turns {
    long count;
} turns;

static size_t turns_size(const gt_problem *p)
{
    (void)p;
    return sizeof(turns);
}

static void name_choice(gt_choice *choice, long k)
{
    choice->method = pair[k % 2];
    snprintf(choice->options, sizeof choice->options, "%s",
             pair_options[k % 2] ? pair_options[k % 2] : "");
    snprintf(choice->because, sizeof choice->because, "turn %ld", k);
    choice->after = EVERY;
}

static gt_status turns_begin(void *state, const gt_problem *p, const gt_plan *plan,
                             gt_choice *first, gt_message *m)
{
    (void)state, (void)p, (void)plan, (void)m;
    name_choice(first, 0);
    return GT_OK;
}

static bool turns_consider(void *state, const gt_view *view, gt_choice *next)
{
    turns *w = state;
    assert_true(view->s->t < view->problem->t1);
    assert_ptr_equal(next->method, view->s->method);
    name_choice(next, ++w->count);
    return true;
}

static const gt_pilot to_and_fro = {.name = "to_and_fro",
                                    .state_size = turns_size,
                                    .begin = turns_begin,
                                    .consider = turns_consider,
                                    .find = gt_method_find};

/* One of each kind that is in use between others. */
static const char *const families[] = {"dopri5", "dop853",  "gear",       "rodas4",
                                       "smes",   "exprb43", "trapezoidal"};
enum { FAMILIES = sizeof families / sizeof *families };

/* Events that change parameters; sliding, also on two surfaces; a discontinuity of known time and a
 * kink; a sparse Jacobian. */
static const char *const texts[] = {
    "x'=y\ny'=-k*x\npar k=1\nglobal 1 {x-0.5} {k=k+1;y=0.9*y}\nglobal -1 {x+0.2} {k=1}\ninit "
    "x=0,y=1\n"
    "@ total=12\ndone\n",
    "x'=y\ny'=-x-0.6*sign(y)+1.2*sin(0.7*t)\ninit x=2,y=0\n@ total=30\ndone\n",
    "x'=-sign(x-0.3*t)+0.2*y\ny'=-y+heav(t-3)+max(x,0)\ninit x=1,y=0\n@ total=10\ndone\n",
    "x'=v\nv'=-x+0.4*(y-x)-0.8*sign(v-0.6)+0.2*sin(t)\ny'=w\nw'=-1.3*y+0.4*(x-y)-1.1*sign(w-0.5)\n"
    "init x=0.3,w=1\n@ total=12\ndone\n",
    "x1'=40*(x40-2*x1+x2)-x1^3+sin(t)\nx[2..39]'=40*(x[j-1]-2*x[j]+x[j+1])-x[j]^3\nx40'=40*(x39-2*"
    "x40+x1)-x40^3\n"
    "init x[1..20]=1\n@ total=3\ndone\n",
};
enum { TEXTS = sizeof texts / sizeof *texts };

static bool choose_pair(size_t a, size_t b, const gt_problem *p)
{
    pair[0] = gt_method_find(families[a]);
    pair[1] = gt_method_find(families[b]);
    for (int k = 0; k < 2; k++) {
        gt_values v = gt_params_default(pair[k]->options);
        if (gt_method_check(pair[k], v.v, p, NULL)) return false;
    }
    return true;
}

static void check_phases(const char *who, const gt_report *report, const gt_problem *p)
{
    const gt_phases *phases = &report->phases;
    long in_list = 0, in_shares = 0;
    double span = 0;
    for (int k = 0; k < phases->count; k++) in_list += phases->list[k].steps;
    for (int k = 0; k < phases->n_shares; k++) {
        in_shares += phases->shares[k].steps;
        span += phases->shares[k].span;
    }
    if (in_shares != report->stats.steps)
        fail_msg("%s: %ld steps in shares of %ld", who, in_shares, report->stats.steps);
    if (!phases->left_out && in_list != in_shares)
        fail_msg("%s: %ld steps in phases, not %ld", who, in_list, in_shares);
    assert_within(span, fabs(p->t1 - p->t0), 1e-9 * fabs(p->t1 - p->t0), who);
    if (phases->count < 2) fail_msg("%s: %d phases", who, phases->count);
}

/* The answer and the events are those of one method. */
static void every_pair_gives_the_answer(void **state)
{
    (void)state;
    for (size_t k = 0; k < TEXTS; k++) {
        lang_model m = lang_read(texts[k]);
        const gt_problem *p = &m.problem;
        size_t n = gt_problem_size(p);
        double *exact = calloc(2 * n, sizeof *exact), *x = exact + n;
        gt_report tight, report;
        assert_int_equal(
            gt_solve(p, gt_method_find("gear"), &(gt_plan){.rtol = 1e-10, .x_end = exact}, &tight),
            GT_OK);
        for (size_t pick = 0; pick < FAMILIES * FAMILIES; pick++) {
            char who[100];
            size_t a = pick / FAMILIES, b = pick % FAMILIES;
            if (a == b || !choose_pair(a, b, p)) continue;
            snprintf(who, sizeof who, "%s and %s on text %zu", families[a], families[b], k);
            gt_plan plan = {.rtol = 1e-6, .pilot = &to_and_fro, .x_end = x};
            if (gt_solve(p, NULL, &plan, &report)) fail_msg("%s: %s", who, report.message.text);
            for (size_t i = 0; i < n; i++)
                assert_within(x[i], exact[i], 2e-3 * (1 + fabs(exact[i])), who);
            if (report.stats.events != tight.stats.events)
                fail_msg("%s: %ld events, not %ld", who, report.stats.events, tight.stats.events);
            check_phases(who, &report, p);
        }
        free(exact);
        lang_free(&m);
    }
}

/* ---- the same bits ---- */

typedef struct course {
    gt_memory_sink rows;
    gt_sink *sinks[1];
    gt_plan plan;
    gt_report report;
    double *x;
} course;

static void begin_course(course *c, size_t n)
{
    *c = (course){.plan = {.rtol = 1e-5, .every = 0.05, .pilot = &to_and_fro},
                  .x = calloc(n, sizeof *c->x)};
    gt_memory_sink_init(&c->rows, GT_AT_OUTPUT | GT_AT_EVENT | GT_AT_BREAK | GT_AT_END);
    c->sinks[0] = &c->rows.sink;
    c->plan.sinks = c->sinks;
    c->plan.n_sinks = 1;
    c->plan.x_end = c->x;
}

static void free_course(course *c)
{
    gt_memory_sink_free(&c->rows);
    free(c->x);
}

static void same(const char *who, const course *a, const course *b, size_t seen, size_t n)
{
    if (a->report.status || b->report.status)
        fail_msg("%s: %s %s", who, a->report.message.text, b->report.message.text);
    if (memcmp(a->x, b->x, n * sizeof *a->x) != 0) fail_msg("%s: x is not the same", who);
    if (memcmp(&a->report.stats, &b->report.stats, sizeof a->report.stats) != 0)
        fail_msg("%s: %ld and %ld calls of f", who, a->report.stats.rhs, b->report.stats.rhs);
    if (memcmp(&a->report.phases, &b->report.phases, sizeof a->report.phases) != 0)
        fail_msg("%s: the phases differ", who);
    if (a->rows.count != seen + b->rows.count)
        fail_msg("%s: %zu rows, not %zu", who, b->rows.count, a->rows.count);
    if (memcmp(a->rows.x + n * seen, b->rows.x, n * b->rows.count * sizeof *a->x) != 0)
        fail_msg("%s: the rows differ", who);
}

static void step_to_end(gt_run *run, course *c)
{
    gt_reached reached = GT_REACHED_STEP;
    while (reached != GT_REACHED_END && !gt_run_step(run, &reached)) continue;
    (void)!gt_run_finish(run, &c->report);
    gt_run_close(run);
}

/* Opens a run, takes some steps, and goes on with a copy or with what was saved. */
static size_t go_on(const char *who, const gt_problem *p, course *first, course *rest, int cut,
                    bool by_copy)
{
    gt_run *run, *next;
    gt_message message = {""};
    if (gt_run_open(&run, p, NULL, &first->plan, &message)) fail_msg("%s: %s", who, message.text);
    for (int k = 0; k < cut; k++) assert_int_equal(gt_run_step(run, NULL), GT_OK);
    size_t seen = first->rows.count, count;
    if (by_copy) {
        if (gt_run_copy(&next, run, NULL, &rest->plan, &message))
            fail_msg("%s: %s", who, message.text);
        gt_reached reached = GT_REACHED_STEP; /* what the first one does does not matter */
        for (int k = 0; k < 2 * EVERY && reached != GT_REACHED_END; k++)
            assert_int_equal(gt_run_step(run, &reached), GT_OK);
    } else {
        void *bytes;
        if (gt_run_save(run, NULL, &bytes, &count, &message)) fail_msg("%s: %s", who, message.text);
        gt_run_discard(run);
        run = NULL;
        if (gt_run_restore(&next, p, NULL, &rest->plan, NULL, bytes, count, &message))
            fail_msg("%s: %s", who, message.text);
        free(bytes);
    }
    step_to_end(next, rest);
    gt_run_discard(run);
    return seen;
}

static void pieces_copies_and_bytes(void **state)
{
    (void)state;
    static const int cuts[] = {3, EVERY, EVERY + 1, 2 * EVERY + 4};
    for (size_t k = 0; k < TEXTS; k++) {
        lang_model m = lang_read(texts[k]);
        const gt_problem *p = &m.problem;
        size_t n = gt_problem_size(p);
        for (size_t pick = 0; pick < FAMILIES * FAMILIES; pick++) {
            size_t a = pick / FAMILIES, b = pick % FAMILIES;
            if ((pick + k) % (k ? 5 : 2) || !choose_pair(a, b, p)) continue;
            char who[100];
            snprintf(who, sizeof who, "%s and %s on text %zu", families[a], families[b], k);
            course whole, steps;
            begin_course(&whole, n);
            begin_course(&steps, n);
            gt_run *run;
            assert_int_equal(gt_run_open(&run, p, NULL, &steps.plan, NULL), GT_OK);
            step_to_end(run, &steps);
            if (gt_solve(p, NULL, &whole.plan, &whole.report))
                fail_msg("%s: %s", who, whole.report.message.text);
            bool has_switches = p->n_switches > 0; /* one call looks at them less often */
            if (!has_switches) same(who, &whole, &steps, 0, n);
            for (size_t c = 0; c < 2 * sizeof cuts / sizeof *cuts; c++) {
                course first, rest;
                begin_course(&first, n);
                begin_course(&rest, n);
                snprintf(who, sizeof who, "%s and %s on text %zu, %s after %d steps", families[a],
                         families[b], k, c % 2 ? "copied" : "saved", cuts[c / 2]);
                size_t seen = go_on(who, p, &first, &rest, cuts[c / 2], c % 2);
                same(who, &steps, &rest, seen, n);
                free_course(&first);
                free_course(&rest);
            }
            free_course(&whole);
            free_course(&steps);
        }
        lang_free(&m);
    }
}

/* After the hand-over the steps are those of a run that begins there. */
static void is_a_new_start_at_the_same_point(void **state)
{
    (void)state;
    bench_top b;
    build(&b, "vanderpol", "mu=3");
    gt_problem p = b.problem;
    pair[0] = gt_method_find("dopri5");
    pair[1] = gt_method_find("rodas4");
    gt_run *run, *rest;
    gt_plan plan = {.rtol = 1e-6, .pilot = &to_and_fro};
    assert_int_equal(gt_run_open(&run, &p, NULL, &plan, NULL), GT_OK);
    for (int k = 0; k < EVERY; k++) assert_int_equal(gt_run_step(run, NULL), GT_OK);
    double x0[2];
    gt_report so_far;
    memcpy(x0, gt_run_x(run), sizeof x0);
    p.t0 = gt_run_time(run);
    p.x0 = x0;
    long calls = gt_run_stats(run)->rhs;
    assert_int_equal(gt_run_step(run, NULL), GT_OK);
    gt_run_report(run, &so_far);
    gt_plan next = {.rtol = 1e-6, .h0 = so_far.h};
    assert_int_equal(gt_run_open(&rest, &p, pair[1], &next, NULL), GT_OK);
    for (int k = 0; k < EVERY; k++) {
        if (k) assert_int_equal(gt_run_step(run, NULL), GT_OK);
        assert_int_equal(gt_run_step(rest, NULL), GT_OK);
        assert_memory_equal(gt_run_x(run), gt_run_x(rest), sizeof x0);
    }
    /* f at the point is known already. */
    assert_int_equal(gt_run_stats(run)->rhs - calls + 1, gt_run_stats(rest)->rhs);
    gt_run_close(run);
    gt_run_close(rest);
    dismantle(&b);
}

static void time_goes_backward(void **state)
{
    (void)state;
    bench_top b;
    build(&b, "vanderpol", "mu=2");
    gt_problem back = b.problem;
    double x[2], y[2];
    gt_report report;
    back.t1 = 2;
    assert_int_equal(
        gt_solve(&back, gt_method_find("dop853"), &(gt_plan){.rtol = 1e-12, .x_end = x}, NULL),
        GT_OK);
    back.t0 = 2;
    back.t1 = 0;
    back.x0 = x;
    pair[0] = gt_method_find("dop853");
    pair[1] = gt_method_find("gear");
    gt_plan plan = {.rtol = 1e-8, .pilot = &to_and_fro, .x_end = y};
    if (gt_solve(&back, NULL, &plan, &report)) fail_msg("%s", report.message.text);
    for (int i = 0; i < 2; i++) assert_within(y[i], b.problem.x0[i], 1e-4, "back at the start");
    assert_within(report.t, 0, 0, "t");
    assert_true(report.phases.list[1].t < 2 && report.phases.list[2].t < report.phases.list[1].t);
    dismantle(&b);
}

static void a_method_that_cannot_leaves_the_run_as_it_is(void **state)
{
    (void)state;
    bench_top b;
    build(&b, "vanderpol", "mu=3");
    gt_report report;
    pair[0] = gt_method_find("dopri5");
    pair[1] = gt_method_find("gear");
    pair_options[1] = "no_such_option=1";
    assert_int_equal(
        gt_solve(&b.problem, NULL, &(gt_plan){.rtol = 1e-6, .pilot = &to_and_fro}, &report), GT_OK);
    pair_options[1] = NULL;
    assert_int_equal(report.phases.count, 1);
    assert_non_null(strstr(report.note.text, "gear"));
    assert_string_equal(gt_phases_method(&report.phases), "dopri5");
    pair[1] = gt_method_find("euler"); /* has no error estimate */
    assert_int_equal(
        gt_solve(&b.problem, NULL, &(gt_plan){.rtol = 1e-6, .pilot = &to_and_fro}, &report), GT_OK);
    assert_int_equal(report.phases.count, 1);
    pair[1] = gt_method_find("gear"); /* chooses its own steps */
    gt_plan controlled = {.rtol = 1e-6, .pilot = &to_and_fro, .control = *gt_control_find("i")};
    assert_int_equal(gt_solve(&b.problem, NULL, &controlled, &report), GT_OK);
    assert_int_equal(report.phases.count, 1);
    dismantle(&b);
}

static void wrong_calls_are_refused(void **state)
{
    (void)state;
    bench_top b;
    build(&b, "vanderpol", "mu=3");
    gt_report report;
    gt_plan plan = {.rtol = 1e-6, .pilot = &to_and_fro};
    pair[0] = pair[1] = gt_method_find("dopri5");
    assert_int_equal(gt_solve(&b.problem, pair[0], &plan, &report), GT_BAD_ARGUMENT);
    assert_non_null(strstr(report.message.text, "pilot"));
    assert_int_equal(gt_solve(&b.problem, NULL, &(gt_plan){.rtol = 1e-6}, &report),
                     GT_BAD_ARGUMENT);
    bind_method(&b, pair[0], NULL);
    assert_int_equal(gt_integrate(&b.s, &plan, &report), GT_BAD_ARGUMENT);
    dismantle(&b);
}

/* With a fixed step the pilot names the method, and that is all. */
static void fixed_steps_have_one_method(void **state)
{
    (void)state;
    bench_top b;
    build(&b, "vanderpol", "mu=3");
    double x[2], y[2];
    gt_report report;
    pair[0] = gt_method_find("rk4");
    pair[1] = gt_method_find("heun");
    gt_plan plan = {.h = 0.01, .pilot = &to_and_fro, .x_end = x};
    assert_int_equal(gt_solve(&b.problem, NULL, &plan, &report), GT_OK);
    assert_int_equal(report.phases.count, 1);
    assert_int_equal(report.phases.list[0].steps, report.stats.steps);
    assert_string_equal(gt_phases_method(&report.phases), "rk4");
    assert_int_equal(gt_solve(&b.problem, pair[0], &(gt_plan){.h = 0.01, .x_end = y}, NULL), GT_OK);
    assert_memory_equal(x, y, sizeof x);
    gt_run *run;
    assert_int_equal(gt_run_open(&run, &b.problem, NULL, &plan, NULL), GT_OK);
    assert_int_equal(gt_run_advance(run, b.problem.t1, 0, NULL), GT_OK);
    assert_memory_equal(gt_run_x(run), y, sizeof y);
    gt_run_close(run);
    dismantle(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pair_gives_the_answer),
        cmocka_unit_test(pieces_copies_and_bytes),
        cmocka_unit_test(is_a_new_start_at_the_same_point),
        cmocka_unit_test(time_goes_backward),
        cmocka_unit_test(a_method_that_cannot_leaves_the_run_as_it_is),
        cmocka_unit_test(wrong_calls_are_refused),
        cmocka_unit_test(fixed_steps_have_one_method),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
