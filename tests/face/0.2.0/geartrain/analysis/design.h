/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_DESIGN_H
#define GEARTRAIN_DESIGN_H

#include <geartrain/analysis/order.h>
#include <geartrain/api.h>
#include <stdint.h>

GT_C_BEGIN

/* New methods from numbers, to be used like the listed ones. */

/* Ratios from and to text: "18/11", "-3", "0.25" (which is 1/4). False when the text is not a
 * number or does not fit.
 */
GT_API bool gt_ratio_read(const char *text, gt_ratio *r);

/* The text of a ratio, or of a number with 17 digits when it came from gt_ratio_near. */
GT_API void gt_ratio_print(gt_ratio r, char *buffer, size_t size);

/* The ratio with a power of two below the line that is nearest to x: equal to it, or within 2^-63.
 */
GT_API gt_ratio gt_ratio_near(double x);

/* Whether it is such a ratio with many digits, that is not a fraction that anybody wrote down. */
GT_API bool gt_ratio_is_rounded(gt_ratio r);

/* The multistep formula with coefficients at x_(n-i) for i in a_steps and at f_(n-i) for i in
 * b_steps (-1: f_(n+1)) that is exact for polynomials up to t^order, crow (5.51)-(5.52). It may
 * turn out to have a higher order. */
typedef struct gt_steps {
    const int *a, *b;
    int n_a, n_b;
    void *reserved[4]; /* 0; room for more */
} gt_steps;
GT_API gt_status gt_design_multistep(const gt_steps *steps, int order, gt_multistep *formula,
                                     gt_message *message) GT_MUST_CHECK;

/* Zero-stability: the roots (re, im) of rho(w) = w^k - sum a_i w^(k-1-i), largest first, are in the
 * unit circle, and simple where they are on it. Without that the formula does not converge,
 * whatever its order. */
typedef struct gt_zero_stability {
    bool stable;
    int count;
    double root[GT_MAX_PAST][2];
    gt_message why;    /* when it is not: which root */
    void *reserved[4]; /* 0; room for more */
} gt_zero_stability;
GT_API gt_status gt_zero_stability_of(const gt_multistep *formula,
                                      gt_zero_stability *out) GT_MUST_CHECK;

/*
 * Stability polynomials R(z) = sum beta_k z^k of a degree and an order with |R| <= 1 as far as
 * possible: on the imaginary axis up to i limit; on the negative real axis up to -limit, by a
 * `damping` d inside 1 - d |x|/(1 + |x|); in the ellipse that touches 0 and has the half axes
 * `limit` (imaginary) and aspect * limit (real).
 */
typedef enum gt_axis { GT_IMAGINARY_AXIS, GT_REAL_AXIS, GT_ELLIPSE } gt_axis;

typedef struct gt_polynomial_task {
    int degree, order;
    gt_axis axis;
    double aspect, damping;
    double limit; /* above 0, imaginary axis: not as far as possible but so far, and as accurate as
                   * possible: the largest |R(iy) - e^(iy)| / y^(order+1) up to there is least */
    bool search;  /* also where the answer is known in fractions */
    void *reserved[4]; /* 0; room for more */
} gt_polynomial_task;

enum { GT_MAX_TOUCHES = 64 };
typedef struct gt_polynomial_design {
    gt_polynomial_task task;
    double limit; /* 0: no polynomial of this degree and order is stable on any piece */
    double error; /* with a limit given: what was made least */
    double beta[GT_MAX_STAGES + 1];
    int limit_squared; /* above 0: the polynomial is known in fractions, and this is limit^2 */
    gt_ratio ratio[GT_MAX_STAGES + 1]; /* those fractions */
    bool polished;                     /* beta is right to the last digits, not only the limit */
    int touches; /* where |R| reaches its bound: |z|, or the angle on the ellipse in degrees */
    double touch[GT_MAX_TOUCHES];
    void *reserved[4]; /* 0; room for more */
} gt_polynomial_design;

GT_API gt_status gt_design_polynomial(const gt_polynomial_task *task, gt_polynomial_design *out,
                                      gt_message *message) GT_MUST_CHECK;

/*
 * Dual-rate pairs with equal nodes and weights in both blocks, of order 2, 3 or 4, whose fast
 * polynomial is given (beta) or the best on an axis. A search draws a start from `seed` and the
 * number of the start; the same numbers give the same pair. Pairs are ranked by `score`: the stable
 * step on coupled test systems, over the error constant to the power 1/order.
 */
typedef struct gt_dualrate_task {
    int slow, fast, order;         /* stages and order; slow at least order */
    gt_axis axis;                  /* GT_IMAGINARY_AXIS or GT_REAL_AXIS */
    int slow_stage[GT_MAX_STAGES]; /* which stages are slow, counted from 1, the first is 1; all 0:
                                      drawn */
    uint64_t seed;
    void *reserved[4]; /* 0; room for more */
} gt_dualrate_task;

typedef struct gt_dualrate_design {
    gt_partitioned pair;
    double beta[GT_MAX_STAGES + 1], limit; /* of the fast block alone */
    double residual;       /* largest of all order, node, weight and polynomial conditions */
    double error_constant; /* root of the sum of squares of the conditions of the next order */
    double largest_entry;
    double coupled_worst, coupled_mean; /* stable h w on coupled systems, over `limit` */
    double score;
    void *reserved[4]; /* 0; room for more */
} gt_dualrate_design;

GT_API gt_status gt_dualrate_check(const gt_dualrate_task *task, gt_message *message) GT_MUST_CHECK;

/* False when this start leads nowhere; the score is NAN when it was out of memory. `polynomial`
 * from gt_design_polynomial, degree `fast`. */
GT_API bool gt_dualrate_search(const gt_dualrate_task *task, const gt_polynomial_design *polynomial,
                               int start, gt_dualrate_design *out);

/*
 * Halves of A-stable backinterpolation methods: explicit Runge-Kutta methods of order 5 with 7
 * stages whose polynomial T_5 + c z^6 + d z^7 has all its zeros in the left half plane. Each start
 * of a search leads to another one.
 */
typedef struct gt_half_task {
    gt_ratio c, d;
    uint64_t seed;
    int sweeps;        /* of making the error small; 0: none */
    void *reserved[4]; /* 0; room for more */
} gt_half_task;

typedef struct gt_half_design {
    gt_tableau tableau;
    double residual;       /* largest of all conditions, as the numbers are kept */
    double error_constant; /* root of the sum of squares of the conditions of order 6 */
    double largest_entry;
    void *reserved[4]; /* 0; room for more */
} gt_half_design;

/* False when this start leads nowhere. */
GT_API bool gt_design_half(const gt_half_task *task, int start, gt_half_design *out);

/* Routh's array in rational arithmetic: its first column, rounded (degree + 1 numbers, or as many
 * as it takes to decide; NULL: not wanted), and whether all zeros of p (ascending powers) have
 * negative real parts, which is so when they all have the same sign. Gives how many there are; 0
 * when the numbers do not fit into 128 bits. */
GT_API int gt_routh(const gt_ratio *p, int degree, double *column, bool *hurwitz) GT_MUST_CHECK;

/* The verdict alone. False when the numbers do not fit. */
GT_API bool gt_is_hurwitz(const gt_ratio *p, int degree, bool *hurwitz) GT_MUST_CHECK;

/*
 * Methods made at run time, in the arena, which must be growing and live as long as they are used;
 * strings are copied. The order comes from the coefficients. `order`, when above 0, is what it is
 * said to be: GT_BAD_ARGUMENT when the coefficients contradict. Tableaux must be lower triangular:
 * explicit or diagonally implicit. Nodes c without denominator are taken to be missing and become
 * the sums of the rows.
 */
typedef struct gt_method_label {
    const char *name, *title, *reference; /* title and reference may be NULL */
    int order;
    void *reserved[4]; /* 0; room for more */
} gt_method_label;
GT_API gt_status gt_method_from_multistep(const gt_method_label *label, const gt_multistep *formula,
                                          gt_arena *arena, const gt_method **method,
                                          gt_message *message) GT_MUST_CHECK;
/* Backinterpolation with this explicit tableau, of 7 stages at most, in both halves; b_hat is
 * needed, and b_hat[stages] weighs the slope at the end. */
GT_API gt_status gt_method_from_half(const gt_method_label *label, const gt_tableau *half,
                                     gt_arena *arena, const gt_method **method,
                                     gt_message *message) GT_MUST_CHECK;
GT_API gt_status gt_method_from_tableau(const gt_method_label *label, const gt_tableau *tableau,
                                        gt_arena *arena, const gt_method **method,
                                        gt_message *message) GT_MUST_CHECK;
GT_API gt_status gt_method_from_partitioned(const gt_method_label *label,
                                            const gt_partitioned *pair, gt_arena *arena,
                                            const gt_method **method,
                                            gt_message *message) GT_MUST_CHECK;

GT_C_END

#endif
