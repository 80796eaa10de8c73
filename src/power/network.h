/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_POWER_NETWORK_H
#define GEARTRAIN_POWER_NETWORK_H

#include <geartrain/power.h>

/* Writes the island of each bus, named by the smallest index of its buses. `on` says which branches
 * count; NULL: those in service. A bus that is off is alone. */
void gt_islands_of(const gt_power_case *c, const bool *on, size_t *island);

/*
 * Where the admittance matrix has entries: those of all branches, in service or not, and the
 * diagonal. The pattern is symmetric, so that rows serve as columns.
 */
typedef struct gt_grid {
    size_t n;
    int *start,
        *column;      /* n + 1; entries of row i are start[i] .. start[i + 1], columns ascending */
    int *diagonal;    /* n: place of (i, i) */
    int (*branch)[4]; /* places of (from, from), (from, to), (to, from), (to, to) */
} gt_grid;

gt_status gt_grid_make(const gt_power_case *c, gt_grid *grid, gt_arena *arena) GT_MUST_CHECK;

/* Admittances g + j b of the branches that are on (NULL: in service) and of the shunts of the case.
 * Branches in `charged` (may be NULL) are off but leave their charging at the buses. */
void gt_grid_admittance(const gt_grid *grid, const gt_power_case *c, const bool *on,
                        const bool *charged, double *g, double *b);

#endif
