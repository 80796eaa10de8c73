/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_KIT_EXPLICIT_RK_H
#define GEARTRAIN_KIT_EXPLICIT_RK_H

#include <geartrain/method.h>

/* What `data` of an explicit Runge-Kutta method points to, beside its tableau. */
typedef struct gt_erk_row {
    int order, error_order;
    bool last_is_slope;
    gt_ratio d[GT_MAX_STAGES], d_end; /* dense output: all stages but the last, and the slope at the end */
} gt_erk_row;

#endif
