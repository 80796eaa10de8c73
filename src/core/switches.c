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
    return gt_slide_hold(r, t, x, &g[p->n_roots + gt_slide_of(r)]);
}

/* ---- both sides of a surface ---- */

/* Differences of order 4, 12 dt dg/dt: about the point, and, next to a break, to one side of it. */
enum { POINTS = 4 };
typedef struct difference {
    int at[POINTS];
    double weight[POINTS];
    bool one_sided;
} difference;
static const difference about = {{1, -1, 2, -2}, {8, -8, -1, 1}, false};
static const difference ahead = {{1, 2, 3, 4}, {48, -36, 16, -3}, true};
static const difference behind = {{-1, -2, -3, -4}, {-48, 36, -16, 3}, true};

static const difference *difference_within(const gt_run *r, double t, double *dt)
{
    const gt_problem *p = r->problem;
    size_t next = r->next_break;
    while (next < p->n_breaks && p->breaks[next] <= t) next++;
    double before = next > 0 ? t - p->breaks[next - 1] : INFINITY;
    double after = next < p->n_breaks ? p->breaks[next] - t : INFINITY;
    if (fmin(before, after) > 2 * *dt) return &about;
    *dt = fmin(*dt, 0.24 * fmax(before, after));
    return before < after ? &ahead : &behind;
}

/* dg_k/dt along f, by points far enough apart that round-off is 1e-12 of it, since the motion on a
 * surface and its Jacobian are made of it; none of them beyond a break, where g may jump. */
static gt_status rate_of(gt_run *r, size_t k, double t, const double *x, const double *f,
                         double *rate)
{
    const gt_problem *p = r->problem;
    size_t n = r->base->n, n_diff = p->n_slow + p->n_fast;
    double *moved = r->base->switch_work + 2 * n, size = 0, speed = 0;
    const double *g = &r->base->switch_values[r->base->switch_numbers[k]];
    for (size_t i = 0; i < n_diff; i++) {
        size = fmax(size, fabs(x[i]));
        speed = fmax(speed, fabs(f[i]));
    }
    double dt = 1e-2 * gt_run_whole(r);
    if (size > 0 && speed > 0) dt = fmin(dt, size / speed);
    dt *= 5e-4;
    memcpy(moved, x, n * sizeof *x);
    const difference *points = difference_within(r, t, &dt);
    double sum = 0, here = 0; /* g at the point is subtracted, so that what stands still is 0 */
    gt_status status = GT_OK;
    if (points->one_sided) {
        status = p->switches(t, x, r->base->switch_values, p->ctx);
        here = *g;
    }
    for (int j = 0; j < POINTS && !status; j++) {
        double away = points->at[j] * dt;
        for (size_t i = 0; i < n_diff; i++) moved[i] = x[i] + away * f[i];
        status = p->switches(t + away, moved, r->base->switch_values, p->ctx);
        sum += points->weight[j] * (*g - here);
    }
    *rate = sum / (12 * dt);
    return status;
}

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
    if (!status) status = rate_of(r, k, t, x, f_plus, &two->plus);
    if (!status) status = rate_of(r, k, t, x, f_minus, &two->minus);
    for (size_t i = 0; i < n; i++) {
        two->jump = fmax(two->jump, fabs(f_plus[i] - f_minus[i]));
        two->size = fmax(two->size, fmax(fabs(f_plus[i]), fabs(f_minus[i])));
    }
    return status;
}

/* The side of switch k at a point of its surface; 0: it slides. `came_from`: the side before, 0 not
 * known. */
static int side_of(const gt_two_sides *two, int came_from)
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

static gt_status two_surfaces(gt_run *r, size_t j, size_t k)
{
    char a[GT_NAME_ROOM], b[GT_NAME_ROOM];
    gt_status status = gt_fail(r->message, GT_CANNOT_SLIDE,
                               "at t = %.10g the solution is held on two surfaces at once, "
                               "%s = 0",
                               gt_shown_time(r->s, r->s->t), gt_switch_name(r, j, a));
    name_states(r, j, " by the equation of ", 3);
    gt_say_more(r->message, " and %s = 0", gt_switch_name(r, k, b));
    name_states(r, k, " by that of ", 3);
    gt_say_more(
        r->message,
        ": sliding on one is followed, on two it is not; make one of the relations smooth, or give "
        "the model a mode of its own");
    return status;
}

/* ---- decisions at the accepted point ---- */

/* Puts switch k, which is on its surface, on a side, or begins to slide. One that comes to its
 * surface together with the one that slides, as sign(v) and abs(v) do, stays there with it. */
static gt_status decide(gt_run *r, size_t k, int came_from, bool *jumps)
{
    gt_stepper *s = r->base;
    gt_two_sides two;
    if (r->slide && r->slide_began == r->s->t) {
        s->switch_tied[k] = true;
        return GT_OK;
    }
    gt_status status =
        gt_switch_look(r, k, r->s->t, r->s->x, s->switch_work, s->switch_work + s->n, &two);
    if (status)
        return gt_fail(r->message, GT_RHS_FAILED, "f failed at the switch at t = %.10g",
                       gt_shown_time(r->s, r->s->t));
    if (two.jump > smallest_jump * two.size) *jumps = true;
    int side = side_of(&two, came_from);
    if (side == 0 && r->slide) return two_surfaces(r, gt_slide_of(r), k);
    status = gt_switch_put(r, k, side ? side : came_from ? came_from : 1);
    if (side || status) return status;
    memset(s->switch_tied, 0, r->n_switches);
    r->slide_began = r->s->t;
    return gt_run_begin_slide(r, k);
}

/* The fields let go at the accepted point: the switch that slid, and those tied to it, get their
 * sides. */
static gt_status let_go(gt_run *r)
{
    gt_stepper *s = r->base;
    size_t held = gt_slide_of(r);
    int side = 1;
    bool jumps;
    gt_status status = gt_slide_exit(r, &side);
    if (!status) status = gt_switch_put(r, held, side);
    gt_run_end_slide(r);
    for (size_t k = 0; k < r->n_switches && !status; k++) {
        if (!s->switch_tied[k]) continue;
        s->switch_tied[k] = false;
        status = decide(r, k, 0, &jumps);
    }
    return status;
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
    size_t held = r->slide && !p->on_break ? s->switch_numbers[gt_slide_of(r)] : r->n_relations;
    gt_run_end_slide(r);
    if (gt_run_begin_watch(r, held))
        return gt_fail(r->message, GT_RHS_FAILED,
                       "the relations of the model cannot be evaluated at t = %g",
                       gt_shown_time(s, s->t));
    unsigned char *on_surface = s->fired;
    for (size_t k = 0; k < r->n_switches; k++) {
        double g = s->switch_past[s->switch_numbers[k]];
        on_surface[k] = g == 0 || s->switch_numbers[k] == held;
        s->root_values[k] = g;
    }
    gt_status status = gt_switch_take_sides(r, s->root_values);
    for (size_t k = 0; k < r->n_switches && !status; k++)
        if (on_surface[k]) status = decide(r, k, 0, &jumps);
    return status;
}

/* Switches after an event, which may have moved the state: `before` has the functions from before
 * it. */
gt_status gt_run_resettle_switches(gt_run *r, const double *before)
{
    const gt_problem *p = r->problem;
    gt_stepper *s = r->base;
    size_t held = r->slide ? gt_slide_of(r) : r->n_switches;
    unsigned char *fired = s->fired + p->n_roots;
    bool jumps = false;
    if (!r->n_switches) return GT_OK;
    if (r->s != s) memcpy(s->fired, r->s->fired, r->n_roots);
    gt_run_end_slide(r);
    double *g = s->root_values;
    p->set_sides(NULL, p->ctx); /* the state may be anywhere: all functions as they are there */
    gt_status status = gt_switch_values(r, s->t, s->x, g);
    unsigned char near[GT_MOST_WATCHED];
    signed char was[GT_MOST_WATCHED];
    memcpy(was, s->switch_sides, r->n_switches);
    for (size_t k = 0; k < r->n_switches && !status; k++)
        near[k] = g[k] == 0 || ((fired[k] || k == held) && fabs(g[k]) <= 16 * fabs(before[k]));
    if (!status) status = gt_switch_take_sides(r, g);
    for (size_t k = 0; k < r->n_switches && !status; k++)
        if (near[k]) status = decide(r, k, k == held ? 0 : was[k], &jumps);
    return status;
}

/* The root that belongs to a switch is on the side whose formula is used; or, while sliding, held.
 */
void gt_run_sync_sides(gt_run *r)
{
    size_t first = r->problem->n_roots;
    for (size_t k = 0; k < r->n_switches; k++) {
        bool held = r->slide && k == gt_slide_of(r);
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

/* After a step that ends at the surfaces of the switches that fired. */
gt_status gt_run_pass_switches(gt_run *r, bool *restart)
{
    assert(r && restart);
    const gt_problem *p = r->problem;
    gt_stepper *s = r->base;
    unsigned char *fired = r->s->fired + p->n_roots;
    gt_status status = GT_OK;
    for (size_t k = 0; k < r->n_switches && !status; k++) {
        if (!fired[k]) continue;
        r->s->stats.switches++;
        gt_run_note_switch(r, s->switch_numbers[k]);
        bool close = r->s->t - r->last_switch < gt_crowd_time(r);
        r->chatter = close ? r->chatter + 1 : 0;
        r->last_switch = r->s->t;
        if (r->chatter > MAX_CHATTER) r->lookout.endless = true;
        if (r->slide && k == gt_slide_of(r)) {
            status = let_go(r);
            *restart = true;
            break;
        } else if (r->kink) {
            status = gt_switch_put(r, k, -s->switch_sides[k]);
        } else {
            status = decide(r, k, s->switch_sides[k], restart);
            fired = r->s->fired + p->n_roots;
        }
    }
    return status;
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
        if (r->slide && k == gt_slide_of(r)) return GT_OK;
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
