/* SPDX-License-Identifier: BSD-3-Clause */
/* Mean and covariance of a linear motion over an interval; see phi.h. */
#include "linalg/balance.h"
#include "linalg/dense.h"
#include "linalg/lu_internal.h"
#include <assert.h>
#include <geartrain/author/phi.h>
#include <math.h>
#include <string.h>

/* On the shortest interval |W| t is at most 1/2: there a series of this many terms and Gauss's rule
 * of as many points as below are exact to round-off. */
enum { TERMS = GT_MOMENTS_TERMS, POINTS = 6, MOST_DOUBLINGS = 1100 };
static const double point[POINTS] = {0.033765242898423986, 0.16939530676686774,
                                     0.38069040695840156,  0.61930959304159844,
                                     0.83060469323313226,  0.96623475710157601};
static const double weight[POINTS] = {0.085662246189585173, 0.18038078652406930,
                                      0.23395696728634552,  0.23395696728634552,
                                      0.18038078652406930,  0.085662246189585173};

void gt_moments_layout(gt_moments *m, size_t n, gt_arena *arena)
{
    size_t size = n + 1, entries = size * size;
    *m = (gt_moments){.n = n};
    double **matrices[] = {&m->W, &m->E, &m->P, &m->work[0], &m->work[1], &m->work[2], &m->work[3]};
    for (size_t k = 0; k < sizeof matrices / sizeof *matrices; k++)
        *matrices[k] = gt_arena_doubles(arena, entries);
    m->series = gt_arena_doubles(arena, (TERMS + 1) * size);
    m->row = gt_arena_doubles(arena, size);
    m->unit = gt_arena_doubles(arena, n);
    m->mean = gt_arena_doubles(arena, n);
    m->covariance = gt_arena_doubles(arena, n * n);
}

/* P of the interval t, where w(t) = sum_k t^k v_k / k! with v_k = W^k w(0). */
static void integrate(gt_moments *m, double t)
{
    size_t size = m->n + 1;
    double *v = m->series, *w = m->row;
    for (int k = 1; k <= TERMS; k++) {
        memset(v + (size_t)k * size, 0, size * sizeof *v);
        gt_dense_apply(size, m->W, t / k, v + (size_t)(k - 1) * size, v + (size_t)k * size);
    }
    memset(m->P, 0, size * size * sizeof *w);
    for (int q = 0; q < POINTS; q++) {
        memcpy(w, v + TERMS * size, size * sizeof *w);
        for (size_t k = TERMS; k-- > 0;)
            for (size_t i = 0; i < size; i++) w[i] = v[k * size + i] + point[q] * w[i];
        for (size_t j = 0; j < size; j++)
            for (size_t i = 0; i < size; i++) m->P[j * size + i] += weight[q] * t * w[i] * w[j];
    }
}

/* to = E^T */
static void transpose(size_t size, const double *restrict E, double *restrict to)
{
    for (size_t j = 0; j < size; j++)
        for (size_t i = 0; i < size; i++) to[j * size + i] = E[i * size + j];
}

/* E = e^X for a small X = W t, which is overwritten: the terms up to X^15 in groups of four, by
 * Horner's rule in X^4.
 */
static void exponential(gt_moments *m)
{
    enum { LAST = 15 };
    size_t size = m->n + 1, entries = size * size;
    double *X = m->W, *X2 = m->work[0], *X3 = m->work[1], *X4 = m->work[2], *sum = m->E,
           inverse[LAST + 1] = {1};
    for (int k = 1; k <= LAST; k++) inverse[k] = inverse[k - 1] / k;
    gt_dense_product(size, X, X, X2);
    gt_dense_product(size, X, X2, X3);
    gt_dense_product(size, X2, X2, X4);
    double *spare = m->work[3];
    memset(spare, 0, entries * sizeof *spare);
    for (int group = LAST / 4; group >= 0; group--) {
        const double *c = inverse + 4 * group;
        if (group < LAST / 4) gt_dense_product(size, X4, sum, spare);
        for (size_t i = 0; i < entries; i++)
            sum[i] = spare[i] + c[1] * X[i] + c[2] * X2[i] + c[3] * X3[i];
        for (size_t i = 0; i < size; i++) sum[i * size + i] += c[0];
    }
}

/* P := P + E P E^T, and E := E^2 unless this is the last time. */
static void double_interval(gt_moments *m, bool last)
{
    size_t size = m->n + 1;
    double *EP = m->work[0], *turned = m->work[1], *more = m->work[2];
    gt_dense_product(size, m->E, m->P, EP);
    transpose(size, m->E, turned);
    gt_dense_product(size, EP, turned, more);
    for (size_t i = 0; i < size * size; i++) m->P[i] += more[i];
    if (last) return;
    gt_dense_product(size, m->E, m->E, more);
    m->work[2] = m->E;
    m->E = more;
}

/* W and w(0) with each component in a unit of its own: those that balance A, times one by which the
 * push of b is not what asks for short intervals. */
static gt_status set_up(gt_moments *m, const double *A, const double *b, const double *y0, double h)
{
    size_t n = m->n, size = n + 1;
    double *a = m->P, most = 0, push = 0; /* P comes later */
    memcpy(a, A, n * n * sizeof *a);
    if (!gt_all_finite(a, n * n)) return GT_TRY_NOT_FINITE;
    gt_balance(n, a, m->unit);
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, fabs(y0[i] / m->unit[i]));
        push = fmax(push, fabs(b[i] / m->unit[i]));
    }
    double size_A = gt_dense_norm(n, a),
           common = fmax(most, size_A > 0 ? push / size_A : push * fabs(h));
    if (common == 0) common = 1;
    memset(m->W, 0, size * size * sizeof *m->W);
    for (size_t j = 0; j < n; j++) memcpy(m->W + j * size, a + j * n, n * sizeof *a);
    for (size_t i = 0; i < n; i++) {
        m->unit[i] *= common;
        m->W[n * size + i] = b[i] / m->unit[i];
        m->series[i] = y0[i] / m->unit[i];
    }
    m->series[n] = 1;
    return gt_all_finite(m->series, n) ? GT_OK : GT_TRY_NOT_FINITE;
}

gt_status gt_moments_evaluate(gt_moments *m, const double *A, const double *b, const double *y0,
                              double h)
{
    assert(m && A && y0);
    size_t n = m->n, size = n + 1;
    gt_status status = set_up(m, A, b, y0, h);
    double reach = gt_dense_norm(size, m->W) * fabs(h);
    if (status || !isfinite(reach)) return GT_TRY_NOT_FINITE;
    int s = 0;
    while (reach > 0.5 && s < MOST_DOUBLINGS) reach /= 2, s++;
    double t = ldexp(h, -s);
    integrate(m, t);
    if (s > 0) {
        for (size_t i = 0; i < size * size; i++) m->W[i] *= t;
        exponential(m);
    }
    for (int k = 0; k < s; k++) double_interval(m, k == s - 1);
    const double *unit = m->unit;
    for (size_t i = 0; i < n; i++) m->mean[i] = m->P[n * size + i] / h * unit[i];
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            m->covariance[j * n + i] =
                m->P[j * size + i] / h * unit[i] * unit[j] - m->mean[i] * m->mean[j];
    return GT_OK;
}

/* Cholesky's columns with the largest pivot first, of the covariance measured in units of each
 * component's own spread; a spread that is lost in the round-off of the mean counts as none. */
size_t gt_moments_factor(gt_moments *m, double *columns)
{
    size_t n = m->n, rank = 0;
    double *spread = m->row, *C = m->covariance;
    for (size_t i = 0; i < n; i++) {
        double variance = C[i * n + i];
        spread[i] = variance > 1e-13 * (variance + m->mean[i] * m->mean[i]) ? sqrt(variance) : 0;
    }
    for (; rank < n; rank++) {
        double *c = columns + rank * n, most = 1e-10;
        size_t pivot = n;
        for (size_t i = 0; i < n; i++) {
            double left = spread[i] > 0 ? C[i * n + i] / (spread[i] * spread[i]) : 0;
            if (left > most) most = left, pivot = i;
        }
        if (pivot == n) break;
        double root = sqrt(C[pivot * n + pivot]);
        for (size_t i = 0; i < n; i++) c[i] = spread[i] > 0 ? C[pivot * n + i] / root : 0;
        for (size_t j = 0; j < n; j++)
            for (size_t i = 0; i < n; i++) C[j * n + i] -= c[i] * c[j];
        for (size_t i = 0; i < n; i++) C[pivot * n + i] = C[i * n + pivot] = 0;
    }
    return rank;
}
