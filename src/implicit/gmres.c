/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * GMRES on A u = r, A = D^-1 P^-1 W D, u = D^-1 y, from u = 0:
 *
 *   1. V_0 = r / |r|.
 *   2. For k = 0, 1, ..: w = A V_k, made orthogonal to V_0 .. V_k: H_jk = V_j* w, V_(k+1) = w/|w|.
 *      Rotations turn H into a triangle R and |r| e_0 into g; |g_(k+1)| is the residual.
 *   3. When it is small enough or the space is full: u += V R^-1 g. The residual vector is a
 *      combination of V_0 .. V_(k+1), from which step 1 begins again: b is not needed any more.
 *
 * Inner products of one step are made in one reduction, twice where much cancels. What is small, H
 * and the rotations, is complex whatever the vectors are.
 */
#include "implicit/gmres.h"
#include "problem/norm.h"
#include <assert.h>
#include <complex.h>
#include <string.h>

enum { MOST = GT_MOST_RESTART };

typedef struct space {
    double complex H[MOST][MOST + 1]; /* columns */
    double complex sine[MOST], g[MOST + 1];
    double cosine[MOST];
    int k; /* columns that are there */
} space;

static const double cancels = 0.5; /* of |w| that is left: orthogonal again */

static double *vector(const gt_gmres *w, int j) { return w->V + (size_t)j * w->width * w->n; }

static double length(const gt_gmres *w, const double *v)
{
    return sqrt(gt_dot(w->problem, w->width * w->n, v, v));
}

static double complex product(const gt_gmres *w, const double *v, const double *u)
{
    double re = 0, im = 0;
    if (w->width == 1) return gt_dot_here(w->problem, w->n, v, u);
    for (size_t i = 0; i < 2 * w->n; i += 2) {
        re += v[i] * u[i] + v[i + 1] * u[i + 1];
        im += v[i] * u[i + 1] - v[i + 1] * u[i];
    }
    return re + im * I;
}

/* u += a v, complex */
static void add(const gt_gmres *w, double complex a, const double *v, double *u)
{
    double re = creal(a), im = cimag(a);
    for (size_t i = 0; i < 2 * w->n; i += 2) {
        u[i] += re * v[i] - im * v[i + 1];
        u[i + 1] += re * v[i + 1] + im * v[i];
    }
}

/* u := start + sum_j a_j V_j; start NULL: 0; u may be it. */
static void combine(const gt_gmres *w, int count, const double complex *a, const double *start,
                    double *u)
{
    const double *V[MOST + 1];
    double real[MOST + 1];
    if (w->width == 1) {
        for (int j = 0; j < count; j++) {
            V[j] = vector(w, j);
            real[j] = creal(a[j]);
        }
        gt_combine(w->problem, count, real, V, start, u, w->n);
        return;
    }
    if (!start) memset(u, 0, 2 * w->n * sizeof *u);
    for (int j = 0; j < count; j++) add(w, a[j], vector(w, j), u);
}

/* u := u - sum_j (V_j u) V_j, the products added to h. */
static void remove_parts(const gt_gmres *w, int count, double *u, double complex *h)
{
    double part[2 * (MOST + 1)];
    double complex away[MOST + 1];
    for (int j = 0; j < count; j++) {
        double complex sum = product(w, vector(w, j), u);
        part[2 * j] = creal(sum);
        part[2 * j + 1] = cimag(sum);
    }
    gt_over_ranks(w->problem, part, 2 * (size_t)count, 0);
    for (int j = 0; j < count; j++) {
        double complex a = part[2 * j] + part[2 * j + 1] * I;
        away[j] = -a;
        h[j] += a;
    }
    combine(w, count, away, u, u);
}

static void scale(const gt_gmres *w, double *v, double factor)
{
    gt_scale(w->problem, w->width * w->n, factor, v);
}

typedef struct weighing {
    size_t width;
    bool divide;
    const double *unit, *v;
    double *y;
} weighing;

static void weigh_range(size_t from, size_t to, void *work)
{
    const weighing w = *(weighing *)work;
    if (w.width == 2)
        for (size_t i = from; i < to; i++) {
            double factor = w.divide ? 1 / w.unit[i] : w.unit[i];
            w.y[2 * i] = w.v[2 * i] * factor;
            w.y[2 * i + 1] = w.v[2 * i + 1] * factor;
        }
    else if (w.divide)
        for (size_t i = from; i < to; i++) w.y[i] = w.v[i] / w.unit[i];
    else
        for (size_t i = from; i < to; i++) w.y[i] = w.v[i] * w.unit[i];
}

/* y = D v, or v / D */
static void weigh(const gt_gmres *w, const double *v, double *y, bool divide)
{
    weighing of = {w->width, divide, w->unit, v, y};
    gt_in_chunks(w->problem, w->n, weigh_range, &of);
}

/* The next vector and column; *left is |w| of step 2. */
static gt_status extend(const gt_gmres *w, space *a, double *left)
{
    double *next = vector(w, a->k + 1);
    double complex *h = a->H[a->k];
    weigh(w, vector(w, a->k), w->z, false);
    gt_status status = w->times(w->ctx, w->z, next);
    if (!status) status = w->precondition(w->ctx, next);
    if (status) return status;
    weigh(w, next, next, true);
    double before = length(w, next);
    for (int j = 0; j <= a->k; j++) h[j] = 0;
    remove_parts(w, a->k + 1, next, h);
    *left = length(w, next);
    if (*left < cancels * before) {
        remove_parts(w, a->k + 1, next, h);
        *left = length(w, next);
    }
    if (!isfinite(*left)) return GT_TRY_NOT_FINITE;
    if (*left > 0) scale(w, next, 1 / *left);
    return GT_OK;
}

/* Turns the new column into one of R, and g along. */
static void rotate(space *a, double below)
{
    double complex *h = a->H[a->k];
    for (int j = 0; j < a->k; j++) {
        double complex upper = a->cosine[j] * h[j] + a->sine[j] * h[j + 1];
        h[j + 1] = a->cosine[j] * h[j + 1] - conj(a->sine[j]) * h[j];
        h[j] = upper;
    }
    double size = cabs(h[a->k]), r = hypot(size, below);
    double complex turn = size > 0 ? h[a->k] / size : 1;
    a->cosine[a->k] = r > 0 ? size / r : 1;
    a->sine[a->k] = r > 0 ? turn * below / r : 0;
    h[a->k] = turn * r;
    a->g[a->k + 1] = -conj(a->sine[a->k]) * a->g[a->k];
    a->g[a->k] *= a->cosine[a->k];
    a->k++;
}

/* b += D V R^-1 g */
static void add_solution(const gt_gmres *w, const space *a, double *b)
{
    double complex y[MOST];
    for (int j = a->k - 1; j >= 0; j--) {
        y[j] = a->g[j];
        for (int i = j + 1; i < a->k; i++) y[j] -= a->H[i][j] * y[i];
        y[j] = a->H[j][j] != 0 ? y[j] / a->H[j][j] : 0;
    }
    combine(w, a->k, y, NULL, w->z);
    weigh(w, w->z, w->z, false);
    gt_add(w->problem, w->width * w->n, 1, w->z, b);
}

/* V_0 := the residual, of length 1: g_k (Q* e_k) in the vectors that are there. */
static void begin_again(const gt_gmres *w, space *a)
{
    double complex part[MOST + 1] = {0};
    part[a->k] = 1;
    for (int j = a->k - 1; j >= 0; j--) {
        part[j] = -a->sine[j] * part[j + 1];
        part[j + 1] *= a->cosine[j];
    }
    combine(w, a->k + 1, part, NULL, w->z);
    gt_copy(w->problem, w->width * w->n, w->z, vector(w, 0));
    a->g[0] = a->g[a->k];
    a->k = 0;
}

/*
 * The sign of det P^-1 W on the space. The rotations have determinant 1 and only the last one of
 * them reaches beyond the square part of H, whose last diagonal entry keeps its sign in it.
 */
static int sign_of(const space *a)
{
    int sign = 1;
    for (int j = 0; j < a->k; j++)
        if (creal(a->H[j][j]) < 0) sign = -sign;
    return sign;
}

/* What is left of a residual when the space tells the sign of an isolated eigenvalue. */
static const double shows_sign = 1e-2;

gt_status gt_gmres_solve(const gt_gmres *w, double *b, double absolute, double relative)
{
    assert(w && b && w->width >= 1 && w->width <= 2);
    double *r = vector(w, 0);
    gt_status status = w->precondition(w->ctx, b);
    if (status) return status;
    weigh(w, b, r, true);
    double all[2] = {gt_dot_here(w->problem, w->width * w->n, r, r), (double)w->n};
    gt_over_ranks(w->problem, all, 2, 0);
    double size = sqrt(all[0]), enough = fmax(absolute * sqrt(all[1]), relative * size);
    if (!isfinite(size)) return GT_TRY_NOT_FINITE;
    /* A sign of P that is negative is not believed without a look at W. */
    if (w->sign && *w->sign < 0) enough = fmin(enough, shows_sign * size);
    if (size <= enough) return GT_OK; /* P^-1 b does */
    space a = {.g = {size}};
    bool sign_known = !w->sign;
    memset(b, 0, w->width * w->n * sizeof *b);
    scale(w, r, 1 / size);
    for (int count = 0; count < w->most; count++) {
        double left = 0;
        status = extend(w, &a, &left);
        if (status) return status;
        rotate(&a, left);
        /* A space that does not grow holds the solution, unless the matrix is singular on it. */
        if (left == 0 && a.H[a.k - 1][a.k - 1] == 0) return GT_TRY_SINGULAR;
        bool done = cabs(a.g[a.k]) <= enough || left == 0;
        if (!done && a.k < w->restart && count + 1 < w->most) continue;
        add_solution(w, &a, b);
        if (!sign_known) *w->sign *= sign_of(&a);
        sign_known = true;
        if (done) return GT_OK;
        begin_again(w, &a);
    }
    return GT_TRY_KRYLOV;
}
