/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_KIT_BI_LINEAR_H
#define GEARTRAIN_KIT_BI_LINEAR_H

/*
 * One step of a rational method on M x' = A x + g(t) by partial fractions (bi_numbers.h):
 *
 *     x_new = x + h sum_i (M - h r_i A)^-1 [ sigma_i f(t, x) + sum_j omega_ij (g(t_j) - g(t)) ]
 *
 * g(t_j) - g(t) is f(t_j, x) - f(t, x); a problem with second-order structure is asked for its
 * input only.
 */
#include "implicit/shifted.h"
#include "kit/bi_numbers.h"

typedef struct gt_bi_linear {
    const gt_bi_numbers *numbers;
    gt_shifted shifted;
    gt_newton newton;       /* keeps the Jacobian, and knows of which h the factors are */
    gt_lu mass;             /* factors of M */
    double *rest;           /* 2n */
    double *g[GT_BI_NODES]; /* g(t_j) - g(t) */
} gt_bi_linear;

/* w->numbers may be NULL while measuring; `numbers` has its values. `inputs`: there is a g(t). */
void gt_bi_linear_layout(gt_bi_linear *w, const gt_problem *problem, const gt_bi_numbers *numbers,
                         const gt_linear_options *linear, bool inputs, gt_arena *arena);
gt_status gt_bi_linear_prepare(gt_bi_linear *w, gt_stepper *s) GT_MUST_CHECK;

/* Factors M; refuses a singular one with an error message. */
void gt_bi_mass_layout(gt_lu *mass, const gt_problem *problem, gt_arena *arena);
gt_status gt_bi_mass_prepare(gt_lu *mass, gt_stepper *s) GT_MUST_CHECK;

/* Where systems are solved by iterations: what is solved next is a solution or an error itself, and
 * no correction that others follow. */
void gt_bi_exact(gt_bi_linear *w, const gt_stepper *s);

/* err may be NULL; *constant: g does not change in this step, and only then err is found. */
gt_status gt_bi_linear_step(gt_bi_linear *w, gt_stepper *s, double h, const double *x,
                            double *x_new, double *err, bool *constant) GT_MUST_CHECK;

void gt_bi_linear_free(gt_bi_linear *w);

#endif
