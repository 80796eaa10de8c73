/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Francis' QR iteration: from the eigenvalues of the last 2 x 2 block as two shifts (real, or a
 * pair) follows the first column of (H - s1)(H - s2), and a reflection of three rows that maps it
 * to a unit vector; chasing the bulge that it makes down the subdiagonal is a step of the
 * iteration. Entries below the diagonal that have become small beside their neighbours are set to
 * zero (Ahues, Tisseur 1997, which keeps small eigenvalues of graded matrices), and the last block
 * of one or two rows is done with.
 */
#include "linalg/own_eigen.h"
#include <float.h>
#include <math.h>

typedef struct iteration {
    size_t n;
    /* Z NULL: values only, H need not be right outside of the block that is worked on */
    double *H, *Z;
    double small; /* below which an entry is zero whatever its neighbours are */
} iteration;

static double *at(const iteration *w, size_t i, size_t j) { return w->H + j * w->n + i; }

/* May the entry left of (k, k) be taken for zero? */
static bool negligible(const iteration *w, size_t k, size_t from, size_t to)
{
    double below = fabs(*at(w, k, k - 1)), above = fabs(*at(w, k - 1, k));
    double here = *at(w, k, k), before = *at(w, k - 1, k - 1), sum = fabs(here) + fabs(before);
    if (below <= w->small) return true;
    if (sum == 0) {
        if (k >= from + 2) sum += fabs(*at(w, k - 1, k - 2));
        if (k + 1 < to) sum += fabs(*at(w, k + 1, k));
    }
    if (below > DBL_EPSILON * sum) return false;
    double large = fmax(below, above), less = fmin(below, above), apart = fabs(before - here);
    double a = fmax(fabs(here), apart), b = fmin(fabs(here), apart), scale = a + large;
    return less * (large / scale) <= fmax(w->small, DBL_EPSILON * (b * (a / scale)));
}

/* Rows i and i + 1 := those of a rotation, columns likewise, and Z. */
static void rotate(const iteration *w, size_t i, double c, double s, size_t first, size_t end)
{
    size_t n = w->n;
    for (size_t j = i; j < end; j++) {
        double x = *at(w, i, j), y = *at(w, i + 1, j);
        *at(w, i, j) = c * x + s * y;
        *at(w, i + 1, j) = c * y - s * x;
    }
    for (size_t k = first; k < i + 2; k++) {
        double x = *at(w, k, i), y = *at(w, k, i + 1);
        *at(w, k, i) = c * x + s * y;
        *at(w, k, i + 1) = c * y - s * x;
    }
    for (size_t k = 0; k < n && w->Z; k++) {
        double x = w->Z[i * n + k], y = w->Z[(i + 1) * n + k];
        w->Z[i * n + k] = c * x + s * y;
        w->Z[(i + 1) * n + k] = c * y - s * x;
    }
}

/* The block of rows i and i + 1: a pair, or two real values, of which it is made triangular. */
static void finish_pair(const iteration *w, size_t i, size_t first, size_t end, double *re,
                        double *im)
{
    double a = *at(w, i, i), b = *at(w, i, i + 1), c = *at(w, i + 1, i), d = *at(w, i + 1, i + 1);
    double p = 0.5 * (a - d), scale = fmax(fabs(p), sqrt(fabs(b)) * sqrt(fabs(c)));
    /* p^2 + b c without overflow; a value that round-off alone makes complex stays so: it is one of
     * a pair. */
    double disc = scale > 0 ? (p / scale) * (p / scale) + (b / scale) * (c / scale) : 0;
    im[i] = im[i + 1] = 0;
    if (disc < 0) {
        re[i] = re[i + 1] = d + p;
        im[i] = scale * sqrt(-disc);
        im[i + 1] = -im[i];
        return;
    }
    double z = p + copysign(scale * sqrt(disc), p);
    re[i] = d + z;
    re[i + 1] = z != 0 ? d - (b / z) * c : d + z;
    double length = hypot(z, c);
    if (length > 0) rotate(w, i, z / length, c / length, first, end);
    *at(w, i, i) = re[i];
    *at(w, i + 1, i + 1) = re[i + 1];
    *at(w, i + 1, i) = 0;
}

/* The sum of the two shifts, their product, and the first column that they make of rows k, k + 1, k
 * + 2. */
typedef struct shifts {
    double sum, product;
} shifts;

static shifts choose_shifts(const iteration *w, size_t from, size_t to, int count)
{
    size_t l = to - 1;
    if (count % 20 ==
        10) { /* neither from the end nor from the beginning does it converge: try others */
        double s = fabs(*at(w, from + 1, from)) + fabs(*at(w, from + 2, from + 1)),
               x = 0.75 * s + *at(w, from, from);
        return (shifts){2 * x, x * x + 0.4375 * s * s};
    }
    if (count % 20 == 0 && count) {
        double s = fabs(*at(w, l, l - 1)) + fabs(*at(w, l - 1, l - 2)), x = 0.75 * s + *at(w, l, l);
        return (shifts){2 * x, x * x + 0.4375 * s * s};
    }
    double a = *at(w, l - 1, l - 1), b = *at(w, l - 1, l), c = *at(w, l, l - 1), d = *at(w, l, l);
    double p = 0.5 * (a - d), disc = p * p + b * c;
    if (disc < 0) return (shifts){a + d, a * d - b * c};
    /* Real ones: the one nearer to the last entry, twice. */
    double z = p + copysign(sqrt(disc), p), near = z != 0 ? d - b * c / z : d;
    if (fabs(z) < fabs(near - d)) near = d + z;
    return (shifts){2 * near, near * near};
}

static void first_column(const iteration *w, size_t k, shifts s, double v[3])
{
    double a = *at(w, k, k), b = *at(w, k, k + 1), c = *at(w, k + 1, k), d = *at(w, k + 1, k + 1);
    double last = *at(w, k + 2, k + 1);
    v[0] = (a * a - s.sum * a + s.product) / c + b;
    v[1] = a + d - s.sum;
    v[2] = last;
    double most = fmax(fmax(fabs(v[0]), fabs(v[1])), fabs(v[2]));
    for (int i = 0; i < 3 && most > 0; i++) v[i] /= most;
}

/* Where the step may begin below `from`, because two small entries in a row hide what is above. */
static size_t begin_at(const iteration *w, size_t from, size_t to, shifts s, double v[3])
{
    for (size_t k = to - 3;; k--) {
        first_column(w, k, s, v);
        if (k == from) return k;
        double left = fabs(*at(w, k, k - 1)) * (fabs(v[1]) + fabs(v[2]));
        double right = fabs(v[0]) * (fabs(*at(w, k - 1, k - 1)) + fabs(*at(w, k, k)) +
                                     fabs(*at(w, k + 1, k + 1)));
        if (left <= DBL_EPSILON * right) return k;
    }
}

/* x := (I - tau v v') x for `count` numbers that lie `stride` apart. */
static void reflect(int count, const double *v, double tau, double *x, size_t stride)
{
    double sum = x[0] + v[1] * x[stride];
    if (count == 3) sum += v[2] * x[2 * stride];
    sum *= tau;
    x[0] -= sum;
    x[stride] -= sum * v[1];
    if (count == 3) x[2 * stride] -= sum * v[2];
}

/* One double step on rows from..to-1. */
static void double_step(const iteration *w, size_t from, size_t to, int count)
{
    double v[3];
    size_t n = w->n, first = w->Z ? 0 : from, end = w->Z ? n : to;
    size_t begin = begin_at(w, from, to, choose_shifts(w, from, to, count), v);
    for (size_t k = begin; k + 1 < to; k++) {
        int rows = k + 2 < to ? 3 : 2;
        if (k > begin) {
            v[0] = *at(w, k, k - 1);
            v[1] = *at(w, k + 1, k - 1);
            v[2] = rows == 3 ? *at(w, k + 2, k - 1) : 0;
        }
        double most = fmax(fmax(fabs(v[0]), fabs(v[1])), rows == 3 ? fabs(v[2]) : 0);
        if (rows == 2) v[2] = 0;
        if (most == 0) continue;
        double x = v[0] / most, y = v[1] / most, z = v[2] / most;
        double beta = -copysign(sqrt(x * x + y * y + z * z), x), tau = (beta - x) / beta;
        if (k > begin) {
            *at(w, k, k - 1) = beta * most;
            *at(w, k + 1, k - 1) = 0;
            if (rows == 3) *at(w, k + 2, k - 1) = 0;
        } else if (begin > from) {
            *at(w, k, k - 1) *= 1 - tau; /* what was left out above, to first order */
        }
        v[0] = 1;
        v[1] = y / (x - beta);
        v[2] = z / (x - beta);
        for (size_t j = k; j < end; j++) reflect(rows, v, tau, at(w, k, j), 1);
        size_t last = k + 4 < to ? k + 4 : to;
        for (size_t i = first; i < last; i++) reflect(rows, v, tau, at(w, i, k), n);
        for (size_t i = 0; i < n && w->Z; i++) reflect(rows, v, tau, w->Z + k * n + i, n);
    }
}

static double largest_entry(size_t n, const double *H)
{
    double most = 0;
    for (size_t i = 0; i < n * n; i++) most = fmax(most, fabs(H[i]));
    return most;
}

bool gt_own_schur(size_t n, double *T, double *Z, size_t from, size_t to, double *re, double *im)
{
    enum { MOST_STEPS = 40 }; /* for one value; two or three are usual */
    iteration w = {n, T, Z, DBL_MIN / DBL_EPSILON * (double)n};
    if (largest_entry(n, T) == 0) w.small = 0;
    for (size_t k = 0; k < n; k++)
        if (k < from || k >= to) re[k] = *at(&w, k, k), im[k] = 0;
    for (int count = 0; to > from;) {
        size_t k = to - 1;
        while (k > from && !negligible(&w, k, from, to)) k--;
        if (k > from) *at(&w, k, k - 1) = 0;
        if (k + 1 == to) {
            re[k] = *at(&w, k, k);
            im[k] = 0;
            to--;
            count = 0;
        } else if (k + 2 == to) {
            finish_pair(&w, k, Z ? 0 : from, Z ? n : to, re, im);
            to -= 2;
            count = 0;
        } else if (count++ > MOST_STEPS) {
            return false;
        } else {
            double_step(&w, k, to, count);
        }
    }
    return true;
}
