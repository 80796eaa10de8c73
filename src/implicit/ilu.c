/* SPDX-License-Identifier: BSD-3-Clause */
#include "implicit/ilu.h"
#include "linalg/column.h"
#include <assert.h>
#include <math.h>
#include <string.h>

/* Part of what is dropped that goes to the diagonal, and the least pivot beside its row. */
static const double kept_sum = 0.95, least_pivot = 1e-6;
enum { LARGE = 50000 }; /* components, whose smooth errors are a matter of aggregates */

static bool has_diagonal(const gt_pattern *p, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        int k = p->colptr[j];
        while (k < p->colptr[j + 1] && p->rowindex[k] != (int)j) k++;
        if (k == p->colptr[j + 1]) return false;
    }
    return true;
}

static void insert(int *rows, int count, int row)
{
    int k = count;
    for (; k > 0 && rows[k - 1] > row; k--) rows[k] = rows[k - 1];
    rows[k] = row;
}

/* The pattern with its first fill: (i, j) where some k < i, j has (i, k) and (k, j). Counts only
 * where `rows` is NULL; `mark` has n numbers. */
static size_t with_fill(size_t n, const gt_pattern *p, int *mark, int *ends, int *rows)
{
    size_t total = 0;
    for (size_t i = 0; i < n; i++) mark[i] = -1;
    for (size_t i = 0; i < n; i++) {
        int count = 0, *to = rows ? rows + total : NULL;
        for (int e = p->colptr[i]; e < p->colptr[i + 1]; e++) {
            mark[p->rowindex[e]] = (int)i;
            if (to) to[count] = p->rowindex[e];
            count++;
        }
        for (int e = p->colptr[i]; e < p->colptr[i + 1] && p->rowindex[e] < (int)i; e++) {
            int k = p->rowindex[e];
            for (int a = p->colptr[k]; a < p->colptr[k + 1]; a++) {
                int j = p->rowindex[a];
                if (j <= k || mark[j] == (int)i) continue;
                mark[j] = (int)i;
                if (to) insert(to, count, j);
                count++;
            }
        }
        total += (size_t)count;
        if (ends) ends[i + 1] = (int)total;
    }
    return total;
}

static void add_fill(gt_ilu *w, gt_arena *arena)
{
    gt_arena scratch = gt_arena_growing();
    size_t n = w->n;
    int *mark = gt_arena_take(&scratch, n, sizeof *mark);
    gt_sum sum;
    gt_pattern of[2] = {w->of_J, gt_sum_diagonal};
    gt_sum_layout(&sum, n, 2, of, &scratch);
    if (scratch.failed) arena->failed = true;
    size_t entries = scratch.failed ? 0 : with_fill(n, &sum.of_W, mark, NULL, NULL);
    int *colptr = gt_arena_take(arena, n + 1, sizeof *colptr);
    int *rowindex = gt_arena_take(arena, entries, sizeof *rowindex);
    if (!gt_arena_measuring(arena) && !arena->failed)
        with_fill(n, &sum.of_W, mark, colptr, rowindex);
    w->of_W =
        (gt_pattern){.storage = GT_CSC, .colptr = colptr, .rowindex = rowindex, .entries = entries};
    w->jac_slot = gt_arena_take(arena, gt_pattern_inside(&w->of_J, n), sizeof(int));
    gt_arena_free(&scratch);
}

void gt_ilu_layout(gt_ilu *w, const gt_problem *p, int fill, gt_arena *arena)
{
    assert(w && p && arena);
    assert(p->jac_pattern.storage == GT_CSC);
    size_t n = gt_problem_size(p);
    *w = (gt_ilu){.n = n, .n_diff = p->n_slow + p->n_fast, .of_J = p->jac_pattern, .fill = fill};
    if (p->mass) {
        w->of_mass = p->mass->pattern;
        gt_pattern of[] = {w->of_J, gt_sum_diagonal, w->of_mass};
        gt_sum sum;
        gt_sum_layout(&sum, n, 3, of, arena);
        w->of_W = sum.of_W;
        w->jac_slot = sum.slot[0];
        w->mass_slot = sum.slot[2];
    } else if (fill > 0) {
        add_fill(w, arena);
    } else if (has_diagonal(&w->of_J, n)) {
        w->of_W = w->of_J;
    } else {
        gt_pattern of[] = {w->of_J, gt_sum_diagonal};
        gt_sum sum;
        gt_sum_layout(&sum, n, 2, of, arena);
        w->of_W = sum.of_W;
        w->jac_slot = sum.slot[0];
    }
    w->colptr = w->of_W.colptr;
    w->rowindex = w->of_W.rowindex;
    w->diagonal = gt_arena_take(arena, n, sizeof(int));
    w->place = gt_arena_take(arena, n, sizeof(int));
    size_t entries = w->of_W.entries ? w->of_W.entries : gt_pattern_inside(&w->of_W, n);
    w->values = gt_arena_doubles(arena, entries);
    if (n > LARGE && !p->mass && !fill) w->coarse = gt_coarse_layout(n, arena);
}

void gt_ilu_layout_small(gt_ilu *w, size_t n, size_t entries, const int *colptr,
                         const int *rowindex, gt_arena *arena)
{
    *w = (gt_ilu){.n = n, .colptr = colptr, .rowindex = rowindex, .plain = true};
    w->diagonal = gt_arena_take(arena, n, sizeof(int));
    w->place = gt_arena_take(arena, n, sizeof(int));
    w->values = gt_arena_doubles(arena, entries);
    w->coarse = gt_coarse_layout(n, arena);
}

/* Places in W of the entries of a term. */
static void find_slots(const gt_ilu *w, const gt_pattern *of, int *slot)
{
    size_t e = 0;
    for (size_t j = 0; j < w->n; j++) {
        gt_column c = gt_column_of(of, w->n, j);
        int at = w->colptr[j];
        for (size_t k = 0; k < c.count; k++) {
            while (w->rowindex[at] != (int)gt_column_row(&c, k)) at++;
            slot[e++] = at;
        }
    }
}

void gt_ilu_prepare(gt_ilu *w, const gt_problem *p)
{
    assert(w && p);
    if (w->jac_slot) find_slots(w, &w->of_J, w->jac_slot);
    if (p->mass) find_slots(w, &w->of_mass, w->mass_slot);
    find_slots(w, &gt_sum_diagonal, w->diagonal);
    for (size_t i = 0; i < w->n; i++) w->place[i] = -1;
}

static void fill_in(gt_ilu *w, const gt_problem *p, const gt_matrix *J, double gamma)
{
    double *values = w->values;
    const int *row = w->rowindex;
    int n_diff = (int)w->n_diff;
    memset(values, 0, (size_t)w->colptr[w->n] * sizeof *values);
    size_t entries = gt_matrix_entries(J);
    for (size_t e = 0; e < entries; e++) {
        int to = w->jac_slot ? w->jac_slot[e] : (int)e;
        values[to] = row[to] < n_diff ? -gamma * J->values[e] : J->values[e];
    }
    if (!p->mass || gamma == 0) {
        for (size_t i = 0; i < w->n_diff; i++) values[w->diagonal[i]] += 1;
        return;
    }
    size_t e = 0;
    for (size_t j = 0; j < w->n; j++) {
        gt_column c = gt_column_of(&w->of_mass, w->n, j);
        for (size_t k = 0; k < c.count; k++, e++) {
            int to = w->mass_slot[e];
            if (row[to] < n_diff) values[to] += p->mass->values[c.index + k];
        }
    }
}

/* Row i of W' less l_ik times row k for all k < i in it; returns what the diagonal gets of what is
 * dropped. */
static double eliminate(const gt_ilu *w, size_t i)
{
    double *a = w->values, dropped = 0;
    const int *row = w->rowindex, *place = w->place;
    for (int e = w->colptr[i]; e < w->diagonal[i]; e++) {
        int k = row[e];
        double l = a[e] *= a[w->diagonal[k]];
        if (l == 0) continue;
        for (int u = w->diagonal[k] + 1; u < w->colptr[k + 1]; u++) {
            int at = place[row[u]];
            if (at >= 0)
                a[at] -= l * a[u];
            else
                dropped -= l * a[u];
        }
    }
    /* What fill adds may be of another kind than the diagonal; beside aggregates nothing is to
     * overshoot. */
    return w->fill || w->plain ? 0 : kept_sum * dropped;
}

static void factor(gt_ilu *w)
{
    double *a = w->values;
    w->sign = 1;
    for (size_t i = 0; i < w->n; i++) {
        double size = 0;
        for (int e = w->colptr[i]; e < w->colptr[i + 1]; e++) {
            w->place[w->rowindex[e]] = e;
            size += fabs(a[e]);
        }
        double dropped = eliminate(w, i), *pivot = &a[w->diagonal[i]];
        if (fabs(*pivot + dropped) >= 0.1 * fabs(*pivot)) *pivot += dropped;
        if (!(fabs(*pivot) > least_pivot * size)) *pivot = *pivot < 0 ? -size : size;
        *pivot = *pivot != 0 && isfinite(*pivot) ? 1 / *pivot : 1;
        if (*pivot < 0) w->sign = -w->sign;
        for (int e = w->colptr[i]; e < w->colptr[i + 1]; e++) w->place[w->rowindex[e]] = -1;
    }
}

gt_shift gt_ilu_matrix(const gt_ilu *w, const gt_matrix *J, double gamma)
{
    return (gt_shift){w->n, w->n_diff, w->of_J.colptr, w->of_J.rowindex, J->values, gamma};
}

void gt_ilu_factor(gt_ilu *w, const gt_problem *p, const gt_matrix *J, double gamma)
{
    assert(w && p && J);
    gt_shift W = gt_ilu_matrix(w, J, gamma);
    w->plain = w->corrects = w->coarse && gt_coarse_make(w->coarse, &W, true, w->place);
    fill_in(w, p, J, gamma);
    factor(w);
}

void gt_ilu_factor_small(gt_ilu *w, const gt_shift *W)
{
    w->n = W->n;
    for (size_t i = 0; i < w->n; i++) {
        w->place[i] = -1;
        int at = w->colptr[i];
        while (w->rowindex[at] != (int)i) at++;
        w->diagonal[i] = at;
    }
    w->corrects = w->coarse && gt_coarse_make(w->coarse, W, false, w->place);
    memcpy(w->values, W->values, (size_t)w->colptr[w->n] * sizeof *w->values);
    factor(w);
}

static void solve_factors(const gt_ilu *w, double *b)
{
    const double *a = w->values;
    const int *row = w->rowindex;
    for (size_t i = 0; i < w->n; i++) {
        double y = b[i] *= a[w->diagonal[i]];
        for (int e = w->diagonal[i] + 1; e < w->colptr[i + 1]; e++) b[row[e]] -= a[e] * y;
    }
    for (size_t i = w->n; i-- > 0;) {
        double y = b[i];
        for (int e = w->colptr[i]; e < w->diagonal[i]; e++) b[row[e]] -= a[e] * y;
    }
}

void gt_ilu_solve(const gt_ilu *w, const gt_shift *W, double *b)
{
    assert(w && W && b);
    if (w->corrects) gt_coarse_remove(w->coarse, W, b);
    solve_factors(w, b);
    if (w->corrects) gt_coarse_add(w->coarse, W->n, b);
}
