/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An arm of two links in a vertical plane with elastic joints, driven by electric motors that
 * follow a sine (after Spong, J. Dyn. Syst. Meas. Control 109 (1987) 310). q are the angles of the
 * links, the first from hanging down and the second from the first, e the twist of each joint, i
 * the current of each motor:
 *
 *     M(q) q'' + C(q, q') + G(q) = T,  T = k e + d e'                  links
 *     J (q'' + e'') = -T + kt i                                        rotors
 *     l i' = -r i - kt (q' + e') + V,  V = (r/kt) U                    windings; the motor's back
 * voltage is kt too U = kp (p - q - e) + kd (p' - q' - e') + G(q),  p = amplitude sin(frequency t)
 * (1, 1)
 *
 * The controller sees the angle of the rotor, q + e, as it must: with that of the link it would
 * feed the oscillation. Slow are q, q'; fast e, e', which oscillate at about sqrt(k/J), and i,
 * which decays at r/l. With drive=free the motors are taken off, and without damping energy is
 * kept. In C because what is invariant depends on its parameters: energy only without motors and
 * damping.
 */
#include "models/model_kit.h"

enum { Q1, Q2, W1, W2, E1, E2, V1, V2, I1, I2, SIZE };

typedef struct {
    double k, d, J, l, r, kt, kp, kd, amplitude, frequency;
    double a, b, c, g1,
        g2; /* M = [a + 2b cos q2, c + b cos q2; c + b cos q2, c]; weights of gravity */
    int driven;
    double x0[SIZE];
} arm;

typedef struct {
    double s2, c2, m11, m12, det, gravity[2], torque[2], acceleration[2], command[2];
} pose;

static pose pose_of(const arm *p, double t, const double *x)
{
    pose o = {.s2 = sin(x[Q2]), .c2 = cos(x[Q2])};
    double s1 = sin(x[Q1]), s12 = sin(x[Q1] + x[Q2]), push[2];
    o.m11 = p->a + 2 * p->b * o.c2;
    o.m12 = p->c + p->b * o.c2;
    o.det = o.m11 * p->c - o.m12 * o.m12;
    o.gravity[0] = p->g1 * s1 + p->g2 * s12;
    o.gravity[1] = p->g2 * s12;
    for (int j = 0; j < 2; j++) o.torque[j] = p->k * x[E1 + j] + p->d * x[V1 + j];
    push[0] = o.torque[0] - o.gravity[0] + p->b * o.s2 * x[W2] * (2 * x[W1] + x[W2]);
    push[1] = o.torque[1] - o.gravity[1] - p->b * o.s2 * x[W1] * x[W1];
    o.acceleration[0] = (p->c * push[0] - o.m12 * push[1]) / o.det;
    o.acceleration[1] = (o.m11 * push[1] - o.m12 * push[0]) / o.det;
    double path = p->amplitude * sin(p->frequency * t),
           speed = p->amplitude * p->frequency * cos(p->frequency * t);
    for (int j = 0; j < 2; j++)
        o.command[j] = p->kp * (path - x[Q1 + j] - x[E1 + j]) +
                       p->kd * (speed - x[W1 + j] - x[V1 + j]) + o.gravity[j];
    return o;
}

static void slow_rows(const pose *o, const double *x, double *dx)
{
    for (int j = 0; j < 2; j++) {
        dx[Q1 + j] = x[W1 + j];
        dx[W1 + j] = o->acceleration[j];
    }
}

static void fast_rows(const arm *p, const pose *o, const double *x, double *dx)
{
    for (int j = 0; j < 2; j++) {
        double i = x[I1 + j], back = p->kt * (x[W1 + j] + x[V1 + j]);
        dx[j] = x[V1 + j];
        dx[2 + j] = (p->driven * p->kt * i - o->torque[j]) / p->J - o->acceleration[j];
        dx[4 + j] = (p->driven * (p->r / p->kt * o->command[j] - back) - p->r * i) / p->l;
    }
}

static gt_status rhs_slow(double t, const double *x, double *dx, void *ctx)
{
    pose o = pose_of(ctx, t, x);
    slow_rows(&o, x, dx);
    return GT_OK;
}

static gt_status rhs_fast(double t, const double *x, double *dx, void *ctx)
{
    pose o = pose_of(ctx, t, x);
    fast_rows(ctx, &o, x, dx);
    return GT_OK;
}

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    pose o = pose_of(ctx, t, x);
    slow_rows(&o, x, dx);
    fast_rows(ctx, &o, x, dx + E1);
    return GT_OK;
}

/* M q'' = push is differentiated as it stands: M dq'' = dpush - dM q''. */
static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    const arm *p = ctx;
    pose o = pose_of(p, t, x);
    double b = p->b, c1 = cos(x[Q1]), c12 = cos(x[Q1] + x[Q2]), w1 = x[W1], w2 = x[W2];
    double dgravity[2][2] = {{p->g1 * c1 + p->g2 * c12, p->g2 * c12}, {p->g2 * c12, p->g2 * c12}};
    double dpush[SIZE][2] = {[Q1] = {-dgravity[0][0], -dgravity[1][0]},
                             [W1] = {2 * b * o.s2 * w2, -2 * b * o.s2 * w1},
                             [W2] = {2 * b * o.s2 * (w1 + w2), 0},
                             [E1] = {p->k, 0},
                             [E2] = {0, p->k},
                             [V1] = {p->d, 0},
                             [V2] = {0, p->d}};
    dpush[Q2][0] = -dgravity[0][1] + b * o.c2 * w2 * (2 * w1 + w2) +
                   b * o.s2 * (2 * o.acceleration[0] + o.acceleration[1]);
    dpush[Q2][1] = -dgravity[1][1] - b * o.c2 * w1 * w1 + b * o.s2 * o.acceleration[0];
    double(*column)[SIZE] = (double(*)[SIZE])J->values;
    for (int j = 0; j < SIZE; j++) {
        double da[2] = {(p->c * dpush[j][0] - o.m12 * dpush[j][1]) / o.det,
                        (o.m11 * dpush[j][1] - o.m12 * dpush[j][0]) / o.det};
        for (int row = 0; row < 2; row++) {
            column[j][W1 + row] = da[row];
            column[j][V1 + row] = -da[row];
        }
    }
    double drive = p->driven * p->r / p->kt / p->l, back = p->driven * p->kt / p->l;
    for (int j = 0; j < 2; j++) {
        column[W1 + j][Q1 + j] = column[V1 + j][E1 + j] = 1;
        column[E1 + j][V1 + j] -= p->k / p->J;
        column[V1 + j][V1 + j] -= p->d / p->J;
        column[I1 + j][V1 + j] = p->driven * p->kt / p->J;
        column[I1 + j][I1 + j] = -p->r / p->l;
        for (int i = 0; i < 2; i++) column[Q1 + i][I1 + j] = drive * dgravity[j][i];
        column[Q1 + j][I1 + j] -= drive * p->kp;
        column[E1 + j][I1 + j] = -drive * p->kp;
        column[W1 + j][I1 + j] = column[V1 + j][I1 + j] = -drive * p->kd - back;
    }
    return GT_OK;
}

static void energy(double t, const double *x, double *out, void *ctx)
{
    const arm *p = ctx;
    pose o = pose_of(p, t, x);
    double w1 = x[W1], w2 = x[W2];
    out[0] = 0.5 * (o.m11 * w1 * w1 + 2 * o.m12 * w1 * w2 + p->c * w2 * w2) - p->g1 * cos(x[Q1]) -
             p->g2 * cos(x[Q1] + x[Q2]);
    for (int j = 0; j < 2; j++) {
        double rotor = x[W1 + j] + x[V1 + j];
        out[0] += 0.5 * (p->k * x[E1 + j] * x[E1 + j] + p->J * (rotor * rotor));
    }
}

static const char *const drives[] = {"track", "free", NULL};
static const gt_param params[] = {
    REAL_PARAM("k", "stiffness of the joints", "N m/rad", 5000, 1e-3, 1e12),
    REAL_PARAM("d", "damping of the joints", "N m s/rad", 0.05, 0, 1e6),
    REAL_PARAM("J", "inertia of the rotors", "kg m^2", 0.02, 1e-9, 1e6),
    REAL_PARAM("l", "inductance of the windings", "H", 1e-4, 1e-12, 1e3),
    REAL_PARAM("r", "resistance of the windings", "ohm", 0.5, 1e-6, 1e6),
    REAL_PARAM("kt", "torque of the motors for each ampere", "N m/A", 0.8, 1e-6, 1e6),
    REAL_PARAM("kp", "gain of the controller in angle", "N m/rad", 20, 0, 1e6),
    REAL_PARAM("kd", "gain of the controller in rate", "N m s/rad", 2, 0, 1e6),
    REAL_PARAM("amplitude", "of the path to follow", "rad", 0.6, -10, 10),
    REAL_PARAM("frequency", "of the path to follow", "rad/s", 2, 0, 1e6),
    CHOICE_PARAM("drive", "the motors follow the path, or are taken off", 0, drives),
    REAL_PARAM("twist", "of both joints at the start", "rad", 0.002, -1, 1),
    {0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[] = {"q1", "q2", "w1", "w2", "e1", "e2", "v1", "v2", "i1", "i2"};
    static const char *const units[] = {"rad", "rad",   "rad/s", "rad/s", "rad",
                                        "rad", "rad/s", "rad/s", "A",     "A"};
    static const char *const kept[] = {"energy"};
    const double mass = 6, length = 0.7, g = 9.81; /* of each link, a uniform rod */
    arm *p = gt_arena_take(arena, 1, sizeof *p);
    if (!p) return GT_NO_MEMORY;
    *p = (arm){
        .k = v[0], .d = v[1], .J = v[2], .l = v[3], .r = v[4], .kt = v[5], .kp = v[6], .kd = v[7]};
    p->amplitude = v[8];
    p->frequency = v[9];
    p->driven = v[10] == 0;
    p->c = mass * length * length / 3;
    p->b = mass * length * length / 2;
    p->a = 2 * p->c + mass * length * length;
    p->g1 = 1.5 * mass * length * g;
    p->g2 = 0.5 * mass * length * g;
    p->x0[Q1] = 0.3;
    p->x0[Q2] = -0.2;
    p->x0[E1] = p->x0[E2] = v[11];
    bool keeps = !p->driven && p->d == 0;
    *problem = (gt_problem){.n_slow = 4,
                            .n_fast = 6,
                            .rhs = rhs,
                            .rhs_slow = rhs_slow,
                            .rhs_fast = rhs_fast,
                            .jac = jac,
                            .autonomous = !p->driven,
                            .t1 = 5,
                            .x0 = p->x0,
                            .ctx = p,
                            .names = names,
                            .units = units,
                            .n_invariants = keeps ? 1 : 0,
                            .invariant_names = kept,
                            .invariants = energy};
    return GT_OK;
}

const gt_model gt_model_flexjoint = {
    .abi = GT_MODEL_ABI,
    .name = "flexjoint",
    .title = "an arm of two links with elastic joints and electric motors that follow a path",
    .reference = "after Spong, J. Dyn. Syst. Meas. Control 109 (1987) 310",
    .equations =
        "M(q) w' + C(q, w) + G(q) = T, T = k e + d v, q' = w          slow\n"
        "e' = v, J (w' + v') = -T + kt i                              fast\n"
        "l i' = -r i - kt (w + v) + (r/kt) U                          fast\n"
        "U = kp (p - q - e) + kd (p' - w - v) + G(q), p = amplitude sin(frequency t)\n"
        "two uniform rods of 6 kg and 0.7 m; at rest at q = (0.3, -0.2), e = (twist, twist)",
    .params = params,
    .build = build};
