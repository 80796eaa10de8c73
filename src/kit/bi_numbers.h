/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_KIT_BI_NUMBERS_H
#define GEARTRAIN_KIT_BI_NUMBERS_H

/*
 * The numbers of a backinterpolation step with halves of polynomials P_f and P_b and meeting point
 * alpha:
 *
 *     R(z) = P_f(alpha z) / P_b(-(1 - alpha) z) = 1 + z sum_i sigma_i / (1 - r_i z)
 *
 * and, for x' = lambda x + g(t), what the slopes g at the nodes of both halves add, h sum_ij
 * omega_ij g_j / (1 - r_i z).
 */
#include "kit/fractions.h"
#include "kit/half_step.h"

enum { GT_BI_NODES = 2 * GT_HALF_STAGES };

typedef struct gt_bi_numbers {
    gt_half forward, backward;
    double alpha;
    int order;
    gt_rational R;
    gt_fractions poles;
    double complex sigma[GT_MAX_FRACTIONS];
    /* Error on linear problems: C z^m / P_b = z (estimate_0 + sum_i estimate_i / (1 - r_i z)), m =
     * order + 1 when the degree of P_b allows it. */
    double complex estimate[GT_MAX_FRACTIONS];
    double estimate_0;
    int nodes;
    double node[GT_BI_NODES]; /* as fractions of h; the node 0 is left out */
    double complex omega[GT_BI_NODES][GT_MAX_FRACTIONS];
    /* Where halves are blind (half_step.h): what the slopes at 0, alpha/2, alpha, (1 + alpha)/2 and
     * 1 weigh in their error as quadratures. All 0: none is, or there is one half only. */
    double forcing[5];
} gt_bi_numbers;

/* False when the ratio has no partial fractions (alpha = 1: there is no backward half). */
bool gt_bi_open(gt_bi_numbers *numbers, const gt_half_row *forward, const gt_half_row *backward,
                double alpha);

/* R is the diagonal Pade approximant of degree k <= 4, (2.14)-(2.19), and the nodes are those of
 * Gauss, whose collocation method has this R. There are no halves and no estimate. */
void gt_bi_open_pade(gt_bi_numbers *numbers, int k);

void gt_pade_ratio(int k, gt_rational *R);
void gt_bi_ratio(const gt_half *forward, const gt_half *backward, double alpha, gt_rational *R);
int gt_bi_order(const gt_half_row *forward, const gt_half_row *backward, double alpha);

/* The power of h in P^-1 (e_left + e_right), or with `difference` in P^-1 (e_left - e_right). */
int gt_bi_error_power(const gt_half_row *forward, const gt_half_row *backward, double alpha,
                      bool difference);

#endif
