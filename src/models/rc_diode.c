/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Half-wave rectifier: source V sin(2 pi f t), series resistance Rs, diode, and R parallel to C. The voltage d over the
 * diode is algebraic. Its initial value 0.5 V is a guess; the consistent value is 0.
 */
#include "models/model_kit.h"

typedef struct {
    double V, f, Rs, R, C, Is, Vt;
} circuit;

static double current(const circuit *p, double d) { return p->Is * expm1(d / p->Vt); }
static double conductance(const circuit *p, double d) { return p->Is / p->Vt * exp(d / p->Vt); }

static gt_status rhs_slow(double t, const double *x, double *dx, void *ctx)
{
    const circuit *p = ctx;
    (void)t;
    dx[0] = (current(p, x[1]) - x[0] / p->R) / p->C;
    return GT_OK;
}

static gt_status rhs_alg(double t, const double *x, double *residual, void *ctx)
{
    const circuit *p = ctx;
    residual[0] = p->V * sin(2 * acos(-1) * p->f * t) - x[0] - x[1] - p->Rs * current(p, x[1]);
    return GT_OK;
}

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    rhs_slow(t, x, dx, ctx);
    return rhs_alg(t, x, dx + 1, ctx);
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    const circuit *p = ctx;
    double slope = conductance(p, x[1]);
    (void)t;
    const double rows[2][2] = {{-1 / (p->R * p->C), slope / p->C}, {-1, -1 - p->Rs * slope}};
    return model_dense(J, rows[0]);
}

static const gt_param params[] = {REAL_PARAM("V", "amplitude of the source", "V", 5, 0, 1e3),
                                  REAL_PARAM("f", "frequency of the source", "Hz", 50, 0, 1e9),
                                  REAL_PARAM("Rs", "series resistance", "ohm", 10, 0, 1e9),
                                  REAL_PARAM("R", "load", "ohm", 1000, 1e-6, 1e12),
                                  REAL_PARAM("C", "capacitor", "F", 47e-6, 1e-15, 1e3),
                                  REAL_PARAM("Is", "saturation current of the diode", "A", 1e-9, 1e-18, 1),
                                  REAL_PARAM("Vt", "thermal voltage times ideality", "V", 0.05, 1e-3, 10),
                                  {0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[] = {"v", "d"}, *const units[] = {"V", "V"};
    static const double x0[] = {0, 0.5};
    circuit *p = gt_arena_take(arena, 1, sizeof *p);
    if (!p) return GT_NO_MEMORY;
    *p = (circuit){.V = v[0], .f = v[1], .Rs = v[2], .R = v[3], .C = v[4], .Is = v[5], .Vt = v[6]};
    *problem = (gt_problem){.n_slow = 1,
                            .n_alg = 1,
                            .rhs = rhs,
                            .rhs_slow = rhs_slow,
                            .rhs_alg = rhs_alg,
                            .jac = jac,
                            .t1 = 0.1,
                            .x0 = x0,
                            .ctx = p,
                            .names = names,
                            .units = units};
    return GT_OK;
}

const gt_model gt_model_rc_diode = {.abi = GT_MODEL_ABI,
                                    .name = "rc_diode",
                                    .title = "rectifier with a diode, shows algebraic rows",
                                    .reference = "circuit theory: Shockley's diode law and Kirchhoff's laws",
                                    .equations = "C v' = i(d) - v/R\n"
                                                 "0 = V sin(2 pi f t) - v - d - Rs i(d)\n"
                                                 "i(d) = Is (exp(d/Vt) - 1)\n"
                                                 "v(0) = 0, d(0) near 0.5 (made consistent by the solver)",
                                    .params = params,
                                    .build = build};
