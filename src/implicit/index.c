/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * 0 = g(t, x, y) can be solved for y where dg/dy is regular: index 1. Where it is not, as for a
 * constraint on positions or speeds, values of y that nothing determines would be carried through a
 * run. Mass matrices: mass_index.c.
 *
 * A matrix is singular here when it has an empty row or column, when a pivot is zero, or when a
 * solution with rows and columns scaled to a largest entry of 1 is larger than its right side by
 * what round-off can explain.
 */
#include "implicit/index.h"
#include "linalg/column.h"
#include "linalg/null_space.h"
#include <assert.h>
#include <geartrain/author/newton.h>
#include <math.h>
#include <string.h>

static const double TOO_LARGE = 1e13;
enum { MOST_NAMES = 4 };

/* Largest entries of dg/dy: of each row, and of each column once its rows are divided by theirs.
 * False: one is empty.
 */
static bool scales_of(const gt_matrix *J, size_t n_diff, double *row, double *column)
{
    size_t n = J->n;
    memset(row, 0, n * sizeof *row);
    for (int pass = 0; pass < 2; pass++)
        for (size_t j = n_diff; j < n; j++) {
            gt_column c = gt_column_of(&J->pattern, n, j);
            if (pass) column[j] = 0;
            for (size_t k = 0; k < c.count; k++) {
                size_t i = gt_column_row(&c, k);
                double size = fabs(J->values[c.index + k]);
                if (i < n_diff || size == 0) continue;
                if (!pass)
                    row[i] = fmax(row[i], size);
                else
                    column[j] = fmax(column[j], size / row[i]);
            }
        }
    for (size_t i = n_diff; i < n; i++)
        if (row[i] == 0 || column[i] == 0) return false;
    return true;
}

/* The derivatives of the algebraic equations. */
static bool is_finite(const gt_matrix *J, size_t n_diff)
{
    for (size_t j = n_diff; j < J->n; j++) {
        gt_column c = gt_column_of(&J->pattern, J->n, j);
        for (size_t k = 0; k < c.count; k++)
            if (gt_column_row(&c, k) >= n_diff && !isfinite(J->values[c.index + k])) return false;
    }
    return true;
}

gt_status gt_check_index(gt_stepper *s)
{
    assert(s && s->problem);
    const gt_problem *p = s->problem;
    if (!p->n_alg) return GT_OK;
    if (gt_problem_index(p) > 1) return gt_check_constrained(s);
    gt_newton *w = s->algebraic;
    size_t n_diff = p->n_slow + p->n_fast;
    double *row = s->closing, *column = s->closing + s->n, most = 0;
    gt_status status = gt_closing_factor(s, s->t, s->x);
    s->closing_ready = false;
    if (status < 0) return status;
    if (!is_finite(&w->J[0], n_diff)) return GT_OK; /* a step meets it, and says where */
    if (!scales_of(&w->J[0], n_diff, row, column) || status) return gt_say_index(s, s->t);
    memset(w->delta, 0, n_diff * sizeof *w->delta);
    for (size_t i = n_diff; i < s->n; i++) w->delta[i] = i % 3 ? row[i] : -row[i];
    status = gt_closing_solve(s, s->t, s->x);
    if (status) return status < 0 ? status : GT_OK; /* iterations cannot tell why */
    for (size_t j = n_diff; j < s->n; j++) {
        double size = fabs(w->delta[j]) * column[j];
        if (!(size <= most)) most = size;
    }
    return most <= TOO_LARGE ? GT_OK : gt_say_index(s, s->t);
}

void gt_say_names(const gt_problem *p, const double *vectors, size_t n, size_t count, size_t first,
                  bool rows, gt_message *m)
{
    char buffer[24];
    size_t named = 0, others = 0;
    for (size_t i = 0; i < n; i++) {
        double most = 0;
        for (size_t k = 0; k < count; k++) most = fmax(most, fabs(vectors[k * n + i]));
        if (most <= 1e-6) continue;
        const char *name = gt_problem_state_name(p, first + i, buffer);
        if (named == MOST_NAMES)
            others++;
        else if (rows && first)
            gt_say_more(m, "%s%zu (the row of %s)", named++ ? ", " : "", i + 1, name);
        else
            gt_say_more(m, rows ? "%sthat of %s" : "%s%s", named++ ? ", " : "", name);
    }
    if (others) gt_say_more(m, " and %zu more", others);
}

void gt_say_remedy(gt_message *m, int index)
{
    gt_say_more(m, "; the index is above 1");
    if (index > 1) gt_say_more(m, " (by the linearized equations it is %d)", index);
    gt_say_more(m, ", or this is a singular point: differentiate what is constrained with respect "
                   "to t until it contains the variables it is to determine, and put that in its "
                   "place");
    if (index == 2 || index == 3)
        gt_say_more(m, ", or declare the index of the states (index in gt_problem)");
}

/* The index at the point at which the Jacobian is that of s->algebraic. */
static int index_there(const gt_stepper *s, gt_arena *arena)
{
    const gt_problem *p = s->problem;
    size_t n = s->n, n_diff = p->n_slow + p->n_fast;
    if (n > GT_MASS_INDEX_MAX) return 0;
    double *M = gt_arena_doubles(arena, n * n), *J = gt_arena_doubles(arena, n * n);
    if (!M || !J) return 0;
    gt_matrix_to_dense(&s->algebraic->J[0], false, J);
    for (size_t k = 0; k < n * n; k++)
        if (!isfinite(J[k])) return 0;
    if (p->mass) gt_matrix_to_dense(p->mass, false, M);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) {
            if (i >= n_diff) M[j * n + i] = 0;
            if (i < n_diff && !p->mass) M[j * n + i] = i == j;
        }
    return gt_pencil_index(n, M, J, p->jac ? 1e-10 : 1e-6, arena);
}

/* dg/dy of the Jacobian, dense, or its transpose. */
static void algebraic_part(const gt_matrix *J, size_t n_diff, bool transposed, double *dense)
{
    size_t m = J->n - n_diff;
    memset(dense, 0, m * m * sizeof *dense);
    for (size_t j = n_diff; j < J->n; j++) {
        gt_column c = gt_column_of(&J->pattern, J->n, j);
        for (size_t k = 0; k < c.count; k++) {
            size_t i = gt_column_row(&c, k);
            if (i < n_diff) continue;
            size_t row = i - n_diff, column = j - n_diff;
            dense[transposed ? row * m + column : column * m + row] = J->values[c.index + k];
        }
    }
}

gt_status gt_say_index(gt_stepper *s, double t)
{
    assert(s && s->algebraic);
    const gt_problem *p = s->problem;
    size_t m = p->n_alg, n_diff = p->n_slow + p->n_fast, count = 0;
    gt_arena arena = gt_arena_growing();
    if (!is_finite(&s->algebraic->J[0], n_diff))
        return gt_fail(&s->message, GT_NOT_FINITE,
                       "a derivative of the algebraic equations is not finite at t = %g; try other "
                       "starting values",
                       t);
    gt_fail(&s->message, GT_SINGULAR,
            "the algebraic equations do not determine the algebraic variables at t = %g: dg/dy is "
            "singular",
            t);
    double *dense = m <= GT_NULL_SPACE_MAX ? gt_arena_doubles(&arena, m * m) : NULL;
    double *vectors = dense ? gt_arena_doubles(&arena, m * m) : NULL;
    for (int left = 1; left >= 0 && vectors; left--) {
        algebraic_part(&s->algebraic->J[0], n_diff, left, dense);
        count = gt_null_space(m, dense, GT_NULL_TOL, vectors, &arena);
        if (!count) break; /* singular by a hair: no name is certain */
        gt_say_more(&s->message, left ? ". Equation " : " leaves open ");
        gt_say_names(p, vectors, m, count, n_diff, left, &s->message);
    }
    gt_say_remedy(&s->message, index_there(s, &arena));
    gt_arena_free(&arena);
    return GT_SINGULAR;
}

gt_status gt_say_constrained(gt_stepper *s, double t)
{
    assert(s && s->algebraic);
    const gt_problem *p = s->problem;
    size_t n = s->n, n_diff = p->n_slow + p->n_fast;
    gt_arena arena = gt_arena_growing();
    gt_fail(&s->message, GT_SINGULAR,
            "the constraints do not determine what they are to determine at t = %g", t);
    double *dense = n <= GT_NULL_SPACE_MAX ? gt_arena_doubles(&arena, n * n) : NULL;
    double *vectors = dense ? gt_arena_doubles(&arena, n * n) : NULL;
    if (vectors) {
        gt_matrix_to_dense(&s->algebraic->W, true, dense);
        size_t count = gt_null_space(n, dense, GT_NULL_TOL, vectors, &arena);
        for (size_t k = 0; k < count; k++) /* only the algebraic rows */
            memmove(vectors + k * p->n_alg, vectors + k * n + n_diff, p->n_alg * sizeof *vectors);
        if (count) {
            gt_say_more(&s->message, ". Equation ");
            gt_say_names(p, vectors, p->n_alg, count, n_diff, true, &s->message);
        }
    }
    gt_arena_free(&arena);
    gt_say_more(&s->message,
                ": constraints that follow from each other, a singular point of them, or an index "
                "that is higher than the one that is given");
    return GT_SINGULAR;
}
