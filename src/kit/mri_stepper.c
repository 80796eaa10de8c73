/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Any method of the list on the fast block, z' = g(t, x(t), z) beside a slow block that moves along
 * a known polynomial, see mri_inner.h: a problem of its own, whose time begins at 0 in each stage,
 * and a stepper bound to it in the memory of the outer one. Its Jacobian is g_z, the block of the
 * outer problem's, or differences.
 *
 * Each stage is a new start, since x'(t) jumps there. So a trial of the outer method leaves nothing
 * behind but the size of the inner step, and methods of many steps begin with order 1 in each
 * stage.
 *
 * An implicit method is there to step over what decays, where errors of single steps do not add up:
 * each of them may have a share of the tolerance, whatever its length, which mri_loss.c makes
 * smaller where they do add up.
 *
 * Where the fast part has blocks of several rates and the method knows two blocks (mri3, mri4, or a
 * dual-rate pair), the first of them is the slow block of the problem here, and the others are the
 * fast one: what was the slow step is a step of three rates, and of four where the inner method
 * has such an inner method again. With S stages and m inner steps a stage a fixed step takes S
 * calls of the slow block. By mri again it takes S^2 m of the next one and S^2 m^2 inner steps of
 * what is faster; by a pair of p / q stages S m p and S m q.
 */
#include "base/elementary.h"
#include "core/run_state.h"
#include "kit/mri_inner.h"
#include "kit/nested.h"
#include "problem/norm.h"
#include <assert.h>
#include <math.h>
#include <string.h>

enum { MOST_TRIALS = 40, MOST_STEPS = 100000 }; /* as in mri_inner.c */

struct mri_stepper {
    gt_nested nested;     /* z' = g(t, x(t), z) */
    const mri_stage *now; /* while a stage is under way */
    gt_block g_x;         /* for df/dt = g_t + g_x x', where the problem has these */
    double *f_t;
};

/* The point of the outer problem at time t of the stage, with z in its fast block. */
static double point_at(mri_stepper *w, double t, const double *z)
{
    const gt_problem *p = w->nested.outer->problem;
    double *y = w->nested.y;
    memcpy(y + p->n_slow, z, p->n_fast * sizeof *z);
    if (!w->now) return p->t0; /* a first look at the pattern, before any stage */
    gt_mri_slow_at(w->nested.outer, w->now, t / w->now->length, y);
    return w->now->t + t;
}

static gt_status rhs(double t, const double *z, double *dz, void *ctx)
{
    mri_stepper *w = ctx;
    double at = point_at(w, t, z);
    return gt_rhs_fast(w->nested.outer, at, w->nested.y, dz);
}

/* The blocks first .. past - 1 of the fast part alone. */
static gt_status rates(mri_stepper *w, size_t first, size_t past, double t, const double *z,
                       double *dz)
{
    gt_stepper *s = w->nested.outer;
    const gt_problem *p = s->problem;
    double at = fmin(point_at(w, t, z), s->t_cap);
    gt_status status = GT_OK;
    for (size_t k = first; k < past && !status; k++) {
        status = p->rhs_rates[k](at, w->nested.y, dz, p->ctx);
        dz += p->rate_sizes[k];
    }
    return status;
}

/* One block of the rest, for a method inside that takes them apart once more. */
static gt_status rate_alone(mri_stepper *w, size_t k, double t, const double *z, double *dz)
{
    gt_stepper *s = w->nested.outer;
    if (k + 1 < s->problem->n_rates)
        s->stats.rhs_middle++;
    else
        s->stats.rhs_fast++;
    return rates(w, k, k + 1, t, z, dz);
}

enum { MOST_RATES = 7 }; /* that have steps of their own */
#define RATES(X) X(1) X(2) X(3) X(4) X(5) X(6)
#define RATE(k)                                                                                    \
    static gt_status rate_##k(double t, const double *z, double *dz, void *ctx)                    \
    {                                                                                              \
        return rate_alone(ctx, k, t, z, dz);                                                       \
    }
#define ENTRY(k) rate_##k,
RATES(RATE)
static const gt_rhs_block rest_alone[] = {RATES(ENTRY)};

static gt_status rhs_middle(double t, const double *z, double *dz, void *ctx)
{
    mri_stepper *w = ctx;
    w->nested.outer->stats.rhs_middle++;
    return rates(w, 0, 1, t, z, dz);
}

static gt_status rhs_fastest(double t, const double *z, double *dz, void *ctx)
{
    mri_stepper *w = ctx;
    w->nested.outer->stats.rhs_fast++;
    return rates(w, 1, w->nested.outer->problem->n_rates, t, z, dz);
}

static gt_status jac(double t, const double *z, gt_matrix *J, void *ctx)
{
    mri_stepper *w = ctx;
    double at = point_at(w, t, z);
    return gt_nested_jacobian(&w->nested, at, J);
}

static gt_status rhs_t(double t, const double *z, double *dz, void *ctx)
{
    mri_stepper *w = ctx;
    const gt_problem *p = w->nested.outer->problem;
    const mri_stage *of = w->now;
    double at = fmin(point_at(w, t, z), w->nested.outer->t_cap);
    gt_status status = p->autonomous ? GT_OK : p->rhs_t(at, w->nested.y, w->f_t, p->ctx);
    if (!status) status = gt_block_evaluate(&w->g_x, p, at, w->nested.y);
    if (status || !of) return status ? status : GT_TRY_RHS;
    double theta = t / of->length;
    memcpy(dz, w->f_t + p->n_slow, p->n_fast * sizeof *dz);
    for (size_t j = 0; j < p->n_slow; j++) {
        double slope = of->p[0][j] + 2 * theta * of->p[1][j];
        if (of->terms > 2) slope += 3 * theta * theta * of->p[2][j];
        for (int k = w->g_x.colptr[j]; k < w->g_x.colptr[j + 1]; k++)
            dz[w->g_x.rowindex[k]] += w->g_x.values[k] * slope / of->length;
    }
    return GT_OK;
}

/* The first block of the fast part and the rest, for methods that know two. */
static gt_status take_rates(const gt_method *method, gt_stepper *s, gt_problem *own)
{
    const gt_problem *p = s->problem;
    if (p->n_rates < 2)
        return gt_fail(
            &s->message, GT_UNSUPPORTED,
            "%s with inner=%s needs one rate more than the problem has: name its fastest states "
            "with "
            "\"#@ rate 2\", or \"#@ rate 3\" where there is a rate 2, or try inner=dopri5",
            s->method->name, method->name);
    own->n_slow = p->rate_sizes[0];
    own->n_fast = p->n_fast - own->n_slow;
    own->rhs_slow = p->rhs_rates ? rhs_middle : NULL;
    own->rhs_fast = p->rhs_rates ? rhs_fastest : NULL;
    if (p->n_rates < 3 || p->n_rates > MOST_RATES) return GT_OK;
    own->n_rates = p->n_rates - 1;
    own->rate_sizes = p->rate_sizes + 1;
    own->rhs_rates = p->rhs_rates ? rest_alone : NULL;
    return GT_OK;
}

gt_status gt_mri_stepper_layout(mri_stepper **out, const gt_method *method, const char *options,
                                gt_stepper *s, gt_arena *arena)
{
    assert(out && method && s && arena);
    const gt_problem *p = s->problem;
    bool exact = p->jac_block && (p->autonomous || p->rhs_t) && !gt_inner_has_blocks(method);
    gt_problem own = {
        .rhs = rhs, .jac = jac, .rhs_t = exact ? rhs_t : NULL, .t1 = fabs(p->t1 - p->t0)};
    gt_nested *nested;
    gt_status status = gt_inner_has_blocks(method) ? take_rates(method, s, &own) : GT_OK;
    if (status) return status;
    status = gt_nested_layout(&nested, sizeof **out, &own, GT_FAST, method, options, s, arena);
    mri_stepper *w = *out = (mri_stepper *)nested;
    if (status || !exact) return status;
    gt_block lost;
    double *f_t = gt_arena_doubles(arena, s->n);
    gt_block_layout(w ? &w->g_x : &lost, p, GT_FAST, GT_SLOW, arena);
    if (w) w->f_t = f_t;
    return GT_OK;
}

gt_status gt_mri_stepper_prepare(mri_stepper *w, gt_stepper *s)
{
    assert(w && s);
    return gt_nested_prepare(&w->nested, s);
}

void gt_mri_stepper_free(mri_stepper *w)
{
    if (w) gt_nested_free(&w->nested);
}

/* Steps of equal size, for runs with fixed steps. */
static gt_status equal_steps(mri_stepper *w, int count)
{
    gt_status status = GT_OK;
    double length = w->now->length;
    for (int m = 0; m < count && !status; m++) {
        status = gt_trial(&w->nested.s, length / count, false);
        w->nested.s.t_new = length * (m + 1) / count;
        if (!status) gt_take_trial(&w->nested.s);
    }
    return status;
}

static gt_verdict judge(gt_stepper *s, double E, double h, int rejections)
{
    if (s->unchecked) return (gt_verdict){true, h};
    if (s->method->judge) return s->method->judge(s, E * s->strictness, h, rejections);
    double factor = 0.9 * gt_power(fmax(E, 1e-10), -1.0 / (s->facts.error_order + 1));
    return (gt_verdict){E <= 1, h * fmax(fmin(factor, E <= 1 ? 5 : 0.9), 0.1)};
}

/* Steps by the estimate of the method. now.h is the step to begin with, and then the one to begin
 * the next stage with. */
static gt_status controlled_steps(mri_stepper *w, mri_inner *inner)
{
    gt_stepper *s = &w->nested.s;
    double share = inner->now.share, *h_first = &inner->now.h;
    double end = w->now->length, h = *h_first > 0 ? *h_first : end / MRI_DEFAULT_SUBSTEPS;
    bool begins_anew = s->facts.flags & GT_VARIABLE_FORMULA, first = true;
    for (int rejections = 0, steps = 0; s->t < end; steps++) {
        if (steps == MOST_STEPS) return GT_TRY_RHS;
        double left = end - s->t, part = h;
        bool last = part >= 0.999 * left;
        part = last ? left : part > 0.5 * left ? 0.5 * left : part;
        gt_status status = gt_trial(s, part, true);
        if (status < 0) return status;
        double E = status ? NAN : sqrt(gt_error_square_many(s, s->err, s->n));
        if (!isfinite(E) && !status) status = GT_TRY_NOT_FINITE;
        gt_verdict verdict = status ? (gt_verdict){false, part / 4} : judge(s, E, part, rejections);
        if (!verdict.accept) {
            if (++rejections == MOST_TRIALS) return status ? status : GT_TRY_NOT_FINITE;
            h = verdict.h_next;
            continue;
        }
        rejections = 0;
        if (last) s->t_new = end;
        gt_take_trial(s);
        inner->lost += E * share;
        if (begins_anew && first) *h_first = part;
        first = false;
        /* A step that was cut at the end of the stage tells little about larger ones. */
        if (verdict.h_next > h || part > 0.9 * h) h = verdict.h_next;
    }
    if (!begins_anew) *h_first = h;
    return GT_OK;
}

gt_status gt_mri_stepper_run(mri_stepper *w, gt_stepper *s, const mri_stage *of, int count,
                             mri_inner *inner, double *z)
{
    assert(w && s && of && inner && z);
    gt_stepper *own = &w->nested.s;
    if (count && own->facts.flags & GT_VARIABLE_FORMULA)
        return gt_fail(&s->message, GT_UNSUPPORTED,
                       "%s with inner=%s chooses its inner steps by their error: give a tolerance "
                       "and no substeps, or another inner method",
                       s->method->name, own->method->name);
    gt_nested_begin(&w->nested, s, count ? 0 : inner->now.share);
    w->now = of;
    gt_stepper_start(own, 0, z);
    gt_status status = count ? equal_steps(w, count) : controlled_steps(w, inner);
    memcpy(z, own->x, own->n * sizeof *z);
    w->now = NULL;
    gt_nested_end(&w->nested, status);
    return status;
}
