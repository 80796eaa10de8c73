/* SPDX-License-Identifier: BSD-3-Clause */
/* Which methods are tried on a problem with a fast block, where, and what that says of the others.
 */
#include "analysis/advice.h"
#include <math.h>

static bool tried(const gt_problem *p, const gt_method *method)
{
    return gt_to_be_tried(p, method) || gt_takes_two_rates(p, method);
}

/* How many times the work of the best a trial may take; there are many methods of two rates, and
 * they are much alike.
 */
static int patience(const gt_problem *p, const gt_method *method)
{
    return gt_takes_two_rates(p, method) ? 3 : 10;
}

static const char *way_of(const gt_problem *p, const gt_method *method, const gt_facts *facts)
{
    if (facts->functions) return "fast motion by functions of its matrix";
    if (facts->kind == GT_KIND_STABILIZED) return "small explicit steps damp the fast modes";
    if (gt_takes_two_rates(p, method)) return "the slow block at fewer points than the fast one";
    return facts->flags & GT_USES_JACOBIAN ? "implicit" : "explicit";
}

static void describe_trial(const gt_problem *p, const char *where, const gt_trial *trial,
                           gt_method_advice *m)
{
    gt_values v = gt_params_default(m->method->options);
    gt_facts facts = gt_method_facts(m->method, v.v);
    const char *how = way_of(p, m->method, &facts);
    if (trial->status == GT_TOO_MANY_STEPS)
        gt_fail(&m->why, GT_OK, "%s; tried on %s, and given up after %d times the work of the best",
                how, where, patience(p, m->method));
    else if (trial->status)
        gt_fail(&m->why, GT_OK, "%s; tried on %s, where it fails (%s)", how, where,
                gt_status_name(trial->status));
    else
        gt_fail(&m->why, GT_OK, "%s; tried on %s: %ld steps at rtol %.1e, error %.1e", how, where,
                trial->steps, trial->rtol, trial->error);
}

/* The two that look best among those whose steps the spectrum tells. */
static void pick_two(const gt_problem *p, gt_method_advice *list, size_t count,
                     gt_method_advice *best[2])
{
    best[0] = best[1] = NULL;
    for (size_t k = 0; k < count; k++) {
        gt_method_advice *m = &list[k];
        if (!isfinite(m->work) || !gt_is_robust(m->method) || gt_to_be_tried(p, m->method))
            continue;
        if (!best[0] || m->work < best[0]->work)
            best[1] = best[0], best[0] = m;
        else if (!best[1] || m->work < best[1]->work)
            best[1] = m;
    }
}

/* Steps of the run; or where it has passed over fast motion by functions of matrices, of one that
 * has to follow it. */
static double steps_to_follow(const gt_advice *a)
{
    gt_values v = gt_params_default(a->method->options);
    double steps = (double)a->run.stats.steps;
    return gt_method_facts(a->method, v.v).functions ? fmax(steps, a->steps_stability) : steps;
}

/* The whole run when that is `allowed` steps or less, else three pieces of it that take as many
 * together: from the start on, and from the points next to a third and two thirds of the way. */
static double choose_stretches(const gt_problem *p, const gt_advice *a, double allowed,
                               gt_stretch *list, size_t *count)
{
    double share = fmin(1, allowed / steps_to_follow(a)), end = p->t0 + a->span;
    *count = share < 0.5 ? GT_TRIAL_STRETCHES : 1;
    list[0] = (gt_stretch){p->t0, p->t0 + share / (double)*count * a->span, p->x0};
    for (size_t k = 1; k < *count; k++) {
        const gt_spectrum *at = &a->points[0];
        double from = p->t0 + a->span * (double)k / GT_TRIAL_STRETCHES;
        for (size_t i = 0; i < a->n_points; i++)
            if (fabs(a->points[i].t - from) < fabs(at->t - from)) at = &a->points[i];
        list[k] = (gt_stretch){at->t, fmin(end, at->t + share / (double)*count * a->span), at->x};
    }
    return share;
}

/*
 * A problem with a fast block: methods that follow it by exponentials, or damp it by small steps,
 * are tried on a stretch of the problem, and so are the best two of the others, from which it is
 * seen by how much all estimates are off.
 */
gt_status gt_advice_try(const gt_problem *p, const gt_plan *plan, gt_advice *a, gt_arena *arena,
                        gt_message *message)
{
    gt_trials t;
    gt_trial trial;
    gt_method_advice *two[2];
    bool worth = false;
    for (size_t k = 0; k < a->n_methods; k++) worth = worth || tried(p, a->methods[k].method);
    bool blocks = p->n_slow && p->n_fast && !p->n_alg && !p->mass,
         events = p->n_roots || p->on_break;
    if (!worth || !blocks || events || a->run.status || !a->points[0].complete) return GT_OK;
    double stretch =
        fmax(500, 1e5 / (double)gt_problem_size(p)); /* in steps of the run: a second at most */
    gt_stretch list[GT_TRIAL_STRETCHES];
    size_t n_list;
    double share = choose_stretches(p, a, stretch, list, &n_list), best = INFINITY, off = 1;
    double tight = fmax(1e-13, fmin(1e-4 * a->rtol, 1e-10));
    gt_status status = gt_trials_open(&t, p, a->method, tight, list, n_list, plan, INFINITY, arena);
    /* A stiff method may take too many steps for a tight run along oscillations. */
    const gt_method *other = gt_method_for(GT_ROLE_NONSTIFF_TIGHT);
    if (status && status != GT_INTERRUPTED && status != GT_NO_MEMORY && a->method != other)
        status = gt_trials_open(&t, p, other, tight, list, n_list, plan, INFINITY, arena);
    if (status == GT_INTERRUPTED || status == GT_NO_MEMORY)
        return gt_fail(message, status, "no trials of methods");
    if (status) return GT_OK; /* there is nothing to compare with */
    const char *where = share < 1 ? "pieces of the run" : "the whole run";
    pick_two(p, a->methods, a->n_methods, two);
    for (size_t k = 0; k < 2 && two[k]; k++) {
        status = gt_try_method(&t, two[k]->method, INFINITY, &trial);
        if (status) break;
        if (isfinite(trial.work)) off *= pow(trial.work / share / two[k]->work, two[1] ? 0.5 : 1);
        best = fmin(best, trial.work);
        two[k]->work = trial.work / share;
        describe_trial(p, where, &trial, two[k]);
    }
    for (size_t k = 0; k < a->n_methods && !status; k++) {
        gt_method_advice *m = &a->methods[k];
        if (m == two[0] || m == two[1]) continue;
        if (!tried(p, m->method)) {
            m->work *= off;
            continue;
        }
        status = gt_try_method(&t, m->method, patience(p, m->method) * best, &trial);
        if (status) break;
        best = fmin(best, trial.work);
        m->work = trial.work / share;
        describe_trial(p, where, &trial, m);
    }
    return status ? gt_fail(message, status, "the trials of methods were interrupted") : GT_OK;
}
