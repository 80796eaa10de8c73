/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The choice on a problem with a fast block: methods that eigenvalues do not judge are tried beside
 * the one that the pilot runs chose. What is tried, where and for how much follows from counted
 * operations alone:
 *
 * 1. 150 steps of the method chosen so far (300 if it is implicit, since these are cheap and start
 * slowly), at the tolerance wanted, tell the work W of the whole run.
 * 2. Candidates are the methods that follow the fast block by exponentials or small steps, where
 * the run is long; and where the problem says that the slow block is most of f, the method of two
 * rates that evaluates it least for its order.
 * 3. The stretch of the trials begins where these steps came to, past the transient of the start,
 * and is so long that all trials take a fifth of W at most. Where that is less than 40 steps
 * nothing is tried.
 * 4. A candidate replaces the first method where it takes less than 0.7 of its work at the same
 * tolerance, and its error against a tight run is below five times that of the first, or five times
 * the tolerance.
 */
#include "analysis/advice.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>

static const double SHARE = 0.2, BETTER = 0.7, AS_GOOD = 5, EXPENSIVE = 0.6;
enum { LEAST_STEPS = 40, LONG = 10000, MOST_CANDIDATES = 32 };

/* What is to be tried and where. */
typedef struct prospect {
    const gt_problem *p;
    const gt_method *first; /* chosen so far */
    double steps, work;     /* of the whole run with it; 0: too short to ask */
    gt_stretch stretch;
    const gt_method *candidates[MOST_CANDIDATES];
    size_t count;
} prospect;

/* Where the first steps come to, and what it takes to the end: by the time covered, or by the last
 * step where that was larger. */
static gt_status look_ahead(prospect *a, const gt_plan *plan, double *x)
{
    const gt_problem *p = a->p;
    gt_report report;
    gt_values v = gt_params_default(a->first->options);
    gt_facts facts = gt_method_facts(a->first, v.v);
    gt_plan first = {.rtol = plan ? plan->rtol : 0,
                     .atol = plan ? plan->atol : 0,
                     .atol_vector = plan ? plan->atol_vector : NULL,
                     .interrupted = plan ? plan->interrupted : NULL,
                     .max_steps = facts.flags & GT_USES_JACOBIAN ? 300 : 150,
                     .x_end = x};
    gt_status status = gt_solve(p, a->first, &first, &report);
    double taken = (double)report.stats.steps, way = report.t - p->t0, rest = p->t1 - report.t;
    if (status == GT_INTERRUPTED || status == GT_NO_MEMORY) return status;
    if (status != GT_TOO_MANY_STEPS || !(way > 0 && report.h > 0)) return GT_OK;
    a->steps = taken + fmin(taken * rest / way, rest / report.h);
    a->work = gt_work_done(p, a->first, &facts, &report.stats) * a->steps / taken;
    a->stretch = (gt_stretch){.t0 = report.t, .t1 = p->t1, .x0 = x};
    return GT_OK;
}

/* The most order for an evaluation of the slow block. */
static const gt_method *best_of_two_rates(const gt_problem *p)
{
    const gt_method *best = NULL;
    double most = 0;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        gt_values v = gt_params_default((*m)->options);
        gt_facts facts = gt_method_facts(*m, v.v);
        if (!gt_takes_two_rates(p, *m) || facts.order <= most * facts.slow_evaluations) continue;
        most = (double)facts.order / facts.slow_evaluations;
        best = *m;
    }
    return best;
}

static bool knows_expensive_slow_block(const gt_problem *p)
{
    return p->work.full > 0 && p->work.slow > 0 && p->work.fast > 0 &&
           gt_slow_share(p) > EXPENSIVE && gt_fast_share(p) < BETTER;
}

static void find_candidates(prospect *a)
{
    const gt_problem *p = a->p;
    bool explicit = a->first == gt_method_for(GT_ROLE_NONSTIFF);
    const gt_method *two_rates = knows_expensive_slow_block(p) ? best_of_two_rates(p) : NULL;
    if (two_rates) a->candidates[a->count++] = two_rates;
    if (a->steps < (explicit ? 3 * LONG : LONG)) return;
    for (const gt_method *const *m = gt_method_list(); *m && a->count < MOST_CANDIDATES; m++)
        if (*m != a->first && gt_to_be_tried(p, *m)) a->candidates[a->count++] = *m;
}

/* In units of the work of the first method on the stretch: its run at a hundredth of the tolerance
 * takes 2.5, its own 1, and each candidate, which is given up when it is not better, 0.7. */
static bool cut_stretch(prospect *a)
{
    if (!a->count || !(a->steps > 0)) return false;
    double steps = SHARE * a->steps / (3.5 + BETTER * (double)a->count);
    double length = (a->p->t1 - a->p->t0) * steps / a->steps;
    if (a->stretch.t0 + length < a->p->t1) a->stretch.t1 = a->stretch.t0 + length;
    return steps >= LEAST_STEPS;
}

static gt_status try_candidates(const prospect *a, gt_trials *trials, const gt_method **method,
                                gt_message *why)
{
    gt_trial first, trial;
    gt_status status = gt_try_once(trials, a->first, INFINITY, &first);
    double limit = BETTER * first.work, enough = AS_GOOD * fmax(first.error, trials->rtol);
    for (size_t k = 0; k < a->count && !status && isfinite(first.work); k++) {
        status = gt_try_once(trials, a->candidates[k], limit, &trial);
        if (status || !(trial.work < limit && trial.error < enough)) continue;
        limit = trial.work;
        *method = a->candidates[k];
    }
    if (status || *method == a->first) return status;
    gt_say_more(why, "; tried from t = %.3g to %.3g %s takes %.2g of the work of %s",
                trials->stretch[0].t0, trials->stretch[0].t1, (*method)->name, limit / first.work,
                a->first->name);
    if (gt_takes_two_rates(a->p, *method))
        gt_say_more(why, ", the slow block being %.0f %% of f", 100 * gt_slow_share(a->p));
    return status;
}

static gt_status make_trials(const prospect *a, const gt_plan *plan, const gt_method **method,
                             gt_message *why)
{
    gt_arena arena = gt_arena_growing();
    gt_trials trials;
    double tight = fmax(1e-13, 0.01 * (plan && plan->rtol > 0 ? plan->rtol : 1e-6));
    gt_status status = gt_trials_open(&trials, a->p, a->first, tight, &a->stretch, 1, plan,
                                      SHARE * a->work, &arena);
    bool go_on = !status; /* where a tight run fails there is nothing to compare with */
    if (status != GT_INTERRUPTED && status != GT_NO_MEMORY) status = GT_OK;
    if (go_on) status = try_candidates(a, &trials, method, why);
    gt_arena_free(&arena);
    return status;
}

gt_status gt_choose_by_trial(const gt_problem *p, const gt_plan *plan, const gt_method **method,
                             gt_message *why)
{
    assert(method);
    bool blocks =
        p->n_slow && p->n_fast && !p->n_alg && !p->mass && gt_problem_size(p) <= GT_SPECTRUM_DENSE;
    bool events = p->n_roots || p->on_break;
    if (!blocks || events || (plan && plan->h > 0)) return GT_OK;
    prospect a = {.p = p, .first = *method};
    double *x = malloc(gt_problem_size(p) * sizeof *x);
    if (!x) return gt_fail(why, GT_NO_MEMORY, "out of memory for a pilot run");
    gt_status status = look_ahead(&a, plan, x);
    if (!status) find_candidates(&a);
    if (!status && cut_stretch(&a)) status = make_trials(&a, plan, method, why);
    free(x);
    return status;
}
