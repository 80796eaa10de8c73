/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The fast block about the accepted point; definitions in exponential.h. Nothing here depends on
 * the step, so that all trials of a step share it.
 *
 * When is g_z too near to a singular one? In its inverse no digit is right once its condition is
 * 1e13. But before that there is no manifold left to go along: y' = A y with A = g_z + g_z^-1 g_x
 * f_z, and at a fold of the manifold the second part, the rate at which the manifold itself runs
 * away, outgrows the first. So the separation is the spectral radius of K = g_z^-1 g_z^-1 g_x f_z,
 * estimated as |K^4|^(1/4), which units of the fast states do not change much; beyond 1 the fast
 * block is not fast.
 */
#include "base/finite.h"
#include "kit/exponential.h"
#include "linalg/column.h"
#include "linalg/dense.h"
#include <assert.h>
#include <math.h>
#include <string.h>

#define WORST_CONDITION 1e13
#define NO_SEPARATION 1.0

static gt_range slow_of(const gt_fast_block *w) { return (gt_range){0, w->n_slow}; }
static gt_range fast_of(const gt_fast_block *w) { return (gt_range){w->n_slow, w->n_slow + w->m}; }

/* The pattern of g_z inside a sparse J. */
static gt_pattern fast_pattern(const gt_fast_block *w, const gt_pattern *of_J, gt_arena *arena)
{
    size_t n = w->n_slow + w->m,
           entries = gt_pattern_part(of_J, n, fast_of(w), fast_of(w), NULL, NULL, NULL);
    int *colptr = gt_arena_take(arena, w->m + 1, sizeof *colptr);
    int *rowindex = gt_arena_take(arena, entries, sizeof *rowindex);
    if (!gt_arena_measuring(arena) && !arena->failed)
        gt_pattern_part(of_J, n, fast_of(w), fast_of(w), colptr, rowindex, NULL);
    return (gt_pattern){
        .storage = GT_CSC, .colptr = colptr, .rowindex = rowindex, .entries = entries};
}

/* Into the units of the Krylov space and back, where it has some. */
static const double *plain(const gt_fast_block *w, const double *v)
{
    const gt_krylov *k = w->of_A.krylov;
    if (!k->balanced) return v;
    for (size_t i = 0; i < w->m; i++) k->v[i] = v[i] * k->unit[i];
    return k->v;
}

static gt_status in_units(const gt_fast_block *w, double *out)
{
    const gt_krylov *k = w->of_A.krylov;
    for (size_t i = 0; i < w->m && k->balanced; i++) out[i] /= k->unit[i];
    return GT_OK;
}

static gt_status times_gz(const double *v, double *out, void *ctx)
{
    const gt_fast_block *w = ctx;
    gt_matrix_multiply(&w->gz, plain(w, v), 0, out);
    return in_units(w, out);
}

void gt_fast_block_slope(const gt_fast_block *w, const double *v, double *out)
{
    assert(w && v && out);
    assert(v != out);
    if (w->dense) {
        gt_columns_multiply(w->slope, w->m, w->m, w->n_slow, v, out);
        return;
    }
    gt_block_multiply(&w->J, fast_of(w), slow_of(w), v, out);
    gt_lu_solve(&w->lu, out);
}

static gt_status times_A(const double *v, double *out, void *ctx)
{
    const gt_fast_block *w = ctx;
    const double *x = plain(w, v);
    gt_fast_block_fz(w, x, w->product);
    gt_fast_block_slope(w, w->product, out);
    gt_matrix_multiply(&w->gz, x, 1, out);
    return in_units(w, out);
}

void gt_fast_block_layout(gt_fast_block *w, const gt_problem *p, bool with_gz, gt_krylov *krylov,
                          gt_arena *arena)
{
    assert(w && p && arena);
    assert(p->n_slow && p->n_fast);
    size_t n_slow = p->n_slow, m = p->n_fast, n = n_slow + m;
    *w = (gt_fast_block){.n_slow = n_slow, .m = m, .dense = !krylov};
    gt_jacobian_layout(&w->jac, p, arena);
    gt_matrix_layout(&w->J, n, p->jac_pattern, false, arena);
    gt_pattern of_gz = {.storage = GT_DENSE};
    if (!w->dense && p->jac_pattern.storage != GT_DENSE)
        of_gz = fast_pattern(w, &p->jac_pattern, arena);
    gt_matrix_layout(&w->gz, m, of_gz, false, arena);
    gt_lu_layout(&w->lu, &w->gz, arena);
    if (w->dense) {
        w->A = gt_arena_doubles(arena, m * m);
        w->slope = gt_arena_doubles(arena, m * n_slow);
        w->work[0] = gt_arena_doubles(arena, m * m);
        w->work[1] = gt_arena_doubles(arena, m * m);
        w->drift = gt_arena_doubles(arena, m);
    }
    w->f_t = gt_arena_doubles(arena, n);
    w->sigma = gt_arena_doubles(arena, m);
    w->u0 = gt_arena_doubles(arena, m);
    w->q0 = gt_arena_doubles(arena, n_slow);
    gt_phi_sum_layout(&w->of_A, m, 3, krylov, arena);
    gt_phi_sum_layout(&w->inside, m, 3, krylov, arena);
    w->of_A.A = w->inside.A = w->A;
    w->of_A.product = w->inside.product = times_A;
    w->of_A.ctx = w->inside.ctx = w->of_gz.ctx = w;
    if (with_gz) {
        gt_phi_sum_layout(&w->of_gz, m, 2, krylov, arena);
        w->of_gz.A = w->gz.values;
        w->of_gz.product = times_gz;
        w->of_gz.ctx = w;
    }
    w->slow = gt_arena_doubles(arena, n_slow);
    w->slow2 = gt_arena_doubles(arena, n_slow);
    w->fast = gt_arena_doubles(arena, m);
    w->fast2 = gt_arena_doubles(arena, m);
    w->product = gt_arena_doubles(arena, n_slow);
    w->point = gt_arena_doubles(arena, n);
}

static void copy_gz(gt_fast_block *w)
{
    size_t n = w->n_slow + w->m, e = 0;
    if (w->gz.pattern.storage == GT_DENSE) gt_matrix_clear(&w->gz);
    for (size_t j = 0; j < w->m; j++) {
        gt_column c = gt_column_of(&w->J.pattern, n, w->n_slow + j);
        if (w->J.pattern.storage == GT_DENSE) {
            memcpy(w->gz.values + j * w->m, w->J.values + c.index + w->n_slow,
                   w->m * sizeof(double));
            continue;
        }
        for (size_t k = 0; k < c.count; k++) {
            size_t row = gt_column_row(&c, k);
            if (row < w->n_slow) continue;
            w->gz.values[w->dense ? j * w->m + row - w->n_slow : e++] = w->J.values[c.index + k];
        }
    }
}

gt_status gt_fast_block_prepare(gt_fast_block *w, gt_stepper *s)
{
    assert(w && s);
    gt_jacobian_prepare(&w->jac, s->problem);
    if (w->gz.pattern.storage != GT_CSC) return GT_OK;
    gt_status status = gt_jacobian_evaluate(&w->jac, s, s->t, s->x, &w->J);
    if (status)
        return gt_fail(&s->message, status < 0 ? status : GT_RHS_FAILED,
                       "no Jacobian at the start");
    copy_gz(w);
    return gt_lu_ready(gt_lu_analyse(&w->lu, &w->gz),
                       &s->message); /* a singular one is for the first step to report */
}

/* Entries `rows` of column j of J. */
static void column_of(const gt_fast_block *w, size_t j, gt_range rows, double *out)
{
    gt_column c = gt_column_of(&w->J.pattern, w->n_slow + w->m, j);
    memset(out, 0, (rows.to - rows.from) * sizeof *out);
    for (size_t k = 0; k < c.count; k++) {
        size_t row = gt_column_row(&c, k);
        if (row >= rows.from && row < rows.to) out[row - rows.from] = w->J.values[c.index + k];
    }
}

/* The inverse of g_z into work[0], column by column, or for large blocks what it does to one vector
 * of signs: how large it is, and where. */
static double inverse_size(gt_fast_block *w)
{
    size_t m = w->m;
    double *row = w->fast, most = 0;
    memset(row, 0, m * sizeof *row);
    for (size_t j = 0; j < (w->dense ? m : 1); j++) {
        double *v = w->dense ? w->work[0] + j * m : w->fast2;
        for (size_t i = 0; i < m; i++) v[i] = w->dense ? i == j : (i % 3 ? 1 : -1);
        gt_lu_solve(&w->lu, v);
        for (size_t i = 0; i < m; i++) row[i] += fabs(v[i]);
    }
    for (size_t i = 0; i < m; i++)
        if (!(row[i] <= most)) most = row[i], w->weakest = i;
    return most;
}

/* |K^4 v| for a vector of ones: B, then g_z^-1, four times. */
static double separation_of_large(gt_fast_block *w)
{
    double *v = w->fast2;
    for (size_t i = 0; i < w->m; i++) v[i] = 1;
    for (int power = 0; power < 4; power++) {
        gt_fast_block_fz(w, v, w->product);
        gt_fast_block_slope(w, w->product, v);
        gt_lu_solve(&w->lu, v);
    }
    return sqrt(sqrt(gt_largest(v, w->m)));
}

/* g_z^-1 g_x and g_z^-1 g_t; A = g_z + B, B = g_z^-1 g_x f_z; and the separation from K = g_z^-1 B.
 */
static void add_slope(gt_fast_block *w)
{
    size_t m = w->m;
    double *K = w->work[1], *square = w->work[0];
    if (!w->dense) {
        w->separation = separation_of_large(w);
        return;
    }
    for (size_t j = 0; j < w->n_slow; j++) {
        column_of(w, j, fast_of(w), w->slope + j * m);
        gt_lu_solve(&w->lu, w->slope + j * m);
    }
    memcpy(w->drift, w->f_t + w->n_slow, m * sizeof *w->drift);
    gt_lu_solve(&w->lu, w->drift);
    for (size_t j = 0; j < m; j++) {
        column_of(w, w->n_slow + j, slow_of(w), w->product);
        gt_fast_block_slope(w, w->product, w->A + j * m);
    }
    w->separation = 0;
    if (gt_largest(w->A, m * m) > 0) { /* work[0] is the inverse of g_z until K is known */
        gt_dense_product(m, w->work[0], w->A, K);
        gt_dense_product(m, K, K, square);
        gt_dense_product(m, square, square, K);
        w->separation = sqrt(sqrt(gt_largest(K, m * m)));
    }
    for (size_t i = 0; i < m * m; i++) w->A[i] += w->gz.values[i];
}

/* sigma, q0 and u0. */
static void find_start(gt_fast_block *w, const gt_stepper *s)
{
    memcpy(w->sigma, s->f + w->n_slow, w->m * sizeof *w->sigma);
    gt_lu_solve(&w->lu, w->sigma);
    gt_fast_block_fz(w, w->sigma, w->q0);
    for (size_t i = 0; i < w->n_slow; i++) w->q0[i] = s->f[i] - w->q0[i];
    gt_fast_block_drive(w, w->q0, w->u0);
}

gt_status gt_fast_block_at(gt_fast_block *w, gt_stepper *s)
{
    assert(w && s);
    assert(w->n_slow + w->m == s->n);
    if (w->known) return gt_slope(s);
    bool linear = false;
    gt_status status = gt_linear_at(s, &w->jac, &w->J, w->f_t, &linear);
    if (status) return status;
    copy_gz(w);
    s->stats.factorizations++;
    status = gt_lu_factor(&w->lu, &w->gz);
    if (status < 0) return status;
    w->singular = status != GT_OK;
    w->known = true;
    if (w->singular) return GT_OK;
    double size = 0;
    for (size_t k = 0; k < gt_matrix_entries(&w->gz); k++) size = fmax(size, fabs(w->gz.values[k]));
    w->singular = !(inverse_size(w) * size < WORST_CONDITION);
    add_slope(w);
    find_start(w, s);
    double tolerance = s->rtol > 0 ? fmax(1e-3 * s->rtol, 1e-14) : 1e-13;
    w->of_A.tolerance = w->of_gz.tolerance = w->inside.tolerance = tolerance;
    gt_krylov *k = w->of_A.krylov;
    if (k) k->scaled = k->balanced = s->rtol > 0;
    for (size_t i = 0; k && k->scaled && i < w->m; i++)
        k->unit[i] = k->weight[i] = gt_weight(s, w->n_slow + i, s->x[w->n_slow + i]);
    return GT_OK;
}

bool gt_fast_block_is_singular(const gt_fast_block *w)
{
    return w->singular || !(w->separation <= NO_SEPARATION);
}

void gt_fast_block_manifold(gt_fast_block *w, const gt_stepper *s, double dt, const double *X,
                            double *out)
{
    assert(w && s && X && out);
    assert(X != out);
    const double *z = s->x + w->n_slow, *g_t = w->f_t + w->n_slow;
    for (size_t i = 0; i < w->n_slow; i++) w->slow[i] = X[i] - s->x[i];
    if (w->dense) {
        gt_fast_block_slope(w, w->slow, out);
        for (size_t i = 0; i < w->m; i++) out[i] = z[i] - w->sigma[i] - out[i] - dt * w->drift[i];
        return;
    }
    gt_block_multiply(&w->J, fast_of(w), slow_of(w), w->slow, out);
    for (size_t i = 0; i < w->m; i++) out[i] += dt * g_t[i];
    gt_lu_solve(&w->lu, out);
    for (size_t i = 0; i < w->m; i++) out[i] = z[i] - w->sigma[i] - out[i];
}

void gt_fast_block_fz(const gt_fast_block *w, const double *v, double *out)
{
    assert(w && v && out);
    assert(v != out);
    gt_block_multiply(&w->J, slow_of(w), fast_of(w), v, out);
}

void gt_fast_block_drive(gt_fast_block *w, const double *q, double *u)
{
    assert(w && q && u);
    assert(q != u);
    const double *g_t = w->f_t + w->n_slow;
    if (w->dense) {
        gt_fast_block_slope(w, q, u);
        for (size_t i = 0; i < w->m; i++) u[i] += w->drift[i];
        return;
    }
    gt_block_multiply(&w->J, fast_of(w), slow_of(w), q, u);
    for (size_t i = 0; i < w->m; i++) u[i] += g_t[i];
    gt_lu_solve(&w->lu, u);
}

void gt_fast_block_reduced(gt_fast_block *w, const double *v, double *out)
{
    assert(w && v && out);
    assert(v != out);
    gt_fast_block_slope(w, v, w->fast);
    gt_fast_block_fz(w, w->fast, w->slow);
    gt_block_multiply(&w->J, slow_of(w), slow_of(w), v, out);
    for (size_t i = 0; i < w->n_slow; i++) out[i] -= w->slow[i];
}
