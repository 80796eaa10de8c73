/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_DESIGN_DUALRATE_H
#define GEARTRAIN_DESIGN_DUALRATE_H

/*
 * A dual-rate pair with equal nodes and weights as a vector of unknowns: the fast a_ij row by row,
 * the slow a^_ij in the columns of the slow stages but the first, and b at the slow stages. The
 * first slow column is what equal nodes leave.
 */
#include "exact/trees.h"
#include <geartrain/analysis/design.h>

enum {
    GT_DUALRATE_UNKNOWNS = GT_MAX_STAGES * (GT_MAX_STAGES - 1) / 2 + 4 * GT_MAX_STAGES,
    GT_DUALRATE_RESIDUALS = GT_DUALRATE_UNKNOWNS + 2 * GT_MAX_STAGES + 80
};

typedef struct gt_dualrate_pair {
    long double slow[GT_MAX_STAGES][GT_MAX_STAGES], fast[GT_MAX_STAGES][GT_MAX_STAGES];
    long double b[GT_MAX_STAGES], c[GT_MAX_STAGES];
} gt_dualrate_pair;

typedef struct gt_dualrate_system {
    int stages, order, n_slow, slow_stage[GT_MAX_STAGES]; /* the first is 0 */
    int unknowns, equations;
    long double beta[GT_MAX_STAGES + 1];
    gt_forest forest; /* to order + 1; leaves are of one colour, as the nodes are equal */
    long long gamma[GT_MAX_CONDITIONS];
    bool is_condition[GT_MAX_CONDITIONS]; /* the root has one colour, as the weights are equal */
} gt_dualrate_system;

void gt_dualrate_set_up(const gt_dualrate_task *task, const int *slow_stage, const double *beta,
                        gt_dualrate_system *system);
void gt_dualrate_unpack(const gt_dualrate_system *system, const long double *x,
                        gt_dualrate_pair *pair);

/* `equations` residuals of order and polynomial; gives their number. */
int gt_dualrate_equations(const gt_dualrate_system *system, const gt_dualrate_pair *pair,
                          long double *out);

/* Residuals of the conditions of the next order; gives their number. */
int gt_dualrate_errors(const gt_dualrate_system *system, const gt_dualrate_pair *pair,
                       long double *out);

/* Solves equations = 0 from a start that is drawn with `seed`, with small errors and entries; then
 * to the last digits.
 */
bool gt_dualrate_solve(const gt_dualrate_system *system, uint64_t seed, long double *x);

/* Weights of order 2 (1 for order 2) at the slow stages that differ from b. */

/* Largest h w of the pair on a slow mass with a fast one attached to it, as a fraction of `limit`,
 * the worst and the mean over mass ratios; NAN when out of memory. */
void gt_dualrate_coupled(const gt_dualrate_system *system, const gt_dualrate_pair *pair,
                         bool damped, double limit, double *worst, double *mean);

#endif
