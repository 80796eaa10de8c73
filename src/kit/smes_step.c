/* SPDX-License-Identifier: BSD-3-Clause */
/* The plain and the projective steps of `smes`, items 2 and 3 of the comment in smes.c. */
#include "base/weighted_sum.h"
#include "kit/explicit_rk.h"
#include "kit/smes.h"
#include "problem/norm.h"
#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

static const gt_tableau bogacki_shampine = {
    .stages = 4,
    .c = {{0, 1}, {1, 2}, {3, 4}, {1, 1}},
    .a = {{{0, 1}}, {{1, 2}}, {{0, 1}, {3, 4}}, {{2, 9}, {1, 3}, {4, 9}}},
    .b = {{2, 9}, {1, 3}, {4, 9}, {0, 1}},
    .b_hat = {{7, 24}, {1, 4}, {1, 3}, {1, 8}}};

const gt_tableau *gt_smes_tableau(const smes_state *w)
{
    return w->made == 3 ? &bogacki_shampine : w->pair5;
}

/* f, or only its fast block, the slow one moving with the slope `drift`. */
static gt_status slope_at(gt_stepper *s, double t, const double *X, const double *drift, double *k)
{
    const smes_state *w = s->state;
    const gt_problem *p = s->problem;
    if (w->options.evaluate == SMES_EVALUATE_ALL || !p->rhs_fast) return gt_rhs(s, t, X, k);
    memcpy(k, drift, p->n_slow * sizeof *k);
    return gt_rhs_fast(s, t, X, k + p->n_slow);
}

gt_status gt_smes_damp(gt_stepper *s, double t_end, const double *drift, const double *change,
                       double *X)
{
    smes_state *w = s->state;
    const gt_small_steps *d = &w->small;
    const gt_problem *p = s->problem;
    double left = d->total;
    for (int j = 0; j < d->count; left -= d->tau[j++]) {
        double *k = w->between_slope, tau = d->tau[j], e = d->e[j], bend = tau * tau / 2;
        gt_status status = slope_at(s, t_end - left, X, drift, k);
        if (!status && e > 0) {
            const double weight[] = {e, e * e / 2};
            const double *const terms[] = {k, change};
            gt_combine(p, change ? 2 : 1, weight, terms, X, w->between, s->n);
            gt_add(p, s->n, tau - e, k, X);
            bend -= e * e;
            status = slope_at(s, t_end - left + e, w->between, drift, k);
        }
        if (status) return status;
        const double weight[] = {e > 0 ? e : tau, bend};
        const double *const terms[] = {k, change};
        gt_combine(p, change ? 2 : 1, weight, terms, X, X, s->n);
    }
    return GT_OK;
}

/* x = x_base + H sum_j weight_j k_j */
static void combine(const gt_stepper *s, double H, const gt_ratio *weight, int count, double *x)
{
    const smes_state *w = s->state;
    const double *k[SMES_MOST_STAGES];
    double scaled[SMES_MOST_STAGES];
    int terms = 0;
    for (int j = 0; j < count; j++) {
        if (!weight[j].num) continue;
        k[terms] = w->k[j];
        scaled[terms++] = H * gt_ratio_value(weight[j]);
    }
    gt_combine(s->problem, terms, scaled, k, w->x_base, x, s->n);
}

/* Loops over components of slopes and points: what each does is said with it. */
typedef struct loop {
    double apart, ahead, bend, between;
    const double *now, *before, *earlier;
    double *out, *slope;
} loop;

/* out = (now - before) / apart */
static void change_range(size_t from, size_t to, void *work)
{
    const loop l = *(loop *)work;
    GT_INDEPENDENT
    for (size_t i = from; i < to; i++) l.out[i] = (l.now[i] - l.before[i]) / l.apart;
}

/* The last stage that is well before stage i; -1: there is none. Stages near each other would
 * magnify how far each lags. */
static int well_before(const gt_tableau *T, int i)
{
    static const double APART = 0.15;
    int j = i - 1;
    while (j >= 0 && gt_ratio_value(T->c[i]) - gt_ratio_value(T->c[j]) < APART) j--;
    return j;
}

static void foresee_range(size_t from, size_t to, void *work)
{
    const loop l = *(loop *)work;
    change_range(from, to, work);
    GT_INDEPENDENT
    for (size_t i = from; i < to; i++) {
        double earlier = l.between > 0 ? (l.before[i] - l.earlier[i]) / l.between : l.earlier[i];
        l.slope[i] = l.now[i] + l.ahead * (l.out[i] + l.bend * (l.out[i] - earlier));
    }
}

/* The slope to expect at stage i, on a parabola through those of the stage before it, of one well
 * before that and of one well before both; for the first stages the third is from the step before,
 * unless that was short or ended elsewhere, and then the parabola is a line. And how the slope
 * changes with time, straight from the last two: at the first stage as at the end of the step
 * before. */
static void foresee(const gt_stepper *s, const gt_tableau *T, int i, double H, double *slope,
                    double *change)
{
    static const double SHORT = 0.1;
    const smes_state *w = s->state;
    const double *last = w->k[i - 1], *bend_base = w->bend_base;
    double c = gt_ratio_value(T->c[i - 1]), ahead = (gt_ratio_value(T->c[i]) - c) * H;
    int j = well_before(T, i - 1), m = j < 0 ? -1 : well_before(T, j);
    if (j < 0) {
        gt_moved(s->problem, s->n, last, ahead, bend_base, slope);
        gt_copy(s->problem, s->n, bend_base, change);
        return;
    }
    bool clean = bend_base == w->bend && w->span > SHORT * H;
    const double *kj = w->k[j], *km = m < 0 ? NULL : w->k[m];
    double to_j = (c - gt_ratio_value(T->c[j])) * H, to_m = w->span, bend = 0;
    if (m >= 0) to_m = (gt_ratio_value(T->c[j]) - gt_ratio_value(T->c[m])) * H;
    if (m >= 0 || (j == 0 && clean)) bend = (ahead + to_j) / (to_j + to_m);
    loop l = {.apart = to_j,
              .ahead = ahead,
              .bend = bend,
              .between = km ? to_m : 0,
              .now = last,
              .before = kj,
              .earlier = km ? km : bend_base,
              .out = change,
              .slope = slope};
    gt_in_chunks(s->problem, s->n, foresee_range, &l);
}

/* The Rayleigh quotient of r at the end of the last trial, from one more call of f; `impure` is
 * |J r - rate r| for r of length 1. 0: it cannot be known. */
static double rate_of(gt_stepper *s, const double *r, double *impure)
{
    const smes_state *w = s->state;
    const gt_problem *p = s->problem;
    double *moved = w->between, *k = w->between_slope;
    double all[3] = {gt_dot_here(p, s->n, r, r), gt_dot_here(p, s->n, s->x_new, s->x_new),
                     (double)s->n}; /* |r|^2, |x|^2, n */
    gt_over_ranks(p, all, 3, 0);
    double typical = s->rtol > 0 ? s->atol / s->rtol : 1e-3;
    double reach = sqrt(DBL_EPSILON) * (sqrt(all[1]) + sqrt(all[2]) * typical) / sqrt(all[0]);
    if (!(all[0] > 0) || !isfinite(reach)) return 0;
    gt_moved(p, s->n, s->x_new, reach, r, moved);
    if (gt_any_rank(p, gt_rhs(s, s->t_new, moved, k) != GT_OK)) return 0;
    gt_slope_between(p, s->n, s->f_new, reach, k);
    double rate = gt_dot(p, s->n, r, k) / all[0];
    gt_add(p, s->n, -rate, r, k);
    *impure = sqrt(gt_dot(p, s->n, k, k) / all[0]);
    return isfinite(*impure) ? rate : 0;
}

/* What small steps left of fast modes at the end of a projective trial is in the slope there,
 * beside what the slow part did other than foreseen: if this is a good part of the error. */
double gt_smes_rate_left(gt_stepper *s, double error, double *impure)
{
    const smes_state *w = s->state;
    double *r = w->change;
    gt_moved(s->problem, s->n, s->f_new, -1, w->expected, r);
    double part = w->small.total * gt_weighted_norm(s, r, s->x_new, s->n);
    return part > 0.3 * error ? rate_of(s, r, impure) : 0;
}

void gt_smes_step_back(const gt_stepper *s, double time, const double *slope, const double *change,
                       double *X)
{
    const double weight[] = {-time, time * time / 2};
    const double *const terms[] = {slope, change};
    gt_combine(s->problem, 2, weight, terms, X, X, s->n);
}

/* A stage: its slope, and the point in x_new. */
static gt_status make_stage(gt_stepper *s, const gt_tableau *T, int i, double H, double *x_new)
{
    smes_state *w = s->state;
    double t_stage = s->t + w->lead + gt_ratio_value(T->c[i]) * H;
    w->k[i] = i == T->stages - 1 ? s->f_new : w->inner[i - 1];
    combine(s, H, T->a[i], i, x_new);
    gt_status status = GT_OK;
    if (w->kind == PROJECTIVE) {
        foresee(s, T, i, H, w->expected, w->change);
        gt_smes_step_back(s, w->small.total, w->expected, w->change, x_new);
        status = gt_smes_damp(s, t_stage, w->expected, w->change, x_new);
    }
    return status ? status : gt_rhs(s, t_stage, x_new, w->k[i]);
}

/* Where the stages start from, when the accepted point is off the manifold: what small steps make
 * of it. The second derivative that they are to follow comes from the first stage, after steps that
 * do not know it: so both are made twice. */
static gt_status set_base(gt_stepper *s, const gt_tableau *T, double H, const double *x,
                          double *x_new)
{
    smes_state *w = s->state;
    gt_status status = GT_OK;
    gt_clear(s->problem, s->n, w->own_bend);
    w->bend_base = w->own_bend;
    w->x_base = w->base;
    w->k[0] = w->slope;
    for (int pass = 0; pass < 2 && !status; pass++) {
        gt_copy(s->problem, s->n, x, w->base);
        status = gt_smes_damp(s, s->t + w->lead, s->f, w->own_bend, w->base);
        if (!status) status = gt_rhs(s, s->t + w->lead, w->base, w->slope);
        if (pass || status) break;
        status = make_stage(s, T, 1, H, x_new);
        loop l = {.apart = gt_ratio_value(T->c[1]) * H,
                  .now = w->k[1],
                  .before = w->slope,
                  .out = w->own_bend};
        if (!status) gt_in_chunks(s->problem, s->n, change_range, &l);
    }
    return status;
}

/* What small steps before the first stage took away of an accepted point off the manifold: as much
 * of it as would not have decayed in the step counts as error, and a tenth at least, since dense
 * output shows the layer as a straight line. */
static void add_layer(const gt_stepper *s, double H, double *err)
{
    const smes_state *w = s->state;
    double stays = fmax(SMES_LAYER, exp(-gt_fast_part_decay(&w->part) * H)), lead = w->lead;
    for (size_t i = 0; i < s->n; i++) {
        double along = lead * w->slope[i] - lead * lead / 2 * w->own_bend[i];
        err[i] += stays * fabs(w->base[i] - s->x[i] - along);
    }
}

/* How the slope changes at the end of the step; returns the time over which that is seen. */
static double end_bend(const gt_stepper *s, const gt_tableau *T, double H, double *change)
{
    const smes_state *w = s->state;
    int before = T->stages - 2;
    while (before > 0 && gt_ratio_value(T->c[before]) > 0.81) before--;
    loop l = {.apart = (1 - gt_ratio_value(T->c[before])) * H,
              .now = s->f_new,
              .before = w->k[before],
              .out = change};
    gt_in_chunks(s->problem, s->n, change_range, &l);
    return l.apart;
}

/* out = |now - before| */
static void apart_range(size_t from, size_t to, void *work)
{
    const loop l = *(loop *)work;
    GT_INDEPENDENT
    for (size_t i = from; i < to; i++) l.out[i] = fabs(l.now[i] - l.before[i]);
}

/* The difference of the pair. The small steps of the comparison solution know the slope at the end,
 * and how it changes: so the difference is also that of what was foreseen from what came. Where
 * fast modes move it gets twice as many, and the difference shows what is left of them. */
static gt_status estimate(gt_stepper *s, const gt_tableau *T, double H, const double *x_new,
                          double *err)
{
    smes_state *w = s->state;
    if (w->kind == PLAIN) {
        const double *k[SMES_MOST_STAGES];
        double weight[SMES_MOST_STAGES];
        for (int j = 0; j < T->stages; j++) {
            k[j] = w->k[j];
            weight[j] = H * (gt_ratio_value(T->b[j]) - gt_ratio_value(T->b_hat[j]));
        }
        gt_combine(s->problem, T->stages, weight, k, NULL, err, s->n);
        return GT_OK;
    }
    double t_end = s->t + w->lead + H;
    combine(s, H, T->b_hat, T->stages, w->hat);
    end_bend(s, T, H, w->change);
    bool moving = fmax(w->width, H * w->drift) > 1e-3;
    double time = moving ? 2 * w->small.total : w->small.total;
    gt_smes_step_back(s, time, s->f_new, w->change, w->hat);
    gt_status status = GT_OK;
    if (moving) status = gt_smes_damp(s, t_end - w->small.total, s->f_new, w->change, w->hat);
    if (!status) status = gt_smes_damp(s, t_end, s->f_new, w->change, w->hat);
    loop l = {.now = x_new, .before = w->hat, .out = err};
    gt_in_chunks(s->problem, s->n, apart_range, &l);
    if (w->lead > 0) add_layer(s, H, err);
    return status;
}

/* A plain or projective step; a plain one has no small steps. */
gt_status gt_smes_step(gt_stepper *s, double h, const double *x, double *x_new, double *err)
{
    assert(s && s->state && x && x_new);
    assert(x != x_new || s->n == 0); /* a rank may have no states */
    smes_state *w = s->state;
    const gt_tableau *T = gt_smes_tableau(w);
    bool off = w->kind == PROJECTIVE && !(w->clean <= 1.3 * w->part.low);
    double H = h - (w->lead = off ? w->small.total : 0);
    w->x_base = x;
    w->k[0] = s->f;
    w->bend_base = w->bend;
    gt_status status = off ? set_base(s, T, H, x, x_new) : GT_OK;
    for (int i = 1; i < T->stages && !status; i++) status = make_stage(s, T, i, H, x_new);
    if (status) return status;
    s->f_new_known = true;
    return err ? estimate(s, T, H, x_new, err) : GT_OK;
}

void gt_smes_bend(gt_stepper *s)
{
    smes_state *w = s->state;
    w->span = end_bend(s, gt_smes_tableau(w), s->h - w->lead, w->bend);
}
