/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The Jacobian J of a problem, from its own function or by differences with columns that share no row moved together
 * (Curtis, Powell, Reid 1974), and the iteration matrix W of newton.h made from it. W is dense when J or M is, banded
 * when both are, else CSC.
 */
#include <float.h>
#include <geartrain/newton.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* The rows that a pattern has in one column: a range, or a list. */
typedef struct column_rows {
    const int *list; /* NULL: the range first .. first + count - 1 */
    int first, count;
} column_rows;

static column_rows rows_of(const gt_pattern *p, size_t n, size_t column)
{
    int last = (int)n - 1, c = (int)column;
    if (p->storage == GT_CSC) return (column_rows){p->rowindex + p->colptr[c], 0, p->colptr[c + 1] - p->colptr[c]};
    if (p->storage == GT_DENSE) return (column_rows){NULL, 0, (int)n};
    int from = c - p->upper > 0 ? c - p->upper : 0, to = c + p->lower < last ? c + p->lower : last;
    return (column_rows){NULL, from, to - from + 1};
}

static int row_at(const column_rows *r, int k) { return r->list ? r->list[k] : r->first + k; }

/* Position of the first entry of a column among the values of a matrix. */
static size_t first_entry(const gt_pattern *p, size_t n, size_t column)
{
    if (p->storage == GT_CSC) return (size_t)p->colptr[column];
    if (p->storage == GT_DENSE) return column * n;
    size_t missing = column < (size_t)p->upper ? (size_t)p->upper - column : 0;
    return column * (size_t)(p->lower + p->upper + 1) + missing;
}

/* The union of the rows of J, M and the diagonal in one column, ascending; `out` may be NULL to count only. */
static int merged_rows(column_rows j, column_rows m, int diagonal, int *out)
{
    int count = 0, a = 0, b = 0, d = 0;
    while (a < j.count || b < m.count || !d) {
        int row = d ? INT32_MAX : diagonal;
        if (a < j.count && row_at(&j, a) < row) row = row_at(&j, a);
        if (b < m.count && row_at(&m, b) < row) row = row_at(&m, b);
        if (a < j.count && row_at(&j, a) == row) a++;
        if (b < m.count && row_at(&m, b) == row) b++;
        if (row == diagonal) d = 1;
        if (out) out[count] = row;
        count++;
    }
    return count;
}

static column_rows mass_rows(const gt_problem *p, size_t n, size_t column)
{
    return p->mass ? rows_of(&p->mass->pattern, n, column) : (column_rows){NULL, (int)column, 0};
}

static gt_storage storage_of_W(const gt_problem *p)
{
    gt_storage j = p->jac_pattern.storage, m = p->mass ? p->mass->pattern.storage : j;
    if (j == GT_DENSE || m == GT_DENSE) return GT_DENSE;
    return j == GT_BANDED && m == GT_BANDED ? GT_BANDED : GT_CSC;
}

static int larger(int a, int b) { return a > b ? a : b; }

static void lay_out_csc(gt_jacobian *jac, const gt_problem *p, gt_arena *arena)
{
    size_t n = jac->n, entries = 0, of_j = 0, of_m = 0;
    for (size_t c = 0; c < n; c++) {
        column_rows j = rows_of(&jac->of_J, n, c), m = mass_rows(p, n, c);
        entries += (size_t)merged_rows(j, m, (int)c, NULL);
        of_j += (size_t)j.count;
        of_m += (size_t)m.count;
    }
    jac->of_W.entries = entries;
    jac->of_W.colptr = gt_arena_take(arena, n + 1, sizeof(int));
    jac->of_W.rowindex = gt_arena_take(arena, entries, sizeof(int));
    jac->jac_slot = gt_arena_take(arena, of_j, sizeof(int));
    jac->mass_slot = gt_arena_take(arena, of_m, sizeof(int));
    jac->diag_slot = gt_arena_take(arena, n, sizeof(int));
    if (gt_arena_measuring(arena) || arena->failed) return;

    int *colptr = (int *)jac->of_W.colptr, *rowindex = (int *)jac->of_W.rowindex;
    for (size_t c = 0; c < n; c++)
        colptr[c + 1] =
            colptr[c] + merged_rows(rows_of(&jac->of_J, n, c), mass_rows(p, n, c), (int)c, rowindex + colptr[c]);
}

static int slot_of(const gt_pattern *w, size_t column, int row)
{
    int low = w->colptr[column], high = w->colptr[column + 1];
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (w->rowindex[middle] <= row)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void gt_jacobian_layout(gt_jacobian *jac, const gt_problem *p, gt_arena *arena)
{
    size_t n = gt_problem_size(p);
    *jac = (gt_jacobian){.n = n, .n_diff = p->n_slow + p->n_fast, .of_J = p->jac_pattern};
    jac->of_W.storage = storage_of_W(p);
    if (jac->of_W.storage == GT_BANDED) {
        jac->of_W.lower = larger(jac->of_J.lower, p->mass ? p->mass->pattern.lower : 0);
        jac->of_W.upper = larger(jac->of_J.upper, p->mass ? p->mass->pattern.upper : 0);
    }
    if (jac->of_W.storage == GT_CSC) lay_out_csc(jac, p, arena);
    if (!p->jac) {
        jac->group_of = gt_arena_take(arena, n, sizeof(int));
        jac->x_moved = gt_arena_doubles(arena, n);
        jac->f_moved = gt_arena_doubles(arena, n);
        jac->f_base = gt_arena_doubles(arena, n);
    }
}

/* Greedy grouping: a column joins the group when none of its rows is taken by the group already. */
static void group_columns(gt_jacobian *jac)
{
    size_t n = jac->n, left = n;
    if (jac->of_J.storage == GT_DENSE) {
        for (size_t c = 0; c < n; c++) jac->group_of[c] = (int)c;
        jac->groups = (int)n;
        return;
    }
    double *taken_by = jac->f_moved; /* small whole numbers, exact in a double */
    for (size_t i = 0; i < n; i++) taken_by[i] = -1, jac->group_of[i] = -1;
    for (int group = 0; left; group++) {
        for (size_t c = 0; c < n; c++) {
            if (jac->group_of[c] >= 0) continue;
            column_rows rows = rows_of(&jac->of_J, n, c);
            int k = 0;
            while (k < rows.count && taken_by[row_at(&rows, k)] != group) k++;
            if (k < rows.count) continue;
            for (k = 0; k < rows.count; k++) taken_by[row_at(&rows, k)] = group;
            jac->group_of[c] = group;
            left--;
        }
        jac->groups = group + 1;
    }
}

void gt_jacobian_prepare(gt_jacobian *jac, const gt_problem *p)
{
    size_t n = jac->n;
    if (!p->jac) group_columns(jac);
    if (jac->of_W.storage != GT_CSC) return;
    size_t ej = 0, em = 0;
    for (size_t c = 0; c < n; c++) {
        column_rows j = rows_of(&jac->of_J, n, c), m = mass_rows(p, n, c);
        for (int k = 0; k < j.count; k++) jac->jac_slot[ej++] = slot_of(&jac->of_W, c, row_at(&j, k));
        for (int k = 0; k < m.count; k++) jac->mass_slot[em++] = slot_of(&jac->of_W, c, row_at(&m, k));
        jac->diag_slot[c] = slot_of(&jac->of_W, c, (int)c);
    }
}

/* Increment for a difference in x_j: balances truncation and round-off for values down to 1e-5. */
static double increment(double x_j, double f_j)
{
    double size = sqrt(DBL_EPSILON * fmax(1e-5, fabs(x_j))) * fmax(1, sqrt(fabs(x_j)));
    double moved = x_j + (f_j < 0 ? -size : size);
    return moved - x_j; /* exactly representable */
}

static gt_status by_differences(const gt_jacobian *jac, gt_stepper *s, double t, const double *x, gt_matrix *J)
{
    size_t n = jac->n;
    gt_status status = gt_rhs(s, t, x, jac->f_base);
    for (int group = 0; group < jac->groups && !status; group++) {
        memcpy(jac->x_moved, x, n * sizeof *x);
        for (size_t c = 0; c < n; c++) {
            if (jac->group_of[c] == group) jac->x_moved[c] += increment(x[c], jac->f_base[c]);
        }
        status = gt_rhs(s, t, jac->x_moved, jac->f_moved);
        for (size_t c = 0; c < n && !status; c++) {
            if (jac->group_of[c] != group) continue;
            column_rows rows = rows_of(&jac->of_J, n, c);
            double *entry = J->values + first_entry(&jac->of_J, n, c), dx = increment(x[c], jac->f_base[c]);
            for (int k = 0; k < rows.count; k++) {
                int r = row_at(&rows, k);
                entry[k] = (jac->f_moved[r] - jac->f_base[r]) / dx;
            }
        }
    }
    return status;
}

gt_status gt_jacobian_evaluate(const gt_jacobian *jac, gt_stepper *s, double t, const double *x, gt_matrix *J)
{
    s->stats.jacobians++;
    gt_matrix_clear(J);
    t = t < s->t_cap ? t : s->t_cap;
    if (s->problem->jac) return s->problem->jac(t, x, J, s->problem->ctx);
    return by_differences(jac, s, t, x, J);
}

/* W = scale J in differential rows, J in algebraic rows, for contiguous columns. */
static void add_jacobian(const gt_jacobian *jac, const gt_matrix *J, double scale, gt_matrix *W)
{
    size_t n = jac->n;
    for (size_t c = 0; c < n; c++) {
        column_rows rows = rows_of(&jac->of_J, n, c);
        const double *from = J->values + first_entry(&jac->of_J, n, c);
        int first = row_at(&rows, 0), split = (int)jac->n_diff - first;
        double *to = gt_matrix_at(W, (size_t)first, c);
        for (int k = 0; k < rows.count; k++) to[k] = (k < split ? scale : 1.0) * from[k];
    }
}

static void add_mass(const gt_jacobian *jac, const gt_matrix *M, gt_matrix *W)
{
    for (size_t c = 0; c < jac->n; c++) {
        column_rows rows = rows_of(&M->pattern, jac->n, c);
        const double *from = M->values + first_entry(&M->pattern, jac->n, c);
        for (int k = 0; k < rows.count; k++) {
            size_t r = (size_t)row_at(&rows, k);
            if (r < jac->n_diff) gt_matrix_add(W, r, c, from[k]);
        }
    }
}

static void shift_csc(const gt_jacobian *jac, const gt_problem *p, const gt_matrix *J, double gamma, gt_matrix *W)
{
    int n_diff = (int)jac->n_diff;
    const int *row = jac->of_W.rowindex;
    for (size_t c = 0, e = 0; c < jac->n; c++) {
        size_t from = first_entry(&jac->of_J, jac->n, c);
        for (int k = rows_of(&jac->of_J, jac->n, c).count; k > 0; k--, e++, from++) {
            int slot = jac->jac_slot[e];
            W->values[slot] = (row[slot] < n_diff ? -gamma : 1.0) * J->values[from];
        }
    }
    if (!p->mass || gamma == 0) {
        for (int c = 0; c < n_diff; c++) W->values[jac->diag_slot[c]] += 1;
        return;
    }
    for (size_t c = 0, e = 0; c < jac->n; c++) {
        size_t from = first_entry(&p->mass->pattern, jac->n, c);
        for (int k = rows_of(&p->mass->pattern, jac->n, c).count; k > 0; k--, e++, from++) {
            int slot = jac->mass_slot[e];
            if (row[slot] < n_diff) W->values[slot] += p->mass->values[from];
        }
    }
}

void gt_jacobian_shift(const gt_jacobian *jac, const gt_problem *p, const gt_matrix *J, double gamma, gt_matrix *W)
{
    gt_matrix_clear(W);
    if (jac->of_W.storage == GT_CSC) {
        shift_csc(jac, p, J, gamma, W);
        return;
    }
    if (jac->of_J.storage == GT_CSC) { /* a dense mass matrix with a sparse Jacobian */
        for (size_t c = 0; c < jac->n; c++) {
            for (int e = jac->of_J.colptr[c]; e < jac->of_J.colptr[c + 1]; e++) {
                size_t r = (size_t)jac->of_J.rowindex[e];
                gt_matrix_add(W, r, c, (r < jac->n_diff ? -gamma : 1.0) * J->values[e]);
            }
        }
    } else {
        add_jacobian(jac, J, -gamma, W);
    }
    if (p->mass && gamma != 0)
        add_mass(jac, p->mass, W);
    else
        for (size_t i = 0; i < jac->n_diff; i++) gt_matrix_add(W, i, i, 1);
}
