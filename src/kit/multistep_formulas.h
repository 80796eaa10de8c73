/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_KIT_MULTISTEP_FORMULAS_H
#define GEARTRAIN_KIT_MULTISTEP_FORMULAS_H

/* The linear multistep formulas of crow 5.3 as numbers, and their weights when the steps are not
 * equal. */
#include <geartrain/author/tableau.h>

typedef enum gt_multistep_family {
    GT_ADAMS_BASHFORTH,
    GT_ADAMS_MOULTON,
    GT_GEAR,
    GT_GENERAL
} gt_multistep_family;

enum {
    GT_MULTISTEP_ORDERS = 6,
    GT_MULTISTEP_MAX_ORDER = 2 * GT_MAX_PAST
}; /* of the listed ones; of any formula */

/* Order k is at [k - 1]. */
extern const gt_multistep gt_adams_bashforth[GT_MULTISTEP_ORDERS];
extern const gt_multistep gt_adams_moulton[GT_MULTISTEP_ORDERS];
extern const gt_multistep gt_gear_formula[GT_MULTISTEP_ORDERS];

/* Whether two formulas have the same numbers. */
bool gt_multistep_same(const gt_multistep *p, const gt_multistep *q);

/* As in gt_multistep, for the steps at hand. */
typedef struct gt_multistep_weights {
    double a[GT_MAX_PAST], b[GT_MAX_PAST + 1], error;
} gt_multistep_weights;

/* Weights of the listed formula of this order for a step from tau = 0 to 1, with x_(n-i) at tau[i],
 * tau[0] = 0. */
void gt_multistep_weigh(gt_multistep_family family, int order, const double *tau,
                        gt_multistep_weights *weights);

/* Whether the exactness constraints determine the coefficients that are not 0, so that there are
 * weights for any steps.
 */
bool gt_multistep_is_determined(const gt_multistep *formula);

/* These weights, for any such formula; false when it is none, or there are no weights for these
 * steps. */
bool gt_multistep_weigh_any(const gt_multistep *formula, const double *tau,
                            gt_multistep_weights *weights);

/* Makes `m`, of which name, title and reference are set, the method of this formula, which must
 * outlive it. */
void gt_multistep_describe(const gt_multistep *formula, gt_method *m);

/* The polynomials of Lagrange of `count` nodes at u: value[i] is 1 at node[i] and 0 at the others.
 */
void gt_multistep_lagrange(int count, const double *node, double u, double *value);

/* b_i of x(theta) = x_n + h sum b_i f_(n-i), the integral from 0 to theta of the polynomial through
 * `count` slopes at tau[0], tau[1], ... */
void gt_multistep_integrate(int count, const double *tau, double theta, double *b);

#endif
