/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The fast block about the accepted point; definitions in exponential.h. Nothing here depends on the step, so that all
 * trials of a step share it.
 *
 * When is g_z too near to a singular one? In its inverse no digit is right once its condition is 1e13. But before that
 * there is no manifold left to go along: y' = A y with A = g_z + g_z^-1 g_x f_z, and at a fold of the manifold the
 * second part, the rate at which the manifold itself runs away, outgrows the first. So the separation is the spectral
 * radius of K = g_z^-1 g_z^-1 g_x f_z, estimated as |K^4|^(1/4), which units of the fast states do not change much;
 * beyond 1 the fast block is not fast.
 */
#include "core/column.h"
#include "methods/exponential.h"
#include <math.h>
#include <string.h>

#define WORST_CONDITION 1e13
#define NO_SEPARATION 1.0

static gt_range slow_of(const gt_fast_block *w) { return (gt_range){0, w->n_slow}; }
static gt_range fast_of(const gt_fast_block *w) { return (gt_range){w->n_slow, w->n_slow + w->m}; }

/* The pattern of g_z inside a sparse J. */
static gt_pattern fast_pattern(const gt_fast_block *w, const gt_pattern *of_J, gt_arena *arena)
{
    size_t n = w->n_slow + w->m, entries = 0;
    for (size_t j = w->n_slow; j < n; j++) {
        gt_column c = gt_column_of(of_J, n, j);
        for (size_t k = 0; k < c.count; k++) entries += gt_column_row(&c, k) >= w->n_slow;
    }
    int *colptr = gt_arena_take(arena, w->m + 1, sizeof *colptr);
    int *rowindex = gt_arena_take(arena, entries, sizeof *rowindex);
    gt_pattern p = {.storage = GT_CSC, .colptr = colptr, .rowindex = rowindex, .entries = entries};
    if (gt_arena_measuring(arena) || arena->failed) return p;
    for (size_t j = 0; j < w->m; j++) {
        gt_column c = gt_column_of(of_J, n, w->n_slow + j);
        colptr[j + 1] = colptr[j];
        for (size_t k = 0; k < c.count; k++) {
            size_t row = gt_column_row(&c, k);
            if (row >= w->n_slow) rowindex[colptr[j + 1]++] = (int)(row - w->n_slow);
        }
    }
    return p;
}

static gt_status times_gz(const double *v, double *out, void *ctx)
{
    const gt_fast_block *w = ctx;
    gt_matrix_multiply(&w->gz, v, 0, out);
    return GT_OK;
}

/* g_z^-1 g_x v */
static void slope_of_manifold(const gt_fast_block *w, const double *v, double *out)
{
    gt_block_multiply(&w->J, fast_of(w), slow_of(w), v, out);
    gt_lu_solve(&w->lu, out);
}

static gt_status times_A(const double *v, double *out, void *ctx)
{
    const gt_fast_block *w = ctx;
    gt_fast_block_fz(w, v, w->product);
    slope_of_manifold(w, w->product, out);
    gt_matrix_multiply(&w->gz, v, 1, out);
    return GT_OK;
}

void gt_fast_block_layout(gt_fast_block *w, const gt_problem *p, size_t dense_limit, bool with_gz, gt_arena *arena)
{
    size_t n_slow = p->n_slow, m = p->n_fast, n = n_slow + m;
    *w = (gt_fast_block){.n_slow = n_slow, .m = m, .dense = m <= dense_limit};
    gt_jacobian_layout(&w->jac, p, arena);
    gt_matrix_layout(&w->J, n, p->jac_pattern, false, arena);
    gt_pattern of_gz = {.storage = GT_DENSE};
    if (!w->dense && p->jac_pattern.storage != GT_DENSE) of_gz = fast_pattern(w, &p->jac_pattern, arena);
    gt_matrix_layout(&w->gz, m, of_gz, false, arena);
    gt_lu_layout(&w->lu, &w->gz, arena);
    if (w->dense) w->A = gt_arena_doubles(arena, m * m);
    w->f_t = gt_arena_doubles(arena, n);
    w->sigma = gt_arena_doubles(arena, m);
    w->u0 = gt_arena_doubles(arena, m);
    w->q0 = gt_arena_doubles(arena, n_slow);
    gt_phi_sum_layout(&w->of_A, m, 3, w->dense, arena);
    gt_phi_sum_layout(&w->inside, m, 3, w->dense, arena);
    w->of_A.A = w->inside.A = w->A;
    w->of_A.product = w->inside.product = times_A;
    w->of_A.ctx = w->inside.ctx = w->of_gz.ctx = w;
    if (with_gz) {
        gt_phi_sum_layout(&w->of_gz, m, 2, w->dense, arena);
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
            memcpy(w->gz.values + j * w->m, w->J.values + c.index + w->n_slow, w->m * sizeof(double));
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
    gt_jacobian_prepare(&w->jac, s->problem);
    if (w->gz.pattern.storage != GT_CSC) return GT_OK;
    gt_status status = gt_jacobian_evaluate(&w->jac, s, s->t, s->x, &w->J);
    if (status) return gt_fail(&s->message, status < 0 ? status : GT_RHS_FAILED, "no Jacobian at the start");
    copy_gz(w);
    status = gt_lu_analyse(&w->lu, &w->gz);
    return status > 0 ? GT_OK : status; /* a singular one is for the first step to report */
}

static double largest(const double *v, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        if (!(fabs(v[i]) <= most)) most = fabs(v[i]);
    return most;
}

/* How large the inverse of g_z is, and where: column by column, or for large blocks on one vector of signs. */
static double inverse_size(gt_fast_block *w)
{
    size_t m = w->m;
    double *row = w->fast, *v = w->fast2, most = 0;
    memset(row, 0, m * sizeof *row);
    for (size_t j = 0; j < (w->dense ? m : 1); j++) {
        for (size_t i = 0; i < m; i++) v[i] = w->dense ? i == j : (i % 3 ? 1 : -1);
        gt_lu_solve(&w->lu, v);
        for (size_t i = 0; i < m; i++) row[i] += fabs(v[i]);
    }
    for (size_t i = 0; i < m; i++)
        if (!(row[i] <= most)) most = row[i], w->weakest = i;
    return most;
}

/* Column j of f_z, or f_z times a vector of ones, into `product`. */
static void column_of_fz(gt_fast_block *w, size_t j)
{
    if (!w->dense) {
        for (size_t i = 0; i < w->m; i++) w->fast[i] = 1;
        gt_fast_block_fz(w, w->fast, w->product);
        return;
    }
    gt_column c = gt_column_of(&w->J.pattern, w->n_slow + w->m, w->n_slow + j);
    memset(w->product, 0, w->n_slow * sizeof(double));
    for (size_t k = 0; k < c.count; k++) {
        size_t row = gt_column_row(&c, k);
        if (row < w->n_slow) w->product[row] = w->J.values[c.index + k];
    }
}

/* A = g_z + B, B = g_z^-1 g_x f_z, and the separation; for large blocks from what K does to one vector. */
static void add_slope(gt_fast_block *w)
{
    size_t m = w->m;
    double size = 0;
    w->separation = 0;
    for (size_t j = 0; j < m && w->dense; j++) {
        column_of_fz(w, j);
        slope_of_manifold(w, w->product, w->A + j * m);
        size = fmax(size, largest(w->A + j * m, m));
    }
    /* |K^4 v|: B, then g_z^-1, four times. */
    double *v = w->fast2, most = 0;
    for (size_t j = 0; j < (w->dense ? m : 1) && (size > 0 || !w->dense); j++) {
        for (size_t i = 0; i < m; i++) v[i] = w->dense ? i == j : 1;
        for (int power = 0; power < 4; power++) {
            gt_fast_block_fz(w, v, w->product);
            slope_of_manifold(w, w->product, v);
            gt_lu_solve(&w->lu, v);
        }
        most = fmax(most, largest(v, m));
    }
    w->separation = sqrt(sqrt(most));
    for (size_t i = 0; i < m * m && w->dense; i++) w->A[i] += w->gz.values[i];
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
    gt_status status = gt_slope(s);
    if (status || w->known) return status;
    status = gt_jacobian_evaluate(&w->jac, s, s->t, s->x, &w->J);
    if (!status) status = gt_time_derivative(s, w->f_t);
    if (!status) status = gt_check_linear(s, &w->J, w->f_t);
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
    return GT_OK;
}

bool gt_fast_block_is_singular(const gt_fast_block *w) { return w->singular || !(w->separation <= NO_SEPARATION); }

void gt_fast_block_manifold(gt_fast_block *w, const gt_stepper *s, double dt, const double *X, double *out)
{
    const double *z = s->x + w->n_slow, *g_t = w->f_t + w->n_slow;
    for (size_t i = 0; i < w->n_slow; i++) w->slow[i] = X[i] - s->x[i];
    gt_block_multiply(&w->J, fast_of(w), slow_of(w), w->slow, out);
    for (size_t i = 0; i < w->m; i++) out[i] += dt * g_t[i];
    gt_lu_solve(&w->lu, out);
    for (size_t i = 0; i < w->m; i++) out[i] = z[i] - w->sigma[i] - out[i];
}

void gt_fast_block_fz(const gt_fast_block *w, const double *v, double *out)
{
    gt_block_multiply(&w->J, slow_of(w), fast_of(w), v, out);
}

void gt_fast_block_drive(gt_fast_block *w, const double *q, double *u)
{
    const double *g_t = w->f_t + w->n_slow;
    gt_block_multiply(&w->J, fast_of(w), slow_of(w), q, u);
    for (size_t i = 0; i < w->m; i++) u[i] += g_t[i];
    gt_lu_solve(&w->lu, u);
}

void gt_fast_block_reduced(gt_fast_block *w, const double *v, double *out)
{
    slope_of_manifold(w, v, w->fast);
    gt_fast_block_fz(w, w->fast, w->slow);
    gt_block_multiply(&w->J, slow_of(w), slow_of(w), v, out);
    for (size_t i = 0; i < w->n_slow; i++) out[i] -= w->slow[i];
}
