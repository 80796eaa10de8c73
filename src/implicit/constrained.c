/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Consistent values where the index is above 1. The row of an algebraic state y of index k is then
 * a constraint 0 = g(t, x), and so are its derivatives up to the one with y in it:
 *
 *     0 = g,     0 = g' = g_x f + g_t,     0 = g'' for k = 3
 *
 * Each level is solved for what it determines: g for states of index 1, which are moved along the
 * columns of f by which y acts upon them, g' for those of index 2 and g'' for those of index 3, by
 * Newton with
 *
 *     W = [ M - f_z  ]   z: the states of index 2 and 3
 *         [   g_x    ]
 *
 * With f_y = g_x^T, as in reduced .ode models (lang/lower/reduce_index.c), g is met at the nearest
 * point.
 */
#include "base/finite.h"
#include "implicit/index.h"
#include "linalg/column.h"
#include <assert.h>
#include <float.h>
#include <geartrain/author/newton.h>
#include <math.h>
#include <string.h>

enum { MAX_ITERATIONS = 30, MAX_HALVINGS = 20 };
static const double round_off = 1e-13, too_large = 1e13;

/* What is left of a rate of the constraints, and of a correction, where it is as good as zero: a
 * central difference errs by eps^(2/3) or so. */
static double as_good_as_zero(const gt_problem *p) { return p->jac ? round_off : 1e-10; }

/* A correction that may be left, since derivatives are differences. */
static double near_enough(const gt_problem *p) { return p->rhs_t && p->jac ? 1e-6 : 1e-3; }

static int index_of(const gt_stepper *s, size_t i) { return s->problem->index[i]; }

gt_status gt_constrained_factor(gt_stepper *s, double t, const double *x)
{
    gt_newton *w = s->algebraic;
    const gt_problem *p = s->problem;
    size_t n_diff = p->n_slow + p->n_fast;
    gt_matrix *J = &w->J[0], *acting = &w->J[1];
    gt_status status = gt_jacobian_evaluate(&w->jac, s, t, x, J);
    if (status) return status;
    memcpy(acting->values, J->values, gt_matrix_entries(J) * sizeof *J->values);
    for (size_t j = 0; j < s->n; j++) {
        gt_column c = gt_column_of(&J->pattern, s->n, j);
        for (size_t k = 0; k < c.count && index_of(s, j) == 1; k++)
            if (gt_column_row(&c, k) < n_diff) acting->values[c.index + k] = 0;
    }
    gt_jacobian_shift(&w->jac, p, acting, 1, &w->W);
    s->stats.factorizations++;
    return gt_lu_factor(&w->lu, &w->W);
}

/* ---- the constraints themselves ---- */

/* How large a step is, of what moves. */
static double relative_size(const gt_stepper *s, const double *delta, const double *x, int index)
{
    double most = 0;
    for (size_t i = 0; i < s->n; i++)
        if (index_of(s, i) == index && !(fabs(delta[i]) / (fabs(x[i]) + 1e-3) <= most))
            most = fabs(delta[i]) / (fabs(x[i]) + 1e-3);
    return most;
}

static void move(const gt_stepper *s, double lambda, const double *delta, int index, double *x)
{
    for (size_t i = 0; i < s->n; i++)
        if (index_of(s, i) == index) x[i] -= lambda * delta[i];
}

/* x - lambda delta for lambda = 1, 1/2, .. until the residual falls below `size`. */
static gt_status search(gt_stepper *s, double t, double *x, double size, double *found, size_t *row)
{
    double *old = s->closing, *g = s->algebraic->guess, lambda = 1;
    memcpy(old, x, s->n * sizeof *x);
    for (int halving = 0; halving < MAX_HALVINGS; halving++, lambda /= 2) {
        memcpy(x, old, s->n * sizeof *x);
        move(s, lambda, s->algebraic->delta, 1, x);
        gt_status status = gt_closing_residual(s, t, x, g);
        if (status < 0) return status;
        *found = status ? INFINITY : gt_closing_largest(g, s->problem->n_alg, row);
        if (*found < size) return GT_OK;
    }
    memcpy(x, old, s->n * sizeof *x);
    return GT_OK;
}

static gt_status meet_constraints(gt_stepper *s, double t, double *x)
{
    gt_newton *w = s->algebraic;
    size_t n_diff = s->n - s->problem->n_alg, row = 0;
    gt_status status = gt_closing_residual(s, t, x, w->guess);
    if (status)
        return gt_fail(&s->message, status, "the algebraic equations cannot be evaluated at t = %g",
                       gt_shown_time(s, t));
    double size = gt_closing_largest(w->guess, s->problem->n_alg, &row);
    for (int iteration = 0; iteration < MAX_ITERATIONS && size != 0; iteration++) {
        if (!isfinite(size)) return gt_does_not_close(s, t, row, size, "which is not a number");
        s->stats.newton++;
        status = gt_constrained_factor(s, t, x);
        if (status < 0) return status;
        if (status) return gt_say_constrained(s, t);
        memset(w->delta, 0, n_diff * sizeof *w->delta);
        memcpy(w->delta + n_diff, w->guess, s->problem->n_alg * sizeof *w->guess);
        gt_lu_solve(&w->lu, w->delta);
        double relative = relative_size(s, w->delta, x, 1), found = INFINITY;
        if (relative <= round_off) return GT_OK;
        status = search(s, t, x, size, &found, &row);
        if (status) return status;
        if (!(found < size)) {
            status = gt_closing_residual(s, t, x, w->guess);
            if (status < 0) return status;
            if (relative <= 1e-9 || (!status && gt_closing_is_round_off(s, x, w->guess)))
                return GT_OK; /* as close as the arithmetic allows */
            return gt_does_not_close(s, t, row, size, "and no step makes it smaller");
        }
        size = found;
    }
    if (size == 0) return GT_OK;
    return gt_does_not_close(s, t, row, size, "after 30 iterations");
}

/* ---- what follows from them ---- */

/* A time in which x, which moves by f, moves by a part of its size. */
static double short_time(const gt_stepper *s, const double *x, const double *f, double part)
{
    double most = 0, speed = 0;
    for (size_t i = 0; i < s->n - s->problem->n_alg; i++)
        most = fmax(most, fabs(x[i])), speed = fmax(speed, fabs(f[i]));
    return part * (speed > 0 ? fmax(most, 1e-3) / speed : 1);
}

/* The same c as below by central differences along f, or forward ones where f is not defined
 * before t. Columns of a Jacobian by differences have the increments of their own states, which are
 * lost in the round-off of g where a state is next to zero. */
static gt_status rate_along(gt_stepper *s, double t, const double *x, const double *f, double *c)
{
    size_t n_diff = s->n - s->problem->n_alg;
    double *g = s->closing + 2 * s->n, *moved = s->closing + 6 * s->n;
    double dt = short_time(s, x, f, cbrt(DBL_EPSILON));
    int behind = 0;
    gt_status status = GT_OK;
    for (int sign = -1; sign <= 1 && !status; sign++) {
        if (sign == 0 && behind) continue;
        for (size_t i = 0; i < s->n; i++) moved[i] = x[i] + (i < n_diff ? sign * dt * f[i] : 0);
        status = gt_rhs(s, t + sign * dt, moved, g);
        if (sign < 0 && (status > 0 || (!status && !gt_all_finite(g, s->n)))) {
            status = GT_OK;
            continue;
        }
        if (sign < 0) behind = 1;
        for (size_t i = n_diff; i < s->n && !status; i++)
            if (index_of(s, i) > 1) c[i] = sign > 0 ? (g[i] - c[i]) / ((1 + behind) * dt) : g[i];
    }
    return status;
}

/* c = g_x f + g_t in the rows of the constraints at (t, x), and 0 in the others; the sum of the
 * sizes of its terms, against which it is round-off or not. */
static gt_status rate_of_constraints(gt_stepper *s, double t, const double *x, double *c,
                                     double *terms)
{
    gt_newton *w = s->algebraic;
    const gt_problem *p = s->problem;
    size_t n_diff = s->n - p->n_alg;
    double *f = s->closing + s->n, *later = s->closing + 2 * s->n;
    double dt = sqrt(DBL_EPSILON) * fmax(fabs(t), fmin(fabs(p->t1 - p->t0), 1));
    gt_status status = gt_jacobian_evaluate(&w->jac, s, t, x, &w->J[0]);
    if (!status) status = gt_rhs(s, t, x, f);
    if (!status && p->rhs_t) status = p->rhs_t(t, x, later, p->ctx);
    if (!status && !p->rhs_t) status = gt_rhs(s, t + dt, x, later);
    if (status) return status;
    memset(c, 0, s->n * sizeof *c);
    *terms = 0;
    for (size_t i = n_diff; i < s->n; i++)
        if (index_of(s, i) > 1) c[i] = p->rhs_t ? later[i] : (later[i] - f[i]) / dt;
    for (size_t j = 0; j < n_diff; j++) {
        gt_column column = gt_column_of(&w->J[0].pattern, s->n, j);
        for (size_t k = 0; k < column.count; k++) {
            size_t i = gt_column_row(&column, k);
            if (i < n_diff || index_of(s, i) == 1) continue;
            double term = w->J[0].values[column.index + k] * f[j];
            c[i] += term;
            *terms = fmax(*terms, fabs(term));
        }
    }
    for (size_t i = n_diff; i < s->n; i++) *terms = fmax(*terms, fabs(c[i]));
    return p->jac ? GT_OK : rate_along(s, t, x, f, c);
}

/* The rate at t + dt, where x has moved by dt f. */
static gt_status moved_rate(gt_stepper *s, double t, const double *x, const double *f, double dt,
                            double *moved, double *c, double *terms)
{
    size_t n_diff = s->n - s->problem->n_alg;
    for (size_t i = 0; i < s->n; i++) moved[i] = x[i] + (i < n_diff ? dt * f[i] : 0);
    return rate_of_constraints(s, t + dt, moved, c, terms);
}

/* c := the derivative of that along the solution, by central differences; of constraints of index 3
 * only. */
static gt_status bend_of_constraints(gt_stepper *s, double t, const double *x, double *c,
                                     double *terms)
{
    gt_newton *w = s->algebraic;
    size_t n_diff = s->n - s->problem->n_alg;
    double *moved = s->closing, *f = w->guess;
    gt_status status = gt_rhs(s, t, x, f);
    if (status) return status;
    /* A rate by differences is exact to fewer digits. */
    double part = s->problem->jac ? cbrt(DBL_EPSILON) : sqrt(sqrt(DBL_EPSILON));
    double dt = short_time(s, x, f, part);
    double *ahead = w->delta;
    int behind = 0;
    status = moved_rate(s, t, x, f, dt, moved, ahead, terms);
    /* Forward where f is not defined before t, as with a power of t at 0. */
    for (int sign = -1; sign <= 0 && !status; sign++) {
        behind = sign;
        status = moved_rate(s, t, x, f, sign * dt, moved, c, terms);
        if (!status && gt_all_finite(c, s->n)) break;
        if (status > 0 && sign < 0) status = GT_OK;
    }
    for (size_t i = 0; i < s->n; i++)
        c[i] = i >= n_diff && index_of(s, i) == 3 ? (ahead[i] - c[i]) / ((1 - behind) * dt) : 0;
    *terms /= dt;
    return status;
}

typedef gt_status level_fn(gt_stepper *s, double t, const double *x, double *c, double *terms);

/* The largest entry of a derivative of the constraints, and of its terms; NaN carries over. */
static gt_status size_of(gt_stepper *s, double t, const double *x, level_fn *level, double *c,
                         double *most, double *terms)
{
    gt_status status = level(s, t, x, c, terms);
    *most = 0;
    for (size_t i = 0; i < s->n && !status; i++)
        if (!(fabs(c[i]) <= *most)) *most = fabs(c[i]);
    return status;
}

/* Solves a derivative of the constraints for the states of an index. */
static gt_status meet_hidden(gt_stepper *s, double t, double *x, int index, level_fn *level)
{
    gt_newton *w = s->algebraic;
    double *c = s->closing + 3 * s->n, *old = c + s->n, *delta = old + s->n, most, terms;
    gt_status status = size_of(s, t, x, level, c, &most, &terms);
    for (int iteration = 0; iteration < MAX_ITERATIONS && !status; iteration++) {
        if (most <= as_good_as_zero(s->problem) * terms) return GT_OK;
        if (!isfinite(most)) return GT_TRY_NOT_FINITE;
        status = gt_constrained_factor(s, t, x);
        if (status) return status == GT_TRY_SINGULAR ? gt_say_constrained(s, t) : status;
        memcpy(w->delta, c, s->n * sizeof *c);
        gt_lu_solve(&w->lu, w->delta);
        memcpy(delta, w->delta, s->n * sizeof *delta); /* levels need their place */
        memcpy(old, x, s->n * sizeof *old);
        double relative = relative_size(s, delta, x, index), before = most, lambda = 1;
        if (!isfinite(relative)) return GT_TRY_NOT_FINITE;
        for (int halving = 0; halving < MAX_HALVINGS && !status; halving++, lambda /= 2) {
            memcpy(x, old, s->n * sizeof *x);
            move(s, lambda, delta, index, x);
            status = size_of(s, t, x, level, c, &most, &terms);
            if (status > 0) most = INFINITY, status = GT_OK;
            if (most < before) break;
        }
        if (status || relative <= as_good_as_zero(s->problem)) return status;
        if (most < before) continue;
        /* As near as differences allow, or not to be solved from here. */
        memcpy(x, old, s->n * sizeof *x);
        if (relative > near_enough(s->problem)) return GT_TRY_NEWTON;
        move(s, 1, delta, index, x);
        return GT_OK;
    }
    return status ? status : GT_TRY_NEWTON;
}

gt_status gt_close_constrained(gt_stepper *s, double t, double *x)
{
    assert(s && s->algebraic && s->problem->index);
    int highest = gt_problem_index(s->problem);
    gt_status status = meet_constraints(s, t, x);
    s->closing_ready = false;
    if (status || s->problem->mass) return status; /* M x' = f does not say x' */
    status = meet_hidden(s, t, x, 2, rate_of_constraints);
    if (!status) status = meet_constraints(s, t, x); /* with what has moved */
    if (!status && highest > 2) status = meet_hidden(s, t, x, 3, bend_of_constraints);
    if (status > 0)
        return gt_fail(&s->message, GT_INCONSISTENT,
                       "the derivatives of the constraints cannot be solved at t = %g; try other "
                       "starting values",
                       gt_shown_time(s, t));
    return status;
}

/* ---- whether the index is what it is said to be ---- */

static gt_status wrong_index(gt_stepper *s, size_t i, const char *what)
{
    char buffer[24];
    return gt_fail(&s->message, GT_BAD_ARGUMENT, "index %d is given for %s, but %s", index_of(s, i),
                   gt_problem_state_name(s->problem, i, buffer), what);
}

static double largest_in_row(const gt_matrix *J, size_t row, size_t from, size_t to)
{
    double most = 0;
    for (size_t j = from; j < to; j++) {
        gt_column c = gt_column_of(&J->pattern, J->n, j);
        for (size_t k = 0; k < c.count; k++)
            if (gt_column_row(&c, k) == row) most = fmax(most, fabs(J->values[c.index + k]));
    }
    return most;
}

/* Of g_x f_y the largest entry in a row, relative to its largest term. */
static double reaches(const gt_matrix *J, size_t row, size_t n_diff)
{
    double most = 0, scale = DBL_MIN;
    for (size_t y = n_diff; y < J->n; y++) {
        gt_column of_y = gt_column_of(&J->pattern, J->n, y);
        double sum = 0;
        for (size_t k = 0; k < of_y.count; k++) {
            size_t x = gt_column_row(&of_y, k);
            if (x >= n_diff) continue;
            gt_column of_x = gt_column_of(&J->pattern, J->n, x);
            for (size_t e = 0; e < of_x.count; e++) {
                if (gt_column_row(&of_x, e) != row) continue;
                double term = J->values[of_x.index + e] * J->values[of_y.index + k];
                sum += term;
                scale = fmax(scale, fabs(term));
            }
        }
        most = fmax(most, fabs(sum));
    }
    return most / scale;
}

gt_status gt_check_constrained(gt_stepper *s)
{
    assert(s && s->algebraic && s->problem->index);
    gt_newton *w = s->algebraic;
    const gt_problem *p = s->problem;
    size_t n_diff = s->n - p->n_alg;
    gt_status status = gt_constrained_factor(s, s->t, s->x);
    s->closing_ready = false;
    if (status < 0) return status;
    const gt_matrix *J = &w->J[0];
    for (size_t i = n_diff; i < s->n; i++) {
        if (index_of(s, i) == 1) continue;
        double of_y = largest_in_row(J, i, n_diff, s->n), of_x = largest_in_row(J, i, 0, n_diff);
        if (of_y > round_off * of_x)
            return wrong_index(
                s, i,
                "its equation contains algebraic variables: its index is lower, or the equations "
                "stand in another order than the variables that they constrain");
        if (index_of(s, i) == 3 && !p->mass && reaches(J, i, n_diff) > round_off)
            return wrong_index(s, i,
                               "the first derivative of its equation contains algebraic variables: "
                               "its index is 2");
    }
    if (status) return gt_say_constrained(s, s->t);
    for (size_t i = 0; i < s->n; i++) {
        double scale = largest_in_row(&w->W, i, 0, s->n);
        w->delta[i] = i % 3 ? scale : -scale;
    }
    gt_lu_solve(&w->lu, w->delta);
    double most = 0;
    for (size_t i = 0; i < s->n; i++)
        if (!(fabs(w->delta[i]) <= most)) most = fabs(w->delta[i]);
    return most <= too_large ? GT_OK : gt_say_constrained(s, s->t);
}
