/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The local error C h^(k+1) x^(k+1) of multistep formulas of order k, crow (5.115)-(5.122), from
 * divided differences:
 *
 *     C h^(k+1) (k+1)! [x_new, x_n, ..., x_(n-k)]
 *
 * An explicit formula does not see f at the end: a jump of f inside the step moves no point. And
 * beyond its stability limit an Adams-Moulton formula of order 3 to 6 makes stiff components
 * alternate, x_n = (-rho)^n e with rho > 1, of which the differences show C (1 + 1/rho)^(k+1) e
 * only, down to e/20. So the formulas of Adams, but for the A-stable orders 1 and 2 of Moulton,
 * take the same derivative from the slopes,
 *
 *     C h^(k+1) k! [f_new, f_n, ..., f_(n-k+1)]
 *
 * which a jump d of f makes C h d, and an alternating component C |h lambda| (1 + 1/rho)^k e, above
 * e where it is unstable. f_new is the f of the next step and costs nothing where the step is
 * accepted.
 *
 * Where f is not the slope (algebraic rows, mass matrix) differences d_m that grow from order k - 1
 * to k + 1 are those of an alternating component of size |d_(k+1)| (d_k / d_(k+1))^(k+1). For an
 * explicit formula of another family f_new is held against the slope of the polynomial through the
 * points: half of h times the difference is O(h^(k+2)) where f is smooth.
 *
 * What the differences measure is how far the new point, or slope, lies off the polynomial through
 * the past ones; the error is a share of that, |C| at equal steps. Where past steps are much longer
 * the theory of smooth functions makes the share a small one, since such a polynomial should be far
 * off: a jump of f would be accepted by making the step shorter. So the share is no less than at
 * equal steps where the past ones are, on average, more than twice as long.
 */
#include "kit/multistep_error.h"
#include "base/elementary.h"
#include "kit/multistep_formulas.h"
#include <assert.h>
#include <math.h>

enum { POINTS = GT_MULTISTEP_MAX_ORDER + 2 };

/* m! / prod_(l != j) (tau_j - tau_l): what values at the newest m + 1 points weigh in h^m times
 * their m-th derivative.
 */
static void difference(int m, const double *tau, double *weight)
{
    for (int j = 0; j <= m; j++) {
        weight[j] = 1;
        for (int l = 0; l <= m; l++)
            if (l != j) weight[j] *= (l < j ? l + 1 : l) / (tau[j] - tau[l]);
    }
}

/* Sum of weights times new, now and past, which add up to 0. */
static double apply(int m, const double *weight, double new, double now, double *const *past,
                    size_t i)
{
    double sum = weight[0] * (new - now);
    for (int j = 0; j < m - 1; j++) sum += weight[j + 2] * (past[j][i] - now);
    return sum;
}

/* C, or more where weight 0, of the new point or slope, is too small beside past steps, `count` of
 * them, that are long.
 */
static double constant(const gt_multistep_points *w, double weight, int count)
{
    bool shrunk = w->tau[count + 1] < -2 * count;
    return shrunk && fabs(w->C * weight) < fabs(w->C_equal) ? copysign(w->C_equal / weight, w->C)
                                                            : w->C;
}

void gt_multistep_by_differences(const gt_stepper *s, const gt_multistep_points *w, bool alternates,
                                 double *err)
{
    assert(s && w && err);
    int order = w->order;
    double last[POINTS], before[POINTS], first[POINTS];
    difference(order + 1, w->tau, last);
    double C = constant(w, last[0], order);
    if (alternates) {
        difference(order, w->tau, before);
        difference(order - 1, w->tau, first);
    }
    for (size_t i = 0; i < s->n; i++) {
        double d = apply(order + 1, last, w->x_new[i], w->x[i], w->x_past, i), size = fabs(C * d);
        if (alternates) {
            double b = fabs(apply(order, before, w->x_new[i], w->x[i], w->x_past, i));
            double a = fabs(apply(order - 1, first, w->x_new[i], w->x[i], w->x_past, i));
            if (a <= b && b <= fabs(d) && b > 0)
                size = fmax(size, fabs(d) * gt_whole_power(b / fabs(d), order + 1));
        }
        err[i] = copysign(size, C * d);
    }
}

static gt_status slope_at_end(gt_stepper *s, const gt_multistep_points *w)
{
    gt_status status = gt_rhs(s, s->t + w->h, w->x_new, s->f_new);
    s->f_new_known = !status;
    return status;
}

gt_status gt_multistep_by_slopes(gt_stepper *s, const gt_multistep_points *w, double *err)
{
    assert(s && w && err);
    double weight[POINTS];
    gt_status status = slope_at_end(s, w);
    difference(w->order, w->tau, weight);
    double C = w->order > 1 ? constant(w, weight[0], w->order - 1) : w->C;
    for (size_t i = 0; i < s->n && !status; i++)
        err[i] = C * w->h * apply(w->order, weight, s->f_new[i], s->f[i], w->f_past, i);
    return status;
}

gt_status gt_multistep_hold_against_slope(gt_stepper *s, const gt_multistep_points *w, double *err)
{
    assert(s && w && err);
    int count = w->order + 2;
    const double *tau = w->tau;
    double weight[POINTS];
    gt_status status = slope_at_end(s, w);
    for (int j = 1; j < count; j++) { /* slopes at tau_0 of Lagrange's polynomials; the first one
                                         follows from the others */
        weight[j] = 1 / (tau[j] - tau[0]);
        for (int m = 1; m < count; m++)
            if (m != j) weight[j] *= (tau[0] - tau[m]) / (tau[j] - tau[m]);
    }
    for (size_t i = 0; i < s->n && !status; i++) {
        double slope = weight[1] * (w->x[i] - w->x_new[i]);
        for (int j = 2; j < count; j++) slope += weight[j] * (w->x_past[j - 2][i] - w->x_new[i]);
        double miss = (w->h * s->f_new[i] - slope) / 2;
        if (!(fabs(miss) <= fabs(err[i]))) err[i] = miss;
    }
    return status;
}
