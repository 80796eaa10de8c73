/* SPDX-License-Identifier: BSD-3-Clause */
#include "implicit/iterated.h"
#include "implicit/gmres.h"
#include "implicit/growth.h"
#include "implicit/inner.h"
#include "problem/norm.h"
#include <assert.h>
#include <float.h>
#include <string.h>

bool gt_iterated_pays(const gt_problem *p, const gt_linear_options *o)
{
    return !p->second_order && gt_inner_way(p, o) == GT_LINEAR_KRYLOV;
}

void gt_iterated_layout(gt_iterated *w, const gt_problem *p, const gt_linear_options *o,
                        bool with_complex, gt_arena *arena)
{
    assert(w && p && o && arena);
    size_t n = gt_problem_size(p), width = with_complex ? 2 : 1;
    *w = (gt_iterated){.restart = gt_inner_restart(n, o), .most = GT_INNER_MOST};
    w->matrix = gt_inner_matrix(p, o);
    w->precondition = gt_inner_precondition(p, o, w->matrix);
    w->V = gt_arena_doubles(arena, width * n * (size_t)(w->restart + 1));
    w->z = gt_arena_doubles(arena, width * n);
    w->unit = gt_arena_doubles(arena, n);
    w->half = gt_arena_doubles(arena, n);
    w->out = gt_arena_doubles(arena, n);
    if (!w->matrix) {
        for (int i = 0; i < GT_ITERATED_POINTS; i++) w->at[i] = gt_arena_doubles(arena, n);
        w->f = gt_arena_doubles(arena, n);
        w->moved = gt_arena_doubles(arena, n);
    }
    if (w->precondition == GT_PRECONDITION_ILU) gt_ilu_layout(&w->ilu, p, o->fill, arena);
    if (w->precondition == GT_PRECONDITION_JACOBI) w->diagonal = gt_arena_doubles(arena, n);
}

void gt_iterated_prepare(gt_iterated *w, const gt_problem *p)
{
    if (w->precondition == GT_PRECONDITION_ILU) gt_ilu_prepare(&w->ilu, p);
}

void gt_iterated_place(gt_iterated *w, const gt_stepper *s, int which, double t, const double *x)
{
    assert(w && !w->matrix && which >= 0 && which < GT_ITERATED_POINTS);
    memcpy(w->at[which], x, s->n * sizeof *x);
    w->at_t[which] = t;
}

static gt_system system_of(const gt_iterated *w, const gt_stepper *s)
{
    double t = w->at_t[w->which];
    return (gt_system){.t = t < s->t_cap ? t : s->t_cap,
                       .x = w->at[w->which],
                       .gamma = w->gamma_P,
                       .weight = w->unit};
}

gt_status gt_iterated_factor(gt_iterated *w, gt_stepper *s, int which, const gt_matrix *J,
                             double gamma_P)
{
    assert(w && s && gamma_P != 0);
    const gt_solver *own = s->problem->solver;
    gt_status status = GT_OK;
    assert(!w->matrix || J == w->J + which);
    w->which = which;
    w->gamma_P = gamma_P;
    w->sign_P = w->precondition != GT_PRECONDITION_CALLER;
    if (w->precondition == GT_PRECONDITION_ILU) {
        gt_ilu_factor(&w->ilu, s->problem, J, gamma_P);
        w->sign_P = w->ilu.sign;
    }
    if (w->precondition == GT_PRECONDITION_JACOBI)
        w->sign_P = gt_inner_diagonal(s->problem, J, gamma_P, w->diagonal);
    if (!w->matrix && !(own && own->jac_times))
        status = gt_rhs(s, w->at_t[which], w->at[which], w->f);
    if (!status && own && own->prepare) {
        gt_system system = system_of(w, s);
        s->stats.jacobians++;
        status = own->prepare(&system, own->ctx);
    }
    return status;
}

/* ---- products and preconditioner, of one part of a vector ---- */

/* Whose system it is, for gmres.h. */
typedef struct owner {
    gt_iterated *w;
    gt_stepper *s;
    size_t width;
} owner;

static void take_part(const owner *o, const double *v, size_t part, double *out)
{
    for (size_t i = 0; i < o->s->n; i++) out[i] = v[o->width * i + part];
}

/* J v for a v that is real. */
static gt_status product(gt_iterated *w, gt_stepper *s, const double *v, double *y)
{
    const gt_solver *own = s->problem->solver;
    s->stats.krylov++;
    if (w->matrix) {
        gt_matrix_multiply(w->J + w->which, v, 0, y);
        return GT_OK;
    }
    double t = w->at_t[w->which];
    const double *x = w->at[w->which];
    if (own && own->jac_times)
        return own->jac_times(t < s->t_cap ? t : s->t_cap, x, v, y, own->ctx);
    return gt_inner_difference(s, t, x, w->f, v, w->moved, y);
}

/* y = (M - gamma J) v, part by part: `half` of v, `out` of J v or M v. */
static gt_status times(void *ctx, const double *v, double *y)
{
    const owner *o = ctx;
    gt_iterated *w = o->w;
    const gt_problem *p = o->s->problem;
    size_t n = o->s->n, n_diff = p->n_slow + p->n_fast, width = o->width;
    memset(y, 0, width * n * sizeof *y);
    for (size_t part = 0; part < width; part++) {
        /* gamma (v_part i^part) J, added to both parts */
        double complex factor = part ? -w->gamma * I : -w->gamma;
        take_part(o, v, part, w->half);
        gt_status status = product(w, o->s, w->half, w->out);
        if (status) return status;
        for (size_t k = 0; k < width; k++) {
            double a = k ? cimag(factor) : creal(factor);
            for (size_t i = 0; i < n_diff; i++) y[width * i + k] += a * w->out[i];
            if (!w->shifted_rows) a = k == part;
            for (size_t i = n_diff; i < n; i++) y[width * i + k] += a * w->out[i];
        }
        const double *Mv = w->half;
        if (p->mass) {
            gt_matrix_multiply(p->mass, w->half, 0, w->out);
            Mv = w->out;
        }
        for (size_t i = 0; i < n_diff; i++) y[width * i + part] += Mv[i];
    }
    return GT_OK;
}

/* half := P^-1 half */
static gt_status apply_P(gt_iterated *w, const gt_stepper *s)
{
    const gt_solver *own = s->problem->solver;
    if (w->precondition == GT_PRECONDITION_ILU) {
        gt_shift W = gt_ilu_matrix(&w->ilu, w->J + w->which, w->gamma_P);
        gt_ilu_solve(&w->ilu, &W, w->half);
    }
    if (w->precondition == GT_PRECONDITION_JACOBI)
        for (size_t i = 0; i < s->n; i++) w->half[i] *= w->diagonal[i];
    if (w->precondition != GT_PRECONDITION_CALLER) return GT_OK;
    gt_system system = system_of(w, s);
    gt_status status = own->precondition(&system, w->half, w->out, own->ctx);
    memcpy(w->half, w->out, s->n * sizeof *w->out);
    return status;
}

/* b := P^-1 b; algebraic rows of P are those of J. */
static gt_status precondition(void *ctx, double *b)
{
    const owner *o = ctx;
    gt_iterated *w = o->w;
    size_t n = o->s->n, n_diff = n - o->s->problem->n_alg;
    double complex turn = -1 / w->gamma;
    for (size_t i = n_diff; i < n && w->shifted_rows; i++) {
        double complex value = o->width == 2 ? b[2 * i] + b[2 * i + 1] * I : b[i];
        value *= turn;
        b[o->width * i] = creal(value);
        if (o->width == 2) b[2 * i + 1] = cimag(value);
    }
    for (size_t part = 0; part < o->width; part++) {
        take_part(o, b, part, w->half);
        gt_status status = apply_P(w, o->s);
        if (status) return status;
        for (size_t i = 0; i < n; i++) b[o->width * i + part] = w->half[i];
    }
    return GT_OK;
}

gt_status gt_iterated_solve(gt_iterated *w, gt_stepper *s, double complex gamma, bool pairs,
                            double absolute, double relative, double *y)
{
    assert(w && s && y);
    assert(pairs || cimag(gamma) == 0);
    owner whose = {w, s, pairs ? 2 : 1};
    int sign = w->sign_P;
    bool looks = sign && s->rtol > 0 && gt_shows_growth(s->problem);
    w->gamma = gamma;
    gt_inner_weigh(s, s->x, y, whose.width, w->unit);
    const gt_gmres gmres = {.problem = s->problem,
                            .n = s->n,
                            .width = whose.width,
                            .restart = w->restart,
                            .most = w->most,
                            .V = w->V,
                            .z = w->z,
                            .unit = w->unit,
                            .times = times,
                            .precondition = precondition,
                            .ctx = &whose,
                            .sign = looks && !pairs ? &sign : NULL};
    gt_status status = gt_gmres_solve(&gmres, y, s->rtol > 0 ? absolute : 0, relative);
    return !status && looks && sign < 0 ? GT_TRY_NEWTON : status;
}
