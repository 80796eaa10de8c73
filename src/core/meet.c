/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the solution goes from a point on the surfaces of one or more switches. All of them are
 * looked at together first: where the jumps of f superpose and there is one way to go on for any f
 * (complement.c), that is taken, whatever number of the surfaces hold the solution from there on.
 * Where f is made of them in another way they are added one by one: with the new one on either
 * side, those that held the solution before are solved for, and the two rates of its function say
 * whether it is crossed. What is held then, by surfaces whose jumps do not superpose, has more than
 * one continuation, and the run ends with a message.
 */
#include "core/fields.h"
#include "core/switches.h"
#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double smallest_jump = 1e-9; /* of f, against its size */

typedef struct meeting {
    gt_run *r;
    double t, *x;
    gt_fields fields;
    double *numbers, *room, *f_side[2], *gram; /* of gradients */
    gt_surfaces all, jumping, kinks, held;
} meeting;

/* ---- which switches share a surface ---- */

/* Sums the products of dg_i and dg_j over the directions of x and t, each about as far as the
 * motion goes in a short time. */
static gt_status add_gradients(meeting *m, const size_t *list, size_t count)
{
    gt_run *r = m->r;
    const gt_problem *p = r->problem;
    const gt_stepper *s = r->base;
    size_t n = s->n;
    double *x = m->f_side[0], *f = m->f_side[1], whole = gt_run_whole(r), size = 0;
    gt_status status = gt_rhs(r->base, m->t, m->x, f);
    if (status) return status;
    memcpy(x, m->x, n * sizeof *x);
    for (size_t i = 0; i < n; i++) size = fmax(size, fabs(x[i]));
    if (size == 0) size = 1;
    for (size_t d = 0; d <= n; d++) {
        double moves = d < n ? fmax(fabs(x[d]), fmin(size, 1e-2 * whole * fabs(f[d]))) : whole;
        double h = 1e-5 * (moves > 0 ? moves : size), change[GT_MOST_WATCHED];
        for (int side = 0; side < 2 && !status; side++) {
            double away = side ? -h : h;
            if (d < n) x[d] = m->x[d] + away;
            status = p->switches(d < n ? m->t : m->t + away, x, s->switch_values, p->ctx);
            for (size_t i = 0; i < count; i++) {
                double g = s->switch_values[s->switch_numbers[list[i]]];
                change[i] = side ? change[i] - g : g;
            }
        }
        if (d < n) x[d] = m->x[d];
        if (status) return status;
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; j < count; j++) m->gram[i * count + j] += change[i] * change[j];
    }
    return GT_OK;
}

/* Those whose functions have parallel gradients share one. */
static gt_status find_surfaces(meeting *m, const size_t *list, size_t count)
{
    gt_surfaces *on = &m->all;
    *on = (gt_surfaces){0};
    memset(m->gram, 0, count * count * sizeof *m->gram);
    gt_status status = count > 1 ? add_gradients(m, list, count) : GT_OK;
    for (size_t j = 0; j < count && !status; j++) {
        const double *gram = m->gram;
        for (size_t i = 0; i < j && !on->of[list[j]]; i++) {
            double ij = gram[i * count + j], both = gram[i * count + i] * gram[j * count + j];
            if (!(both > 0) || ij * ij < both * (1 - 1e-12)) continue;
            int of = on->of[list[i]];
            on->of[list[j]] = (signed char)(ij > 0 ? of : -of);
        }
        if (on->of[list[j]]) continue;
        on->lead[on->count++] = list[j];
        on->of[list[j]] = (signed char)on->count;
    }
    return status;
}

/* Surface i of `from` joins those in `to`. */
static void add_surface(gt_surfaces *to, const gt_surfaces *from, size_t i)
{
    to->lead[to->count++] = from->lead[i];
    for (size_t k = 0; k < GT_MOST_WATCHED; k++) {
        if (from->of[k] == (int)i + 1) to->of[k] = (signed char)to->count;
        if (from->of[k] == -(int)i - 1) to->of[k] = (signed char)-(int)to->count;
    }
}

/* ---- fields ---- */

static gt_status look(meeting *m, const gt_surfaces *on)
{
    gt_fields_carve(&m->fields, m->r->base->n, on->count, m->numbers);
    return gt_fields_look(m->r, on, m->t, m->x, &m->fields);
}

static bool jumps_at(const meeting *m, size_t i)
{
    size_t n = m->fields.n, n_diff = m->r->problem->n_slow + m->r->problem->n_fast;
    const double *f = m->fields.f, *d = f + (i + 1) * n;
    double jump = 0, size = 0;
    for (size_t k = 0; k < n_diff; k++) {
        jump = fmax(jump, fabs(d[k]));
        size = fmax(size, fmax(fabs(f[k]), fabs(f[k] + d[k])));
    }
    return jump > smallest_jump * size;
}

/* Solves for the surfaces, whatever side the others are on: f, and which of them hold the solution.
 * Not `found`: f is made of them in another way, or there may be more than one solution. */
static gt_status solve(meeting *m, const gt_surfaces *on, double *f, bool *found)
{
    *found = true;
    gt_status status = look(m, on);
    if (!status) status = gt_fields_superpose(m->r, on, m->t, m->x, &m->fields, found);
    if (status || !*found) return status;
    if (on->count)
        *found = gt_complement(on->count, m->fields.w, m->fields.W, m->fields.a, m->room);
    if (*found) gt_fields_mix(&m->fields, m->fields.a, f);
    return GT_OK;
}

/* Puts the surfaces on the sides that were solved for; those that hold it go to `held`. */
static gt_status take_places(meeting *m, const gt_surfaces *on)
{
    gt_run *r = m->r;
    signed char sides[GT_MOST_WATCHED];
    gt_surfaces held = {0};
    gt_status status = GT_OK;
    memcpy(sides, r->base->switch_sides, r->n_switches);
    for (size_t i = 0; i < on->count && !status; i++) {
        double a = m->fields.a[i];
        if (a > 0 && a < 1) add_surface(&held, on, i);
        status = gt_surface_put(r, on, i, a > 0 ? 1 : -1, m->t, m->x, sides);
    }
    memcpy(r->base->switch_sides, sides, r->n_switches);
    gt_switch_freeze(r);
    m->held = held;
    return status;
}

static gt_status put(meeting *m, const gt_surfaces *on, size_t i, int side)
{
    gt_stepper *s = m->r->base;
    gt_status status = gt_surface_put(m->r, on, i, side, m->t, m->x, s->switch_sides);
    gt_switch_freeze(m->r);
    return status;
}

/* ---- one by one ---- */

/* Surface i of `on` joins those that hold the solution; `came_from`: the side before, 0 not known.
 */
static gt_status join(meeting *m, const gt_surfaces *on, size_t i, int came_from)
{
    gt_run *r = m->r;
    gt_two_sides two = {0};
    gt_surfaces more = m->held, before = m->held;
    bool found = true;
    gt_status status = GT_OK;
    for (int k = 0; k < 2 && !status && found; k++) {
        status = put(m, on, i, k ? 1 : -1);
        if (!status) status = solve(m, &m->held, m->f_side[k], &found);
        if (status || !found) break;
        status = gt_switch_rates(r, &on->lead[i], 1, m->t, m->x, m->f_side[k],
                                 k ? &two.plus : &two.minus);
    }
    if (status) return status;
    if (!found) return gt_two_surfaces(r, before.lead[0], on->lead[i]);
    int side = gt_switch_side(&two, came_from);
    if (side) {
        status = put(m, on, i, side);
        if (!status) status = solve(m, &before, m->f_side[0], &found);
        return status ? status : take_places(m, &before);
    }
    add_surface(&more, on, i);
    status = solve(m, &more, m->f_side[0], &found);
    if (status) return status;
    if (!found) return gt_two_surfaces(r, before.count ? before.lead[0] : on->lead[i], on->lead[i]);
    return take_places(m, &more);
}

/* A surface at which f does not jump: it goes where the solution goes, or stays with it. */
static gt_status place_kink(meeting *m, size_t i, int came_from)
{
    gt_run *r = m->r;
    double rate = 0, size = 0, one;
    const double *fields = m->fields.f, *f = m->f_side[0];
    size_t n = m->fields.n, lead = m->kinks.lead[i];
    gt_status status = gt_switch_rates(r, &lead, 1, m->t, m->x, f, &rate);
    for (size_t k = 0; k <= m->held.count && !status; k++) {
        double *sum = m->f_side[1];
        for (size_t j = 0; j < n; j++) sum[j] = fields[j] + (k ? fields[k * n + j] : 0);
        status = gt_switch_rates(r, &lead, 1, m->t, m->x, sum, &one);
        size = fmax(size, fabs(one));
    }
    if (status) return status;
    bool stays = m->held.count && fabs(rate) <= 1e-7 * size;
    int side = !stays && rate != 0 ? (rate > 0 ? 1 : -1) : came_from ? came_from : 1;
    for (size_t k = 0; k < r->n_switches && stays; k++)
        if (abs(m->kinks.of[k]) == (int)i + 1) r->base->switch_tied[k] = true;
    return put(m, &m->kinks, i, side);
}

/* ---- all of them ---- */

static gt_status settle(meeting *m, const unsigned char *on, const signed char *came_from)
{
    bool found = false;
    gt_surfaces new_ones = {0};
    gt_status status = solve(m, &m->jumping, m->f_side[0], &found);
    if (status) return status;
    if (found) return take_places(m, &m->jumping);
    for (size_t i = 0; i < m->jumping.count; i++)
        add_surface(on[m->jumping.lead[i]] == GT_HELD ? &m->held : &new_ones, &m->jumping, i);
    for (size_t i = 0; i < new_ones.count && !status; i++)
        status = join(m, &new_ones, i, came_from[new_ones.lead[i]]);
    return status;
}

static gt_status meet(meeting *m, const unsigned char *on, const signed char *came_from,
                      bool *jumps)
{
    gt_run *r = m->r;
    size_t list[GT_MOST_WATCHED], count = 0;
    bool found;
    for (size_t k = 0; k < r->n_switches; k++)
        if (on[k]) list[count++] = k;
    gt_status status = find_surfaces(m, list, count);
    if (!status) status = look(m, &m->all);
    for (size_t i = 0; i < m->all.count && !status; i++) {
        bool jump = jumps_at(m, i);
        *jumps = *jumps || jump;
        add_surface(jump ? &m->jumping : &m->kinks, &m->all, i);
    }
    if (!status && m->jumping.count) status = settle(m, on, came_from);
    if (status) return status;
    bool slides = m->held.count > 0;
    if (m->kinks.count) {
        status = solve(m, &m->held, m->f_side[0], &found);
        for (size_t i = 0; i < m->kinks.count && !status; i++)
            status = place_kink(m, i, came_from[m->kinks.lead[i]]);
    }
    if (status || !slides) return status;
    r->slide_began = r->s->t;
    return gt_run_begin_slide(r, &m->held);
}

gt_status gt_run_meet(gt_run *r, const unsigned char *on, const signed char *came_from, bool *jumps)
{
    assert(r && on && came_from && jumps);
    assert(!r->slide);
    size_t n = r->base->n, count = 0;
    for (size_t k = 0; k < r->n_switches; k++) count += on[k] != 0;
    size_t numbers = gt_fields_numbers(n, count), room = gt_complement_numbers(count);
    meeting *m = malloc(sizeof *m + (3 * n + numbers + room + count * count) * sizeof(double));
    if (!m) return gt_fail(r->message, GT_NO_MEMORY, "out of memory");
    *m = (meeting){.r = r, .t = r->s->t};
    m->x = (double *)(m + 1);
    m->f_side[0] = m->x + n;
    m->f_side[1] = m->f_side[0] + n;
    m->numbers = m->f_side[1] + n;
    m->room = m->numbers + numbers;
    m->gram = m->room + room;
    memcpy(m->x, r->s->x, n * sizeof *m->x);
    gt_status status = meet(m, on, came_from, jumps);
    free(m);
    if (status <= 0) return status;
    return gt_fail(r->message, GT_RHS_FAILED, "f failed at the switch at t = %.10g",
                   gt_shown_time(r->s, r->s->t));
}
