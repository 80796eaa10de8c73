/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_INTEGRATE_H
#define GEARTRAIN_INTEGRATE_H

#include <float.h>
#include <geartrain/api.h>
#include <geartrain/author/control.h>
#include <geartrain/method.h>
#include <geartrain/pilot.h>
#include <geartrain/sink.h>

GT_C_BEGIN

/* An absolute tolerance of nothing, where 0 would mean the default: errors are relative alone. It
 * is the smallest normal number, so that a component that is exactly zero still has a weight. */
#define GT_NO_ATOL DBL_MIN

/* What to do. Zero means default everywhere. */
typedef struct gt_plan {
    const char *options; /* of the method: "order=8, newton_tol=1e-10" */

    double h; /* fixed step; 0: controlled by */
    /* default 1e-6 and gt_default_atol, which follows states that are all small; GT_NO_ATOL: none
     */
    double rtol, atol;
    const double *rtol_vector, *atol_vector; /* one for each component; NULL: rtol, atol for all */
    double h0, h_min, h_max;
    gt_control control; /* all zero: as suits the method */

    long max_steps; /* default 10 million controlled steps; a fixed step has no limit unless this is
                       set */
    int max_rejections; /* in a row; default 60 */

    /* Output points for sinks that want GT_AT_OUTPUT: t0 + k every and t1, or just the times given;
     * none: t0 and t1. */
    double every;
    const double *times;
    size_t n_times;
    int refine; /* extra output points inside each step */

    bool local_errors; /* a run handle with a fixed step probes local errors as gt_solve does, in
                          twice the memory */

    bool no_pulses; /* steps are not looked into for pulses of f that they passed over, which takes
                       up to a hundred evaluations in a run where f depends on t */

    gt_sink *const *sinks;
    size_t n_sinks;

    double *x_end;                   /* final state, n; may be the problem's x0 */
    const volatile int *interrupted; /* looked at between steps */
    void (*progress)(double t, const gt_stats *stats, void *ctx); /* called every so many steps */
    void *progress_ctx;

    const gt_pilot
        *pilot; /* chooses methods as the run goes on; the method of the call is NULL then */

    gt_message
        *message; /* gets the message where a run fails, also without a report; may be NULL */
} gt_plan;

/* What happened. */
typedef struct gt_report {
    gt_status status;
    gt_message message;   /* names component, equation, value and what to try; empty when ok */
    gt_message note;      /* what the method did of its own accord, if anything; also when ok */
    gt_warnings warnings; /* why the result is not reliable as it is; also when ok; none: nothing is
                             known */
    double t, h;          /* where the run ended, the last step */
    /* Fixed step, gt_solve: the largest |e_i| / (1 + |x_i|) of the steps that were probed, 0: none;
     * and the number of the warning that speaks of it, counted from 1, 0: none. Who knows the error
     * of the result needs neither. */
    double local_error;
    int local_error_warning;
    bool stopped; /* by an event, before t1 */
    gt_stats stats;
    gt_phases phases; /* of a run with a pilot */
} gt_report;

GT_API gt_status gt_integrate_sized(gt_stepper *s, const gt_plan *plan, size_t plan_size,
                                    gt_report *report, size_t report_size) GT_MUST_CHECK;
/* Runs the stepper, which must be initialised, from the problem's t0, x0 to t1. The only
 * accept/reject loop. Where t1 lies before t0 the reversed problem is run, by a stepper that is
 * allocated; output times descend then. */
static inline GT_MUST_CHECK gt_status gt_integrate(gt_stepper *s, const gt_plan *plan,
                                                   gt_report *report)
{
    return gt_integrate_sized(s, plan, sizeof *plan, report, sizeof *report);
}

GT_API gt_status gt_solve_sized(const gt_problem *problem, size_t problem_size,
                                const gt_method *method, const gt_plan *plan, size_t plan_size,
                                gt_report *report, size_t report_size) GT_MUST_CHECK;
/* Allocates, runs, frees. The one call for most uses. `method` is NULL where the plan has a pilot.
 */
static inline GT_MUST_CHECK gt_status gt_solve(const gt_problem *problem, const gt_method *method,
                                               const gt_plan *plan, gt_report *report)
{
    return gt_solve_sized(problem, sizeof *problem, method, plan, sizeof *plan, report,
                          sizeof *report);
}

GT_C_END

#endif
