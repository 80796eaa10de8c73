/* SPDX-License-Identifier: BSD-3-Clause */
/* The classic stiff problems: their data, and runs that must end at the values of
 * stiff_reference.h. */
#include <geartrain/author/author.h>
#include <geartrain/geartrain.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
/* cmocka.h wants the above first */
#include <cmocka.h>

#include "stiff_reference.h"

enum { MAX_STATES = 128 };

/* Rates at the start, worked out by hand from the equations. */
static const struct {
    const char *model, *parameters, *state;
    double t, rate;
} rates[] = {
    {"robertson", "form=dae", "y1", 0, -0.04},
    {"robertson", "form=dae", "y2", 0, 0.04},
    {"robertson", "form=dae", "y3", 0, 0}, /* residual */
    {"hires", "", "y1", 0, -1.7093},
    {"hires", "", "y2", 0, 1.71},
    {"hires", "", "y8", 0, 0},
    {"orego", "", "y1", 0, 77.26935286375},
    {"orego", "", "y2", 0, -1 / 77.27},
    {"orego", "", "y3", 0, -0.322},
    {"e5", "", "y1", 0, -1.38864e-12},
    {"e5", "", "y2", 0, 1.38864e-12},
    {"e5", "", "y3", 0, 1.38864e-12},
    {"pollution", "", "y1", 0, 0.2128},
    {"pollution", "", "y2", 0, -0.2128},
    {"pollution", "", "y3", 0, 7e-4},
    {"pollution", "", "y4", 0, -0.213514},
    {"pollution", "", "y5", 0, 1.733e-4},
    {"pollution", "", "y7", 0, -1.68e-4},
    {"pollution", "", "y8", 0, 1.693e-4},
    {"pollution", "", "y9", 0, -1.3e-6},
    {"pollution", "", "y10", 0, 1.3e-6},
    {"pollution", "", "y16", 0, 1.4e-5},
    {"ring", "", "I7", 2.5e-4, 250}, /* Uin1 = 1/2 drives it through Ls1 */
    {"ring", "", "U1", 2.5e-4, 0},
    {"chemakzo", "", "y3", 0, 0.025487429806082887},
    {"chemakzo", "", "y4", 0, -3.916080e-6},
    {"chemakzo", "", "y6", 0, 0}, /* residual */
    {"transistor", "", "y3", 0, -500.0 / 3},
    {"transistor", "", "y6", 0, -250.0 / 3},
    {"transistor", "", "u1", 0.0025, -100}, /* Ue = 0.1 over R0 into C */
    {"transistor", "", "y2", 0, 0},         /* residuals */
    {"transistor", "", "y5", 0, 0},
    {"transistor", "", "y8", 0, 0},
    {"pleiades", "", "x6", 0, 1.75},
    {"pleiades", "", "u4", 0, 0.7437133962081612},
    {"beam", "", "omega40", 1.5707963267948966,
     4800}, /* C v with v = n^2 F: 2 n^2 F at the last link, else 0 */
    {"beam", "", "omega39", 1.5707963267948966, 0},
    {"beam", "n=7, F=2", "omega7", 1.5707963267948966, 196},
};

static const struct {
    const char *model;
    int which;
    double value;
} invariants[] = {{"hires", 0, 0.0057},
                  {"e5", 0, 0},
                  {"pollution", 0, 0.2},
                  {"pollution", 1, 0.007},
                  {"pleiades", 0, -45.95246949784713},
                  {"pleiades", 1, 0},
                  {"pleiades", 2, 0},
                  {"pleiades", 3, 109}};

/* How the models are run: the error at the end may be `bound`. The first row that names the model
 * counts; NULL is every model not named before. */
typedef struct {
    const char *model, *method;
    double rtol, bound;
} setting;

static const setting best[] = {{"ring", "gear", 1e-6, 5e-3}, /* stiff oscillations: many steps */
                               {"beam", "gear", 1e-6, 2e-3},
                               {"pleiades", "dopri5", 1e-11, 1e-8}, /* not stiff */
                               {NULL, "gear", 1e-9, 1e-6}};
static const setting simple[] = {
    {"ring", NULL, 0, 0}, /* too long for a test */
    {"beam", "trapezoidal", 1e-5, 3e-3},
    {"pleiades", "trapezoidal", 1e-8, 1e-3}, /* near encounters magnify errors */
    {NULL, "trapezoidal", 1e-7, 1e-3}};

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

static gt_problem build(const char *name, const char *parameters, gt_arena *arena)
{
    gt_problem p;
    gt_message message = {""};
    *arena = gt_arena_growing();
    if (gt_model_build(gt_model_find(name), parameters, &p, arena, &message))
        fail_msg("%s", message.text);
    assert_in_range(gt_problem_size(&p), 1, MAX_STATES);
    return p;
}

static size_t index_of(const gt_problem *p, const char *state)
{
    char buffer[24];
    for (size_t i = 0; i < gt_problem_size(p); i++)
        if (strcmp(gt_problem_state_name(p, i, buffer), state) == 0) return i;
    fail_msg("%s has no state %s", p->name, state);
    return 0;
}

static void rates_are_right(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(rates); k++) {
        gt_arena arena;
        gt_problem p = build(rates[k].model, rates[k].parameters, &arena);
        double f[MAX_STATES], expected = rates[k].rate;
        assert_int_equal(p.rhs(rates[k].t, p.x0, f, p.ctx), GT_OK);
        double value = f[index_of(&p, rates[k].state)];
        if (!(fabs(value - expected) <= 1e-12 * fabs(expected) + (expected == 0 ? 1e-12 : 0)))
            fail_msg("%s: %s' = %.17g, expected %.17g", rates[k].model, rates[k].state, value,
                     expected);
        gt_arena_free(&arena);
    }
}

static void invariants_are_right(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(invariants); k++) {
        gt_arena arena;
        gt_problem p = build(invariants[k].model, "", &arena);
        double value[8];
        p.invariants(p.t0, p.x0, value, p.ctx);
        if (!(fabs(value[invariants[k].which] - invariants[k].value) <=
              1e-14 * fabs(invariants[k].value)))
            fail_msg("%s: invariant %d is %.17g", invariants[k].model, invariants[k].which,
                     value[invariants[k].which]);
        gt_arena_free(&arena);
    }
}

static void run(const stiff_reference *r, const setting *how)
{
    gt_arena arena;
    gt_problem p = build(r->model, r->params, &arena);
    double x[MAX_STATES];
    gt_plan plan = {.rtol = how->rtol, .atol = how->rtol * r->size, .x_end = x};
    gt_report report;
    assert_int_equal(gt_problem_size(&p), r->n);
    p.t1 = r->t_end;
    if (gt_solve(&p, gt_method_find(how->method), &plan, &report))
        fail_msg("%s %s, %s: %s", r->model, r->params, how->method, report.message.text);
    for (size_t i = 0; i < r->n; i++) {
        double error = fabs(x[i] - r->values[i]) / (r->size + fabs(r->values[i]));
        if (!(error <= how->bound))
            fail_msg("%s %s, %s: state %zu is %.17g at t = %g, expected %.17g", r->model, r->params,
                     how->method, i, x[i], r->t_end, r->values[i]);
    }
    gt_arena_free(&arena);
}

static const setting *setting_of(const setting *table, const char *model)
{
    while (table->model && strcmp(table->model, model) != 0) table++;
    return table;
}

static void best_methods_meet_reference(void **state)
{
    (void)state;
    for (size_t k = 0; k < N_STIFF_REFERENCES; k++)
        run(&stiff_references[k], setting_of(best, stiff_references[k].model));
}

/* Not beyond t = 1e10: there rounding, which the trapezoidal rule does not damp, decides about the
 * step. */
static void trapezoidal_rule_meets_reference(void **state)
{
    (void)state;
    for (size_t k = 0; k < N_STIFF_REFERENCES; k++) {
        const setting *how = setting_of(simple, stiff_references[k].model);
        if (how->method && stiff_references[k].t_end < 1e10) run(&stiff_references[k], how);
    }
}

/* The two forms of Robertson's problem are one problem. */
static void forms_of_robertson_agree(void **state)
{
    double x[2][3];
    (void)state;
    for (int form = 0; form < 2; form++) {
        gt_arena arena;
        gt_problem p =
            build("robertson", form ? "form=dae, k1=1, k2=20, k3=3" : "k1=1, k2=20, k3=3", &arena);
        gt_plan plan = {.rtol = 1e-10, .atol = 1e-12, .x_end = x[form]};
        gt_report report;
        assert_int_equal(p.n_alg, form);
        assert_true((p.taylor != NULL) == (form == 0));
        assert_int_equal(gt_solve(&p, gt_method_find("gear"), &plan, &report), GT_OK);
        gt_arena_free(&arena);
    }
    for (int i = 0; i < 3; i++) assert_true(fabs(x[0][i] - x[1][i]) <= 1e-8);
    assert_true(fabs(x[1][0] + x[1][1] + x[1][2] - 1) <= 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_are_right),
        cmocka_unit_test(invariants_are_right),
        cmocka_unit_test(best_methods_meet_reference),
        cmocka_unit_test(trapezoidal_rule_meets_reference),
        cmocka_unit_test(forms_of_robertson_agree),
    };
    return cmocka_run_group_tests_name("stiff numbers", tests, NULL, NULL);
}
