/* SPDX-License-Identifier: BSD-3-Clause */
/* Switches of f: located, passed with the other formula, followed where both sides push to the
 * surface. */
#include "methods_kit.h"

/* What a model with switches keeps: the sides that are held. */
typedef struct relations {
    const signed char *side;
} relations;

static void set_sides(const signed char *side, void *ctx) { ((relations *)ctx)->side = side; }

/* Sign of g by the side that is held, or by its value. */
static double sign_by(const relations *w, size_t k, double g)
{
    int side = w->side ? w->side[k] : 0;
    return side ? side : g > 0 ? 1 : g < 0 ? -1 : 0;
}

/* A block on a belt: x' = v, v' = -x - sign(v - 1)/(1 + 3 |v - 1|) */
static gt_status belt(double t, const double *x, double *dx, void *ctx)
{
    (void)t;
    double w = x[1] - 1;
    dx[0] = x[1];
    dx[1] = -x[0] - sign_by(ctx, 0, w) / (1 + 3 * sign_by(ctx, 1, w) * w);
    return GT_OK;
}
static gt_status belt_switches(double t, const double *x, double *g, void *ctx)
{
    (void)t, (void)ctx;
    g[0] = g[1] = x[1] - 1;
    return GT_OK;
}

typedef struct watch {
    gt_sink sink;
    double from[8];
    double since;
    int sticks, stuck; /* times; samples in a row */
} watch;

static gt_status look(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    watch *w = self->ctx;
    (void)message;
    /* A crossing is there for one sample, a sticking block for more. */
    bool stuck = fabs(sample->x[1] - 1) < 1e-6;
    if (stuck && w->stuck == 1 && w->sticks < 8) w->from[w->sticks++] = w->since;
    if (!w->stuck) w->since = sample->t;
    w->stuck = stuck ? w->stuck + 1 : 0;
    return GT_OK;
}

static void a_block_on_a_belt_sticks_and_slips(void **state)
{
    (void)state;
    static const char *const methods[] = {"dopri5", "gear",        "rodas4",
                                          "dop853", "trapezoidal", "bi"};
    static const double from[3] = {13.73, 20.30, 27.35};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        relations w = {0};
        const double x0[2] = {0, 0};
        gt_problem p = {.n_slow = 2,
                        .rhs = belt,
                        .x0 = x0,
                        .t1 = 30,
                        .ctx = &w,
                        .autonomous = true,
                        .n_switches = 2,
                        .switches = belt_switches,
                        .set_sides = set_sides};
        watch see = {.sink = {.wants = GT_AT_STEP, .write = look}};
        see.sink.ctx = &see;
        gt_sink *sinks[] = {&see.sink};
        gt_report report;
        gt_plan plan = {.rtol = 1e-6, .sinks = sinks, .n_sinks = 1, .max_steps = 50000};
        gt_status status = gt_solve(&p, gt_method_find(methods[k]), &plan, &report);
        if (status) fail_msg("%s: %s", methods[k], report.message.text);
        if (see.sticks != 3) fail_msg("%s sticks %d times", methods[k], see.sticks);
        for (int i = 0; i < 3; i++) assert_within(see.from[i], from[i], 0.02, methods[k]);
        bool high =
            gt_method_facts(gt_method_find(methods[k]), gt_params_default(NULL).v).order > 2;
        if (high && report.stats.steps >= 2000)
            fail_msg("%s: %ld steps", methods[k], report.stats.steps);
        assert_null(w.side);
    }
}

/* x' = y, y' = -x - sign(x): crossings of a jump; x' = y, y' = -|x|-like kinks keep the history. */
static gt_status dry(double t, const double *x, double *dx, void *ctx)
{
    (void)t;
    dx[0] = x[1];
    dx[1] = -sign_by(ctx, 0, x[0]);
    return GT_OK;
}
static gt_status first(double t, const double *x, double *g, void *ctx)
{
    (void)t, (void)ctx;
    g[0] = x[0];
    return GT_OK;
}

/* x'' = -sign x from 1 at rest: parabolas, a quarter period is sqrt 2. */
static void a_jump_is_crossed_at_its_time(void **state)
{
    (void)state;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        gt_values v = gt_params_default((*m)->options);
        gt_facts facts = gt_method_facts(*m, v.v);
        relations w = {0};
        const double x0[2] = {1, 0};
        gt_problem p = {
            .n_slow = 2, .rhs = dry, .x0 = x0, .t1 = 20 * sqrt(2), .ctx = &w, .autonomous = true};
        p.n_switches = 1, p.switches = first, p.set_sides = set_sides;
        gt_message message;
        if (!facts.error_order || facts.order < 3 || gt_method_check(*m, v.v, &p, &message))
            continue;
        double x[2] = {0, 0};
        gt_report report;
        gt_plan plan = {.rtol = 1e-8, .x_end = x, .max_steps = 100000};
        gt_status status = gt_solve(&p, *m, &plan, &report);
        if (status) fail_msg("%s: %s", (*m)->name, report.message.text);
        if (report.stats.switches != 10)
            fail_msg("%s: %ld switches", (*m)->name, report.stats.switches);
        assert_within(x[0], 1, 1e-5, (*m)->name);
        assert_within(x[1], 0, 1e-5, (*m)->name);
    }
}

/* ---- switches that are far, and many ---- */

enum { MOST = 1000 };

/* x' = y, y' = -x - sum of max(x - c_k, 0); or, as `chain`, each oscillator has its own. */
typedef struct many {
    relations w; /* first: set_sides knows only this */
    size_t count;
    double first, apart; /* c_k = first + k apart */
    int kind;
} many;
enum { KINKS, JUMPS, CELLS };

static double level(const many *m, size_t k) { return m->first + (double)k * m->apart; }

static gt_status many_rhs(double t, const double *x, double *dx, void *ctx)
{
    const many *m = ctx;
    double sum = 0;
    (void)t;
    if (m->kind == CELLS) {
        for (size_t k = 0; k < m->count; k++) {
            double pull = sign_by(&m->w, k, x[2 * k]) > 0 ? x[2 * k] : 0;
            dx[2 * k] = x[2 * k + 1];
            dx[2 * k + 1] = -level(m, k) * x[2 * k] - 0.1 * pull;
        }
        return GT_OK;
    }
    for (size_t k = 0; k < m->count; k++) {
        double g = x[0] - level(m, k);
        if (sign_by(&m->w, k, g) > 0) sum += m->kind == JUMPS ? 1 : g;
    }
    dx[0] = m->kind == JUMPS ? 1 : x[1];
    dx[1] = m->kind == JUMPS ? sum : -x[0] - sum;
    return GT_OK;
}

static gt_status many_switches(double t, const double *x, double *g, void *ctx)
{
    const many *m = ctx;
    (void)t;
    for (size_t k = 0; k < m->count; k++) g[k] = m->kind == CELLS ? x[2 * k] : x[0] - level(m, k);
    return GT_OK;
}

static gt_problem many_problem(many *m, const double *x0, double t1, bool switches)
{
    gt_problem p = {.n_slow = m->kind == CELLS ? 2 * m->count : 2,
                    .rhs = many_rhs,
                    .x0 = x0,
                    .t1 = t1,
                    .ctx = m,
                    .autonomous = true};
    if (switches) p.n_switches = m->count, p.switches = many_switches, p.set_sides = set_sides;
    return p;
}

/* It cost three looks at all switches a step, and the evaluations of f that dense output takes. */
static void what_is_never_met_costs_no_evaluation(void **state)
{
    (void)state;
    static const double x0[2] = {1, 0};
    for (const gt_method *const *method = gt_method_list(); *method; method++) {
        gt_values v = gt_params_default((*method)->options);
        gt_facts facts = gt_method_facts(*method, v.v);
        gt_stats stats[2];
        double end[2][2];
        for (int on = 0; on < 2; on++) {
            many m = {.count = 100, .first = 10, .apart = 1};
            gt_problem p = many_problem(&m, x0, 60, on);
            gt_message message;
            gt_report report;
            if (!facts.error_order || facts.functions ||
                gt_method_check(*method, v.v, &p, &message))
                goto next;
            gt_plan plan = {.rtol = 1e-4, .x_end = end[on], .max_steps = 100000};
            gt_status status = gt_solve(&p, *method, &plan, &report);
            if (status) fail_msg("%s: %s", (*method)->name, report.message.text);
            assert_null(m.w.side);
            stats[on] = report.stats;
        }
        if (stats[0].rhs != stats[1].rhs || stats[0].steps != stats[1].steps)
            fail_msg("%s: %ld and %ld evaluations", (*method)->name, stats[0].rhs, stats[1].rhs);
        assert_memory_equal(end[0], end[1], sizeof end[0]);
    next:;
    }
}

/* u' = -u + 40 exp(20 (sin s - 1)), s' = 0.12: short pulses after long rests; c' = heav(u - 5). */
static gt_status pulses(double t, const double *x, double *dx, void *ctx)
{
    (void)t;
    dx[0] = -x[0] + 40 * exp(20 * (sin(x[1]) - 1));
    dx[1] = 0.12;
    dx[2] = sign_by(ctx, 0, x[0] - 5) > 0;
    return GT_OK;
}
static gt_status above_five(double t, const double *x, double *g, void *ctx)
{
    (void)t, (void)ctx;
    g[0] = x[0] - 5;
    return GT_OK;
}
static gt_status see_nothing(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    (void)self, (void)sample, (void)message;
    return GT_OK;
}

/* Twelve pulses in 600: each is found although the switch was far from its surface for most of the
 * time, whether somebody watches every step or not. */
static void what_was_far_is_found_when_it_comes(void **state)
{
    (void)state;
    static const char *const methods[] = {"dopri5", "dop853",      "gear",
                                          "rodas4", "trapezoidal", "am4"};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        double c[2];
        for (int watched = 0; watched < 2; watched++) {
            relations w = {0};
            const double x0[3] = {0, 0, 0};
            double x[3];
            gt_problem p = {
                .n_slow = 3, .rhs = pulses, .x0 = x0, .t1 = 600, .ctx = &w, .autonomous = true};
            p.n_switches = 1, p.switches = above_five, p.set_sides = set_sides;
            gt_sink sink = {.wants = GT_AT_STEP, .write = see_nothing}, *sinks[] = {&sink};
            gt_report report;
            gt_plan plan = {.rtol = 1e-6,
                            .x_end = x,
                            .max_steps = 100000,
                            .sinks = sinks,
                            .n_sinks = (size_t)watched};
            gt_status status = gt_solve(&p, gt_method_find(methods[k]), &plan, &report);
            if (status) fail_msg("%s: %s", methods[k], report.message.text);
            if (report.stats.switches != 24)
                fail_msg("%s: %ld switches", methods[k], report.stats.switches);
            c[watched] = x[2];
        }
        assert_within(c[0], c[1], 1e-3, methods[k]);
    }
}

/* x' = 1, y' = the number of levels passed: of 200 relations each is located when it comes. */
static void many_relations_are_located_one_by_one(void **state)
{
    (void)state;
    static const char *const methods[] = {"dopri5", "dop853", "gear", "rodas4"};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        static const double x0[2] = {0, 0};
        many m = {.count = 200, .first = 0.5, .apart = 1, .kind = JUMPS};
        gt_problem p = many_problem(&m, x0, 150, true);
        double x[2];
        gt_report report;
        gt_plan plan = {.rtol = 1e-6, .x_end = x, .max_steps = 20000};
        gt_status status = gt_solve(&p, gt_method_find(methods[k]), &plan, &report);
        if (status) fail_msg("%s: %s", methods[k], report.message.text);
        if (report.stats.switches != 150)
            fail_msg("%s: %ld switches", methods[k], report.stats.switches);
        assert_int_equal(report.warnings.count, 0);
        assert_within(x[1], 150.0 * 150 / 2, 1e-2, methods[k]);
    }
}

/* 1000 oscillators with a kink each, hundreds of which are next to it at any time: they are stepped
 * over, as without switches, and the report says so. */
static void cells_that_switch_all_the_time_are_stepped_over(void **state)
{
    (void)state;
    static double x0[2 * MOST], end[2][2 * MOST];
    gt_report report;
    for (size_t k = 0; k < MOST; k++) x0[2 * k] = 1;
    for (int on = 0; on < 2; on++) {
        many m = {.count = MOST, .first = 1, .apart = 1.0 / MOST, .kind = CELLS};
        gt_problem p = many_problem(&m, x0, 20, on);
        gt_plan plan = {.rtol = 1e-6, .x_end = end[on]};
        assert_int_equal(gt_solve(&p, gt_method_find("dopri5"), &plan, &report), GT_OK);
        if (on) assert_null(m.w.side);
    }
    assert_memory_equal(end[0], end[1], sizeof end[0]);
    assert_int_equal(report.warnings.count, 1);
    assert_non_null(strstr(report.warnings.list[0].text, "not located"));
}

/* A wave of kinks through cells: x_k' = max(cos(c_k - y), 0) - x_k / 5, y' = 1. */
static gt_status wave_rhs(double t, const double *x, double *dx, void *ctx)
{
    const many *m = ctx;
    (void)t;
    for (size_t k = 0; k < m->count; k++) {
        double g = cos(level(m, k) - x[m->count]);
        dx[k] = (sign_by(&m->w, k, g) > 0 ? g : 0) - x[k] / 5;
    }
    dx[m->count] = 1;
    return GT_OK;
}
static gt_status wave_switches(double t, const double *x, double *g, void *ctx)
{
    const many *m = ctx;
    (void)t;
    for (size_t k = 0; k < m->count; k++) g[k] = cos(level(m, k) - x[m->count]);
    return GT_OK;
}
/* exp(t/5) x_k grows by the integral of exp(s/5) cos(s - c) while cos(s - c) > 0. */
static double wave_exact(double c, double t)
{
    double x = 0;
    for (int turn = -1; turn < 4; turn++) {
        double from = fmax(c + (2 * turn - 0.5) * GT_PI, 0),
               to = fmin(c + (2 * turn + 0.5) * GT_PI, t);
        double ends[2] = {from, to};
        for (int i = 0; i < 2 && from < to; i++) {
            double s = ends[i];
            x += (i ? 1 : -1) * exp(s / 5) * (cos(s - c) / 5 + sin(s - c)) / 1.04;
        }
    }
    return x * exp(-t / 5);
}

/* Where more come near than are watched, those that were are released before a trial that one of
 * them passes, and a trial that was looked at and then rejected is none that was taken. */
static void a_wave_of_kinks_keeps_its_error(void **state)
{
    (void)state;
    static const struct {
        const char *method;
        size_t count;
        double rtol;
    } runs[] = {{"dopri5", 66, 1e-6},  {"dopri5", 66, 1e-9}, {"dopri5", 200, 1e-6},
                {"rkf45", 66, 1e-9},   {"rkf45", 200, 1e-6}, {"dop853", 66, 1e-9},
                {"dop853", 100, 1e-9}, {"bi", 66, 1e-6},     {"dopri5", 100, 1e-9},
                {"dop853", 200, 1e-6}, {"gear", 66, 1e-6}};
    static const double x0[201];
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        const char *name = runs[i].method;
        double rtol = runs[i].rtol, x[201], off = 0;
        many m = {.count = runs[i].count, .first = 0.031, .apart = 0.031};
        gt_problem p = {.n_slow = m.count + 1,
                        .rhs = wave_rhs,
                        .x0 = x0,
                        .t1 = 15,
                        .ctx = &m,
                        .autonomous = true,
                        .n_switches = m.count,
                        .switches = wave_switches,
                        .set_sides = set_sides};
        gt_report report;
        gt_plan plan = {.rtol = rtol, .x_end = x, .max_steps = 20000};
        gt_status status = gt_solve(&p, gt_method_find(name), &plan, &report);
        if (status) fail_msg("%s: %s", name, report.message.text);
        for (size_t k = 0; k < m.count; k++)
            off = fmax(off, fabs(x[k] - wave_exact(level(&m, k), 15)));
        if (off > 1000 * rtol)
            fail_msg("%s, %zu cells, rtol %g: %.3g rtol", name, m.count, rtol, off / rtol);
    }
}

/* One after the other, so that each could be located, but without end. */
static void levels_passed_without_end_are_stepped_over(void **state)
{
    (void)state;
    static const double x0[2] = {0, 20};
    many m = {.count = MOST, .first = -19.97, .apart = 0.04, .kind = KINKS};
    gt_problem p = many_problem(&m, x0, 400, true);
    gt_report report;
    gt_plan plan = {.rtol = 1e-6, .max_steps = 200000};
    assert_int_equal(gt_solve(&p, gt_method_find("gear"), &plan, &report), GT_OK);
    assert_int_equal(report.warnings.count, 1);
    assert_non_null(strstr(report.warnings.list[0].text, "all the time"));
}

/* ---- what a run says ---- */

/* The same friction as f stands, which nobody declares: 500,000 steps were taken silently, and
 * gear's user was sent to a method for stiff problems. */
static void a_jump_that_is_crossed_without_end_is_reported(void **state)
{
    (void)state;
    static const char *const methods[] = {"dopri5", "gear", "rodas4", "trapezoidal"};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        relations w = {0};
        const double x0[2] = {0, 0};
        gt_problem p = {
            .n_slow = 2, .rhs = belt, .x0 = x0, .t1 = 30, .ctx = &w, .autonomous = true};
        gt_report report;
        gt_plan plan = {.rtol = 1e-6, .max_steps = 30000};
        gt_status status = gt_solve(&p, gt_method_find(methods[k]), &plan, &report);
        if (status == GT_OK && report.warnings.count == 1)
            continue; /* how many steps it takes the last bits decide */
        assert_int_equal(status, GT_TOO_MANY_STEPS);
        if (strstr(report.message.text, "stiff"))
            fail_msg("%s: %s", methods[k], report.message.text);
        if (!strstr(report.message.text, "switch"))
            fail_msg("%s: %s", methods[k], report.message.text);
        assert_int_equal(report.warnings.count, 1);
        assert_non_null(strstr(report.warnings.list[0].text,
                               "back and forth across a jump of f, in the equation of x2"));
    }
}

static gt_status set_in(double t, const double *x, double *dx, void *ctx)
{
    (void)ctx;
    dx[0] = 100 * (1 + (t > 33.1) - x[0]);
    dx[1] = x[0] - x[1];
    return GT_OK;
}

/* What sets in once, without a declaration, is passed right, and nothing goes back and forth. */
static void a_jump_that_is_crossed_once_is_no_chatter(void **state)
{
    (void)state;
    static const char *const methods[] = {"dopri5", "dop853", "gear", "radau", "rodas4"};
    const double x0[2] = {1, 1}, late = exp(-(34 - 33.1)), exact = 2 - (100 * late - exp(-90)) / 99;
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
        for (double rtol = 1e-3; rtol > 1e-10; rtol *= 1e-3) {
            double x[2];
            gt_problem p = {.n_slow = 2, .rhs = set_in, .x0 = x0, .t1 = 34};
            gt_report report;
            gt_plan plan = {.rtol = rtol, .x_end = x};
            if (gt_solve(&p, gt_method_find(methods[k]), &plan, &report))
                fail_msg("%s, rtol %g: %s", methods[k], rtol, report.message.text);
            for (int i = 0; i < report.warnings.count; i++)
                fail_msg("%s, rtol %g: %s", methods[k], rtol, report.warnings.list[i].text);
            if (!(fabs(x[1] - exact) <= 100 * rtol))
                fail_msg("%s, rtol %g: off by %g", methods[k], rtol, x[1] - exact);
        }
}

/* The same for a window that opens and closes: two jumps are not a back and forth. */
static gt_status window(double t, const double *x, double *dx, void *ctx)
{
    (void)ctx;
    dx[0] = (t > 4 && t < 4.3 ? 1 : 0) - x[0];
    return GT_OK;
}

static void a_window_is_no_chatter(void **state)
{
    (void)state;
    static const char *const methods[] = {"dopri5", "dop853", "adams", "gear", "radau", "rodas4"};
    const double x0 = 0, exact = exp(-5.7) - exp(-6);
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
        for (double rtol = 1e-3; rtol > 1e-10; rtol *= 1e-3) {
            double x;
            gt_problem p = {.n_slow = 1, .rhs = window, .x0 = &x0, .t1 = 10};
            gt_report report;
            gt_plan plan = {.rtol = rtol, .x_end = &x};
            if (gt_solve(&p, gt_method_find(methods[k]), &plan, &report))
                fail_msg("%s, rtol %g: %s", methods[k], rtol, report.message.text);
            for (int i = 0; i < report.warnings.count; i++)
                fail_msg("%s, rtol %g: %s", methods[k], rtol, report.warnings.list[i].text);
            assert_within(x, exact, 100 * rtol, methods[k]);
        }
}

enum { PULSES = 50 };

/* A filter behind a modulated pulse; its times are known. */
static gt_status filter(double t, const double *x, double *dx, void *ctx)
{
    const double *breaks = ctx;
    size_t k = 0;
    while (k < 2 * PULSES && breaks[k] <= t) k++;
    dx[0] = (1 - (double)(k % 2) - x[0]) / 0.05;
    return GT_OK;
}

static void jumps_at_known_times_are_no_chatter(void **state)
{
    (void)state;
    static const char *const methods[] = {"dopri5", "dop853", "gear", "radau", "rodas4", "bi"};
    const double x0[1] = {0};
    double breaks[2 * PULSES];
    for (size_t k = 0; k < 2 * PULSES; k++)
        breaks[k] = (double)(k / 2) * 0.01 + (k % 2 ? 0.01 : 0.003);
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
        for (double rtol = 1e-3; rtol > 1e-10; rtol *= 1e-3) {
            gt_problem p = {.n_slow = 1, .rhs = filter, .x0 = x0, .t1 = 0.5, .ctx = breaks};
            p.breaks = breaks, p.n_breaks = 2 * PULSES;
            gt_report report;
            gt_plan plan = {.rtol = rtol};
            if (gt_solve(&p, gt_method_find(methods[k]), &plan, &report))
                fail_msg("%s, rtol %g: %s", methods[k], rtol, report.message.text);
            if (report.warnings.count)
                fail_msg("%s, rtol %g: %s", methods[k], rtol, report.warnings.list[0].text);
        }
}

/* dopri5 at 1e-3 was wrong by .15 in 258 steps, too few for a look at steps alone, and the
 * trapezoidal rule by 51,192: its Jacobian, a difference across the jump, had made every correction
 * small. One of these runs may meet the jump where its estimate is zero, by the last bits. */
static void a_jump_of_f_is_not_passed_in_silence(void **state)
{
    (void)state;
    static const char *const methods[] = {"dopri5",      "dop853", "gear", "gear2",
                                          "trapezoidal", "rodas4", "bi44"};
    int chances = 0;
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        relations w = {0};
        const double x0[2] = {0, 0};
        gt_problem p = {
            .n_slow = 2, .rhs = belt, .x0 = x0, .t1 = 30, .ctx = &w, .autonomous = true};
        for (double rtol = 1e-3; rtol > 1e-6; rtol *= 0.1) {
            gt_memory_sink end;
            gt_memory_sink_init(&end, GT_AT_END);
            gt_sink *sinks[1] = {&end.sink};
            gt_report report;
            gt_plan plan = {.rtol = rtol, .max_steps = 30000, .sinks = sinks, .n_sinks = 1};
            gt_status status = gt_solve(&p, gt_method_find(methods[k]), &plan, &report);
            bool silent =
                !status && !report.warnings.count && !(fabs(end.x[1] - 0.1219) <= 100 * rtol);
            if (silent && chances++)
                fail_msg("%s, rtol %g: v(30) = %.6f without a warning", methods[k], rtol, end.x[1]);
            gt_memory_sink_free(&end);
        }
    }
}

/* A stiff f changes as much in a step of an explicit method, but does not jump. */
static gt_status stiff(double t, const double *x, double *dx, void *ctx)
{
    (void)ctx;
    dx[0] = -1e6 * (x[0] - cos(t));
    return GT_OK;
}
static void what_is_stiff_does_not_jump(void **state)
{
    (void)state;
    const double x0[1] = {1};
    gt_problem p = {.n_slow = 1, .rhs = stiff, .x0 = x0, .t1 = 10};
    gt_report report;
    gt_plan plan = {.rtol = 1e-6, .max_steps = 30000};
    assert_int_equal(gt_solve(&p, gt_method_find("dopri5"), &plan, &report), GT_TOO_MANY_STEPS);
    assert_int_equal(report.warnings.count, 0);
    assert_non_null(strstr(report.message.text, "stiff"));
}

/* On the straight way ahead kpr has a pole of f, and was said to jump. No built-in model has a jump
 * that is not a switch.
 */
static void smooth_models_do_not_jump(void **state)
{
    (void)state;
    static const char *const methods[] = {"dopri5", "gear", "trapezoidal"};
    for (const gt_model *const *m = gt_model_list(); *m; m++) {
        gt_problem p;
        gt_message message;
        gt_arena arena = gt_arena_growing();
        assert_int_equal(gt_model_build(*m, "", &p, &arena, &message), GT_OK);
        for (size_t k = 0; k < 6; k++) {
            gt_plan plan = {.rtol = k < 3 ? 1e-3 : 1e-6, .max_steps = 5000};
            gt_report report;
            gt_status status = gt_solve(&p, gt_method_find(methods[k % 3]), &plan, &report);
            for (int i = 0; i < report.warnings.count; i++)
                if (strstr(report.warnings.list[i].text, "back and forth"))
                    fail_msg("%s by %s (%d): %s", (*m)->name, methods[k % 3], status,
                             report.warnings.list[i].text);
        }
        gt_arena_free(&arena);
    }
}

/* A tank that runs dry: h' = -sqrt(max(h,0)), h = (1 - t/2)^2. The formula held, sqrt(h), is not
 * defined below 0, and the level comes there without crossing: steps became shorter until the run
 * ended with "NaN or Inf", with every method. */
static gt_status tank(double t, const double *x, double *dx, void *ctx)
{
    (void)t;
    dx[0] = sign_by(ctx, 0, x[0]) > 0 ? -sqrt(x[0]) : 0;
    return GT_OK;
}
static gt_status tank_jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    (void)t;
    J->values[0] = sign_by(ctx, 0, x[0]) > 0 ? -0.5 / sqrt(x[0]) : 0;
    return GT_OK;
}
static gt_status tank_switches(double t, const double *x, double *g, void *ctx)
{
    (void)t, (void)ctx;
    g[0] = x[0];
    return GT_OK;
}
static void a_tank_runs_dry(void **state)
{
    (void)state;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        gt_facts facts = gt_method_facts(*m, gt_params_default((*m)->options).v);
        if (!facts.error_order || facts.functions || facts.flags & GT_NEEDS_PARTITION) continue;
        for (int k = 0; k < 3; k++) {
            relations w = {0};
            double rtol = pow(10, -3 * (k + 1)), x[1] = {1};
            const double x0[1] = {1};
            gt_problem p = {.n_slow = 1,
                            .rhs = tank,
                            .jac = tank_jac,
                            .x0 = x0,
                            .t1 = 4,
                            .ctx = &w,
                            .autonomous = true,
                            .n_switches = 1,
                            .switches = tank_switches,
                            .set_sides = set_sides};
            gt_plan plan = {.rtol = rtol, .max_steps = 20000, .x_end = x};
            gt_report report;
            gt_status status = gt_solve(&p, *m, &plan, &report);
            if (status == GT_UNSUPPORTED || status == GT_CANNOT_SLIDE ||
                (status == GT_TOO_MANY_STEPS && facts.order < 4))
                continue;
            if (status) fail_msg("%s at rtol %g: %s", (*m)->name, rtol, report.message.text);
            if (report.warnings.count) fail_msg("%s: %s", (*m)->name, report.warnings.list[0].text);
            assert_within(x[0], 0, 10 * rtol, (*m)->name);
            assert_null(w.side);
        }
    }
}

/* The motion on a surface is made of dg/dt; where that was wrong by 1e-10 its Jacobian was by 1e-3,
 * and a method that relies on it lost its order: 30 times the steps for four digits more, where
 * order 4 asks for 10. */
static void sliding_keeps_the_order(void **state)
{
    (void)state;
    long steps[2];
    for (int k = 0; k < 2; k++) {
        relations w = {0};
        const double x0[2] = {0, 0};
        gt_problem p = {.n_slow = 2,
                        .rhs = belt,
                        .x0 = x0,
                        .t1 = 30,
                        .ctx = &w,
                        .autonomous = true,
                        .n_switches = 2,
                        .switches = belt_switches,
                        .set_sides = set_sides};
        gt_plan plan = {.rtol = k ? 1e-10 : 1e-6, .max_steps = 50000};
        gt_report report;
        gt_status status = gt_solve(&p, gt_method_find("rodas4"), &plan, &report);
        if (status) fail_msg("%s", report.message.text);
        steps[k] = report.stats.steps;
    }
    if (!(steps[1] < 20 * steps[0]))
        fail_msg("%ld steps at 1e-6, %ld at 1e-10", steps[0], steps[1]);
}

/* x' = -2 sign(x - sin t) slides along sin t, and its only state is 0 at every half turn. */
static gt_status relay(double t, const double *x, double *dx, void *ctx)
{
    dx[0] = -2 * sign_by(ctx, 0, x[0] - sin(t));
    return GT_OK;
}
static gt_status relay_switches(double t, const double *x, double *g, void *ctx)
{
    (void)ctx;
    g[0] = x[0] - sin(t);
    return GT_OK;
}

/* dg/dt by differences over a time that went to 0 with the states was round-off there, and gear,
 * auto and radau gave up. */
static void what_slides_through_zero_goes_on(void **state)
{
    (void)state;
    static const char *const names[] = {"gear", "dopri5", "dop853", "radau"};
    for (size_t m = 0; m < 4; m++) {
        for (int k = 0; k < 3; k++) {
            relations w = {0};
            double x0 = 2, x, rtol = k == 0 ? 1e-6 : k == 1 ? 1e-9 : 1e-10;
            gt_problem p = {.n_slow = 1,
                            .rhs = relay,
                            .x0 = &x0,
                            .t1 = 10,
                            .ctx = &w,
                            .n_switches = 1,
                            .switches = relay_switches,
                            .set_sides = set_sides};
            gt_plan plan = {.rtol = rtol, .max_steps = 2000, .x_end = &x};
            gt_report report;
            gt_status status = gt_solve(&p, gt_method_find(names[m]), &plan, &report);
            if (status) fail_msg("%s at rtol %g: %s", names[m], rtol, report.message.text);
            assert_within(x, sin(10), 10 * rtol, names[m]);
        }
    }
}

/* y' = 1 + 1/(x - y), x' = 1: x - y = sqrt(1 - 2 t) ends at 1/2, and a loose tolerance lets a run
 * go to and fro across the pole to t1. x' = cos t - 1e-4/x passes near its pole every 2 pi. */
static gt_status ends_in_the_middle(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = 1;
    dx[1] = 1 + 1 / (x[0] - x[1]);
    return GT_OK;
}
static gt_status turns_before(double t, const double *x, double *dx, void *ctx)
{
    (void)ctx;
    dx[0] = cos(t) - 1e-4 / x[0];
    dx[1] = 0;
    return GT_OK;
}

static void a_pole_that_is_crossed_without_end_is_reported(void **state)
{
    (void)state;
    static const char *const names[] = {"dopri5", "rkf45", "dop853", "bs32", "gear"};
    static const double rtols[] = {3e-3, 1e-3, 1e-4, 1e-6};
    for (size_t k = 0; k < 20; k++) {
        const char *name = names[k / 4];
        const double start[2] = {1, 0}, above[2] = {1.06, 0};
        gt_problem p = {.n_slow = 2, .rhs = ends_in_the_middle, .x0 = start, .t1 = 1};
        gt_plan plan = {.rtol = rtols[k % 4], .max_steps = 100000};
        gt_report report;
        gt_status status = gt_solve(&p, gt_method_find(name), &plan, &report);
        if (!status && !report.warnings.count) fail_msg("%s at %g in silence", name, plan.rtol);
        p = (gt_problem){.n_slow = 2, .rhs = turns_before, .x0 = above, .t1 = 40};
        status = gt_solve(&p, gt_method_find(name), &plan, &report);
        if (status) fail_msg("%s at %g: %s", name, plan.rtol, report.message.text);
        if (report.warnings.count)
            fail_msg("%s at %g: %s", name, plan.rtol, report.warnings.list[0].text);
    }
}

/* An integrator that stops at +-1: x rests on a surface but for round-off, while another relation,
 * of t, turns twice. Where the round-off was taken for a crossing, what t did in that step was not
 * looked at, and gear stood at 1 for a whole turn; or went on in steps of 1e-13. */
static gt_status stopped(double t, const double *x, double *dx, void *ctx)
{
    double u = 2 * cos(t);
    bool above = sign_by(ctx, 0, x[0] - 1) > 0, rises = sign_by(ctx, 1, u) > 0,
         below = sign_by(ctx, 2, -1 - x[0]) > 0;
    dx[0] = (above && rises) || (below && !rises) ? 0 : u;
    return GT_OK;
}
static gt_status stopped_switches(double t, const double *x, double *g, void *ctx)
{
    (void)ctx;
    g[0] = x[0] - 1;
    g[1] = 2 * cos(t);
    g[2] = -1 - x[0];
    return GT_OK;
}

static void what_rests_on_a_surface_lets_go(void **state)
{
    (void)state;
    static const char *const names[] = {"gear", "dopri5", "dop853", "radau"};
    /* 2 sin t up to 1, down from it after pi/2, up from -1 after 3 pi/2, and so on */
    const double exact = -(1 + 2 * (cos(12 - 3.5 * GT_PI) - 1));
    for (size_t m = 0; m < 4; m++)
        for (double rtol = 1e-2; rtol > 1e-7; rtol *= m ? 0.7 : 0.97) {
            relations w = {0};
            double x0 = 0, x;
            gt_problem p = {.n_slow = 1,
                            .rhs = stopped,
                            .x0 = &x0,
                            .t1 = 12,
                            .ctx = &w,
                            .n_switches = 3,
                            .switches = stopped_switches,
                            .set_sides = set_sides};
            gt_plan plan = {.rtol = rtol, .max_steps = 5000, .x_end = &x};
            gt_report report;
            gt_status status = gt_solve(&p, gt_method_find(names[m]), &plan, &report);
            if (status) fail_msg("%s at rtol %g: %s", names[m], rtol, report.message.text);
            if (!(fabs(x - exact) <= 300 * rtol))
                fail_msg("%s at rtol %g: off by %g", names[m], rtol, x - exact);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tank_runs_dry),
        cmocka_unit_test(sliding_keeps_the_order),
        cmocka_unit_test(what_slides_through_zero_goes_on),
        cmocka_unit_test(what_rests_on_a_surface_lets_go),
        cmocka_unit_test(a_pole_that_is_crossed_without_end_is_reported),
        cmocka_unit_test(what_is_never_met_costs_no_evaluation),
        cmocka_unit_test(what_was_far_is_found_when_it_comes),
        cmocka_unit_test(many_relations_are_located_one_by_one),
        cmocka_unit_test(cells_that_switch_all_the_time_are_stepped_over),
        cmocka_unit_test(a_wave_of_kinks_keeps_its_error),
        cmocka_unit_test(levels_passed_without_end_are_stepped_over),
        cmocka_unit_test(a_jump_that_is_crossed_without_end_is_reported),
        cmocka_unit_test(a_jump_that_is_crossed_once_is_no_chatter),
        cmocka_unit_test(a_window_is_no_chatter),
        cmocka_unit_test(jumps_at_known_times_are_no_chatter),
        cmocka_unit_test(a_jump_of_f_is_not_passed_in_silence),
        cmocka_unit_test(what_is_stiff_does_not_jump),
        cmocka_unit_test(smooth_models_do_not_jump),
        cmocka_unit_test(a_block_on_a_belt_sticks_and_slips),
        cmocka_unit_test(a_jump_is_crossed_at_its_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
