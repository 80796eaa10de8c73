/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads that a caller lends: the pool does each part once, and runs give the same bits with any
 * number of threads, with parts in any order, and with none.
 */
#include "implicit/product.h"
#include "methods_kit.h"
#include <stdatomic.h>

enum { SIDE = 150, CELLS = SIDE * SIDE, STATES = 2 * CELLS }; /* above GT_THREADS_FROM */

/* ---- the pool ---- */

enum { PARTS = 1000 };

typedef struct tally {
    atomic_int done[PARTS];
} tally;

static void count_part(size_t i, void *work) { atomic_fetch_add(&((tally *)work)->done[i], 1); }

static void test_pool(void **state)
{
    (void)state;
    static tally t;
    for (size_t count = 1; count <= 5; count++) {
        gt_threads threads;
        gt_message message = {""};
        assert_int_equal(gt_threads_open(count, &threads, &message), GT_OK);
        assert_true(threads.count >= 1 && threads.count <= count);
        for (size_t round = 0; round < 300; round++) {
            size_t parts = round % 7 == 0 ? PARTS : round % 4;
            for (size_t i = 0; i < PARTS; i++) atomic_store(&t.done[i], 0);
            threads.share(parts, count_part, &t, threads.ctx);
            for (size_t i = 0; i < PARTS; i++) assert_int_equal(atomic_load(&t.done[i]), i < parts);
        }
        gt_threads_close(&threads);
        gt_threads_close(&threads); /* closed already */
    }
    gt_threads_close(NULL);
}

/* Nobody has a second part before all have their first ones. */
typedef struct meeting {
    size_t threads;
    atomic_size_t come;
    size_t first[5];
} meeting;

static void meet(size_t i, void *work)
{
    meeting *m = work;
    size_t place = atomic_fetch_add(&m->come, 1);
    if (place >= m->threads) return;
    m->first[place] = i;
    while (atomic_load(&m->come) < m->threads) {
    }
}

static int by_size(const void *a, const void *b)
{
    size_t u = *(const size_t *)a, v = *(const size_t *)b;
    return (u > v) - (u < v);
}

/* Each begins with a range that is its own, the same every time, so that its part of a vector stays
 * in its cache. */
static void test_own_ranges(void **state)
{
    (void)state;
    enum { EACH = 10 };
    for (size_t count = 2; count <= 4; count++) {
        gt_threads threads;
        assert_int_equal(gt_threads_open(count, &threads, NULL), GT_OK);
        for (int round = 0; round < 20; round++) {
            meeting m = {.threads = threads.count};
            threads.share(EACH * threads.count, meet, &m, threads.ctx);
            qsort(m.first, m.threads, sizeof *m.first, by_size);
            for (size_t k = 0; k < m.threads; k++) assert_int_equal(m.first[k], EACH * k);
            assert_int_equal(atomic_load(&m.come), EACH * threads.count);
        }
        gt_threads_close(&threads);
    }
}

static void test_bad_counts(void **state)
{
    (void)state;
    gt_threads threads;
    gt_message message = {""};
    assert_int_equal(gt_threads_open(0, &threads, &message), GT_BAD_ARGUMENT);
    assert_non_null(strstr(message.text, "0 threads"));
    assert_int_equal(gt_threads_open((size_t)-1, &threads, &message), GT_BAD_ARGUMENT);
    assert_int_equal(gt_threads_open(2, NULL, &message), GT_BAD_ARGUMENT);
    assert_null(threads.ctx);
}

/* ---- runs ---- */

/* A caller's own way: the last part first. */
static void share_backward(size_t parts, gt_part_fn *part, void *work, void *ctx)
{
    ++*(long *)ctx;
    for (size_t i = parts; i-- > 0;) part(i, work);
}

/* Two species on a square, u and v of a cell one after the other. */
static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    for (size_t c = 0; c < CELLS; c++) {
        size_t i = c % SIDE;
        double u = x[2 * c], v = x[2 * c + 1], sum = 0;
        if (i > 0) sum += x[2 * c - 2] - u;
        if (i + 1 < SIDE) sum += x[2 * c + 2] - u;
        if (c >= SIDE) sum += x[2 * (c - SIDE)] - u;
        if (c + SIDE < CELLS) sum += x[2 * (c + SIDE)] - u;
        dx[2 * c] = 30 * sum + 5 * (u * (1 - u) * (u - 0.1) - v);
        dx[2 * c + 1] = 0.5 * u - v;
    }
    return GT_OK;
}

typedef struct square {
    gt_problem problem;
    double x0[STATES];
    int colptr[STATES + 1], rowindex[6 * STATES];
} square;

/* Rows that depend on each state: so that Jacobians are differences of groups of columns. */
static void add_pattern(square *s)
{
    int at = 0;
    for (int j = 0; j < STATES; j++) {
        int c = j / 2, i = c % SIDE;
        s->colptr[j] = at;
        if (j % 2 == 0 && c >= SIDE) s->rowindex[at++] = 2 * (c - SIDE);
        if (j % 2 == 0 && i > 0) s->rowindex[at++] = 2 * c - 2;
        s->rowindex[at++] = 2 * c;
        s->rowindex[at++] = 2 * c + 1;
        if (j % 2 == 0 && i + 1 < SIDE) s->rowindex[at++] = 2 * c + 2;
        if (j % 2 == 0 && c + SIDE < CELLS) s->rowindex[at++] = 2 * (c + SIDE);
    }
    s->colptr[STATES] = at;
    s->problem.jac_pattern =
        (gt_pattern){.storage = GT_CSC, .colptr = s->colptr, .rowindex = s->rowindex};
}

static square *make_square(void)
{
    square *s = calloc(1, sizeof *s);
    assert_non_null(s);
    for (size_t c = 0; c < CELLS; c++) {
        double a = (double)(c % SIDE) / SIDE, b = (double)(c / SIDE) / SIDE;
        s->x0[2 * c] = exp(-25 * (a * a + b * b));
        s->x0[2 * c + 1] = 0.1 * exp(-3 * b);
    }
    s->problem =
        (gt_problem){.n_slow = STATES, .rhs = rhs, .t1 = 0.05, .x0 = s->x0, .autonomous = true};
    return s;
}

static void solve(const gt_problem *p, const char *method, const gt_plan *given, double *x,
                  gt_stats *stats)
{
    gt_plan plan = *given;
    gt_report report;
    plan.x_end = x;
    if (gt_solve(p, gt_method_find(method), &plan, &report))
        fail_msg("%s: %s", method, report.message.text);
    *stats = report.stats;
}

static void check_bits_of(square *s, const char *method, const gt_plan *plan)
{
    double *alone = malloc(sizeof s->x0), *shared = malloc(sizeof s->x0);
    gt_stats without, with;
    assert_true(alone && shared);
    solve(&s->problem, method, plan, alone, &without);
    for (size_t count = 0; count <= 3; count++) { /* 0: a way of our own */
        long calls = 0;
        gt_threads threads = {.count = 2, .share = share_backward, .ctx = &calls};
        if (count) assert_int_equal(gt_threads_open(count, &threads, NULL), GT_OK);
        gt_problem_use_threads(&s->problem, &threads);
        solve(&s->problem, method, plan, shared, &with);
        if (memcmp(alone, shared, sizeof s->x0))
            fail_msg("%s: other bits with %zu threads", method, count);
        assert_memory_equal(&without, &with, sizeof with);
        if (count)
            gt_threads_close(&threads);
        else
            assert_true(calls > with.steps); /* they were used at all */
    }
    free(alone), free(shared), free(s);
}

static void check_bits(const char *method, const gt_plan *plan)
{
    check_bits_of(make_square(), method, plan);
}

static void test_same_bits(void **state)
{
    (void)state;
    const gt_plan loose = {.rtol = 1e-3, .atol = 1e-3}, fixed = {.h = 0.002};
    check_bits("smes", &loose);
    check_bits("dopri5", &loose);
    check_bits("gear", &loose); /* by iterations, as it chooses */
    check_bits("rk4", &fixed);
}

/* A y = A x of small whole numbers, which add up exactly in any order. */
static void test_products(void **state)
{
    (void)state;
    gt_arena arena = gt_arena_growing();
    gt_matrix A;
    double *x = malloc(STATES * sizeof *x), *y = malloc(STATES * sizeof *y),
           *right = malloc(STATES * sizeof *right);
    square *s = make_square();
    assert_true(x && y && right);
    add_pattern(s);
    size_t reach = gt_pattern_reach(&s->problem.jac_pattern, STATES);
    assert_int_equal(reach, 2 * SIDE);
    gt_matrix_layout(&A, STATES, s->problem.jac_pattern, false, &arena);
    for (size_t e = 0; e < gt_matrix_entries(&A); e++) A.values[e] = (double)(e * 7 % 19) - 9;
    for (size_t i = 0; i < STATES; i++) x[i] = (double)(i * 5 % 13) - 6;
    gt_matrix_multiply(&A, x, 0, right);
    for (size_t count = 0; count <= 3; count++) {
        gt_threads threads;
        if (count) assert_int_equal(gt_threads_open(count, &threads, NULL), GT_OK);
        s->problem.threads = count ? &threads : NULL;
        for (size_t i = 0; i < STATES; i++) y[i] = NAN;
        gt_multiply_many(&s->problem, &A, reach, x, y);
        assert_memory_equal(y, right, STATES * sizeof *y);
        if (count) gt_threads_close(&threads);
    }
    gt_arena_free(&arena);
    free(x), free(y), free(right), free(s);
}

static void test_same_bits_with_matrices(void **state)
{
    (void)state;
    const gt_plan loose = {.rtol = 1e-3, .atol = 1e-3}, tight = {.rtol = 1e-5, .atol = 1e-5};
    square *s = make_square();
    add_pattern(s);
    check_bits_of(s, "gear", &loose);
    s = make_square();
    add_pattern(s);
    check_bits_of(s, "gear", &tight);
    s = make_square();
    add_pattern(s);
    check_bits_of(s, "radau", &loose);
}

/* Fast modes beyond a gap: what small steps do. */
static gt_status behind_gap(double t, const double *x, double *dx, void *ctx)
{
    (void)ctx;
    for (size_t i = 0; i < STATES; i++) {
        double slow = cos(t + (double)i / STATES);
        dx[i] = i % 2 ? -2000 * (x[i] - slow) : -x[i] * x[i] + slow;
    }
    return GT_OK;
}

static void test_same_bits_behind_gap(void **state)
{
    (void)state;
    square *s = make_square();
    s->problem.rhs = behind_gap;
    s->problem.autonomous = false;
    s->problem.t1 = 1;
    check_bits_of(s, "smes", &(gt_plan){.rtol = 1e-4, .atol = 1e-4});
}

/* Tolerances of their own take another way through the sums. */
static void test_vector_tolerances(void **state)
{
    (void)state;
    double *rtol = malloc(STATES * sizeof *rtol), *atol = malloc(STATES * sizeof *atol);
    assert_true(rtol && atol);
    for (size_t i = 0; i < STATES; i++) {
        rtol[i] = i % 2 ? 1e-2 : 1e-3;
        atol[i] = i % 3 ? 1e-3 : 1e-4;
    }
    check_bits("smes",
               &(gt_plan){.rtol = 1e-3, .atol = 1e-3, .rtol_vector = rtol, .atol_vector = atol});
    free(rtol), free(atol);
}

static void test_without_share(void **state)
{
    (void)state;
    square *s = make_square();
    gt_message message = {""};
    s->problem.threads = &(gt_threads){.count = 2};
    assert_int_equal(gt_problem_check(&s->problem, &message), GT_BAD_ARGUMENT);
    assert_non_null(strstr(message.text, "threads without"));
    free(s);
}

/* ---- who is told ---- */

static void note_threads(const gt_threads *threads, void *ctx)
{
    *(const gt_threads **)ctx = threads;
}

static void test_told_through_wrappers(void **state)
{
    (void)state;
    const gt_threads some = {.count = 1, .share = share_backward}, *told = NULL;
    const double x0[2] = {1, 2};
    const size_t order[2] = {1, 0};
    gt_problem user = {.n_slow = 2,
                       .rhs = rhs,
                       .t1 = 1,
                       .x0 = x0,
                       .use_threads = note_threads,
                       .ctx = &told},
               made;
    gt_arena arena = gt_arena_growing();
    gt_problem_use_threads(&user, &some);
    assert_true(told == &some && user.threads == &some);
    gt_problem_use_threads(&user, NULL);
    assert_true(!told && !user.threads);
    assert_int_equal(gt_problem_permuted(&user, 1, 1, 0, order, &made, &arena), GT_OK);
    gt_problem_use_threads(&made, &some);
    assert_true(told == &some && made.threads == &some);
    gt_problem_use_threads(&made, NULL);
    assert_int_equal(gt_problem_reversed(&user, &made, &arena), GT_OK);
    gt_problem_use_threads(&made, &some);
    assert_true(told == &some && made.threads == &some);
    gt_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pool),
        cmocka_unit_test(test_own_ranges),
        cmocka_unit_test(test_bad_counts),
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_products),
        cmocka_unit_test(test_same_bits_with_matrices),
        cmocka_unit_test(test_same_bits_behind_gap),
        cmocka_unit_test(test_vector_tolerances),
        cmocka_unit_test(test_without_share),
        cmocka_unit_test(test_told_through_wrappers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
