/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dual-rate methods: order conditions of trees with two colours, which block is evaluated where,
 * the numbers of the paper and of an independent computation, and what a pair keeps of uniform
 * motion and momentum.
 */
#include "methods_kit.h"
/* after the kit */
#include "dual_rate_numbers.h"

static const struct {
    const char *name, *options;
} pairs[] = {{"dreuler", ""},
             {"dreuler", "ratio=1"},
             {"dreuler", "ratio=10"},
             {"dravg", ""},
             {"prk25", ""},
             {"prk2s", "stages=2"},
             {"prk2s", "stages=3"},
             {"prk2s", ""},
             {"prk2s", "stages=6"},
             {"prk2s", "stages=15"},
             {"prk2s", "stages=16"},
             {"prk2s", "stages=10, axis=real"},
             {"prk3s", "stages=3"},
             {"prk3s", "stages=4"},
             {"prk3s", ""},
             {"prk3s", "stages=15"},
             {"prk3s", "stages=16"},
             {"prk3s", "stages=3, axis=real"},
             {"prk3s", "stages=4, axis=real"},
             {"prk3s", "stages=16, axis=real"},
             {"prk36", ""},
             {"prk37", ""},
             {"prk38", ""},
             {"prk46", ""},
             {"prk48", ""}};
enum { PAIRS = sizeof pairs / sizeof *pairs };

static gt_facts read_pair(const char *name, const char *options, gt_partitioned *P)
{
    const gt_method *m = gt_method_find(name);
    gt_values v = gt_params_default(m->options);
    assert_int_equal(gt_params_parse(m->options, "option", name, options, &v, NULL), GT_OK);
    m->partitioned_of(m, v.v, P);
    return gt_method_facts(m, v.v);
}

static void every_pair_of_the_list_is_here(void **state)
{
    (void)state;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        bool here = !(*m)->partitioned_of || !strcmp((*m)->name, "prk25printed");
        for (int i = 0; i < PAIRS; i++) here = here || !strcmp(pairs[i].name, (*m)->name);
        if (!here) fail_msg("%s is not in the list of this test", (*m)->name);
    }
}

static void order_conditions_hold_to_the_stated_order(void **state)
{
    (void)state;
    for (int i = 0; i < PAIRS; i++) {
        gt_partitioned P, hat;
        static gt_conditions found;
        gt_facts facts = read_pair(pairs[i].name, pairs[i].options, &P);
        gt_conditions_of_partitioned(&P.slow, &P.fast, GT_TREE_ORDER_PARTITIONED, &found);
        /* With one fast step, or with the polynomial of its own rule, a pair may be better than its
         * family. */
        if (found.order != facts.order)
            fail_msg("%s %s: order %d, the conditions say %d", pairs[i].name, pairs[i].options,
                     facts.order, found.order);
        gt_partitioned_comparison(&P, &hat);
        gt_conditions_of_partitioned(&hat.slow, &hat.fast, GT_TREE_ORDER_PARTITIONED, &found);
        if (found.order < facts.error_order)
            fail_msg("%s %s: comparison of order %d, the conditions say %d", pairs[i].name,
                     pairs[i].options, facts.error_order, found.order);
    }
}

/* To the eight digits that are printed: all four trees of order 2 but one have a residual of 1e-8
 * or less. */
static void the_misprint_costs_an_order(void **state)
{
    (void)state;
    gt_partitioned P;
    static gt_conditions found;
    read_pair("prk25printed", "", &P);
    gt_conditions_of_partitioned(&P.slow, &P.fast, 2, &found);
    for (int i = 0; i < found.count; i++) {
        double expected = !strcmp(found.list[i].tree, "f[f]")   ? 0.1099256959757807
                          : !strcmp(found.list[i].tree, "s[f]") ? 0.25167480383966356
                                                                : 0;
        if (!(fabs(found.list[i].residual - expected) < 1e-8))
            fail_msg("%s: residual %g, expected %g", found.list[i].tree, found.list[i].residual,
                     expected);
    }
}

static void slow_stages_are_as_published(void **state)
{
    (void)state;
    static const struct {
        const char *name, *options;
        int count, stage[4];
    } rows[] = {{"dreuler", "", 1, {1}},        {"dravg", "", 1, {2}},
                {"prk25", "", 2, {2, 4}},       {"prk2s", "", 2, {1, 5}},
                {"prk3s", "", 3, {1, 5, 6}},    {"prk36", "", 3, {1, 2, 6}},
                {"prk37", "", 3, {1, 2, 7}},    {"prk38", "", 3, {1, 2, 8}},
                {"prk46", "", 4, {1, 3, 4, 6}}, {"prk48", "", 4, {1, 4, 5, 8}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gt_partitioned P;
        int list[GT_MAX_STAGES];
        gt_facts facts = read_pair(rows[i].name, rows[i].options, &P);
        assert_int_equal(gt_tableau_stages(&P.slow, list), rows[i].count);
        for (int k = 0; k < rows[i].count; k++) assert_int_equal(list[k] + 1, rows[i].stage[k]);
        assert_int_equal(facts.slow_evaluations, rows[i].count);
        assert_int_equal(gt_tableau_stages(&P.fast, list), P.fast.stages);
        assert_int_equal(facts.fast_evaluations, P.fast.stages);
    }
}

/* Where the fast block alone is stable on the negative real axis: known for order 2 (RKC), from the
 * equal ripples of the optimum for order 3. */
static void the_real_axis_is_reached(void **state)
{
    (void)state;
    static const struct {
        const char *name, *options;
        double limit;
    } rows[] = {
        {"prk2s", "stages=3, axis=real", 6.18023},  {"prk2s", "stages=5, axis=real", 16.60279},
        {"prk2s", "stages=7, axis=real", 32.27557}, {"prk2s", "stages=10, axis=real", 64.73812},
        {"prk3s", "stages=6, axis=real", 15.87542}, {"prk3s", "stages=16, axis=real", 124.94406}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gt_partitioned P;
        double largest = 0;
        read_pair(rows[i].name, rows[i].options, &P);
        for (int k = 0; k <= 1000; k++) {
            double z = -rows[i].limit * k / 1000, K[GT_MAX_STAGES], R = 1;
            for (int j = 0; j < P.fast.stages; j++) {
                double x = 1;
                for (int m = 0; m < j; m++) x += gt_ratio_value(P.fast.a[j][m]) * K[m];
                K[j] = z * x;
                R += gt_ratio_value(P.fast.b[j]) * K[j];
            }
            largest = fmax(largest, fabs(R));
        }
        if (!(largest < 1 + 1e-4))
            fail_msg("%s %s: |R| up to %g", rows[i].name, rows[i].options, largest);
    }
}

/* ---- linear problems, and counts by the functions themselves ---- */

typedef struct linear {
    size_t n, n_slow;
    double A[4][4];
    long calls, slow_calls, fast_calls;
    long fails_at; /* the call, of any of them, that fails; 0: none */
} linear;

static gt_status outcome(const linear *l)
{
    return l->calls + l->slow_calls + l->fast_calls == l->fails_at ? GT_TRY_RHS : GT_OK;
}

static void rows_of(const linear *l, size_t from, size_t to, const double *x, double *dx)
{
    for (size_t i = from; i < to; i++) {
        dx[i - from] = 0;
        for (size_t j = 0; j < l->n; j++) dx[i - from] += l->A[i][j] * x[j];
    }
}

static gt_status linear_rhs(double t, const double *x, double *dx, void *ctx)
{
    linear *l = ctx;
    (void)t;
    l->calls++;
    rows_of(l, 0, l->n, x, dx);
    return outcome(l);
}

static gt_status linear_slow(double t, const double *x, double *dx, void *ctx)
{
    linear *l = ctx;
    (void)t;
    l->slow_calls++;
    rows_of(l, 0, l->n_slow, x, dx);
    return outcome(l);
}

static gt_status linear_fast(double t, const double *x, double *dx, void *ctx)
{
    linear *l = ctx;
    (void)t;
    l->fast_calls++;
    rows_of(l, l->n_slow, l->n, x, dx);
    return outcome(l);
}

static gt_problem linear_problem(linear *l, const double *x0, bool blocks)
{
    return (gt_problem){.n_slow = l->n_slow,
                        .n_fast = l->n - l->n_slow,
                        .rhs = linear_rhs,
                        .rhs_slow = blocks ? linear_slow : NULL,
                        .rhs_fast = blocks ? linear_fast : NULL,
                        .x0 = x0,
                        .t1 = 1,
                        .ctx = l};
}

static void one_step(const gt_problem *p, const char *method, const char *options, double h,
                     double *x)
{
    gt_report r;
    gt_problem one = *p;
    one.t1 = h;
    gt_status status = gt_solve(&one, gt_method_find(method),
                                &(gt_plan){.h = h, .options = options, .x_end = x}, &r);
    if (status) fail_msg("%s: %s", method, r.message.text);
}

/* shome (3) with A = -1, B = 0.5, C = 0.3, D = -4, x0 = 1, y0 = 2, h = 0.3. */
static void tables_2_to_4_step_as_by_hand(void **state)
{
    (void)state;
    linear l = {.n = 2, .n_slow = 1, .A = {{-1, 0.5}, {0.3, -4}}};
    double x0[] = {1, 2}, x[2];
    gt_problem p = linear_problem(&l, x0, true);
    one_step(&p, "dreuler", "", 0.3, x);
    assert_true(fabs(x[0] - 1) < 1e-15 && fabs(x[1] - 0.4908) < 1e-15);
    one_step(&p, "dravg", "", 0.3, x);
    assert_true(fabs(x[0] - 0.8845) < 1e-15 && fabs(x[1] - 0.48849) < 1e-15);
}

static void the_stability_matrix_is_22(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof stability_matrix / sizeof *stability_matrix; k++) {
        linear l = {.n = 4, .n_slow = 2};
        double complex S[2][2];
        for (int i = 0; i < 4; i++) { /* complex numbers as 2 x 2 blocks */
            const double *z = stability_matrix[k].z[i];
            int row = 2 * (i / 2), column = 2 * (i % 2);
            l.A[row][column] = l.A[row + 1][column + 1] = z[0];
            l.A[row + 1][column] = z[1];
            l.A[row][column + 1] = -z[1];
        }
        for (int column = 0; column < 2; column++) {
            double x0[4] = {0}, x[4];
            x0[2 * column] = 1;
            gt_problem p = linear_problem(&l, x0, true);
            one_step(&p, stability_matrix[k].method, stability_matrix[k].options, 1, x);
            for (int row = 0; row < 2; row++) S[row][column] = x[2 * row] + I * x[2 * row + 1];
        }
        for (int i = 0; i < 4; i++) {
            const double *s = stability_matrix[k].S[i];
            assert_true(cabs(S[i / 2][i % 2] - (s[0] + I * s[1])) < 1e-12);
        }
        double complex mean = (S[0][0] + S[1][1]) / 2, half = (S[0][0] - S[1][1]) / 2;
        double complex root = csqrt(half * half + S[0][1] * S[1][0]);
        assert_true(fabs(fmax(cabs(mean + root), cabs(mean - root)) - stability_matrix[k].radius) <
                    1e-9);
    }
}

static void blocks_are_called_at_their_stages_only(void **state)
{
    (void)state;
    double x0[] = {1, 2}, x[2];
    for (int i = 0; i < PAIRS; i++) {
        enum { STEPS = 10 };
        gt_partitioned P;
        gt_report r;
        linear l = {.n = 2, .n_slow = 1, .A = {{-1, 0.5}, {0.3, -4}}};
        gt_facts facts = read_pair(pairs[i].name, pairs[i].options, &P);
        gt_problem p = linear_problem(&l, x0, true);
        gt_plan plan = {.h = 0.1, .options = pairs[i].options, .x_end = x};
        assert_int_equal(gt_solve(&p, gt_method_find(pairs[i].name), &plan, &r), GT_OK);
        assert_int_equal(l.calls, 0);
        /* Some steps are looked at twice, for the local error, by a stepper of their own. */
        assert_int_equal(r.stats.rhs_slow, STEPS * facts.slow_evaluations);
        assert_int_equal(r.stats.rhs_fast, STEPS * facts.fast_evaluations);

        /* A function that cannot be split is called once where a stage wants both blocks. */
        double whole[2];
        l = (linear){.n = 2, .n_slow = 1, .A = {{-1, 0.5}, {0.3, -4}}};
        p = linear_problem(&l, x0, false);
        plan.x_end = whole;
        assert_int_equal(gt_solve(&p, gt_method_find(pairs[i].name), &plan, &r), GT_OK);
        assert_memory_equal(x, whole, sizeof x);
        bool same_nodes = true;
        for (int k = 0; k < P.slow.stages; k++)
            same_nodes = same_nodes &&
                         fabs(gt_ratio_value(P.slow.c[k]) - gt_ratio_value(P.fast.c[k])) < 1e-14;
        if (!strncmp(pairs[i].name, "prk2s", 5) || !strncmp(pairs[i].name, "prk3s", 5)) {
            assert_true(same_nodes);
            assert_int_equal(r.stats.rhs, STEPS * P.fast.stages);
        }
        assert_in_range(r.stats.rhs, STEPS * P.fast.stages,
                        STEPS * (facts.slow_evaluations + facts.fast_evaluations));
    }
}

/* Wherever in a step a function fails, every call is counted, the point is that of the last
 * finished step, and a second try goes on as if nothing had been. */
static void a_failure_inside_a_step_leaves_the_point(void **state)
{
    (void)state;
    enum { STEPS = 4 };
    const double x0[] = {1, 2}, h = 0.1;
    for (int i = 0; i < PAIRS; i++)
        for (int kind = 0; kind < 4;
             kind++) { /* blocks alone or not; steps one by one or in a run */
            bool blocks = kind & 1, many = kind & 2;
            double end[2];
            long calls = 1;
            for (long fails_at = 0; fails_at <= calls; fails_at++) {
                linear l = {.n = 2, .n_slow = 1, .A = {{-1, 0.5}, {0.3, -4}}, .fails_at = fails_at};
                bench_top b = {.problem = linear_problem(&l, x0, blocks)};
                bind_method(&b, gt_method_find(pairs[i].name), pairs[i].options);
                gt_stepper *s = &b.s;
                long done = 0, failures = 0;
                while (done < STEPS) {
                    gt_status status =
                        many ? gt_stepper_run(s, 0, h, (size_t)done, (size_t)(STEPS - done))
                             : gt_stepper_step(s, h);
                    failures += status != GT_OK;
                    assert_true(status == GT_OK || status == GT_TRY_RHS);
                    done = many && !status ? STEPS : s->stats.steps;
                    assert_true(fabs(s->t - (double)done * h) < 1e-14);
                }
                assert_int_equal(failures, fails_at ? 1 : 0);
                assert_int_equal(s->stats.steps, STEPS);
                assert_int_equal(s->stats.rhs, l.calls);
                assert_int_equal(s->stats.rhs_slow, l.slow_calls);
                assert_int_equal(s->stats.rhs_fast, l.fast_calls);
                if (!fails_at) {
                    calls = l.calls + l.slow_calls + l.fast_calls;
                    memcpy(end, s->x, sizeof end);
                }
                assert_memory_equal(s->x, end, sizeof end);
                gt_stepper_free(s);
                free(b.memory);
            }
        }
}

/* ---- a nonlinear problem ---- */

static gt_status swing_slow(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = x[1];
    dx[1] = -sin(x[0]) + 0.5 * (x[2] - x[0]) + 0.2 * x[1] * x[3];
    return GT_OK;
}

static gt_status swing_fast(double t, const double *x, double *dx, void *ctx)
{
    (void)ctx;
    dx[0] = x[3] + 0.3 * x[0] * x[2];
    dx[1] = -100 * (x[2] - x[0] * x[0]) - x[3] + x[1] * x[2] + sin(3 * t);
    return GT_OK;
}

static gt_status swing(double t, const double *x, double *dx, void *ctx)
{
    (void)!swing_slow(t, x, dx, ctx);
    return swing_fast(t, x, dx + 2, ctx);
}

static const double swing_start[] = {1, 0, 1.2, 0.5};

static gt_problem swing_problem(void)
{
    return (gt_problem){.n_slow = 2,
                        .n_fast = 2,
                        .rhs = swing,
                        .rhs_slow = swing_slow,
                        .rhs_fast = swing_fast,
                        .x0 = swing_start,
                        .t1 = 1};
}

static double swing_error(const double *x)
{
    double error = 0;
    for (int i = 0; i < 4; i++) error = fmax(error, fabs(x[i] - swing_solution[i]));
    return error;
}

static void states_after_40_steps_are_those_of_the_prototype(void **state)
{
    (void)state;
    gt_problem p = swing_problem();
    for (size_t k = 0; k < sizeof swing_after_40 / sizeof *swing_after_40; k++) {
        double x[4];
        gt_report r;
        gt_plan plan = {.h = 1.0 / 40, .options = swing_after_40[k].options, .x_end = x};
        assert_int_equal(gt_solve(&p, gt_method_find(swing_after_40[k].method), &plan, &r), GT_OK);
        for (int i = 0; i < 4; i++) {
            if (!(fabs(x[i] - swing_after_40[k].state[i]) < 1e-12))
                fail_msg("%s %s: state %d differs by %g", swing_after_40[k].method,
                         swing_after_40[k].options, i, x[i] - swing_after_40[k].state[i]);
        }
    }
}

/* A tighter tolerance gives a smaller error, and not by chance: a factor 1000 in tolerance at least
 * 20 in error. */
static void the_step_is_controlled_by_the_tolerance(void **state)
{
    (void)state;
    gt_problem p = swing_problem();
    for (int i = 0; i < PAIRS; i++) {
        double x[4], error[2];
        for (int k = 0; k < 2; k++) {
            gt_report r;
            gt_plan plan = {.rtol = k ? 1e-6 : 1e-3,
                            .atol = k ? 1e-6 : 1e-3,
                            .options = pairs[i].options,
                            .x_end = x};
            gt_status status = gt_solve(&p, gt_method_find(pairs[i].name), &plan, &r);
            if (status) fail_msg("%s: %s", pairs[i].name, r.message.text);
            error[k] = swing_error(x);
        }
        if (!(error[0] < 0.3 && error[1] < error[0] / 20))
            fail_msg("%s %s: errors %g and %g", pairs[i].name, pairs[i].options, error[0],
                     error[1]);
    }
}

/* ---- what is kept ---- */

/* Two masses, 100 (slow) and 1 (fast), on a spring k = 1e4; positions and velocities. */
static const double heavy = 100, light = 1, stiffness = 1e4;

static void spring_matrix(linear *l)
{
    *l = (linear){.n = 4, .n_slow = 2};
    l->A[0][1] = l->A[2][3] = 1;
    l->A[1][0] = -stiffness / heavy, l->A[1][2] = stiffness / heavy;
    l->A[3][0] = stiffness / light, l->A[3][2] = -stiffness / light;
}

/* Largest gap between the masses and change of momentum over `steps` steps of size h from `x0`. */
static void ride(const char *name, const char *options, const double *x0, double h, int steps,
                 double *gap, double *momentum)
{
    bench_top b = {.ready = true};
    linear l;
    spring_matrix(&l);
    b.problem = linear_problem(&l, x0, true);
    bind_method(&b, gt_method_find(name), options);
    double start = heavy * x0[1] + light * x0[3];
    *gap = *momentum = 0;
    for (int k = 0; k < steps; k++) {
        if (gt_stepper_step(&b.s, h)) break;
        *gap = fmax(*gap, fabs(b.s.x[2] - b.s.x[0]));
        *momentum = fmax(*momentum, fabs(heavy * b.s.x[1] + light * b.s.x[3] - start) / start);
    }
    gt_stepper_free(&b.s);
    free(b.memory);
}

static double largest_difference(const gt_ratio *a, const gt_ratio *b, int count)
{
    double largest = 0;
    for (int i = 0; i < count; i++)
        largest = fmax(largest, fabs(gt_ratio_value(a[i]) - gt_ratio_value(b[i])));
    return largest;
}

/* Uniform motion is kept when c = c^ and momentum when b = b^, over 10^4 steps, to round-off;
 * otherwise they are lost at once. Positions reach 1000, so a gap of 1e-9 is a few thousand units
 * in their last place. */
static void uniform_motion_and_momentum(void **state)
{
    (void)state;
    static const double together[] = {0, 10, 0, 10}, apart[] = {0, 10, 1e-3, 10};
    for (int i = 0; i < PAIRS; i++) {
        gt_partitioned P;
        double gap, momentum;
        /* These grow on an undamped spring, whatever their symmetry, but not much at small steps.
         */
        bool grows = strstr(pairs[i].options, "real") || !strcmp(pairs[i].options, "stages=2") ||
                     !strcmp(pairs[i].name, "dreuler");
        double h = grows ? 1e-4 : 0.01;
        read_pair(pairs[i].name, pairs[i].options, &P);
        bool same_c = largest_difference(P.slow.c, P.fast.c, P.slow.stages) < 1e-14;
        bool same_b = largest_difference(P.slow.b, P.fast.b, P.slow.stages) == 0;
        bool none = !strcmp(pairs[i].name, "dravg") || !strcmp(pairs[i].name, "prk25");
        assert_int_equal(same_c, !none);
        assert_int_equal(same_b, !none && (strcmp(pairs[i].name, "dreuler") ||
                                           !strcmp(pairs[i].options, "ratio=1")));
        ride(pairs[i].name, pairs[i].options, together, h, same_c ? 10000 : 100, &gap, &momentum);
        if (same_c != (gap < 1e-9)) fail_msg("%s %s: gap %g", pairs[i].name, pairs[i].options, gap);
        ride(pairs[i].name, pairs[i].options, apart, h, same_b ? 10000 : 100, &gap, &momentum);
        if (same_b != (momentum < 1e-11))
            fail_msg("%s %s: momentum off by %g", pairs[i].name, pairs[i].options, momentum);
    }
}

/* The printed consequences of c != c^ and b != b^, and dreuler, which has the first right and not
 * the second. */
static void pairs_without_the_symmetry_lose_it(void **state)
{
    (void)state;
    static const double together[] = {0, 10, 0, 10}, apart[] = {0, 10, 1e-3, 10};
    double gap, momentum, x[4];
    linear l;
    spring_matrix(&l);
    gt_problem p = linear_problem(&l, together, true);
    one_step(&p, "prk25", "", 0.02, x);
    static const double printed[] = {0.20239162492021706, 9.961819267810094, 0.22714376363876893,
                                     12.915853200761116};
    for (int i = 0; i < 4; i++) assert_true(fabs(x[i] - printed[i]) < 1e-12);
    ride("prk25", "", together, 0.02, 100, &gap, &momentum);
    assert_true(fabs(gap - 0.033235281487162316) < 1e-9);
    ride("dreuler", "", together, 0.02, 3, &gap, &momentum);
    assert_true(gap < 1e-12);
    ride("dreuler", "", apart, 0.02, 3, &gap, &momentum);
    assert_true(momentum > 1e-6);
}

/* Beyond x = 5 there is no f; blocks are parts of full calls. */
static gt_status ends_at_5(double t, const double *x, double *dx, void *ctx)
{
    (void)t;
    (void)ctx;
    dx[0] = 1;
    dx[1] = -x[1];
    return x[0] > 5 ? GT_RHS_FAILED : GT_OK;
}

/* A run of fixed steps that fails is repeated one by one from where it began, and must find its way
 * back there. */
static void failures_are_told_where_they_are_without_block_functions(void **state)
{
    (void)state;
    const double x0[] = {2, 1};
    int seen = 0;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        if (!(*m)->partitioned_of) continue;
        gt_problem p = {.n_slow = 1, .n_fast = 1, .rhs = ends_at_5, .x0 = x0, .t1 = 3.5};
        gt_report report;
        double x[2];
        if (gt_solve(&p, *m, &(gt_plan){.h = 0.01, .x_end = x}, &report) == GT_OK)
            fail_msg("%s went on to x = %g", (*m)->name, x[0]);
        if (!(fabs(report.t - 3) < 0.03))
            fail_msg("%s says it failed at t = %g", (*m)->name, report.t);
        seen++;
    }
    assert_true(seen > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failures_are_told_where_they_are_without_block_functions),
        cmocka_unit_test(every_pair_of_the_list_is_here),
        cmocka_unit_test(order_conditions_hold_to_the_stated_order),
        cmocka_unit_test(the_misprint_costs_an_order),
        cmocka_unit_test(slow_stages_are_as_published),
        cmocka_unit_test(the_real_axis_is_reached),
        cmocka_unit_test(tables_2_to_4_step_as_by_hand),
        cmocka_unit_test(the_stability_matrix_is_22),
        cmocka_unit_test(blocks_are_called_at_their_stages_only),
        cmocka_unit_test(a_failure_inside_a_step_leaves_the_point),
        cmocka_unit_test(states_after_40_steps_are_those_of_the_prototype),
        cmocka_unit_test(the_step_is_controlled_by_the_tolerance),
        cmocka_unit_test(uniform_motion_and_momentum),
        cmocka_unit_test(pairs_without_the_symmetry_lose_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
