/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The equations of vehicle3d.h as a model. The numbers are our own: chassis, suspension and hub of
 * the size of an HMMWV as in `vehicle`, the ring as there with 45 Hz across and 50 Hz in tilt, a
 * tread of ordinary stiffness. In C because its vectors and rotations would be pages of scalars as
 * text, and for the made-up work `cost`.
 */
#include "models/vehicle3d.h"
#include <geartrain/author/number.h>
#include <tgmath.h>

#define T double
#define FN(name) name##_real
#define RE(x) (x)
#include "models/vehicle3d_equations.h"
#undef T
#undef FN
#undef RE
#define T double complex
#define FN(name) name##_complex
#define RE(x) creal(x)
#include "models/vehicle3d_equations.h"
#undef T

static gt_status rhs_slow(double t, const double *x, double *dx, void *ctx)
{
    const space_data *p = ctx;
    slow_real(p, t, x, dx);
    if (p->cost) model_burn(x[V3_R + 2], p->cost);
    return GT_OK;
}

/* With a powertrain, whose states come first. */
static gt_status rhs_engine(double t, const double *x, double *dx, void *ctx)
{
    const space_data *p = ctx;
    powertrain_real(p, t, x + V3_DRIVE, dx);
    if (p->cost) model_burn(x[0], p->cost);
    return GT_OK;
}

static gt_status rhs_chassis(double t, const double *x, double *dx, void *ctx)
{
    slow_real(ctx, t, x + V3_DRIVE, dx);
    return GT_OK;
}

static gt_status rhs_tyres(double t, const double *x, double *dx, void *ctx)
{
    fast_real(ctx, t, x + V3_DRIVE, dx);
    return GT_OK;
}

static gt_status rhs_engine_chassis(double t, const double *x, double *dx, void *ctx)
{
    rhs_engine(t, x, dx, ctx);
    return rhs_chassis(t, x, dx + V3_DRIVE, ctx);
}

static gt_status rhs_chassis_tyres(double t, const double *x, double *dx, void *ctx)
{
    rhs_chassis(t, x, dx, ctx);
    return rhs_tyres(t, x, dx + V3_SLOW, ctx);
}

static gt_status rhs_three(double t, const double *x, double *dx, void *ctx)
{
    rhs_engine(t, x, dx, ctx);
    return rhs_chassis_tyres(t, x, dx + V3_DRIVE, ctx);
}

static gt_status rhs_fast(double t, const double *x, double *dx, void *ctx)
{
    fast_real(ctx, t, x, dx);
    return GT_OK;
}

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    rhs_slow(t, x, dx, ctx);
    return rhs_fast(t, x, dx + V3_SLOW, ctx);
}

/* Column j is Im f(x + i h e_j) / h: no difference is taken, so h may be as small as one likes. */
static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    const double h = 1e-40;
    const space_data *p = ctx;
    double complex z[V3_DRIVE + V3_WORK + 1], dz[V3_DRIVE + V3_WORK + 1];
    size_t n = J->n, first = p->powertrain ? V3_DRIVE : 0;
    for (size_t i = 0; i < n; i++) z[i] = x[i];
    for (size_t j = 0; j < n; j++) {
        z[j] = x[j] + h * I;
        if (p->powertrain) powertrain_complex(p, t, z + first, dz);
        slow_complex(p, t, z + first, dz + first);
        fast_complex(p, t, z + first, dz + first + V3_SLOW);
        z[j] = x[j];
        for (size_t i = 0; i < n; i++) J->values[j * n + i] = cimag(dz[i]) / h;
    }
    return GT_OK;
}

/* Kinetic and potential energy of all bodies, less the work done. */
static void balance(double t, const double *x, double *out, void *ctx)
{
    const space_data *p = ctx;
    if (p->powertrain) x += V3_DRIVE;
    const double *v = x + V3_V, *w = x + V3_W;
    double B[3][3], E = p->M * (dot_real(v, v) / 2 + p->g * x[V3_R + 2]);
    attitude_real(x + V3_ANGLES, B);
    for (int j = 0; j < 3; j++) E += p->inertia[j] * w[j] * w[j] / 2;
    for (int i = 0; i < 4; i++) {
        const double *ring = x + V3_SLOW + V3_WHEEL * i, *d = ring + V3_D, *tilt = ring + V3_TILT,
                     *n = ring + V3_N;
        double q = x[V3_Q + i], other = x[V3_Q + (i ^ 1)], at[3], hub[3], place[3];
        wheel_real k;
        look_real(p, t, x, i, B, &k);
        double spin = -k.sa * w[0] + k.ca * w[1] + x[V3_OMEGA + i];
        turn_real(B, k.c, hub);
        to_body_real(&k, d, at);
        for (int j = 0; j < 3; j++) at[j] += k.c[j];
        turn_real(B, at, place);
        E += p->mH * (dot_real(k.hub_v, k.hub_v) / 2 + p->g * (x[V3_R + 2] + hub[2])) +
             p->J * spin * spin / 2;
        E += p->mR * (dot_real(ring + V3_VEL, ring + V3_VEL) / 2 + p->g * (x[V3_R + 2] + place[2]));
        E += (p->Jd * (n[0] * n[0] + n[2] * n[2]) + p->Jp * n[1] * n[1]) / 2;
        E += p->F0[i] * q + p->Ks * q * q / 2 + p->Karb * (q - other) * (q - other) / 4;
        for (int j = 0; j < 3; j++) E += (p->K[j] * d[j] * d[j] + p->Kr[j] * tilt[j] * tilt[j]) / 2;
    }
    out[0] = E - x[V3_WORK];
}

static const char *const balance_choices[] = {"off", "on", NULL};
static const char *const powertrain_choices[] = {"off", "slow", "third", NULL};
enum { WITHOUT, IN_SLOW, THIRD };
enum {
    SPEED,
    TORQUE,
    STEER,
    STEER_HZ,
    ROAD,
    ROAD_LENGTH,
    COST,
    BALANCE,
    MASS,
    IXX,
    IYY,
    IZZ,
    LF,
    LR,
    TRACK,
    HG,
    KS
};
enum {
    CS = KS + 1,
    KARB,
    MH,
    IH,
    MR,
    IR,
    ID,
    RADIUS,
    KX,
    CX,
    KY,
    CY,
    KT,
    CT,
    KG,
    CG,
    KRES,
    CRES,
    HALF,
    CPX,
    MU,
    CRR
};
enum { SIGMA = CRR + 1, GRAVITY, POWERTRAIN };

static const gt_param params[] = {
    [SPEED] = REAL_PARAM("speed", "forward speed at the start", "m/s", 5, 0, 1e3),
    [TORQUE] = REAL_PARAM("torque", "torque on each wheel; positive drives forward", "N m", 135,
                          -1e6, 1e6),
    [STEER] = REAL_PARAM("steer", "amplitude of the steering angle of the front wheels", "rad",
                         0.02, -0.7, 0.7),
    [STEER_HZ] = REAL_PARAM("steer_frequency", "frequency of the steering", "Hz", 0.5, 0, 100),
    [ROAD] = REAL_PARAM("road", "height of the waves of the road", "m", 0, -10, 10),
    [ROAD_LENGTH] = REAL_PARAM("road_length", "length of a wave of the road", "m", 2, 1e-3, 1e6),
    [COST] =
        INTEGER_PARAM("cost", "rounds of made-up work in the slow function, which change no value",
                      0, 0, 1000000000),
    [BALANCE] =
        CHOICE_PARAM("balance", "on: a state W counts the work done, energy - W is constant", 0,
                     balance_choices),
    [MASS] = REAL_PARAM("M", "mass of the chassis", "kg", 2086.52, GT_POSITIVE, 1e9),
    [IXX] = REAL_PARAM("Ixx", "inertia in roll", "kg m^2", 1078.5, GT_POSITIVE, 1e9),
    [IYY] = REAL_PARAM("Iyy", "inertia in pitch", "kg m^2", 2955.7, GT_POSITIVE, 1e9),
    [IZZ] = REAL_PARAM("Izz", "inertia in yaw", "kg m^2", 3570.2, GT_POSITIVE, 1e9),
    [LF] = REAL_PARAM("lf", "front axle before the centre of gravity", "m", 1.5775, 1e-3, 100),
    [LR] = REAL_PARAM("lr", "rear axle behind it", "m", 1.7245, 1e-3, 100),
    [TRACK] = REAL_PARAM("track", "width between the wheels", "m", 1.82, 1e-3, 100),
    [HG] = REAL_PARAM("hg", "centre of gravity above the front hubs", "m", 0.35, -10, 10),
    [KS] = REAL_PARAM("Ks", "stiffness of the suspension", "N/m", 40400, GT_POSITIVE, 1e12),
    [CS] = REAL_PARAM("Cs", "damping of the suspension", "N s/m", 14500, 0, 1e9),
    [KARB] = REAL_PARAM("Karb", "stiffness of the anti-roll bars", "N/m", 10000, 0, 1e12),
    [MH] = REAL_PARAM("mH", "mass of hub and rim", "kg", 60, GT_POSITIVE, 1e6),
    [IH] = REAL_PARAM("IH", "inertia of hub and rim about the axle", "kg m^2", 4, GT_POSITIVE, 1e6),
    [MR] = REAL_PARAM("mR", "mass of the ring", "kg", 7, GT_POSITIVE, 1e6),
    [IR] = REAL_PARAM("IR", "inertia of the ring about the axle", "kg m^2", 0.6, GT_POSITIVE, 1e6),
    [ID] =
        REAL_PARAM("Id", "inertia of the ring about a diameter", "kg m^2", 0.35, GT_POSITIVE, 1e6),
    [RADIUS] = REAL_PARAM("R", "radius of the ring", "m", 0.3135, GT_POSITIVE, 100),
    [KX] = REAL_PARAM("Kx", "sidewall stiffness along x and z", "N/m", 1.769e6, GT_POSITIVE, 1e12),
    [CX] = REAL_PARAM("Cx", "sidewall damping along x and z", "N s/m", 281, 0, 1e9),
    [KY] = REAL_PARAM("Ky", "sidewall stiffness across", "N/m", 5.6e5, GT_POSITIVE, 1e12),
    [CY] = REAL_PARAM("Cy", "sidewall damping across", "N s/m", 158, 0, 1e9),
    [KT] = REAL_PARAM("Kt", "sidewall stiffness in torsion", "N m/rad", 1.161e5, 0, 1e12),
    [CT] = REAL_PARAM("Ct", "sidewall damping in torsion", "N m s/rad", 21.1, 0, 1e9),
    [KG] = REAL_PARAM("Kg", "sidewall stiffness in tilt", "N m/rad", 3.45e4, GT_POSITIVE, 1e12),
    [CG] = REAL_PARAM("Cg", "sidewall damping in tilt", "N m s/rad", 8.8, 0, 1e9),
    [KRES] =
        REAL_PARAM("Kres", "residual stiffness of the contact", "N/m", 225500, GT_POSITIVE, 1e12),
    [CRES] = REAL_PARAM("Cres", "residual damping of the contact", "N s/m", 450, 0, 1e9),
    [HALF] = REAL_PARAM("a", "half length of the contact", "m", 0.04, GT_POSITIVE, 10),
    [CPX] = REAL_PARAM("cpx", "stiffness of the tread per area", "N/m^2", 2.5e7, GT_POSITIVE, 1e12),
    [MU] = REAL_PARAM("mu", "friction", NULL, 1, GT_POSITIVE, 10),
    [CRR] = REAL_PARAM("crr", "arm of the rolling resistance", "m", 0.003, 0, 10),
    [SIGMA] = REAL_PARAM("sigma_min", "smallest relaxation length", "m", 0.01, GT_POSITIVE, 10),
    [GRAVITY] = REAL_PARAM("g", "acceleration of gravity", "m/s^2", 9.81, 0, 1e3),
    [POWERTRAIN] = CHOICE_PARAM("powertrain",
                                "an engine drives, torque is its scale; its states are slow beside "
                                "the chassis, or a third rate",
                                0, powertrain_choices),
    {0}};

/* The springs carry their loads with the chassis level, so that all else is springs in a row at
 * each wheel. */
static void start(space_data *p, const double *v)
{
    double wheelbase = v[LF] + v[LR], *x = p->x0 + V3_DRIVE;
    x[V3_WALL] = 1;
    x[V3_CHARGE] = 0.5;
    x[V3_TORQUE] = v[TORQUE];
    for (int i = 0; i < 4; i++) {
        double *ring = x + V3_SLOW + V3_WHEEL * i;
        p->F0[i] = p->M * p->g * (i < 2 ? v[LR] : v[LF]) / (2 * wheelbase);
        double sag = (p->F0[i] + p->mH * p->g) / p->K[2];
        double height = p->R - (p->F0[i] + (p->mH + p->mR) * p->g) / p->Kres;
        if (i == 0) x[V3_R + 2] = height - sag + v[HG];
        p->b[i][0] = i < 2 ? v[LF] : -v[LR];
        p->b[i][1] = (i % 2 ? -0.5 : 0.5) * v[TRACK];
        p->b[i][2] = height - sag - x[V3_R + 2];
        ring[V3_D + 2] = sag;
        ring[V3_VEL] = v[SPEED];
        ring[V3_N + 1] = x[V3_OMEGA + i] = v[SPEED] / p->R;
    }
    x[V3_V] = v[SPEED];
}

static const char *const names[] = {
    "burnt",    "wall",     "charge",   "torque",   "x",  "y",  "z",  "roll", "pitch", "yaw",
    "q1",       "q2",       "q3",       "q4",       "vx", "vy", "vz", "wx",   "wy",    "wz",
    "vq1",      "vq2",      "vq3",      "vq4",      "w1", "w2", "w3", "w4",
#define WHEEL(i)                                                                                   \
    "dx" i, "dy" i, "dz" i, "tilt" i, "wind" i, "turn" i, "vxR" i, "vyR" i, "vzR" i, "nx" i,       \
        "ny" i, "nz" i, "sx" i, "sy" i
    WHEEL("1"), WHEEL("2"), WHEEL("3"), WHEEL("4"), "W"};
static const char *const units[] = {
    "kg",        "1",         "1",         "N m",       "m",     "m",     "m",
    "rad",       "rad",       "rad",       "m",         "m",     "m",     "m",
    "m/s",       "m/s",       "m/s",       "rad/s",     "rad/s", "rad/s", "m/s",
    "m/s",       "m/s",       "m/s",       "rad/s",     "rad/s", "rad/s", "rad/s",
#define WHEEL_UNITS                                                                                \
    "m", "m", "m", "rad", "rad", "rad", "m/s", "m/s", "m/s", "rad/s", "rad/s", "rad/s", "1", "1"
    WHEEL_UNITS, WHEEL_UNITS, WHEEL_UNITS, WHEEL_UNITS, "J"};

static void add_powertrain(space_data *p, bool third, gt_problem *problem)
{
    static gt_rhs_fn *const rates[] = {rhs_chassis, rhs_tyres};
    double engine = 11000 + MODEL_BURN_WORK * (double)p->cost, chassis = 2100;
    p->sizes[0] = V3_SLOW;
    p->sizes[1] = problem->n_fast;
    problem->n_slow = third ? V3_DRIVE : V3_DRIVE + V3_SLOW;
    problem->n_fast = third ? V3_SLOW + p->sizes[1] : p->sizes[1];
    problem->rhs = rhs_three;
    problem->rhs_slow = third ? rhs_engine : rhs_engine_chassis;
    problem->rhs_fast = third ? rhs_chassis_tyres : rhs_tyres;
    problem->work.slow = third ? engine : engine + chassis;
    problem->work.fast = third ? chassis + 1900 : 1900;
    problem->work.full = engine + chassis + 1900;
    problem->x0 = p->x0;
    problem->names = names;
    problem->units = units;
    if (!third) return;
    problem->n_rates = 2;
    problem->rate_sizes = p->sizes;
    problem->rhs_rates = rates;
}

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const invariant_names[] = {"energy - W"};
    space_data *p = gt_arena_take(arena, 1, sizeof *p);
    if (!p) return GT_NO_MEMORY;
    *p = (space_data){.M = v[MASS],
                      .inertia = {v[IXX], v[IYY], v[IZZ]},
                      .mH = v[MH],
                      .J = v[IH],
                      .Ks = v[KS],
                      .Cs = v[CS],
                      .Karb = v[KARB],
                      .g = v[GRAVITY],
                      .mR = v[MR],
                      .Jp = v[IR],
                      .Jd = v[ID],
                      .R = v[RADIUS],
                      .K = {v[KX], v[KY], v[KX]},
                      .C = {v[CX], v[CY], v[CX]},
                      .Kr = {v[KG], v[KT], v[KG]},
                      .Cr = {v[CG], v[CT], v[CG]},
                      .Kres = v[KRES],
                      .Cres = v[CRES],
                      .a = v[HALF],
                      .cp = v[CPX],
                      .mu = v[MU],
                      .crr = v[CRR],
                      .sigma_min = v[SIGMA],
                      .road = v[ROAD],
                      .road_length = v[ROAD_LENGTH],
                      .torque = v[TORQUE],
                      .steer = v[STEER],
                      .steer_frequency = v[STEER_HZ],
                      .balance = v[BALANCE] == 1,
                      .powertrain = v[POWERTRAIN] != WITHOUT,
                      .cost = (int)v[COST]};
    start(p, v);
    double slow = 2100 + MODEL_BURN_WORK * (double)p->cost, fast = 1900;
    *problem = (gt_problem){.n_slow = V3_SLOW,
                            .n_fast = 4 * V3_WHEEL + (p->balance ? 1 : 0),
                            .rhs = rhs,
                            .rhs_slow = rhs_slow,
                            .rhs_fast = rhs_fast,
                            .jac = jac,
                            .t1 = 10,
                            .x0 = p->x0 + V3_DRIVE,
                            .work = {.full = slow + fast, .slow = slow, .fast = fast},
                            .ctx = p,
                            .names = names + V3_DRIVE,
                            .units = units + V3_DRIVE,
                            .n_invariants = p->balance ? 1 : 0,
                            .invariant_names = invariant_names,
                            .invariants = p->balance ? balance : NULL};
    if (p->powertrain) add_powertrain(p, v[POWERTRAIN] == THIRD, problem);
    return GT_OK;
}

const gt_model gt_model_vehicle3d = {
    .abi = GT_MODEL_ABI,
    .name = "vehicle3d",
    .title =
        "vehicle in space: chassis, four hubs, four rigid-ring tyres, 24 slow and 56 fast states",
    .reference =
        "after Shome, Haug, Jay, Mech. Based Des. Struct. 32 (2004), Table 9; ring: Maurice, "
        "Zegelaar, Pacejka, "
        "Veh. Syst. Dyn. 29 (1998); contact: Pacejka, Tyre and Vehicle Dynamics, chapter 3",
    .equations =
        "chassis:  M alpha = M g + sum N,  I w' + w x I w = sum (c x N + L - (T_d - m_y) a - h_a)\n"
        "hub:      N_xy = (F + mH g - mH (alpha + w' x c + beta))_xy,  N_z = F_s,  c = b + q e_z\n"
        "          q'' = (F/mH + g - alpha - w' x c - beta)_z - F_s/mH,  IH (W' + a.w' + a'.w) = "
        "T_d - m_y\n"
        "          F_s = F_0 + Ks q + Cs q' + Karb (q - q of the other side)\n"
        "ring:     f = -(K d + C d'),  m = -(K_r angles + C_r angles'),  F = -f,  L = -(m + d x "
        "f)\n"
        "          mR V' = f + F_c + mR g,  IR ny' = M_y,  Id nx' = M_x + nz (IR ny - Id w_y),  Id "
        "nz' = ..\n"
        "contact:  u = 2 cpx a^2 |s|/(3 mu F_N),  F_xy = 2 cpx a^2 (1 - u + u^2/3) s  (u > 1: mu "
        "F_N s/|s|)\n"
        "          s' = -(slip velocity + |V_x| s)/sigma,  sigma = max(a (1 - u)^2, sigma_min)",
    .params = params,
    .build = build};
