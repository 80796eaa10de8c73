/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_IMPLICIT_CONVERGENCE_H
#define GEARTRAIN_IMPLICIT_CONVERGENCE_H

/*
 * The convergence monitor of simplified Newton: how the corrections of one solution shrink, and
 * whether that is enough. It has two policies, one where a smaller step can be tried instead, one
 * for a fixed step. With d_m the size of the m-th correction and theta = d_m / d_(m-1), the error
 * left is about d_m theta / (1 - theta).
 *
 * A header, so that it is compiled into the loop of newton.c: as calls, the trapezoidal rule on two
 * equations took 7 % more instructions.
 */
#include "base/elementary.h"
#include "linalg/backend.h"
#include "problem/norm.h"
#include <assert.h>
#include <float.h>
#include <geartrain/author/newton.h>
#include <math.h>

typedef struct gt_monitor {
    double rate;   /* theta, with some memory of the one before; 0: unknown; 1 and more: to be
                      measured again */
    double before; /* size of the correction before this one */
    double first, second;
    int count; /* of corrections before this one */
    int limit;
    int turns; /* from shrinking to growing and back */
    bool rising;
    bool every_jacobian; /* is evaluated at every iterate: corrections may grow for a while */
    bool rough;          /* the Jacobian has differences where f has no derivative */
    bool linear;         /* equations at fixed step */
} gt_monitor;

typedef enum gt_convergence { GT_ITERATE, GT_CONVERGED, GT_HOPELESS } gt_convergence;

/* With step control more corrections than these cost more than a smaller step does; at fixed step
 * there is no other way. */
enum { CONTROLLED_ITERATIONS = 7, FIXED_ITERATIONS = 25, FULL_ITERATIONS = 50 };

/* Above these rates a new Jacobian is worth its price; small ones cost less than the iterations
 * that they save. */
static const double slow_rate = 0.18, slow_rate_small = 0.07, slow_rate_fixed = 0.05;
/* By differences of more calls of f than these a Jacobian costs more than all the iterations that
 * it would save. Rates up to the second are what factors of another gamma have with a good one. */
enum { GT_EXPENSIVE_CALLS = 32 };
static const double slow_rate_expensive = 0.3;
static const double least_rate = 0.01;   /* never trust a single correction further than this */
static const double unknown_rate = 0.83; /* of a new Jacobian, until it is measured */
/* A rate holds up to this times the gamma at which it was measured, for it grows with gamma. */
static const double same_rate_until = 2;
/* One correction may shrink well by chance: the rate is at least this part of the one before. */
static const double rate_memory = 0.3;
/* A single correction measures nothing: each time the rate counts as so much larger. */
static const double rate_ageing = 2;

/* Corrections that grow by this factor do not converge; those below 1 may, since rounding errors
 * move them up and down. */
static const double diverging = 1.5;
/* Corrections that shrink by less than the first may be rounding errors, which is then looked at;
 * by less than the second they do not shrink at all. */
static const double hardly_shrinking = 0.3, not_shrinking = 0.9;
/* At fixed step, those that do not shrink at all are as small as they can be below this size. */
static const double round_off_size = 100;
/* Rounding errors of the few sums and products that a variable comes from. */
static const double round_off = 8 * DBL_EPSILON;

/* On linear equations at fixed step, below. */
static const double nearly_exact = 0.01; /* rate of a Jacobian that is right but for rounding */
enum { EXACT_AFTER = 4, MOST_TURNS = 4 };
static const double exact_moved = 1e-3; /* what rounding may still move after EXACT_AFTER */
static const double as_before = 0.1;    /* of the second correction: has not shrunk since */

/* Where the terms of an algebraic row cancel, as in y3 = 1 - y1 - y2, its variable cannot be as
 * exact as a tolerance relative to itself asks for: all else has converged, and what it still moves
 * by is the rounding of those terms. At fixed step that holds for every variable, as a rate can
 * pass through zero as well. */
static inline bool only_round_off(const gt_newton *w, const gt_stepper *s, const double *x)
{
    size_t n_diff = s->rtol == 0 ? 0 : w->jac.n_diff;
    if (w->jac.n_diff == s->n) return false;
    double sum = 0, largest = gt_largest(x, s->n);
    for (size_t i = n_diff; i < s->n; i++) {
        if (fabs(w->delta[i]) > round_off * largest) return false;
    }
    for (size_t i = 0; i < n_diff; i++) {
        double d = w->delta[i] / gt_weight(s, i, x[i]);
        sum += d * d;
    }
    return sqrt(sum / (double)s->n) <= w->fraction;
}

/* At fixed step: corrections that shrink no more and are within the tolerance of the largest
 * component are the rounding errors of a large system, whose small components cannot be
 * distinguished from zero any better. */
static inline bool stands_still(const gt_newton *w, const gt_stepper *s, const double *x)
{
    if (s->rtol != 0) return false;
    double all[2] = {gt_largest(w->delta, s->n), gt_largest(x, s->n)};
    gt_over_ranks(s->problem, all, 0, 2);
    return all[0] <= w->tolerance * all[1];
}

/* At fixed step, on linear equations: the first correction solves them, and what the others still
 * move is rounding, however much the condition of the matrix makes of it. With a wrong Jacobian
 * they shrink or grow at the rate of the first two: where that is a hundredth the fifth has nothing
 * left to correct. Rounding goes up and down (`turns`), and is small beside the largest component,
 * though perhaps not beside the one it sits on. `moved` is relative to that one.
 */
static inline bool solved_at_once(const gt_newton *w, const gt_stepper *s, const double *x,
                                  const gt_monitor *m, double size)
{
    double moved = size * w->tolerance;
    if (moved <= sqrt(DBL_EPSILON)) return true;
    if (m->second <= nearly_exact * m->first)
        return m->count >= EXACT_AFTER && moved <= exact_moved;
    if (!(m->turns >= MOST_TURNS && size > as_before * m->second)) return false;
    double all[2] = {gt_largest(w->delta, s->n), gt_largest(x, s->n)};
    gt_over_ranks(s->problem, all, 0, 2);
    return all[0] <= sqrt(DBL_EPSILON) * all[1];
}

/* Where a smaller step can be tried: what is left counts, and an iteration that is not worth its
 * price ends soon. */
static inline gt_convergence judge_controlled(gt_monitor *m, const gt_newton *w,
                                              const gt_stepper *s, const double *x, double size)
{
    if (m->count > 0 && size > hardly_shrinking * m->before && only_round_off(w, s, x))
        return GT_CONVERGED;
    if (m->count > 0) {
        double theta = size / m->before;
        if (theta > diverging && size > 1) return GT_HOPELESS;
        m->rate = fmax(fmax(theta, m->rate < 1 ? rate_memory * m->rate : 0), least_rate);
    }
    /* With a slope that is far too steep corrections are small, whatever is left. So a new
     * Jacobian, a rough one, and one not measured for long or at a gamma as large as this, has to
     * show how corrections shrink. */
    bool known = m->rate > 0 && m->rate < 1;
    bool trusted = (m->count > 0) || (known && !m->rough);
    double rate = known ? m->rate : unknown_rate;
    if (size == 0 || (trusted && size * rate / (1 - rate) <= 1)) return GT_CONVERGED;
    bool late = m->count > 1 && size * gt_whole_power(m->rate, m->limit - 1 - m->count) > 1;
    return late ? GT_HOPELESS : GT_ITERATE;
}

/* At fixed step, where the correction itself counts and round-off is what limits it. */
static inline gt_convergence judge_fixed(gt_monitor *m, const gt_newton *w, const gt_stepper *s,
                                         const double *x, double size)
{
    if (m->count > 0 && m->linear && solved_at_once(w, s, x, m, size)) {
        m->rate = least_rate;
        return GT_CONVERGED;
    }
    if (m->count > 0 && size > hardly_shrinking * m->before &&
        (only_round_off(w, s, x) || (size > not_shrinking * m->before && stands_still(w, s, x))))
        return GT_CONVERGED;
    if (m->count > 0) {
        double theta = size / m->before;
        bool noise = m->linear && (m->second <= nearly_exact * m->first || m->turns > 0);
        if (!m->every_jacobian && theta > diverging && size > 1 && !noise) return GT_HOPELESS;
        m->rate = fmax(fmax(theta, rate_memory * m->rate), least_rate);
        if (theta > not_shrinking && size < round_off_size) return GT_CONVERGED;
    }
    bool known = m->rate > 0 && m->rate < 1;
    double left = known ? size : size * unknown_rate / (1 - unknown_rate);
    bool trusted = m->count > 0 || !m->rough;
    return size == 0 || (trusted && left <= 1) ? GT_CONVERGED : GT_ITERATE;
}

/* What follows from the correction w->delta that led to x. Its size is finite and in units of what
 * may be left: converged below 1. */
static inline gt_convergence gt_monitor_judge(gt_monitor *m, const gt_newton *w,
                                              const gt_stepper *s, const double *x, double size)
{
    assert(m && w && s && x && isfinite(size));
    if (m->count == 0) m->first = size;
    if (m->count == 1) m->second = size;
    if (m->count > 1 && (size > m->before) != m->rising) {
        m->turns++;
        m->rising = !m->rising;
    }
    gt_convergence verdict =
        s->rtol > 0 ? judge_controlled(m, w, s, x, size) : judge_fixed(m, w, s, x, size);
    m->before = size;
    m->count++;
    return verdict;
}

/* For iterations with J[which] and gamma, or, `full`, with a Jacobian of every iterate. */
static inline void gt_monitor_begin(gt_monitor *m, const gt_newton *w, const gt_stepper *s,
                                    int which, double gamma, bool full)
{
    assert(m && w && s && (which == 0 || which == 1));
    bool kept = which == w->current && !full, controlled = s->rtol > 0;
    *m = (gt_monitor){
        .rate = kept ? w->rate : 0,
        .limit = controlled ? CONTROLLED_ITERATIONS : FIXED_ITERATIONS,
        .every_jacobian = full,
        .rough = w->rough[which],
        .linear = s->problem->linear && !controlled,
    };
    if (full) m->limit = FULL_ITERATIONS;
    if (kept && controlled && w->rate > 0 && gamma > same_rate_until * w->rate_gamma) m->rate = 1;
}

/* The rate above which the next step begins with a new Jacobian. */
static inline double gt_slow_rate(const gt_newton *w, const gt_stepper *s)
{
    if (w->slow_rate > 0) return w->slow_rate;
    if (s->rtol == 0) return slow_rate_fixed;
    if (w->jac.groups > GT_EXPENSIVE_CALLS) return slow_rate_expensive;
    return s->n <= GT_SMALL_LU && !w->inner ? slow_rate_small : slow_rate;
}

/* After convergence: what the next step takes over, should this one be accepted. A rate that was
 * not measured says nothing of the Jacobian: it ages until a second correction is wanted, which
 * measures it. And where the factors are of another gamma, they are to blame first. At fixed step,
 * and where several systems stand for one, whose corrections say less of what is left, a rate that
 * has aged counts as measured. */
static inline void gt_monitor_keep(const gt_monitor *m, gt_newton *w, const gt_stepper *s,
                                   int which, double gamma)
{
    assert(m && w && s && (which == 0 || which == 1));
    bool measured = m->count > 1;
    w->rate_used = measured ? m->rate : rate_ageing * m->rate;
    w->rate_gamma_used = measured ? gamma : w->rate_gamma;
    bool counts = measured || s->rtol == 0 || w->shifted;
    bool slow = counts && m->rate > gt_slow_rate(w, s);
    bool of_another = w->gamma_used != gamma && !w->inner;
    if (slow && of_another) w->gamma_used = 0; /* none is kept: the next step factors anew */
    w->slow_used = (slow && !of_another) || w->rough[which];
}

#endif
