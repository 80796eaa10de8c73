/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Aitken and Neville's table: T_(j,1) is the end of j parts, and
 *
 *     T_(j,l+1) = T_(j,l) + (T_(j,l) - T_(j-1,l)) / (j/(j-l) - 1)
 *
 * removes one power of h after the other. Row over row is written to `table`. See Hairer, Norsett,
 * Wanner (1993) II.9, and for the stability of the backward one Hairer, Wanner (1996) IV.9.
 */
#include "kit/euler_start.h"
#include "base/elementary.h"
#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* Change m of `count` from slope `before` to `f`: the first and the last are held against the
 * largest in between. */
static void watch(const gt_euler_start *e, size_t n, double part, int m, int count, const double *f,
                  double *before)
{
    for (size_t i = 0; i < n; i++) {
        double change = fabs(f[i] - before[i]), *most = &e->jump[i];
        before[i] = f[i];
        if (m == 1)
            e->first[i] = change;
        else if (m < count)
            *most = fmax(*most, change);
        else if (count < 3) /* none in between */
            *most = 0;
        else
            *most = part * fmax(gt_abrupt(e->first[i], *most), gt_abrupt(change, *most));
    }
}

/* `before`: the slope before, when e->jump is to be found; else NULL. */
static gt_status forward(const gt_euler_start *e, gt_stepper *s, double h, int parts,
                         double *before)
{
    double part = h / parts;
    if (before) memcpy(before, s->f, s->n * sizeof *before);
    for (int m = 0; m < parts + (before != NULL); m++) {
        const double *f = m ? s->f_new : s->f;
        gt_status status = m ? gt_rhs(s, s->t + m * part, e->y, s->f_new) : GT_OK;
        if (status) return status;
        if (before && m) watch(e, s->n, part, m, parts, f, before);
        for (size_t i = 0; i < s->n && m < parts; i++) e->y[i] += part * f[i];
    }
    return GT_OK;
}

static gt_status backward(const gt_euler_start *e, gt_stepper *s, double h, int parts,
                          double *before)
{
    gt_implicit *equations = e->implicit;
    double part = h / parts;
    bool began = e->x_before != NULL; /* else the first slope has none before it */
    memset(equations->rest, 0, s->n * sizeof *e->y);
    equations->base = e->base;
    equations->gamma = part;
    for (size_t i = 0; i < s->n && before && began; i++)
        before[i] = (e->y[i] - e->x_before[i]) / e->h_before;
    for (int m = 0; m < parts; m++) {
        memcpy(e->base, e->y, s->n * sizeof *e->y);
        equations->t_end = s->t + (m + 1) * part;
        gt_status status = gt_implicit_solve(equations, s, e->y);
        if (status) return status;
        if (!before) continue;
        for (size_t i = 0; i < s->n; i++) e->base[i] = (e->y[i] - e->base[i]) / part;
        if (m || began)
            watch(e, s->n, part, m + began, parts - 1 + began, e->base, before);
        else
            memcpy(before, e->base, s->n * sizeof *before);
    }
    return GT_OK;
}

/* The row of the table that begins with y. */
static void add_row(const gt_euler_start *e, int j, size_t n)
{
    for (int l = 1; l < j; l++) {
        double factor = (double)(j - l) / l, *above = e->table[l - 1];
        for (size_t i = 0; i < n; i++) {
            double better = e->y[i] + factor * (e->y[i] - above[i]);
            above[i] = e->y[i];
            e->y[i] = better;
        }
    }
    memcpy(e->table[j - 1], e->y, n * sizeof *e->y);
}

gt_status gt_euler_extrapolate(const gt_euler_start *e, gt_stepper *s, double h, const double *x)
{
    assert(e && s && x);
    assert(e->order >= 1);
    assert(h != 0);
    gt_newton *newton = e->implicit ? &e->implicit->newton : NULL;
    double tolerance = newton ? newton->tolerance : 0, fraction = newton ? newton->fraction : 0;
    gt_status status = GT_OK;
    if (newton) {
        /* The weights of the extrapolation add up to about 3^(q-1) in magnitude: what Newton leaves
         * must be smaller by that, as far as the arithmetic allows. */
        newton->tolerance = fmin(tolerance, 1e-15);
        if (s->rtol > 0)
            newton->fraction *=
                fmax(gt_whole_power(3, 1 - e->order), fmin(1, 1000 * DBL_EPSILON / s->rtol));
    }
    if (e->jump) memset(e->jump, 0, s->n * sizeof *x);
    for (int j = 1; j <= e->order && !status; j++) {
        /* written below */
        double *before = e->jump && j == e->order && j > 2 ? e->table[j - 1] : NULL;
        memcpy(e->y, x, s->n * sizeof *x);
        status = newton ? backward(e, s, h, j, before) : forward(e, s, h, j, before);
        if (!status) add_row(e, j, s->n);
    }
    if (newton) {
        newton->tolerance = tolerance;
        newton->fraction = fraction;
    }
    return status;
}
