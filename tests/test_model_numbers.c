/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of models that were computed elsewhere: the values of crow's examples and problems. */
#include <geartrain/author/author.h>
#include <geartrain/geartrain.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
/* cmocka.h wants the above first */
#include <cmocka.h>

/* States at t, reached from x0 by short Taylor steps of order 20. */
static const struct {
    const char *model, *parameters;
    double t, h, tolerance, x[4];
} states[] = {
    {"stiff3c",
     "",
     0.05,
     0.005,
     1e-13,
     {0.9313855290640024, 0.06292983426151003, 0.10558568683629625}},
    {"stiff3c",
     "",
     1,
     0.005,
     1e-13,
     {0.3684148415952322, 0.009300829637809045, -0.0014795661051891281}},
    {"linear2", "", 0.1, 0.005, 1e-14, {0.90474471401142578, -0.091329097608159155}},
    {"linear2", "alpha=10, beta=0.5", 1, 0.005, 1e-14, {0.44289379086864168, -0.23884000641194269}},
    {"robertson",
     "",
     0.1,
     0.0002,
     1e-13,
     {0.99607774744245676, 3.5804372350422404e-5, 0.003886448185192815}},
    {"vanderpol", "", 2, 0.005, 1e-13, {1.8610687248524241, -0.075321631917749097}},
    {"predator_prey", "", 10, 0.005, 1e-7, {38.674037556625095, 139.28813422660915}},
    {"predator_prey", "", 50, 0.005, 1e-7, {49.946816108757425, 116.81354836604145}},
    {"duffing", "", 10, 0.005, 1e-9, {-1.3151481890153098, -0.09256798366649711}},
    {"duffing", "", 200, 0.005, 1e-9, {0.34319793295870943, -0.03654283195763009}},
    {"lorenz",
     "",
     0.5,
     0.005,
     1e-12,
     {0.93049353830937471, 1.6599400302572031, 8.4011925521638152}},
    {"lorenz", "", 2, 0.005, 1e-11, {-5.4058858473817686, -10.057099251176651, 9.7215815601319221}},
    {"double_pendulum",
     "",
     1,
     0.005,
     1e-10,
     {-0.276736045168, -0.761616450051, -0.581021002465, 0.806415340624}},
    {"double_pendulum",
     "m2=5",
     10,
     0.005,
     1e-9,
     {-0.436171415941, 0.04128856009, -0.174799353263, -0.0604998743214}},
    {"double_pendulum",
     "m2=1",
     10,
     0.005,
     1e-9,
     {0.0720284708601, 1.22275716856, 0.641552414781, 1.29867519581}},
};

static const struct {
    const char *model;
    double t, x[2];
} exacts[] = {
    {"harmonic", 10, {-0.83907152907645245, 0.54402111088936981}},
    {"crow_p1", 0.2, {1.25}},
    {"crow_p1", 1.2, {-5}},
    {"crow_p2", 5, {-1.134648741852905, 26.917848549326276}},
    {"crow_p4", 3, {0.1510048325426174}},
    {"crow_p8", 0.03999600000004, {3.9204839834012972, 3.9158755318957503}},
    {"crow_p8", 0.999900000001, {63.207858345131456, 63.20917863100278}},
    {"crow_p8", 11.998800000012, {100.00438407166487, 100.00938401007205}},
};

static const struct {
    const char *model, *parameters;
    double value;
} invariants[] = {{"double_pendulum", "m2=10", -230.50194505794036},
                  {"double_pendulum", "m2=5", -160.56636188080267},
                  {"double_pendulum", "m2=1", -104.61789533909254},
                  {"predator_prey", "", 4.070715105577843},
                  {"harmonic", "", 0.5},
                  {"robertson", "", 1}};

static const struct {
    const char *model, *parameters;
    double x[4];
} equilibria[] = {{"predator_prey", "", {25, 100}},
                  {"lorenz", "", {10.392304845413264, 10.392304845413264, 27}},
                  {"lorenz", "", {-10.392304845413264, -10.392304845413264, 27}},
                  {"crow_p8", "", {100.005, 100.01}},
                  {"double_pendulum", "", {0, 0, 0, 0}},
                  {"brusselator", "n=2", {1, 3, 1, 3}}};

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

static gt_problem build(const char *name, const char *parameters, gt_arena *arena)
{
    gt_problem p;
    gt_message message = {""};
    *arena = gt_arena_growing();
    if (gt_model_build(gt_model_find(name), parameters, &p, arena, &message))
        fail_msg("%s", message.text);
    return p;
}

static void assert_close(const char *name, double t, double value, double expected,
                         double tolerance)
{
    if (!(fabs(value - expected) <= tolerance * (1 + fabs(expected))))
        fail_msg("%s at t = %g: %.17g, expected %.17g", name, t, value, expected);
}

static void states_meet_reference(void **state)
{
    enum { ORDER = 20 };
    (void)state;
    for (size_t k = 0; k < COUNT(states); k++) {
        gt_arena arena;
        gt_problem p = build(states[k].model, states[k].parameters, &arena);
        size_t n = gt_problem_size(&p);
        double c[(ORDER + 1) * 4];
        int steps = (int)lround(states[k].t / states[k].h);
        double h = states[k].h;
        memcpy(c, p.x0, n * sizeof *c);
        for (int step = 0; step < steps; step++) {
            assert_int_equal(p.taylor(step * h, ORDER, c, p.ctx), GT_OK);
            for (size_t i = 0; i < n; i++) {
                double sum = 0;
                for (size_t j = ORDER + 1; j-- > 0;) sum = sum * h + c[j * n + i];
                c[i] = sum;
            }
        }
        for (size_t i = 0; i < n; i++)
            assert_close(states[k].model, states[k].t, c[i], states[k].x[i], states[k].tolerance);
        gt_arena_free(&arena);
    }
}

static void exact_meets_reference(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(exacts); k++) {
        gt_arena arena;
        gt_problem p = build(exacts[k].model, "", &arena);
        double x[2];
        p.exact(exacts[k].t, x, p.ctx);
        for (size_t i = 0; i < gt_problem_size(&p); i++)
            assert_close(exacts[k].model, exacts[k].t, x[i], exacts[k].x[i], 1e-12);
        gt_arena_free(&arena);
    }
}

static void invariants_meet_reference(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(invariants); k++) {
        gt_arena arena;
        gt_problem p = build(invariants[k].model, invariants[k].parameters, &arena);
        double value;
        p.invariants(p.t0, p.x0, &value, p.ctx);
        assert_close(invariants[k].model, p.t0, value, invariants[k].value, 1e-14);
        gt_arena_free(&arena);
    }
}

static void equilibria_rest(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(equilibria); k++) {
        gt_arena arena;
        gt_problem p = build(equilibria[k].model, equilibria[k].parameters, &arena);
        double dx[4];
        p.rhs(0, equilibria[k].x, dx, p.ctx);
        for (size_t i = 0; i < gt_problem_size(&p); i++)
            assert_close(equilibria[k].model, 0, dx[i], 0, 1e-9);
        gt_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_meet_reference),
        cmocka_unit_test(exact_meets_reference),
        cmocka_unit_test(invariants_meet_reference),
        cmocka_unit_test(equilibria_rest),
    };
    return cmocka_run_group_tests_name("model numbers", tests, NULL, NULL);
}
