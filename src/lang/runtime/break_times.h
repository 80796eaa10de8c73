/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LANG_BREAK_TIMES_H
#define GEARTRAIN_LANG_BREAK_TIMES_H

#include <geartrain/author/ode_runtime.h>

/* The breaks of a problem, from the times and clocks that its file has, for the interval that
 * `problem` has; those that come back in every period are listed for some time before and after it,
 * since t0 and t1 may still be changed. */
gt_status gt_ode_breaks(gt_ode_ctx *c, gt_problem *problem, gt_arena *arena) GT_MUST_CHECK;

#endif
