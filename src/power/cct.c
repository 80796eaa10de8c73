/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Critical clearing time: a bolted fault from t = 0 on is cleared at t_c, and the run is unstable
 * when two connected machines are further apart than the threshold before the window ends. Without
 * damping the set of stable t_c need not be an interval (a later swing may be the one that is
 * lost), so it is scanned upwards, and only the first failure is bisected. A run that cannot be
 * finished because the network has no solution any more counts as unstable.
 */
#include "base/sized.h"
#include <geartrain/author/number.h>
#include <geartrain/power.h>
#include <math.h>
#include <string.h>

enum { LOOKS = 500 }; /* at the angles of a run, besides its steps */

typedef struct watch {
    gt_sink sink;
    const gt_power_system *system;
    double *delta, threshold, t_loss;
} watch;

static gt_status look(gt_sink *sink, const gt_sample *sample, gt_message *message)
{
    watch *w = sink->ctx;
    double t = gt_power_sample_time(sample);
    (void)message;
    gt_power_view(w->system, t, sample->x, w->delta, NULL, NULL, NULL);
    if (gt_power_spread(w->system, t, w->delta) <= w->threshold) return GT_OK;
    w->t_loss = sample->t;
    return GT_SINK_REFUSED;
}

static gt_status settle(gt_status status, const watch *w, const gt_report *report, bool *stable,
                        double *t_loss, gt_message *message)
{
    *stable = status == GT_OK;
    if (status == GT_SINK_REFUSED && w->t_loss >= 0) {
        *t_loss = w->t_loss;
        return GT_OK;
    }
    if (status == GT_NEWTON_FAILED || status == GT_INCONSISTENT || status == GT_STEP_TOO_SMALL ||
        status == GT_TOO_MANY_REJECTIONS || status == GT_SINGULAR || status == GT_NOT_FINITE) {
        *t_loss = report->t;
        return GT_OK;
    }
    if (status && message) *message = report->message;
    return status;
}

/* One run: is it stable with this clearing time? */
static gt_status try_time(const gt_power_setup *setup, const gt_power_cct_options *o,
                          const gt_method *method, double tc, bool *stable, double *t_loss,
                          gt_message *message)
{
    gt_arena arena = gt_arena_growing();
    gt_power_setup own = *setup;
    size_t n = o->n_at_clearing;
    gt_power_event *events = gt_arena_take(&arena, n + 2, sizeof *events);
    gt_problem problem;
    const gt_power_system *system;
    gt_report report = {0};
    if (!events) return gt_fail(message, GT_NO_MEMORY, "out of memory for the events");
    events[0] = (gt_power_event){.kind = GT_POWER_FAULT, .bus = o->bus};
    events[1] = (gt_power_event){.kind = GT_POWER_CLEAR, .bus = o->bus, .t = tc};
    if (n) memcpy(events + 2, o->at_clearing, n * sizeof *events);
    for (size_t k = 0; k < n; k++) events[k + 2].t = tc;
    own.events = events;
    own.n_events = n + 2;
    own.t1 = o->window > 0 ? o->window : 5;
    gt_status status = gt_power_build(&own, &problem, &system, &arena, message);
    if (!status) {
        watch w = {
            .system = system, .threshold = o->threshold > 0 ? o->threshold : GT_PI, .t_loss = -1};
        w.sink = (gt_sink){
            .wants = GT_AT_STEP | GT_AT_DENSE, .write = look, .ctx = &w, .spacing = own.t1 / LOOKS};
        w.delta = gt_arena_doubles(&arena, gt_power_machines(system));
        gt_plan plan = o->plan ? *o->plan : (gt_plan){0};
        plan.sinks = (gt_sink *[]){&w.sink};
        plan.n_sinks = 1;
        plan.interrupted = o->interrupted;
        if (!(plan.h > 0) && !(plan.rtol > 0))
            plan.rtol = setup->model == GT_POWER_CLASSICAL ? 1e-9 : 1e-6;
        status = w.delta ? gt_solve(&problem, method, &plan, &report) : GT_NO_MEMORY;
        status = settle(status, &w, &report, stable, t_loss, message);
    }
    gt_arena_free(&arena);
    return status;
}

static gt_status search(const gt_power_setup *setup, const gt_power_cct_options *o,
                        gt_power_cct_result *out, gt_message *message)
{
    unsigned role = setup->model == GT_POWER_CLASSICAL ? GT_ROLE_NONSTIFF : GT_ROLE_STIFF;
    double step = o->scan > 0 ? o->scan : 0.005, largest = o->largest > 0 ? o->largest : 1;
    double precision = o->precision > 0 ? o->precision : 1e-5;
    *out = (gt_power_cct_result){.method = o->method ? o->method : gt_method_for(role)};
    bool stable = true;
    gt_status status = GT_OK;
    for (int k = 1; stable && k * step <= largest * (1 + 1e-12); k++) {
        double tc = k * step;
        status = try_time(setup, o, out->method, tc, &stable, &out->t_loss, message);
        if (status) return status;
        out->runs++;
        *(stable ? &out->cct : &out->unstable) = tc;
    }
    out->found = !stable;
    while (out->found && out->unstable - out->cct > precision) {
        double middle = 0.5 * (out->cct + out->unstable), t_loss = out->t_loss;
        status = try_time(setup, o, out->method, middle, &stable, &t_loss, message);
        if (status) return status;
        out->runs++;
        if (!stable) out->t_loss = t_loss;
        *(stable ? &out->cct : &out->unstable) = middle;
    }
    if (out->found && out->cct < 1.5 * precision) out->cct = 0;
    return GT_OK;
}

gt_status gt_power_cct_sized(const gt_power_setup *setup, size_t setup_size,
                             const gt_power_cct_options *options, size_t options_size,
                             size_t plan_size, gt_power_cct_result *out, size_t out_size,
                             gt_message *message)
{
    GT_ARMOR(message, setup && options && out);
    GT_WIDEN(message, gt_power_setup, setup);
    GT_WIDEN(message, gt_power_cct_options, options);
    const gt_plan *plan = options->plan;
    GT_WIDEN(message, gt_plan, plan);
    gt_power_cct_options full = *options;
    full.plan = plan;
    GT_OUT(gt_power_cct_result, out);
    gt_status status = search(setup, &full, out, message);
    GT_GIVE(out);
    return status;
}
