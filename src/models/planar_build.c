/* SPDX-License-Identifier: BSD-3-Clause */
/* The problem of planar_vehicle.h: names, units, pattern of the Jacobian. */
#include "models/planar_vehicle.h"
#include <stdio.h>

static const char *numbered(gt_arena *arena, const char *stem, size_t i)
{
    char *text = gt_arena_take(arena, 1, 24);
    if (text) snprintf(text, 24, "%s%zu", stem, i + 1);
    return text;
}

static void name_states(const planar_data *p, const char **names, const char **units,
                        gt_arena *arena)
{
    static const char *const chassis[] = {"xc", "yc", "phi", "vxc", "vyc", "wc"};
    static const char *const unit[] = {"m", "m", "rad", "m/s", "m/s", "rad/s"};
    static const char *const hub[] = {"yH", "thH", "vyH", "wH"}, *const ring_rate[] = {"vxR", "vyR",
                                                                                       "wR"};
    static const char *const ring_absolute[] = {"xR", "yR", "thR"}, *const ring_relative[] = {
                                                                        "dx", "yR", "dth"};
    for (size_t j = 0; j < 6; j++) {
        size_t at = j % 3 + (j < 3 ? 0 : rates(p));
        names[at] = chassis[j];
        units[at] = unit[j];
    }
    for (size_t i = 0; i < p->axles; i++) {
        for (size_t j = 0; j < 4; j++) {
            size_t at = HUBS + 2 * i + j % 2 + (j < 2 ? 0 : rates(p));
            names[at] = numbered(arena, hub[j], i);
            units[at] = unit[1 + j % 2 + (j < 2 ? 0u : 3u)];
        }
        for (size_t j = 0; j < 3; j++) {
            names[ring(p, i) + j] =
                numbered(arena, (p->relative ? ring_relative : ring_absolute)[j], i);
            names[ring_rates(p, i) + j] = numbered(arena, ring_rate[j], i);
            units[ring(p, i) + j] = unit[j];
            units[ring_rates(p, i) + j] = unit[3 + j];
        }
        names[slip(p, i)] = numbered(arena, "s", i);
        units[slip(p, i)] = "1";
    }
    if (p->balance) {
        names[work(p)] = "W";
        units[work(p)] = "J";
    }
}

/* The axle that a state belongs to; the chassis and W count as one of their own. */
static size_t owner(const planar_data *p, size_t i)
{
    size_t r = rates(p), slow = planar_slow(p->axles);
    if (i < slow) return i % r < HUBS ? p->axles : (i % r - HUBS) / 2;
    i -= slow;
    if (i < 6 * p->axles) return i % (3 * p->axles) / 3;
    return i < 7 * p->axles ? i - 6 * p->axles : p->axles;
}

/* An arrow: the chassis with everything, each axle with itself. */
static gt_pattern arrow(const planar_data *p, size_t n, gt_arena *arena)
{
    gt_pattern pattern = {.storage = GT_CSC};
    int *colptr = gt_arena_take(arena, n + 1, sizeof *colptr), *rowindex = NULL, count = 0;
    for (int pass = 0; pass < 2 && colptr; pass++) {
        if (pass == 1 && !(rowindex = gt_arena_take(arena, (size_t)count, sizeof *rowindex)))
            return pattern;
        count = 0;
        for (size_t j = 0; j < n; j++) {
            size_t of = owner(p, j);
            for (size_t i = 0; i < n; i++) {
                if (of != p->axles && owner(p, i) != p->axles && owner(p, i) != of) continue;
                if (rowindex) rowindex[count] = (int)i;
                count++;
            }
            colptr[j + 1] = count;
        }
    }
    pattern.colptr = colptr;
    pattern.rowindex = rowindex;
    pattern.entries = (size_t)count;
    return pattern;
}

gt_status gt_planar_problem(planar_data *p, bool sparse, gt_problem *problem, gt_arena *arena)
{
    static const char *const invariant_names[] = {"energy - W"};
    size_t n_slow = planar_slow(p->axles), n_fast = 7 * p->axles + (p->balance ? 1 : 0),
           n = n_slow + n_fast;
    const char **names = gt_arena_take(arena, n, sizeof *names),
               **units = gt_arena_take(arena, n, sizeof *units);
    p->x0 = gt_arena_doubles(arena, n);
    if (!names || !units || !p->x0) return GT_NO_MEMORY;
    name_states(p, names, units, arena);
    gt_planar_start(p);
    double N = (double)p->axles, slow = 60 + 60 * N + MODEL_BURN_WORK * p->cost;
    double fast = 40 + (90 + (p->tyre.road_height != 0 ? 60 : 0)) * N;
    *problem =
        (gt_problem){.n_slow = n_slow,
                     .n_fast = n_fast,
                     .rhs = gt_planar_rhs,
                     .rhs_slow = gt_planar_slow,
                     .rhs_fast = gt_planar_fast,
                     .jac = gt_planar_jac,
                     .jac_pattern = sparse ? arrow(p, n, arena) : (gt_pattern){.storage = GT_DENSE},
                     .t1 = 50,
                     .x0 = p->x0,
                     .ctx = p,
                     .names = names,
                     .units = units,
                     .work = {.full = slow + fast, .slow = slow, .fast = fast},
                     .n_invariants = p->balance ? 1 : 0,
                     .invariant_names = invariant_names,
                     .invariants = p->balance ? gt_planar_balance : NULL};
    return arena->failed || (sparse && !problem->jac_pattern.rowindex) ? GT_NO_MEMORY : GT_OK;
}
