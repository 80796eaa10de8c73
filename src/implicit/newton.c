/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Simplified Newton with kept Jacobians and factors. A trial goes through up to three stages:
 *   1. the Jacobian of the last accepted step, unless it converged slowly there;
 *   2. the Jacobian at the accepted point or, with `at_guess` and at fixed step, at the guess;
 *   3. at fixed step, where no smaller step can help: a Jacobian at every iterate, (5.49) of crow.
 * Factors are kept while Jacobian and gamma are bit for bit the same, so that keeping them changes
 * no number; with `keep` they also serve nearby gammas, chosen by accepted steps only.
 * Whether the iterations of a stage converge is judged in convergence.c.
 */
#include "implicit/convergence.h"
#include "implicit/growth.h"
#include "implicit/inner.h"
#include "implicit/shifted.h"
#include "linalg/backend.h"
#include "problem/norm.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* What may be left of the correction: relative to x at fixed step, where nothing else limits the
 * error of the solution; in units of the tolerance where the step is controlled, so that the error
 * of the solution does not count beside that of the step. */
static const double default_tolerance = 1e-12, default_fraction = 0.05;
static const double typical_steps = 1000; /* of a run, for pivots of the first sparse factors */

/* A component need not be relatively exact below this part of the largest. The higher one holds
 * where algebraic rows add up components of all sizes, so that the small ones carry the rounding
 * errors of the large. */
static const double floor_differential = 1e-6, floor_algebraic = 1e-3;

static void begin_layout(gt_newton *w, const gt_problem *p, gt_arena *arena)
{
    size_t n = gt_problem_size(p);
    *w = (gt_newton){.lu_of = -1, .tolerance = default_tolerance, .fraction = default_fraction};
    w->guess = gt_arena_doubles(arena, n);
    w->delta = gt_arena_doubles(arena, n);
}

static void lay_out_common(gt_newton *w, const gt_problem *p, gt_arena *arena)
{
    size_t n = gt_problem_size(p);
    begin_layout(w, p, arena);
    gt_jacobian_layout(&w->jac, p, arena);
    gt_matrix_layout(&w->J[0], n, w->jac.of_J, false, arena);
    gt_matrix_layout(&w->J[1], n, w->jac.of_J, false, arena);
}

void gt_newton_layout(gt_newton *w, const gt_problem *p, gt_arena *arena)
{
    lay_out_common(w, p, arena);
    gt_jacobian_layout_shift(&w->jac, p, &w->W, arena);
    gt_lu_layout(&w->lu, &w->W, arena);
}

void gt_newton_layout_with(gt_newton *w, const gt_problem *p, const gt_linear_options *options,
                           gt_arena *arena)
{
    gt_linear_way way = gt_inner_way(p, options);
    if (way == GT_LINEAR_DIRECT) {
        gt_newton_layout(w, p, arena);
        return;
    }
    begin_layout(w, p, arena);
    gt_inner_layout(w, p, options, way, arena);
}

void gt_newton_layout_shifted(gt_newton *w, const gt_problem *p, gt_shifted *shifted,
                              const double complex *inverse, gt_arena *arena)
{
    if (shifted->matrix) {
        lay_out_common(w, p, arena);
    } else {
        begin_layout(w, p, arena);
        w->jac = (gt_jacobian){.n = gt_problem_size(p), .n_diff = p->n_slow + p->n_fast};
    }
    w->product = gt_arena_doubles(arena, gt_problem_size(p));
    w->shifted = shifted;
    if (shifted->iterated) shifted->iterated->J = w->J;
    w->inverse = inverse;
}

static bool has_matrix(const gt_newton *w) { return !w->shifted || w->shifted->matrix; }

gt_status gt_newton_prepare(gt_newton *w, gt_stepper *s)
{
    if (w->inner) {
        gt_inner_prepare(w, s);
        return GT_OK;
    }
    if (has_matrix(w)) gt_jacobian_prepare(&w->jac, s->problem);
    if (w->shifted && w->shifted->iterated) return gt_shifted_prepare(w->shifted, &w->J[0], 0);
    gt_storage storage = w->shifted ? w->shifted->sum.of_W.storage : w->jac.of_W.storage;
    if (storage != GT_CSC) return GT_OK;
    const gt_problem *p = s->problem;
    gt_status status = gt_jacobian_evaluate(&w->jac, s, p->t0, p->x0, &w->J[0]);
    if (status)
        return gt_fail(&s->message, GT_RHS_FAILED,
                       "the Jacobian cannot be evaluated at the start, t = %g", p->t0);
    double typical = isfinite(p->t1) ? (p->t1 - p->t0) / typical_steps : 1;
    if (w->shifted) {
        status = gt_shifted_prepare(w->shifted, &w->J[0], typical);
    } else {
        gt_jacobian_shift(&w->jac, p, &w->J[0], typical, &w->W);
        status = gt_lu_analyse(&w->lu, &w->W);
    }
    return gt_lu_ready(status, &s->message);
}

/* Size of the correction, in units of what may be left: converged below 1. NaN or infinite when a
 * component is. */
static double correction_size(const gt_newton *w, const gt_stepper *s, const double *x)
{
    size_t n = s->n;
    if (s->rtol > 0) return gt_weighted_norm(s, w->delta, x, n) / w->fraction;
    double part = w->jac.n_diff < n ? floor_algebraic : floor_differential;
    double floor = part * gt_largest_over_ranks(s->problem, x, n) + DBL_MIN;
    double sum = 0, most = 0;
    for (size_t i = 0; i < n; i++) {
        double d = fabs(w->delta[i]) / (fabs(x[i]) + floor);
        sum += d; /* carries NaN, which a maximum may drop */
        most = d > most ? d : most;
    }
    double all[2] = {sum, most};
    gt_over_ranks(s->problem, all, 1, 1);
    return isfinite(all[0]) ? all[1] / w->tolerance : all[0];
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
    gt_status status = gt_shifted_factor(w->shifted, s, (int)(J - w->J), J, gamma);
    for (int i = 0; i < w->shifted->count; i++) s->stats.repivots += w->shifted->lu[i].repivots;
    return status;
}

static gt_status factor(gt_newton *w, gt_stepper *s, int which, double gamma)
{
    if (w->lu_of == which && w->lu_gamma == gamma) return GT_OK;
    const gt_matrix *J = &w->J[which];
    gt_status status = w->inner     ? gt_inner_factor(w, s, which, gamma)
                       : w->shifted ? factor_shifted(w, s, J, gamma)
                                    : factor_W(w, s, J, gamma);
    if (status) { /* a zero pivot, or entries that are not finite?  */
        if (!gt_all_finite(J->values, gt_matrix_entries(J))) status = GT_TRY_NOT_FINITE;
    }
    const gt_lu *lu = w->inner ? NULL : &w->lu;
    const gt_matrix *of_J = J->values ? J : NULL;
    if (!status && !w->shifted && s->rtol > 0 && gt_hides_growth(s->problem, lu, of_J, gamma))
        status = GT_TRY_NEWTON;
    w->lu_of = status ? -1 : which;
    w->lu_gamma = gamma;
    return status;
}

/* delta := (iteration matrix)^-1 delta */
static gt_status solve(gt_newton *w, gt_stepper *s)
{
    if (!w->shifted) {
        gt_lu_solve(&w->lu, w->delta);
        return GT_OK;
    }
    const double *b = memcpy(w->product, w->delta, s->n * sizeof *b);
    if (s->problem->mass) gt_matrix_multiply(s->problem->mass, w->delta, 0, w->product);
    memset(w->delta, 0, s->n * sizeof *w->delta);
    w->shifted->absolute = gt_linear_part * w->fraction;
    w->shifted->relative = s->rtol > 0 ? DBL_EPSILON : gt_linear_relative;
    return gt_shifted_apply(w->shifted, s, b, &(gt_combination){w->inverse, 1, w->delta}, 1);
}

static gt_status evaluate(gt_newton *w, gt_stepper *s, int which, double t, const double *x)
{
    gt_status status = GT_OK;
    if (w->inner)
        status = gt_inner_evaluate(w, s, which, t, x);
    else if (has_matrix(w))
        status = gt_jacobian_evaluate(&w->jac, s, t, x, &w->J[which]);
    else
        gt_iterated_place(w->shifted->iterated, s, which, t, x);
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

/* x := x - (iteration matrix)^-1 residual(x) */
static gt_status correct(gt_newton *w, gt_stepper *s, double *x, double scale, const equations *e)
{
    gt_status status = e->residual(s, x, w->delta, e->data);
    if (status) return status;
    if (w->inner)
        status = gt_inner_solve(w, s, e->t, e->gamma, x);
    else
        status = solve(w, s);
    if (status) return status;
    if (scale != 1) gt_scale(s->problem, s->n, scale, w->delta);
    gt_add(s->problem, s->n, -1, w->delta, x);
    s->stats.newton++;
    return GT_OK;
}

/* Iterates with the Jacobian `which`, or, `full`, with a new one in its place at every iterate. */
static gt_status iterate(gt_newton *w, gt_stepper *s, const equations *e, double *x, int which,
                         bool full)
{
    double gamma_lu = gamma_of_factors(w, e->gamma, which, full);
    /* Makes up, on average over the spectrum, for the other gamma. */
    double scale = w->inner ? 1 : 2 / (1 + e->gamma / gamma_lu);
    gt_monitor m;
    gt_monitor_begin(&m, w, s, which, e->gamma, full);
    w->gamma_used = gamma_lu;
    while (m.count < m.limit) {
        gt_status status = GT_OK;
        if (full) status = evaluate(w, s, which, e->t, x);
        if (!status) status = factor(w, s, which, gamma_lu);
        if (!status) status = correct(w, s, x, scale, e);
        if (status) return status;
        double size = correction_size(w, s, x);
        if (!isfinite(size)) return GT_TRY_NOT_FINITE;
        gt_convergence verdict = gt_monitor_judge(&m, w, s, x, size);
        if (verdict == GT_HOPELESS) return GT_TRY_NEWTON;
        if (verdict == GT_CONVERGED) {
            gt_monitor_keep(&m, w, s, which, e->gamma);
            return GT_OK;
        }
    }
    return GT_TRY_NEWTON;
}

static gt_status fresh_jacobian(gt_newton *w, gt_stepper *s)
{
    if (w->fresh_known) return GT_OK;
    const gt_matrix *J = &w->J[1 - w->current];
    gt_status status = evaluate(w, s, 1 - w->current, s->t, s->x);
    if (!status && !gt_all_finite(J->values, gt_matrix_entries(J)))
        status = GT_TRY_NOT_FINITE; /* f may have given a NaN just once */
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

/* The first step has a Jacobian of its start, which may be a point like no other, as t = 0 is for
 * v' = -2 v/t - x. That of its end goes on from where the iteration has come to, and is kept. */
static gt_status go_on_from_end(gt_newton *w, gt_stepper *s, const equations *e, double *x)
{
    const gt_matrix *J = &w->J[w->current];
    gt_status status = evaluate(w, s, w->current, e->t, x);
    if (status) return status;
    if (J->values && !gt_all_finite(J->values, gt_matrix_entries(J))) return GT_OK;
    w->fresh_used = false;
    return iterate(w, s, e, x, w->current, false);
}

gt_status gt_newton_solve(gt_newton *w, gt_stepper *s, double t, double gamma, double *x,
                          gt_residual_fn *residual, void *data)
{
    const equations e = {t, gamma, residual, data};
    int fresh = 1 - w->current;
    gt_status status = GT_TRY_NEWTON;
    gt_copy(s->problem, s->n, x, w->guess);
    w->fresh_used = false;
    if (w->at_guess) w->fresh_known = false; /* that of another trial */
    if (w->current_known && !w->slow) {
        status = iterate(w, s, &e, x, w->current, false);
        if (status <= 0) return status;
        gt_copy(s->problem, s->n, w->guess, x);
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
    if (!status && s->rtol > 0 && w->most_kept && !w->current_known)
        return go_on_from_end(w, s, &e, x);
    if (status <= 0 || s->rtol > 0) return status;
    gt_copy(s->problem, s->n, w->guess, x);
    w->fresh_known = false;
    return iterate(w, s, &e, x, fresh, true);
}

void gt_newton_accept(gt_newton *w)
{
    if (w->fresh_used) w->current = 1 - w->current;
    w->age = w->fresh_used ? 1 : w->age + 1;
    w->current_known = true;
    w->fresh_known = w->fresh_used = false;
    w->slow = w->slow_used || (w->most_kept && w->age >= w->most_kept);
    w->rate = w->rate_used;
    w->rate_gamma = w->rate_gamma_used;
    w->gamma_kept = w->gamma_used;
}

void gt_newton_restart(gt_newton *w)
{
    w->current_known = w->fresh_known = w->slow = false;
    w->rate = w->rate_gamma = w->gamma_kept = 0;
    w->age = 0;
}

void gt_newton_free(gt_newton *w)
{
    if (!w) return;
    gt_lu_free(&w->lu);
    if (w->shifted) gt_shifted_free(w->shifted);
}
