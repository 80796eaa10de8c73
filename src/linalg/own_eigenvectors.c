/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * (T - lambda) x = 0 for a quasi-triangular T from the bottom up, in complex arithmetic: the block
 * of lambda gives the last one or two components, every block above it the next. A pivot that is
 * zero to round-off, that of another copy of the same eigenvalue, is taken for the round-off of T:
 * the vector is then, to round-off, the one of that copy.
 */
#include "linalg/own_eigen.h"
#include <complex.h>
#include <float.h>
#include <math.h>

typedef struct substitution {
    size_t n;
    const double *T;
    double smallest; /* pivot */
} substitution;

static double entry(const substitution *w, size_t i, size_t j) { return w->T[j * w->n + i]; }

static bool pair_above(const substitution *w, size_t j) { return j > 0 && entry(w, j, j - 1) != 0; }

static double size_of(double complex z) { return fabs(creal(z)) + fabs(cimag(z)); }

static double complex pivot_of(const substitution *w, double complex z)
{
    return size_of(z) < w->smallest ? w->smallest : z;
}

/* x[i], x[j] := the solution of a 2 x 2 block with this right-hand side. */
static void solve_pair(const substitution *w, size_t i, double complex lambda, double complex *x)
{
    double complex a = entry(w, i, i) - lambda, b = entry(w, i, i + 1), c = entry(w, i + 1, i);
    double complex d = entry(w, i + 1, i + 1) - lambda, r = x[i], s = x[i + 1];
    if (size_of(a) < size_of(c)) {
        double complex kept = a;
        a = c, c = kept;
        kept = b, b = d, d = kept;
        kept = r, r = s, s = kept;
    }
    double complex factor = c / pivot_of(w, a);
    x[i + 1] = (s - factor * r) / pivot_of(w, d - factor * b);
    x[i] = (r - b * x[i + 1]) / pivot_of(w, a);
}

static void keep_in_range(size_t n, double complex *x)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) most = fmax(most, size_of(x[i]));
    if (most < 1e100) return;
    for (size_t i = 0; i < n; i++) x[i] /= most;
}

/* The vector of the value at k (k + 1 too, where it is a pair); `top` is how many components it
 * has. */
static size_t substitute(const substitution *w, size_t k, double complex lambda, double complex *x)
{
    bool pair = cimag(lambda) != 0;
    size_t top = pair ? k + 2 : k + 1;
    for (size_t i = 0; i < w->n; i++) x[i] = 0;
    if (pair) {
        double complex a = entry(w, k, k) - lambda, d = entry(w, k + 1, k + 1) - lambda;
        double b = entry(w, k, k + 1), c = entry(w, k + 1, k);
        if (fabs(b) > fabs(c))
            x[k] = b, x[k + 1] = -a;
        else
            x[k] = -d, x[k + 1] = c;
        double most = fmax(size_of(x[k]), size_of(x[k + 1]));
        x[k] /= most;
        x[k + 1] /= most;
    } else {
        x[k] = 1;
    }
    for (size_t i = 0; i < k; i++)
        for (size_t j = k; j < top; j++) x[i] -= entry(w, i, j) * x[j];
    for (size_t j = k; j-- > 0;) {
        size_t first = pair_above(w, j) ? j - 1 : j;
        if (first < j)
            solve_pair(w, first, lambda, x);
        else
            x[j] /= pivot_of(w, entry(w, j, j) - lambda);
        keep_in_range(top, x);
        for (size_t i = 0; i < first; i++)
            for (size_t m = first; m <= j; m++) x[i] -= entry(w, i, m) * x[m];
        j = first;
    }
    return top;
}

void gt_own_vectors(size_t n, const double *T, const double *re, const double *im, double *Z,
                    double *work)
{
    double complex x[GT_OWN_EIGEN_MOST];
    double most = DBL_MIN / DBL_EPSILON;
    for (size_t i = 0; i < n * n; i++) most = fmax(most, fabs(T[i]));
    substitution w = {n, T, DBL_EPSILON * most};
    for (size_t last = n; last-- > 0;) {
        size_t k = im[last] < 0 ? last - 1 : last;
        size_t top = substitute(&w, k, re[k] + im[k] * I, x);
        keep_in_range(top, x);
        for (size_t i = 0; i < n; i++) {
            double real = 0, imag = 0;
            for (size_t j = 0; j < top; j++) {
                real += Z[j * n + i] * creal(x[j]);
                imag += Z[j * n + i] * cimag(x[j]);
            }
            work[i] = real;
            if (k < last)
                Z[last * n + i] =
                    imag; /* of row i nothing else is needed from this column any more */
        }
        for (size_t i = 0; i < n; i++) Z[k * n + i] = work[i];
        last = k;
    }
}
