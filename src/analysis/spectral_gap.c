/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Methods with small steps for fast modes are stable on two parts of the negative real axis, for
 * slow eigenvalues and for fast ones: where the gap between them lies, and the number of small
 * steps that a fast eigenvalue needs, shi (14) and (17).
 */
#include <complex.h>
#include <geartrain/analysis/stability.h>
#include <geartrain/author/number.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double FIRST = 1e-2, LAST = 1e18, RATIO = 1.005;

static double size_at(const gt_amplifier *a, double u) { return gt_amplifier_largest(a, -u); }

static bool is_stable(const gt_amplifier *a, double u) { return size_at(a, u) <= 1; }

/* Where stability changes between u and v. */
static double change_between(const gt_amplifier *a, double u, double v)
{
    bool before = is_stable(a, u);
    while (v - u > 1e-14 * v) {
        double middle = u + (v - u) / 2;
        if (middle <= u || middle >= v) break;
        if (is_stable(a, middle) == before)
            u = middle;
        else
            v = middle;
    }
    return u + (v - u) / 2;
}

/* The next point from u on where stability changes; INFINITY: there is none. */
static double next_change(const gt_amplifier *a, double u, double *largest)
{
    bool before = is_stable(a, u);
    for (; u < LAST; u *= RATIO) {
        *largest = fmax(*largest, size_at(a, u));
        if (is_stable(a, u * RATIO) != before) return change_between(a, u, u * RATIO);
    }
    return INFINITY;
}

gt_gap gt_spectral_gap(const gt_amplifier *a)
{
    if (!a) return (gt_gap){0};
    gt_gap gap = {0};
    double ignored = 0;
    if (a->kind != GT_BY_FUNCTION || !is_stable(a, FIRST)) return gap;
    double from = next_change(a, FIRST, &ignored), largest = 1;
    double to = isinf(from) ? INFINITY : next_change(a, from * RATIO, &largest);
    if (isinf(to)) return gap;
    return (gt_gap){
        .from = from, .to = to, .largest = largest, .edge = next_change(a, to * RATIO, &ignored)};
}

gt_status gt_least_inner(double eps, double complex z, long *inner, double *bound,
                         gt_message *message)
{
    GT_ARMOR(message, inner && bound);
    const gt_method *smfe = gt_method_for(GT_ROLE_INNER_STEPS);
    gt_values v = gt_params_default(smfe->options);
    char text[64];
    double shrink = cabs(1 + eps * z);
    *bound = -log(cabs(z)) / log(shrink);
    gt_format(text, sizeof text, "eps=%.17g", eps);
    gt_status status = gt_params_parse(smfe->options, "option", smfe->name, text, &v, message);
    if (status) return status;
    if (!(shrink < 1))
        return gt_fail(message, GT_UNSUPPORTED,
                       "no number of small steps damps h lambda = %g%+gi: |1 + eps h lambda| = %g, "
                       "where (14) needs "
                       "less than 1; take h below %g of what it is",
                       creal(z), cimag(z), shrink,
                       fmax(0, -2 * creal(z) / (eps * creal(z * conj(z)))));
    size_t row = 0;
    while (strcmp(smfe->options[row].name, "inner")) row++;
    double low = -1,
           high =
               fmin(1 / eps, smfe->options[row].max); /* |R| falls with the number of small steps */
    while (high - low > 1) {
        v.v[row] = floor((low + high) / 2);
        *(cabs(smfe->amplification(smfe, v.v, z)) < 1 ? &high : &low) = v.v[row];
    }
    *inner = (long)high;
    return GT_OK;
}
