/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Optimal stability polynomials R(z) = 1 + z + .. + z^p/p! + beta_(p+1) z^(p+1) + .. + beta_s z^s,
 * shome (25): the longest r with |R| <= 1 on r times a set that touches 0: a piece of the imaginary
 * or of the negative real axis, or an ellipse with half axes r (imaginary) and aspect r (real). For
 * fixed r this is a convex feasibility problem in the beta_k (Ketcheson, Ahmadia 2012); r is found
 * by bracketing, and more precisely as the zero of
 *
 *     t(r) = min over beta of max over the set of G
 *
 * where G <= 0 says |R| <= 1. At 0, |R| = 1 whatever beta is; so that the zero is simple, G is
 * |R|^2 - 1 over the power with which that vanishes there. On the imaginary axis, with u = y^2, R =
 * E + i y F and E = E0 + u^a E1, F = F0 + u^b F1 (E0, F0: the powers up to p),
 *
 *     |R|^2 - 1 = (E0^2 + u F0^2 - 1) + 2 u^a E0 E1 + u^(2a) E1^2 + 2 u^(b+1) F0 F1 + u^(2b+1) F1^2
 *
 * divides by u^q, q = floor(p/2) + 1, term by term without cancellation. On the real axis -1 + d <=
 * R <= 1 - d, with a damping d that sets in as d |x|/(1 + |x|), is linear in beta; the upper bound
 * is divided by |x|. The unknowns are beta_k r^k.
 *
 * With the limit given, r is fixed, and the parameter is the inverse of the largest error e: a
 * second branch says |R(iy) - e^(iy)|^2 / y^(2p+2) <= e^2, where known terms from z^(s+1) on are
 * added.
 *
 * Where the optimum is known in fractions (known_polynomials.c) they are given.
 */
#include "design/minimax.h"
#include "exact/known_polynomials.h"
#include <geartrain/analysis/design.h>
#include <math.h>
#include <string.h>

typedef struct setting {
    gt_polynomial_task task;
    long double r;
    long double taylor[GT_MAX_STAGES + 1]; /* r^k / k! */
    /* (E0^2 + x F0^2 - 1) / x^q, ascending powers of x = u/r^2 */
    long double known[GT_MAX_STAGES + 1];
    int a, b, q;
    long double inverse_error; /* with the limit given */
} setting;

static void set_radius(setting *w, long double r)
{
    long double square[GT_MAX_STAGES + 2] = {0}; /* E0^2 + x F0^2 */
    int p = w->task.order;
    w->r = r;
    w->taylor[0] = 1;
    for (int k = 1; k <= GT_MAX_STAGES; k++) w->taylor[k] = w->taylor[k - 1] * r / k;
    w->a = (p + 2) / 2;
    w->b = (p + 1) / 2;
    w->q = p / 2 + 1;
    for (int i = 0; i <= p; i++)
        for (int j = i % 2; j <= p; j += 2) {
            int power = (i + j) / 2; /* of x: both even, or both odd with the x in front of F0^2 */
            square[power] += ((i / 2 + j / 2) % 2 ? -1 : 1) * w->taylor[i] * w->taylor[j];
        }
    memset(w->known, 0, sizeof w->known);
    for (int k = w->q; k <= p; k++) w->known[k - w->q] = square[k];
}

static long double power_of(long double x, int n)
{
    long double result = 1;
    for (int i = 0; i < n; i++) result *= x;
    return result;
}

/* x = u / r^2. */
static void on_imaginary_axis(const setting *w, long double x, gt_minimax_value *G)
{
    int p = w->task.order, s = w->task.degree, q = w->q;
    long double E0 = 0, F0 = 0, root = sqrtl(x);
    /* Horner's rule for two interleaved polynomials. */
    for (int k = p; k >= 0; k--) {
        long double *part = k % 2 ? &F0 : &E0;
        *part = *part * x + (k / 2 % 2 ? -1 : 1) * w->taylor[k];
    }
    for (int k = p; k >= 0; k--) G->constant = G->constant * x + w->known[k];
    for (int k = p + 1; k <= s; k++) {
        int j = k / 2, sign = j % 2 ? -1 : 1;
        if (k % 2) {
            G->linear[k - p - 1] = 2 * sign * F0 * power_of(x, j + 1 - q);
            G->square[1][k - p - 1] = sign * power_of(root, 2 * j + 1 - q);
        } else {
            G->linear[k - p - 1] = 2 * sign * E0 * power_of(x, j - q);
            G->square[0][k - p - 1] = sign * power_of(root, 2 * j - q);
        }
    }
}

/* At -r x: branch 0 is R <= 1 - d, over x; branch 1 is R >= -1 + d. The unknown part of R is
 * x^(p+1) sum y_k T_k(2x-1), since powers of x alone are nearly dependent on an interval. */
static void on_real_axis(const setting *w, int branch, long double x, gt_minimax_value *G)
{
    int p = w->task.order, unknowns = w->task.degree - p, flip = branch ? -1 : 1;
    long double damping = w->task.damping / (1 + w->r * x); /* times r x */
    long double power = branch ? x : 1, T = 1, before = 2 * x - 1;
    G->constant = branch ? -2 + damping * w->r * x : damping * w->r;
    for (int k = 1; k <= p; k++, power *= x)
        G->constant += flip * (k % 2 ? -1 : 1) * power * w->taylor[k];
    for (int k = 0; k < unknowns; k++) {
        G->linear[k] = flip * power * T;
        long double next = 2 * (2 * x - 1) * T - before;
        before = T;
        T = next;
    }
}

/* z = r (aspect (cos - 1) + i sin), half of the ellipse; divided by 2 - 2 cos. */
static void on_ellipse(const setting *w, long double x, gt_minimax_value *G)
{
    int p = w->task.order, s = w->task.degree;
    long double angle = fmaxl(x, 1e-4L) * acosl(-1), c = 2 * sinl(angle / 2) * sinl(angle / 2);
    long double re = -w->task.aspect * c, im = sinl(angle), z[2] = {1, 0}, R0[2] = {0, 0},
                by = sqrtl(2 * c);
    long double powers[GT_MAX_STAGES + 1][2];
    for (int k = 0; k <= s; k++) {
        powers[k][0] = z[0], powers[k][1] = z[1];
        if (k <= p) R0[0] += w->taylor[k] * z[0], R0[1] += w->taylor[k] * z[1];
        long double real = z[0] * re - z[1] * im;
        z[1] = z[0] * im + z[1] * re;
        z[0] = real;
    }
    G->constant = (R0[0] * R0[0] + R0[1] * R0[1] - 1) / (2 * c);
    for (int k = p + 1; k <= s; k++) {
        G->linear[k - p - 1] = 2 * (R0[0] * powers[k][0] + R0[1] * powers[k][1]) / (2 * c);
        for (int i = 0; i < 2; i++) G->square[i][k - p - 1] = powers[k][i] / by;
    }
}

/* (R - e^z) / (iy)^(p+1) squared, less e^2, in units of e^2; x = (y/r)^2. */
static void error_on_imaginary_axis(const setting *w, long double x, gt_minimax_value *G)
{
    int p = w->task.order, s = w->task.degree;
    long double y = w->r * sqrtl(x), term = 1, scale = 1, known[2] = {0, 0};
    for (int k = 1; k <= p; k++) term /= k;
    for (int k = p + 1; k < p + 80; k++) { /* minus the terms i^(k-p-1) y^(k-p-1) / k! of e^z */
        int turn = (k - p - 1) % 4;
        term /= k;
        known[turn % 2] -= (turn < 2 ? 1 : -1) * scale * term;
        if (k <= s)
            G->square[turn % 2][k - p - 1] =
                (turn < 2 ? 1 : -1) * scale / power_of(w->r, k) * w->inverse_error;
        scale *= y;
    }
    G->constant = -1;
    for (int i = 0; i < 2; i++) {
        known[i] *= w->inverse_error;
        G->constant += known[i] * known[i];
        for (int k = 0; k < s - p; k++) G->linear[k] += 2 * known[i] * G->square[i][k];
    }
}

static void inequality(const gt_minimax *self, int branch, long double x, gt_minimax_value *G)
{
    const setting *w = self->ctx;
    if (branch && w->task.limit > 0)
        error_on_imaginary_axis(w, x, G);
    else if (w->task.axis == GT_IMAGINARY_AXIS)
        on_imaginary_axis(w, x, G);
    else if (w->task.axis == GT_REAL_AXIS)
        on_real_axis(w, branch, x, G);
    else
        on_ellipse(w, x, G);
}

/* The radius, or with the limit given the inverse of the error. */
static void set_parameter(const gt_minimax *self, long double value)
{
    setting *w = self->ctx;
    set_radius(w, w->task.limit > 0 ? w->task.limit : value);
    w->inverse_error = value;
}

/* t as a function of the parameter. */
static bool least_excess(setting *w, gt_minimax *m, long double r, long double *t)
{
    set_parameter(m, r);
    for (int k = 0; k < m->unknowns; k++)
        m->y[k] = w->task.axis == GT_REAL_AXIS ? 0 : w->taylor[w->task.order + 1 + k];
    bool solved = gt_minimax_solve(m);
    *t = m->t;
    return solved;
}

/* The zero of t to a relative accuracy, by secants that keep the bracket (Illinois). */
static bool find_radius(setting *w, gt_minimax *m, long double accuracy, long double *radius)
{
    long double low = 1e-3L, high = w->task.axis == GT_REAL_AXIS ? 2 : 1, t_low, t_high,
                grow = 1.5L;
    if (w->task.limit > 0) high = 10, grow = 4;
    *radius = 0;
    if (!least_excess(w, m, low, &t_low)) return false;
    if (t_low >= 0) return true;
    while (high < 1e12L) {
        if (!least_excess(w, m, high, &t_high)) return false;
        if (t_high > 0) break;
        low = high, t_low = t_high;
        high *= grow;
    }
    int side = 0;
    for (int k = 0; k < 100 && high - low > accuracy * high; k++) {
        long double r = (low * t_high - high * t_low) / (t_high - t_low), t;
        if (k < 4 || k % 8 == 7 || !(r > low && r < high)) r = (low + high) / 2;
        if (!least_excess(w, m, r, &t)) return false;
        if (t <= 0) {
            low = r, t_low = t;
            if (side == -1) t_high /= 2;
            side = -1;
        } else {
            high = r, t_high = t;
            if (side == 1) t_low /= 2;
            side = 1;
        }
        if (t == 0) break;
    }
    *radius = low;
    return least_excess(w, m, low, &t_low);
}

/* Roughly, and then by the equations that hold at the optimum; where those do not help, by more
 * bisection. */
static bool find_optimum(setting *w, gt_minimax *m, long double *radius, bool *polished)
{
    m->gap = 1e-10L;
    if (!find_radius(w, m, 1e-8L, radius)) return false;
    if (*radius == 0) return true;
    *polished = gt_minimax_polish(m, radius);
    if (*polished) return true;
    m->gap = 1e-15L;
    return find_radius(w, m, 2e-15L, radius);
}

/* Powers of z from the unknowns. */
static void to_beta(const setting *w, const long double *y, double *beta)
{
    int p = w->task.order, unknowns = w->task.degree - p;
    long double sum[GT_MAX_STAGES + 1] = {0}, T[GT_MAX_STAGES + 1] = {1},
                                    before[GT_MAX_STAGES + 1] = {-1, 2};
    for (int k = 0; k < unknowns; k++) {
        if (w->task.axis != GT_REAL_AXIS) {
            sum[k] = y[k];
            continue;
        }
        for (int i = 0; i <= k; i++) sum[i] += y[k] * T[i];
        for (int i = k + 1; i >= 0; i--) {
            long double next = 4 * (i ? T[i - 1] : 0) - 2 * T[i] - before[i];
            before[i] = T[i];
            T[i] = next;
        }
    }
    for (int k = 0; k <= p; k++) beta[k] = (double)(w->taylor[k] / power_of(w->r, k));
    for (int k = p + 1; k <= w->task.degree; k++) {
        int sign = w->task.axis == GT_REAL_AXIS && k % 2 ? -1 : 1;
        beta[k] = (double)(sign * sum[k - p - 1] / power_of(w->r, k));
    }
}

static bool is_known(const gt_polynomial_task *task, gt_polynomial_design *out)
{
    gt_exact beta[GT_MAX_STAGES + 1];
    int limit_squared;
    bool best = task->limit == 0 && (task->order != 3 || task->degree % 2 == 0);
    if (task->axis != GT_IMAGINARY_AXIS || !best ||
        !gt_polynomial_imaginary(task->degree, task->order, beta, &limit_squared))
        return false;
    for (int k = 0; k <= task->degree; k++)
        if (!gt_exact_to_ratio(beta[k], &out->ratio[k])) return false;
    for (int k = 0; k <= task->degree; k++) out->beta[k] = gt_ratio_value(out->ratio[k]);
    out->limit = sqrt(limit_squared);
    out->limit_squared = limit_squared;
    return limit_squared > 0;
}

static gt_status check_task(const gt_polynomial_task *task, gt_message *message)
{
    if (task->degree < 1 || task->degree > GT_MAX_STAGES)
        return gt_fail(message, GT_BAD_ARGUMENT, "the degree must be 1 to %d, not %d",
                       GT_MAX_STAGES, task->degree);
    if (task->order < 1 || task->order > task->degree)
        return gt_fail(message, GT_BAD_ARGUMENT,
                       "the order of a polynomial of degree %d must be 1 to %d, not %d",
                       task->degree, task->degree, task->order);
    if (!(task->damping >= 0 && task->damping < 0.5))
        return gt_fail(message, GT_BAD_ARGUMENT,
                       "the damping must be at least 0 and below 0.5, not %g", task->damping);
    if (task->damping > 0 && task->axis != GT_REAL_AXIS)
        return gt_fail(message, GT_BAD_ARGUMENT, "damping is for the real axis");
    if (task->limit != 0 &&
        !(task->limit > 0 && task->limit < 100 && task->axis == GT_IMAGINARY_AXIS))
        return gt_fail(message, GT_BAD_ARGUMENT,
                       "a limit is for the imaginary axis, above 0 and below 100, not %g",
                       task->limit);
    if (task->axis == GT_ELLIPSE && !(task->aspect >= 0.01 && task->aspect <= 100))
        return gt_fail(message, GT_BAD_ARGUMENT,
                       "the aspect of the ellipse must be 0.01 to 100, not %g", task->aspect);
    return GT_OK;
}

gt_status gt_design_polynomial(const gt_polynomial_task *task, gt_polynomial_design *out,
                               gt_message *message)
{
    GT_ARMOR(message, task && out);
    gt_status status = check_task(task, message);
    if (status) return status;
    setting w = {.task = *task};
    gt_minimax m = {.unknowns = task->degree - task->order,
                    .branches = task->axis == GT_REAL_AXIS || task->limit > 0 ? 2 : 1,
                    .detail = task->degree,
                    .at = inequality,
                    .set_parameter = set_parameter,
                    .ctx = &w};
    long double r = 0;
    *out = (gt_polynomial_design){.task = *task};
    if (!task->search && is_known(task, out)) return GT_OK;
    *out = (gt_polynomial_design){.task = *task};
    if (!find_optimum(&w, &m, &r, &out->polished))
        return gt_fail(message, GT_NEWTON_FAILED,
                       "the search for the coefficients did not converge");
    out->limit = task->limit > 0 && r > 0 ? task->limit : (double)r;
    if (task->limit > 0 && r > 0) out->error = (double)(1 / r);
    if (task->limit > 0 && r == 0)
        return gt_fail(message, GT_BAD_ARGUMENT,
                       "no polynomial of degree %d and order %d is stable up to %g", task->degree,
                       task->order, task->limit);
    if (r == 0) set_radius(&w, 1);
    r = w.r;
    to_beta(&w, m.y, out->beta);
    for (int k = 0; k < m.touches && out->limit > 0; k++) {
        long double x = m.touch[k];
        if (task->limit > 0 && m.touch_branch[k]) continue;
        out->touch[out->touches++] = (double)(task->axis == GT_IMAGINARY_AXIS ? r * sqrtl(x)
                                              : task->axis == GT_REAL_AXIS    ? r * x
                                                                              : 180 * x);
    }
    return GT_OK;
}
