/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_EXACT_RATIONAL_H
#define GEARTRAIN_EXACT_RATIONAL_H

/*
 * Exact rational numbers in lowest terms, 128 bits above and below the line; 64 on machines that
 * have no such numbers. A result that does not fit is void (den = 0), and so is everything that is
 * computed from it: look at the end whether the answer is still a number.
 */
#include <geartrain/author/tableau.h>

#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 gt_int128;
#else
typedef long long gt_int128;
#endif

typedef struct gt_exact {
    gt_int128 num, den;
} gt_exact;

static inline bool gt_exact_known(gt_exact a) { return a.den != 0; }

gt_exact gt_exact_whole(long long n);
gt_exact gt_exact_of(gt_ratio r); /* a zero denominator stands for 0, as in tables */
gt_exact gt_exact_add(gt_exact a, gt_exact b);
gt_exact gt_exact_subtract(gt_exact a, gt_exact b);
gt_exact gt_exact_multiply(gt_exact a, gt_exact b);
gt_exact gt_exact_divide(gt_exact a, gt_exact b); /* void when b is 0 */
gt_exact gt_exact_power(gt_exact a, int n);
double gt_exact_value(gt_exact a);

/* False when it is void or does not fit into 64 bits. */
bool gt_exact_to_ratio(gt_exact a, gt_ratio *r);

typedef enum gt_exact_outcome {
    GT_ONE_SOLUTION,
    GT_NO_SOLUTION,
    GT_MANY_SOLUTIONS,
    GT_OUT_OF_RANGE
} gt_exact_outcome;

/* Solves rows x columns equations by elimination; each row of M is followed by its right-hand side.
 * M is destroyed. *rank: how many of the equations are independent. */
gt_exact_outcome gt_exact_solve(int rows, int columns, gt_exact *M, gt_exact *x, int *rank);

#endif
