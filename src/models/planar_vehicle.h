/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_MODELS_PLANAR_VEHICLE_H
#define GEARTRAIN_MODELS_PLANAR_VEHICLE_H

/*
 * A rigid chassis on any number of axles in the plane of its length, each with a suspension, a hub
 * and a rigid-ring tyre: `vehicle` (two axles, shome) and `truck` differ in their numbers only. Hub
 * i moves up and down and spins; its x is that of the chassis point (l_i, -hg). y_c is counted so
 * that the suspension is relaxed at y_ch = y_H. With c = cos phi, s = sin phi:
 *
 *     g_i = -l_i s + hg c,  p_i = l_i c + hg s
 *     x_H = x_c + l_i c + hg s,        vx_H = vx_c + g_i phi'
 *     y_ch = y_c + l_i s + hg (1 - c), vy_ch = vy_c + p_i phi'
 *     F_s = Ks (y_ch - y_H) + Cs (vy_ch - vy_H) suspension F_x = Kx (x_R - x_H) + Cx (vx - vx_H),
 * F_y = .., T = Kt (theta_R - theta_H) + ..       sidewall, (B1)-(B3) m_H y_H'' = F_y + F_s - m_H
 * g,   I_H theta_H'' = T + T_ext M y_c'' = -sum F_s - M g [ M + N m_H      m_H sum g_i       ] [
 * x_c'' ]   [ sum (F_x + m_H phi'^2 p_i)                           ] [ m_H sum g_i    I + m_H sum
 * g_i^2 ] [ phi'' ] = [ sum (g_i (F_x + m_H phi'^2 p_i) - p_i F_s - T_ext)   ]
 *
 * Slow: x_c y_c phi, y_H theta_H of each axle, and their rates, 6 + 4 N in all. Fast: x y theta of
 * each ring, their rates, the slips, 7 N in all. Coordinates "relative" put x_R - x_H and theta_R -
 * theta_H in the places of x_R and theta_R; velocities stay absolute.
 *
 * With `balance` a last fast state W is the work done so far by torques, dampers and road, and
 * energy - W is constant.
 */
#include "models/rigid_ring.h"

typedef struct planar_data {
    size_t axles;
    double *l; /* position of each axle before the centre of gravity */
    double M, I, hg, Ks, Cs, mH, IH;
    tyre_data tyre;
    wheel_torque torque;
    double speed;
    bool relative, balance;
    int cost;
    double *x0;
} planar_data;

static inline size_t planar_slow(size_t axles) { return 6 + 4 * axles; }

/* Where the states are. */
enum { XC, YC, PHI, HUBS }; /* then y_H, theta_H of each axle; the rates in the same order */
enum { RING_X, RING_Y, RING_THETA }; /* of each ring; the rates in the same order; then the slips */

static inline size_t rates(const planar_data *p) { return 3 + 2 * p->axles; }
static inline size_t ring(const planar_data *p, size_t i) { return planar_slow(p->axles) + 3 * i; }
static inline size_t ring_rates(const planar_data *p, size_t i)
{
    return ring(p, p->axles) + 3 * i;
}
static inline size_t slip(const planar_data *p, size_t i) { return ring_rates(p, p->axles) + i; }
static inline size_t work(const planar_data *p) { return slip(p, p->axles); }

/* An axle as the chassis moves it. */
typedef struct axle {
    double g, p;         /* derivatives of x_H and y_ch by phi */
    double x, vx, y, vy; /* x_H, vx_H; y_ch, vy_ch */
} axle;

static inline axle axle_at(const planar_data *p, size_t i, const double *x, double c, double s)
{
    const double *v = x + rates(p);
    double l = p->l[i], hg = p->hg, g = -l * s + hg * c, q = l * c + hg * s;
    return (axle){.g = g,
                  .p = q,
                  .x = x[XC] + q,
                  .vx = v[XC] + g * v[PHI],
                  .y = x[YC] + l * s + hg * (1 - c),
                  .vy = v[YC] + q * v[PHI]};
}

/* Stretch of the sidewall and its rate, in x, y and theta. */
typedef struct sidewall {
    double x, y, theta, vx, vy, w;
} sidewall;

static inline sidewall sidewall_at(const planar_data *p, size_t i, const double *x, const axle *a)
{
    const double *r = x + ring(p, i), *v = x + ring_rates(p, i), *hub = x + HUBS + 2 * i;
    const double *hub_v = x + rates(p) + HUBS + 2 * i;
    return (sidewall){.x = p->relative ? r[RING_X] : r[RING_X] - a->x,
                      .y = r[RING_Y] - hub[0],
                      .theta = p->relative ? r[RING_THETA] : r[RING_THETA] - hub[1],
                      .vx = v[RING_X] - a->vx,
                      .vy = v[RING_Y] - hub_v[0],
                      .w = v[RING_THETA] - hub_v[1]};
}

static inline double force_x(const tyre_data *T, const sidewall *b)
{
    return T->Kx * b->x + T->Cx * b->vx;
}
static inline double force_y(const tyre_data *T, const sidewall *b)
{
    return T->Ky * b->y + T->Cy * b->vy;
}
static inline double moment(const tyre_data *T, const sidewall *b)
{
    return T->Kt * b->theta + T->Ct * b->w;
}

/* The coupled accelerations of x_c and phi. */
typedef struct two_by_two {
    double a, b, d; /* symmetric */
} two_by_two;

static inline void solve2(const two_by_two *A, const double r[2], double q[2])
{
    double det = A->a * A->d - A->b * A->b;
    q[0] = (A->d * r[0] - A->b * r[1]) / det;
    q[1] = (A->a * r[1] - A->b * r[0]) / det;
}

static inline ring_state ring_at(const planar_data *p, size_t i, const double *x, const axle *a)
{
    const double *r = x + ring(p, i), *v = x + ring_rates(p, i);
    return (ring_state){.x = p->relative ? a->x + r[RING_X] : r[RING_X],
                        .y = r[RING_Y],
                        .vx = v[RING_X],
                        .vy = v[RING_Y],
                        .w = v[RING_THETA],
                        .s = x[slip(p, i)]};
}

/* Takes x0 in static equilibrium at the given speed, names, units and, when sparse, the pattern of
 * the Jacobian from the arena and fills the problem. */
gt_status gt_planar_problem(planar_data *p, bool sparse, gt_problem *problem, gt_arena *arena);

/* Parts of it. */
gt_rhs_fn gt_planar_rhs, gt_planar_slow, gt_planar_fast;
void gt_planar_balance(double t, const double *x, double *out, void *ctx);
void gt_planar_start(planar_data *p);
gt_status gt_planar_jac(double t, const double *x, gt_matrix *J, void *ctx);

#define PLANAR_EQUATIONS                                                                           \
    "for each axle i: g = -l sin(phi) + hg cos(phi), p = l cos(phi) + hg sin(phi)\n"               \
    "    x_H = xc + l cos(phi) + hg sin(phi), y_ch = yc + l sin(phi) + hg (1 - cos(phi))\n"        \
    "    F_s = Ks (y_ch - y_H) + Cs (y_ch' - y_H'),  F_x = Kx (x_R - x_H) + Cx (x_R' - x_H')\n"    \
    "    F_y = Ky (y_R - y_H) + Cy (y_R' - y_H'),  T = Kt (th_R - th_H) + Ct (th_R' - th_H')\n"    \
    "slow:\n"                                                                                      \
    "    (M + N mH) xc'' + mH (sum g) phi'' = sum(F_x + mH phi'^2 p),  M yc'' = -sum F_s - M g\n"  \
    "    mH (sum g) xc'' + (I + mH sum g^2) phi'' = sum(g (F_x + mH phi'^2 p) - p F_s - T_ext)\n"  \
    "    mH y_H'' = F_y + F_s - mH g,  IH th_H'' = T + T_ext\n"                                    \
    "    T_ext = torque + torque_swing sin(2 pi torque_frequency t)\n"                             \
    "fast:\n"                                                                                      \
    "    F_N = max(0, -Kres (y_R - y_road - R) - Cres (y_R' - y_road'))\n"                         \
    "    u = 2 cpx a^2 |s|/(3 mu F_N),  F_road = sign(s) mu F_N (1 - (1 - u)^3), (u > 1: as at "   \
    "1)\n"                                                                                         \
    "    mR x_R'' = F_road - F_x,  mR y_R'' = F_N - F_y - mR g\n"                                  \
    "    IR th_R'' = R F_road + crr F_N sign(x_R') - T\n"                                          \
    "    s' = -(x_R' + R th_R' + |x_R'| s)/sigma,  sigma = max(a (1 - u)^2, sigma_min)\n"          \
    "start: static equilibrium, speed along x, th_R' = -speed/R, s = 0"

#endif
