/* SPDX-License-Identifier: BSD-3-Clause */
/* Problems that are made of others, permuted, reversed in time, of first order, call every function
 * of the original with its own time and order of states. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <geartrain/geartrain.h>
#include <stdio.h>
#include <string.h>

/* Two slow states, a fast and an algebraic one. Every value depends on its time and its place, so
 * that a wrong one of either is seen. */
enum { N = 4 };
static const double x0[N] = {1, 2, 3, 4};

static double value(double t, const double *x, size_t i)
{
    return 100 * t + 10 * (double)(i + 1) + x[i] * x[i];
}

static gt_status rows(double t, const double *x, double *dx, size_t first, size_t count)
{
    for (size_t i = 0; i < count; i++) dx[i] = value(t, x, first + i);
    return GT_OK;
}

static gt_status all_rows(double t, const double *x, double *dx, void *ctx)
{
    (void)ctx;
    return rows(t, x, dx, 0, N);
}

static gt_status slow_rows(double t, const double *x, double *dx, void *ctx)
{
    (void)ctx;
    return rows(t, x, dx, 0, 2);
}

static gt_status fast_rows(double t, const double *x, double *dx, void *ctx)
{
    (void)ctx;
    return rows(t, x, dx, 2, 1);
}

static gt_status algebraic_rows(double t, const double *x, double *dx, void *ctx)
{
    (void)ctx;
    return rows(t, x, dx, 3, 1);
}

static void begin(void *ctx) { *(int *)ctx += 1; }

static gt_status roots(double t, const double *x, double *g, void *ctx)
{
    (void)ctx;
    g[0] = t + x[0];
    return GT_OK;
}

static gt_status on_event(double t, const unsigned char *fired, double *x, unsigned *actions,
                          void *ctx)
{
    (void)ctx;
    x[1] = t + fired[0];
    *actions = GT_EVENT_OUTPUT;
    return GT_OK;
}

static gt_status switches(double t, const double *x, double *g, void *ctx)
{
    (void)ctx;
    g[0] = t - x[1];
    return GT_OK;
}

static void set_sides(const signed char *sides, void *ctx)
{
    *(int *)ctx += sides ? 10 * sides[0] : 0;
}

static void switch_name(size_t i, char *buffer, size_t room, void *ctx)
{
    (void)ctx;
    snprintf(buffer, room, "switch %zu", i);
}

static gt_status on_break(double t, double *x, void *ctx)
{
    (void)ctx;
    x[0] += t;
    return GT_OK;
}

static void exact(double t, double *x, void *ctx)
{
    (void)ctx;
    for (size_t i = 0; i < N; i++) x[i] = t + (double)i;
}

static void one_number(double t, const double *x, double *out, void *ctx)
{
    (void)ctx;
    out[0] = t + 10 * x[0] + x[1];
}

static gt_problem original(int *ctx)
{
    static const double breaks[] = {0.25, 0.5};
    static const char *const names[] = {"quantity"};
    return (gt_problem){.n_slow = 2,
                        .n_fast = 1,
                        .n_alg = 1,
                        .rhs = all_rows,
                        .rhs_slow = slow_rows,
                        .rhs_fast = fast_rows,
                        .rhs_alg = algebraic_rows,
                        .begin = begin,
                        .n_roots = 1,
                        .roots = roots,
                        .on_event = on_event,
                        .n_switches = 1,
                        .switches = switches,
                        .set_sides = set_sides,
                        .switch_name = switch_name,
                        .n_breaks = 2,
                        .breaks = breaks,
                        .on_break = on_break,
                        .t1 = 1,
                        .x0 = x0,
                        .exact = exact,
                        .n_invariants = 1,
                        .invariant_names = names,
                        .invariants = one_number,
                        .n_aux = 1,
                        .aux_names = names,
                        .aux = one_number,
                        .ctx = ctx};
}

static void check_hooks(const gt_problem *p, int *calls)
{
    char name[24];
    signed char side = -1;
    *calls = 0;
    p->begin(p->ctx);
    assert_int_equal(*calls, 1);
    p->set_sides(&side, p->ctx);
    assert_int_equal(*calls, -9);
    p->switch_name(0, name, sizeof name, p->ctx);
    assert_string_equal(name, "switch 0");
}

static void permuted_problems_keep_the_order_of_their_caller(void **state)
{
    (void)state;
    static const size_t order[N] = {1, 0, 2,
                                    3}; /* within the blocks, which can then be evaluated alone */
    int calls = 0;
    gt_arena arena = gt_arena_growing();
    gt_problem user = original(&calls), p;
    assert_int_equal(gt_problem_permuted(&user, 2, 1, 1, order, &p, &arena), GT_OK);
    double x[N], out[N];
    for (size_t i = 0; i < N; i++) x[i] = x0[order[i]];
    assert_int_equal(p.rhs_slow(0.5, x, out, p.ctx), GT_OK);
    assert_true(out[0] == value(0.5, x0, 1) && out[1] == value(0.5, x0, 0));
    assert_int_equal(p.rhs_fast(0.5, x, out, p.ctx), GT_OK);
    assert_true(out[0] == value(0.5, x0, 2));
    assert_int_equal(p.rhs_alg(0.5, x, out, p.ctx), GT_OK);
    assert_true(out[0] == value(0.5, x0, 3));
    assert_int_equal(p.switches(0.5, x, out, p.ctx), GT_OK);
    assert_true(out[0] == 0.5 - x0[1]);
    p.aux(0.5, x, out, p.ctx);
    assert_true(out[0] == 0.5 + 10 * x0[0] + x0[1]);
    assert_int_equal(p.on_break(0.5, x, p.ctx), GT_OK);
    assert_true(x[1] == x0[0] + 0.5 && x[0] == x0[1] && x[3] == x0[3]);
    check_hooks(&p, &calls);
    gt_arena_free(&arena);
}

static void reversed_problems_run_through_the_same_times(void **state)
{
    (void)state;
    int calls = 0;
    unsigned actions = 0;
    gt_arena arena = gt_arena_growing();
    gt_problem forward = original(&calls), p;
    assert_int_equal(gt_problem_reversed(&forward, &p, &arena), GT_OK);
    double x[N], out[N];
    assert_int_equal(p.rhs_slow(-0.75, x0, out, p.ctx), GT_OK);
    assert_true(out[0] == -value(0.75, x0, 0) && out[1] == -value(0.75, x0, 1));
    assert_int_equal(p.rhs_fast(-0.75, x0, out, p.ctx), GT_OK);
    assert_true(out[0] == -value(0.75, x0, 2));
    assert_int_equal(p.rhs_alg(-0.75, x0, out, p.ctx), GT_OK);
    assert_true(out[0] == -value(0.75, x0, 3));
    /* At a break the limit wanted is that of earlier times. */
    assert_int_equal(p.rhs_slow(-0.5, x0, out, p.ctx), GT_OK);
    assert_true(-out[0] < value(0.5, x0, 0));
    assert_true(p.breaks[0] == -0.5 && p.breaks[1] == -0.25);
    assert_int_equal(p.roots(-0.75, x0, out, p.ctx), GT_OK);
    assert_true(out[0] == 0.75 + x0[0]);
    memcpy(x, x0, sizeof x);
    assert_int_equal(p.on_event(-0.75, (const unsigned char[]){1}, x, &actions, p.ctx), GT_OK);
    assert_true(x[1] == 1.75 && actions == GT_EVENT_OUTPUT);
    assert_int_equal(p.on_break(-0.5, x, p.ctx), GT_OK);
    assert_true(x[0] == x0[0] + 0.5);
    p.exact(-0.75, out, p.ctx);
    assert_true(out[0] == 0.75 && out[3] == 3.75);
    p.invariants(-0.75, x0, out, p.ctx);
    assert_true(out[0] == 0.75 + 10 * x0[0] + x0[1]);
    p.aux(-0.5, x0, out, p.ctx);
    assert_true(out[0] == 0.5 + 10 * x0[0] + x0[1]);
    check_hooks(&p, &calls);
    gt_arena_free(&arena);
}

static void first_order_problems_keep_events_and_breaks(void **state)
{
    (void)state;
    int calls = 0;
    unsigned actions = 0;
    double one[] = {1, 0, 0, 1}, two[] = {2, 0, 0, 2};
    const gt_matrix mass = {.n = 2, .values = one}, stiffness = {.n = 2, .values = two};
    const gt_second_order so = {.mass = &mass, .stiffness = &stiffness};
    gt_arena arena = gt_arena_growing();
    gt_problem given = original(&calls), p;
    given.n_slow = N, given.n_fast = given.n_alg = 0;
    given.rhs_slow = given.rhs_fast = given.rhs_alg = NULL;
    given.second_order = &so;
    assert_int_equal(gt_problem_first_order(&given, &p, &arena), GT_OK);
    double x[N], out[N];
    assert_int_equal(p.rhs(0, x0, out, p.ctx), GT_OK); /* z' = v, v' = -2 z */
    assert_true(out[0] == x0[2] && out[1] == x0[3] && out[2] == -2 * x0[0] && out[3] == -2 * x0[1]);
    assert_int_equal(p.roots(0.5, x0, out, p.ctx), GT_OK);
    assert_true(out[0] == 0.5 + x0[0]);
    memcpy(x, x0, sizeof x);
    assert_int_equal(p.on_event(0.5, (const unsigned char[]){1}, x, &actions, p.ctx), GT_OK);
    assert_true(x[1] == 1.5 && actions == GT_EVENT_OUTPUT);
    assert_int_equal(p.on_break(0.5, x, p.ctx), GT_OK);
    assert_true(x[0] == x0[0] + 0.5);
    p.exact(0.5, out, p.ctx);
    assert_true(out[3] == 3.5);
    p.invariants(0.5, x0, out, p.ctx);
    assert_true(out[0] == 0.5 + 10 * x0[0] + x0[1]);
    given.n_alg = 1, given.n_slow = N - 1;
    assert_int_equal(gt_problem_first_order(&given, &p, &arena), GT_BAD_ARGUMENT);
    gt_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(permuted_problems_keep_the_order_of_their_caller),
        cmocka_unit_test(reversed_problems_run_through_the_same_times),
        cmocka_unit_test(first_order_problems_keep_events_and_breaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
