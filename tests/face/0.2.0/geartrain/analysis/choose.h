/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_CHOOSE_H
#define GEARTRAIN_CHOOSE_H

#include <geartrain/api.h>
#include <geartrain/integrate.h>

GT_C_BEGIN

GT_API gt_status gt_choose_method_sized(const gt_problem *problem, size_t problem_size,
                                        const gt_plan *plan, size_t plan_size,
                                        const gt_method **method, gt_message *why) GT_MUST_CHECK;
/*
 * A method for a problem that a person has not looked at: a short explicit pilot run, and where it
 * gets stuck the spectral radius of the Jacobian there, tell whether stability or accuracy limits
 * the step. A problem with a fast block is then tried with methods for it where the run is long,
 * and with one of two rates where problem->work says that the slow block is most of f; trials take
 * a fifth of the work of the run at most. Counts operations, never looks at a clock. `why` is a
 * clause for people.
 */
static inline GT_MUST_CHECK gt_status gt_choose_method(const gt_problem *problem,
                                                       const gt_plan *plan,
                                                       const gt_method **method, gt_message *why)
{
    return gt_choose_method_sized(problem, sizeof *problem, plan, sizeof *plan, method, why);
}

GT_API gt_status gt_choose_reference_sized(const gt_problem *problem, size_t problem_size,
                                           const gt_method **method, gt_plan *plan,
                                           size_t plan_size, gt_message *why) GT_MUST_CHECK;
/* A method and tolerances for a tight run to compare with; sets options, rtol, atol and max_steps
 * of `plan` only. */
static inline GT_MUST_CHECK gt_status gt_choose_reference(const gt_problem *problem,
                                                          const gt_method **method, gt_plan *plan,
                                                          gt_message *why)
{
    return gt_choose_reference_sized(problem, sizeof *problem, method, plan, sizeof *plan, why);
}

/* For a reference that is to be trusted: a method of each kind that treats the problem and sees
 * where f is not smooth, the most suitable first. Two that agree, although they are of different
 * kind, are hardly wrong. `plan` is looked at for `interrupted` only. */
enum { GT_REFERENCE_KINDS = 4 };
GT_API gt_status gt_reference_methods_sized(const gt_problem *problem, size_t problem_size,
                                            const gt_plan *plan, size_t plan_size,
                                            const gt_method *list[GT_REFERENCE_KINDS],
                                            size_t *count, gt_message *why) GT_MUST_CHECK;
static inline GT_MUST_CHECK gt_status
gt_reference_methods(const gt_problem *problem, const gt_plan *plan,
                     const gt_method *list[GT_REFERENCE_KINDS], size_t *count, gt_message *why)
{
    return gt_reference_methods_sized(problem, sizeof *problem, plan, sizeof *plan, list, count,
                                      why);
}

GT_C_END

#endif
