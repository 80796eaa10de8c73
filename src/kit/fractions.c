/* SPDX-License-Identifier: BSD-3-Clause */
#include "kit/fractions.h"
#include "exact/polynomial.h"
#include <assert.h>
#include <math.h>

enum { MOST_ROOTS = 2 * GT_MAX_FRACTIONS };

/* Newton's iteration with more digits on a root r of the reversed polynomial. */
static long double complex polish(const double *den, int degree, double complex r)
{
    long double complex root = r;
    for (int sweep = 0; sweep < 4; sweep++) {
        long double complex value = 0, slope = 0;
        for (int k = 0; k <= degree; k++) {
            slope = slope * root + value;
            value = value * root + den[k];
        }
        if (slope != 0) root -= value / slope;
    }
    return root;
}

bool gt_fractions_open(gt_fractions *f, const double *den, int degree)
{
    assert(f && den);
    assert(degree >= 0);
    double complex reversed[MOST_ROOTS + 1] = {0}, r[MOST_ROOTS] = {0};
    long double complex precise[MOST_ROOTS] = {0};
    *f = (gt_fractions){0};
    while (degree > 0 && den[degree] == 0) degree--;
    if (degree < 1 || degree > MOST_ROOTS) return degree == 0;
    for (int k = 0; k <= degree; k++) reversed[k] = den[degree - k];
    gt_poly_roots(reversed, degree, r, false);
    for (int i = 0; i < degree; i++) {
        if (fabs(cimag(r[i])) < 1e-12 * cabs(r[i])) r[i] = creal(r[i]);
        precise[i] = polish(den, degree, r[i]);
    }
    for (int i = 0; i < degree; i++) {
        if (cimag(r[i]) < 0) continue;
        long double complex product = 1;
        for (int j = 0; j < degree; j++)
            if (j != i) product *= 1 - precise[j] / precise[i];
        if (f->count == GT_MAX_FRACTIONS || cabsl(product) < 1e-10L) return false;
        f->r_long[f->count] = precise[i];
        f->inverse_long[f->count] = 1 / product;
        f->r[f->count] = (double complex)precise[i];
        f->inverse[f->count] = (double complex)f->inverse_long[f->count];
        f->count++;
    }
    return true;
}

double complex gt_fraction_weight(const gt_fractions *f, int i, const double *q, int degree)
{
    assert(f && q);
    assert(i >= 0);
    long double complex sum = 0, z = 1 / f->r_long[i];
    for (int k = degree; k >= 0; k--) sum = sum * z + q[k];
    return (double complex)(sum * f->inverse_long[i]);
}
