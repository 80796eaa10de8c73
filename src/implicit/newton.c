/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Simplified Newton with kept Jacobians and factors. A trial goes through up to three stages:
 *   1. the Jacobian of the last accepted step, unless it converged slowly there;
 *   2. the Jacobian at the accepted point or, with `at_guess` and at fixed step, at the guess;
 *   3. at fixed step, where no smaller step can help: a Jacobian at every iterate, (5.49) of crow.
 * Factors are kept while Jacobian and gamma are bit for bit the same, so that keeping them changes
 * no number; with `keep` they also serve nearby gammas, chosen by accepted steps only.
 *
 * With d_m the size of the m-th correction and theta = d_m / d_(m-1), the error left is about d_m
 * theta / (1 - theta).
 */
#include "base/elementary.h"
#include "implicit/shifted.h"
#include "linalg/backend.h"
#include <float.h>
#include <geartrain/newton.h>
#include <math.h>
#include <string.h>

enum { CONTROLLED_ITERATIONS = 7, FIXED_ITERATIONS = 25, FULL_ITERATIONS = 50 };
/* Above these rates a new Jacobian is worth its price; small ones cost less than the iterations
 * that they save. */
static const double slow_rate = 0.18, slow_rate_small = 0.07, slow_rate_fixed = 0.05;
static const double least_rate = 0.01;   /* never trust a single correction further than this */
static const double unknown_rate = 0.83; /* of a new Jacobian, until it is measured */
static const double same_rate_until =
    2; /* times the gamma at which it was measured, for it grows with gamma */

static void lay_out_common(gt_newton *w, const gt_problem *p, gt_arena *arena)
{
    size_t n = gt_problem_size(p);
    *w = (gt_newton){.lu_of = -1, .tolerance = 1e-12, .fraction = 0.05};
    gt_jacobian_layout(&w->jac, p, arena);
    gt_matrix_layout(&w->J[0], n, w->jac.of_J, false, arena);
    gt_matrix_layout(&w->J[1], n, w->jac.of_J, false, arena);
    w->guess = gt_arena_doubles(arena, n);
    w->delta = gt_arena_doubles(arena, n);
}

void gt_newton_layout(gt_newton *w, const gt_problem *p, gt_arena *arena)
{
    lay_out_common(w, p, arena);
    gt_jacobian_layout_shift(&w->jac, p, &w->W, arena);
    gt_lu_layout(&w->lu, &w->W, arena);
}

void gt_newton_layout_shifted(gt_newton *w, const gt_problem *p, gt_shifted *shifted,
                              const double complex *inverse, gt_arena *arena)
{
    lay_out_common(w, p, arena);
    w->product = gt_arena_doubles(arena, gt_problem_size(p));
    w->shifted = shifted;
    w->inverse = inverse;
}

gt_status gt_newton_prepare(gt_newton *w, gt_stepper *s)
{
    gt_jacobian_prepare(&w->jac, s->problem);
    gt_storage storage = w->shifted ? w->shifted->sum.of_W.storage : w->jac.of_W.storage;
    if (storage != GT_CSC) return GT_OK;
    const gt_problem *p = s->problem;
    gt_status status = gt_jacobian_evaluate(&w->jac, s, p->t0, p->x0, &w->J[0]);
    if (status)
        return gt_fail(&s->message, GT_RHS_FAILED,
                       "the Jacobian cannot be evaluated at the start, t = %g", p->t0);
    double typical = isfinite(p->t1) ? (p->t1 - p->t0) / 1000 : 1;
    if (w->shifted) {
        status = gt_shifted_prepare(w->shifted, &w->J[0], typical);
    } else {
        gt_jacobian_shift(&w->jac, p, &w->J[0], typical, &w->W);
        status = gt_lu_analyse(&w->lu, &w->W);
    }
    return gt_lu_ready(status, &s->message);
}

/* Comparisons instead of fmax, whose care for NaN costs a call for each component. */
static double largest_of(const double *x, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) most = fabs(x[i]) > most ? fabs(x[i]) : most;
    return most;
}

/* Size of the correction, in units of what may be left; converged below 1. */
static double correction_size(const gt_newton *w, const gt_stepper *s, const double *x)
{
    size_t n = s->n;
    double sum = 0, most = 0;
    if (s->rtol > 0) {
        for (size_t i = 0; i < n; i++) {
            double d = w->delta[i] / gt_weight(s, i, x[i]);
            sum += d * d;
        }
        return sqrt(sum / (double)n) / w->fraction;
    }
    /* Componentwise, with a floor so that a component near zero need not be relatively exact; a
     * higher one where algebraic rows add up components of all sizes, so that the small ones carry
     * the rounding errors of the large. */
    double floor = (w->jac.n_diff < n ? 1e-3 : 1e-6) * largest_of(x, n) + DBL_MIN;
    for (size_t i = 0; i < n; i++) {
        double d = fabs(w->delta[i]) / (fabs(x[i]) + floor);
        sum += d; /* carries NaN, which a maximum may drop */
        most = d > most ? d : most;
    }
    return isfinite(sum) ? most / w->tolerance : sum;
}

/* Where the terms of an algebraic row cancel, as in y3 = 1 - y1 - y2, its variable cannot be as
 * exact as a tolerance relative to itself asks for: all else has converged, and what it still moves
 * by is the rounding of those terms. At fixed step that holds for every variable, as a rate can
 * pass through zero as well. */
static bool only_round_off(const gt_newton *w, const gt_stepper *s, const double *x)
{
    size_t n_diff = s->rtol == 0 ? 0 : w->jac.n_diff;
    double sum = 0, largest = largest_of(x, s->n);
    if (w->jac.n_diff == s->n) return false;
    for (size_t i = n_diff; i < s->n; i++) {
        if (fabs(w->delta[i]) > 8 * DBL_EPSILON * largest) return false;
    }
    for (size_t i = 0; i < n_diff; i++) {
        double d = w->delta[i] / gt_weight(s, i, x[i]);
        sum += d * d;
    }
    return sqrt(sum / (double)s->n) <= w->fraction;
}

/* At fixed step: corrections that shrink no more and are within the tolerance of the largest
 * component are the rounding errors of a large system, whose small components cannot be told from
 * zero any better. */
static bool stands_still(const gt_newton *w, const gt_stepper *s, const double *x)
{
    return s->rtol == 0 && largest_of(w->delta, s->n) <= w->tolerance * largest_of(x, s->n);
}

/* How the corrections of one solution shrink, and what follows from it. */
typedef struct monitor {
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
} monitor;

typedef enum verdict { GO_ON, CONVERGED, HOPELESS } verdict;

/* At fixed step, on linear equations: the first correction solves them, and what the others still
 * move is rounding, however much the condition of the matrix makes of it. With a wrong Jacobian
 * they shrink or grow at the rate of the first two: where that is a hundredth the fifth has nothing
 * left to correct. Rounding goes up and down (`turns`), and is small beside the largest component,
 * though perhaps not beside the one it sits on. `moved` is relative to that one.
 */
static bool solved_at_once(const gt_newton *w, const gt_stepper *s, const double *x,
                           const monitor *m, double size)
{
    double moved = size * w->tolerance;
    if (moved <= sqrt(DBL_EPSILON)) return true;
    if (m->second <= 0.01 * m->first) return m->count >= 4 && moved <= 1e-3;
    return m->turns >= 4 && size > 0.1 * m->second &&
           largest_of(w->delta, s->n) <= sqrt(DBL_EPSILON) * largest_of(x, s->n);
}

static gt_status factor_W(gt_newton *w, gt_stepper *s, const gt_matrix *J, double gamma)
{
    s->stats.factorizations++;
    gt_jacobian_shift(&w->jac, s->problem, J, gamma, &w->W);
    long repivots = w->lu.repivots;
    gt_status status = gt_lu_factor(&w->lu, &w->W);
    s->stats.repivots += w->lu.repivots - repivots;
    return status;
}

static gt_status factor_shifted(gt_newton *w, gt_stepper *s, const gt_matrix *J, double gamma)
{
    s->stats.factorizations += w->shifted->count;
    for (int i = 0; i < w->shifted->count; i++) s->stats.repivots -= w->shifted->lu[i].repivots;
    gt_status status = gt_shifted_factor(w->shifted, J, gamma);
    for (int i = 0; i < w->shifted->count; i++) s->stats.repivots += w->shifted->lu[i].repivots;
    return status;
}

static gt_status factor(gt_newton *w, gt_stepper *s, int which, double gamma)
{
    if (w->lu_of == which && w->lu_gamma == gamma) return GT_OK;
    const gt_matrix *J = &w->J[which];
    gt_status status = w->shifted ? factor_shifted(w, s, J, gamma) : factor_W(w, s, J, gamma);
    if (status) { /* a zero pivot, or numbers that are none? */
        double finite = 0;
        for (size_t i = 0; i < gt_matrix_entries(J); i++) finite += J->values[i] - J->values[i];
        if (finite != 0) status = GT_TRY_NOT_FINITE;
    }
    w->lu_of = status ? -1 : which;
    w->lu_gamma = gamma;
    return status;
}

/* delta := (iteration matrix)^-1 delta */
static void solve(gt_newton *w, const gt_stepper *s)
{
    if (!w->shifted) {
        gt_lu_solve(&w->lu, w->delta);
        return;
    }
    const double *b = memcpy(w->product, w->delta, s->n * sizeof *b);
    if (s->problem->mass) gt_matrix_multiply(s->problem->mass, w->delta, 0, w->product);
    memset(w->delta, 0, s->n * sizeof *w->delta);
    gt_shifted_apply(w->shifted, b, &(gt_combination){w->inverse, 1, w->delta}, 1);
}

static gt_status evaluate(gt_newton *w, gt_stepper *s, int which, double t, const double *x)
{
    gt_status status = gt_jacobian_evaluate(&w->jac, s, t, x, &w->J[which]);
    w->rough[which] = s->rough_jacobian;
    if (w->lu_of == which) w->lu_of = -1;
    return status;
}

/* What is to be solved: residual(x) = 0 at time t. */
typedef struct equations {
    double t, gamma;
    gt_residual_fn *residual;
    void *data;
} equations;

/* The gamma to factor with: that of the last accepted step when near enough, whatever a rejected
 * trial left. */
static double gamma_of_factors(const gt_newton *w, double gamma, int which, bool full)
{
    bool near = w->gamma_kept > 0 && fabs(gamma / w->gamma_kept - 1) <= w->keep;
    return near && which == w->current && !full ? w->gamma_kept : gamma;
}

/* Where a smaller step can be tried: what is left counts, and an iteration that is not worth its
 * price ends soon. */
static verdict judge_controlled(monitor *m, const gt_newton *w, const gt_stepper *s,
                                const double *x, double size)
{
    if (m->count > 0 && size > 0.3 * m->before && only_round_off(w, s, x)) return CONVERGED;
    if (m->count > 0) {
        double theta = size / m->before;
        if (theta > 1.5 && size > 1) return HOPELESS;
        m->rate = fmax(fmax(theta, m->rate < 1 ? 0.3 * m->rate : 0), least_rate);
    }
    /* With a slope that is far too steep corrections are small, whatever is left. So a new
     * Jacobian, a rough one, and one not measured for long or at a gamma as large as this, has to
     * show how corrections shrink. */
    bool known = m->rate > 0 && m->rate<1, trusted = m->count> 0 || (known && !m->rough);
    double rate = known ? m->rate : unknown_rate;
    if (size == 0 || (trusted && size * rate / (1 - rate) <= 1)) return CONVERGED;
    return m->count > 1 && size * gt_whole_power(m->rate, m->limit - 1 - m->count) > 1 ? HOPELESS
                                                                                       : GO_ON;
}

/* At fixed step, where the correction itself counts and round-off is what limits it. */
static verdict judge_fixed(monitor *m, const gt_newton *w, const gt_stepper *s, const double *x,
                           double size)
{
    if (m->count > 0 && m->linear && solved_at_once(w, s, x, m, size)) {
        m->rate = least_rate;
        return CONVERGED;
    }
    if (m->count > 0 && size > 0.3 * m->before &&
        (only_round_off(w, s, x) || (size > 0.9 * m->before && stands_still(w, s, x))))
        return CONVERGED;
    if (m->count > 0) {
        double theta = size / m->before;
        bool noise = m->linear && (m->second <= 0.01 * m->first || m->turns > 0);
        if (!m->every_jacobian && theta > 1.5 && size > 1 && !noise) return HOPELESS;
        m->rate = fmax(fmax(theta, 0.3 * m->rate), least_rate);
        /* Round-off: corrections no longer shrink but are as small as they can be. */
        if (theta > 0.9 && size < 100) return CONVERGED;
    }
    bool known = m->rate > 0 && m->rate < 1;
    double left = known ? size : size * unknown_rate / (1 - unknown_rate);
    bool trusted = m->count > 0 || !m->rough;
    return size == 0 || (trusted && left <= 1) ? CONVERGED : GO_ON;
}

static verdict judge(monitor *m, const gt_newton *w, const gt_stepper *s, const double *x,
                     double size)
{
    if (m->count == 0) m->first = size;
    if (m->count == 1) m->second = size;
    if (m->count > 1 && (size > m->before) != m->rising) {
        m->turns++;
        m->rising = !m->rising;
    }
    verdict v = s->rtol > 0 ? judge_controlled(m, w, s, x, size) : judge_fixed(m, w, s, x, size);
    m->before = size;
    m->count++;
    return v;
}

static void begin_monitor(monitor *m, const gt_newton *w, const gt_stepper *s, int which,
                          double gamma, bool full)
{
    bool kept = which == w->current && !full;
    *m = (monitor){
        .rate = kept ? w->rate : 0,
        .limit = full          ? FULL_ITERATIONS
                 : s->rtol > 0 ? CONTROLLED_ITERATIONS
                               : FIXED_ITERATIONS,
        .every_jacobian = full,
        .rough = w->rough[which],
        .linear = s->problem->linear && s->rtol == 0,
    };
    if (kept && s->rtol > 0 && w->rate > 0 && gamma > same_rate_until * w->rate_gamma) m->rate = 1;
}

/* What the next step takes over. A single correction measures nothing: trust the old rate less each
 * time, until it is measured again. */
static void keep_rate(gt_newton *w, const gt_stepper *s, const monitor *m, int which, double gamma)
{
    bool measured = m->count > 1;
    w->rate_used = measured ? m->rate : 2 * m->rate;
    w->rate_gamma_used = measured ? gamma : w->rate_gamma;
    double usual = s->rtol == 0         ? slow_rate_fixed
                   : s->n > GT_SMALL_LU ? slow_rate
                                        : slow_rate_small;
    w->slow_used = m->rate > (w->slow_rate > 0 ? w->slow_rate : usual) || w->rough[which];
}

/* x := x - (iteration matrix)^-1 residual(x) */
static gt_status correct(gt_newton *w, gt_stepper *s, double *x, double scale,
                         gt_residual_fn *residual, void *data)
{
    gt_status status = residual(s, x, w->delta, data);
    if (status) return status;
    solve(w, s);
    if (scale != 1)
        for (size_t i = 0; i < s->n; i++) w->delta[i] *= scale;
    for (size_t i = 0; i < s->n; i++) x[i] -= w->delta[i];
    s->stats.newton++;
    return GT_OK;
}

/* Iterates with the Jacobian `which`, or, `full`, with a new one in its place at every iterate. */
static gt_status iterate(gt_newton *w, gt_stepper *s, const equations *e, double *x, int which,
                         bool full)
{
    double gamma_lu = gamma_of_factors(w, e->gamma, which, full);
    double scale =
        2 /
        (1 + e->gamma / gamma_lu); /* makes up, on average over the spectrum, for the other gamma */
    monitor m;
    begin_monitor(&m, w, s, which, e->gamma, full);
    w->gamma_used = gamma_lu;
    while (m.count < m.limit) {
        gt_status status = GT_OK;
        if (full) status = evaluate(w, s, which, e->t, x);
        if (!status) status = factor(w, s, which, gamma_lu);
        if (!status) status = correct(w, s, x, scale, e->residual, e->data);
        if (status) return status;
        double size = correction_size(w, s, x);
        if (!isfinite(size)) return GT_TRY_NOT_FINITE;
        verdict v = judge(&m, w, s, x, size);
        if (v == HOPELESS) return GT_TRY_NEWTON;
        if (v == CONVERGED) {
            keep_rate(w, s, &m, which, e->gamma);
            return GT_OK;
        }
    }
    return GT_TRY_NEWTON;
}

static gt_status fresh_jacobian(gt_newton *w, gt_stepper *s)
{
    if (w->fresh_known) return GT_OK;
    const gt_matrix *J = &w->J[1 - w->current];
    double finite = 0;
    gt_status status = evaluate(w, s, 1 - w->current, s->t, s->x);
    for (size_t i = 0; i < gt_matrix_entries(J) && !status; i++)
        finite += J->values[i] - J->values[i];
    if (finite != 0) status = GT_TRY_NOT_FINITE; /* f may have given a NaN just once */
    w->fresh_known = status == GT_OK;
    return status;
}

gt_status gt_newton_begin(gt_newton *w, gt_stepper *s, double gamma)
{
    bool kept = w->current_known && !w->slow;
    gt_status status = kept ? GT_OK : fresh_jacobian(w, s);
    int which = kept ? w->current : 1 - w->current;
    return status ? status : factor(w, s, which, gamma_of_factors(w, gamma, which, false));
}

gt_status gt_newton_solve(gt_newton *w, gt_stepper *s, double t, double gamma, double *x,
                          gt_residual_fn *residual, void *data)
{
    const equations e = {t, gamma, residual, data};
    int fresh = 1 - w->current;
    gt_status status = GT_TRY_NEWTON;
    memcpy(w->guess, x, s->n * sizeof *x);
    w->fresh_used = false;
    if (w->at_guess) w->fresh_known = false; /* that of another trial */
    if (w->current_known && !w->slow) {
        status = iterate(w, s, &e, x, w->current, false);
        if (status <= 0) return status;
        memcpy(x, w->guess, s->n * sizeof *x);
    }
    w->fresh_used = true;
    if (!w->fresh_known) {
        /* At a fixed step no second trial could use it again, so it may as well be the one nearer
         * to the end. */
        bool at_guess = w->at_guess || s->rtol == 0;
        status = at_guess ? evaluate(w, s, fresh, t, x) : fresh_jacobian(w, s);
        if (status) return status;
    }
    status = iterate(w, s, &e, x, fresh, false);
    if (status == GT_TRY_SINGULAR || status == GT_TRY_NOT_FINITE)
        w->fresh_known = false; /* f may have given a NaN just once */
    if (status <= 0 || s->rtol > 0) return status;
    memcpy(x, w->guess, s->n * sizeof *x);
    w->fresh_known = false;
    return iterate(w, s, &e, x, fresh, true);
}

void gt_newton_accept(gt_newton *w)
{
    if (w->fresh_used) w->current = 1 - w->current;
    w->current_known = true;
    w->fresh_known = w->fresh_used = false;
    w->slow = w->slow_used;
    w->rate = w->rate_used;
    w->rate_gamma = w->rate_gamma_used;
    w->gamma_kept = w->gamma_used;
}

void gt_newton_restart(gt_newton *w)
{
    w->current_known = w->fresh_known = w->slow = false;
    w->rate = w->rate_gamma = w->gamma_kept = 0;
}

void gt_newton_free(gt_newton *w)
{
    if (!w) return;
    gt_lu_free(&w->lu);
    if (w->shifted) gt_shifted_free(w->shifted);
}
