/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_AUTO_H
#define GEARTRAIN_AUTO_H

#include <geartrain/api.h>
#include <geartrain/pilot.h>

GT_C_BEGIN

/*
 * The pilot of `--method auto`: gt_solve(&problem, NULL, &(gt_plan){.pilot = &gt_auto}, &report).
 *
 * It begins with an explicit method, at the tolerance of the plan, and keeps its steps. The stages of each step tell
 * whether its stability and not the error limits it; when they do so again and again it looks at the mode that is to
 * blame, decaying or swinging, and hands over to a method for it. On the way back it compares the work in a unit of
 * time. What decides are facts of the methods and counted operations, never a name or a clock.
 */
GT_API extern const gt_pilot gt_auto;

GT_C_END

#endif
