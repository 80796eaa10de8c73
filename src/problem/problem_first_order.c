/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * M z'' + C z' + K z = u(t) as a system of first order with a mass matrix, x = [z, v]:
 *
 *     [ I 0 ]      [  0  I ]     [  0   ]
 *     [ 0 M ] x' = [ -K -C ] x + [ u(t) ]
 *
 * M is never inverted and K stays sparse: both matrices are dense when all the given ones that go
 * into them are, and CSC otherwise. The matrix on the right is made once; it is the Jacobian, and
 * the right-hand side multiplies by it.
 */
#include "base/sized.h"
#include "linalg/column.h"
#include <geartrain/problem.h>
#include <limits.h>
#include <string.h>

typedef struct first_order {
    gt_problem given;
    gt_second_order structure; /* as given, with an input that knows this ctx */
    size_t m;                  /* number of z */
    gt_matrix A;
} first_order;

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    const first_order *p = ctx;
    memset(dx, 0, 2 * p->m * sizeof *dx);
    gt_status status = GT_OK;
    if (p->given.second_order->input)
        status = p->given.second_order->input(t, dx + p->m, p->given.ctx);
    gt_matrix_multiply(&p->A, x, 1.0, dx);
    return status;
}

static gt_status input(double t, double *u, void *ctx)
{
    const first_order *p = ctx;
    return p->given.second_order->input(t, u, p->given.ctx);
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    (void)t, (void)x;
    const first_order *p = ctx;
    memcpy(J->values, p->A.values, gt_matrix_entries(&p->A) * sizeof(double));
    return GT_OK;
}

static gt_status roots(double t, const double *x, double *g, void *ctx)
{
    const first_order *p = ctx;
    return p->given.roots(t, x, g, p->given.ctx);
}

static gt_status on_event(double t, const unsigned char *fired, double *x, unsigned *actions,
                          void *ctx)
{
    const first_order *p = ctx;
    return p->given.on_event(t, fired, x, actions, p->given.ctx);
}

static gt_status on_break(double t, double *x, void *ctx)
{
    const first_order *p = ctx;
    return p->given.on_break(t, x, p->given.ctx);
}

static void exact(double t, double *x, void *ctx)
{
    const first_order *p = ctx;
    p->given.exact(t, x, p->given.ctx);
}

static void invariants(double t, const double *x, double *out, void *ctx)
{
    const first_order *p = ctx;
    p->given.invariants(t, x, out, p->given.ctx);
}

/* A block of a 2m x 2m matrix at (row, column), scaled; `block` NULL is the identity. */
typedef struct part {
    const gt_matrix *block;
    size_t row, column;
    double scale;
} part;

static const gt_pattern one_diagonal = {.storage = GT_BANDED};

static gt_column part_column(const part *p, size_t m, size_t j)
{
    return gt_column_of(p->block ? &p->block->pattern : &one_diagonal, m, j);
}

static gt_status carve_csc(const part *parts, size_t n_parts, size_t m, gt_pattern *pattern,
                           gt_arena *arena)
{
    size_t entries = 0;
    for (size_t k = 0; k < n_parts; k++)
        entries += gt_pattern_inside(parts[k].block ? &parts[k].block->pattern : &one_diagonal, m);
    if (entries > INT_MAX) return GT_UNSUPPORTED;
    int *colptr = gt_arena_take(arena, 2 * m + 1, sizeof(int));
    int *rowindex = gt_arena_take(arena, entries, sizeof(int));
    if (gt_arena_measuring(arena)) {
        gt_arena_doubles(arena, entries); /* the values, which gt_matrix_layout would carve */
        return GT_OK;
    }
    if (arena->failed) return GT_NO_MEMORY;
    for (size_t j = 0; j < 2 * m; j++) {
        int at = colptr[j];
        for (size_t k = 0; k < n_parts; k++) {
            if (j < parts[k].column || j >= parts[k].column + m) continue;
            gt_column c = part_column(&parts[k], m, j - parts[k].column);
            for (size_t i = 0; i < c.count; i++)
                rowindex[at++] = (int)(parts[k].row + gt_column_row(&c, i));
        }
        colptr[j + 1] = at;
    }
    *pattern = (gt_pattern){.storage = GT_CSC, .colptr = colptr, .rowindex = rowindex};
    return GT_OK;
}

/* Parts of one column must be listed from top to bottom and must not overlap. */
static gt_status assemble(const part *parts, size_t n_parts, size_t m, bool dense, gt_matrix *out,
                          gt_arena *arena)
{
    gt_pattern pattern = {.storage = GT_DENSE};
    if (!dense) {
        gt_status status = carve_csc(parts, n_parts, m, &pattern, arena);
        if (status || gt_arena_measuring(arena)) return status;
    }
    gt_matrix_layout(out, 2 * m, pattern, false, arena);
    if (gt_arena_measuring(arena)) return GT_OK;
    if (arena->failed) return GT_NO_MEMORY;
    double *next = out->values;
    for (size_t j = 0; j < 2 * m; j++)
        for (size_t k = 0; k < n_parts; k++) {
            if (j < parts[k].column || j >= parts[k].column + m) continue;
            gt_column c = part_column(&parts[k], m, j - parts[k].column);
            for (size_t i = 0; i < c.count; i++) {
                double value = parts[k].block ? parts[k].scale * parts[k].block->values[c.index + i]
                                              : parts[k].scale;
                size_t row = parts[k].row + gt_column_row(&c, i);
                if (dense)
                    out->values[j * 2 * m + row] = value;
                else
                    *next++ = value;
            }
        }
    return GT_OK;
}

static bool is_dense(const gt_matrix *matrix)
{
    return !matrix || matrix->pattern.storage == GT_DENSE;
}

static void set_functions(const gt_problem *given, gt_problem *out)
{
    out->rhs = rhs;
    out->rhs_slow = out->rhs_fast = out->rhs_alg = NULL;
    out->jac = jac;
    out->jac_block = NULL;
    out->solver = NULL;
    out->rhs_t = NULL;
    out->taylor = NULL;
    out->n_switches = 0; /* what is linear has none */
    out->switches = NULL;
    out->set_sides = NULL;
    out->switch_name = NULL;
    out->roots = given->roots ? roots : NULL;
    out->on_event = given->on_event ? on_event : NULL;
    out->on_break = given->on_break ? on_break : NULL;
    out->exact = given->exact ? exact : NULL;
    out->invariants = given->invariants ? invariants : NULL;
    out->use_threads = NULL; /* f of a first-order form is our own */
    out->linear = true;
    out->autonomous = !given->second_order->input;
}

static gt_status full_problem_first_order(const gt_problem *problem, gt_problem *out,
                                          gt_arena *arena)
{
    GT_ARMOR(NULL, problem && out && arena);
    const gt_second_order *so = problem->second_order;
    if (!so || !so->mass || !so->stiffness || problem->n_alg) return GT_BAD_ARGUMENT;
    size_t m = so->mass->n;
    if (m == 0 || so->stiffness->n != m || (so->damping && so->damping->n != m))
        return GT_BAD_ARGUMENT;
    if (gt_problem_size(problem) != 2 * m) return GT_BAD_ARGUMENT;

    const part mass_parts[] = {{.scale = 1},
                               {.block = so->mass, .row = m, .column = m, .scale = 1}};
    const part A_parts[] = {{.block = so->stiffness, .row = m, .scale = -1},
                            {.column = m, .scale = 1},
                            {.block = so->damping, .row = m, .column = m, .scale = -1}};
    bool dense = is_dense(so->stiffness) && is_dense(so->damping);

    first_order *ctx = gt_arena_take(arena, 1, sizeof *ctx);
    gt_matrix *mass = gt_arena_take(arena, 1, sizeof *mass);
    gt_matrix made_mass = {0};
    first_order made = {.given = *problem, .m = m};
    gt_status status = assemble(mass_parts, 2, m, is_dense(so->mass), &made_mass, arena);
    if (!status) status = assemble(A_parts, so->damping ? 3 : 2, m, dense, &made.A, arena);
    if (status || gt_arena_measuring(arena)) return status;
    if (arena->failed) return GT_NO_MEMORY;
    *ctx = made;
    ctx->structure = *so;
    if (so->input) ctx->structure.input = input;
    *mass = made_mass;
    *out = *problem;
    set_functions(problem, out);
    out->jac_pattern = made.A.pattern;
    out->mass = mass;
    out->second_order = &ctx->structure;
    out->ctx = ctx;
    return GT_OK;
}

gt_status gt_problem_first_order_sized(const gt_problem *problem, size_t problem_size,
                                       gt_problem *out, size_t out_size, gt_arena *arena)
{
    GT_WIDEN(NULL, gt_problem, problem);
    GT_OUT(gt_problem, out);
    gt_status result = full_problem_first_order(problem, out, arena);
    GT_GIVE_WHOLE(NULL, result, out);
    return result;
}
