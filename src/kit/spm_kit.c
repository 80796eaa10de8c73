/* SPDX-License-Identifier: BSD-3-Clause */
/* Takeover near a singular g_z, and dense output, of the singular perturbation methods. */
#include "kit/spm_kit.h"
#include <assert.h>
#include <string.h>

const char *const gt_singular_choices[] = {
    [GT_SINGULAR_EXPRB32] = "exprb32", [GT_SINGULAR_STOP] = "stop", NULL};

void gt_spm_layout(gt_spm *w, gt_stepper *s, const gt_method *const *slow, bool with_gz,
                   gt_arena *arena)
{
    assert(w && s && slow && arena);
    const gt_problem *p = s->problem;
    gt_params_fill(s->method->options, s->options.v, &w->options);
    size_t limit = (size_t)w->options.dense, m = p->n_fast;
    if (s->n > limit) gt_krylov_layout(&w->krylov, s->n, arena);
    gt_fast_block_layout(&w->block, p, with_gz, m > limit ? &w->krylov : NULL, arena);
    gt_slow_rk_layout(&w->rk, p->n_slow, slow[w->options.slow]->tableau, arena);
    w->mean = gt_arena_doubles(arena, m);
    w->y_end = gt_arena_doubles(arena, m);
    w->u1 = gt_arena_doubles(arena, m);
    for (int k = 0; k < 4; k++) w->b[k] = gt_arena_doubles(arena, m);
    w->x_error = gt_arena_doubles(arena, p->n_slow);
    w->z_error = gt_arena_doubles(arena, m);
    w->moment = gt_arena_doubles(arena, p->n_slow);
    if (w->block.dense) gt_moments_layout(&w->moments, m, arena);
    w->columns = gt_arena_doubles(arena, w->block.dense ? m * m : m);
    gt_exprb_layout(&w->exprb, &w->block.J, 3, s->n <= limit, s->n > limit ? &w->krylov : NULL,
                    arena);
    w->correction = gt_arena_doubles(arena, s->n);
}

gt_status gt_spm_prepare(gt_stepper *s)
{
    return gt_fast_block_prepare(&((gt_spm *)s->state)->block, s);
}

void gt_spm_free(gt_stepper *s) { gt_lu_free(&((gt_spm *)s->state)->block.lu); }

void gt_spm_restart(gt_stepper *s)
{
    gt_spm *w = s->state;
    w->block.known = false;
    if (s->stats.steps == 0) w->takeovers = 0;
}

void gt_spm_accept(gt_stepper *s)
{
    gt_spm *w = s->state;
    char buffer[24];
    w->block.known = false;
    if (!w->took_over) return;
    if (w->takeovers++ == 0) w->seen_t = s->t;
    const char *name =
        gt_problem_state_name(s->problem, w->block.n_slow + w->block.weakest, buffer);
    gt_fail(&s->note, GT_OK,
            "exprb32 took %ld step%s of %s, where g_z is singular or nearly so, first at t = %.4g "
            "in %s",
            w->takeovers, w->takeovers == 1 ? "" : "s", s->method->name, w->seen_t, name);
}

static gt_status take_over(gt_spm *w, gt_stepper *s, double h, const double *x, double *x_new,
                           double *err)
{
    gt_status status = gt_exprb_step(&w->exprb, s, w->block.f_t, h, x, x_new, w->correction);
    if (status) return status;
    for (size_t i = 0; i < s->n; i++) x_new[i] += w->correction[i];
    if (err) memcpy(err, w->correction, s->n * sizeof *err);
    return GT_OK;
}

gt_status gt_spm_begin(gt_spm *w, gt_stepper *s, double h, const double *x, double *x_new,
                       double *err, bool *done)
{
    assert(w && s && x && x_new && done);
    assert(x != x_new);
    assert(h != 0);
    gt_status status = gt_fast_block_at(&w->block, s);
    if (status) return status;
    *done = w->took_over = gt_fast_block_is_singular(&w->block);
    if (!*done) return GT_OK;
    if (w->options.singular != GT_SINGULAR_STOP) return take_over(w, s, h, x, x_new, err);
    char buffer[24];
    return gt_fail(&s->message, GT_SINGULAR,
                   "g_z is singular or nearly so at t = %.6g, in %s: the fast block has no "
                   "manifold there to go along; "
                   "try --opt singular=exprb32, or --method exprb32",
                   s->t,
                   gt_problem_state_name(s->problem, w->block.n_slow + w->block.weakest, buffer));
}

gt_status gt_spm_slope(gt_spm *w, gt_stepper *s, double c, double h, const double *X,
                       const double *Z, double *k)
{
    assert(w && s && X && Z && k);
    double *point = w->block.point;
    memcpy(point, X, w->block.n_slow * sizeof *X);
    if (Z != point + w->block.n_slow) memcpy(point + w->block.n_slow, Z, w->block.m * sizeof *Z);
    return gt_rhs_slow(s, s->t + c * h, point, k);
}

/* z is H(x) + y at every time, and x the Hermite polynomial of x - f_z int y, which has no fast
 * part, plus f_z int y. What the step has added to y beyond y' = A y + u0 grows like theta^2. */
gt_status gt_spm_interpolate(gt_stepper *s, double h, double theta, double *x)
{
    gt_spm *w = s->state;
    gt_fast_block *f = &w->block;
    size_t n = f->n_slow, m = f->m;
    if (w->took_over) return gt_exprb_interpolate(&w->exprb, s, h, theta, 3, x);
    if (theta == 0 || theta == 1) {
        memcpy(x, theta == 0 ? s->x : s->x_new, s->n * sizeof *x);
        return GT_OK;
    }
    const double *const integral[] = {NULL, f->sigma, f->u0}, *const value[] = {f->sigma, f->u0};
    double u = 1 - theta, *y = w->b[0], *rest = w->b[1], *p_end = w->x_error, *q_end = f->slow2,
           *p = w->rk.X;
    gt_status status = gt_slopes(s);
    if (!status) status = gt_phi_sum_evaluate(&f->of_A, h, 2, integral, y);
    gt_fast_block_fz(f, y, p_end);
    if (!status) status = gt_phi_sum_evaluate(&f->of_A, h, 1, value, rest);
    gt_fast_block_manifold(f, s, h, s->x_new, y);
    for (size_t i = 0; i < m; i++) y[i] = s->x_new[n + i] - y[i];
    gt_fast_block_fz(f, y, q_end);
    for (size_t i = 0; i < m; i++) rest[i] = y[i] - rest[i];
    if (!status) status = gt_phi_sum_evaluate(&f->inside, theta * h, 2, integral, y);
    gt_fast_block_fz(f, y, p);
    for (size_t i = 0; i < n; i++) {
        double end = s->x_new[i] - p_end[i], slope = s->f_new[i] - q_end[i];
        x[i] = p[i] + u * u * (1 + 2 * theta) * s->x[i] + theta * theta * (3 - 2 * theta) * end +
               h * theta * u * (u * f->q0[i] - theta * slope);
    }
    if (!status) status = gt_phi_sum_evaluate(&f->inside, theta * h, 1, value, y);
    gt_fast_block_manifold(f, s, theta * h, x, x + n);
    for (size_t i = 0; i < m; i++) x[n + i] += y[i] + theta * theta * rest[i];
    return status;
}
