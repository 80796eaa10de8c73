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
#include "base/weighted_sum.h"
#include "problem/vectors.h"
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

/* The recurrence for one stage: fresh = base x + mu y + nu before + step F + start f; `fresh` may
 * be `before`. */
typedef struct recurrence {
    double base, mu, nu, step, start;
    const double *x, *y, *before, *F, *f;
    double *fresh;
} recurrence;

static void make_stage(size_t from, size_t to, void *work)
{
    const recurrence r = *(const recurrence *)work;
    const double *x = r.x, *y = r.y, *before = r.before, *F = r.F, *f = r.f;
    double *fresh = r.fresh;
    GT_INDEPENDENT
    for (size_t i = from; i < to; i++)
        fresh[i] = r.base * x[i] + r.mu * y[i] + r.nu * before[i] + r.step * F[i] + r.start * f[i];
}

gt_status gt_chebyshev_advance(const gt_problem *p, int stages, double h, size_t n,
                               gt_chebyshev_fn *slope, void *ctx, const double *x, const double *f,
                               double *x_new, double *a, double *b)
{
    assert(p && slope && x && f && x_new && a && b);
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
    /* Y_j and Y_(j-1) take turns in x_new and a, so that Y_s ends in x_new; Y_0 is x. */
    double *y = stages % 2 ? x_new : a, *spare = stages % 2 ? a : x_new, *F = b;
    const double *y_before = x;
    gt_moved(p, n, x, b_now * w1 * h, f, y);
    before = zero, now = one;
    for (int j = 2; j <= stages; j++) {
        gt_status status = slope(time * h, y, F, ctx);
        if (status) return status;
        chebyshev after = next(w0, now, before);
        double b_after = weight(after), mu = 2 * b_after * w0 / b_now, nu = -b_after / b_before;
        double step = 2 * b_after * w1 / b_now * h, start = -(1 - b_now * now.T) * step;
        recurrence r = {1 - mu - nu, mu, nu, step, start, x, y, y_before, F, f, spare};
        if (n > GT_CHUNK)
            gt_each_chunk(p, n, make_stage, &r);
        else
            make_stage(0, n, &r);
        y_before = spare = y;
        y = r.fresh;
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

typedef struct end_of_step {
    double weight;
    const double *x, *x_new, *f, *f_new;
    double *err;
} end_of_step;

static void make_error(size_t from, size_t to, void *work)
{
    const end_of_step e = *(const end_of_step *)work;
    GT_INDEPENDENT
    for (size_t i = from; i < to; i++)
        e.err[i] = 0.8 * (e.x[i] - e.x_new[i]) + e.weight * (e.f[i] + e.f_new[i]);
}

gt_status gt_chebyshev_step(gt_stepper *s, int stages, double h, const double *x, double *x_new,
                            double *err, double *a, double *b)
{
    assert(s);
    const double *f = s->f;
    gt_status status =
        gt_chebyshev_advance(s->problem, stages, h, s->n, whole, s, x, f, x_new, a, b);
    if (!status) status = gt_rhs(s, s->t + h, x_new, s->f_new);
    if (status) return status;
    s->f_new_known = true;
    end_of_step end = {0.4 * h, x, x_new, f, s->f_new, err};
    if (err && s->n > GT_CHUNK)
        gt_each_chunk(s->problem, s->n, make_error, &end);
    else if (err)
        make_error(0, s->n, &end);
    return GT_OK;
}
