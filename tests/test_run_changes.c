/* SPDX-License-Identifier: BSD-3-Clause */
/* Changes of a run under way that its handle takes or refuses, and what a solution says of itself.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <geartrain/geartrain.h>
#include <geartrain/run.h>
#include <math.h>
#include <string.h>

static gt_status decay(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = -x[0];
    return GT_OK;
}

static const double one = 1;
static const gt_problem problem = {.n_slow = 1, .rhs = decay, .x0 = &one, .t1 = 2};

static gt_run *open_run(const gt_problem *p, const gt_plan *plan)
{
    gt_run *run = NULL;
    gt_message message = {""};
    if (gt_run_open(&run, p, gt_method_find("dopri5"), plan, &message))
        fail_msg("%s", message.text);
    return run;
}

static void refused(gt_run *run, gt_status status, gt_status wanted, const char *why)
{
    assert_int_equal(status, wanted);
    if (!strstr(gt_run_message(run), why))
        fail_msg("'%s' does not say %s", gt_run_message(run), why);
}

/* The rows of the second half of a run go to another sink; those of the first have stayed with
 * theirs. */
static void sinks_are_exchanged_on_the_way(void **state)
{
    (void)state;
    gt_memory_sink early, late;
    gt_memory_sink_init(&early, GT_AT_OUTPUT);
    gt_memory_sink_init(&late, GT_AT_OUTPUT);
    gt_sink *first[] = {&early.sink}, *second[] = {&late.sink}, *wrong[] = {NULL};
    gt_run *run =
        open_run(&problem, &(gt_plan){.rtol = 1e-6, .every = 0.25, .sinks = first, .n_sinks = 1});
    assert_int_equal(gt_run_advance(run, 1, GT_ADVANCE_EXACTLY, NULL), GT_OK);
    refused(run, gt_run_set_sinks(run, wrong, 1), GT_BAD_ARGUMENT, "sink 1");
    assert_int_equal(gt_run_set_sinks(run, second, 1), GT_OK);
    assert_int_equal(gt_run_advance(run, 2, 0, NULL), GT_OK);
    assert_int_equal(gt_run_settle(run), GT_OK);
    gt_run_close(run);
    assert_true(early.count >= 4 && early.t[early.count - 1] <= 1);
    assert_true(late.count >= 4 && late.t[0] >= 1 && late.t[late.count - 1] == 2);
    for (size_t k = 0; k < late.count; k++) assert_true(fabs(late.x[k] - exp(-late.t[k])) < 1e-5);
    gt_memory_sink_free(&early);
    gt_memory_sink_free(&late);
}

static void wrong_changes_are_refused(void **state)
{
    (void)state;
    gt_run *run = open_run(&problem, &(gt_plan){.h = 0.1});
    refused(run, gt_run_set_tolerances(run, 1e-4, 0, NULL, NULL), GT_BAD_ARGUMENT, "fixed step");
    gt_run_close(run);

    run = open_run(&problem, &(gt_plan){.rtol = 1e-6});
    refused(run, gt_run_set_tolerances(run, 1e-17, 0, NULL, NULL), GT_BAD_ARGUMENT, "rtol");
    refused(run, gt_run_set_tolerances(run, 1e-6, -1, NULL, NULL), GT_BAD_ARGUMENT, "atol");
    refused(run, gt_run_add_break(run, 0), GT_BAD_ARGUMENT, "not ahead");
    for (int k = 0; k < GT_RUN_MORE_BREAKS; k++)
        assert_int_equal(gt_run_add_break(run, 1 + 0.01 * k), GT_OK);
    refused(run, gt_run_add_break(run, 1.9), GT_BAD_ARGUMENT, "are already ahead");
    assert_int_equal(gt_run_advance(run, 2, 0, NULL), GT_OK);
    assert_true(fabs(gt_run_x(run)[0] - exp(-2)) < 1e-5);
    gt_run_close(run);

    gt_problem backward = problem;
    backward.t0 = 2, backward.t1 = 0;
    run = open_run(&backward, &(gt_plan){.rtol = 1e-6});
    refused(run, gt_run_set_sinks(run, NULL, 0), GT_UNSUPPORTED, "backward");
    gt_run_close(run);
}

static void a_solution_says_how_far_it_reaches(void **state)
{
    (void)state;
    gt_solution *solution = gt_solution_new(1);
    double from = 0, to = 0, x;
    gt_solution_range(solution, &from, &to);
    assert_true(isnan(from) && isnan(to) && gt_solution_pieces(solution) == 0);
    gt_run *run = open_run(&problem, &(gt_plan){.rtol = 1e-6});
    size_t steps = 0;
    for (gt_reached reached = GT_REACHED_STEP; reached != GT_REACHED_END; steps++) {
        assert_int_equal(gt_run_step(run, &reached), GT_OK);
        assert_int_equal(gt_solution_add(solution, run), GT_OK);
    }
    gt_run_close(run);
    gt_solution_range(solution, &from, &to);
    assert_true(from == 0 && to == 2);
    assert_true(gt_solution_pieces(solution) >= steps);
    assert_true(gt_solution_bytes(solution) >= steps * 6 * sizeof(double));
    assert_int_equal(gt_solution_at(solution, 1, &x), GT_OK);
    assert_true(fabs(x - exp(-1)) < 1e-5);
    gt_solution_free(solution);
    gt_solution_range(NULL, NULL, NULL);
    assert_true(gt_solution_pieces(NULL) == 0 && gt_solution_bytes(NULL) == 0);
}

/* Taken apart and put together, a solution has the same bits; what is no polynomial that follows is
 * refused. */
static void a_solution_is_put_together_again(void **state)
{
    (void)state;
    gt_solution *whole = gt_solution_new(1), *again = gt_solution_new(1);
    gt_run *run = open_run(&problem, &(gt_plan){.rtol = 1e-6});
    for (gt_reached reached = GT_REACHED_STEP; reached != GT_REACHED_END;) {
        assert_int_equal(gt_run_step(run, &reached), GT_OK);
        assert_int_equal(gt_solution_add(whole, run), GT_OK);
    }
    gt_run_close(run);
    double from, to = 0, x, y;
    int degree;
    const double *values;
    for (size_t k = 0; k < gt_solution_pieces(whole); k++) {
        assert_int_equal(gt_solution_piece(whole, k, &from, &to, &degree, &values), GT_OK);
        assert_int_equal(gt_solution_add_piece(again, from, to, degree, values), GT_OK);
    }
    assert_true(to == 2);
    for (int k = 0; k <= 100; k++) {
        assert_int_equal(gt_solution_at(whole, 0.02 * k, &x), GT_OK);
        assert_int_equal(gt_solution_at(again, 0.02 * k, &y), GT_OK);
        assert_true(x == y);
    }
    assert_int_equal(
        gt_solution_piece(whole, gt_solution_pieces(whole), &from, &to, &degree, &values),
        GT_BAD_ARGUMENT);
    const double line[2] = {0, 1};
    assert_int_equal(gt_solution_add_piece(again, 2, 2, 1, line), GT_BAD_ARGUMENT);
    assert_int_equal(gt_solution_add_piece(again, 2, 1, 1, line), GT_BAD_ARGUMENT);
    assert_int_equal(gt_solution_add_piece(again, 3, 4, 1, line), GT_BAD_ARGUMENT);
    assert_int_equal(gt_solution_add_piece(again, 2, NAN, 1, line), GT_BAD_ARGUMENT);
    assert_int_equal(gt_solution_add_piece(again, 2, 3, 0, line), GT_BAD_ARGUMENT);
    assert_int_equal(gt_solution_add_piece(again, 2, 3, 17, line), GT_BAD_ARGUMENT);
    assert_int_equal(gt_solution_add_piece(again, 2, 4, 1, line), GT_OK);
    assert_int_equal(gt_solution_at(again, 3, &x), GT_OK);
    assert_true(fabs(x - 0.5) < 1e-15);
    gt_solution_free(whole);
    gt_solution_free(again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sinks_are_exchanged_on_the_way),
        cmocka_unit_test(wrong_changes_are_refused),
        cmocka_unit_test(a_solution_says_how_far_it_reaches),
        cmocka_unit_test(a_solution_is_put_together_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
