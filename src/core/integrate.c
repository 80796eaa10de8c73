/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The one accept/reject loop. Fixed-step time is grid + k h, never accumulated; the grid begins anew at a
 * discontinuity and after an event, and a last partial step reaches t1 exactly. A controlled step is judged by the
 * controller; the next discontinuity, event or t1 shortens it.
 */
#include "core/run.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 4096 }; /* fixed steps between looks at interruption and at NaN */

static gt_status check_plan(const gt_run *r)
{
    const gt_plan *plan = r->plan;
    const gt_problem *p = r->problem;
    gt_message *m = r->message;
    if (!(plan->h >= 0) || isinf(plan->h))
        return gt_fail(m, GT_BAD_ARGUMENT, "the step h must be above 0, not %g", plan->h);
    if (!(plan->rtol >= 0) || !(plan->atol >= 0))
        return gt_fail(m, GT_BAD_ARGUMENT, "tolerances must be above 0, not rtol = %g, atol = %g", plan->rtol,
                       plan->atol);
    if (plan->rtol >= 1 || (plan->rtol > 0 && plan->rtol < 1e-15))
        return gt_fail(m, GT_BAD_ARGUMENT, "rtol must lie between 1e-15, the limit of double precision, and 1, not %g",
                       plan->rtol);
    if (!(plan->h0 >= 0) || !(plan->h_min >= 0) || !(plan->h_max >= 0))
        return gt_fail(m, GT_BAD_ARGUMENT, "h0, h_min and h_max must be above 0, not %g, %g, %g", plan->h0, plan->h_min,
                       plan->h_max);
    if (plan->h == 0 && !r->s->facts.error_order)
        return gt_fail(m, GT_BAD_ARGUMENT,
                       "method %s has no error estimate and so no step control; give a fixed step h, or take dopri5",
                       r->s->method->name);
    if (plan->h > 0 && (r->s->facts.flags & GT_VARIABLE_FORMULA))
        return gt_fail(
            m, GT_BAD_ARGUMENT,
            "method %s chooses its own steps; for a fixed step h take trapezoidal, or a formula of fixed order",
            r->s->method->name);
    if (plan->h_max > 0 && (p->t1 - p->t0) / plan->h_max > 9e15)
        return gt_fail(m, GT_BAD_ARGUMENT, "h_max = %g is too small for the interval %g .. %g", plan->h_max, p->t0,
                       p->t1);
    if (plan->h > 0 && (p->t1 - p->t0) / plan->h > 9e15)
        return gt_fail(m, GT_BAD_ARGUMENT, "h = %g is too small for the interval %g .. %g", plan->h, p->t0, p->t1);
    for (size_t i = 0; plan->atol_vector && i < r->s->n; i++) {
        if (!(plan->atol_vector[i] >= 0))
            return gt_fail(m, GT_BAD_ARGUMENT, "atol of component %zu must not be negative, but is %g", i + 1,
                           plan->atol_vector[i]);
    }
    return GT_OK;
}

/* 0, or NaN once a component is not finite. */
static double not_finite(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += x[i] - x[i];
    return sum;
}

static double largest(const gt_run *r, size_t n, bool scaled)
{
    const gt_stepper *s = r->s;
    double most = 0;
    for (size_t i = 0; i < n; i++) {
        double weight = scaled ? gt_weight(s, i, fmax(fabs(s->x[i]), fabs(s->x_new[i]))) : 1;
        most = fmax(most, fabs(s->err[i]) / weight);
    }
    return most + not_finite(s->err, n) + not_finite(s->x_new, s->n);
}

static inline double sum_of_squares(const gt_stepper *s, size_t n)
{
    const double *e = s->err, *x = s->x, *y = s->x_new;
    double sum = 0;
#pragma GCC unroll 4
    for (size_t i = 0; i < n; i++) {
        double a = fabs(x[i]), b = fabs(y[i]);
        double scaled = e[i] / gt_weight(s, i, a > b ? a : b);
        sum += scaled * scaled + (b - b);
    }
    return sum;
}

/* The error of the finished trial as the controller wants it; NaN when the trial is not finite. */
static double measure_error(const gt_run *r)
{
    const gt_stepper *s = r->s;
    size_t n = r->problem->n_slow + r->problem->n_fast;
    if (r->control.kind == GT_BOUNDS) return largest(r, n, false);
    if (r->control.maximum_norm) return largest(r, n, true);
    double sum;
    switch (n) { /* a small n that the compiler knows: no vectors, which would wait for the stores of the trial */
    case 2:
        sum = sum_of_squares(s, 2);
        break;
    case 3:
        sum = sum_of_squares(s, 3);
        break;
    case 4:
        sum = sum_of_squares(s, 4);
        break;
    default:
        sum = sum_of_squares(s, n);
    }
    if (s->n > n) sum += not_finite(s->x_new + n, s->n - n);
    return sqrt(sum * (1.0 / (double)n));
}

static double weighted_rms(const gt_stepper *s, const double *v, const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double d = v[i] / gt_weight(s, i, x[i]);
        sum += d * d;
    }
    return sqrt(sum / (double)n);
}

/* First step: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.4. */
static gt_status initial_step(gt_run *r, double span, double *h)
{
    gt_stepper *s = r->s;
    size_t n = r->problem->n_slow + r->problem->n_fast;
    gt_status status = gt_slope(s);
    if (status) return status;
    double d0 = weighted_rms(s, s->x, s->x, n), d1 = weighted_rms(s, s->f, s->x, n);
    double h0 = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1;
    if (!isfinite(h0)) h0 = 1e-6;
    h0 = fmin(h0, span);
    memcpy(s->x_new, s->x, s->n * sizeof *s->x);
    for (size_t i = 0; i < n; i++) s->x_new[i] += h0 * s->f[i];
    status = gt_rhs(s, s->t + h0, s->x_new, s->f_new);
    if (status) {
        *h = h0 * 1e-3;
        return status < 0 ? status : GT_OK;
    }
    for (size_t i = 0; i < n; i++) s->scratch[i] = (s->f_new[i] - s->f[i]) / h0;
    double d2 = weighted_rms(s, s->scratch, s->x, n), steepest = fmax(d1, d2);
    double h1 = steepest <= 1e-15 ? fmax(1e-6, h0 * 1e-3) : pow(0.01 / steepest, 1.0 / (s->order + 1));
    *h = fmin(fmin(100 * h0, isfinite(h1) ? h1 : h0), span);
    if (r->problem->mass) *h = fmin(*h, 1e-4 * span); /* f is not the slope then */
    return GT_OK;
}

static double next_stop(const gt_run *r)
{
    const gt_problem *p = r->problem;
    return r->next_break < p->n_breaks && p->breaks[r->next_break] < p->t1 ? p->breaks[r->next_break] : p->t1;
}

/* A new start: at t0, after a discontinuity, after an event. */
static gt_status begin(gt_run *r)
{
    gt_stepper *s = r->s;
    const gt_plan *plan = r->plan;
    s->t_cap = INFINITY;
    r->grid = s->t;
    r->k = 0;
    r->memory.known = 0;
    while (r->next_break < r->problem->n_breaks && r->problem->breaks[r->next_break] <= s->t) r->next_break++;
    if (plan->h > 0) return GT_OK;
    if (plan->h0 > 0 && s->stats.steps == 0) {
        r->h = plan->h0;
        return GT_OK;
    }
    double span = fmin(next_stop(r) - s->t, plan->h_max > 0 ? plan->h_max : INFINITY), h = 0;
    gt_status status = initial_step(r, span, &h);
    if (status) return gt_run_trial_failed(r, status < 0 ? status : GT_TRY_RHS);
    r->h = h;
    return GT_OK;
}

static void accept(gt_run *r)
{
    if (r->plan->h == 0) gt_control_remember(&r->memory, r->s->h);
    gt_stepper_accept(r->s);
    r->after_event = false;
}

/* Everything after a good trial: events, output, acceptance, and a new start where one is due. */
static gt_status finish_step(gt_run *r, double t_stop, bool hits_stop, bool *stop)
{
    gt_stepper *s = r->s;
    bool event = false;
    if (!hits_stop && !r->wanted && !r->problem->n_roots) {
        accept(r);
        return GT_OK;
    }
    if (hits_stop) s->t_new = t_stop;
    if (r->problem->n_roots) {
        gt_status status = gt_run_find_event(r, &event);
        if (status) return status;
        if (event && s->t_new < t_stop) hits_stop = false;
    }
    gt_status status = gt_run_emit_inside(r);
    if (status) return status;
    accept(r);
    bool at_end = s->t >= r->problem->t1, at_break = hits_stop && !at_end;
    unsigned why = GT_AT_STEP;
    if (gt_run_output_due(r, s->t) || (at_end && !r->plan->n_times) || r->plan->refine) why |= GT_AT_OUTPUT;
    if (at_end && !event) why |= GT_AT_END;
    status = gt_run_emit(r, why, s->t, s->x);
    if (status) return status;
    if (at_break) {
        gt_stepper_restart(s);
        s->t_cap = INFINITY;
        status = gt_stepper_make_consistent(s);
        if (status) return status;
    }
    if (event) {
        r->grid = s->t;
        r->k = 0;
        status = gt_run_fire_event(r, stop);
        if (status) return status;
        if (at_end || *stop) status = gt_run_emit(r, GT_AT_END, s->t, s->x);
        if (status) return status;
    }
    bool restarted = at_break || (event && r->problem->on_event);
    return restarted && !at_end && !*stop ? begin(r) : GT_OK;
}

/* Number of full steps from the grid that end before `t` or on it. */
static size_t steps_until(const gt_run *r, double t) { return (size_t)floor((t - r->grid) / r->plan->h + 1e-9); }

static bool is_finite(const double *x, size_t n) { return not_finite(x, n) == 0; }

/* One fixed step. */
static gt_status fixed_step(gt_run *r, bool *stop)
{
    gt_stepper *s = r->s;
    double h = r->plan->h, t_stop = next_stop(r);
    size_t full = steps_until(r, t_stop);
    bool partial = r->k >= full, hits_stop = partial;
    double t_new = r->grid + (double)(r->k + 1) * h;
    if (!partial && r->k + 1 == full && fabs(t_new - t_stop) <= 2e-9 * h) hits_stop = true;
    if (hits_stop && t_stop < r->problem->t1) s->t_cap = nextafter(t_stop, -INFINITY);
    if (partial) h = t_stop - s->t;
    gt_status status = gt_stepper_try(s, h, false);
    if (!status && !is_finite(s->x_new, s->n)) status = GT_TRY_NOT_FINITE;
    if (status) return gt_run_trial_failed(r, status);
    s->t_new = t_new;
    r->k++;
    status = finish_step(r, t_stop, hits_stop, stop);
    return status > 0 ? gt_run_trial_failed(r, status) : status;
}

/* Many fixed steps in one call, when nothing is wanted in between. */
static gt_status fixed_chunk(gt_run *r, bool *done)
{
    gt_stepper *s = r->s;
    *done = false;
    if (!s->method->run_fixed || r->problem->n_roots || (r->wanted & GT_AT_STEP) || r->plan->refine) return GT_OK;
    size_t until = steps_until(r, fmin(next_stop(r), gt_run_next_output(r)));
    if (until <= r->k + 2) return GT_OK;
    size_t count = until - r->k - 1; /* the step to an output point or a stop is taken by itself */
    if (count > CHUNK) count = CHUNK;
    if (r->plan->max_steps && (long)count > r->plan->max_steps - s->stats.steps) return GT_OK;
    memcpy(s->scratch, s->x, s->n * sizeof *s->x);
    double t = s->t;
    gt_stats stats = s->stats;
    gt_status status = gt_stepper_run(s, r->grid, r->plan->h, r->k, count);
    *done = true;
    if (!status && is_finite(s->x, s->n)) {
        s->h = r->plan->h;
        r->k += count;
        return GT_OK;
    }
    if (status < 0) return gt_run_trial_failed(r, status);
    /* Something broke on the way: go there again one by one, to say where. */
    s->stats = stats;
    gt_stepper_start(s, t, s->scratch);
    for (size_t i = 0; i < count; i++) {
        status = gt_stepper_try(s, r->plan->h, false);
        if (!status && !is_finite(s->x_new, s->n)) status = GT_TRY_NOT_FINITE;
        if (status) return gt_run_trial_failed(r, status);
        s->t_new = r->grid + (double)(r->k + 1) * r->plan->h;
        r->k++;
        gt_stepper_accept(s);
    }
    return GT_OK;
}

/* Steps below this are lost in the round-off of t, or, near t = 0, in that of the interval. */
static double least_step(const gt_run *r)
{
    double scale = fmax(fabs(r->s->t), 1e-14 * (r->problem->t1 - r->problem->t0));
    return fmax(r->plan->h_min, 16 * DBL_EPSILON * scale);
}

/* A trial that could not be finished, or whose error was too large: the step to try next, or the end. */
static gt_status reject(gt_run *r, gt_status cause, double h_next)
{
    gt_stepper *s = r->s;
    int limit = r->plan->max_rejections > 0 ? r->plan->max_rejections : 60;
    double least = least_step(r);
    s->stats.rejected++;
    r->rejections++;
    r->h = h_next;
    s->t_cap = INFINITY;
    if (r->rejections < limit && h_next >= least) return GT_OK;
    if (cause) return gt_run_trial_failed(r, cause);
    return gt_run_limit(r, h_next < least ? GT_STEP_TOO_SMALL : GT_TOO_MANY_REJECTIONS);
}

static gt_status controlled_step(gt_run *r, bool *stop)
{
    gt_stepper *s = r->s;
    double t_stop = next_stop(r), left = t_stop - s->t, h = r->h;
    if (r->plan->h_max > 0) h = fmin(h, r->plan->h_max);
    bool hits_stop = h >= left * (1 - 1e-10);
    if (!hits_stop && h < least_step(r)) return gt_run_limit(r, GT_STEP_TOO_SMALL);
    if (hits_stop)
        h = left;
    else if (2 * h > left && r->control.kind == GT_FILTER)
        h = left / 2; /* two equal steps rather than a long and a tiny one */
    if (hits_stop && t_stop < r->problem->t1) s->t_cap = nextafter(t_stop, -INFINITY);

    gt_status status = gt_stepper_try(s, h, true);
    if (status < 0) return gt_run_trial_failed(r, status);
    if (!status) {
        r->error = measure_error(r);
        if (!isfinite(r->error)) status = GT_TRY_NOT_FINITE;
    }
    if (status) return reject(r, status, h * 0.25);
    bool own = s->method->judge;
    gt_verdict verdict =
        s->unchecked ? (gt_verdict){true, h}
        : own        ? s->method->judge(s, r->error, h, r->rejections)
                     : gt_control_judge(&r->control, &r->memory, r->error, s->facts.error_order + 1, h, r->rejections);
    if (!verdict.accept) return reject(r, GT_OK, verdict.h_next);
    /* Factors of implicit methods are kept when the step hardly grows. */
    bool keep = !own && (s->facts.flags & GT_USES_JACOBIAN) && r->control.kind == GT_FILTER && verdict.h_next > h &&
                verdict.h_next < 1.2 * h;
    r->h = keep ? h : verdict.h_next;
    r->rejections = 0;
    status = finish_step(r, t_stop, hits_stop, stop);
    return status > 0 ? reject(r, status, h * 0.25) : status;
}

static gt_status loop(gt_run *r, bool *stop)
{
    gt_stepper *s = r->s;
    const gt_plan *plan = r->plan;
    long limit = plan->max_steps ? plan->max_steps : plan->h > 0 ? 0 : 10000000;
    for (long turn = 0; s->t < r->problem->t1 && !*stop; turn++) {
        if (plan->interrupted && *plan->interrupted) return gt_run_limit(r, GT_INTERRUPTED);
        if (limit && s->stats.steps >= limit) return gt_run_limit(r, GT_TOO_MANY_STEPS);
        bool done = false;
        gt_status status = GT_OK;
        if (plan->h > 0) status = fixed_chunk(r, &done);
        if (!status && !done) status = plan->h > 0 ? fixed_step(r, stop) : controlled_step(r, stop);
        if (status) return status;
        if (plan->progress && (done || turn % 256 == 0)) plan->progress(s->t, &s->stats, plan->progress_ctx);
    }
    return GT_OK;
}

static gt_status run(gt_run *r, bool *stop)
{
    gt_stepper *s = r->s;
    const gt_plan *plan = r->plan;
    gt_status status = check_plan(r);
    if (!status) status = gt_run_check_outputs(r);
    if (status) return status;
    r->control = plan->control.name || plan->control.safety > 0 || plan->control.upper > 0 ? plan->control
                                                                                           : *gt_control_find("pi");
    s->rtol = plan->h > 0 ? 0 : plan->rtol > 0 ? plan->rtol : 1e-6;
    s->atol = plan->atol > 0 ? plan->atol : s->rtol * 1e-3;
    s->atol_vector = plan->atol_vector;
    for (size_t i = 0; i < plan->n_sinks; i++) r->wanted |= plan->sinks[i]->wants;
    gt_stepper_start(s, r->problem->t0, r->problem->x0);
    if (!is_finite(s->x, s->n)) return gt_fail(r->message, GT_BAD_ARGUMENT, "the initial state is not finite");
    status = gt_stepper_make_consistent(s);
    if (status) {
        *r->message = s->message;
        return status;
    }
    status = gt_run_start_roots(r);
    if (status) return status;
    bool due = gt_run_output_due(r, s->t) || !plan->n_times;
    status = gt_run_emit(r, GT_AT_START | (due ? GT_AT_OUTPUT : 0u) | GT_AT_STEP, s->t, s->x);
    if (!status) status = begin(r);
    if (!status) status = loop(r, stop);
    return status;
}

gt_status gt_integrate(gt_stepper *s, const gt_plan *plan, gt_report *report)
{
    static const gt_plan defaults;
    gt_report own;
    if (!report) report = &own;
    *report = (gt_report){0};
    gt_run r = {.s = s, .plan = plan ? plan : &defaults, .problem = s->problem, .message = &report->message};
    s->message.text[0] = 0;
    s->stats = (gt_stats){0};
    report->status = run(&r, &report->stopped);
    if (report->status && !report->message.text[0]) report->message = s->message;
    if (report->status && !report->message.text[0]) report->status = gt_run_limit(&r, report->status);
    if (!report->status) report->message.text[0] = 0;
    report->t = s->t;
    report->h = s->h;
    report->stats = s->stats;
    if (r.plan->x_end) memmove(r.plan->x_end, s->x, s->n * sizeof *s->x);
    return report->status;
}

gt_status gt_solve(const gt_problem *problem, const gt_method *method, const gt_plan *plan, gt_report *report)
{
    gt_report own;
    if (!report) report = &own;
    *report = (gt_report){0};
    const char *options = plan ? plan->options : NULL;
    size_t bytes;
    report->status = gt_stepper_measure(method, options, problem, &bytes, &report->message);
    if (report->status) return report->status;
    void *memory = malloc(bytes);
    if (!memory)
        return report->status = gt_fail(&report->message, GT_NO_MEMORY,
                                        "there is no memory for the %zu bytes that %s needs", bytes, method->name);
    gt_stepper s;
    gt_status status = gt_stepper_init(&s, method, options, problem, memory, bytes);
    if (status) {
        report->status = status;
        report->message = s.message;
    } else {
        status = gt_integrate(&s, plan, report);
        gt_stepper_release(&s);
    }
    free(memory);
    return status;
}
