/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples for the sinks: at the start, at steps, at chosen times by dense output, at events, at the end. */
#include "core/run.h"
#include <float.h>
#include <math.h>

gt_status gt_run_check_outputs(gt_run *r)
{
    const gt_plan *plan = r->plan;
    const gt_problem *p = r->problem;
    if (plan->every < 0 || !isfinite(plan->every))
        return gt_fail(r->message, GT_BAD_ARGUMENT, "the output interval must be above 0, not %g", plan->every);
    double round_off = 4 * DBL_EPSILON * fmax(fabs(p->t0), fabs(p->t1));
    if (plan->every > 0 && (plan->every < round_off || (p->t1 - p->t0) / plan->every > 9e15))
        return gt_fail(r->message, GT_BAD_ARGUMENT, "the output interval %g is too small for the interval %g .. %g",
                       plan->every, p->t0, p->t1);
    if (plan->refine && (plan->every > 0 || plan->n_times))
        return gt_fail(r->message, GT_BAD_ARGUMENT,
                       "output points are either chosen or put inside each step, not both");
    for (size_t i = 0; i < plan->n_times; i++) {
        double t = plan->times[i];
        if (!(t >= p->t0 && t <= p->t1))
            return gt_fail(r->message, GT_BAD_ARGUMENT, "the output time %g lies outside %g .. %g", t, p->t0, p->t1);
        if (i && t <= plan->times[i - 1])
            return gt_fail(r->message, GT_BAD_ARGUMENT, "output times must ascend, but %g follows %g", t,
                           plan->times[i - 1]);
    }
    return GT_OK;
}

double gt_run_next_output(const gt_run *r)
{
    if (!(r->wanted & GT_AT_OUTPUT)) return INFINITY;
    if (r->plan->n_times) return r->next_output < r->plan->n_times ? r->plan->times[r->next_output] : INFINITY;
    return r->plan->every > 0 ? r->problem->t0 + (double)r->next_output * r->plan->every : INFINITY;
}

/* Two times that differ by round-off only are the same point. */
static bool same_time(double a, double b, double h)
{
    return isfinite(a) && isfinite(b) && fabs(a - b) <= 8 * DBL_EPSILON * fmax(fabs(a), fabs(b)) + 1e-9 * fabs(h);
}

bool gt_run_output_due(gt_run *r, double t)
{
    bool due = false;
    while (gt_run_next_output(r) <= t || same_time(gt_run_next_output(r), t, r->s->h)) {
        due = true;
        r->next_output++;
    }
    return due;
}

gt_status gt_run_emit(gt_run *r, unsigned why, double t, const double *x)
{
    gt_stepper *s = r->s;
    gt_sample sample = {.why = why, .t = t, .x = x, .n = s->n, .h = s->h, .error = r->error, .order = s->order};
    if (why & GT_AT_START) sample.h = sample.error = 0;
    if (why & GT_AT_EVENT) sample.fired = s->fired, sample.before = !r->after_event;
    for (size_t i = 0; i < r->plan->n_sinks; i++) {
        gt_sink *sink = r->plan->sinks[i];
        if (!(sink->wants & why)) continue;
        r->message->text[0] = 0;
        gt_status status = sink->write(sink, &sample, r->message);
        if (!status) continue;
        if (!r->message->text[0]) gt_fail(r->message, status, "a receiver of output refused the sample at t = %g", t);
        return status < 0 ? status : GT_SINK_REFUSED;
    }
    return GT_OK;
}

gt_status gt_run_emit_inside(gt_run *r)
{
    gt_stepper *s = r->s;
    int refine = r->plan->refine;
    double next = gt_run_next_output(r);
    bool some = (r->wanted & GT_AT_OUTPUT) && (refine || (next < s->t_new && !same_time(next, s->t_new, s->h)));
    if (!some) return GT_OK;
    /* If the interpolant fails it fails here, before a sink has seen a sample of a trial that may be rejected. */
    gt_status status = gt_stepper_interpolate(s, 0.5, s->scratch);
    for (int i = 1; i <= refine && !status; i++) {
        double theta = i / (refine + 1.0);
        status = gt_stepper_interpolate(s, theta, s->scratch);
        if (!status) status = gt_run_emit(r, GT_AT_OUTPUT, s->t + theta * s->h, s->scratch);
    }
    while (!status && next < s->t_new && !same_time(next, s->t_new, s->h)) {
        if (r->plan->interrupted && *r->plan->interrupted) return gt_run_limit(r, GT_INTERRUPTED);
        status = gt_stepper_interpolate(s, (next - s->t) / s->h, s->scratch);
        if (!status) status = gt_run_emit(r, GT_AT_OUTPUT, next, s->scratch);
        r->next_output++;
        next = gt_run_next_output(r);
    }
    return status;
}
