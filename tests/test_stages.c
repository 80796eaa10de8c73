/* SPDX-License-Identifier: BSD-3-Clause */
/* Tableaux whose stages all depend on each other: Gauss, Radau, Lobatto from their numbers, and
 * what is said of them.
 */
#include "methods_kit.h"

#define R(p, q)                                                                                    \
    {                                                                                              \
        p, q                                                                                       \
    }

typedef struct known {
    const char *name;
    int stages, order, error_order;
    double A[3][3], b[3];
    bool treats_algebraic, a_stable, l_stable, algebraic, symplectic, symmetric;
} known;

static const double r3 = 1.7320508075688772, r6 = 2.4494897427831781, r15 = 3.872983346207417;

/* Hairer, Wanner, Solving Ordinary Differential Equations II (1996), IV.5 and IV.12. */
static size_t fill(known *list)
{
    known k[] = {
        {"gauss2",
         2,
         4,
         2,
         {{.25, .25 - r3 / 6}, {.25 + r3 / 6, .25}},
         {.5, .5},
         false,
         true,
         false,
         true,
         true,
         true},
        {"gauss3",
         3,
         6,
         3,
         {{5. / 36, 2. / 9 - r15 / 15, 5. / 36 - r15 / 30},
          {5. / 36 + r15 / 24, 2. / 9, 5. / 36 - r15 / 24},
          {5. / 36 + r15 / 30, 2. / 9 + r15 / 15, 5. / 36}},
         {5. / 18, 4. / 9, 5. / 18},
         false,
         true,
         false,
         true,
         true,
         true},
        {"radau2a3",
         3,
         5,
         3,
         {{(88 - 7 * r6) / 360, (296 - 169 * r6) / 1800, (-2 + 3 * r6) / 225},
          {(296 + 169 * r6) / 1800, (88 + 7 * r6) / 360, (-2 - 3 * r6) / 225},
          {(16 - r6) / 36, (16 + r6) / 36, 1. / 9}},
         {(16 - r6) / 36, (16 + r6) / 36, 1. / 9},
         true,
         true,
         true,
         true,
         false,
         false},
        {"radau1a3",
         3,
         5,
         3,
         {{1. / 9, (-1 - r6) / 18, (-1 + r6) / 18},
          {1. / 9, (88 + 7 * r6) / 360, (88 - 43 * r6) / 360},
          {1. / 9, (88 + 43 * r6) / 360, (88 - 7 * r6) / 360}},
         {1. / 9, (16 + r6) / 36, (16 - r6) / 36},
         false,
         true,
         true,
         true,
         false,
         false},
        {"lobatto3a3",
         3,
         4,
         0,
         {{0, 0, 0}, {5. / 24, 1. / 3, -1. / 24}, {1. / 6, 2. / 3, 1. / 6}},
         {1. / 6, 2. / 3, 1. / 6},
         false,
         true,
         false,
         false,
         false,
         true},
        {"lobatto3b3",
         3,
         4,
         2,
         {{1. / 6, -1. / 6, 0}, {1. / 6, 1. / 3, 0}, {1. / 6, 5. / 6, 0}},
         {1. / 6, 2. / 3, 1. / 6},
         false,
         true,
         false,
         false,
         false,
         true},
        {"lobatto3c3",
         3,
         4,
         3,
         {{1. / 6, -1. / 3, 1. / 6}, {1. / 6, 5. / 12, -1. / 12}, {1. / 6, 2. / 3, 1. / 6}},
         {1. / 6, 2. / 3, 1. / 6},
         true,
         true,
         true,
         true,
         false,
         false},
    };
    memcpy(list, k, sizeof k);
    return sizeof k / sizeof *k;
}

static gt_tableau tableau_of(const known *k)
{
    gt_tableau T = {.stages = k->stages};
    for (int i = 0; i < k->stages; i++) {
        T.b[i] = gt_ratio_near(k->b[i]);
        for (int j = 0; j < k->stages; j++) T.a[i][j] = gt_ratio_near(k->A[i][j]);
    }
    return T;
}

static const gt_method *made_of(const known *k, gt_arena *arena)
{
    const gt_method *m = NULL;
    gt_message message = {""};
    gt_tableau T = tableau_of(k);
    if (gt_method_from_tableau(&(gt_method_label){.name = k->name}, &T, arena, &m, &message))
        fail_msg("%s: %s", k->name, message.text);
    return m;
}

static void the_order_is_found_and_measured(void **state)
{
    (void)state;
    known list[8];
    gt_arena arena = gt_arena_growing();
    for (size_t i = 0, count = fill(list); i < count; i++) {
        const known *k = &list[i];
        const gt_method *m = made_of(k, &arena);
        gt_facts facts = gt_method_facts(m, gt_params_default(m->options).v);
        if (facts.order != k->order || facts.error_order != k->error_order)
            fail_msg("%s: order %d, error order %d", k->name, facts.order, facts.error_order);
        assert_int_equal((facts.flags & GT_TREATS_ALGEBRAIC) != 0, k->treats_algebraic);
        assert_int_equal((facts.flags & GT_TREATS_MASS) != 0, k->treats_algebraic);
        bench_top b;
        gt_measured_order order;
        build(&b, "kpr", "w=3, G=-2");
        b.problem.t1 = 2;
        assert_int_equal(gt_measure_order(m, "", &b.problem, &order, NULL), GT_OK);
        if (!(fabs(order.slow - k->order) < 0.2 && fabs(order.fast - k->order) < 0.2))
            fail_msg("%s: measured %g and %g", k->name, order.slow, order.fast);
        gt_arena_free(&b.arena);
    }
    gt_arena_free(&arena);
}

/* The local error of the estimate falls with error_order + 1. */
static void the_estimate_has_its_order(void **state)
{
    (void)state;
    known list[8];
    gt_arena arena = gt_arena_growing();
    for (size_t i = 0, count = fill(list); i < count; i++) {
        const gt_method *m = made_of(&list[i], &arena);
        if (!list[i].error_order) continue;
        bench_top b;
        build(&b, "lotka_volterra", "");
        double last = 0;
        for (int k = 0; k < 3; k++) {
            gt_stepper s;
            size_t bytes;
            double h = 0.02 / (1 << k);
            assert_int_equal(gt_stepper_measure(m, "", &b.problem, &bytes, NULL), GT_OK);
            void *memory = malloc(bytes);
            assert_int_equal(gt_stepper_init(&s, m, "", &b.problem, memory, bytes), GT_OK);
            gt_stepper_start(&s, 0, (double[]){1.2, 0.7});
            assert_int_equal(gt_stepper_try(&s, h, true), GT_OK);
            double now = hypot(s.err[0], s.err[1]), slope = log2(last / now);
            if (k > 1 && !(fabs(slope - (list[i].error_order + 1)) < 0.3))
                fail_msg("%s: the estimate falls with %g", list[i].name, slope);
            last = now;
            gt_stepper_free(&s);
            free(memory);
        }
        gt_arena_free(&b.arena);
    }
    gt_arena_free(&arena);
}

static void end_of(const gt_method *m, const char *model, double span, gt_plan plan, double *x)
{
    bench_top b;
    gt_report report;
    build(&b, model, "");
    b.problem.t1 = b.problem.t0 + span;
    plan.x_end = x;
    if (gt_solve(&b.problem, m, &plan, &report))
        fail_msg("%s on %s: %s", m->name, model, report.message.text);
    gt_arena_free(&b.arena);
}

/* Radau IIA from its numbers and as listed, on stiff, algebraic, banded, sparse problems and those
 * with a mass matrix.
 */
static void numbers_of_radau_give_radau(void **state)
{
    (void)state;
    known list[8];
    fill(list);
    gt_arena arena = gt_arena_growing();
    const gt_method *m = made_of(&list[2], &arena);
    static const struct {
        const char *model;
        double span, h;
    } cases[] = {{"vanderpol", 1, 0.05},  {"rc_diode", 1e-3, 1e-5}, {"transistor", 0.01, 1e-4},
                 {"brusselator", 1, 0.1}, {"arm_eb", 0.5, 0.02},    {"robertson", 10, 0.5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bench_top b;
        gt_report report;
        double *x[2];
        build(&b, cases[i].model, "");
        size_t n = gt_problem_size(&b.problem);
        b.problem.t1 = b.problem.t0 + cases[i].span;
        for (int k = 0; k < 2; k++) {
            x[k] = malloc(n * sizeof *x[k]);
            gt_plan plan = {.h = cases[i].h, .x_end = x[k], .options = k ? "order=5" : ""};
            if (gt_solve(&b.problem, k ? gt_method_find("radau") : m, &plan, &report))
                fail_msg("%s: %s", cases[i].model, report.message.text);
        }
        for (size_t k = 0; k < n; k++)
            if (!(fabs(x[0][k] - x[1][k]) <= 1e-9 * (1 + fabs(x[1][k]))))
                fail_msg("%s: x[%zu] = %.17g, not %.17g", cases[i].model, k, x[0][k], x[1][k]);
        free(x[0]);
        free(x[1]);
        gt_arena_free(&b.arena);
    }
    gt_arena_free(&arena);
}

/* At controlled steps, all that estimate their error keep it near what was asked for; Lobatto IIIC
 * and Radau also where it is stiff. */
static void controlled_runs_keep_their_tolerance(void **state)
{
    (void)state;
    known list[8];
    gt_arena arena = gt_arena_growing();
    for (size_t i = 0, count = fill(list); i < count; i++) {
        const gt_method *m = made_of(&list[i], &arena);
        if (!list[i].error_order) continue;
        double x[8], exact[8];
        gt_plan plan = {.rtol = 1e-7, .atol = 1e-9};
        end_of(gt_method_find("taylor"), "lotka_volterra", 5,
               (gt_plan){.rtol = 1e-13, .atol = 1e-15}, exact);
        end_of(m, "lotka_volterra", 5, plan, x);
        for (int k = 0; k < 2; k++)
            if (!(fabs(x[k] - exact[k]) < 1e-5 * (1 + fabs(exact[k]))))
                fail_msg("%s: x[%d] off by %g", list[i].name, k, x[k] - exact[k]);
        if (!list[i].l_stable) continue;
        end_of(gt_method_find("radau"), "robertson", 40, (gt_plan){.rtol = 1e-11, .atol = 1e-15},
               exact);
        end_of(m, "robertson", 40, (gt_plan){.rtol = 1e-6, .atol = 1e-11}, x);
        for (int k = 0; k < 3; k++)
            if (!(fabs(x[k] - exact[k]) < 1e-5 * fabs(exact[k])))
                fail_msg("%s on robertson: x[%d] off by %g", list[i].name, k, x[k] - exact[k]);
    }
    gt_arena_free(&arena);
}

/* x1^2 + x2^2 of the harmonic oscillator, a quadratic invariant, over a thousand large steps. */
static void symplectic_ones_keep_what_is_quadratic(void **state)
{
    (void)state;
    known list[8];
    gt_arena arena = gt_arena_growing();
    for (size_t i = 0, count = fill(list); i < count; i++) {
        double x[8];
        end_of(made_of(&list[i], &arena), "harmonic", 500, (gt_plan){.h = 0.5}, x);
        bench_top b;
        build(&b, "harmonic", "");
        double drift = hypot(x[0], x[1]) / hypot(b.problem.x0[0], b.problem.x0[1]) - 1;
        gt_arena_free(&b.arena);
        bool on_circle = list[i].symplectic || list[i].symmetric; /* of a linear problem both */
        if (on_circle ? fabs(drift) > 1e-10 : drift > -1e-6)
            fail_msg("%s: drift %g", list[i].name, drift);
    }
    gt_arena_free(&arena);
}

static void stability_follows_from_the_numbers(void **state)
{
    (void)state;
    known list[8];
    gt_arena arena = gt_arena_growing();
    for (size_t i = 0, count = fill(list); i < count; i++) {
        const known *k = &list[i];
        const gt_method *m = made_of(k, &arena);
        gt_amplifier a;
        gt_stability f;
        gt_complex x[2], z = -1.3 + 2.1 * I;
        assert_int_equal(gt_amplifier_open(&a, m, "", NULL), GT_OK);
        assert_int_equal(gt_stability_facts(&a, &f), GT_OK);
        if (f.a_stable != k->a_stable || f.l_stable != k->l_stable)
            fail_msg("%s: A-stable %d, L-stable %d", k->name, f.a_stable, f.l_stable);
        assert_int_equal(f.order, k->order);
        assert_int_equal(gt_amplifier_run(m, "", z, 2, x, NULL), GT_OK);
        if (!(cabs(x[1] - gt_amplifier_principal(&a, z)) < 1e-11))
            fail_msg("%s: R(z) is not what a step does", k->name);
        gt_amplifier_close(&a);
        gt_tableau_facts n;
        assert_int_equal(gt_tableau_facts_of(m->tableau, &n), GT_OK);
        if (n.algebraically_stable != k->algebraic || n.symplectic != k->symplectic ||
            n.symmetric != k->symmetric)
            fail_msg("%s: algebraic %d symplectic %d symmetric %d", k->name, n.algebraically_stable,
                     n.symplectic, n.symmetric);
        assert_false(n.exact);
        assert_true(n.ssp == 0); /* above order 4 there is none; and these have negative entries */
    }
    gt_arena_free(&arena);
}

/* SSP coefficients from Gottlieb, Ketcheson, Shu, Strong Stability Preserving Runge-Kutta and
 * Multistep Time Discretizations (2011), chapters 6 and 7. */
static void ssp_coefficients_are_exact(void **state)
{
    (void)state;
    gt_tableau ten = {.stages = 10};
    for (int i = 0; i < 10; i++) {
        ten.b[i] = (gt_ratio){1, 10};
        for (int j = 0; j < i; j++)
            ten.a[i][j] = i < 5 || j >= 5 ? (gt_ratio){1, 6} : (gt_ratio){1, 15};
    }
    const struct {
        gt_tableau T;
        double ssp;
        bool algebraic, symplectic, symmetric;
    } cases[] = {
        {{.stages = 1, .b = {R(1, 1)}}, 1, false, false, false}, /* Euler */
        {{.stages = 1, .a = {{R(1, 1)}}, .b = {R(1, 1)}},
         INFINITY,
         true,
         false,
         false},                                                                /* backward */
        {{.stages = 1, .a = {{R(1, 2)}}, .b = {R(1, 1)}}, 2, true, true, true}, /* midpoint */
        {{.stages = 2, .a = {{R(0, 1)}, {R(1, 2), R(1, 2)}}, .b = {R(1, 2), R(1, 2)}},
         2,
         false,
         false,
         true}, /* rule */
        {{.stages = 2, .a = {{R(0, 1)}, {R(1, 1)}}, .b = {R(1, 2), R(1, 2)}},
         1,
         false,
         false,
         false}, /* Heun */
        {{.stages = 3,
          .a = {{R(0, 1)}, {R(1, 1)}, {R(1, 4), R(1, 4)}},
          .b = {R(1, 6), R(1, 6), R(2, 3)}},
         1,
         false,
         false,
         false},
        {{.stages = 4,
          .a = {{R(0, 1)}, {R(1, 2)}, {R(1, 2), R(1, 2)}, {R(1, 6), R(1, 6), R(1, 6)}},
          .b = {R(1, 6), R(1, 6), R(1, 6), R(1, 2)}},
         2,
         false,
         false,
         false},
        {{.stages = 2, .a = {{R(1, 4)}, {R(1, 2), R(1, 4)}}, .b = {R(1, 2), R(1, 2)}},
         4,
         true,
         true,
         true},
        {ten, 6, false, false, false},
        {*gt_method_find("rk4")->tableau, 0, false, false, false},
        {{.stages = 2, .a = {{R(0, 1)}, {R(1, 2)}}, .b = {R(0, 1), R(1, 1)}},
         0,
         false,
         false,
         false}, /* explicit midpoint */
        {{.stages = 2, .a = {{R(0, 1)}, {R(2, 3)}}, .b = {R(1, 4), R(3, 4)}},
         0.5,
         false,
         false,
         false} /* Ralston */,
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gt_tableau_facts n;
        assert_int_equal(gt_tableau_facts_of(&cases[i].T, &n), GT_OK);
        if (!(n.ssp == cases[i].ssp) || !n.ssp_exact || !n.exact)
            fail_msg("case %zu: %.17g, exact %d %d, not %g", i, n.ssp, n.ssp_exact, n.exact,
                     cases[i].ssp);
        if (n.algebraically_stable != cases[i].algebraic || n.symplectic != cases[i].symplectic ||
            n.symmetric != cases[i].symmetric)
            fail_msg("case %zu: %d %d %d", i, n.algebraically_stable, n.symplectic, n.symmetric);
    }
    /* Three stages, order 2, singly diagonally implicit with equal steps: 6; one that is no
     * fraction: SSP(3,3) implicit, 2 + 2 sqrt 2 for two stages of order 3. */
    double g = (3 - r3) / 6;
    gt_tableau two = {.stages = 2,
                      .a = {{gt_ratio_near(g)}, {gt_ratio_near(1 / r3), gt_ratio_near(g)}},
                      .b = {R(1, 2), R(1, 2)}};
    gt_tableau_facts n;
    assert_int_equal(gt_tableau_facts_of(&two, &n), GT_OK);
    assert_true(!n.ssp_exact && fabs(n.ssp - (1 + r3)) < 1e-8);
}

/* A trial that is not accepted in between changes no bit of the next. */
static void trials_leave_no_trace(void **state)
{
    (void)state;
    known list[8];
    gt_arena arena = gt_arena_growing();
    for (size_t i = 0, count = fill(list); i < count; i++) {
        const gt_method *m = made_of(&list[i], &arena);
        bench_top b;
        double end[2][2];
        build(&b, "vanderpol", "");
        for (int k = 0; k < 2; k++) {
            gt_stepper s;
            size_t bytes;
            assert_int_equal(gt_stepper_measure(m, "", &b.problem, &bytes, NULL), GT_OK);
            void *memory = malloc(bytes);
            assert_int_equal(gt_stepper_init(&s, m, "", &b.problem, memory, bytes), GT_OK);
            s.rtol = s.atol = 1e-6;
            gt_stepper_start(&s, 0, b.problem.x0);
            for (int j = 0; j < 20; j++) {
                if (k) (void)!gt_stepper_try(&s, 0.13, true);
                assert_int_equal(gt_stepper_try(&s, 0.01, true), GT_OK);
                gt_stepper_accept(&s);
            }
            memcpy(end[k], s.x, sizeof end[k]);
            gt_stepper_free(&s);
            free(memory);
        }
        assert_memory_equal(end[0], end[1], sizeof end[0]);
        gt_arena_free(&b.arena);
    }
    gt_arena_free(&arena);
}

/* Between the nodes, a collocation method is its polynomial, of order s + 1 or so. */
static void dense_output_is_the_polynomial(void **state)
{
    (void)state;
    known list[8];
    fill(list);
    gt_arena arena = gt_arena_growing();
    const gt_method *m = made_of(&list[1], &arena);
    bench_top b;
    build(&b, "harmonic", "");
    double last = 0;
    for (int k = 0; k < 2; k++) {
        gt_stepper s;
        size_t bytes;
        double h = 0.2 / (1 << k), x[2], ahead[2];
        assert_int_equal(gt_stepper_measure(m, "", &b.problem, &bytes, NULL), GT_OK);
        void *memory = malloc(2 * bytes);
        assert_int_equal(gt_stepper_init(&s, m, "", &b.problem, memory, bytes), GT_OK);
        gt_stepper_start(&s, 0, b.problem.x0);
        assert_int_equal(gt_stepper_try(&s, h, false), GT_OK);
        assert_int_equal(gt_stepper_interpolate(&s, 0.3, x), GT_OK);
        end_of(gt_method_find("dop853"), "harmonic", 0.3 * h,
               (gt_plan){.rtol = 1e-14, .atol = 1e-16}, ahead);
        double now = hypot(x[0] - ahead[0], x[1] - ahead[1]);
        if (k) assert_true(fabs(log2(last / now) - 4) < 0.4);
        last = now;
        gt_stepper_free(&s);
        free(memory);
    }
    gt_arena_free(&b.arena);
    gt_arena_free(&arena);
}

static void what_is_refused(void **state)
{
    (void)state;
    known list[8];
    fill(list);
    gt_arena arena = gt_arena_growing();
    const gt_method *m = NULL;
    gt_message message = {""};
    gt_tableau many = {.stages = 9};
    for (int i = 0; i < 9; i++) {
        many.b[i] = (gt_ratio){1, 9};
        many.a[i][i] = (gt_ratio){1, i + 2};
        if (i) many.a[i - 1][i] = (gt_ratio){1, 5};
    }
    assert_int_equal(
        gt_method_from_tableau(&(gt_method_label){.name = "many"}, &many, &arena, &m, &message),
        GT_UNSUPPORTED);
    assert_non_null(strstr(message.text, "8 different eigenvalues"));
    bench_top b;
    gt_report report;
    build(&b, "rc_diode", "");
    m = made_of(&list[0], &arena);
    assert_int_equal(gt_solve(&b.problem, m, &(gt_plan){.h = 1e-6}, &report), GT_UNSUPPORTED);
    gt_arena_free(&b.arena);
    build(&b, "harmonic", "");
    m = made_of(&list[4], &arena); /* no estimate */
    assert_int_equal(gt_solve(&b.problem, m, &(gt_plan){.rtol = 1e-6}, &report), GT_BAD_ARGUMENT);
    gt_arena_free(&b.arena);
    gt_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_is_found_and_measured),
        cmocka_unit_test(the_estimate_has_its_order),
        cmocka_unit_test(numbers_of_radau_give_radau),
        cmocka_unit_test(controlled_runs_keep_their_tolerance),
        cmocka_unit_test(symplectic_ones_keep_what_is_quadratic),
        cmocka_unit_test(stability_follows_from_the_numbers),
        cmocka_unit_test(ssp_coefficients_are_exact),
        cmocka_unit_test(trials_leave_no_trace),
        cmocka_unit_test(dense_output_is_the_polynomial),
        cmocka_unit_test(what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
