/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_PLOT_DATA_H
#define GEARTRAIN_PLOT_DATA_H

#include "cli.h"

/* The points of curves for gnuplot (plot_data.c). */

static inline double gt_plot_x(const cli_curve *curve, size_t k)
{
    return curve->x[k * (curve->x_stride ? curve->x_stride : 1)];
}

static inline double gt_plot_y(const cli_curve *curve, size_t k)
{
    return curve->y[k * (curve->stride ? curve->stride : 1)];
}

static inline double gt_plot_z(const cli_curve *curve, size_t k)
{
    return curve->z[k * (curve->stride ? curve->stride : 1)];
}

/* Width and height of what the curves of a panel cover. */
void gt_plot_extent(const cli_panel *panel, double *width, double *height);

/* Numbers that are large beside what they cover on an axis, as times near 1e9 in a run of a second,
 * are drawn less a round one, which the label names; 0: as they are. A value that changes by a
 * billionth of itself is drawn as a constant. */
void gt_plot_offsets(const cli_panel *panel, double offset[3]);

/* Curve i of the panel as the data block $d<number>, with the points that can be seen on so many
 * pixels. */
void gt_plot_data(FILE *script, const cli_panel *panel, size_t i, size_t number, double width,
                  double height);

#endif
