/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A problem seen in another order of its states: state i of the new problem is state order[i] of
 * the user's, and so is its equation. Every function of the user's problem is called through a
 * wrapper that scatters x into the user's order and gathers the result. A Jacobian that is banded
 * becomes CSC, since a permuted band is none.
 *
 * The scratch vectors live in the wrapper's ctx, so nothing allocates during evaluations, and a
 * permuted problem is for one thread: permute once per thread.
 */
#include "base/sized.h"
#include "linalg/column.h"
#include <geartrain/problem.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct permuted {
    gt_problem user;
    size_t n;
    size_t *order;   /* order[i]: user's index of state i */
    size_t *inverse; /* inverse[order[i]] = i */
    double *x, *y;   /* in the user's order */
    gt_matrix J;     /* in the user's order */
    size_t *slot;    /* for each value of the new CSC Jacobian its place in J.values */
} permuted;

static void to_user(const permuted *p, const double *x, double *user_x)
{
    for (size_t i = 0; i < p->n; i++) user_x[p->order[i]] = x[i];
}

static void from_user(const permuted *p, const double *user_x, double *x)
{
    for (size_t i = 0; i < p->n; i++) x[i] = user_x[p->order[i]];
}

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    permuted *p = ctx;
    to_user(p, x, p->x);
    gt_status status = p->user.rhs(t, p->x, p->y, p->user.ctx);
    from_user(p, p->y, dx);
    return status;
}

static gt_status rhs_t(double t, const double *x, double *f_t, void *ctx)
{
    permuted *p = ctx;
    to_user(p, x, p->x);
    gt_status status = p->user.rhs_t(t, p->x, p->y, p->user.ctx);
    from_user(p, p->y, f_t);
    return status;
}

/* One block, when it has the same states as the user's block of that kind, which begins at state
 * `first`. */
static gt_status block(permuted *p, gt_rhs_fn *f, size_t first, size_t count, double t,
                       const double *x, double *dx)
{
    to_user(p, x, p->x);
    gt_status status = f(t, p->x, p->y, p->user.ctx);
    for (size_t i = 0; i < count; i++) dx[i] = p->y[p->order[first + i] - first];
    return status;
}

static gt_status rhs_slow(double t, const double *x, double *dx, void *ctx)
{
    permuted *p = ctx;
    return block(p, p->user.rhs_slow, 0, p->user.n_slow, t, x, dx);
}

static gt_status rhs_fast(double t, const double *x, double *dx, void *ctx)
{
    permuted *p = ctx;
    return block(p, p->user.rhs_fast, p->user.n_slow, p->user.n_fast, t, x, dx);
}

static gt_status rhs_alg(double t, const double *x, double *dx, void *ctx)
{
    permuted *p = ctx;
    return block(p, p->user.rhs_alg, p->user.n_slow + p->user.n_fast, p->user.n_alg, t, x, dx);
}

static void permute_values(const permuted *p, const gt_matrix *from, const size_t *slot,
                           gt_matrix *to)
{
    if (to->pattern.storage == GT_CSC) {
        size_t entries = (size_t)to->pattern.colptr[p->n];
        for (size_t k = 0; k < entries; k++) to->values[k] = from->values[slot[k]];
        return;
    }
    for (size_t j = 0; j < p->n; j++) {
        const double *column = from->values + p->order[j] * p->n;
        for (size_t i = 0; i < p->n; i++) to->values[j * p->n + i] = column[p->order[i]];
    }
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    permuted *p = ctx;
    to_user(p, x, p->x);
    gt_matrix_clear(&p->J);
    gt_status status = p->user.jac(t, p->x, &p->J, p->user.ctx);
    permute_values(p, &p->J, p->slot, J);
    return status;
}

/* The user's recurrence works in the caller's memory; rows are reordered in place. */
static gt_status taylor(double t, int order, double *c, void *ctx)
{
    permuted *p = ctx;
    to_user(p, c, p->x);
    for (size_t i = 0; i < p->n; i++) c[i] = p->x[i];
    gt_status status = p->user.taylor(t, order, c, p->user.ctx);
    for (int k = 0; k <= order; k++) {
        double *row = c + (size_t)k * p->n;
        for (size_t i = 0; i < p->n; i++) p->x[i] = row[i];
        from_user(p, p->x, row);
    }
    return status;
}

static void begin(void *ctx)
{
    permuted *p = ctx;
    p->user.begin(p->user.ctx);
}

static gt_status roots(double t, const double *x, double *g, void *ctx)
{
    permuted *p = ctx;
    to_user(p, x, p->x);
    return p->user.roots(t, p->x, g, p->user.ctx);
}

static gt_status switches(double t, const double *x, double *g, void *ctx)
{
    permuted *p = ctx;
    to_user(p, x, p->x);
    return p->user.switches(t, p->x, g, p->user.ctx);
}

static void set_sides(const signed char *sides, void *ctx)
{
    const permuted *p = ctx;
    p->user.set_sides(sides, p->user.ctx);
}

static void switch_name(size_t i, char *buffer, size_t room, void *ctx)
{
    const permuted *p = ctx;
    p->user.switch_name(i, buffer, room, p->user.ctx);
}

static gt_status on_event(double t, const unsigned char *fired, double *x, unsigned *actions,
                          void *ctx)
{
    permuted *p = ctx;
    to_user(p, x, p->x);
    gt_status status = p->user.on_event(t, fired, p->x, actions, p->user.ctx);
    from_user(p, p->x, x);
    return status;
}

static gt_status on_break(double t, double *x, void *ctx)
{
    permuted *p = ctx;
    to_user(p, x, p->x);
    gt_status status = p->user.on_break(t, p->x, p->user.ctx);
    from_user(p, p->x, x);
    return status;
}

static void exact(double t, double *x, void *ctx)
{
    permuted *p = ctx;
    p->user.exact(t, p->x, p->user.ctx);
    from_user(p, p->x, x);
}

static void invariants(double t, const double *x, double *out, void *ctx)
{
    permuted *p = ctx;
    to_user(p, x, p->x);
    p->user.invariants(t, p->x, out, p->user.ctx);
}

static void aux(double t, const double *x, double *out, void *ctx)
{
    permuted *p = ctx;
    to_user(p, x, p->x);
    p->user.aux(t, p->x, out, p->user.ctx);
}

typedef struct entry {
    size_t row, place;
} entry;

static int by_row(const void *a, const void *b)
{
    size_t left = ((const entry *)a)->row, right = ((const entry *)b)->row;
    return (left > right) - (left < right);
}

/* The permuted pattern of a banded or CSC one, with the place of each entry in the user's values.
 */
static gt_status permute_pattern(const permuted *p, const gt_pattern *user, gt_pattern *out,
                                 size_t **slot, gt_arena *arena)
{
    *out = (gt_pattern){.storage = user->storage};
    if (user->storage == GT_DENSE) return GT_OK;
    size_t n = p->n, entries = gt_pattern_inside(user, n);
    if (entries > INT_MAX) return GT_UNSUPPORTED;
    int *colptr = gt_arena_take(arena, n + 1, sizeof(int));
    int *rowindex = gt_arena_take(arena, entries, sizeof(int));
    *slot = gt_arena_take(arena, entries, sizeof(size_t));
    entry *column = gt_arena_take(arena, n, sizeof *column);
    if (gt_arena_measuring(arena)) return GT_OK;
    if (arena->failed) return GT_NO_MEMORY;

    for (size_t j = 0; j < n; j++) {
        gt_column c = gt_column_of(user, n, p->order[j]);
        for (size_t k = 0; k < c.count; k++)
            column[k] = (entry){.row = p->inverse[gt_column_row(&c, k)], .place = c.index + k};
        qsort(column, c.count, sizeof *column, by_row);
        for (size_t k = 0; k < c.count; k++) {
            rowindex[(size_t)colptr[j] + k] = (int)column[k].row;
            (*slot)[(size_t)colptr[j] + k] = column[k].place;
        }
        colptr[j + 1] = colptr[j] + (int)c.count;
    }
    *out = (gt_pattern){.storage = GT_CSC, .colptr = colptr, .rowindex = rowindex};
    return GT_OK;
}

static gt_status permute_mass(const permuted *p, const gt_matrix **out, gt_arena *arena)
{
    const gt_matrix *user = p->user.mass;
    if (!user) return GT_OK;
    size_t *slot = NULL;
    gt_matrix *mass = gt_arena_take(arena, 1, sizeof *mass);
    gt_matrix made = {0};
    gt_pattern pattern;
    gt_status status = permute_pattern(p, &user->pattern, &pattern, &slot, arena);
    if (status) return status;
    if (gt_arena_measuring(arena)) {
        gt_arena_take(arena, gt_pattern_inside(&user->pattern, p->n), sizeof(double));
        return GT_OK;
    }
    gt_matrix_layout(&made, p->n, pattern, false, arena);
    if (arena->failed) return GT_NO_MEMORY;
    permute_values(p, user, slot, &made);
    *mass = made;
    *out = mass;
    return GT_OK;
}

/* Names in the new order; states without names keep the made-up names of the user's order. */
static const char *const *permute_names(const permuted *p, gt_arena *arena)
{
    const char **names = gt_arena_take(arena, p->n, sizeof *names);
    char(*made_up)[24] = p->user.names ? NULL : gt_arena_take(arena, p->n, sizeof *made_up);
    if (!names || arena->failed) return NULL;
    for (size_t i = 0; i < p->n; i++) {
        if (made_up) snprintf(made_up[i], sizeof made_up[i], "x%zu", p->order[i] + 1);
        names[i] = made_up ? made_up[i] : p->user.names[p->order[i]];
    }
    return names;
}

static const char *const *permute_units(const permuted *p, gt_arena *arena)
{
    if (!p->user.units) return NULL;
    const char **units = gt_arena_take(arena, p->n, sizeof *units);
    for (size_t i = 0; units && i < p->n; i++) units[i] = p->user.units[p->order[i]];
    return units;
}

static const unsigned char *permute_index(const permuted *p, gt_arena *arena)
{
    if (!p->user.index) return NULL;
    unsigned char *index = gt_arena_take(arena, p->n, sizeof *index);
    for (size_t i = 0; index && i < p->n; i++) index[i] = p->user.index[p->order[i]];
    return index;
}

static const double *permute_start(const permuted *p, gt_arena *arena)
{
    if (!p->user.x0) return NULL;
    double *x0 = gt_arena_doubles(arena, p->n);
    if (x0) from_user(p, p->user.x0, x0);
    return x0;
}

/* Do the new states first..first+count-1 come from the same range of the user's? */
static bool same_block(const size_t *order, size_t first, size_t count, size_t user_count)
{
    if (count != user_count) return false;
    for (size_t i = first; i < first + count; i++)
        if (order[i] < first || order[i] >= first + count) return false;
    return true;
}

static void set_functions(const gt_problem *user, const size_t *order, gt_problem *out)
{
    size_t fast = out->n_slow, alg = out->n_slow + out->n_fast;
    bool slow_same = same_block(order, 0, out->n_slow, user->n_slow);
    bool fast_same = fast == user->n_slow && same_block(order, fast, out->n_fast, user->n_fast);
    bool alg_same =
        alg == user->n_slow + user->n_fast && same_block(order, alg, out->n_alg, user->n_alg);
    out->rhs = user->rhs ? rhs : NULL;
    out->rhs_t = user->rhs_t ? rhs_t : NULL;
    out->rhs_slow = user->rhs_slow && slow_same ? rhs_slow : NULL;
    out->rhs_fast = user->rhs_fast && fast_same ? rhs_fast : NULL;
    out->rhs_alg = user->rhs_alg && alg_same ? rhs_alg : NULL;
    out->jac = user->jac ? jac : NULL;
    out->jac_block = NULL;
    out->solver = NULL;
    out->taylor = user->taylor ? taylor : NULL;
    out->begin = user->begin ? begin : NULL;
    out->roots = user->roots ? roots : NULL;
    out->on_event = user->on_event ? on_event : NULL;
    out->switches = user->switches ? switches : NULL;
    out->set_sides = user->set_sides ? set_sides : NULL;
    out->switch_name = user->switch_name ? switch_name : NULL;
    out->on_break = user->on_break ? on_break : NULL;
    out->exact = user->exact ? exact : NULL;
    out->invariants = user->invariants ? invariants : NULL;
    out->aux = user->aux ? aux : NULL;
    if (!slow_same || !fast_same || !alg_same)
        out->work = (gt_work){.full = user->work.full, .jac = user->work.jac};
    out->second_order = NULL; /* [z, z'] is one particular order */
}

/* Each of 0..n-1 once, and what is algebraic stays so. */
static gt_status check_order(const gt_problem *user, size_t n_diff, const size_t *order,
                             size_t *inverse, size_t n)
{
    size_t user_diff = user->n_slow + user->n_fast;
    for (size_t i = 0; i < n; i++) inverse[i] = n;
    for (size_t i = 0; i < n; i++) {
        if (order[i] >= n || inverse[order[i]] != n) return GT_BAD_ARGUMENT;
        if (i < n_diff && order[i] >= user_diff) return GT_BAD_ARGUMENT;
        inverse[order[i]] = i;
    }
    return GT_OK;
}

static void use_threads(const gt_threads *threads, void *ctx)
{
    const permuted *p = ctx;
    p->user.use_threads(threads, p->user.ctx);
}

static gt_status full_problem_permuted(const gt_problem *user, size_t n_slow, size_t n_fast,
                                       size_t n_alg, const size_t *order, gt_problem *out,
                                       gt_arena *arena)
{
    GT_ARMOR(NULL, user && order && out && arena);
    size_t n = gt_problem_size(user);
    if (n == 0 || n_slow + n_fast + n_alg != n || !order) return GT_BAD_ARGUMENT;

    permuted p = {.user = *user, .n = n};
    permuted *ctx = gt_arena_take(arena, 1, sizeof *ctx);
    p.order = gt_arena_take(arena, n, sizeof *p.order);
    p.inverse = gt_arena_take(arena, n, sizeof *p.inverse);
    p.x = gt_arena_doubles(arena, n);
    p.y = gt_arena_doubles(arena, n);
    if (user->jac) gt_matrix_layout(&p.J, n, user->jac_pattern, false, arena);
    bool measuring = gt_arena_measuring(arena);
    if (arena->failed && !measuring) return GT_NO_MEMORY;

    gt_problem made = *user;
    made.n_slow = n_slow;
    made.n_fast = n_fast;
    made.n_alg = n_alg;
    made.n_rates = 0;
    made.rate_sizes = NULL;
    made.rhs_rates = NULL;
    if (!measuring) {
        if (check_order(user, n_slow + n_fast, order, p.inverse, n)) return GT_BAD_ARGUMENT;
        for (size_t i = 0; i < n; i++) p.order[i] = order[i];
    }
    gt_status status = permute_pattern(&p, &user->jac_pattern, &made.jac_pattern, &p.slot, arena);
    if (!status) status = permute_mass(&p, &made.mass, arena);
    if (status) return status;
    made.names = permute_names(&p, arena);
    made.units = permute_units(&p, arena);
    made.index = permute_index(&p, arena);
    for (size_t i = n - made.n_hidden; i < n && !measuring; i++)
        if (order[i] < n - user->n_hidden) made.n_hidden = 0; /* then they are states as others */
    made.x0 = permute_start(&p, arena);
    set_functions(user, order, &made);
    made.use_threads = user->use_threads ? use_threads : NULL;
    made.ctx = ctx;
    if (measuring) return GT_OK;
    if (arena->failed) return GT_NO_MEMORY;
    *ctx = p;
    *out = made;
    return GT_OK;
}

gt_status gt_problem_permuted_sized(const gt_problem *user, size_t user_size, size_t n_slow,
                                    size_t n_fast, size_t n_alg, const size_t *order,
                                    gt_problem *out, size_t out_size, gt_arena *arena)
{
    GT_WIDEN(NULL, gt_problem, user);
    GT_OUT(gt_problem, out);
    gt_status result = full_problem_permuted(user, n_slow, n_fast, n_alg, order, out, arena);
    GT_GIVE_WHOLE(NULL, result, out);
    return result;
}
