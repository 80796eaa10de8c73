/* SPDX-License-Identifier: BSD-3-Clause */
/* The size of the error of a trial, and of the first step. */
#include "base/elementary.h"
#include "core/run_state.h"
#include "problem/norm.h"
#include <assert.h>
#include <math.h>
#include <string.h>

static double largest(const gt_run *r, size_t n, bool scaled)
{
    const gt_stepper *s = r->s;
    double most = 0;
    for (size_t i = 0; i < n; i++) {
        double weight = scaled ? gt_weight(s, i, fmax(fabs(s->x[i]), fabs(s->x_new[i]))) : 1;
        most = fmax(most, fabs(s->err[i]) / weight);
    }
    double all[2] = {gt_not_finite(s->err, n) + gt_not_finite(s->x_new, s->n), most};
    gt_over_ranks(s->problem, all, 1, 1);
    return all[0] + all[1];
}

static inline double sum_of_squares(const gt_stepper *s, size_t n)
{
    const double *e = s->err, *x = s->x, *y = s->x_new;
    double sum = 0;
#pragma GCC unroll 4
    for (size_t i = 0; i < n; i++) {
        double a = fabs(x[i]), b = fabs(y[i]);
        double scaled = e[i] / gt_weight(s, i, a > b ? a : b);
        sum += scaled * scaled + (b - b);
    }
    return sum;
}

/* max |err| / (rtol max(max |x|, 1)) */
static double plain_error(const gt_stepper *s, size_t n)
{
    double error = 0, size = 1;
    for (size_t i = 0; i < n; i++) {
        error = fmax(error, fabs(s->err[i]));
        size = fmax(size, fabs(s->x[i]));
    }
    double all[3] = {gt_not_finite(s->err, n) + gt_not_finite(s->x_new, s->n), error, size};
    gt_over_ranks(s->problem, all, 1, 2);
    return all[1] / (s->rtol * all[2]) + all[0];
}

/* The error of the finished trial as the controller wants it; NaN when the trial is not finite. */
double gt_run_measure_error(const gt_run *r)
{
    assert(r && r->s);
    const gt_stepper *s = r->s;
    size_t n = r->problem->n_slow + r->problem->n_fast;
    /* What constraints determine may act upon nothing that has an error of its own. */
    if (r->problem->index && gt_problem_index(r->problem) > 1) n = gt_problem_shown(r->problem);
    if (n == 0 && !r->problem->ranks)
        return gt_not_finite(s->x_new, s->n); /* algebraic variables have no error of their own */
    if (r->control.kind == GT_BOUNDS) return largest(r, n, false);
    if (r->control.kind == GT_PLAIN) return plain_error(s, n);
    if (r->control.maximum_norm) return largest(r, n, true);
    double sum, strict = s->strictness * s->strictness;
    if (r->problem->ranks) return sqrt(gt_error_square_many(s, s->err, n) * strict);
    switch (n) { /* a small n that the compiler knows: no vectors, which would wait for the stores
                    of the trial */
    case 2:
        sum = sum_of_squares(s, 2);
        break;
    case 3:
        sum = sum_of_squares(s, 3);
        break;
    case 4:
        sum = sum_of_squares(s, 4);
        break;
    default:
        if (n > GT_MANY_STATES)
            return sqrt(gt_error_square_many(s, s->err, n) * strict) +
                   gt_not_finite(s->x_new + n, s->n - n);
        sum = sum_of_squares(s, n);
    }
    if (s->n > n) sum += gt_not_finite(s->x_new + n, s->n - n);
    return sqrt(sum * (1.0 / (double)n) * strict);
}

/* First step: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.4, with its
 * numbers. */
/* |x| or |f| in units of the tolerance: their quotient says nothing */
static const double vanishes = 1e-5;
static const double blind_step = 1e-6; /* then */
/* of x that an Euler step of size h0 may change, and of the tolerance h1 may err */
static const double euler_part = 0.01;
static const double no_slope = 1e-15;  /* |f| and |f'| so small that no step follows from them */
static const double much_less = 1e-3;  /* than h0, where f fails at its end or nothing moves */
static const double most_growth = 100; /* of h over h0 */
/* of the span, where a mass matrix makes f another thing than the slope */
static const double mass_part = 1e-4;
/* of quotients of differences over a thousandth of the distance: f has no slope there */
static const double no_slope_growth = 3;

/* The slope of f between here and where an Euler step of size h ends. */
static gt_status slope_along(gt_stepper *s, double h, size_t n, double *slope)
{
    memcpy(s->x_new, s->x, s->n * sizeof *s->x);
    for (size_t i = 0; i < n; i++) s->x_new[i] += h * s->f[i];
    gt_status status = gt_rhs(s, s->t + h, s->x_new, s->f_new);
    if (status) return status;
    for (size_t i = 0; i < n; i++) s->scratch[i] = (s->f_new[i] - s->f[i]) / h;
    *slope = gt_weighted_norm(s, s->scratch, s->x, n);
    return GT_OK;
}

/* A valve between equal levels, q = k sqrt(d): the slope of f there is beyond all bounds and holds
 * nowhere else. With it as J, a step stands still and says that it has no error. Where the slope
 * over shorter and shorter distances grows, the step is as long as the last of them. A difference d
 * that a switch has brought to 0 is 1e-16 there. */
static gt_status shorten_without_slope(gt_stepper *s, double h0, double slope, size_t n, double *h)
{
    const double speed = gt_weighted_norm(s, s->f, s->x, n), whole = *h;
    while (h0 * speed > 1 && h0 * slope * whole > 0.1) {
        double nearer, shorter = much_less * h0;
        gt_status status = slope_along(s, shorter, n, &nearer);
        if (status < 0) return status;
        if (status || !(nearer > no_slope_growth * slope)) return GT_OK;
        *h = fmin(*h, h0 = shorter);
        slope = nearer;
    }
    return GT_OK;
}

gt_status gt_run_initial_step(gt_run *r, double span, double *h)
{
    assert(r && h);
    assert(span > 0);
    gt_stepper *s = r->s;
    size_t n = r->problem->n_slow + r->problem->n_fast;
    if (n == 0 && !r->problem->ranks) {
        *h = span / 100;
        return GT_OK;
    }
    gt_status status = gt_slope(s);
    if (status) return status;
    double d0 = gt_weighted_norm(s, s->x, s->x, n), d1 = gt_weighted_norm(s, s->f, s->x, n);
    double h0 = d0 < vanishes || d1 < vanishes ? blind_step : euler_part * d0 / d1;
    bool no_atol = s->atol <= GT_NO_ATOL; /* a component at 0 then says nothing */
    if (!isfinite(h0) || (no_atol && h0 == 0)) h0 = blind_step;
    /* A state that happens to be next to 0 asks for steps that are lost in round-off. */
    double least = 2 * gt_run_least_step(r);
    h0 = fmin(fmax(h0, least / most_growth), span);
    double d2;
    status = slope_along(s, h0, n, &d2);
    if (status) {
        *h = h0 * much_less;
        return status < 0 ? status : GT_OK;
    }
    double steepest = fmax(d1, d2);
    double still = fmax(blind_step, h0 * much_less);
    double h1 =
        steepest <= no_slope ? still : gt_power(euler_part / steepest, 1.0 / (s->order + 1));
    if (no_atol && h1 == 0) h1 = still;
    /* On x' = -lambda x the largest first step is 1/lambda, where an estimate may vanish: that of
     * bs32 is a multiple of z^3 (1 + z) there, and took a step that is wrong by 9 % for exact. */
    bool one_decay = fabs(d2 * h0 - euler_part * d1) <= 1e-3 * euler_part * d1;
    double most = (one_decay ? 0.5 : 1) * most_growth * h0;
    *h = fmin(fmax(fmin(most, isfinite(h1) ? h1 : h0), least), span);
    if (r->problem->mass) *h = fmin(*h, mass_part * span);
    bool with_slopes = s->facts.flags & GT_USES_JACOBIAN && !r->problem->mass;
    return with_slopes ? shorten_without_slope(s, h0, d2, n, h) : GT_OK;
}
