/* SPDX-License-Identifier: BSD-3-Clause */
#include "kit/broyden.h"
#include "base/finite.h"
#include <assert.h>
#include <math.h>
#include <string.h>

void gt_broyden_layout(gt_broyden *b, size_t n, gt_arena *arena)
{
    assert(b && arena);
    b->inverse = gt_arena_doubles(arena, n * n);
    b->g = gt_arena_doubles(arena, n);
    b->g_new = gt_arena_doubles(arena, n);
    b->step = gt_arena_doubles(arena, n);
    b->change = gt_arena_doubles(arena, n);
    b->row = gt_arena_doubles(arena, n);
}

static double largest(const double *x, size_t n)
{
    return gt_all_finite(x, n) ? gt_largest(x, n) : NAN;
}

/* B^-1 v into out, or v^T B^-1 when transposed. */
static void multiply(const gt_broyden *b, size_t n, bool transposed, const double *v, double *out)
{
    memset(out, 0, n * sizeof *out);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) {
            double entry = b->inverse[j * n + i];
            if (transposed)
                out[j] += v[i] * entry;
            else
                out[i] += entry * v[j];
        }
}

static gt_status update(gt_broyden *b, size_t n)
{
    double *By = b->change, below = 0;
    for (size_t i = 0; i < n; i++) b->row[i] = b->g_new[i] - b->g[i];
    multiply(b, n, false, b->row, By);
    multiply(b, n, true, b->step, b->row);
    for (size_t i = 0; i < n; i++) below += b->step[i] * By[i];
    if (!(fabs(below) > 0) || !isfinite(below)) return GT_TRY_SINGULAR;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            b->inverse[j * n + i] += (b->step[i] - By[i]) * b->row[j] / below;
    return GT_OK;
}

gt_status gt_broyden_solve(gt_broyden *b, gt_stepper *s, double tolerance, double unit,
                           double tolerance_g, int most, double *x, gt_residual_fn *residual,
                           void *data)
{
    assert(b && s && x && residual);
    assert(most > 0);
    size_t n = s->n;
    memset(b->inverse, 0, n * n * sizeof *b->inverse);
    for (size_t i = 0; i < n; i++) b->inverse[i * n + i] = 1;
    gt_status status = residual(s, x, b->g, data);
    for (int m = 0; m < most && !status; m++) {
        double size_x = largest(x, n);
        multiply(b, n, false, b->g, b->step);
        for (size_t i = 0; i < n; i++) {
            b->step[i] = -b->step[i];
            x[i] += b->step[i];
        }
        s->stats.newton++;
        status = residual(s, x, b->g_new, data);
        if (status) return status;
        double moved = largest(b->step, n), left = largest(b->g_new, n);
        if (isnan(moved) || isnan(left)) return GT_TRY_NOT_FINITE;
        if (moved <= tolerance * (unit + size_x) && left <= tolerance_g) return GT_OK;
        status = update(b, n);
        memcpy(b->g, b->g_new, n * sizeof *b->g);
    }
    return status ? status : GT_TRY_NEWTON;
}
