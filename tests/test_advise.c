/* SPDX-License-Identifier: BSD-3-Clause */
/* Spectra, splits, slow manifolds, stable steps and advice against values known in closed form. */
#include "methods_kit.h"

static void near(double value, double expected, double relative)
{
    if (!(fabs(value - expected) <= relative * fmax(fabs(expected), 1e-300)))
        fail_msg("%.17g is not %.17g to %g", value, expected, relative);
}

static gt_problem make(const char *model, const char *parameters, gt_arena *arena)
{
    gt_problem p;
    gt_message m = {{0}};
    *arena = gt_arena_growing();
    if (gt_model_build(gt_model_find(model), parameters, &p, arena, &m))
        fail_msg("%s: %s", model, m.text);
    return p;
}

static gt_advice advice_on(const gt_problem *p, gt_arena *arena)
{
    gt_advice a;
    gt_message m = {{0}};
    if (gt_advise(p, NULL, NULL, &a, arena, &m)) fail_msg("%s", m.text);
    assert_true(a.n_methods > 5 && a.n_points > 3);
    return a;
}

static const gt_method_advice *advice_for(const gt_advice *a, const char *name)
{
    for (size_t k = 0; k < a->n_methods; k++)
        if (!strcmp(a->methods[k].method->name, name)) return &a->methods[k];
    fail_msg("no advice on %s", name);
    return NULL;
}

static gt_spectrum full_at_start(const gt_problem *p, gt_arena *arena)
{
    gt_spectrum s;
    gt_message m = {{0}};
    if (gt_spectrum_full(p, p->t0, p->x0, &s, arena, &m)) fail_msg("%s", m.text);
    return s;
}

/* Along a linear problem the spectrum is the same everywhere. */
static void test_spectrum_of_stiff3c(void **state)
{
    (void)state;
    gt_arena arena;
    gt_problem p = make("stiff3c", "", &arena);
    gt_advice a = advice_on(&p, &arena);
    for (size_t k = 0; k < a.n_points; k++) {
        assert_true(a.points[k].complete && a.points[k].count == 3);
        near(a.points[k].values[0], -42.5106, 1e-5);
        near(a.points[k].values[1], 67.0420, 1e-5);
        near(a.points[k].values[3], -67.0420, 1e-5);
        near(a.points[k].values[4], -0.9788, 1e-4);
    }
    near(a.stiffness_ratio, 42.5106 / 0.9788, 1e-4);
    near(a.frequency, 67.0420, 1e-5);
    near(a.damping, 42.5106 / hypot(42.5106, 67.0420), 1e-5);
    assert_true(a.oscillates == false && a.growth == 0); /* damping ratio 0.54 */
    gt_arena_free(&arena);
}

/* R(z) of rk4 written out; its limit on the ray of an eigenvalue by bisection. */
static double rk4_limit(double complex lambda)
{
    double low = 0, high = 10 / cabs(lambda);
    for (int k = 0; k < 200; k++) {
        double h = (low + high) / 2;
        double complex z = h * lambda;
        *(cabs(1 + z + z * z / 2 + z * z * z / 6 + z * z * z * z / 24) > 1 ? &high : &low) = h;
    }
    return low;
}

static void test_stable_steps(void **state)
{
    (void)state;
    gt_arena arena;
    gt_problem p = make("stiff3c", "", &arena);
    gt_spectrum s = full_at_start(&p, &arena);
    double expected = rk4_limit(s.values[0] + I * s.values[1]);
    near(gt_stable_step(gt_method_find("rk4"), NULL, s.values, s.count), expected, 1e-8);
    assert_true(gt_stable_step(gt_method_find("trapezoidal"), NULL, s.values, s.count) == INFINITY);
    assert_true(isnan(gt_stable_step(gt_method_find("gear"), NULL, s.values, s.count)));

    const double decay[] = {-50, 0}, swing[] = {0, 3, 0, -3}, growing[] = {4, 0};
    near(gt_stable_step(gt_method_find("euler"), NULL, decay, 1), 2.0 / 50, 1e-9);
    near(gt_stable_step(gt_method_find("ab2"), NULL, decay, 1), 1.0 / 50, 1e-9);
    near(gt_stable_step(gt_method_find("rk4"), NULL, swing, 2), sqrt(8) / 3, 1e-9);
    assert_true(gt_stable_step(gt_method_find("euler"), NULL, swing, 2) == 0);
    assert_true(gt_stable_step(gt_method_find("rk2"), NULL, swing, 2) == 0);
    assert_true(gt_stable_step(gt_method_find("euler"), NULL, growing, 1) == INFINITY);
    gt_arena_free(&arena);
}

static void test_largest_step_by_trying(void **state)
{
    (void)state;
    gt_arena arena;
    gt_message m = {{0}};
    gt_problem p = make("stiff3c", "", &arena);
    gt_advice a = advice_on(&p, &arena);
    const char *names[] = {"rk4", "euler", "dopri5"};
    for (size_t k = 0; k < 3; k++) {
        double tried;
        const gt_method *method = gt_method_find(names[k]);
        assert_int_equal(gt_largest_step(&p, method, a.bound, 100000, &tried, &m), GT_OK);
        near(tried, advice_for(&a, names[k])->h_stable, 0.02);
    }
    double tried = -1;
    assert_int_equal(gt_largest_step(&p, gt_method_find("euler"), a.bound, 64, &tried, &m), GT_OK);
    assert_true(tried == 0); /* 64 steps are too few */
    gt_arena_free(&arena);
}

/* gil (50): eigenvalues of [l, b l; b a l, a l], blocks l and a l, coupling b both ways. */
static void test_linear2(void **state)
{
    (void)state;
    static const double cases[][2] = {{100, 0.1}, {1000, 0.3}, {50, 0.5}};
    for (size_t k = 0; k < 3; k++) {
        char text[64];
        double alpha = cases[k][0], beta = cases[k][1];
        gt_arena arena;
        snprintf(text, sizeof text, "alpha=%g, beta=%g", alpha, beta);
        gt_problem p = make("linear2", text, &arena);
        gt_advice a = advice_on(&p, &arena);
        double half = (1 + alpha) / 2, root = sqrt(half * half - alpha * (1 - beta * beta));
        double fast = -half - root, slow = -alpha * (1 - beta * beta) / (half + root);
        near(a.points[0].values[0], fast, 1e-12);
        near(a.points[0].values[2], slow, 1e-9);
        near(a.stiffness_ratio, fast / slow, 1e-9);
        const gt_split *splits[] = {&a.split, &a.given};
        for (size_t j = 0; j < 2; j++) {
            assert_true(splits[j]->n_fast == 1 && !splits[j]->fast[0] && splits[j]->fast[1]);
            near(splits[j]->separation, alpha, 1e-9);
            near(splits[j]->coupling_sf, beta, 1e-9);
            near(splits[j]->coupling_fs, beta, 1e-9);
        }
        near(a.split.gap, fast / slow, 1e-9);

        double values[4];
        size_t count;
        assert_int_equal(gt_split_block(&a.points[0], a.split.fast, true, values, &count, NULL),
                         GT_OK);
        assert_true(count == 1 && values[0] == -alpha);
        assert_int_equal(gt_split_block(&a.points[0], a.split.fast, false, values, &count, NULL),
                         GT_OK);
        assert_true(count == 1 && values[0] == -1);
        gt_arena_free(&arena);
    }
}

/* H = -beta x; eps H1 of gil (15) and L of shi (8) in closed form, and the spectra that L
 * separates. */
static void test_manifold_of_linear2(void **state)
{
    (void)state;
    gt_arena arena;
    gt_message m = {{0}};
    gt_problem p = make("linear2", "alpha=100, beta=0.1", &arena);
    gt_manifold manifold;
    const double x[] = {2, 0.5};
    assert_int_equal(gt_manifold_at(&p, 0, x, &manifold, &arena, &m), GT_OK);
    near(manifold.H[0], -0.2, 1e-13);
    /* g_z^-1 h_x f with g_z = -100, h_x = -0.1, f = -2 - 0.1 H */
    near(manifold.correction[0], -0.1 * (-2 + 0.1 * 0.2) / -100, 1e-12);
    near(manifold.distance, 0.7 / 1.2, 1e-12);
    assert_true(manifold.iterations > 1);
    double half = 101.0 / 2, root = sqrt(half * half - 99), slow = -half + root,
           fast = -half - root;
    near(manifold.slow[0], slow, 1e-11);
    near(manifold.fast[0], fast, 1e-12);
    near(manifold.L[0], (-1 - slow) / -0.1, 1e-10); /* slow = J_ss - J_sf L */
    gt_arena_free(&arena);
    gt_problem one_block = make("lorenz", "", &arena);
    assert_int_equal(gt_manifold_at(&one_block, 0, one_block.x0, &manifold, &arena, &m),
                     GT_UNSUPPORTED);
    assert_non_null(strstr(m.text, "slow and a fast block"));
    gt_arena_free(&arena);
}

/* On the slow eigenvector the solution is O(eps) from H and O(eps^2) from H + eps H1. */
static void test_manifold_orders(void **state)
{
    (void)state;
    double before[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        gt_arena arena;
        gt_message m = {{0}};
        double alpha = k ? 1000 : 100, half = (1 + alpha) / 2,
               root = sqrt(half * half - alpha * 0.99);
        char text[32];
        snprintf(text, sizeof text, "alpha=%g", alpha);
        gt_problem p = make("linear2", text, &arena);
        double slow = -alpha * 0.99 / (half + root), x[] = {1, (slow + 1) / -0.1};
        gt_manifold manifold;
        assert_int_equal(gt_manifold_at(&p, 0, x, &manifold, &arena, &m), GT_OK);
        if (k) {
            near(before[0] / manifold.distance, 10, 0.05);
            near(before[1] / manifold.corrected, 100, 0.1);
        }
        before[0] = manifold.distance;
        before[1] = manifold.corrected;
        gt_arena_free(&arena);
    }
}

/* v is driven at 100 rad/s, which no eigenvalue shows. */
static void test_forced_motion(void **state)
{
    (void)state;
    gt_arena arena;
    gt_problem p = make("kpr", "", &arena);
    gt_advice a = advice_on(&p, &arena);
    near(a.motion[1], 100, 0.02);
    assert_true(a.motion[0] < 2);
    assert_true(a.split.n_fast == 1 && !a.split.fast[0] && a.split.fast[1]);
    assert_false(a.stiff);
    assert_non_null(strstr(a.multirate.text,
                           "as tried, mradams")); /* errors inside slow steps are small, too */
    gt_arena_free(&arena);
}

/* Tyres that swing at 1600 rad/s under a vehicle: two rates pay when the vehicle is expensive, and
 * only then. */
static void test_two_rates_pay_where_the_slow_block_is_expensive(void **state)
{
    (void)state;
    const char *const params[] = {"speed=20, road=0.01, coordinates=relative",
                                  "speed=20, road=0.01, coordinates=relative, cost=2000"};
    double work[2];
    for (int k = 0; k < 2; k++) {
        gt_arena arena;
        gt_problem p = make("vehicle", params[k], &arena);
        p.t1 = 2;
        gt_advice a;
        gt_message message;
        const gt_method *const methods[] = {gt_method_find("rkf45"), gt_method_find("rk4"),
                                            gt_method_find("mradams"), gt_method_find("prk37"),
                                            NULL};
        assert_int_equal(gt_advise(&p, &(gt_plan){.rtol = 1e-4}, methods, &a, &arena, &message),
                         GT_OK);
        for (size_t i = 0; i < a.n_methods; i++)
            if (!strcmp(a.methods[i].method->name, "mradams")) work[k] = a.methods[i].work;
        bool first = !strcmp(a.methods[0].method->name, "mradams");
        assert_true(first == (strncmp(a.multirate.text, "yes", 3) == 0 ||
                              strncmp(a.multirate.text, "a little", 8) == 0));
        assert_true(k == 0 || first);
        assert_non_null(strstr(a.multirate.text, "as tried"));
        gt_arena_free(&arena);
    }
    assert_true(work[1] < 0.5 * work[0]); /* mostly fast evaluations, which weigh little then */
}

static void test_verdicts(void **state)
{
    (void)state;
    static const struct {
        const char *model, *parameters;
        bool stiff;
        const char *best;
    } cases[] = {
        {"vanderpol", "mu=1000", true, "gear"}, {"robertson", "", true, "gear"},
        {"heat", "n=400", true, "gear"},        {"crow_p8", "", true, "bi"},
        {"lorenz", "", false, "dop853"},        {"harmonic", "", false, "dop853"},
        {"vanderpol", "mu=1", false, "dop853"}, {"duffing", "", false, "dop853"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        gt_arena arena;
        gt_problem p = make(cases[k].model, cases[k].parameters, &arena);
        gt_advice a = advice_on(&p, &arena);
        if (a.stiff != cases[k].stiff) fail_msg("%s: stiff %d", cases[k].model, a.stiff);
        if (strcmp(a.methods[0].method->name, cases[k].best))
            fail_msg("%s: %s comes first", cases[k].model, a.methods[0].method->name);
        const gt_method_advice *other = advice_for(&a, cases[k].stiff ? "rk4" : "beuler");
        assert_int_equal(other->verdict, GT_NOT_ADVISED);
        const char *because = cases[k].stiff ? "stability holds the step"
                              : p.linear     ? "linear equations"
                                             : "is wasted";
        assert_non_null(strstr(other->why.text, because));
        gt_arena_free(&arena);
    }
}

/* Methods that cannot treat a problem are distinguished, each with its message. */
static void test_algebraic(void **state)
{
    (void)state;
    gt_arena arena;
    gt_problem p = make("rc_diode", "", &arena);
    gt_advice a = advice_on(&p, &arena);
    const gt_method_advice *refused = advice_for(&a, "exprb32");
    assert_int_equal(refused->verdict, GT_NOT_ADVISED);
    assert_true(refused->work == INFINITY && refused->why.text[0]);
    assert_true(a.methods[0].verdict == GT_ADVISED && a.points[0].n == 1);
    gt_arena_free(&arena);
}

/* The largest eigenvalue of the heat equation is -4 k sin(n pi / (2 (n+1)))^2 and its neighbours
 * crowd. */
static void test_arnoldi_heat(void **state)
{
    (void)state;
    gt_arena arena;
    gt_message m = {{0}};
    gt_problem p = make("heat", "n=1000", &arena);
    gt_spectrum s;
    assert_int_equal(gt_spectrum_extreme(&p, 0, p.x0, 0.1, 8, &s, &arena, &m), GT_OK);
    double k = 1001.0 * 1001.0, pi = acos(-1);
    assert_false(s.complete);
    near(s.values[0], -4 * k * pow(sin(1000 * pi / 2002), 2), 1e-6);
    for (size_t j = 0; j < s.count; j++) assert_true(s.values[2 * j + 1] == 0);
    /* and the slow ones, nearest to 1/span = 10 */
    for (size_t mode = 1; mode <= 4; mode++) {
        double expected = -4 * k * pow(sin((double)mode * pi / 2002), 2), best = INFINITY;
        for (size_t j = 0; j < s.count; j++)
            best = fmin(best, fabs(s.values[2 * j] - expected) / -expected);
        assert_true(best < 1e-6);
    }
    gt_arena_free(&arena);
}

static void test_arnoldi_against_dense(void **state)
{
    (void)state;
    gt_arena arena;
    gt_message m = {{0}};
    gt_problem p = make("brusselator", "n=200", &arena);
    gt_spectrum s;
    assert_int_equal(gt_spectrum_extreme(&p, 0, p.x0, p.t1, 6, &s, &arena, &m), GT_OK);
    size_t n = gt_problem_size(&p);
    gt_linearization linear;
    assert_int_equal(gt_linearize(&p, 0, p.x0, &linear, &arena, &m), GT_OK);
    double radius = 0;
    for (size_t k = 0; k < n; k++)
        radius = fmax(radius, hypot(linear.modes[k].re, linear.modes[k].im));
    near(hypot(s.values[0], s.values[1]), radius, 1e-6);
    for (size_t j = 0; j < s.count; j++) {
        double best = INFINITY, size = hypot(s.values[2 * j], s.values[2 * j + 1]);
        for (size_t k = 0; k < n; k++)
            best = fmin(best, hypot(linear.modes[k].re - s.values[2 * j],
                                    linear.modes[k].im - s.values[2 * j + 1]));
        if (!(best <= 1e-5 * size))
            fail_msg("%g%+gi is no eigenvalue", s.values[2 * j], s.values[2 * j + 1]);
    }
    assert_true(s.count >= 6);
    gt_arena_free(&arena);
}

static void test_largest_eigenvalue(void **state)
{
    (void)state;
    static const struct {
        const char *model, *parameters;
        double size;
    } cases[] = {{"stiff2", "", 50},
                 {"stiff3c", "", 79.3843},
                 {"harmonic", "", 1},
                 {"vanderpol", "mu=1000", 3000}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        gt_arena arena;
        gt_problem p = make(cases[k].model, cases[k].parameters, &arena);
        double re = NAN, im = NAN;
        assert_int_equal(gt_spectrum_largest(&p, p.t0, p.x0, &re, &im), GT_OK);
        near(hypot(re, im), cases[k].size, 1e-3);
        gt_arena_free(&arena);
    }
}

static void test_choice(void **state)
{
    (void)state;
    static const struct {
        const char *model, *parameters, *method;
    } cases[] = {
        {"vanderpol", "mu=1000", "gear"},
        {"robertson", "", "gear"},
        {"heat", "n=1000", "gear"},
        {"brusselator", "n=500", "gear"},
        {"lorenz", "", "dopri5"},
        {"harmonic", "", "dopri5"},
        {"kpr", "", "dopri5"},
        {"rc_diode", "", "gear"},
        {"stiff2", "", "dopri5"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        gt_arena arena;
        gt_problem p = make(cases[k].model, cases[k].parameters, &arena);
        const gt_method *first, *second;
        gt_message why = {{0}}, again = {{0}};
        assert_int_equal(gt_choose_method(&p, NULL, &first, &why), GT_OK);
        assert_int_equal(gt_choose_method(&p, NULL, &second, &again), GT_OK);
        assert_string_equal(first->name, cases[k].method);
        assert_ptr_equal(first, second);
        assert_string_equal(why.text, again.text);
        gt_arena_free(&arena);
    }
    /* A long run of something that only accuracy limits, and one that oscillates fast without
     * damping. */
    gt_arena arena;
    gt_problem p =
        make("lorenz", "beta=2.6666666666666665", &arena); /* with beta = 4 it comes to rest */
    const gt_method *method;
    gt_message why = {{0}};
    p.t1 = 1000;
    assert_int_equal(gt_choose_method(&p, NULL, &method, &why), GT_OK);
    assert_string_equal(method->name, "dopri5");
    gt_arena_free(&arena);
    p = make("harmonic", "", &arena);
    p.t1 = 1e5;
    assert_int_equal(gt_choose_method(&p, NULL, &method, &why), GT_OK);
    assert_string_equal(method->name, "dopri5");
    gt_arena_free(&arena);
}

/* Evaluations of f by way of its functions; a block counts what the problem says of its operations.
 */
typedef struct counted {
    gt_problem of;
    double calls;
} counted;

static gt_status count_full(double t, const double *x, double *dx, void *ctx)
{
    counted *c = ctx;
    c->calls += 1;
    return c->of.rhs(t, x, dx, c->of.ctx);
}

static gt_status count_slow(double t, const double *x, double *dx, void *ctx)
{
    counted *c = ctx;
    c->calls += c->of.work.slow / c->of.work.full;
    return c->of.rhs_slow(t, x, dx, c->of.ctx);
}

static gt_status count_fast(double t, const double *x, double *dx, void *ctx)
{
    counted *c = ctx;
    c->calls += c->of.work.fast / c->of.work.full;
    return c->of.rhs_fast(t, x, dx, c->of.ctx);
}

static gt_problem count_calls(counted *c)
{
    gt_problem p = c->of;
    return (gt_problem){.n_slow = p.n_slow,
                        .n_fast = p.n_fast,
                        .t0 = p.t0,
                        .t1 = p.t1,
                        .x0 = p.x0,
                        .rhs = count_full,
                        .rhs_slow = count_slow,
                        .rhs_fast = count_fast,
                        .work = p.work,
                        .ctx = c};
}

/* `auto` takes the method of two rates where the slow block is expensive, and only there; what it
 * takes to find that out is a modest part of the run that it would have made else, and choice and
 * run together take less. */
static void test_choice_of_two_rates(void **state)
{
    (void)state;
    static const struct {
        const char *model, *parameters;
        double t1, rtol;
        const char *method;
    } cases[] = {
        {"vehicle", "", 50, 1e-4, "dopri5"},
        {"vehicle", "cost=669", 50, 1e-4, "mradams"},
        {"vehicle", "speed=20, road=0.01, cost=669", 5, 1e-4, "mradams"},
        {"truck", "cost=2000", 5, 1e-6, "mradams"},
        {"kpr", "", 100, 1e-4, "dopri5"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        gt_arena arena;
        gt_message why = {{0}};
        gt_report report;
        gt_plan plan = {.rtol = cases[k].rtol};
        counted c = {.of = make(cases[k].model, cases[k].parameters, &arena)};
        c.of.t1 = cases[k].t1;
        gt_problem p = count_calls(&c);
        const gt_method *method;
        assert_int_equal(gt_choose_method(&p, &plan, &method, &why), GT_OK);
        double choice = c.calls;
        assert_string_equal(method->name, cases[k].method);
        bool two_rates = !strcmp(method->name, "mradams");
        assert_true(two_rates == (strstr(why.text, "the slow block being") != NULL));
        assert_int_equal(gt_solve(&p, gt_method_find("dopri5"), &plan, &report), GT_OK);
        double before = c.calls - choice;
        c.calls = 0;
        assert_int_equal(gt_solve(&p, method, &plan, &report), GT_OK);
        /* A fifth for trials; pilot runs are 300 steps of dopri5 and of gear, whose Jacobians are
         * differences here. */
        double pilots = 3200 + 100 * (double)gt_problem_size(&p);
        if (!(choice < 0.2 * before + pilots))
            fail_msg("%s: %g calls of %g to choose", why.text, choice, before);
        if (two_rates) assert_true(c.calls < 0.6 * before);
        gt_arena_free(&arena);
    }
}

static void test_advice_is_deterministic(void **state)
{
    (void)state;
    gt_arena one, two;
    gt_problem p = make("vanderpol", "mu=100", &one), q = make("vanderpol", "mu=100", &two);
    gt_advice a = advice_on(&p, &one), b = advice_on(&q, &two);
    assert_true(a.n_points == b.n_points && a.radius == b.radius &&
                a.split.separation == b.split.separation);
    for (size_t k = 0; k < a.n_methods; k++) {
        assert_ptr_equal(a.methods[k].method, b.methods[k].method);
        assert_string_equal(a.methods[k].why.text, b.methods[k].why.text);
    }
    gt_arena_free(&one);
    gt_arena_free(&two);
}

/* Steps that gear is said to need are those that it takes: nearly so where the advice comes of a
 * run of gear, and within a factor of 1.6 where it is a guess from one of dopri5 (measured: 0.75
 * to 1.2). */
static void test_steps_of_gear(void **state)
{
    (void)state;
    static const struct {
        const char *model, *parameters;
        double t1; /* 0: as it is */
    } cases[] = {{"vanderpol", "mu=1000", 0},
                 {"robertson", "", 0},
                 {"hires", "", 0},
                 {"orego", "", 0},
                 {"e5", "", 0},
                 {"pollution", "", 0},
                 {"chemakzo", "", 0},
                 {"brusselator", "n=20", 0},
                 {"stiff3c", "", 0},
                 {"arm_eb", "", 0},
                 {"quartercar_c", "", 0},
                 {"vehicle", "", 5},
                 {"lorenz", "", 2},
                 {"duffing", "", 0}};
    const gt_method *gear = gt_method_find("gear"), *const methods[] = {gear, NULL};
    for (size_t k = 0; k < 2 * sizeof cases / sizeof *cases; k++) {
        gt_arena arena;
        gt_advice a;
        gt_message m = {{0}};
        gt_report report;
        gt_problem p = make(cases[k / 2].model, cases[k / 2].parameters, &arena);
        gt_plan plan = {.rtol = k % 2 ? 1e-6 : 1e-4};
        if (cases[k / 2].t1 > 0) p.t1 = cases[k / 2].t1;
        assert_int_equal(gt_advise(&p, &plan, methods, &a, &arena, &m), GT_OK);
        assert_int_equal(gt_solve(&p, gear, &plan, &report), GT_OK);
        double told = a.span / a.methods[0].h_accurate, off = a.method == gear ? 1.1 : 1.6;
        double ratio = told / (double)report.stats.steps;
        if (!(ratio < off && ratio > 1 / off))
            fail_msg("%s at %g: %g steps told, %ld taken", cases[k / 2].model, plan.rtol, told,
                     report.stats.steps);
        gt_arena_free(&arena);
    }
}

/* What the run saw before it failed is reported all the same. */
static void test_failing_run(void **state)
{
    (void)state;
    gt_arena arena;
    gt_problem p = make("crow_p1", "", &arena);
    gt_advice a;
    gt_message m = {{0}};
    p.t1 = 2; /* the solution ends at t = 1 */
    assert_true(gt_advise(&p, NULL, NULL, &a, &arena, &m) < 0);
    assert_true(a.run.status < 0 && a.n_points > 3 && a.n_methods > 5 && m.text[0]);
    near(a.run.t, 1, 1e-2);
    gt_arena_free(&arena);
}

/* Methods for fast blocks are tried on the problem itself and come first where they win: small
 * steps on a cluster that decays, exponentials on a fast oscillation, and the paper's method where
 * the fast part need not be right; a stiff arm whose vibrations die out is left to gear. `auto`
 * agrees where the way is long enough for trials, which 189 evaluations by gear on the cluster are
 * not. */
static void test_fast_blocks_are_tried(void **state)
{
    (void)state;
    static const double loose[] = {1e-7, 1e-7, 1e-7, 1e-7, 1e-7,
                                   1e-7, 1,    1,    1e3,  1e3}; /* r2 and v2 */
    static const struct {
        const char *model, *parameters;
        double t1, rtol;
        const double *atol;
        const char *best, *choice, *other; /* other: more than half as much work again */
    } cases[] = {
        {"clustered", "m=200", 2, 1e-6, NULL, "smes", "gear", "spm2"},
        {"pendulum", "m2=1e-10", 0.2, 1e-4, NULL, "exprb32", "exprb32", "dopri5"},
        {"pendulum", "", 4, 1e-3, NULL, "exprb43", NULL, "dopri5"},
        {"pendulum", "", 10, 1e-5, loose, "spm2", NULL,
         "dopri5"}, /* at 1e-4 gear, which damps what is loose */
        {"flexjoint", "", 5, 1e-4, NULL, "gear", "gear", "exprb32"},
        {"adaptive", "", 5, 1e-6, NULL, "gear", "gear", "exprb32"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        gt_arena arena;
        gt_advice a;
        gt_message m = {{0}};
        gt_problem p = make(cases[k].model, cases[k].parameters, &arena);
        gt_plan plan = {.rtol = cases[k].rtol, .atol_vector = cases[k].atol};
        p.t1 = cases[k].t1;
        /* Without methods of two rates, which are tried as well, and win where a block is cheap,
         * and without dop853, whose long steps do so where the fast part oscillates slowly enough.
         */
        const gt_method *among[200];
        size_t count = 0;
        for (const gt_method *const *all = gt_method_list(); *all && count < 199; all++) {
            gt_values v = gt_params_default((*all)->options);
            gt_facts facts = gt_method_facts(*all, v.v);
            if ((!facts.slow_evaluations || facts.functions) && *all != gt_method_find("dop853"))
                among[count++] = *all;
        }
        among[count] = NULL;
        if (gt_advise(&p, &plan, among, &a, &arena, &m)) fail_msg("%s", m.text);
        const gt_method_advice *first = &a.methods[0], *other = advice_for(&a, cases[k].other);
        /* Where two are within a tenth of each other, either may come first. */
        if (advice_for(&a, cases[k].best)->work > 1.1 * first->work)
            fail_msg("%s %s: %s with %g and not %s with %g comes first", cases[k].model,
                     cases[k].parameters, first->method->name, first->work, cases[k].best,
                     advice_for(&a, cases[k].best)->work);
        assert_non_null(strstr(first->why.text, "tried on "));
        if (!(other->work > 1.5 * first->work))
            fail_msg("%s: %g and %g", cases[k].model, first->work, other->work);
        const gt_method *choice;
        if (cases[k].choice) {
            assert_int_equal(gt_choose_method(&p, &plan, &choice, &m), GT_OK);
            assert_string_equal(choice->name, cases[k].choice);
        }
        gt_arena_free(&arena);
    }
    gt_arena arena;
    gt_problem p = make("vanderpol", "", &arena); /* no blocks: nothing is tried */
    gt_advice a = advice_on(&p, &arena);
    for (size_t k = 0; k < a.n_methods; k++)
        assert_null(strstr(a.methods[k].why.text, "tried on "));
    gt_arena_free(&arena);
}

/* Where nothing is stiff a tight tolerance is a matter of order. */
static void test_tight_tolerances_are_for_high_order(void **state)
{
    (void)state;
    static const struct {
        double rtol, h;
        const char *name;
    } cases[] = {
        {1e-4, 0, "dopri5"}, {1e-8, 0, "dop853"}, {1e-12, 0, "dop853"}, {1e-12, 0.01, "dopri5"}};
    gt_arena arena;
    gt_problem p = make("lorenz", "", &arena);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const gt_method *method;
        gt_message why;
        gt_plan plan = {.rtol = cases[k].rtol, .h = cases[k].h};
        assert_int_equal(gt_choose_method(&p, &plan, &method, &why), GT_OK);
        assert_string_equal(method->name, cases[k].name);
    }
    gt_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spectrum_of_stiff3c),
        cmocka_unit_test(test_stable_steps),
        cmocka_unit_test(test_largest_step_by_trying),
        cmocka_unit_test(test_linear2),
        cmocka_unit_test(test_manifold_of_linear2),
        cmocka_unit_test(test_manifold_orders),
        cmocka_unit_test(test_forced_motion),
        cmocka_unit_test(test_two_rates_pay_where_the_slow_block_is_expensive),
        cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_tight_tolerances_are_for_high_order),
        cmocka_unit_test(test_algebraic),
        cmocka_unit_test(test_arnoldi_heat),
        cmocka_unit_test(test_arnoldi_against_dense),
        cmocka_unit_test(test_largest_eigenvalue),
        cmocka_unit_test(test_choice),
        cmocka_unit_test(test_choice_of_two_rates),
        cmocka_unit_test(test_advice_is_deterministic),
        cmocka_unit_test(test_steps_of_gear),
        cmocka_unit_test(test_failing_run),
        cmocka_unit_test(test_fast_blocks_are_tried),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
