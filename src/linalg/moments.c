/* SPDX-License-Identifier: BSD-3-Clause */
/* Mean and covariance of a linear motion over an interval; see phi.h. */
#include "linalg/dense.h"
#include "linalg/lu_internal.h"
#include <geartrain/phi.h>
#include <math.h>

/* On the shortest interval |W| t is at most 1/2: there a series of this many terms and Gauss's rule of as many points
 * as below are exact to round-off. */
enum { TERMS = 14, POINTS = 6, MOST_DOUBLINGS = 1100 };
static const double point[POINTS] = {0.033765242898423986, 0.16939530676686774, 0.38069040695840156,
                                     0.61930959304159844,  0.83060469323313226, 0.96623475710157601};
static const double weight[POINTS] = {0.085662246189585173, 0.18038078652406930, 0.23395696728634552,
                                      0.23395696728634552,  0.18038078652406930, 0.085662246189585173};

void gt_moments_layout(gt_moments *m, size_t n, gt_arena *arena)
{
    size_t entries = (n + 1) * (n + 1);
    *m = (gt_moments){.n = n};
    m->W = gt_arena_doubles(arena, entries);
    m->E = gt_arena_doubles(arena, entries);
    m->P = gt_arena_doubles(arena, entries);
    m->work = gt_arena_doubles(arena, entries);
    m->row = gt_arena_doubles(arena, 2 * (n + 1));
    m->mean = gt_arena_doubles(arena, n);
    m->covariance = gt_arena_doubles(arena, n * n);
}

static double norm(size_t n, const double *a)
{
    double most = 0;
    for (size_t j = 0; j < n; j++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++) sum += fabs(a[j * n + i]);
        if (sum > most) most = sum;
    }
    return most;
}

/* e^(W t) w by its series. */
static void flow(const gt_moments *m, double t, double *w)
{
    size_t size = m->n + 1;
    double *term = m->row, *next = m->work;
    memcpy(term, w, size * sizeof *w);
    for (int k = 1; k <= TERMS; k++) {
        memset(next, 0, size * sizeof *w);
        gt_dense_apply(size, m->W, t / k, term, next);
        for (size_t i = 0; i < size; i++) w[i] += term[i] = next[i];
    }
}

/* P of the shortest interval, and E = e^(W t). */
static void begin(gt_moments *m, const double *y0, double t)
{
    size_t n = m->n, size = n + 1;
    double *w = m->row + size;
    memset(m->P, 0, size * size * sizeof *w);
    for (int q = 0; q < POINTS; q++) {
        memcpy(w, y0, n * sizeof *w);
        w[n] = 1;
        flow(m, point[q] * t, w);
        for (size_t j = 0; j < size; j++)
            for (size_t i = 0; i < size; i++) m->P[j * size + i] += weight[q] * t * w[i] * w[j];
    }
    for (size_t j = 0; j < size; j++) {
        double *column = m->E + j * size;
        memset(column, 0, size * sizeof *column);
        column[j] = 1;
        flow(m, t, column);
    }
}

static void double_interval(gt_moments *m)
{
    size_t size = m->n + 1;
    double *EP = m->work, *rest = m->W; /* W has done its work */
    gt_dense_product(size, m->E, m->P, EP);
    for (size_t j = 0; j < size; j++) /* E^T */
        for (size_t i = 0; i < size; i++) rest[j * size + i] = m->E[i * size + j];
    for (size_t j = 0; j < size; j++) gt_dense_apply(size, EP, 1, rest + j * size, m->P + j * size);
    gt_dense_product(size, m->E, m->E, rest);
    m->W = m->E;
    m->E = rest;
}

gt_status gt_moments_evaluate(gt_moments *m, const double *A, const double *b, const double *y0, double h)
{
    size_t n = m->n, size = n + 1;
    memset(m->W, 0, size * size * sizeof *m->W);
    for (size_t j = 0; j < n; j++) memcpy(m->W + j * size, A + j * n, n * sizeof *A);
    double unit = 0, push = 0; /* y is measured so that b does not ask for short intervals */
    for (size_t i = 0; i < n; i++) unit = fmax(unit, fabs(y0[i])), push = fmax(push, fabs(b[i]));
    double size_A = norm(size, m->W);
    unit = fmax(unit, size_A > 0 ? push / size_A : push * fabs(h));
    if (unit == 0) unit = 1;
    for (size_t i = 0; i < n; i++) m->W[n * size + i] = b[i] / unit;
    double reach = norm(size, m->W) * fabs(h);
    if (!isfinite(reach) || !gt_all_finite(y0, n)) return GT_TRY_NOT_FINITE;
    int s = 0;
    while (reach > 0.5 && s < MOST_DOUBLINGS) reach /= 2, s++;
    double *start = m->mean;
    for (size_t i = 0; i < n; i++) start[i] = y0[i] / unit;
    begin(m, start, ldexp(h, -s));
    for (int k = 0; k < s; k++) double_interval(m);
    for (size_t i = 0; i < n; i++) m->mean[i] = m->P[n * size + i] / h * unit;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            m->covariance[j * n + i] = m->P[j * size + i] / h * unit * unit - m->mean[i] * m->mean[j];
    return GT_OK;
}

/* Cholesky's columns with the largest pivot first, of the covariance measured in units of each component's own spread;
 * a spread that is lost in the round-off of the mean counts as none. */
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
