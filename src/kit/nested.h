/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_KIT_NESTED_H
#define GEARTRAIN_KIT_NESTED_H

/*
 * A stepper inside a method, for one block of its problem: the block becomes a problem of its own,
 * with its block of the Jacobian, and any method of the list can be bound to it in the memory of
 * the outer stepper. What is outside the block the user of this sets in `y` before each call.
 */
#include <geartrain/author/blocks.h>
#include <geartrain/author/stepper.h>

typedef struct gt_nested {
    gt_problem problem; /* of the block; its ctx is this */
    gt_stepper s;
    gt_stepper *outer; /* while a call is under way */
    double *y;         /* a point, all states of the outer problem */
    gt_block J;
    double *tolerances; /* of the block, rtol then atol, where the outer stepper has vectors */
} gt_nested;

/* Lays out a struct of `size` bytes that begins with a gt_nested; *out is NULL while the arena
 * measures. Of `own` the functions, autonomous, t1 and, where it has blocks of its own, n_slow and
 * n_fast are taken. */
gt_status gt_nested_layout(gt_nested **out, size_t size, const gt_problem *own, gt_part part,
                           const gt_method *method, const char *options, gt_stepper *s,
                           gt_arena *arena) GT_MUST_CHECK;
gt_status gt_nested_prepare(gt_nested *w, gt_stepper *s) GT_MUST_CHECK;
void gt_nested_free(gt_nested *w);

/* The block of the Jacobian at time t of the outer problem and the point y. */
gt_status gt_nested_jacobian(gt_nested *w, double t, gt_matrix *J) GT_MUST_CHECK;

/* Before and after steps: `share` times the tolerances of the outer stepper, 0: none; work is added
 * to its counters but for calls of f, which it has counted. */
void gt_nested_begin(gt_nested *w, gt_stepper *s, double share);
void gt_nested_end(gt_nested *w, gt_status status);

#endif
