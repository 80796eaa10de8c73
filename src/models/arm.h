/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_MODELS_ARM_H
#define GEARTRAIN_MODELS_ARM_H

/*
 * What the one-link flexible manipulators of xie, chapters 4 and 5, share: M z'' + C z' + K z = e_0
 * u(t), where z_0 is the rotation of the hub, on which a torque acts. Feedback of hub and tip
 * (4.38) adds to the first row of C and K.
 */
#include "models/model_kit.h"
#include <geartrain/author/lu.h>

typedef struct gt_arm_link {
    double eta, mu, kappa, zeta; /* hub inertia; tip mass, inertia and offset */
    /* of the link: mass, bending rigidity, rotatory inertia, shear rigidity */
    double alpha, beta, delta, gamma;
    double k_theta, k_dtheta, k_w, k_dw; /* gains */
    double amplitude, duration;          /* of the torque */
    double theta0, bend;                 /* start: hub angle (closed loop), tip deflection */
    double theta_d;                      /* where the closed loop turns the hub to */
    double alpha_tip, beta_tip, delta_tip, gamma_tip; /* at the tip, over the values at the hub */
    double length, mass, rigidity; /* L, M_0, D_0 of (4.12): metres, kilograms, newton metres^2 */
} gt_arm_link;

enum { GT_ARM_OPEN, GT_ARM_CLOSED };
enum { GT_ARM_PULSE, GT_ARM_STEP, GT_ARM_RAMP, GT_ARM_NONE };
enum { GT_ARM_MASS, GT_ARM_PLAIN };

typedef struct gt_arm gt_arm;
struct gt_arm {
    gt_arm_link link;
    size_t n, m; /* segments, unknowns z */
    size_t tip;  /* index of the last z among the unknowns */
    int loop, input, form;
    bool banded;      /* M and K, as long as there is no feedback */
    bool interleaved; /* after the hub: deflection, rotation, deflection, ..; else deflections */
    int width_M, width_K; /* diagonals on each side */
    double (*entry_M)(const gt_arm *arm, size_t row, size_t column);
    double (*entry_K)(const gt_arm *arm, size_t row, size_t column);
    /* Potential energy from strains, when M and K are symmetric: z'Kz/2 would cancel after many
     * turns of the hub. */
    double (*strain_energy)(const gt_arm *arm, const double *z);
    /* z_i of the bent arm at rest, and of the straight arm turned by 1 */
    double (*place)(const gt_arm *arm, size_t i, double tip_value);
    double (*rigid)(const gt_arm *arm, size_t i);
    void (*name)(const gt_arm *arm, size_t i, char *text, size_t size);

    gt_matrix M, K, C;
    gt_second_order structure;
    gt_lu solve_M;     /* plain form */
    double *inverse_K; /* plain form: M^-1 K and M^-1 C, m x m, for the Jacobian */
    double *inverse_C;
};

/* Rows of the parameter tables, in the order of the first values of `build`. */
#define GT_ARM_PARAMS(k_theta_, k_dtheta_, k_w_, k_dw_)                                            \
    CHOICE_PARAM("loop", "closed: feedback of hub and tip turns the arm to 0", 0, gt_arm_loops),   \
        CHOICE_PARAM("input", "torque on the hub in the open loop", 0, gt_arm_inputs),             \
        CHOICE_PARAM("form", "mass: M x' = f; plain: x' = M^-1 f, for explicit methods", 0,        \
                     gt_arm_forms),                                                                \
        CHOICE_PARAM("storage", "of M and K in the open loop", 0, gt_arm_storages),                \
        REAL_PARAM("eta", "inertia of the hub", NULL, 0.01, GT_POSITIVE, 1e6),                     \
        REAL_PARAM("mu", "mass of the tip load", NULL, 0.01, GT_POSITIVE, 1e6),                    \
        REAL_PARAM("kappa", "inertia of the tip load", NULL, 0.01, GT_POSITIVE, 1e6),              \
        REAL_PARAM("zeta", "offset of the tip load", NULL, 0.001, 0, 10),                          \
        REAL_PARAM("alpha", "mass of the link", NULL, 1, GT_POSITIVE, 1e6),                        \
        REAL_PARAM("beta", "bending rigidity", NULL, 1, GT_POSITIVE, 1e9),                         \
        REAL_PARAM("delta", "rotatory inertia of the cross section", NULL, 0.01, GT_POSITIVE,      \
                   1e3),                                                                           \
        REAL_PARAM("k_theta", "gain of the hub angle", NULL, k_theta_, -1e6, 1e6),                 \
        REAL_PARAM("k_dtheta", "gain of the hub rate", NULL, k_dtheta_, -1e6, 1e6),                \
        REAL_PARAM("k_w", "gain of the tip deflection", NULL, k_w_, -1e6, 1e6),                    \
        REAL_PARAM("k_dw", "gain of its rate", NULL, k_dw_, -1e6, 1e6),                            \
        REAL_PARAM("amplitude", "torque; of the ramp per unit of time", NULL, 0.1, -1e6, 1e6),     \
        REAL_PARAM("duration", "of the pulse", NULL, 0.5, GT_POSITIVE, 1e6),                       \
        REAL_PARAM("theta0", "hub angle at the start of the closed loop", "deg", 90, -360, 360),   \
        REAL_PARAM("bend", "tip deflection at the start of the open loop", NULL, 0, -10, 10),      \
        REAL_PARAM("theta_d", "desired hub angle of the closed loop", "deg", 0, -360, 360),        \
        REAL_PARAM("alpha_tip", "alpha at the tip over that at the hub, linear between", NULL, 1,  \
                   GT_POSITIVE, 1e3),                                                              \
        REAL_PARAM("beta_tip", "the same of beta", NULL, 1, GT_POSITIVE, 1e3),                     \
        REAL_PARAM("delta_tip", "the same of delta", NULL, 1, GT_POSITIVE, 1e3),                   \
        REAL_PARAM("length", "L: with it, mass and rigidity z, t and u have dimensions", "m", 1,   \
                   GT_POSITIVE, 1e6),                                                              \
        REAL_PARAM("mass", "M0, that of the link", "kg", 1, GT_POSITIVE, 1e9),                     \
        REAL_PARAM("rigidity", "D0, nominal bending rigidity", "N m^2", 1, GT_POSITIVE, 1e12)
extern const char *const gt_arm_loops[], *const gt_arm_inputs[], *const gt_arm_forms[],
                                                                     *const gt_arm_storages[];
enum { GT_ARM_PARAM_COUNT = 26 };

/* Interleaved unknowns: j is z or a rotation at a point; the hub is the rotation at point 0. */
static inline size_t gt_arm_point(size_t j) { return (j + 1) / 2; }
static inline bool gt_arm_is_rotation(size_t j) { return j % 2 == 0; }
double gt_arm_interleaved_place(const gt_arm *arm, size_t i, double tip);
double gt_arm_interleaved_rigid(const gt_arm *arm, size_t i);
void gt_arm_interleaved_name(size_t i, const char *rotation, char *text, size_t size);

/* Properties at xi, linear between hub and tip. */
static inline double gt_arm_taper(double hub, double tip, double xi)
{
    return hub * (1 + (tip - 1) * xi);
}
static inline double gt_arm_alpha(const gt_arm *arm, double xi)
{
    return gt_arm_taper(arm->link.alpha, arm->link.alpha_tip, xi);
}
static inline double gt_arm_beta(const gt_arm *arm, double xi)
{
    return gt_arm_taper(arm->link.beta, arm->link.beta_tip, xi);
}
static inline double gt_arm_delta(const gt_arm *arm, double xi)
{
    return gt_arm_taper(arm->link.delta, arm->link.delta_tip, xi);
}
static inline double gt_arm_gamma(const gt_arm *arm, double xi)
{
    return gt_arm_taper(arm->link.gamma, arm->link.gamma_tip, xi);
}

/* Of unknown i, what one unit of it is without dimension: deflections are lengths. */
static inline double gt_arm_unit(const gt_arm *arm, size_t i)
{
    return i > 0 && (!arm->interleaved || i % 2) ? 1 / arm->link.length : 1;
}
static inline double gt_arm_at(const gt_arm *arm, const double *z, size_t i)
{
    return z[i] * gt_arm_unit(arm, i);
}

/* The values of these rows, from v[0] on. */
void gt_arm_read(gt_arm *arm, const double *v);

/* The Euler-Bernoulli link of n segments, for gt_arm_build. */
void gt_arm_eb(gt_arm *arm, size_t n, bool as_thesis);
/* The same by finite elements. */
void gt_arm_hermite(gt_arm *arm, size_t n);

/* Takes all that `arm` describes into the arena and fills the problem. */
gt_status gt_arm_build(const gt_arm *arm, gt_problem *problem, gt_arena *arena);

#endif
