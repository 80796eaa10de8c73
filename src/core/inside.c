/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether the inside of a step can be trusted. The error of a step is that of its end. A forced
 * stiff mode, x' = lambda (x - p(t)), is followed by the ends of steps of any size of a stiffly
 * accurate method, so that they grow without limit while the dense output, a polynomial through a
 * few points of p, has nothing to do with p any more; the same with states that a constraint
 * prescribes, and with explicit methods at their limit of stability. So where the inside of a step
 * is asked for the method says how far its dense output is from solving the equations (the hook
 * dense_error). If that is beyond the tolerance:
 *
 * - a step in which events or relations are looked for is rejected, and the next one is chosen as
 *   for errors of steps;
 * - a row, a point of a figure or of a handle is one of a second run from where the step begins,
 *   which looks into each of its own steps: what is shown must not change the steps of a run. It
 *   goes as far as it is asked and stays until the next trial, for more points of the same step.
 */
#include "base/elementary.h"
#include "core/run_state.h"
#include "implicit/index.h"
#include <assert.h>
#include <math.h>

/* In tolerances, as the controller measures them: the estimate is rough, and errors of dense output
 * do not add up. */
static const double allowed = 3;
static const double visible = 1e-3; /* in a figure, of the size of a state */
enum { MOST_TIMES = 8 };            /* that a step is rejected for this */
enum { MOST_STEPS = 10000 };        /* of the second run */

static bool is_looked_into(const gt_run *r)
{
    return r->s->method->dense_error && r->plan->h == 0 && !r->s->unchecked &&
           (r->n_roots || r->is_second);
}

/* The error of dense output in the trial, over what is allowed, at one of two points between those
 * of collocation. */
static gt_status look(gt_run *r, int point, double *error)
{
    static const double thetas[2] = {0.3, 0.72};
    gt_stepper *s = r->s;
    gt_status status = s->method->dense_error(s, s->h, thetas[point], s->err);
    *error = status ? 0 : gt_run_measure_error(r) / s->strictness / allowed;
    return status;
}

double gt_run_trusted_step(const gt_run *r, double h)
{
    assert(r && h > 0);
    return is_looked_into(r) ? fmin(h, r->inside_limit) : h;
}

gt_status gt_run_trust_inside(gt_run *r, double *h_next)
{
    assert(r && h_next);
    gt_stepper *s = r->s;
    double error, past = r->inside_error, h = s->h;
    *h_next = h;
    bool looks = r->problem->n_alg && !s->unchecked;
    gt_status status = looks ? gt_check_same_root(s) : GT_OK;
    if (status || !is_looked_into(r)) return status;
    /* A wrong row is one row, a wrong event ends in another solution: both points. */
    double second;
    status = look(r, 0, &error);
    if (!status) status = look(r, 1, &second);
    if (status) return status;
    error = fmax(error, second);
    double factor = error > 0 ? 0.9 * pow(error, -1.0 / (s->facts.error_order + 1)) : 5;
    r->inside_limit = h * fmin(5, fmax(0.1, factor));
    r->inside_error = error;
    /* Round-off of f, which no shorter step mends. */
    bool in_vain = r->inside_rejections > 2 && error > 0.5 * past;
    if (in_vain) r->inside_limit = INFINITY;
    if (error <= 1 || in_vain || r->inside_rejections >= MOST_TIMES) {
        r->inside_rejections = 0;
        return GT_OK;
    }
    r->inside_rejections++;
    *h_next = r->inside_limit;
    return GT_OK;
}

void gt_run_end_second(gt_run *r)
{
    assert(r);
    gt_run_discard(r->second);
    r->second = NULL;
    r->second_counted = (gt_stats){0};
}

static gt_status begin_second(gt_run *r)
{
    gt_run_end_second(r);
    const gt_stepper *s = r->s;
    gt_problem part = *r->problem;
    part.t0 = s->t;
    part.x0 = s->x;
    part.t1 = s->t_new;
    part.begin = NULL;                  /* it has begun */
    part.n_roots = part.n_switches = 0; /* where some are watched the step has been looked into */
    part.kept_bytes = 0;
    /* The error of a first step that is long for a stiff mode is seen through the factors twice,
     * and too small: rows were off by 2,000 tolerances. A part of the way begins. */
    const double first = 0.1;
    gt_plan plan = {.rtol = s->rtol,
                    .atol = s->atol > 0 ? s->atol : GT_NO_ATOL,
                    .rtol_vector = s->rtol_vector,
                    .atol_vector = s->atol_vector,
                    .options = gt_run_options(r),
                    .h0 = first * s->h,
                    .no_pulses = true,
                    .max_steps = MOST_STEPS,
                    .interrupted = r->plan->interrupted};
    gt_status status = gt_run_open(&r->second, &part, s->method, &plan, NULL);
    if (!status) r->second->is_second = true;
    return status;
}

/* Points of figures do not count: the next row has to come so far, too. */
void gt_run_count_second(gt_run *r)
{
    assert(r);
    if (!r->second || r->s->uncounted) return;
    const gt_stats now = *gt_run_stats(r->second), was = r->second_counted;
    gt_stats *sum = &r->s->stats;
    sum->rhs += now.rhs - was.rhs;
    sum->rhs_slow += now.rhs_slow - was.rhs_slow;
    sum->rhs_fast += now.rhs_fast - was.rhs_fast;
    sum->rhs_alg += now.rhs_alg - was.rhs_alg;
    sum->jacobians += now.jacobians - was.jacobians;
    sum->factorizations += now.factorizations - was.factorizations;
    sum->newton += now.newton - was.newton;
    sum->krylov += now.krylov - was.krylov;
    r->second_counted = now;
}

/* The state at t by the second run. */
static gt_status look_closer(gt_run *r, double t, double *x)
{
    double from, to;
    gt_run_last_step(r->second, &from, NULL);
    gt_status status = from <= t ? GT_OK : begin_second(r); /* NaN: there is none */
    while (!status) {
        gt_run_last_step(r->second, NULL, &to);
        if (t <= to) break;
        status = gt_run_step(r->second, NULL);
    }
    if (!status) status = gt_run_interpolate(r->second, t, x);
    gt_run_count_second(r);
    return status;
}

/* Whether dense output of the step that is about to be accepted is right enough; looked at once. */
static gt_status is_trusted(gt_run *r, double enough, bool *trusted)
{
    const gt_stepper *s = r->s;
    *trusted = true;
    if (!s->method->dense_error || r->plan->h > 0 || s->unchecked) return GT_OK;
    if (is_looked_into(r)) return GT_OK; /* it would have been rejected */
    if (r->inside_of != s->t) {
        r->inside_of = s->t;
        r->second_failed = false;
        /* Turn and turn about, so that where one happens to be right is not right for ever. */
        gt_status status = look(r, (int)(s->stats.steps % 2), &r->inside_error);
        if (status) r->inside_error = INFINITY;
        if (status < 0 && !gt_cannot_close(status)) return status;
    }
    *trusted = r->inside_error <= enough;
    return GT_OK;
}

/* Ways in which numerics end a run. The others are those of the caller: stop, or no memory. */
static bool is_numerical(gt_status status)
{
    return status <= GT_TOO_MANY_STEPS && status >= GT_INCONSISTENT;
}

/* What the second run has failed with; no end of the run but where it is. */
static gt_status note_failure(gt_run *r, gt_status status)
{
    if (!is_numerical(status)) return status;
    const gt_stepper *s = r->s;
    r->second_failed = true;
    if (!r->inside_warned)
        gt_warn(
            s->warnings,
            "rows inside the step of %.4g from t = %g are not certain: the dense output of %s is "
            "far off there, and steps to them fail; try --hmax or another method",
            s->h, gt_shown_time(s, s->t), s->method->name);
    r->inside_warned = true;
    return GT_OK;
}

gt_status gt_run_second(gt_run *r, gt_run **second)
{
    assert(r && second);
    bool trusted;
    *second = NULL;
    gt_status status = is_trusted(r, 1, &trusted);
    if (status || trusted || r->second_failed) return status;
    status = begin_second(r);
    if (!status) *second = r->second;
    return note_failure(r, status);
}

gt_status gt_run_inside(gt_run *r, double t, bool in_figure, double *x)
{
    assert(r && x);
    gt_stepper *s = r->s;
    double enough = in_figure ? fmax(1, visible / (allowed * s->rtol)) : 1;
    bool trusted;
    gt_status status = is_trusted(r, enough, &trusted);
    if (status) return status;
    if (!trusted && !r->second_failed) {
        status = note_failure(r, look_closer(r, t, x));
        if (status || !r->second_failed) return status;
    }
    return gt_stepper_interpolate(s, (t - s->t) / s->h, x);
}
