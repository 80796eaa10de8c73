/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * M x' = f(t, x) with a singular M: with its left and right null vectors in U and V, U^T f = 0 are
 * equations without derivatives, for the part V c of x. They determine it where U^T J V is regular:
 * index 1. A start that does not meet them is moved along V, which leaves M x as it was given.
 */
#include "implicit/evaluator.h"
#include "implicit/index.h"
#include "linalg/null_space.h"
#include <assert.h>
#include <float.h>
#include <geartrain/author/newton.h>
#include <math.h>
#include <string.h>

typedef struct pencil {
    size_t n, k;
    double *M, *J, *U, *V, *S, *null;
} pencil;

static bool carve(pencil *w, size_t n, gt_arena *arena)
{
    double **all[] = {&w->M, &w->J, &w->U, &w->V, &w->S, &w->null};
    w->n = n;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) *all[i] = gt_arena_doubles(arena, n * n);
    return !arena->failed;
}

static void fill_mass(const gt_problem *p, bool transposed, double *M)
{
    size_t n = gt_problem_size(p), n_diff = p->n_slow + p->n_fast;
    gt_matrix_to_dense(p->mass, transposed, M);
    for (size_t j = 0; j < n; j++)
        for (size_t i = n_diff; i < n; i++) M[transposed ? i * n + j : j * n + i] = 0;
}

static gt_status finite_jacobian(const gt_problem *p, const double *x, double *dense,
                                 gt_arena *arena)
{
    size_t n = gt_problem_size(p);
    gt_status status = gt_jacobian_dense(p, p->t0, x, dense, arena);
    for (size_t k = 0; k < n * n && !status; k++)
        if (!isfinite(dense[k])) status = GT_TRY_NOT_FINITE;
    return status;
}

/* S = U^T J V, or its transpose. */
static void reduce(const pencil *w, bool transposed, double *S)
{
    size_t n = w->n, k = w->k;
    for (size_t b = 0; b < k; b++)
        for (size_t a = 0; a < k; a++) {
            double sum = 0;
            for (size_t j = 0; j < n; j++) {
                double v = w->V[b * n + j];
                for (size_t i = 0; i < n && v != 0; i++)
                    sum += w->U[a * n + i] * w->J[j * n + i] * v;
            }
            S[transposed ? a * k + b : b * k + a] = sum;
        }
}

/* The vectors of the whole that a null vector of S stands for. */
static void expand(const pencil *w, const double *basis, size_t count, double *out)
{
    for (size_t c = 0; c < count; c++)
        for (size_t i = 0; i < w->n; i++) {
            double sum = 0;
            for (size_t a = 0; a < w->k; a++) sum += basis[a * w->n + i] * w->null[c * w->k + a];
            out[c * w->n + i] = sum;
        }
}

/* U and V; false: M is regular, or singular by a hair. */
static bool null_vectors(const gt_problem *p, pencil *w, gt_arena *arena)
{
    fill_mass(p, false, w->M);
    w->k = gt_null_space(w->n, w->M, GT_NULL_TOL, w->V, arena);
    if (!w->k) return false;
    fill_mass(p, true, w->M);
    return gt_null_space(w->n, w->M, GT_NULL_TOL, w->U, arena) == w->k;
}

static gt_status judge(const gt_problem *p, pencil *w, gt_arena *arena, gt_message *message)
{
    if (!null_vectors(p, w, arena)) return GT_OK;
    if (finite_jacobian(p, p->x0, w->J, arena)) return GT_OK; /* a step meets it, and says where */
    for (int left = 1; left >= 0; left--) {
        reduce(w, left, w->S);
        size_t count = gt_null_space(w->k, w->S, GT_NULL_TOL, w->null, arena);
        if (!count) return GT_OK;
        expand(w, left ? w->U : w->V, count, w->M);
        if (left)
            gt_fail(message, GT_SINGULAR,
                    "the mass matrix is singular, and what it leaves without a derivative is not "
                    "determined by the "
                    "equations at t = %g. Equation ",
                    p->t0);
        else
            gt_say_more(message, " leaves open ");
        gt_say_names(p, w->M, w->n, count, 0, left, message);
    }
    fill_mass(p, false, w->M);
    gt_say_remedy(message, gt_pencil_index(w->n, w->M, w->J, p->jac ? 1e-10 : 1e-6, arena));
    return GT_SINGULAR;
}

gt_status gt_check_mass_index(const gt_problem *p, gt_message *message)
{
    size_t n = gt_problem_size(p);
    gt_arena arena = gt_arena_growing();
    pencil w;
    gt_status status = GT_OK;
    if (p->mass && gt_problem_index(p) == 1 && n <= GT_MASS_INDEX_MAX && carve(&w, n, &arena))
        status = judge(p, &w, &arena, message);
    gt_arena_free(&arena);
    return status;
}

/* ---- the start ---- */

/* r = U^T f at x, and whether that is round-off. Of algebraic rows U has nothing. */
static gt_status residual(const gt_problem *p, const pencil *w, const double *x, double *f,
                          double *r, bool *small)
{
    gt_status status = p->rhs(p->t0, x, f, p->ctx);
    *small = true;
    for (size_t a = 0; a < w->k && !status; a++) {
        double terms = 0;
        r[a] = 0;
        for (size_t i = 0; i < w->n; i++) {
            r[a] += w->U[a * w->n + i] * f[i];
            terms += fabs(w->U[a * w->n + i] * f[i]);
        }
        if (!isfinite(r[a])) return GT_TRY_NOT_FINITE;
        *small = *small && fabs(r[a]) <= 64 * DBL_EPSILON * terms;
    }
    return status;
}

/* c of U^T J V c = r, into r. */
static gt_status correct(const gt_problem *p, pencil *w, const double *x, double *r,
                         gt_arena *arena)
{
    gt_matrix S = {.n = w->k, .values = w->S};
    gt_lu lu;
    gt_status status = finite_jacobian(p, x, w->J, arena);
    if (status) return status;
    reduce(w, false, w->S);
    gt_lu_layout(&lu, &S, arena);
    if (arena->failed) return GT_NO_MEMORY;
    status = gt_lu_analyse(&lu, &S);
    if (!status) status = gt_lu_factor(&lu, &S);
    if (!status) gt_lu_solve(&lu, r);
    gt_lu_free(&lu);
    return status;
}

/* x := x - V c; how large that was, beside x. */
static double move(const pencil *w, const double *c, double *x)
{
    double change = 0, size = DBL_MIN;
    for (size_t i = 0; i < w->n; i++) {
        double by = 0;
        size = fmax(size, fabs(x[i]));
        for (size_t a = 0; a < w->k; a++) by += w->V[a * w->n + i] * c[a];
        x[i] -= by;
        change = fmax(change, fabs(by));
        size = fmax(size, fabs(x[i]));
    }
    return change / size;
}

static gt_status iterate(gt_stepper *s, pencil *w, gt_arena *arena)
{
    enum { MOST = 30 };
    const double exact = 1e-13;
    double *f = gt_arena_doubles(arena, s->n), *r = gt_arena_doubles(arena, s->n), moved = INFINITY;
    if (arena->failed) return GT_NO_MEMORY;
    for (int k = 0; k < MOST; k++) {
        bool small;
        gt_status status = residual(s->problem, w, s->x, f, r, &small);
        if (!status && (small || moved <= exact)) return GT_OK;
        if (!status) status = correct(s->problem, w, s->x, r, arena);
        if (status < 0) return status;
        if (status) break;
        moved = move(w, r, s->x);
    }
    gt_fail(&s->message, GT_INCONSISTENT,
            "the start does not meet what the singular mass matrix leaves without a derivative at "
            "t = %g, and no near one was found that does: equation ",
            s->t);
    gt_say_names(s->problem, w->U, w->n, w->k, 0, true, &s->message);
    gt_say_more(&s->message, "; try other starting values");
    return GT_INCONSISTENT;
}

gt_status gt_meet_mass(gt_stepper *s)
{
    assert(s && s->problem);
    const gt_problem *p = s->problem;
    gt_arena arena = gt_arena_growing();
    gt_status status = GT_OK;
    pencil w;
    if (!p->mass || gt_problem_index(p) > 1 || s->n > GT_MASS_INDEX_MAX) return GT_OK;
    if (!carve(&w, s->n, &arena))
        status = gt_fail(&s->message, GT_NO_MEMORY, "out of memory for a consistent start");
    else if (null_vectors(p, &w, &arena))
        status = iterate(s, &w, &arena);
    gt_arena_free(&arena);
    return status;
}
