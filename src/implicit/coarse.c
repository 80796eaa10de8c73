/* SPDX-License-Identifier: BSD-3-Clause */
#include "implicit/coarse.h"
#include "implicit/ilu.h"
#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    LEAST_LEVEL = 500, /* components that incomplete factors do not solve well enough alone */
    AGGREGATE = 16,    /* components of one; fewer than FRAGMENT join another */
    FRAGMENT = 5,
    SWEEPS = 3
};
/* Of n: aggregates that there is room for, entries of their matrix, least part that takes part. */
static const double room_part = 1.0 / 12, entries_part = 0.5, least_part = 0.1;
/* The sum of a column beside its diagonal, below which it takes part: where diffusion reaches over
 * a few cells, and on the other levels wherever there is any. */
static const double smooth_finest = 1.0 / 50, smooth = 0.5;
/* Beside the strongest entry of a column; entries of the sign of the diagonal beside it: more of
 * them is no diffusion, as in the square of a Laplacian, whose smooth errors are not constant. */
static const double strong = 0.25, odd = 0.2;

enum { APART = -1, FREE = -2 };

struct gt_coarse {
    size_t n, room, entries; /* components of the level above; room for aggregates, for entries */
    size_t count;            /* aggregates */
    int *member;             /* aggregate of a component, or APART */
    int *head, *mark;        /* first component of an aggregate; work */
    int *colptr, *rowindex;  /* of Z' W Z */
    double *values;
    double *r, *e, *left; /* right-hand side, solution, what is left */
    gt_ilu ilu;
};

gt_coarse *gt_coarse_layout(size_t n, gt_arena *arena)
{
    if (n < LEAST_LEVEL) return NULL;
    gt_coarse *c = gt_arena_take(arena, 1, sizeof *c);
    gt_coarse made = {.n = n,
                      .room = (size_t)(room_part * (double)n),
                      .entries = (size_t)(entries_part * (double)n)};
    made.member = gt_arena_take(arena, n, sizeof(int));
    made.head = gt_arena_take(arena, made.room, sizeof(int));
    made.mark = gt_arena_take(arena, made.room, sizeof(int));
    made.colptr = gt_arena_take(arena, made.room + 1, sizeof(int));
    made.rowindex = gt_arena_take(arena, made.entries, sizeof(int));
    made.values = gt_arena_doubles(arena, made.entries);
    made.r = gt_arena_doubles(arena, made.room);
    made.e = gt_arena_doubles(arena, made.room);
    made.left = gt_arena_doubles(arena, made.room);
    gt_ilu_layout_small(&made.ilu, made.room, made.entries, made.colptr, made.rowindex, arena);
    if (c) *c = made;
    return c;
}

/* ---- aggregates ---- */

static bool takes_part(const gt_shift *W, size_t j, double below)
{
    double diagonal = j < W->n_diff ? 1 : 0, sum = 0, size = 0;
    for (int e = W->colptr[j]; e < W->colptr[j + 1]; e++) {
        double entry = gt_shift_entry(W, e);
        if (W->rowindex[e] == (int)j) {
            diagonal += entry;
        } else {
            sum += entry;
            size += fabs(entry);
        }
    }
    double sign = diagonal < 0 ? -1 : 1, rest = sign * (diagonal + sum);
    double against = 0.5 * (size + sign * sum); /* entries of the sign of the diagonal */
    return rest > 0 && rest < below * fabs(diagonal) && against < odd * fabs(diagonal);
}

/* The strongest entry of column j beside the diagonal. */
static double strongest(const gt_shift *W, size_t j)
{
    double most = 0;
    for (int e = W->colptr[j]; e < W->colptr[j + 1]; e++)
        if (W->rowindex[e] != (int)j && fabs(gt_shift_entry(W, e)) > fabs(most))
            most = gt_shift_entry(W, e);
    return most;
}

/* The aggregate of FREE components around j, in `list`. */
static int grow(gt_coarse *c, const gt_shift *W, size_t j, int own, int *list)
{
    int count = 0;
    list[count++] = (int)j;
    c->member[j] = own;
    for (int at = 0; at < count; at++) {
        size_t i = (size_t)list[at];
        double most = strongest(W, i);
        for (int e = W->colptr[i]; e < W->colptr[i + 1] && count < AGGREGATE; e++) {
            int k = W->rowindex[e];
            if (c->member[k] != FREE || gt_shift_entry(W, e) / most < strong) continue;
            c->member[k] = own;
            list[count++] = k;
        }
    }
    return count;
}

/* An aggregate beside one of the components, or APART. */
static int beside(const gt_coarse *c, const gt_shift *W, const int *list, int count, int own)
{
    for (int at = 0; at < count; at++) {
        size_t i = (size_t)list[at];
        double most = strongest(W, i);
        for (int e = W->colptr[i]; e < W->colptr[i + 1]; e++) {
            int to = c->member[W->rowindex[e]];
            if (to >= 0 && to != own && gt_shift_entry(W, e) / most >= strong) return to;
        }
    }
    return APART;
}

static bool aggregate(gt_coarse *c, const gt_shift *W, double below)
{
    size_t part = 0;
    for (size_t j = 0; j < W->n; j++) {
        c->member[j] = takes_part(W, j, below) ? FREE : APART;
        part += c->member[j] == FREE;
    }
    c->count = 0;
    if ((double)part < least_part * (double)W->n) return false;
    for (size_t j = 0; j < W->n; j++) {
        if (c->member[j] != FREE) continue;
        int list[AGGREGATE], own = (int)c->count, count = grow(c, W, j, own, list);
        if (count < FRAGMENT) {
            int to = beside(c, W, list, count, own);
            for (int at = 0; at < count; at++) c->member[list[at]] = to;
        } else if (++c->count >= c->room) {
            return false;
        }
    }
    return c->count > 0;
}

/* ---- the matrix of aggregates ---- */

static void sort_column(const gt_coarse *c, int first, int end)
{
    for (int e = first + 1; e < end; e++) {
        int row = c->rowindex[e], k = e;
        double value = c->values[e];
        for (; k > first && c->rowindex[k - 1] > row; k--) {
            c->rowindex[k] = c->rowindex[k - 1];
            c->values[k] = c->values[k - 1];
        }
        c->rowindex[k] = row;
        c->values[k] = value;
    }
}

/* Adds to row a of the column that begins at `first`. */
static bool add_to(gt_coarse *c, int a, double value, int first, int *end)
{
    if (c->mark[a] < first) {
        if ((size_t)*end >= c->entries) return false;
        c->mark[a] = *end;
        c->rowindex[*end] = a;
        c->values[(*end)++] = 0;
    }
    c->values[c->mark[a]] += value;
    return true;
}

/* link[j]: the next component of the aggregate. */
static bool add_up(gt_coarse *c, const gt_shift *W, const int *link)
{
    int end = 0;
    for (size_t a = 0; a < c->count; a++) c->mark[a] = -1;
    for (size_t a = 0; a < c->count; a++) {
        int first = c->colptr[a] = end;
        bool fits = add_to(c, (int)a, 0, first, &end);
        for (int j = c->head[a]; j >= 0 && fits; j = link[j]) {
            if (j < (int)W->n_diff) fits = add_to(c, (int)a, 1, first, &end);
            for (int e = W->colptr[j]; e < W->colptr[j + 1] && fits; e++) {
                int row = c->member[W->rowindex[e]];
                if (row >= 0) fits = add_to(c, row, gt_shift_entry(W, e), first, &end);
            }
        }
        if (!fits) return false;
        sort_column(c, first, end);
    }
    c->colptr[c->count] = end;
    return true;
}

static gt_shift matrix_of(const gt_coarse *c)
{
    return (gt_shift){c->count, 0, c->colptr, c->rowindex, c->values, 0};
}

bool gt_coarse_make(gt_coarse *c, const gt_shift *W, bool finest, int *link)
{
    assert(c && W && W->n <= c->n && link);
    if (!aggregate(c, W, finest ? smooth_finest : smooth)) return false;
    for (size_t a = 0; a < c->count; a++) c->head[a] = -1;
    for (size_t j = W->n; j-- > 0;) {
        if (c->member[j] < 0) continue;
        link[j] = c->head[c->member[j]];
        c->head[c->member[j]] = (int)j;
    }
    bool fits = add_up(c, W, link);
    for (size_t j = 0; j < W->n; j++) link[j] = -1;
    if (!fits) return false;
    gt_shift of = matrix_of(c);
    gt_ilu_factor_small(&c->ilu, &of);
    return true;
}

/* ---- corrections ---- */

/* e: about the solution of (Z' W Z) e = r. */
static void solve(gt_coarse *c)
{
    const gt_shift A = matrix_of(c);
    memcpy(c->e, c->r, c->count * sizeof *c->e);
    gt_ilu_solve(&c->ilu, &A, c->e);
    for (int sweep = 1; sweep < SWEEPS; sweep++) {
        memcpy(c->left, c->r, c->count * sizeof *c->left);
        for (size_t a = 0; a < c->count; a++)
            for (int e = c->colptr[a]; e < c->colptr[a + 1]; e++)
                c->left[c->rowindex[e]] -= c->values[e] * c->e[a];
        gt_ilu_solve(&c->ilu, &A, c->left);
        for (size_t a = 0; a < c->count; a++) c->e[a] += c->left[a];
    }
}

void gt_coarse_remove(gt_coarse *c, const gt_shift *W, double *b)
{
    memset(c->r, 0, c->count * sizeof *c->r);
    for (size_t j = 0; j < W->n; j++)
        if (c->member[j] >= 0) c->r[c->member[j]] += b[j];
    solve(c);
    const int *colptr = W->colptr, *row = W->rowindex;
    const double *values = W->values;
    bool all = W->n_diff == W->n;
    for (size_t j = 0; j < W->n; j++) {
        if (c->member[j] < 0) continue;
        double e_j = c->e[c->member[j]], f = W->gamma * e_j;
        if (j < W->n_diff) b[j] -= e_j;
        if (all)
            for (int e = colptr[j]; e < colptr[j + 1]; e++) b[row[e]] += values[e] * f;
        else
            for (int e = colptr[j]; e < colptr[j + 1]; e++) b[row[e]] -= gt_shift_entry(W, e) * e_j;
    }
}

void gt_coarse_add(const gt_coarse *c, size_t n, double *b)
{
    for (size_t j = 0; j < n; j++)
        if (c->member[j] >= 0) b[j] += c->e[c->member[j]];
}
