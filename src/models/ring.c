/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ring modulator: four diodes in a ring mix a low frequency Uin1 with a high one Uin2. The small capacitors Cs at the
 * diodes make it stiff with fast oscillations; the smaller Cs, the more so.
 */
#include "models/model_kit.h"

enum { N = 15 };

static const double C = 1.6e-8, Cp = 1e-8, Lh = 4.45, Ls1 = 2e-3, Ls2 = 5e-4, Ls3 = 5e-4;
static const double R = 25e3, Rp = 50, Rg1 = 36.3, Rg2 = 17.3, Rg3 = 17.3, Ri = 50, Rc = 600;
static const double diode_scale = 40.67286402e-9, diode_slope = 17.7493332;

typedef struct {
    double Cs;
} modulator;

/* Voltages over the four diodes. */
static void diodes(double t, const double *y, double *u)
{
    double top = y[6] + 2 * sin(2e4 * acos(-1) * t);
    u[0] = y[2] - y[4] - top;
    u[1] = -y[3] + y[5] - top;
    u[2] = y[3] + y[4] + top;
    u[3] = -y[2] - y[5] + top;
}

static gt_status rhs(double t, const double *y, double *dy, void *ctx)
{
    const modulator *p = ctx;
    double u[4], q[4], Uin1 = 0.5 * sin(2e3 * acos(-1) * t);
    diodes(t, y, u);
    for (int k = 0; k < 4; k++) q[k] = diode_scale * expm1(diode_slope * u[k]);
    dy[0] = (y[7] - 0.5 * y[9] + 0.5 * y[10] + y[13] - y[0] / R) / C;
    dy[1] = (y[8] - 0.5 * y[11] + 0.5 * y[12] + y[14] - y[1] / R) / C;
    dy[2] = (y[9] - q[0] + q[3]) / p->Cs;
    dy[3] = (-y[10] + q[1] - q[2]) / p->Cs;
    dy[4] = (y[11] + q[0] - q[2]) / p->Cs;
    dy[5] = (-y[12] - q[1] + q[3]) / p->Cs;
    dy[6] = (-y[6] / Rp + q[0] + q[1] - q[2] - q[3]) / Cp;
    dy[7] = -y[0] / Lh;
    dy[8] = -y[1] / Lh;
    dy[9] = (0.5 * y[0] - y[2] - Rg2 * y[9]) / Ls2;
    dy[10] = (-0.5 * y[0] + y[3] - Rg3 * y[10]) / Ls3;
    dy[11] = (0.5 * y[1] - y[4] - Rg2 * y[11]) / Ls2;
    dy[12] = (-0.5 * y[1] + y[5] - Rg3 * y[12]) / Ls3;
    dy[13] = (-y[0] + Uin1 - (Ri + Rg1) * y[13]) / Ls1;
    dy[14] = (-y[1] - (Rc + Rg1) * y[14]) / Ls1;
    return GT_OK;
}

/* Rows 3 to 7 through the diodes: current k enters row r with sign into[r][k]; u_k has slope of[k][j] in U3..U7. */
static void add_diodes(double t, const double *y, double Cs, double rows[N][N])
{
    static const int into[5][4] = {{-1, 0, 0, 1}, {0, 1, -1, 0}, {1, 0, -1, 0}, {0, -1, 0, 1}, {1, 1, -1, -1}};
    static const int of[4][5] = {{1, 0, -1, 0, -1}, {0, -1, 0, 1, -1}, {0, 1, 1, 0, 1}, {-1, 0, 0, -1, 1}};
    double u[4];
    diodes(t, y, u);
    for (int k = 0; k < 4; k++) {
        double slope = diode_scale * diode_slope * exp(diode_slope * u[k]);
        for (int r = 0; r < 5; r++)
            for (int j = 0; j < 5; j++) rows[2 + r][2 + j] += into[r][k] * of[k][j] * slope / (r < 4 ? Cs : Cp);
    }
}

static gt_status jac(double t, const double *y, gt_matrix *J, void *ctx)
{
    const modulator *p = ctx;
    double rows[N][N] = {{[0] = -1 / (R * C), [7] = 1 / C, [9] = -0.5 / C, [10] = 0.5 / C, [13] = 1 / C},
                         {[1] = -1 / (R * C), [8] = 1 / C, [11] = -0.5 / C, [12] = 0.5 / C, [14] = 1 / C},
                         {[9] = 1 / p->Cs},
                         {[10] = -1 / p->Cs},
                         {[11] = 1 / p->Cs},
                         {[12] = -1 / p->Cs},
                         {[6] = -1 / (Rp * Cp)},
                         {[0] = -1 / Lh},
                         {[1] = -1 / Lh},
                         {[0] = 0.5 / Ls2, [2] = -1 / Ls2, [9] = -Rg2 / Ls2},
                         {[0] = -0.5 / Ls3, [3] = 1 / Ls3, [10] = -Rg3 / Ls3},
                         {[1] = 0.5 / Ls2, [4] = -1 / Ls2, [11] = -Rg2 / Ls2},
                         {[1] = -0.5 / Ls3, [5] = 1 / Ls3, [12] = -Rg3 / Ls3},
                         {[0] = -1 / Ls1, [13] = -(Ri + Rg1) / Ls1},
                         {[1] = -1 / Ls1, [14] = -(Rc + Rg1) / Ls1}};
    add_diodes(t, y, p->Cs, rows);
    return model_dense(J, rows[0]);
}

static const gt_param params[] = {REAL_PARAM("Cs", "capacitors at the diodes", "F", 2e-12, 1e-18, 1), {0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[N] = {"U1", "U2", "U3", "U4", "U5", "U6", "U7", "I1",
                                         "I2", "I3", "I4", "I5", "I6", "I7", "I8"};
    static const char *const units[N] = {"V", "V", "V", "V", "V", "V", "V", "A", "A", "A", "A", "A", "A", "A", "A"};
    static const double x0[N] = {0};
    modulator *p = gt_arena_take(arena, 1, sizeof *p);
    if (!p) return GT_NO_MEMORY;
    *p = (modulator){.Cs = v[0]};
    *problem = (gt_problem){
        .n_slow = N, .rhs = rhs, .jac = jac, .t1 = 1e-3, .x0 = x0, .ctx = p, .names = names, .units = units};
    return GT_OK;
}

const gt_model gt_model_ring = {
    .abi = GT_MODEL_ABI,
    .name = "ring",
    .title = "ring modulator, stiff with fast oscillations",
    .reference = "Kampowsky, Rentrop, Schmidt, Surv. Math. Ind. 2 (1992) 23, after Horneber (1976); Test Set for IVP "
                 "Solvers (RINGMOD)",
    .equations = "C U1' = I1 - I3/2 + I4/2 + I7 - U1/R,  C U2' = I2 - I5/2 + I6/2 + I8 - U2/R\n"
                 "Cs U3' = I3 - q(u1) + q(u4),  Cs U4' = -I4 + q(u2) - q(u3)\n"
                 "Cs U5' = I5 + q(u1) - q(u3),  Cs U6' = -I6 - q(u2) + q(u4)\n"
                 "Cp U7' = -U7/Rp + q(u1) + q(u2) - q(u3) - q(u4)\n"
                 "Lh I1' = -U1,  Lh I2' = -U2\n"
                 "Ls2 I3' = U1/2 - U3 - Rg2 I3,  Ls3 I4' = -U1/2 + U4 - Rg3 I4\n"
                 "Ls2 I5' = U2/2 - U5 - Rg2 I5,  Ls3 I6' = -U2/2 + U6 - Rg3 I6\n"
                 "Ls1 I7' = -U1 + Uin1 - (Ri + Rg1) I7,  Ls1 I8' = -U2 - (Rc + Rg1) I8\n"
                 "u1 = U3 - U5 - U7 - Uin2,  u2 = -U4 + U6 - U7 - Uin2\n"
                 "u3 = U4 + U5 + U7 + Uin2,  u4 = -U3 - U6 + U7 + Uin2\n"
                 "q(u) = 40.67286402e-9 (exp(17.7493332 u) - 1), Uin1 = sin(2000 pi t)/2, Uin2 = 2 sin(20000 pi t)\n"
                 "all 0 at the start",
    .params = params,
    .build = build};
