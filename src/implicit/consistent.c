/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Consistent values: with the differential variables held, 0 = g(t, x, y) is solved for the
 * algebraic ones by Newton with a new Jacobian wherever the residual did not fall to a hundredth,
 * and a step halved until it falls. gamma = 0 makes the differential rows of the matrix the
 * identity, so that the full matrix serves.
 *
 * Stages of a step have a root already, that of the accepted point, and theirs is the one that it
 * leads to: 0 = g may have several, and a search that ends at another one is a wrong answer without
 * a sign of it. So there is no search there. Corrections have to shrink to a half from one to the
 * next, as they do where the guess and the root are of one neighbourhood (Kantorovich); where they
 * do not, the root is followed along the straight line from the accepted point, in parts in which
 * they do.
 */
#include "implicit/index.h"
#include "implicit/inner.h"
#include "linalg/column.h"
#include <assert.h>
#include <float.h>
#include <geartrain/author/newton.h>
#include <math.h>
#include <string.h>

enum { MAX_ITERATIONS = 50, MAX_HALVINGS = 30, MOST_PARTS = 100 };
/* What to do where the first corrections do not lead to a root: search for one, or give up. */
typedef enum closing_way { SEARCHED, NEAR } closing_way;
static const double contraction = 0.5;
static const double judged_above = 1e-6; /* smaller corrections, of their variables, are exact */
static const double most_noise =
    1e-3; /* of a variable, what round-off may leave of it in a stage */
static const double least_part = 0x1p-24; /* of the way; so near a kink is met */

double gt_closing_largest(const double *g, size_t count, size_t *where)
{
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        if (!(fabs(g[i]) <= most)) most = fabs(g[i]), *where = i;
    }
    return most;
}

gt_status gt_does_not_close(gt_stepper *s, double t, size_t row, double value, const char *why)
{
    char buffer[24];
    const gt_problem *p = s->problem;
    return gt_fail(
        &s->message, GT_INCONSISTENT,
        "algebraic equation %zu (the row of %s) does not close at t = %g: residual %.3g, %s; "
        "try other starting values of the algebraic variables",
        row + 1, gt_problem_state_name(p, p->n_slow + p->n_fast + row, buffer), gt_shown_time(s, t),
        value, why);
}

/* x may be s->scratch, where gt_rhs_alg would put the rows that it does not want. */
gt_status gt_closing_residual(gt_stepper *s, double t, const double *x, double *g)
{
    const gt_problem *p = s->problem;
    double *all = s->closing + 2 * s->n;
    gt_status status = p->rhs_alg ? gt_rhs_alg(s, t, x, g) : gt_rhs(s, t, x, all);
    if (!p->rhs_alg) memmove(g, all + p->n_slow + p->n_fast, p->n_alg * sizeof *g);
    if (status < 0)
        gt_fail(&s->message, status, "the algebraic equations cannot be evaluated at t = %g",
                gt_shown_time(s, t));
    return status;
}

gt_status gt_closing_factor(gt_stepper *s, double t, const double *x)
{
    assert(s && s->algebraic && x);
    gt_newton *w = s->algebraic;
    gt_status status = w->inner ? gt_inner_evaluate(w, s, 0, t, x)
                                : gt_jacobian_evaluate(&w->jac, s, t, x, &w->J[0]);
    if (status < 0)
        return gt_fail(&s->message, status, "the Jacobian cannot be evaluated at t = %g",
                       gt_shown_time(s, t));
    if (status) return status;
    if (w->inner) return gt_inner_factor(w, s, 0, 0);
    gt_jacobian_shift(&w->jac, s->problem, &w->J[0], 0, &w->W);
    s->stats.factorizations++;
    return gt_lu_factor(&w->lu, &w->W);
}

bool gt_closing_is_round_off(const gt_stepper *s, const double *x, const double *g)
{
    const gt_matrix *J = &s->algebraic->J[0];
    size_t n_diff = s->problem->n_slow + s->problem->n_fast;
    double *terms = s->closing;
    memset(terms, 0, s->n * sizeof *terms);
    for (size_t j = 0; j < s->n; j++) {
        gt_column c = gt_column_of(&J->pattern, s->n, j);
        for (size_t k = 0; k < c.count; k++)
            terms[gt_column_row(&c, k)] += fabs(J->values[c.index + k]) * (fabs(x[j]) + 1);
    }
    for (size_t i = n_diff; i < s->n; i++)
        if (!(fabs(g[i - n_diff]) <= 16 * DBL_EPSILON * terms[i])) return false;
    return true;
}

gt_status gt_closing_solve(gt_stepper *s, double t, const double *x)
{
    gt_newton *w = s->algebraic;
    if (w->inner) return gt_inner_close(w, s, t, x);
    gt_lu_solve(&w->lu, w->delta);
    return GT_OK;
}

/* One Newton direction at x into newton->delta, zero in the differential rows. */
static gt_status direction(gt_stepper *s, double t, const double *x, const double *g, bool fresh)
{
    gt_newton *w = s->algebraic;
    size_t n_diff = s->problem->n_slow + s->problem->n_fast;
    gt_status status = fresh ? gt_closing_factor(s, t, x) : GT_OK;
    if (status) return status;
    memset(w->delta, 0, n_diff * sizeof *g);
    memcpy(w->delta + n_diff, g, s->problem->n_alg * sizeof *g);
    return gt_closing_solve(s, t, x);
}

/* y - lambda delta for lambda = 1, 1/2, .., `halvings` of them, until the residual falls below
 * `size`; `relative` is that of a full step. */
static gt_status search(gt_stepper *s, double t, double *x, double size, int halvings,
                        double *relative, double *found, size_t *row)
{
    const gt_problem *p = s->problem;
    size_t n_diff = p->n_slow + p->n_fast, m = p->n_alg;
    const double *delta = s->algebraic->delta + n_diff;
    double *y = s->closing, *g = s->closing + s->n, lambda = 1;
    memcpy(y, x + n_diff, m * sizeof *y);
    *relative = 0;
    for (size_t i = 0; i < m; i++)
        *relative = fmax(*relative, fabs(delta[i]) / (fabs(y[i]) + 1e-3));
    for (int halving = 0; halving < halvings; halving++, lambda /= 2) {
        for (size_t i = 0; i < m; i++) x[n_diff + i] = y[i] - lambda * delta[i];
        gt_status status = gt_closing_residual(s, t, x, g);
        if (status < 0) return status;
        *found = status ? INFINITY : gt_closing_largest(g, m, row);
        if (*found < size || *relative <= 64 * DBL_EPSILON) break;
    }
    if (!(*found < size)) memcpy(x + n_diff, y, m * sizeof *y);
    return GT_OK;
}

/* Whether newton->delta is at most half of the one before. Of each variable it counts as a part of
 * where it began and of the first correction: beside a value that has run away by an overshoot, the
 * next correction would seem small. */
static bool contracts(const gt_stepper *s, const double *x, double *before)
{
    const double beside = 1e-9, nothing = 1e-200; /* of the largest variable, what counts as 0 */
    const double *delta = s->algebraic->delta;
    double *scale = s->closing + 6 * s->n, most = nothing, size = 0, relative = 0;
    size_t n_diff = s->n - s->problem->n_alg;
    for (size_t i = n_diff; i < s->n; i++) most = fmax(most, fmax(fabs(x[i]), fabs(s->x[i])));
    for (size_t i = n_diff; i < s->n; i++) {
        if (*before == INFINITY) scale[i] = fabs(x[i]) + fabs(delta[i]) + beside * most;
        size = fmax(size, fabs(delta[i]) / scale[i]);
        relative = fmax(relative, fabs(delta[i]) / (fabs(x[i]) + fabs(s->x[i]) + beside * most));
    }
    bool yes = relative <= judged_above || size <= contraction * *before;
    *before = size;
    return yes;
}

/* `fresh`: the factors at hand are not to be used. A status above 0: f cannot be evaluated at x. */
static gt_status close_from(gt_stepper *s, double t, double *x, bool fresh, closing_way way)
{
    size_t m = s->problem->n_alg, row = 0;
    double *g = s->algebraic->guess, *g_new = s->closing + s->n, before = INFINITY;
    /* A factorization that failed before, at a fold, leaves none. */
    if (!s->algebraic->inner && !s->algebraic->lu.factored) fresh = true;
    gt_status status = gt_closing_residual(s, t, x, g);
    if (status)
        return gt_fail(&s->message, status, "the algebraic equations cannot be evaluated at t = %g",
                       gt_shown_time(s, t));
    for (int iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
        double relative, found, size = gt_closing_largest(g, m, &row);
        if (size == 0) return GT_OK;
        if (!isfinite(size)) return gt_does_not_close(s, t, row, size, "which is not a number");
        s->stats.newton++;
        if (fresh) s->closing_ready = false;
        status = direction(s, t, x, g, fresh);
        /* Singular at the guess: the index; only where it led to: a least residual, or infinity. */
        if (status == GT_TRY_SINGULAR)
            return iteration == 0
                       ? gt_say_index(s, t)
                       : gt_does_not_close(s, t, row, size,
                                           "where dg/dy is singular: it may have no solution, or "
                                           "none near the starting values");
        if (status > 0)
            return gt_does_not_close(s, t, row, size,
                                     status == GT_TRY_KRYLOV
                                         ? "and Krylov iterations do not converge"
                                         : "and the Jacobian is not finite there");
        if (!status && way == NEAR && !contracts(s, x, &before)) return GT_TRY_NEWTON;
        int halvings = way == NEAR ? 1 : MAX_HALVINGS;
        if (!status) status = search(s, t, x, size, halvings, &relative, &found, &row);
        if (status) return status;
        if (!(found < size)) {
            bool noise = way == SEARCHED || relative <= most_noise;
            if (relative <= 1e-9 || (noise && gt_closing_is_round_off(s, x, g)))
                return GT_OK; /* as close as the arithmetic allows */
            if (!fresh) {
                fresh = true;
                before = INFINITY;
                continue;
            }
            return gt_does_not_close(s, t, row, size, "and no step makes it smaller");
        }
        fresh = !(found < 0.01 * size) &&
                relative > 1e-9; /* below that, rounding is what keeps it from falling */
        memcpy(g, g_new, m * sizeof *g);
        if (relative <= 1e-14) return GT_OK;
    }
    return gt_does_not_close(s, t, row, gt_closing_largest(g, m, &row), "after 50 iterations");
}

gt_status gt_stepper_solve_algebraic(gt_stepper *s, double t, double *x)
{
    GT_ARMOR(s ? &s->message : NULL, s && s->bound && x);
    if (!s->problem->n_alg) return GT_OK;
    return gt_problem_index(s->problem) > 1 ? gt_close_constrained(s, t, x)
                                            : close_from(s, t, x, true, SEARCHED);
}

/* Output and the search for events look at many points of a trial: one matrix, that of its end,
 * serves them all. Which one is used does not depend on which points were looked at before. */
gt_status gt_stepper_solve_algebraic_inside(gt_stepper *s, double t, double *x)
{
    GT_ARMOR(s ? &s->message : NULL, s && s->bound && x);
    if (!s->problem->n_alg || gt_problem_index(s->problem) > 1) return GT_OK; /* as it stands */
    if (!s->closing_ready) {
        gt_status status = gt_closing_factor(s, s->t_new, s->x_new);
        if (status < 0) return status;
        s->closing_ready = !status;
    }
    return close_from(s, t, x, !s->closing_ready, SEARCHED);
}

gt_status gt_closing_begin(gt_stepper *s)
{
    assert(s);
    if (!s->problem->n_alg) return GT_OK;
    s->closing_ready = false;
    gt_status status = gt_closing_factor(s, s->t, s->x);
    return status == GT_TRY_SINGULAR ? gt_say_index(s, s->t) : status;
}

/* A failure that a smaller step may cure. */
static gt_status for_a_trial(gt_status status)
{
    return status == GT_INCONSISTENT || status == GT_SINGULAR ? GT_TRY_NEWTON : status;
}

/* The root at (t, x) that the one of the accepted point leads to. In the place of the algebraic
 * variables of `end` stands the last root on the way. */
static gt_status follow(gt_stepper *s, double t, double *x)
{
    size_t n_diff = s->n - s->problem->n_alg, m = s->problem->n_alg;
    double *end = s->closing + 3 * s->n, done = 0, part = 0.5;
    memcpy(end, x, n_diff * sizeof *x);
    memcpy(end + n_diff, s->x + n_diff, m * sizeof *x);
    gt_status status = GT_OK;
    for (int k = 0; k < MOST_PARTS && done < 1 && part >= least_part; k++) {
        double next = fmin(1, done + part), at = next < 1 ? s->t + next * (t - s->t) : t;
        for (size_t i = 0; i < n_diff; i++)
            x[i] = next < 1 ? s->x[i] + next * (end[i] - s->x[i]) : end[i];
        memcpy(x + n_diff, end + n_diff, m * sizeof *x);
        status = for_a_trial(close_from(s, at, x, true, NEAR));
        if (status < 0) return status;
        part *= status ? 0.5 : 2;
        if (status) continue;
        done = next;
        memcpy(end + n_diff, x + n_diff, m * sizeof *x);
    }
    return done < 1 ? GT_TRY_NEWTON : GT_OK;
}

gt_status gt_closing_stage(gt_stepper *s, double t, double *x)
{
    assert(s && x);
    if (!s->problem->n_alg) return GT_OK;
    double at = t < s->t_cap ? t : s->t_cap;
    size_t n_diff = s->n - s->problem->n_alg; /* what stands in x may lead elsewhere */
    memcpy(x + n_diff, s->x + n_diff, s->problem->n_alg * sizeof *x);
    gt_status status = for_a_trial(close_from(s, at, x, false, NEAR));
    return status > 0 ? follow(s, at, x) : status;
}

gt_status gt_stepper_make_consistent(gt_stepper *s)
{
    GT_ARMOR(s ? &s->message : NULL, s && s->bound);
    if (s->problem->n_alg) s->f_known = false;
    gt_status status = gt_stepper_solve_algebraic(s, s->t, s->x);
    if (status == GT_INCONSISTENT && gt_problem_index(s->problem) > 1) {
        gt_message kept = s->message;
        gt_status wrong = gt_check_constrained(s); /* which says more where the index is wrong */
        if (wrong < 0) return wrong;
        s->message = kept;
    }
    return status > 0 ? GT_RHS_FAILED : status; /* there is no shorter step to a start */
}
