/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * F(t, x, x') = 0, crow (5.128), as a semi-explicit system with z = x' for its algebraic variables:
 *
 *     x' = z          differential rows
 *      0 = F(t, x, z) algebraic rows
 *
 * It has index 1 where dF/dz is regular. What is consistent at the start, z = x'(t0), is found as
 * for any such system.
 */
#include "base/sized.h"
#include <geartrain/problem.h>
#include <stdint.h>
#include <string.h>

static gt_status rhs_slow(double t, const double *x, double *dx, void *ctx)
{
    (void)t;
    const gt_residual *p = ctx;
    memcpy(dx, x + p->n, p->n * sizeof *dx);
    return GT_OK;
}

static gt_status rhs_alg(double t, const double *x, double *r, void *ctx)
{
    const gt_residual *p = ctx;
    return p->residual(t, x, x + p->n, r, p->ctx);
}

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    const gt_residual *p = ctx;
    memcpy(dx, x + p->n, p->n * sizeof *dx);
    return p->residual(t, x, x + p->n, dx + p->n, p->ctx);
}

/* The names given, and behind them the same with a prime. */
static const char *const *make_names(const gt_residual *p, gt_arena *arena)
{
    const char **names = gt_arena_take(arena, 2 * p->n, sizeof *names);
    size_t room = 0;
    for (size_t i = 0; i < p->n; i++) room += strlen(p->names[i]) + 2;
    char *text = gt_arena_take(arena, room, 1);
    if (gt_arena_measuring(arena) || arena->failed) return NULL;
    for (size_t i = 0; i < p->n; i++) {
        size_t length = strlen(p->names[i]);
        names[i] = p->names[i];
        names[p->n + i] = memcpy(text, p->names[i], length);
        text[length] = '\'';
        text += length + 2;
    }
    return names;
}

static gt_status make(const gt_residual *given, gt_problem *out, gt_arena *arena,
                      gt_message *message)
{
    if (!given->n || !given->residual || !given->x0)
        return gt_fail(message, GT_BAD_ARGUMENT,
                       "a gt_residual needs n above 0, the function residual and x0");
    if (given->n > SIZE_MAX / 2 / sizeof(double))
        return gt_fail(message, GT_BAD_ARGUMENT, "a gt_residual of %zu states is too large",
                       given->n);
    gt_residual *p = gt_arena_take(arena, 1, sizeof *p);
    double *x0 = gt_arena_doubles(arena, 2 * given->n);
    const char *const *names = given->names ? make_names(given, arena) : NULL;
    if (gt_arena_measuring(arena)) return GT_OK;
    if (arena->failed) return gt_fail(message, GT_NO_MEMORY, "out of memory");
    *p = *given;
    memcpy(x0, given->x0, given->n * sizeof *x0);
    if (given->dx0) memcpy(x0 + given->n, given->dx0, given->n * sizeof *x0);
    *out = (gt_problem){.n_slow = given->n,
                        .n_alg = given->n,
                        .rhs = rhs,
                        .rhs_slow = rhs_slow,
                        .rhs_alg = rhs_alg,
                        .autonomous = given->autonomous,
                        .t0 = given->t0,
                        .t1 = given->t1,
                        .x0 = x0,
                        .ctx = p,
                        .name = given->name,
                        .names = names};
    return GT_OK;
}

gt_status gt_problem_from_residual_sized(const gt_residual *given, size_t given_size,
                                         gt_problem *out, size_t out_size, gt_arena *arena,
                                         gt_message *message)
{
    GT_ARMOR(message, given && out && arena);
    GT_WIDEN(message, gt_residual, given);
    GT_OUT(gt_problem, out);
    gt_status result = make(given, out, arena, message);
    GT_GIVE_WHOLE(message, result, out);
    return result;
}
