/* SPDX-License-Identifier: BSD-3-Clause */
/* The first crossing of a root inside a finished trial, on its dense output. */
#include "core/events.h"
#include "core/switches.h"
#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* Where the dense output of a trial is looked at; next to the ends, so that a turn of g anywhere
 * inside shows. */
static const double looks[GT_ROOT_LOOKS] = {1e-3, 0.25, 0.5, 0.75, 1 - 1e-3, 1};

/* A step of a method that follows linear motion exactly may hold many periods of it: it is looked
 * at in windows, as many as it takes for the turns of g to be far between. */
enum { FIRST_WINDOWS = 32, MAX_WINDOWS = 2048 };

enum { MAX_LOOKS_BACK = 60, MAX_REFINEMENTS = 12 };

/* The root functions at s->t + theta h of the trial; theta a little above 1 is beyond its end. */
gt_status gt_roots_at(gt_run *r, double theta)
{
    assert(r);
    assert(theta >= 0 && theta < 2);
    gt_stepper *s = r->s;
    const double *x = s->x_new;
    if (theta != 1) {
        gt_status status = gt_stepper_interpolate(s, theta, s->scratch);
        if (status) return status;
        x = s->scratch;
    }
    double t = theta == 1
                   ? s->t_new
                   : s->t + theta * s->h; /* a root that belongs to a discontinuity is at it */
    return gt_run_roots(r, t, x, s->root_values);
}

/* Has root i passed, coming from the side it was on, in the direction wanted? */
static bool passed(const gt_run *r, size_t i)
{
    int side = gt_root_sides(r)[i], direction = gt_root_direction(r->problem, i);
    double g = r->s->root_values[i];
    if (!side || gt_root_leaving(r)[i]) return false;
    if (direction == side) return false; /* from above only downward crossings are possible */
    return side > 0 ? g <= 0 : g >= 0;
}

bool gt_root_passed(const gt_run *r)
{
    for (size_t i = 0; i < r->n_roots; i++) {
        if (passed(r, i)) return true;
    }
    return false;
}

void gt_roots_fired(gt_run *r)
{
    for (size_t i = 0; i < r->n_roots; i++) r->s->fired[i] = passed(r, i);
}

/* The sides at `high`, the point looked at last; `low`: the one before it. */
static void note_sides(gt_run *r, double low, double high)
{
    const double *scale = gt_root_scale(r);
    double *beyond = gt_root_beyond(r);
    size_t back = r->n_roots;
    for (size_t i = 0; i < r->n_roots; i++) {
        double g = r->s->root_values[i];
        int side = g > 0 ? 1 : -1;
        if (g == 0 || (gt_root_leaving(r)[i] && side != gt_root_sides(r)[i])) continue;
        gt_root_away(r)[i] = fmax(gt_root_away(r)[i], fabs(g));
        if (beyond[i] >= 0 && side == gt_root_sides(r)[i]) beyond[i] = fmax(beyond[i], fabs(g));
        if (beyond[i] > 0.1 * scale[i]) beyond[i] = -1;
        if (beyond[i] >= 0 && side != gt_root_sides(r)[i]) back = i;
        gt_root_sides(r)[i] = (signed char)side;
        gt_root_leaving(r)[i] = false;
    }
    if (back < r->n_roots) gt_run_watch_return(r, back, -gt_root_sides(r)[back], low, high);
}

/* The first point of (low, high] where a root has passed, given that one has at high; to round-off
 * in t. */
gt_status gt_root_enclose(gt_run *r, double low, double *high)
{
    assert(r && high);
    assert(low >= 0 && low <= *high);
    double small = 2 * DBL_EPSILON * fmax(1, fabs(r->s->t / r->s->h));
    while (*high - low > small) {
        double middle = low + (*high - low) / 2;
        if (middle <= low || middle >= *high) break;
        gt_status status = gt_roots_at(r, middle);
        if (status) return status;
        if (gt_root_passed(r))
            *high = middle;
        else
            low = middle;
    }
    return gt_roots_at(r, *high);
}

/* Whether a root that has passed was on the other side when the step began. */
static bool came_inside(const gt_run *r)
{
    /* as gt_run_find_event kept them */
    const signed char *before = r->s->root_sides + 2 * r->n_roots;
    for (size_t i = 0; i < r->n_roots; i++) {
        double g = r->s->root_values[i];
        int side = gt_root_sides(r)[i];
        if (side && g * side <= 0 && before[i] == -side) return true;
    }
    return false;
}

gt_status gt_root_last_on_side(gt_run *r, double *low)
{
    assert(r && low);
    enum { PARTS = 8 };
    const gt_stepper *s = r->s;
    double first = fmin(1, fmax(0, (r->sides_from - s->t) / s->h));
    for (int k = 0; k < PARTS; k++) {
        *low = first + (1 - first) * k / PARTS;
        gt_status status = gt_roots_at(r, *low);
        if (status || !gt_root_passed(r)) return status;
    }
    *low = 0;
    if (r->plan->h > 0 || !came_inside(r)) return GT_OK;
    r->h = 0.5 * s->h;
    r->approaching = true;
    return GT_TRY_RHS;
}

/* Root i left zero for its side at the start, but is on the other one at `high`: when was it on its
 * side? */
static gt_status look_back(gt_run *r, size_t i, double high, double *low)
{
    gt_stepper *s = r->s;
    double theta = high;
    for (int k = 0; k < MAX_LOOKS_BACK; k++) {
        theta /= 2;
        if (s->t + theta * s->h == s->t) break;
        gt_status status = gt_roots_at(r, theta);
        if (status) return status;
        if (s->root_values[i] * gt_root_sides(r)[i] <= 0) continue;
        if (gt_root_beyond(r)[i] >= 0) gt_run_warn_graze(r, i, theta, s->root_values[i]);
        gt_root_leaving(r)[i] = false;
        *low = theta;
        return gt_roots_at(r, high);
    }
    if (i >= r->problem->n_roots) {
        gt_status status = gt_run_flip_back(r, i - r->problem->n_roots);
        r->h = s->h;
        r->approaching = true;
        return status ? status : GT_TRY_RHS;
    }
    /* The dense output of this step does not know what f says: a shorter one will, if there is one.
     */
    if (r->plan->h == 0 && s->h > 8 * gt_crowd_time(r)) {
        r->h = s->h / 8;
        r->approaching = true;
        return GT_TRY_RHS;
    }
    memset(s->fired, 0, r->n_roots);
    s->fired[i] = true;
    return gt_run_pile_up(r);
}

static gt_status look_back_for_leaving(gt_run *r, double high, double *low)
{
    for (size_t i = 0; i < r->n_roots; i++) {
        int side = gt_root_sides(r)[i];
        double g = r->s->root_values[i];
        bool returned =
            gt_root_leaving(r)[i] && g * side <= 0 && (g - gt_root_start(r)[i]) * side < 0;
        if (!returned) continue;
        gt_status status = look_back(r, i, high, low);
        if (status) return status;
    }
    return GT_OK;
}

typedef struct window {
    double from, to; /* parts of the trial */
} window;

typedef struct look {
    double theta, g;
} look;

static double look_in(window w, int k)
{
    return k == GT_ROOT_LOOKS - 1 ? w.to : w.from + looks[k] * (w.to - w.from);
}

/* The lowest point of the parabola through three looks at g >= 0. */
static look vertex(look a, look b, look c)
{
    double ab = b.theta - a.theta, cb = b.theta - c.theta;
    double p = ab * (b.g - c.g), q = cb * (b.g - a.g), bottom = 2 * (p - q);
    if (bottom == 0) return b;
    double theta = b.theta - (ab * p - cb * q) / bottom;
    if (!(theta > a.theta && theta < c.theta)) return b;
    double u = (theta - a.theta) / (c.theta - a.theta),
           w = (b.theta - a.theta) / (c.theta - a.theta);
    double curve = (b.g - (1 - w) * a.g - w * c.g) / (w * (w - 1));
    return (look){theta, (1 - u) * a.g + u * c.g + curve * u * (u - 1)};
}

/* |g| of root i has a least value between a and c: does g touch zero there? Down the parabolas, as
 * Brent does. */
static gt_status dip(gt_run *r, size_t i, int side, look a, look b, look c, double *theta)
{
    *theta = 0;
    for (int k = 0; k < MAX_REFINEMENTS; k++) {
        look v = vertex(a, b, c);
        double width = c.theta - a.theta;
        if (v.g > 0.5 * b.g && v.g > 0) break; /* not near zero */
        if (fabs(v.theta - b.theta) < 1e-3 * width)
            v.theta =
                b.theta + (c.theta - b.theta > b.theta - a.theta ? 0.1 * (c.theta - b.theta)
                                                                 : -0.1 * (b.theta - a.theta));
        gt_status status = gt_roots_at(r, v.theta);
        if (status) return status;
        v.g = side * r->s->root_values[i];
        if (v.g < 0) {
            *theta = v.theta;
            return GT_OK;
        }
        look left = v.theta < b.theta ? v : b, right = v.theta < b.theta ? b : v;
        if (left.g < right.g)
            b = left, c = right;
        else
            a = left, b = right;
        if (c.theta - a.theta < 1e-9) break;
    }
    return gt_run_watch_turn(r, i, b.theta, side * b.g);
}

/* The first point between looks where a root that both looks see on one side is on the other; 2:
 * none. */
static gt_status find_dip(gt_run *r, window w, double *where)
{
    *where = 2;
    size_t n_roots = r->n_roots;
    for (int k = 0; k + 1 < GT_ROOT_LOOKS; k++) {
        const double *before = k ? gt_root_look(r, k - 1) : gt_root_start(r),
                     *here = gt_root_look(r, k), *after = gt_root_look(r, k + 1);
        for (size_t i = 0; i < n_roots; i++) {
            int side = here[i] > 0 ? 1 : -1;
            look a = {k ? look_in(w, k - 1) : w.from, side * before[i]},
                 b = {look_in(w, k), side * here[i]};
            look c = {look_in(w, k + 1), side * after[i]};
            double theta;
            if (!(b.g > 0 && b.g <= a.g && b.g < c.g) || (k == 0 && gt_root_leaving(r)[i]))
                continue;
            gt_status status = dip(r, i, side, a, b, c, &theta);
            if (status) return status;
            if (theta > 0 && theta < *where) *where = theta;
        }
    }
    return GT_OK;
}

/* One more look at the trial, at `high`; what is known up to `low` is noted. */
static gt_status look_at(gt_run *r, double high, double *low, bool *found)
{
    gt_status status = look_back_for_leaving(r, high, low);
    if (status) return status;
    *found = gt_root_passed(r);
    if (*found) return GT_OK;
    note_sides(r, *low, high);
    *low = high;
    return GT_OK;
}

/* Looks at one window of the trial, with the values at its start given; *theta is the first
 * crossing. */
static gt_status scan_window(gt_run *r, window w, bool *found, double *theta)
{
    gt_stepper *s = r->s;
    size_t bytes = r->n_roots * sizeof(double);
    double low = w.from, dip_at = 2;
    gt_status status = GT_OK;
    for (int k = 0; k < GT_ROOT_LOOKS && !status; k++) {
        status = gt_roots_at(r, look_in(w, k));
        memcpy(gt_root_look(r, k), s->root_values, bytes);
        for (size_t i = 0; i < r->n_roots; i++) {
            gt_root_reach(r)[i] = fmax(gt_root_reach(r)[i], fabs(s->root_values[i]));
            gt_root_scale(r)[i] = fmax(gt_root_scale(r)[i], gt_root_reach(r)[i]);
        }
    }
    if (!status && w.from == 0) gt_run_watch_start(r);
    if (!status) status = find_dip(r, w, &dip_at);
    for (int k = 0; k < GT_ROOT_LOOKS && !status; k++) {
        double next = look_in(w, k);
        if (dip_at < next && dip_at > low) {
            *theta = dip_at;
            status = gt_roots_at(r, dip_at);
            if (!status) status = look_at(r, dip_at, &low, found);
        }
        if (!status && !*found) {
            *theta = next;
            memcpy(s->root_values, gt_root_look(r, k), bytes);
            status = look_at(r, next, &low, found);
        }
        if (status || !*found) continue;
        r->sides_from = s->t + low * s->h;
        return gt_root_enclose(r, low, theta);
    }
    return status;
}

/* Beside k / count, by parts that do not repeat (those of k^2 times an irrational number), so that
 * no period fits between all of them: with parts of k itself some did, hundreds of times to a step.
 */
static double uneven(int k, int count)
{
    double part = 0.6180339887 * k * k;
    return (k + (k && k < count ? 0.8 * (part - floor(part)) : 0)) / count;
}

/* How many turns of a root function show at `count` looks a window apart: at the trial, or,
 * `of_time`, where t goes on and the state stays at its end. */
static gt_status count_turns(gt_run *r, int count, bool of_time, int *turns)
{
    const gt_stepper *s = r->s;
    size_t n_roots = r->n_roots;
    double *last = gt_root_look(r, 0), *before = gt_root_look(r, 1);
    *turns = 0;
    for (int k = 0; k <= count; k++) {
        double theta = uneven(k, count);
        gt_status status = of_time ? gt_run_roots(r, s->t + theta * s->h, s->x_new, s->root_values)
                                   : gt_roots_at(r, theta);
        if (status) return status;
        for (size_t i = 0; i < n_roots; i++) {
            double g = s->root_values[i];
            if (k > 1 && (g - last[i]) * (last[i] - before[i]) < 0) ++*turns;
            before[i] = last[i];
            last[i] = g;
        }
    }
    return GT_OK;
}

/* Whether t moves a root function by itself; whether f depends on t does not say. */
static bool moved_by_time(gt_run *r)
{
    const gt_stepper *s = r->s;
    size_t bytes = r->n_roots * sizeof(double);
    bool same = !gt_run_roots(r, s->t_new, s->x_new, s->root_values);
    memcpy(gt_root_look(r, 0), s->root_values, bytes);
    for (int k = 1; k <= 2 && same; k++)
        same = !gt_run_roots(r, s->t + 0.381966 * k * s->h, s->x_new, s->root_values) &&
               !memcmp(gt_root_look(r, 0), s->root_values, bytes);
    return !same; /* or not defined at another time */
}

/* Whether g may turn many times in the trial: the motion that the method follows does, or what t
 * does in g, as in sign(sin(t)), which no error estimate sees: it is no part of f, or the formula
 * is held. Looks at a wave of t that fits into the step a thousand times are as good as random: so
 * many that they do not all but line up. */
static gt_status turns_often(gt_run *r, bool *often)
{
    enum { TIMES = 7 };
    const gt_stepper *s = r->s;
    int turns = 0;
    gt_status status = GT_OK;
    *often = s->facts.functions;
    if (*often) return GT_OK;
    if (moved_by_time(r)) *often = count_turns(r, FIRST_WINDOWS, true, &turns) || turns > 1;
    if (!*often && s->h > 0.01 * gt_run_whole(r)) status = count_turns(r, TIMES, false, &turns);
    *often = *often || turns > 1;
    return status;
}

/* How many windows it takes. Where no number of them is enough for what t does, a shorter step has
 * fewer turns; those of round-off, on a surface, it has not. */
static gt_status choose_windows(gt_run *r, int *windows)
{
    bool often;
    int turns = 0;
    *windows = 1;
    gt_status status = turns_often(r, &often);
    if (status || !often) return status;
    for (int k = FIRST_WINDOWS; k < MAX_WINDOWS && !status; k *= 4) {
        *windows = k;
        status = count_turns(r, k, false, &turns);
        if (turns <= k / 8) return status;
    }
    *windows = MAX_WINDOWS;
    bool shorter = r->plan->h == 0 && r->s->h > 16 * gt_run_least_step(r);
    return status || !shorter || !moved_by_time(r) ? status : GT_TRY_RHS;
}

/* Looks at the trial from its start to its end. */
gt_status gt_roots_scan(gt_run *r, bool *found, double *theta)
{
    assert(r && found && theta);
    gt_stepper *s = r->s;
    int windows;
    *found = false;
    gt_status status = choose_windows(r, &windows);
    if (!status) status = gt_run_roots(r, s->t, s->x, gt_root_start(r));
    for (int k = 0; k < windows && !status && !*found; k++) {
        window w = {k / (double)windows, k + 1 == windows ? 1 : (k + 1) / (double)windows};
        status = scan_window(r, w, found, theta);
        memcpy(gt_root_start(r), gt_root_look(r, GT_ROOT_LOOKS - 1), r->n_roots * sizeof(double));
    }
    if (!status && !*found) gt_run_watch_end(r);
    return status;
}

/* A trial goes beyond the crossing that a longer one had, which was none: so round-off moves a root
 * that rests on its surface. What other roots do on the way has not been looked at; one that is on
 * the other side for part of it asks for a shorter trial. */
gt_status gt_roots_of_others(gt_run *r)
{
    assert(r);
    enum { PARTS = 16 };
    const double surely = 1e-9; /* of the largest value */
    for (int k = 1; k < PARTS; k++) {
        gt_status status = gt_roots_at(r, k / (double)PARTS);
        if (status) return status;
        for (size_t i = 0; i < r->n_roots; i++) {
            double g = gt_root_sides(r)[i] * r->s->root_values[i];
            if (gt_root_leaving(r)[i] || g >= -surely * gt_root_scale(r)[i]) continue;
            r->h = 0.5 * r->s->h;
            r->approaching = true;
            return GT_TRY_RHS;
        }
    }
    return gt_roots_at(r, 1);
}

/* Whether all switches that are watched stay on their sides by far: each is further from zero, at
 * both ends of the trial and in its middle, than it moves between them. Then there is nothing to
 * look for, and they are watched no more.
 */
gt_status gt_far_from_switches(gt_run *r, bool *far)
{
    assert(r && far);
    gt_stepper *s = r->s;
    const double *start = gt_root_start(r), *middle = gt_root_look(r, 0), *end = s->root_values;
    *far = false;
    if (!r->n_switches || r->slide || r->approaching || s->facts.functions) return GT_OK;
    for (size_t i = r->problem->n_roots; i < r->n_roots; i++) {
        if (gt_root_leaving(r)[i]) return GT_OK;
    }
    if (r->lookout.in_time) return GT_OK; /* what t does in between shows in the search only */
    gt_status status = gt_run_roots(r, s->t, s->x, gt_root_start(r));
    const double *x = gt_run_middle(r);
    if (!status)
        status = x ? gt_run_roots(r, s->t + 0.5 * s->h, x, s->root_values) : gt_roots_at(r, 0.5);
    memcpy(gt_root_look(r, 0), s->root_values, r->n_roots * sizeof *end);
    if (!status) status = gt_roots_at(r, 1);
    for (size_t i = r->problem->n_roots; i < r->n_roots && !status; i++) {
        int side = gt_root_sides(r)[i];
        double nearest = fmin(side * start[i], fmin(side * middle[i], side * end[i]));
        double moves = fabs(middle[i] - start[i]) + fabs(end[i] - middle[i]);
        if (!(nearest > moves)) return GT_OK;
        size_t number = r->base->switch_numbers[i - r->problem->n_roots];
        r->base->switch_moves[number] = moves;
    }
    *far = !status;
    return status;
}
