/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which switches are watched. A switch that is watched is a root of the run, and its formula is
 * held while a step is tried; that costs. Most switches are far from their surfaces most of the
 * time: f as it stands is then the same to the last bit, so they are not held, and not watched, and
 * only looked at now and then:
 *
 *     at a look, g_k has moved by at most w_k between looks, the states by at most d_i, and is
 * |g_k| from zero; with q = min |g_k| / w_k the next look is due when a state has moved by min(q /
 * 2, 2) d_i, or after some steps.
 *
 * A look that finds a switch near its surface, q below NEAR, watches it from the start of the trial
 * on; one that finds it on the other side returns to the point of the last look first.
 *
 * Up to MOST_WATCHED switches are watched at a time. Where more are near their surfaces at once, or
 * more than a few dozen switch all the time, as cells of an array do, f is taken as it stands,
 * under error control, and a warning says so.
 *
 * A formula that is held need not be defined beyond its surface, as sqrt(h) is not where
 * sqrt(max(h,0)) is; and the solution may come to the surface and not cross it, as the level of a
 * tank that runs dry: with the formula held each step towards it is shorter than the one before.
 * Where trials fail again and again the switches are released, until all are away from their
 * surfaces.
 */
#include "base/finite.h"
#include "core/events.h"
#include "core/switches.h"
#include <math.h>
#include <string.h>

enum {
    MOST_WATCHED = GT_MOST_WATCHED,
    MOST_UNSEEN = 128,   /* steps between looks */
    MOST_IN_ONE_GO = 32, /* steps between looks at how far the states have moved */
    CROWDED_UNSEEN = 8,  /* the same where nothing would be located */
    WIDE = 8,  /* |g| / w, from which on not every step is asked how far the states have moved, */
    QUIET = 16 /* but one of so many */
};

static const double near_surface = 1.25, forget = 0.9;
/* of the way between looks: a wave may return after a long one */
static const double most_growth = 2;

size_t gt_run_most_watched(const gt_problem *p)
{
    if (!p->switches || !p->set_sides) return 0;
    return p->n_switches < MOST_WATCHED ? p->n_switches : MOST_WATCHED;
}

/* While none is watched; else for looks at both sides of a surface. */
static double *seen_x(const gt_run *r) { return r->base->switch_work + r->base->n; }
static double *moves_of_x(const gt_run *r) { return r->base->switch_work + 2 * r->base->n; }

/* ---- looks ---- */

static gt_status values_at(gt_run *r, double t, const double *x)
{
    if (!r->problem->switches(t, x, r->base->switch_values, r->problem->ctx)) return GT_OK;
    return gt_fail(r->message, GT_RHS_FAILED,
                   "the relations of the model cannot be evaluated at t = %.10g",
                   gt_shown_time(r->s, t));
}

typedef struct sight {
    bool passed, near; /* some switch has, or is */
    double room;       /* the least |g| / w */
} sight;

/* Compares the values with those of the last look. */
static void compare(gt_run *r, sight *all)
{
    const double *g = r->base->switch_values, *past = r->base->switch_past;
    double *moves = r->base->switch_moves, room = all->room;
    unsigned long long passed = 0, near = 0;
    for (size_t k = 0; k < r->n_relations; k++) {
        double change = fabs(g[k] - past[k]), w = forget * moves[k],
               side = gt_on_side(past[k], g[k]);
        w = w > change ? w : change;
        moves[k] = w;
        passed |= side < 0;
        near |= side < near_surface * w;
        if (side < room * w) room = side / w;
    }
    all->passed = all->passed || passed;
    all->near = all->near || near;
    all->room = room;
}

/* What t alone does in relations since the last look, as in sign(sin(t)): where f is constant but
 * for it, steps have any length. Uneven, so that no period fits between all. */
static gt_status look_in_time(gt_run *r, double until, const double *x, sight *all)
{
    static const double parts[6] = {0.13, 0.29, 0.41, 0.58, 0.73, 0.87};
    const gt_lookout *l = &r->lookout;
    gt_status status = GT_OK;
    for (int k = 0; k < 6 && l->in_time && !status; k++) {
        status = values_at(r, l->t + parts[k] * (until - l->t), x);
        if (!status) compare(r, all);
    }
    return status;
}

static gt_status look_at_trial(gt_run *r, sight *all)
{
    gt_stepper *s = r->s;
    *all = (sight){.room = 1e3};
    const double *middle = gt_run_middle(r);
    gt_status status = middle ? values_at(r, s->t + 0.5 * s->h, middle) : GT_OK;
    if (!status && middle) compare(r, all);
    if (!status) status = look_in_time(r, s->t_new, s->x_new, all);
    if (!status) status = values_at(r, s->t_new, s->x_new);
    if (!status) compare(r, all);
    return status;
}

/* Before how many steps nobody asks whether a look is due. */
static long quiet_from(const gt_run *r, long steps, double room)
{
    bool may =
        room >= WIDE && !r->n_switches && !r->wanted && !r->one_by_one && !r->problem->n_roots;
    return may ? steps + (r->lookout.pace < QUIET ? r->lookout.pace : QUIET) : 0;
}

/* What was seen becomes what the next look is compared with, and the point x at t the one to return
 * to. */
static void keep_sight(gt_run *r, double t, const double *x, long steps, double room)
{
    gt_stepper *s = r->base;
    gt_lookout *l = &r->lookout;
    double *values = s->switch_values, *seen = seen_x(r), *moves = moves_of_x(r);
    s->switch_values = s->switch_past;
    s->switch_past = values;
    for (size_t i = 0; i < s->n && !r->n_switches; i++) {
        double change = fabs(x[i] - seen[i]), d = forget * moves[i];
        moves[i] = d > change ? d : change;
        seen[i] = x[i];
    }
    l->moves_t = fmax(forget * l->moves_t, t - l->t);
    l->t = t;
    l->h = r->s->h;
    l->memory = r->memory;
    l->looked_to = r->looked_to;
    l->pace = steps - l->steps > 0 ? steps - l->steps : 1;
    l->steps = steps;
    l->room = fmin(room / 2, most_growth);
    l->wide = room >= WIDE;
    l->quiet_until = quiet_from(r, steps, room);
}

/* The first look at a new start: how anything moves is not known. */
static void begin_sight(gt_run *r)
{
    if (!r->n_switches) {
        memset(moves_of_x(r), 0, r->base->n * sizeof(double));
        memcpy(seen_x(r), r->s->x, r->base->n * sizeof(double));
    }
    r->lookout.t = r->s->t;
    r->lookout.moves_t = 0;
    keep_sight(r, r->s->t, r->s->x, r->s->stats.steps, 0);
}

static gt_status look_here(gt_run *r)
{
    gt_status status = values_at(r, r->s->t, r->s->x);
    if (!status) begin_sight(r);
    return status;
}

static bool out_of_room(const gt_run *r)
{
    const gt_lookout *l = &r->lookout;
    const double *x = r->s->x_new, *seen = seen_x(r), *moves = moves_of_x(r);
    double room = l->room;
    if (r->s->t_new - l->t > room * l->moves_t) return true;
    for (size_t i = 0, n = r->base->n; i < n; i++)
        if (fabs(x[i] - seen[i]) > room * moves[i]) return true;
    return false;
}

static long steps_unseen(const gt_run *r) { return r->s->stats.steps - r->lookout.steps; }

long gt_run_steps_ahead(const gt_run *r)
{
    const gt_lookout *l = &r->lookout;
    long most = MOST_IN_ONE_GO, room = (long)(l->room * (double)l->pace) - steps_unseen(r) - 1;
    if (room < most) most = room;
    return most > 0 ? most : 0;
}

static bool look_is_due(const gt_run *r)
{
    if (r->lookout.crowded) return steps_unseen(r) + 1 >= CROWDED_UNSEEN;
    if (steps_unseen(r) + 1 >= MOST_UNSEEN || (r->wanted & GT_AT_STEP) || r->problem->n_roots)
        return true;
    if (r->one_by_one && r->s->t_new >= r->target)
        return true; /* the caller of the handle sees this step */
    if (r->wanted && r->s->t_new >= gt_run_next_sample(r)) return true;
    return out_of_room(r);
}

/* ---- the list of those that are watched ---- */

/* The roots of the run become those of the events and `count` switches; what is known of the first
 * ones stays. */
static void lay_out_roots(gt_run *r, size_t count)
{
    gt_stepper *s = r->s;
    size_t from = r->n_roots, to = r->problem->n_roots + count, kept = from < to ? from : to;
    size_t flags = from ? gt_root_flags(from) / from : 0,
           numbers = from ? gt_root_numbers(from) / from : 0;
    for (size_t k = 0; k < flags; k++) {
        size_t b = to > from ? flags - 1 - k : k;
        memmove(s->root_sides + b * to, s->root_sides + b * from, kept * sizeof *s->root_sides);
        if (to > kept)
            memset(s->root_sides + b * to + kept, 0, (to - kept) * sizeof *s->root_sides);
    }
    for (size_t k = 0; k < numbers; k++) {
        size_t b = to > from ? numbers - 1 - k : k;
        memmove(s->root_values + b * to, s->root_values + b * from, kept * sizeof *s->root_values);
        for (size_t i = kept; i < to; i++) s->root_values[b * to + i] = 0;
    }
    if (!from) {
        memset(s->root_sides, 0, gt_root_flags(to) * sizeof *s->root_sides);
        memset(s->root_values, 0, gt_root_numbers(to) * sizeof *s->root_values);
    }
    if (to > kept) memset(s->fired + kept, 0, (to - kept) * sizeof *s->fired);
    r->n_switches = count;
    r->n_roots = to;
    for (size_t i = kept; i < to; i++) gt_root_beyond(r)[i] = -1;
}

/* Forgets the list: f as it stands. */
static void watch_none(gt_run *r)
{
    gt_stepper *s = r->base;
    for (size_t k = 0; k < r->n_switches; k++) s->switch_held[s->switch_numbers[k]] = 0;
    if (r->n_switches) r->problem->set_sides(NULL, r->problem->ctx);
    lay_out_roots(r, 0);
    r->lookout.leaves = false;
}

/* Adds to the list those of the last look that are near, of a few switches all; false: they are too
 * many. */
static bool list_near(gt_run *r, size_t *count)
{
    const gt_stepper *s = r->base;
    bool all = r->n_relations <= MOST_WATCHED;
    size_t n = *count;
    for (size_t k = 0; k < r->n_relations; k++) {
        if (s->switch_held[k]) continue;
        if (!all && !(gt_on_side(s->switch_past[k], s->switch_values[k]) <
                      near_surface * s->switch_moves[k]))
            continue;
        if (n == MOST_WATCHED) return false;
        s->switch_numbers[n++] = k;
    }
    *count = n;
    return true;
}

/* Watches the switches on the list from the accepted point on; those from `first` on are new. */
static gt_status watch_list(gt_run *r, size_t first, size_t count)
{
    gt_stepper *s = r->base;
    gt_status status = values_at(r, r->s->t, r->s->x);
    if (status) return status;
    lay_out_roots(r, count);
    for (size_t k = first; k < count; k++) {
        double g = s->switch_values[s->switch_numbers[k]],
               past = s->switch_past[s->switch_numbers[k]];
        s->switch_sides[k] = (g != 0 ? g : past) < 0 ? -1 : 1;
        s->switch_tied[k] = false;
    }
    gt_switch_freeze(r);
    if (gt_run_roots(r, r->s->t, r->s->x, gt_root_start(r)))
        return gt_fail(r->message, GT_RHS_FAILED, "the root functions failed at t = %g",
                       gt_shown_time(r->s, r->s->t));
    size_t events = r->problem->n_roots;
    for (size_t k = first; k < count; k++) {
        gt_root_sides(r)[events + k] = s->switch_sides[k];
        gt_root_leaving(r)[events + k] = !(gt_root_start(r)[events + k] * s->switch_sides[k] > 0);
    }
    return GT_OK;
}

/* To the point of the last look, from which the steps are taken again. */
static void go_back(gt_run *r)
{
    gt_lookout *l = &r->lookout;
    gt_stepper *s = r->s;
    gt_stepper_start(s, l->t, seen_x(r));
    s->stats.rejected += s->stats.steps - l->steps;
    s->stats.steps = l->steps;
    r->memory = l->memory;
    r->looked_to = l->looked_to;
    r->h = l->h;
    r->rejections = 0;
    l->returned = true;
}

/* Some switch is near: those that are, by the last look, are watched from the accepted point on, or
 * from that of the look before it where one of them has passed in between. */
static gt_status come_near(gt_run *r)
{
    gt_lookout *l = &r->lookout;
    size_t count = 0;
    sight here = {.room = 1e3};
    if (!list_near(r, &count)) {
        gt_run_pass_over(r);
        keep_sight(r, r->s->t_new, r->s->x_new, r->s->stats.steps + 1, 0);
        return GT_OK;
    }
    l->crowded = false;
    if (steps_unseen(r) > 0) {
        gt_status status = look_in_time(r, r->s->t, r->s->x, &here);
        if (!status) status = values_at(r, r->s->t, r->s->x);
        if (status) return status;
        compare(r, &here);
        if (here.passed) {
            count = 0;
            if (!list_near(r, &count)) count = 0;
            go_back(r);
        }
    }
    return watch_list(r, 0, count);
}

/* Whether the list may be made anew from what the last look saw: it is long, and none is just
 * leaving its surface. */
static bool may_renew(const gt_run *r)
{
    if (r->slide || r->n_switches <= MOST_WATCHED / 2) return false;
    for (size_t i = r->problem->n_roots; i < r->n_roots; i++)
        if (gt_root_leaving(r)[i]) return false;
    return true;
}

/* Watches none from the accepted point on. */
static gt_status watch_anew(gt_run *r)
{
    watch_none(r);
    return look_here(r);
}

/* While some are watched: others that come near join them. Where they are too many, the trial is
 * made again: with the formula of a switch held that it passes, it would be wrong, and its estimate
 * does not see that. */
static gt_status join(gt_run *r, bool *again)
{
    if (may_renew(r)) watch_none(r);
    size_t first = r->n_switches, count = first;
    *again = false;
    if (list_near(r, &count) && !r->slide) {
        gt_status status = count > first ? watch_list(r, first, count) : GT_OK;
        return status ? status : values_at(r, r->s->t_new, r->s->x_new);
    }
    if (!r->slide) {
        *again = true;
        return watch_anew(r);
    }
    gt_run_pass_over(r);
    r->lookout.crowded = false;
    return GT_OK;
}

/* ---- what a run asks for ---- */

gt_status gt_run_begin_watch(gt_run *r, const size_t *held, size_t n_held)
{
    gt_stepper *s = r->base;
    size_t count = 0;
    watch_none(r);
    r->lookout.released = false;
    r->lookout.failures = 0;
    memset(s->switch_held, 0, r->n_relations * sizeof *s->switch_held);
    memset(s->switch_moves, 0, r->n_relations * sizeof *s->switch_moves);
    if (!r->s->stats.steps) r->lookout.in_time = gt_switches_in_time(r);
    gt_status status = look_here(r);
    if (status) return status;
    bool all = r->n_relations <= MOST_WATCHED;
    for (size_t k = 0; k < r->n_relations; k++) {
        if (!all && s->switch_past[k] != 0 && !gt_is_among(held, n_held, k)) continue;
        if (count == MOST_WATCHED) { /* as an array that is zero at the start: nothing is known of
                                        them yet */
            count = 0;
            break;
        }
        s->switch_numbers[count++] = k;
    }
    lay_out_roots(r, count);
    memset(s->switch_tied, 0, count * sizeof *s->switch_tied);
    return GT_OK;
}

gt_status gt_run_look_out(gt_run *r, bool must, bool *again)
{
    gt_lookout *l = &r->lookout;
    sight all;
    *again = l->returned = false;
    if (r->n_switches == r->n_relations || r->s->facts.functions) return GT_OK;
    if (!r->n_switches && !must && !look_is_due(r)) {
        l->quiet_until = l->wide ? quiet_from(r, r->s->stats.steps, WIDE) : 0;
        return GT_OK;
    }
    gt_status status = look_at_trial(r, &all);
    if (status) return status;
    l->released = l->released && all.near && !r->n_switches;
    if (all.near && r->n_switches) {
        status = join(r, again);
        if (*again) return status;
    } else if (all.near && !l->released) {
        status = come_near(r);
        *again = l->returned;
        return status;
    } else {
        l->crowded = false;
    }
    if (!status && r->n_relations)
        keep_sight(r, r->s->t_new, r->s->x_new, r->s->stats.steps + 1, all.room);
    return status;
}

gt_status gt_run_look_behind(gt_run *r)
{
    if (!r->n_relations || !(r->lookout.t > r->s->t)) return GT_OK;
    return look_here(r);
}

gt_status gt_run_look_rejected(gt_run *r, bool finished, bool *again)
{
    gt_lookout *l = &r->lookout;
    sight all = {.room = 1e3};
    *again = l->returned = false;
    if (r->n_switches || l->crowded || l->released || !finished || !out_of_room(r)) return GT_OK;
    if (!gt_all_finite(r->s->x_new, r->s->n)) return GT_OK;
    gt_status status = values_at(r, r->s->t_new, r->s->x_new);
    if (status) return status;
    compare(r, &all);
    if (!all.passed) return GT_OK;
    r->h = r->s->h;
    status = come_near(r);
    *again = r->n_switches > 0;
    return status;
}

gt_status gt_run_release(gt_run *r)
{
    r->lookout.released = true;
    r->lookout.failures = 0;
    r->approaching = false;
    return watch_anew(r);
}

gt_status gt_run_leave_watch(gt_run *r)
{
    gt_lookout *l = &r->lookout;
    bool given_up = l->endless || l->busy_spans >= GT_MOST_BUSY_SPANS, far = l->leaves && !given_up;
    if (!(given_up || (l->leaves && !r->slide))) return GT_OK;
    if (far) return watch_anew(r);
    if (r->slide) {
        memset(r->base->switch_tied, 0, r->n_switches * sizeof *r->base->switch_tied);
        gt_run_end_slide(r);
    }
    watch_none(r);
    l->first_over = r->s->t;
    r->n_relations = 0;
    return GT_OK;
}

gt_status gt_run_watch_event(gt_run *r)
{
    size_t count = 0;
    r->lookout.leaves = false;
    if (r->n_switches || !r->n_relations || r->n_relations > MOST_WATCHED) return GT_OK;
    return list_near(r, &count) ? watch_list(r, 0, count) : GT_OK;
}

gt_status gt_run_after_event(gt_run *r)
{
    if (r->n_switches == r->n_relations) return GT_OK;
    return look_here(r);
}
