/* SPDX-License-Identifier: BSD-3-Clause */
/* Problems: what gt_problem_check refuses, the reduced, permuted and first-order forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <geartrain/author/author.h>
#include <geartrain/geartrain.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A chain of four states, each coupled with its neighbours, driven at the first. */
enum { N = 4 };
static const double chain_x0[N] = {1.0, -0.5, 0.25, 2.0};
static const char *const chain_names[N] = {"a", "b", "c", "d"};
static const char *const chain_units[N] = {"m", "s", "kg", "V"};
static const int chain_direction[1] = {-1};
static const char *const chain_root_names[1] = {"b falls through 0"};
static const char *const chain_invariant_names[1] = {"weighted"};
static const double chain_breaks[1] = {0.5};

static double chain_next(const double *x, size_t i) { return i + 1 < N ? x[i + 1] : 0.0; }

static gt_status chain_rhs(double t, const double *x, double *dx, void *ctx)
{
    double k = *(const double *)ctx;
    for (size_t i = 0; i < N; i++) {
        double before = i > 0 ? x[i - 1] : sin(t);
        dx[i] = (double)(i + 1) * before - k * x[i] * x[i] * x[i] + 0.3 * chain_next(x, i);
    }
    return GT_OK;
}

static gt_status chain_jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    (void)t;
    double k = *(const double *)ctx;
    for (size_t i = 0; i < N; i++) {
        if (i > 0) gt_matrix_add(J, i, i - 1, (double)(i + 1));
        gt_matrix_add(J, i, i, -3 * k * x[i] * x[i]);
        if (i + 1 < N) gt_matrix_add(J, i, i + 1, 0.3);
    }
    return GT_OK;
}

static gt_status chain_taylor(double t, int order, double *c, void *ctx)
{
    (void)t, (void)ctx;
    for (int k = 1; k <= order; k++)
        for (size_t i = 0; i < N; i++)
            c[(size_t)k * N + i] = (double)(i + 1) * c[(size_t)(k - 1) * N + i] / k;
    return GT_OK;
}

static gt_status chain_roots(double t, const double *x, double *g, void *ctx)
{
    (void)t, (void)ctx;
    g[0] = x[1];
    return GT_OK;
}

static gt_status chain_event(double t, const unsigned char *fired, double *x, unsigned *actions,
                             void *ctx)
{
    (void)t, (void)ctx;
    if (fired[0]) x[3] = 7.0;
    *actions = GT_EVENT_OUTPUT;
    return GT_OK;
}

static void chain_exact(double t, double *x, void *ctx)
{
    (void)ctx;
    for (size_t i = 0; i < N; i++) x[i] = 10.0 * (double)i + t;
}

static void chain_invariants(double t, const double *x, double *out, void *ctx)
{
    (void)t, (void)ctx;
    out[0] = x[0] + 10 * x[1] + 100 * x[2] + 1000 * x[3];
}

static const double chain_k = 0.7;

static gt_problem chain(void)
{
    return (gt_problem){
        .n_slow = N,
        .rhs = chain_rhs,
        .jac = chain_jac,
        .taylor = chain_taylor,
        .n_roots = 1,
        .roots = chain_roots,
        .root_direction = chain_direction,
        .root_names = chain_root_names,
        .on_event = chain_event,
        .n_breaks = 1,
        .breaks = chain_breaks,
        .t1 = 1,
        .x0 = chain_x0,
        .ctx = (void *)&chain_k,
        .name = "chain",
        .names = chain_names,
        .units = chain_units,
        .exact = chain_exact,
        .n_invariants = 1,
        .invariant_names = chain_invariant_names,
        .invariants = chain_invariants,
    };
}

static const int tri_colptr[N + 1] = {0, 2, 5, 8, 10};
static const int tri_rows[10] = {0, 1, 0, 1, 2, 1, 2, 3, 2, 3};

static gt_pattern pattern_of(gt_storage storage)
{
    return (gt_pattern){
        .storage = storage, .lower = 1, .upper = 1, .colptr = tri_colptr, .rowindex = tri_rows};
}

static void refuses(const gt_problem *p, const char *word)
{
    gt_message m = {{0}};
    assert_int_equal(gt_problem_check(p, &m), GT_BAD_ARGUMENT);
    if (!strstr(m.text, word)) fail_msg("\"%s\" does not speak of \"%s\"", m.text, word);
}

static void test_check(void **state)
{
    (void)state;
    gt_message m;
    gt_problem good = chain();
    assert_int_equal(gt_problem_check(&good, &m), GT_OK);
    gt_problem p = good;
    p.n_slow = 0, refuses(&p, "no states");
    p = good, p.rhs = NULL, refuses(&p, "right-hand side");
    p = good, p.x0 = NULL, refuses(&p, "initial values");
    p = good, p.t1 = -1; /* backward */
    assert_int_equal(gt_problem_check(&p, NULL), GT_OK);
    p = good, p.t1 = NAN, refuses(&p, "finite");
    p = good, p.t0 = INFINITY, refuses(&p, "finite");
    double bad[N] = {0, 0, NAN, 0};
    p = good, p.x0 = bad, refuses(&p, "initial value of c");
    p = good, p.jac_pattern = (gt_pattern){.storage = GT_CSC}, refuses(&p, "colptr");
    p = good, p.jac_pattern = (gt_pattern){.storage = GT_BANDED, .lower = 4},
    refuses(&p, "superdiagonals");
    int rows[10];
    memcpy(rows, tri_rows, sizeof rows);
    rows[3] = 0;
    p = good, p.jac_pattern = pattern_of(GT_CSC), p.jac_pattern.rowindex = rows,
    refuses(&p, "ascending");
    rows[3] = 4, refuses(&p, "outside");
    p = good, p.roots = NULL, refuses(&p, "roots");
    p = good, p.invariants = NULL, refuses(&p, "invariants");
    double falling[2] = {0.5, 0.4};
    p = good, p.n_breaks = 2, p.breaks = falling, refuses(&p, "ascend");
    double value = 1;
    gt_matrix mass = {.n = 3, .values = &value};
    p = good, p.mass = &mass, refuses(&p, "3 x 3");
}

static void test_state_name(void **state)
{
    (void)state;
    char buffer[24];
    gt_problem p = chain();
    assert_string_equal(gt_problem_state_name(&p, 2, buffer), "c");
    p.names = NULL;
    assert_string_equal(gt_problem_state_name(&p, 2, buffer), "x3");
}

static void test_reduced(void **state)
{
    (void)state;
    gt_problem p = chain();
    p.n_slow = 1, p.n_fast = 2, p.n_alg = 1;
    p.rhs_fast = chain_rhs;
    gt_problem r = gt_problem_reduced(&p);
    assert_int_equal(r.n_slow, 1);
    assert_int_equal(r.n_fast, 0);
    assert_int_equal(r.n_alg, 3);
    assert_ptr_equal(r.rhs, p.rhs);
    assert_null(r.rhs_alg);
    assert_null(r.exact);
    p.n_alg = 0, p.n_fast = 3;
    r = gt_problem_reduced(&p);
    assert_ptr_equal(r.rhs_alg, p.rhs_fast);
    assert_null(r.rhs_fast);
}

static const size_t order[N] = {2, 0, 3, 1};

static gt_problem permute(const gt_problem *user, gt_arena *arena)
{
    gt_problem out;
    assert_int_equal(gt_problem_permuted(user, 2, 2, 0, order, &out, arena), GT_OK);
    return out;
}

static void test_permuted_functions(void **state)
{
    (void)state;
    gt_arena arena = gt_arena_growing();
    gt_problem user = chain(), p = permute(&user, &arena);
    gt_message m;
    assert_int_equal(gt_problem_check(&p, &m), GT_OK);
    assert_int_equal(p.n_fast, 2);
    double dx[N], user_dx[N], out[2 * N], user_out[2 * N];
    assert_int_equal(user.rhs(0.3, chain_x0, user_dx, user.ctx), GT_OK);
    assert_int_equal(p.rhs(0.3, p.x0, dx, p.ctx), GT_OK);
    for (size_t i = 0; i < N; i++) {
        assert_true(p.x0[i] == chain_x0[order[i]]);
        assert_true(dx[i] == user_dx[order[i]]);
        assert_string_equal(p.names[i], chain_names[order[i]]);
        assert_string_equal(p.units[i], chain_units[order[i]]);
    }
    p.exact(0.5, out, p.ctx);
    for (size_t i = 0; i < N; i++) assert_true(out[i] == 10.0 * (double)order[i] + 0.5);
    user.invariants(0, chain_x0, user_out, user.ctx);
    p.invariants(0, p.x0, out, p.ctx);
    assert_true(out[0] == user_out[0]);
    assert_int_equal(p.roots(0, p.x0, out, p.ctx), GT_OK);
    assert_true(out[0] == chain_x0[1]);
    double x[N];
    memcpy(x, p.x0, sizeof x);
    unsigned actions = 0;
    assert_int_equal(p.on_event(0, (const unsigned char[]){1}, x, &actions, p.ctx), GT_OK);
    assert_int_equal(actions, GT_EVENT_OUTPUT);
    assert_true(x[2] == 7.0 && x[0] == p.x0[0]);
    memcpy(user_out, chain_x0, sizeof chain_x0);
    memcpy(out, p.x0, sizeof chain_x0);
    assert_int_equal(user.taylor(0, 1, user_out, user.ctx), GT_OK);
    assert_int_equal(p.taylor(0, 1, out, p.ctx), GT_OK);
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < N; i++) assert_true(out[k * N + i] == user_out[k * N + order[i]]);
    gt_arena_free(&arena);
}

static double entry(const gt_matrix *matrix, size_t i, size_t j)
{
    const double *at = gt_matrix_at(matrix, i, j);
    return at ? *at : 0.0;
}

/* Jacobian and mass matrix in every storage. */
static void test_permuted_matrices(void **state)
{
    (void)state;
    const gt_storage storages[] = {GT_DENSE, GT_BANDED, GT_CSC};
    for (size_t s = 0; s < 3; s++) {
        gt_arena arena = gt_arena_growing();
        gt_problem user = chain();
        gt_matrix mass, J, user_J;
        user.jac_pattern = pattern_of(storages[s]);
        gt_matrix_layout(&mass, N, user.jac_pattern, false, &arena);
        gt_matrix_layout(&user_J, N, user.jac_pattern, false, &arena);
        assert_int_equal(user.jac(0, chain_x0, &mass, user.ctx), GT_OK); /* any numbers will do */
        user.mass = &mass;
        gt_problem p = permute(&user, &arena);
        gt_message m;
        assert_int_equal(gt_problem_check(&p, &m), GT_OK);
        assert_int_equal(p.jac_pattern.storage, storages[s] == GT_DENSE ? GT_DENSE : GT_CSC);
        gt_matrix_layout(&J, N, p.jac_pattern, false, &arena);
        assert_int_equal(p.jac(0, p.x0, &J, p.ctx), GT_OK);
        assert_int_equal(user.jac(0, chain_x0, &user_J, user.ctx), GT_OK);
        for (size_t i = 0; i < N; i++)
            for (size_t j = 0; j < N; j++) {
                assert_true(entry(&J, i, j) == entry(&user_J, order[i], order[j]));
                assert_true(entry(p.mass, i, j) == entry(&mass, order[i], order[j]));
            }
        gt_arena_free(&arena);
    }
}

static void test_permuted_refuses(void **state)
{
    (void)state;
    gt_arena arena = gt_arena_growing();
    gt_problem user = chain(), p;
    const size_t twice[N] = {0, 1, 1, 3}, outside[N] = {0, 1, 2, 4};
    assert_int_equal(gt_problem_permuted(&user, 2, 2, 0, twice, &p, &arena), GT_BAD_ARGUMENT);
    assert_int_equal(gt_problem_permuted(&user, 2, 2, 0, outside, &p, &arena), GT_BAD_ARGUMENT);
    assert_int_equal(gt_problem_permuted(&user, 2, 1, 0, order, &p, &arena), GT_BAD_ARGUMENT);
    user.n_slow = 3, user.n_alg = 1; /* d is algebraic and must not become differential */
    assert_int_equal(gt_problem_permuted(&user, 2, 1, 1, order, &p, &arena), GT_BAD_ARGUMENT);
    gt_arena_free(&arena);
}

/* What measuring adds up is what carving uses, in every storage. */
static void test_permuted_measure(void **state)
{
    (void)state;
    const gt_storage storages[] = {GT_DENSE, GT_BANDED, GT_CSC};
    for (size_t s = 0; s < 3; s++) {
        gt_arena grown = gt_arena_growing(), measure = {0};
        gt_problem user = chain(), p;
        gt_matrix mass;
        user.jac_pattern = pattern_of(storages[s]);
        gt_matrix_layout(&mass, N, user.jac_pattern, false, &grown);
        user.mass = &mass;
        user.names = NULL;
        assert_int_equal(gt_problem_permuted(&user, 2, 2, 0, order, &p, &measure), GT_OK);
        void *memory = aligned_alloc(GT_ALIGN, measure.used);
        assert_non_null(memory);
        gt_arena fixed = gt_arena_over(memory, measure.used);
        assert_int_equal(gt_problem_permuted(&user, 2, 2, 0, order, &p, &fixed), GT_OK);
        assert_int_equal(fixed.used, measure.used);
        assert_string_equal(p.names[0], "x3");
        gt_arena less = gt_arena_over(memory, measure.used - GT_ALIGN);
        assert_int_equal(gt_problem_permuted(&user, 2, 2, 0, order, &p, &less), GT_NO_MEMORY);
        free(memory);
        gt_arena_free(&grown);
    }
}

static void test_permuted_run(void **state)
{
    (void)state;
    gt_arena arena = gt_arena_growing();
    gt_problem user = chain();
    user.n_roots = 0;
    gt_problem p = permute(&user, &arena);
    double x[N], user_x[N];
    gt_report report;
    gt_plan plan = {.h = 0.01, .x_end = user_x};
    assert_int_equal(gt_solve(&user, gt_method_find("rk4"), &plan, &report), GT_OK);
    plan.x_end = x;
    assert_int_equal(gt_solve(&p, gt_method_find("rk4"), &plan, &report), GT_OK);
    for (size_t i = 0; i < N; i++) assert_true(x[i] == user_x[order[i]]);
    assert_true(fabs(user_x[0] - chain_x0[0]) > 1e-3);
    gt_arena_free(&arena);
}

/* Two masses: M = diag(2, 4), K with coupling, C on the diagonal; z'' by hand at one point. */
static gt_status push(double t, double *u, void *ctx)
{
    u[0] = t * *(const double *)ctx;
    u[1] = 3.0;
    return GT_OK;
}

static void test_first_order(void **state)
{
    (void)state;
    double M[2] = {2, 4}, K_band[6] = {0, 5, -1, -1, 6, 0}, K_dense[4] = {5, -1, -1, 6},
           C[2] = {0.5, 0.25};
    const gt_pattern diagonal = {.storage = GT_BANDED};
    gt_matrix mass = {.n = 2, .pattern = diagonal, .values = M};
    gt_matrix damping = {.n = 2, .pattern = diagonal, .values = C};
    gt_matrix bands = {
        .n = 2, .pattern = {.storage = GT_BANDED, .lower = 1, .upper = 1}, .values = K_band};
    gt_matrix full = {.n = 2, .values = K_dense};
    const double x[4] = {1, 2, 3, 4},
                 expected[4] = {3, 4, 14 - 5 * 1 + 2 - 0.5 * 3, 3 + 1 - 6 * 2 - 0.25 * 4};
    double seven = 7;
    for (int variant = 0; variant < 4; variant++) {
        gt_arena arena = gt_arena_growing();
        gt_second_order so = {
            .mass = &mass, .stiffness = variant % 2 ? &full : &bands, .input = push};
        if (variant < 2) so.damping = &damping;
        gt_problem given = {.n_slow = 4, .second_order = &so, .t1 = 1, .x0 = x, .ctx = &seven}, p;
        assert_int_equal(gt_problem_first_order(&given, &p, &arena), GT_OK);
        gt_message m;
        assert_int_equal(gt_problem_check(&p, &m), GT_OK);
        assert_int_equal(p.jac_pattern.storage, variant == 3 ? GT_DENSE : GT_CSC);
        double dx[4];
        assert_int_equal(p.rhs(2.0, x, dx, p.ctx), GT_OK);
        for (size_t i = 0; i < 4; i++) {
            double undamped = variant < 2 || i < 2 ? 0.0 : C[i - 2] * x[i];
            assert_true(fabs(dx[i] - expected[i] - undamped) < 1e-14);
        }
        assert_true(entry(p.mass, 0, 0) == 1 && entry(p.mass, 3, 3) == 4 &&
                    entry(p.mass, 0, 2) == 0);
        gt_matrix J;
        gt_matrix_layout(&J, 4, p.jac_pattern, false, &arena);
        assert_int_equal(p.jac(0, x, &J, p.ctx), GT_OK);
        assert_true(entry(&J, 0, 2) == 1 && entry(&J, 2, 1) == 1 && entry(&J, 3, 1) == -6 &&
                    entry(&J, 0, 0) == 0);
        assert_true(entry(&J, 2, 2) == (variant < 2 ? -0.5 : 0.0));
        gt_arena_free(&arena);
    }
    gt_problem none = chain(), p;
    gt_arena arena = gt_arena_growing();
    assert_int_equal(gt_problem_first_order(&none, &p, &arena), GT_BAD_ARGUMENT);
    gt_arena_free(&arena);
}

static void test_warnings(void **state)
{
    (void)state;
    gt_warnings w = {0};
    gt_warn(NULL, "%s", "nobody listens");
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < GT_MOST_WARNINGS; i++) gt_warn(&w, "reason %d", i);
    assert_int_equal(w.count, GT_MOST_WARNINGS); /* each once */
    assert_int_equal(w.left_out, 0);
    assert_string_equal(w.list[1].text, "reason 1");
    gt_warn(&w, "one more");
    assert_int_equal(w.count, GT_MOST_WARNINGS);
    assert_int_equal(w.left_out, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_check),
        cmocka_unit_test(test_state_name),
        cmocka_unit_test(test_reduced),
        cmocka_unit_test(test_permuted_functions),
        cmocka_unit_test(test_permuted_matrices),
        cmocka_unit_test(test_permuted_refuses),
        cmocka_unit_test(test_permuted_measure),
        cmocka_unit_test(test_permuted_run),
        cmocka_unit_test(test_first_order),
        cmocka_unit_test(test_warnings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
