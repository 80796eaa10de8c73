/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The errors of controlled steps are each within the tolerance, and where nothing damps them, as in
 * an oscillation of hundreds of periods, their sum is what the result is wrong by. A sum as large
 * as the solution is a result that means nothing. Whether they are damped is seen from the linear
 * model at the end: a mode that swings many times in the run and neither dies out nor grows keeps
 * them. A run that is short is done again instead (gt_confirm), which sees growth too, and with
 * fixed steps knows more than the local errors of some of them do.
 */
#include "run_parts.h"
#include <geartrain/analysis/advise.h>
#include <geartrain/analysis/choose.h>
#include <math.h>

static const double too_much = 0.5,    /* of the size of the solution */
    many_periods = 50, dies_out = 3;   /* by exp(-3) in the run */
static const double far_off = 50;      /* tolerances */
static const double not_trusted = 0.1; /* of the size of a state, where there are none */

/* How often the mode swings in the run that keeps what it has; 0: there is none. */
static double periods_kept(const gt_spectrum *spectrum, double span)
{
    double most = 0;
    for (size_t k = 0; k < spectrum->count; k++)
        if (fabs(spectrum->values[2 * k]) * span < dies_out)
            most = fmax(most, fabs(spectrum->values[2 * k + 1]) * span / (2 * GT_PI));
    return most;
}

/* What the run had, which is the default where none was given. */
static double rtol_of(const run_outcome *o)
{
    double rtol = o->solver->plan.rtol;
    return rtol > 0 ? rtol : 1e-6;
}

static void say_off(const run_outcome *o, double off, double t, gt_message *out)
{
    double rtol = rtol_of(o);
    if (isinf(off)) {
        gt_say_more(
            out,
            "a second run with a tenth of the tolerances cannot go beyond t = %.6g, or f has a "
            "pole "
            "there that a step went over: the solution may end there, and what comes after it mean "
            "nothing; take a tighter --rtol than %g",
            t, rtol);
        return;
    }
    gt_say_more(out,
                "the result is wrong by about %.1g of the size of a state at t = %.6g, which is "
                "%.2g times rtol: a second run with a tenth of the tolerances is so far away. The "
                "errors of %ld steps, each within rtol = %g, add up or grow; take a tighter --rtol",
                off, t, off / rtol, o->report->stats.steps, rtol);
}

static void say_step(const run_outcome *o, double off, double t, gt_message *out)
{
    double h = o->solver->plan.h;
    if (isinf(off))
        gt_say_more(
            out,
            "a second run with half of the step cannot go beyond t = %.6g: the solution may "
            "end there, and what comes after it mean nothing; try a smaller h than %g, or "
            "controlled steps",
            t, h);
    else
        gt_say_more(
            out,
            "the result is wrong by about %.1g of the size of a state at t = %.6g: a second "
            "run, with half of the step or with controlled steps, is so far away, and with "
            "h = %g it is not to be trusted; try a smaller h, or controlled steps",
            off, t, h);
}

/* What a run with half of the step says takes the place of what local errors said. That of the
 * start stays: a motion that both steps damp is seen by neither. */
static bool step_is_too_long(const run_outcome *o, double off, double t, bool *known,
                             gt_message *out, gt_message *note)
{
    gt_run_notes_passed(o, off, note);
    bool too_long = off > not_trusted;
    *known = too_long || (!isnan(off) && o->report->local_error_warning > 0);
    if (too_long) say_step(o, off, t, out);
    return too_long;
}

static bool adds_up_errors(const run_outcome *o, bool *known, gt_message *out, gt_message *note)
{
    *known = false;
    const gt_problem *p = &o->p->problem;
    const gt_report *report = o->report;
    double span = fabs(report->t - p->t0), periods = 0, off, t;
    gt_message failed = {""};
    gt_status status = GT_OK;
    if (!report->stopped)
        status = gt_confirm(p, gt_cli_run_method(o->solver), &o->solver->plan, report, &off, &t,
                            &failed);
    if (status)
        gt_say_more(note, "%sthe result has not been confirmed: %s", note->text[0] ? "; " : "",
                    failed.text);
    if (report->stopped || status) off = NAN;
    if (o->solver->plan.h > 0) return step_is_too_long(o, off, t, known, out, note);
    if (off > far_off * rtol_of(o)) say_off(o, off, t, out);
    if (!isnan(off)) return off > far_off * rtol_of(o);
    if (report->status || !(report->error_sum > too_much)) return false;
    gt_arena arena = gt_arena_growing();
    gt_spectrum spectrum;
    if (!gt_spectrum_at(p, report->t, o->x, span, &spectrum, &arena, NULL))
        periods = periods_kept(&spectrum, span);
    gt_arena_free(&arena);
    if (!(periods > many_periods)) return false;
    gt_say_more(
        out,
        "the local errors of %ld steps, each within rtol = %g, add up to %.1g of the size of "
        "the solution, and nothing damps them in %.2g periods: the result is not to be "
        "trusted; take a tighter --rtol",
        report->stats.steps, rtol_of(o), report->error_sum, periods);
    return true;
}

void gt_run_doubt(const run_outcome *outcome, bool measured, gt_report *report)
{
    gt_message blame = {""};
    bool known = false, doubted = gt_run_blames_step(outcome, &blame);
    if (!doubted && !measured) doubted = adds_up_errors(outcome, &known, &blame, &report->note);
    if (known) gt_cli_error_is_known(report);
    if (doubted) gt_warn(&report->warnings, "%s", blame.text);
}
