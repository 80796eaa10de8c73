/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples for the sinks: at the start, at steps, at chosen times by dense output, at events, at the
 * end. */
#include "core/run_state.h"
#include "problem/norm.h"
#include <assert.h>
#include <float.h>
#include <math.h>

gt_status gt_run_check_outputs(gt_run *r)
{
    const gt_plan *plan = r->plan;
    const gt_problem *p = r->problem;
    if (plan->n_times && !plan->times)
        return gt_fail(r->message, GT_BAD_ARGUMENT,
                       "the plan has %zu output times but times is NULL", plan->n_times);
    if (plan->n_sinks && !plan->sinks)
        return gt_fail(r->message, GT_BAD_ARGUMENT, "the plan has %zu sinks but sinks is NULL",
                       plan->n_sinks);
    for (size_t i = 0; i < plan->n_sinks; i++)
        if (!plan->sinks[i] || !plan->sinks[i]->write)
            return gt_fail(r->message, GT_BAD_ARGUMENT,
                           "sink %zu of the plan is NULL or has no function write", i + 1);
    if (plan->every < 0 || !isfinite(plan->every))
        return gt_fail(r->message, GT_BAD_ARGUMENT, "the output interval must be above 0, not %g",
                       plan->every);
    double round_off = 4 * DBL_EPSILON * fmax(fabs(p->t0), isfinite(p->t1) ? fabs(p->t1) : 0);
    if (plan->every > 0 && (plan->every < round_off || gt_run_whole(r) / plan->every > 9e15))
        return gt_fail(r->message, GT_BAD_ARGUMENT,
                       "the output interval %g is too small for the interval %g .. %g", plan->every,
                       p->t0, p->t1);
    if (plan->refine && (plan->every > 0 || plan->n_times))
        return gt_fail(r->message, GT_BAD_ARGUMENT,
                       "output points are either chosen or put inside each step, not both");
    for (size_t i = 0; i < plan->n_times; i++) {
        double t = plan->times[i];
        if (!(t >= p->t0 && t <= p->t1))
            return gt_fail(r->message, GT_BAD_ARGUMENT, "the output time %g lies outside %g .. %g",
                           t, p->t0, p->t1);
        if (i && t <= plan->times[i - 1])
            return gt_fail(r->message, GT_BAD_ARGUMENT,
                           "output times must ascend, but %g follows %g", t, plan->times[i - 1]);
    }
    return GT_OK;
}

double gt_run_next_output(const gt_run *r)
{
    if (!(r->wanted & GT_AT_OUTPUT)) return INFINITY;
    if (r->plan->n_times)
        return r->next_output < r->plan->n_times ? r->plan->times[r->next_output] : INFINITY;
    return r->plan->every > 0 ? r->problem->t0 + (double)r->next_output * r->plan->every : INFINITY;
}

/* Two times that differ by round-off only are the same point. */
static bool same_time(double a, double b, double h)
{
    return isfinite(a) && isfinite(b) &&
           fabs(a - b) <= 8 * DBL_EPSILON * fmax(fabs(a), fabs(b)) + 1e-9 * fabs(h);
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

/* The next point that a sink has asked for by its spacing. */
static double next_dense(const gt_run *r, const gt_sink *sink)
{
    if (!(sink->wants & GT_AT_DENSE) || !(sink->spacing > 0)) return INFINITY;
    double t = r->problem->t0 + (double)sink->next * sink->spacing;
    return t <= r->problem->t1 ? t : INFINITY;
}

static bool dense_due(const gt_run *r, gt_sink *sink, double t)
{
    double next = next_dense(r, sink);
    if (!(next <= t) && !same_time(next, t, r->s->h)) return false;
    /* One sample stands for all points up to here; round-off of the quotient is mended by the
     * second line. */
    double passed = floor((t - r->problem->t0) / sink->spacing);
    if (passed > (double)sink->next) sink->next = (size_t)passed;
    while ((next = next_dense(r, sink)) <= t || same_time(next, t, r->s->h)) sink->next++;
    return true;
}

void gt_run_begin_sinks(gt_run *r)
{
    for (size_t i = 0; i < r->plan->n_sinks; i++) {
        r->wanted |= r->plan->sinks[i]->wants;
        r->plan->sinks[i]->next = 0;
    }
}

void gt_run_skip_outputs(gt_run *r)
{
    double t = r->waits ? r->s->t_new : r->s->t;
    (void)gt_run_output_due(r, t);
    for (size_t i = 0; i < r->plan->n_sinks; i++) (void)dense_due(r, r->plan->sinks[i], t);
}

double gt_run_next_sample(const gt_run *r)
{
    double t = gt_run_next_output(r);
    for (size_t i = 0; (r->wanted & GT_AT_DENSE) && i < r->plan->n_sinks; i++)
        t = fmin(t, next_dense(r, r->plan->sinks[i]));
    return t;
}

/* The most points that a sink wants inside each step. */
static int points_inside(const gt_run *r)
{
    int most = 0;
    for (size_t i = 0; (r->wanted & GT_AT_DENSE) && i < r->plan->n_sinks; i++) {
        const gt_sink *sink = r->plan->sinks[i];
        if ((sink->wants & GT_AT_DENSE) && sink->inside > most) most = sink->inside;
    }
    return most;
}

gt_status gt_run_emit(gt_run *r, unsigned why, double t, const double *x)
{
    assert(r && x);
    gt_stepper *s = r->s;
    gt_sample sample = {.t = t, .x = x, .n = s->n, .h = s->h, .error = r->error, .order = s->order};
    if (why & GT_AT_START) sample.h = sample.error = 0;
    if (why & GT_AT_EVENT) sample.fired = s->fired, sample.before = !r->after_event;
    for (size_t i = 0; i < r->plan->n_sinks; i++) {
        gt_sink *sink = r->plan->sinks[i];
        bool dense = dense_due(r, sink, t) || ((why & GT_AT_DENSE) && sink->inside > 0);
        sample.why = (why & ~(unsigned)GT_AT_DENSE) | (dense ? GT_AT_DENSE : 0u);
        if (!(sink->wants & sample.why)) continue;
        r->message->text[0] = 0;
        gt_status status = sink->write(sink, &sample, r->message);
        if (!status) continue;
        if (!r->message->text[0])
            gt_fail(r->message, status, "a receiver of output refused the sample at t = %g", t);
        return status < 0 ? status : GT_SINK_REFUSED;
    }
    return GT_OK;
}

static bool is_inside(const gt_run *r, double t)
{
    return t < r->s->t_new && !same_time(t, r->s->t_new, r->s->h);
}

/* A point that only figures want: what it costs is not counted, so that a run with a figure reports
 * the work of one without. The slope at the end, which it may have asked for, is forgotten again.
 * Where it fails the point is left out: *skips. */
static gt_status emit_uncounted(gt_run *r, unsigned why, double t, bool *skips)
{
    gt_stepper *s = r->s;
    gt_stats stats = s->stats;
    gt_message message = s->message;
    bool f_known = s->f_known, f_new_known = s->f_new_known;
    s->uncounted = true;
    gt_status status = gt_run_inside(r, t, true, s->scratch);
    s->uncounted = false;
    *skips = status != GT_OK || !gt_finite_over_ranks(s->problem, s->scratch, s->n);
    if (!*skips) status = gt_run_emit(r, why, t, s->scratch);
    s->stats = stats;
    s->message = message;
    s->f_known = f_known;
    s->f_new_known = f_new_known;
    return *skips ? GT_OK : status;
}

gt_status gt_run_emit_inside(gt_run *r)
{
    assert(r && r->s);
    gt_stepper *s = r->s;
    int refine = r->plan->refine;
    double output = gt_run_next_output(r);
    bool some = (r->wanted & GT_AT_OUTPUT) && (refine || is_inside(r, output)), skips = false;
    /* If the interpolant fails it fails here, before a sink has seen a sample of a trial that may
     * be rejected. */
    gt_status status = some ? gt_run_inside(r, s->t + 0.5 * s->h, true, s->scratch) : GT_OK;
    for (int i = 1; some && i <= refine && !status; i++) {
        double theta = i / (refine + 1.0);
        status = gt_run_inside(r, s->t + theta * s->h, false, s->scratch);
        if (!status) status = gt_run_emit(r, GT_AT_OUTPUT, s->t + theta * s->h, s->scratch);
    }
    int inside = points_inside(r), passed = 0;
    for (; !status; output = gt_run_next_output(r)) {
        double within =
            skips || passed == inside ? INFINITY : s->t + (passed + 1) / (inside + 1.0) * s->h;
        double next = fmin(skips ? output : gt_run_next_sample(r), within);
        if (!is_inside(r, next)) break;
        if (r->plan->interrupted && *r->plan->interrupted) return gt_run_limit(r, GT_INTERRUPTED);
        unsigned why = next == within ? GT_AT_DENSE : 0u;
        passed += next == within;
        if (next < output) {
            status = emit_uncounted(r, why, next, &skips);
            continue;
        }
        status = gt_run_inside(r, next, false, s->scratch);
        if (!status) status = gt_run_emit(r, why | GT_AT_OUTPUT, next, s->scratch);
        r->next_output++;
    }
    return status;
}
