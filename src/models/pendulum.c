/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gil (63)-(68): a bar that swings about a joint, and a light particle on a spring at its end, in body coordinates.
 * With s = (L/2)(sin theta, -cos theta) the joint keeps r1 = s, so r1' = (L/2) omega (cos theta, sin theta), and the
 * forces along that motion, with the spring force F = k (r2 - r1 - s) at the end of the bar, give
 *
 *     (J1 + m1 L^2/4) omega' = -m1 g (L/2) sin theta + L (F_x cos theta + F_y sin theta)
 *     r1'' = (L/2) ( omega' (cos theta, sin theta) + omega^2 (-sin theta, cos theta) )
 *     r2'' = -F/m2 - (0, g)
 *
 * which is (63) with lambda eliminated. As printed (66) lacks the row of r2' and has the wrong sign of g.
 */
#include "models/model_kit.h"

typedef struct {
    double m1, J1, L, m2, k, g, inertia, start_energy, x0[10];
} pendulum;

enum { R1X, R1Y, THETA, V1X, V1Y, OMEGA, R2X, R2Y, V2X, V2Y, SIZE };

/* What both blocks need: sine, cosine and the force of the spring. */
typedef struct {
    double s, c, fx, fy;
} pose;

static pose pose_of(const pendulum *p, const double *x)
{
    pose q = {.s = sin(x[THETA]), .c = cos(x[THETA])};
    q.fx = p->k * (x[R2X] - x[R1X] - p->L / 2 * q.s);
    q.fy = p->k * (x[R2Y] - x[R1Y] + p->L / 2 * q.c);
    return q;
}

static double swing(const pendulum *p, pose q)
{
    return (-p->m1 * p->g * p->L / 2 * q.s + p->L * (q.fx * q.c + q.fy * q.s)) / p->inertia;
}

static void slow_rows(const pendulum *p, pose q, const double *x, double *dx)
{
    double w = x[OMEGA], a = swing(p, q);
    dx[R1X] = x[V1X];
    dx[R1Y] = x[V1Y];
    dx[THETA] = w;
    dx[V1X] = p->L / 2 * (a * q.c - w * w * q.s);
    dx[V1Y] = p->L / 2 * (a * q.s + w * w * q.c);
    dx[OMEGA] = a;
}

static void fast_rows(const pendulum *p, pose q, const double *x, double *dx)
{
    dx[0] = x[V2X];
    dx[1] = x[V2Y];
    dx[2] = -q.fx / p->m2;
    dx[3] = -q.fy / p->m2 - p->g;
}

static gt_status rhs_slow(double t, const double *x, double *dx, void *ctx)
{
    const pendulum *p = ctx;
    (void)t;
    slow_rows(p, pose_of(p, x), x, dx);
    return GT_OK;
}

static gt_status rhs_fast(double t, const double *x, double *dx, void *ctx)
{
    const pendulum *p = ctx;
    (void)t;
    fast_rows(p, pose_of(p, x), x, dx);
    return GT_OK;
}

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    const pendulum *p = ctx;
    pose q = pose_of(p, x);
    (void)t;
    slow_rows(p, q, x, dx);
    fast_rows(p, q, x, dx + R2X);
    return GT_OK;
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    const pendulum *p = ctx;
    pose q = pose_of(p, x);
    double w = x[OMEGA], a = swing(p, q), L = p->L, k = p->k, pull = L * k / p->inertia, half = L / 2;
    double da[SIZE] = {[R1X] = -pull * q.c, [R1Y] = -pull * q.s, [R2X] = pull * q.c, [R2Y] = pull * q.s};
    da[THETA] = (-p->m1 * p->g * half * q.c + L * (q.fy * q.c - q.fx * q.s) - k * L * half) / p->inertia;
    double(*column)[SIZE] = (double(*)[SIZE])J->values; /* column[j][i] is d(row i)/d(state j) */
    (void)t;
    column[V1X][R1X] = column[V1Y][R1Y] = column[OMEGA][THETA] = column[V2X][R2X] = column[V2Y][R2Y] = 1;
    for (int j = 0; j < SIZE; j++) {
        column[j][V1X] = half * da[j] * q.c;
        column[j][V1Y] = half * da[j] * q.s;
        column[j][OMEGA] = da[j];
    }
    column[THETA][V1X] -= half * (a * q.s + w * w * q.c);
    column[THETA][V1Y] += half * (a * q.c - w * w * q.s);
    column[OMEGA][V1X] -= L * w * q.s;
    column[OMEGA][V1Y] += L * w * q.c;
    column[R2X][V2X] = column[R2Y][V2Y] = -k / p->m2;
    column[R1X][V2X] = column[R1Y][V2Y] = k / p->m2;
    column[THETA][V2X] = k / p->m2 * half * q.c;
    column[THETA][V2Y] = k / p->m2 * half * q.s;
    return GT_OK;
}

/* (68) */
static double energy_of(const pendulum *p, const double *x)
{
    pose q = pose_of(p, x);
    return 0.5 * p->m1 * (x[V1X] * x[V1X] + x[V1Y] * x[V1Y]) + 0.5 * p->J1 * x[OMEGA] * x[OMEGA] +
           0.5 * p->m2 * (x[V2X] * x[V2X] + x[V2Y] * x[V2Y]) + p->g * (p->m1 * x[R1Y] + p->m2 * x[R2Y]) +
           0.5 * (q.fx * q.fx + q.fy * q.fy) / p->k;
}

/* Energy, and how far the joint is from closed. */
static void invariants(double t, const double *x, double *out, void *ctx)
{
    const pendulum *p = ctx;
    pose q = pose_of(p, x);
    (void)t;
    out[0] = energy_of(p, x);
    out[1] = x[R1X] - p->L / 2 * q.s;
    out[2] = x[R1Y] + p->L / 2 * q.c;
}

static void change_of_energy(double t, const double *x, double *out, void *ctx)
{
    const pendulum *p = ctx;
    (void)t;
    out[0] = energy_of(p, x) - p->start_energy;
}

static const gt_param params[] = {
    REAL_PARAM("theta0", "angle at the start, at rest, from hanging down", "deg", 45, -180, 180),
    REAL_PARAM("offset", "of the particle from its place of rest at the start, in x", "m", 0.1, -10, 10),
    REAL_PARAM("m1", "mass of the bar", "kg", 100, GT_POSITIVE, 1e6),
    REAL_PARAM("J1", "inertia of the bar about its middle", "kg m^2", 100, GT_POSITIVE, 1e6),
    REAL_PARAM("L", "length of the bar", "m", 1, 1e-6, 1e6),
    REAL_PARAM("m2", "mass of the particle", "kg", 1e-5, 1e-12, 1e6),
    REAL_PARAM("k", "stiffness of its spring", "N/m", 5, 1e-6, 1e12),
    REAL_PARAM("g", "acceleration of gravity", "m/s^2", 9.81, 0, 1e6),
    {0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[] = {"r1x", "r1y", "theta", "v1x", "v1y", "omega", "r2x", "r2y", "v2x", "v2y"};
    static const char *const units[] = {"m", "m", "rad", "m/s", "m/s", "rad/s", "m", "m", "m/s", "m/s"};
    static const char *const kept[] = {"energy", "joint_x", "joint_y"};
    static const char *const extra[] = {"energy_change"};
    pendulum *p = gt_arena_take(arena, 1, sizeof *p);
    if (!p) return GT_NO_MEMORY;
    double theta = v[0] * acos(-1) / 180, L = v[4];
    *p = (pendulum){.m1 = v[2], .J1 = v[3], .L = L, .m2 = v[5], .k = v[6], .g = v[7]};
    p->inertia = p->J1 + p->m1 * L * L / 4;
    p->x0[R1X] = L / 2 * sin(theta);
    p->x0[R1Y] = -L / 2 * cos(theta);
    p->x0[THETA] = theta;
    p->x0[R2X] = L * sin(theta) + v[1];
    p->x0[R2Y] = -L * cos(theta) - p->m2 * p->g / p->k;
    p->start_energy = energy_of(p, p->x0);
    *problem = (gt_problem){.n_slow = 6,
                            .n_fast = 4,
                            .rhs = rhs,
                            .rhs_slow = rhs_slow,
                            .rhs_fast = rhs_fast,
                            .jac = jac,
                            .autonomous = true,
                            .t1 = 10,
                            .x0 = p->x0,
                            .ctx = p,
                            .names = names,
                            .units = units,
                            .n_aux = 1,
                            .aux_names = extra,
                            .aux = change_of_energy,
                            .n_invariants = 3,
                            .invariant_names = kept,
                            .invariants = invariants};
    return GT_OK;
}

const gt_model gt_model_pendulum = {
    .abi = GT_MODEL_ABI,
    .name = "pendulum",
    .title = "a heavy bar on a joint with a light particle on a spring at its end",
    .reference = "Gil, Sanfelice, Nikravesh (2013), (63)-(68)",
    .equations = "F = k (r2 - r1 - s), s = (L/2) (sin theta, -cos theta)\n"
                 "r1' = v1, theta' = omega                                                            slow\n"
                 "(J1 + m1 L^2/4) omega' = -m1 g (L/2) sin theta + L (F_x cos theta + F_y sin theta)\n"
                 "v1' = (L/2) (omega' (cos theta, sin theta) + omega^2 (-sin theta, cos theta))\n"
                 "r2' = v2, v2' = -F/m2 - (0, g)                                                      fast\n"
                 "at rest at theta0, r2(0) = the place of rest of the particle + (offset, 0)",
    .params = params,
    .build = build};
