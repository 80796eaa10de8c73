/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A method takes the operations of its step (auto_work.h) times its steps: GT_AUTO_PER_BEND of them
 * times the law of the method for each time that the slope of the solution changes by its own size.
 * So many does an explicit method take where nothing but accuracy limits it.
 */
#include "analysis/auto_outlook.h"
#include <assert.h>
#include <math.h>

gt_facts gt_auto_facts(const gt_method *method)
{
    gt_values v = gt_params_default(method->options);
    return gt_method_facts(method, v.v);
}

bool gt_auto_treats(const gt_method *method, const gt_problem *p, const gt_plan *plan)
{
    gt_values v = gt_params_default(method->options);
    gt_facts facts = gt_method_facts(method, v.v);
    if (!facts.error_order || (method->judge && plan && plan->control.name)) return false;
    return gt_method_check(method, v.v, p, NULL) == GT_OK;
}

double gt_auto_tolerance(const gt_plan *plan) { return plan && plan->rtol > 0 ? plan->rtol : 1e-6; }

/* The explicit method of least work at the tolerance. */
const gt_method *gt_auto_explicit(const gt_problem *p, const gt_plan *plan)
{
    static const unsigned roles[] = {GT_ROLE_NONSTIFF, GT_ROLE_NONSTIFF_TIGHT};
    const gt_method *best = NULL;
    double least = INFINITY;
    for (size_t k = 0; k < sizeof roles / sizeof *roles; k++) {
        const gt_method *m = gt_method_for(roles[k]);
        gt_facts facts = gt_auto_facts(m);
        /* Events are looked for in the dense output of each step, and in that of the one that ends
         * there. */
        int dense = p->n_roots ? 2 * facts.dense_evaluations : 0;
        double work =
            (facts.evaluations + dense) * gt_auto_steps(m, &facts, gt_auto_tolerance(plan));
        if (work < least) least = work, best = m;
    }
    return best;
}

/* Work in a unit of time. */
static double rate_of(const gt_outlook *o, const gt_method *method)
{
    gt_facts facts = gt_auto_facts(method);
    double steps =
        GT_AUTO_PER_BEND * o->bends * gt_auto_steps(method, &facts, gt_auto_tolerance(o->plan));
    return steps * gt_auto_step_work(o->costs, o->p, &facts, o->lambda / steps);
}

static bool is_candidate(const gt_outlook *o, const gt_method *m)
{
    const unsigned stiff = GT_ROLE_STIFF | GT_ROLE_STIFF_RIVAL;
    if (!(m->roles & (o->real ? stiff | GT_ROLE_DAMPED : stiff))) return false;
    /* Near the imaginary axis formulas that change their order have their high ones outside of
     * stability. */
    if (o->near_axis && gt_auto_facts(m).flags & GT_VARIABLE_FORMULA) return false;
    return gt_auto_treats(m, o->p, o->plan);
}

/* How many small explicit steps damp a solution differs by a factor of four between problems, of
 * other methods by a third: they are to be better by so much. */
static const double uncertain = 2.5;

/* The stiff method of least work, and its work. */
const gt_method *gt_auto_stiff(const gt_outlook *o, double *rate)
{
    const gt_method *best = gt_method_for(GT_ROLE_STIFF);
    *rate = INFINITY;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        if (!is_candidate(o, *m)) continue;
        double work = rate_of(o, *m);
        if (gt_auto_facts(*m).kind == GT_KIND_STABILIZED) work *= uncertain;
        if (work < *rate) *rate = work, best = *m;
    }
    return best;
}
