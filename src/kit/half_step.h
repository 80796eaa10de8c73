/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_KIT_HALF_STEP_H
#define GEARTRAIN_KIT_HALF_STEP_H

/*
 * The explicit Runge-Kutta steps from which backinterpolation methods are made, forward or, with a
 * negative step, backward. On x' = lambda x a step multiplies by the polynomial P(h lambda).
 *
 * The error of a half is e = h sum d_j k_j with d = b - b_hat, where b_hat may also give a weight
 * to the slope at the end, k_(stages+1).
 */
#include <geartrain/author/lu.h>
#include <geartrain/author/stepper.h>

enum { GT_HALF_STAGES = 7, GT_HALF_DEGREE = 7 };

typedef struct gt_half_row {
    gt_tableau tableau;
    int order;
    int error_power; /* e = O(h^error_power) */
} gt_half_row;

/* What the descriptor of a backinterpolation method points to. */
typedef struct gt_two_halves {
    const gt_half_row *forward, *backward;
} gt_two_halves;

/* T_1 .. T_5: the series of exp(z) cut after z^k is the polynomial of half k, in Kutta's, Runge's
 * and Nystrom's tableaux. Fehlberg's has T_5 + z^6/2080, and gt_half_hurwitz T_5 + z^6/1120 +
 * z^7/8064, with all zeros in the left half plane. */
extern const gt_half_row gt_half_1, gt_half_2, gt_half_3, gt_half_4, gt_half_5, gt_half_fehlberg,
    gt_half_hurwitz;

typedef struct gt_half {
    int order, error_power, stages, degree;
    bool end_slope; /* d has a weight for the slope at the end */
    bool blind; /* e = 0 when f depends on t only: stages at the same time have weights that cancel
                 */
    double a[GT_HALF_STAGES][GT_HALF_STAGES], b[GT_HALF_STAGES], c[GT_HALF_STAGES],
        d[GT_HALF_STAGES + 1];
    double P[GT_HALF_DEGREE + 1];
} gt_half;

void gt_half_open(gt_half *half, const gt_half_row *row);

/* Coefficients in z of b_j(z) = [b^T (I - z A)^-1]_j: what stage j adds to x' = lambda x + g is h
 * b_j(h lambda) g_j. */
void gt_half_input(const gt_half *half, int j, double *coefficients);

/* x' = M^-1 f(t, x); `mass` holds the factors of M, NULL: the identity. The algebraic variables of
 * x are those that 0 = g gives for the others, and their rows of k are 0. */
gt_status gt_half_slope(gt_stepper *s, const gt_lu *mass, double t, double *x,
                        double *k) GT_MUST_CHECK;

/* k_j, of which k[0] may be given (of a point that meets its algebraic equations), and y = x + h
 * sum b_j k_j; y is also scratch and must not be x.
 */
gt_status gt_half_step(gt_stepper *s, const gt_half *half, const gt_lu *mass, double t, double h,
                       const double *x, double *const *k, bool first_given,
                       double *y) GT_MUST_CHECK;

/* e += scale h sum d_j k_j; `end` is the slope at the end. */
void gt_half_error(const gt_half *half, size_t n, double scaled_h, double *const *k,
                   const double *end, double *e);

#endif
