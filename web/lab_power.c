/* SPDX-License-Identifier: BSD-3-Clause */
/* A power system through a fault: angles, and the critical clearing time. */
#include "lab_face.h"
#include <geartrain/author/number.h>
#include <geartrain/power.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct station {
    gt_arena arena;
    gt_power_case grid;
    gt_power_flow_result flow;
    gt_power_dynamics machines;
    gt_power_setup setup;
    size_t bus;
    gt_power_event trip; /* what clears the fault; its branch */
} station;

static gt_status find_branch(station *s, int from, int to, gt_message *message)
{
    size_t a = gt_power_find_bus(&s->grid, from), b = gt_power_find_bus(&s->grid, to);
    for (size_t k = 0; k < s->grid.n_branch; k++) {
        const gt_power_branch *branch = &s->grid.branch[k];
        if ((branch->from != a || branch->to != b) && (branch->from != b || branch->to != a))
            continue;
        s->trip = (gt_power_event){.kind = GT_POWER_TRIP, .branch = k};
        return GT_OK;
    }
    return gt_fail(message, GT_UNKNOWN_NAME, "there is no branch %d-%d", from, to);
}

static gt_status station_open(station *s, const char *grid, const char *machines, int bus, int from,
                              int to, gt_message *message)
{
    *s = (station){.arena = gt_arena_growing()};
    gt_status status = gt_power_case_parse(grid, "the case", &s->grid, &s->arena, message);
    if (!status) status = gt_power_flow(&s->grid, NULL, &s->flow, &s->arena, message);
    if (!status)
        status = gt_power_dynamics_parse(machines, "machines.csv", &s->grid, 0, &s->machines,
                                         &s->arena, message);
    if (!status) status = find_branch(s, from, to, message);
    if (status) return status;
    s->bus = gt_power_find_bus(&s->grid, bus);
    if (s->bus == s->grid.n_bus)
        return gt_fail(message, GT_UNKNOWN_NAME, "there is no bus %d", bus);
    s->setup = (gt_power_setup){
        .grid = &s->grid, .flow = &s->flow, .dynamics = &s->machines, .model = GT_POWER_CLASSICAL};
    return GT_OK;
}

/* Rows of the answer: t, and the angles against the centre of inertia. */
typedef struct swings {
    gt_sink sink;
    gt_lab *lab;
    const gt_power_system *system;
    size_t machines, count, most;
    double *delta, spread;
} swings;

static gt_status swing(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    (void)message;
    swings *w = self->ctx;
    double t = gt_power_sample_time(sample);
    gt_power_view(w->system, t, sample->x, w->delta, NULL, NULL, NULL);
    w->spread = fmax(w->spread, gt_power_spread(w->system, t, w->delta));
    if (w->count == w->most) return GT_OK;
    double *row = w->lab->numbers + w->count++ * (1 + w->machines),
           centre = gt_power_centre(w->system, t, w->delta);
    row[0] = sample->t;
    for (size_t i = 0; i < w->machines; i++) row[1 + i] = (w->delta[i] - centre) * 180 / GT_PI;
    return GT_OK;
}

static gt_status simulate(gt_lab *lab, station *s, const char *method, gt_plan *plan,
                          gt_report *report)
{
    enum { MOST = 4000, POINTS = 400 };
    gt_problem problem = {0};
    swings w = {.lab = lab, .most = MOST};
    const gt_method *m = gt_method_find(method);
    if (!m) return gt_fail(&report->message, GT_UNKNOWN_NAME, "there is no method '%s'", method);
    gt_status status = gt_power_build(&s->setup, &problem, &w.system, &s->arena, &report->message);
    if (status) return status;
    w.machines = gt_power_machines(w.system);
    w.delta = gt_arena_doubles(&s->arena, w.machines);
    if (!w.delta || !lab_room(lab, MOST * (1 + w.machines))) return GT_NO_MEMORY;
    w.sink = (gt_sink){.wants = GT_AT_START | GT_AT_STEP | GT_AT_DENSE | GT_AT_BREAK | GT_AT_END,
                       .write = swing,
                       .ctx = &w,
                       .spacing = s->setup.t1 / POINTS};
    plan->sinks = (gt_sink *[]){&w.sink};
    plan->n_sinks = 1;
    status = gt_solve(&problem, m, plan, report);
    lab->n_numbers = w.count * (1 + w.machines);
    lab_put_number(&lab->answer, "rows", (double)w.count);
    lab_put_number(&lab->answer, "width", (double)(1 + w.machines));
    lab_put_number(&lab->answer, "spread", w.spread * 180 / GT_PI);
    lab_put_number(&lab->answer, "steps", (double)report->stats.steps);
    lab_put_number(&lab->answer, "evaluations", lab_evaluations(&problem, &report->stats));
    return status;
}

int gt_lab_power(gt_lab *lab, const char *grid, const char *machines, int bus, int from, int to,
                 double cleared, double t1, const char *method, double rtol, double h)
{
    station s;
    gt_report report = {.status = GT_OK};
    gt_plan plan = {.rtol = rtol, .h = h};
    lab_answer(lab);
    gt_status status = station_open(&s, grid, machines, bus, from, to, &report.message);
    if (!status) {
        gt_power_event events[] = {{.kind = GT_POWER_FAULT, .t = 0, .bus = s.bus},
                                   {.kind = GT_POWER_CLEAR, .t = cleared, .bus = s.bus},
                                   s.trip};
        events[2].t = cleared;
        s.setup.events = events;
        s.setup.n_events = 3;
        s.setup.t1 = t1;
        status = simulate(lab, &s, method, &plan, &report);
    }
    gt_arena_free(&s.arena);
    return lab_close(lab, status, &report.message);
}

int gt_lab_clearing(gt_lab *lab, const char *grid, const char *machines, int bus, int from, int to,
                    double window)
{
    station s;
    gt_message message = {""};
    gt_power_cct_result result;
    lab_answer(lab);
    gt_status status = station_open(&s, grid, machines, bus, from, to, &message);
    if (!status) {
        gt_power_cct_options options = {
            .bus = s.bus, .at_clearing = &s.trip, .n_at_clearing = 1, .window = window};
        s.setup.t1 = window;
        status = gt_power_cct(&s.setup, &options, &result, &message);
    }
    if (!status) {
        lab_put_bool(&lab->answer, "found", result.found);
        lab_put_number(&lab->answer, "cct", result.cct);
        lab_put_number(&lab->answer, "runs", result.runs);
    }
    gt_arena_free(&s.arena);
    return lab_close(lab, status, &message);
}
