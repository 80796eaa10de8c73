/* SPDX-License-Identifier: BSD-3-Clause */
/* A whole run in one call. */
#include "base/sized.h"
#include "core/run_handle.h"
#include "implicit/index.h"
#include "problem/norm.h"
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Most of a report is room for texts: these become empty, all else zero. */
static void clear(gt_report *report)
{
    enum { NUMBERS = offsetof(gt_report, t), PHASES = offsetof(gt_report, phases) };
    const size_t rest = PHASES + sizeof(gt_phases);
    gt_warnings *warnings = &report->warnings;
    gt_phases *phases = &report->phases;
    report->status = GT_OK;
    report->message.text[0] = report->note.text[0] = 0;
    warnings->count = warnings->left_out = 0;
    for (int k = 0; k < GT_MOST_WARNINGS; k++) warnings->list[k].text[0] = 0;
    memset((char *)report + NUMBERS, 0, PHASES - NUMBERS);
    phases->count = phases->left_out = phases->n_shares = 0;
    phases->trials = 0;
    phases->list[0] = (gt_phase){0};
    phases->shares[0] = (gt_share){0};
    memset((char *)report + rest, 0, sizeof *report - rest);
}

/* probe: another stepper of the same method and problem, for the local errors of fixed steps, or
 * NULL. */
static gt_status integrate(gt_stepper *s, gt_stepper *probe, const gt_plan *plan, gt_report *report)
{
    static const gt_plan defaults;
    clear(report);
    if (!s || !s->bound)
        return report->status = gt_fail(
                   &report->message, GT_BAD_ARGUMENT,
                   "gt_integrate: the stepper is not bound to a problem; see gt_stepper_init");
    if (plan && plan->pilot)
        return report->status =
                   gt_fail(&report->message, GT_BAD_ARGUMENT,
                           "the plan has a pilot, and the stepper its method; see gt_solve");
    if (s->problem->t1 < s->problem->t0)
        return gt_integrate_backward(s, plan ? plan : &defaults, report);
    gt_run r = {.s = s,
                .base = s,
                .pulse_at = -INFINITY,
                .inside_limit = INFINITY,
                .inside_of = -INFINITY,
                .target = INFINITY,
                .limit = INFINITY,
                .plan = plan ? plan : &defaults,
                .problem = s->problem,
                .message = &report->message,
                .probe = probe};
    s->message.text[0] = s->note.text[0] = 0;
    s->stats = (gt_stats){0};
    s->warnings = &report->warnings;
    report->status = gt_run_begin(&r);
    if (!report->status) report->status = gt_run_turn(&r);
    if (!report->status) report->status = gt_run_end_branch_looks(&r);
    gt_run_end(&r);
    report->stopped = r.stopped;
    if (report->status && !report->message.text[0]) report->message = s->message;
    if (report->status && !report->message.text[0])
        report->status = gt_run_limit(&r, report->status);
    if (!report->status) report->message.text[0] = 0;
    report->note = s->note;
    report->local_error = r.probe_most;
    report->local_error_warning = r.probe_warning;
    report->error_sum = r.error_sum;
    s->warnings = NULL;
    report->t = s->t;
    report->h = s->h;
    report->stats = s->stats;
    if (r.plan->x_end) memmove(r.plan->x_end, s->x, s->n * sizeof *s->x);
    return report->status;
}

gt_status gt_integrate_sized(gt_stepper *s, const gt_plan *plan, size_t plan_size,
                             gt_report *report, size_t report_size)
{
    gt_report own, *filled = report;
    if (!report || report_size != sizeof own) filled = &own;
    GT_WIDEN(NULL, gt_plan, plan);
    gt_status status = integrate(s, NULL, plan, filled);
    if (status && plan && plan->message) *plan->message = filled->message;
    if (report && report != filled) gt_narrow(report, report_size, filled, sizeof *filled);
    return status;
}

/* The method changes on the way: all that belongs to the run is in a handle. */
static gt_status solve_with_pilot(const gt_problem *problem, const gt_plan *plan, gt_report *report)
{
    size_t bytes;
    gt_message *message = &report->message;
    report->status = gt_run_measure(problem, NULL, plan, &bytes, message);
    if (report->status) return report->status;
    void *memory = malloc(bytes);
    if (!memory)
        return report->status = gt_fail(message, GT_NO_MEMORY, "out of memory: %zu bytes", bytes);
    run_handle *w = NULL;
    gt_status status =
        gt_run_lay(&w, problem, &(gt_leg_name){0}, plan, memory, bytes, NULL, message);
    if (!status) {
        gt_run *r = &w->run;
        r->one_by_one = false;
        r->target = INFINITY;
        status = gt_handle_begin(w);
        if (!status) status = gt_run_turn(r);
        gt_handle_end_turn(w);
        if (status) gt_handle_fail(w, status);
        gt_handle_finish(w);
        gt_run_report(r, report);
        status = w->failed;
        if (plan->x_end) memmove(plan->x_end, r->s->x, r->s->n * sizeof *r->s->x);
        gt_handle_free(w);
    }
    report->status = status;
    free(memory);
    return status;
}

static gt_status solve(const gt_problem *problem, const gt_method *method, const gt_plan *plan,
                       gt_report *report)
{
    gt_plan without;
    gt_choice choice;
    if (plan && plan->pilot) {
        if (!problem)
            return report->status =
                       gt_fail(&report->message, GT_BAD_ARGUMENT, "no problem was given");
        report->status =
            gt_pilot_resolve(problem, &method, &plan, &without, &choice, &report->message);
        if (report->status) return report->status;
        if (!method) return solve_with_pilot(problem, plan, report);
        gt_status status = solve(problem, method, plan, report);
        gt_phases_only(&report->phases, &choice, problem->t0);
        report->phases.list[0].steps = report->stats.steps;
        return status;
    }
    const char *options = plan ? plan->options : NULL;
    size_t bytes;
    report->status = gt_stepper_measure(method, options, problem, &bytes, &report->message);
    if (!report->status) report->status = gt_check_mass_index(problem, &report->message);
    if (report->status) return report->status;
    bool probes = plan && plan->h > 0 && problem->t1 - problem->t0 >= 4 * plan->h;
    unsigned char *memory = malloc(probes ? 2 * bytes : bytes);
    if (gt_any_rank(problem, !memory)) {
        free(memory);
        return report->status =
                   gt_fail(&report->message, GT_NO_MEMORY,
                           "out of memory for the %zu bytes that %s needs", bytes, method->name);
    }
    gt_stepper s, probe = {0};
    gt_status status = gt_stepper_init(&s, method, options, problem, memory, bytes);
    if (status) {
        report->message = s.message;
    } else {
        if (probes)
            status = gt_stepper_init(&probe, method, options, problem, memory + bytes, bytes);
        if (status) {
            report->message = probe.message;
        } else {
            status = integrate(&s, probes ? &probe : NULL, plan, report);
            if (probes) gt_stepper_free(&probe);
        }
        gt_stepper_free(&s);
    }
    report->status = status;
    free(memory);
    return status;
}

gt_status gt_solve_sized(const gt_problem *problem, size_t problem_size, const gt_method *method,
                         const gt_plan *plan, size_t plan_size, gt_report *report,
                         size_t report_size)
{
    gt_report own, *filled = report;
    if (!report || report_size != sizeof own) filled = &own;
    clear(filled);
    gt_status status = GT_OK;
    if (problem && gt_has_more(problem, problem_size, sizeof *problem))
        status = gt_fail_newer(&filled->message, "gt_problem");
    else if (plan && gt_has_more(plan, plan_size, sizeof *plan))
        status = gt_fail_newer(&filled->message, "gt_plan");
    GT_WIDEN_QUIETLY(gt_problem, problem);
    GT_WIDEN_QUIETLY(gt_plan, plan);
    filled->status = status ? status : solve(problem, method, plan, filled);
    if (filled->status && plan && plan->message) *plan->message = filled->message;
    if (report && report != filled) gt_narrow(report, report_size, filled, sizeof *filled);
    return filled->status;
}
