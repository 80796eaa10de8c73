/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * On the imaginary axis R(iy) = E + i F with E even and F odd. With x = y / Y and Y the end of the
 * stable interval:
 *
 *     order 2, s = 2m + 1   Y = s - 1          R = T_m(w) + (z/m) (1 + z^2/(4 m^2)) U_(m-1)(w),  w
 * = 1 + z^2/(2 m^2) order 3, s odd        Y^2 = s (s - 2)    E = (Y^2 (-1)^m T_(s-1) + 1) /
 * (s-1)^2,  m = (s-1)/2 F = Y ((-1)^m ((s-2) T_s - s T_(s-2)) + 2x) / (2 (s-1)^2) order 4, s even
 * Y^2 = s (s - 2)    E = (-1)^m (s T_(s-2) - (s-2) T_s) / (2 (s-1)),  m = (s-2)/2 F = (-1)^m Y
 * T_(s-1) / (s-1)
 *
 * van der Houwen 1977; Kinnmark, Gray, Math. Comput. Simul. 26 (1984) 87 and 181. Those of order 4
 * are the best of order 2 and 3 for even s as well. That of order 3 for odd s is not quite the
 * best: for s = 5 the best reaches 3.9133 instead of sqrt(15) = 3.8730, but has no simple
 * coefficients.
 *
 * On the negative real axis R = 1 - b T_s(w0) + b T_s(w0 + w1 z) with w0 = 1 + damping / s^2, w1 =
 * T_s'(w0) / T_s''(w0), b = T_s''(w0) / T_s'(w0)^2.
 */
#include "exact/known_polynomials.h"
#include <assert.h>

typedef gt_exact poly[GT_MAX_STAGES + 2]; /* ascending powers */

static void add_multiple(poly sum, gt_exact factor, const poly p, int degree, int shift)
{
    for (int k = 0; k + shift <= degree; k++)
        sum[k + shift] = gt_exact_add(sum[k + shift], gt_exact_multiply(factor, p[k]));
}

static void clear(poly p)
{
    for (int k = 0; k < GT_MAX_STAGES + 2; k++) p[k] = gt_exact_whole(0);
}

/* T_n(first + second u), or U_n, by p_(k+1) = 2 (first + second u) p_k - p_(k-1). */
static void chebyshev(int n, bool second_kind, gt_exact first, gt_exact second, poly p)
{
    poly before, after;
    int leading = second_kind ? 2 : 1;
    clear(before), clear(p);
    p[0] = gt_exact_whole(1);
    for (int k = 0; k < n; k++) {
        gt_exact twice = gt_exact_whole(k == 0 ? leading : 2);
        clear(after);
        add_multiple(after, gt_exact_multiply(twice, first), p, n, 0);
        add_multiple(after, gt_exact_multiply(twice, second), p, n, 1);
        add_multiple(after, gt_exact_whole(k == 0 ? 0 : -1), before, n, 0);
        for (int i = 0; i <= n; i++) before[i] = p[i], p[i] = after[i];
    }
}

static void plain_chebyshev(int n, poly p)
{
    chebyshev(n, false, gt_exact_whole(0), gt_exact_whole(1), p);
}

static void order_2_odd(int s, gt_exact *beta)
{
    poly T, U;
    int m = (s - 1) / 2;
    gt_exact half = gt_exact_of((gt_ratio){1, 2 * m * m}),
             quarter = gt_exact_of((gt_ratio){1, 4 * m * m});
    gt_exact inverse = gt_exact_of((gt_ratio){1, m});
    chebyshev(m, false, gt_exact_whole(1), half, T);
    chebyshev(m - 1, true, gt_exact_whole(1), half, U);
    for (int k = 0; k <= m; k++) {
        gt_exact odd = U[k];
        if (k == m) odd = gt_exact_whole(0);
        if (k > 0) odd = gt_exact_add(odd, gt_exact_multiply(quarter, U[k - 1]));
        beta[2 * k] = T[k];
        beta[2 * k + 1] = gt_exact_multiply(inverse, odd);
    }
}

/* From E and F / Y as polynomials in x = y / Y to powers of z = i y. */
static void to_powers_of_z(int s, const poly E, const poly F, gt_exact *beta)
{
    gt_exact factor = gt_exact_whole(1), step = gt_exact_of((gt_ratio){-1, s * (s - 2)});
    for (int k = 0; k <= s; k += 2) {
        beta[k] = gt_exact_multiply(factor, E[k]);
        if (k < s) beta[k + 1] = gt_exact_multiply(factor, F[k + 1]);
        factor = gt_exact_multiply(factor, step);
    }
}

static void order_3_odd(int s, gt_exact *beta)
{
    poly T, E, F;
    int m = (s - 1) / 2, sign = m % 2 ? -1 : 1, square = (s - 1) * (s - 1);
    clear(E), clear(F);
    plain_chebyshev(s - 1, T);
    add_multiple(E, gt_exact_of((gt_ratio){sign * s * (s - 2), square}), T, s - 1, 0);
    E[0] = gt_exact_add(E[0], gt_exact_of((gt_ratio){1, square}));
    plain_chebyshev(s, T);
    add_multiple(F, gt_exact_of((gt_ratio){sign * (s - 2), 2 * square}), T, s, 0);
    plain_chebyshev(s - 2, T);
    add_multiple(F, gt_exact_of((gt_ratio){-sign * s, 2 * square}), T, s - 2, 0);
    F[1] = gt_exact_add(F[1], gt_exact_of((gt_ratio){1, square}));
    to_powers_of_z(s, E, F, beta);
}

static void order_4_even(int s, gt_exact *beta)
{
    poly T, E, F;
    int sign = (s - 2) / 2 % 2 ? -1 : 1;
    clear(E), clear(F);
    plain_chebyshev(s - 2, T);
    add_multiple(E, gt_exact_of((gt_ratio){sign * s, 2 * (s - 1)}), T, s - 2, 0);
    plain_chebyshev(s, T);
    add_multiple(E, gt_exact_of((gt_ratio){-sign * (s - 2), 2 * (s - 1)}), T, s, 0);
    plain_chebyshev(s - 1, T);
    add_multiple(F, gt_exact_of((gt_ratio){sign, s - 1}), T, s - 1, 0);
    to_powers_of_z(s, E, F, beta);
}

bool gt_polynomial_imaginary(int s, int order, gt_exact *beta, int *limit_squared)
{
    assert(beta && limit_squared);
    assert(s >= 1 && order >= 1);
    if (s > GT_MAX_STAGES || s < order || order < 2 || order > 4 || (order == 4 && s % 2))
        return false;
    *limit_squared = s * (s - 2);
    if (s == 2) {
        beta[0] = beta[1] = gt_exact_whole(1);
        beta[2] = gt_exact_of((gt_ratio){1, 2});
    } else if (s % 2 == 0) {
        order_4_even(s, beta);
    } else if (order == 3) {
        order_3_odd(s, beta);
    } else {
        order_2_odd(s, beta);
        *limit_squared = (s - 1) * (s - 1);
    }
    return true;
}

void gt_polynomial_real(int s, double damping, double *beta)
{
    assert(beta);
    assert(s >= 1);
    /* D[k]: the k-th derivative of T_n over k! at w0, by the recurrence of T_n, all positive. */
    long double w0 = 1 + (long double)damping / (s * s), D[GT_MAX_STAGES + 1] = {1},
                before[GT_MAX_STAGES + 1] = {0};
    for (int n = 0; n < s; n++) {
        for (int k = n + 1; k >= 0; k--) {
            long double next = (n ? 2 : 1) * (w0 * D[k] + (k ? D[k - 1] : 0)) - (n ? before[k] : 0);
            before[k] = D[k];
            D[k] = next;
        }
    }
    long double w1 = D[1] / (2 * D[2]), power = 2 * D[2] / (D[1] * D[1]);
    for (int k = 0; k <= s; k++, power *= w1) beta[k] = (double)(power * D[k]);
    beta[0] = beta[1] = 1; /* to the last bit */
    beta[2] = 0.5;
}
