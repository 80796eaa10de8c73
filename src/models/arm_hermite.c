/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The Euler-Bernoulli link of arm_eb.c by finite elements: z is a cubic in each segment, given by
 * its values and slopes at both ends, and the equations follow from the energies
 *
 *     1/2 int beta z''^2          1/2 int alpha z_t^2 + alpha delta z_t'^2
 *     hub  1/2 eta theta_t^2      tip  1/2 mu z_t^2 + zeta mu z_t z_t' + 1/2 kappa z_t'^2
 *
 * with z(0) = 0, z'(0) = theta; the conditions (4.18) at the tip are natural ones. The unknowns are
 * interleaved, [theta, z_1, s_1, .., z_n, s_n] with s the slopes. Frequencies err as 1/n^4, those
 * of the differences of the thesis as 1/n. Four points of Gauss in a segment are exact for
 * properties that are linear along the link.
 */
#include "models/arm.h"

enum { POINTS = 4 };
static const double at[POINTS] = {0.06943184420297371, 0.33000947820757187, 0.66999052179242813,
                                  0.93056815579702629};
static const double weight[POINTS] = {0.17392742256872693, 0.32607257743127307, 0.32607257743127307,
                                      0.17392742256872693};

/* The cubic of unknown j in segment k at u in [0, 1], and its derivatives by xi. */
static double cubic(const gt_arm *arm, size_t j, size_t k, double u, int derivative)
{
    double n = (double)arm->n, e = 1 / n;
    bool left = gt_arm_point(j) == k, slope = gt_arm_is_rotation(j);
    static const double value[2][4] = {{0, 0, 3, -2}, {1, 0, -3, 2}};
    static const double turn[2][4] = {{0, 0, -1, 1}, {0, 1, -2, 1}};
    const double *c = slope ? turn[left] : value[left];
    double scale = slope ? e : 1;
    if (derivative == 0) return scale * (c[0] + u * (c[1] + u * (c[2] + u * c[3])));
    if (derivative == 1) return scale * n * (c[1] + u * (2 * c[2] + 3 * u * c[3]));
    return scale * n * n * (2 * c[2] + 6 * u * c[3]);
}

/* The first and the last segment that both unknowns reach into; false: there is none. */
static bool common(const gt_arm *arm, size_t row, size_t column, size_t *first, size_t *last)
{
    size_t low = gt_arm_point(row), high = gt_arm_point(column);
    if (low > high) {
        size_t swap = low;
        low = high;
        high = swap;
    }
    *first = high > 0 ? high - 1 : 0;
    *last = low < arm->n ? low : arm->n - 1;
    return high - low <= 1;
}

static double entry_M(const gt_arm *arm, size_t row, size_t column)
{
    const gt_arm_link *p = &arm->link;
    double sum = row == 0 && column == 0 ? p->eta : 0, n = (double)arm->n;
    size_t first, last;
    if (gt_arm_point(row) == arm->n && gt_arm_point(column) == arm->n)
        sum += row != column ? p->zeta * p->mu : gt_arm_is_rotation(row) ? p->kappa : p->mu;
    if (!common(arm, row, column, &first, &last)) return 0;
    for (size_t k = first; k <= last; k++)
        for (int i = 0; i < POINTS; i++) {
            double u = at[i], xi = ((double)k + u) / n, alpha = gt_arm_alpha(arm, xi);
            sum += weight[i] / n * alpha *
                   (cubic(arm, row, k, u, 0) * cubic(arm, column, k, u, 0) +
                    gt_arm_delta(arm, xi) * cubic(arm, row, k, u, 1) * cubic(arm, column, k, u, 1));
        }
    return sum;
}

static double entry_K(const gt_arm *arm, size_t row, size_t column)
{
    double sum = 0, n = (double)arm->n;
    size_t first, last;
    if (!common(arm, row, column, &first, &last)) return 0;
    for (size_t k = first; k <= last; k++)
        for (int i = 0; i < POINTS; i++) {
            double u = at[i], beta = gt_arm_beta(arm, ((double)k + u) / n);
            sum += weight[i] / n * beta * cubic(arm, row, k, u, 2) * cubic(arm, column, k, u, 2);
        }
    return sum;
}

/* From slopes less those of the chord, which a turn of the whole arm does not change. */
static double strain_energy(const gt_arm *arm, const double *z)
{
    double n = (double)arm->n, sum = 0;
    for (size_t k = 0; k < arm->n; k++) {
        double before = k ? gt_arm_at(arm, z, 2 * k - 1) : 0;
        double chord = n * (gt_arm_at(arm, z, 2 * k + 1) - before);
        double left = z[2 * k] - chord, right = z[2 * k + 2] - chord;
        for (int i = 0; i < POINTS; i++) {
            double u = at[i], bent = n * ((6 * u - 4) * left + (6 * u - 2) * right);
            sum += weight[i] / n * gt_arm_beta(arm, ((double)k + u) / n) * bent * bent / 2;
        }
    }
    return sum;
}

static void name(const gt_arm *arm, size_t i, char *text, size_t size)
{
    (void)arm;
    gt_arm_interleaved_name(i, "s", text, size);
}

void gt_arm_hermite(gt_arm *arm, size_t n)
{
    arm->n = n;
    arm->m = 2 * n + 1;
    arm->tip = 2 * n - 1;
    arm->interleaved = true;
    arm->width_M = arm->width_K = 3;
    arm->strain_energy = strain_energy;
    arm->entry_M = entry_M;
    arm->entry_K = entry_K;
    arm->place = gt_arm_interleaved_place;
    arm->rigid = gt_arm_interleaved_rigid;
    arm->name = name;
}
