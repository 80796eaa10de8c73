/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The voltage below which a load is an impedance: its current has a kink there, and dg/dy a jump
 * that no step is too short for. So each such load is a switch of the problem: controlled runs step
 * up to it and go on with the other formula.
 */
#include "power/system.h"
#include <geartrain/author/number.h>
#include <math.h>

static gt_status switches(double t, const double *x, double *g, void *ctx)
{
    const gt_power_system *s = ctx;
    (void)t;
    for (size_t k = 0; k < s->n_kinks; k++) {
        size_t i = s->kink[k];
        const double *v = x + s->first_bus + 2 * (ptrdiff_t)i;
        g[k] = hypot(v[0], v[1]) - s->v_break[i];
    }
    return GT_OK;
}

static void set_sides(const signed char *sides, void *ctx)
{
    gt_power_system *s = ctx;
    for (size_t k = 0; k < s->n_kinks; k++) s->load_side[s->kink[k]] = sides ? sides[k] : 0;
}

static void switch_name(size_t k, char *buffer, size_t room, void *ctx)
{
    const gt_power_system *s = ctx;
    size_t i = s->kink[k];
    gt_format(buffer, room, "|V_%d| = %.3g", s->grid_case->bus[i].number, s->v_break[i]);
}

gt_status gt_load_kinks_make(gt_power_system *s, gt_problem *problem, gt_arena *arena)
{
    s->load_side = gt_arena_take(arena, s->grid.n, sizeof *s->load_side);
    s->kink = gt_arena_take(arena, s->grid.n, sizeof *s->kink);
    if (arena->failed) return GT_NO_MEMORY;
    for (size_t i = 0; i < s->grid.n; i++)
        if (gt_has_load(s, i)) s->kink[s->n_kinks++] = i;
    if (!s->n_kinks) return GT_OK;
    problem->n_switches = s->n_kinks;
    problem->switches = switches;
    problem->set_sides = set_sides;
    problem->switch_name = switch_name;
    return GT_OK;
}
