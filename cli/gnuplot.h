/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_GNUPLOT_H
#define GEARTRAIN_GNUPLOT_H

#include "cli.h"

/* One call of the program gnuplot: a script is written, then drawn into a temporary file that gets
 * its name when whole.
 */
typedef struct gnuplot_job {
    FILE *script;
    const char *path;
    gt_file file; /* gnuplot writes it, by its temporary name */
} gnuplot_job;

bool gt_gnuplot_there(void);

/* The terminal that draws files with this ending, NULL when there is none. */
const char *gt_gnuplot_terminal(const char *path);

int gt_gnuplot_begin(gnuplot_job *job, const char *path);
/* The name that gnuplot is to write to. */
const char *gt_gnuplot_output(const gnuplot_job *job);
int gt_gnuplot_end(gnuplot_job *job);

/* Makes an SVG file of gnuplot smaller (svg_compact.c). */
void gt_svg_compact(const char *path);

/* The size of texts at full size. */
double gt_gnuplot_points(const char *terminal);
/* Lines of a script: the looks of all figures; the size in pixels; a text in quotes. */
void gt_gnuplot_style(FILE *script);
void gt_gnuplot_canvas(FILE *script, const char *terminal, double width, double height,
                       double text);
void gt_gnuplot_quote(FILE *script, const char *text);

#endif
