/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_KIT_BROYDEN_H
#define GEARTRAIN_KIT_BROYDEN_H

/*
 * Broyden's iteration of xie 3.5 for g(x) = 0, from B = I: x_new = x - B^-1 g and, with s = x_new -
 * x and y the change of g, B += (y - B s) s^T / (s^T s). The inverse is kept, by Sherman and
 * Morrison
 *
 *     B^-1 += (s - B^-1 y) (s^T B^-1) / (s^T B^-1 y)
 *
 * which is what the inverse formula of chapter 6 ("not correct numerically") should have been. It
 * ends when |s| <= tol (unit + |x|) and |g| <= tol_g, in the largest component.
 */
#include <geartrain/author/newton.h>

typedef struct gt_broyden {
    double *inverse; /* n x n, column major */
    double *g, *g_new, *step, *change, *row;
} gt_broyden;

void gt_broyden_layout(gt_broyden *b, size_t n, gt_arena *arena);

/* From the guess in x. GT_TRY_NEWTON when it has not converged in `most` iterations. */
gt_status gt_broyden_solve(gt_broyden *b, gt_stepper *s, double tolerance, double unit,
                           double tolerance_g, int most, double *x, gt_residual_fn *residual,
                           void *data) GT_MUST_CHECK;

#endif
