/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where a network is about to have no solution: near a collapse of voltage the Jacobian of the
 * network equations is nearly singular, and what inverse iteration with it converges to is the
 * direction in which the voltages run away. The bus that takes the largest part in it is the one to
 * name.
 */
#include "base/sized.h"
#include "implicit/evaluator.h"
#include "power/system.h"
#include <geartrain/author/newton.h>
#include <math.h>
#include <string.h>

enum { ITERATIONS = 6 };

/* Factors of [I 0; g_x g_y] at the point. */
static gt_status factor(const gt_problem *p, double t, const double *x, gt_lu *lu, gt_arena *arena)
{
    size_t n = gt_problem_size(p);
    gt_stepper s = gt_evaluator(p);
    gt_jacobian jac;
    gt_matrix J, W;
    gt_jacobian_layout(&jac, p, arena);
    gt_matrix_layout(&J, n, jac.of_J, false, arena);
    gt_jacobian_layout_shift(&jac, p, &W, arena);
    gt_lu_layout(lu, &W, arena);
    if (arena->failed) return GT_NO_MEMORY;
    gt_jacobian_prepare(&jac, p);
    gt_status status = gt_jacobian_evaluate(&jac, &s, t, x, &J);
    if (status) return status;
    gt_jacobian_shift(&jac, p, &J, 0, &W);
    return lu->pattern.storage == GT_CSC ? gt_lu_analyse(lu, &W) : gt_lu_factor(lu, &W);
}

/* The parts of the buses in the vector that W^-1 makes largest. */
static bool find_direction(const gt_problem *p, const gt_lu *lu, double *v)
{
    size_t n = gt_problem_size(p), n_diff = p->n_slow + p->n_fast;
    for (size_t i = n_diff; i < n; i++) v[i] = i % 3 ? 1 : -0.5;
    for (int k = 0; k < ITERATIONS; k++) {
        double most = 0;
        memset(v, 0, n_diff * sizeof *v);
        gt_lu_solve(lu, v);
        for (size_t i = n_diff; i < n; i++) most = fmax(most, fabs(v[i]));
        if (!(most > 0 && isfinite(most))) return false;
        for (size_t i = n_diff; i < n; i++) v[i] /= most;
    }
    return true;
}

gt_power_weak gt_power_weakest_sized(const gt_power_system *s, const gt_problem *p, size_t p_size,
                                     double t, const double *x)
{
    GT_WIDEN_QUIETLY(gt_problem, p);
    if (!s || !p || !x) return (gt_power_weak){.v = NAN, .v_lowest = NAN};
    const gt_stage *g = gt_stage_at(s, t);
    gt_power_weak weak = {.bus = s->grid.n, .lowest = s->grid.n, .v_lowest = INFINITY};
    gt_arena arena = gt_arena_growing();
    gt_lu lu = {0};
    if (!p->n_alg) return weak;
    double *v = gt_arena_doubles(&arena, gt_problem_size(p)), most = 0;
    bool found = v && !factor(p, t, x, &lu, &arena) && find_direction(p, &lu, v);
    for (size_t i = 0; i < s->grid.n; i++) {
        size_t at = (size_t)s->first_bus + 2 * i;
        double size = hypot(x[at], x[at + 1]), part = found ? hypot(v[at], v[at + 1]) : 0;
        if (g->held[i]) continue;
        if (size < weak.v_lowest) weak.v_lowest = size, weak.lowest = i;
        if (part > most) most = part, weak.bus = i, weak.v = size;
    }
    if (weak.bus == s->grid.n) weak.bus = weak.lowest, weak.v = weak.v_lowest;
    gt_lu_free(&lu);
    gt_arena_free(&arena);
    return weak;
}
