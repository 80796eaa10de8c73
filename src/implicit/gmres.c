/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * GMRES on A u = r, A = D^-1 P^-1 W D, u = D^-1 y, from u = 0:
 *
 *   1. V_0 = r / |r|.
 *   2. For k = 0, 1, ..: w = A V_k, made orthogonal to V_0 .. V_k: H_jk = V_j w, V_(k+1) = w / |w|.
 *      Rotations turn H into a triangle R and |r| e_0 into g; |g_(k+1)| is the residual.
 *   3. When it is small enough or the space is full: u += V R^-1 g. The residual vector is a
 *      combination of V_0 .. V_(k+1), from which step 1 begins again: b is not needed any more.
 *
 * Inner products of one step are made in one reduction, twice where much cancels.
 */
#include "implicit/gmres.h"
#include "implicit/inner.h"
#include "problem/norm.h"
#include <string.h>

enum { MOST = GT_MOST_RESTART };

typedef struct space {
    double H[MOST][MOST + 1]; /* columns */
    double cosine[MOST], sine[MOST], g[MOST + 1];
    int k; /* columns that are there */
} space;

static const double cancels = 0.5; /* of |w| that is left: orthogonal again */

static double *vector(const gt_newton *newton, size_t n, int j)
{
    return newton->inner->V + (size_t)j * n;
}

static double length(const gt_problem *p, size_t n, const double *v)
{
    return sqrt(gt_dot(p, n, v, v));
}

/* w := w - sum_j (V_j w) V_j, the products added to h. */
static void remove_parts(const gt_newton *newton, const gt_problem *p, size_t n, int count,
                         double *w, double *h)
{
    double part[MOST + 1];
    for (int j = 0; j < count; j++) {
        const double *v = vector(newton, n, j);
        double sum = 0;
        for (size_t i = 0; i < n; i++) sum += v[i] * w[i];
        part[j] = sum;
    }
    gt_over_ranks(p, part, (size_t)count, 0);
    for (int j = 0; j < count; j++) {
        const double *v = vector(newton, n, j);
        for (size_t i = 0; i < n; i++) w[i] -= part[j] * v[i];
        h[j] += part[j];
    }
}

static void scale(double *v, size_t n, double factor)
{
    for (size_t i = 0; i < n; i++) v[i] *= factor;
}

/* The next vector and column; *left is |w| of step 2. */
static gt_status extend(gt_newton *newton, gt_stepper *s, space *a, double *left)
{
    const gt_inner *w = newton->inner;
    const gt_problem *p = s->problem;
    size_t n = s->n;
    const double *v = vector(newton, n, a->k);
    double *next = vector(newton, n, a->k + 1), *h = a->H[a->k];
    for (size_t i = 0; i < n; i++) w->z[i] = w->unit[i] * v[i];
    gt_status status = gt_inner_times(newton, s, w->z, next);
    if (!status) status = gt_inner_precondition(newton, s, next);
    if (status) return status;
    for (size_t i = 0; i < n; i++) next[i] /= w->unit[i];
    double before = length(p, n, next);
    for (int j = 0; j <= a->k; j++) h[j] = 0;
    remove_parts(newton, p, n, a->k + 1, next, h);
    *left = length(p, n, next);
    if (*left < cancels * before) {
        remove_parts(newton, p, n, a->k + 1, next, h);
        *left = length(p, n, next);
    }
    if (!isfinite(*left)) return GT_TRY_NOT_FINITE;
    if (*left > 0) scale(next, n, 1 / *left);
    return GT_OK;
}

/* Turns the new column into one of R, and g along. */
static void rotate(space *a, double below)
{
    double *h = a->H[a->k];
    for (int j = 0; j < a->k; j++) {
        double upper = a->cosine[j] * h[j] + a->sine[j] * h[j + 1];
        h[j + 1] = a->cosine[j] * h[j + 1] - a->sine[j] * h[j];
        h[j] = upper;
    }
    double r = hypot(h[a->k], below);
    a->cosine[a->k] = r > 0 ? h[a->k] / r : 1;
    a->sine[a->k] = r > 0 ? below / r : 0;
    h[a->k] = r;
    a->g[a->k + 1] = -a->sine[a->k] * a->g[a->k];
    a->g[a->k] *= a->cosine[a->k];
    a->k++;
}

/* delta += D V R^-1 g */
static void add_solution(gt_newton *newton, size_t n, const space *a)
{
    const gt_inner *w = newton->inner;
    double y[MOST];
    for (int j = a->k - 1; j >= 0; j--) {
        y[j] = a->g[j];
        for (int i = j + 1; i < a->k; i++) y[j] -= a->H[i][j] * y[i];
        y[j] = a->H[j][j] != 0 ? y[j] / a->H[j][j] : 0;
    }
    memset(w->z, 0, n * sizeof *w->z);
    for (int j = 0; j < a->k; j++) {
        const double *v = vector(newton, n, j);
        for (size_t i = 0; i < n; i++) w->z[i] += y[j] * v[i];
    }
    for (size_t i = 0; i < n; i++) newton->delta[i] += w->unit[i] * w->z[i];
}

/* V_0 := the residual, of length 1: g_k (Q' e_k) in the vectors that are there. */
static void begin_again(const gt_newton *newton, size_t n, space *a)
{
    double part[MOST + 1] = {0}, *z = newton->inner->z;
    part[a->k] = 1;
    for (int j = a->k - 1; j >= 0; j--) {
        part[j] = -a->sine[j] * part[j + 1];
        part[j + 1] *= a->cosine[j];
    }
    memset(z, 0, n * sizeof *z);
    for (int j = 0; j <= a->k; j++) {
        const double *v = vector(newton, n, j);
        for (size_t i = 0; i < n; i++) z[i] += part[j] * v[i];
    }
    memcpy(vector(newton, n, 0), z, n * sizeof *z);
    a->g[0] = a->g[a->k];
    a->k = 0;
}

gt_status gt_gmres(gt_newton *newton, gt_stepper *s, double absolute, double relative)
{
    gt_inner *w = newton->inner;
    const gt_problem *p = s->problem;
    size_t n = s->n;
    double *r = vector(newton, n, 0);
    gt_status status = gt_inner_precondition(newton, s, newton->delta);
    if (status) return status;
    for (size_t i = 0; i < n; i++) r[i] = newton->delta[i] / w->unit[i];
    double all[2] = {0, (double)n};
    for (size_t i = 0; i < n; i++) all[0] += r[i] * r[i];
    gt_over_ranks(p, all, 2, 0);
    double size = sqrt(all[0]), enough = fmax(absolute * sqrt(all[1]), relative * size);
    if (!isfinite(size)) return GT_TRY_NOT_FINITE;
    if (size <= enough) return GT_OK; /* P^-1 b does */
    space a = {.g = {size}};
    memset(newton->delta, 0, n * sizeof *newton->delta);
    scale(r, n, 1 / size);
    for (int count = 0; count < w->most; count++) {
        double left = 0;
        status = extend(newton, s, &a, &left);
        if (status) return status;
        rotate(&a, left);
        /* A space that does not grow holds the solution, unless the matrix is singular on it. */
        if (left == 0 && a.H[a.k - 1][a.k - 1] == 0) return GT_TRY_SINGULAR;
        bool done = fabs(a.g[a.k]) <= enough || left == 0;
        if (!done && a.k < w->restart && count + 1 < w->most) continue;
        add_solution(newton, n, &a);
        if (done) return GT_OK;
        begin_again(newton, n, &a);
    }
    return GT_TRY_KRYLOV;
}
