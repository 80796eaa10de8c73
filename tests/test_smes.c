/* SPDX-License-Identifier: BSD-3-Clause */
/* The automatic scheme: its parts (modes, small steps, Chebyshev steps) and what it does on stiff
 * problems. */
#include "kit/chebyshev_rk.h"
#include "kit/small_steps.h"
#include "methods_kit.h"
#include <complex.h>
#include <limits.h>

/* ---- parts ---- */

static bool make_steps(gt_small_steps *d, double *tau, double low, double high, double factor)
{
    static double e[GT_MOST_SMALL_STEPS];
    gt_fast_part part = {.kind = GT_FAST_REAL,
                         .low = low,
                         .high = high,
                         .count = 1,
                         .cluster = {{.low = low, .high = high, .zeta = 1}}};
    *d = (gt_small_steps){.tau = tau, .e = e};
    return gt_small_steps_make(d, &part, factor * high);
}

/* |prod (1 - tau u)| over the interval is the factor asked for, with the fewest steps that do it;
 * and no part of the product, in the order of the steps, is large. */
static void small_steps_damp_the_interval(void **state)
{
    (void)state;
    static const double cases[][2] = {{1, 1e-4}, {3, 1e-6}, {10, 1e-2}, {100, 1e-8}, {1000, 1e-6}};
    double tau[GT_MOST_SMALL_STEPS];
    for (size_t c = 0; c < 5; c++) {
        gt_small_steps d;
        double spread = cases[c][0], factor = cases[c][1], most = 0, partial = 0, total = 0;
        if (!make_steps(&d, tau, 1e6 * (1 - 1e-9), spread * 1e6 * (1 + 1e-9), factor))
            fail_msg("too many steps");
        for (int i = 0; i <= 2000; i++) {
            double u = 1e6 * pow(spread, i / 2000.0), product = 1;
            for (int j = 0; j < d.count; j++) {
                product *= 1 - tau[j] * u;
                partial = fmax(partial, fabs(product));
            }
            most = fmax(most, fabs(product));
        }
        for (int j = 0; j < d.count; j++) total += tau[j];
        assert_true(most <= factor * (1 + 1e-6));
        assert_true(fabs(total - d.total) < 1e-12 * total);
        if (!(partial < 2 * spread + 2))
            fail_msg("spread %g: a part of the product reaches %g", spread, partial);
        if (d.count > 1) { /* one step less is not enough: least is 1/T_(K-1) */
            double w0 = (spread + 1) / (spread - 1);
            if (spread > 1) assert_true(1 / cosh((d.count - 1) * acosh(w0)) > factor);
        }
    }
    gt_small_steps d;
    if (make_steps(&d, tau, 1, 1e6, 1e-8)) fail_msg("thousands of small steps were to be refused");
}

/* What a small step multiplies a mode lambda by. */
static double complex factor_of(const gt_small_steps *d, int j, double complex lambda)
{
    return 1 + d->tau[j] * lambda + d->e[j] * d->e[j] * lambda * lambda;
}

/* Clusters of all kinds, real and swinging, near to each other and decades apart: at the end as
 * little is left of each mode as was asked for, wherever in its cluster it lies, and on the way
 * none grows beyond what the steps of its own cluster do. */
static void nested_small_steps_damp_all_clusters(void **state)
{
    (void)state;
    static const gt_cluster rows[][4] = {
        {{1e8 * (1 - 1e-6), 1e8 * (1 + 1e-6), 1, 0}, {999, 1001, 1, 0}},
        {{1e8, 1.3e8, 1, 0}, {0.99e6, 1.01e6, 1, 0}, {9e3, 1.2e4, 1, 0}, {98, 102, 1, 0}},
        {{0.999e6, 1.001e6, 0.1, 0}},
        {{0.999e6, 1.001e6, 0.7, 0}, {0.99e5, 1.01e5, 0.3, 0}, {999, 1001, 1, 0}},
        {{0.999e6, 1.001e6, 1, 0}, {0.998e6, 1.0e6, 0.3, 0}, {0.5e6, 0.55e6, 0.2, 0}},
    };
    double tau[GT_MOST_SMALL_STEPS], e[GT_MOST_SMALL_STEPS];
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        gt_small_steps d = {.tau = tau, .e = e};
        gt_fast_part part = {.kind = GT_FAST_DAMPED};
        for (int c = 0; c < 4 && rows[r][c].high > 0; c++) {
            gt_cluster *k = &part.cluster[part.count++];
            *k = rows[r][c];
            double off = (k->high - k->low) / (k->high + k->low),
                   swing = sqrt(1 - k->zeta * k->zeta);
            k->contraction = off * (2 * swing + off);
        }
        if (!gt_small_steps_make(&d, &part, 0.1)) fail_msg("row %zu: too many", r);
        double time = 0;
        int calls = 0;
        for (int j = 0; j < d.count; j++) time += tau[j], calls += e[j] > 0 ? 2 : 1;
        assert_true(fabs(time - d.total) < 1e-12 * time && calls == d.calls);
        for (int c = 0; c < part.count; c++)
            for (int at = -4; at <= 4; at++) {
                const gt_cluster *k = &part.cluster[c];
                double size = (k->low + k->high) / 2 + at / 4.0 * (k->high - k->low) / 2;
                double complex lambda = size * (-k->zeta + I * sqrt(1 - k->zeta * k->zeta)),
                               left = 1;
                double largest = 1;
                for (int j = 0; j < d.count; j++) {
                    left *= factor_of(&d, j, lambda);
                    largest = fmax(largest, cabs(left));
                }
                if (!(cabs(left) <= 0.1 / size * (1 + 1e-6)) || !(largest < 3))
                    fail_msg("row %zu, lambda %g: %g left, up to %g", r, size, cabs(left), largest);
            }
    }
}

typedef struct diagonal {
    int n;
    double re[8], im; /* the first two are a pair when im is not 0 */
} diagonal;

static gt_status diagonal_rhs(double t, const double *x, double *dx, void *ctx)
{
    const diagonal *d = ctx;
    (void)t;
    for (int i = 0; i < d->n; i++) dx[i] = d->re[i] * x[i];
    if (d->im != 0) dx[0] -= d->im * x[1], dx[1] += d->im * x[0];
    return GT_OK;
}

static void modes_of(diagonal *d, gt_fast_modes *m, gt_arena *arena)
{
    static double x0[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    double f[8];
    gt_problem p = {.n_slow = (size_t)d->n, .rhs = diagonal_rhs, .x0 = x0, .t1 = 1, .ctx = d};
    bench_top b = {.problem = p};
    bind_method(&b, gt_method_find("euler"), NULL);
    gt_fast_modes_layout(m, (size_t)d->n, arena);
    diagonal_rhs(0, x0, f, d);
    assert_int_equal(gt_fast_modes_find(m, &b.s, 0, x0, f), GT_OK);
    gt_stepper_free(&b.s);
    free(b.memory);
}

static void fast_modes_are_found(void **state)
{
    (void)state;
    gt_arena arena = gt_arena_growing();
    gt_fast_modes m = {0};
    diagonal cluster = {.n = 6, .re = {-1e6, -1e6, -1e6, -1e6, -1, -2}};
    modes_of(&cluster, &m, &arena);
    assert_true(m.settled == true);
    assert_true(fabs(m.re[0] + 1e6) < 1 && m.im[0] == 0);
    gt_fast_part part = gt_fast_part_of(&m, 100, 0);
    assert_int_equal(part.kind, GT_FAST_REAL);
    assert_true(part.high / part.low < 1 + 1e-5);
    assert_int_equal(gt_fast_part_of(&m, 1e7, 0).kind, GT_FAST_NONE);

    diagonal spread = {.n = 5, .re = {-1e3, -1e4, -1e5, -1e6, -1}};
    modes_of(&spread, &m, &arena);
    part = gt_fast_part_of(&m, 100, 0);
    assert_true(fabs(part.low - 1e3) < 10 && fabs(part.high - 1e6) < 10 && part.count == 4);

    diagonal damped = {.n = 4, .re = {-8e5, -8e5, -1, -2}, .im = 6e5};
    modes_of(&damped, &m, &arena);
    part = gt_fast_part_of(&m, 100, 0);
    assert_int_equal(part.kind, GT_FAST_DAMPED);
    assert_true(part.count == 1 && fabs(part.cluster[0].zeta - 0.8) < 1e-4 &&
                part.cluster[0].contraction < 1e-4);

    diagonal swinging = {.n = 4, .re = {-1e5, -1e5, -1, -2}, .im = 1e6};
    modes_of(&swinging, &m, &arena);
    assert_int_equal(gt_fast_part_of(&m, 100, 0).kind, GT_FAST_OSCILLATING);
    gt_arena_free(&arena);
}

static gt_status prothero(double t, const double *x, double *dx, void *ctx)
{
    double lambda = *(double *)ctx;
    dx[0] = lambda * (x[0] - cos(t)) - sin(t);
    return GT_OK;
}

/* Order 2, and stable as far as the number of stages says. */
static void chebyshev_steps(void **state)
{
    (void)state;
    double lambda = -1, x0[1] = {1}, a[1], b[1], h[6], error[6], fresh[1];
    gt_problem p = {.n_slow = 1, .rhs = prothero, .x0 = x0, .t1 = 1, .ctx = &lambda};
    bench_top top = {.problem = p};
    bind_method(&top, gt_method_find("euler"), NULL);
    gt_stepper *s = &top.s;
    for (int i = 0, steps = 10; i < 6; i++, steps *= 2) {
        h[i] = 1.0 / steps;
        gt_stepper_start(s, 0, x0);
        for (int k = 0; k < steps; k++) {
            assert_int_equal(gt_slope(s), GT_OK);
            assert_int_equal(gt_chebyshev_step(s, 5, h[i], s->x, fresh, NULL, a, b), GT_OK);
            gt_stepper_start(s, (k + 1) * h[i], fresh);
        }
        error[i] = fabs(fresh[0] - cos(1));
    }
    assert_true(fabs(slope_of(h, error, 6, 1e-14) - 2) < 0.2);
    for (double radius = 10; radius < 1e5; radius *= 7) {
        int stages = (int)gt_chebyshev_stages(1, radius);
        for (lambda = -radius; lambda < -0.5; lambda *= 0.9) {
            gt_stepper_start(s, 0, (double[]){2});
            s->t = 0;
            assert_int_equal(gt_slope(s), GT_OK);
            assert_int_equal(gt_chebyshev_step(s, stages, 1, (double[]){2}, fresh, NULL, a, b),
                             GT_OK);
            double one = fresh[0];
            gt_stepper_start(s, 0, (double[]){1});
            assert_int_equal(gt_slope(s), GT_OK);
            assert_int_equal(gt_chebyshev_step(s, stages, 1, (double[]){1}, fresh, NULL, a, b),
                             GT_OK);
            if (!(fabs(one - fresh[0]) < 1))
                fail_msg("radius %g, lambda %g: %g", radius, lambda, one - fresh[0]);
        }
    }
    gt_stepper_free(s);
    free(top.memory);
}

/* ---- runs ---- */

typedef struct outcome {
    gt_status status;
    gt_report report;
    double error; /* of the end, against gear at 1e-11, max |e| / (1 + |x|) */
} outcome;

static outcome run(const char *model, const char *params, const char *options, double tol)
{
    bench_top b;
    outcome out = {0};
    build(&b, model, params);
    size_t n = gt_problem_size(&b.problem);
    double *x = malloc(2 * n * sizeof *x), *wanted = x + n;
    gt_plan plan = {.rtol = tol, .atol = tol, .options = options, .x_end = x},
            tight = {.rtol = 1e-11, .x_end = wanted};
    tight.atol = 1e-13;
    out.status = gt_solve(&b.problem, gt_method_find("smes"), &plan, &out.report);
    assert_int_equal(gt_solve(&b.problem, gt_method_find("gear"), &tight, NULL), GT_OK);
    for (size_t i = 0; i < n; i++)
        out.error = fmax(out.error, fabs(x[i] - wanted[i]) / (1 + fabs(wanted[i])));
    free(x);
    gt_arena_free(&b.arena);
    return out;
}

/* From eps = 1e-3 to 1e-9 the fast rate grows a million times. An explicit method would make a
 * million times the calls; log(1/eps) grows threefold. */
static void calls_do_not_grow_with_the_fast_rate(void **state)
{
    (void)state;
    static const char *const eps[] = {"eps=1e-3", "eps=1e-4", "eps=1e-5", "eps=1e-6",
                                      "eps=1e-7", "eps=1e-8", "eps=1e-9"};
    long most = 0, least = LONG_MAX;
    for (int k = 0; k < 7; k++) {
        outcome o = run("adaptive", eps[k], NULL, 1e-6);
        if (o.status || o.error > 1e-5)
            fail_msg("%s: error %g, %s", eps[k], o.error, o.report.message.text);
        most = o.report.stats.rhs > most ? o.report.stats.rhs : most;
        least = o.report.stats.rhs < least ? o.report.stats.rhs : least;
    }
    if (most > 600 || most > 3 * least) fail_msg("%ld to %ld calls", least, most);
}

/* Spread fast rates cost like the square root of the spread, by Chebyshev spacing; equal small
 * steps would cost like the spread itself: 37,240 and 422,560 calls for 100 and 1000. */
static void spread_rates_cost_their_square_root(void **state)
{
    (void)state;
    static const struct {
        const char *params;
        long most;
    } rows[] = {{"m=50, spread=1", 400},
                {"m=50, spread=10", 5000},
                {"m=50, spread=100", 14000},
                {"m=50, spread=1000", 50000},
                {"m=50, spread=0.01, eps=1e-8", 14000}};
    for (size_t k = 0; k < 5; k++) {
        outcome o = run("clustered", rows[k].params, NULL, 1e-5);
        if (o.status || o.error > 1e-4 || o.report.stats.rhs > rows[k].most)
            fail_msg("%s: error %g, %ld calls, %s", rows[k].params, o.error, o.report.stats.rhs,
                     o.report.message.text);
    }
}

/* The number of fast variables does not matter when they are alike. */
static void many_alike_cost_no_more_calls(void **state)
{
    (void)state;
    outcome few = run("clustered", "m=5", NULL, 1e-6),
            many = run("clustered", "m=2000", NULL, 1e-6);
    assert_true(!few.status && !many.status && few.error < 2e-5 && many.error < 2e-5);
    assert_true(10 * many.report.stats.rhs < 13 * few.report.stats.rhs);
    assert_true(many.report.stats.jacobians == 0 && many.report.stats.factorizations == 0);
}

/* Problems of other kinds, some of which it should not be asked to solve: right all the same. */
static void it_is_right_on_other_stiff_problems(void **state)
{
    (void)state;
    static const struct {
        const char *model, *params;
        double error;
    } rows[] = {{"cattaneo", "", 1e-3}, /* ahead of its front errors grow by e^5 */
                {"stiffchain", "n=4", 2e-4}, {"robertson", "", 1e-4},   {"hires", "", 1e-3},
                {"heat", "n=60", 1e-3},      {"brusselator", "", 2e-3}, {"crow_p8", "", 1e-4},
                {"stiff3c", "", 1e-4}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        outcome o = run(rows[k].model, rows[k].params, NULL, 1e-5);
        if (o.status || o.error > rows[k].error)
            fail_msg("%s: error %g, %s", rows[k].model, o.error, o.report.message.text);
    }
}

/* Small steps on the fast block alone: calls move from the full function to the block, and the end
 * is the same. */
static void small_steps_can_do_with_the_fast_block(void **state)
{
    (void)state;
    outcome all = run("clustered", "m=20", NULL, 1e-6),
            fast = run("clustered", "m=20", "evaluate=fast", 1e-6);
    assert_true(!all.status && !fast.status && fast.error < 2e-5);
    assert_int_equal(all.report.stats.rhs_fast, 0);
    assert_true(fast.report.stats.rhs_fast > 0 && fast.report.stats.rhs < all.report.stats.rhs);
}

/* Nothing need be known of the blocks. */
static void a_split_changes_nothing(void **state)
{
    (void)state;
    double x[2][21];
    for (int unsplit = 0; unsplit < 2; unsplit++) {
        bench_top b;
        build(&b, "clustered", "");
        if (unsplit)
            b.problem.n_slow = 21, b.problem.n_fast = 0,
            b.problem.rhs_slow = b.problem.rhs_fast = NULL;
        gt_plan plan = {.rtol = 1e-6, .x_end = x[unsplit]};
        assert_int_equal(gt_solve(&b.problem, gt_method_find("smes"), &plan, NULL), GT_OK);
        gt_arena_free(&b.arena);
    }
    assert_memory_equal(x[0], x[1], sizeof x[0]);
}

typedef struct oscillator {
    double eps, zeta;
} oscillator;

/* eps^2 z'' + 2 zeta eps z' + z = sin x, x' = -x + z / 2 */
static gt_status fast_oscillator(double t, const double *x, double *dx, void *ctx)
{
    const oscillator *o = ctx;
    (void)t;
    dx[0] = -x[0] + 0.5 * x[1];
    dx[1] = x[2] / o->eps;
    dx[2] = (sin(x[0]) - x[1] - 2 * o->zeta * x[2]) / o->eps;
    return GT_OK;
}

static void oscillations_are_refused_with_a_reason(void **state)
{
    (void)state;
    static const double ratios[] = {0.05, 0.01, 0};
    const gt_method *instead = gt_method_for(GT_ROLE_SWINGING);
    for (int k = 0; k < 3; k++) {
        oscillator o = {.eps = 1e-6, .zeta = ratios[k]};
        double x0[3] = {1, 0, 0}, x[3], wanted[3];
        gt_problem p = {.n_slow = 3, .rhs = fast_oscillator, .x0 = x0, .t1 = 2, .ctx = &o};
        gt_report r;
        gt_plan plan = {.rtol = 1e-5, .x_end = x};
        assert_int_equal(gt_solve(&p, gt_method_find("smes"), &plan, &r), GT_UNSUPPORTED);
        assert_non_null(strstr(r.message.text, "oscillates"));
        assert_int_equal(r.stats.steps, 0); /* told before running */
        /* The method that it names does it, with steps that the oscillation does not limit. */
        char words[64];
        snprintf(words, sizeof words, "take %s,", instead->name);
        assert_non_null(strstr(r.message.text, words));
        assert_int_equal(gt_solve(&p, instead, &plan, &r), GT_OK);
        assert_true(r.stats.steps < 20000);
        p.t1 = 0.02; /* 20000 radians */
        assert_int_equal(gt_solve(&p, instead, &plan, &r), GT_OK);
        assert_int_equal(gt_solve(&p, gt_method_find("dopri5"),
                                  &(gt_plan){.rtol = 1e-10, .x_end = wanted}, NULL),
                         GT_OK);
        for (int i = 0; i < 3; i++)
            if (!(fabs(x[i] - wanted[i]) < 1e-3))
                fail_msg("damping ratio %g, x%d: %g", ratios[k], i, x[i] - wanted[i]);
    }
}

/* ---- actuators, telescopes, observers ---- */

/* An actuator or filter of damping ratio zeta and time constant eps, off its manifold at the start.
 */
static gt_status actuator(double t, const double *x, double *dx, void *ctx)
{
    const oscillator *o = ctx;
    dx[0] = -x[0] + x[1];
    dx[1] = x[2] / o->eps;
    dx[2] = (-x[1] - 2 * o->zeta * x[2] + 0.5 * x[0] + sin(t)) / o->eps;
    return GT_OK;
}

static gt_status three_rates(double t, const double *x, double *dx, void *ctx)
{
    double eps = 1e-4;
    (void)t, (void)ctx;
    dx[0] = -x[0] + x[1] * x[2];
    dx[1] = -(x[1] - cos(x[0])) / eps;
    dx[2] = -(x[2] - x[0] * x[1] - 0.1 * x[2] * x[1]) / (eps * eps);
    return GT_OK;
}

static gt_status five_rates(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = -x[0] + 0.1 * (x[1] + x[2] + x[3] + x[4] + x[5]);
    dx[1] = -10 * (x[1] - x[0]);
    dx[2] = -100 * (x[2] - x[0] * x[0]);
    dx[3] = -1e3 * (x[3] - sin(x[0]));
    dx[4] = -1e4 * (x[4] - x[0]);
    dx[5] = -1e8 * (x[5] - x[0]);
    return GT_OK;
}

static gt_status high_gain_observer(double t, const double *x, double *dx, void *ctx)
{
    double eps = 3e-3;
    (void)ctx;
    dx[0] = x[1];
    dx[1] = -x[0] - x[1] * x[1] * x[1] + sin(t);
    dx[2] = x[3] + 2 * (x[0] - x[2]) / eps;
    dx[3] = -x[2] - x[3] * x[3] * x[3] + sin(t) + (x[0] - x[2]) / (eps * eps);
    return GT_OK;
}

/* The largest error at the end, over rtol (1 + |x|), against radau at 1e-11. */
static double run_smes(const gt_problem *p, double rtol, double atol, gt_report *r)
{
    double x[6], right[6], worst = 0;
    size_t n = gt_problem_size(p);
    gt_plan tight = {.rtol = 1e-11, .atol = 1e-13, .x_end = right};
    assert_int_equal(gt_solve(p, gt_method_find("radau"), &tight, NULL), GT_OK);
    gt_status status =
        gt_solve(p, gt_method_find("smes"), &(gt_plan){.rtol = rtol, .atol = atol, .x_end = x}, r);
    if (status) fail_msg("%s", r->message.text);
    for (size_t i = 0; i < n; i++)
        worst = fmax(worst, fabs(x[i] - right[i]) / (rtol * (1 + fabs(right[i]))));
    return worst;
}

/* Ratios of .5 to .85 took 734,000 calls, lower ones were refused. With the smaller atol ringing is
 * followed longer, and took 4,700; above .5, where it is over soon, slopes of dense output beside
 * the manifold were taken for pulses. */
/* Free fall has a double eigenvalue 0, which differences show as a pair of 1e-9 i: no oscillation,
 * though a run without an end has room for any. */
static gt_status falling(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = x[1];
    dx[1] = -9.8;
    return GT_OK;
}

static void free_fall_is_no_oscillation(void **state)
{
    (void)state;
    static const double x0[] = {20, 0};
    for (int k = 0; k < 2; k++) {
        const gt_problem p = {.n_slow = 2, .rhs = falling, .x0 = x0, .t1 = k ? INFINITY : 1e12};
        gt_run *run;
        gt_message message;
        assert_int_equal(
            gt_run_open(&run, &p, gt_method_find("smes"), &(gt_plan){.rtol = 1e-8}, &message),
            GT_OK);
        gt_status status = gt_run_advance(run, 2, GT_ADVANCE_EXACTLY, NULL);
        if (status) fail_msg("%s", gt_run_message(run));
        assert_true(fabs(gt_run_x(run)[0] - (20 - 4.9 * 4)) < 1e-6);
        gt_run_close(run);
    }
}

static void actuators_of_any_damping(void **state)
{
    (void)state;
    static const double ratios[] = {0.1, 0.15, 0.3, 0.5, 0.7, 0.85, 0.99, 1},
                        atols[] = {1e-5, 1e-8};
    for (int k = 3; k <= 8; k++)
        for (size_t c = 0; c < 2 * (sizeof ratios / sizeof *ratios); c++) {
            oscillator o = {.eps = pow(10, -k), .zeta = ratios[c / 2]};
            double x0[3] = {1, 0, 0};
            gt_problem p = {.n_slow = 3, .rhs = actuator, .x0 = x0, .t1 = 5, .ctx = &o};
            gt_report r;
            double error = run_smes(&p, 1e-5, atols[c % 2], &r);
            if (!(error < 10) || r.stats.rhs >= (o.zeta < 0.5 ? 3700 : 1500))
                fail_msg("zeta %g, eps %g: error %.2g rtol, %ld calls", o.zeta, o.eps, error,
                         r.stats.rhs);
            if (o.zeta < 0.9) assert_non_null(strstr(r.note.text, "damping ratio"));
        }
}

/* While an actuator rings, small steps may not take the ringing away: the error all along the
 * decay, which takes 1 / zeta eps, and not only long after it. */
static void ringing_is_followed_until_it_has_decayed(void **state)
{
    (void)state;
    static const double ratios[] = {0.1, 0.3, 0.7};
    for (int z = 0; z < 3; z++)
        for (int k = 1; k <= 24; k++) {
            oscillator o = {.eps = 1e-4, .zeta = ratios[z]};
            double x0[3] = {1, 0, 0};
            gt_problem p = {
                .n_slow = 3, .rhs = actuator, .x0 = x0, .t1 = k * 0.5 * o.eps / o.zeta, .ctx = &o};
            gt_report r;
            double error = run_smes(&p, 1e-5, 1e-5, &r);
            if (!(error < 20)) fail_msg("zeta %g, t %g: error %.2g rtol", o.zeta, p.t1, error);
        }
}

/* 251,963 and 242,467 calls when all fast modes were one interval. */
static void telescopes(void **state)
{
    (void)state;
    double x0[6] = {1};
    gt_report r;
    gt_problem three = {.n_slow = 3, .rhs = three_rates, .x0 = x0, .t1 = 3};
    double error = run_smes(&three, 1e-5, 0, &r);
    if (!(error < 10) || r.stats.rhs >= 5000)
        fail_msg("three rates: error %.2g rtol, %ld calls", error, r.stats.rhs);
    assert_non_null(strstr(r.note.text, "e+04"));
    gt_problem five = {.n_slow = 6, .rhs = five_rates, .x0 = x0, .t1 = 5};
    error = run_smes(&five, 1e-5, 0, &r);
    if (!(error < 10) || r.stats.rhs >= 10000)
        fail_msg("five rates: error %.2g rtol, %ld calls", error, r.stats.rhs);
    assert_non_null(strstr(r.note.text, "1e+08, 1e+04, 1e+03, 100"));
}

/* It missed its tolerance by a factor of 17: small Euler steps lag behind a manifold that bends by
 * half the square of their size, which is not small here, and both results of the pair lagged
 * alike. */
static void a_lag_is_part_of_the_estimate(void **state)
{
    (void)state;
    double x0[4] = {1};
    gt_problem p = {.n_slow = 4, .rhs = high_gain_observer, .x0 = x0, .t1 = 5};
    gt_report r;
    double error = run_smes(&p, 1e-6, 0, &r);
    if (!(error < 10)) fail_msg("error %.2g rtol", error);
}

/* The error that it tells is that of the step: against tight runs from the same point, over a stiff
 * run. */
static void its_error_estimate_is_honest(void **state)
{
    (void)state;
    bench_top b;
    int honest = 0, all = 0;
    build(&b, "adaptive", "");
    bind_method(&b, gt_method_find("smes"), "order=5");
    b.s.rtol = b.s.atol = 1e-6;
    gt_stepper_start(&b.s, 0, b.problem.x0);
    double h = 1e-3;
    while (b.s.t < 4) {
        double x[3], end[3], worst = 0, told = 0;
        memcpy(x, b.s.x, sizeof x);
        assert_int_equal(gt_stepper_try(&b.s, h, true), GT_OK);
        gt_problem p = b.problem;
        p.x0 = x, p.t0 = b.s.t, p.t1 = b.s.t + h;
        gt_plan tight = {.rtol = 1e-12, .atol = 1e-15, .x_end = end};
        assert_int_equal(gt_solve(&p, gt_method_find("gear"), &tight, NULL), GT_OK);
        for (int i = 0; i < 3; i++) {
            worst = fmax(worst, fabs(b.s.x_new[i] - end[i]));
            told = fmax(told, fabs(b.s.err[i]));
        }
        all++;
        honest += worst < 3 * told + 1e-10;
        gt_stepper_accept(&b.s);
        h = fmin(1.3 * h, 0.15);
    }
    assert_true(all > 20 && honest >= 0.95 * all);
    dismantle(&b);
}

static void advice_on_clusters(void **state)
{
    (void)state;
    bench_top b;
    gt_arena arena = gt_arena_growing();
    gt_advice advice;
    gt_message message = {""};
    build(&b, "clustered", "m=200");
    assert_int_equal(gt_advise(&b.problem, NULL, NULL, &advice, &arena, &message), GT_OK);
    /* The cluster is one eigenvalue many times over, whose imaginary part is round-off: where it is
     * large enough `trig` comes before. */
    size_t first = strcmp(advice.methods[0].method->name, "trig") == 0;
    assert_string_equal(advice.methods[first].method->name, "smes");
    assert_non_null(strstr(advice.methods[first].why.text, "small explicit steps"));
    gt_arena_free(&arena);
    gt_arena_free(&b.arena);
}

/* x' = 1000 exp(-(10 (t - 50))^2) from 0: errors of 1e-80 of the tolerance rise to 1e-70, and each
 * step was a fifth of the one before, until it fell below its minimum. */
static gt_status late_pulse(double t, const double *x, double *dx, void *ctx)
{
    (void)x, (void)ctx;
    dx[0] = 1000 * exp(-100 * (t - 50) * (t - 50));
    return GT_OK;
}
static void errors_of_next_to_nothing_may_rise(void **state)
{
    (void)state;
    for (int k = 1; k <= 3; k++) {
        double x[1] = {0}, rtol = pow(10, -3 * k), right = 100 * sqrt(acos(-1));
        const double x0[1] = {0};
        gt_problem p = {.n_slow = 1, .rhs = late_pulse, .x0 = x0, .t1 = 100};
        gt_report report;
        gt_status status =
            gt_solve(&p, gt_method_find("smes"), &(gt_plan){.rtol = rtol, .x_end = x}, &report);
        if (status) fail_msg("%s", report.message.text);
        assert_within(x[0], right, 10 * rtol * right, "smes");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_of_next_to_nothing_may_rise),
        cmocka_unit_test(small_steps_damp_the_interval),
        cmocka_unit_test(nested_small_steps_damp_all_clusters),
        cmocka_unit_test(fast_modes_are_found),
        cmocka_unit_test(chebyshev_steps),
        cmocka_unit_test(calls_do_not_grow_with_the_fast_rate),
        cmocka_unit_test(spread_rates_cost_their_square_root),
        cmocka_unit_test(many_alike_cost_no_more_calls),
        cmocka_unit_test(it_is_right_on_other_stiff_problems),
        cmocka_unit_test(small_steps_can_do_with_the_fast_block),
        cmocka_unit_test(a_split_changes_nothing),
        cmocka_unit_test(oscillations_are_refused_with_a_reason),
        cmocka_unit_test(free_fall_is_no_oscillation),
        cmocka_unit_test(actuators_of_any_damping),
        cmocka_unit_test(ringing_is_followed_until_it_has_decayed),
        cmocka_unit_test(telescopes),
        cmocka_unit_test(a_lag_is_part_of_the_estimate),
        cmocka_unit_test(its_error_estimate_is_honest),
        cmocka_unit_test(advice_on_clusters),
    };
    return cmocka_run_group_tests_name("smes", tests, NULL, NULL);
}
