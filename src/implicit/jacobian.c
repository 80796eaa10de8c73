/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The Jacobian J of a problem, from its own function or by differences with columns that share no
 * row moved together (Curtis, Powell, Reid 1974), and the iteration matrix W of newton.h made from
 * it. W is dense when J or M is, banded when both are, else CSC.
 */
#include "implicit/evaluator.h"
#include "implicit/not_finite.h"
#include "linalg/column.h"
#include "linalg/null_space.h"
#include "linalg/sum.h"
#include "problem/vectors.h"
#include <assert.h>
#include <float.h>
#include <geartrain/author/newton.h>
#include <math.h>
#include <string.h>

/* W over the union of the patterns of J, the diagonal and M. */
enum { OF_J, OF_DIAGONAL, OF_MASS };

static int patterns_of(const gt_jacobian *jac, const gt_problem *p, gt_pattern of[GT_SUM_TERMS])
{
    of[OF_J] = jac->of_J;
    of[OF_DIAGONAL] = gt_sum_diagonal;
    if (p->mass) of[OF_MASS] = p->mass->pattern;
    return p->mass ? 3 : 2;
}

void gt_jacobian_layout(gt_jacobian *jac, const gt_problem *p, gt_arena *arena)
{
    assert(jac && p && arena);
    size_t n = gt_problem_size(p);
    *jac = (gt_jacobian){.n = n, .n_diff = p->n_slow + p->n_fast, .of_J = p->jac_pattern};
    if (p->jac) return;
    jac->group_of = gt_arena_take(arena, n, sizeof(int));
    jac->x_moved = gt_arena_doubles(arena, n);
    jac->f_moved = gt_arena_doubles(arena, n);
    jac->f_base = gt_arena_doubles(arena, n);
}

void gt_jacobian_layout_shift(gt_jacobian *jac, const gt_problem *p, gt_matrix *W, gt_arena *arena)
{
    gt_pattern of[GT_SUM_TERMS];
    gt_sum sum;
    gt_sum_layout_to_factor(&sum, jac->n, patterns_of(jac, p, of), of, arena);
    jac->of_W = sum.of_W;
    jac->jac_slot = sum.slot[OF_J];
    jac->diag_slot = sum.slot[OF_DIAGONAL];
    jac->mass_slot = sum.slot[OF_MASS];
    gt_matrix_layout(W, jac->n, jac->of_W, false, arena);
}

/* Greedy grouping: a column joins the group when none of its rows is taken by the group already. */
static void group_columns(gt_jacobian *jac)
{
    size_t n = jac->n, left = n;
    double *taken_by = jac->f_moved; /* small whole numbers, exact in a double */
    for (size_t i = 0; i < n; i++) taken_by[i] = -1, jac->group_of[i] = -1;
    for (int group = 0; left; group++) {
        for (size_t c = 0; c < n; c++) {
            if (jac->group_of[c] >= 0) continue;
            gt_column column = gt_column_of(&jac->of_J, n, c);
            size_t k = 0;
            while (k < column.count && taken_by[gt_column_row(&column, k)] != group) k++;
            if (k < column.count) continue;
            for (k = 0; k < column.count; k++) taken_by[gt_column_row(&column, k)] = group;
            jac->group_of[c] = group;
            left--;
        }
        jac->groups = group + 1;
    }
}

void gt_jacobian_prepare(gt_jacobian *jac, const gt_problem *p)
{
    assert(jac && p);
    gt_sum sum = {
        .n = jac->n, .of_W = jac->of_W, .slot = {jac->jac_slot, jac->diag_slot, jac->mass_slot}};
    if (!p->jac) group_columns(jac);
    sum.terms = patterns_of(jac, p, sum.of);
    gt_sum_prepare(&sum);
}

/* Increment for a difference in x_j: balances truncation and round-off for values down to 1e-5.
 * Where f is linear there is no truncation, and an increment as large as x leaves the derivative
 * exact. */
static double increment(double x_j, double f_j, double linear)
{
    if (linear > 0) return x_j + linear - x_j;
    double size = sqrt(DBL_EPSILON * fmax(1e-5, fabs(x_j))) * fmax(1, sqrt(fabs(x_j)));
    double moved = x_j + (f_j < 0 ? -size : size);
    return moved - x_j; /* exactly representable */
}

/* Of a group of columns. */
typedef struct differences {
    const gt_jacobian *jac;
    int group;
    const double *x;
    gt_matrix *J;
    double linear;
} differences;

static void move_range(size_t from, size_t to, void *work)
{
    const differences *d = work;
    const gt_jacobian *jac = d->jac;
    for (size_t c = from; c < to; c++) {
        jac->x_moved[c] = d->x[c];
        if (jac->group_of[c] == d->group)
            jac->x_moved[c] += increment(d->x[c], jac->f_base[c], d->linear);
    }
}

static void divide_range(size_t from, size_t to, void *work)
{
    const differences *d = work;
    const gt_jacobian *jac = d->jac;
    for (size_t c = from; c < to; c++) {
        if (jac->group_of[c] != d->group) continue;
        gt_column column = gt_column_of(&jac->of_J, jac->n, c);
        double dx = increment(d->x[c], jac->f_base[c], d->linear);
        for (size_t k = 0; k < column.count; k++) {
            size_t r = gt_column_row(&column, k);
            d->J->values[column.index + k] = (jac->f_moved[r] - jac->f_base[r]) / dx;
        }
    }
}

static gt_status by_differences(const gt_jacobian *jac, gt_stepper *s, double t, const double *x,
                                gt_matrix *J)
{
    size_t n = jac->n;
    differences d = {jac, .x = x, .J = J, .linear = s->problem->linear ? 1 : 0};
    for (size_t c = 0; c < n && d.linear > 0; c++) d.linear = fmax(d.linear, fabs(x[c]));
    gt_status status = gt_rhs(s, t, x, jac->f_base);
    for (; d.group < jac->groups && !status; d.group++) {
        gt_in_chunks(s->problem, n, move_range, &d);
        status = gt_rhs(s, t, jac->x_moved, jac->f_moved);
        if (!status) gt_in_chunks(s->problem, n, divide_range, &d);
    }
    return status;
}

gt_status gt_jacobian_evaluate(const gt_jacobian *jac, gt_stepper *s, double t, const double *x,
                               gt_matrix *J)
{
    assert(jac && s && x && J);
    assert(J->n == s->n);
    s->stats.jacobians++;
    s->rough_jacobian = false;
    gt_matrix_clear(J);
    t = t < s->t_cap ? t : s->t_cap;
    gt_status status = s->problem->jac ? s->problem->jac(t, x, J, s->problem->ctx)
                                       : by_differences(jac, s, t, x, J);
    return status ? status : gt_jacobian_repair(s, t, x, J);
}

/* W += scale A in the differential rows and A in the algebraic ones, or nothing there when
 * `differential_only`. */
static void add_scaled(const gt_jacobian *jac, const gt_matrix *A, double scale,
                       bool differential_only, gt_matrix *W)
{
    for (size_t c = 0; c < jac->n; c++) {
        gt_column column = gt_column_of(&A->pattern, jac->n, c);
        gt_column of_W = gt_column_of(&W->pattern, jac->n,
                                      c); /* rows without gaps, as W is dense or banded here */
        double *to = W->values + of_W.index - of_W.first;
        for (size_t k = 0; k < column.count; k++) {
            size_t r = gt_column_row(&column, k);
            if (r < jac->n_diff)
                to[r] += scale * A->values[column.index + k];
            else if (!differential_only)
                to[r] += A->values[column.index + k];
        }
    }
}

/* The same through the slots of a sparse W. */
static void add_slots(const gt_jacobian *jac, const gt_matrix *A, const int *slot, double scale,
                      bool differential_only, gt_matrix *W)
{
    const int *row = jac->of_W.rowindex;
    int n_diff = (int)jac->n_diff;
    for (size_t c = 0, e = 0; c < jac->n; c++) {
        gt_column column = gt_column_of(&A->pattern, jac->n, c);
        for (size_t k = 0; k < column.count; k++, e++) {
            int to = slot[e];
            if (row[to] < n_diff)
                W->values[to] += scale * A->values[column.index + k];
            else if (!differential_only)
                W->values[to] += A->values[column.index + k];
        }
    }
}

void gt_jacobian_shift(const gt_jacobian *jac, const gt_problem *p, const gt_matrix *J,
                       double gamma, gt_matrix *W)
{
    assert(jac && p && J && W);
    assert(J != W && J->n == W->n);
    bool sparse = jac->of_W.storage == GT_CSC, with_mass = p->mass && gamma != 0;
    gt_matrix_clear(W);
    if (sparse) {
        add_slots(jac, J, jac->jac_slot, -gamma, false, W);
        if (with_mass) add_slots(jac, p->mass, jac->mass_slot, 1, true, W);
    } else {
        add_scaled(jac, J, -gamma, false, W);
        if (with_mass) add_scaled(jac, p->mass, 1, true, W);
    }
    for (size_t i = 0; i < jac->n_diff && !with_mass; i++) {
        gt_column of_W = gt_column_of(&jac->of_W, jac->n, i);
        W->values[sparse ? (size_t)jac->diag_slot[i] : of_W.index + i - of_W.first] += 1;
    }
}

gt_status gt_jacobian_dense(const gt_problem *problem, double t, const double *x, double *dense,
                            gt_arena *arena)
{
    assert(problem && x && dense && arena);
    gt_stepper s = gt_evaluator(problem);
    gt_jacobian jac;
    gt_matrix J;
    gt_jacobian_layout(&jac, problem, arena);
    gt_matrix_layout(&J, s.n, jac.of_J, false, arena);
    if (arena->failed) return GT_NO_MEMORY;
    gt_jacobian_prepare(&jac, problem);
    gt_status status = gt_jacobian_evaluate(&jac, &s, t, x, &J);
    if (!status) gt_matrix_to_dense(&J, false, dense);
    return status;
}
