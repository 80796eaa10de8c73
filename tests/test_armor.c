/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Wrong calls of the public functions: each pointer NULL in turn, all of them NULL, sizes that
 * overflow, calls in the wrong order. 10 of 66 such calls crashed. Each call is made in a process
 * of its own, so that a crash is one failure.
 */
#include <geartrain/author/author.h>
#include <geartrain/geartrain.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "armor/fixture.h"

enum { MOST_POINTERS = 8 };
typedef struct row {
    const char *name, *spec;
    bool has_status;
    int (*call)(void *const *a, const fixture *f);
    const void *pointers[MOST_POINTERS];
} row;

#define STATUS(name, arguments, spec, ...)                                                         \
    static int call_##name(void *const *a, const fixture *f)                                       \
    {                                                                                              \
        (void)a, (void)f;                                                                          \
        return (int)name arguments;                                                                \
    }
#define NUMBER STATUS
#define OTHER(name, arguments, spec, ...)                                                          \
    static int call_##name(void *const *a, const fixture *f)                                       \
    {                                                                                              \
        (void)a, (void)f;                                                                          \
        (void)name arguments;                                                                      \
        return 0;                                                                                  \
    }
#define EXEMPT(name, reason)
#include "armor/list.h"
#undef STATUS
#undef NUMBER
#undef OTHER
#undef EXEMPT

enum { CAME_BACK, REFUSED, REFUSED_SILENTLY, ASKED_TO_RETRY };

/* Makes the call in a child, whose end is the answer: one of the above, or minus the signal. */
static int answer_of(const row *r, void *const *pointers, const fixture *f)
{
    pid_t child = fork();
    if (child == 0) {
        (void)setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        static const int caught[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL,
                                     SIGABRT}; /* by cmocka, for its own process */
        for (size_t k = 0; k < sizeof caught / sizeof *caught; k++)
            (void)signal(caught[k], SIG_DFL);
        alarm(20);
        f->message->text[0] = '\0';
        int status = r->call(pointers, f);
        bool listens = false;
        for (size_t k = 0; r->spec[k]; k++) listens = listens || (r->spec[k] == 'm' && pointers[k]);
        _exit(!r->has_status || !status         ? CAME_BACK
              : status > 0                      ? ASKED_TO_RETRY
              : listens && !f->message->text[0] ? REFUSED_SILENTLY
                                                : REFUSED);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) fail_msg("no process for %s", r->name);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

static int failures;

static void judge(const row *r, const char *which, bool required, int answer)
{
    const char *wrong = answer < 0                   ? "crashes or hangs"
                        : answer == REFUSED_SILENTLY ? "is refused without an error message"
                        : required && answer == ASKED_TO_RETRY ? "asks for a smaller step"
                        : required && answer != REFUSED        ? "returns GT_OK"
                                                               : NULL;
    if (!wrong) return;
    print_error("%s with %s NULL %s (%d)\n", r->name, which, wrong, answer);
    failures++;
}

static void try_each_null(const row *r, const fixture *f)
{
    void *pointers[MOST_POINTERS];
    size_t count = strlen(r->spec);
    bool any = false;
    for (size_t k = 0; k <= count; k++) {
        char which[32];
        bool required = k < count ? r->spec[k] == 'r' : any;
        if (k < count && r->spec[k] == 'r') any = true;
        for (size_t i = 0; i < count; i++) {
            union {
                const void *given;
                void *taken;
            } p = {r->pointers[i]};
            pointers[i] = i == k || k == count ? NULL : p.taken;
        }
        snprintf(which, sizeof which, k < count ? "pointer %zu" : "all of %zu pointers",
                 k < count ? k + 1 : count);
        judge(r, which, required && r->has_status, answer_of(r, pointers, f));
    }
}

static void no_null_pointer_crashes(void **state)
{
    const fixture *f = *state;
    const row rows[] = {
#define STATUS(name, arguments, spec, ...) {#name, spec, true, call_##name, {__VA_ARGS__}},
#define NUMBER(name, arguments, spec, ...) {#name, spec, false, call_##name, {__VA_ARGS__}},
#define OTHER NUMBER
#define EXEMPT(name, reason)
#include "armor/list.h"
    };
    failures = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) try_each_null(&rows[i], f);
    assert_int_equal(failures, 0);
}

static gt_status decay(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = -x[0];
    return GT_OK;
}

static gt_status residual(double t, const double *x, const double *dx, double *r, void *ctx)
{
    (void)t, (void)ctx;
    r[0] = dx[0] + x[0];
    return GT_OK;
}

/* n_slow = SIZE_MAX with n_fast = 2 wrapped to one state, and ran. */
static void sizes_that_overflow_are_refused(void **state)
{
    static const double x0[4] = {1, 1, 1, 1};
    static const size_t sizes[][3] = {{SIZE_MAX, 2, 0},
                                      {2, SIZE_MAX, 0},
                                      {SIZE_MAX, 0, 2},
                                      {SIZE_MAX, SIZE_MAX, 3},
                                      {SIZE_MAX / 2 + 1, SIZE_MAX / 2 + 1, 1},
                                      {0, 0, SIZE_MAX}};
    const fixture *f = *state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        gt_message message = {""};
        gt_problem p = {.n_slow = sizes[i][0],
                        .n_fast = sizes[i][1],
                        .n_alg = sizes[i][2],
                        .rhs = decay,
                        .x0 = x0,
                        .t1 = 1};
        assert_int_equal(gt_problem_check(&p, &message), GT_BAD_ARGUMENT);
        assert_true(message.text[0]);
        gt_report report;
        assert_int_equal(gt_solve(&p, f->method, NULL, &report), GT_BAD_ARGUMENT);
    }
    gt_problem p = {.n_slow = 1, .rhs = decay, .x0 = x0, .t1 = 1};
    gt_message message = {""};
    p.n_breaks = SIZE_MAX;
    assert_int_equal(gt_problem_check(&p, &message), GT_BAD_ARGUMENT);
    p.n_breaks = 0, p.n_roots = SIZE_MAX;
    assert_int_equal(gt_problem_check(&p, &message), GT_BAD_ARGUMENT);
    p.n_roots = 0, p.n_aux = SIZE_MAX;
    assert_int_equal(gt_problem_check(&p, &message), GT_BAD_ARGUMENT);
    p.n_aux = 0, p.n_invariants = SIZE_MAX;
    assert_int_equal(gt_problem_check(&p, &message), GT_BAD_ARGUMENT);
    gt_arena arena = gt_arena_growing();
    for (int k = 0; k < 2; k++) { /* 2 n states */
        gt_residual r = {.n = SIZE_MAX / 2 + (size_t)k, .residual = residual, .x0 = x0, .t1 = 1};
        message.text[0] = '\0';
        assert_int_equal(gt_problem_from_residual(&r, &p, &arena, &message), GT_BAD_ARGUMENT);
        assert_true(message.text[0]);
    }
    assert_null(gt_arena_take(&arena, SIZE_MAX, 8));
    assert_null(gt_arena_take(&arena, SIZE_MAX / 2, SIZE_MAX / 2));
    gt_arena_free(&arena);
}

/* A pattern whose last column pointer hides that there are entries crashed gt_problem_check. */
static void patterns_are_checked_as_they_are_read(void **state)
{
    static const double x0[2] = {1, 1};
    static const int hidden[] = {0, 2, 0}, falling[] = {0, 2, 1}, negative[] = {0, -1, 2},
                     rows[] = {0, 1};
    (void)state;
    gt_message message = {""};
    gt_problem p = {
        .n_slow = 2, .rhs = decay, .x0 = x0, .t1 = 1, .jac_pattern = {.storage = GT_CSC}};
    assert_int_equal(gt_problem_check(&p, &message), GT_BAD_ARGUMENT);
    p.jac_pattern.colptr = hidden;
    assert_int_equal(gt_problem_check(&p, &message), GT_BAD_ARGUMENT);
    p.jac_pattern.rowindex = rows;
    assert_int_equal(gt_problem_check(&p, &message), GT_BAD_ARGUMENT);
    p.jac_pattern.colptr = falling;
    assert_int_equal(gt_problem_check(&p, &message), GT_BAD_ARGUMENT);
    p.jac_pattern.colptr = negative;
    assert_int_equal(gt_problem_check(&p, &message), GT_BAD_ARGUMENT);
}

/* Times or sinks NULL with a count, and a sink that cannot write. */
static void plans_with_counts_of_nothing_are_refused(void **state)
{
    const fixture *f = *state;
    gt_sink nothing = {.wants = GT_AT_STEP};
    gt_sink *none[1] = {NULL}, *empty[1] = {&nothing};
    const gt_plan plans[] = {{.n_times = 3},
                             {.n_sinks = 1},
                             {.n_sinks = 1, .sinks = none},
                             {.n_sinks = 1, .sinks = empty},
                             {.n_times = SIZE_MAX, .times = NULL}};
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        gt_report report;
        assert_int_equal(gt_solve(f->problem, gt_method_find("dopri5"), &plans[i], &report),
                         GT_BAD_ARGUMENT);
        assert_true(report.message.text[0]);
    }
}

/* A stepper that is not bound, not yet or no more. */
static void steppers_out_of_order_are_refused(void **state)
{
    const fixture *f = *state;
    double x[16] = {0};
    gt_stepper s = {0};
    for (int released = 0; released < 2; released++) {
        if (released) {
            assert_int_equal(gt_stepper_init(&s, f->method, "", f->problem, f->memory, f->bytes),
                             GT_OK);
            gt_stepper_free(&s);
        }
        assert_int_equal(gt_stepper_step(&s, 0.01), GT_BAD_ARGUMENT);
        assert_true(s.message.text[0]);
        assert_int_equal(gt_stepper_try(&s, 0.01, false), GT_BAD_ARGUMENT);
        assert_int_equal(gt_stepper_run(&s, 0, 0.01, 0, 1), GT_BAD_ARGUMENT);
        assert_int_equal(gt_stepper_interpolate(&s, 0.5, x), GT_BAD_ARGUMENT);
        assert_int_equal(gt_stepper_make_consistent(&s), GT_BAD_ARGUMENT);
        assert_int_equal(gt_stepper_solve_algebraic(&s, 0, x), GT_BAD_ARGUMENT);
        assert_int_equal(gt_integrate(&s, NULL, NULL), GT_BAD_ARGUMENT);
        gt_stepper_start(&s, 0, x);
        gt_stepper_restart(&s);
        gt_stepper_accept(&s);
        gt_stepper_free(&s);
    }
    assert_int_equal(gt_stepper_init(&s, f->method, "", f->problem, f->memory, f->bytes), GT_OK);
    assert_int_equal(gt_stepper_step(&s, NAN), GT_BAD_ARGUMENT);
    assert_int_equal(gt_stepper_step(&s, 0), GT_BAD_ARGUMENT);
    /* To accept before a trial, or twice, changes nothing. */
    gt_stepper_accept(&s);
    assert_int_equal(s.stats.steps, 0);
    assert_memory_equal(s.x, f->problem->x0, s.n * sizeof *s.x);
    assert_int_equal(gt_stepper_try(&s, 0.01, false), GT_OK);
    gt_stepper_accept(&s);
    double first = s.x[0], t = s.t;
    gt_stepper_accept(&s);
    assert_int_equal(s.stats.steps, 1);
    assert_true(s.x[0] == first && s.t == t);
    gt_stepper_free(&s);
    gt_stepper_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_null_pointer_crashes),
        cmocka_unit_test(sizes_that_overflow_are_refused),
        cmocka_unit_test(patterns_are_checked_as_they_are_read),
        cmocka_unit_test(plans_with_counts_of_nothing_are_refused),
        cmocka_unit_test(steppers_out_of_order_are_refused),
    };
    return cmocka_run_group_tests(tests, make_fixture, free_fixture);
}
