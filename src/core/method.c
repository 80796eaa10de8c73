/* SPDX-License-Identifier: BSD-3-Clause */
/* What can be asked of a method descriptor. */
#include "base/sized.h"
#include "problem/norm.h"
#include <geartrain/author/tableau.h>

gt_facts gt_method_facts(const gt_method *method, const double *v)
{
    if (!method) return (gt_facts){0};
    return method->facts(method, v);
}

static bool column_is_empty(const gt_tableau *T, int j)
{
    for (int i = j + 1; i < T->stages; i++) {
        if (T->a[i][j].num) return false;
    }
    return !T->b[j].num && !T->b_hat[j].num;
}

int gt_tableau_stages(const gt_tableau *T, int list[GT_MAX_STAGES])
{
    if (!T || !list) return 0;
    int count = 0;
    for (int j = 0; j < T->stages; j++) {
        if (!column_is_empty(T, j)) list[count++] = j;
    }
    return count;
}

gt_status gt_method_check_sized(const gt_method *method, const double *v, const gt_problem *p,
                                size_t p_size, gt_message *message)
{
    GT_WIDEN(message, gt_problem, p);
    GT_ARMOR(message, method && p);
    unsigned flags = gt_method_facts(method, v).flags;
    const char *who = p->name ? p->name : "this problem";
    if (p->n_alg && !(flags & GT_TREATS_ALGEBRAIC)) {
        return gt_fail(message, GT_UNSUPPORTED,
                       "method %s cannot treat the %zu algebraic equation%s of %s", method->name,
                       p->n_alg, p->n_alg == 1 ? "" : "s", who);
    }
    if (gt_problem_index(p) > 1 && !(flags & GT_TREATS_INDEX))
        return gt_fail(message, GT_UNSUPPORTED,
                       "method %s treats equations of index 1, and %s has index %d", method->name,
                       who, gt_problem_index(p));
    if (p->mass && !(flags & GT_TREATS_MASS)) {
        return gt_fail(message, GT_UNSUPPORTED, "method %s cannot treat the mass matrix of %s",
                       method->name, who);
    }
    if (p->ranks && !(flags & GT_TREATS_RANKS))
        return gt_fail(message, GT_UNSUPPORTED,
                       "method %s needs the whole state in one place; that of %s is spread over "
                       "ranks",
                       method->name, who);
    double parts[2] = {(double)p->n_slow, (double)p->n_fast};
    if (flags & GT_NEEDS_PARTITION) gt_over_ranks(p, parts, 2, 0);
    if ((flags & GT_NEEDS_PARTITION) && !(parts[0] > 0 && parts[1] > 0))
        return gt_fail(message, GT_UNSUPPORTED,
                       "method %s needs a fast and a slow block, and %s has only one; an .ode file "
                       "names its fast "
                       "states (#@ fast z,w), a "
                       "problem in C sets n_slow and n_fast",
                       method->name, who);
    if ((flags & GT_NEEDS_TAYLOR) && !p->taylor)
        return gt_fail(
            message, GT_UNSUPPORTED,
            "method %s needs the Taylor coefficients of the solution, which %s does not provide; "
            "take a method that needs f only",
            method->name, who);
    return method->fits ? method->fits(method, p, message) : GT_OK;
}
