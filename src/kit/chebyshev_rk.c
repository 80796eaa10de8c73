/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * With T_j the Chebyshev polynomials at w0 = 1 + 2/(13 s^2), w1 = T_s'/T_s'', b_j = T_j''/T_j'^2
 * (b_0 = b_1 = b_2):
 *
 *     Y_1 = x + b_1 w1 h f,
 *     Y_j = (1 - mu - nu) x + mu Y_(j-1) + nu Y_(j-2) + mut h f(Y_(j-1)) + gat h f(x),    x_new =
 * Y_s mu = 2 b_j w0/b_(j-1), nu = -b_j/b_(j-2), mut = 2 b_j w1/b_(j-1), gat = -(1 - b_(j-1)
 * T_(j-1)) mut Y_j belongs to t + c_j h, c_j = w1 T_j''/T_j', c_1 = c_2/(4 w0)
 */
#include "kit/chebyshev_rk.h"
#include <assert.h>

/* T_j and its derivatives, by their recurrences. */
typedef struct chebyshev {
    double T, d, dd;
} chebyshev;

static chebyshev next(double w, chebyshev now, chebyshev before)
{
    return (chebyshev){.T = 2 * w * now.T - before.T,
                       .d = 2 * now.T + 2 * w * now.d - before.d,
                       .dd = 4 * now.d + 2 * w * now.dd - before.dd};
}

static double weight(chebyshev p) { return p.dd / (p.d * p.d); }

gt_status gt_chebyshev_advance(int stages, double h, size_t n, gt_chebyshev_fn *slope, void *ctx,
                               const double *x, const double *f, double *x_new, double *a,
                               double *b)
{
    assert(slope && x && f && x_new && a && b);
    assert(stages >= 2);
    assert((x != x_new && a != b) || n == 0); /* a rank may have no states */
    assert(h != 0);
    double w0 = 1 + 2.0 / (13.0 * stages * stages);
    const chebyshev zero = {1, 0, 0}, one = {w0, 1, 0}, two = next(w0, one, zero);
    chebyshev before = zero, now = one;
    for (int j = 2; j <= stages; j++) {
        chebyshev after = next(w0, now, before);
        before = now, now = after;
    }
    double w1 = now.d / now.dd;
    double b2 = weight(two), b_before = b2, b_now = b2, time = w1 * two.dd / two.d / (4 * w0);
    double *y = x_new, *y_before = a, *F = b;
    for (size_t i = 0; i < n; i++) {
        y_before[i] = x[i];
        y[i] = x[i] + b_now * w1 * h * f[i];
    }
    before = zero, now = one;
    for (int j = 2; j <= stages; j++) {
        gt_status status = slope(time * h, y, F, ctx);
        if (status) return status;
        chebyshev after = next(w0, now, before);
        double b_after = weight(after), mu = 2 * b_after * w0 / b_now, nu = -b_after / b_before;
        double step = 2 * b_after * w1 / b_now * h, start = -(1 - b_now * now.T) * step;
        for (size_t i = 0; i < n; i++) {
            double fresh =
                (1 - mu - nu) * x[i] + mu * y[i] + nu * y_before[i] + step * F[i] + start * f[i];
            y_before[i] = y[i];
            y[i] = fresh;
        }
        time = w1 * after.dd / after.d;
        before = now, now = after;
        b_before = b_now, b_now = b_after;
    }
    return GT_OK;
}

static gt_status whole(double after, const double *y, double *f, void *ctx)
{
    gt_stepper *s = ctx;
    return gt_rhs(s, s->t + after, y, f);
}

gt_status gt_chebyshev_step(gt_stepper *s, int stages, double h, const double *x, double *x_new,
                            double *err, double *a, double *b)
{
    assert(s);
    const double *f = s->f;
    gt_status status = gt_chebyshev_advance(stages, h, s->n, whole, s, x, f, x_new, a, b);
    if (!status) status = gt_rhs(s, s->t + h, x_new, s->f_new);
    if (status) return status;
    s->f_new_known = true;
    for (size_t i = 0; i < s->n && err; i++)
        err[i] = 0.8 * (x[i] - x_new[i]) + 0.4 * h * (f[i] + s->f_new[i]);
    return GT_OK;
}
