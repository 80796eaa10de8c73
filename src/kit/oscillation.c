/* SPDX-License-Identifier: BSD-3-Clause */
/* Least squares of e_n = a e_(n-1) - b e_(n-2), a = 2 rho cos(phi), b = rho^2; see oscillation.h.
 */
#include "kit/oscillation.h"
#include "problem/norm.h"
#include <assert.h>
#include <math.h>
#include <string.h>

void gt_oscillation_layout(gt_oscillation *o, size_t n, gt_arena *arena)
{
    for (int i = 0; i < 2; i++) o->past[i] = gt_arena_doubles(arena, n);
    gt_oscillation_forget(o);
}

void gt_oscillation_forget(gt_oscillation *o) { o->known = o->turns = 0; }

void gt_oscillation_push(gt_oscillation *o, const gt_problem *p, const double *e, size_t n)
{
    assert(o && e);
    double *oldest = o->past[1];
    o->past[1] = o->past[0];
    o->past[0] = oldest;
    gt_copy(p, n, e, oldest);
    if (o->known < 2) o->known++;
}

static const double parallel = 1e-6; /* sin^2 of the angle between the past two: nothing turns */
static const double misfit = 0.02;   /* of e^2 that two terms may leave */
/* rho^2: hardly damped, and growing by less than a fifth a step */
static const double least_b = 0.9, most_b = 1.4;
/* Angles that can be distinguished from a drift and from an alternation, and how well two in a row
 * must agree. */
static const double least_angle = 0.05, most_angle = 2.8, agreement = 0.1;

/* The angle in 0..pi, when `e` continues an undamped oscillation; else 0. */
static double angle_of(const gt_oscillation *o, const gt_stepper *s, const double *x,
                       const double *e, size_t n)
{
    const double *past = o->past[0], *before = o->past[1];
    double s00 = 0, s01 = 0, s02 = 0, s11 = 0, s12 = 0, s22 = 0;
    for (size_t i = 0; i < n; i++) {
        double w = 1 / gt_weight(s, i, x[i]), e0 = w * e[i], e1 = w * past[i], e2 = w * before[i];
        s00 += e0 * e0, s01 += e0 * e1, s02 += e0 * e2;
        s11 += e1 * e1, s12 += e1 * e2, s22 += e2 * e2;
    }
    double all[6] = {s00, s01, s02, s11, s12, s22};
    gt_over_ranks(s->problem, all, 6, 0);
    s00 = all[0], s01 = all[1], s02 = all[2], s11 = all[3], s12 = all[4], s22 = all[5];
    double determinant = s11 * s22 - s12 * s12;
    if (!(determinant > parallel * s11 * s22)) return 0;
    double a = (s01 * s22 - s02 * s12) / determinant, b = (s01 * s12 - s02 * s11) / determinant;
    double left = s00 - a * s01 + b * s02;
    bool fits = left < misfit * s00;
    bool undamped = b > least_b && b < most_b;
    bool complex_pair = a * a < 4 * b;
    return fits && undamped && complex_pair ? acos(a / (2 * sqrt(b))) : 0;
}

int gt_oscillation_turns(gt_oscillation *o, const gt_stepper *s, const double *x, const double *e,
                         size_t n)
{
    assert(o && s && x && e);
    assert(n <= s->n);
    double angle = o->known == 2 ? angle_of(o, s, x, e, n) : 0;
    bool turning = angle > least_angle && angle < most_angle;
    bool same = fabs(angle - o->angle) < agreement * angle;
    if (!turning)
        o->turns = 0;
    else
        o->turns = same ? o->turns + 1 : 1;
    o->angle = angle;
    return o->turns;
}
