/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_KIT_GEAR_H
#define GEARTRAIN_KIT_GEAR_H

/* What the formula of `gear` (gear.c) and its choice of order and step (gear_judge.c) share. */
#include "kit/oscillation.h"
#include <geartrain/author/newton.h>
#include <geartrain/author/stepper.h>
#include <geartrain/method.h>

enum { MAX_ORDER = 5, PAST = MAX_ORDER + 1 }; /* points behind the accepted one */

typedef struct gear_options {
    int order; /* 0: it varies */
    int max_order;
    enum { GEAR_BDF, GEAR_NDF } formula;
    double newton_tol, newton_fraction;
    gt_linear_options linear;
} gear_options;

typedef struct gear_formula {
    int q;
    double h;
    double w[PAST + 2], d[PAST + 2]; /* weights of x_p and of h P' / lead */
    double gamma, error_constant;
} gear_formula;

typedef struct gear_state {
    gear_options options;
    gt_newton newton;
    double h_past[PAST],
        *x_past[PAST];     /* newest first; h_past[i] is the step that led away from x_past[i] */
    int known;             /* how many of them */
    int order;             /* of the next trial */
    int wait;              /* accepted steps before the order may change */
    gt_oscillation swings; /* of the corrections x_new - x_p */
    int calm, calm_next;   /* accepted steps for which orders 3 and 4 are barred */
    double h_fine;         /* meanwhile: the step up to which order 5 damps these swings */
    int equal;             /* accepted steps of the same size in a row */
    double h_last;
    gear_formula formula; /* of the last trial; serves again while nothing it depends on changes */
    double *predicted, *constant, *before; /* x_p; x_p - h P'/lead; the point before the first */
    double t_end;
    double *product; /* with a mass matrix */
} gear_state;

/* How long before the accepted point the i-th one back lies, i = 0..k (0: itself); the one before
 * the first, a step h. Sums of steps, not differences of times: where h is near the spacing of
 * doubles at t, only the steps are exact. */
static inline void gt_gear_ages(const gt_stepper *s, double h, int k, double *age)
{
    const gear_state *w = s->state;
    age[0] = 0;
    for (int i = 0; i < k; i++) age[i + 1] = age[i] + (i < w->known ? w->h_past[i] : h);
}

/* The i-th point back from the accepted one (0: itself); behind the first, the one that the slope
 * leads back to. */
static inline const double *gt_gear_point(const gt_stepper *s, int i)
{
    const gear_state *w = s->state;
    if (i == 0) return s->x;
    return i <= w->known ? w->x_past[i - 1] : w->before;
}

/* What a formula needs most: called with a constant k, the loops are gone. */
static inline __attribute__((always_inline)) void gt_gear_lagrange(int k, const double *distance,
                                                                   double *weight)
{
    _Pragma("GCC unroll 8") for (int i = 0; i <= k; i++)
    {
        double up = 1, down = 1;
        _Pragma("GCC unroll 8") for (int j = 0; j <= k; j++)
        {
            if (j == i) continue;
            up *= distance[j];
            down *= distance[j] - distance[i];
        }
        weight[i] = up / down;
    }
}

/* Lagrange weights at t_new of the points 0..k, and alpha_1..alpha_(k+1). */
static inline void gt_gear_predictor(const gt_stepper *s, double h, int k, double *weight,
                                     double *alpha)
{
    double distance[PAST + 2];
    gt_gear_ages(s, h, k, distance);
    for (int i = 0; i <= k; i++) {
        distance[i] += h;
        alpha[i] = h / distance[i];
    }
    switch (k) {
#define POINTS(k)                                                                                  \
    case k:                                                                                        \
        gt_gear_lagrange(k, distance, weight);                                                     \
        break
        POINTS(1);
        POINTS(2);
        POINTS(3);
        POINTS(4);
        POINTS(5);
#undef POINTS
    default:
        gt_gear_lagrange(k, distance, weight);
    }
}

/* The highest order that the options and the swings of the solution allow now. */
int gt_gear_highest_order(const gt_stepper *s);

/* The tolerance that is asked for over the one that is kept. */
double gt_gear_tightening(const gt_stepper *s);

gt_verdict gt_gear_judge(gt_stepper *s, double error, double h, int rejections);

#endif
