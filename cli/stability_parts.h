/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_STABILITY_PARTS_H
#define GEARTRAIN_STABILITY_PARTS_H

/* What the commands stability, accuracy and damping share: methods with options side by side, and
 * their figures. */
#include "cli.h"

extern const cli_flag gt_cli_method_flags[]; /* --opt --also */

typedef struct cli_entry {
    const gt_method *method;
    char *options; /* "order=3, formula=ndf" */
    char *label;   /* "gear order=3" */
} cli_entry;

/*
 * The method named first with all of --opt, then those of --also. Each --also is "name",
 * "name:option=value,...", or only "option=value,...", which is the first method with these options
 * in place of its own.
 */
int gt_cli_entries(const cli_args *args, gt_arena *arena, cli_entry **entries, size_t *count);

/* A part of the plane, and what to draw in it: where the size (largest root, spectral radius) is at
 * most 1, or curves.
 */
typedef struct cli_region {
    double left, right, bottom, top;
    gt_size_fn *size;            /* NULL: the curves below are drawn */
    const void *const *ctx;      /* one for each entry */
    const double *const *curves; /* (re, im) pairs, a closed curve for each entry */
    size_t n_points;             /* of each */
    bool star;                   /* |R| against |exp z| instead of against 1 */
    /* (re, im) pairs of curves to draw on top, NAN pairs between them; may be NULL */
    const double *marks;
    size_t n_marks;
    bool dots;     /* the marks are single points */
    double aspect; /* height over width of the figure; 0: both axes have the same scale */
    const char *mark_title, *x_label, *y_label;
    const cli_args *args; /* --title and --size of these; NULL: none */
} cli_region;

enum { CLI_REGION_POINTS = 300 };

int gt_region_plot(const char *path, const char *title, const cli_entry *entries, size_t count,
                   const cli_region *region);

#endif
