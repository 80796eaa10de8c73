/* SPDX-License-Identifier: BSD-3-Clause */
/* What a caller may change in a run: the state, the equations, the end, tolerances, sinks, times of
 * discontinuities. */
#include "core/run_handle.h"
#include "problem/norm.h"
#include <math.h>
#include <string.h>

/* A change of f by less than this part of the tolerance over a step leaves the history as good as
 * it was. */
static const double small_change = 0.5;

static gt_status begin_change(gt_run *run, run_handle **w)
{
    if (!run) return GT_BAD_ARGUMENT;
    *w = gt_handle_of(run);
    gt_status status = gt_handle_enter(*w);
    if (!status) gt_handle_take_turn(*w);
    return status;
}

static gt_status end_change(run_handle *w, gt_status status)
{
    if (status && !w->report.message.text[0]) w->report.message = w->run.s->message;
    gt_handle_end_turn(w);
    return status;
}

/* The accepted point becomes the one that the caller sees; false: history has been dropped for it.
 */
static gt_status stand_here(run_handle *w, bool *whole_step)
{
    gt_run *r = &w->run;
    gt_stepper *s = r->s;
    *whole_step = !r->waits || w->t == s->t_new;
    gt_status status = GT_OK;
    if (*whole_step) {
        status = gt_run_accept(r);
    } else {
        gt_run_forget_roots(r);
        r->waits = r->waits_at_event = r->waits_at_stop = false;
        memmove(w->shown, w->x, s->n * sizeof *w->x);
        gt_stepper_start(s, w->t, w->shown);
    }
    w->t = r->s->t;
    w->x = r->s->x;
    return status;
}

static bool has_history(const gt_method *m)
{
    return m->formula || m->formula_of || m->judge || m->first_step;
}

/* The slope at the end of the step that waits, before the change: f itself where it is known, else
 * that of the dense output; false: it is not known. `slope` has room for n numbers. */
static bool slope_before(gt_run *r, double *slope)
{
    /* of the step: h^2 x'' times it is left, and round-off over it */
    static const double short_of_it = 1e-6;
    gt_stepper *s = r->s;
    if (!r->waits || s->rtol == 0) return false;
    if (s->f_new_known) {
        memcpy(slope, s->f_new, s->n * sizeof *slope);
        return true;
    }
    if (!has_history(s->method) || !s->method->interpolate) return false;
    if (s->method->interpolate(s, s->h, 1 - short_of_it, slope)) return false;
    for (size_t i = 0; i < s->n; i++) slope[i] = (s->x_new[i] - slope[i]) / (short_of_it * s->h);
    return true;
}

/* Whether f at the accepted point is, beside what a step may err, what it was. */
static gt_status is_as_before(gt_run *r, const double *slope, bool *same)
{
    gt_stepper *s = r->s;
    s->f_known = false;
    gt_status status = gt_slope(s);
    if (status) return status;
    double worst = 0;
    for (size_t i = 0; i < r->problem->n_slow + r->problem->n_fast; i++)
        worst = fmax(worst, fabs(r->h * (s->f[i] - slope[i])) / gt_weight(s, i, s->x[i]));
    *same = gt_most_over_ranks(r->problem, worst) <= small_change;
    return GT_OK;
}

gt_status gt_run_changed(gt_run *run, unsigned what, const double *x)
{
    run_handle *w;
    bool whole_step, same = false;
    gt_status status = begin_change(run, &w);
    if (status) return status;
    bool known =
        !x && what == GT_CHANGED_EQUATIONS && w->t == run->s->t_new && slope_before(run, w->shown);
    status = stand_here(w, &whole_step);
    gt_stepper *s = run->s;
    if (!status && known) status = is_as_before(run, w->shown, &same);
    if (status || same) return end_change(w, status);
    if (x) memmove(s->x, x, s->n * sizeof *x);
    double h = run->h;
    status = gt_run_restart(run);
    if (!status) status = gt_run_start_switches(run);
    if (!status && run->n_roots) status = gt_run_start_roots(run);
    if (!status) status = gt_run_new_piece(run);
    /* Without a history the step that served before is the best guess; if it is too long it is
     * rejected. */
    if (!status && !has_history(s->method) && h > 0) run->h = h;
    w->t = run->s->t;
    w->x = run->s->x;
    return end_change(w, status);
}

gt_status gt_run_set_end(gt_run *run, double t1)
{
    run_handle *w;
    gt_status status = begin_change(run, &w);
    if (status) return status;
    t1 *= w->sign;
    if (!(t1 >= w->t)) {
        status = gt_fail(&w->report.message, GT_BAD_ARGUMENT,
                         "the end %.10g lies behind the run, which is at %.10g", w->sign * t1,
                         w->sign * w->t);
    } else {
        bool beyond = run->waits && run->s->t_new > t1;
        if (beyond) { /* the step goes too far: the run stands where the caller sees it */
            bool whole_step;
            status = stand_here(w, &whole_step);
            if (!status) status = gt_run_new_piece(run);
        }
        w->problem.t1 = t1;
    }
    return end_change(w, status);
}

gt_status gt_run_set_tolerances(gt_run *run, double rtol, double atol, const double *rtol_vector,
                                const double *atol_vector)
{
    run_handle *w;
    gt_status status = begin_change(run, &w);
    if (status) return status;
    gt_stepper *s = run->s;
    gt_run_end_second(run);
    if (s->rtol == 0) {
        status = gt_fail(&w->report.message, GT_BAD_ARGUMENT,
                         "a run with a fixed step has no tolerances");
    } else if (!(rtol >= 0 && rtol < 1) || (rtol > 0 && rtol < 1e-15) || !(atol >= 0)) {
        status = gt_fail(
            &w->report.message, GT_BAD_ARGUMENT,
            "rtol must lie between 1e-15 and 1 and atol must not be negative, not %g and %g", rtol,
            atol);
    } else {
        if (rtol > 0) s->rtol = rtol;
        if (atol > 0) s->atol = atol;
        if (rtol_vector) s->rtol_vector = rtol_vector;
        if (atol_vector) s->atol_vector = atol_vector;
        run->size = 0; /* the default of atol does not follow the states any more */
    }
    return end_change(w, status);
}

gt_status gt_run_set_sinks(gt_run *run, gt_sink *const *sinks, size_t n_sinks)
{
    run_handle *w;
    gt_status status = begin_change(run, &w);
    if (status) return status;
    if (w->sign < 0)
        return end_change(
            w, gt_fail(&w->report.message, GT_UNSUPPORTED,
                       "the sinks of a run backward in time are those that it was opened with"));
    gt_plan before = w->plan;
    w->plan.sinks = sinks;
    w->plan.n_sinks = n_sinks;
    status = gt_run_check_outputs(run);
    if (status) {
        w->plan = before;
    } else {
        run->wanted = 0;
        gt_run_begin_sinks(run);
        gt_run_skip_outputs(run);
    }
    return end_change(w, status);
}

gt_status gt_run_add_break(gt_run *run, double t)
{
    run_handle *w;
    gt_status status = begin_change(run, &w);
    if (status) return status;
    gt_problem *p = &w->problem;
    t *= w->sign;
    double reached = run->waits ? run->s->t_new : run->s->t;
    if (!(t > reached))
        return end_change(
            w,
            gt_fail(&w->report.message, GT_BAD_ARGUMENT,
                    "a discontinuity at %.10g is not ahead of the last step, which ends at %.10g",
                    w->sign * t, w->sign * reached));
    /* Those that have been passed make room. */
    memmove(w->breaks, w->breaks + run->next_break,
            (p->n_breaks - run->next_break) * sizeof *w->breaks);
    p->n_breaks -= run->next_break;
    w->room += run->next_break;
    run->next_break = 0;
    if (!w->room) {
        status = gt_fail(&w->report.message, GT_BAD_ARGUMENT,
                         "%d more discontinuities are already ahead", GT_RUN_MORE_BREAKS);
        return end_change(w, status);
    }
    size_t k = p->n_breaks;
    for (; k > 0 && w->breaks[k - 1] > t; k--) w->breaks[k] = w->breaks[k - 1];
    w->breaks[k] = t;
    p->n_breaks++;
    w->room--;
    return end_change(w, GT_OK);
}
