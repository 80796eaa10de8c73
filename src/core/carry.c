/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Switches that carry others along: the function of mod(x,1)<.3 jumps where mod(x,1) does, from one
 * side to the other. What f is on the far side of a surface is seen with all that goes there with
 * it.
 */
#include "core/switches.h"
#include <assert.h>
#include <string.h>

enum { MOST_ROUNDS = 4 };

gt_status gt_switch_carry(gt_run *r, double t, const double *x, const signed char *from,
                          signed char *to, const signed char *fixed)
{
    assert(r && x && from && to && fixed);
    gt_stepper *s = r->base;
    size_t n = r->n_switches;
    signed char kept[GT_MOST_WATCHED], *sides = s->switch_sides;
    double *here = s->switch_work + 3 * s->n + GT_MOST_WATCHED, *there = here + GT_MOST_WATCHED;
    if (n < 2) return GT_OK;
    memcpy(kept, sides, n);
    memcpy(sides, from, n);
    gt_switch_freeze(r);
    gt_status status = gt_switch_values(r, t, x, here);
    bool again = true;
    for (int round = 0; round < MOST_ROUNDS && again && !status; round++) {
        memcpy(sides, to, n);
        gt_switch_freeze(r);
        status = gt_switch_values(r, t, x, there);
        again = false;
        for (size_t j = 0; j < n && !status; j++) {
            bool tied = r->slide && s->switch_tied[j];
            if (fixed[j] || tied || !(here[j] * there[j] < 0) || there[j] * to[j] > 0) continue;
            to[j] = there[j] > 0 ? 1 : -1;
            again = true;
        }
    }
    memcpy(sides, kept, n);
    gt_switch_freeze(r);
    return status;
}

gt_status gt_switch_two_sides(gt_run *r, size_t k, double t, const double *x, signed char *plus,
                              signed char *minus)
{
    assert(r && x && plus && minus);
    assert(k < r->n_switches);
    const signed char *sides = r->base->switch_sides;
    signed char fixed[GT_MOST_WATCHED] = {0}, *other = sides[k] > 0 ? minus : plus;
    fixed[k] = 1;
    memcpy(plus, sides, r->n_switches);
    memcpy(minus, sides, r->n_switches);
    other[k] = (signed char)-sides[k];
    return gt_switch_carry(r, t, x, sides, other, fixed);
}

gt_status gt_switch_put(gt_run *r, size_t k, int side)
{
    assert(r);
    assert(k < r->n_switches);
    assert(side == 1 || side == -1);
    signed char plus[GT_MOST_WATCHED], minus[GT_MOST_WATCHED];
    gt_status status = gt_switch_two_sides(r, k, r->s->t, r->s->x, plus, minus);
    memcpy(r->base->switch_sides, side > 0 ? plus : minus, r->n_switches);
    gt_switch_freeze(r);
    return status;
}

gt_status gt_switch_take_sides(gt_run *r, const double *g)
{
    assert(r && g);
    gt_stepper *s = r->base;
    double *held = s->switch_work + 3 * s->n + GT_MOST_WATCHED;
    for (size_t k = 0; k < r->n_switches; k++) s->switch_sides[k] = g[k] < 0 ? -1 : 1;
    gt_switch_freeze(r);
    if (r->n_switches < 2) return GT_OK;
    /* What is made of one that is zero is to be on the side that goes with the one it got. */
    gt_status status = gt_switch_values(r, s->t, s->x, held);
    for (size_t k = 0; k < r->n_switches && !status; k++)
        if (g[k] * held[k] < 0) s->switch_sides[k] = held[k] > 0 ? 1 : -1;
    gt_switch_freeze(r);
    return status;
}
