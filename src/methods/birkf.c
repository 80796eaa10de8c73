/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The nonlinear algorithm of xie 3.4, 3.5 and Appendices A and B, kept as it was run: both halves
 * by Fehlberg's fifth-order weights, so R(z) = P(alpha z) / P(-(1 - alpha) z) with P = T_5 +
 * z^6/2080, neither F_45 nor F_55.
 *
 *     1. x_a = forward half from x over alpha h, e_left its error (order 5 against 4)
 *     2. guess: the forward half continued from x_a over (1 - alpha) h
 *     3. Broyden's iteration from the identity until the backward half from x_new hits x_a: |s| <=
 * tol (1 + |x|) and |g| <= tol
 *     4. err = max |e_left - e_right|, accepted when err <= tau = tol max(|x_new|, 1)
 *     5. h := min(h_max, factor h), h_max = T/16, first step h_max/8, where the factor is
 *            rule 315      0.8 (tau/err)^(1/5) (3.15) rule 316      0.8 (tau/err)^(0.3/5)
 * (err_last/err)^(0.4/5), after a first step by (3.15)       (3.16) program       (0.8
 * tau/err)^(0.3/5) (err_last/err)^(0.4/5): the C program has 0.8 inside the power
 *
 * Order 5, and 6 at alpha = 1/2. At alpha = 0.47, which the thesis recommends, it is unstable for h
 * omega in [3.478, 6.486]. e_left - e_right cancels to leading order at alpha = 1/2; the consistent
 * sum is what bi55 has. Where we depart from it: a run ends at its end (the C program stops at the
 * last step before it), a step whose iteration fails is repeated smaller (it goes on with what it
 * has), the inverse is updated by Sherman and Morrison's formula instead of being computed anew,
 * and where the absolute tolerance says that all states are small, below 1e-3, their size takes the
 * place of 1 in |s| <= tol (1 + |x|), |g| <= tol and tau: any result would pass else. Dense output
 * is ours: of degree 5, through x, x_a, x_new and their slopes.
 */
#include "base/elementary.h"
#include "base/finite.h"
#include "kit/bi_numbers.h"
#include "kit/broyden.h"
#include <geartrain/methods.h>
#include <math.h>
#include <string.h>

typedef struct birkf_options {
    double alpha;
    enum { RULE_315, RULE_316, RULE_PROGRAM } rule;
    int iterations;
} birkf_options;

static const double tolerance_of_fixed_steps = 1e-13;

static const char *const rules[] = {
    [RULE_315] = "315", [RULE_316] = "316", [RULE_PROGRAM] = "program", NULL};
static const gt_param options[] = {
    {.name = "alpha",
     .help = "where the halves meet, as a fraction of the step",
     .initial = 0.45,
     .min = 0,
     .max = 0.9,
     .field = GT_OPTION_FIELD(birkf_options, alpha)},
    {.name = "rule",
     .help = "step control by (3.15), (3.16), or as the C program has it",
     .type = GT_CHOICE,
     .choices = rules,
     .field = GT_OPTION_FIELD(birkf_options, rule)},
    {.name = "iterations",
     .help = "of Broyden's method at most, then the step is repeated smaller",
     .type = GT_INTEGER,
     .initial = 1000,
     .min = 1,
     .max = 1e6,
     .field = GT_OPTION_FIELD(birkf_options, iterations)},
    {0},
};

typedef struct birkf_state {
    birkf_options options;
    gt_broyden broyden;
    gt_half *half;
    double *k[GT_HALF_STAGES], *x_a, *left;
    double t_end, back;
    double error_last; /* of the trial before; 0: there was none */
    bool slope_known;  /* left has f at x_a, for dense output */
} birkf_state;

static gt_facts facts(const gt_method *self, const double *v)
{
    birkf_options o = {0};
    gt_params_fill(self->options, v, &o);
    bool symmetric = o.alpha == 0.5;
    return (gt_facts){.kind = GT_KIND_IMPLICIT,
                      .order = symmetric ? 6 : 5,
                      .error_order = symmetric ? 5 : 4,
                      .stages = gt_half_fehlberg.tableau.stages,
                      .dense_evaluations = 1,
                      .basin = 5}; /* Broyden's iteration starts from the identity */
}

static gt_status layout(gt_stepper *s, gt_arena *arena)
{
    birkf_state *w = s->state;
    gt_params_fill(options, s->options.v, &w->options);
    w->half = gt_arena_take(arena, 1, sizeof *w->half);
    if (w->half) gt_half_open(w->half, &gt_half_fehlberg);
    for (int j = 0; j < gt_half_fehlberg.tableau.stages; j++)
        w->k[j] = gt_arena_doubles(arena, s->n);
    w->x_a = gt_arena_doubles(arena, s->n);
    w->left = gt_arena_doubles(arena, s->n);
    gt_broyden_layout(&w->broyden, s->n, arena);
    return GT_OK;
}

/* The size of a state to which tol is relative where the thesis has 1; the default of atol is 1e-3
 * rtol times it. */
static double unit_of(const gt_stepper *s)
{
    double size = s->rtol > 0 && !s->atol_vector ? s->atol / (1e-3 * s->rtol) : 1;
    return size > 0 && size < 1e-3 ? size : 1;
}

static gt_status miss(gt_stepper *s, const double *x, double *residual, void *data)
{
    const birkf_state *w = data;
    gt_status status = gt_half_step(s, w->half, NULL, w->t_end, -w->back, x, w->k, false, residual);
    for (size_t i = 0; i < s->n && !status; i++) residual[i] -= w->x_a[i];
    return status;
}

static gt_status step(gt_stepper *s, double h, const double *x, double *x_new, double *err)
{
    birkf_state *w = s->state;
    double forth = h * w->options.alpha,
           tolerance = s->rtol > 0 ? s->rtol : tolerance_of_fixed_steps;
    w->t_end = s->t + h;
    w->back = h - forth;
    w->slope_known = false;
    gt_status status = gt_slope(s);
    if (status) return status;
    memcpy(w->k[0], s->f, s->n * sizeof *x);
    status = gt_half_step(s, w->half, NULL, s->t, forth, x, w->k, true, w->x_a);
    if (status) return status;
    memset(w->left, 0, s->n * sizeof *x);
    gt_half_error(w->half, s->n, forth, w->k, NULL, w->left);
    status = gt_half_step(s, w->half, NULL, s->t + forth, w->back, w->x_a, w->k, false, x_new);
    double largest = gt_largest(w->x_a, s->n);
    double unit = unit_of(s);
    double left = s->rtol > 0 ? tolerance * unit
                              : tolerance * (1 + largest); /* round-off must be within reach */
    if (!status)
        status = gt_broyden_solve(&w->broyden, s, tolerance, unit, left, w->options.iterations,
                                  x_new, miss, w);
    if (status || !err) return status;
    memcpy(err, w->left, s->n * sizeof *err);
    gt_half_error(w->half, s->n, -w->back, w->k, NULL,
                  err); /* k is of the last look at the backward half */
    return GT_OK;
}

/* The cubic through both ends, and what is missing from it where the halves meet. */
static gt_status interpolate(gt_stepper *s, double h, double theta, double *x)
{
    const double too_near = 0.1; /* to the start */
    birkf_state *w = s->state;
    double a = w->options.alpha, part = theta * theta * (1 - theta) * (1 - theta);
    gt_status status = gt_slopes(s);
    if (status) return status;
    gt_hermite(s, h, theta, x);
    if (a < too_near) return GT_OK;
    if (!w->slope_known) {
        status = gt_half_slope(s, NULL, s->t + a * h, w->x_a, w->left);
        if (status) return status;
        w->slope_known = true;
    }
    double bubble = a * a * (1 - a) * (1 - a), rise = 2 * a * (1 - a) * (1 - 2 * a);
    for (size_t i = 0; i < s->n; i++) {
        double d = s->x_new[i] - s->x[i], f = h * s->f[i], f_new = h * s->f_new[i];
        double second = 3 * d - 2 * f - f_new, third = f + f_new - 2 * d;
        double cubic = s->x[i] + a * (f + a * (second + a * third));
        double value = (w->x_a[i] - cubic) / bubble;
        double along =
            (h * w->left[i] - f - a * (2 * second + 3 * a * third) - rise * value) / bubble;
        x[i] += part * (value + (theta - a) * along);
    }
    return GT_OK;
}

static double largest_step(const gt_stepper *s) { return (s->problem->t1 - s->problem->t0) / 16; }

/* Without an end of the run there is no largest step, and the first is that of a span of 1. */
static double first_step(const gt_stepper *s)
{
    double largest = largest_step(s);
    return (isfinite(largest) ? largest : fmax(1, fabs(s->problem->t0)) / 16) / 8;
}

static gt_verdict judge(gt_stepper *s, double measured, double h, int rejections)
{
    birkf_state *w = s->state;
    double error = 0, size = unit_of(s), factor = 1;
    (void)measured, (void)rejections;
    for (size_t i = 0; i < s->n; i++) {
        error = fmax(error, fabs(s->err[i]));
        size = fmax(size, fabs(s->x_new[i]));
    }
    double tau = s->rtol * size;
    if (error > 0) {
        if (w->options.rule == RULE_315 || w->error_last == 0)
            factor = 0.8 * gt_power(tau / error, 0.2);
        else
            factor = (w->options.rule == RULE_316 ? 0.8 : gt_power(0.8, 0.06)) *
                     gt_power(tau / error, 0.06) * gt_power(w->error_last / error, 0.08);
        w->error_last = error;
    }
    return (gt_verdict){error <= tau, fmin(largest_step(s), factor * h)};
}

static void restart(gt_stepper *s) { ((birkf_state *)s->state)->error_last = 0; }

static void rational(const gt_method *self, const double *v, gt_rational *R)
{
    gt_half half;
    birkf_options o = {0};
    gt_params_fill(self->options, v, &o);
    gt_half_open(&half, &gt_half_fehlberg);
    gt_bi_ratio(&half, &half, o.alpha, R);
}

const gt_method gt_method_birkf = {
    .name = "birkf",
    .family = "backinterpolation",
    .title = "the thesis' own algorithm: Fehlberg's halves, Broyden's iteration",
    .reference = "Xie (1995) 3.4, 3.5, Appendices A and B",
    .memory = "n x n numbers: the inverse that Broyden's iteration keeps; stages of a "
              "half, where the halves meet, and the iteration",
    .options = options,
    .facts = facts,
    .state_size = sizeof(birkf_state),
    .layout = layout,
    .step = step,
    .judge = judge,
    .first_step = first_step,
    .restart = restart,
    .interpolate = interpolate,
    .rational = rational};
