/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where lightly damped modes grow although |R| = 1 on the whole imaginary axis. Just left of it, at
 * z = iy - epsilon,
 *
 *     ln |R| = -epsilon Re(R'(iy) / R(iy)) + ..
 *
 * so they grow where Re(R'/R) < 0. Times |num|^2 |den|^2 that is a real polynomial in y,
 *
 *     Re(num' conj(num)) |den|^2 - Re(den' conj(den)) |num|^2
 */
#include "analysis/amplification.h"
#include "exact/polynomial.h"
#include <geartrain/analysis/stability.h>
#include <math.h>

enum { MOST = 16 }; /* degree of num and den */

/* Re(p conj(q)) for real y. */
static void real_product(const double complex *p, int dp, const double complex *q, int dq,
                         double *out)
{
    for (int k = 0; k <= dp + dq; k++) out[k] = 0;
    for (int i = 0; i <= dp; i++)
        for (int j = 0; j <= dq; j++) out[i + j] += creal(p[i] * conj(q[j]));
}

/* q(iy) and q'(iy) as polynomials in y. */
static void on_axis(const double *q, int degree, double complex *value, double complex *slope)
{
    double complex power = 1;
    for (int k = 0; k <= degree; k++, power *= I) {
        value[k] = q[k] * power;
        if (k < degree) slope[k] = (k + 1) * q[k + 1] * power;
    }
}

int gt_light_damping_bands(const gt_rational *R, double bands[][2], int room)
{
    if (!R || !bands) return 0;
    double complex num[MOST + 1], den[MOST + 1], dnum[MOST + 1] = {0}, dden[MOST + 1] = {0};
    double a[2 * MOST + 1], b[2 * MOST + 1], c[2 * MOST + 1], d[2 * MOST + 1],
        g[4 * MOST + 1] = {0}, cut[4 * MOST + 1];
    int n = R->num_degree, m = R->den_degree, count = 0, degree = 2 * (n + m) - 1;
    if (n < 1 || m < 1 || n > MOST || m > MOST) return 0;
    on_axis(R->num, n, num, dnum);
    on_axis(R->den, m, den, dden);
    real_product(dnum, n - 1, num, n, a);
    real_product(den, m, den, m, b);
    real_product(dden, m - 1, den, m, c);
    real_product(num, n, num, n, d);
    for (int i = 0; i <= 2 * n - 1; i++)
        for (int j = 0; j <= 2 * m; j++) g[i + j] += a[i] * b[j];
    for (int i = 0; i <= 2 * m - 1; i++)
        for (int j = 0; j <= 2 * n; j++) g[i + j] -= c[i] * d[j];
    int cuts = gt_poly_sign_changes(g, degree, cut);
    for (int i = 0; i <= cuts && count < room; i++) {
        double from = i ? cut[i - 1] : 0, to = i < cuts ? cut[i] : 2 * from + 1;
        if (gt_poly_real(g, degree, from + (to - from) / 2) >= 0) continue;
        bands[count][0] = from;
        bands[count++][1] = i < cuts ? to : INFINITY;
    }
    return count;
}
