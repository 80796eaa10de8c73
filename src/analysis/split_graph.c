/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two blocks of states by rate, from the graph of the Jacobian at one point, for any number of
 * states. Each entry J_ij is an edge from j to i. A rate of a system shows in a cycle of edges, as
 * the geometric mean of their sizes (the eigenvalues of J where max and product stand for sum and
 * product), which no scaling of the states changes: an oscillator y' = q, q' = -w^2 y is a cycle of
 * mean w, whatever its units.
 *
 * 1. J is scaled, D^-1 J D, so that the largest entries of each row and column beside the diagonal
 *    agree (Osborne, J. ACM 7 (1960) 338): then the edges of a cycle are about as large as its
 * mean.
 * 2. At a level theta a state is fast when it lies on a cycle of edges of at least theta, which is
 * a strongly connected component, or has a diagonal of that size. From the largest entry down by
 *    factors of 2 the set grows.
 * 3. The widest range of levels in which it does not grow is the gap.
 *
 * The work is proportional to the entries of J, for each of the levels; there are as many of these
 * as J has powers of 2 between its largest entry and 1 / span.
 */
#include "analysis/advice.h"
#include "base/sized.h"
#include "implicit/evaluator.h"
#include "linalg/column.h"
#include <assert.h>
#include <geartrain/author/newton.h>
#include <math.h>
#include <string.h>

enum { SWEEPS = 12, MOST_LEVELS = 120, MOST_DENSE = 2000 };
static const double least_gap = 8;

typedef struct graph {
    size_t n, n_diff;
    const gt_matrix *J;
    double *scale;           /* D */
    double *row, *column;    /* largest entries beside the diagonal */
    size_t *number, *lowest; /* of Tarjan's search; 0: not seen */
    size_t *stack, *path, *place;
    unsigned char *on_stack, *fast, *best;
} graph;

/* Entry k of column j after scaling. */
static double edge(const graph *g, const gt_column *c, size_t k, size_t j)
{
    return fabs(g->J->values[c->index + k]) * g->scale[j] / g->scale[gt_column_row(c, k)];
}

static void largest_entries(graph *g)
{
    memset(g->row, 0, g->n * sizeof *g->row);
    memset(g->column, 0, g->n * sizeof *g->column);
    for (size_t j = 0; j < g->n_diff; j++) {
        gt_column c = gt_column_of(&g->J->pattern, g->n, j);
        for (size_t k = 0; k < c.count; k++) {
            size_t i = gt_column_row(&c, k);
            if (i == j || i >= g->n_diff) continue;
            double size = edge(g, &c, k, j);
            g->row[i] = fmax(g->row[i], size);
            g->column[j] = fmax(g->column[j], size);
        }
    }
}

/* What only drives others, or is only driven, lies on no cycle and is left alone. */
static void balance(graph *g)
{
    for (size_t i = 0; i < g->n; i++) g->scale[i] = 1;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        largest_entries(g);
        for (size_t i = 0; i < g->n_diff; i++)
            if (g->row[i] > 0 && g->column[i] > 0)
                g->scale[i] *= sqrt(sqrt(g->row[i] / g->column[i]));
    }
}

/* ---- cycles: Tarjan's search (SIAM J. Comput. 1 (1972) 146), without recursion ---- */

typedef struct search {
    size_t count, n_stack, n_path;
    double level;
} search;

static void enter(graph *g, search *s, size_t v)
{
    g->number[v] = g->lowest[v] = ++s->count;
    g->stack[s->n_stack++] = v;
    g->on_stack[v] = 1;
    g->path[s->n_path++] = v;
    g->place[v] = 0;
}

/* A component of one state is a cycle only by its diagonal. */
static void leave(graph *g, search *s, size_t v)
{
    s->n_path--;
    if (s->n_path) {
        size_t parent = g->path[s->n_path - 1];
        if (g->lowest[v] < g->lowest[parent]) g->lowest[parent] = g->lowest[v];
    }
    if (g->lowest[v] != g->number[v]) return;
    bool alone = g->stack[s->n_stack - 1] == v;
    for (size_t u = g->n; u != v;) {
        u = g->stack[--s->n_stack];
        g->on_stack[u] = 0;
        if (!alone) g->fast[u] = 1;
    }
}

/* The next edge of the state on top of the path. */
static void advance(graph *g, search *s)
{
    size_t v = g->path[s->n_path - 1];
    gt_column c = gt_column_of(&g->J->pattern, g->n, v);
    if (g->place[v] == c.count) {
        leave(g, s, v);
        return;
    }
    size_t k = g->place[v]++, u = gt_column_row(&c, k);
    if (u >= g->n_diff || !(edge(g, &c, k, v) >= s->level)) return;
    if (u == v)
        g->fast[v] = 1;
    else if (!g->number[u])
        enter(g, s, u);
    else if (g->on_stack[u] && g->number[u] < g->lowest[v])
        g->lowest[v] = g->number[u];
}

/* How many states are fast at the level; marks them. */
static size_t fast_at(graph *g, double level)
{
    search s = {.level = level};
    size_t fast = 0;
    memset(g->number, 0, g->n * sizeof *g->number);
    memset(g->fast, 0, g->n);
    for (size_t v = 0; v < g->n_diff; v++) {
        if (!g->number[v]) enter(g, &s, v);
        while (s.n_path) advance(g, &s);
    }
    for (size_t v = 0; v < g->n_diff; v++) fast += g->fast[v];
    return fast;
}

/* ---- levels ---- */

static double largest_edge(graph *g)
{
    double most = 0;
    for (size_t j = 0; j < g->n_diff; j++) {
        gt_column c = gt_column_of(&g->J->pattern, g->n, j);
        for (size_t k = 0; k < c.count; k++)
            if (gt_column_row(&c, k) < g->n_diff) most = fmax(most, edge(g, &c, k, j));
    }
    return most;
}

static void widest_gap(graph *g, double floor_rate, gt_split *out)
{
    double level = largest_edge(g), began = level;
    size_t count = 0;
    for (int k = 0; k < MOST_LEVELS && level > floor_rate && count < g->n_diff; k++) {
        level /= 2;
        size_t now = fast_at(g, fmax(level, floor_rate));
        if (now == count && level > floor_rate) continue;
        double gap = began / (2 * fmax(level, floor_rate)); /* it ended at the level before */
        if (count && count < g->n_diff && gap > out->gap) {
            out->n_fast = count;
            out->gap = gap;
            out->fast_rate = began;
            out->slow_rate = began / gap;
            memcpy(out->fast, g->best, g->n);
        }
        count = now;
        began = level;
        memcpy(g->best, g->fast, g->n);
    }
}

/* |J_sf| / |J_ss| and |J_fs| / |J_ff| in the Frobenius norm. */
static void measure_coupling(const graph *g, gt_split *out)
{
    double sum[2][2] = {{0}};
    for (size_t j = 0; j < g->n_diff; j++) {
        gt_column c = gt_column_of(&g->J->pattern, g->n, j);
        for (size_t k = 0; k < c.count; k++) {
            size_t i = gt_column_row(&c, k);
            double value = g->J->values[c.index + k];
            if (i < g->n_diff) sum[out->fast[i]][out->fast[j]] += value * value;
        }
    }
    out->coupling_sf = sqrt(sum[0][1] / fmax(sum[0][0], 1e-300));
    out->coupling_fs = sqrt(sum[1][0] / fmax(sum[1][1], 1e-300));
}

static gt_status lay_graph(graph *g, gt_arena *scratch)
{
    g->scale = gt_arena_doubles(scratch, 3 * g->n);
    g->number = gt_arena_take(scratch, 5 * g->n, sizeof *g->number);
    g->on_stack = gt_arena_take(scratch, 3 * g->n, 1);
    if (scratch->failed) return GT_NO_MEMORY;
    g->row = g->scale + g->n, g->column = g->row + g->n;
    g->lowest = g->number + g->n, g->stack = g->lowest + g->n;
    g->path = g->stack + g->n, g->place = g->path + g->n;
    g->fast = g->on_stack + g->n, g->best = g->fast + g->n;
    return GT_OK;
}

gt_status gt_split_by_graph(const gt_problem *problem, const gt_matrix *J, gt_split *out,
                            gt_arena *arena)
{
    assert(problem && J && out && arena);
    gt_arena scratch = gt_arena_growing();
    double span = fabs(problem->t1 - problem->t0);
    graph g = {.n = gt_problem_size(problem), .n_diff = problem->n_slow + problem->n_fast, .J = J};
    *out = (gt_split){.fast = gt_arena_take(arena, g.n, 1)};
    gt_status status = out->fast ? lay_graph(&g, &scratch) : GT_NO_MEMORY;
    if (!status) {
        balance(&g);
        widest_gap(&g, isfinite(span) && span > 0 ? 1 / span : 0, out);
        measure_coupling(&g, out);
        out->separation = out->gap;
        if (!(out->gap >= least_gap)) {
            out->n_fast = 0;
            memset(out->fast, 0, g.n);
        }
    }
    gt_arena_free(&scratch);
    return status;
}

gt_status gt_split_find_sized(const gt_problem *problem, size_t problem_size, double t,
                              const double *x, gt_split *out, gt_arena *arena, gt_message *message)
{
    GT_WIDEN(message, gt_problem, problem);
    GT_ARMOR(message, problem && x && out && arena);
    size_t n = gt_problem_size(problem);
    if (problem->jac_pattern.storage == GT_DENSE && n > MOST_DENSE) {
        *out = (gt_split){.fast = gt_arena_take(arena, n, 1)};
        return out->fast ? GT_OK : gt_fail(message, GT_NO_MEMORY, "out of memory");
    }
    gt_arena scratch = gt_arena_growing();
    gt_stepper s = gt_evaluator(problem);
    gt_jacobian jac = {0};
    gt_matrix J = {0};
    gt_jacobian_layout(&jac, problem, &scratch);
    gt_matrix_layout(&J, n, problem->jac_pattern, false, &scratch);
    gt_status status = scratch.failed ? GT_NO_MEMORY : GT_OK;
    if (!status) {
        gt_jacobian_prepare(&jac, problem);
        status = gt_jacobian_evaluate(&jac, &s, t, x, &J);
    }
    if (!status) status = gt_split_by_graph(problem, &J, out, arena);
    gt_arena_free(&scratch);
    if (status == GT_NO_MEMORY)
        return gt_fail(message, status, "out of memory for the Jacobian of %zu states", n);
    return status
               ? gt_fail(message, status, "the Jacobian at t = %.6g: %s", t, gt_status_text(status))
               : GT_OK;
}
