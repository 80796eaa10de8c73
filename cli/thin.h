/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_THIN_H
#define GEARTRAIN_THIN_H

#include <stdbool.h>
#include <stddef.h>

/* What of a curve a figure can show (thin.c). Points are in pixels, two or three numbers each; one
 * that is not finite is a gap. keep[k] says which points stay. */

/* Of points whose x ascends, in each column of one pixel: the first, the lowest, the highest, the
 * last, and the gaps that part them. Adds to what is kept. */
void gt_thin_columns(size_t count, const double *x, const double *y, bool *keep);

/* Of those kept, drops what lies on the line between its neighbours, to within `tolerance`. */
void gt_thin_straight(size_t count, int dimensions, const double *const *p, double tolerance,
                      bool *keep);

#endif
