/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_CLI_FIGURE_H
#define GEARTRAIN_CLI_FIGURE_H

/* Figures. */
#include "args.h"

typedef enum cli_style {
    CLI_LINE,
    CLI_LINE_POINTS,
    CLI_POINTS,
    CLI_BACKGROUND
} cli_style; /* the last: thick, pale */

typedef struct cli_curve {
    const char *title;       /* in the legend; NULL: none */
    const double *x, *y, *z; /* z for curves in space, else NULL */
    size_t count;
    size_t x_stride, stride; /* points are x[k * x_stride], y[k * stride], z[k * stride]; 0 is 1 */
    cli_style style;
    int colour; /* 0: by position; n: the n-th */
} cli_curve;

typedef struct cli_panel {
    const char *x_label, *y_label, *z_label; /* z_label: draws in space */
    bool log_x, log_y;
    bool tight_x;        /* the axis ends where the curves do */
    bool equal;          /* a unit is as long on both axes */
    double y_min, y_max; /* both 0: what the curves need */
    const cli_curve *curves;
    size_t n_curves;
} cli_panel;

typedef struct cli_plot {
    const char *path; /* .svg .png .pdf */
    const char *title;
    const cli_panel *panels;
    size_t n_panels;
    /* panels in a row instead of one above the other; only the last has titles */
    bool side_by_side;
    const cli_args *args; /* --title and --size of these; NULL: none */
} cli_plot;

/* What --title and --size ask for; title NULL and width 0 where they are not given. */
typedef struct cli_looks {
    const char *title;
    double width, height; /* pixels */
} cli_looks;

extern const cli_flag gt_cli_looks_flags[];
cli_looks gt_cli_looks(const cli_args *args);
/* Refuses a size that is none, and looks without a figure. For every command, before it begins. */
int gt_cli_check_looks(const cli_args *args);

/* Refuses an extension that cannot be drawn, and says so when there is no gnuplot. To be called
 * before long work. */
int gt_cli_check_plot(const char *path, const char *const *inputs);
int gt_cli_plot(const cli_plot *plot);

/* Appends the parameters that --set sets: ", mu = 5". */
void gt_cli_title_add_set(const cli_args *args, char *title, size_t size);

/* "x [m]" in the buffer, for a column. */
const char *gt_cli_label(const gt_problem *problem, size_t column, char *buffer, size_t size);

#endif
