/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The alternating iteration repeats: solve 0 = g for y with x held, then the differential rows for
 * x with y held. It contracts when gamma |(M - gamma f_x)^-1 f_y g_y^-1 g_x| is below 1, that is
 * for small steps only; the fixed-point iteration when gamma |f_x| is. Both measure the factor
 * between the changes of two sweeps, and end with an error message when it is above 1 three times
 * in a row (the first sweeps, which move one block only, do not count).
 */
#include "kit/implicit.h"
#include "linalg/backend.h"
#include "linalg/column.h"
#include "problem/norm.h"
#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum { BLOCK_ITERATIONS = 30, SWEEPS = 500 };

const char *const gt_linear_choices[] = {
    [GT_LINEAR_AUTO] = "auto", [GT_LINEAR_DIRECT] = "direct", [GT_LINEAR_KRYLOV] = "krylov", NULL};
const char *const gt_precondition_choices[] = {[GT_PRECONDITION_AUTO] = "auto",
                                               [GT_PRECONDITION_NONE] = "none",
                                               [GT_PRECONDITION_JACOBI] = "jacobi",
                                               [GT_PRECONDITION_ILU] = "ilu",
                                               NULL};
const char *const gt_dae_choices[] = {"simultaneous", "alternating", NULL};

void gt_implicit_layout(gt_implicit *w, gt_implicit_way way, const gt_linear_options *linear,
                        const gt_problem *p, gt_arena *arena)
{
    assert(w && p && arena);
    size_t n = gt_problem_size(p);
    *w = (gt_implicit){.way = way == GT_ALTERNATING && !p->n_alg ? GT_SIMULTANEOUS : way};
    w->rest = gt_arena_doubles(arena, n);
    w->base = w->rest; /* until there is one: all pointers are laid out, see core/run_image.h */
    if (w->way != GT_SIMULTANEOUS) {
        w->change = gt_arena_doubles(arena, n);
        w->change_before = gt_arena_doubles(arena, n);
    }
    if (w->way == GT_FIXED_POINT) return;
    if (w->way == GT_ALTERNATING)
        gt_newton_layout(&w->newton, p, arena);
    else
        gt_newton_layout_with(&w->newton, p, linear, arena);
    if (w->way == GT_ALTERNATING) gt_lu_layout(&w->of_y, &w->newton.W, arena);
    if (p->mass) {
        w->moved = gt_arena_doubles(arena, n);
        w->product = gt_arena_doubles(arena, n);
    }
}

gt_status gt_implicit_prepare(gt_implicit *w, gt_stepper *s, double tolerance, double fraction)
{
    assert(w && s);
    assert(tolerance > 0 && fraction > 0);
    gt_newton *newton = &w->newton;
    newton->tolerance = tolerance;
    newton->fraction = fraction;
    if (w->way == GT_FIXED_POINT) return GT_OK;
    gt_status status = gt_newton_prepare(newton, s);
    if (status || w->way != GT_ALTERNATING || newton->W.pattern.storage != GT_CSC) return status;
    gt_jacobian_shift(&newton->jac, s->problem, &newton->J[0], 0, &newton->W);
    return gt_lu_ready(gt_lu_analyse(&w->of_y, &newton->W), &s->message);
}

/* M (x - base) - rest - gamma f(t_end, x); algebraic rows g. */
static gt_status residual(gt_stepper *s, const double *x, double *r, void *data)
{
    const gt_implicit *w = data;
    size_t n_diff = s->problem->n_slow + s->problem->n_fast;
    gt_status status = gt_rhs(s, w->t_end, x, r);
    if (status) return status;
    double gamma = w->gamma;
    if (!s->problem->mass) {
        for (size_t i = 0; i < n_diff; i++)
            r[i] = (-gamma * r[i] - w->rest[i]) + (x[i] - w->base[i]);
        return GT_OK;
    }
    for (size_t i = 0; i < n_diff; i++) r[i] = -gamma * r[i] - w->rest[i];
    for (size_t i = 0; i < s->n; i++) w->moved[i] = x[i] - w->base[i];
    gt_matrix_multiply(s->problem->mass, w->moved, 0, w->product);
    for (size_t i = 0; i < n_diff; i++) r[i] += w->product[i];
    return GT_OK;
}

/* Size of a change in units of what may be left, as Newton measures its corrections, but less
 * strict about components that pass through zero on the way; NaN when it is not finite. */
static double size_of(const gt_implicit *w, const gt_stepper *s, const double *change,
                      const double *x)
{
    double sum = 0, most = 0, largest = 0;
    for (size_t i = 0; i < s->n; i++) largest = fmax(largest, fmax(fabs(x[i]), fabs(s->x[i])));
    largest = gt_most_over_ranks(s->problem, largest);
    for (size_t i = 0; i < s->n; i++) {
        double scale = s->rtol > 0 ? gt_weight(s, i, x[i]) : fabs(x[i]) + 1e-3 * largest + DBL_MIN;
        double d = fabs(change[i]) / scale;
        sum += d * d;
        most = fmax(most, d);
    }
    double mean = gt_mean(s->problem, sum, s->n);
    if (!isfinite(mean)) return NAN;
    most = gt_most_over_ranks(s->problem, most);
    return s->rtol > 0 ? sqrt(mean) / w->newton.fraction : most / w->newton.tolerance;
}

typedef struct progress {
    double rate;
    int sweeps, growing; /* how often in a row the changes grew */
} progress;

/* Looks at w->change. Both changes are measured at the same x: with scales that grow along, growth
 * would not show. */
static bool converged(progress *p, gt_implicit *w, const gt_stepper *s, const double *x)
{
    double size = size_of(w, s, w->change, x);
    if (p->sweeps++ > 0) {
        p->rate = size / size_of(w, s, w->change_before, x);
        p->growing = p->sweeps > 2 && p->rate >= 1 ? p->growing + 1 : 0;
    }
    double *swap = w->change_before;
    w->change_before = w->change;
    w->change = swap;
    if (size == 0) return true;
    if (p->sweeps < 2) return false;
    if (s->rtol > 0) return p->rate < 1 && size * p->rate / (1 - p->rate) <= 1;
    return size <= 1 || (p->rate > 0.9 && size < 100); /* or nothing but round-off is left */
}

static bool diverges(const progress *p) { return p->growing >= 3; }

static gt_status gives_up(const gt_implicit *w, gt_stepper *s, const progress *p)
{
    bool alternating = w->way == GT_ALTERNATING;
    gt_fail(&s->message, GT_NEWTON_FAILED,
            "the %s iteration of %s %s in the step from t = %.10g with h = %.4g",
            alternating ? "alternating" : "fixed-point", s->method->name,
            p->sweeps == SWEEPS ? "contracts too slowly" : "diverges", s->t, s->h);
    if (p->sweeps > 1)
        gt_say_more(&s->message, " (a sweep multiplies the change by about %.3g)", p->rate);
    gt_say_more(&s->message, "; take %s, or a smaller h",
                alternating ? "dae=simultaneous" : "solver=newton");
    return GT_TRY_NEWTON;
}

/* Rows of the algebraic variables become those of the identity: they are held. */
static void hold_algebraic(gt_matrix *W, size_t n_diff)
{
    for (size_t c = 0; c < W->n; c++) {
        gt_column column = gt_column_of(&W->pattern, W->n, c);
        for (size_t k = 0; k < column.count; k++) {
            size_t row = gt_column_row(&column, k);
            if (row >= n_diff) W->values[column.index + k] = row == c;
        }
    }
}

static gt_status factor_blocks(gt_implicit *w, gt_stepper *s, const double *x)
{
    gt_newton *newton = &w->newton;
    gt_status status = gt_jacobian_evaluate(&newton->jac, s, w->t_end, x, &newton->J[0]);
    if (status) return status;
    s->stats.factorizations += 2;
    gt_jacobian_shift(&newton->jac, s->problem, &newton->J[0], 0, &newton->W);
    status = gt_lu_factor(&w->of_y, &newton->W);
    if (status) return status;
    gt_jacobian_shift(&newton->jac, s->problem, &newton->J[0], w->gamma, &newton->W);
    hold_algebraic(&newton->W, newton->jac.n_diff);
    return gt_lu_factor(&newton->lu, &newton->W);
}

/* One block by Newton, with a new Jacobian whenever the old one converges badly. */
static gt_status solve_block(gt_implicit *w, gt_stepper *s, double *x, bool algebraic)
{
    double *delta = w->newton.delta, before = 0;
    size_t n_diff = w->newton.jac.n_diff;
    for (int m = 0; m < BLOCK_ITERATIONS; m++) {
        gt_status status = residual(s, x, delta, w);
        if (status) return status;
        if (algebraic)
            memset(delta, 0, n_diff * sizeof *delta);
        else
            memset(delta + n_diff, 0, (s->n - n_diff) * sizeof *delta);
        gt_lu_solve(algebraic ? &w->of_y : &w->newton.lu, delta);
        for (size_t i = 0; i < s->n; i++) x[i] -= delta[i];
        s->stats.newton++;
        double size = size_of(w, s, delta, x);
        if (!isfinite(size)) return GT_TRY_NOT_FINITE;
        if (size <= 0.1) return GT_OK;
        if (m > 0 && size > 0.3 * before) {
            if (s->rtol == 0 && size < 100) return GT_OK; /* round-off */
            status = factor_blocks(w, s, x);
            if (status) return status;
        }
        before = size;
    }
    return GT_TRY_NEWTON;
}

static gt_status alternate(gt_implicit *w, gt_stepper *s, double *x)
{
    progress p = {0};
    gt_status status = factor_blocks(w, s, x);
    while (!status && p.sweeps < SWEEPS && !diverges(&p)) {
        memcpy(w->change, x, s->n * sizeof *x);
        status = solve_block(w, s, x, true);
        if (!status) status = solve_block(w, s, x, false);
        if (status) break;
        for (size_t i = 0; i < s->n; i++) w->change[i] = x[i] - w->change[i];
        if (converged(&p, w, s, x)) return GT_OK;
    }
    /* A block without solution is what divergence looks like when the equations are far from
     * linear. */
    bool lost = !status || status == GT_TRY_NEWTON || status == GT_TRY_NOT_FINITE;
    return lost ? gives_up(w, s, &p) : status;
}

static gt_status repeat(gt_implicit *w, gt_stepper *s, double *x)
{
    progress p = {0};
    while (p.sweeps < SWEEPS && !diverges(&p)) {
        gt_status status = gt_rhs(s, w->t_end, x, w->change);
        if (status) return status;
        for (size_t i = 0; i < s->n; i++) {
            double next = w->base[i] + w->rest[i] + w->gamma * w->change[i];
            w->change[i] = next - x[i];
            x[i] = next;
        }
        s->stats.newton++;
        if (!isfinite(size_of(w, s, w->change, x))) return GT_TRY_NOT_FINITE;
        if (converged(&p, w, s, x)) return GT_OK;
    }
    return gives_up(w, s, &p);
}

gt_status gt_implicit_solve(gt_implicit *w, gt_stepper *s, double *x)
{
    assert(w && s && x);
    assert(w->base && w->rest);
    assert(isfinite(w->gamma));
    s->message.text[0] = 0;
    switch (w->way) {
    case GT_ALTERNATING:
        return alternate(w, s, x);
    case GT_FIXED_POINT:
        return repeat(w, s, x);
    default:
        return gt_newton_solve(&w->newton, s, w->t_end, w->gamma, x, residual, w);
    }
}

void gt_implicit_accept(gt_implicit *w)
{
    if (w->way == GT_SIMULTANEOUS) gt_newton_accept(&w->newton);
}

void gt_implicit_restart(gt_implicit *w)
{
    if (w->way == GT_SIMULTANEOUS) gt_newton_restart(&w->newton);
}

void gt_implicit_free(gt_implicit *w)
{
    gt_newton_free(&w->newton);
    gt_lu_free(&w->of_y);
}
