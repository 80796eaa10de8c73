/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shome, Figure 2 (C): as the planar vehicle with one wheel, half its chassis and no pitch. Slow: x
 * y_c y_H theta_H and their rates; fast: ring x y theta, their rates, and the slip. The hub is at
 * the x of the chassis. In C because `coordinates` changes what the states are and how they are
 * named, and for the made-up work `cost`.
 */
#include "models/rigid_ring.h"

typedef struct {
    double m, Ks, Cs, mH, IH; /* m = M/2 */
    tyre_data tyre;
    wheel_torque torque;
    bool relative;
    int cost;
    double x0[15];
} quarter;

enum { X, YC, YH, TH, VX, VYC, VYH, WH, N_SLOW };
enum { XR = N_SLOW, YR, TR, VXR, VYR, WR, SLIP, N_ALL };

static inline double stretch_x(const quarter *p, const double *x)
{
    return p->relative ? x[XR] : x[XR] - x[X];
}
static inline double stretch_t(const quarter *p, const double *x)
{
    return p->relative ? x[TR] : x[TR] - x[TH];
}
static inline double force_x(const quarter *p, const double *x)
{
    return p->tyre.Kx * stretch_x(p, x) + p->tyre.Cx * (x[VXR] - x[VX]);
}
static inline double force_y(const quarter *p, const double *x)
{
    return p->tyre.Ky * (x[YR] - x[YH]) + p->tyre.Cy * (x[VYR] - x[VYH]);
}
static inline double moment(const quarter *p, const double *x)
{
    return p->tyre.Kt * stretch_t(p, x) + p->tyre.Ct * (x[WR] - x[WH]);
}

static gt_status rhs_slow(double t, const double *x, double *dx, void *ctx)
{
    const quarter *p = ctx;
    double F_s = p->Ks * (x[YC] - x[YH]) + p->Cs * (x[VYC] - x[VYH]);
    for (int i = 0; i < 4; i++) dx[i] = x[VX + i];
    dx[VX] = force_x(p, x) / (p->m + p->mH);
    dx[VYC] = -F_s / p->m - p->tyre.g;
    dx[VYH] = (force_y(p, x) + F_s) / p->mH - p->tyre.g;
    dx[WH] = (moment(p, x) + torque_at(&p->torque, t)) / p->IH;
    if (p->cost) model_burn(x[YC], p->cost);
    return GT_OK;
}

static ring_state ring_at(const quarter *p, const double *x)
{
    return (ring_state){p->relative ? x[X] + x[XR] : x[XR], x[YR], x[VXR], x[VYR], x[WR], x[SLIP]};
}

static gt_status rhs_fast(double t, const double *x, double *dx, void *ctx)
{
    const quarter *p = ctx;
    const tyre_data *T = &p->tyre;
    ring_state r = ring_at(p, x);
    tyre_contact k;
    (void)t;
    tyre_touch(T, &r, &k, false);
    dx[0] = p->relative ? x[VXR] - x[VX] : x[VXR];
    dx[1] = x[VYR];
    dx[2] = p->relative ? x[WR] - x[WH] : x[WR];
    dx[3] = (k.F_road - force_x(p, x)) / T->m;
    dx[4] = (k.F_N - force_y(p, x)) / T->m - T->g;
    dx[5] = (T->R * k.F_road + T->crr * k.F_N * sign_of(r.vx) - moment(p, x)) / T->I;
    dx[6] = k.slip_rate;
    return GT_OK;
}

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    rhs_slow(t, x, dx, ctx);
    return rhs_fast(t, x, dx + N_SLOW, ctx);
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    const quarter *p = ctx;
    const tyre_data *T = &p->tyre;
    double rows[N_ALL][N_ALL] = {{0}}, F_x[N_ALL] = {0}, F_y[N_ALL] = {0}, M[N_ALL] = {0},
           F_s[N_ALL] = {0}, F_N[N_ALL] = {0};
    ring_state r = ring_at(p, x);
    tyre_contact k;
    (void)t;
    tyre_touch(T, &r, &k, true);
    F_x[XR] = T->Kx, F_x[VXR] = T->Cx, F_x[VX] = -T->Cx, F_x[X] = p->relative ? 0 : -T->Kx;
    F_y[YR] = T->Ky, F_y[VYR] = T->Cy, F_y[VYH] = -T->Cy, F_y[YH] = -T->Ky;
    M[TR] = T->Kt, M[WR] = T->Ct, M[WH] = -T->Ct, M[TH] = p->relative ? 0 : -T->Kt;
    F_s[YC] = p->Ks, F_s[YH] = -p->Ks, F_s[VYC] = p->Cs, F_s[VYH] = -p->Cs;
    F_N[XR] = k.N_x, F_N[YR] = k.N_y, F_N[VXR] = k.N_vx, F_N[VYR] = k.N_vy,
    F_N[X] = p->relative ? k.N_x : 0;
    for (int i = 0; i < 4; i++) rows[i][VX + i] = 1;
    for (int i = 0; i < 3; i++) rows[XR + i][VXR + i] = 1;
    if (p->relative) rows[XR][VX] = rows[TR][WH] = -1;
    for (int j = 0; j < N_ALL; j++) {
        rows[VX][j] = F_x[j] / (p->m + p->mH);
        rows[VYC][j] = -F_s[j] / p->m;
        rows[VYH][j] = (F_y[j] + F_s[j]) / p->mH;
        rows[WH][j] = M[j] / p->IH;
        double F_road = k.road_N * F_N[j] + (j == SLIP ? k.road_s : 0);
        rows[VXR][j] = (F_road - F_x[j]) / T->m;
        rows[VYR][j] = (F_N[j] - F_y[j]) / T->m;
        rows[WR][j] = (T->R * F_road + T->crr * F_N[j] * sign_of(r.vx) - M[j]) / T->I;
        rows[SLIP][j] = k.s_N * F_N[j];
    }
    rows[SLIP][VXR] += k.s_vx;
    rows[SLIP][WR] += k.s_w;
    rows[SLIP][SLIP] += k.s_s;
    return model_dense(J, rows[0]);
}

/* Suspension, sidewall and contact are springs in a row. */
static void start(quarter *p, double speed)
{
    const tyre_data *T = &p->tyre;
    double g = T->g, *x = p->x0;
    x[YR] = T->R - (p->m + p->mH + T->m) * g / T->Kres;
    x[YH] = x[YR] - (p->m + p->mH) * g / T->Ky;
    x[YC] = x[YH] - p->m * g / p->Ks;
    x[VX] = x[VXR] = speed;
    x[WH] = x[WR] = -speed / T->R;
}

static const gt_param params[] = {
    RUN_PARAMS(5),
    TORQUE_PARAMS(-135, -45),
    TYRE_PARAMS(2.5e7),
    REAL_PARAM("M", "mass of half the vehicle", "kg", 1043.26, GT_POSITIVE, 1e9),
    REAL_PARAM("Ks", "stiffness of the suspension", "N/m", 40400, GT_POSITIVE, 1e12),
    REAL_PARAM("Cs", "damping of the suspension", "N s/m", 14500, 0, 1e9),
    REAL_PARAM("mH", "mass of hub and rim", "kg", 60, GT_POSITIVE, 1e6),
    REAL_PARAM("IH", "inertia of hub and rim", "kg m^2", 4, GT_POSITIVE, 1e6),
    {0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const absolute[] = {"xc", "yc", "yH",  "thH", "vxc", "vyc", "vyH", "wH",
                                           "xR", "yR", "thR", "vxR", "vyR", "wR",  "s"};
    static const char *const relative[] = {"xc", "yc", "yH",  "thH", "vxc", "vyc", "vyH", "wH",
                                           "dx", "yR", "dth", "vxR", "vyR", "wR",  "s"};
    static const char *const units[] = {"m", "m", "m",   "rad", "m/s", "m/s",   "m/s", "rad/s",
                                        "m", "m", "rad", "m/s", "m/s", "rad/s", "1"};
    quarter *p = gt_arena_take(arena, 1, sizeof *p);
    if (!p) return GT_NO_MEMORY;
    const double *own = v + 6 + N_TYRE_PARAMS;
    *p = (quarter){.relative = v[1] == 1,
                   .cost = (int)v[2],
                   .torque = {v[3], v[4], v[5]},
                   .tyre = tyre_of(v + 6),
                   .m = own[0] / 2,
                   .Ks = own[1],
                   .Cs = own[2],
                   .mH = own[3],
                   .IH = own[4]};
    start(p, v[0]);
    double slow = 45 + MODEL_BURN_WORK * (double)p->cost,
           fast = 50 + (p->tyre.road_height != 0 ? 60 : 0);
    *problem = (gt_problem){.n_slow = N_SLOW,
                            .n_fast = N_ALL - N_SLOW,
                            .rhs = rhs,
                            .rhs_slow = rhs_slow,
                            .rhs_fast = rhs_fast,
                            .jac = jac,
                            .t1 = 50,
                            .x0 = p->x0,
                            .work = {.full = slow + fast, .slow = slow, .fast = fast},
                            .ctx = p,
                            .names = p->relative ? relative : absolute,
                            .units = units};
    return GT_OK;
}

const gt_model gt_model_quartercar_c = {
    .abi = GT_MODEL_ABI,
    .name = "quartercar_c",
    .title = "quarter car C: chassis, hub and a rigid-ring tyre",
    .reference = "Shome, Haug, Jay, Mech. Based Des. Struct. 32 (2004), Figure 2 and appendix B",
    .equations =
        "(M/2 + mH) xc'' = F_x,  (M/2) yc'' = -F_s - (M/2) g,  mH yH'' = F_y + F_s - mH g,  IH "
        "thH'' = T + T_ext\n"
        "F_s = Ks (yc - yH) + Cs (yc' - yH'),  F_x = Kx (xR - xc) + Cx (xR' - xc'),  F_y, T alike\n"
        "mR xR'' = F_road - F_x,  mR yR'' = F_N - F_y - mR g,  IR thR'' = R F_road + crr F_N "
        "sign(xR') - T\n"
        "F_N = max(0, -Kres (yR - y_road - R) - Cres (yR' - y_road')),  u = 2 cpx a^2 |s|/(3 mu "
        "F_N)\n"
        "F_road = sign(s) mu F_N (1 - (1 - u)^3), (u > 1: as at 1)\n"
        "s' = -(xR' + R thR' + |xR'| s)/sigma,  sigma = max(a (1 - u)^2, sigma_min)",
    .params = params,
    .build = build};
