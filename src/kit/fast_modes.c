/* SPDX-License-Identifier: BSD-3-Clause */
/* Arnoldi's method on differences of f; see fast_modes.h. */
#include "kit/fast_modes.h"
#include "problem/norm.h"
#include <assert.h>
#include <float.h>
#include <geartrain/author/lu.h>
#include <math.h>

/* What is left of differences of f, relative to the largest eigenvalue: twice the square root of
 * the precision; and what is safely above it. */
static const double NOISE = 3e-8, SEEN = 1e-7;

void gt_fast_modes_layout(gt_fast_modes *m, size_t n, gt_arena *arena)
{
    assert(m && arena);
    for (int i = 0; i <= GT_MODES; i++) m->vector[i] = gt_arena_doubles(arena, n);
    m->moved = gt_arena_doubles(arena, n);
}

/* w = J v by a difference over a distance near the square root of the precision of x. */
static gt_status product(gt_fast_modes *m, gt_stepper *s, double t, const double *x,
                         const double *f, const double *v, double *w)
{
    double typical = s->rtol > 0 ? s->atol / s->rtol : 1e-3;
    const gt_problem *p = s->problem;
    double all[2] = {gt_dot_here(p, s->n, x, x), (double)s->n};
    gt_over_ranks(p, all, 2, 0);
    double reach = sqrt(DBL_EPSILON) * (sqrt(all[0]) + sqrt(all[1]) * typical);
    gt_moved(p, s->n, x, reach, v, m->moved);
    gt_status status = gt_rhs(s, t, m->moved, w);
    if (!status) gt_slope_between(p, s->n, f, reach, w);
    return status;
}

static void sort(gt_fast_modes *m)
{
    for (int i = 1; i < m->count; i++) {
        double re = m->re[i], im = m->im[i], residual = m->residual[i], size = hypot(re, im);
        int j = i;
        for (; j > 0 && gt_mode_size(m, j - 1) < size; j--) {
            m->re[j] = m->re[j - 1], m->im[j] = m->im[j - 1];
            m->residual[j] = m->residual[j - 1];
        }
        m->re[j] = re, m->im[j] = im, m->residual[j] = residual;
    }
}

/* A start that no symmetry of the problem knows; the same in every run, however the state is
 * spread. */
static void set_start(const gt_problem *p, size_t n, double *v)
{
    size_t first = p->ranks ? p->ranks->before : 0;
    for (size_t i = 0; i < n; i++) {
        double phase = (double)((first + i) % 4093) * 0.6180339887498949;
        v[i] = 0.5 + phase - floor(phase);
    }
    for (size_t i = 1 - first % 2; i < n; i += 2) v[i] = -v[i];
    gt_scale(p, n, 1 / sqrt(gt_dot(p, n, v, v)), v);
}

gt_status gt_fast_modes_find(gt_fast_modes *m, gt_stepper *s, double t, const double *x,
                             const double *f)
{
    assert(m && s && x && f);
    double H[GT_MODES * GT_MODES] = {0}, largest = 0, left = 0;
    const gt_problem *p = s->problem;
    size_t n = s->n;
    double states = gt_sum_over_ranks(p, (double)n);
    int most = states < GT_MODES ? (int)states : GT_MODES;
    set_start(p, n, m->vector[0]);
    m->settled = false;
    for (m->count = 0; m->count < most && !m->settled;) {
        double *column = H + m->count * GT_MODES, *w = m->vector[m->count + 1];
        gt_status status = product(m, s, t, x, f, m->vector[m->count], w);
        if (status) return status;
        double before = sqrt(gt_dot(p, n, w, w));
        if (!isfinite(before)) return GT_TRY_NOT_FINITE;
        largest = fmax(largest, before);
        m->count++;
        for (int j = 0; j < m->count; j++) {
            column[j] = gt_dot(p, n, m->vector[j], w);
            gt_add(p, n, -column[j], m->vector[j], w);
        }
        left = sqrt(gt_dot(p, n, w, w));
        m->settled = m->count >= states || left <= NOISE * largest;
        if (m->settled || m->count == most) break;
        column[m->count] = left;
        gt_scale(p, n, 1 / left, w);
    }
    m->noise = SEEN * largest;
    m->split = sqrt(SEEN) * largest;
    gt_status status = gt_small_eigen(m->count, H, GT_MODES, m->re, m->im, m->residual);
    if (status) return status;
    for (int i = 0; i < m->count; i++) m->residual[i] *= left;
    sort(m);
    return GT_OK;
}
