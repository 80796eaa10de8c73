/* SPDX-License-Identifier: BSD-3-Clause */
/* What a stepper takes: the account of every method, and the bars that it has to keep to. */
#include "methods_kit.h"

static gt_memory account_of(const gt_method *m)
{
    gt_memory memory;
    gt_message message = {""};
    if (gt_memory_account(m, NULL, &memory, &message)) fail_msg("%s: %s", m->name, message.text);
    return memory;
}

static void every_method_says_what_it_holds(void **state)
{
    (void)state;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        gt_memory memory = account_of(*m);
        if (!(*m)->memory || !*(*m)->memory)
            fail_msg("%s does not say what its memory is for", (*m)->name);
        if (memory.vectors < 4)
            fail_msg("%s: x, x_new, f and scratch are four vectors", (*m)->name);
        bool says_so = !strncmp((*m)->memory, "n x n", 5);
        if ((memory.squares > 0) != says_so)
            fail_msg("%s takes %g matrices of n x n beside a sparse Jacobian, and says: %s",
                     (*m)->name, memory.squares, (*m)->memory);
    }
}

/* Three entries a column, 20 rows apart: no narrow band. */
static gt_pattern three_diagonals(int n, gt_arena *arena)
{
    int *colptr = gt_arena_take(arena, (size_t)n + 1, sizeof *colptr);
    int *row = gt_arena_take(arena, 3 * (size_t)n, sizeof *row), used = 0;
    for (int j = 0; j < n; j++, colptr[j] = used)
        for (int i = j - 20; i <= j + 20; i += 20)
            if (i >= 0 && i < n) row[used++] = i;
    return (gt_pattern){
        .storage = GT_CSC, .colptr = colptr, .rowindex = row, .entries = (size_t)used};
}

/* The account, found from how things grow, must come to the bytes that are asked for. */
static void accounts_come_to_what_is_measured(void **state)
{
    enum { N = 5000, PARTS = 80 };
    (void)state;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        gt_memory memory = account_of(*m);
        if (memory.few_fast) continue;
        bench_top b;
        size_t bytes;
        gt_message message = {""};
        build(&b, "heat", "n=5000");
        b.problem.n_slow = b.problem.n_fast = N / 2;
        b.problem.autonomous = b.problem.linear = false; /* as the account has it */
        b.problem.jac_pattern = three_diagonals(N, &b.arena);
        if (gt_stepper_measure(*m, NULL, &b.problem, &bytes, &message))
            fail_msg("%s: %s", (*m)->name, message.text);
        double expected = gt_memory_per_state(&memory, 3) * N + memory.squares * 8.0 * N * N +
                          (double)memory.fixed;
        if (fabs((double)bytes - expected) > PARTS * GT_ALIGN + 1e-3 * expected)
            fail_msg("%s takes %zu bytes, and its account comes to %.0f", (*m)->name, bytes,
                     expected);
        dismantle(&b);
    }
}

/* At most stages + 3 vectors of a million states, and nothing else to speak of: gt_solve allocates
 * this once, whether the step is fixed or controlled. */
static void explicit_methods_take_their_stages_and_three(void **state)
{
    enum { N = 1000000 };
    (void)state;
    int seen = 0;
    bench_top b;
    build(&b, "heat", "n=1000000");
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        gt_partitioned pair = {.slow.stages = 0};
        if ((*m)->partitioned_of)
            (*m)->partitioned_of(*m, gt_params_default((*m)->options).v, &pair);
        /* A pair ends with the slope at the new point, which its estimate takes: one stage more. */
        int stages = (*m)->tableau ? (*m)->tableau->stages : pair.slow.stages + 1;
        if (!(*m)->tableau && !pair.slow.stages) continue;
        size_t bytes;
        gt_problem p = b.problem;
        if (pair.slow.stages) p.n_slow = p.n_fast = N / 2;
        assert_int_equal(gt_stepper_measure(*m, NULL, &p, &bytes, NULL), GT_OK);
        double vectors = (double)bytes / (8.0 * N);
        if (vectors > stages + 3 + 0.01)
            fail_msg("%s: %.2f vectors for %d stages, %d allowed", (*m)->name, vectors, stages,
                     stages + 3);
        seen++;
    }
    assert_true(seen >= 6);
    dismantle(&b);
}

static void given_tableaux_take_no_more(void **state)
{
    (void)state;
    gt_arena arena = gt_arena_growing();
    gt_message message = {""};
    const gt_method *ralston;
    gt_tableau T = {.stages = 2, .a = {{{0, 1}}, {{2, 3}}}, .b = {{1, 4}, {3, 4}}};
    assert_int_equal(gt_method_from_tableau(&(gt_method_label){.name = "ralston"}, &T, &arena,
                                            &ralston, &message),
                     GT_OK);
    assert_true(account_of(ralston).vectors <= 2 + 3);
    gt_arena_free(&arena);
}

/* Forward Euler has no slope at the end; what lies between two points is the line through them. */
static void euler_goes_straight_between_points(void **state)
{
    (void)state;
    bench_top b;
    double middle[3];
    build(&b, "lorenz", "");
    bind_method(&b, gt_method_find("euler"), NULL);
    assert_int_equal(gt_stepper_try(&b.s, 1e-3, false), GT_OK);
    assert_int_equal(gt_stepper_interpolate(&b.s, 0.5, middle), GT_OK);
    for (int i = 0; i < 3; i++)
        assert_true(fabs(middle[i] - (b.s.x[i] + b.s.x_new[i]) / 2) < 1e-13);
    dismantle(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_says_what_it_holds),
        cmocka_unit_test(accounts_come_to_what_is_measured),
        cmocka_unit_test(explicit_methods_take_their_stages_and_three),
        cmocka_unit_test(given_tableaux_take_no_more),
        cmocka_unit_test(euler_goes_straight_between_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
