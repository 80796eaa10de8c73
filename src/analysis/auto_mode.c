/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The largest mode of J by a few steps of the power method in the norm of the tolerances, and then,
 * from the last three vectors v, J v, J^2 v, the pair of eigenvalues with J^2 v = a J v + b v in
 * the least squares: lambda^2 = a lambda + b. A pair of complex ones, which the power method turns
 * round in their plane, is found as well as a real one.
 */
#include "analysis/auto_mode.h"
#include <assert.h>
#include <complex.h>
#include <float.h>
#include <geartrain/author/stepper.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct products {
    const gt_view *view;
    const gt_matrix *J;
    double *moved, *weight;
    double t;
} products;

/* Where a product with a direction that is kept changes its length by less than this part of it,
 * the mode is found: more of them take time at every look. */
static const double settled = 0.01;

static double norm(const products *w, const double *v)
{
    double sum = 0;
    for (size_t i = 0; i < w->view->s->n; i++) sum += v[i] * v[i] / (w->weight[i] * w->weight[i]);
    return sqrt(sum);
}

static double dot(const products *w, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < w->view->s->n; i++) sum += a[i] * b[i] / (w->weight[i] * w->weight[i]);
    return sum;
}

/* out = J v; `size` is the norm of it. */
static bool multiply(products *w, const double *v, double *out, double *size)
{
    gt_stepper *s = w->view->s;
    if (w->J) {
        gt_matrix_multiply(w->J, v, 0, out);
        *size = norm(w, out);
        return isfinite(*size);
    }
    double scale = norm(w, s->x) + sqrt((double)s->n),
           step = sqrt(DBL_EPSILON) * scale / fmax(norm(w, v), DBL_MIN);
    for (size_t i = 0; i < s->n; i++) w->moved[i] = s->x[i] + step * v[i];
    if (gt_rhs(s, w->t, w->moved, out)) return false;
    for (size_t i = 0; i < s->n; i++) out[i] = (out[i] - s->f[i]) / step;
    *size = norm(w, out);
    return isfinite(*size);
}

/* Numbers that no pattern of a problem is orthogonal to. */
static void first_direction(const products *w, double *v)
{
    uint32_t seed = 2463534242u;
    for (size_t i = 0; i < w->view->s->n; i++) {
        seed ^= seed << 13, seed ^= seed >> 17, seed ^= seed << 5;
        v[i] = w->weight[i] * (0.5 + (double)seed / UINT32_MAX) * (i % 2 ? 1 : -1);
    }
}

/* The larger root of lambda^2 = a lambda + b. */
static bool fit(const products *w, const double *v, const double *Jv, const double *JJv,
                gt_largest *out)
{
    double vv = dot(w, v, v), vJ = dot(w, v, Jv), JJ = dot(w, Jv, Jv), r1 = dot(w, Jv, JJv),
           r0 = dot(w, v, JJv);
    double det = JJ * vv - vJ * vJ, quotient = vJ / vv;
    *out = (gt_largest){quotient, 0};
    if (!(det > 1e-10 * JJ * vv)) return isfinite(quotient); /* v is an eigenvector */
    double a = (r1 * vv - r0 * vJ) / det, b = (r0 * JJ - r1 * vJ) / det;
    double half = a / 2, discriminant = half * half + b;
    if (discriminant < 0)
        *out = (gt_largest){half, sqrt(-discriminant)};
    else
        *out = (gt_largest){half + copysign(sqrt(discriminant), half), 0};
    return isfinite(out->re) && isfinite(out->im);
}

bool gt_auto_largest(const gt_view *view, double *v, int count, gt_largest *out)
{
    assert(view && v && out);
    assert(count >= 2);
    gt_stepper *s = view->s;
    size_t n = s->n;
    double *work = malloc(4 * n * sizeof *work);
    if (!work) return false;
    products w = {.view = view, .moved = work, .weight = work + n, .t = s->t};
    double *Jv = work + 2 * n, *JJv = work + 3 * n;
    w.J = s->method->jacobian ? s->method->jacobian(s) : NULL;
    for (size_t i = 0; i < n; i++) w.weight[i] = gt_weight(s, i, s->x[i]);
    bool found = w.J || !gt_slope(s), known = norm(&w, v) > 0;
    if (!known) first_direction(&w, v);
    double size = 0, before = 0, last;
    for (int k = 0; found && k < count - 1; k++) {
        found = multiply(&w, v, Jv, &size);
        if (!found || !(size > 0)) break;
        if (k == count - 2 || (known && fabs(size - before) < settled * size)) {
            found = multiply(&w, Jv, JJv, &last) && fit(&w, v, Jv, JJv, out);
            break;
        }
        before = size;
        for (size_t i = 0; i < n; i++) v[i] = Jv[i] / size;
    }
    if (found && !(size > 0)) *out = (gt_largest){0};
    for (size_t i = 0; i < n; i++)
        if (!isfinite(v[i])) v[i] = 0;
    free(work);
    return found;
}

/* By parts: a product of complex numbers looks for infinities, which takes longer than all else. */
static double size_of_polynomial(const double *c, int degree, double re, double im)
{
    double a = c[degree], b = 0;
    for (int k = degree - 1; k >= 0; k--) {
        double next = a * re - b * im + c[k];
        b = a * im + b * re;
        a = next;
    }
    return hypot(a, b);
}

double gt_auto_limit(const gt_method *method, const gt_largest *mode)
{
    const double step = 0.25, most = 20, harmless = 1e-3;
    double size = hypot(mode->re, mode->im), good = 0, bad = INFINITY;
    if (!(size > 0)) return INFINITY;
    /* What grows is to grow: that part of a mode bounds no step. */
    double re = fmin(mode->re, 0) / size, im = mode->im / size, R;
    gt_values v = gt_params_default(method->options);
    gt_rational ratio = {0};
    if (method->rational) method->rational(method, v.v, &ratio);
    while (bad - good > 0.05 && good < most) { /* up to the first that is bad, then between */
        double r = isinf(bad) ? good + step : (good + bad) / 2;
        gt_complex value = 0;
        if (method->rational)
            R = size_of_polynomial(ratio.num, ratio.num_degree, r * re, r * im) /
                size_of_polynomial(ratio.den, ratio.den_degree, r * re, r * im);
        else if (gt_amplification(method, v.v, r * re + I * (r * im), &value))
            return NAN;
        else
            R = cabs(value);
        if (R <= 1 + harmless)
            good = r;
        else
            bad = r;
    }
    return good;
}
