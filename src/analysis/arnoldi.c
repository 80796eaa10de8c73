/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arnoldi's method (1951) with explicit restarts (Saad, Numerical Methods for Large Eigenvalue
 * Problems, 2011, ch. 6): A V = V H + h v e^T with orthonormal V; the residual of a Ritz pair
 * (theta, V y) is h |y_m|.
 */
#include "analysis/arnoldi.h"
#include <assert.h>
#include <geartrain/author/lu.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct krylov {
    size_t n, room, m; /* m vectors are there */
    double *V;         /* n x (room + 1) */
    double *H;         /* room x room, column major */
    double next;       /* h_(m+1, m) */
    double *copy, *values, *vectors;
} krylov;

/* Four sums at a time, since each addition waits for the one before it. */
static double dot(size_t n, const double *a, const double *b)
{
    double sum[4] = {0};
    size_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (size_t k = 0; k < 4; k++) sum[k] += a[i + k] * b[i + k];
    for (; i < n; i++) sum[0] += a[i] * b[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static double normalise(size_t n, double *v)
{
    double norm = sqrt(dot(n, v, v));
    if (norm > 0)
        for (size_t i = 0; i < n; i++) v[i] /= norm;
    return norm;
}

/* Fills V and H from the first vector, which is normalised; ends early when the space is invariant.
 */
static gt_status expand(krylov *k, gt_operator_fn *apply, void *ctx)
{
    memset(k->H, 0, k->room * k->room * sizeof *k->H);
    for (k->m = 0; k->m < k->room;) {
        double *column = k->H + k->m * k->room, *w = k->V + (k->m + 1) * k->n;
        gt_status status = apply(k->V + k->m * k->n, w, ctx);
        if (status) return status;
        k->m++;
        double before = sqrt(dot(k->n, w, w));
        if (!isfinite(before)) return GT_NOT_FINITE;
        for (int twice = 0; twice < 2;
             twice++) { /* the second pass takes away what round-off left */
            for (size_t j = 0; j < k->m; j++) {
                const double *v = k->V + j * k->n;
                double part = dot(k->n, v, w);
                column[j] += part;
                for (size_t i = 0; i < k->n; i++) w[i] -= part * v[i];
            }
        }
        k->next = normalise(k->n, w);
        if (k->next <= 1e-14 * before) k->next = 0;
        if (k->next == 0) return GT_OK;
        if (k->m < k->room) column[k->m] = k->next;
    }
    return GT_OK;
}

static int by_size(const void *a, const void *b)
{
    const gt_ritz *l = a, *r = b;
    double left = hypot(l->re, l->im), right = hypot(r->re, r->im);
    if (fabs(left - right) > 1e-13 * (left + right)) return left > right ? -1 : 1;
    if (l->re != r->re) return l->re < r->re ? -1 : 1;
    return l->im > r->im ? -1 : l->im < r->im;
}

/* Ritz values with residuals, largest first; *top is the column of the largest in `vectors`. */
static gt_status find_ritz(krylov *k, gt_ritz *out, size_t *top)
{
    size_t m = k->m;
    double largest = 0;
    for (size_t j = 0; j < m; j++) memcpy(k->copy + j * m, k->H + j * k->room, m * sizeof *k->copy);
    gt_status status = gt_eigen(m, k->copy, k->values, NULL, k->vectors);
    if (status) return status;
    for (size_t j = 0; j < m; j++) {
        double re = k->values[2 * j], im = k->values[2 * j + 1];
        size_t first = im < 0 ? j - 1 : j;
        double last =
            im != 0 ? hypot(k->vectors[first * m + m - 1], k->vectors[(first + 1) * m + m - 1])
                    : fabs(k->vectors[j * m + m - 1]);
        out[j] = (gt_ritz){.re = re, .im = im, .residual = k->next * last};
        if (hypot(re, im) > largest) largest = hypot(re, im), *top = first;
    }
    for (size_t j = 0; j < m; j++) out[j].residual = largest > 0 ? out[j].residual / largest : 0;
    qsort(out, m, sizeof *out, by_size);
    return GT_OK;
}

/* The first vector anew: real plus imaginary part of the Ritz vector in column `top`. */
static void restart(krylov *k, size_t top)
{
    size_t n = k->n, m = k->m;
    bool is_complex = k->values[2 * top + 1] != 0;
    double *fresh = k->V + m * n; /* the last vector is not needed any more */
    memset(fresh, 0, n * sizeof *fresh);
    for (size_t j = 0; j < m; j++) {
        double weight = k->vectors[top * m + j] + (is_complex ? k->vectors[(top + 1) * m + j] : 0);
        for (size_t i = 0; i < n; i++) fresh[i] += weight * k->V[j * n + i];
    }
    memcpy(k->V, fresh, n * sizeof *fresh);
    normalise(n, k->V);
}

gt_status gt_arnoldi(size_t n, gt_operator_fn *apply, void *ctx, double tol, int restarts,
                     gt_ritz *out, size_t *count, gt_arena *arena)
{
    assert(apply && out && count && arena);
    assert(n >= 1);
    assert(tol > 0);
    krylov k = {.n = n, .room = n < GT_KRYLOV ? n : GT_KRYLOV};
    k.V = gt_arena_doubles(arena, n * (k.room + 1));
    k.H = gt_arena_doubles(arena, k.room * k.room);
    k.copy = gt_arena_doubles(arena, k.room * k.room);
    k.vectors = gt_arena_doubles(arena, k.room * k.room);
    k.values = gt_arena_doubles(arena, 2 * k.room);
    if (arena->failed) return GT_NO_MEMORY;
    /* Any vector that no symmetry of the problem knows; the same in every run. */
    for (size_t i = 0; i < n; i++)
        k.V[i] = 1 + sin(7.0 * (double)i + 0.3 * (double)i * (double)(i % 97));
    normalise(n, k.V);
    for (int round = 0;; round++) {
        size_t top = 0;
        gt_status status = expand(&k, apply, ctx);
        if (!status) status = find_ritz(&k, out, &top);
        if (status) return status;
        if (round == restarts || out[0].residual <= tol) break;
        restart(&k, top);
    }
    size_t kept = 1;
    while (kept < k.m && out[kept].residual <= tol) kept++;
    if (out[0].im != 0 && kept == 1) kept = 2; /* a pair comes together */
    *count = kept;
    return GT_OK;
}
