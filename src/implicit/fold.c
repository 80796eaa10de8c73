/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where a solution of 0 = g(t, x, y) ends: at a fold dg/dy is singular, and
 *
 *     y' = -(dg/dy)^-1 (dg/dt + dg/dx x')
 *
 * grows without a bound, as 1/sqrt(t* - t). No step is short enough there, whatever the method.
 */
#include "implicit/index.h"
#include <assert.h>
#include <float.h>
#include <geartrain/author/newton.h>
#include <math.h>
#include <string.h>

/* An algebraic variable that would change by its own size in this share of the time so far. */
static const double SHARE = 1e-2;
static const double BESIDE = 1e-6;

/* Factors of [I 0; g_x g_y] at the accepted point, or beside it where the matrix has a zero pivot:
 * it is the size of the slopes that counts. It is moved by a part of the way that y has come. */
static bool factor(gt_stepper *s)
{
    size_t n_diff = s->problem->n_slow + s->problem->n_fast;
    double *beside = s->algebraic->guess;
    s->closing_ready = false;
    gt_status status = gt_closing_factor(s, s->t, s->x);
    if (status != GT_TRY_SINGULAR) return status == GT_OK;
    double size = s->atol;
    for (size_t i = n_diff; i < s->n; i++) size = fmax(size, fabs(s->x[i] - s->problem->x0[i]));
    for (size_t i = 0; i < s->n; i++) beside[i] = s->x[i] + (i < n_diff ? 0 : BESIDE * size);
    return gt_closing_factor(s, s->t, beside) == GT_OK;
}

/* delta := (x', y') at the accepted point. */
static bool slopes(gt_stepper *s)
{
    gt_newton *w = s->algebraic;
    size_t n_diff = s->problem->n_slow + s->problem->n_fast;
    double *f = s->closing, *g = f + s->n, *g_later = g + s->n;
    double dt = sqrt(DBL_EPSILON) * (fabs(s->t) + fabs(s->t - s->problem->t0));
    if (!factor(s)) return false;
    if (s->problem->rhs(s->t, s->x, f, s->problem->ctx)) return false;
    if (gt_closing_residual(s, s->t, s->x, g)) return false;
    if (gt_closing_residual(s, s->t + dt, s->x, g_later)) return false;
    memcpy(w->delta, f, n_diff * sizeof *f);
    for (size_t i = n_diff; i < s->n; i++)
        w->delta[i] = -(g_later[i - n_diff] - g[i - n_diff]) / dt;
    return gt_closing_solve(s, s->t, s->x) == GT_OK;
}

bool gt_blame_fold(gt_stepper *s, gt_message *why)
{
    assert(s && why);
    const gt_problem *p = s->problem;
    size_t n_diff = p->n_slow + p->n_fast, worst = s->n;
    double so_far = fabs(s->t - p->t0), most = 1 / SHARE;
    char name[24];
    bool plain = !p->mass && !p->ranks && gt_problem_index(p) == 1;
    if (!p->n_alg || !plain || !s->algebraic || so_far == 0) return false;
    if (!slopes(s)) return false;
    for (size_t i = n_diff; i < s->n; i++) {
        double pace = fabs(s->algebraic->delta[i]) * so_far / (fabs(s->x[i]) + s->atol);
        if (pace > most) most = pace, worst = i;
    }
    if (worst == s->n) return false;
    gt_fail(why, GT_SINGULAR,
            "the algebraic equations seem to have no solution beyond t = %.10g: %s = %.6g changes "
            "at a rate of %.3g there, as where dg/dy becomes singular (a fold)",
            gt_shown_time(s, s->t), gt_problem_state_name(p, worst, name), s->x[worst],
            s->algebraic->delta[worst]);
    return true;
}
