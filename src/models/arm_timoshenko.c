/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * xie chapter 5: the flexible manipulator by Timoshenko's theory, in which the rotation phi of a
 * cross section is a function of its own. By the method of lines, (5.12)-(5.18) with zeta for xi in
 * (5.17); the unknowns are interleaved, z = [theta, z_1, phi_1, z_2, phi_2, .., z_n, phi_n], and
 * rows i < n are divided by n, as follows from the energies
 *
 *     bending  1/2 sum_(i<n) n beta (phi_(i+1) - phi_i)^2,  phi_0 = theta
 *     shear    1/2 sum_(i>0) (gamma/n) s_i^2,  s_i = phi_i - n (z_i - z_(i-1)),  z_0 = 0
 *
 * but for (5.17), the moments on the tip, which leaves the shear of the last segment out.
 * assembly=symmetric has it: only then energy is conserved. The numbers printed in chapter 5 are
 * not Timoshenko's: all of them come from the program of chapter 4 with beta = 1.2 and delta = 0.1,
 * and that is what assembly=thesis builds. In C because its size n is a parameter, and for the mass
 * matrix and the second-order structure, which no text says.
 */
#include "models/arm.h"

enum { RIGHT, SYMMETRIC, THESIS };
static const char *const assemblies[] = {"right", "symmetric", "thesis", NULL};

/* Unknown j is z_i or phi_i; the hub is phi_0. */

static double entry_M(const gt_arm *arm, size_t row, size_t column)
{
    const gt_arm_link *p = &arm->link;
    double n = (double)arm->n;
    if (gt_arm_point(row) != gt_arm_point(column)) return 0;
    if (row == 0) return p->eta;
    if (gt_arm_point(row) == arm->n)
        return row != column ? p->zeta * p->mu : gt_arm_is_rotation(row) ? p->kappa : p->mu;
    if (row != column) return 0;
    double xi = (double)gt_arm_point(row) / n;
    return gt_arm_alpha(arm, xi) * (gt_arm_is_rotation(row) ? gt_arm_delta(arm, xi) : 1) / n;
}

/* Coefficient of unknown j in phi_(i+1) - phi_i and in s_i. */
static double bending(size_t i, size_t j)
{
    if (!gt_arm_is_rotation(j)) return 0;
    if (gt_arm_point(j) == i + 1) return 1;
    return gt_arm_point(j) == i ? -1 : 0;
}

static double shear(double n, size_t i, size_t j)
{
    if (gt_arm_is_rotation(j)) return gt_arm_point(j) == i ? 1 : 0;
    return gt_arm_point(j) == i ? -n : gt_arm_point(j) + 1 == i ? n : 0;
}

static double entry_symmetric(const gt_arm *arm, size_t row, size_t column)
{
    double n = (double)arm->n, sum = 0;
    size_t at = gt_arm_point(row), first = at > 0 ? at - 1 : 0;
    for (size_t i = first; i <= at + 1 && i <= arm->n; i++) {
        double xi = (double)i / n;
        if (i < arm->n) sum += n * gt_arm_beta(arm, xi) * bending(i, row) * bending(i, column);
        if (i > 0) sum += gt_arm_gamma(arm, xi) / n * shear(n, i, row) * shear(n, i, column);
    }
    return sum;
}

static double entry_right(const gt_arm *arm, size_t row, size_t column)
{
    double n = (double)arm->n, k = entry_symmetric(arm, row, column);
    bool moments_on_tip = gt_arm_is_rotation(row) && gt_arm_point(row) == arm->n;
    return moments_on_tip ? k - gt_arm_gamma(arm, 1) / n * shear(n, arm->n, column) : k;
}

static double strain_energy(const gt_arm *arm, const double *z)
{
    double n = (double)arm->n, bent = 0, sheared = 0;
    for (size_t i = 1; i <= arm->n; i++) {
        double before = i > 1 ? gt_arm_at(arm, z, 2 * i - 3) : 0, turn = z[2 * i] - z[2 * i - 2];
        double sheer = z[2 * i] - n * (gt_arm_at(arm, z, 2 * i - 1) - before);
        bent += gt_arm_beta(arm, (double)(i - 1) / n) * turn * turn;
        sheared += gt_arm_gamma(arm, (double)i / n) * sheer * sheer;
    }
    return (n * bent + sheared / n) / 2;
}

static void name(const gt_arm *arm, size_t i, char *text, size_t size)
{
    (void)arm;
    gt_arm_interleaved_name(i, "phi", text, size);
}

static const gt_param params[] = {
    INTEGER_PARAM("n", "segments of the link; there are 2 (2 n + 1) states", 10, 4, 100000),
    CHOICE_PARAM("assembly", "symmetric: conserves energy; thesis: what chapter 5 really ran", 0,
                 assemblies),
    GT_ARM_PARAMS(16.3225, 4.2234, 1.4012, 0.0061),
    REAL_PARAM("gamma", "shear rigidity", NULL, 100, GT_POSITIVE, 1e9),
    REAL_PARAM("gamma_tip", "gamma at the tip over that at the hub", NULL, 1, GT_POSITIVE, 1e3),
    {0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    gt_arm arm = {0};
    size_t n = (size_t)v[0];
    gt_arm_read(&arm, v + 2);
    arm.link.gamma = v[2 + GT_ARM_PARAM_COUNT];
    arm.link.gamma_tip = v[3 + GT_ARM_PARAM_COUNT];
    if ((int)v[1] == THESIS) {
        arm.link.beta = 1.2;
        arm.link.delta = 0.1;
        gt_arm_eb(&arm, n, true);
        return gt_arm_build(&arm, problem, arena);
    }
    arm.n = n;
    arm.m = 2 * n + 1;
    arm.tip = 2 * n - 1;
    arm.interleaved = true;
    arm.width_M = 1;
    arm.width_K = 3;
    arm.strain_energy = (int)v[1] == SYMMETRIC ? strain_energy : NULL;
    arm.entry_M = entry_M;
    arm.entry_K = arm.strain_energy ? entry_symmetric : entry_right;
    arm.place = gt_arm_interleaved_place;
    arm.rigid = gt_arm_interleaved_rigid;
    arm.name = name;
    return gt_arm_build(&arm, problem, arena);
}

const gt_model gt_model_arm_timoshenko = {
    .abi = GT_MODEL_ABI,
    .name = "arm_timoshenko",
    .title = "flexible manipulator, Timoshenko link of n segments",
    .reference = "Xie, Backinterpolation Methods (1995), chapter 5",
    .equations = "(beta phi')' - gamma (phi - z') - alpha delta phi_tt = 0,  (gamma (phi - z'))' + "
                 "alpha z_tt = 0\n"
                 "eta theta_tt - beta phi'(0) = u,  z(0) = 0, phi(0) = theta\n"
                 "beta phi'(1) + kappa phi_tt(1) + zeta mu z_tt(1) = 0\n"
                 "gamma (phi(1) - z'(1)) = mu (z_tt(1) + zeta phi_tt(1)), by differences over 1/n\n"
                 "open loop: u = pulse, step or ramp; closed: u = k_theta (theta_d - theta) - "
                 "k_dtheta theta' - k_w w - k_dw w',\n"
                 "w = z_n - theta",
    .params = params,
    .build = build};
