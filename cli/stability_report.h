/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_STABILITY_REPORT_H
#define GEARTRAIN_STABILITY_REPORT_H

#include "stability_parts.h"

/* What the command stability was asked. */
typedef struct stability_request {
    cli_entry *entries;
    size_t count;
    bool has_point, test2, json, star;
    double at[2], alpha, beta;
    double *window; /* left, right, bottom, top; NULL: what the boundary needs */
    const cli_args *args;
    const char *plot, *out;
    double h;              /* 0: not given */
    double fast[2];        /* eigenvalue times eps: shi's lambda with a tilde */
    bool blocks;           /* the plane of a slow and a fast eigenvalue */
    double zss[2], zff[2]; /* the point there, or the ends of the axes of a figure */
    double coupling;       /* z_sf = coupling z_ss, z_fs = coupling z_ff; or: */
    bool has_product;
    double product[2]; /* z_sf z_fs */
} stability_request;

/* What they report, of an item of their answers. */
extern const report_field gt_stability_one_rate_fields[], gt_stability_two_rates_fields[],
    gt_stability_blocks_fields[];
int gt_stability_one_rate(const stability_request *q, gt_arena *arena);
int gt_stability_two_rates(const stability_request *q, gt_arena *arena);
int gt_stability_blocks(const stability_request *q, gt_arena *arena);

/* In place of methods of two blocks: their fast block and their slow block alone, as Runge-Kutta
 * methods. */
int gt_stability_split_pairs(stability_request *q, gt_arena *arena);

/* Methods with small steps for fast modes: the gap in their stable region, and how many small steps
 * they need. */
typedef struct gap_view {
    const stability_request *q;
    const cli_entry *entry;
    const gt_gap *gap;
} gap_view;
extern const report_field gt_stability_gap_fields[]; /* of a gap_view */
int gt_stability_gap_plot(const stability_request *q, const gt_amplifier *a, const gt_gap *gap);

/* Points of a boundary, NAN pairs between curves. */
typedef struct stability_curve {
    double *points;
    size_t count;
} stability_curve;

/* Entry i of its points, for `each`: those between curves are absent. */
bool gt_stability_each_point(const stability_curve *curve, size_t i, report_value *out);
int gt_stability_write_curve(const char *path, const stability_curve *curve);

/* Widens left, right, bottom, top to the points of the curve that are not far out. */
void gt_stability_window(const stability_curve *curve, double window[4]);

/* Room round the window, and at least something on both sides of 0. */
void gt_stability_finish_window(double window[4]);

/* A figure of this window, unless the request has one, without what is drawn in it. */
cli_region gt_stability_region(const stability_request *q, const double window[4]);

/* Writes the boundary of the first answer where --out is given, and prints all answers, of which
 * `fields` is an item. */
int gt_stability_give(const stability_request *q, const report_field *fields, const void *answers,
                      const stability_curve *boundary);

#endif
