/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sum_k h^k phi_k(h A) b_k from products with A alone. In tau = t/h the sum is y(1) of
 *
 *     y' = h A y + sum_(k>=1) h^k b_k c_k,  c_1' = 0,  c_k' = c_(k-1),  y(0) = b_0,  c(0) = (1, 0,
 * ..)
 *
 * which is Van Loan's block matrix [hA B; 0 K] and one exponential (Al-Mohy, Higham, SIAM J. Sci.
 * Comput. 33 (2011) 488). It is followed in substeps; in each, Arnoldi's method projects the matrix
 * on a space of GT_KRYLOV_DIMENSION and the small exponential, made larger by two rows, tells its
 * own error too (Sidje, ACM Trans. Math. Software 24 (1998) 130), from which the next substep
 * follows. c is measured in units of the largest h^k b_k, so that both parts count alike.
 */
#include "linalg/dense.h"
#include <assert.h>
#include <geartrain/author/phi.h>
#include <math.h>
#include <string.h>

enum { DIMENSION = GT_KRYLOV_DIMENSION, ROWS = GT_KRYLOV_DIMENSION + 2, MOST_SUBSTEPS = 4000 };

typedef struct task {
    gt_krylov *k;
    gt_product_fn *product;
    void *ctx;
    double h, unit;
    int highest;
    const double *const *b;
    size_t n, size; /* of y, and of y and c */
} task;

void gt_krylov_layout(gt_krylov *k, size_t room, gt_arena *arena)
{
    *k = (gt_krylov){.room = room};
    k->basis = gt_arena_doubles(arena, (room + GT_PHI_HIGHEST) * (DIMENSION + 2));
    k->w = gt_arena_doubles(arena, room + GT_PHI_HIGHEST);
    k->v = gt_arena_doubles(arena, room);
    k->unit = gt_arena_doubles(arena, room);
    k->hessenberg = gt_arena_doubles(arena, ROWS * ROWS);
    gt_phi_layout(&k->small, ROWS, 1, arena);
}

static double dot(size_t n, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static void add(size_t n, double factor, const double *restrict a, double *restrict to)
{
    for (size_t i = 0; i < n; i++) to[i] += factor * a[i];
}

/* The block matrix times v, whose first n rows are in their units. */
static gt_status multiply(const task *t, const double *v, double *out)
{
    size_t n = t->n;
    const gt_krylov *k = t->k;
    const double *plain = v;
    t->k->products++;
    if (k->scaled) {
        for (size_t i = 0; i < n; i++) k->v[i] = v[i] * k->unit[i];
        plain = k->v;
    }
    gt_status status = t->product(plain, out, t->ctx);
    for (size_t i = 0; i < n; i++) out[i] *= t->h;
    for (int j = 1; j <= t->highest; j++) {
        double c = v[n + (size_t)j - 1];
        if (t->b[j] && c != 0) add(n, c * pow(t->h, j) / t->unit, t->b[j], out);
        out[n + (size_t)j - 1] = j == 1 ? 0 : v[n + (size_t)j - 2];
    }
    for (size_t i = 0; i < n && k->scaled; i++) out[i] /= k->unit[i];
    return status;
}

static double size_in_units(const gt_krylov *k, size_t n, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double part = k->scaled ? b[i] / k->unit[i] : b[i];
        sum += part * part;
    }
    return sqrt(sum);
}

/* Orthonormal basis from w / beta on; *dimension is less than DIMENSION where the space closes, and
 * then *last = 0. */
static gt_status arnoldi(const task *t, double beta, int *dimension, double *last)
{
    size_t n = t->size;
    double *V = t->k->basis, *H = t->k->hessenberg;
    memset(H, 0, ROWS * ROWS * sizeof *H);
    for (size_t i = 0; i < n; i++) V[i] = t->k->w[i] / beta;
    for (int j = 0; j < DIMENSION; j++) {
        double *next = V + (size_t)(j + 1) * n, before;
        gt_status status = multiply(t, V + (size_t)j * n, next);
        if (status) return status;
        before = sqrt(dot(n, next, next));
        for (int pass = 0; pass < 2; pass++) /* twice is enough */
            for (int i = 0; i <= j; i++) {
                double share = dot(n, V + (size_t)i * n, next);
                H[j * ROWS + i] += share;
                add(n, -share, V + (size_t)i * n, next);
            }
        double rest = sqrt(dot(n, next, next));
        *dimension = j + 1;
        *last = 0;
        if (!(rest > 1e-14 * before)) return GT_OK;
        H[j * ROWS + j + 1] = *last = rest;
        for (size_t i = 0; i < n; i++) next[i] /= rest;
    }
    /* For the estimate: the size of the matrix times the last vector. */
    H[DIMENSION * ROWS + DIMENSION + 1] = 1;
    double *beyond = V + (size_t)(DIMENSION + 1) * n;
    gt_status status = multiply(t, V + (size_t)DIMENSION * n, beyond);
    *last = sqrt(dot(n, beyond, beyond));
    return status;
}

/* Error of the projected exponential whose first column is F, and the power of the substep that it
 * goes with. */
static double projection_error(const double *F, double beta, double last, double *exponent)
{
    double first = fabs(beta * F[DIMENSION]), second = fabs(beta * F[DIMENSION + 1] * last);
    *exponent = 1.0 / (first > second ? DIMENSION : DIMENSION - 1);
    if (first > 10 * second) return second;
    return first > second ? first * second / (first - second) : first;
}

/* Over the whole sum. */
static double allowed_error(const gt_krylov *k, double tolerance, double beta)
{
    return fmax(k->scaled ? k->enough : 0, tolerance * beta);
}

/* One substep of at most `left` of the whole; *step is what was taken and *next what to try then.
 */
static gt_status substep(const task *t, double tolerance, double left, double *step, double *next)
{
    gt_krylov *k = t->k;
    double beta = sqrt(dot(t->size, k->w, k->w)), last;
    int dimension;
    if (beta == 0) {
        *step = left;
        return GT_OK;
    }
    if (!isfinite(beta)) return GT_TRY_NOT_FINITE;
    gt_status status = arnoldi(t, beta, &dimension, &last);
    if (status) return status;
    bool closed = last == 0;
    double size = fmin(closed ? left : *next, left);
    for (int attempt = 0;; attempt++) {
        status = gt_phi_evaluate(&k->small, k->hessenberg, size);
        double exponent = 1, allowed = allowed_error(k, tolerance, beta) * size, error = 0;
        if (!status && !closed) error = projection_error(k->small.value[0], beta, last, &exponent);
        double better = error > 0 ? size * 0.9 * pow(allowed / error, exponent) : 5 * size;
        if (!status && error <= 1.2 * allowed) {
            *next = fmin(better, 5 * size);
            break;
        }
        if (attempt == 50 || (status && status != GT_TRY_NOT_FINITE))
            return status ? status : GT_TRY_KRYLOV;
        size = status || !(better > size / 100) ? size / 100 : better;
    }
    const double *F = k->small.value[0];
    int used = closed ? dimension : DIMENSION + 1;
    memset(k->w, 0, t->size * sizeof *k->w);
    for (int j = 0; j < used; j++) add(t->size, beta * F[j], k->basis + (size_t)j * t->size, k->w);
    *step = size;
    return GT_OK;
}

gt_status gt_krylov_sum(gt_krylov *k, size_t n, gt_product_fn *product, void *ctx, double h,
                        int highest, const double *const *b, double tolerance, double *out)
{
    assert(k && product && b && out);
    assert(n <= k->room);
    assert(highest >= 0 && highest <= GT_PHI_HIGHEST);
    assert(tolerance > 0);
    task t = {k, product, ctx, h, 0, highest, b, n, n + (size_t)highest};
    for (int j = 1; j <= highest; j++)
        if (b[j]) t.unit = fmax(t.unit, pow(fabs(h), j) * size_in_units(k, n, b[j]));
    if (b[0])
        memcpy(k->w, b[0], n * sizeof *out);
    else
        memset(k->w, 0, n * sizeof *out);
    for (size_t i = 0; i < n && k->scaled; i++) k->w[i] /= k->unit[i];
    for (int j = 0; j < highest; j++) k->w[n + (size_t)j] = j == 0 ? t.unit : 0;
    double done = 0, next = 1, step;
    for (int count = 0; done < 1 && (t.unit > 0 || b[0]); count++) {
        if (count == MOST_SUBSTEPS) return GT_TRY_KRYLOV;
        gt_status status = substep(&t, tolerance, 1 - done, &step, &next);
        if (status) return status;
        done = step >= 1 - done ? 1 : done + step;
    }
    for (size_t i = 0; i < n; i++) out[i] = k->scaled ? k->w[i] * k->unit[i] : k->w[i];
    return GT_OK;
}

void gt_phi_sum_layout(gt_phi_sum *sum, size_t n, int highest, gt_krylov *krylov, gt_arena *arena)
{
    *sum = (gt_phi_sum){.n = n, .krylov = krylov, .tolerance = 1e-13};
    if (!krylov) gt_phi_layout(&sum->phi, n, highest, arena);
}

gt_status gt_phi_sum_evaluate(gt_phi_sum *sum, double h, int highest, const double *const *b,
                              double *out)
{
    assert(sum && b && out);
    assert(sum->A || sum->product);
    size_t n = sum->n;
    if (sum->krylov)
        return gt_krylov_sum(sum->krylov, n, sum->product, sum->ctx, h, highest, b, sum->tolerance,
                             out);
    gt_status status = gt_phi_evaluate(&sum->phi, sum->A, h);
    if (status) return status;
    memset(out, 0, n * sizeof *out);
    double power = 1;
    for (int k = 0; k <= highest; k++, power *= h)
        if (b[k]) gt_dense_apply(n, sum->phi.value[k], power, b[k], out);
    return GT_OK;
}
