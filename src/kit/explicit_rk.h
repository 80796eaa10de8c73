/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_KIT_EXPLICIT_RK_H
#define GEARTRAIN_KIT_EXPLICIT_RK_H

#include <geartrain/author/tableau.h>

/* The explicit Runge-Kutta methods that others may put into a block of theirs, in the order of
 * their choices. */
#define GT_EXPLICIT_RK_IDS(X) X(euler) X(rk2) X(heun) X(rk4) X(rkf45) X(dopri5)
enum {
#define GT_NUMBER_RK(id) GT_RK_##id,
    GT_EXPLICIT_RK_IDS(GT_NUMBER_RK)
#undef GT_NUMBER_RK
        GT_N_EXPLICIT_RK
};
extern const gt_method *const gt_explicit_rk_methods[]; /* in explicit_rk.c; ends with NULL */
extern const char *const gt_explicit_rk_names[];        /* likewise */

/* What `data` of an explicit Runge-Kutta method points to, beside its tableau. */
typedef struct gt_erk_row {
    int order, error_order;
    bool last_is_slope;
    gt_ratio d[GT_MAX_STAGES],
        d_end; /* dense output: all stages but the last, and the slope at the end */
    gt_ratio kink[GT_MAX_STAGES]; /* the second estimate, for kinks of f; all 0: there is none */
} gt_erk_row;

#endif
