/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The slow manifold z = H(t, x) + eps H1(t, x) + .. of x' = f(t, x, z), z' = G(t, x, z), and the
 * decoupling of the linear model. With G for g/eps of the papers no eps appears: what gil (15)
 * calls eps H1 is
 *
 *     G_z^-1 (h_x f + h_t),   h_x = -G_z^-1 G_x,   h_t = -G_z^-1 G_t,
 *
 * and L of shi (8) solves J_ff L = J_fs + L (J_ss - J_sf L). Its first two iterates are the terms
 * printed there. Then eta = z + L x obeys eta' = (J_ff + L J_sf) eta, and x' = (J_ss - J_sf L) x +
 * J_sf eta; the determinants printed below (9) have two signs wrong.
 */
#include "base/sized.h"
#include "linalg/backend.h"
#include <geartrain/analysis/advise.h>
#include <geartrain/author/stepper.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ITERATIONS = 500 };

typedef struct blocks {
    size_t n, ns, nf;
    const double *A; /* n x n, [slow | fast], column major */
    gt_lu lu;        /* of J_ff */
} blocks;

/* y := H(t, x) in the fast places, with algebraic variables to fit. */
static gt_status solve_for_fast(const gt_problem *p, double t, double *y, gt_message *message)
{
    gt_problem reduced = gt_problem_reduced(p);
    /* any that treats algebraic rows */
    const gt_method *method = gt_method_for(GT_ROLE_STIFF_FIXED);
    gt_stepper s = {0};
    size_t bytes;
    gt_status status = gt_stepper_measure(method, NULL, &reduced, &bytes, message);
    if (status) return status;
    void *memory = malloc(bytes);
    if (!memory) return gt_fail(message, GT_NO_MEMORY, "out of memory for the slow manifold");
    status = gt_stepper_init(&s, method, NULL, &reduced, memory, bytes);
    if (!status) {
        gt_stepper_start(&s, t, y);
        status = gt_stepper_make_consistent(&s);
        memcpy(y, s.x, s.n * sizeof *y);
        gt_stepper_free(&s);
    }
    free(memory);
    if (!status) return GT_OK;
    return gt_fail(message, status,
                   "0 = g has no solution for the fast states at t = %g near where they are", t);
}

/* to += sign * (left) (right), left being rows x inner with leading dimension ld. */
static void multiply_add(size_t rows, size_t inner, size_t columns, double sign, const double *left,
                         size_t ld, const double *right, size_t ld_right, double *to)
{
    for (size_t j = 0; j < columns; j++)
        for (size_t k = 0; k < inner; k++) {
            double factor = sign * right[j * ld_right + k];
            for (size_t i = 0; i < rows; i++) to[j * rows + i] += factor * left[k * ld + i];
        }
}

static const double *block(const blocks *b, bool fast_row, bool fast_column)
{
    return b->A + (fast_column ? b->ns * b->n : 0) + (fast_row ? b->ns : 0);
}

static gt_status factor_fast(blocks *b, gt_arena *arena)
{
    gt_matrix part;
    gt_matrix_layout(&part, b->nf, (gt_pattern){.storage = GT_DENSE}, false, arena);
    gt_lu_layout(&b->lu, &part, arena);
    if (arena->failed) return GT_NO_MEMORY;
    for (size_t j = 0; j < b->nf; j++)
        memcpy(part.values + j * b->nf, block(b, true, true) + j * b->n, b->nf * sizeof(double));
    return gt_lu_factor(&b->lu, &part);
}

/* slow = J_ss - J_sf L */
static void slow_matrix(const blocks *b, const double *L, double *slow)
{
    for (size_t j = 0; j < b->ns; j++)
        memcpy(slow + j * b->ns, b->A + j * b->n, b->ns * sizeof *slow);
    multiply_add(b->ns, b->nf, b->ns, -1, block(b, false, true), b->n, L, b->nf, slow);
}

/* The iteration for L; returns how many it took, 0 when it does not converge. */
static int iterate(const blocks *b, double *L, double *next, double *slow)
{
    for (int k = 1; k <= MOST_ITERATIONS; k++) {
        double change = 0, size = 0;
        slow_matrix(b, L, slow);
        for (size_t j = 0; j < b->ns; j++)
            memcpy(next + j * b->nf, block(b, true, false) + j * b->n, b->nf * sizeof *next);
        /* L_0 = 0 makes L_1 the zero order term J_ff^-1 J_fs. */
        multiply_add(b->nf, b->ns, b->ns, 1, L, b->nf, slow, b->ns, next);
        for (size_t j = 0; j < b->ns; j++) gt_lu_solve(&b->lu, next + j * b->nf);
        for (size_t i = 0; i < b->ns * b->nf; i++) {
            change = fmax(change, fabs(next[i] - L[i]));
            size = fmax(size, fabs(next[i]));
            L[i] = next[i];
        }
        if (!isfinite(size) || size > 1e12) return 0;
        if (change <= 1e-13 * size) return k;
    }
    return 0;
}

static gt_status decouple(const blocks *b, gt_manifold *out, gt_arena *arena)
{
    double *next = gt_arena_doubles(arena, b->ns * b->nf),
           *slow = gt_arena_doubles(arena, b->ns * b->ns);
    double *fast = gt_arena_doubles(arena, b->nf * b->nf);
    out->L = gt_arena_doubles(arena, b->ns * b->nf);
    out->slow = gt_arena_doubles(arena, 2 * b->ns);
    out->fast = gt_arena_doubles(arena, 2 * b->nf);
    if (arena->failed) return GT_NO_MEMORY;
    out->iterations = iterate(b, out->L, next, slow);
    if (!out->iterations) return GT_OK;
    slow_matrix(b, out->L, slow);
    for (size_t j = 0; j < b->nf; j++)
        memcpy(fast + j * b->nf, block(b, true, true) + j * b->n, b->nf * sizeof *fast);
    multiply_add(b->nf, b->ns, b->nf, 1, out->L, b->nf, block(b, false, true), b->n, fast);
    gt_status status = gt_eigen(b->ns, slow, out->slow, NULL, NULL);
    return status ? status : gt_eigen(b->nf, fast, out->fast, NULL, NULL);
}

/* eps H1 at y = [x, H, ..]: -G_z^-1 G_z^-1 (G_x f + G_t). */
static gt_status correct(const gt_problem *p, const blocks *b, double t, const double *y,
                         gt_manifold *out, gt_arena *arena)
{
    size_t n = gt_problem_size(p);
    double *f = gt_arena_doubles(arena, n), *f_later = gt_arena_doubles(arena, n),
           *c = out->correction;
    if (arena->failed) return GT_NO_MEMORY;
    double dt = 1e-6 * (p->t1 - p->t0) * (t + 1e-6 * (p->t1 - p->t0) <= p->t1 ? 1 : -1);
    if (p->rhs(t, y, f, p->ctx) || p->rhs(t + dt, y, f_later, p->ctx)) return GT_RHS_FAILED;
    for (size_t i = 0; i < b->nf; i++) c[i] = (f_later[b->ns + i] - f[b->ns + i]) / dt;
    multiply_add(b->nf, b->ns, 1, 1, block(b, true, false), b->n, f, b->ns, c);
    gt_lu_solve(&b->lu, c);
    gt_lu_solve(&b->lu, c);
    for (size_t i = 0; i < b->nf; i++) c[i] = -c[i];
    return GT_OK;
}

gt_status gt_manifold_at_sized(const gt_problem *p, size_t p_size, double t, const double *x,
                               gt_manifold *out, gt_arena *arena, gt_message *message)
{
    GT_WIDEN(message, gt_problem, p);
    GT_ARMOR(message, p && x && out && arena);
    size_t n = gt_problem_size(p);
    *out = (gt_manifold){.n_slow = p->n_slow, .n_fast = p->n_fast};
    if (!p->n_fast || !p->n_slow)
        return gt_fail(message, GT_UNSUPPORTED,
                       "a slow manifold needs a slow and a fast block of states");
    if (p->mass)
        return gt_fail(message, GT_UNSUPPORTED,
                       "the slow manifold is found for x' = f, not with a mass matrix");
    if (n > GT_SPECTRUM_DENSE)
        return gt_fail(message, GT_UNSUPPORTED, "the slow manifold is found for up to %d states",
                       GT_SPECTRUM_DENSE);
    double *y = gt_arena_doubles(arena, n);
    out->correction = gt_arena_doubles(arena, p->n_fast);
    if (arena->failed) return gt_fail(message, GT_NO_MEMORY, "out of memory for the slow manifold");
    memcpy(y, x, n * sizeof *y);
    gt_status status = solve_for_fast(p, t, y, message);
    if (status) return status;
    out->H = y + p->n_slow;
    gt_spectrum at;
    status = gt_spectrum_full(p, t, y, &at, arena, message);
    if (status) return status;
    blocks b = {.n = at.n, .ns = p->n_slow, .nf = p->n_fast, .A = at.A};
    status = factor_fast(&b, arena);
    if (status == GT_NO_MEMORY)
        return gt_fail(message, status, "out of memory for the slow manifold");
    if (status)
        return gt_fail(message, GT_SINGULAR,
                       "dg/dz is singular at t = %g: the manifold has a fold there", t);
    status = correct(p, &b, t, y, out, arena);
    if (!status) status = decouple(&b, out, arena);
    if (status == GT_UNSUPPORTED)
        return gt_eigen_failed(message, status, b.ns > b.nf ? b.ns : b.nf);
    if (status)
        return gt_fail(message, status, "the slow manifold could not be found at t = %g", t);
    for (size_t i = 0; i < p->n_fast; i++) {
        double z = x[p->n_slow + i], H = out->H[i], scale = 1 + fabs(H);
        out->distance = fmax(out->distance, fabs(z - H) / scale);
        out->corrected = fmax(out->corrected, fabs(z - H - out->correction[i]) / scale);
    }
    return GT_OK;
}
