/* SPDX-License-Identifier: BSD-3-Clause */
/* What can be asked of a method descriptor. The list itself is in src/methods/method_list.c. */
#include <geartrain/method.h>
#include <string.h>

const gt_method *gt_method_find(const char *name)
{
    for (const gt_method *const *m = gt_method_list(); name && *m; m++) {
        if (strcmp((*m)->name, name) == 0) return *m;
    }
    return NULL;
}

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

/* Ends the sentence with methods of the list that can do it. */
static gt_status refuse(gt_message *message, unsigned flag)
{
    int named = 0;
    gt_say_more(message, "; these can:");
    for (const gt_method *const *m = gt_method_list(); *m && named < 6; m++) {
        gt_values v = gt_params_default((*m)->options);
        if (!(gt_method_facts(*m, v.v).flags & flag)) continue;
        gt_say_more(message, " %s", (*m)->name);
        named++;
    }
    return GT_UNSUPPORTED;
}

gt_status gt_method_check(const gt_method *method, const double *v, const gt_problem *p, gt_message *message)
{
    GT_ARMOR(message, method && p);
    unsigned flags = gt_method_facts(method, v).flags;
    const char *who = p->name ? p->name : "this problem";
    if (p->n_alg && !(flags & GT_TREATS_ALGEBRAIC)) {
        gt_fail(message, GT_UNSUPPORTED, "method %s cannot treat the %zu algebraic equation%s of %s", method->name,
                p->n_alg, p->n_alg == 1 ? "" : "s", who);
        return refuse(message, GT_TREATS_ALGEBRAIC);
    }
    if (p->mass && !(flags & GT_TREATS_MASS)) {
        gt_fail(message, GT_UNSUPPORTED, "method %s cannot treat the mass matrix of %s", method->name, who);
        return refuse(message, GT_TREATS_MASS);
    }
    if ((flags & GT_NEEDS_PARTITION) && (!p->n_slow || !p->n_fast))
        return gt_fail(message, GT_UNSUPPORTED,
                       "method %s needs a fast and a slow block, and %s has only one; an .ode file names its fast "
                       "states (#@ fast z,w), a "
                       "problem in C sets n_slow and n_fast",
                       method->name, who);
    if ((flags & GT_NEEDS_TAYLOR) && !p->taylor)
        return gt_fail(message, GT_UNSUPPORTED,
                       "method %s needs the Taylor coefficients of the solution, which %s does not provide; "
                       "try dopri5",
                       method->name, who);
    return GT_OK;
}
