/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LANG_BAND_PATTERN_H
#define GEARTRAIN_LANG_BAND_PATTERN_H

#include <geartrain/author/ode_runtime.h>

/* The sparse pattern that the bands of a model make up, in memory of the arena, and c->place: where
 * in it each entry of each band is. */
gt_status gt_ode_pattern(gt_ode_ctx *c, size_t n, gt_pattern *pattern,
                         gt_arena *arena) GT_MUST_CHECK;

#endif
