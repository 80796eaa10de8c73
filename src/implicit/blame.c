/* SPDX-License-Identifier: BSD-3-Clause */
/* Which component of f, or which entry of the Jacobian, is not finite. */
#include "implicit/not_finite.h"
#include "linalg/column.h"
#include <math.h>

static bool blame_f(gt_stepper *s, double *f, gt_message *why)
{
    char buffer[24];
    if (s->problem->rhs(s->t, s->x, f, s->problem->ctx)) return false;
    for (size_t i = 0; i < s->n; i++) {
        if (isfinite(f[i])) continue;
        gt_fail(why, GT_NOT_FINITE, "the right-hand side of %s is %g",
                gt_problem_state_name(s->problem, i, buffer), f[i]);
        return true;
    }
    return false;
}

static bool blame_jacobian(gt_stepper *s, gt_arena *arena, gt_message *why)
{
    char row[24], name[24];
    gt_matrix J = {0};
    if (!s->problem->jac || !(s->facts.flags & GT_USES_JACOBIAN)) return false;
    gt_matrix_layout(&J, s->n, s->problem->jac_pattern, false, arena);
    if (arena->failed) return false;
    gt_matrix_clear(&J);
    if (s->problem->jac(s->t, s->x, &J, s->problem->ctx) || gt_jacobian_repair(s, s->t, s->x, &J))
        return false;
    for (size_t c = 0; c < s->n; c++) {
        gt_column column = gt_column_of(&s->problem->jac_pattern, s->n, c);
        for (size_t k = 0; k < column.count; k++) {
            if (isfinite(J.values[column.index + k])) continue;
            gt_fail(why, GT_NOT_FINITE,
                    "f is finite, but in the Jacobian the derivative of the right-hand side of %s "
                    "by %s is %g, and "
                    "differences are not finite either",
                    gt_problem_state_name(s->problem, gt_column_row(&column, k), row),
                    gt_problem_state_name(s->problem, c, name), J.values[column.index + k]);
            return true;
        }
    }
    return false;
}

bool gt_blame_not_finite(gt_stepper *s, bool only_f, gt_message *why)
{
    if (s->problem->ranks) return false; /* f may be called on all of them only */
    gt_arena arena = gt_arena_growing();
    double *f = gt_arena_doubles(&arena, s->n);
    bool found = f && (blame_f(s, f, why) || (!only_f && blame_jacobian(s, &arena, why)));
    gt_arena_free(&arena);
    return found;
}
