/* SPDX-License-Identifier: BSD-3-Clause */
/* A whole run in one call. */
#include "core/run_state.h"
#include "implicit/index.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* probe: another stepper of the same method and problem, for the local errors of fixed steps, or
 * NULL. */
static gt_status integrate(gt_stepper *s, gt_stepper *probe, const gt_plan *plan, gt_report *report)
{
    static const gt_plan defaults;
    gt_report own;
    if (!report) report = &own;
    *report = (gt_report){0};
    if (!s || !s->bound)
        return report->status = gt_fail(
                   &report->message, GT_BAD_ARGUMENT,
                   "gt_integrate: the stepper is not bound to a problem; see gt_stepper_init");
    if (s->problem->t1 < s->problem->t0)
        return gt_integrate_backward(s, plan ? plan : &defaults, report);
    gt_run r = {.s = s,
                .base = s,
                .pulse_at = -INFINITY,
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
    gt_run_end(&r);
    report->stopped = r.stopped;
    if (report->status && !report->message.text[0]) report->message = s->message;
    if (report->status && !report->message.text[0])
        report->status = gt_run_limit(&r, report->status);
    if (!report->status) report->message.text[0] = 0;
    report->note = s->note;
    report->local_error = r.probe_most;
    report->local_error_warning = r.probe_warning;
    s->warnings = NULL;
    report->t = s->t;
    report->h = s->h;
    report->stats = s->stats;
    if (r.plan->x_end) memmove(r.plan->x_end, s->x, s->n * sizeof *s->x);
    return report->status;
}

gt_status gt_integrate(gt_stepper *s, const gt_plan *plan, gt_report *report)
{
    return integrate(s, NULL, plan, report);
}

gt_status gt_solve(const gt_problem *problem, const gt_method *method, const gt_plan *plan,
                   gt_report *report)
{
    gt_report own;
    if (!report) report = &own;
    *report = (gt_report){0};
    const char *options = plan ? plan->options : NULL;
    size_t bytes;
    report->status = gt_stepper_measure(method, options, problem, &bytes, &report->message);
    if (!report->status) report->status = gt_check_mass_index(problem, &report->message);
    if (report->status) return report->status;
    bool probes = plan && plan->h > 0 && problem->t1 - problem->t0 >= 4 * plan->h;
    unsigned char *memory = malloc(probes ? 2 * bytes : bytes);
    if (!memory)
        return report->status =
                   gt_fail(&report->message, GT_NO_MEMORY,
                           "out of memory for the %zu bytes that %s needs", bytes, method->name);
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
