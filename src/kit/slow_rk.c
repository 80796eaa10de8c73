/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An explicit Runge-Kutta method of the list for part of the states, (29) of gil. Its error is
 * found from its own comparison solution or, where it has none, with the slope k' at the end of the
 * step, euler  h (k' - k1) / 2,    rk2  h (k1 - 2 k2 + k') / 6,    rk4  h (k4 - k') / 6  (a
 * solution of order 3). The last one is 0 when f depends on t only: rk4 is Simpson's rule then. So
 * the distance to the quadrature through 0, 1/4 and 1 is added, h/24 times the divided difference
 * of the slopes at 0, 1/4, 1/2 and 1, the one at 1/4 on the cubic through both ends and the one at
 * 1/2 the mean of k2 and k3, which is right up to h^2.
 */
#include "kit/explicit_rk.h"
#include "kit/exponential.h"
#include <assert.h>
#include <string.h>

/* Of the explicit Runge-Kutta methods, with the estimates above. */
static const struct {
    int order, error_order;
} known[] = {[GT_RK_euler] = {1, 1}, [GT_RK_rk2] = {2, 2},   [GT_RK_heun] = {2, 1},
             [GT_RK_rk4] = {4, 3},   [GT_RK_rkf45] = {5, 4}, [GT_RK_dopri5] = {5, 4}};
static_assert(sizeof known / sizeof *known == GT_N_EXPLICIT_RK, "orders of every choice");

gt_facts gt_slow_facts(int i, gt_facts own)
{
    assert(i >= 0 && i < GT_N_EXPLICIT_RK);
    if (known[i].order < own.order) own.order = known[i].order;
    if (known[i].error_order < own.error_order) own.error_order = known[i].error_order;
    return own;
}

void gt_slow_rk_layout(gt_slow_rk *w, size_t n_slow, const gt_tableau *tableau, gt_arena *arena)
{
    assert(w && tableau && arena);
    assert(tableau->stages >= 1 && tableau->stages <= GT_MAX_STAGES);
    *w = (gt_slow_rk){.n = n_slow, .tableau = tableau};
    for (int i = 0; i < w->tableau->stages; i++) w->k[i] = gt_arena_doubles(arena, n_slow);
    w->end = gt_arena_doubles(arena, n_slow);
    w->X = gt_arena_doubles(arena, n_slow);
}

static void combine(const gt_slow_rk *w, const gt_ratio *weights, int terms, double h,
                    const double *x, double *X)
{
    memcpy(X, x, w->n * sizeof *x);
    for (int j = 0; j < terms; j++) {
        double factor = h * gt_ratio_value(weights[j]);
        if (factor == 0) continue;
        for (size_t i = 0; i < w->n; i++) X[i] += factor * w->k[j][i];
    }
}

static void add(const gt_slow_rk *w, double factor, const double *k, double *err)
{
    for (size_t i = 0; i < w->n; i++) err[i] += factor * k[i];
}

/* For rk4: what h (k4 - k') / 6 cannot see; k4 is no longer needed. */
static gt_status see_forcing(gt_slow_rk *w, gt_stepper *s, double h, const double *x,
                             const double *x_new, double *err, gt_slow_slope *slope, void *data)
{
    for (size_t i = 0; i < w->n; i++)
        w->X[i] = (27 * x[i] + 5 * x_new[i]) / 32 + h * (9 * w->k[0][i] - 3 * w->end[i]) / 64;
    gt_status status = slope(s, 0.25, h, w->X, w->k[3], data);
    add(w, -h / 3, w->k[0], err);
    add(w, h * 8 / 9, w->k[3], err);
    add(w, -h / 3, w->k[1], err);
    add(w, -h / 3, w->k[2], err);
    add(w, h / 9, w->end, err);
    return status;
}

static gt_status estimate(gt_slow_rk *w, gt_stepper *s, double h, const double *x,
                          const double *x_new, double *err, gt_slow_slope *slope, void *data)
{
    const gt_tableau *T = w->tableau;
    bool compared = false;
    memset(err, 0, w->n * sizeof *err);
    for (int j = 0; j < T->stages; j++) compared = compared || T->b_hat[j].num;
    if (compared) {
        for (int j = 0; j < T->stages; j++)
            add(w, h * (gt_ratio_value(T->b[j]) - gt_ratio_value(T->b_hat[j])), w->k[j], err);
        return GT_OK;
    }
    gt_status status = slope(s, 1, h, x_new, w->end, data);
    if (T->stages == 1) {
        add(w, -h / 2, w->end, err);
        add(w, h / 2, w->k[0], err);
    } else if (T->stages == 2) {
        add(w, -h / 6, w->k[0], err);
        add(w, h / 3, w->k[1], err);
        add(w, -h / 6, w->end, err);
    } else {
        add(w, h / 6, w->k[3], err);
        add(w, -h / 6, w->end, err);
        if (!status) status = see_forcing(w, s, h, x, x_new, err, slope, data);
    }
    return status;
}

gt_status gt_slow_rk_step(gt_slow_rk *w, gt_stepper *s, double h, const double *x, double *x_new,
                          double *err, gt_slow_slope *slope, void *data)
{
    assert(w && s && x && x_new && slope);
    assert(w->n == s->problem->n_slow);
    assert(x != x_new);
    const gt_tableau *T = w->tableau;
    for (int i = 0; i < T->stages; i++) {
        combine(w, T->a[i], i, h, x, w->X);
        gt_status status = slope(s, gt_ratio_value(T->c[i]), h, w->X, w->k[i], data);
        if (status) return status;
    }
    combine(w, T->b, T->stages, h, x, x_new);
    return err ? estimate(w, s, h, x, x_new, err, slope, data) : GT_OK;
}
