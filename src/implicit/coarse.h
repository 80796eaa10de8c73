/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_IMPLICIT_COARSE_H
#define GEARTRAIN_IMPLICIT_COARSE_H

/*
 * What incomplete factors leave over where diffusion goes over many cells in a step: errors that
 * are smooth. Neighbours are put together to aggregates, Z has a column of ones for each, and
 *
 *     P^-1 = Q + F^-1 (1 - W Q),     Q = Z (Z' W Z)^-1 Z'
 *
 * with F the incomplete factors (Nicolaides, SIAM J. Numer. Anal. 24 (1987) 355; the form is A-DEF1
 * of Tang, Nabben, Vuik, Erlangga, J. Sci. Comput. 39 (2009) 340). The small system Z' W Z is
 * solved in three sweeps of the same P made for it, down to a few hundred aggregates: so the
 * iterations for a system hardly grow with the number of cells.
 *
 * A component takes part where its column of W sums up to next to nothing beside its diagonal, but
 * to more than that: what reacts, flows or waves faster than it diffuses does not.
 */
#include <geartrain/author/arena.h>
#include <geartrain/matrix.h>

/* W_ij = delta_ij - gamma J_ij in the first n_diff rows, J_ij in the others. */
typedef struct gt_shift {
    size_t n, n_diff;
    const int *colptr, *rowindex; /* of J */
    const double *values;
    double gamma;
} gt_shift;

static inline double gt_shift_entry(const gt_shift *W, int e)
{
    double value = W->values[e];
    return W->rowindex[e] < (int)W->n_diff ? -W->gamma * value : value;
}

typedef struct gt_coarse gt_coarse;

/* NULL where the level is small. */
gt_coarse *gt_coarse_layout(size_t n, gt_arena *arena);

/* Makes aggregates of W; `link` has n numbers for work, -1 before and after. False: none are worth
 * it. */
bool gt_coarse_make(gt_coarse *c, const gt_shift *W, bool finest, int *link);

/* e = (Z' W Z)^-1 Z' b, b := b - W Z e */
void gt_coarse_remove(gt_coarse *c, const gt_shift *W, double *b);
/* b := b + Z e */
void gt_coarse_add(const gt_coarse *c, size_t n, double *b);

#endif
