/* SPDX-License-Identifier: BSD-3-Clause */
/* Methods for fast oscillations over long times: what they keep, and what they refuse. */
#include "methods_kit.h"

/* The largest departure of the energy over a run, and its means over the halves of it. */
typedef struct energies {
    double first, most, half[2];
} energies;

static energies energies_of(const char *method, const char *options, double h, long steps)
{
    bench_top b;
    energies e = {0};
    build(&b, "fpu", "");
    bind_method(&b, gt_method_find(method), options);
    b.problem.invariants(0, b.problem.x0, &e.first, b.problem.ctx);
    for (long k = 0; k < steps; k++) {
        double now;
        assert_int_equal(gt_stepper_step(&b.s, h), GT_OK);
        b.problem.invariants(b.s.t, b.s.x, &now, b.problem.ctx);
        e.most = fmax(e.most, fabs(now - e.first));
        e.half[2 * k / steps] += 2 * (now - e.first) / (double)steps;
    }
    dismantle(&b);
    return e;
}

/* h w = 2.5: explicit methods are unstable from 2 on at best. Hairer, Lubich, Wanner XIII.7: the
 * energy stays within O(h) for exponentially long times; here for 8,000 periods of the springs, a
 * tenth of what the manual shows. */
static void chain_keeps_its_energy(void **state)
{
    (void)state;
    energies e = energies_of("trig", NULL, 0.05, 20000);
    assert_true(e.most < 0.05 * e.first);
    assert_true(fabs(e.half[1] - e.half[0]) < 1e-3 * e.first);
}

/* At h w = pi the impulses add up, and the run says so; their means do not. */
static void resonance_is_named_and_mollified(void **state)
{
    (void)state;
    bench_top b;
    gt_report report;
    build(&b, "fpu", "");
    b.problem.t1 = 10;
    gt_plan plan = {.h = 0.0628};
    assert_int_equal(gt_solve(&b.problem, gt_method_find("trig"), &plan, &report), GT_OK);
    bool named = false;
    for (int i = 0; i < report.warnings.count; i++)
        named = named || strstr(report.warnings.list[i].text, "filter=mollified");
    assert_true(named);
    gt_arena_free(&b.arena);
    energies e = energies_of("trig", "filter=mollified", 0.0628, 10000);
    assert_true(e.most < 0.15 * e.first);
    assert_true(fabs(e.half[1] - e.half[0]) < 5e-3 * e.first);
}

/* A step h and a step -h lead back to where they began. */
static void steps_are_symmetric(void **state)
{
    static const char *const filters[] = {"filter=none", "filter=mollified"};
    (void)state;
    for (int k = 0; k < 2; k++) {
        bench_top b;
        double start[12];
        build(&b, "fpu", "");
        bind_method(&b, gt_method_find("trig"), filters[k]);
        for (int i = 0; i < 5; i++) assert_int_equal(gt_stepper_step(&b.s, 0.04), GT_OK);
        memcpy(start, b.s.x, sizeof start);
        for (int i = 0; i < 5; i++) assert_int_equal(gt_stepper_step(&b.s, 0.04), GT_OK);
        for (int i = 0; i < 5; i++) assert_int_equal(gt_stepper_step(&b.s, -0.04), GT_OK);
        for (int i = 0; i < 12; i++) assert_within(b.s.x[i], start[i], 1e-12, filters[k]);
        dismantle(&b);
    }
}

/* Functions in Krylov spaces are those of dense matrices. */
static void krylov_is_as_dense(void **state)
{
    double x[2][12];
    (void)state;
    for (int k = 0; k < 2; k++) {
        bench_top b;
        gt_report report;
        build(&b, "fpu", "");
        b.problem.t1 = 2;
        gt_plan plan = {.h = 0.04, .options = k ? "dense=0" : "", .x_end = x[k]};
        assert_int_equal(gt_solve(&b.problem, gt_method_find("trig"), &plan, &report), GT_OK);
        gt_arena_free(&b.arena);
    }
    for (int i = 0; i < 12; i++) assert_within(x[1][i], x[0][i], 1e-9, "Krylov");
}

/* What is between the points of a step: the method itself with a shorter one. */
static void dense_output_follows_the_swings(void **state)
{
    (void)state;
    bench_top b;
    double inside[12], end[12];
    build(&b, "fpu", "");
    bind_method(&b, gt_method_find("trig"), NULL);
    assert_int_equal(gt_stepper_try(&b.s, 0.02, false), GT_OK);
    assert_int_equal(gt_stepper_interpolate(&b.s, 0.4, inside), GT_OK);
    assert_int_equal(gt_stepper_try(&b.s, 0.008, false), GT_OK);
    memcpy(end, b.s.x_new, sizeof end);
    for (int i = 0; i < 12; i++) assert_within(inside[i], end[i], 1e-5, "inside");
    dismantle(&b);
}

/* A force that depends on what it moves: no step of one evaluation is symmetric. */
static void forces_of_velocities_are_refused(void **state)
{
    static const char *const models[] = {"lorenz", "vanderpol", "kpr", "double_pendulum",
                                         "pendulum"};
    static const char *const taken[] = {"fpu", "duffing", "harmonic", "crow_p2", "pleiades"};
    (void)state;
    const gt_method *trig = gt_method_find("trig");
    gt_values v = gt_params_default(trig->options);
    for (size_t i = 0; i < sizeof models / sizeof *models + sizeof taken / sizeof *taken; i++) {
        bool fits = i >= sizeof models / sizeof *models;
        bench_top b;
        gt_message message = {""};
        const char *name = fits ? taken[i - sizeof models / sizeof *models] : models[i];
        build(&b, name, "");
        gt_status status = gt_method_check(trig, v.v, &b.problem, &message);
        if (status != (fits ? GT_OK : GT_UNSUPPORTED)) fail_msg("%s: %s", name, message.text);
        if (!fits) assert_non_null(strstr(message.text, "try "));
        gt_arena_free(&b.arena);
    }
}

/* A wind that brakes beyond z = 2 only: near the start its force has the form that trig is for. */
static gt_status brake(double t, const double *x, double *dx, void *ctx)
{
    double speed = *(const double *)ctx;
    (void)t;
    dx[0] = x[1];
    dx[1] = -x[0] * x[0] * x[0] + 3 - (x[0] > 2 ? speed * x[1] * fabs(x[1]) : 0);
    return GT_OK;
}
static void form_of_the_force_is_looked_at_later(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        double factor = k ? 0.3 : 0, x0[2] = {-1, 0};
        gt_problem p = {.n_slow = 2, .rhs = brake, .ctx = &factor, .x0 = x0, .t1 = 20};
        gt_report report;
        assert_int_equal(gt_solve(&p, gt_method_find("trig"), &(gt_plan){.h = 0.01}, &report),
                         GT_OK);
        bool said = false;
        for (int i = 0; i < report.warnings.count; i++)
            said = said || strstr(report.warnings.list[i].text, "order 1");
        assert_int_equal(said, k);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chain_keeps_its_energy),
        cmocka_unit_test(resonance_is_named_and_mollified),
        cmocka_unit_test(steps_are_symmetric),
        cmocka_unit_test(krylov_is_as_dense),
        cmocka_unit_test(dense_output_follows_the_swings),
        cmocka_unit_test(forces_of_velocities_are_refused),
        cmocka_unit_test(form_of_the_force_is_looked_at_later),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
