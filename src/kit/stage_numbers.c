/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The Schur form A = U S U^H of the matrix of a tableau, by QR steps with Wilkinson's shift. It
 * exists for every A, singular or defective, and U does not amplify anything. A has a few rows
 * only, so each step is made on the whole matrix, by rotations.
 */
#include "base/elementary.h"
#include "kit/stages.h"
#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

typedef double complex square[GT_MAX_STAGES][GT_MAX_STAGES];
enum { MOST_STEPS = 400 };
static const double same_shift = 1e-7; /* relative; Newton's method does not notice */
static const double no_shift = 1e-13;  /* relative to the largest entry of A: an eigenvalue 0 */

/* The eigenvalue of the last 2 x 2 block that is nearer to its last entry. */
static double complex wilkinson(square S, int n)
{
    double complex a = S[n - 2][n - 2], b = S[n - 2][n - 1], c = S[n - 1][n - 2],
                   d = S[n - 1][n - 1];
    double complex half = (a + d) / 2, root = csqrt((a - d) * (a - d) / 4 + b * c);
    return cabs(half + root - d) < cabs(half - root - d) ? half + root : half - root;
}

/* Rotates rows i and j of S by (c, s; -conj(s), c). */
static void rotate_rows(square S, int s, int i, int j, double c, double complex g)
{
    for (int k = 0; k < s; k++) {
        double complex x = S[i][k], y = S[j][k];
        S[i][k] = c * x + g * y;
        S[j][k] = c * y - conj(g) * x;
    }
}

static void rotate_columns(square S, int s, int i, int j, double c, double complex g)
{
    for (int k = 0; k < s; k++) {
        double complex x = S[k][i], y = S[k][j];
        S[k][i] = c * x + conj(g) * y;
        S[k][j] = c * y - g * x;
    }
}

typedef struct rotation {
    int i, j;
    double c;
    double complex g;
} rotation;

/* S - mu = Q R, S := R Q + mu on the first n rows and columns; what is right of them follows. */
static void qr_step(square S, square U, int s, int n, double complex mu)
{
    rotation list[GT_MAX_STAGES * GT_MAX_STAGES / 2];
    int count = 0;
    for (int i = 0; i < n; i++) S[i][i] -= mu;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            double complex x = S[i][i], y = S[j][i];
            double r = hypot(cabs(x), cabs(y));
            if (cabs(y) == 0) continue;
            double c = cabs(x) / r;
            double complex g = (cabs(x) > 0 ? x / cabs(x) : 1) * conj(y) / r;
            rotate_rows(S, s, i, j, c, g);
            list[count++] = (rotation){i, j, c, g};
        }
    for (int k = 0; k < count; k++) {
        rotate_columns(S, s, list[k].i, list[k].j, list[k].c, list[k].g);
        rotate_columns(U, s, list[k].i, list[k].j, list[k].c, list[k].g);
    }
    for (int i = 0; i < n; i++) S[i][i] += mu;
}

static bool schur(gt_stage_numbers *p)
{
    int s = p->stages;
    double size = 0;
    memset(p->U, 0, sizeof p->U);
    for (int i = 0; i < s; i++) {
        p->U[i][i] = 1;
        for (int j = 0; j < s; j++) {
            p->S[i][j] = p->A[i][j];
            size = fmax(size, fabs(p->A[i][j]));
        }
    }
    for (int n = s, steps = 0; n > 1;) {
        double rest = 0;
        for (int j = 0; j < n - 1; j++) rest = fmax(rest, cabs(p->S[n - 1][j]));
        if (rest <= 4 * DBL_EPSILON * size) {
            for (int j = 0; j < n - 1; j++) p->S[n - 1][j] = 0;
            n--;
            steps = 0;
            continue;
        }
        if (++steps > MOST_STEPS) return false;
        /* Now and then another shift, for matrices that a step leaves as they are. */
        double complex mu = steps % 10 ? wilkinson(p->S, n) : p->S[n - 1][n - 1] + rest * (1 + I);
        qr_step(p->S, p->U, s, n, mu);
    }
    return true;
}

static int find_shift(const gt_stage_numbers *p, double complex r)
{
    for (int i = 0; i < p->shifts; i++)
        if (cabs(p->shift[i] - r) <= same_shift * cabs(r)) return i;
    return p->shifts;
}

static bool list_shifts(gt_stage_numbers *p)
{
    double size = 0;
    for (int i = 0; i < p->stages; i++)
        for (int j = 0; j < p->stages; j++) size = fmax(size, fabs(p->A[i][j]));
    p->shifts = 0;
    p->regular = true;
    for (int i = 0; i < p->stages; i++) {
        double complex r = p->S[i][i];
        p->shift_of[i] = -1;
        if (cabs(r) <= no_shift * size) {
            p->regular = false;
            continue;
        }
        if (fabs(cimag(r)) <= same_shift * cabs(r)) r = creal(r);
        p->conjugate[i] = cimag(r) < 0;
        if (p->conjugate[i]) r = conj(r);
        int which = find_shift(p, r);
        if (which == GT_STAGE_SHIFTS) return false;
        p->shift_of[i] = which;
        if (which == p->shifts) p->shift[p->shifts++] = r;
    }
    return true;
}

/* A real one above 0 of A itself costs nothing; else the geometric mean of all sizes. */
static void choose_filter(gt_stage_numbers *p)
{
    double mean = 0;
    int count = 0;
    for (int i = 0; i < p->shifts; i++)
        if (cimag(p->shift[i]) == 0 && creal(p->shift[i]) > 0) {
            p->filter = i;
            return;
        }
    for (int i = 0; i < p->stages; i++)
        if (p->shift_of[i] >= 0) {
            mean += gt_log(cabs(p->S[i][i]));
            count++;
        }
    p->filter = p->shifts;
    p->shift[p->shifts++] = count ? gt_exp(mean / count) : 1;
}

/* By elimination with row exchanges. */
static void invert(gt_stage_numbers *p)
{
    int s = p->stages;
    double B[GT_MAX_STAGES][2 * GT_MAX_STAGES] = {{0}};
    for (int i = 0; i < s; i++) {
        B[i][s + i] = 1;
        for (int j = 0; j < s; j++) B[i][j] = p->A[i][j];
    }
    for (int j = 0; j < s; j++) {
        int best = j;
        for (int i = j + 1; i < s; i++)
            if (fabs(B[i][j]) > fabs(B[best][j])) best = i;
        for (int k = 0; k < 2 * s; k++) {
            double swap = B[j][k];
            B[j][k] = B[best][k];
            B[best][k] = swap;
        }
        double pivot = B[j][j];
        for (int k = 0; k < 2 * s; k++) B[j][k] /= pivot;
        for (int i = 0; i < s; i++) {
            double factor = B[i][j];
            for (int k = 0; k < 2 * s && i != j; k++) B[i][k] -= factor * B[j][k];
        }
    }
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++) p->inverse[i][j] = B[i][s + j];
}

bool gt_stage_numbers_complete(gt_stage_numbers *p)
{
    assert(p && p->stages >= 1 && p->stages <= GT_MAX_STAGES);
    if (!schur(p) || !list_shifts(p)) return false;
    choose_filter(p);
    if (p->regular) invert(p);
    p->distinct = true;
    for (int i = 0; i < p->stages; i++)
        for (int j = 0; j < i; j++)
            if (fabs(p->c[i] - p->c[j]) < 1e-10) p->distinct = false;
    return true;
}
