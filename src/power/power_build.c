/* SPDX-License-Identifier: BSD-3-Clause */
/* From case, power flow, machines and events to a problem; and what can be seen of its solution. */
#include "base/sized.h"
#include "power/system.h"
#include <geartrain/author/number.h>
#include <math.h>
#include <stdio.h>

static gt_status check_setup(const gt_power_setup *setup, gt_message *message)
{
    const gt_power_setup *u = setup;
    double sum = u->z_part + u->i_part + u->p_part;
    if (!(u->t1 > 0))
        return gt_fail(message, GT_BAD_ARGUMENT, "the end of the run, t1, must be above 0");
    if (u->z_part < 0 || u->i_part < 0 || u->p_part < 0 || (sum != 0 && fabs(sum - 1) > 1e-9))
        return gt_fail(message, GT_BAD_ARGUMENT,
                       "the parts of the loads must be 0 or above and add up to 1, not impedance "
                       "%g, current %g, power %g",
                       u->z_part, u->i_part, u->p_part);
    if (u->model == GT_POWER_CLASSICAL && (u->i_part > 0 || u->p_part > 0))
        return gt_fail(message, GT_BAD_ARGUMENT,
                       "the classical model reduces the network to its machines, so its loads are "
                       "impedances; for other "
                       "loads take the model twoaxis");
    if (u->model == GT_POWER_CLASSICAL && u->limits)
        return gt_fail(message, GT_BAD_ARGUMENT,
                       "the classical model has no exciters and valves that could have limits");
    return GT_OK;
}

/* Loads of the case, with generators that are to be negative loads. */
static gt_status take_loads(gt_power_system *s, gt_arena *arena)
{
    const gt_power_case *c = s->grid_case;
    const gt_power_flow_result *flow = s->setup.flow;
    s->p_load = gt_arena_doubles(arena, c->n_bus);
    s->q_load = gt_arena_doubles(arena, c->n_bus);
    s->v_load = gt_arena_doubles(arena, c->n_bus);
    s->v_break = gt_arena_doubles(arena, c->n_bus);
    if (arena->failed) return GT_NO_MEMORY;
    for (size_t i = 0; i < c->n_bus; i++) {
        s->p_load[i] = c->bus[i].p_load;
        s->q_load[i] = c->bus[i].q_load;
        s->v_load[i] = flow->v[i];
        s->v_break[i] = fmin(s->setup.v_break > 0 ? s->setup.v_break : 0.7, flow->v[i]);
    }
    for (size_t k = 0; k < c->n_gen; k++) {
        if (!c->gen[k].on || s->setup.dynamics->machine[k].kind != GT_MACHINE_NONE) continue;
        s->p_load[c->gen[k].bus] -= flow->p_gen[k];
        s->q_load[c->gen[k].bus] -= flow->q_gen[k];
    }
    return GT_OK;
}

static gt_status take_units(gt_power_system *s, gt_arena *arena, gt_message *message)
{
    const gt_power_case *c = s->grid_case;
    const gt_power_flow_result *flow = s->setup.flow;
    s->unit = gt_arena_take(arena, c->n_gen + 1, sizeof *s->unit);
    if (!s->unit) return GT_NO_MEMORY;
    for (size_t k = 0; k < c->n_gen; k++) {
        gt_power_machine data = s->setup.dynamics->machine[k];
        char where[64];
        if (!c->gen[k].on || data.kind == GT_MACHINE_NONE) continue;
        if (s->setup.model == GT_POWER_CLASSICAL) {
            data.kind = GT_MACHINE_CLASSICAL;
            data.exciter = GT_EXCITER_NONE;
            data.governor = GT_GOVERNOR_NONE;
        }
        gt_unit *u = &s->unit[s->n_units++];
        size_t i = c->gen[k].bus;
        u->gen = k;
        u->bus = i;
        snprintf(where, sizeof where, "the machine at bus %d", c->bus[i].number);
        gt_status status = gt_unit_start(u, &data, s->omega_s, flow->v[i] * cos(flow->angle[i]),
                                         flow->v[i] * sin(flow->angle[i]), flow->p_gen[k],
                                         flow->q_gen[k], s->setup.limits, where, message);
        if (status) return status;
    }
    if (!s->n_units)
        return gt_fail(message, GT_BAD_ARGUMENT, "%s has no machine in service", c->name);
    return GT_OK;
}

/* "delta_2", and "delta_2.3" for the third unit at a bus; voltages "Vre_5". */
static gt_status name_states(const gt_power_system *s, gt_problem *problem, gt_arena *arena)
{
    enum { LENGTH = 24 };
    const gt_power_case *c = s->grid_case;
    char(*text)[LENGTH] = gt_arena_take(arena, s->n, sizeof *text);
    const char **names = gt_arena_take(arena, s->n, sizeof *names),
               **units = gt_arena_take(arena, s->n, sizeof *units);
    if (arena->failed) return GT_NO_MEMORY;
    for (size_t k = 0; k < s->n_units; k++) {
        const gt_power_gen *gen = &c->gen[s->unit[k].gen];
        for (int q = 0; q < Q_VRE; q++) {
            int at = s->unit[k].at[q];
            if (at < 0) continue;
            snprintf(text[at], LENGTH, gen->unit > 1 ? "%s_%d.%d" : "%s_%d", gt_quantity_names[q],
                     c->bus[gen->bus].number, gen->unit);
            units[at] = gt_quantity_units[q];
        }
    }
    for (size_t i = 0; i < c->n_bus && problem->n_alg; i++)
        for (int part = 0; part < 2; part++) {
            size_t at = (size_t)s->first_bus + 2 * i + (size_t)part;
            snprintf(text[at], LENGTH, "%s_%d", gt_quantity_names[Q_VRE + part], c->bus[i].number);
            units[at] = "p.u.";
        }
    for (size_t i = 0; i < s->n; i++) names[i] = text[i];
    problem->names = names;
    problem->units = units;
    return GT_OK;
}

static gt_status make(gt_power_system *s, gt_problem *problem, gt_arena *arena, gt_message *message)
{
    gt_status status = gt_grid_make(s->grid_case, &s->grid, arena);
    if (!status) status = take_loads(s, arena);
    if (!status) status = take_units(s, arena, message);
    if (!status) status = gt_timeline_make(s, arena, message);
    if (!status)
        status = s->setup.model == GT_POWER_CLASSICAL
                     ? gt_classical_make(s, problem, arena, message)
                     : gt_dae_make(s, problem, arena, message);
    if (!status && s->setup.limits) status = gt_limiter_make(s, problem, arena);
    if (!status) status = name_states(s, problem, arena);
    return status;
}

static gt_status full_power_build(const gt_power_setup *setup, gt_problem *problem,
                                  const gt_power_system **system, gt_arena *arena,
                                  gt_message *message)
{
    GT_ARMOR(message, setup && problem && system && arena);
    gt_status status = check_setup(setup, message);
    if (status) return status;
    gt_power_system *s = gt_arena_take(arena, 1, sizeof *s);
    if (message) message->text[0] = '\0';
    *problem = (gt_problem){.t1 = setup->t1, .name = setup->grid->name, .ctx = s};
    if (s) {
        s->setup = *setup;
        s->grid_case = setup->grid;
        s->omega_s = 2 * GT_PI * (setup->hz > 0 ? setup->hz : 60);
        if (setup->z_part + setup->i_part + setup->p_part == 0) s->setup.z_part = 1;
        status = make(s, problem, arena, message);
    }
    if (!s || (status == GT_NO_MEMORY && (!message || !message->text[0])))
        return gt_fail(message, GT_NO_MEMORY, "%s: out of memory for the equations",
                       setup->grid->name);
    if (status) return status;
    problem->breaks = s->breaks;
    problem->n_breaks = s->n_stages - 1;
    *system = s;
    return GT_OK;
}

gt_status gt_power_build_sized(const gt_power_setup *setup, size_t setup_size, gt_problem *problem,
                               size_t problem_size, const gt_power_system **system, gt_arena *arena,
                               gt_message *message)
{
    GT_WIDEN(message, gt_power_setup, setup);
    GT_OUT(gt_problem, problem);
    gt_status result = full_power_build(setup, problem, system, arena, message);
    GT_GIVE_WHOLE(message, result, problem);
    return result;
}

size_t gt_power_machines(const gt_power_system *s)
{
    if (!s) return 0;
    return s->n_units;
}
size_t gt_power_machine_gen(const gt_power_system *s, size_t machine)
{
    return s && machine < s->n_units ? s->unit[machine].gen : 0;
}
bool gt_power_machine_on(const gt_power_system *s, double t, size_t machine)
{
    return s && machine < s->n_units && gt_stage_at(s, t)->unit_on[machine];
}

double gt_power_sample_time(const gt_sample *sample)
{
    if (!sample) return NAN;
    bool right = sample->why & (GT_AT_START | GT_AT_BREAK | GT_AT_EVENT);
    return right ? sample->t : nextafter(sample->t, -INFINITY);
}

/* Voltage of bus i as (re, im). */
static void bus_voltage(const gt_power_system *s, const gt_stage *g, const double *x, size_t i,
                        double v[2])
{
    v[0] = v[1] = 0;
    if (g->held[i]) return;
    if (s->setup.model == GT_POWER_DAE) {
        v[0] = x[s->first_bus + 2 * (int)i];
        v[1] = x[s->first_bus + 2 * (int)i + 1];
        return;
    }
    for (size_t k = 0; k < s->n_units; k++) {
        const double *a = g->spread + 2 * (k * s->grid.n + i);
        double re = s->E[k] * cos(x[2 * k]), im = s->E[k] * sin(x[2 * k]);
        v[0] += a[0] * re - a[1] * im;
        v[1] += a[1] * re + a[0] * im;
    }
}

void gt_power_view(const gt_power_system *s, double t, const double *x, double *delta,
                   double *omega, double *v, double *angle)
{
    if (!s || !x) return;
    const gt_stage *g = gt_stage_at(s, t);
    for (size_t k = 0; k < s->n_units; k++) {
        if (delta) delta[k] = x[s->unit[k].at[Q_DELTA]];
        if (omega) omega[k] = s->omega_s + x[s->unit[k].at[Q_SLIP]];
    }
    for (size_t i = 0; i < s->grid.n && (v || angle); i++) {
        double part[2];
        bus_voltage(s, g, x, i, part);
        if (v) v[i] = hypot(part[0], part[1]);
        if (angle) angle[i] = part[0] == 0 && part[1] == 0 ? 0 : atan2(part[1], part[0]);
    }
}

double gt_power_centre(const gt_power_system *s, double t, const double *delta)
{
    if (!s || !delta) return NAN;
    const gt_stage *g = gt_stage_at(s, t);
    double sum = 0, inertia = 0;
    for (size_t k = 0; k < s->n_units; k++) {
        if (!g->unit_on[k]) continue;
        sum += s->unit[k].M * delta[k];
        inertia += s->unit[k].M;
    }
    return inertia > 0 ? sum / inertia : 0;
}

double gt_power_spread(const gt_power_system *s, double t, const double *delta)
{
    if (!s || !delta) return NAN;
    const gt_stage *g = gt_stage_at(s, t);
    double most = 0;
    for (size_t i = 0; i < s->n_units; i++)
        for (size_t j = 0; j < i; j++) {
            bool together = g->island[s->unit[i].bus] == g->island[s->unit[j].bus];
            if (together && g->unit_on[i] && g->unit_on[j])
                most = fmax(most, fabs(delta[i] - delta[j]));
        }
    return most;
}

size_t gt_power_changes(const gt_power_system *s) { return s ? s->n_stages - 1 : 0; }

double gt_power_change_time(const gt_power_system *s, size_t change)
{
    return change < gt_power_changes(s) ? s->stage[change + 1].t : NAN;
}

const char *gt_power_change_text(const gt_power_system *s, size_t change)
{
    return change < gt_power_changes(s) ? s->stage[change + 1].text : "";
}

size_t gt_power_islands(const gt_power_system *s, size_t k, size_t *dead_buses)
{
    bool there = s && k < s->n_stages;
    if (dead_buses) *dead_buses = there ? s->stage[k].dead : 0;
    return there ? s->stage[k].islands : 0;
}

const double *gt_power_reduced(const gt_power_system *s, size_t k)
{
    return s && k < s->n_stages ? s->stage[k].reduced : NULL;
}
