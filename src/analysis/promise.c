/* SPDX-License-Identifier: BSD-3-Clause */
/* What a run of a method takes, found by running it: steps that are promised are steps that were
 * counted. */
#include "analysis/advice.h"
#include "base/sized.h"
#include <math.h>

/* As many steps as the work is enough for, if each takes what such a step takes at least. */
static long steps_within(const gt_problem *p, const gt_method *method, const gt_facts *facts,
                         double most)
{
    const double plenty = 1e15;
    double each = gt_work_done(p, method, facts, &(gt_stats){.steps = 1, .rhs = 1});
    return (long)fmin(plenty, fmax(1, most / each));
}

gt_status gt_promise_of_sized(const gt_problem *problem, size_t problem_size, const gt_plan *plan,
                              size_t plan_size, const gt_method *method, double most,
                              gt_promise *out, gt_message *message)
{
    GT_WIDEN(message, gt_problem, problem);
    GT_WIDEN(message, gt_plan, plan);
    GT_ARMOR(message, problem && method && out);
    if (!(most > 0))
        return gt_fail(message, GT_BAD_ARGUMENT, "the limit on the work must be above 0, not %g",
                       most);
    gt_values v = gt_params_default(method->options);
    gt_facts facts = gt_method_facts(method, v.v);
    gt_plan whole = plan ? *plan : (gt_plan){0};
    gt_report report;
    whole.max_steps = steps_within(problem, method, &facts, most);
    *out = (gt_promise){.method = method};
    gt_status status = gt_solve(problem, method, &whole, &report);
    out->stats = report.stats;
    out->work = gt_work_done(problem, method, &facts, &report.stats);
    out->status = status;
    if (status == GT_NO_MEMORY || status == GT_INTERRUPTED || status == GT_BAD_ARGUMENT)
        return gt_fail(message, status, "%s", report.message.text);
    return GT_OK;
}
