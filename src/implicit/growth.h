/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_IMPLICIT_GROWTH_H
#define GEARTRAIN_IMPLICIT_GROWTH_H

/*
 * Methods that damp what decays fast also damp what grows fast: where gamma lambda > 1, the growth
 * of that mode in a step is beyond what the method can follow, and x' = 1e4 (1 - x^2) from
 * -0.999999 stays at -1 in one step with an estimate next to 0. det(1 - gamma J) = prod (1 - gamma
 * lambda_i) is below 0 just where an odd number of modes is such, and its sign comes with the
 * factors. An even number of such modes is seen where the trace of J tells: gamma lambda_i > 1 on
 * average.
 *
 * Where GMRES solves the systems, det W = det P det(P^-1 W): the sign of the first comes with the
 * preconditioner P, that of the second with the Hessenberg matrix of the space, as far as the
 * right-hand side reaches (gmres.h). A preconditioner of the caller's has no sign that is known,
 * and complex systems without a preconditioner show none.
 */
#include "linalg/lu_internal.h"
#include <geartrain/problem.h>

/* Whether det W tells. */
static inline bool gt_shows_growth(const gt_problem *p)
{
    return !p->mass && !p->n_alg && !p->second_order;
}

static inline double gt_trace(const gt_matrix *J)
{
    double sum = 0;
    if (J->pattern.storage == GT_DENSE && !J->is_complex) {
        for (size_t i = 0; i < J->n; i++) sum += J->values[i * (J->n + 1)];
        return sum;
    }
    if (J->pattern.storage == GT_CSC && !J->is_complex) {
        const int *colptr = J->pattern.colptr, *rowindex = J->pattern.rowindex;
        for (size_t i = 0; i < J->n; i++)
            for (int k = colptr[i]; k < colptr[i + 1]; k++)
                if (rowindex[k] == (int)i) sum += J->values[k];
        return sum;
    }
    for (size_t i = 0; i < J->n; i++) {
        const double *entry = gt_matrix_at(J, i, i);
        sum += entry ? *entry : 0;
    }
    return sum;
}

/* `lu`: factors of 1 - gamma J, NULL where there are no real ones. J: NULL where it is no matrix.
 */
static inline bool gt_hides_growth(const gt_problem *p, const gt_lu *lu, const gt_matrix *J,
                                   double gamma)
{
    if (!gt_shows_growth(p)) return false;
    return (lu && gt_lu_sign(lu) < 0) || (J && gamma * gt_trace(J) > (double)J->n);
}

#endif
