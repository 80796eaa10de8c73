/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The Jacobian by differences where its pattern was found by calling f, not given by the user:
 * columns that share no row are moved together (Curtis, Powell and Reid 1974), and one more call,
 * with all components moved at once, tells whether f has entries that the pattern lacks. Then the
 * run ends with `grew`, and the package begins it again with a wider pattern.
 */
#include "py_core.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* An entry may be missing where a row moves by so much more than its known entries make it: less
 * hardly slows Newton down. What they leave out otherwise is curvature. */
static const double tolerated = 0.05;

/* The rows of a column, and where the first of them stands in the values. */
typedef struct column_rows {
    size_t count, index, first;
    const int *row; /* NULL: they follow each other from `first` */
} column_rows;

static column_rows rows_of(const gt_pattern *pattern, size_t n, size_t c)
{
    if (pattern->storage == GT_CSC) {
        size_t begin = (size_t)pattern->colptr[c], end = (size_t)pattern->colptr[c + 1];
        return (column_rows){end - begin, begin, 0, pattern->rowindex + begin};
    }
    size_t lower = (size_t)pattern->lower, upper = (size_t)pattern->upper;
    size_t first = c > upper ? c - upper : 0, last = c + lower < n ? c + lower : n - 1;
    return (column_rows){last - first + 1, c * (lower + upper + 1) + upper + first - c, first,
                         NULL};
}

static size_t row_of(const column_rows *rows, size_t k)
{
    return rows->row ? (size_t)rows->row[k] : rows->first + k;
}

/* Greedy: a column joins the group when none of its rows is taken by the group already. */
static int group_columns(py_differences *d, const gt_pattern *pattern, size_t n)
{
    int groups = 0;
    double *taken_by = d->moved; /* small whole numbers */
    for (size_t i = 0; i < n; i++) taken_by[i] = -1, d->group[i] = -1;
    for (size_t left = n; left; groups++)
        for (size_t c = 0; c < n; c++) {
            if (d->group[c] >= 0) continue;
            column_rows rows = rows_of(pattern, n, c);
            size_t k = 0;
            while (k < rows.count && taken_by[row_of(&rows, k)] != groups) k++;
            if (k < rows.count) continue;
            for (k = 0; k < rows.count; k++) taken_by[row_of(&rows, k)] = groups;
            d->group[c] = groups;
            left--;
        }
    return groups;
}

bool py_differences_begin(py_problem *p, size_t n)
{
    py_differences *d = &p->differences;
    d->group = gt_arena_take(&p->arena, n, sizeof *d->group);
    double *room = gt_arena_doubles(&p->arena, 6 * n);
    if (!d->group || !room) {
        PyErr_NoMemory();
        return false;
    }
    d->base = room;
    d->moved = room + n;
    d->value = room + 2 * n;
    d->expected = room + 3 * n;
    d->size = room + 4 * n;
    d->x_grew = room + 5 * n;
    d->groups = group_columns(d, &p->problem.jac_pattern, n);
    p->problem.jac = py_call_differences;
    p->problem.work.jac = (d->groups + 2) * p->problem.work.full;
    return true;
}

/* Balances truncation and rounding for values down to 1e-5; x + it is exact. */
static double increment(double x, double f)
{
    double size = sqrt(DBL_EPSILON * fmax(1e-5, fabs(x))) * fmax(1, sqrt(fabs(x)));
    return x + (f < 0 ? -size : size) - x;
}

static void fill(py_differences *d, int group, const double *x, gt_matrix *J)
{
    for (size_t c = 0; c < J->n; c++) {
        if (d->group[c] != group) continue;
        column_rows rows = rows_of(&J->pattern, J->n, c);
        double dx = increment(x[c], d->base[c]);
        for (size_t k = 0; k < rows.count; k++) {
            size_t r = row_of(&rows, k);
            J->values[rows.index + k] = (d->value[r] - d->base[r]) / dx;
        }
    }
}

/* A direction that is another one each time. */
static double sign_of(size_t c, unsigned long time)
{
    unsigned long mixed = (c + 1) * 2654435761UL ^ time * 40503UL;
    return (mixed >> 13 ^ mixed >> 7) & 1 ? 1 : -1;
}

/* Moves all components, and what J says f does then. */
static void predict(py_differences *d, const double *x, const gt_matrix *J)
{
    memset(d->expected, 0, J->n * sizeof *d->expected);
    memset(d->size, 0, J->n * sizeof *d->size);
    for (size_t c = 0; c < J->n; c++) {
        column_rows rows = rows_of(&J->pattern, J->n, c);
        double dx = x[c] + sign_of(c, d->count) * increment(x[c], d->base[c]) - x[c];
        d->moved[c] = x[c] + dx;
        for (size_t k = 0; k < rows.count; k++) {
            double part = J->values[rows.index + k] * dx;
            d->expected[row_of(&rows, k)] += part;
            d->size[row_of(&rows, k)] += fabs(part);
        }
    }
}

static bool lacks_entries(const py_differences *d, size_t n)
{
    for (size_t r = 0; r < n; r++) {
        double rounding = 1000 * DBL_EPSILON * fabs(d->base[r]);
        if (fabs(d->value[r] - d->base[r] - d->expected[r]) > tolerated * d->size[r] + rounding)
            return true;
    }
    return false;
}

static gt_status say_grew(py_problem *p, double t, const double *x, size_t n)
{
    p->differences.t_grew = t;
    p->differences.grew = true;
    memcpy(p->differences.x_grew, x, n * sizeof *x);
    py_state *state = py_state_of_type(Py_TYPE((PyObject *)p));
    PyErr_SetString(state ? state->lacks : PyExc_RuntimeError,
                    "the pattern of the Jacobian that was found has not all of its entries");
    p->failed = true;
    return GT_RHS_FAILED;
}

gt_status py_call_differences(double t, const double *x, gt_matrix *J, void *ctx)
{
    py_problem *p = ctx;
    py_differences *d = &p->differences;
    size_t n = J->n;
    p->jac_calls++;
    d->count++;
    gt_status status = py_call_rhs(t, x, d->base, ctx);
    for (int group = 0; group < d->groups && !status; group++) {
        for (size_t c = 0; c < n; c++)
            d->moved[c] = d->group[c] == group ? x[c] + increment(x[c], d->base[c]) : x[c];
        status = py_call_rhs(t, d->moved, d->value, ctx);
        if (!status) fill(d, group, x, J);
    }
    if (status) return status;
    predict(d, x, J);
    status = py_call_rhs(t, d->moved, d->value, ctx);
    if (status) return status;
    return lacks_entries(d, n) ? say_grew(p, t, x, n) : GT_OK;
}
