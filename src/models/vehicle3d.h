/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_MODELS_VEHICLE3D_H
#define GEARTRAIN_MODELS_VEHICLE3D_H

/*
 * A vehicle in space: chassis, four hubs on vertical guides, four rigid-ring tyres. x forward, y
 * left, z up; angles by the right-hand rule, so that wheels turn positively when they roll forward.
 *
 * Chassis: centre of gravity r, attitude by roll, pitch, yaw, C_B = Rz(yaw) Ry(pitch) Rx(roll);
 * velocity v (fixed axes) and angular velocity w (body axes). Hub i at c = b_i + q e_z of the
 * chassis moves by q along the body's z and spins by Omega about a = Rz(delta) e_y, delta the
 * steering angle. With F the force and L the moment of the ring on the hub (body axes), alpha =
 * C_B^T v', beta = w x (w x c) + 2 w x q' e_z, T_d the driving torque and F_s = F_0 + Ks q + Cs q'
 * + Karb (q - q of the other side), Newton's and Euler's equations (Kane's form: the spins and the
 * q'' are eliminated) are
 *
 *     N_xy = F_xy + m_H g_xy - m_H (alpha + w' x c + beta)_xy,   N_z = F_s
 *     M alpha = M g + sum N                               I w' + w x I w = sum (c x N + L - (T_d -
 * m_y) a - h_a) q'' = (F + m_H g)_z / m_H - F_s / m_H - (alpha + w' x c + beta)_z J (Omega' + a.w'
 * + a'.w) = T_d - m_y                h_a = J (a.w + Omega) (w x a + a')
 *
 * Ring, six degrees of freedom (Maurice, Zegelaar, Pacejka 1998; Schmeitz 2004): displacement d and
 * small angles (gamma, windup, kappa) against the carrier, which is the chassis turned by delta;
 * velocity V (fixed axes), angular velocity n (carrier axes); sidewall springs and dampers in all
 * six directions:
 *
 *     f = -(K d + C d'),  m = -(K_r angles + C_r angles')
 *     L = -(m + d x f),  F = -f                           m_R V' = f + F_c + m_R g
 *     J_p n_y' = M_y,  J_d n_x' = M_x + n_z (J_p n_y - J_d w_y),  J_d n_z' = M_z - n_x (J_p n_y -
 * J_d w_y)
 *
 * Contact: brush model with isotropic combined slip (Pacejka, Tyre and Vehicle Dynamics, chapter 3)
 * and first-order relaxation, s = (s_x, s_y), u = 2 cp a^2 |s| / (3 mu F_N):
 *
 *     F_xy = 2 cp a^2 (1 - u + u^2/3) s (u < 1), mu F_N s/|s| above;   aligning moment -(a/3)
 * (1-u)^3/(1-u+u^2/3) F_y s' = -(slip velocity + |V_x| s) / sigma,  sigma = max(a (1-u)^2,
 * sigma_min)
 *
 * F_N, the rolling resistance and the road are those of the planar tyre. Small terms left out:
 * products of the ring's tilt, and the turning of carrier axes against the ring's own.
 *
 * Slow: r, attitude, q | v, w, q', Omega (24). Fast, for each wheel: d, angles | V, n | s (14).
 * With `balance` a last fast state is the work done by torques, dampers, road and steering, and
 * energy less work is constant.
 *
 * With `powertrain` the torque on the wheels is a state of an engine whose cycle is computed by
 * crank angle in each call: expensive, and slower than all else. Its states stand before those of
 * the chassis: fuel burnt, temperature of the walls, charge, torque (4).
 */
#include "models/model_kit.h"
#include <complex.h>
#include <stdbool.h>

enum {
    V3_R = 0,
    V3_ANGLES = 3,
    V3_Q = 6,
    V3_V = 10,
    V3_W = 13,
    V3_QDOT = 16,
    V3_OMEGA = 20,
    V3_SLOW = 24
};
enum {
    V3_D = 0,
    V3_TILT = 3,
    V3_VEL = 6,
    V3_N = 9,
    V3_SLIP = 12,
    V3_WHEEL = 14,
    V3_WORK = V3_SLOW + 4 * V3_WHEEL
};

/* Of a powertrain, before those of the chassis. */
enum { V3_DRIVE = 4, V3_BURNT = -4, V3_WALL, V3_CHARGE, V3_TORQUE };

typedef struct space_data {
    double M, inertia[3], mH, J, Ks, Cs, Karb, g;
    double b[4][3], F0[4]; /* hubs at rest; static loads of the suspension */
    double mR, Jp, Jd, R, K[3], C[3], Kr[3], Cr[3]; /* ring */
    double Kres, Cres, a, cp, mu, crr, sigma_min;   /* contact */
    double road, road_length;
    double torque, steer, steer_frequency;
    bool balance, powertrain;
    int cost;
    size_t sizes[2]; /* of chassis and tyres beside a powertrain */
    double x0[V3_DRIVE + V3_WORK + 1];
} space_data;

#endif
