/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stability that is reported, on coupled blocks: a mass of 50 (slow) with one of 5 on a soft spring
 * (slow) and one of 1 on a stiff spring (fast). No mode of it is damped, and round-off gives the
 * fast pair a real part of 1e-17. The limits are recomputed here from the tableaux, with a spectral
 * radius that needs no eigenvalues: rho(M) is the limit of |M^N|^(1/N), by squaring.
 */
#include "methods_kit.h"

enum { N = 6, SLOW = 4, MOST = N + 3 * SLOW };
static const double STIFF = 4e5, SOFT = 200, HEAVY = 50, LIGHT = 5, THRESHOLD = 1e-5;

/* x1, x3, v1, v3 | x2, v2 */
static void matrix(double A[N][N])
{
    memset(A, 0, N * sizeof *A);
    A[0][2] = A[1][3] = A[4][5] = 1;
    A[2][0] = -(STIFF + SOFT) / HEAVY;
    A[2][4] = STIFF / HEAVY;
    A[2][1] = SOFT / HEAVY;
    A[3][1] = -SOFT / LIGHT;
    A[3][0] = SOFT / LIGHT;
    A[5][4] = -STIFF;
    A[5][0] = STIFF;
}

static void rows(size_t first, size_t count, const double *x, double *dx)
{
    double A[N][N];
    matrix(A);
    for (size_t i = 0; i < count; i++) {
        dx[i] = 0;
        for (size_t j = 0; j < N; j++) dx[i] += A[first + i][j] * x[j];
    }
}

static gt_status full(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    rows(0, N, x, dx);
    return GT_OK;
}

static gt_status slow(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    rows(0, SLOW, x, dx);
    return GT_OK;
}

static gt_status fast(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    rows(SLOW, N - SLOW, x, dx);
    return GT_OK;
}

static gt_status jacobian(double t, const double *x, gt_matrix *J, void *ctx)
{
    double A[N][N];
    (void)t, (void)x, (void)ctx;
    matrix(A);
    for (size_t j = 0; j < N; j++)
        for (size_t i = 0; i < N; i++) J->values[j * N + i] = A[i][j];
    return GT_OK;
}

static const double start[N] = {0, 0.1, 10, 10, 0, 10};
static const gt_problem masses = {.n_slow = SLOW,
                                  .n_fast = N - SLOW,
                                  .rhs = full,
                                  .rhs_slow = slow,
                                  .rhs_fast = fast,
                                  .jac = jacobian,
                                  .linear = true,
                                  .autonomous = true,
                                  .x0 = start,
                                  .t1 = 10};

static double omega(void) { return sqrt(STIFF * (1 + 1 / HEAVY)); }

/* rho(M) = lim |M^(2^k)|^(1/2^k), with the largest entry taken out of each square. */
static double radius_of(int n, double M[MOST][MOST])
{
    double square[MOST][MOST], log_size = 0, weight = 1;
    for (int k = 0; k < 45; k++, weight /= 2) {
        double most = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) most = fmax(most, fabs(M[i][j]));
        log_size += weight * log(most);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) M[i][j] /= most;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                square[i][j] = 0;
                for (int l = 0; l < n; l++) square[i][j] += M[i][l] * M[l][j];
            }
        memcpy(M, square, sizeof square);
    }
    return exp(log_size);
}

/* One step from each unit vector by the formula of a partitioned Runge-Kutta method. */
static double radius_by_tableaux(const gt_method *method, double h)
{
    static gt_partitioned P;
    double A[N][N], M[MOST][MOST] = {{0}};
    memset(&P, 0, sizeof P);
    if (method->partitioned_of)
        method->partitioned_of(method, gt_params_default(method->options).v, &P);
    else
        P.slow = P.fast = *method->tableau;
    matrix(A);
    for (int column = 0; column < N; column++) {
        double k[GT_MAX_STAGES][N], x[N];
        for (int i = 0; i < P.slow.stages; i++) {
            for (int r = 0; r < N; r++) {
                const gt_tableau *T = r < SLOW ? &P.slow : &P.fast;
                x[r] = r == column;
                for (int j = 0; j < i; j++) x[r] += h * gt_ratio_value(T->a[i][j]) * k[j][r];
            }
            for (int r = 0; r < N; r++) {
                k[i][r] = 0;
                for (int j = 0; j < N; j++) k[i][r] += A[r][j] * x[j];
            }
        }
        for (int r = 0; r < N; r++) {
            const gt_tableau *T = r < SLOW ? &P.slow : &P.fast;
            M[r][column] = r == column;
            for (int j = 0; j < P.slow.stages; j++)
                M[r][column] += h * gt_ratio_value(T->b[j]) * k[j][r];
        }
    }
    return radius_of(N, M);
}

/* The first omega h at which the radius is above the threshold, looked for in steps of 0.002. */
static double limit_by_tableaux(const gt_method *method)
{
    double z = 0.002;
    while (z < 20 && radius_by_tableaux(method, z / omega()) <= 1 + THRESHOLD) z += 0.002;
    return z;
}

static void spectrum_at_start(gt_spectrum *s, gt_arena *arena)
{
    gt_message m = {""};
    *arena = gt_arena_growing();
    if (gt_spectrum_at(&masses, 0, start, masses.t1, s, arena, &m)) fail_msg("%s", m.text);
}

/* What docs/dual_rate.md says of masses 50:1. */
static void limits_of_coupled_masses(void **state)
{
    (void)state;
    static const struct {
        const char *method;
        double limit;
    } list[] = {{"prk25", 1.37}, {"prk2s", 2.47}, {"prk38", 3.14}, {"prk48", 5.67}, {"rk4", 2.83}};
    gt_arena arena;
    gt_spectrum s;
    spectrum_at_start(&s, &arena);
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        const gt_method *m = gt_method_find(list[k].method);
        double wanted = limit_by_tableaux(m),
               found = omega() * gt_coupled_step(&masses, &s, 1, m, NULL, masses.t1);
        assert_within(wanted, list[k].limit, 0.006, list[k].method);
        assert_within(found, wanted, 0.02 * wanted, list[k].method);
    }
    gt_arena_free(&arena);
}

/* Ten such systems side by side: state i of copy c is i * COPIES + c. */
enum { COPIES = 10 };

static gt_status full_of_copies(double t, const double *x, double *dx, void *ctx)
{
    double A[N][N];
    (void)t, (void)ctx;
    matrix(A);
    for (size_t i = 0; i < N; i++)
        for (size_t c = 0; c < COPIES; c++) {
            dx[i * COPIES + c] = 0;
            for (size_t j = 0; j < N; j++) dx[i * COPIES + c] += A[i][j] * x[j * COPIES + c];
        }
    return GT_OK;
}

static gt_status jacobian_of_copies(double t, const double *x, gt_matrix *J, void *ctx)
{
    double A[N][N];
    (void)t, (void)x, (void)ctx;
    matrix(A);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            for (size_t c = 0; c < COPIES; c++)
                J->values[(j * COPIES + c) * N * COPIES + i * COPIES + c] = A[i][j];
    return GT_OK;
}

/* With 60 states the search is coarse; beyond some 35 there was no step at all. */
static void many_states_have_a_stable_step(void **state)
{
    (void)state;
    static const char *const methods[] = {"prk25", "prk2s", "prk48", "rk4"};
    static const double x0[N * COPIES] = {0};
    gt_problem p = {.n_slow = SLOW * COPIES,
                    .n_fast = (N - SLOW) * COPIES,
                    .rhs = full_of_copies,
                    .jac = jacobian_of_copies,
                    .x0 = x0,
                    .t1 = masses.t1,
                    .linear = true,
                    .autonomous = true};
    gt_arena arena = gt_arena_growing();
    gt_spectrum s;
    gt_message message = {""};
    if (gt_spectrum_at(&p, 0, x0, p.t1, &s, &arena, &message)) fail_msg("%s", message.text);
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        const gt_method *m = gt_method_find(methods[k]);
        double wanted = limit_by_tableaux(m),
               found = omega() * gt_coupled_step(&p, &s, 1, m, NULL, p.t1);
        assert_within(found, wanted, 0.02 * wanted, methods[k]);
    }
    gt_arena_free(&arena);
}

static void radius_is_that_of_the_tableaux(void **state)
{
    (void)state;
    gt_arena arena;
    gt_spectrum s;
    int seen = 0;
    spectrum_at_start(&s, &arena);
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        if (!(*m)->partitioned_of &&
            !((*m)->tableau &&
              !(gt_method_facts(*m, gt_params_default((*m)->options).v).flags & GT_USES_JACOBIAN)))
            continue;
        for (double z = 0.3; z < 9; z *= 1.3) {
            double wanted = radius_by_tableaux(*m, z / omega());
            double found = gt_coupled_radius(&masses, &s, *m, NULL, z / omega());
            assert_within(found, wanted, 1e-6 * wanted, (*m)->name);
        }
        seen++;
    }
    assert_true(seen >= 12);
    gt_arena_free(&arena);
}

/* mradams by its formulas at constant step: the state is x, z and three slow slopes; two steps of
 * size h of the inner method would do, but it takes `count` small ones of rk4 along the
 * extrapolated slow path. */
static double radius_of_growth(const gt_method *m, double h, int steps)
{
    bench_top b = {.problem = masses};
    b.problem.x0 = start;
    bind_method(&b, m, NULL);
    double x[N] = {1, -0.5, 0.3, 0.7, -0.2, 0.9}, half = 0, end = 0;
    gt_stepper_start(&b.s, 0, x);
    for (int k = 0; k < steps; k++) {
        if (gt_stepper_step(&b.s, h)) fail_msg("%s", b.s.message.text);
        double size = 0;
        for (int i = 0; i < N; i++)
            size = fmax(size, fabs(b.s.x[i]) * (i == 2 || i == 3 || i == 5 ? 1 / omega() : 1));
        if (k < steps / 2) half = fmax(half, size);
        end = fmax(end, size);
    }
    dismantle(&b);
    return pow(end / half, 2.0 / steps);
}

/* A method with a past: the radius of the companion matrix is the rate at which a long run grows.
 */
static void past_slopes_belong_to_the_matrix(void **state)
{
    (void)state;
    gt_arena arena;
    gt_spectrum s;
    const gt_method *m = gt_method_find("mradams");
    spectrum_at_start(&s, &arena);
    for (double z = 1.6; z < 3; z += 0.3) {
        double found = gt_coupled_radius(&masses, &s, m, NULL, z / omega());
        double wanted = radius_of_growth(m, z / omega(), 400);
        if (wanted < 1.02) continue;
        assert_within(found, wanted, 0.01 * wanted, "mradams");
    }
    double limit = gt_coupled_step(&masses, &s, 1, m, NULL, masses.t1);
    assert_true(limit > 0 && limit < 0.004);
    assert_true(radius_of_growth(m, 1.1 * limit, 3000) > 1.001);
    assert_true(radius_of_growth(m, 0.95 * limit, 3000) < 1.001);
    gt_arena_free(&arena);
}

/* Every method that takes a fixed step on the model has a stable step, by one way or the other. */
static void every_method_has_a_stable_step(void **state)
{
    (void)state;
    gt_arena arena = gt_arena_growing();
    gt_advice advice;
    gt_message m = {""};
    gt_problem p = masses;
    p.t1 = 0.5;
    if (gt_advise(&p, NULL, NULL, &advice, &arena, &m)) fail_msg("%s", m.text);
    for (size_t k = 0; k < advice.n_methods; k++) {
        const gt_method *method = advice.methods[k].method;
        gt_values v = gt_params_default(method->options);
        if (gt_method_check(method, v.v, &p, &m) ||
            (gt_method_facts(method, v.v).flags & GT_VARIABLE_FORMULA))
            continue;
        if (isnan(advice.methods[k].h_stable)) fail_msg("%s has no stable step", method->name);
    }
    gt_arena_free(&arena);
}

/* Re = 1.7e-17 counted as growing, and the mode that limits the step was left out. */
static void round_off_does_not_grow(void **state)
{
    (void)state;
    const gt_method *rk4 = gt_method_find("rk4");
    gt_arena arena;
    gt_spectrum s;
    spectrum_at_start(&s, &arena);
    for (size_t k = 0; k < s.count; k++) assert_true(s.values[2 * k] == 0);
    assert_within(fabs(s.values[1]), 638.75, 0.01, "the fast pair");
    /* The masses moving along are a double eigenvalue 0, which round-off splits into +- 1e-7. */
    assert_true(s.values[2 * 4 + 1] == 0 && s.values[2 * 5 + 1] == 0);
    assert_within(gt_stable_step(rk4, NULL, s.values, s.count), sqrt(8) / omega(), 1e-9,
                  "stable step");
    const double noisy[] = {1.7e-17, 638.75, 1.7e-17, -638.75, 3e-18, 6.6, 3e-18, -6.6};
    assert_within(gt_stable_step(rk4, NULL, noisy, 4), sqrt(8) / 638.75, 1e-9,
                  "eigenvalues as they come");
    const double growing[] = {1e-3, 638.75, 1e-3, -638.75, 0, 6.6, 0, -6.6};
    assert_within(gt_stable_step(rk4, NULL, growing, 4), sqrt(8) / 6.6, 1e-9, "modes that do grow");
    gt_arena_free(&arena);
}

/* Eigenvalues far apart, all well determined, stay as they are; so do those of a Jordan block away
 * from 0. */
static gt_status apart(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = -1e16 * x[0] + x[1];
    dx[1] = -1e-3 * x[1];
    dx[2] = -2 * x[2] + x[3];
    dx[3] = -2 * x[3];
    return GT_OK;
}

static gt_status apart_jacobian(double t, const double *x, gt_matrix *J, void *ctx)
{
    (void)t, (void)x, (void)ctx;
    J->values[0] = -1e16;
    J->values[4] = 1;
    J->values[5] = -1e-3;
    J->values[10] = J->values[15] = -2;
    J->values[14] = 1;
    return GT_OK;
}

static void small_eigenvalues_are_kept(void **state)
{
    (void)state;
    static const double x0[4] = {1, 1, 1, 1};
    gt_problem p = {.n_slow = 4, .rhs = apart, .jac = apart_jacobian, .x0 = x0, .t1 = 1};
    gt_arena arena = gt_arena_growing();
    gt_linearization l;
    gt_message m = {""};
    if (gt_linearize(&p, 0, x0, &l, &arena, &m)) fail_msg("%s", m.text);
    assert_within(l.modes[0].re, -1e-3, 1e-15, "the slow one");
    assert_within(l.modes[1].re, -2, 1e-7, "a double one");
    assert_within(l.modes[2].re, -2, 1e-7, "a double one");
    gt_arena_free(&arena);
}

/* One step over the whole span cannot show growth: 10 was the answer of all of them. prk25 grows so
 * slowly beyond its limit that nothing comes of it in the span, and smfe multiplies what is hardly
 * there by 6000 in a single step. */
static void steps_tried_show_growth(void **state)
{
    (void)state;
    static const double bound[N] = {101, 101, 11, 11, 101, 11};
    static const struct {
        const char *name;
        double least, most; /* omega h */
    } list[] = {{"rk4", 2.80, 2.86},
                {"prk25", 1.36, 1.75},
                {"prk48", 5.60, 5.70},
                {"mradams", 1.80, 1.95},
                {"smfe", 0, 1}};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        gt_message m = {""};
        double h;
        gt_status status =
            gt_largest_step(&masses, gt_method_find(list[k].name), bound, 100000, &h, &m);
        if (status || h * omega() < list[k].least || h * omega() > list[k].most)
            fail_msg("%s: omega h = %g %s", list[k].name, h * omega(), m.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_of_coupled_masses),
        cmocka_unit_test(many_states_have_a_stable_step),
        cmocka_unit_test(radius_is_that_of_the_tableaux),
        cmocka_unit_test(past_slopes_belong_to_the_matrix),
        cmocka_unit_test(every_method_has_a_stable_step),
        cmocka_unit_test(round_off_does_not_grow),
        cmocka_unit_test(small_eigenvalues_are_kept),
        cmocka_unit_test(steps_tried_show_growth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
