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

GT_API gt_status gt_confirm_sized(const gt_problem *problem, size_t problem_size,
                                  const gt_method *method, const gt_plan *plan, size_t plan_size,
                                  const gt_report *report, size_t report_size, double *off,
                                  double *t, gt_message *message) GT_MUST_CHECK;
/*
 * How far the result of a run is off, where that is in doubt and cheap to know: where all of it
 * took few operations, and the errors of its steps add up to some thousandths of the solution, or
 * its end, in x_end of the plan, is not that of a run with ten times the tolerances, it is done
 * again, at its tolerances and at a tenth of them. `off` is the largest difference of a state at
 * some 30 times, in the size of the state, and `t` is where; INFINITY: the tighter run cannot go on
 * at t, where the solution may end; NaN: there was no doubt, or it would have taken too long.
 * `method` is NULL where the plan has a pilot. A run with a fixed step is always done again, with
 * it, with half of it, and where that says nothing against it with controlled steps; a difference
 * at one of the times alone, but for the end, does not count, and of methods that average over fast
 * motion only the slow states do.
 */
static inline GT_MUST_CHECK gt_status gt_confirm(const gt_problem *problem, const gt_method *method,
                                                 const gt_plan *plan, const gt_report *report,
                                                 double *off, double *t, gt_message *message)
{
    return gt_confirm_sized(problem, sizeof *problem, method, plan, sizeof *plan, report,
                            sizeof *report, off, t, message);
}

GT_C_END

#endif
