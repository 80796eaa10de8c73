/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A ratio of polynomials through given values: num(z_j) - f_j (den(z_j) - 1) = f_j in the
 * least-squares sense at points of the circle |z| = 1 above the real axis, where powers are
 * orthogonal, with real and imaginary parts as rows. The degrees grow until the residual is
 * round-off; points far outside decide whether the ratio is the function.
 */
#include "analysis/rational_fit.h"
#include "analysis/amplification.h"
#include "linalg/backend.h"
#include <assert.h>
#include <geartrain/author/number.h>
#include <math.h>
#include <string.h>

enum { POINTS = 40, HIGHEST = 12, COLUMNS = 2 * HIGHEST + 1 };

static bool solve(const double complex *z, const double complex *f, int num_degree, int den_degree,
                  gt_rational *R)
{
    int columns = num_degree + 1 + den_degree;
    double a[COLUMNS][2 * POINTS], right[2 * POINTS], residual = 0;
    for (int j = 0; j < POINTS; j++) {
        double complex power = 1;
        for (int k = 0; k <= (num_degree > den_degree ? num_degree : den_degree); k++) {
            double complex below = -f[j] * power;
            if (k <= num_degree) a[k][2 * j] = creal(power), a[k][2 * j + 1] = cimag(power);
            if (k && k <= den_degree)
                a[num_degree + k][2 * j] = creal(below),
                                      a[num_degree + k][2 * j + 1] = cimag(below);
            power *= z[j];
        }
        right[2 * j] = creal(f[j]);
        right[2 * j + 1] = cimag(f[j]);
    }
    if (!gt_least_squares(2 * POINTS, columns, a[0], right)) return false;
    for (int i = columns; i < 2 * POINTS; i++) residual = fmax(residual, fabs(right[i]));
    *R = (gt_rational){.num_degree = num_degree, .den_degree = den_degree, .den = {1}};
    memcpy(R->num, right, (size_t)(num_degree + 1) * sizeof *right);
    memcpy(R->den + 1, right + num_degree + 1, (size_t)den_degree * sizeof *right);
    return residual < 1e-13 * POINTS;
}

/* Points of the left half plane, where stiff problems are, and of the right one. */
static bool predicts(gt_complex_fn *f, const void *ctx, const gt_rational *R)
{
    static const double at[][2] = {{-3, 1}, {-7, 5}, {-20, 0}, {-0.5, 9}, {2, 6}, {-60, 40}};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        double complex z = at[i][0] + I * at[i][1], wanted = f(z, ctx);
        if (!(cabs(gt_rational_value(R, z) - wanted) <= 1e-6 * (1e-3 + cabs(wanted)))) return false;
    }
    return true;
}

static void drop_round_off(double *p, int *degree)
{
    for (int k = 0; k <= *degree; k++)
        if (fabs(p[k]) < 1e-12) p[k] = 0;
    while (*degree > 0 && p[*degree] == 0) --*degree;
}

bool gt_rational_fit(gt_complex_fn *f, const void *ctx, gt_rational *R)
{
    assert(f && R);
    double complex z[POINTS], value[POINTS];
    for (int j = 0; j < POINTS; j++) {
        double angle = GT_PI * (j + 0.5) / POINTS;
        z[j] = cos(angle) + I * sin(angle);
        value[j] = f(z[j], ctx);
        if (!isfinite(creal(value[j])) || !isfinite(cimag(value[j]))) return false;
    }
    for (int degree = 1; degree <= HIGHEST; degree++)
        for (int below = 0; below <= degree; below += degree) { /* a polynomial first */
            if (!solve(z, value, degree, below, R)) continue;
            drop_round_off(R->num, &R->num_degree);
            drop_round_off(R->den, &R->den_degree);
            if (predicts(f, ctx, R)) return true;
        }
    return false;
}
