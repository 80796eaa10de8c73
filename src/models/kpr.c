/* SPDX-License-Identifier: BSD-3-Clause */
/* Kvaerno, Prothero and Robinson's problem with two rates: u^2 = 1 + r(t) is slow, v^2 = 2 + s(t) is fast. */
#include "models/model_kit.h"

typedef struct {
    double G, e, w, x0[2];
} kpr;

/* How far u^2 and v^2 are from their solutions. */
static double off_u(double t, double u) { return (-1 + u * u - cos(t) / 2) / (2 * u); }
static double off_v(const kpr *p, double t, double v) { return (-2 + v * v - cos(p->w * t)) / (2 * v); }

static gt_status rhs_slow(double t, const double *x, double *dx, void *ctx)
{
    const kpr *p = ctx;
    dx[0] = p->G * off_u(t, x[0]) + p->e * off_v(p, t, x[1]) - sin(t) / 2 / (2 * x[0]);
    return GT_OK;
}

static gt_status rhs_fast(double t, const double *x, double *dx, void *ctx)
{
    const kpr *p = ctx;
    dx[0] = p->e * off_u(t, x[0]) - off_v(p, t, x[1]) - p->w * sin(p->w * t) / (2 * x[1]);
    return GT_OK;
}

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    rhs_slow(t, x, dx, ctx);
    return rhs_fast(t, x, dx + 1, ctx);
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    const kpr *p = ctx;
    double u = x[0], v = x[1];
    double du = 0.5 + (1 + cos(t) / 2) / (2 * u * u), dv = 0.5 + (2 + cos(p->w * t)) / (2 * v * v);
    const double rows[2][2] = {{p->G * du + sin(t) / 2 / (2 * u * u), p->e * dv},
                               {p->e * du, -dv + p->w * sin(p->w * t) / (2 * v * v)}};
    return model_dense(J, rows[0]);
}

typedef double series[MODEL_MAX_ORDER + 1];

static gt_status taylor(double t, int order, double *c, void *ctx)
{
    const kpr *p = ctx;
    series u, v, gap_u, gap_v, r_dot, s_dot, off1, off2, push1, push2;
    double sin_t = sin(t), cos_t = cos(t), sin_w = sin(p->w * t), cos_w = cos(p->w * t);
    if (order > MODEL_MAX_ORDER) return GT_UNSUPPORTED;
    u[0] = c[0];
    v[0] = c[1];
    for (int k = 0; k < order; k++) {
        gap_u[k] = (k == 0 ? -1 : 0) + gt_series_mul(k, u, u, 1) - cos_t / 2;
        gap_v[k] = (k == 0 ? -2 : 0) + gt_series_mul(k, v, v, 1) - cos_w;
        r_dot[k] = -sin_t / 2;
        s_dot[k] = -p->w * sin_w;
        off1[k] = gt_series_div(k, gap_u, u, off1, 1);
        off2[k] = gt_series_div(k, gap_v, v, off2, 1);
        push1[k] = gt_series_div(k, r_dot, u, push1, 1);
        push2[k] = gt_series_div(k, s_dot, v, push2, 1);
        c[2 * k + 2] = u[k + 1] = (p->G * off1[k] + p->e * off2[k] + push1[k]) / 2 / (k + 1);
        c[2 * k + 3] = v[k + 1] = (p->e * off1[k] - off2[k] + push2[k]) / 2 / (k + 1);
        model_next_sincos(k, 1, &sin_t, &cos_t);
        model_next_sincos(k, p->w, &sin_w, &cos_w);
    }
    return GT_OK;
}

static void exact(double t, double *x, void *ctx)
{
    const kpr *p = ctx;
    x[0] = sqrt(1 + cos(t) / 2);
    x[1] = sqrt(2 + cos(p->w * t));
}

static const gt_param params[] = {REAL_PARAM("G", "attraction of u; large negative is stiff", NULL, -10, -1e9, 1e9),
                                  REAL_PARAM("e", "coupling of u and v", NULL, 0.5, -1e6, 1e6),
                                  REAL_PARAM("w", "frequency of v", "rad/s", 100, 0, 1e6),
                                  {0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[] = {"u", "v"};
    kpr *p = gt_arena_take(arena, 1, sizeof *p);
    if (!p) return GT_NO_MEMORY;
    *p = (kpr){.G = v[0], .e = v[1], .w = v[2]};
    exact(0, p->x0, p);
    *problem = (gt_problem){.n_slow = 1,
                            .n_fast = 1,
                            .rhs = rhs,
                            .rhs_slow = rhs_slow,
                            .rhs_fast = rhs_fast,
                            .jac = jac,
                            .taylor = taylor,
                            .t1 = 5,
                            .x0 = p->x0,
                            .ctx = p,
                            .names = names,
                            .exact = exact};
    return GT_OK;
}

const gt_model gt_model_kpr = {
    .abi = GT_MODEL_ABI,
    .name = "kpr",
    .title = "Kvaerno-Prothero-Robinson problem, a slow and a fast variable",
    .reference =
        "Prothero, Robinson, Math. Comp. 28 (1974) 145; with two rates: Sandu, SIAM J. Numer. Anal. 57 (2019) 2300",
    .equations = "u' = G (-1 + u^2 - r)/(2 u) + e (-2 + v^2 - s)/(2 v) + r'/(2 u)     slow\n"
                 "v' = e (-1 + u^2 - r)/(2 u) - (-2 + v^2 - s)/(2 v) + s'/(2 v)       fast\n"
                 "r = cos(t)/2, s = cos(w t), u(0) = sqrt(3/2), v(0) = sqrt(3)",
    .params = params,
    .build = build};
