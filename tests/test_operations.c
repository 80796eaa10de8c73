/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of operations: a function that is listed has its value, derivative, series and switch in
 * model files. */
#include "lang/operations/operations.h"
#include "lang_kit.h"

/* x'=f(x+0.1) or f(x+0.1,y); x and y are such that every function exists there. */
static const double place[] = {0.47, 0.31};

static lang_model model_of(int op)
{
    char text[120];
    const char *more = ode_operands(op) == 2 ? ",y" : "";
    snprintf(text, sizeof text, "x'=%s(x+0.1%s)\ny'=0.3*x+0.2\n", ode_text_of(op), more);
    return lang_read(text);
}

static void f(const gt_problem *p, double x, double y, double dx[2])
{
    assert_int_equal(p->rhs(0, (const double[]){x, y}, dx, p->ctx), GT_OK);
}

static void check_value(const gt_problem *p, int op)
{
    double dx[2];
    f(p, place[0], place[1], dx);
    assert_true(isfinite(dx[0]));
    lang_near(dx[0], gt_lang_apply(op, place[0] + 0.1, place[1], 0), 0);
}

/* Central differences have an error of h^2, times a third derivative that is below 100 here. */
static void check_derivative(const gt_problem *p, int op)
{
    const double h = 1e-5;
    double above[2], below[2], J[4] = {0};
    gt_matrix matrix = {.n = 2, .values = J};
    assert_non_null(p->jac);
    assert_int_equal(p->jac(0, place, &matrix, p->ctx), GT_OK);
    for (int k = 0; k < ode_operands(op); k++) {
        f(p, place[0] + (k ? 0 : h), place[1] + (k ? h : 0), above);
        f(p, place[0] - (k ? 0 : h), place[1] - (k ? h : 0), below);
        double difference = (above[0] - below[0]) / (2 * h);
        if (!(fabs(J[2 * k] - difference) < 1e-7))
            fail_msg("%s: derivative %d is %g, by differences %g", ode_text_of(op), k, J[2 * k],
                     difference);
    }
}

/* The expansion satisfies the equation up to its order: the defect at s falls with s^order. */
static void check_series(const gt_problem *p, int op)
{
    enum { ORDER = 6 };
    double defects[2];
    for (int i = 0; i < 2; i++) {
        double c[2 * (ORDER + 1)] = {place[0], place[1]}, x[2] = {0}, dx[2] = {0}, rhs[2],
                              s = i ? 0.005 : 0.01;
        assert_int_equal(p->taylor(0, ORDER, c, p->ctx), GT_OK);
        for (int m = 0; m < 2; m++) {
            for (int k = ORDER; k >= 0; k--) x[m] = x[m] * s + c[2 * k + m];
            for (int k = ORDER; k >= 1; k--) dx[m] = dx[m] * s + k * c[2 * k + m];
        }
        f(p, x[0], x[1], rhs);
        defects[i] = fabs(rhs[0] - dx[0]);
    }
    if (!(defects[1] < 1e-13 || defects[1] < defects[0] / 32))
        fail_msg("the series of %s: defect %g, with half the step %g", ode_text_of(op), defects[0],
                 defects[1]);
}

static void test_functions(void **state)
{
    (void)state;
    int functions = 0;
    for (int op = 0; op < N_COUNT; op++) {
        if (!ode_is(op, OP_CALLED)) continue;
        lang_model m = model_of(op);
        assert_int_equal(m.problem.n_switches, ode_is(op, OP_SWITCHES));
        check_value(&m.problem, op);
        check_derivative(&m.problem, op);
        check_series(&m.problem, op);
        lang_free(&m);
        functions++;
    }
    assert_true(functions >= 24);
}

/* A list that is wrong in itself: an operation that cannot be written, costs nothing, or both steps
 * and is smooth. */
static void test_entries(void **state)
{
    (void)state;
    for (int op = 0; op < N_COUNT; op++) {
        const ode_operation *entry = &gt_lang_operations[op];
        assert_non_null(entry->text);
        if (ode_is(op, OP_CALLED)) {
            assert_true(*entry->text && *entry->c_name);
            assert_in_range(entry->operands, 1, 2);
        }
        if (entry->operands) assert_true(entry->cost > 0);
        assert_false(ode_is(op, OP_CHAINED) && (ode_is(op, OP_STEPS) || ode_is(op, OP_JUMPS)));
        for (int other = 0; other < op; other++)
            if (ode_is(op, OP_CALLED) && ode_is(other, OP_CALLED))
                assert_string_not_equal(entry->text, ode_text_of(other));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_functions),
                                       cmocka_unit_test(test_entries)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
