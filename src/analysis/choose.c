/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The choice of a method, the cheap form of what gt_advise does: a short pilot run of dopri5; where it gets stuck, the
 * eigenvalue of largest size there; and where that leaves a doubt, a pilot run of gear, so that what each has achieved
 * can be set against the work that gt_step_cost counts. Where gear's steps are dear, a pilot run of smes. Where a
 * problem with a fast block has a long way to go, methods that follow that block by exponentials or small steps are
 * tried on a stretch of it beside the one chosen so far.
 */
#include "analysis/advise_parts.h"
#include <geartrain/choose.h>
#include <math.h>
#include <stdlib.h>

enum { PILOT_STEPS = 300 };

/* dopri5 is stable up to h |lambda| = 3.3 on the real axis and 1 on the imaginary one. */
static const double SURELY_ACCURACY = 0.5, SURELY_STABILITY = 1.5;

static gt_status pilot(const gt_problem *p, const char *name, const gt_plan *plan, double *x, gt_report *report)
{
    gt_plan short_run = {
        .rtol = 1e-3, .max_steps = PILOT_STEPS, .x_end = x, .interrupted = plan ? plan->interrupted : NULL};
    return gt_solve(p, gt_method_find(name), &short_run, report);
}

/* Time covered for each evaluation of f, or what is worth one. */
static double progress(const gt_problem *p, const char *name, const gt_report *report)
{
    const gt_method *method = gt_method_find(name);
    gt_values v = gt_params_default(method->options);
    gt_facts facts = gt_method_facts(method, v.v);
    double trials = (double)(report->stats.steps + report->stats.rejected);
    return trials > 0 ? (report->t - p->t0) / (trials * gt_step_cost(p, method, &facts)) : 0;
}

/* Which of the two gets further with the same work. */
static gt_status try_gear(const gt_problem *p, const gt_plan *plan, const gt_report *explicit_run, double *x,
                          bool *stiff, gt_message *why)
{
    gt_report report;
    gt_status status = pilot(p, "gear", plan, x, &report);
    if (status == GT_INTERRUPTED || status == GT_NO_MEMORY) return status;
    double gear = progress(p, "gear", &report), dopri5 = progress(p, "dopri5", explicit_run);
    *stiff = gear > dopri5;
    gt_say_more(why, ", and for the same work gear gets %.2g times as far", dopri5 > 0 ? gear / dopri5 : INFINITY);
    return GT_OK;
}

/* The pilot run is stuck at x: does stability hold it there? */
static gt_status why_stuck(const gt_problem *p, const gt_plan *plan, const gt_report *report, double *x, bool *stiff,
                           gt_message *why)
{
    double re = 0, im = 0;
    if (gt_spectrum_largest(p, report->t, x, &re, &im)) re = im = 0;
    double product = report->h * hypot(re, im);
    bool damped = -re > 0.2 * im;
    *stiff = product > SURELY_STABILITY && damped;
    gt_fail(why, GT_OK, "%ld explicit pilot steps came to t = %.3g with h |lambda| = %.2g", report->stats.steps,
            report->t, product);
    if (!*stiff && product >= SURELY_ACCURACY) return try_gear(p, plan, report, x, stiff, why);
    gt_say_more(why, ": %s limits the step", *stiff ? "stability" : "accuracy");
    return GT_OK;
}

static gt_status is_stiff(const gt_problem *p, const gt_plan *plan, bool *stiff, gt_message *why)
{
    size_t n = gt_problem_size(p);
    double *x = malloc(n * sizeof *x);
    if (!x) return gt_fail(why, GT_NO_MEMORY, "there is no memory for a pilot run of %zu states", n);
    gt_report report;
    gt_status status = pilot(p, "dopri5", plan, x, &report);
    *stiff = status != GT_OK && status != GT_TOO_MANY_STEPS;
    if (status == GT_OK)
        gt_fail(why, GT_OK, "an explicit pilot run got through in %ld steps", report.stats.steps);
    else if (status == GT_TOO_MANY_STEPS)
        status = why_stuck(p, plan, &report, x, stiff, why);
    else
        gt_fail(why, GT_OK, "an explicit pilot run failed (%s)", gt_status_name(status));
    free(x);
    return status == GT_NO_MEMORY || status == GT_BAD_ARGUMENT || status == GT_INTERRUPTED ? status : GT_OK;
}

/*
 * Where a step of gear is dear, since its matrices are large and dense, small explicit steps may do. A pilot run of
 * smes that gets through tells: gear takes about 3.5 times the steps.
 */
static gt_status try_small_steps(const gt_problem *p, const gt_plan *plan, bool *better, gt_message *why)
{
    enum { FEW_STEPS = 100 };
    const gt_method *gear = gt_method_find("gear");
    gt_values v = gt_params_default(gear->options);
    gt_facts facts = gt_method_facts(gear, v.v);
    double step = gt_step_cost(p, gear, &facts);
    *better = false;
    if (step < 40) return GT_OK;
    gt_report report;
    gt_plan short_run = {.rtol = 1e-3, .max_steps = FEW_STEPS, .interrupted = plan ? plan->interrupted : NULL};
    gt_status status = gt_solve(p, gt_method_find("smes"), &short_run, &report);
    if (status == GT_INTERRUPTED || status == GT_NO_MEMORY) return status;
    double work = (double)report.stats.rhs * gt_stabilized_cost(p);
    *better = status == GT_OK && work < 0.5 * 3.5 * (double)report.stats.steps * step;
    if (*better) gt_say_more(why, ", and small steps damp the fast modes with %ld calls of f", report.stats.rhs);
    return GT_OK;
}

gt_status gt_choose_by_pilot(const gt_problem *p, const gt_plan *plan, const gt_method **method, gt_message *why)
{
    bool stiff = true;
    gt_status status = gt_problem_check(p, why);
    if (status) return status;
    if (p->n_alg)
        gt_fail(why, GT_OK, "%zu equation%s algebraic", p->n_alg, p->n_alg == 1 ? " is" : "s are");
    else if (p->mass)
        gt_fail(why, GT_OK, "there is a mass matrix");
    else
        status = is_stiff(p, plan, &stiff, why);
    bool fixed_step = plan && plan->h > 0, explicit = false; /* a fixed step gear does not take */
    if (!status && stiff && !fixed_step && !p->n_alg && !p->mass) status = try_small_steps(p, plan, &explicit, why);
    *method = gt_method_find(!stiff ? "dopri5" : fixed_step ? "trapezoidal" : explicit ? "smes" : "gear");
    return status;
}

/* The time up to which methods are tried, which takes about ten times the work of the chosen one there: up to where 300
 * steps of it come (3000 of dopri5), if that is less than a tenth of the way; or to the end, if that takes no more than
 * the pilot runs have taken already. Else t0: trials would not pay. */
static gt_status find_stretch(const gt_problem *p, const gt_plan *plan, const gt_method *chosen, double *t1)
{
    enum { CHEAP = 400 };
    gt_report report;
    bool explicit = chosen == gt_method_find("dopri5");
    double *x = malloc(gt_problem_size(p) * sizeof *x), span = p->t1 - p->t0;
    if (!x) return GT_NO_MEMORY;
    gt_status status = pilot(p, chosen->name, plan, x, &report);
    double way = (report.t - p->t0) * (explicit ? 10 : 1);
    free(x);
    *t1 = p->t0;
    if (status == GT_TOO_MANY_STEPS && way < 0.1 * span) *t1 = p->t0 + way;
    if (status == GT_OK && !explicit && report.stats.rhs < CHEAP) *t1 = p->t1;
    return status == GT_INTERRUPTED || status == GT_NO_MEMORY ? status : GT_OK;
}

static gt_status try_others(const gt_problem *p, const gt_trials *trials, const gt_method **method, gt_message *why)
{
    const double BETTER = 0.7;
    gt_trial best = {.work = INFINITY}, trial;
    const gt_method *first = *method;
    gt_status status = gt_try_method(trials, first, INFINITY, &best);
    double limit = best.work;
    for (const gt_method *const *m = gt_method_list(); *m && !status; m++) {
        if (*m == first || !gt_to_be_tried(p, *m)) continue;
        status = gt_try_method(trials, *m, BETTER * limit, &trial);
        if (status || !(trial.work < BETTER * limit) || !(trial.work < best.work)) continue;
        best = trial;
        *method = *m;
    }
    if (!status && *method != first)
        gt_say_more(why, "; tried up to t = %.3g %s takes %.2g of the work of %s", trials->stretch[0].t1,
                    (*method)->name, best.work / limit, first->name);
    return status;
}

gt_status gt_choose_method(const gt_problem *p, const gt_plan *plan, const gt_method **method, gt_message *why)
{
    gt_status status = gt_choose_by_pilot(p, plan, method, why);
    bool blocks = p->n_slow && p->n_fast && !p->n_alg && !p->mass && gt_problem_size(p) <= GT_SPECTRUM_DENSE;
    bool events = p->n_roots || p->on_break;
    if (status || !blocks || events || (plan && plan->h > 0)) return status;
    gt_stretch first = {.t0 = p->t0, .x0 = p->x0};
    status = find_stretch(p, plan, *method, &first.t1);
    if (status || !(first.t1 > p->t0)) return status;
    gt_arena arena = gt_arena_growing();
    gt_trials trials;
    status = gt_trials_open(&trials, p, *method, &first, 1, plan, &arena);
    bool go_on = !status; /* where a tight run fails there is nothing to compare with */
    if (status != GT_INTERRUPTED && status != GT_NO_MEMORY) status = GT_OK;
    if (go_on) status = try_others(p, &trials, method, why);
    gt_arena_free(&arena);
    return status;
}

gt_status gt_choose_reference(const gt_problem *p, const gt_method **method, gt_plan *plan, gt_message *why)
{
    gt_status status = gt_choose_by_pilot(p, plan, method, why);
    if (status) return status;
    bool stiff = *method != gt_method_find("dopri5");
    if (stiff && plan->h == 0) *method = gt_method_find("gear"); /* the one of high accuracy */
    bool series = !stiff && p->taylor && !p->n_roots;
    if (series) *method = gt_method_find("taylor");
    plan->options = series ? "order=20" : NULL;
    plan->rtol = stiff ? 1e-12 : 1e-13;
    plan->atol = stiff ? 1e-16 : 1e-15;
    plan->max_steps = 100000000;
    return GT_OK;
}
