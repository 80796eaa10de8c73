/* SPDX-License-Identifier: BSD-3-Clause */
/* The plain and the projective steps of `smes`, items 2 and 3 of the comment in smes.c, and dense
 * output. */
#include "kit/explicit_rk.h"
#include "kit/smes.h"
#include <assert.h>
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
    return w->order == 3 ? &bogacki_shampine : w->pair5;
}

static void add(size_t n, double h, const double *f, double *x)
{
    for (size_t i = 0; i < n; i++) x[i] += h * f[i];
}

/* The small steps of a projective step, on X, that end at t_end. When only the fast block is
 * evaluated the slow one moves with the slope `drift`. */
static gt_status damp(gt_stepper *s, double t_end, const double *drift, double *X)
{
    smes_state *w = s->state;
    const gt_small_steps *d = &w->small;
    const gt_problem *p = s->problem;
    bool fast_only = w->options.evaluate == SMES_EVALUATE_FAST && p->rhs_fast;
    double left = d->total;
    for (int j = 0; j < d->count; j++) {
        double *k = w->trail[j % 2];
        gt_status status = fast_only ? gt_rhs_fast(s, t_end - left, X, k + p->n_slow)
                                     : gt_rhs(s, t_end - left, X, k);
        if (status) return status;
        if (fast_only) memcpy(k, drift, p->n_slow * sizeof *k);
        add(s->n, d->tau[j], k, X);
        left -= d->tau[j];
    }
    return GT_OK;
}

/* x = x_base + H sum_j weight_j k_j */
static void combine(const gt_stepper *s, double H, const gt_ratio *weight, int count, double *x)
{
    const smes_state *w = s->state;
    memcpy(x, w->x_base, s->n * sizeof *x);
    for (int j = 0; j < count; j++)
        if (weight[j].num) add(s->n, H * gt_ratio_value(weight[j]), w->k[j], x);
}

/* The slope to expect at stage i, straight from the two stages before it, and how it changes with
 * time. */
static void foresee(const gt_stepper *s, const gt_tableau *T, int i, double H, double *slope,
                    double *change)
{
    const smes_state *w = s->state;
    double c[3];
    for (int j = 0; j < 3; j++) c[j] = i >= j ? gt_ratio_value(T->c[i - j]) : 0;
    const double *last = w->k[i - 1], *before = i > 1 ? w->k[i - 2] : last;
    double apart = i > 1 ? 1 / (c[1] - c[2]) : 0;
    for (size_t n = 0; n < s->n; n++) {
        double difference = (last[n] - before[n]) * apart;
        slope[n] = last[n] + (c[0] - c[1]) * difference;
        change[n] = difference / H;
    }
}

/*
 * What the last small steps left is mostly that of the fast modes which they damp least. With x <-
 * x + tau f the slopes g, f, k of the last two steps and after them give J f = (k - f)/tau_K and J
 * g = (f - g)/tau_(K-1), so J (f - g), and the Rayleigh quotient of f - g is the eigenvalue of
 * these modes.
 */
static double eigenvalue_left(const gt_stepper *s, const double *k)
{
    const smes_state *w = s->state;
    int K = w->small.count;
    if (K < 2) return 0;
    const double *f = w->trail[(K - 1) % 2], *g = w->trail[K % 2];
    double a = 1 / w->small.tau[K - 1], b = 1 / w->small.tau[K - 2], above = 0, below = 0;
    for (size_t i = 0; i < s->n; i++) {
        double d = f[i] - g[i];
        above += d * (a * (k[i] - f[i]) - b * d);
        below += d * d;
    }
    return below > 0 ? above / below : 0;
}

/* From the point of a stage to where the small steps that lead there begin. */
static void step_back(const gt_stepper *s, double *X)
{
    const smes_state *w = s->state;
    add(s->n, -w->small.total, w->expected, X);
    add(s->n, w->small.moment, w->change, X);
}

/* Where the stages start from: the accepted point, or what small steps make of it when it is off
 * the manifold. */
static gt_status set_base(gt_stepper *s, const double *x)
{
    smes_state *w = s->state;
    w->x_base = x;
    w->k[0] = s->f;
    w->lead = 0;
    if (w->kind == PLAIN || w->clean) return GT_OK;
    w->lead = w->small.total;
    memcpy(w->base, x, s->n * sizeof *x);
    gt_status status = damp(s, s->t + w->lead, s->f, w->base);
    if (!status) status = gt_rhs(s, s->t + w->lead, w->base, w->slope);
    w->x_base = w->base;
    w->k[0] = w->slope;
    return status;
}

/* The small steps of set_base are Euler's: they lag behind a slope that changes, by sum_j tau_j
 * left_j - tau^2/2 times its rate of change, which the first two slopes on the manifold give. */
static void correct_base(const gt_stepper *s, double apart)
{
    smes_state *w = s->state;
    double lag = w->small.moment - w->small.total * w->small.total / 2;
    for (size_t i = 0; i < s->n; i++) w->base[i] += lag * (w->k[1][i] - w->k[0][i]) / apart;
}

/* The difference of the pair, and what small steps did other than expected. */
static gt_status estimate(gt_stepper *s, const gt_tableau *T, double H, const double *x_new,
                          double *err)
{
    smes_state *w = s->state;
    if (w->kind == PLAIN) {
        memset(err, 0, s->n * sizeof *err);
        for (int j = 0; j < T->stages; j++)
            add(s->n, H * (gt_ratio_value(T->b[j]) - gt_ratio_value(T->b_hat[j])), w->k[j], err);
        return GT_OK;
    }
    combine(s, H, T->b_hat, T->stages, w->hat);
    step_back(s, w->hat);
    gt_status status = damp(s, s->t + w->lead + H, w->expected, w->hat);
    for (size_t i = 0; i < s->n; i++)
        err[i] = fabs(x_new[i] - w->hat[i]) + w->small.total * fabs(s->f_new[i] - w->expected[i]);
    return status;
}

/* A plain or projective step; a plain one has no small steps. */
gt_status gt_smes_step(gt_stepper *s, double h, const double *x, double *x_new, double *err)
{
    assert(s && s->state && x && x_new);
    assert(x != x_new);
    smes_state *w = s->state;
    const gt_tableau *T = gt_smes_tableau(w);
    gt_status status = set_base(s, x);
    double H = h - w->lead, t = s->t + w->lead;
    for (int i = 1; i < T->stages && !status; i++) {
        double t_stage = t + gt_ratio_value(T->c[i]) * H;
        w->k[i] = i == T->stages - 1 ? s->f_new : w->inner[i - 1];
        combine(s, H, T->a[i], i, x_new);
        if (w->kind == PROJECTIVE) {
            foresee(s, T, i, H, w->expected, w->change);
            step_back(s, x_new);
            status = damp(s, t_stage, w->expected, x_new);
        }
        if (!status) status = gt_rhs(s, t_stage, x_new, w->k[i]);
        if (!status && i == 1 && w->lead > 0) correct_base(s, t_stage - t);
    }
    if (status) return status;
    s->f_new_known = true;
    w->met = w->kind == PROJECTIVE ? eigenvalue_left(s, s->f_new) : 0;
    return err ? estimate(s, T, H, x_new, err) : GT_OK;
}

/* Cubic Hermite from where the stages start from, plus what dopri5 adds for its order; straight
 * before that. */
gt_status gt_smes_interpolate(gt_stepper *s, double h, double theta, double *x)
{
    assert(s && s->state && x);
    const smes_state *w = s->state;
    double lead = w->kind == CHEBYSHEV ? 0 : w->lead, H = h - lead, u = (theta * h - lead) / H,
           v = 1 - u;
    const double *start = w->kind == CHEBYSHEV ? s->x : w->x_base,
                 *slope = w->kind == CHEBYSHEV ? s->f : w->k[0];
    if (u < 0) {
        for (size_t i = 0; i < s->n; i++) x[i] = s->x[i] + theta * h / lead * (start[i] - s->x[i]);
        return GT_OK;
    }
    double a = v * v * (1 + 2 * u), b = u * u * (3 - 2 * u), c = H * u * v * v, d = -H * u * u * v;
    for (size_t i = 0; i < s->n; i++)
        x[i] = a * start[i] + b * s->x_new[i] + c * slope[i] + d * s->f_new[i];
    if (w->kind == CHEBYSHEV || w->order == 3) return GT_OK;
    const gt_erk_row *row = w->dense5;
    for (int j = 0; j < SMES_MOST_STAGES; j++)
        add(s->n,
            H * u * u * v * v * gt_ratio_value(j < SMES_MOST_STAGES - 1 ? row->d[j] : row->d_end),
            w->k[j], x);
    return GT_OK;
}
