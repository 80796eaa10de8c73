/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef POWER_KIT_H
#define POWER_KIT_H

/* A case with its power flow and machines, for the suites about power systems. Included after
 * cmocka.h. */
#include <geartrain/author/author.h>
#include <geartrain/geartrain.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double DEGREES = 57.29577951308232;

static inline void near(double value, double wanted, double tolerance)
{
    if (!(fabs(value - wanted) <= tolerance))
        fail_msg("%.15g, wanted %.15g within %g", value, wanted, tolerance);
}

typedef struct power_kit {
    gt_arena arena;
    gt_power_case c;
    gt_power_flow_result flow;
    gt_power_dynamics d;
    gt_message message;
} power_kit;

static inline const char *kit_path(const char *name, char buffer[512])
{
    const char *source = getenv("SOURCE_DIR");
    snprintf(buffer, 512, "%s/cases/%s", source ? source : ".", name);
    return buffer;
}

static inline void kit_open(power_kit *k, const char *stem)
{
    char path[512], name[128];
    *k = (power_kit){.arena = gt_arena_growing()};
    snprintf(name, sizeof name, "%s.m", stem);
    if (gt_power_case_read(kit_path(name, path), &k->c, &k->arena, &k->message))
        fail_msg("%s", k->message.text);
    if (gt_power_flow(&k->c, NULL, &k->flow, &k->arena, &k->message))
        fail_msg("%s", k->message.text);
    snprintf(name, sizeof name, "%s.csv", stem);
    if (gt_power_dynamics_read(kit_path(name, path), &k->c, 0, &k->d, &k->arena, &k->message))
        fail_msg("%s", k->message.text);
}

static inline gt_power_setup kit_setup(const power_kit *k, double t1, const gt_power_event *events,
                                       size_t n)
{
    return (gt_power_setup){.grid = &k->c,
                            .flow = &k->flow,
                            .dynamics = &k->d,
                            .t1 = t1,
                            .events = events,
                            .n_events = n};
}

/* What a run ends with. */
typedef struct power_end {
    double delta[16], omega[16], v[64];
    gt_report report;
} power_end;

static inline void kit_run(power_kit *k, const gt_power_setup *setup, const char *method,
                           const gt_plan *plan, power_end *end)
{
    gt_arena arena = gt_arena_growing();
    gt_problem p;
    const gt_power_system *s;
    if (gt_power_build(setup, &p, &s, &arena, &k->message)) fail_msg("%s", k->message.text);
    gt_plan own = *plan;
    own.x_end = gt_arena_doubles(&arena, gt_problem_size(&p));
    if (gt_solve(&p, gt_method_find(method), &own, &end->report))
        fail_msg("%s", end->report.message.text);
    gt_power_view(s, end->report.t, own.x_end, end->delta, end->omega, end->v, NULL);
    gt_arena_free(&arena);
}

static inline double apart(const power_end *end, int i)
{
    return (end->delta[i] - end->delta[0]) * DEGREES;
}

#endif
