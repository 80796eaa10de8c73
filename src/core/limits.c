/* SPDX-License-Identifier: BSD-3-Clause */
/* The error messages of runs that cannot continue: what, where, and what to try. */
#include "core/events.h"
#include "implicit/index.h"
#include "implicit/not_finite.h"
#include <assert.h>
#include <math.h>

/* The first component of the trial that is not a number, else the one with the largest error. */
static size_t culprit(const gt_stepper *s, bool not_finite)
{
    size_t worst = 0;
    double most = -1;
    for (size_t i = 0; i < s->n; i++) {
        if (not_finite && !isfinite(s->x_new[i])) return i;
        double e = fabs(s->err[i]) / gt_weight(s, i, s->x_new[i]);
        if (!not_finite && e > most) most = e, worst = i;
    }
    return worst;
}

static const char *smaller_step(const gt_run *r)
{
    return r->plan->h > 0 ? "a smaller h" : "a smaller h0, looser tolerances";
}

/* No step is short enough where the algebraic equations lose their solution. */
static bool ends_in_fold(gt_run *r, gt_status status)
{
    gt_message why = {""};
    if (r->plan->h > 0 || !gt_blame_fold(r->s, &why)) return false;
    gt_fail(r->message, status,
            "%s; a switch of the model or a state in its place has to take over before", why.text);
    return true;
}

/* Near t = 0 the shortest step is one of the interval: too long where that is 1e300. */
static bool ends_in_span(gt_run *r, gt_status status, size_t i, double value)
{
    char buffer[24];
    gt_stepper *s = r->s;
    double whole = gt_run_whole(r);
    if (r->plan->h > 0 || fabs(s->t) > 1e-14 * whole || s->h > 16 * gt_run_least_step(r))
        return false;
    gt_fail(r->message, status,
            "component %s became %g in the shortest step that a run over %.4g units of time can "
            "have at t = %.10g, h = %.4g; try an end that is nearer, as 1e10 of the times in which "
            "the solution changes",
            gt_problem_state_name(r->problem, i, buffer), value, whole, gt_shown_time(s, s->t),
            s->h);
    return true;
}

/* A trial became NaN or infinite: what did it first. */
static gt_status not_finite(gt_run *r)
{
    gt_stepper *s = r->s;
    char buffer[24];
    double t = gt_shown_time(s, s->t);
    if (s->problem->ranks)
        return gt_fail(r->message, GT_NOT_FINITE,
                       "the state or the right-hand side became NaN or Inf on a rank in the step "
                       "from t = %.10g with h = %.4g; try %s",
                       t, s->h, smaller_step(r));
    size_t i = culprit(s, true);
    gt_message why = {""};
    if (ends_in_fold(r, GT_SINGULAR)) return GT_SINGULAR;
    /* Where x has become infinite its step is to blame, but for f at the very start. */
    bool moved = !isfinite(s->x_new[i]), blames = !moved || s->stats.steps == 0;
    if (blames && gt_blame_not_finite(r->s, moved, &why))
        return gt_fail(r->message, GT_NOT_FINITE,
                       "%s at t = %.10g; look for a singularity of the equations there", why.text,
                       t);
    if (isfinite(s->x_new[i]))
        return gt_fail(r->message, GT_NOT_FINITE,
                       "the right-hand side%s became NaN or Inf in the step from t = %.10g with h "
                       "= %.4g; try %s, or look for a singularity of the equations there",
                       s->facts.flags & GT_USES_JACOBIAN ? " or the Jacobian" : "", t, s->h,
                       smaller_step(r));
    if (ends_in_span(r, GT_NOT_FINITE, i, s->x_new[i])) return GT_NOT_FINITE;
    return gt_fail(r->message, GT_NOT_FINITE,
                   "component %s became %g in the step from t = %.10g with h = %.4g; try %s, or "
                   "look for a singularity of the equations there",
                   gt_problem_state_name(r->problem, i, buffer), s->x_new[i], t, s->h,
                   smaller_step(r));
}

/* A trial failed and no smaller step is possible. */
gt_status gt_run_trial_failed(gt_run *r, gt_status status)
{
    assert(r);
    assert(status != GT_OK);
    gt_stepper *s = r->s;
    double t = gt_shown_time(s, s->t);
    if (status < 0) {
        if (!s->message.text[0])
            gt_fail(&s->message, status,
                    "the right-hand side failed between t = %.10g and %.10g (%s)", t,
                    gt_shown_time(s, s->t + s->h), gt_status_name(status));
        *r->message = s->message;
        return status;
    }
    switch (status) {
    case GT_TRY_NOT_FINITE:
        return not_finite(r);
    case GT_TRY_NEWTON:
        if (ends_in_fold(r, GT_NEWTON_FAILED)) return GT_NEWTON_FAILED;
        if (s->message.text[0]) return gt_fail(r->message, GT_NEWTON_FAILED, "%s", s->message.text);
        return gt_fail(r->message, GT_NEWTON_FAILED,
                       "the Newton iteration of %s did not converge in the step from t = %.10g "
                       "with h = %.4g; try %s, or check the Jacobian",
                       s->method->name, t, s->h, smaller_step(r));
    case GT_TRY_SINGULAR:
        if (ends_in_fold(r, GT_SINGULAR)) return GT_SINGULAR;
        return gt_fail(r->message, GT_SINGULAR,
                       "the Newton matrix of %s is singular in the step from t = %.10g with h = "
                       "%.4g; try %s, or check the Jacobian and the algebraic equations",
                       s->method->name, t, s->h, smaller_step(r));
    case GT_TRY_KRYLOV:
        return gt_fail(r->message, GT_NEWTON_FAILED,
                       "the Krylov iteration of %s did not converge in the step from t = %.10g "
                       "with h = %.4g; try %s, or --opt %s",
                       s->method->name, t, s->h, smaller_step(r),
                       s->stats.krylov ? "linear=direct" : "dense=n with the number of states");
    default:
        return gt_fail(r->message, GT_RHS_FAILED,
                       "the right-hand side could not be evaluated in the step from t = %.10g with "
                       "h = %.4g; try %s",
                       t, s->h, smaller_step(r));
    }
}

gt_status gt_run_limit(gt_run *r, gt_status status)
{
    assert(r);
    assert(status != GT_OK);
    gt_stepper *s = r->s;
    gt_message why = {""};
    char buffer[24];
    const char *name =
        s->facts.error_order ? gt_problem_state_name(r->problem, culprit(s, false), buffer) : "?";
    switch (status) {
    case GT_TOO_MANY_STEPS:
        return gt_fail(
            r->message, status, "after %ld steps the run is only at t = %.10g (h = %.4g); %s%s",
            s->stats.steps, gt_shown_time(s, s->t), s->h,
            r->chatters ? "the solution goes back and forth across a jump of f: "
            : s->facts.flags & GT_USES_JACOBIAN
                ? "raise max_steps or loosen the tolerance"
                : "raise max_steps, loosen the tolerance or take a method for stiff problems",
            r->chatters ? gt_run_chatter_advice(r) : "");
    case GT_STEP_TOO_SMALL:
        /* As a ball that comes to rest: each event is nearer to the one before. */
        if (s->stats.events > 2 && s->t - r->last_event < 1e-6 * fabs(s->t - r->problem->t0))
            return gt_run_pile_up(r);
        if (ends_in_fold(r, status)) return status;
        if (gt_blame_not_finite(r->s, false, &why))
            return gt_fail(r->message, GT_NOT_FINITE,
                           "%s at t = %.10g; look for a singularity of the equations there",
                           why.text, gt_shown_time(s, s->t));
        return gt_fail(
            r->message, status,
            "the step size fell below its minimum at t = %.10g (h = %.4g, largest error in %s); %s",
            gt_shown_time(s, s->t), r->h, name,
            s->atol <= GT_NO_ATOL && !s->atol_vector
                ? "without an absolute tolerance a component near zero is allowed next to no "
                  "error: give one, such as --atol 1e-12"
                : "the solution may be singular there, or the tolerance too tight for double "
                  "precision");
    case GT_TOO_MANY_REJECTIONS:
        return gt_fail(r->message, status,
                       "%d trials in a row were rejected at t = %.10g (h = %.4g, largest error in "
                       "%s); raise max_rejections, or look for a discontinuity there",
                       r->rejections, gt_shown_time(s, s->t), r->h, name);
    case GT_INTERRUPTED:
        return gt_fail(r->message, status, "interrupted at t = %.10g after %ld steps",
                       gt_shown_time(s, s->t), s->stats.steps);
    default:
        return gt_fail(r->message, status, "stopped at t = %.10g: %s", gt_shown_time(s, s->t),
                       gt_status_text(status));
    }
}
