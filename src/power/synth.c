/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A made-up network of any size. Areas of about 50 buses form a ring, each joined to the next by
 * two ties. An area is a ring of load buses with a chord for every fifth of them; for every nine
 * load buses there is a generator behind a transformer, which feeds about as much as those take, so
 * that flows stay local and the power flow converges whatever the size. Losses are then shared
 * evenly among the generators, so that the slack bus carries no more than the others. Numbers vary
 * about typical values by a generator of pseudo-random numbers that gives the same on every
 * machine.
 */
#include "base/sized.h"
#include <geartrain/power.h>
#include <stdint.h>
#include <stdio.h>

enum { PER_GENERATOR = 10, CHORD = 5, BALANCING = 4 };
static const double UNIT_MVA = 600, CASE_MVA = 100;

typedef struct maker {
    gt_power_case *c;
    gt_power_dynamics *d;
    uint64_t state;
} maker;

/* Between low and high; Knuth's linear congruential generator, upper bits. */
static double any(maker *m, double low, double high)
{
    m->state = m->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (high - low) * ((double)(m->state >> 11) * 0x1p-53);
}

static void add_branch(maker *m, size_t from, size_t to, double x, bool transformer)
{
    m->c->branch[m->c->n_branch++] = (gt_power_branch){.from = from,
                                                       .to = to,
                                                       .circuit = 1,
                                                       .r = transformer ? 0 : 0.1 * x,
                                                       .x = x,
                                                       .b = transformer ? 0 : 1.5 * x,
                                                       .ratio = 1,
                                                       .on = true};
}

/* A two-axis machine of UNIT_MVA with exciter and governor, on the base of the case. */
static gt_power_machine make_machine(maker *m)
{
    double z = CASE_MVA / UNIT_MVA;
    return (gt_power_machine){.kind = GT_MACHINE_TWOAXIS,
                              .H = any(m, 3, 6) / z,
                              .D = any(m, 1, 2) / z,
                              .xd = any(m, 1.5, 1.9) * z,
                              .xq = any(m, 1.4, 1.8) * z,
                              .xd1 = any(m, 0.25, 0.35) * z,
                              .xq1 = any(m, 0.4, 0.55) * z,
                              .Td0 = any(m, 5, 8),
                              .Tq0 = any(m, 0.4, 0.8),
                              .exciter = GT_EXCITER_DC1,
                              .KA = 20,
                              .TA = 0.2,
                              .KE = 1,
                              .TE = 0.314,
                              .KF = 0.063,
                              .TF = 0.35,
                              .SE = {.a = 0.0039, .b = 1.555},
                              .VR_max = 8,
                              .VR_min = -8,
                              .governor = GT_GOVERNOR_REHEAT,
                              .R = 0.05 * z,
                              .TSV = 0.2,
                              .TCH = 0.3,
                              .TRH = 7,
                              .KHP = 0.3,
                              .P_max = 1.2 / z,
                              .P_min = 0};
}

/* Load buses first .. first + loads - 1 in a ring with chords, then the generators. Returns the
 * load of the area. */
static double make_area(maker *m, size_t first, size_t loads, size_t generators)
{
    gt_power_case *c = m->c;
    double sum = 0;
    for (size_t i = first; i < first + loads + generators; i++)
        c->bus[i] = (gt_power_bus){.number = (int)i + 1, .type = GT_BUS_PQ, .v = 1, .base_kv = 345};
    for (size_t i = 0; i < loads; i++) {
        gt_power_bus *bus = &c->bus[first + i];
        bus->p_load = any(m, 0.3, 0.6);
        bus->q_load = 0.25 * bus->p_load;
        sum += bus->p_load;
        if (loads > 2 || i + 1 < loads)
            add_branch(m, first + i, first + (i + 1) % loads, any(m, 0.01, 0.02), false);
        if (i % CHORD == 0 && loads > 3 * CHORD)
            add_branch(m, first + i, first + (i + CHORD + 2) % loads, any(m, 0.02, 0.04), false);
    }
    for (size_t g = 0; g < generators; g++) {
        size_t bus = first + loads + g, at = first + g * loads / generators;
        c->bus[bus].type = GT_BUS_PV;
        c->bus[bus].base_kv = 20;
        m->d->machine[c->n_gen] = make_machine(m);
        c->gen[c->n_gen++] = (gt_power_gen){.bus = bus,
                                            .unit = 1,
                                            .q_max = 5,
                                            .q_min = -3,
                                            .v_set = 1.02,
                                            .mva = UNIT_MVA,
                                            .on = true};
        add_branch(m, at, bus, any(m, 0.1, 0.14) * CASE_MVA / UNIT_MVA, true);
    }
    return sum;
}

static gt_status share_losses(gt_power_case *c, gt_message *message)
{
    for (int round = 0; round < BALANCING; round++) {
        gt_arena own = gt_arena_growing();
        gt_power_flow_result flow;
        gt_power_flow_options options = {.flat = round == 0};
        gt_status status = gt_power_flow(c, &options, &flow, &own, message);
        for (size_t i = 0; i < c->n_bus && !status; i++)
            c->bus[i].v = flow.v[i], c->bus[i].angle = flow.angle[i];
        for (size_t k = 0; k < c->n_gen && !status; k++) c->gen[k].q = flow.q_gen[k];
        double surplus = status ? 0 : flow.p_gen[0] - c->gen[0].p;
        for (size_t k = 0; k < c->n_gen; k++) c->gen[k].p += surplus / (double)c->n_gen;
        gt_arena_free(&own);
        if (status) return status;
    }
    return GT_OK;
}

static gt_status take(const gt_power_synth_options *o, maker *m, gt_arena *arena)
{
    size_t n = (size_t)o->buses;
    char *name = gt_arena_take(arena, 32, 1);
    m->c->bus = gt_arena_take(arena, n, sizeof *m->c->bus);
    m->c->gen = gt_arena_take(arena, n, sizeof *m->c->gen);
    m->c->branch = gt_arena_take(arena, 3 * n, sizeof *m->c->branch);
    m->d->machine = gt_arena_take(arena, n, sizeof *m->d->machine);
    if (arena->failed) return GT_NO_MEMORY;
    snprintf(name, 32, "synth%d", o->buses);
    m->c->name = m->c->file = m->d->file = name;
    return GT_OK;
}

static gt_status make_network(const gt_power_synth_options *o, gt_power_case *c,
                              gt_power_dynamics *d, gt_arena *arena, gt_message *message)
{
    *c = (gt_power_case){.mva = CASE_MVA};
    *d = (gt_power_dynamics){0};
    maker m = {.c = c, .d = d, .state = o->seed * UINT64_C(2654435761) + 1};
    size_t n = (size_t)(o->buses > 0 ? o->buses : 0),
           areas = o->areas > 0 ? (size_t)o->areas : (n + 49) / 50;
    if (o->buses < 10 || areas * 5 > n)
        return gt_fail(
            message, GT_BAD_ARGUMENT,
            "a network takes at least 10 buses, and 5 for each area; not %d in %zu areas", o->buses,
            areas);
    if (take(o, &m, arena))
        return gt_fail(message, GT_NO_MEMORY, "out of memory for a network of %zu buses", n);
    c->n_bus = n;
    size_t before = 0, first_gen = 0;
    for (size_t a = 0; a < areas; a++) {
        size_t first = a * n / areas, size = (a + 1) * n / areas - first;
        size_t generators = size / PER_GENERATOR ? size / PER_GENERATOR : 1,
               loads = size - generators;
        double load = make_area(&m, first, loads, generators);
        for (size_t k = first_gen; k < c->n_gen; k++) c->gen[k].p = load / (double)generators;
        first_gen = c->n_gen;
        if (a) add_branch(&m, before, first + loads / 2, any(&m, 0.03, 0.05), false);
        if (a) add_branch(&m, before + 2, first + loads / 2 - 1, any(&m, 0.03, 0.05), false);
        before = first;
    }
    if (areas > 2) add_branch(&m, before, (size_t)2, any(&m, 0.03, 0.05), false);
    c->bus[c->gen[0].bus].type = GT_BUS_SLACK;
    d->n = c->n_gen;
    return share_losses(c, message);
}

gt_status gt_power_synth_sized(const gt_power_synth_options *options, size_t options_size,
                               gt_power_case *c, gt_power_dynamics *d, gt_arena *arena,
                               gt_message *message)
{
    GT_ARMOR(message, options && c && d && arena);
    GT_WIDEN(message, gt_power_synth_options, options);
    return make_network(options, c, d, arena, message);
}
