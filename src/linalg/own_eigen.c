/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A = P D H D^-1 P': rows and columns that hold an eigenvalue by themselves are brought to the ends
 * (P), what lies between is scaled by powers of two (D; Parlett, Reinsch 1969) and reduced to
 * Hessenberg form. Left vectors are right ones of the transpose, which the exchange of first and
 * last makes quasi-triangular again.
 */
#include "linalg/own_eigen.h"
#include "linalg/balance.h"
#include <assert.h>
#include <complex.h>
#include <math.h>
#include <string.h>

typedef struct frame {
    size_t n, from, to;                  /* the part that is not triangular yet */
    size_t exchanged[GT_OWN_EIGEN_MOST]; /* of each row outside of it: with which */
    double scale[GT_OWN_EIGEN_MOST];
} frame;

static void swap(double *x, double *y)
{
    double kept = *x;
    *x = *y;
    *y = kept;
}

static void exchange(frame *w, double *a, size_t k, size_t with)
{
    size_t n = w->n;
    w->exchanged[k] = with;
    if (k == with) return;
    for (size_t i = 0; i < n; i++) swap(&a[k * n + i], &a[with * n + i]);
    for (size_t j = 0; j < n; j++) swap(&a[j * n + k], &a[j * n + with]);
}

/* Does row (or column) k have nothing beside its diagonal entry in the part that is left? */
static bool alone(const frame *w, const double *a, size_t k, bool row)
{
    for (size_t j = w->from; j < w->to; j++)
        if (j != k && a[row ? j * w->n + k : k * w->n + j] != 0) return false;
    return true;
}

static bool isolate(frame *w, double *a, bool row)
{
    for (size_t k = w->from; k < w->to; k++) {
        if (!alone(w, a, k, row)) continue;
        exchange(w, a, row ? --w->to : w->from++, k);
        return true;
    }
    return false;
}

/* Euclidean norms of a row and a column. With sums of sizes, or without the diagonal entry,
 * triangular matrices that rounding has touched are scaled beyond what their eigenvectors bear
 * (James, Langou, Lowery 2014). */
static void norms(const frame *w, const double *a, size_t k, double *row, double *column)
{
    double in_row = 0, in_column = 0;
    *row = *column = 0;
    for (size_t j = w->from; j < w->to; j++) {
        in_row = fmax(in_row, fabs(a[j * w->n + k]));
        in_column = fmax(in_column, fabs(a[k * w->n + j]));
    }
    if (!(in_row > 0 && in_column > 0)) return;
    for (size_t j = w->from; j < w->to; j++) {
        *row += (a[j * w->n + k] / in_row) * (a[j * w->n + k] / in_row);
        *column += (a[k * w->n + j] / in_column) * (a[k * w->n + j] / in_column);
    }
    *row = in_row * sqrt(*row);
    *column = in_column * sqrt(*column);
}

static bool scale_one(frame *w, double *a, size_t k)
{
    double row, column;
    int exponent;
    norms(w, a, k, &row, &column);
    if (!(row > 0 && column > 0 && isfinite(row) && isfinite(column))) return false;
    frexp(sqrt(row) / sqrt(column), &exponent);
    double f = ldexp(1, exponent - 1), before = row + column;
    if (column * 2 * f + row / (2 * f) < column * f + row / f) f *= 2;
    if (!(column * f + row / f < 0.95 * before)) return false;
    if (!(w->scale[k] * f > 1e-280 && w->scale[k] * f < 1e280)) return false;
    w->scale[k] *= f;
    for (size_t i = 0; i < w->n; i++) a[k * w->n + i] *= f;
    for (size_t j = 0; j < w->n; j++) a[j * w->n + k] /= f;
    return true;
}

static void balance(frame *w, double *a)
{
    w->from = 0;
    w->to = w->n;
    while (isolate(w, a, true)) {
    }
    while (isolate(w, a, false)) {
    }
    for (size_t k = 0; k < w->n; k++) w->scale[k] = 1;
    bool again = true;
    for (int sweep = 0; again && sweep < 50; sweep++) {
        again = false;
        for (size_t k = w->from; k < w->to; k++)
            if (scale_one(w, a, k)) again = true;
    }
}

/* V := P D V, or P D^-1 V for left vectors. */
static void unbalance(const frame *w, bool inverse, double *V)
{
    size_t n = w->n;
    for (size_t j = 0; j < n; j++) {
        double *v = V + j * n;
        for (size_t i = w->from; i < w->to; i++)
            v[i] = inverse ? v[i] / w->scale[i] : v[i] * w->scale[i];
        for (size_t i = w->from; i-- > 0;) swap(&v[i], &v[w->exchanged[i]]);
        for (size_t i = w->to; i < n; i++) swap(&v[i], &v[w->exchanged[i]]);
    }
}

/* Makes v (of `count`) a reflection I - tau v v' with v[0] = 1 that maps it to a multiple of the
 * first unit vector, which is returned. */
static double reflection(size_t count, double *v, double *tau)
{
    double most = 0, sum = 0;
    for (size_t i = 1; i < count; i++) most = fmax(most, fabs(v[i]));
    *tau = 0;
    if (most == 0) return v[0];
    most = fmax(most, fabs(v[0]));
    for (size_t i = 0; i < count; i++) sum += (v[i] / most) * (v[i] / most);
    double beta = -copysign(most * sqrt(sum), v[0]), lead = v[0] - beta;
    *tau = -lead / beta;
    for (size_t i = 1; i < count; i++) v[i] /= lead;
    v[0] = 1;
    return beta;
}

/* x -= tau v (v' x), both with a distance between their numbers. */
static void reflect(size_t count, const double *v, double tau, double *x, size_t stride)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += v[i] * x[i * stride];
    sum *= tau;
    for (size_t i = 0; i < count; i++) x[i * stride] -= sum * v[i];
}

/* a := Q' a Q, zero below the first subdiagonal; Q is gathered in Z. */
static void to_hessenberg(const frame *w, double *a, double *Z, double *v)
{
    size_t n = w->n;
    for (size_t i = 0; i < n * n && Z; i++) Z[i] = i % (n + 1) == 0;
    for (size_t k = w->from; k + 2 < w->to; k++) {
        size_t count = w->to - k - 1;
        double tau;
        memcpy(v, a + k * n + k + 1, count * sizeof *v);
        a[k * n + k + 1] = reflection(count, v, &tau);
        for (size_t i = k + 2; i < w->to; i++) a[k * n + i] = 0;
        for (size_t j = k + 1; j < n; j++) reflect(count, v, tau, a + j * n + k + 1, 1);
        for (size_t i = 0; i < w->to; i++) reflect(count, v, tau, a + (k + 1) * n + i, n);
        for (size_t i = 0; i < n && Z; i++) reflect(count, v, tau, Z + (k + 1) * n + i, n);
    }
}

/* Length 1; the largest component of a complex vector real. */
static void normalize(size_t n, const double *im, double *V)
{
    for (size_t k = 0; k < n; k++) {
        double *x = V + k * n, *y = im[k] > 0 ? x + n : NULL, most = 0, sum = 0;
        size_t largest = 0;
        if (im[k] < 0) continue;
        for (size_t i = 0; i < n; i++) {
            double size = y ? hypot(x[i], y[i]) : fabs(x[i]);
            if (size > most) most = size, largest = i;
        }
        if (!(most > 0)) continue;
        for (size_t i = 0; i < n; i++) {
            double size = (y ? hypot(x[i], y[i]) : fabs(x[i])) / most;
            sum += size * size;
        }
        double length = most * sqrt(sum), c = y ? x[largest] / most : 1,
               s = y ? y[largest] / most : 0;
        for (size_t i = 0; i < n; i++) {
            double real = x[i] / length;
            x[i] = y ? c * real + s * (y[i] / length) : real;
            if (y) y[i] = c * (y[i] / length) - s * real;
        }
        if (y) y[largest] = 0;
    }
}

/* The vectors of T' by those of its mirror image; mirrors are Z and the vectors too. */
static void left_vectors(size_t n, const double *T, const double *Z, const double *re,
                         const double *im, double *left, double *work)
{
    double *mirror = work, *x = work + n * n, value_re[GT_OWN_EIGEN_MOST],
           value_im[GT_OWN_EIGEN_MOST];
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) mirror[j * n + i] = T[(n - 1 - i) * n + n - 1 - j];
    for (size_t j = 0; j < n; j++) {
        /* The first of a pair is the one with the positive part: mirrored, it would be the second.
         */
        size_t from = n - 1 - j;
        value_re[j] = re[from];
        value_im[j] = -im[from];
        memcpy(left + j * n, Z + from * n, n * sizeof *left);
    }
    gt_own_vectors(n, mirror, value_re, value_im, left, x);
    for (size_t j = 0; j < n / 2; j++)
        for (size_t i = 0; i < n; i++) swap(&left[j * n + i], &left[(n - 1 - j) * n + i]);
    /* Of a pair the real part now stands behind the imaginary one, and w' A = lambda w' asks for
     * the conjugate: u = w*.
     */
    for (size_t k = 0; k + 1 < n; k++) {
        if (!(im[k] > 0)) continue;
        for (size_t i = 0; i < n; i++) {
            double *x0 = &left[k * n + i], *x1 = &left[(k + 1) * n + i];
            swap(x0, x1);
            *x1 = -*x1;
        }
    }
}

/* A power of two that brings the largest entry to a size at which squares of it are numbers. */
static double safe_factor(size_t n, const double *a)
{
    double most = 0;
    int exponent;
    for (size_t i = 0; i < n * n; i++) most = fmax(most, fabs(a[i]));
    if (most == 0 || (most > 1e-140 && most < 1e140)) return 1;
    frexp(most, &exponent);
    return ldexp(1, most < 1 ? (exponent < -1000 ? 1000 : -exponent) : -exponent);
}

bool gt_own_eigen(size_t n, double *a, double *re, double *im, double *left, double *right,
                  double *work)
{
    assert(n >= 1);
    assert(a && re && im && work);
    frame w = {.n = n};
    bool vectors = left || right;
    double *Z = vectors ? (right ? right : work) : NULL, *v = vectors ? work + 2 * n * n : work;
    double factor = safe_factor(n, a);
    for (size_t i = 0; i < n * n && factor != 1; i++) a[i] *= factor;
    balance(&w, a);
    to_hessenberg(&w, a, Z, v);
    if (!gt_own_schur(n, a, Z, w.from, w.to, re, im)) return false;
    if (left) left_vectors(n, a, Z, re, im, left, work + (right ? 0 : n * n));
    if (right) gt_own_vectors(n, a, re, im, right, v);
    if (left) unbalance(&w, true, left), normalize(n, im, left);
    if (right) unbalance(&w, false, right), normalize(n, im, right);
    for (size_t i = 0; i < n && factor != 1; i++) re[i] /= factor, im[i] /= factor;
    return true;
}
