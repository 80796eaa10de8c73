/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stability, damping and accuracy: known values, closed forms against runs of every listed method,
 * and methods made up here that have no closed form, a full tableau or a formula that is not
 * stable.
 */
#include "exact/polynomial.h"
#include "methods_kit.h"
#include <geartrain/analysis/stability.h>

static gt_amplifier open_amplifier(const gt_method *method, const char *options)
{
    gt_amplifier a;
    gt_message message = {""};
    if (gt_amplifier_open(&a, method, options, &message))
        fail_msg("%s %s: %s", method->name, options, message.text);
    return a;
}

static gt_stability facts_of(const char *name, const char *options)
{
    gt_amplifier a = open_amplifier(gt_method_find(name), options);
    gt_stability facts;
    assert_int_equal(gt_stability_facts(&a, &facts), GT_OK);
    gt_amplifier_close(&a);
    return facts;
}

static void assert_near(double value, double wanted, double tol)
{
    if (!(fabs(value - wanted) <= tol)) fail_msg("%.17g instead of %.17g", value, wanted);
}

static void roots_of_a_polynomial(void **state)
{
    (void)state;
    const double complex wanted[] = {1, -3, 2 + I, 2 - I, 0.001, 50};
    enum { N = 6 };
    double complex p[N + 1] = {1}, roots[N];
    for (int k = 0; k < N; k++)
        for (int i = k + 1; i >= 0; i--)
            p[i] = (i ? p[i - 1] : 0) - wanted[k] * (i <= k ? p[i] : 0);
    gt_poly_roots(p, N, roots, false);
    for (int k = 0; k < N; k++) {
        double nearest = INFINITY;
        for (int i = 0; i < N; i++) nearest = fmin(nearest, cabs(roots[i] - wanted[k]));
        assert_near(nearest, 0, 1e-11 * cabs(wanted[k]));
    }
    const double touching[] = {-4, 12, -13, 6, -1}; /* -(s - 1)^2 (s - 2)^2: no change of sign */
    const double cubic[] = {-6, 11, -6, 1};         /* (s - 1)(s - 2)(s - 3) */
    double s[4];
    assert_int_equal(gt_poly_sign_changes(touching, 4, s), 0);
    assert_int_equal(gt_poly_sign_changes(cubic, 3, s), 3);
    for (int k = 0; k < 3; k++) assert_near(s[k], k + 1, 1e-13);
}

static void limits_of_one_step_methods(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double real, imag;
    } known[] = {
        {"euler", 2, 0},
        {"rk2", 2, 0},
        {"heun", 2, 0},
        {"rk4", 2.7852935634052816235, 2.8284271247461900976},
        {"beuler", INFINITY, INFINITY},
        {"trapezoidal", INFINITY, INFINITY},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        gt_stability f = facts_of(known[i].name, "");
        if (isinf(known[i].real)) assert_true(isinf(f.real_limit) && isinf(f.imag_limit));
        if (isinf(known[i].real)) continue;
        assert_near(f.real_limit, known[i].real, 1e-13);
        assert_near(f.imag_limit, known[i].imag, 1e-13);
        assert_true(!f.a_stable && !f.stiffly_stable && isnan(f.delta) && f.sector_deg == 0 &&
                    isinf(f.r_infinity));
    }
    gt_stability euler = facts_of("beuler", ""), rule = facts_of("trapezoidal", "");
    assert_true(euler.a_stable && euler.l_stable && !euler.f_stable && euler.r_infinity == 0 &&
                euler.delta == 0);
    assert_true(rule.a_stable && !rule.l_stable && rule.f_stable && rule.r_infinity == 1 &&
                rule.sector_deg == 90);
}

/* crow.json, s1_coeffs: values at which w = -1, the smallest real part and the sector of the
 * boundary locus. */
static void limits_of_multistep_formulas(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double real;
    } real[] = {
        {"ab1", 2},        {"ab2", 1}, {"ab3", 6.0 / 11}, {"ab4", 3.0 / 10},  {"ab5", 90.0 / 551},
        {"ab6", 5.0 / 57}, {"am3", 6}, {"am4", 3},        {"am5", 90.0 / 49}, {"am6", 45.0 / 38},
    };
    static const struct {
        double delta, sector, imag_end;
    } gear[] = {
        {-1.0 / 12, 86.032366860211647332, 1.93649167310371},
        {-2.0 / 3, 73.35167047457848211, 4.71404520791032},
        {-2.3271187382811404669, 51.839755836049910392, 9.39201949703075},
        {-6.075, 17.839777792245700102, 17.5705468907378},
    };
    for (size_t i = 0; i < sizeof real / sizeof *real; i++) {
        gt_stability f = facts_of(real[i].name, "");
        assert_near(f.real_limit, real[i].real, 1e-12);
        assert_true(f.zero_stable && !f.stiffly_stable && !f.a_stable);
    }
    for (int k = 3; k <= 6; k++) {
        char name[8];
        snprintf(name, sizeof name, "gear%d", k);
        gt_stability f = facts_of(name, "");
        assert_true(isinf(f.real_limit) && f.stiffly_stable && !f.a_stable && f.r_infinity == 0 &&
                    f.zero_stable);
        assert_near(f.delta, gear[k - 3].delta, 1e-11);
        assert_near(f.sector_deg, gear[k - 3].sector, 1e-10);
        assert_int_equal(f.n_gaps, 1);
        assert_near(f.gaps[0][1], gear[k - 3].imag_end, 1e-12 * gear[k - 3].imag_end);
    }
    assert_near(facts_of("ab3", "").imag_limit, 0.72364, 5e-5);
    assert_near(facts_of("ab4", "").imag_limit, 0.42999, 5e-5);
    gt_stability two = facts_of("gear2", ""), rule = facts_of("am2", "");
    assert_true(two.a_stable && two.l_stable && two.delta == 0 && two.n_gaps == 0);
    assert_true(rule.a_stable && rule.f_stable && !rule.l_stable);
}

/* i theta + theta^6/6 + ... is the locus of order 5 near 0: it leaves the origin into the right
 * half plane. */
static void imaginary_axis_near_zero(void **state)
{
    (void)state;
    static const double stable_to[] = {0, 0, 0.7108076710, 0.8431381621};
    for (int k = 3; k <= 6; k++) {
        char name[8];
        snprintf(name, sizeof name, "gear%d", k);
        gt_stability f = facts_of(name, "");
        assert_near(f.imag_limit, stable_to[k - 3], 1e-9);
        gt_amplifier a = open_amplifier(gt_method_find(name), "");
        for (double y = 0.4; y < f.gaps[0][1]; y += 0.01)
            assert_int_equal(gt_amplifier_largest(&a, I * y) > 1, y > f.imag_limit);
        gt_amplifier_close(&a);
    }
    gt_stability f = facts_of("dopri5", "");
    gt_amplifier a = open_amplifier(gt_method_find("dopri5"), "");
    assert_near(gt_amplifier_largest(&a, I * f.imag_limit), 1, 1e-14);
    assert_true(gt_amplifier_largest(&a, 0.5 * I) < 1 && gt_amplifier_largest(&a, 1.1 * I) > 1);
    gt_amplifier_close(&a);
}

/* The orders of `gear` are the formulas gear1, gear2, ...; ndf has the sectors that its authors
 * give. */
static void gear_per_order(void **state)
{
    (void)state;
    static const double ndf[] = {90, 90, 80, 66, 51};
    for (int k = 1; k <= 5; k++) {
        char name[8], option[32];
        snprintf(name, sizeof name, "gear%d", k);
        snprintf(option, sizeof option, "order=%d", k);
        gt_amplifier a = open_amplifier(gt_method_find("gear"), option),
                     b = open_amplifier(gt_method_find(name), "");
        assert_int_equal(a.steps, b.steps);
        for (int i = 0; i <= a.steps; i++) {
            assert_near(a.rho[i], b.rho[i], 0);
            assert_near(a.sigma[i], b.sigma[i], 0);
        }
        snprintf(option, sizeof option, "order=%d, formula=ndf", k);
        assert_near(facts_of("gear", option).sector_deg, ndf[k - 1], 0.9);
    }
}

static void gear_error_constants(void **state)
{
    (void)state;
    const gt_method *gear = gt_method_find("gear");
    for (int k = 1; k <= 5; k++) {
        gt_values v = gt_params_default(gear->options);
        gt_multistep formula;
        gt_message message = {""};
        char name[8], order[2] = {(char)('0' + k), 0};
        snprintf(name, sizeof name, "gear%d", k);
        assert_int_equal(
            gt_params_set(gear->options, "option", "gear", "order", order, &v, &message), GT_OK);
        assert_int_equal(gear->formula_of(gear, v.v, &formula, &message), GT_OK);
        gt_ratio wanted = gt_method_find(name)->formula->error;
        assert_true(formula.error.num * wanted.den == wanted.num * formula.error.den);
    }
}

static const double complex points[] = {-0.1,           -1,         -2.5,         0.5 * I, 2 * I,
                                        -0.3 + 0.4 * I, -4 + 3 * I, 0.2 + 0.1 * I};
enum { N_POINTS = sizeof points / sizeof *points, LONG = 16 };

/* A run of a formula: its recurrence holds from the point on where the start has been left behind.
 */
static void check_recurrence(const gt_amplifier *a, double complex z, const double complex *x)
{
    for (int n = LONG - 1; n >= LONG - 3; n--) {
        double complex sum = 0;
        double scale = 0;
        for (int i = 0; i <= a->steps; i++) {
            double complex term = (a->rho[i] - z * a->sigma[i]) * x[n - a->steps + i];
            sum += term;
            scale += cabs(term);
        }
        if (cabs(sum) > 1e-10 * scale)
            fail_msg("%s %s: residual %g at z = %g%+gi", a->method->name, a->option_text,
                     cabs(sum) / scale, creal(z), cimag(z));
    }
}

static void compare_with_run(const gt_method *method, const char *options)
{
    gt_amplifier a = open_amplifier(method, options);
    for (int k = 0; k < N_POINTS; k++) {
        double complex x[LONG], R = gt_amplifier_principal(&a, points[k]);
        gt_message message = {""};
        if (gt_amplifier_run(method, options, points[k], LONG, x, &message))
            fail_msg("%s", message.text);
        if (a.kind == GT_BY_FORMULA)
            check_recurrence(&a, points[k], x);
        else if (cabs(x[1] - R) > 1e-10 * (1 + cabs(R)))
            fail_msg("%s %s: R = %g%+gi, a step gives %g%+gi", method->name, options, creal(R),
                     cimag(R), creal(x[1]), cimag(x[1]));
    }
    gt_amplifier_close(&a);
}

static void closed_forms_are_what_runs_give(void **state)
{
    (void)state;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        unsigned flags = gt_method_facts(*m, gt_params_default((*m)->options).v).flags;
        if ((flags & GT_NEEDS_PARTITION) || ((flags & GT_VARIABLE_FORMULA) && !(*m)->formula_of))
            continue;
        if (!(flags & GT_VARIABLE_FORMULA)) compare_with_run(*m, "");
    }
    static const char *const gear[] = {"order=1", "order=2", "order=3",
                                       "order=4", "order=5", "order=3, formula=ndf"};
    for (size_t i = 0; i < sizeof gear / sizeof *gear; i++)
        compare_with_run(gt_method_find("gear"), gear[i]);
    compare_with_run(gt_method_find("taylor"), "order=3");
}

/* With mu_1,2 the eigenvalues of [1 beta; alpha beta alpha], a one-step method has the eigenvalues
 * R(xi mu). */
static void two_rates(void **state)
{
    (void)state;
    const double alpha = 10, beta = 0.5;
    const double complex root = csqrt((1 - alpha) * (1 - alpha) / 4 + alpha * beta * beta),
                         xi[] = {-0.2, -0.1 + 0.3 * I};
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        gt_test2 test;
        gt_message message = {""};
        if ((*m)->formula || (*m)->formula_of || !((*m)->tableau || (*m)->rational)) continue;
        gt_amplifier a = open_amplifier(*m, "");
        assert_int_equal(gt_test2_open(&test, *m, "", alpha, beta, &message), GT_OK);
        for (size_t k = 0; k < sizeof xi / sizeof *xi; k++) {
            double wanted = fmax(gt_amplifier_largest(&a, xi[k] * ((1 + alpha) / 2 + root)),
                                 gt_amplifier_largest(&a, xi[k] * ((1 + alpha) / 2 - root)));
            assert_near(gt_test2_radius(&test, xi[k]), wanted, 1e-9 * (1 + wanted));
        }
        double complex M[2][2];
        assert_int_equal(gt_test2_matrix(&test, xi[0], M), GT_OK);
        assert_true(cimag(M[0][1]) == 0 && fabs(creal(M[1][0]) - alpha * creal(M[0][1])) < 1e-9);
        gt_test2_close(&test);
        gt_amplifier_close(&a);
    }
}

/* ---- methods that are not in the list ---- */

static void taylor_polynomial(int degree, double at, double *p)
{
    p[0] = 1;
    for (int k = 1; k <= degree; k++) p[k] = p[k - 1] * at / k;
}

static void bi45_at(double alpha, gt_rational *R)
{
    R->num_degree = 4;
    R->den_degree = 5;
    taylor_polynomial(4, alpha, R->num);
    taylor_polynomial(5, -(1 - alpha), R->den);
}

static gt_facts some_facts(const gt_method *self, const double *v)
{
    (void)self, (void)v;
    return (gt_facts){.order = 4};
}
static void bi45_40(const gt_method *self, const double *v, gt_rational *R)
{
    (void)self, (void)v, bi45_at(0.4, R);
}
static void bi45_44(const gt_method *self, const double *v, gt_rational *R)
{
    (void)self, (void)v, bi45_at(0.44, R);
}
static void bi45_47(const gt_method *self, const double *v, gt_rational *R)
{
    (void)self, (void)v, bi45_at(0.47, R);
}

/* xie.json: R = T4(alpha z) / T5(-(1 - alpha) z). */
static void backinterpolation_values(void **state)
{
    (void)state;
    gt_method method = {.name = "bi45", .facts = some_facts, .rational = bi45_40};
    gt_amplifier a = open_amplifier(&method, "");
    gt_stability facts;
    gt_line line;
    assert_int_equal(gt_stability_facts(&a, &facts), GT_OK);
    assert_near(facts.sector_deg, 82.03145, 1e-4);
    assert_true(!facts.a_stable && facts.r_infinity == 0);
    gt_stability_line(&a, 0, 1, &line);
    assert_near(line.at[line.cuts - 1], 10.0572722776, 1e-9);
    gt_damping d = gt_damping_at(&a, 45, 2);
    assert_near(d.damping, 1.41684629411, 1e-11);
    assert_near(d.frequency, 1.41989872948, 1e-11);
    method.rational = bi45_47;
    a = open_amplifier(&method, "");
    assert_int_equal(gt_stability_facts(&a, &facts), GT_OK);
    assert_int_equal(facts.n_gaps, 1);
    assert_near(facts.gaps[0][0], 5.533, 1e-3);
    assert_near(facts.gaps[0][1], 7.538, 1e-3);
    method.rational = bi45_44; /* stable on the imaginary axis, and yet not A-stable: there are
                                  poles to its left */
    a = open_amplifier(&method, "");
    assert_int_equal(gt_stability_facts(&a, &facts), GT_OK);
    assert_true(isinf(facts.imag_limit) && !facts.a_stable);
    assert_near(facts.sector_deg, 84.74998, 1e-4);
}

static void full_tableau(void **state)
{
    (void)state;
    static const gt_tableau radau = {.stages = 2,
                                     .c = {{1, 3}, {1, 1}},
                                     .a = {{{5, 12}, {-1, 12}}, {{3, 4}, {1, 4}}},
                                     .b = {{3, 4}, {1, 4}}};
    const gt_method method = {.name = "radau", .facts = some_facts, .tableau = &radau};
    const double num[] = {1, 1.0 / 3}, den[] = {1, -2.0 / 3, 1.0 / 6};
    gt_amplifier a = open_amplifier(&method, "");
    gt_stability facts;
    assert_int_equal(a.ratio.num_degree, 1);
    assert_int_equal(a.ratio.den_degree, 2);
    for (int k = 0; k < 2; k++) assert_near(a.ratio.num[k], num[k], 1e-15);
    for (int k = 0; k < 3; k++) assert_near(a.ratio.den[k], den[k], 1e-15);
    assert_int_equal(gt_stability_facts(&a, &facts), GT_OK);
    assert_true(facts.a_stable && facts.l_stable && !facts.f_stable && facts.n_gaps == 0);
}

/* Without closed form the ratio is found from runs of `step`. */
static void ratios_found_by_running(void **state)
{
    (void)state;
    static const struct {
        const char *name, *options;
    } cases[] = {{"beuler", ""}, {"trapezoidal", ""}, {"taylor", "order=5"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gt_method bare = *gt_method_find(cases[i].name);
        bare.rational = NULL, bare.formula = NULL;
        gt_amplifier a = open_amplifier(&bare, cases[i].options);
        gt_stability found, known = facts_of(cases[i].name, cases[i].options);
        assert_true(a.from_runs && a.kind == GT_BY_RATIO);
        assert_int_equal(gt_stability_facts(&a, &found), GT_OK);
        if (isfinite(known.real_limit)) assert_near(found.real_limit, known.real_limit, 1e-8);
        assert_true(found.a_stable == known.a_stable && found.l_stable == known.l_stable);
        gt_amplifier_close(&a);
    }
}

static double complex exponential(const gt_method *self, const double *v, double complex z)
{
    (void)self, (void)v;
    return cexp(z);
}

static void function_that_is_no_ratio(void **state)
{
    (void)state;
    const gt_method method = {.name = "exact", .facts = some_facts, .amplification = exponential};
    gt_amplifier a = open_amplifier(&method, "");
    gt_stability facts;
    assert_int_equal(a.kind, GT_BY_FUNCTION);
    assert_int_equal(gt_stability_facts(&a, &facts), GT_OK);
    assert_true(facts.a_stable && facts.l_stable && isinf(facts.imag_limit));
    gt_damping d = gt_damping_at(&a, 60, 3);
    assert_near(d.damping, d.exact_damping, 1e-14);
    assert_near(d.frequency, d.exact_frequency, 1e-14);
}

/* crow, Problem 9: consistent of order 6, with a root at -27.96. */
static void formula_that_is_not_zero_stable(void **state)
{
    (void)state;
    static const gt_multistep formula = {.order = 6,
                                         .steps = 4,
                                         .a = {{-28, 1}, {0, 1}, {28, 1}, {1, 1}},
                                         .b = {{0, 1}, {12, 1}, {36, 1}, {12, 1}}};
    const gt_method method = {.name = "problem9", .facts = some_facts, .formula = &formula};
    gt_amplifier a = open_amplifier(&method, "");
    gt_stability facts;
    assert_near(gt_amplifier_largest(&a, 0), 27.964240043768941170, 1e-12);
    assert_int_equal(gt_stability_facts(&a, &facts), GT_OK);
    assert_true(!facts.zero_stable && !facts.stiffly_stable && facts.real_limit == 0 &&
                facts.imag_limit == 0);
}

/* AB2 on the negative real axis: the roots are opposite where their sum 1 + 3 z / 2 vanishes. */
static void relative_stability(void **state)
{
    (void)state;
    enum { RAYS = 8 };
    double at[2 * (RAYS + 1)];
    gt_amplifier a = open_amplifier(gt_method_find("ab2"), "");
    size_t count = gt_relative_boundary(&a, RAYS, 10, at);
    bool seen = false;
    for (size_t k = 0; k < count; k++)
        if (fabs(at[2 * k + 1]) < 1e-12 && at[2 * k] < 0) {
            assert_near(at[2 * k], -2.0 / 3, 1e-12);
            seen = true;
        }
    assert_true(seen);
}

static void boundary_is_where_the_modulus_is_one(void **state)
{
    (void)state;
    enum { ANGLES = 48, ROOM = 16 * (ANGLES + 2) };
    double at[2 * ROOM];
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        gt_amplifier a;
        gt_message message = {""};
        if (gt_amplifier_open(&a, *m, "", &message)) continue;
        size_t count = gt_stability_boundary(&a, ANGLES, at, ROOM), seen = 0;
        for (size_t k = 0; k < count; k++) {
            if (isnan(at[2 * k])) continue;
            assert_near(gt_amplifier_largest(&a, at[2 * k] + I * at[2 * k + 1]), 1, 1e-8);
            seen++;
        }
        if (seen < 8) fail_msg("%s: %zu points", (*m)->name, seen);
        gt_amplifier_close(&a);
    }
}

static double error_of_rk4(double h)
{
    double complex z = I * h, R = 1 + z * (1 + z / 2 * (1 + z / 3 * (1 + z / 4))), x = 1;
    double worst = 0;
    for (int k = 1; k <= lround(10 / h); k++) {
        x *= R;
        worst = fmax(worst, cabs(x - cexp(k * z)));
    }
    return worst;
}

static void accuracy_of_rk4(void **state)
{
    (void)state;
    const double x0[] = {1, 0};
    double h;
    gt_message message = {""};
    assert_int_equal(gt_accuracy_limit(gt_method_find("rk4"), "", 90, x0, 1e-4, 10, &h, &message),
                     GT_OK);
    assert_true(error_of_rk4(h) <= 1e-4 * (1 + 1e-9) && error_of_rk4(1.001 * h) > 1e-4);
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        unsigned flags = gt_method_facts(*m, gt_params_default((*m)->options).v).flags;
        if (gt_method_facts(*m, gt_params_default((*m)->options).v).order < 2 ||
            (flags & GT_VARIABLE_FORMULA))
            continue;
        assert_int_equal(gt_accuracy_limit(*m, "", 135, x0, 1e-3, 5, &h, &message), GT_OK);
        if (!(h > 1e-3)) fail_msg("%s: h = %g", (*m)->name, h);
    }
}

static gt_facts changing_facts(const gt_method *self, const double *v)
{
    (void)self, (void)v;
    return (gt_facts){.order = 1, .flags = GT_VARIABLE_FORMULA};
}
static gt_facts partitioned_facts(const gt_method *self, const double *v)
{
    (void)self, (void)v;
    return (gt_facts){.order = 1, .flags = GT_NEEDS_PARTITION};
}

static void refusals(void **state)
{
    (void)state;
    const gt_method changing = {.name = "changing", .facts = changing_facts};
    const gt_method partitioned = {.name = "partitioned", .facts = partitioned_facts};
    gt_amplifier a;
    gt_test2 test;
    gt_message message = {""};
    assert_int_equal(gt_amplifier_open(&a, gt_method_find("gear"), "", &message), GT_UNSUPPORTED);
    assert_non_null(strstr(message.text, "order=3"));
    assert_int_equal(gt_amplifier_open(&a, &changing, "", &message), GT_UNSUPPORTED);
    assert_non_null(strstr(message.text, "changes its formula"));
    assert_int_equal(gt_amplifier_open(&a, &partitioned, "", &message), GT_UNSUPPORTED);
    assert_non_null(strstr(message.text, "--test2"));
    assert_int_equal(gt_test2_open(&test, gt_method_find("ab3"), "", 10, 0.1, &message),
                     GT_UNSUPPORTED);
    assert_non_null(strstr(message.text, "past points"));
    assert_int_not_equal(gt_amplifier_open(&a, gt_method_find("taylor"), "ordr=3", &message),
                         GT_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roots_of_a_polynomial),
        cmocka_unit_test(limits_of_one_step_methods),
        cmocka_unit_test(limits_of_multistep_formulas),
        cmocka_unit_test(imaginary_axis_near_zero),
        cmocka_unit_test(gear_per_order),
        cmocka_unit_test(gear_error_constants),
        cmocka_unit_test(closed_forms_are_what_runs_give),
        cmocka_unit_test(two_rates),
        cmocka_unit_test(backinterpolation_values),
        cmocka_unit_test(full_tableau),
        cmocka_unit_test(ratios_found_by_running),
        cmocka_unit_test(function_that_is_no_ratio),
        cmocka_unit_test(formula_that_is_not_zero_stable),
        cmocka_unit_test(relative_stability),
        cmocka_unit_test(boundary_is_where_the_modulus_is_one),
        cmocka_unit_test(accuracy_of_rk4),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
