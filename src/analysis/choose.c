/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The choice of a method, the cheap form of what gt_advise does: a short pilot run of dopri5; where
 * it gets stuck, the eigenvalue of largest size there; and where that leaves a doubt, a pilot run
 * of gear, so that what each has achieved can be set against the work that gt_step_cost counts.
 * Where gear's steps are expensive, a pilot run of smes. On a problem with a fast block,
 * choose_trial.c has the last word.
 */
#include "analysis/advice.h"
#include "base/sized.h"
#include <geartrain/analysis/choose.h>
#include <math.h>
#include <stdlib.h>

enum { PILOT_STEPS = 300 };

/* dopri5 is stable up to h |lambda| = 3.3 on the real axis and 1 on the imaginary one. */
static const double SURELY_ACCURACY = 0.5, SURELY_STABILITY = 1.5;

static gt_status pilot(const gt_problem *p, unsigned role, const gt_plan *plan, double *x,
                       gt_report *report)
{
    gt_plan short_run = {.rtol = 1e-3,
                         .max_steps = PILOT_STEPS,
                         .x_end = x,
                         .interrupted = plan ? plan->interrupted : NULL};
    return gt_solve(p, gt_method_for(role), &short_run, report);
}

/* Time covered for each evaluation of f, or what is worth one. */
static double progress(const gt_problem *p, unsigned role, const gt_report *report)
{
    const gt_method *method = gt_method_for(role);
    gt_values v = gt_params_default(method->options);
    gt_facts facts = gt_method_facts(method, v.v);
    double trials = (double)(report->stats.steps + report->stats.rejected);
    return trials > 0 ? (report->t - p->t0) / (trials * gt_step_cost(p, method, &facts)) : 0;
}

/* Which of the two gets further with the same work. */
static gt_status try_implicit(const gt_problem *p, const gt_plan *plan,
                              const gt_report *explicit_run, double *x, bool *stiff,
                              gt_message *why)
{
    gt_report report;
    gt_status status = pilot(p, GT_ROLE_STIFF, plan, x, &report);
    if (status == GT_INTERRUPTED || status == GT_NO_MEMORY) return status;
    double implicit = progress(p, GT_ROLE_STIFF, &report),
           simple = progress(p, GT_ROLE_NONSTIFF, explicit_run);
    *stiff = implicit > simple;
    gt_say_more(why, ", and for the same work %s gets %.2g times as far",
                gt_method_for(GT_ROLE_STIFF)->name, simple > 0 ? implicit / simple : INFINITY);
    return GT_OK;
}

/* The pilot run is stuck at x: does stability hold it there? */
static gt_status why_stuck(const gt_problem *p, const gt_plan *plan, const gt_report *report,
                           double *x, bool *stiff, gt_message *why)
{
    double re = 0, im = 0;
    if (gt_spectrum_largest(p, report->t, x, &re, &im)) re = im = 0;
    double product = report->h * hypot(re, im);
    bool damped = -re > 0.2 * im;
    *stiff = product > SURELY_STABILITY && damped;
    gt_fail(why, GT_OK, "%ld explicit pilot steps came to t = %.3g with h |lambda| = %.2g",
            report->stats.steps, report->t, product);
    if (!*stiff && product >= SURELY_ACCURACY) return try_implicit(p, plan, report, x, stiff, why);
    gt_say_more(why, ": %s limits the step", *stiff ? "stability" : "accuracy");
    return GT_OK;
}

static gt_status is_stiff(const gt_problem *p, const gt_plan *plan, bool *stiff, gt_message *why)
{
    size_t n = gt_problem_size(p);
    double *x = malloc(n * sizeof *x);
    if (!x) return gt_fail(why, GT_NO_MEMORY, "out of memory for a pilot run of %zu states", n);
    gt_report report;
    gt_status status = pilot(p, GT_ROLE_NONSTIFF, plan, x, &report);
    *stiff = status != GT_OK && status != GT_TOO_MANY_STEPS;
    if (status == GT_OK)
        gt_fail(why, GT_OK, "an explicit pilot run got through in %ld steps", report.stats.steps);
    else if (status == GT_TOO_MANY_STEPS)
        status = why_stuck(p, plan, &report, x, stiff, why);
    else
        gt_fail(why, GT_OK, "an explicit pilot run failed (%s)", gt_status_name(status));
    free(x);
    return status == GT_NO_MEMORY || status == GT_BAD_ARGUMENT || status == GT_INTERRUPTED ? status
                                                                                           : GT_OK;
}

/*
 * Where a step of gear is expensive, since its matrices are large and dense, small explicit steps
 * may do. A pilot run of smes that gets through tells: gear takes about 3.5 times the steps.
 */
static gt_status try_small_steps(const gt_problem *p, const gt_plan *plan, bool *better,
                                 gt_message *why)
{
    enum { FEW_STEPS = 100 };
    const double CHEAP = 40; /* evaluations of f: implicit steps below it are not worth a trial */
    const double STEPS_RATIO = 3.5; /* implicit steps for each of the others, see above */
    const double CLEARLY = 0.5;     /* of the work: a trial of so few steps may err by that much */
    const gt_method *implicit = gt_method_for(GT_ROLE_STIFF);
    gt_values v = gt_params_default(implicit->options);
    gt_facts of_implicit = gt_method_facts(implicit, v.v);
    double step = gt_step_cost(p, implicit, &of_implicit);
    *better = false;
    if (step < CHEAP) return GT_OK;
    gt_report report;
    gt_plan short_run = {
        .rtol = 1e-3, .max_steps = FEW_STEPS, .interrupted = plan ? plan->interrupted : NULL};
    const gt_method *damped = gt_method_for(GT_ROLE_DAMPED);
    gt_values options = gt_params_default(damped->options);
    gt_facts facts = gt_method_facts(damped, options.v);
    gt_status status = gt_solve(p, damped, &short_run, &report);
    if (status == GT_INTERRUPTED || status == GT_NO_MEMORY) return status;
    double work = (double)report.stats.rhs * gt_stabilized_cost(p, &facts);
    *better = status == GT_OK && work < CLEARLY * STEPS_RATIO * (double)report.stats.steps * step;
    if (*better)
        gt_say_more(why, ", and small steps damp the fast modes with %ld calls of f",
                    report.stats.rhs);
    return GT_OK;
}

gt_status gt_choose_by_pilot(const gt_problem *p, const gt_plan *plan, const gt_method **method,
                             gt_message *why)
{
    bool stiff = true;
    gt_status status = gt_problem_check(p, why);
    if (status) return status;
    int index = gt_problem_index(p);
    if (index > 1)
        gt_fail(why, GT_OK, "there are constraints of index %d", index);
    else if (p->n_alg)
        gt_fail(why, GT_OK, "%zu equation%s algebraic", p->n_alg, p->n_alg == 1 ? " is" : "s are");
    else if (p->mass)
        gt_fail(why, GT_OK, "there is a mass matrix");
    else
        status = is_stiff(p, plan, &stiff, why);
    bool fixed_step = plan && plan->h > 0, explicit = false; /* a fixed step gear does not take */
    if (!status && stiff && !fixed_step && !p->n_alg && !p->mass)
        status = try_small_steps(p, plan, &explicit, why);
    unsigned role = fixed_step ? GT_ROLE_STIFF_FIXED : explicit ? GT_ROLE_DAMPED : GT_ROLE_STIFF;
    if (index > 1) role = GT_ROLE_CONSTRAINED;
    *method = gt_method_for(stiff ? role : GT_ROLE_NONSTIFF);
    return status;
}

static gt_status choose_forward(const gt_problem *p, const gt_plan *plan, const gt_method **method,
                                gt_message *why)
{
    /* where dop853 needs fewer evaluations than dopri5 for a smaller error */
    const double tight = 1e-8;
    gt_status status = gt_choose_by_pilot(p, plan, method, why);
    if (!status) status = gt_choose_by_trial(p, plan, method, why);
    bool controlled = plan && plan->h == 0;
    if (!status && *method == gt_method_for(GT_ROLE_NONSTIFF) && controlled && plan->rtol > 0 &&
        plan->rtol <= tight) {
        *method = gt_method_for(GT_ROLE_NONSTIFF_TIGHT);
        gt_say_more(why, ", and the tolerance is tight");
    }
    return status;
}

/* Where t1 lies before t0 the choice is made for the reversed problem, which is what runs. */
gt_status gt_choose_method_sized(const gt_problem *p, size_t p_size, const gt_plan *plan,
                                 size_t plan_size, const gt_method **method, gt_message *why)
{
    GT_WIDEN(why, gt_problem, p);
    GT_WIDEN(why, gt_plan, plan);
    GT_ARMOR(why, p && method);
    if (!(p->t1 < p->t0)) return choose_forward(p, plan, method, why);
    gt_arena arena = gt_arena_growing();
    gt_problem reversed;
    gt_plan no_times = plan ? *plan : (gt_plan){0};
    no_times.times = NULL;
    no_times.n_times = 0;
    gt_status status = gt_problem_reversed(p, &reversed, &arena);
    if (!status) status = choose_forward(&reversed, plan ? &no_times : NULL, method, why);
    gt_arena_free(&arena);
    return status;
}

static gt_status reference_forward(const gt_problem *p, const gt_method **method, gt_plan *plan,
                                   gt_message *why)
{
    gt_status status = gt_choose_by_pilot(p, plan, method, why);
    if (status) return status;
    bool stiff = *method != gt_method_for(GT_ROLE_NONSTIFF);
    if (stiff && plan->h == 0 && gt_problem_index(p) == 1)
        *method = gt_method_for(GT_ROLE_STIFF); /* the one of high accuracy */
    bool series = !stiff && p->taylor && !p->n_roots;
    if (series) *method = gt_method_for(GT_ROLE_SERIES);
    plan->options = series ? "order=20" : NULL;
    plan->rtol = stiff ? 1e-12 : 1e-13;
    plan->atol = stiff ? 1e-16 : 1e-15;
    plan->max_steps = 100000000;
    return GT_OK;
}

static gt_status full_choose_reference(const gt_problem *p, const gt_method **method, gt_plan *plan,
                                       gt_message *why)
{
    GT_ARMOR(why, p && method && plan);
    if (!(p->t1 < p->t0)) return reference_forward(p, method, plan, why);
    gt_arena arena = gt_arena_growing();
    gt_problem reversed;
    gt_status status = gt_problem_reversed(p, &reversed, &arena);
    if (!status) status = reference_forward(&reversed, method, plan, why);
    gt_arena_free(&arena);
    return status;
}

gt_status gt_choose_reference_sized(const gt_problem *p, size_t p_size, const gt_method **method,
                                    gt_plan *plan, size_t plan_size, gt_message *why)
{
    GT_WIDEN(why, gt_problem, p);
    GT_OUT(gt_plan, plan);
    gt_status result = full_choose_reference(p, method, plan, why);
    GT_GIVE(plan);
    return result;
}
