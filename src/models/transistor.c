/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Amplifier of two transistors. Node voltages y1..y8 obey M y' = f with a singular M: each capacitor between two nodes
 * gives a pair of rows
 *
 *     C1 (y2' - y1') = f1,  C1 (y1' - y2') = f2;    C3 (y5' - y4') = f4, ..;    C5 (y8' - y7') = f7, ..
 *
 * The voltage over the capacitor takes the place of the first node, u1 = y2 - y1, u2 = y5 - y4, u3 = y8 - y7, and the
 * sum of the pair is the algebraic row: 0 = f1 + f2, 0 = f4 + f5, 0 = f7 + f8. The solution is the same.
 */
#include "models/model_kit.h"

enum { U1, Y3, U2, Y6, U3, Y2, Y5, Y8, N, DIFFERENTIAL = Y2 };

typedef struct {
    double Ub, UF, alpha, beta, R0, R, C, amplitude, f;
    double x0[N];
} amplifier;

static double source(const amplifier *p, double t) { return p->amplitude * sin(2 * acos(-1) * p->f * t); }
static double current(const amplifier *p, double u) { return p->beta * expm1(u / p->UF); }
static double conductance(const amplifier *p, double u) { return p->beta / p->UF * exp(u / p->UF); }

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    const amplifier *p = ctx;
    double y1 = x[Y2] - x[U1], y4 = x[Y5] - x[U2], y7 = x[Y8] - x[U3];
    double i1 = current(p, x[Y2] - x[Y3]), i2 = current(p, x[Y5] - x[Y6]);
    double f1 = (y1 - source(p, t)) / p->R0, f2 = (2 * x[Y2] - p->Ub) / p->R + (1 - p->alpha) * i1;
    double f4 = (y4 - p->Ub) / p->R + p->alpha * i1, f5 = (2 * x[Y5] - p->Ub) / p->R + (1 - p->alpha) * i2;
    double f7 = (y7 - p->Ub) / p->R + p->alpha * i2, f8 = x[Y8] / p->R;
    dx[U1] = f1 / p->C;
    dx[Y3] = (i1 - x[Y3] / p->R) / (2 * p->C);
    dx[U2] = f4 / (3 * p->C);
    dx[Y6] = (i2 - x[Y6] / p->R) / (4 * p->C);
    dx[U3] = f7 / (5 * p->C);
    dx[Y2] = f1 + f2;
    dx[Y5] = f4 + f5;
    dx[Y8] = f7 + f8;
    return GT_OK;
}

static gt_status rhs_slow(double t, const double *x, double *dx, void *ctx)
{
    double all[N];
    rhs(t, x, all, ctx);
    for (int i = 0; i < DIFFERENTIAL; i++) dx[i] = all[i];
    return GT_OK;
}

static gt_status rhs_alg(double t, const double *x, double *residual, void *ctx)
{
    double all[N];
    rhs(t, x, all, ctx);
    for (int i = DIFFERENTIAL; i < N; i++) residual[i - DIFFERENTIAL] = all[i];
    return GT_OK;
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    const amplifier *p = ctx;
    double g0 = 1 / p->R0, g = 1 / p->R, a = p->alpha;
    double s1 = conductance(p, x[Y2] - x[Y3]), s2 = conductance(p, x[Y5] - x[Y6]);
    double rows[N][N] = {{0}};
    (void)t;
    rows[U1][U1] = -g0 / p->C;
    rows[U1][Y2] = g0 / p->C;
    rows[Y3][Y2] = s1 / (2 * p->C);
    rows[Y3][Y3] = -(s1 + g) / (2 * p->C);
    rows[U2][U2] = -g / (3 * p->C);
    rows[U2][Y5] = g / (3 * p->C);
    rows[U2][Y2] = a * s1 / (3 * p->C);
    rows[U2][Y3] = -a * s1 / (3 * p->C);
    rows[Y6][Y5] = s2 / (4 * p->C);
    rows[Y6][Y6] = -(s2 + g) / (4 * p->C);
    rows[U3][U3] = -g / (5 * p->C);
    rows[U3][Y8] = g / (5 * p->C);
    rows[U3][Y5] = a * s2 / (5 * p->C);
    rows[U3][Y6] = -a * s2 / (5 * p->C);
    rows[Y2][U1] = -g0;
    rows[Y2][Y2] = g0 + 2 * g + (1 - a) * s1;
    rows[Y2][Y3] = -(1 - a) * s1;
    rows[Y5][U2] = -g;
    rows[Y5][Y5] = 3 * g + (1 - a) * s2;
    rows[Y5][Y6] = -(1 - a) * s2;
    rows[Y5][Y2] = a * s1;
    rows[Y5][Y3] = -a * s1;
    rows[Y8][U3] = -g;
    rows[Y8][Y8] = 2 * g;
    rows[Y8][Y5] = a * s2;
    rows[Y8][Y6] = -a * s2;
    return model_dense(J, rows[0]);
}

static const gt_param params[] = {
    REAL_PARAM("Ub", "supply", "V", 6, 0, 1e3),
    REAL_PARAM("UF", "thermal voltage", "V", 0.026, 1e-3, 10),
    REAL_PARAM("alpha", "current gain of a transistor, collector to emitter", NULL, 0.99, 0, 1),
    REAL_PARAM("beta", "saturation current", "A", 1e-6, 0, 1),
    REAL_PARAM("R0", "resistance of the source", "ohm", 1000, 1e-6, 1e12),
    REAL_PARAM("R", "the other resistances, R1 to R9", "ohm", 9000, 1e-6, 1e12),
    REAL_PARAM("C", "first capacitor; the k-th has k times as much", "F", 1e-6, 1e-15, 1e3),
    REAL_PARAM("amplitude", "of the source", "V", 0.1, 0, 1e3),
    REAL_PARAM("f", "frequency of the source", "Hz", 100, 0, 1e9),
    {0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[N] = {"u1", "y3", "u2", "y6", "u3", "y2", "y5", "y8"};
    static const char *const units[N] = {"V", "V", "V", "V", "V", "V", "V", "V"};
    amplifier *p = gt_arena_take(arena, 1, sizeof *p);
    if (!p) return GT_NO_MEMORY;
    double half = v[0] / 2;
    *p = (amplifier){.Ub = v[0],
                     .UF = v[1],
                     .alpha = v[2],
                     .beta = v[3],
                     .R0 = v[4],
                     .R = v[5],
                     .C = v[6],
                     .amplitude = v[7],
                     .f = v[8],
                     .x0 = {half, half, -half, half, -v[0], half, half, 0}};
    *problem = (gt_problem){.n_slow = DIFFERENTIAL,
                            .n_alg = N - DIFFERENTIAL,
                            .rhs = rhs,
                            .rhs_slow = rhs_slow,
                            .rhs_alg = rhs_alg,
                            .jac = jac,
                            .t1 = 0.2,
                            .x0 = p->x0,
                            .ctx = p,
                            .names = names,
                            .units = units};
    return GT_OK;
}

const gt_model gt_model_transistor = {
    .abi = GT_MODEL_ABI,
    .name = "transistor",
    .title = "amplifier of two transistors, three algebraic rows",
    .reference = "Hairer, Lubich, Roche, The Numerical Solution of Differential-Algebraic Systems by Runge-Kutta "
                 "Methods, 1989; Test Set for IVP Solvers (TRANSAMP)",
    .equations = "C u1' = f1,  2 C y3' = i(y2 - y3) - y3/R,  3 C u2' = f4\n"
                 "4 C y6' = i(y5 - y6) - y6/R,  5 C u3' = f7\n"
                 "0 = f1 + (2 y2 - Ub)/R + (1 - alpha) i(y2 - y3)\n"
                 "0 = f4 + (2 y5 - Ub)/R + (1 - alpha) i(y5 - y6)\n"
                 "0 = f7 + y8/R\n"
                 "f1 = (y1 - Ue)/R0, f4 = (y4 - Ub)/R + alpha i(y2 - y3), f7 = (y7 - Ub)/R + alpha i(y5 - y6)\n"
                 "y1 = y2 - u1, y4 = y5 - u2, y7 = y8 - u3\n"
                 "i(u) = beta (exp(u/UF) - 1), Ue = amplitude sin(2 pi f t)\n"
                 "y(0) = Ub (0, 1/2, 1/2, 1, 1/2, 1/2, 1, 0)",
    .params = params,
    .build = build};
