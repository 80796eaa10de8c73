/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_DESIGN_H
#define GEARTRAIN_DESIGN_H

#include <geartrain/order.h>

/* New methods from numbers, to be used like the listed ones. */

/* Ratios from and to text: "18/11", "-3", "0.25" (which is 1/4). False when the text is no number or does not fit. */
bool gt_ratio_read(const char *text, gt_ratio *r);

/* The text of a ratio, or of a number with 17 digits when it came from gt_ratio_near. */
void gt_ratio_print(gt_ratio r, char *buffer, size_t size);

/* The ratio with a power of two below the line that is nearest to x: equal to it, or within 2^-63. */
gt_ratio gt_ratio_near(double x);

/* Whether it is such a ratio with many digits, that is not a fraction that anybody wrote down. */
bool gt_ratio_is_rounded(gt_ratio r);

/* The multistep formula with coefficients at x_(n-i) for i in a_steps and at f_(n-i) for i in b_steps (-1: f_(n+1))
 * that is exact for polynomials up to t^order, crow (5.51)-(5.52). It may turn out to have a higher order. */
typedef struct gt_steps {
    const int *a, *b;
    int n_a, n_b;
} gt_steps;
gt_status gt_design_multistep(const gt_steps *steps, int order, gt_multistep *formula,
                              gt_message *message) GT_MUST_CHECK;

/* Zero-stability: the roots (re, im) of rho(w) = w^k - sum a_i w^(k-1-i), largest first, are in the unit circle, and
 * simple where they are on it. Without that the formula does not converge, whatever its order. */
typedef struct gt_zero_stability {
    bool stable;
    int count;
    double root[GT_MAX_PAST][2];
    gt_message why; /* when it is not: which root */
} gt_zero_stability;
gt_status gt_zero_stability_of(const gt_multistep *formula, gt_zero_stability *out) GT_MUST_CHECK;

/*
 * Methods made at run time, in the arena, which must be growing and live as long as they are used; strings are copied.
 * The order comes from the coefficients. `order`, when above 0, is what it is said to be: GT_BAD_ARGUMENT when the
 * coefficients contradict. Tableaux must be lower triangular: explicit or diagonally implicit. Nodes c without
 * denominator are taken to be missing and become the sums of the rows.
 */
typedef struct gt_method_label {
    const char *name, *title, *reference; /* title and reference may be NULL */
    int order;
} gt_method_label;
gt_status gt_method_from_multistep(const gt_method_label *label, const gt_multistep *formula, gt_arena *arena,
                                   const gt_method **method, gt_message *message) GT_MUST_CHECK;
gt_status gt_method_from_tableau(const gt_method_label *label, const gt_tableau *tableau, gt_arena *arena,
                                 const gt_method **method, gt_message *message) GT_MUST_CHECK;

#endif
