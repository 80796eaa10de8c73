/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The handle of a run, geartrain/run.h: the loop of run_step.c, one step at a time. A good step
 * waits until the next one is wanted; so its dense output is that of the method, and a run in
 * pieces evaluates f where a run in one call does.
 */
#include "core/run_handle.h"
#include "base/sized.h"
#include <math.h>
#include <string.h>

/* ---- one call at a time ---- */

static gt_status refuse(run_handle *w, const char *what)
{
    return gt_fail(&w->report.message, GT_BAD_ARGUMENT, "%s", what);
}

void gt_handle_take_turn(run_handle *w)
{
    const gt_problem *p = &w->given;
    if (p->kept_bytes) memcpy(p->kept, w->kept, p->kept_bytes);
    if (w->run.n_relations)
        p->set_sides(w->run.n_switches ? w->run.base->switch_held : NULL, p->ctx);
}

void gt_handle_end_turn(run_handle *w)
{
    if (w->given.kept_bytes) memcpy(w->kept, w->given.kept, w->given.kept_bytes);
    gt_handle_leave(w);
}

void gt_handle_leave(run_handle *w)
{
    unsigned refused = atomic_exchange(&w->refused, 0);
    if (refused)
        gt_warn(&w->report.warnings, "calls of this run were refused because one was under way: a "
                                     "run is for one thread at a time, and f and "
                                     "sinks may not go on with it");
    if (w->asked.message && w->report.message.text[0]) *w->asked.message = w->report.message;
    atomic_flag_clear(&w->busy);
}

bool gt_handle_take(run_handle *w)
{
    if (!atomic_flag_test_and_set(&w->busy)) return true;
    atomic_fetch_add(&w->refused, 1);
    return false;
}

gt_status gt_handle_enter(run_handle *w)
{
    if (!gt_handle_take(w)) return GT_BUSY;
    if (w->failed || w->finished) {
        if (!w->failed)
            refuse(w, w->closed ? "the run is closed"
                                : "the run is finished; it can be looked at and closed");
        gt_handle_leave(w);
        return w->failed ? w->failed : GT_BAD_ARGUMENT; /* the message is that of the failure */
    }
    w->report.message.text[0] = 0;
    return GT_OK;
}

/* Every call that goes on with the run goes through here, and out by leave. */
static gt_status enter(run_handle *w)
{
    gt_status status = gt_handle_enter(w);
    if (!status) gt_handle_take_turn(w);
    return status;
}

/* A status that the run itself came to an end with stays; a wrong call does not end it. */
static gt_status leave(run_handle *w, gt_status status, bool by_run)
{
    if (status && by_run) gt_handle_fail(w, status);
    if (status && by_run) status = w->failed;
    gt_handle_end_turn(w);
    return status;
}

/* ---- going on ---- */

static gt_status settle(run_handle *w)
{
    gt_run *r = &w->run;
    bool waits = r->waits;
    gt_status status = gt_run_accept(r);
    if (!status && waits && r->size > 0) gt_run_follow_size(r);
    gt_handle_show_start(w);
    return status;
}

static void show_end(run_handle *w)
{
    gt_stepper *s = w->run.s;
    w->t = s->t_new;
    w->x = w->run.waits_at_event && w->run.event_beyond ? s->event_x : s->x_new;
}

static gt_reached what_was_reached(const run_handle *w)
{
    const gt_run *r = &w->run;
    if (r->waits_at_event) return GT_REACHED_EVENT;
    return gt_run_is_over(r) || (r->waits && r->s->t_new >= r->problem->t1) ? GT_REACHED_END
                                                                            : GT_REACHED_STEP;
}

/* The end is reported once, also where an event at it was returned and settled before: only then is
 * a further step misuse. */
static void say_reached(run_handle *w, gt_reached what, gt_reached *reached)
{
    w->end_reported = what == GT_REACHED_END;
    if (reached) *reached = what;
}

/* The next step, which waits then; or the run is over. */
static gt_status next_step(run_handle *w, double target, double limit)
{
    gt_run *r = &w->run;
    gt_status status = settle(w);
    if (status || gt_run_is_over(r)) return status;
    r->target = target;
    r->limit = limit;
    status = gt_run_turn(r);
    r->target = -INFINITY;
    r->limit = INFINITY;
    if (!status && r->waits) show_end(w);
    return status;
}

gt_status gt_run_step(gt_run *run, gt_reached *reached)
{
    if (!run) return GT_BAD_ARGUMENT;
    run_handle *w = gt_handle_of(run);
    gt_status status = enter(w);
    if (status) return status;
    bool shown = !run->waits || w->t >= run->s->t_new;
    bool past_end = w->end_reported && w->t >= w->problem.t1; /* over an event at it, too */
    if (shown && (past_end || what_was_reached(w) == GT_REACHED_END)) {
        status = settle(w);
        if (status || !w->end_reported) {
            say_reached(w, GT_REACHED_END, reached);
            return leave(w, status, true);
        }
        status = refuse(w, "the run is at its end; gt_run_set_end gives it a new one");
        return leave(w, status, false);
    }
    if (!shown)
        show_end(w);
    else
        status = next_step(w, -INFINITY, INFINITY);
    say_reached(w, what_was_reached(w), reached);
    return leave(w, status, true);
}

/* x(t) of the step that waits. */
static gt_status show_inside(run_handle *w, double t)
{
    gt_stepper *s = w->run.s;
    if (t == s->t_new) {
        show_end(w);
        return GT_OK;
    }
    gt_status status = gt_run_inside(&w->run, t, false, w->shown);
    w->t = t;
    w->x = w->shown;
    return status;
}

static gt_status check_target(run_handle *w, double t)
{
    if (!isfinite(t) && !(t > 0)) return refuse(w, "the time to advance to is not a number");
    if (t < w->t)
        return gt_fail(&w->report.message, GT_BAD_ARGUMENT,
                       "the run is at t = %.10g and cannot go back to %.10g; gt_run_interpolate "
                       "looks into the last step",
                       w->sign * w->t, w->sign * t);
    if (t > w->problem.t1 && isfinite(t))
        return gt_fail(&w->report.message, GT_BAD_ARGUMENT,
                       "%.10g lies beyond the end of the run, t1 = %.10g; gt_run_set_end moves it",
                       w->sign * t, w->sign * w->problem.t1);
    return GT_OK;
}

gt_status gt_run_advance(gt_run *run, double t, unsigned how, gt_reached *reached)
{
    if (!run) return GT_BAD_ARGUMENT;
    run_handle *w = gt_handle_of(run);
    gt_status status = enter(w);
    if (status) return status;
    t *= w->sign;
    status = check_target(w, t);
    if (status) return leave(w, status, false);
    gt_reached why = GT_REACHED_TIME;
    double limit = how & GT_ADVANCE_EXACTLY ? t : INFINITY;
    bool passed = run->waits_at_event; /* it has been returned already */
    for (;;) {
        bool there = run->waits ? run->s->t_new >= t : run->s->t >= t;
        bool at_event =
            run->waits_at_event && !passed && (how & GT_ADVANCE_TO_EVENTS) && run->s->t_new <= t;
        if (at_event || there || gt_run_is_over(run)) break;
        passed = false;
        status = next_step(w, t, limit);
        if (status) break;
    }
    if (!status && run->waits_at_event && !passed && (how & GT_ADVANCE_TO_EVENTS) &&
        run->s->t_new <= t) {
        show_end(w);
        why = GT_REACHED_EVENT;
    } else if (!status && gt_run_is_over(run)) {
        why = GT_REACHED_END;
    } else if (!status && run->waits) {
        status = show_inside(w, t);
        if (t >= w->problem.t1) why = GT_REACHED_END;
    }
    say_reached(w, why, reached);
    return leave(w, status, true);
}

gt_status gt_run_settle(gt_run *run)
{
    if (!run) return GT_BAD_ARGUMENT;
    run_handle *w = gt_handle_of(run);
    gt_status status = enter(w);
    return status ? status : leave(w, settle(w), true);
}

/* ---- what there is to see ---- */

double gt_run_time(const gt_run *run)
{
    return run ? 0 + ((const run_handle *)run)->sign * ((const run_handle *)run)->t : NAN;
}

const double *gt_run_x(const gt_run *run) { return run ? ((const run_handle *)run)->x : NULL; }

void gt_run_last_step(const gt_run *run, double *from, double *to)
{
    const run_handle *w = (const run_handle *)run;
    double begins = run ? w->sign * run->s->t : NAN,
           ends = run ? w->sign * (run->waits ? run->s->t_new : run->s->t) : NAN;
    if (from) *from = begins;
    if (to) *to = ends;
}

gt_status gt_run_interpolate(gt_run *run, double t, double *x)
{
    if (!run) return GT_BAD_ARGUMENT;
    run_handle *w = gt_handle_of(run);
    gt_status status = enter(w);
    if (status) return status;
    gt_stepper *s = run->s;
    t *= w->sign;
    if (!x) return leave(w, refuse(w, "gt_run_interpolate: x is NULL"), false);
    double end = run->waits ? s->t_new : s->t;
    if (!(t >= s->t && t <= end)) {
        status = gt_fail(&w->report.message, GT_BAD_ARGUMENT,
                         "t = %.10g lies outside the last step, %.10g .. %.10g", w->sign * t,
                         w->sign * s->t, w->sign * end);
        return leave(w, status, false);
    }
    if (t == s->t)
        memcpy(x, s->x, s->n * sizeof *x);
    else if (t == end)
        memcpy(x, run->waits_at_event && run->event_beyond ? s->event_x : s->x_new,
               s->n * sizeof *x);
    else
        status = gt_run_inside(run, t, false, x);
    if (status)
        status = gt_fail(&w->report.message, status, "the dense output at t = %.10g failed",
                         w->sign * t);
    return leave(w, status, false);
}

const unsigned char *gt_run_fired(const gt_run *run)
{
    return run && run->waits_at_event ? run->s->fired : NULL;
}

const char *gt_run_message(const gt_run *run)
{
    return run ? ((const run_handle *)run)->report.message.text : "";
}

const gt_stats *gt_run_stats(const gt_run *run) { return run ? &run->s->stats : NULL; }

static void full_run_report(const gt_run *run, gt_report *report)
{
    if (!run || !report) return;
    const run_handle *w = (const run_handle *)run;
    *report = w->report;
    report->t = 0 + w->sign * w->t;
    report->h = w->sign * run->s->h;
    report->note = run->s->note;
    report->stopped = run->stopped;
    report->local_error = run->probe_most;
    report->local_error_warning = run->probe_warning;
    report->error_sum = run->error_sum;
    report->stats = run->s->stats;
    gt_phases *phases = &report->phases;
    if (phases->count) { /* up to here, and not beyond: the phase is still under way */
        gt_phase *last = &phases->list[phases->count - 1];
        last->steps += run->s->stats.steps - run->phase_steps;
    }
}

void gt_run_report_sized(const gt_run *run, gt_report *report, size_t report_size)
{
    GT_OUT(gt_report, report);
    full_run_report(run, report);
    GT_GIVE(report);
}
