/* SPDX-License-Identifier: BSD-3-Clause */
/* The methods of which a reference is made: one of each kind, chosen by what their descriptors say.
 */
#include "analysis/advice.h"
#include "base/sized.h"
#include <geartrain/analysis/choose.h>

/* Kinds of methods that measure their own error with every step and so see kinks and jumps of f,
 * unlike a long series. Of a kind, the one of the highest order is taken. */
typedef struct kind {
    gt_kind kind;
    bool variable; /* its formula changes during a run */
} kind;

enum { EXPLICIT, VARIABLE, LINEARLY_IMPLICIT, ONE_STEP, SERIES, N_KINDS };

static const kind kinds[N_KINDS] = {
    [EXPLICIT] = {GT_KIND_EXPLICIT, false},
    [VARIABLE] = {GT_KIND_IMPLICIT, true},
    [LINEARLY_IMPLICIT] = {GT_KIND_LINEARLY_IMPLICIT, false},
    [ONE_STEP] = {GT_KIND_IMPLICIT, false},
    [SERIES] = {GT_KIND_SERIES, false},
};

/* By what limits the step: the first two of these that come to the end are the reference. A series,
 * which may step over kinks, comes last: beside one that does not, where the others are not tight
 * enough. */
static const int if_smooth[GT_REFERENCE_KINDS] = {EXPLICIT, VARIABLE, LINEARLY_IMPLICIT, SERIES};
static const int if_stiff[GT_REFERENCE_KINDS] = {VARIABLE, LINEARLY_IMPLICIT, EXPLICIT, ONE_STEP};

static const gt_method *best_of(const kind *k, const gt_problem *p)
{
    const gt_method *best = NULL;
    int order = 0;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        gt_values v = gt_params_default((*m)->options);
        gt_facts facts = gt_method_facts(*m, v.v);
        /* Without estimate, with matrix functions, with an iteration that need not converge, or a
         * formula that needs equal steps: not for this. */
        bool multistep = (*m)->formula && (*m)->formula->steps > 1;
        if (!facts.error_order || facts.functions || facts.basin > 0 || multistep) continue;
        bool variable = facts.flags & GT_VARIABLE_FORMULA;
        if (facts.kind != k->kind || variable != k->variable || facts.flags & GT_NEEDS_PARTITION)
            continue;
        if (facts.order <= order) continue;
        gt_message ignored;
        if (gt_method_check(*m, v.v, p, &ignored)) continue;
        best = *m;
        order = facts.order;
    }
    return best;
}

static gt_status find_forward(const gt_problem *p, const gt_plan *plan,
                              const gt_method *list[GT_REFERENCE_KINDS], size_t *count,
                              gt_message *why)
{
    const gt_method *chosen;
    gt_status status = gt_choose_by_pilot(p, plan, &chosen, why);
    *count = 0;
    if (status) return status;
    gt_values v = gt_params_default(chosen->options);
    gt_facts facts = gt_method_facts(chosen, v.v);
    bool stiff = facts.flags & GT_USES_JACOBIAN || facts.kind == GT_KIND_STABILIZED;
    for (int i = 0; i < GT_REFERENCE_KINDS; i++) {
        const gt_method *method = best_of(&kinds[(stiff ? if_stiff : if_smooth)[i]], p);
        if (method) list[(*count)++] = method;
    }
    return GT_OK;
}

/* Where t1 lies before t0 the reversed problem is what runs. */
gt_status gt_reference_methods_sized(const gt_problem *p, size_t p_size, const gt_plan *plan,
                                     size_t plan_size, const gt_method *list[GT_REFERENCE_KINDS],
                                     size_t *count, gt_message *why)
{
    GT_WIDEN(why, gt_problem, p);
    GT_WIDEN(why, gt_plan, plan);
    GT_ARMOR(why, p && plan && list && count);
    if (!(p->t1 < p->t0)) return find_forward(p, plan, list, count, why);
    gt_arena arena = gt_arena_growing();
    gt_problem reversed;
    gt_status status = gt_problem_reversed(p, &reversed, &arena);
    if (status)
        gt_fail(why, status, "out of memory for the reversed problem");
    else
        status = find_forward(&reversed, plan, list, count, why);
    gt_arena_free(&arena);
    return status;
}
