/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_DESIGN_MINIMAX_H
#define GEARTRAIN_DESIGN_MINIMAX_H

/*
 * Convex minimax: find y and the least t with G(x, y) <= t for all 0 <= x <= 1 on every branch,
 * where for each x
 *
 *     G = constant + linear . y + (square[0] . y)^2 + (square[1] . y)^2
 *
 * is convex in y.
 */
enum { GT_MINIMAX_UNKNOWNS = 24, GT_MINIMAX_TOUCHES = 64 };

typedef struct gt_minimax_value {
    long double constant, linear[GT_MINIMAX_UNKNOWNS], square[2][GT_MINIMAX_UNKNOWNS];
} gt_minimax_value;

typedef struct gt_minimax {
    int unknowns, branches;
    int detail; /* about how many times G swings over an interval */
    void (*at)(const struct gt_minimax *self, int branch, long double x, gt_minimax_value *G);
    void (*set_parameter)(const struct gt_minimax *self,
                          long double parameter); /* G may depend on one more number */
    void *ctx;
    long double gap; /* what t may be off by */

    long double y[GT_MINIMAX_UNKNOWNS]; /* a first guess, then the solution */
    long double t;
    int touches; /* where G is as large as t, up to 1e-6 */
    long double touch[GT_MINIMAX_TOUCHES];
    int touch_branch[GT_MINIMAX_TOUCHES];
} gt_minimax;

/* False when memory or the iteration fails. */
_Bool gt_minimax_solve(gt_minimax *problem);

/* Given a solution with t = 0 nearly: y, the parameter and the touching points to the last digits,
 * with t = 0, from the conditions of Karush, Kuhn and Tucker. False, and nothing changed, when that
 * does not converge. */
_Bool gt_minimax_polish(gt_minimax *problem, long double *parameter);

#endif
