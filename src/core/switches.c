/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Switches: the places where f changes its formula, of which the problem knows the sign functions
 * g_k. During a step the formula of its start is kept (set_sides), so that f is smooth; a change of
 * sign is then found as an event is, and there the other formula takes over. What happens at the
 * surface g_k = 0 depends on dg/dt on both sides of it (Filippov, Differential Equations with
 * Discontinuous Righthand Sides, 1988):
 *
 *     plus > 0, minus > 0    it is crossed upward         plus < 0, minus < 0    downward
 *     plus < 0 < minus       both push to it: the solution slides on it (slide.c)
 *     minus < 0 < plus       both push away: it goes on as it came
 *
 * Where f does not jump, as at the kink of |x|, the history of the method is kept.
 */
#include "core/switches.h"
#include "core/events.h"
#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CHATTER = 100 };

static const double smallest_jump = 1e-9; /* of f, against its size */

const char *gt_relation_name(const gt_problem *p, size_t number, char buffer[GT_NAME_ROOM])
{
    assert(p);
    assert(number < p->n_switches);
    if (p->switch_name)
        p->switch_name(number, buffer, GT_NAME_ROOM, p->ctx);
    else
        snprintf(buffer, GT_NAME_ROOM, "relation %zu", number + 1);
    return buffer;
}

const char *gt_switch_name(const gt_run *r, size_t k, char buffer[GT_NAME_ROOM])
{
    assert(r);
    assert(k < r->n_switches);
    return gt_relation_name(r->problem, r->base->switch_numbers[k], buffer);
}

void gt_switch_freeze(gt_run *r)
{
    const gt_stepper *s = r->base;
    for (size_t k = 0; k < r->n_switches; k++)
        s->switch_held[s->switch_numbers[k]] = s->switch_sides[k];
    r->problem->set_sides(r->n_switches ? s->switch_held : NULL, r->problem->ctx);
}

gt_status gt_switch_values(gt_run *r, double t, const double *x, double *g)
{
    assert(r && x && g);
    const gt_stepper *s = r->base;
    double at = fmin(t, r->s->t_cap); /* relations may jump at a break, as f does */
    gt_status status = r->problem->switches(at, x, s->switch_values, r->problem->ctx);
    for (size_t k = 0; k < r->n_switches; k++) g[k] = s->switch_values[s->switch_numbers[k]];
    return status;
}

gt_status gt_run_roots(gt_run *r, double t, const double *x, double *g)
{
    assert(r && x && g);
    const gt_problem *p = r->problem;
    gt_status status = p->n_roots ? p->roots(t, x, g, p->ctx) : GT_OK;
    if (status || !r->n_switches) return status;
    status = gt_switch_values(r, t, x, g + p->n_roots);
    if (status || !r->slide) return status;
    for (size_t k = 0; k < r->n_switches; k++) {
        if (r->base->switch_tied[k]) g[p->n_roots + k] = r->base->switch_sides[k];
    }
    return gt_slide_hold(r, t, x, g + p->n_roots);
}

/* ---- both sides of a surface ---- */

gt_status gt_switch_look(gt_run *r, size_t k, double t, const double *x, double *f_plus,
                         double *f_minus, gt_two_sides *two)
{
    assert(r && x && f_plus && f_minus && two);
    assert(k < r->n_switches);
    assert(f_plus != f_minus);
    gt_stepper *s = r->base;
    const gt_problem *p = r->problem;
    size_t n = p->n_slow + p->n_fast;
    size_t watched = r->n_switches;
    signed char kept[GT_MOST_WATCHED], plus[GT_MOST_WATCHED], minus[GT_MOST_WATCHED];
    *two = (gt_two_sides){0};
    memcpy(kept, s->switch_sides, watched);
    gt_status status = gt_switch_two_sides(r, k, t, x, plus, minus);
    memcpy(s->switch_sides, plus, watched);
    gt_switch_freeze(r);
    if (!status) status = gt_rhs(s, t, x, f_plus);
    memcpy(s->switch_sides, minus, watched);
    gt_switch_freeze(r);
    if (!status) status = gt_rhs(s, t, x, f_minus);
    memcpy(s->switch_sides, kept, watched);
    gt_switch_freeze(r);
    if (!status) status = gt_switch_rates(r, &k, 1, t, x, f_plus, &two->plus);
    if (!status) status = gt_switch_rates(r, &k, 1, t, x, f_minus, &two->minus);
    for (size_t i = 0; i < n; i++) {
        two->jump = fmax(two->jump, fabs(f_plus[i] - f_minus[i]));
        two->size = fmax(two->size, fmax(fabs(f_plus[i]), fabs(f_minus[i])));
    }
    return status;
}

int gt_switch_side(const gt_two_sides *two, int came_from)
{
    if (two->plus < 0 && two->minus > 0) return 0;
    if (two->plus > 0 && two->minus < 0) return came_from ? -came_from : 1;
    double sum = two->plus + two->minus;
    if (sum == 0) return came_from ? -came_from : 1;
    return sum > 0 ? 1 : -1;
}

/* Adds the states whose equations jump at the surface of switch k to the message, up to `most`. */
static void name_states(gt_run *r, size_t k, const char *before, int most)
{
    gt_stepper *s = r->base;
    const double *plus = s->switch_work, *minus = plus + s->n;
    gt_two_sides two;
    char buffer[24];
    int count = 0;
    if (gt_switch_look(r, k, r->s->t, r->s->x, s->switch_work, s->switch_work + s->n, &two)) return;
    for (size_t i = 0; i < r->problem->n_slow + r->problem->n_fast && count < most; i++) {
        if (!(fabs(plus[i] - minus[i]) > smallest_jump * two.size)) continue;
        gt_say_more(r->message, "%s%s", count++ ? ", " : before,
                    gt_problem_state_name(r->problem, i, buffer));
    }
}

gt_status gt_two_surfaces(gt_run *r, size_t j, size_t k)
{
    char a[GT_NAME_ROOM], b[GT_NAME_ROOM];
    gt_status status = gt_fail(r->message, GT_CANNOT_SLIDE,
                               "at t = %.10g the solution is held on two surfaces at once, "
                               "%s = 0",
                               gt_shown_time(r->s, r->s->t), gt_switch_name(r, j, a));
    name_states(r, j, " by the equation of ", 3);
    gt_say_more(r->message, " and %s = 0", gt_switch_name(r, k, b));
    name_states(r, k, " by that of ", 3);
    gt_say_more(r->message,
                ": what f does there depends on both in a way that has more than one continuation; "
                "make one of the relations smooth, or give the model a mode of its own");
    return status;
}

/* ---- decisions at the accepted point ---- */

/* Puts switch k, which is on its surface, on a side, or begins to slide. */
static gt_status decide(gt_run *r, size_t k, int came_from, bool *jumps)
{
    gt_stepper *s = r->base;
    gt_two_sides two;
    gt_surfaces alone = {.count = 1, .lead = {k}};
    gt_status status =
        gt_switch_look(r, k, r->s->t, r->s->x, s->switch_work, s->switch_work + s->n, &two);
    if (status)
        return gt_fail(r->message, GT_RHS_FAILED, "f failed at the switch at t = %.10g",
                       gt_shown_time(r->s, r->s->t));
    if (two.jump > smallest_jump * two.size) *jumps = true;
    int side = gt_switch_side(&two, came_from);
    status = gt_switch_put(r, k, side ? side : came_from ? came_from : 1);
    if (side || status) return status;
    alone.of[k] = 1;
    return gt_run_begin_slide(r, &alone);
}

/* Of those that are `on` their surfaces at the accepted point; nothing is held there any more. */
static gt_status decide_all(gt_run *r, unsigned char *on, const signed char *came_from, bool *jumps)
{
    size_t count = 0, last = 0;
    gt_status status = GT_OK;
    for (size_t k = 0; k < r->n_switches; k++)
        if (on[k]) last = k, count++;
    if (count == 1) return decide(r, last, came_from[last], jumps);
    if (count && gt_run_may_slide(r)) return gt_run_meet(r, on, came_from, jumps);
    for (size_t k = 0; k < r->n_switches && !status; k++)
        if (on[k] && !r->slide) status = decide(r, k, came_from[k], jumps);
    return status;
}

/* The switches on whose surfaces the run slides are on[k] = GT_HELD; it does so no more. */
static void stop_sliding(gt_run *r, unsigned char *on)
{
    signed char *tied = r->base->switch_tied;
    if (!r->slide) return;
    for (size_t k = 0; k < r->n_switches; k++)
        if (tied[k]) on[k] = GT_HELD;
    memset(tied, 0, r->n_switches * sizeof *tied);
    gt_run_end_slide(r);
}

/* The fields let go of surfaces at the accepted point: those switches that slid on them, and share
 * them, get their sides and are not on them any more. */
static gt_status let_go(gt_run *r, const unsigned char *fired, unsigned char *gone)
{
    const gt_surfaces *on = gt_slide_on(r);
    gt_stepper *s = r->base;
    for (size_t i = 0; i < on->count; i++) {
        int side;
        if (!fired[on->lead[i]]) continue;
        gt_status status = gt_slide_side(r, on->lead[i], &side);
        if (!status) status = gt_surface_put(r, on, i, side, r->s->t, r->s->x, s->switch_sides);
        if (status) return status;
        for (size_t k = 0; k < r->n_switches; k++)
            if (abs(on->of[k]) == (int)i + 1) gone[k] = true;
    }
    gt_switch_freeze(r);
    return GT_OK;
}

/* The middle of the trial, roughly and at no cost of f. NULL: not known. */
const double *gt_run_middle(gt_run *r)
{
    gt_stepper *s = r->s;
    double *x = r->base->switch_work;
    if (s->facts.order > 8) return gt_stepper_interpolate(s, 0.5, x) ? NULL : x;
    if (!s->f_known || (s->facts.flags & GT_USES_JACOBIAN) || r->problem->mass || r->problem->n_alg)
        return NULL;
    for (size_t i = 0; i < s->n; i++) x[i] = 0.75 * s->x[i] + 0.25 * (s->x_new[i] + s->h * s->f[i]);
    return x;
}

/* Whether a relation changes with t while the state does not: seen at two times of the run. */
bool gt_switches_in_time(gt_run *r)
{
    const gt_problem *p = r->problem;
    const gt_stepper *s = r->base;
    double whole = gt_run_whole(r), *g = s->switch_values, *here = s->switch_past;
    const double away[] = {0.3719, 0.8123}, unit = isfinite(whole) ? whole : 1;
    if (p->autonomous || p->switches(s->t, s->x, here, p->ctx)) return !p->autonomous;
    for (int k = 0; k < 2; k++) {
        if (p->switches(p->t0 + away[k] * unit, s->x, g, p->ctx)) return true;
        for (size_t i = 0; i < r->n_relations; i++)
            if (g[i] != here[i]) return true;
    }
    return false;
}

/* The sides at a start: by the sign of g, or by what f does where that is zero. */
gt_status gt_run_start_switches(gt_run *r)
{
    assert(r);
    const gt_problem *p = r->problem;
    gt_stepper *s = r->base;
    bool jumps = false;
    if (!r->n_relations) return GT_OK;
    unsigned char held[GT_MOST_WATCHED] = {0}, *on = s->fired;
    size_t numbers[GT_MOST_WATCHED], count = 0;
    stop_sliding(r, held);
    for (size_t k = 0; k < r->n_switches && !p->on_break; k++)
        if (held[k]) numbers[count++] = s->switch_numbers[k];
    if (gt_run_begin_watch(r, numbers, count))
        return gt_fail(r->message, GT_RHS_FAILED,
                       "the relations of the model cannot be evaluated at t = %g",
                       gt_shown_time(s, s->t));
    for (size_t k = 0; k < r->n_switches; k++) {
        double g = s->switch_past[s->switch_numbers[k]];
        on[k] = g == 0 ? GT_MEETS : 0;
        if (gt_is_among(numbers, count, s->switch_numbers[k])) on[k] = GT_HELD;
        s->root_values[k] = g;
    }
    static const signed char unknown[GT_MOST_WATCHED] = {0};
    gt_status status = gt_switch_take_sides(r, s->root_values);
    return status ? status : decide_all(r, on, unknown, &jumps);
}

/* Switches after an event, which may have moved the state: `before` has the functions from before
 * it. */
gt_status gt_run_resettle_switches(gt_run *r, const double *before)
{
    const gt_problem *p = r->problem;
    gt_stepper *s = r->base;
    unsigned char *fired = s->fired + p->n_roots, held[GT_MOST_WATCHED] = {0}, on[GT_MOST_WATCHED];
    signed char was[GT_MOST_WATCHED];
    bool jumps = false;
    if (!r->n_switches) return GT_OK;
    if (r->s != s) memcpy(s->fired, r->s->fired, r->n_roots);
    stop_sliding(r, held);
    double *g = s->root_values;
    p->set_sides(NULL, p->ctx); /* the state may be anywhere: all functions as they are there */
    gt_status status = gt_switch_values(r, s->t, s->x, g);
    for (size_t k = 0; k < r->n_switches && !status; k++) {
        bool near = (fired[k] || held[k]) && fabs(g[k]) <= 16 * fabs(before[k]);
        on[k] = near || g[k] == 0 ? (held[k] ? GT_HELD : GT_MEETS) : 0;
        was[k] = held[k] ? 0 : s->switch_sides[k];
    }
    if (!status) status = gt_switch_take_sides(r, g);
    return status ? status : decide_all(r, on, was, &jumps);
}

/* The root that belongs to a switch is on the side whose formula is used; or, while sliding, held.
 */
void gt_run_sync_sides(gt_run *r)
{
    size_t first = r->problem->n_roots;
    for (size_t k = 0; k < r->n_switches; k++) {
        bool held = gt_slide_leads(r, k);
        int side = held ? 1 : r->base->switch_sides[k];
        gt_root_sides(r)[first + k] = (signed char)side;
        gt_root_leaving(r)[first + k] = !held && !(gt_root_start(r)[first + k] * side > 0);
    }
}

/* The solution has not gone to the side on which switch k was put: back to the other formula. */
gt_status gt_run_flip_back(gt_run *r, size_t k)
{
    assert(r);
    assert(k < r->n_switches);
    r->s->f_known = false;
    return gt_switch_put(r, k, -r->base->switch_sides[k]);
}

/* How often switches fire with next to no time between them. */
static void count_chatter(gt_run *r, size_t k)
{
    r->s->stats.switches++;
    gt_run_note_switch(r, r->base->switch_numbers[k]);
    bool close = r->s->t - r->last_switch < gt_crowd_time(r);
    r->chatter = close ? r->chatter + 1 : 0;
    r->last_switch = r->s->t;
    if (r->chatter > MAX_CHATTER) r->lookout.endless = true;
}

/* Where switches follow one another with next to no time between them, those that are that near are
 * on their surfaces too: a solution may wind itself round a corner into it, in infinitely many
 * turns. */
static gt_status add_near(gt_run *r, unsigned char *on)
{
    gt_stepper *s = r->base;
    size_t list[GT_MOST_WATCHED];
    double rate[GT_MOST_WATCHED], g[GT_MOST_WATCHED];
    for (size_t k = 0; k < r->n_switches; k++) list[k] = k;
    gt_status status = gt_rhs(s, r->s->t, r->s->x, s->switch_work);
    if (!status)
        status = gt_switch_rates(r, list, r->n_switches, r->s->t, r->s->x, s->switch_work, rate);
    if (!status) status = gt_switch_values(r, r->s->t, r->s->x, g);
    for (size_t k = 0; k < r->n_switches && !status; k++)
        if (!on[k] && fabs(g[k]) <= 4 * gt_crowd_time(r) * fabs(rate[k])) on[k] = GT_MEETS;
    return status;
}

/* After a step that ends at the surfaces of the switches that fired. */
gt_status gt_run_pass_switches(gt_run *r, bool *restart)
{
    assert(r && restart);
    const gt_problem *p = r->problem;
    gt_stepper *s = r->base;
    unsigned char fired[GT_MOST_WATCHED], on[GT_MOST_WATCHED] = {0}, gone[GT_MOST_WATCHED] = {0};
    signed char was[GT_MOST_WATCHED];
    gt_status status = GT_OK;
    memcpy(fired, r->s->fired + p->n_roots, r->n_switches);
    for (size_t k = 0; k < r->n_switches && !status; k++) {
        if (!fired[k]) continue;
        count_chatter(r, k);
        if (r->kink) status = gt_switch_put(r, k, -s->switch_sides[k]);
    }
    if (status || r->kink) return status;
    if (r->slide) {
        *restart = true;
        status = let_go(r, fired, gone);
        stop_sliding(r, on);
    }
    for (size_t k = 0; k < r->n_switches; k++) {
        was[k] = on[k] ? 0 : s->switch_sides[k];
        if (fired[k] && !on[k]) on[k] = GT_MEETS;
        if (gone[k]) on[k] = 0;
    }
    if (!status && r->chatter) status = add_near(r, on);
    return status ? status : decide_all(r, on, was, restart);
}

/* Whether all roots that fired are switches at which f does not jump, seen at the point of the
 * crossing. */
gt_status gt_run_is_kink(gt_run *r, double t, const double *x, bool *kink)
{
    assert(r && x && kink);
    const gt_problem *p = r->problem;
    gt_stepper *s = r->base;
    *kink = false;
    for (size_t i = 0; i < p->n_roots; i++) {
        if (r->s->fired[i]) return GT_OK;
    }
    for (size_t k = 0; k < r->n_switches; k++) {
        if (!r->s->fired[p->n_roots + k]) continue;
        if (r->slide) return GT_OK;
        gt_two_sides two;
        gt_status status = gt_switch_look(r, k, t, x, s->switch_work, s->switch_work + s->n, &two);
        if (status) return status;
        if (two.jump > smallest_jump * two.size) return GT_OK;
    }
    *kink = true;
    return GT_OK;
}

bool gt_run_fired_events(const gt_run *r)
{
    for (size_t i = 0; i < r->problem->n_roots; i++) {
        if (r->s->fired[i]) return true;
    }
    return false;
}
