/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_ANALYSIS_POLES_H
#define GEARTRAIN_ANALYSIS_POLES_H
#include <geartrain/geartrain.h>

/* Whether a controlled run of few steps passed over a pole of f, done again to see; `t`: before
 * which time. */
bool gt_passes_pole(const gt_problem *p, const gt_method *method, const gt_plan *plan,
                    const gt_report *report, double *t);

#endif
