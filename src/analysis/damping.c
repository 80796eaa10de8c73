/* SPDX-License-Identifier: BSD-3-Clause */
/* xie (3.12), (3.13): the discrete damping and frequency that a step gives to an eigenvalue. */
#include <complex.h>
#include <geartrain/analysis/stability.h>
#include <geartrain/author/number.h>
#include <math.h>

gt_damping gt_damping_at(const gt_amplifier *a, double theta, double r)
{
    if (!a) return (gt_damping){0};
    double angle = theta * GT_PI / 180;
    double complex z = r * (-cos(angle) + I * sin(angle)), w = gt_amplifier_principal(a, z);
    return (gt_damping){.damping = -log(cabs(w)),
                        .frequency = carg(w),
                        .exact_damping = -creal(z),
                        .exact_frequency = cimag(z)};
}
