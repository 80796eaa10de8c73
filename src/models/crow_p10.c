/* SPDX-License-Identifier: BSD-3-Clause */
/* crow Problem 10: three machines behind reduced admittances, a fault from t = 0 on that is cleared after some cycles.
 * The text prints sin(delta_i - delta_k - phi_ik), with which nothing balances; the electrical power is
 * E_i sum_k E_k |Y_ik| cos(delta_i - delta_k - phi_ik) = Re(E_i conj(sum_k Y_ik E_k)). */
#include "models/model_kit.h"

static const double PI = 3.14159265358979323846;

/* E, initial angle in degrees, mechanical power, inertia constant, as printed. */
static const double machine[3][4] = {
    {1.0566, 2.2717, 0.716, 23.64}, {1.0502, 19.7315, 1.630, 6.40}, {1.0170, 13.1752, 0.850, 3.01}};

/* Y = G + j B before the fault (for the balance only), with the fault, after it. */
typedef struct admittances {
    double G[3][3], B[3][3];
} admittances;

static const admittances stage[3] = {{.G = {{0.846, 0.287, 0.210}, {0.287, 0.420, 0.213}, {0.210, 0.213, 0.277}},
                                      .B = {{-2.988, 1.513, 1.226}, {1.513, -2.724, 1.088}, {1.226, 1.088, -2.368}}},
                                     {.G = {{0.657, 0, 0.070}, {0, 0, 0}, {0.070, 0, 0.174}},
                                      .B = {{-3.816, 0, 0.631}, {0, -5.486, 0}, {0.631, 0, -2.796}}},
                                     {.G = {{1.181, 0.138, 0.191}, {0.138, 0.389, 0.199}, {0.191, 0.199, 0.273}},
                                      .B = {{-2.229, 0.726, 1.079}, {0.726, -1.953, 1.229}, {1.079, 1.229, -2.342}}}};

typedef struct swing {
    double M[3], P[3], clearing;
    double breaks[1], x0[6];
} swing;

/* Electrical power of machine i. */
static double power(const admittances *Y, const double *delta, int i)
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double d = delta[2 * i] - delta[2 * k];
        sum += machine[k][0] * (Y->G[i][k] * cos(d) + Y->B[i][k] * sin(d));
    }
    return machine[i][0] * sum;
}

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    const swing *s = ctx;
    const admittances *Y = &stage[t < s->clearing ? 1 : 2];
    for (int i = 0; i < 3; i++) {
        dx[2 * i] = x[2 * i + 1];
        dx[2 * i + 1] = (s->P[i] - power(Y, x, i)) / s->M[i];
    }
    return GT_OK;
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    const swing *s = ctx;
    const admittances *Y = &stage[t < s->clearing ? 1 : 2];
    double rows[6][6] = {{0}};
    for (int i = 0; i < 3; i++) {
        rows[2 * i][2 * i + 1] = 1;
        for (int k = 0; k < 3; k++) {
            double d = x[2 * i] - x[2 * k], EE = machine[i][0] * machine[k][0] / s->M[i];
            double by_k = EE * (Y->B[i][k] * cos(d) - Y->G[i][k] * sin(d));
            if (k == i) continue;
            rows[2 * i + 1][2 * k] = by_k;
            rows[2 * i + 1][2 * i] -= by_k;
        }
    }
    return model_dense(J, rows[0]);
}

static const char *const power_choices[] = {"given", "balanced", NULL};
static const gt_param params[] = {
    REAL_PARAM("cycles", "duration of the fault, in cycles of 60 Hz", NULL, 4, 0.01, 60),
    CHOICE_PARAM("power", "mechanical power as printed, or as it balances before the fault", 0, power_choices),
    {0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[] = {"delta1", "slip1", "delta2", "slip2", "delta3", "slip3"};
    static const char *const units[] = {"rad", "rad/s", "rad", "rad/s", "rad", "rad/s"};
    swing *s = gt_arena_take(arena, 1, sizeof *s);
    if (!s) return GT_NO_MEMORY;
    for (int i = 0; i < 3; i++) {
        s->M[i] = 2 * machine[i][3] / (2 * PI * 60);
        s->x0[2 * i] = machine[i][1] * PI / 180;
    }
    for (int i = 0; i < 3; i++) s->P[i] = v[1] == 0 ? machine[i][2] : power(&stage[0], s->x0, i);
    s->clearing = s->breaks[0] = v[0] / 60;
    *problem = (gt_problem){.n_slow = 6,
                            .rhs = rhs,
                            .jac = jac,
                            .t1 = 2,
                            .x0 = s->x0,
                            .n_breaks = 1,
                            .breaks = s->breaks,
                            .ctx = s,
                            .names = names,
                            .units = units};
    return GT_OK;
}

const gt_model gt_model_crow_p10 = {
    .abi = GT_MODEL_ABI,
    .name = "crow_p10",
    .title = "three machines through a fault that is cleared after four cycles",
    .reference = "Crow, Computational Methods for Electric Power Systems, 5.9 Problem 10",
    .equations = "delta_i' = slip_i,  slip_i = omega_i - omega_s\n"
                 "M_i slip_i' = P_i - E_i sum_k E_k |Y_ik| cos(delta_i - delta_k - phi_ik),  M_i = 2 H_i / omega_s\n"
                 "Y: fault on for t < cycles/60, postfault after",
    .params = params,
    .build = build};
