/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_ANALYSIS_STEP_MAP_H
#define GEARTRAIN_ANALYSIS_STEP_MAP_H

#include "analysis/linear_model.h"
#include <geartrain/author/stepper.h>

/*
 * A method bound to x' = A x with a slow and a fast block. A step of it is multiplication by a
 * matrix, of x alone or of x and what the method keeps from the past; its columns are steps from
 * unit vectors.
 */
typedef struct gt_step_map {
    gt_problem problem;
    gt_linear_model model;
    gt_stepper s;
    size_t n, size; /* of A, and of the matrix of a step */
    double *M, *values, *from, *to;
    void *memory;
    bool ready; /* the stepper is */
} gt_step_map;

/* Stays where it is, and A with it. To be closed whatever the status is. */
gt_status gt_step_map_open(gt_step_map *map, const gt_method *method, const char *options,
                           size_t n_slow, size_t n_fast, const double *A, gt_arena *arena,
                           gt_message *message) GT_MUST_CHECK;
void gt_step_map_close(gt_step_map *map);

/* Operations that a radius takes, roughly, by counting. */
double gt_step_map_work(const gt_step_map *map);

/* The spectral radius of the matrix of a step h; infinite where a step cannot be made.
 * GT_UNSUPPORTED: a step of the method is not linear in x, so that there is no such matrix. */
gt_status gt_step_map_radius(gt_step_map *map, double h, double *radius) GT_MUST_CHECK;

#endif
