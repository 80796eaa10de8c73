/* SPDX-License-Identifier: BSD-3-Clause */
/* The step that ends just short of a crossing, and the state at the crossing from its dense output.
 */
#include "core/events.h"
#include "core/switches.h"
#include "problem/norm.h"
#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* The step to a root ends short of it by this part; where f jumps, its stages must not reach
 * beyond. */
static const double smooth_margin = 1e-5, jump_margin = 0.05;

enum { MAX_LANDINGS = 12, MAX_SMOOTH = 4 };

/* Does f jump between the end of the step and the event, a little further on? Seen against what f
 * changes by in the whole step, of which that is a small part. */
static gt_status f_jumps(gt_run *r, double t, bool *jumps)
{
    gt_stepper *s = r->s;
    size_t n = r->problem->n_slow + r->problem->n_fast;
    double *end = s->event_x + s->n, *beyond = end + s->n, most = 0, size = 0;
    *jumps = false;
    gt_status status = gt_slope(s);
    if (!status) status = gt_rhs(s, s->t + s->h, s->x_new, end);
    if (!status) status = gt_rhs(s, t, s->event_x, beyond);
    if (status) {
        *jumps = status > 0; /* f is not defined beyond: at any rate it is not smooth */
        return status < 0 ? status : GT_OK;
    }
    for (size_t i = 0; i < n; i++) {
        double weight = fabs(s->x_new[i]) + fabs(s->x[i]) + fabs(s->h * s->f[i]) + DBL_MIN;
        most = fmax(most, fabs(beyond[i] - end[i]) / weight);
        size = fmax(size, fmax(fabs(end[i]), fabs(end[i] - s->f[i])) / weight);
    }
    double all[2] = {most, size};
    gt_over_ranks(r->problem, all, 0, 2);
    *jumps = all[0] > 100 * smooth_margin * all[1];
    return GT_OK;
}

/* A trial of the step to the crossing; not `good`: it cannot be finished, or its error is too
 * large. */
static gt_status try_landing(gt_run *r, double h, bool *good)
{
    gt_stepper *s = r->s;
    bool controlled = r->plan->h == 0;
    gt_status status = gt_trial(s, h, controlled);
    *good = false;
    if (status < 0) return status;
    if (status) return GT_OK;
    if (controlled && !s->unchecked) {
        double error = gt_run_measure_error(r);
        if (!(error <= fmin(1, s->strictness))) return GT_OK;
        r->error = error;
    } else if (!gt_finite_over_ranks(s->problem, s->x_new, s->n)) {
        return GT_OK;
    }
    *good = true;
    return GT_OK;
}

/* Whether every root that fired is beyond zero, strictly. */
static bool all_beyond(const gt_run *r)
{
    for (size_t i = 0; i < r->n_roots; i++) {
        if (r->s->fired[i] && r->s->root_values[i] * gt_root_sides(r)[i] >= 0) return false;
    }
    return true;
}

/* The state at theta, in s->event_x, and its root functions. The dense output is on constraints of
 * index 2 and 3 to its own error only: what is handed over is on them to round-off, unless they
 * cannot be met there. */
static gt_status event_at(gt_run *r, double theta)
{
    gt_stepper *s = r->s;
    double t = s->t + theta * s->h;
    gt_status status = gt_stepper_interpolate(s, theta, s->event_x);
    r->event_consistent = false;
    if (status) return status;
    if (gt_problem_index(r->problem) > 1) {
        gt_message kept = s->message;
        status = gt_stepper_solve_algebraic(s, t, s->event_x);
        r->event_consistent = !status;
        if (gt_cannot_close(status))
            s->message = kept, status = gt_stepper_interpolate(s, theta, s->event_x);
    }
    return status ? status : gt_run_roots(r, t, s->event_x, s->root_values);
}

/* The way from theta to where every root that fired is beyond zero, by the slope of g between the
 * end of the trial, where it is `at_end`, and the crossing; 0: none is short of it. */
static double shortfall(const gt_run *r, const double *at_end, double theta)
{
    double most = 0;
    for (size_t i = 0; i < r->n_roots; i++) {
        double g = r->s->root_values[i];
        if (!r->s->fired[i] || g * gt_root_sides(r)[i] < 0 || at_end[i] == 0) continue;
        most = fmax(most, fabs(g / at_end[i]) * (theta - 1));
    }
    return most;
}

/* The crossing at theta > 1 beyond the end of a good trial becomes the event; beyond zero where
 * that is a matter of round-off, since on a surface where f jumps differences of f have no meaning,
 * or of constraints, which the crossing of the dense output does not quite meet.
 */
static gt_status take_crossing(gt_run *r, double theta, double t_end)
{
    gt_stepper *s = r->s;
    double ulp = DBL_EPSILON * fmax(1, fabs(s->t / s->h)), further = theta;
    double *at_end = gt_root_look(r, 0);
    gt_roots_fired(r);
    gt_status status = gt_roots_at(r, 1);
    memcpy(at_end, s->root_values, r->n_roots * sizeof *at_end);
    if (!status) status = event_at(r, theta);
    for (int k = 0; k < 6 && !all_beyond(r) && !status; k++) {
        double short_by = 1.01 * shortfall(r, at_end, theta);
        double next = further + fmax(short_by, ulp * (double)(1 << k));
        if (!(next < 2))
            break; /* a step of a few units of t's round-off: its polynomial ends here */
        further = next;
        status = event_at(r, further);
    }
    if (!status && further > theta) {
        if (all_beyond(r))
            gt_roots_fired(r); /* others may have passed on the way */
        else
            status = event_at(r, further = theta);
    }
    if (status) return status;
    s->t_new = fmin(s->t + further * s->h, t_end);
    r->event_beyond = true;
    return GT_OK;
}

/* Where g, a straight line through its values at the end and at `reach`, is zero; at most `most`.
 */
static double line_to_zero(const gt_run *r, const double *at_end, double reach, double most)
{
    double first = most;
    for (size_t i = 0; i < r->n_roots; i++) {
        if (!r->s->fired[i]) continue;
        double change = (r->s->root_values[i] - at_end[i]) / (reach - 1);
        double theta = 1 - at_end[i] / change;
        if (theta > 1 && theta < first) first = theta;
    }
    return first;
}

/* The first root of g0 + slope u + (g1 - g0 - slope) u^2 in (0, 1]; 2: none. */
static double parabola_to_zero(double g0, double slope, double g1)
{
    double a = g1 - g0 - slope, d = slope * slope - 4 * a * g0;
    if (d < 0) return 2;
    double q = -0.5 * (slope + copysign(sqrt(d), slope)), first = 2;
    double root[2] = {a != 0 ? q / a : 2, q != 0 ? g0 / q : 2};
    for (int k = 0; k < 2; k++) {
        if (root[k] > 0 && root[k] < first) first = root[k];
    }
    return first;
}

/* Where the first root will be, in parts of h from the accepted point, seen from the slope there
 * and, if `finished`, from the end of the trial; 2: none. */
static gt_status predict(gt_run *r, double h, bool finished, double *ahead)
{
    gt_stepper *s = r->s;
    double *g0 = gt_root_start(r), *g1 = gt_root_look(r, 0);
    const double soon = 1e-4;
    *ahead = 2;
    finished = finished && gt_finite_over_ranks(s->problem, s->x_new, s->n);
    gt_status status = gt_run_roots(r, s->t, s->x, g0);
    if (!status && finished) status = gt_run_roots(r, s->t + h, s->x_new, g1);
    if (!status) status = gt_slope(s);
    if (!status) status = gt_roots_soon(r, soon * h);
    if (status) return status;
    for (size_t i = 0; i < r->n_roots; i++) {
        int side = gt_root_sides(r)[i];
        double slope = (s->root_values[i] - g0[i]) / soon, theta = 2;
        if (!side || gt_root_leaving(r)[i]) continue;
        if (slope * side < 0) theta = -g0[i] / slope;
        if (theta > 1 && finished && g1[i] * side <= 0)
            theta = parabola_to_zero(g0[i], slope, g1[i]);
        if (theta > 0 && theta < *ahead) *ahead = theta;
    }
    return GT_OK;
}

/* Whether g of a root that fired comes nearer to zero between the end and the last look: a very
 * short step may end so near to it that round-off hides its slope. */
static bool comes_nearer(const gt_run *r, const double *at_end)
{
    for (size_t i = 0; i < r->n_roots; i++)
        if (r->s->fired[i] && fabs(r->s->root_values[i]) < fabs(at_end[i])) return true;
    return false;
}

/* What follows from a trial that ends short of the crossing, or beyond it. */
typedef enum landing { LANDED, AGAIN } landing;

/* Where the crossing lies, seen from a good trial that was to end `margin` short of it. */
static gt_status see_crossing(gt_run *r, double margin, double t_end, bool outwards,
                              double *distance, landing *result)
{
    gt_stepper *s = r->s;
    double theta = 1, reach = 1 + 4 * margin, h = s->h, *at_end = gt_root_look(r, 0);
    *result = AGAIN;
    gt_status status = gt_roots_at(r, 1);
    if (status) return status;
    if (gt_root_passed(r)) {
        double low;
        status = gt_root_last_on_side(r, &low);
        if (!status) status = gt_root_enclose(r, low, &theta);
        gt_roots_fired(r);
        *distance = theta * h;
        return status;
    }
    if (outwards) status = gt_roots_of_others(r);
    if (status) return status;
    memcpy(at_end, s->root_values, r->n_roots * sizeof *at_end);
    status = gt_roots_at(r, reach);
    while (!status && !gt_root_passed(r) && !comes_nearer(r, at_end) && reach <= 1 + jump_margin) {
        reach = 1 + 16 * (reach - 1);
        status = gt_roots_at(r, reach);
    }
    if (status) return status;
    if (!gt_root_passed(r)) {
        *distance = h * line_to_zero(r, at_end, reach, fmax((t_end - s->t) / h, reach));
        return GT_OK;
    }
    theta = reach;
    status = gt_root_enclose(r, 1, &theta);
    *distance = theta * h;
    *result = LANDED;
    return status ? status : take_crossing(r, theta, t_end);
}

/* f is smooth up to a switch. Where it does not jump either, the step as it is, just short of it,
 * is one of the method's history. */
static gt_status end_at_switch(gt_run *r)
{
    gt_stepper *s = r->s;
    gt_status status = gt_run_is_kink(r, s->t_new, s->event_x, &r->kink);
    if (status || !r->kink) return status;
    r->event_beyond = false;
    s->t_new = s->t + s->h;
    return GT_OK;
}

/* Where to end the next trial, after one of length h that saw the crossing at `distance`: inside
 * `clear`, which has no crossing, or beyond `passed`, which has, it is not, whatever the dense
 * output of a step of low order says. */
static double between(double distance, double h, double *clear, double *passed)
{
    if (distance > h)
        *clear = fmax(*clear, h);
    else
        *passed = fmin(*passed, h);
    bool known = *clear > 0 && *passed < INFINITY && *clear < *passed;
    bool inside = distance > *clear && distance < *passed;
    return known && !inside ? sqrt(*clear) * sqrt(*passed) : distance;
}

/* Repeats the step so that it ends just short of the crossing, `distance` from its start. `cut`: it
 * could not come near, but a good step that ends before it stands. A status above 0: it cannot be
 * taken, r->h is what to try. */
static gt_status land(gt_run *r, double distance, double t_end, bool *found, bool *cut)
{
    gt_stepper *s = r->s;
    bool controlled = r->plan->h == 0;
    double margin = smooth_margin, limit = INFINITY, first = distance, clear = 0, passed = INFINITY;
    *found = *cut = false;
    for (int k = 0; k < MAX_LANDINGS; k++) {
        bool good, jumps = true;
        landing result;
        double h = fmin(distance, limit) * (1 - margin);
        gt_status status = try_landing(r, h, &good);
        if (status) return status;
        if (!good && margin == jump_margin && controlled) {
            r->h = 0.5 * h;
            r->approaching = true;
            return GT_TRY_RHS;
        }
        if (!good && margin == jump_margin) {
            limit = 0.5 * h;
            continue;
        }
        if (good) {
            bool outwards = controlled && h > 1.5 * first;
            status = see_crossing(r, margin, t_end, outwards, &distance, &result);
            if (status) return status;
            *found = result == LANDED;
            if (*found && margin == jump_margin) return GT_OK;
            if (!*found && distance > limit) {
                *cut = true;
                return GT_OK;
            }
            if (!*found && distance > h && h >= (t_end - s->t) * (1 - 2 * margin))
                return GT_OK; /* it is not before t_end */
            double middle = between(distance, h, &clear, &passed);
            if (!*found && k >= MAX_LANDINGS / 2) distance = middle;
            if (!*found && (k < MAX_SMOOTH || margin == jump_margin)) continue;
            if (*found && !gt_run_fired_events(r)) return end_at_switch(r);
            if (*found) status = f_jumps(r, s->t_new, &jumps);
            if (status || !jumps) return status;
            r->event_beyond = *found = false;
        }
        margin = jump_margin;
        if (controlled) continue;
        /* No error shows that a stage went beyond the jump; a straight way that does not reach it
         * shows that none did.
         */
        status = predict(r, h, false, &limit);
        if (status) return status;
        limit *= h;
    }
    /* The trials do not agree where it is: the last one stands, with the event at its end if it
     * lies beyond. */
    gt_status status = gt_roots_at(r, 1);
    if (status) return status;
    *found = gt_root_passed(r);
    *cut = !*found;
    gt_roots_fired(r);
    return GT_OK;
}

/* Two events can be at the same time but for round-off, and the first one leaves the other so
 * little ahead that no step can end short of it, or none whose dense output is smooth: one that
 * ends a few units of t beyond has it at its end. */
static gt_status land_at_once(gt_run *r, double distance, double t_end, bool *found)
{
    const gt_stepper *s = r->s;
    double h = 1.001 * distance + 16 * DBL_EPSILON * fmax(fabs(s->t), fabs(s->h));
    bool good = true;
    *found = false;
    while (distance < gt_crowd_time(r) && h < 4 * gt_crowd_time(r) && s->t + h < t_end && good) {
        gt_status status = try_landing(r, h, &good);
        if (!status && good) status = gt_roots_at(r, 1);
        if (status) return status;
        *found = good && gt_root_passed(r);
        if (*found) {
            gt_roots_fired(r);
            return GT_OK;
        }
        h *= 4;
    }
    return GT_OK;
}

/* A fixed step that was cut begins a new grid. */
static gt_status land_or_cut(gt_run *r, double distance, double t_end, bool *found)
{
    bool cut;
    gt_status status = land(r, distance, t_end, found, &cut);
    if (status || !cut) return status;
    r->grid = r->s->t_new;
    r->k = 0;
    return GT_OK;
}

/* No root has passed inside the trial. One just beyond its end may have spoilt its last stages,
 * where f jumps there; and a step that was cut because a longer one failed is to find its root
 * there. */
static gt_status look_beyond(gt_run *r, bool *found)
{
    gt_stepper *s = r->s;
    bool cut = r->approaching;
    double theta = 1 + (cut ? 3 : 1) * jump_margin, h = s->h, t_stop = gt_run_next_stop(r);
    *found = r->approaching = false;
    if (s->t + theta * h > t_stop) theta = (t_stop - s->t) / h;
    if (!(theta > 1 + smooth_margin)) return GT_OK;
    gt_status status = gt_roots_at(r, theta);
    if (status) return status < 0 ? status : GT_OK;
    if (!gt_root_passed(r)) return GT_OK;
    r->sides_from = s->t + s->h;
    status = gt_root_enclose(r, 1, &theta);
    if (status) return status;
    if (cut && theta - 1 > 1.5 * jump_margin) {
        r->h = (theta - 1) * h * (1 - jump_margin);
        r->approaching = true;
        return GT_OK;
    }
    gt_roots_fired(r);
    if (!cut) return land_or_cut(r, theta * h, t_stop, found);
    *found = true;
    return take_crossing(r, theta, t_stop);
}

/* A fixed step has no error to show that a stage went beyond a root, where f may jump, although its
 * end is before it. Where the slope at the start leads to a root, the step to there is looked at
 * too; if that has none, the step stands.
 */
static gt_status look_ahead(gt_run *r, bool *found)
{
    gt_stepper *s = r->s;
    double h = s->h, ahead, t_new = s->t_new;
    if (r->problem->mass) return GT_OK;
    double *end = s->event_x;
    memcpy(end, s->x_new, s->n * sizeof *end);
    gt_status status = predict(r, h, false, &ahead);
    memcpy(s->x_new, end, s->n * sizeof *end);
    if (status || ahead > 1 + 2 * jump_margin) return status;
    bool jumps_near, good;
    r->sides_from = s->t;
    double limit = fmin(gt_run_next_stop(r), s->t + (1 + 2 * jump_margin) * h);
    status = land(r, ahead * h, limit, found, &jumps_near);
    if (*found || status) return status;
    if (jumps_near) {
        r->grid = s->t_new;
        r->k = 0;
        return GT_OK;
    }
    status = try_landing(r, h, &good);
    s->t_new = t_new;
    return status ? status : good ? GT_OK : GT_TRY_RHS;
}

static gt_status find(gt_run *r, bool *found)
{
    gt_stepper *s = r->s;
    double theta = 1, t_end = s->t_new;
    r->event_beyond = r->kink = false;
    gt_status status = gt_roots_scan(r, found, &theta);
    if (status) return status;
    if (!*found) {
        status = look_beyond(r, found);
        return status || *found || r->plan->h == 0 ? status : look_ahead(r, found);
    }
    gt_roots_fired(r);
    size_t first = r->problem->n_roots;
    for (size_t i = r->problem->n_roots; i-- > 0;) {
        if (!s->fired[i]) continue;
        first = i;
        gt_run_watch_return(r, i, gt_root_sides(r)[i], 0, theta);
    }
    r->approaching = false;
    double small = 4 * DBL_EPSILON * fmax(1, fabs(s->t / s->h));
    if (theta >= 1 - small) return GT_OK; /* the step ends there as it is */
    double distance = theta * s->h;
    status = land_at_once(r, distance, t_end, found);
    if (status || *found) return status;
    status = land_or_cut(r, distance, t_end, found);
    if (!status && !*found && first < r->problem->n_roots) gt_run_watch_lost(r, first);
    return status;
}

gt_status gt_run_find_event(gt_run *r, bool *found)
{
    assert(r && found);
    signed char *flags = r->s->root_sides;
    size_t n_roots = r->n_roots;
    bool far;
    *found = r->event_beyond = r->event_consistent = r->kink = false;
    gt_status status = gt_far_from_switches(r, &far);
    r->lookout.leaves = far;
    if (status || (far && !r->problem->n_roots)) return status;
    memcpy(flags + 2 * n_roots, flags, 2 * n_roots);
    status = find(r, found);
    if (status) gt_run_forget_roots(r);
    return status;
}

/* A trial that failed, or whose error was too large, may have met a jump of f at a root: then a
 * step that ends before it is the one to try. `finished`: its end is known. */
gt_status gt_run_shorten_to_root(gt_run *r, double h, bool finished, double *h_next)
{
    assert(r && h_next);
    assert(h != 0);
    double ahead;
    if (!r->n_roots || r->problem->mass) return GT_OK;
    gt_status status = predict(r, h, finished, &ahead);
    if (status) return status < 0 ? status : GT_OK;
    double short_of_it = ahead * h * (1 - jump_margin);
    if (ahead > 1 + 2 * jump_margin || short_of_it <= *h_next) return GT_OK;
    if (r->approaching) short_of_it /= 2; /* the last prediction was not right */
    *h_next = short_of_it;
    r->approaching = true;
    return GT_OK;
}
