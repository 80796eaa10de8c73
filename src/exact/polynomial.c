/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Roots of polynomials. Complex ones by the iteration of Ehrlich and Aberth, all at once, from a
 * circle whose radius is the geometric mean of their moduli. Real ones by derivatives: between two
 * neighbouring zeros of p' there is at most one zero of p, so bisection there finds it and none is
 * missed.
 */
#include "exact/polynomial.h"
#include <assert.h>
#include <float.h>
#include <geartrain/author/number.h>
#include <geartrain/author/tableau.h>
#include <math.h>

enum { MOST_SWEEPS = 300 };

double complex gt_poly_value(const double *p, int degree, double complex z)
{
    assert(p);
    assert(degree >= 0);
    double complex sum = 0;
    for (int k = degree; k >= 0; k--) sum = sum * z + p[k];
    return sum;
}

static double complex reversed_value(const double *p, int degree, double complex u)
{
    double complex sum = 0;
    for (int k = 0; k <= degree; k++) sum = sum * u + p[k];
    return sum;
}

double complex gt_poly_ratio(const double *num, int num_degree, const double *den, int den_degree,
                             double complex z)
{
    assert(num && den);
    assert(num_degree >= 0 && den_degree >= 0);
    if (cabs(z) <= 1) return gt_poly_value(num, num_degree, z) / gt_poly_value(den, den_degree, z);
    double complex R =
        reversed_value(num, num_degree, 1 / z) / reversed_value(den, den_degree, 1 / z);
    for (int k = num_degree; k < den_degree; k++) R /= z;
    for (int k = den_degree; k < num_degree; k++) R *= z;
    return R;
}

static void first_guess(const double complex *p, int degree, double complex *roots)
{
    double mean = cabs(p[0]) > 0 ? pow(cabs(p[0]) / cabs(p[degree]), 1.0 / degree) : 1;
    for (int i = 0; i < degree; i++) {
        double angle = 2 * GT_PI * (i + 0.3) / degree + 0.5 / degree;
        roots[i] = mean * (1 + 0.01 * i) * (cos(angle) + I * sin(angle));
    }
}

static double size(double complex z) { return fabs(creal(z)) + fabs(cimag(z)); }

/* The Newton correction p/p' at z, from the reversed polynomial outside the unit circle; 0 where p
 * is round-off. */
static double complex newton_correction(const double complex *p, int degree, double complex z)
{
    bool reversed = size(z) > 1;
    double complex value = 0, slope = 0, u = reversed ? 1 / z : z;
    double scale = 0, size_u = cabs(u);
    for (int i = 0; i <= degree; i++) {
        double complex coefficient = p[reversed ? i : degree - i];
        slope = slope * u + value;
        value = value * u + coefficient;
        scale = scale * size_u + size(coefficient);
    }
    if (size(value) <= DBL_EPSILON * scale) return 0;
    double complex below = reversed ? (degree * value - u * slope) / z : slope;
    return below == 0 ? value : value / below;
}

void gt_poly_roots(const double complex *p, int degree, double complex *roots, bool guess)
{
    assert(p && roots);
    assert(degree >= 0);
    if (degree == 1) roots[0] = -p[0] / p[1];
    if (degree <= 1) return;
    if (!guess) first_guess(p, degree, roots);
    for (int sweep = 0; sweep < MOST_SWEEPS; sweep++) {
        double largest = 0;
        for (int i = 0; i < degree; i++) {
            double complex newton = newton_correction(p, degree, roots[i]), repulsion = 0;
            for (int j = 0; j < degree; j++) {
                double complex apart = roots[i] - roots[j];
                if (j != i && apart != 0) repulsion += 1 / apart;
            }
            double complex step = newton / (1 - newton * repulsion);
            if (!isfinite(creal(step)) || !isfinite(cimag(step))) step = newton;
            roots[i] -= step;
            largest = fmax(largest, cabs(step) / fmax(cabs(roots[i]), DBL_MIN));
        }
        if (largest < 4 * DBL_EPSILON) return;
    }
}

/* Half the chord between two points on the Riemann sphere. */
static double chord(double complex a, double complex b)
{
    if (!isfinite(creal(a)) || !isfinite(cimag(a))) return 1 / hypot(1, cabs(b));
    return cabs(a - b) / hypot(1, cabs(a)) / hypot(1, cabs(b));
}

int gt_poly_nearest(const double complex *roots, int count, double complex point)
{
    assert(roots);
    assert(count >= 1);
    int nearest = 0;
    for (int i = 1; i < count; i++)
        if (chord(roots[i], point) < chord(roots[nearest], point)) nearest = i;
    return nearest;
}

void gt_poly_on_line(const double *p, int degree, double complex z0, double complex d,
                     double complex *q)
{
    assert(p && q);
    assert(degree >= 0);
    for (int k = 0; k <= degree; k++) q[k] = p[k];
    if (z0 != 0)
        for (int i = 0; i < degree; i++)
            for (int k = degree - 1; k >= i; k--) q[k] += z0 * q[k + 1];
    double complex power = 1;
    for (int k = 0; k <= degree; k++) {
        q[k] *= power;
        power *= d;
    }
}

double gt_poly_real(const double *p, int degree, double s)
{
    assert(p);
    assert(degree >= 0);
    double sum = 0;
    for (int k = degree; k >= 0; k--) sum = sum * s + p[k];
    return sum;
}

static double bisect(const double *p, int degree, double low, double high)
{
    bool negative_low = gt_poly_real(p, degree, low) < 0;
    for (;;) {
        double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high) return middle;
        if ((gt_poly_real(p, degree, middle) < 0) == negative_low)
            low = middle;
        else
            high = middle;
    }
}

/* Zeros of p with a change of sign among the monotone parts that the `count` zeros of p' make of
 * (low, high). */
static int zeros_between(const double *p, int degree, const double *extrema, int count, double low,
                         double high, double *zeros)
{
    int found = 0;
    double left = low, at_left = gt_poly_real(p, degree, low);
    for (int i = 0; i <= count; i++) {
        double right = i < count ? extrema[i] : high, at_right = gt_poly_real(p, degree, right);
        if ((at_left < 0 && at_right > 0) || (at_left > 0 && at_right < 0))
            zeros[found++] = bisect(p, degree, left, right);
        if (at_right != 0) left = right, at_left = at_right;
    }
    return found;
}

int gt_poly_sign_changes(const double *p, int degree, double *roots)
{
    double derivative[2 * GT_MAX_DEGREE + 1], zeros[2][2 * GT_MAX_DEGREE + 1];
    int low_order = 0;
    while (degree > 0 && p[degree] == 0) degree--;
    while (low_order < degree && p[low_order] == 0) low_order++; /* zeros at 0 do not count */
    p += low_order;
    degree -= low_order;
    if (degree == 0) return 0;
    double bound = 0; /* of Fujiwara */
    for (int k = 0; k < degree; k++)
        bound = fmax(bound, pow(fabs(p[k] / p[degree]), 1.0 / (degree - k)));
    bound *= 2.01;
    int count = 0, side = 0;
    for (int order = degree - 1; order >= 0; order--) {
        for (int k = 0; k + order <= degree; k++) {
            derivative[k] = p[k + order];
            for (int j = 1; j <= order; j++)
                derivative[k] *= (double)(k + j) / j; /* p^(order) / order! */
        }
        count = zeros_between(derivative, degree - order, zeros[side], count, 0, bound,
                              zeros[1 - side]);
        side = 1 - side;
    }
    for (int i = 0; i < count; i++) roots[i] = zeros[side][i];
    return count;
}
