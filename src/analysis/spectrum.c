/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Eigenvalues about a point: all of them, or for large problems the largest by Arnoldi's method on
 * products with M^-1 J, and those nearest to a real shift s by the same on
 *
 *     (M - J/s)^-1 M,   whose eigenvalues theta are 1 / (1 - lambda/s),
 *
 * with zero rows of M for algebraic equations; so lambda = s (1 - 1/theta). A shift just beyond the
 * largest Ritz value sharpens it where large eigenvalues crowd, as they do for diffusion.
 */
#include "analysis/arnoldi.h"
#include "base/sized.h"
#include "implicit/evaluator.h"
#include "linalg/backend.h"
#include <geartrain/analysis/advise.h>
#include <geartrain/author/newton.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double RITZ_TOL = 1e-6;

typedef struct pair {
    double re, im;
    size_t which;
} pair;

static int by_size(const void *a, const void *b)
{
    const pair *l = a, *r = b;
    double left = hypot(l->re, l->im), right = hypot(r->re, r->im);
    if (left != right) return left > right ? -1 : 1;
    if (l->im != r->im) return l->im > r->im ? -1 : 1;
    return l->which < r->which ? -1 : 1;
}

gt_status gt_spectrum_full_sized(const gt_problem *problem, size_t problem_size, double t,
                                 const double *x, gt_spectrum *out, gt_arena *arena,
                                 gt_message *message)
{
    GT_WIDEN(message, gt_problem, problem);
    GT_ARMOR(message, problem && x && out && arena);
    gt_arena scratch = gt_arena_growing();
    gt_linearization linear;
    gt_status status = gt_linearize(problem, t, x, &linear, &scratch, message);
    if (status) {
        gt_arena_free(&scratch);
        return status;
    }
    size_t n = linear.n;
    *out = (gt_spectrum){.t = t, .x = x, .n = n, .count = n, .complete = true};
    size_t *state = gt_arena_take(arena, n, sizeof *state);
    pair *sorted = gt_arena_take(&scratch, n, sizeof *sorted);
    out->values = gt_arena_doubles(arena, 2 * n);
    out->A = gt_arena_doubles(arena, n * n);
    out->participation = gt_arena_doubles(arena, n * n);
    if (arena->failed || scratch.failed) {
        status =
            gt_fail(message, GT_NO_MEMORY, "out of memory for the eigenvalues of %zu states", n);
    } else {
        for (size_t k = 0; k < n; k++)
            sorted[k] = (pair){linear.modes[k].re, linear.modes[k].im, k};
        qsort(sorted, n, sizeof *sorted, by_size);
        for (size_t k = 0; k < n; k++) {
            out->values[2 * k] = sorted[k].re;
            out->values[2 * k + 1] = sorted[k].im;
            memcpy(out->participation + k * n, linear.participation + sorted[k].which * n,
                   n * sizeof(double));
        }
        memcpy(out->A, linear.A, n * n * sizeof(double));
        memcpy(state, linear.state, n * sizeof *state);
        out->state = state;
    }
    gt_arena_free(&scratch);
    return status;
}

/* What the operators need. */
typedef struct operators {
    const gt_problem *p;
    gt_stepper s; /* an evaluator */
    size_t n, n_diff;
    double t, size;
    const double *x;
    bool free_of_J; /* J would be too large: products by differences */
    gt_jacobian jac;
    gt_matrix J, W;
    gt_lu lu, lu_alg, lu_mass; /* of M - J/s, of [I 0; J_ad J_aa], of M */
    double *f, *moved;
} operators;

static gt_status factor(gt_lu *lu, const gt_matrix *matrix)
{
    return lu->pattern.storage == GT_CSC && !lu->klu ? gt_lu_analyse(lu, matrix)
                                                     : gt_lu_factor(lu, matrix);
}

/* y = J v by a difference along v. */
static gt_status multiply_by_difference(operators *o, const double *v, double *y)
{
    double norm = 0;
    for (size_t i = 0; i < o->n; i++) norm = fmax(norm, fabs(v[i]));
    if (!(norm > 0)) return GT_TRY_NOT_FINITE;
    double step = 1e-7 * (o->size + 1e-3) / norm;
    for (size_t i = 0; i < o->n; i++) o->moved[i] = o->x[i] + step * v[i];
    gt_status status = gt_rhs(&o->s, o->t, o->moved, y);
    for (size_t i = 0; i < o->n; i++) y[i] = (y[i] - o->f[i]) / step;
    return status;
}

/* y = M^-1 J v in the differential rows, with the algebraic variables of v made to fit. */
static gt_status apply_J(const double *v, double *y, void *ctx)
{
    operators *o = ctx;
    gt_status status = GT_OK;
    const double *u = v;
    if (o->n_diff < o->n) {
        memcpy(o->moved, v, o->n_diff * sizeof *v);
        memset(o->moved + o->n_diff, 0, (o->n - o->n_diff) * sizeof *v);
        gt_lu_solve(&o->lu_alg, o->moved);
        u = o->moved;
    }
    if (o->free_of_J)
        status = multiply_by_difference(o, u, y);
    else
        gt_matrix_multiply(&o->J, u, 0, y);
    memset(y + o->n_diff, 0, (o->n - o->n_diff) * sizeof *y);
    if (o->p->mass) gt_lu_solve(&o->lu_mass, y);
    return status;
}

/* y = (M - J/s)^-1 M v. */
static gt_status apply_inverse(const double *v, double *y, void *ctx)
{
    operators *o = ctx;
    if (o->p->mass)
        gt_matrix_multiply(o->p->mass, v, 0, y);
    else
        memcpy(y, v, o->n * sizeof *y);
    memset(y + o->n_diff, 0, (o->n - o->n_diff) * sizeof *y);
    gt_lu_solve(&o->lu, y);
    return GT_OK;
}

static gt_status set_up(operators *o, gt_arena *arena, gt_message *message)
{
    const gt_problem *p = o->p;
    o->f = gt_arena_doubles(arena, o->n);
    o->moved = gt_arena_doubles(arena, o->n);
    for (size_t i = 0; i < o->n; i++) o->size = fmax(o->size, fabs(o->x[i]));
    o->free_of_J = p->jac_pattern.storage == GT_DENSE && o->n > GT_LINEARIZE_MAX && !p->n_alg;
    if (!o->free_of_J) {
        gt_jacobian_layout(&o->jac, p, arena);
        gt_matrix_layout(&o->J, o->n, o->jac.of_J, false, arena);
        gt_jacobian_layout_shift(&o->jac, p, &o->W, arena);
        gt_lu_layout(&o->lu, &o->W, arena);
        if (p->n_alg) gt_lu_layout(&o->lu_alg, &o->W, arena);
    }
    if (p->mass) gt_lu_layout(&o->lu_mass, p->mass, arena);
    if (arena->failed)
        return gt_fail(message, GT_NO_MEMORY, "out of memory for the eigenvalues of %zu states",
                       o->n);
    gt_status status = p->n_alg ? gt_lu_possible(&o->lu_alg, message) : GT_OK;
    if (!status && p->mass) status = gt_lu_possible(&o->lu_mass, message);
    if (status) return status;
    status = gt_rhs(&o->s, o->t, o->x, o->f);
    if (!status && !o->free_of_J) {
        gt_jacobian_prepare(&o->jac, p);
        status = gt_jacobian_evaluate(&o->jac, &o->s, o->t, o->x, &o->J);
    }
    if (status)
        return gt_fail(message, GT_RHS_FAILED, "the equations cannot be evaluated at t = %g", o->t);
    if (p->mass && (p->n_alg || factor(&o->lu_mass, p->mass)))
        return gt_fail(
            message, GT_UNSUPPORTED,
            "eigenvalues of %zu states with a singular mass matrix: up to %d states can be treated",
            o->n, GT_LINEARIZE_MAX);
    if (p->n_alg) {
        gt_jacobian_shift(&o->jac, p, &o->J, 0, &o->W);
        if (factor(&o->lu_alg, &o->W))
            return gt_fail(message, GT_SINGULAR, "the algebraic equations are singular at t = %g",
                           o->t);
    }
    return GT_OK;
}

typedef struct found {
    pair *list;
    size_t count, room;
} found;

static void add(found *f, double re, double im)
{
    for (size_t k = 0; k < f->count; k++)
        if (hypot(f->list[k].re - re, f->list[k].im - im) <= 10 * RITZ_TOL * hypot(re, im)) return;
    if (f->count < f->room) f->list[f->count] = (pair){re, im, f->count}, f->count++;
}

/* Adds the eigenvalues nearest to the shift; false when it cannot be factored or the nearest does
 * not converge. */
static bool add_nearest(operators *o, double shift, size_t wanted, found *f, gt_arena *arena)
{
    gt_ritz ritz[GT_KRYLOV];
    size_t count;
    if (o->free_of_J) return false;
    gt_jacobian_shift(&o->jac, o->p, &o->J, 1 / shift, &o->W);
    if (factor(&o->lu, &o->W)) return false;
    if (gt_arnoldi(o->n, apply_inverse, o, RITZ_TOL, 3, ritz, &count, arena)) return false;
    if (ritz[0].residual > RITZ_TOL) return false;
    for (size_t k = 0; k < count && k < wanted; k++) {
        double size = ritz[k].re * ritz[k].re + ritz[k].im * ritz[k].im;
        if (size > 0) add(f, shift * (1 - ritz[k].re / size), shift * ritz[k].im / size);
    }
    return true;
}

static gt_status find_extreme(operators *o, double span, size_t wanted, found *f, gt_arena *arena,
                              gt_message *message)
{
    gt_ritz ritz[GT_KRYLOV] = {{0}};
    size_t count = 0;
    gt_status status = gt_arnoldi(o->n, apply_J, o, RITZ_TOL, 0, ritz, &count, arena);
    bool sharp = ritz[0].residual <= RITZ_TOL, real = ritz[0].im == 0 && ritz[0].re != 0;
    /* A Ritz value lies inside the spectrum: the shift goes beyond it by what it may be off. */
    if (!status && !sharp && real)
        sharp = add_nearest(o, ritz[0].re * (1 + 2 * ritz[0].residual), wanted, f, arena);
    if (!status && !sharp) status = gt_arnoldi(o->n, apply_J, o, RITZ_TOL, 8, ritz, &count, arena);
    if (status)
        return gt_fail(message, status, "the eigenvalues of %zu states could not be found", o->n);
    for (size_t k = 0; k < count && k < wanted; k++)
        if (ritz[k].residual <= RITZ_TOL || !sharp) add(f, ritz[k].re, ritz[k].im);
    add_nearest(o, 1 / span, wanted, f, arena);
    return GT_OK;
}

gt_status gt_spectrum_extreme_sized(const gt_problem *problem, size_t problem_size, double t,
                                    const double *x, double span, size_t wanted, gt_spectrum *out,
                                    gt_arena *arena, gt_message *message)
{
    GT_WIDEN(message, gt_problem, problem);
    GT_ARMOR(message, problem && x && out && arena);
    gt_arena scratch = gt_arena_growing();
    operators o = {.p = problem, .n = gt_problem_size(problem), .t = t, .x = x};
    o.n_diff = problem->n_slow + problem->n_fast;
    o.s = gt_evaluator(problem);
    found f = {.room = 3 * (size_t)GT_KRYLOV};
    f.list = gt_arena_take(&scratch, f.room, sizeof *f.list);
    gt_status status = set_up(&o, &scratch, message);
    if (!status) status = find_extreme(&o, span, wanted, &f, &scratch, message);
    *out = (gt_spectrum){.t = t, .x = x, .count = f.count};
    out->values = gt_arena_doubles(arena, 2 * f.count + 2);
    if (!status && !out->values) status = gt_fail(message, GT_NO_MEMORY, "out of memory");
    if (!status) {
        qsort(f.list, f.count, sizeof *f.list, by_size);
        for (size_t k = 0; k < f.count; k++) {
            double off = 10 * RITZ_TOL * hypot(f.list[k].re, f.list[k].im);
            out->values[2 * k] =
                fabs(f.list[k].re) > off ? f.list[k].re : 0; /* not known better than that */
            out->values[2 * k + 1] = f.list[k].im;
        }
    }
    gt_lu_free(&o.lu);
    gt_lu_free(&o.lu_alg);
    gt_lu_free(&o.lu_mass);
    gt_arena_free(&scratch);
    return status;
}

gt_status gt_spectrum_largest_sized(const gt_problem *problem, size_t problem_size, double t,
                                    const double *x, double *re, double *im)
{
    GT_WIDEN(NULL, gt_problem, problem);
    GT_ARMOR(NULL, problem && x && re && im);
    gt_arena scratch = gt_arena_growing();
    gt_ritz ritz[GT_KRYLOV];
    size_t count;
    operators o = {.p = problem, .n = gt_problem_size(problem), .t = t, .x = x, .free_of_J = true};
    o.n_diff = o.n;
    o.s = gt_evaluator(problem);
    o.f = gt_arena_doubles(&scratch, o.n);
    o.moved = gt_arena_doubles(&scratch, o.n);
    for (size_t i = 0; i < o.n; i++) o.size = fmax(o.size, fabs(x[i]));
    gt_status status = problem->mass || problem->n_alg ? GT_UNSUPPORTED
                       : scratch.failed                ? GT_NO_MEMORY
                                                       : GT_OK;
    if (!status) status = gt_rhs(&o.s, t, x, o.f);
    if (!status) status = gt_arnoldi(o.n, apply_J, &o, 1e-3, 0, ritz, &count, &scratch);
    if (!status) *re = ritz[0].re, *im = fabs(ritz[0].im);
    gt_arena_free(&scratch);
    return status;
}

/* A singular mass matrix is for the dense way, as long as that is possible. */
static bool needs_dense(const gt_problem *p)
{
    size_t n = gt_problem_size(p);
    return n <= GT_SPECTRUM_DENSE || (n <= GT_LINEARIZE_MAX && p->mass);
}

gt_status gt_spectrum_at_sized(const gt_problem *problem, size_t problem_size, double t,
                               const double *x, double span, gt_spectrum *out, gt_arena *arena,
                               gt_message *message)
{
    GT_WIDEN(message, gt_problem, problem);
    GT_ARMOR(message, problem && x && out && arena);
    if (needs_dense(problem)) return gt_spectrum_full(problem, t, x, out, arena, message);
    return gt_spectrum_extreme(problem, t, x, span, 8, out, arena, message);
}
