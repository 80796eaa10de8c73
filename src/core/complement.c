/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where a solution goes from a point on several surfaces: each a_k is 0 and g_k falls, is 1 and g_k
 * rises, or is between them and g_k stays. That is a linear complementarity problem with bounds, of
 * the matrix -W. It has one solution, whatever w is, if all principal minors of -W are positive (a
 * P-matrix; Cottle, Pang, Stone: The Linear Complementarity Problem, 1992); for dry friction -W is
 * a part of the inverse mass matrix, scaled. It is found by principal pivoting, the first violated
 * index first (Murty).
 */
#include "core/fields.h"
#include <assert.h>
#include <math.h>
#include <string.h>

enum { MOST_MINORS = 12 }; /* 2^12 of them are computed */

static const double small_part = 1e-10;

size_t gt_complement_numbers(size_t count) { return 2 * (count * count + count); }

/* Gaussian elimination with row exchanges; false: singular. */
static bool solve(size_t n, double *A, double *b)
{
    double size = 0;
    for (size_t i = 0; i < n * n; i++) size = fmax(size, fabs(A[i]));
    for (size_t k = 0; k < n; k++) {
        size_t best = k;
        for (size_t i = k + 1; i < n; i++)
            if (fabs(A[k * n + i]) > fabs(A[k * n + best])) best = i;
        if (!(fabs(A[k * n + best]) > 1e-14 * size)) return false;
        for (size_t j = k; j < n && best != k; j++) {
            double kept = A[j * n + k];
            A[j * n + k] = A[j * n + best];
            A[j * n + best] = kept;
        }
        double kept = b[k];
        b[k] = b[best];
        b[best] = kept;
        for (size_t i = k + 1; i < n; i++) {
            double factor = A[k * n + i] / A[k * n + k];
            for (size_t j = k + 1; j < n; j++) A[j * n + i] -= factor * A[j * n + k];
            b[i] -= factor * b[k];
        }
    }
    for (size_t k = n; k-- > 0;) {
        for (size_t j = k + 1; j < n; j++) b[k] -= A[j * n + k] * b[j];
        b[k] /= A[k * n + k];
    }
    return true;
}

bool gt_fields_balance(gt_fields *fields, const double *more)
{
    size_t m = fields->count;
    memcpy(fields->factors, fields->W, m * m * sizeof(double));
    for (size_t k = 0; k < m; k++) fields->a[k] = -(fields->w[k] + (more ? more[k] : 0));
    return solve(m, fields->factors, fields->a);
}

/* Tsatsomeros and Li (2000): a P-matrix has a positive first entry, and the matrix without its
 * first row and column and the Schur complement of that entry are P-matrices. The columns are
 * scaled to a diagonal of ones at the start. */
static bool minors_are_positive(size_t n, const double *M)
{
    double part[(MOST_MINORS - 1) * (MOST_MINORS - 1)];
    if (n == 0) return true;
    if (!(M[0] > small_part)) return false;
    for (int complement = 0; complement < 2; complement++) {
        for (size_t j = 1; j < n; j++)
            for (size_t i = 1; i < n; i++)
                part[(j - 1) * (n - 1) + i - 1] =
                    M[j * n + i] - (complement ? M[i] * M[j * n] / M[0] : 0);
        if (!minors_are_positive(n - 1, part)) return false;
    }
    return true;
}

static bool is_p_matrix(size_t n, const double *W, double *scaled)
{
    bool dominant = true;
    for (size_t j = 0; j < n; j++) {
        if (!(W[j * n + j] < 0)) return false;
        for (size_t i = 0; i < n; i++) scaled[j * n + i] = W[j * n + i] / W[j * n + j];
    }
    for (size_t i = 0; i < n; i++) {
        double others = 0;
        for (size_t j = 0; j < n; j++) others += j != i ? fabs(scaled[j * n + i]) : 0;
        dominant = dominant && others < 1 - small_part;
    }
    return dominant || (n <= MOST_MINORS && minors_are_positive(n, scaled));
}

typedef enum place { BELOW, ON, ABOVE } place;

/* a of those on their surfaces, with the others at their bounds. */
static bool solve_free(size_t n, const double *w, const double *W, const place *at, double *a,
                       double *room)
{
    double *A = room, *b = room + n * n;
    size_t index[GT_MOST_WATCHED], m = 0;
    for (size_t k = 0; k < n; k++) {
        a[k] = at[k] == ABOVE;
        if (at[k] == ON) index[m++] = k;
    }
    for (size_t i = 0; i < m; i++) {
        b[i] = -w[index[i]];
        for (size_t k = 0; k < n; k++) b[i] -= W[k * n + index[i]] * a[k];
        for (size_t j = 0; j < m; j++) A[j * m + i] = W[index[j] * n + index[i]];
    }
    if (!solve(m, A, b)) return false;
    for (size_t i = 0; i < m; i++) a[index[i]] = b[i];
    return true;
}

/* The first index that violates its condition changes its place; false: none does. */
static bool change_one(size_t n, const double *w, const double *W, place *at, const double *a)
{
    for (size_t k = 0; k < n; k++) {
        double rate = w[k], size = fabs(w[k]);
        for (size_t j = 0; j < n; j++) {
            rate += W[j * n + k] * a[j];
            size += fabs(W[j * n + k] * a[j]);
        }
        if (at[k] == ON && a[k] >= 0 && a[k] <= 1) continue;
        if (at[k] == BELOW && rate <= 1e-12 * size) continue;
        if (at[k] == ABOVE && rate >= -1e-12 * size) continue;
        at[k] = at[k] != ON ? ON : a[k] < 0 ? BELOW : ABOVE;
        return true;
    }
    return false;
}

/* Those that rise or fall whatever the others do: they are crossed. */
static void find_crossed(size_t n, const double *w, const double *W, place *at)
{
    bool again = true;
    for (size_t k = 0; k < n; k++) at[k] = ON;
    while (again) {
        again = false;
        for (size_t k = 0; k < n; k++) {
            double low = w[k], high = w[k];
            for (size_t j = 0; j < n; j++) {
                double by = W[j * n + k];
                if (at[j] != BELOW) high += at[j] == ABOVE ? by : fmax(0, by);
                if (at[j] != BELOW) low += at[j] == ABOVE ? by : fmin(0, by);
            }
            if (at[k] != ON || !(low > 0 || high < 0)) continue;
            at[k] = low > 0 ? ABOVE : BELOW;
            again = true;
        }
    }
}

/* The problem that is left of those that are not crossed: w and W of it, and their indices. */
static size_t leave_out_crossed(size_t n, const double *w, const double *W, const place *at,
                                size_t *index, double *w_left, double *W_left)
{
    size_t m = 0;
    for (size_t k = 0; k < n; k++)
        if (at[k] == ON) index[m++] = k;
    for (size_t i = 0; i < m; i++) {
        w_left[i] = w[index[i]];
        for (size_t j = 0; j < n; j++)
            if (at[j] == ABOVE) w_left[i] += W[j * n + index[i]];
        for (size_t j = 0; j < m; j++) W_left[j * m + i] = W[index[j] * n + index[i]];
    }
    return m;
}

bool gt_complement(size_t count, const double *w, const double *W, double *a, double *room)
{
    assert(count > 0 && count <= GT_MOST_WATCHED);
    assert(w && W && a && room);
    place at[GT_MOST_WATCHED], left[GT_MOST_WATCHED];
    size_t index[GT_MOST_WATCHED];
    double a_left[GT_MOST_WATCHED], *W_left = room, *w_left = room + count * count;
    find_crossed(count, w, W, at);
    for (size_t k = 0; k < count; k++) a[k] = at[k] == ABOVE;
    size_t m = leave_out_crossed(count, w, W, at, index, w_left, W_left);
    room = w_left + count;
    if (m == 0) return true;
    if (!is_p_matrix(m, W_left, room)) return false;
    for (size_t i = 0; i < m; i++) left[i] = ON;
    for (size_t round = 0; round < 100 + 10 * m * m; round++) {
        if (!solve_free(m, w_left, W_left, left, a_left, room)) return false;
        if (change_one(m, w_left, W_left, left, a_left)) continue;
        for (size_t i = 0; i < m; i++) a[index[i]] = a_left[i];
        return true;
    }
    return false;
}
