/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Least squares: by reflections where the rank is full; else by the singular value decomposition,
 * which rotations of pairs of columns (Hestenes 1958) find for matrices of any shape to high
 * relative precision: a V = U S with columns of a V that are orthogonal.
 */
#include "linalg/own_linalg.h"
#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

static double dot(size_t n, const double *x, const double *y)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

static double length(size_t n, const double *x)
{
    double most = 0, sum = 0;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    if (most == 0) return 0;
    for (size_t i = 0; i < n; i++) sum += (x[i] / most) * (x[i] / most);
    return most * sqrt(sum);
}

/* y -= 2 v (v' y) / (v' v) */
static void reflect(size_t n, const double *v, double square, double *y)
{
    double factor = 2 * dot(n, v, y) / square;
    for (size_t i = 0; i < n; i++) y[i] -= factor * v[i];
}

bool gt_own_least_squares(size_t rows, size_t columns, double *a, double *b)
{
    assert(a && b);
    assert(rows >= columns);
    if (rows < columns) return false;
    for (size_t k = 0; k < columns; k++) {
        double *v = a + k * rows + k, size = length(rows - k, v);
        if (!(size > 0)) return false;
        double diagonal = -copysign(size, v[0]);
        v[0] -= diagonal;
        double square = dot(rows - k, v, v);
        for (size_t j = k + 1; j < columns; j++) reflect(rows - k, v, square, a + j * rows + k);
        reflect(rows - k, v, square, b + k);
        v[0] = diagonal; /* what is below is not needed any more */
    }
    for (size_t k = columns; k-- > 0;) {
        b[k] /= a[k * rows + k];
        for (size_t i = 0; i < k; i++) b[i] -= a[k * rows + i] * b[k];
    }
    return true;
}

static void rotate(size_t n, double c, double s, double *x, double *y)
{
    for (size_t i = 0; i < n; i++) {
        double kept = x[i];
        x[i] = c * kept - s * y[i];
        y[i] = s * kept + c * y[i];
    }
}

/* Makes the columns p and q of B orthogonal; false where they were. */
static bool orthogonalize(size_t n, double *p, double *q, size_t m, double *v_p, double *v_q)
{
    double alpha = dot(n, p, p), beta = dot(n, q, q), gamma = dot(n, p, q);
    if (!(fabs(gamma) > DBL_EPSILON * sqrt(alpha) * sqrt(beta)) || gamma == 0) return false;
    double zeta = (beta - alpha) / (2 * gamma);
    double t = copysign(1, zeta) / (fabs(zeta) + hypot(1, zeta)), c = 1 / hypot(1, t), s = c * t;
    rotate(n, c, s, p, q);
    rotate(m, c, s, v_p, v_q);
    return true;
}

size_t gt_own_least_norm_room(size_t rows, size_t columns)
{
    size_t few = rows < columns ? rows : columns;
    return rows * columns + few * few + few + rows + columns;
}

/* B of `tall` rows and `few` columns is a, or its transpose where that has fewer columns. */
bool gt_own_least_norm(size_t rows, size_t columns, double *a, double *b, double rcond,
                       double *work)
{
    enum { SWEEPS = 60 };
    bool turned = rows < columns, again = true;
    size_t tall = turned ? columns : rows, few = turned ? rows : columns;
    double *B = work, *V = B + tall * few, *weight = V + few * few, *x = weight + few, largest = 0;
    for (size_t j = 0; j < few; j++)
        for (size_t i = 0; i < tall; i++)
            B[j * tall + i] = turned ? a[i * rows + j] : a[j * rows + i];
    for (size_t i = 0; i < few * few; i++) V[i] = i % (few + 1) == 0;
    for (int sweep = 0; again && sweep < SWEEPS; sweep++) {
        again = false;
        for (size_t p = 0; p + 1 < few; p++)
            for (size_t q = p + 1; q < few; q++)
                if (orthogonalize(tall, B + p * tall, B + q * tall, few, V + p * few, V + q * few))
                    again = true;
    }
    for (size_t j = 0; j < few; j++) largest = fmax(largest, length(tall, B + j * tall));
    if (!isfinite(largest)) return false;
    memset(x, 0, columns * sizeof *x);
    for (size_t j = 0; j < few; j++) {
        const double *u = B + j * tall, *v = V + j * few;
        double size = length(tall, u);
        if (!(size > rcond * largest)) continue;
        weight[j] = dot(rows, turned ? v : u, b) / size / size;
        for (size_t i = 0; i < columns; i++) x[i] += weight[j] * (turned ? u[i] : v[i]);
    }
    memcpy(b, x, columns * sizeof *b);
    return true;
}
