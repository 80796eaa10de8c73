/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_IMPLICIT_GROWTH_H
#define GEARTRAIN_IMPLICIT_GROWTH_H

/*
 * Methods that damp what decays fast also damp what grows fast: where gamma lambda > 1, the growth
 * of that mode in a step is beyond what the method can follow, and x' = 1e4 (1 - x^2) from
 * -0.999999 stays at -1 in one step with an estimate next to 0. det(1 - gamma J) = prod (1 - gamma
 * lambda_i) is below 0 just where an odd number of modes is such, and its sign comes with the
 * factors. Two such modes at once go unseen, and so do systems that are solved by iterations.
 */
#include "linalg/lu_internal.h"
#include <geartrain/problem.h>

/* `lu`: factors of 1 - gamma J. */
static inline bool gt_hides_growth(const gt_problem *p, const gt_lu *lu)
{
    return !p->mass && !p->n_alg && !p->second_order && gt_lu_sign(lu) < 0;
}

#endif
