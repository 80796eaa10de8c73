/* SPDX-License-Identifier: BSD-3-Clause */
/* The step of the exponential Rosenbrock methods; the mathematics is in exprb.c. */
#include "base/finite.h"
#include "kit/exponential.h"
#include "linalg/balance.h"
#include "linalg/column.h"
#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

static gt_status time_derivative(gt_stepper *s, double *f_t)
{
    const gt_problem *p = s->problem;
    if (p->autonomous) return GT_OK; /* f_t came from the arena as zeros */
    gt_status exact = p->rhs_t ? p->rhs_t(s->t, s->x, f_t, p->ctx) : GT_TRY_RHS;
    if (exact < 0 || (!exact && gt_all_finite(f_t, s->n))) return exact;
    /* Of the size of the time that has passed, but above the round-off of t, and within the
     * interval. */
    double span = isfinite(p->t1) ? p->t1 - p->t0 : fmax(1, fabs(p->t0));
    double end = fmin(s->t_cap, p->t1);
    double size = sqrt(DBL_EPSILON) * fmax(fmin(fabs(s->t), span), 1e-3 * span);
    size = fmax(size, 256 * DBL_EPSILON * fabs(s->t));
    if (s->t + size > end) size = -size;
    double later = s->t + (size != 0 ? size : sqrt(DBL_EPSILON)), step = later - s->t;
    gt_status status = gt_rhs(s, later, s->x, f_t);
    for (size_t i = 0; i < s->n && !status; i++) f_t[i] = (f_t[i] - s->f[i]) / step;
    return status;
}

static gt_status check_linear(gt_stepper *s, const gt_matrix *J, const double *f_t)
{
    if (gt_all_finite(s->f, s->n) && gt_all_finite(f_t, s->n) &&
        (!J || gt_all_finite(J->values, gt_matrix_entries(J))))
        return GT_OK;
    s->f_known = false;
    return GT_TRY_NOT_FINITE;
}

gt_status gt_linear_at(gt_stepper *s, const gt_jacobian *jac, gt_matrix *J, double *f_t,
                       bool *known)
{
    assert(s && jac && f_t && known);
    assert(!J || J->n == s->n);
    gt_status status = gt_slope(s);
    if (!status && !*known && J) status = gt_jacobian_evaluate(jac, s, s->t, s->x, J);
    if (!status && !*known) status = time_derivative(s, f_t);
    if (!status && !*known) status = check_linear(s, J, f_t);
    *known = !status;
    return status;
}

void gt_columns_multiply(const double *restrict columns, size_t stride, size_t rows, size_t count,
                         const double *restrict v, double *restrict out)
{
    assert(columns && v && out);
    assert(stride >= rows);
    assert(v != out);
    memset(out, 0, rows * sizeof *out);
    for (size_t j = 0; j < count; j++)
        for (size_t i = 0; i < rows; i++) out[i] += columns[j * stride + i] * v[j];
}

void gt_block_multiply(const gt_matrix *A, gt_range rows, gt_range columns, const double *v,
                       double *out)
{
    assert(A && v && out);
    assert(v != out);
    size_t n_rows = rows.to - rows.from;
    if (A->pattern.storage == GT_DENSE) {
        const double *first = A->values + columns.from * A->n + rows.from;
        gt_columns_multiply(first, A->n, n_rows, columns.to - columns.from, v, out);
        return;
    }
    memset(out, 0, n_rows * sizeof *out);
    for (size_t j = columns.from; j < columns.to; j++) {
        gt_column column = gt_column_of(&A->pattern, A->n, j);
        for (size_t k = 0; k < column.count; k++) {
            size_t row = gt_column_row(&column, k);
            if (row >= rows.from && row < rows.to)
                out[row - rows.from] += A->values[column.index + k] * v[j - columns.from];
        }
    }
}

static gt_status times_J(const double *restrict v, double *restrict out, void *ctx)
{
    const gt_exprb *w = ctx;
    const double *restrict values = w->row_values;
    const int *restrict column = w->row_column;
    for (size_t i = 0; i < w->n; i++) {
        double sum = 0;
        for (int k = w->row_start[i]; k < w->row_start[i + 1]; k++) sum += values[k] * v[column[k]];
        out[i] = sum;
    }
    return GT_OK;
}

/* D^-1 J D by rows, D the units of the Krylov space. */
static void balance(gt_exprb *w, const double *unit)
{
    int *start = w->row_start;
    memset(start, 0, (w->n + 1) * sizeof *start);
    for (size_t j = 0; j < w->n; j++) {
        gt_column column = gt_column_of(&w->J->pattern, w->n, j);
        for (size_t k = 0; k < column.count; k++) start[gt_column_row(&column, k) + 1]++;
    }
    for (size_t i = 0; i < w->n; i++) start[i + 1] += start[i];
    for (size_t j = 0; j < w->n; j++) {
        gt_column column = gt_column_of(&w->J->pattern, w->n, j);
        for (size_t k = 0; k < column.count; k++) {
            size_t i = gt_column_row(&column, k);
            int at = start[i]++;
            w->row_column[at] = (int)j;
            w->row_values[at] = w->J->values[column.index + k] * unit[j] / unit[i];
        }
    }
    memmove(start + 1, start, w->n * sizeof *start); /* each was moved to the next one's */
    start[0] = 0;
}

void gt_exprb_layout(gt_exprb *w, const gt_matrix *J, int highest_order, bool dense,
                     gt_krylov *krylov, gt_arena *arena)
{
    assert(w && J && arena);
    assert(highest_order >= 2 && highest_order <= 4);
    assert(dense || krylov);
    size_t n = J->n;
    bool four = highest_order == 4;
    gt_krylov *only = dense ? NULL : krylov;
    *w = (gt_exprb){.n = n, .J = J, .dense = dense, .krylov = krylov};
    gt_phi_sum_layout(&w->sum, n, four ? 4 : 3, only, arena);
    gt_phi_sum_layout(&w->inside, n, four ? 4 : 3, only, arena);
    if (four && dense) gt_phi_keep_half(&w->sum.phi, arena);
    if (dense && J->pattern.storage != GT_DENSE) w->dense_J = gt_arena_doubles(arena, n * n);
    if (krylov) {
        size_t entries = gt_pattern_inside(&J->pattern, n);
        w->row_values = gt_arena_doubles(arena, entries);
        w->row_start = gt_arena_take(arena, n + 1, sizeof(int));
        w->row_column = gt_arena_take(arena, entries, sizeof(int));
    }
    double **vectors[] = {&w->D, &w->b, &w->at, &w->b3, &w->D2, &w->b4};
    for (int k = 0; k < (four ? 6 : 4); k++) *vectors[k] = gt_arena_doubles(arena, n);
    w->f_t = w->D; /* until there is one */
    gt_phi_sum *sums[] = {&w->sum, &w->inside};
    for (int k = 0; k < 2; k++) {
        sums[k]->A = w->dense_J ? w->dense_J : J->values;
        sums[k]->product = times_J;
        sums[k]->ctx = w;
        sums[k]->krylov = krylov;
        sums[k]->dense = dense;
    }
}

static void unpack(const gt_exprb *w)
{
    if (!w->dense_J) return;
    memset(w->dense_J, 0, w->n * w->n * sizeof(double));
    for (size_t j = 0; j < w->n; j++) {
        gt_column column = gt_column_of(&w->J->pattern, w->n, j);
        for (size_t k = 0; k < column.count; k++)
            w->dense_J[j * w->n + gt_column_row(&column, k)] = w->J->values[column.index + k];
    }
}

/* Operations of a step h by dense functions over those in Krylov spaces, whose vectors are about as
 * many as h |J| and some; products of dense matrices run several times as fast as vectors do. */
static bool krylov_takes_less(const gt_exprb *w, double h, double norm)
{
    double n = (double)w->n, reach = fabs(h) * norm, cube = 2 * n * n * n / 4;
    double dense = cube * (10 + 5 * fmax(log2(reach / 2), 1));
    double vector = 2 * (double)gt_pattern_inside(&w->J->pattern, w->n) + 16 * n + 5000;
    return 4 * (1.3 * reach + 15) * vector < dense;
}

/* Which way a step h from x goes. In controlled runs the functions in Krylov spaces need not be
 * much better than the step: a small part of the tolerance of each state. */
static void begin(gt_exprb *w, const gt_stepper *s, double h, const double *x)
{
    gt_krylov *k = w->krylov;
    if (k) {
        double norm = gt_balance_units(w->J, k->unit, k->basis);
        k->balanced = true;
        bool small = w->dense && !krylov_takes_less(w, h, norm);
        w->sum.dense = w->inside.dense = small;
    }
    if (w->sum.dense) {
        unpack(w);
        return;
    }
    balance(w, k->unit);
    w->sum.tolerance = w->inside.tolerance = s->rtol > 0 ? 1e-14 : 1e-13;
    k->scaled = s->rtol > 0;
    k->enough = 1e-2 * sqrt((double)w->n);
    for (size_t i = 0; i < w->n && k->scaled; i++) k->weight[i] = gt_weight(s, i, x[i]);
}

/* x + h phi_1 f + h^2 phi_2 f_t, and the same for h/2 where there is a place for it */
static gt_status second_order(gt_exprb *w, gt_stepper *s, gt_phi_sum *sum, double h,
                              const double *x, double *half, double *out)
{
    const double *const b[] = {NULL, s->f, s->problem->autonomous ? NULL : w->f_t};
    sum->follows = false;
    gt_status status = gt_phi_sum_halves(sum, h, b[2] ? 2 : 1, b, half, out);
    sum->follows = true;
    for (size_t i = 0; i < w->n; i++) out[i] += x[i];
    for (size_t i = 0; i < w->n && half; i++) half[i] += x[i];
    return status;
}

/* D = f(t + ch, U) - f - J (U - x) - ch f_t */
static gt_status beyond_linear(gt_exprb *w, gt_stepper *s, double ch, const double *x,
                               const double *U, double *D)
{
    gt_status status = gt_rhs(s, s->t + ch, U, D);
    for (size_t i = 0; i < w->n; i++) w->b[i] = U[i] - x[i];
    gt_matrix_multiply(w->J, w->b, 0, w->b3);
    for (size_t i = 0; i < w->n; i++) D[i] -= s->f[i] + w->b3[i] + ch * w->f_t[i];
    return status;
}

gt_status gt_exprb_step(gt_exprb *w, gt_stepper *s, const double *f_t, double h, const double *x,
                        double *x_new, double *correction)
{
    assert(w && s && f_t && x && x_new);
    assert(w->n == s->n);
    assert(x != x_new);
    begin(w, s, h, x);
    w->f_t = f_t;
    gt_status status = second_order(w, s, &w->sum, h, x, NULL, x_new);
    if (status || !correction) return status;
    status = beyond_linear(w, s, h, x, x_new, w->D);
    if (status) return status;
    for (size_t i = 0; i < w->n; i++) w->b3[i] = 2 / (h * h) * w->D[i];
    const double *const b[] = {NULL, NULL, NULL, w->b3};
    return gt_phi_sum_evaluate(&w->sum, h, 3, b, correction);
}

gt_status gt_exprb_look_inside(gt_exprb *w, gt_stepper *s, double h, double theta, const double *x,
                               double *scratch, double *err)
{
    assert(w && s && x && scratch && err);
    assert(theta > 0 && theta < 1);
    assert(scratch != err);
    double part = theta * h;
    const double *const b[] = {NULL, NULL, NULL, w->b3};
    gt_status status = second_order(w, s, &w->inside, part, x, NULL, w->at);
    if (!status) status = beyond_linear(w, s, part, x, w->at, scratch);
    for (size_t i = 0; i < w->n; i++) w->b3[i] = 2 / (part * part) * scratch[i];
    if (!status) status = gt_phi_sum_evaluate(&w->inside, part, 3, b, w->at);
    for (size_t i = 0; i < w->n; i++) {
        err[i] = fmax(fabs(err[i]), fabs(w->at[i]));
        w->b3[i] = 2 / (h * h) * w->D[i]; /* as the step left it, for dense output */
    }
    return status;
}

/* D grows like c2 tau^2 + c3 tau^3, tau = (t - t_n)/h, through its values in the middle and at the
 * end. */
gt_status gt_exprb_step_of_four(gt_exprb *w, gt_stepper *s, const double *f_t, double h,
                                const double *x, double *x_new, double *last)
{
    assert(w && s && f_t && x && x_new);
    assert(w->b3 && w->b4);
    assert(x != x_new && x_new != last);
    begin(w, s, h, x);
    w->f_t = f_t;
    const double *const pushed[] = {NULL, w->D2}, *const both[] = {NULL, NULL, NULL, w->b3, w->b4};
    const double *const fourth[] = {NULL, NULL, NULL, NULL, w->b4};
    gt_status status = second_order(w, s, &w->sum, h, x, w->at, x_new);
    if (!status) status = beyond_linear(w, s, h / 2, x, w->at, w->D2);
    if (!status) status = gt_phi_sum_evaluate(&w->sum, h, 1, pushed, w->at);
    if (status) return status;
    for (size_t i = 0; i < w->n; i++) w->at[i] += x_new[i];
    status = beyond_linear(w, s, h, x, w->at, w->D);
    for (size_t i = 0; i < w->n; i++) {
        w->b3[i] = 2 / (h * h) * (8 * w->D2[i] - w->D[i]);
        w->b4[i] = 6 / (h * h * h) * (2 * w->D[i] - 8 * w->D2[i]);
    }
    if (!status) status = gt_phi_sum_evaluate(&w->sum, h, 4, both, w->at);
    for (size_t i = 0; i < w->n; i++) x_new[i] += w->at[i];
    if (status || !last) return status;
    /* Only its size counts. */
    if (w->krylov) w->krylov->enough *= 10;
    status = gt_phi_sum_evaluate(&w->sum, h, 4, fourth, last);
    if (w->krylov) w->krylov->enough /= 10;
    return status;
}

gt_status gt_exprb_interpolate(gt_exprb *w, gt_stepper *s, double h, double theta, int carried,
                               double *x)
{
    assert(w && s && x);
    assert(w->n == s->n);
    if (theta == 0 || theta == 1) {
        memcpy(x, theta == 0 ? s->x : s->x_new, w->n * sizeof *x);
        return GT_OK;
    }
    gt_status status = second_order(w, s, &w->inside, theta * h, s->x, NULL, x);
    if (status || carried == 2) return status;
    const double *const b[] = {NULL, NULL, NULL, w->b3, w->b4};
    status = gt_phi_sum_evaluate(&w->inside, theta * h, carried, b, w->at);
    for (size_t i = 0; i < w->n; i++) x[i] += w->at[i];
    return status;
}
