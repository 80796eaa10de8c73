/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The linear model about a point and its modes. Participation of state i in mode k is |w_i v_i|
 * with v the right and w the left eigenvector, divided by the sum over i (Perez-Arriaga, Verghese,
 * Schweppe 1982, in absolute values).
 */
#include "base/sized.h"
#include "implicit/evaluator.h"
#include "linalg/backend.h"
#include "linalg/null_space.h"
#include <float.h>
#include <geartrain/analysis/analysis.h>
#include <geartrain/author/newton.h>
#include <geartrain/author/number.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Which rows and columns are algebraic, by what multiplies x'. */
typedef struct split {
    size_t n, n_diff, n_alg;
    size_t *diff_row, *diff_column, *alg_row, *alg_column;
    double *J, *M; /* dense, n x n; rows of M below the differential ones are zero */
} split;

static gt_status dense_jacobian(const gt_problem *p, double t, const double *x, double *dense,
                                gt_arena *arena, gt_message *message)
{
    size_t n = gt_problem_size(p);
    gt_status status = gt_jacobian_dense(p, t, x, dense, arena);
    if (status == GT_NO_MEMORY)
        return gt_fail(message, status, "out of memory for a linear model of %zu states", n);
    if (status)
        return gt_fail(message, GT_RHS_FAILED,
                       "the Jacobian cannot be evaluated at t = %g; try another point", t);
    char buffer[24];
    for (size_t k = 0; k < n * n; k++)
        if (!isfinite(dense[k]))
            return gt_fail(
                message, GT_NOT_FINITE,
                "the derivative of the equation of %s is not finite at t = %g; try another point",
                gt_problem_state_name(p, k % n, buffer), t);
    return GT_OK;
}

/* Constraints leave fewer directions than there are states, and J does not say which. */
static gt_status refuse_constrained(const gt_problem *p, gt_message *message)
{
    return gt_fail(message, GT_UNSUPPORTED,
                   "%s has an index above 1: its algebraic equations are constraints on the "
                   "states, and a linear model is made for index 0 and 1 only. A run needs no "
                   "change; for modes and advice, write it in coordinates that meet the "
                   "constraints by themselves, such as the angle of a pendulum",
                   p->name ? p->name : "the problem");
}

static void dense_mass(const gt_problem *p, size_t n, double *M)
{
    size_t n_diff = p->n_slow + p->n_fast;
    if (p->mass)
        gt_matrix_to_dense(p->mass, false, M);
    else
        for (size_t i = 0; i < n_diff; i++) M[i * n + i] = 1;
    for (size_t j = 0; j < n; j++)
        for (size_t i = n_diff; i < n; i++) M[j * n + i] = 0;
}

static gt_status sort_rows(split *s, gt_message *message)
{
    size_t n = s->n, alg_columns = 0, diff_columns = 0;
    for (size_t k = 0; k < n; k++) {
        bool row = false, column = false;
        for (size_t j = 0; j < n; j++) {
            row = row || s->M[j * n + k] != 0;
            column = column || s->M[k * n + j] != 0;
        }
        if (row)
            s->diff_row[s->n_diff++] = k;
        else
            s->alg_row[s->n_alg++] = k;
        if (column)
            s->diff_column[diff_columns++] = k;
        else
            s->alg_column[alg_columns++] = k;
    }
    if (alg_columns != s->n_alg)
        return gt_fail(message, GT_SINGULAR,
                       "the mass matrix has %zu zero rows but %zu zero columns, so that the "
                       "algebraic variables cannot be identified",
                       s->n_alg, alg_columns);
    return GT_OK;
}

/* Factors of the part of `from` in the given rows and columns. */
static gt_status factor_part(const split *s, const double *from, const size_t *rows,
                             const size_t *columns, size_t count, gt_lu *lu, gt_arena *arena)
{
    gt_matrix part;
    gt_matrix_layout(&part, count, (gt_pattern){.storage = GT_DENSE}, false, arena);
    gt_lu_layout(lu, &part, arena);
    if (arena->failed) return GT_NO_MEMORY;
    for (size_t j = 0; j < count; j++)
        for (size_t i = 0; i < count; i++)
            part.values[j * count + i] = from[columns[j] * s->n + rows[i]];
    return gt_lu_factor(lu, &part);
}

/* A = M_dd^-1 (J_dd - J_da J_aa^-1 J_ad), column by column. */
static gt_status reduce(const split *s, double *A, gt_arena *arena, gt_message *message)
{
    gt_lu lu_alg = {0}, lu_mass;
    double *y = gt_arena_doubles(arena, s->n);
    gt_status status = GT_OK;
    if (s->n_alg)
        status = factor_part(s, s->J, s->alg_row, s->alg_column, s->n_alg, &lu_alg, arena);
    if (status > 0)
        return gt_fail(message, GT_SINGULAR,
                       "the algebraic equations do not determine the algebraic variables at this "
                       "point (index above 1, or a singular point); try another one");
    if (!status)
        status = factor_part(s, s->M, s->diff_row, s->diff_column, s->n_diff, &lu_mass, arena);
    if (status > 0)
        return gt_fail(message, GT_SINGULAR,
                       "the mass matrix of the differential equations is singular");
    if (status || !y)
        return gt_fail(message, GT_NO_MEMORY, "out of memory for a linear model of %zu states",
                       s->n);
    for (size_t j = 0; j < s->n_diff; j++) {
        const double *column = s->J + s->diff_column[j] * s->n;
        double *a = A + j * s->n_diff;
        for (size_t i = 0; i < s->n_diff; i++) a[i] = column[s->diff_row[i]];
        for (size_t i = 0; i < s->n_alg; i++) y[i] = column[s->alg_row[i]];
        if (s->n_alg) gt_lu_solve(&lu_alg, y);
        for (size_t k = 0; k < s->n_alg; k++) {
            const double *across = s->J + s->alg_column[k] * s->n;
            for (size_t i = 0; i < s->n_diff; i++) a[i] -= across[s->diff_row[i]] * y[k];
        }
        gt_lu_solve(&lu_mass, a);
    }
    return GT_OK;
}

static gt_mode mode_of(double re, double im)
{
    double size = hypot(re, im);
    return (gt_mode){.re = re,
                     .im = im,
                     .frequency = fabs(im),
                     .frequency_hz = fabs(im) / (2 * GT_PI),
                     .damping_ratio = re != 0 ? -re / size : 0,
                     .time_constant = re != 0 ? -1 / re : INFINITY};
}

/* |w_i v_i| of column k in LAPACK's packing: a pair with im > 0 is (k, k+1) = (re, im), its partner
 * the same sizes. */
static void participations(size_t n, const double *values, const double *left, const double *right,
                           size_t k, double *p)
{
    size_t re = values[2 * k + 1] < 0 ? k - 1 : k;
    bool is_complex = values[2 * k + 1] != 0;
    double sum = 0, right_sum = 0;
    for (size_t i = 0; i < n; i++) {
        double v =
            is_complex ? hypot(right[re * n + i], right[(re + 1) * n + i]) : fabs(right[k * n + i]);
        double w =
            is_complex ? hypot(left[re * n + i], left[(re + 1) * n + i]) : fabs(left[k * n + i]);
        p[i] = v * w;
        sum += p[i];
        right_sum += v;
    }
    /* In a Jordan block left and right vectors may have no state in common; then the right one
     * alone must serve. */
    for (size_t i = 0; i < n; i++) {
        if (sum > 0)
            p[i] /= sum;
        else
            p[i] = (is_complex ? hypot(right[re * n + i], right[(re + 1) * n + i])
                               : fabs(right[k * n + i])) /
                   right_sum;
    }
}

/*
 * How far an eigenvalue may be off when every entry of A is off by the fraction `noise`: noise
 * |w|^T |A| |v| / |w^H v|, which scaling the states does not change, and which leaves small
 * eigenvalues beside large ones alone where the matrix does. In a Jordan block w^H v is zero, and
 * the eigenvalue moves like the root of the perturbation, not at once.
 */
static double uncertainty(const gt_linearization *l, const double *values, const double *left,
                          const double *right, size_t k, double noise)
{
    size_t n = l->n, re = values[2 * k + 1] < 0 ? k - 1 : k;
    bool is_complex = values[2 * k + 1] != 0;
    const double *v = right + re * n, *w = left + re * n;
    double product[2] = {0, 0}, sum = 0;
    for (size_t j = 0; j < n; j++) {
        double v_im = is_complex ? v[n + j] : 0, w_im = is_complex ? w[n + j] : 0,
               size = hypot(v[j], v_im);
        product[0] += w[j] * v[j] + w_im * v_im;
        product[1] += w[j] * v_im - w_im * v[j];
        for (size_t i = 0; i < n && size > 0; i++)
            sum += hypot(w[i], is_complex ? w[n + i] : 0) * fabs(l->A[j * n + i]) * size;
    }
    return noise * sum / fmax(hypot(product[0], product[1]), sqrt(noise));
}

/* What cannot be distinguished from zero is zero: an undamped mode that round-off makes grow by
 * 1e-17 does not grow. */
static void drop_round_off(double *value, double off)
{
    if (hypot(value[0], value[1]) <= off) value[1] = 0;
    if (fabs(value[0]) <= off) value[0] = 0;
}

/* Largest real part first, then smaller |im|, then im > 0. */
static int by_real_part(const void *a, const void *b)
{
    const double *l = a, *r = b;
    if (l[0] != r[0]) return l[0] > r[0] ? -1 : 1;
    if (fabs(l[1]) != fabs(r[1])) return fabs(l[1]) < fabs(r[1]) ? -1 : 1;
    if (l[1] != r[1]) return l[1] > r[1] ? -1 : 1;
    return l[2] < r[2] ? -1 : 1;
}

/* `noise`: relative error of the entries of A. */
static gt_status find_modes(gt_linearization *out, double noise, gt_arena *arena,
                            gt_message *message)
{
    size_t n = out->n;
    double *copy = gt_arena_doubles(arena, n * n), *left = gt_arena_doubles(arena, n * n);
    double *right = gt_arena_doubles(arena, n * n), *values = gt_arena_doubles(arena, 2 * n);
    double *sorted = gt_arena_doubles(arena, 3 * n); /* re, im, which */
    if (arena->failed)
        return gt_fail(message, GT_NO_MEMORY, "out of memory for the modes of %zu states", n);
    memcpy(copy, out->A, n * n * sizeof *copy);
    gt_status status = gt_eigen(n, copy, values, left, right);
    if (status) return gt_eigen_failed(message, status, n);
    for (size_t k = 0; k < n; k++) {
        sorted[3 * k] = values[2 * k];
        sorted[3 * k + 1] = values[2 * k + 1];
        sorted[3 * k + 2] = (double)k;
        drop_round_off(&sorted[3 * k], uncertainty(out, values, left, right, k, noise));
    }
    qsort(sorted, n, 3 * sizeof *sorted, by_real_part);
    for (size_t k = 0; k < n; k++) {
        out->modes[k] = mode_of(sorted[3 * k], sorted[3 * k + 1]);
        participations(n, values, left, right, (size_t)sorted[3 * k + 2],
                       out->participation + k * n);
    }
    return GT_OK;
}

static gt_status full_linearize(const gt_problem *problem, double t, const double *x,
                                gt_linearization *out, gt_arena *arena, gt_message *message)
{
    GT_ARMOR(message, problem && x && out && arena);
    gt_status status = gt_problem_check(problem, message);
    if (status) return status;
    size_t n = gt_problem_size(problem);
    if (n > GT_LINEARIZE_MAX)
        return gt_fail(message, GT_UNSUPPORTED,
                       "the linear model is dense and made for up to %d states; this problem has "
                       "%zu; try a smaller size of the model",
                       GT_LINEARIZE_MAX, n);
    if (gt_problem_index(problem) > 1) return refuse_constrained(problem, message);
    split s = {.n = n};
    s.J = gt_arena_doubles(arena, n * n);
    s.M = gt_arena_doubles(arena, n * n);
    size_t **lists[] = {&s.diff_row, &s.diff_column, &s.alg_row, &s.alg_column};
    for (size_t k = 0; k < 4; k++) *lists[k] = gt_arena_take(arena, n, sizeof(size_t));
    if (arena->failed)
        return gt_fail(message, GT_NO_MEMORY, "out of memory for a linear model of %zu states", n);

    status = dense_jacobian(problem, t, x, s.J, arena, message);
    if (status) return status;
    dense_mass(problem, n, s.M);
    status = sort_rows(&s, message);
    if (status) return status;
    if (s.n_diff == 0)
        return gt_fail(message, GT_UNSUPPORTED, "all equations are algebraic: there are no modes");
    *out = (gt_linearization){.n = s.n_diff, .state = s.diff_column};
    out->A = gt_arena_doubles(arena, s.n_diff * s.n_diff);
    out->participation = gt_arena_doubles(arena, s.n_diff * s.n_diff);
    out->modes = gt_arena_take(arena, s.n_diff, sizeof *out->modes);
    if (arena->failed)
        return gt_fail(message, GT_NO_MEMORY, "out of memory for a linear model of %zu states", n);
    status = reduce(&s, out->A, arena, message);
    /* The QR iteration is off by some round-off for each row; derivatives by differences have half
     * of the digits. */
    double noise = fmax(16, (double)out->n) * DBL_EPSILON;
    if (!problem->jac) noise = fmax(noise, 4 * sqrt(DBL_EPSILON));
    return status ? status : find_modes(out, noise, arena, message);
}

gt_status gt_linearize_sized(const gt_problem *problem, size_t problem_size, double t,
                             const double *x, gt_linearization *out, size_t out_size,
                             gt_arena *arena, gt_message *message)
{
    GT_WIDEN(message, gt_problem, problem);
    GT_OUT(gt_linearization, out);
    gt_status result = full_linearize(problem, t, x, out, arena, message);
    GT_GIVE(out);
    return result;
}

size_t gt_linearization_top(const gt_linearization *linear, size_t k, size_t count, size_t *rows)
{
    if (!linear || !rows) return 0;
    const double *p = linear->participation + k * linear->n;
    size_t found = 0;
    for (; found < count && found < linear->n; found++) {
        size_t best = linear->n;
        for (size_t i = 0; i < linear->n; i++) {
            bool taken = false;
            for (size_t f = 0; f < found; f++) taken = taken || rows[f] == i;
            if (!taken && (best == linear->n || p[i] > p[best])) best = i;
        }
        rows[found] = best;
    }
    return found;
}
