/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the amplification of a method comes from, and its values. x' = z x with complex z is run as
 * the real 2 x 2 system with the matrix [re -im; im re].
 *
 * A one-step method without closed form is run at points of a circle, and the ratio of polynomials
 * of least degree is sought that passes through all of them (a linear least-squares problem in the
 * coefficients, den(0) = 1). It counts when it also predicts runs far outside the circle; otherwise
 * R can only be evaluated.
 */
#include "analysis/amplification.h"
#include "analysis/linear_run.h"
#include "analysis/rational_fit.h"
#include "exact/polynomial.h"
#include <geartrain/analysis/stability.h>
#include <math.h>
#include <stdlib.h>

static void set_scalar(gt_linear_run *run, double complex z)
{
    run->A[0][0] = run->A[1][1] = creal(z);
    run->A[0][1] = cimag(z);
    run->A[1][0] = -cimag(z);
    run->x0[0] = 1;
    run->x0[1] = 0;
}

gt_status gt_amplifier_run(const gt_method *method, const char *options, double complex z,
                           int count, double complex *x, gt_message *message)
{
    GT_ARMOR(message, method && x);
    gt_linear_run run;
    gt_stepper s;
    gt_status status = gt_linear_open(&run, method, options, 2, 0, message);
    if (status) return status;
    set_scalar(&run, z);
    status = gt_linear_start(&run, &s);
    if (!status) {
        for (int k = 0; k < count && !status; k++) {
            x[k] = s.x[0] + I * s.x[1];
            if (k + 1 < count) status = gt_stepper_step(&s, 1);
        }
        gt_stepper_free(&s);
    }
    if (status)
        gt_fail(message, status, "%s cannot take a step of h lambda = %g%+gi: %s", method->name,
                creal(z), cimag(z), s.message.text[0] ? s.message.text : gt_status_text(status));
    gt_linear_close(&run);
    return status;
}

static double complex run_once(gt_linear_run *run, double complex z)
{
    double x[GT_LINEAR_MAX];
    set_scalar(run, z);
    return gt_linear_steps(run, 1, x) ? (double complex)INFINITY : x[0] + I * x[1];
}

/* R(z) of a method that is neither a ratio nor a formula. */
static double complex function_value(const gt_amplifier *a, double complex z)
{
    if (a->run) return run_once(a->run, z);
    return a->method->amplification(a->method, a->options.v, z);
}

static double complex sampled(double complex z, const void *ctx) { return function_value(ctx, z); }

static void take_formula(gt_amplifier *a, const gt_multistep *f)
{
    a->kind = GT_BY_FORMULA;
    a->steps = f->steps;
    for (int i = 0; i < f->steps; i++) {
        a->rho[f->steps - 1 - i] = -gt_ratio_value(f->a[i]);
        a->sigma[f->steps - 1 - i] = gt_ratio_value(f->b[1 + i]);
    }
    a->rho[f->steps] = 1;
    a->sigma[f->steps] = gt_ratio_value(f->b[0]);
}

/* Runs tell R only when the method keeps no memory: each step must multiply by the same number. */
static gt_status check_memoryless(const gt_amplifier *a, gt_message *message)
{
    enum { POINTS = 6 };
    double complex x[POINTS];
    gt_status status =
        gt_amplifier_run(a->method, a->option_text, -0.3 + 0.4 * I, POINTS, x, message);
    for (int k = 1; k + 1 < POINTS && !status; k++) {
        if (cabs(x[k + 1] / x[k] - x[1]) > 1e-8 * cabs(x[1]))
            return gt_fail(message, GT_UNSUPPORTED,
                           "method %s depends on its past steps and has no formula with constant "
                           "coefficients, so "
                           "there is no amplification factor",
                           a->method->name);
    }
    return status;
}

/* Polynomials of high degree with tiny coefficients look like lower ones near 0. A closed form
 * tells. */
static bool holds_far_out(const gt_amplifier *a)
{
    for (double u = 1e3; u < 1e12 && !a->from_runs; u *= 10) {
        double complex wanted = function_value(a, -u), found = gt_rational_value(&a->ratio, -u);
        if (!(cabs(found - wanted) <= 1e-5 * (1e-3 + cabs(wanted)))) return false;
    }
    return true;
}

static gt_status open_function(gt_amplifier *a, gt_message *message)
{
    gt_status status = GT_OK;
    a->kind = GT_BY_FUNCTION;
    if (!a->method->amplification) {
        a->from_runs = true;
        status = check_memoryless(a, message);
        if (status) return status;
        a->run = malloc(sizeof *a->run);
        if (!a->run) return gt_fail(message, GT_NO_MEMORY, "out of memory");
        status = gt_linear_open(a->run, a->method, a->option_text, 2, 0, message);
        if (status) return status;
    }
    if (gt_rational_fit(sampled, a, &a->ratio) && holds_far_out(a)) a->kind = GT_BY_RATIO;
    return GT_OK;
}

gt_status gt_amplifier_open(gt_amplifier *a, const gt_method *method, const char *options,
                            gt_message *message)
{
    GT_ARMOR(message, a && method);
    *a = (gt_amplifier){
        .method = method, .option_text = options, .options = gt_params_default(method->options)};
    gt_multistep formula;
    gt_status status =
        gt_params_parse(method->options, "option", method->name, options, &a->options, message);
    if (status) return status;
    unsigned flags = gt_method_facts(method, a->options.v).flags;
    if (method->formula && !method->rational) {
        take_formula(a, method->formula);
    } else if (method->formula_of) {
        status = method->formula_of(method, a->options.v, &formula, message);
        if (!status) take_formula(a, &formula);
    } else if (flags & GT_VARIABLE_FORMULA) {
        return gt_fail(
            message, GT_UNSUPPORTED,
            "method %s changes its formula as it goes, so it has no single stability region",
            method->name);
    } else if (flags & GT_NEEDS_PARTITION) {
        return gt_fail(message, GT_UNSUPPORTED,
                       "method %s treats a fast and a slow block; ask about the test equation that "
                       "has both, for "
                       "example --test2 alpha=100,beta=0.1",
                       method->name);
    } else if (gt_rational_of(method, a->options.v, &a->ratio)) {
        a->kind = GT_BY_RATIO;
    } else {
        status = open_function(a, message);
    }
    if (status) gt_amplifier_close(a);
    return status;
}

void gt_amplifier_close(gt_amplifier *a)
{
    if (!a) return;
    if (a->run) gt_linear_close(a->run);
    free(a->run);
    a->run = NULL;
}

static int formula_roots(const gt_amplifier *a, double complex z, double complex *w, bool guess)
{
    double complex p[GT_MAX_PAST + 1];
    int degree = a->steps;
    for (int i = 0; i <= degree; i++) p[i] = a->rho[i] - z * a->sigma[i];
    while (degree > 0 && p[degree] == 0) degree--;
    gt_poly_roots(p, degree, w, guess && degree == a->steps);
    for (int i = degree; i < a->steps; i++) w[i] = INFINITY;
    return a->steps;
}

int gt_amplifier_roots(const gt_amplifier *a, double complex z, double complex *w)
{
    if (!a || !w) return 0;
    if (a->kind == GT_BY_FORMULA) return formula_roots(a, z, w, false);
    w[0] = a->kind == GT_BY_RATIO ? gt_rational_value(&a->ratio, z) : function_value(a, z);
    return 1;
}

double gt_amplifier_largest(const gt_amplifier *a, double complex z)
{
    if (!a) return NAN;
    double complex w[GT_MAX_PAST];
    double largest = 0;
    int count = gt_amplifier_roots(a, z, w);
    for (int i = 0; i < count; i++) {
        double size = cabs(w[i]);
        if (!(size <= largest)) largest = isnan(size) ? INFINITY : size;
    }
    return largest;
}

double complex gt_amplifier_principal(const gt_amplifier *a, double complex z)
{
    if (!a) return NAN;
    double complex w[GT_MAX_PAST], principal = 1;
    if (a->kind != GT_BY_FORMULA) {
        gt_amplifier_roots(a, z, w);
        return w[0];
    }
    int pieces = 16 + (int)fmin(4000, 64 * cabs(z));
    for (int k = 1; k <= pieces; k++) {
        formula_roots(a, z * k / pieces, w, k > 1);
        principal = w[gt_poly_nearest(w, a->steps, principal)];
    }
    return principal;
}
