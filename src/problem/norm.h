/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_PROBLEM_NORM_H
#define GEARTRAIN_PROBLEM_NORM_H

/*
 * Norms, means and maxima of the whole state. Loops over components give sums and maxima of this
 * rank, and the functions here make those of all ranks of them: without ranks they are what they
 * were, to the last bit. Each call is one reduction, on every rank alike, whatever is found.
 */
#include "base/finite.h"
#include "problem/vectors.h"
#include <geartrain/author/stepper.h>
#include <math.h>

/* Sums, then maxima, over all ranks; a maximum that is NaN becomes infinite. */
static inline void gt_over_ranks(const gt_problem *p, double *values, size_t sums, size_t maxima)
{
    if (!p->ranks) return;
    for (size_t i = sums; i < sums + maxima; i++)
        values[i] = isnan(values[i]) ? INFINITY : values[i];
    p->ranks->reduce(values, sums, maxima, p->ranks->ctx);
}

static inline double gt_sum_over_ranks(const gt_problem *p, double sum)
{
    gt_over_ranks(p, &sum, 1, 0);
    return sum;
}

static inline double gt_most_over_ranks(const gt_problem *p, double most)
{
    gt_over_ranks(p, &most, 0, 1);
    return most;
}

/* The mean over all components of which this rank has n with this sum. */
static inline double gt_mean(const gt_problem *p, double sum, size_t n)
{
    if (!p->ranks) return sum / (double)n;
    double all[2] = {sum, (double)n};
    gt_over_ranks(p, all, 2, 0);
    return all[0] / all[1];
}

/* The sum of a_i b_i on this rank. */
static inline double gt_dot_here(const gt_problem *p, size_t n, const double *a, const double *b)
{
    if (n > GT_CHUNK) return gt_dot_many(p, n, a, b);
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* The root mean square of v_i / weight_i; NaN or infinite where a component is. */
static inline double gt_weighted_norm(const gt_stepper *s, const double *v, const double *x,
                                      size_t n)
{
    if (n > GT_CHUNK) return sqrt(gt_mean(s->problem, gt_weighted_square_many(s, v, x, n), n));
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double d = v[i] / gt_weight(s, i, x[i]);
        sum += d * d;
    }
    return sqrt(gt_mean(s->problem, sum, n));
}

static inline double gt_dot(const gt_problem *p, size_t n, const double *a, const double *b)
{
    return gt_sum_over_ranks(p, gt_dot_here(p, n, a, b));
}

/* The maximum norm. */
static inline double gt_largest_over_ranks(const gt_problem *p, const double *x, size_t n)
{
    return gt_most_over_ranks(p, gt_largest(x, n));
}

static inline bool gt_finite_over_ranks(const gt_problem *p, const double *x, size_t n)
{
    double here = n > GT_CHUNK ? gt_not_finite_many(p, x, n) : gt_not_finite(x, n);
    return gt_sum_over_ranks(p, here) == 0;
}

/* Whether something holds on any rank. */
static inline bool gt_any_rank(const gt_problem *p, bool here)
{
    return p->ranks ? gt_most_over_ranks(p, here) > 0 : here;
}

/*
 * The error of a trial in units of the tolerance: the root mean square over the components, but at
 * least a tenth of the largest. The mean alone would let a single component among n be wrong by
 * sqrt(n) times the tolerance in every step; up to n = 100 the two are the same.
 */
enum { GT_MANY_STATES = 100 };

/* The square of that, of the sum of squares, their number and the largest on this rank. */
static inline double gt_error_square_of(const gt_problem *p, double all[3])
{
    gt_over_ranks(p, all, 2, 1);
    double mean = all[0] * (1.0 / all[1]), least = all[2] * (1.0 / GT_MANY_STATES);
    return mean < least ? least : mean;
}

/* The same of err; NaN when err or x_new is not finite. */
static inline double gt_error_square_many(const gt_stepper *s, const double *err, size_t n)
{
    gt_sums here = {0, 0};
    if (n > GT_CHUNK) here = gt_error_sums_many(s, err, n);
    for (size_t i = 0; i < n && n <= GT_CHUNK; i++) {
        double a = fabs(s->x[i]), b = fabs(s->x_new[i]);
        double scaled = err[i] / gt_weight(s, i, a > b ? a : b), square = scaled * scaled;
        here.sum += square + (b - b);
        here.most = square > here.most ? square : here.most;
    }
    double all[3] = {here.sum, (double)n, here.most};
    return gt_error_square_of(s->problem, all);
}

#endif
