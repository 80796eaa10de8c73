/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * xie chapter 4: a flexible manipulator by Euler and Bernoulli's theory with rotatory inertia, by
 * the method of lines, z = [theta, z_1, .., z_n] with z_i the total deflection at i/n. Equations
 * (4.24)-(4.27), (4.31), (4.32), with K's prefactor n^4 and the other corrections of
 * docs/models/arm_eb.md. Rows 1 to n-1 are divided by n, which makes M and K symmetric:
 *
 *     M:  eta                                        hub
 *         (alpha + 2 n^2 alpha delta)/n, -n alpha delta beside it
 *         row n-1: + n^2 kappa;  (n-1, n): - n^2 kappa - n zeta mu - n alpha delta;  (n, n): mu + 2
 * n zeta mu + .. K:  n^3 beta (1, -4, 6, -4, 1), at the hub n beta, -n^2 beta, at the tip ends of
 * the second difference
 *
 * assembly=thesis has +2 in place of -2 in the last row of K, as the program of the thesis: it
 * takes the rigid motion away, and all printed poles come from it. In C because its size n is a
 * parameter, and for the mass matrix and the second-order structure, which no text says.
 */
#include "models/arm.h"
#include <stdio.h>

enum { RIGHT, THESIS, HERMITE };
static const char *const assemblies[] = {"right", "thesis", "hermite", NULL};

/* Of the segment that begins at point i. */
static double rotatory_of(const gt_arm *arm, size_t i)
{
    double n = (double)arm->n, xi = (double)i / n;
    return n * gt_arm_alpha(arm, xi) * gt_arm_delta(arm, xi);
}

static double entry_M(const gt_arm *arm, size_t row, size_t column)
{
    const gt_arm_link *p = &arm->link;
    double n = (double)arm->n, tip = n * n * p->kappa;
    size_t last = arm->n, low = row < column ? row : column, high = row < column ? column : row;
    if (low == 0) return high == 0 ? p->eta : 0;
    double rotatory = rotatory_of(arm, high - 1);
    if (high == last) {
        if (low == last) return rotatory + tip + 2 * n * p->zeta * p->mu + p->mu;
        return low + 1 == last ? -(rotatory + tip + n * p->zeta * p->mu) : 0;
    }
    if (low != high) return high - low == 1 ? -rotatory : 0;
    return gt_arm_alpha(arm, (double)row / n) / n + rotatory + rotatory_of(arm, row) +
           (row + 1 == last ? tip : 0);
}

/* Second difference at point i (z_(i+1) - 2 z_i + z_(i-1), at the hub z_1 - theta/n): coefficient
 * of unknown j. */
static double curvature(const gt_arm *arm, size_t i, size_t j)
{
    if (i == 0) return j == 1 ? 1 : j == 0 ? -1 / (double)arm->n : 0;
    return j == i ? -2 : j == i + 1 || (j + 1 == i && j > 0) ? 1 : 0;
}

/* The bending energy is half the sum over points 0 .. n-1 of n^3 beta curvature^2. */
static double entry_right(const gt_arm *arm, size_t row, size_t column)
{
    double n = (double)arm->n, sum = 0;
    for (size_t i = row > 0 ? row - 1 : 0; i < arm->n && i <= row + 1; i++)
        sum += gt_arm_beta(arm, (double)i / n) * curvature(arm, i, row) * curvature(arm, i, column);
    return n * n * n * sum;
}

static double entry_thesis(const gt_arm *arm, size_t row, size_t column)
{
    double k = entry_right(arm, row, column);
    return row == arm->n && column + 1 == arm->n ? -k : k;
}

static double strain_energy(const gt_arm *arm, const double *z)
{
    double n = (double)arm->n, sum = 0;
    for (size_t i = 0; i < arm->n; i++) {
        double before = i == 0 ? -z[0] / n : i == 1 ? 0 : gt_arm_at(arm, z, i - 1);
        double here = i == 0 ? 0 : gt_arm_at(arm, z, i);
        double bent = (gt_arm_at(arm, z, i + 1) - here) - (here - before);
        sum += gt_arm_beta(arm, (double)i / n) * bent * bent;
    }
    return n * n * n * sum / 2;
}

static double place(const gt_arm *arm, size_t i, double tip)
{
    double xi = (double)i / (double)arm->n;
    return tip * xi * xi * (3 - xi) / 2; /* held at the hub, pulled at the tip */
}

static double rigid(const gt_arm *arm, size_t i) { return i == 0 ? 1 : (double)i / (double)arm->n; }

static void name(const gt_arm *arm, size_t i, char *text, size_t size)
{
    (void)arm;
    if (i == 0)
        snprintf(text, size, "theta");
    else
        snprintf(text, size, "z%zu", i);
}

void gt_arm_eb(gt_arm *arm, size_t n, bool as_thesis)
{
    arm->n = n;
    arm->m = n + 1;
    arm->tip = n;
    arm->width_M = 1;
    arm->width_K = 2;
    arm->strain_energy = as_thesis ? NULL : strain_energy;
    arm->entry_M = entry_M;
    arm->entry_K = as_thesis ? entry_thesis : entry_right;
    arm->place = place;
    arm->rigid = rigid;
    arm->name = name;
}

static const gt_param params[] = {
    INTEGER_PARAM("n", "segments of the link; there are 2 (n + 1) states, hermite: 2 (2 n + 1)", 10,
                  4, 100000),
    CHOICE_PARAM("assembly",
                 "thesis: with the sign error of its program; hermite: finite elements, error "
                 "1/n^4 in place of 1/n",
                 0, assemblies),
    GT_ARM_PARAMS(18.655, 5.5285, 1.5, 0.005),
    {0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    gt_arm arm = {0};
    gt_arm_read(&arm, v + 2);
    if ((int)v[1] == HERMITE)
        gt_arm_hermite(&arm, (size_t)v[0]);
    else
        gt_arm_eb(&arm, (size_t)v[0], (int)v[1] == THESIS);
    return gt_arm_build(&arm, problem, arena);
}

const gt_model gt_model_arm_eb = {
    .abi = GT_MODEL_ABI,
    .name = "arm_eb",
    .title = "flexible manipulator, Euler-Bernoulli link of n segments",
    .reference = "Xie, Backinterpolation Methods (1995), chapter 4",
    .equations = "(beta z'')'' - (alpha delta z_tt')' + alpha z_tt = 0 on 0 < xi < 1, by "
                 "differences over 1/n\n"
                 "eta theta_tt - beta z''(0) = u,  z(0) = 0, z'(0) = theta\n"
                 "beta z''(1) + kappa z_tt'(1) + zeta mu z_tt(1) = 0\n"
                 "(beta z'')'(1) - alpha delta z_tt'(1) = mu (z_tt(1) + zeta z_tt'(1))\n"
                 "open loop: u = pulse, step or ramp; closed: u = k_theta (theta_d - theta) - "
                 "k_dtheta theta' - k_w w - k_dw w',\n"
                 "w = z_n - theta",
    .params = params,
    .build = build};
