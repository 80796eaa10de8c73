/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Structs of programs that were compiled with other headers: shorter ones are read and written no
 * further than they go, longer ones are refused where they use what is not known here, and cleared
 * where the library fills them.
 */
#include <geartrain/author/author.h>
#include <geartrain/geartrain.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FILL = 0xA5, MORE = 64 };

static gt_status decay(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = -x[0];
    return GT_OK;
}

static const double one[] = {1};
static const gt_problem whole = {.n_slow = 1, .rhs = decay, .t1 = 1, .x0 = one, .name = "decay"};

/* The first `size` bytes of a struct in memory of just that size, so that a sanitizer sees a read
 * beyond it; what a caller of other headers has. */
static void *cut(const void *given, size_t full, size_t size)
{
    unsigned char *short_one = malloc(size);
    assert_non_null(short_one);
    memcpy(short_one, given, size < full ? size : full);
    if (size > full) memset(short_one + full, 0, size - full);
    return short_one;
}

/* Up to the name, which a run does not need. */
static const size_t problem_size = offsetof(gt_problem, names),
                    plan_size = offsetof(gt_plan, h_max);

/* A report of so many bytes, and what lies behind it. */
typedef struct padded {
    gt_report report;
    unsigned char behind[MORE];
} padded;

static bool is_filled(const void *from, size_t count)
{
    const unsigned char *bytes = from;
    for (size_t k = 0; k < count; k++)
        if (bytes[k] != FILL) return false;
    return true;
}

static void short_structs_are_read_to_their_ends(void **state)
{
    (void)state;
    gt_problem *problem = cut(&whole, sizeof whole, problem_size);
    gt_plan all = {.rtol = 1e-8}, *plan = cut(&all, sizeof all, plan_size);
    size_t report_size = offsetof(gt_report, warnings);
    padded p;
    memset(&p, FILL, sizeof p);
    gt_status status = gt_solve_sized(problem, problem_size, gt_method_find("dopri5"), plan,
                                      plan_size, &p.report, report_size);
    assert_int_equal(status, GT_OK);
    assert_int_equal(p.report.status, GT_OK);
    assert_string_equal(p.report.message.text, "");
    assert_true(is_filled((unsigned char *)&p + report_size, sizeof p - report_size));

    gt_run *run;
    assert_int_equal(gt_run_open_sized(&run, problem, problem_size, gt_method_find("gear"), plan,
                                       plan_size, NULL),
                     GT_OK);
    memset(problem, FILL, problem_size); /* the run has what it needs */
    memset(plan, FILL, plan_size);
    assert_int_equal(gt_run_advance(run, 1, 0, NULL), GT_OK);
    assert_true(fabs(gt_run_x(run)[0] - exp(-1)) < 1e-6);
    memset(&p, FILL, sizeof p);
    gt_run_report_sized(run, &p.report, report_size);
    assert_true(is_filled((unsigned char *)&p + report_size, sizeof p - report_size));
    memset(&p, FILL, sizeof p);
    assert_int_equal(gt_run_finish_sized(run, &p.report, report_size), GT_OK);
    assert_true(is_filled((unsigned char *)&p + report_size, sizeof p - report_size));
    gt_run_close(run);
    free(problem);
    free(plan);
}

static void longer_structs_are_cleared_and_their_news_refused(void **state)
{
    (void)state;
    gt_plan all = {.rtol = 1e-8};
    size_t more_problem = sizeof whole + MORE, more_plan = sizeof all + MORE;
    gt_problem *problem = cut(&whole, sizeof whole, more_problem);
    gt_plan *plan = cut(&all, sizeof all, more_plan);
    padded p;
    memset(&p, FILL, sizeof p);
    const gt_method *dopri5 = gt_method_find("dopri5");
    assert_int_equal(
        gt_solve_sized(problem, more_problem, dopri5, plan, more_plan, &p.report, sizeof p), GT_OK);
    for (size_t k = 0; k < MORE; k++) assert_int_equal(p.behind[k], 0);

    ((unsigned char *)problem)[more_problem - 1] = 1;
    assert_int_equal(
        gt_solve_sized(problem, more_problem, dopri5, plan, more_plan, &p.report, sizeof p),
        GT_OTHER_VERSION);
    assert_non_null(strstr(p.report.message.text, "gt_problem"));
    gt_message message;
    gt_run *run;
    assert_int_equal(
        gt_run_open_sized(&run, problem, more_problem, dopri5, plan, more_plan, &message),
        GT_OTHER_VERSION);
    assert_non_null(strstr(message.text, "later"));
    ((unsigned char *)problem)[more_problem - 1] = 0;
    ((unsigned char *)plan)[more_plan - 1] = 1;
    assert_int_equal(
        gt_run_open_sized(&run, problem, more_problem, dopri5, plan, more_plan, &message),
        GT_OTHER_VERSION);
    assert_non_null(strstr(message.text, "gt_plan"));
    free(problem);
    free(plan);
}

/* A stepper keeps a problem that is shorter in its own memory, to the byte that it asked for. */
static void a_stepper_keeps_a_short_problem(void **state)
{
    (void)state;
    gt_problem *problem = cut(&whole, sizeof whole, problem_size);
    const gt_method *rk4 = gt_method_find("rk4");
    size_t bytes, usual;
    gt_message message;
    gt_stepper s;
    assert_int_equal(gt_stepper_measure(rk4, NULL, &whole, &usual, &message), GT_OK);
    assert_int_equal(gt_stepper_measure_sized(rk4, NULL, problem, problem_size, &bytes, &message),
                     GT_OK);
    assert_true(bytes > usual);
    unsigned char *memory = malloc(bytes + 1);
    for (size_t shift = 0; shift < 2; shift++) {
        assert_int_equal(gt_stepper_init_sized(&s, sizeof s, rk4, NULL, problem, problem_size,
                                               memory + shift, bytes - 1),
                         GT_WORKSPACE_SMALL);
        assert_int_equal(gt_stepper_init_sized(&s, sizeof s, rk4, NULL, problem, problem_size,
                                               memory + shift, bytes),
                         GT_OK);
        assert_int_equal(gt_stepper_run(&s, 0, 0.01, 0, 100), GT_OK);
        assert_true(fabs(s.x[0] - exp(-1)) < 1e-9);
        gt_stepper_free(&s);
    }
    assert_int_equal(
        gt_stepper_init_sized(&s, sizeof s - 8, rk4, NULL, problem, problem_size, memory, bytes),
        GT_OTHER_VERSION);
    free(memory);
    free(problem);
}

static void problems_that_are_made_end_with_the_room(void **state)
{
    (void)state;
    gt_arena arena = gt_arena_growing();
    struct {
        gt_problem problem;
        unsigned char behind[MORE];
    } p;
    size_t size = offsetof(gt_problem, work); /* of which van der Pol has something */
    gt_message message;
    memset(&p, FILL, sizeof p);
    assert_int_equal(gt_model_build_sized(gt_model_find("vanderpol"), "mu=5", &p.problem, size,
                                          &arena, &message),
                     GT_OTHER_VERSION);
    assert_true(is_filled((unsigned char *)&p + size, sizeof p - size));
    assert_non_null(strstr(message.text, "compile"));

    gt_problem *problem = cut(&whole, sizeof whole, problem_size);
    memset(&p, FILL, sizeof p);
    assert_int_equal(
        gt_problem_reversed_sized(problem, problem_size, &p.problem, problem_size, &arena), GT_OK);
    assert_true(p.problem.t1 == -1);
    assert_true(is_filled((unsigned char *)&p + problem_size, sizeof p - problem_size));
    gt_problem_reduced_sized(problem, problem_size, &p.problem, problem_size);
    assert_true(is_filled((unsigned char *)&p + problem_size, sizeof p - problem_size));
    free(problem);
    gt_arena_free(&arena);
}

static void without_a_report_the_plan_gets_the_message(void **state)
{
    (void)state;
    gt_message message = {""};
    gt_problem wrong = whole;
    wrong.rhs = NULL;
    gt_plan plan = {.rtol = 1e-6, .message = &message};
    assert_int_equal(gt_solve(&wrong, gt_method_find("dopri5"), &plan, NULL), GT_BAD_ARGUMENT);
    assert_true(strlen(message.text) > 10);
    message.text[0] = 0;
    plan.max_steps = 1;
    plan.rtol = 1e-12;
    assert_int_equal(gt_solve(&whole, gt_method_find("dopri5"), &plan, NULL), GT_TOO_MANY_STEPS);
    assert_true(strlen(message.text) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_structs_are_read_to_their_ends),
        cmocka_unit_test(longer_structs_are_cleared_and_their_news_refused),
        cmocka_unit_test(a_stepper_keeps_a_short_problem),
        cmocka_unit_test(problems_that_are_made_end_with_the_room),
        cmocka_unit_test(without_a_report_the_plan_gets_the_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
