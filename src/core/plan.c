/* SPDX-License-Identifier: BSD-3-Clause */
/* What is wrong with a plan, and what stands for the zeros in it. */
#include "core/run_state.h"
#include <assert.h>
#include <math.h>
#include <string.h>

static gt_status check_tolerances(const gt_run *r)
{
    const gt_plan *plan = r->plan;
    gt_message *m = r->message;
    if (!(plan->rtol >= 0) || !(plan->atol >= 0))
        return gt_fail(m, GT_BAD_ARGUMENT, "tolerances must be above 0, not rtol = %g, atol = %g",
                       plan->rtol, plan->atol);
    if (plan->rtol >= 1 || (plan->rtol > 0 && plan->rtol < 1e-15))
        return gt_fail(m, GT_BAD_ARGUMENT,
                       "rtol must lie between 1e-15, the limit of double precision, and 1, not %g",
                       plan->rtol);
    for (size_t i = 0; plan->rtol_vector && i < r->s->n; i++) {
        if (!(plan->rtol_vector[i] >= 0 && plan->rtol_vector[i] < 1))
            return gt_fail(m, GT_BAD_ARGUMENT,
                           "rtol of component %zu must lie between 0 and 1, but is %g", i + 1,
                           plan->rtol_vector[i]);
    }
    for (size_t i = 0; plan->atol_vector && i < r->s->n; i++) {
        if (!(plan->atol_vector[i] >= 0))
            return gt_fail(m, GT_BAD_ARGUMENT,
                           "atol of component %zu must not be negative, but is %g", i + 1,
                           plan->atol_vector[i]);
    }
    return GT_OK;
}

gt_status gt_run_check_plan(const gt_run *r)
{
    assert(r && r->plan && r->s);
    const gt_plan *plan = r->plan;
    const gt_problem *p = r->problem;
    gt_message *m = r->message;
    if (!(p->t1 > p->t0))
        return gt_fail(m, GT_BAD_ARGUMENT, "the end t1 = %g is the start; there is nothing to do",
                       p->t1);
    if (!isfinite(p->t1) && !r->one_by_one)
        return gt_fail(m, GT_BAD_ARGUMENT,
                       "the time span %g to %g must be finite; a run handle may have no end", p->t0,
                       p->t1);
    if (!(plan->h >= 0) || isinf(plan->h))
        return gt_fail(m, GT_BAD_ARGUMENT, "the step h must be above 0, not %g", plan->h);
    if (!(plan->h0 >= 0) || !(plan->h_min >= 0) || !(plan->h_max >= 0))
        return gt_fail(m, GT_BAD_ARGUMENT, "h0, h_min and h_max must be above 0, not %g, %g, %g",
                       plan->h0, plan->h_min, plan->h_max);
    if (plan->max_steps < 0 || plan->max_rejections < 0)
        return gt_fail(m, GT_BAD_ARGUMENT,
                       "max_steps and max_rejections must not be negative, as %ld and %d are",
                       plan->max_steps, plan->max_rejections);
    if (plan->h == 0 && !r->s->facts.error_order)
        return gt_fail(m, GT_BAD_ARGUMENT,
                       "method %s has no error estimate and so no step control; give a fixed step "
                       "h, or take a method with an estimate",
                       r->s->method->name);
    if (plan->h > 0 && (r->s->facts.flags & GT_VARIABLE_FORMULA))
        return gt_fail(m, GT_BAD_ARGUMENT,
                       "method %s chooses its own steps; for a fixed step h take a one-step "
                       "method, or a formula of fixed order",
                       r->s->method->name);
    if (r->s->method->judge && plan->control.name)
        return gt_fail(m, GT_BAD_ARGUMENT,
                       "method %s chooses its own steps; leave the step control %s out",
                       r->s->method->name, plan->control.name);
    if (plan->h_max > 0 && plan->h_max < plan->h_min)
        return gt_fail(m, GT_BAD_ARGUMENT, "h_max = %g is below h_min = %g", plan->h_max,
                       plan->h_min);
    if (plan->h_max > 0 && gt_run_whole(r) / plan->h_max > 9e15)
        return gt_fail(m, GT_BAD_ARGUMENT, "h_max = %g is too small for the interval %g .. %g",
                       plan->h_max, p->t0, p->t1);
    if (plan->h > 0 && gt_run_whole(r) / plan->h > 9e15)
        return gt_fail(m, GT_BAD_ARGUMENT, "h = %g is too small for the interval %g .. %g", plan->h,
                       p->t0, p->t1);
    return check_tolerances(r);
}

static void default_to(double *number, double value)
{
    if (*number == 0) *number = value;
}

/* Rejections of long steps cost most: with 0.8 a tenth instead of a sixth of the trials, over 21
 * problems at 1e-4 to 1e-9, and 0.91 of the calls of `pi` at equal errors. */
static const double safety_of_long_steps = 0.8, long_steps_from = 1e-4;

/* Estimates are first terms of series in h, which tell little where a step may err by a thousandth:
 * from about there on a tolerance is served by a part of it, half at most. */
static const double loose = 1e-3;
static double strictness(const gt_plan *plan)
{
    double rtol = plan->rtol > 0 ? plan->rtol : 1e-6;
    return 1 + 1 / (1 + loose / rtol);
}

gt_status gt_run_choose_control(gt_run *r)
{
    assert(r && r->plan);
    gt_control *c = &r->control;
    *c = r->plan->control;
    /* Methods that make new factors or functions of matrices at every step have nothing to gain
     * from keeping it, and errors with a trend; explicit ones of high order, whose long steps vary
     * most, follow it too: on an orbit of eccentricity .9 a third of the calls is saved. Other
     * explicit methods take what settles at a set point; implicit ones and those of past points
     * gain nothing by it at equal errors. */
    gt_kind kind = r->s->facts.kind;
    int order = r->s->facts.order;
    bool long_steps = kind == GT_KIND_EXPLICIT && order > 6 && !(r->plan->rtol > long_steps_from);
    bool trend = long_steps ||
                 ((kind == GT_KIND_LINEARLY_IMPLICIT || kind == GT_KIND_EXPONENTIAL) && order > 2);
    const gt_method *m = r->s->method;
    bool one_step = kind == GT_KIND_EXPLICIT && !m->formula && !m->formula_of;
    bool settles = one_step || r->s->facts.flags & GT_AVERAGES;
    if (!m->judge) r->s->strictness = settles && c->kind == GT_FILTER ? strictness(r->plan) : 1;
    const char *name = settles ? "smooth" : "pi";
    if (trend) name = "predictive";
    if (c->kind == GT_BOUNDS) name = "bounds";
    const gt_control *usual = gt_control_find(name);
    if (c->beta[0] == 0 && c->beta[1] == 0 && c->beta[2] == 0) {
        memcpy(c->beta, usual->beta, sizeof c->beta);
        c->alpha = usual->alpha, c->aimed = usual->aimed, c->bounded = usual->bounded;
    }
    default_to(&c->safety, long_steps ? safety_of_long_steps : usual->safety);
    default_to(&c->min_factor, usual->min_factor);
    default_to(&c->max_factor, usual->max_factor);
    if (!c->name) default_to(&c->keep, usual->keep); /* in a named controller 0 is a choice */
    default_to(&c->lower, usual->lower);
    default_to(&c->upper, usual->upper);
    default_to(&c->target, usual->target);
    if (c->kind == GT_BOUNDS && !(c->lower <= c->target && c->target <= c->upper))
        return gt_fail(r->message, GT_BAD_ARGUMENT,
                       "step control by bounds needs lower <= target <= upper, not %g, %g, %g",
                       c->lower, c->target, c->upper);
    if (!(c->safety > 0 && c->min_factor > 0 && c->max_factor > 1) && c->kind == GT_FILTER)
        return gt_fail(
            r->message, GT_BAD_ARGUMENT,
            "step control needs safety > 0, min_factor > 0 and max_factor > 1, not %g, %g, %g",
            c->safety, c->min_factor, c->max_factor);
    return GT_OK;
}

void gt_run_begin_tolerances(gt_run *r)
{
    assert(r && r->plan && r->s);
    gt_stepper *s = r->s;
    const gt_plan *plan = r->plan;
    s->rtol = plan->h > 0 ? 0 : plan->rtol > 0 ? plan->rtol : 1e-6;
    s->atol = plan->atol > 0 ? plan->atol : gt_default_atol(r->problem, s->rtol);
    s->rtol_vector = s->rtol > 0 ? plan->rtol_vector : NULL;
    s->atol_vector = plan->atol_vector;
    if (plan->no_pulses) s->pulse_work = NULL; /* methods that look for them see that too */
}
