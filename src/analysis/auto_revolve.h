/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_ANALYSIS_AUTO_REVOLVE_H
#define GEARTRAIN_ANALYSIS_AUTO_REVOLVE_H

#include "analysis/auto_mode.h"
#include "analysis/auto_work.h"

/* The method that passes over revolutions of the mode, NULL: it cannot be, or its beginning would
 * take too much of what is left to do. `rate`: work of the method in use in a unit of time. */
const gt_method *gt_auto_revolving(const gt_view *view, const gt_auto_costs *costs,
                                   const gt_largest *mode, double rate);

#endif
