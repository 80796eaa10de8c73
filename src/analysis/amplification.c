/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * R(z) of a one-step method as a ratio of polynomials. For a tableau of s stages R = N / D with
 *
 *     D(z) = det(I - z A)      N(z) = det(I - z A + z 1 b^T) = D(z) (1 + sum_k b^T A^(k-1) 1 z^k)
 *
 * where both have degree at most s, so the product is cut there. D comes from the recursion of
 * Faddeev and LeVerrier, or as a product over the diagonal when A is triangular.
 */
#include "analysis/amplification.h"
#include "exact/polynomial.h"
#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

typedef double square[GT_MAX_STAGES][GT_MAX_STAGES];

/* det(I - z A) = sum_k d_k z^k: M_1 = I, d_k = -tr(A M_k) / k, M_(k+1) = A M_k + d_k I. `scale` is
 * the same sum of magnitudes: what is lost by cancelling is in proportion to it. */
static void determinant(int s, square A, double *d, double *scale)
{
    square M = {{0}}, size = {{0}}, AM, A_size;
    for (int i = 0; i < s; i++) M[i][i] = size[i][i] = 1;
    d[0] = 1;
    for (int k = 1; k <= s; k++) {
        double trace = 0;
        for (int i = 0; i < s; i++)
            for (int j = 0; j < s; j++) {
                AM[i][j] = A_size[i][j] = 0;
                for (int l = 0; l < s; l++) {
                    AM[i][j] += A[i][l] * M[l][j];
                    A_size[i][j] += fabs(A[i][l]) * size[l][j];
                }
            }
        for (int i = 0; i < s; i++) {
            trace += AM[i][i];
            scale[k] += A_size[i][i] / k;
        }
        d[k] = -trace / k;
        memcpy(M, AM, sizeof M);
        memcpy(size, A_size, sizeof size);
        for (int i = 0; i < s; i++) {
            M[i][i] += d[k];
            size[i][i] += fabs(d[k]);
        }
    }
}

static void triangular_determinant(int s, square A, double *d, double *scale)
{
    (void)scale;
    memset(d, 0, (size_t)(s + 1) * sizeof *d);
    d[0] = 1;
    for (int i = 0; i < s; i++)
        for (int k = i + 1; k >= 1; k--) d[k] -= A[i][i] * d[k - 1];
}

static void cut_zeros(double *p, int *degree, const double *scale)
{
    while (*degree > 0 && fabs(p[*degree]) <= 64 * DBL_EPSILON * scale[*degree]) p[(*degree)--] = 0;
}

/* A symmetric or symplectic method has N(z) = D(-z), so that |R| = 1 on the imaginary axis:
 * rounding is not to move it off there. */
static void mirror(gt_rational *R, const double *scale)
{
    if (R->num_degree != R->den_degree) return;
    for (int k = 0; k <= R->num_degree; k++) {
        double mirrored = k % 2 ? -R->den[k] : R->den[k];
        if (!(fabs(R->num[k] - mirrored) <= 64 * DBL_EPSILON * scale[k])) return;
    }
    for (int k = 0; k <= R->num_degree; k++) R->num[k] = k % 2 ? -R->den[k] : R->den[k];
}

static void from_tableau(const gt_tableau *T, gt_rational *R)
{
    int s = T->stages;
    square A = {{0}};
    bool triangular = true;
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++) {
            A[i][j] = gt_ratio_value(T->a[i][j]);
            triangular = triangular && (j <= i || A[i][j] == 0);
        }
    R->num_degree = R->den_degree = s;
    double scale[GT_MAX_STAGES + 1] = {0}, den_scale[GT_MAX_STAGES + 1] = {0};
    (triangular ? triangular_determinant : determinant)(s, A, R->den, den_scale);

    double series[GT_MAX_STAGES + 1], power[GT_MAX_STAGES];
    for (int i = 0; i < s; i++) power[i] = 1;
    series[0] = 1;
    for (int k = 1; k <= s; k++) {
        double next[GT_MAX_STAGES] = {0};
        series[k] = 0;
        for (int i = 0; i < s; i++) {
            series[k] += gt_ratio_value(T->b[i]) * power[i];
            for (int j = 0; j < s; j++) next[i] += A[i][j] * power[j];
        }
        memcpy(power, next, sizeof power);
    }
    for (int k = 0; k <= s; k++) {
        R->num[k] = 0;
        for (int j = 0; j <= k; j++) {
            R->num[k] += R->den[j] * series[k - j];
            scale[k] += (fabs(R->den[j]) + den_scale[j]) * fabs(series[k - j]);
        }
    }
    cut_zeros(R->num, &R->num_degree, scale);
    cut_zeros(R->den, &R->den_degree, den_scale);
    mirror(R, scale);
}

bool gt_rational_of(const gt_method *method, const double *v, gt_rational *R)
{
    if (!method->rational && !method->tableau) return false;
    *R = (gt_rational){0};
    if (method->rational)
        method->rational(method, v, R);
    else
        from_tableau(method->tableau, R);
    return true;
}

double complex gt_rational_value(const gt_rational *R, double complex z)
{
    assert(R);
    assert(R->num_degree >= 0 && R->den_degree >= 0);
    return gt_poly_ratio(R->num, R->num_degree, R->den, R->den_degree, z);
}

gt_status gt_amplification(const gt_method *method, const double *v, double complex z,
                           double complex *R)
{
    GT_ARMOR(NULL, method && R);
    gt_rational ratio;
    if (method->amplification)
        *R = method->amplification(method, v, z);
    else if (gt_rational_of(method, v, &ratio))
        *R = gt_rational_value(&ratio, z);
    else
        return GT_UNSUPPORTED;
    return GT_OK;
}
