/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the line z0 + s d, s > 0, is stable.
 *
 * One-step: |den|^2 - |num|^2 is a real polynomial in s, at least 0 where |R| <= 1. Its
 * coefficients are sums whose terms may cancel exactly (as they do up to the order of the method on
 * the imaginary axis, where |exp| = 1): what is round-off beside the sum of the moduli is set to 0,
 * so the sign near s = 0 is that of the first true coefficient.
 *
 * Multistep: w = exp(i theta) is a root at z = rho(w) / sigma(w), which lies on the line when
 *     g = Im[ conj(d) (rho(w) - z0 sigma(w)) conj(sigma(w)) ] = 0,
 * a polynomial in w after multiplication by w^k, as conj(w) = 1/w. Its roots on the unit circle cut
 * the line into parts, and one point tells about each. w = 1, that is z = 0, is divided out first:
 * on the imaginary axis it is a root of high order.
 */
#include "exact/polynomial.h"
#include <float.h>
#include <geartrain/analysis/stability.h>
#include <math.h>
#include <stdlib.h>

static void square_of_modulus(const double *p, int degree, double complex z0, double complex d,
                              double sign, double *sum, double *scale)
{
    double complex q[GT_MAX_DEGREE + 1];
    gt_poly_on_line(p, degree, z0, d, q);
    for (int i = 0; i <= degree; i++)
        for (int j = 0; j <= degree; j++) {
            double term = creal(q[i] * conj(q[j]));
            sum[i + j] += sign * term;
            scale[i + j] += fabs(term);
        }
}

/* Where |R| touches 1 from inside, round-off makes it a tiny part that is unstable: such parts are
 * joined to their neighbours. E is |den|^2 - |num|^2, which is known up to round-off beside the sum
 * of moduli. */
static void join_touching_parts(const double *E, const double *scale, int degree, gt_line *line)
{
    for (int i = 1; i < line->cuts; i++) {
        double from = line->at[i - 1], to = line->at[i], middle = from + (to - from) / 2;
        double below = 64 * DBL_EPSILON * gt_poly_real(scale, degree, middle);
        if (line->stable[i] || to - from > 1e-6 * to || gt_poly_real(E, degree, middle) < -below)
            continue;
        line->cuts -= 2;
        for (int k = i - 1; k < line->cuts; k++) line->at[k] = line->at[k + 2];
        for (int k = i; k <= line->cuts; k++) line->stable[k] = line->stable[k + 2];
        i--;
    }
}

static void ratio_line(const gt_rational *R, double complex z0, double complex d, gt_line *line)
{
    double E[2 * GT_MAX_DEGREE + 1] = {0}, scale[2 * GT_MAX_DEGREE + 1] = {0};
    int degree = 2 * (R->num_degree > R->den_degree ? R->num_degree : R->den_degree), first = 0;
    square_of_modulus(R->den, R->den_degree, z0, d, 1, E, scale);
    square_of_modulus(R->num, R->num_degree, z0, d, -1, E, scale);
    for (int k = 0; k <= degree; k++)
        if (fabs(E[k]) <= 64 * DBL_EPSILON * scale[k]) E[k] = 0;
    while (first <= degree && E[first] == 0) first++;
    line->neutral = first > degree;
    line->stable[0] = true;
    if (line->neutral) return;
    line->cuts = gt_poly_sign_changes(E, degree, line->at);
    line->stable[0] = E[first] > 0;
    for (int i = 1; i <= line->cuts; i++) line->stable[i] = !line->stable[i - 1];
    join_touching_parts(E, scale, degree, line);
}

/* Coefficients of w^k g(w) in powers 0 .. 2k; false when g vanishes everywhere. */
static bool line_condition(const gt_amplifier *a, double complex z0, double complex d,
                           double complex *g)
{
    int k = a->steps;
    double complex H[2 * GT_MAX_PAST + 1] = {0};
    double largest = 0, scale = 0;
    for (int i = 0; i <= k; i++)
        for (int j = 0; j <= k; j++) {
            double complex term = conj(d) * (a->rho[i] - z0 * a->sigma[i]) * a->sigma[j];
            H[i - j + k] += term;
            scale += cabs(term);
        }
    for (int m = 0; m <= 2 * k; m++) {
        g[m] = (H[m] - conj(H[2 * k - m])) / 2 / I;
        if (cabs(g[m]) <= 64 * DBL_EPSILON * scale) g[m] = 0;
        largest = fmax(largest, cabs(g[m]));
    }
    return largest > 0;
}

/* Divides by w - 1 as often as it goes. */
static void divide_out_one(double complex *g, int *degree)
{
    while (*degree > 0) {
        double complex quotient[2 * GT_MAX_PAST + 1] = {0}, rest = 0;
        double scale = 0;
        for (int m = *degree; m >= 0; m--) {
            quotient[m] = rest;
            rest += g[m];
            scale += cabs(g[m]);
        }
        if (cabs(rest) > 1e-11 * scale) return;
        --*degree;
        for (int m = 0; m <= *degree; m++) g[m] = quotient[m];
    }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The places s > 0 where a root is on the unit circle. */
static int formula_cuts(const gt_amplifier *a, double complex z0, double complex d, double *at)
{
    double complex g[2 * GT_MAX_PAST + 1], w[2 * GT_MAX_PAST];
    int degree = 2 * a->steps, low = 0, count = 0;
    if (!line_condition(a, z0, d, g)) return -1;
    while (degree > 0 && g[degree] == 0) degree--;
    while (low < degree && g[low] == 0) low++;
    degree -= low;
    for (int m = 0; m <= degree; m++) g[m] = g[m + low];
    divide_out_one(g, &degree);
    gt_poly_roots(g, degree, w, false);
    for (int i = 0; i < degree; i++) {
        if (fabs(cabs(w[i]) - 1) > 1e-6) continue;
        double complex on_circle = w[i] / cabs(w[i]),
                       below = gt_poly_value(a->sigma, a->steps, on_circle);
        double complex z = gt_poly_value(a->rho, a->steps, on_circle) / below;
        double s = creal(conj(d) * (z - z0)) / creal(d * conj(d));
        if (cabs(below) > 1e-9 && s > 1e-12) at[count++] = s;
    }
    qsort(at, (size_t)count, sizeof *at, ascending);
    return count;
}

static void formula_line(const gt_amplifier *a, double complex z0, double complex d, gt_line *line)
{
    const double round_off = 4e-14;
    double at[2 * GT_MAX_PAST];
    int count = formula_cuts(a, z0, d, at);
    line->neutral = count < 0 && fabs(gt_amplifier_largest(a, z0 + d) - 1) < round_off &&
                    fabs(gt_amplifier_largest(a, z0 + 10 * d) - 1) < round_off;
    if (count < 0) count = 0;
    for (int i = 0; i <= count; i++) {
        double from = i ? at[i - 1] : 0, to = i < count ? at[i] : 2 * from + 1;
        if (i && i < count && to - from <= 1e-13 * to) continue;
        bool stable = gt_amplifier_largest(a, z0 + (from + (to - from) / 2) * d) <= 1 + round_off;
        if (i == 0) {
            line->stable[0] = stable;
        } else if (stable != line->stable[line->cuts]) {
            line->at[line->cuts++] = from;
            line->stable[line->cuts] = stable;
        }
    }
}

void gt_stability_line(const gt_amplifier *a, double complex z0, double complex d, gt_line *line)
{
    if (!a || !line) return;
    *line = (gt_line){0};
    if (a->kind == GT_BY_FORMULA)
        formula_line(a, z0, d, line);
    else
        ratio_line(&a->ratio, z0, d, line);
}
