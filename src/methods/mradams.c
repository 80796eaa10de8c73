/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Multirate Adams method, after Gear and Wells, Multirate linear multistep methods, BIT 24 (1984)
 * 484, fastest first: the slow block is extrapolated, the fast one follows it with steps of its
 * own, then the slow one is corrected. One slow evaluation a step. With f_n, f_(n-1), f_(n-2) the
 * slow slopes kept from the last points, a = h_(n-1), b = h_(n-2) and divided differences d1 =
 * [f_n, f_(n-1)], d2 = [f_n, f_(n-1), f_(n-2)]:
 *
 *   P  x(t_n + u) = x_n + u f_n + (u^2/2) d1 + (u^3/3 + a u^2/2) d2 Adams-Bashforth, order 3 I  z'
 * = g(t, x(t), z) by any explicit Runge-Kutta method from t_n to t_n + h E  f_(n+1) = f(t_n + h,
 * x(t_n + h), z_(n+1)) C  x_(n+1) = x(t_n + h) + d3 (h^4/4 + (2a + b) h^3/3 + a (a + b) h^2/2)
 * Adams-Moulton, order 4 d3 = [f_(n+1), f_n, f_(n-1), f_(n-2)]
 *
 * Order 4: the slopes that are kept belong to predicted points, whose error O(h^4) enters with a
 * factor h; z follows the predicted path, which costs as much. f_(n+1) is the first slope of the
 * next step. The error estimate is what the corrector changes, O(h^4), in the slow block; inner
 * steps are held to a fraction of the tolerance as in mri.c.
 *
 * The first two steps, after a start or an event, are single-rate: classical Runge-Kutta steps of
 * the size of an inner one on the whole system, four evaluations each, compared with the
 * Adams-Moulton formula of order 2 or 3, the fast block with that of order 2.
 *
 * Dense output is that of mri.c.
 *
 * Unstable where h times a slow eigenvalue is beyond about 0.5 on the negative real axis; a
 * corrector without a second evaluation is less stable than with one, and pays when f is expensive.
 * Where we depart from the paper: it corrects with the order of the predictor and chooses steps and
 * orders for each component.
 */
#include "base/weighted_sum.h"
#include "kit/explicit_rk.h"
#include "kit/mri_inner.h"
#include <geartrain/methods.h>
#include <string.h>

static const gt_param options[] = {MRI_INNER_OPTIONS("step", gt_explicit_rk_names), {0}};

enum { PAST = 3 }; /* slopes that are kept */

typedef struct adams_state {
    mri_options options;
    mri_inner inner;
    double *f[PAST];              /* newest first; the first belongs to the accepted point */
    int known;                    /* how many of them */
    double h_past[PAST - 1];      /* steps between them */
    double *f_end;                /* slope at the end of the trial */
    double *p[MRI_MOST_TERMS];    /* the slow polynomial */
    double *slope, *sum, *middle; /* of single-rate steps */
    mri_dense dense;
} adams_state;

static gt_facts facts(const gt_method *self, const double *v)
{
    (void)self;
    mri_options o = {0};
    gt_params_fill(options, v, &o);
    int count = o.substeps > 0 ? o.substeps : MRI_DEFAULT_SUBSTEPS;
    const gt_method *inner = gt_explicit_rk_methods[o.inner];
    return (gt_facts){.order = 4,
                      .error_order = 3,
                      .flags = GT_NEEDS_PARTITION | gt_mri_inner_flags(inner),
                      .slow_evaluations = 1,
                      .fast_evaluations = gt_mri_inner_evaluations(inner, count)};
}

static gt_status layout(gt_stepper *s, gt_arena *arena)
{
    adams_state *w = s->state;
    gt_params_fill(options, s->options.v, &w->options);
    size_t n_slow = s->problem->n_slow;
    for (int j = 0; j < PAST; j++) w->f[j] = gt_arena_doubles(arena, n_slow);
    for (int j = 0; j < MRI_MOST_TERMS; j++) w->p[j] = gt_arena_doubles(arena, n_slow);
    w->f_end = gt_arena_doubles(arena, n_slow);
    w->slope = gt_arena_doubles(arena, s->n);
    w->sum = gt_arena_doubles(arena, s->n);
    w->middle = gt_arena_doubles(arena, s->n);
    gt_mri_dense_layout(&w->dense, s, arena);
    return gt_mri_inner_layout(&w->inner, gt_explicit_rk_methods[w->options.inner], NULL, s, arena);
}

static gt_status prepare(gt_stepper *s)
{
    adams_state *w = s->state;
    w->inner.fraction = w->options.inner_fraction;
    return gt_mri_inner_prepare(&w->inner, s);
}

static void restart(gt_stepper *s)
{
    adams_state *w = s->state;
    w->known = 0;
    gt_mri_inner_restart(&w->inner);
}

/* P: the polynomial over a step h, from as many slopes as are known. */
static void extrapolate(gt_stepper *s, double h)
{
    adams_state *w = s->state;
    double a = w->known > 1 ? w->h_past[0] : h, b = w->known > 2 ? w->h_past[1] : a;
    double by_a = 1 / a, by_b = 1 / b, by_both = w->known > 2 ? 1 / (a + b) : 0, half = h * h / 2,
           third = h * h * h / 3;
    const double *f0 = w->f[0], *f1 = w->known > 1 ? w->f[1] : f0,
                 *f2 = w->known > 2 ? w->f[2] : f1;
    double *p0 = w->p[0], *p1 = w->p[1], *p2 = w->p[2];
    GT_INDEPENDENT
    for (size_t r = 0; r < s->problem->n_slow; r++) {
        double d1 = (f0[r] - f1[r]) * by_a, d2 = (d1 - (f1[r] - f2[r]) * by_b) * by_both;
        p0[r] = h * f0[r];
        p1[r] = half * (d1 + a * d2);
        p2[r] = third * d2;
    }
}

/* C: adds to x and reports how much. */
static void correct(gt_stepper *s, double h, double *x, double *err)
{
    const adams_state *w = s->state;
    double a = w->h_past[0], b = w->h_past[1], by_h = 1 / h, by_a = 1 / a, by_b = 1 / b;
    double by_ha = 1 / (h + a), by_ab = 1 / (a + b);
    double weight =
        (h * h * h * h / 4 + (2 * a + b) * h * h * h / 3 + a * (a + b) * h * h / 2) / (h + a + b);
    const double *end = w->f_end, *f0 = w->f[0], *f1 = w->f[1], *f2 = w->f[2];
    size_t n = s->problem->n_slow;
    double *change = err ? err : w->sum;
    GT_INDEPENDENT
    for (size_t r = 0; r < n; r++) {
        double d1 = (f0[r] - f1[r]) * by_a, d2 = (d1 - (f1[r] - f2[r]) * by_b) * by_ab;
        double ahead = ((end[r] - f0[r]) * by_h - d1) * by_ha;
        change[r] = weight * (ahead - d2);
        x[r] += change[r];
    }
    if (err) memset(err + n, 0, s->problem->n_fast * sizeof *err);
}

/* One classical Runge-Kutta step of the whole system on x in place. */
static gt_status single_rate_step(gt_stepper *s, double t, double h, double *x)
{
    adams_state *w = s->state;
    static const double weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}, node[] = {0, 0.5, 0.5, 1};
    for (int l = 0; l < 4; l++) {
        gt_status status = gt_rhs(s, t + node[l] * h, l ? w->middle : x, w->slope);
        if (status) return status;
        for (size_t r = 0; r < s->n; r++) {
            w->sum[r] = (l ? w->sum[r] : 0) + weight[l] * w->slope[r];
            if (l < 3) w->middle[r] = x[r] + node[l + 1] * h * w->slope[r];
        }
    }
    for (size_t r = 0; r < s->n; r++) x[r] += h * w->sum[r];
    return GT_OK;
}

/* A step while there are too few slopes. */
static gt_status first_steps(gt_stepper *s, double h, const double *x, double *x_new, double *err)
{
    adams_state *w = s->state;
    int count = gt_mri_inner_count(&w->inner, s, w->options.substeps);
    if (!count) count = MRI_DEFAULT_SUBSTEPS;
    memcpy(x_new, x, s->n * sizeof *x);
    for (int m = 0; m < count; m++) {
        gt_status status = single_rate_step(s, s->t + h * m / count, h / count, x_new);
        if (status) return status;
    }
    if (!err) return gt_rhs_slow(s, s->t + h, x_new, w->f_end);
    gt_status status = gt_rhs(s, s->t, x, w->sum);
    if (!status) status = gt_rhs(s, s->t + h, x_new, w->slope);
    if (status) return status;
    double a = w->h_past[0];
    memcpy(w->f_end, w->slope, s->problem->n_slow * sizeof *w->f_end);
    for (size_t r = s->problem->n_slow; r < s->n; r++)
        err[r] = x_new[r] - x[r] - h / 2 * (w->sum[r] + w->slope[r]);
    for (size_t r = 0; r < s->problem->n_slow; r++) {
        double d = (w->f_end[r] - w->f[0][r]) / h, corrected = x[r] + w->p[0][r] + w->p[1][r];
        if (w->known > 1)
            corrected +=
                (d - (w->f[0][r] - w->f[1][r]) / a) / (h + a) * (h * h * h / 3 + a * h * h / 2);
        else
            corrected += h * h / 2 * d;
        err[r] = x_new[r] - corrected;
    }
    return GT_OK;
}

static gt_status again(gt_stepper *s, double h, int count, double *to)
{
    adams_state *w = s->state;
    mri_stage of = {
        .t = s->t, .length = h, .from = s->x, .terms = 3, .p = {w->p[0], w->p[1], w->p[2]}};
    return gt_mri_inner_run(&w->inner, s, &of, count, to);
}

static gt_status step(gt_stepper *s, double h, const double *x, double *x_new, double *err)
{
    adams_state *w = s->state;
    gt_status status = w->known ? GT_OK : gt_rhs_slow(s, s->t, x, w->f[0]);
    if (status) return status;
    if (!w->known) w->known = 1;
    gt_mri_inner_begin(&w->inner, h);
    w->dense.gap_known = false;
    extrapolate(s, h);
    if (w->known < PAST) return first_steps(s, h, x, x_new, err);
    mri_stage of = {
        .t = s->t, .length = h, .from = x, .terms = 3, .p = {w->p[0], w->p[1], w->p[2]}};
    int count = gt_mri_inner_count(&w->inner, s, w->options.substeps);
    status = gt_mri_inner_run(&w->inner, s, &of, count, x_new);
    mri_trial trial = {h, count, again, x_new, w->dense.gap};
    bool enough; /* explicit methods see to it */
    if (!status && err) status = gt_mri_loss(&w->inner, s, &trial, &enough);
    if (!status) status = gt_rhs_slow(s, s->t + h, x_new, w->f_end);
    if (status) return status;
    correct(s, h, x_new, err);
    if (err) gt_mri_loss_add(s, &trial, err);
    return GT_OK;
}

static gt_status interpolate(gt_stepper *s, double h, double theta, double *x)
{
    adams_state *w = s->state;
    int count = gt_mri_inner_count(&w->inner, s, w->options.substeps);
    return gt_mri_dense_at(&w->dense, &w->inner, s, w->f[0], w->f_end, h, count, theta, x);
}

static void accept(gt_stepper *s)
{
    adams_state *w = s->state;
    double *oldest = w->f[PAST - 1];
    for (int j = PAST - 1; j > 0; j--) w->f[j] = w->f[j - 1];
    w->f[0] = w->f_end;
    w->f_end = oldest;
    w->h_past[1] = w->h_past[0];
    w->h_past[0] = s->h;
    if (w->known < PAST) w->known++;
    gt_mri_inner_accept(&w->inner);
}

static size_t past(const gt_stepper *s, double *part[GT_MAX_PAST], size_t length[GT_MAX_PAST])
{
    const adams_state *w = s->state;
    for (int j = 0; j < PAST; j++) {
        part[j] = w->f[j];
        length[j] = s->problem->n_slow;
    }
    return PAST;
}

const gt_method gt_method_mradams = {
    .name = "mradams",
    .family = "multirate multistep",
    .title = "multirate Adams, 1 slow evaluation a step, order 4, any number of fast steps",
    .reference = "after Gear, Wells, BIT 24 (1984) 484",
    .memory = "of the slow states 3 past slopes, the slope at the end, 2 polynomials; "
              "of the fast ones the stages of a small step; points and sums",
    .options = options,
    .facts = facts,
    .state_size = sizeof(adams_state),
    .layout = layout,
    .prepare = prepare,
    .step = step,
    .interpolate = interpolate,
    .accept = accept,
    .restart = restart,
    .past = past};
