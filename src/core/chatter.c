/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A solution that goes back and forth across a jump of f which nobody declares as a switch:
 * friction at rest, a relay. Error control then takes steps of next to no length, hundreds of
 * thousands of them. A run that takes many steps for little time looks whether f jumps on its way:
 * between two points ahead, halved towards the larger change of f, a smooth f has changed by less
 * and less, also a stiff one; one that jumps has not.
 */
#include "core/run_state.h"
#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

enum {
    FIRST_LOOK = 1000,   /* steps */
    FEW_REJECTIONS = 16, /* twice as many for each look at them that found nothing */
    FEW_JUMPS = 4,
    HALVINGS = 20
};

static const double far_ahead = 10; /* steps */

/* f at the part theta of the way ahead, into s->scratch; t goes up to the next time at which f is
 * known to jump. */
static gt_status look(gt_run *r, double theta)
{
    gt_stepper *s = r->s;
    size_t n = r->problem->n_slow + r->problem->n_fast;
    double dt = theta * far_ahead * s->h, stop = gt_run_next_stop(r);
    double before = fmax(s->t, stop - 8 * DBL_EPSILON * fabs(stop));
    memcpy(s->x_new, s->x, s->n * sizeof *s->x);
    for (size_t i = 0; i < n; i++) s->x_new[i] += dt * s->f[i];
    return gt_rhs(s, fmin(s->t + dt, before), s->x_new, s->scratch);
}

/* Are relations stepped up to? None is watched at the moment. */
static bool are_located(const gt_run *r)
{
    const gt_lookout *l = &r->lookout;
    return r->n_relations && !l->crowded && !l->endless && !l->released;
}

/* Holds all relations on the sides of the accepted point, so that no jump ahead is one of them; or
 * lets go of them. */
static gt_status hold_relations(gt_run *r, bool held)
{
    gt_stepper *s = r->base;
    gt_status status = GT_OK;
    if (held) status = r->problem->switches(r->s->t, r->s->x, s->switch_values, r->problem->ctx);
    for (size_t k = 0; k < r->n_relations; k++)
        s->switch_held[k] = (signed char)(held ? (s->switch_values[k] < 0 ? -1 : 1) : 0);
    r->problem->set_sides(held ? s->switch_held : NULL, r->problem->ctx);
    return status;
}

/* Whether f jumps on the way ahead of the accepted point; in which component. Writes x_new and
 * scratch. */
static bool jumps_ahead(gt_run *r, size_t *which)
{
    gt_stepper *s = r->s;
    size_t n = r->problem->n_slow + r->problem->n_fast;
    double low = 0, high = 1, most = 0, size = 0;
    if (r->problem->mass || r->problem->n_alg || gt_slope(s) || look(r, 1)) return false;
    for (size_t i = 0; i < n; i++) {
        double change = fabs(s->scratch[i] - s->f[i]);
        if (change > most) most = change, *which = i;
        size = fmax(size, fabs(s->f[i]));
    }
    if (!(most > 1e-3 * size)) return false;
    double f_low = s->f[*which], f_high = s->scratch[*which];
    for (int k = 0; k < HALVINGS; k++) {
        double middle = 0.5 * (low + high);
        if (look(r, middle)) return false;
        double f = s->scratch[*which];
        if (fabs(f - f_low) > fabs(f_high - f))
            high = middle, f_high = f;
        else
            low = middle, f_low = f;
        /* Where it grows instead there is a pole on the way, as that of 1/x, which the solution
         * itself never meets. */
        double change = fabs(f_high - f_low);
        if (!(change > 0.3 * most && change < 3 * most)) return false;
    }
    return true;
}

/* Whether state `which`, moved alone along its slope, meets a pole of its own equation beyond which
 * f leads back, as -1/x at 0: the solution ends there. One that other states lead to a pole, as the
 * potential of a charge, is turned back before it. Writes x_new and scratch. */
static bool ends_at_pole(gt_run *r, size_t which, double steps)
{
    enum { NEARER = 30 };
    gt_stepper *s = r->s;
    double low = 0, high = steps * s->h * s->f[which], f_low = s->f[which], f_high = 0;
    double first = fabs(f_low);
    memcpy(s->x_new, s->x, s->n * sizeof *s->x);
    for (int k = 0; k <= NEARER; k++) {
        double at = k ? 0.5 * (low + high) : high;
        s->x_new[which] = s->x[which] + at;
        if (gt_rhs(s, s->t, s->x_new, s->scratch) || !isfinite(s->scratch[which])) return false;
        double f = s->scratch[which];
        if (k == 0 && !(f * f_low < 0)) return false;
        if (f * s->f[which] < 0)
            high = at, f_high = f;
        else
            low = at, f_low = f;
    }
    return fabs(f_low) > 1e3 * first && fabs(f_high) > 1e3 * first;
}

static bool jumps_unlocated(gt_run *r, size_t *which)
{
    if (!are_located(r)) return jumps_ahead(r, which);
    bool jumps = !hold_relations(r, true) && jumps_ahead(r, which);
    gt_status freed = hold_relations(r, false);
    return jumps && !freed;
}

const char *gt_run_chatter_advice(const gt_run *r)
{
    return r->problem->n_switches && !are_located(r)
               ? "its relations are not located any more, as another warning says; make them smooth"
               : "as a switch (a relation of a model file without \"#@ switches off\"; in C "
                 "gt_problem.switches) it is "
                 "located, and followed where the solution slides on it";
}

/* Many rejections since the last look: at a jump every other trial fails. */
static bool is_rejected_often(const gt_run *r)
{
    const gt_stepper *s = r->s;
    long steps = s->stats.steps - r->chatter_from,
         rejected = s->stats.rejected - r->chatter_rejected;
    return s->stats.rejected >= r->chatter_due_rejected && 6 * rejected > steps;
}

/* Many steps for little time since the last look. */
static bool is_slow(const gt_run *r)
{
    long steps = r->s->stats.steps - r->chatter_from;
    double done = r->s->t - r->chatter_from_t, span = r->problem->t1 - r->problem->t0;
    return steps >= FIRST_LOOK && done * (double)FIRST_LOOK < 0.05 * span * (double)steps;
}

/* How many times it has been crossed: rejections at a jump that is crossed once, as where a force
 * sets in, or at some of them, are no chatter. Those close to the last one are the same. */
static int count_jump(gt_run *r)
{
    const gt_stepper *s = r->s;
    if (s->t > r->chatter_jump) {
        r->chatter_jump = s->t + 2 * far_ahead * s->h;
        r->chatter_jumps++;
    }
    return r->chatter_jumps;
}

/* Steps that lead nowhere since the last look. */
static bool stands(const gt_run *r)
{
    long steps = r->s->stats.steps - r->chatter_from;
    double done = r->s->t - r->chatter_from_t, span = r->problem->t1 - r->problem->t0;
    return steps >= FIRST_LOOK && done < 1e-8 * span * (double)steps;
}

static void set_next_look(gt_run *r, bool jumps)
{
    const gt_stepper *s = r->s;
    bool many = s->stats.rejected >= r->chatter_due_rejected;
    /* What was no jump so often is another kind of trouble. */
    r->chatter_looks += many && !jumps && r->chatter_looks < 20;
    r->chatter_from = s->stats.steps;
    r->chatter_rejected = s->stats.rejected;
    r->chatter_from_t = s->t;
    r->chatter_due =
        r->chatters
            ? LONG_MAX
            : s->stats.steps + (s->stats.steps > 100 * FIRST_LOOK ? s->stats.steps : FIRST_LOOK);
    r->chatter_due_rejected =
        r->chatters ? LONG_MAX : s->stats.rejected + ((long)FEW_REJECTIONS << r->chatter_looks);
}

void gt_run_begin_chatter_looks(gt_run *r)
{
    r->chatter_from_t = r->s->t;
    bool never = r->plan->h > 0 || r->problem->ranks; /* which component is one of one rank */
    r->chatter_jump = -INFINITY;
    r->chatter_due = never ? LONG_MAX : FIRST_LOOK;
    r->chatter_due_rejected = never ? LONG_MAX : FEW_REJECTIONS;
}

gt_status gt_run_look_for_chatter(gt_run *r)
{
    gt_stepper *s = r->s;
    size_t which = 0;
    char buffer[24];
    bool slow = !r->n_switches && is_slow(r), often = !r->n_switches && is_rejected_often(r),
         plain = !r->problem->mass && !r->problem->n_alg;
    bool jumps = (slow || often) && jumps_unlocated(r, &which);
    r->chatters = jumps && (slow || count_jump(r) > FEW_JUMPS);
    bool still = slow && stands(r);
    bool at_pole = (often || still) && plain && !jumps && !gt_slope(s) &&
                   ends_at_pole(r, which, still ? far_ahead : 1);
    if (at_pole && still)
        return gt_fail(
            r->message, GT_STEP_TOO_SMALL,
            "the solution ends at t = %.6g or before: the equation of %s grows without bound "
            "there and leads back from beyond (h = %.2g); end the run before it (--t1), "
            "or by an event (in a model file: arret=1)",
            gt_shown_time(s, s->t), gt_problem_state_name(r->problem, which, buffer), s->h);
    bool passed_pole = at_pole && count_jump(r) == 2;
    set_next_look(r, jumps || at_pole);
    if (passed_pole) {
        gt_warn(s->warnings,
                "the solution goes back and forth across a pole of f, in the equation of %s before "
                "t = %.6g: it seems to end there, and what comes after it means nothing",
                gt_problem_state_name(r->problem, which, buffer), gt_shown_time(s, s->t));
    }
    if (!r->chatters) return GT_OK;
    gt_warn(s->warnings,
            "the solution goes back and forth across a jump of f, in the equation of %s at t = "
            "%.6g with steps of %.2g: "
            "%s",
            gt_problem_state_name(r->problem, which, buffer), gt_shown_time(s, s->t), s->h,
            gt_run_chatter_advice(r));
    return GT_OK;
}
