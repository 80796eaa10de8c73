/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_CONTOUR_H
#define GEARTRAIN_CONTOUR_H

/* Where a function on a grid is at most 0, as curves and areas to draw. */
#include <stdbool.h>
#include <stdio.h>

typedef struct grid_values {
    int nx, ny;
    double left, right, bottom, top;
    float *value; /* [j * nx + i] at column i, row j */
} grid_values;

/* The curves value = 0, "x y" a line with an empty line after each. False when out of memory. */
bool gt_contour_print(const grid_values *g, FILE *out);

/* Closed polygons that fill the places with x < x_end where value <= 0 (inside) or > 0. */
void gt_area_print(const grid_values *g, bool inside, double x_end, FILE *out);

#endif
