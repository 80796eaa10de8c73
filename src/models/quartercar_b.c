/* SPDX-License-Identifier: BSD-3-Clause */
/* shome, Figure 2 (B): a quarter of the chassis (sprung, slow) over a wheel (unsprung, fast) on a spring for the tyre.
 */
#include "models/model_kit.h"

typedef struct {
    double m_s, m_u, Ks, Cs, kt, x0[4];
} quarter;

enum { YS, VS, YU, VU };

static double suspension(const quarter *p, const double *x)
{
    return p->Ks * (x[YS] - x[YU]) + p->Cs * (x[VS] - x[VU]);
}

static gt_status rhs_slow(double t, const double *x, double *dx, void *ctx)
{
    const quarter *p = ctx;
    (void)t;
    dx[0] = x[VS];
    dx[1] = -suspension(p, x) / p->m_s;
    return GT_OK;
}

static gt_status rhs_fast(double t, const double *x, double *dx, void *ctx)
{
    const quarter *p = ctx;
    (void)t;
    dx[0] = x[VU];
    dx[1] = (suspension(p, x) - p->kt * x[YU]) / p->m_u;
    return GT_OK;
}

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    rhs_slow(t, x, dx, ctx);
    return rhs_fast(t, x, dx + 2, ctx);
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    const quarter *p = ctx;
    double s = 1 / p->m_s, u = 1 / p->m_u, K = p->Ks, C = p->Cs;
    const double rows[4][4] = {
        {0, 1, 0, 0}, {-K * s, -C * s, K * s, C * s}, {0, 0, 0, 1}, {K * u, C * u, -(K + p->kt) * u, -C * u}};
    (void)t, (void)x;
    return model_dense(J, rows[0]);
}

static gt_status taylor(double t, int order, double *c, void *ctx)
{
    return model_taylor_linear(rhs, t, 4, order, c, ctx);
}

static const gt_param params[] = {REAL_PARAM("M", "mass of half the vehicle", "kg", 1043.26, GT_POSITIVE, 1e9),
                                  REAL_PARAM("mu", "unsprung mass: hub, rim and ring", "kg", 67, GT_POSITIVE, 1e9),
                                  REAL_PARAM("Ks", "stiffness of the suspension", "N/m", 40400, 0, 1e12),
                                  REAL_PARAM("Cs", "damping of the suspension", "N s/m", 14500, 0, 1e9),
                                  REAL_PARAM("kt", "stiffness of the tyre", "N/m", 2e5, 0, 1e12),
                                  REAL_PARAM("y0", "height of the chassis at the start, from rest", "m", 0.1, -10, 10),
                                  {0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[] = {"ys", "vs", "yu", "vu"}, *const units[] = {"m", "m/s", "m", "m/s"};
    quarter *p = gt_arena_take(arena, 1, sizeof *p);
    if (!p) return GT_NO_MEMORY;
    *p = (quarter){.m_s = v[0] / 2, .m_u = v[1], .Ks = v[2], .Cs = v[3], .kt = v[4], .x0 = {v[5], 0, 0, 0}};
    *problem = (gt_problem){.n_slow = 2,
                            .n_fast = 2,
                            .rhs = rhs,
                            .rhs_slow = rhs_slow,
                            .rhs_fast = rhs_fast,
                            .jac = jac,
                            .taylor = taylor,
                            .t1 = 50,
                            .x0 = p->x0,
                            .ctx = p,
                            .names = names,
                            .units = units};
    return GT_OK;
}

const gt_model gt_model_quartercar_b = {.abi = GT_MODEL_ABI,
                                        .name = "quartercar_b",
                                        .title = "quarter car B: chassis over a wheel with a spring for the tyre",
                                        .reference = "Shome, Haug, Jay, Mech. Based Des. Struct. 32 (2004), Figure 2",
                                        .equations =
                                            "(M/2) ys'' = -F          slow\n"
                                            "mu yu'' = F - kt yu      fast\n"
                                            "F = Ks (ys - yu) + Cs (ys' - yu'); heights count from equilibrium",
                                        .params = params,
                                        .build = build};
