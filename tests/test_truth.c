/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Problems with exact solutions by every method with step control and by the automatic choice
 * (tests/truth/truth.h): an answer that is beyond 100 tol has a warning or a reason. `make truth`
 * runs the same with more steps allowed.
 */
#include "methods_kit.h"
#include "truth/truth.h"

enum { FEW_STEPS = 1000 };

static void open_case(truth_case *c, const truth_problem *row)
{
    gt_message message = {""};
    if (truth_open(c, row, &message)) fail_msg("%s: %s", row->name, message.text);
}

/* The residual of M x' = f at the exact solution, x' by central differences, relative to the
 * largest |f_i|; NAN where the run has been stopped. */
static double residual(const truth_case *c, double t, double *size)
{
    const gt_problem *p = &c->problem;
    size_t n = gt_problem_size(p), n_ode = p->n_slow + p->n_fast;
    double before[TRUTH_MOST_STATES], after[TRUTH_MOST_STATES], x[TRUTH_MOST_STATES],
        f[TRUTH_MOST_STATES];
    double slope[TRUTH_MOST_STATES], left[TRUTH_MOST_STATES] = {0}, step = 1e-6 * (p->t1 - p->t0),
                                     most = 0;
    c->row->exact(t - step, before);
    c->row->exact(t + step, after);
    c->row->exact(t, x);
    assert_int_equal(p->rhs(t, x, f, p->ctx), GT_OK);
    bool moves = false;
    for (size_t i = 0; i < n; i++) {
        slope[i] = i < n_ode ? (after[i] - before[i]) / ((t + step) - (t - step)) : 0;
        moves = moves || after[i] != before[i];
    }
    if (!moves && p->n_roots) return 0; /* an event has ended the run */
    if (p->mass)
        gt_matrix_multiply(p->mass, slope, 0, left);
    else
        memcpy(left, slope, n * sizeof *left);
    for (size_t i = 0; i < n; i++) {
        *size = fmax(*size, fabs(left[i]) / c->scale[i]);
        most = fmax(most, fabs(left[i] - f[i]) / c->scale[i]);
    }
    return most;
}

/* Without this, an error in the table would look like an error of a method. */
static void test_exact_solutions_solve_their_problems(void **state)
{
    (void)state;
    enum { POINTS = 211 };
    const truth_problem *row;
    for (size_t k = 0; (row = truth_problem_at(k)); k++) {
        truth_case c;
        open_case(&c, row);
        const gt_problem *p = &c.problem;
        double start[TRUTH_MOST_STATES], most = 0, size = 0;
        row->exact(p->t0, start);
        for (size_t i = 0; i < p->n_slow + p->n_fast; i++)
            assert_within(p->x0[i], start[i], 1e-12 * c.scale[i], row->name);
        for (int i = 1; i < POINTS; i++)
            most = fmax(most, residual(&c, p->t0 + (p->t1 - p->t0) * (i - 0.382) / POINTS, &size));
        if (!(most <= 1e-4 * size)) fail_msg("%s: residual %g of %g", row->name, most, size);
        truth_close(&c);
    }
}

static void test_the_table_has_every_kind_and_no_name_twice(void **state)
{
    (void)state;
    int kinds[TRUTH_KINDS] = {0};
    size_t count = 0, in_c = 0;
    const truth_problem *row, *other;
    for (; (row = truth_problem_at(count)); count++) {
        kinds[row->kind]++;
        in_c += !row->text;
        for (size_t k = 0; k < count && (other = truth_problem_at(k)); k++)
            assert_string_not_equal(row->name, other->name);
    }
    assert_true(count >= 60 && in_c >= 20 && count - in_c >= 20);
    for (int k = 0; k < TRUTH_KINDS; k++)
        if (kinds[k] < 2)
            fail_msg("%d problems of the kind %s", kinds[k], truth_kind_name((truth_kind)k));
}

/* Ill conditioning is not stated where there is none. */
static void test_amplifications_are_those_of_the_problems(void **state)
{
    (void)state;
    const truth_problem *row;
    for (size_t k = 0; (row = truth_problem_at(k)); k++) {
        if (row->amplification == 0) continue;
        truth_case c;
        open_case(&c, row);
        assert_within(row->amplification / truth_measured_amplification(&c), 1, 0.05, row->name);
        truth_close(&c);
    }
}

static void print_silent(const truth_sweep *sweep)
{
    for (size_t i = 0; i < sweep->count; i++) {
        const truth_run *run = sweep->runs + i;
        if (run->class == TRUTH_SILENT)
            print_message("%s%s on %s, rtol %g: error %.3g tol after %ld steps, without a word\n",
                          run->automatic ? "auto, " : "", run->method->name, run->problem->name,
                          run->rtol, run->error, run->steps);
    }
}

/* A kink of a C function, of which nothing is declared, can fall where the estimate of a step is
 * zero. Which steps meet it so the last bits of f decide, which are those of a compiler and a C
 * library: one run in twenty may. */
static bool is_chance(const truth_run *run)
{
    return run->problem->kind == TRUTH_KINK && !run->problem->text;
}

static void check_chance(const truth_sweep *sweep)
{
    long silent = 0, all = 0;
    for (size_t i = 0; i < sweep->count; i++) {
        all += is_chance(&sweep->runs[i]);
        silent += is_chance(&sweep->runs[i]) && sweep->runs[i].class == TRUTH_SILENT;
    }
    if (!(20 * silent <= all))
        fail_msg("%ld of %ld runs over kinks of C are wrong without a word", silent, all);
}

static long count_silent(const truth_sweep *sweep, bool automatic)
{
    long count = 0;
    for (size_t i = 0; i < sweep->count; i++) {
        const truth_run *run = sweep->runs + i;
        count += run->class == TRUTH_SILENT && run->automatic == automatic && !is_chance(run);
    }
    return count;
}

static void test_no_answer_is_silently_wrong(void **state)
{
    const truth_sweep *sweep = *state;
    print_silent(sweep);
    assert_int_equal(count_silent(sweep, true), 0);
    assert_int_equal(count_silent(sweep, false), 0);
    check_chance(sweep);
    assert_int_equal(truth_count(sweep, TRUTH_OPEN, true), 0);
    assert_int_equal(truth_count(sweep, TRUTH_OPEN, false), 0);
    /* Warnings and reasons must not take over what methods do. */
    assert_true(truth_count(sweep, TRUTH_WARNED, true) <= 4);
    assert_true(truth_count(sweep, TRUTH_WARNED, false) <= 80);
    assert_true(truth_count(sweep, TRUTH_EXPLAINED, false) <= 160);
}

/* A run that is given up is no answer: methods must not pass by giving up. */
static void test_most_runs_end_ok(void **state)
{
    const truth_sweep *sweep = *state;
    long good = truth_count(sweep, TRUTH_GOOD, true) + truth_count(sweep, TRUTH_FAIR, true);
    long stopped = truth_count(sweep, TRUTH_STOPPED, true);
    assert_true(good > 10 * stopped);
    good = truth_count(sweep, TRUTH_GOOD, false) + truth_count(sweep, TRUTH_FAIR, false);
    stopped = truth_count(sweep, TRUTH_STOPPED, false);
    assert_true(good > stopped);
}

static void test_no_reason_is_stale(void **state)
{
    const truth_sweep *sweep = *state;
    for (int k = 0; truth_reasons[k].name; k++) {
        long used = 0;
        for (size_t i = 0; i < sweep->count; i++)
            used += sweep->runs[i].class == TRUTH_EXPLAINED && sweep->runs[i].reason == k;
        if (!used) fail_msg("the reason '%s' explains nothing any more", truth_reasons[k].name);
    }
}

/* docs/accuracy.md */
static void read_page(char *text, size_t room)
{
    FILE *file = fopen(TEST_SOURCE_DIR "/docs/accuracy.md", "r");
    assert_non_null(file);
    size_t length = fread(text, 1, room - 1, file);
    fclose(file);
    assert_true(length > 0 && length < room - 1);
    text[length] = 0;
}

/* Errors of a run follow the libm and the compiler in their digits; medians hardly. They may have
 * become better. */
static void check_row(const truth_sweep *sweep, const gt_method *method, const char *row)
{
    for (size_t r = 0; r < TRUTH_TOLERANCES; r++) {
        truth_spread s = truth_spread_of(sweep, method, truth_tolerances[r]);
        char *end;
        row = strchr(row, '|') + 1;
        double half = strtod(row, &end);
        if (s.ok < 5) continue;
        assert_int_equal(*end, ',');
        if (!(s.half <= 3 * fmax(half, 1)))
            fail_msg("docs/accuracy.md, %s at rtol %g: %g, measured %g",
                     method ? method->name : "auto", truth_tolerances[r], half, s.half);
    }
}

static void test_the_page_has_what_was_measured(void **state)
{
    static char page[65536];
    const truth_sweep *sweep = *state;
    read_page(page, sizeof page);
    for (int k = 0; truth_reasons[k].name; k++) {
        char row[512];
        snprintf(row, sizeof row, "| %s | %s |\n", truth_reasons[k].name, truth_reasons[k].text);
        if (!strstr(page, row)) fail_msg("docs/accuracy.md lacks the row %s", row);
    }
    for (const truth_defect *d = truth_defects; d->problem; d++) {
        char row[512];
        snprintf(row, sizeof row, "| %s | %s | %s |\n", d->problem, d->method ? d->method : "any",
                 d->text);
        if (!strstr(page, row)) fail_msg("docs/accuracy.md lacks the row %s", row);
    }
    const gt_method *const *list = gt_method_list();
    for (size_t k = 0; k == 0 || list[k - 1]; k++) {
        const gt_method *method = k ? list[k - 1] : NULL;
        char mark[64];
        snprintf(mark, sizeof mark, "\n| `%s` |", method ? method->name : "auto");
        const char *row = strstr(page, mark);
        size_t ok = 0;
        for (size_t r = 0; r < TRUTH_TOLERANCES; r++)
            ok += truth_spread_of(sweep, method, truth_tolerances[r]).ok;
        if ((ok > 0) != (row != NULL)) fail_msg("docs/accuracy.md: %zu runs of %s", ok, mark + 1);
        if (row) check_row(sweep, method, row + strlen(mark) - 1);
    }
}

static gt_status last_moves(double t, const double *x, double *dx, void *ctx)
{
    (void)x;
    size_t n = *(size_t *)ctx;
    memset(dx, 0, n * sizeof *dx);
    dx[n - 1] = 10 * cos(10 * t);
    return GT_OK;
}

/* The mean over 10^4 states let the only one that moves be wrong by 100 times the tolerance in
 * every step. Its error is held to 10 times the tolerance: the steps are those of the state alone
 * with 10 times the tolerance, but the first. */
static void test_one_state_among_many_keeps_the_tolerance(void **state)
{
    (void)state;
    static const char *const methods[] = {"heun", "dopri5", "dop853"};
    double *x0 = calloc(10000, sizeof *x0);
    assert_non_null(x0);
    for (size_t k = 0; k < 3; k++) {
        long steps[2];
        for (size_t i = 0; i < 2; i++) {
            size_t n = i ? 10000 : 1;
            gt_problem p = {.n_slow = n, .rhs = last_moves, .t1 = 10, .x0 = x0, .ctx = &n};
            gt_plan plan = {.rtol = i ? 1e-6 : 1e-5, .atol = i ? 1e-6 : 1e-5};
            gt_report report;
            assert_int_equal(gt_solve(&p, gt_method_find(methods[k]), &plan, &report), GT_OK);
            steps[i] = report.stats.steps;
        }
        assert_within((double)steps[1] / (double)steps[0], 1, 0.1, methods[k]);
    }
    free(x0);
}

static int run_all(void **state)
{
    static truth_sweep sweep;
    *state = &sweep;
    gt_status status = truth_sweep_run(&sweep, &(truth_choice){.max_steps = FEW_STEPS});
    if (status) print_error("%s\n", sweep.message.text);
    return status;
}

static int free_all(void **state)
{
    truth_sweep_free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_solutions_solve_their_problems),
        cmocka_unit_test(test_the_table_has_every_kind_and_no_name_twice),
        cmocka_unit_test(test_amplifications_are_those_of_the_problems),
        cmocka_unit_test(test_no_answer_is_silently_wrong),
        cmocka_unit_test(test_most_runs_end_ok),
        cmocka_unit_test(test_no_reason_is_stale),
        cmocka_unit_test(test_the_page_has_what_was_measured),
        cmocka_unit_test(test_one_state_among_many_keeps_the_tolerance),
    };
    return cmocka_run_group_tests(tests, run_all, free_all);
}
