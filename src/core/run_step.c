/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The one accept/reject loop. Fixed-step time is grid + k h, never accumulated; the grid begins
 * anew at a discontinuity and after an event, and a last partial step reaches t1 exactly. A
 * controlled step is judged by the controller; the next discontinuity, event or t1 shortens it.
 */
#include "core/kinks.h"
#include "core/run_state.h"
#include "implicit/index.h"
#include "problem/norm.h"
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Up to here 2/3 n^3 operations for factors are less than a tenth of a step, two corrections of 2
 * n^2 and two calls, costs. */
enum { CHEAP_FACTORS = 4 };

double gt_run_whole(const gt_run *r)
{
    const gt_problem *p = r->problem;
    return isfinite(p->t1) ? p->t1 - p->t0 : fmax(1, fabs(p->t0));
}

/* Steps below this are lost in the round-off of t, or, near t = 0, in that of the interval; and
 * where that underflows, as in an interval of 1e-300, a step of 0 would be taken for ever. */
double gt_run_least_step(const gt_run *r)
{
    double scale = fmax(fabs(r->s->t), 1e-14 * gt_run_whole(r));
    return fmax(r->plan->h_min, fmax(16 * DBL_EPSILON * scale, DBL_MIN));
}

double gt_run_next_stop(const gt_run *r)
{
    const gt_problem *p = r->problem;
    double end = fmin(p->t1, r->limit);
    return r->next_break < p->n_breaks && p->breaks[r->next_break] < end ? p->breaks[r->next_break]
                                                                         : end;
}

/* Is there a discontinuity at the stop, which may be t1 itself? Then f is wanted left of it. */
static bool stops_at_break(const gt_run *r, double t_stop)
{
    const gt_problem *p = r->problem;
    return r->next_break < p->n_breaks && p->breaks[r->next_break] <= t_stop;
}

/* A new start: at t0, after a discontinuity, after an event. */
gt_status gt_run_new_piece(gt_run *r)
{
    gt_stepper *s = r->s;
    const gt_plan *plan = r->plan;
    s->t_cap = INFINITY;
    r->grid = s->t;
    r->k = 0;
    gt_control_begin(&r->memory, &r->control, s->facts.error_order + 1);
    while (r->next_break < r->problem->n_breaks && r->problem->breaks[r->next_break] <= s->t)
        r->next_break++;
    if (plan->h > 0) return GT_OK;
    if (plan->h0 > 0 && s->stats.steps == 0) {
        r->h = plan->h0;
        return GT_OK;
    }
    double whole = gt_run_whole(r);
    if (s->method->first_step || r->control.first > 0) {
        r->h = s->method->first_step ? s->method->first_step(s) : r->control.first * whole;
        return GT_OK;
    }
    double span = fmin(gt_run_next_stop(r) - s->t, plan->h_max > 0 ? plan->h_max : INFINITY), h = 0;
    if (!(span > 0)) return GT_OK; /* at the end: the step that served stays, if the end is moved */
    gt_status status = gt_run_initial_step(r, span, &h);
    if (status) return gt_run_trial_failed(r, status < 0 ? status : GT_TRY_RHS);
    r->h = h;
    return GT_OK;
}

static void accept(gt_run *r)
{
    if (r->plan->h == 0) gt_control_remember(&r->memory, r->s->h);
    gt_take_trial(r->s);
    r->after_event = false;
}

/* After the accepted point has become the start of a new piece: the right limit, consistent. */
gt_status gt_run_restart(gt_run *r)
{
    gt_stepper *s = r->s;
    gt_stepper_restart(s);
    s->t_cap = INFINITY;
    return gt_run_meet_constraints(r);
}

/* At a discontinuity, after the left limit was accepted and given out. */
static gt_status pass_break(gt_run *r, bool event)
{
    gt_stepper *s = r->s;
    const gt_problem *p = r->problem;
    /* What is algebraic may jump to the other side of a switch; all are looked at again below. */
    if (!event && p->n_alg && r->n_switches && !r->slide) p->set_sides(NULL, p->ctx);
    /* an event at the same time has done it */
    gt_status status = event ? GT_OK : gt_run_restart(r);
    if (!status && p->on_break) {
        status = p->on_break(s->t, s->x, p->ctx);
        if (status)
            return gt_fail(r->message, GT_RHS_FAILED, "the change at t = %.10g failed",
                           gt_shown_time(s, s->t));
        status = gt_run_restart(r);
    }
    if (!status && !event) status = gt_run_start_switches(r);
    if (!status && r->n_roots && !event) status = gt_run_start_roots(r);
    return status ? status : gt_run_emit(r, GT_AT_BREAK, r->s->t, r->s->x);
}

/* After a good trial: events and the points inside it. A status above 0 comes before anything has
 * been given to a sink and rejects the trial. */
static gt_status look_inside(gt_run *r, double t_stop, bool hits_stop)
{
    gt_stepper *s = r->s;
    bool event = false;
    if (hits_stop) s->t_new = t_stop;
    gt_status status = GT_OK;
    if (r->n_roots) status = gt_run_find_event(r, &event);
    if (status) return status;
    if (event && s->t_new < t_stop) hits_stop = false;
    status = gt_run_emit_inside(r);
    if (status > 0) gt_run_forget_roots(r);
    if (status) return status;
    if (event && r->kink && s->method->judge) { /* its own controller has seen another trial */
        gt_verdict verdict = s->method->judge(s, r->error, s->h, 0);
        r->h = verdict.h_next;
        if (!verdict.accept) {
            gt_run_forget_roots(r);
            r->approaching = true;
            return GT_TRY_RHS;
        }
    }
    r->waits = true;
    r->waits_at_event = event;
    r->waits_at_stop = hits_stop;
    return GT_OK;
}

static gt_status finish_step(gt_run *r, double t_stop, bool hits_stop)
{
    bool plain = !hits_stop && !r->wanted && !r->n_roots;
    if (plain && !r->one_by_one) {
        accept(r);
        return GT_OK;
    }
    gt_status status = GT_OK;
    if (plain) {
        r->waits = true;
        r->waits_at_event = r->waits_at_stop = false;
    } else {
        status = look_inside(r, t_stop, hits_stop);
    }
    return status || r->one_by_one ? status : gt_run_accept(r);
}

gt_status gt_run_accept(gt_run *r)
{
    gt_stepper *s = r->s;
    bool event = r->waits_at_event, at_stop = r->waits_at_stop, *stop = &r->stopped;
    if (!r->waits) return GT_OK;
    r->waits = r->waits_at_event = r->waits_at_stop = false;
    if (event) gt_run_move_to_event(r);
    accept(r);
    if (!event && !at_stop && !r->wanted && !r->n_switches) return GT_OK;
    bool at_end = s->t >= r->problem->t1;
    bool at_break = at_stop && !at_end && stops_at_break(r, s->t);
    if (at_stop &&
        !at_break) { /* a time that only a handle asked for: fixed steps begin a new grid there */
        r->grid = s->t;
        r->k = 0;
    }
    unsigned why = GT_AT_STEP;
    if (gt_run_output_due(r, s->t) || (at_end && !r->plan->n_times) || r->plan->refine)
        why |= GT_AT_OUTPUT;
    if (at_end && !event) why |= GT_AT_END;
    gt_status status = gt_run_emit(r, why, s->t, s->x);
    if (status) return status;
    if (event) {
        status = gt_run_fire_event(r, stop);
        if (!status && (at_end || *stop)) status = gt_run_emit(r, GT_AT_END, r->s->t, r->s->x);
    }
    if (!status && at_break && !*stop) status = pass_break(r, event);
    if (status) return status < 0 ? status : gt_run_trial_failed(r, status);
    if (!status && r->slide && !*stop) status = gt_run_check_slide(r);
    bool anew = (event && !r->history_stands) || at_break;
    if (anew && !at_end && !*stop) status = gt_run_new_piece(r);
    return status || !r->n_switches ? status : gt_run_leave_watch(r);
}

gt_status gt_run_try_fixed(gt_stepper *s, double h)
{
    gt_status status = gt_trial(s, h, false);
    if (status) return status;
    return gt_finite_over_ranks(s->problem, s->x_new, s->n) ? GT_OK : GT_TRY_NOT_FINITE;
}

/* Where f is its left limit at a break: before all breaks that differ from it by round-off, of
 * which it is the last. */
static double left_of(const gt_stepper *s, double t)
{
    double before = fmin(t - 8 * DBL_EPSILON * fabs(t), nextafter(t, -INFINITY));
    return fmax(before, fmin(s->t, nextafter(t, -INFINITY)));
}

/* One fixed step. */
static gt_status fixed_step(gt_run *r)
{
    gt_stepper *s = r->s;
    double h = r->plan->h, t_stop = gt_run_next_stop(r);
    size_t full = gt_run_steps_until(r, t_stop);
    bool partial = r->k >= full, hits_stop = partial;
    double t_new = r->grid + (double)(r->k + 1) * h;
    double slack = 2e-9 * h + 16 * DBL_EPSILON * fabs(t_stop);
    if (!partial && r->k + 1 == full && fabs(t_new - t_stop) <= slack) hits_stop = true;
    if (hits_stop && stops_at_break(r, t_stop)) s->t_cap = left_of(s, t_stop);
    if (partial) h = t_stop - s->t;
    gt_status status = gt_run_try_fixed(s, h);
    if (status > 0) {
        /* It may have met a jump of f at a root: a part of the step that ends before it. */
        double before = 0;
        gt_status looked = gt_run_shorten_to_root(r, h, false, &before);
        if (looked) return gt_run_trial_failed(r, looked);
        if (before > 0) status = gt_run_try_fixed(s, before);
        hits_stop = false;
        t_new = s->t + before;
        r->grid = t_new;
        r->k = (size_t)-1;
    }
    if (status) return gt_run_trial_failed(r, status);
    if (!partial && gt_run_probe_due(r)) gt_run_probe(r, h);
    s->t_new = t_new;
    r->k++;
    status = finish_step(r, t_stop, hits_stop);
    return status > 0 ? gt_run_trial_failed(r, status) : status;
}

/* A trial that could not be finished, or whose error was too large: the step to try next, or the
 * end. */
static gt_status reject(gt_run *r, gt_status cause, double h_next, bool finished)
{
    gt_stepper *s = r->s;
    bool again = false;
    bool quiet = !r->n_relations || s->stats.steps < r->lookout.quiet_until;
    gt_status status = quiet ? GT_OK : gt_run_look_rejected(r, finished, &again);
    if (!status && !again) status = gt_run_shorten_to_root(r, s->h, finished, &h_next);
    if (status) return gt_run_trial_failed(r, status);
    if (again) {
        s->stats.rejected++;
        s->t_cap = INFINITY;
        return r->lookout.returned && s->method->restart ? gt_run_new_piece(r) : GT_OK;
    }
    int limit = r->plan->max_rejections > 0 ? r->plan->max_rejections : 60;
    double least = gt_run_least_step(r);
    s->stats.rejected++;
    r->rejections++;
    r->h = h_next;
    s->t_cap = INFINITY;
    if (cause == GT_TRY_NOT_FINITE) s->f_known = false; /* it may have been NaN just once */
    bool last = r->rejections >= limit || h_next < least;
    if (gt_run_must_release(r, cause == GT_TRY_NOT_FINITE || cause == GT_TRY_RHS, last)) {
        r->rejections = 0;
        status = gt_run_release(r);
        if (!status) status = gt_run_restart(r);
        return status ? gt_run_trial_failed(r, status) : gt_run_new_piece(r);
    }
    if (!last) return GT_OK;
    if (cause) return gt_run_trial_failed(r, cause);
    return gt_run_limit(r, h_next < least ? GT_STEP_TOO_SMALL : GT_TOO_MANY_REJECTIONS);
}

/* The next trial and its error; steps before it may have been taken, and *h be another one. */
static gt_status try_controlled(gt_run *r, double *h, double t_stop, bool alone)
{
    gt_stepper *s = r->s;
    bool many = alone && s->method->run_kept && r->control.kind == GT_FILTER &&
                !r->control.maximum_norm && !r->rejections && !r->wanted && !r->n_roots &&
                !(r->size > 0) && !r->problem->ranks && !r->problem->n_alg &&
                *h >= 1e-8 * fabs(s->t) && s->t + *h < r->target && !gt_run_must_look(r, *h);
    gt_status status;
    if (r->second) gt_run_end_second(r);
    if (many) {
        status = gt_run_try_many(r, h, t_stop);
    } else {
        status = gt_trial(s, *h, true);
        if (!status) r->error = gt_run_measure_error(r);
    }
    if (!status && r->control.kind == GT_FILTER)
        r->error = gt_kink_error(s, &r->memory, *h, r->error);
    return !status && !isfinite(r->error) ? GT_TRY_NOT_FINITE : status;
}

/* The next step of a method with a Jacobian; `factored`: factorisations before the trial. */
static double keep_factors(gt_run *r, double h, double h_next, long factored)
{
    const gt_stepper *s = r->s;
    if (!r->control.aimed) return h_next > h && h_next < 1.2 * h ? h : h_next;
    if (s->n <= CHEAP_FACTORS && !s->problem->ranks) return h_next;
    bool new_ones = s->stats.factorizations > factored || !s->stats.factorizations;
    return gt_control_keep_factors(&r->memory, h, h_next, h == r->memory.h_last, new_ones);
}

static gt_verdict judge(gt_run *r, double h)
{
    gt_stepper *s = r->s;
    if (s->unchecked) return (gt_verdict){true, h};
    if (s->method->judge) return s->method->judge(s, r->error, h, r->rejections);
    int q = s->facts.error_order + 1;
    return gt_control_judge(&r->control, &r->memory, r->error, q, h, r->rejections);
}

/* After a trial that could not be finished. */
static double step_after(gt_stepper *s, gt_status cause, double h)
{
    return cause == GT_TRY_NEWTON && s->method->retry ? s->method->retry(s, h) : h * 0.25;
}

static gt_status controlled_step(gt_run *r)
{
    gt_stepper *s = r->s;
    double t_stop = gt_run_next_stop(r), left = t_stop - s->t, h = r->h;
    if (r->plan->h_max > 0) h = fmin(h, r->plan->h_max);
    if (h > GT_LONGEST_STEP) h = GT_LONGEST_STEP;
    if (r->control.largest > 0) h = fmin(h, r->control.largest * gt_run_whole(r));
    double to_go = r->pulse_at - s->t; /* t may have been rounded to just before it */
    bool to_pulse = to_go > gt_run_least_step(r) && h > to_go * (1 - 1e-10);
    if (to_pulse) h = r->pulse_at - s->t;
    double trusted = gt_run_trusted_step(r, h);
    if (trusted < h) h = trusted, to_pulse = false;
    bool hits_stop = h >= left * (1 - 1e-10);
    if (!hits_stop && h < gt_run_least_step(r)) return gt_run_limit(r, GT_STEP_TOO_SMALL);
    if (hits_stop)
        h = left;
    else if (to_pulse)
        h = r->pulse_at - s->t;
    else if (2 * h > left && r->control.kind == GT_FILTER && !s->method->first_step)
        h = left / 2; /* two equal steps rather than a long and a tiny one */
    else if (h < 1e-8 * fabs(s->t))
        h = (s->t + h) - s->t; /* what t will really move by */
    if (hits_stop && stops_at_break(r, t_stop)) s->t_cap = left_of(s, t_stop);

    long factored = s->stats.factorizations;
    gt_status status = try_controlled(r, &h, t_stop, !hits_stop);
    if (status < 0) return gt_run_trial_failed(r, status);
    if (status) return reject(r, status, step_after(s, status, h), false);
    gt_verdict verdict = judge(r, h);
    if (!verdict.accept) return reject(r, GT_OK, verdict.h_next, true);
    /* Before dense output takes the room of stages. */
    if (r->pilot && s->stats.steps + 1 >= r->pilot_due) gt_run_watch_mode(r);
    if (s->stats.steps + 1 >= r->stiff_due && !hits_stop) gt_run_look_for_stiffness(r);
    double h_inside;
    status = gt_run_trust_inside(r, &h_inside);
    if (status < 0) return gt_run_trial_failed(r, status);
    if (status || h_inside < h) return reject(r, status, status ? h * 0.25 : h_inside, false);
    if (r->n_relations && (hits_stop || s->stats.steps >= r->lookout.quiet_until)) {
        bool again;
        status = gt_run_look_out(r, hits_stop, &again);
        if (status) return gt_run_trial_failed(r, status);
        if (again) {
            s->t_cap = INFINITY;
            return r->lookout.returned && s->method->restart ? gt_run_new_piece(r) : GT_OK;
        }
    }
    if (gt_run_must_look(r, h)) {
        bool pulse;
        status = gt_run_find_pulse(r, &pulse);
        if (status < 0) return gt_run_trial_failed(r, status);
        if (status || pulse) return reject(r, status, pulse ? r->pulse_at - s->t : h * 0.25, false);
    }
    r->h = verdict.h_next;
    if (!s->method->judge && (s->facts.flags & GT_USES_JACOBIAN) && r->control.kind == GT_FILTER)
        r->h = keep_factors(r, h, verdict.h_next, factored);
    int rejections = r->rejections;
    r->rejections = 0;
    status = finish_step(r, t_stop, hits_stop);
    if (status <= 0) return status;
    r->rejections = rejections;
    bool shorter = r->approaching && r->h < h; /* the search for roots knows what to try */
    return reject(r, status, shorter ? r->h : h * 0.25, false);
}

/* One controlled step, with the switches as they are seen from the accepted point. */
static gt_status seen_step(gt_run *r)
{
    gt_status status = gt_run_look_behind(r);
    return status ? gt_run_trial_failed(r, status) : controlled_step(r);
}

bool gt_run_is_over(const gt_run *r)
{
    return r->stopped || (!r->waits && r->s->t >= r->problem->t1);
}

/* Adds the errors of the steps since the last call. */
static inline void sum_errors(gt_run *r)
{
    const gt_stepper *s = r->s;
    long steps = s->stats.steps - r->summed_steps; /* taken in one call: of about this error */
    r->summed_steps = s->stats.steps;
    if (steps > 0 && !(r->plan->h > 0) && !s->unchecked && r->control.kind != GT_BOUNDS)
        r->error_sum += s->rtol * fmin(r->error / s->strictness, 1) * (double)steps;
}

gt_status gt_run_turn(gt_run *r)
{
    const gt_plan *plan = r->plan;
    long limit = plan->max_steps ? plan->max_steps : plan->h > 0 ? 0 : 10000000;
    while (!gt_run_is_over(r)) {
        if (plan->interrupted && *plan->interrupted) return gt_run_limit(r, GT_INTERRUPTED);
        if (limit && r->s->stats.steps >= limit) return gt_run_limit(r, GT_TOO_MANY_STEPS);
        /* Before the step: a trial that waits to be accepted would be written over. */
        if (r->s->stats.steps >= r->chatter_due ||
            r->s->stats.rejected >= r->chatter_due_rejected) {
            gt_status ended = gt_run_look_for_chatter(r);
            if (ended) return ended;
        }
        bool many = false;
        gt_status status = GT_OK;
        if (r->s->stats.steps >= r->branch_due) status = gt_run_look_at_branch(r);
        if (status) return gt_run_trial_failed(r, status);
        if (r->pilot && r->s->stats.steps >= r->pilot_due && !r->slide) status = gt_run_consider(r);
        if (status) return status;
        if (plan->h > 0) status = gt_run_many_fixed(r, &many);
        if (!status && !many) status = plan->h > 0 ? fixed_step(r) : seen_step(r);
        if (status) return status;
        sum_errors(r);
        if (r->size > 0 && !r->waits) gt_run_follow_size(r);
        if (r->n_small && (r->s->method->run_kept || r->turns % GT_WATCH_SMALL == 0))
            gt_run_watch_small(r);
        if (plan->progress && (many || r->turns % 256 == 0))
            plan->progress(r->s->t, &r->s->stats, plan->progress_ctx);
        r->turns++;
        if (r->waits) break;
    }
    return GT_OK;
}

/* A break next to t0, as that of ceil(t) is next to 0: what f is at t0 itself is its left limit,
 * which nobody asks for. */
static void begin_after_break(gt_run *r)
{
    const gt_problem *p = r->problem;
    double t0 = r->s->t, near = fmax(4 * DBL_EPSILON * fabs(t0), DBL_MIN);
    for (size_t k = 0; k < p->n_breaks && !p->on_break; k++)
        if (p->breaks[k] > t0 && p->breaks[k] - t0 <= near) r->s->t = p->breaks[k];
}

gt_status gt_run_begin(gt_run *r)
{
    gt_stepper *s = r->s;
    const gt_plan *plan = r->plan;
    gt_status status = gt_run_check_plan(r);
    if (!status) status = gt_run_choose_control(r);
    if (!status) status = gt_run_check_outputs(r);
    if (status) return status;
    if (r->problem->begin) r->problem->begin(r->problem->ctx);
    gt_run_begin_tolerances(r);
    gt_run_begin_sinks(r);
    gt_stepper_start(s, r->problem->t0, r->problem->x0);
    begin_after_break(r);
    if (!gt_finite_over_ranks(s->problem, s->x, s->n))
        return gt_fail(r->message, GT_BAD_ARGUMENT, "the initial state is not finite");
    status = gt_stepper_make_consistent(s);
    if (!status) status = gt_meet_mass(s);
    if (!status) status = gt_check_index(s);
    if (status) {
        *r->message = s->message;
        return status;
    }
    if (r->problem->index || r->problem->mass) gt_run_warn_moved_start(r);
    r->n_relations = plan->h == 0 && gt_run_most_watched(r->problem) ? r->problem->n_switches : 0;
    r->n_roots = r->problem->n_roots;
    status = gt_run_start_switches(r);
    if (!status) status = gt_run_start_roots(r);
    if (status) return status;
    if (s->rtol > 0) gt_run_begin_size(r);
    gt_run_begin_chatter_looks(r);
    gt_run_begin_branch_looks(r);
    gt_run_begin_stiff_looks(r);
    if (r->probe) gt_run_begin_probes(r);
    bool due = gt_run_output_due(r, s->t) || !plan->n_times;
    status =
        gt_run_emit(r, GT_AT_START | (due ? GT_AT_OUTPUT : 0u) | GT_AT_STEP, r->problem->t0, s->x);
    return status ? status : gt_run_new_piece(r);
}

void gt_run_end(gt_run *r)
{
    if (r->n_small) gt_run_warn_small(r);
    if (r->probes) gt_run_end_probes(r);
    gt_run_warn_passed_over(r);
    gt_run_end_second(r);
    gt_run_end_slide(r);
    if (r->n_relations) r->problem->set_sides(NULL, r->problem->ctx);
}
