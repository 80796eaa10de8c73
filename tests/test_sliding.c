/* SPDX-License-Identifier: BSD-3-Clause */
/* Sliding on several surfaces at once. */
#include "methods_kit.h"

/* What a model with switches keeps: the sides that are held, and how many blocks there are. */
typedef struct relations {
    const signed char *side;
    size_t count;
} relations;

static void set_sides(const signed char *side, void *ctx) { ((relations *)ctx)->side = side; }

static double sign_by(const relations *w, size_t k, double g)
{
    int side = w->side ? w->side[k] : 0;
    return side ? side : g > 0 ? 1 : g < 0 ? -1 : 0;
}

/* g_k = x_k */
static gt_status states(double t, const double *x, double *g, void *ctx)
{
    (void)t;
    memcpy(g, x, ((relations *)ctx)->count * sizeof *g);
    return GT_OK;
}

static void name_state(size_t i, char *buffer, size_t room, void *ctx)
{
    (void)ctx;
    snprintf(buffer, room, "sign(%c)", "xyz"[i]);
}

static const char *const methods[] = {NULL,     "dopri5",      "dop853", "gear",
                                      "rodas4", "trapezoidal", "exprb43"};
enum { METHODS = sizeof methods / sizeof *methods };

/* A plan for it; the first one is auto. */
static const gt_method *method_of(size_t k, gt_plan *plan)
{
    if (!methods[k]) plan->pilot = &gt_auto;
    return methods[k] ? gt_method_find(methods[k]) : NULL;
}

static const char *name_of(size_t k) { return methods[k] ? methods[k] : "auto"; }

/* Values at given times. */
typedef struct row_sink {
    gt_sink sink;
    size_t n, rows;
    double *to;
} row_sink;

static gt_status keep_row(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    row_sink *w = self->ctx;
    (void)message;
    memcpy(w->to + w->rows++ * w->n, sample->x, w->n * sizeof *w->to);
    return GT_OK;
}

static gt_report solve_at(const gt_problem *p, size_t k, double rtol, const double *times,
                          size_t count, double *rows)
{
    row_sink to = {
        .sink = {.wants = GT_AT_OUTPUT, .write = keep_row}, .n = gt_problem_size(p), .to = rows};
    to.sink.ctx = &to;
    gt_sink *sinks[] = {&to.sink};
    gt_plan plan = {.rtol = rtol,
                    .times = times,
                    .n_times = count,
                    .sinks = sinks,
                    .n_sinks = 1,
                    .max_steps = 100000};
    gt_report report;
    gt_status status = gt_solve(p, method_of(k, &plan), &plan, &report);
    if (status) fail_msg("%s: %s", name_of(k), report.message.text);
    assert_int_equal(to.rows, count);
    return report;
}

/* ---- relays: f is constant between the surfaces ---- */

/* x' = -sign x + .3 sign y, y' = -sign y - .2 sign x */
static gt_status relays(double t, const double *x, double *dx, void *ctx)
{
    double a = sign_by(ctx, 0, x[0]), b = sign_by(ctx, 1, x[1]);
    (void)t;
    dx[0] = -a + 0.3 * b;
    dx[1] = -b - 0.2 * a;
    return GT_OK;
}

/* x' = -sign x + 2 sign y, y' = -2 sign x - sign y: around the origin into it, a ninth as far in
 * each half turn, */
static gt_status winding(double t, const double *x, double *dx, void *ctx)
{
    double a = sign_by(ctx, 0, x[0]), b = sign_by(ctx, 1, x[1]);
    (void)t;
    dx[0] = -a + 2 * b;
    dx[1] = -2 * a - b;
    return GT_OK;
}

static void two_relays_come_to_rest_one_after_the_other(void **state)
{
    (void)state;
    static const double x0[2] = {0.5, 0.7}, times[] = {0.5, 0.6, 1};
    /* y is 0 at 7/12; it stays there with sign y = -.2, so that x' = -1.06. */
    const double wanted[3][2] = {
        {0.15, 0.1}, {0.5 - 0.7 * 7 / 12 - 1.06 * (0.6 - 7.0 / 12), 0}, {0, 0}};
    for (size_t k = 0; k < METHODS; k++) {
        relations w = {.count = 2};
        gt_problem p = {
            .n_slow = 2, .rhs = relays, .x0 = x0, .t1 = 1, .ctx = &w, .autonomous = true};
        p.n_switches = 2, p.switches = states, p.set_sides = set_sides;
        double rows[3][2];
        gt_report report = solve_at(&p, k, 1e-6, times, 3, rows[0]);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 2; j++) assert_within(rows[i][j], wanted[i][j], 1e-9, name_of(k));
        assert_int_equal(report.stats.switches, 2);
        assert_true(report.stats.steps < 200);
    }
}

static void two_relays_wind_themselves_into_their_corner(void **state)
{
    (void)state;
    static const double x0[2] = {0.3, 1}, times[] = {0.25, 0.7, 4};
    for (size_t k = 0; k < METHODS; k++) {
        relations w = {.count = 2};
        gt_problem p = {
            .n_slow = 2, .rhs = winding, .x0 = x0, .t1 = 4, .ctx = &w, .autonomous = true};
        p.n_switches = 2, p.switches = states, p.set_sides = set_sides;
        double rows[3][2];
        gt_report report = solve_at(&p, k, 1e-6, times, 3, rows[0]);
        assert_within(rows[0][0], 0.55, 1e-9, name_of(k));
        for (int i = 1; i < 3; i++)
            for (int j = 0; j < 2; j++) assert_within(rows[i][j], 0, 1e-9, name_of(k));
        assert_true(report.stats.steps < 1000);
    }
}

/* ---- a dozen blocks on a table that is shaken: v_k' = cos(t) - c_k sign(v_k) ---- */

enum { BLOCKS = 12 };

static double friction(size_t k) { return 0.35 + 0.06 * (double)k; }

static gt_status shaken(double t, const double *x, double *dx, void *ctx)
{
    for (size_t k = 0; k < BLOCKS; k++) dx[k] = cos(t) - friction(k) * sign_by(ctx, k, x[k]);
    return GT_OK;
}

/* The speed at t of one that is at rest at pi/2: it moves from where |cos| is c, until its speed is
 * 0 again, sticks there if |cos| < c, and so on. */
static double speed(double c, double t)
{
    const double pi = acos(-1);
    double from = pi - acos(c), side = -1; /* cos(from) = -c */
    while (from < t) {
        /* v(s) = sin(s) - sin(from) - side c (s - from), the sign of side until it is 0 */
        double low = from + 1e-3, high = from + 1e-3;
        while (side * (sin(high) - sin(from) - side * c * (high - from)) > 0)
            low = high, high += 1e-3;
        for (int i = 0; i < 60; i++) {
            double s = 0.5 * (low + high);
            if (side * (sin(s) - sin(from) - side * c * (s - from)) > 0)
                low = s;
            else
                high = s;
        }
        if (t < low) return sin(t) - sin(from) - side * c * (t - from);
        from = low;
        if (fabs(cos(from)) > c) {
            side = cos(from) > 0 ? 1 : -1;
            continue;
        }
        side = -side;
        double next = side > 0 ? 2 * pi - acos(c) : pi - acos(c);
        while (next < from) next += 2 * pi;
        from = next;
    }
    return 0;
}

static void a_dozen_blocks_stick_and_slip(void **state)
{
    (void)state;
    static const double x0[BLOCKS] = {0};
    double times[40], rows[40][BLOCKS];
    int stuck = 0;
    for (int i = 0; i < 40; i++) times[i] = acos(0) + 0.5 * (i + 1);
    for (size_t k = 0; k < 4; k++) {
        relations w = {.count = BLOCKS};
        gt_problem p = {
            .n_slow = BLOCKS, .rhs = shaken, .x0 = x0, .t0 = acos(0), .t1 = times[39], .ctx = &w};
        p.n_switches = BLOCKS, p.switches = states, p.set_sides = set_sides;
        solve_at(&p, k, 1e-7, times, 40, rows[0]);
        for (int i = 0; i < 40; i++) {
            int held = 0;
            for (size_t j = 0; j < BLOCKS; j++) {
                double v = speed(friction(j), times[i]);
                assert_within(rows[i][j], v, 1e-5, name_of(k));
                held += v == 0;
            }
            if (held > stuck) stuck = held;
        }
    }
    assert_true(stuck > 8);
}

/* ---- mechanics; the figures are of SciPy's DOP853 at rtol 1e-12, from one change of mode to the
 * next ---- */

/* Two blocks on one belt of speed 1 with friction that falls with the speed, coupled by a spring.
 */
static gt_status two_blocks(double t, const double *x, double *dx, void *ctx)
{
    double a = x[1] - 1, b = x[3] - 1, spring = 2 * (x[0] - x[2]);
    (void)t;
    dx[0] = x[1];
    dx[1] = -x[0] - spring - sign_by(ctx, 0, a) / (1 + 3 * fabs(a));
    dx[2] = x[3];
    dx[3] = (-x[2] + spring - 1.4 * sign_by(ctx, 1, b) / (1 + 3 * fabs(b))) / 1.5;
    return GT_OK;
}
static gt_status belt_speeds(double t, const double *x, double *g, void *ctx)
{
    (void)t, (void)ctx;
    g[0] = x[1] - 1;
    g[1] = x[3] - 1;
    return GT_OK;
}

/* A block of .5 kg on one of 1 kg on the ground, which 8 sin(2t) N shakes, from rest. */
static gt_status stack(double t, const double *x, double *dx, void *ctx)
{
    double ground = 0.2 * 1.5 * 9.81 * sign_by(ctx, 0, x[1]),
           between = 0.3 * 0.5 * 9.81 * sign_by(ctx, 1, x[3] - x[1]);
    dx[0] = x[1];
    dx[1] = 8 * sin(2 * t) - ground + between;
    dx[2] = x[3];
    dx[3] = -between / 0.5;
    return GT_OK;
}
static gt_status stack_speeds(double t, const double *x, double *g, void *ctx)
{
    (void)t, (void)ctx;
    g[0] = x[1];
    g[1] = x[3] - x[1];
    return GT_OK;
}

static void compare_at_end(const gt_problem *p, relations *w, const double wanted[4])
{
    static const double rtol[] = {1e-6, 1e-9};
    for (size_t k = 0; k < 5; k++) {
        for (int i = 0; i < 2; i++) {
            double end[4];
            w->side = NULL;
            gt_report report = solve_at(p, k, rtol[i], &p->t1, 1, end);
            for (int j = 0; j < 4; j++)
                assert_within(end[j], wanted[j], i ? 1e-6 : 1e-3, name_of(k));
            if (!i) assert_true(report.stats.steps < 4000);
            assert_null(w->side);
        }
    }
}

static void two_blocks_on_a_belt_stick_one_by_one_and_together(void **state)
{
    (void)state;
    static const double x0[4] = {0.5, 0, -0.3, 0},
                        wanted[4] = {-0.14923523, 1.16710851, 0.89063592, -0.49012455};
    relations w = {.count = 2};
    gt_problem p = {
        .n_slow = 4, .rhs = two_blocks, .x0 = x0, .t1 = 30, .ctx = &w, .autonomous = true};
    p.n_switches = 2, p.switches = belt_speeds, p.set_sides = set_sides;
    compare_at_end(&p, &w, wanted);
}

static void a_block_on_a_block_is_taken_along(void **state)
{
    (void)state;
    static const double x0[4] = {0}, wanted[4] = {1.84137942, 2.11896353, 2.61216698, 1.39846457};
    relations w = {.count = 2};
    gt_problem p = {.n_slow = 4, .rhs = stack, .x0 = x0, .t1 = 20, .ctx = &w};
    p.n_switches = 2, p.switches = stack_speeds, p.set_sides = set_sides;
    compare_at_end(&p, &w, wanted);
}

/* ---- relations that share a surface ---- */

/* Friction written with two relations, v > 1 and v < 1, and once more in the equation of w; and
 * with one sign. */
static gt_status twice(double t, const double *x, double *dx, void *ctx)
{
    const relations *w = ctx;
    double v = x[1] - 1, above = sign_by(w, 0, v),
           below = w->count > 1 ? sign_by(w, 1, -3 * v) : -above;
    double force = above > 0   ? -0.5
                   : below > 0 ? 0.5
                               : 0,
           again = w->count > 1 ? sign_by(w, 2, 2 * v) : above;
    (void)t;
    dx[0] = x[1];
    dx[1] = -x[0] + force;
    dx[2] = -x[2] + again;
    return GT_OK;
}
static gt_status same_speed(double t, const double *x, double *g, void *ctx)
{
    double v = x[1] - 1;
    (void)t;
    g[0] = v;
    if (((relations *)ctx)->count > 1) g[1] = -3 * v, g[2] = 2 * v;
    return GT_OK;
}

static void relations_that_share_a_surface_are_one(void **state)
{
    (void)state;
    static const double x0[3] = {1, -2, 0}, times[] = {1, 3, 7, 8, 9, 15, 20};
    for (size_t k = 0; k < METHODS; k++) {
        double rows[2][7][3];
        for (size_t many = 0; many < 2; many++) {
            relations w = {.count = many ? 3 : 1};
            gt_problem p = {
                .n_slow = 3, .rhs = twice, .x0 = x0, .t1 = 20, .ctx = &w, .autonomous = true};
            p.n_switches = w.count, p.switches = same_speed, p.set_sides = set_sides;
            solve_at(&p, k, 1e-8, times, 7, rows[many][0]);
        }
        for (int i = 0; i < 7; i++)
            for (int j = 0; j < 3; j++)
                assert_within(rows[1][i][j], rows[0][i][j], 1e-5, name_of(k));
    }
}

/* ---- f that is not a sum ---- */

/* Sliding on y, where sign y is .5, and .5/3 once x is above 1, which it crosses: the jumps do not
 * superpose. */
static gt_status steered(double t, const double *x, double *dx, void *ctx)
{
    double a = sign_by(ctx, 0, x[0] - 1), b = sign_by(ctx, 1, x[1]);
    (void)t;
    dx[0] = 1;
    dx[1] = 0.5 - b * (2 + a);
    dx[2] = b;
    return GT_OK;
}
static gt_status steered_by(double t, const double *x, double *g, void *ctx)
{
    (void)t, (void)ctx;
    g[0] = x[0] - 1;
    g[1] = x[1];
    return GT_OK;
}

static void a_surface_is_crossed_while_another_one_holds(void **state)
{
    (void)state;
    static const double x0[3] = {0}, times[] = {1, 2};
    for (size_t k = 0; k < METHODS; k++) {
        relations w = {.count = 2};
        gt_problem p = {
            .n_slow = 3, .rhs = steered, .x0 = x0, .t1 = 2, .ctx = &w, .autonomous = true};
        p.n_switches = 2, p.switches = steered_by, p.set_sides = set_sides;
        double rows[2][3];
        solve_at(&p, k, 1e-6, times, 2, rows[0]);
        for (int i = 0; i < 2; i++) {
            assert_within(rows[i][1], 0, 1e-9, name_of(k));
            assert_within(rows[i][2], i ? 0.5 + 0.5 / 3 : 0.5, 1e-8, name_of(k));
        }
    }
}

/* Relays whose product z sees: on both surfaces z' may be anything between -1 and 1. */
static gt_status product(double t, const double *x, double *dx, void *ctx)
{
    double a = sign_by(ctx, 0, x[0]), b = sign_by(ctx, 1, x[1]);
    (void)t;
    dx[0] = -a;
    dx[1] = -b;
    dx[2] = a * b;
    return GT_OK;
}

static void what_has_more_than_one_continuation_ends_with_a_message(void **state)
{
    (void)state;
    static const double x0[3] = {1, 0.5, 0};
    static const char *const names[] = {"x", "y", "z"};
    for (size_t k = 0; k < METHODS; k++) {
        relations w = {.count = 2};
        gt_problem p = {.n_slow = 3,
                        .rhs = product,
                        .x0 = x0,
                        .t1 = 3,
                        .ctx = &w,
                        .autonomous = true,
                        .names = names};
        p.n_switches = 2, p.switches = states, p.set_sides = set_sides, p.switch_name = name_state;
        gt_report report;
        gt_plan plan = {.rtol = 1e-6};
        assert_int_equal(gt_solve(&p, method_of(k, &plan), &plan, &report), GT_CANNOT_SLIDE);
        assert_within(report.t, 1, 1e-9, name_of(k));
        static const char *const said[] = {"sign(y) = 0 by the equation of y, z",
                                           "sign(x) = 0 by that of x, z"};
        for (size_t i = 0; i < 2; i++)
            if (!strstr(report.message.text, said[i]))
                fail_msg("%s: %s", name_of(k), report.message.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_relays_come_to_rest_one_after_the_other),
        cmocka_unit_test(two_relays_wind_themselves_into_their_corner),
        cmocka_unit_test(a_dozen_blocks_stick_and_slip),
        cmocka_unit_test(two_blocks_on_a_belt_stick_one_by_one_and_together),
        cmocka_unit_test(a_block_on_a_block_is_taken_along),
        cmocka_unit_test(relations_that_share_a_surface_are_one),
        cmocka_unit_test(a_surface_is_crossed_while_another_one_holds),
        cmocka_unit_test(what_has_more_than_one_continuation_ends_with_a_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
